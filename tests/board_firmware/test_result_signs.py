"""The kings' sign at the end of real feeds: illegal tails are errors, legal king moves notes, none is stripped."""

from __future__ import annotations

import csv
from pathlib import Path

from rules.pgn import read_pgn
from rules.pgn.fault import FaultWord


def test_the_tails_of_a_live_feed(shared: Path) -> None:
    """Of the nine rows three are reported as illegal, six as possible signs; every legal ply is kept."""
    with (shared / "data/pgn/worldcup2025_livechess_a_tails.tsv").open(encoding="utf-8") as file:
        rows = {(row["white"], row["black"]): row for row in csv.DictReader(file, delimiter="\t")}
    found = {}
    with (shared / "data/pgn/worldcup2025_livechess_a.pgn").open("rb") as source:
        for game in read_pgn(source):
            words = {fault.word for fault in game.faults}
            players = (game.tags["White"], game.tags["Black"])
            if players in rows and len(game.line.moves) == int(rows[players]["legal_plies"]):
                found[players] = words
    illegal = [players for players, words in found.items() if FaultWord.ILLEGAL_MOVE in words]
    signs = [players for players, words in found.items() if FaultWord.POSSIBLE_RESULT_SIGN in words]
    assert set(found) == set(rows)
    assert (len(illegal), len(signs)) == (3, 6)
    assert {players for players in rows if rows[players]["illegal_rest"] != "-"} == set(illegal)


def test_a_finished_game_may_end_in_the_centre() -> None:
    """The note needs a result and a king's last move to d4, e4, d5 or e5; the move stays."""
    text = '[SetUp "1"]\n[FEN "8/8/8/8/8/3K4/8/5k1R w - - 0 1"]\n\n1. Kd4 {} 1-0\n\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. Kd4 *\n'
    games = list(read_pgn(text.replace("{fen}", "8/8/8/8/8/3K4/8/5k1R w - - 0 1").replace("{} ", "")))
    assert [FaultWord.POSSIBLE_RESULT_SIGN in {fault.word for fault in game.faults} for game in games] == [True, False]
    assert all(len(game.line.moves) == 1 for game in games)
