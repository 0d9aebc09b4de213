"""Games in which an illegal move stood."""

from __future__ import annotations

from rules.fen import parse_fen
from rules.game import Game
from rules.move import Move
from rules.pgn.parts import Part, in_parts
from rules.pgn.reader import read_pgn
from rules.pgn.writer import write_pgn


def test_p14_a_game_with_an_illegal_move() -> None:
    """P14: h1h7 stood while the king was in check; the score goes on from the position after it, nothing is lost."""
    before = Game.from_fen("4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1")
    after = Game.from_setup(parse_fen("4k3/7R/8/8/1b6/8/8/R3K3 b Q - 1 1")).play(Move.from_uci("e8d8"))
    parts = (Part(game=before, broken_by="h1h7, an illegal move, stands (A.5.2)"), Part(game=after))
    text = "".join(write_pgn(in_parts(parts, {"White": "A", "Black": "B"}, "1/2-1/2")))
    first, second = read_pgn(text)
    assert (first.errors, second.errors) == ((), ())
    assert first.start == before.position
    assert (first.moves, first.result) == ((), "*")
    assert first.line.comments == ("h1h7, an illegal move, stands (A.5.2); the game goes on as part 2 of 2",)
    assert second.tags["SetUp"] == "1"
    assert second.tags["FEN"] == "4k3/7R/8/8/1b6/8/8/R3K3 b Q - 1 1"
    assert ([str(move) for move in second.moves], second.result) == (["e8d8"], "1/2-1/2")
    assert first.tags["White"] == second.tags["White"] == "A"


def test_the_remark_follows_the_last_move() -> None:
    """Where moves were played before it."""
    before = Game.start().play(Move.from_uci("e2e4"))
    first, _ = in_parts((Part(game=before), Part(game=Game.start())), {}, "*")
    assert first.line.moves[-1].comments == ("an illegal move stands; the game goes on as part 2 of 2",)


def test_one_part_is_the_game() -> None:
    """Without an illegal move nothing is added."""
    [game] = in_parts((Part(game=Game.start().play(Move.from_uci("e2e4"))),), {}, "1-0")
    assert (game.result, game.line.moves[0].comments) == ("1-0", ())
