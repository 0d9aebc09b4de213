"""The field cases of layer ``pgn``: reports from other programs, each with its right answer."""

from __future__ import annotations

import json
import re
from pathlib import Path

from board_firmware.core.control import Control
from rules.game import Game
from rules.outcome import Termination
from rules.pgn.comment import clk
from rules.pgn.game import PgnGame
from rules.pgn.reader import read_pgn
from rules.pgn.results import termination_tag
from rules.pgn.writer import write_game
from rules.position import Position
from rules.san import parse_san, write_san


def only(text: str | bytes) -> PgnGame:
    """The only game."""
    [game] = read_pgn(text)
    return game


def test_p02_set_up_position() -> None:
    """P02: an exported game from a position has SetUp and FEN."""
    fen = "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"
    lines = write_game(PgnGame.of(Game.from_fen(fen))).splitlines()
    assert '[SetUp "1"]' in lines
    assert f'[FEN "{fen}"]' in lines


def test_p04_tag_text_is_no_movetext() -> None:
    """P04: brackets in a tag's value begin no variation."""
    game = only('[Event "?"]\n[Opening "St. George (Baker) defense"]\n[Result "*"]\n\n1. e4 a6 *\n')
    assert game.tags["Opening"] == "St. George (Baker) defense"
    assert [str(move) for move in game.moves] == ["e2e4", "a7a6"]
    assert game.faults == ()


def test_p05_byte_order_mark() -> None:
    """P05: a mark before the first tag is skipped; a name may hold what looks like moves."""
    game = only(b'\xef\xbb\xbf[Event "?"]\n[White "White vs 1...c5"]\n')
    assert game.tags == {"Event": "?", "White": "White vs 1...c5"}
    assert (game.moves, game.errors) == ((), ())


def test_p06_blank_lines() -> None:
    """P06: blank lines end nothing, a tag behind a result begins a game."""
    text = '[Event "A"]\n\n[Date "2017.12.04"]\n[Result "0-1"]\n\n\n1. e4 e5 0-1\n[Event "B"]\n[Result "*"]\n1. d4 *'
    first, second = read_pgn(text)
    assert (first.tags["Event"], first.tags["Date"], len(first.moves)) == ("A", "2017.12.04", 2)
    assert (second.tags["Event"], len(second.moves)) == ("B", 1)


def test_p07_castling_with_zeros() -> None:
    """P07: zeros are read, letters written."""
    game = only("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *")
    assert str(game.moves[6]) == "e1g1"
    assert "4. O-O Nf6" in write_game(game)


def test_p09_several_comments() -> None:
    """P09: any number of comments may follow a move."""
    game = only("1. e4 { First move } { [%cal Gd2d4] } { [%clk 0:02:00] } *")
    [ply] = game
    assert (ply.clk_s, ply.comment) == (120, "First move")


def test_p10_clock_values() -> None:
    """P10: 2895 seconds left after the move."""
    assert f"{{{clk(2895)}}}" == "{[%clk 0:48:15]}"


def test_p11_time_control() -> None:
    """P11: 90 minutes and 60 seconds a move are ``5400+60`` in the tag."""
    assert Control.parse(f"{90 * 60}+60").pgn_tag() == "5400+60"


def test_p12_termination() -> None:
    """P12: flag fall, second illegal move, mate."""
    ends = (Termination.TIME, Termination.SECOND_ILLEGAL_MOVE, Termination.CHECKMATE)
    assert [termination_tag(end) for end in ends] == ["time forfeit", "rules infraction", "normal"]


def test_r56_strict_san() -> None:
    """R56: needless disambiguation is read, not written."""
    position = Position.from_fen("1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44")
    moves = {parse_san(position, text) for text in ("Rcd2", "Rd2")}
    assert [str(move) for move in moves] == ["c2d2"]
    assert write_san(position, moves.pop()) == "Rd2"


def test_no_case_is_forgotten(shared: Path) -> None:
    """Each case of the list has a test whose name begins with its number, here or in a file beside."""
    cases = json.loads((shared / "cases/field.json").read_text(encoding="utf-8"))
    wanted = {case["id"].lower() for case in cases if case["layer"] == "pgn"}
    files = Path(__file__).parent.glob("test_*.py")
    found = {name for path in files for name in re.findall(r"def test_([pr]\d\d)_", path.read_text(encoding="utf-8"))}
    assert wanted - found == set()
