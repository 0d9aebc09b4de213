"""Reading by footprint: what is complete, what is unclear, what one silent reed explains, what is committed."""

from __future__ import annotations

import pytest

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprints
from board_firmware.core.gesture import Trace, committed, read
from rules import Position, parse_square

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CAPTURE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
TWO = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
PASSANT = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTE = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1"


def traced(fen: str, hand: str, *, chess960: bool = False, gap_ms: int = 300) -> tuple[Footprints, Trace]:
    """``-e2 +e4`` as a trace: minus lifts, plus places."""
    position = Position.from_fen(fen, chess960=chess960)
    trace = Trace(position.occupied)
    for number, word in enumerate(hand.split(), start=1):
        at_ns = number * gap_ms * 1_000_000
        trace.add(SquareChanged(square=parse_square(word[1:]), occupied=word[0] == "+", at_ns=at_ns))
    return Footprints(position), trace


@pytest.mark.parametrize(
    ("fen", "hand", "move"),
    [
        (START, "-e2 +e4", "e2e4"),
        (START, "-e2 +e3 -e3 +e4", "e2e4"),
        (START, "-e2 +e4 -e4 +e3", "e2e3"),
        (START, "-g1 +g1 -e2 +e4", "e2e4"),
        (CAPTURE, "-d5 -e4 +d5", "e4d5"),
        (CAPTURE, "-e4 -d5 +d5", "e4d5"),
        (PASSANT, "-e5 +d6 -d5", "e5d6"),
        (PASSANT, "-d5 -e5 +d6", "e5d6"),
        (PASSANT, "-e5 -d5 +d6", "e5d6"),
        (CASTLE, "-e1 +g1 -h1 +f1", "e1g1"),
        (CASTLE, "-e1 -h1 +f1 +g1", "e1g1"),
        (CASTLE, "-e1 +f1 -f1 +g1 -h1 +f1", "e1g1"),
        (CASTLE, "-h1 +f1", "h1f1"),
        (PROMOTE, "-e7 +e8", "e7e8"),
        (PROMOTE, "+e8 -e7", "e7e8"),
        (PROMOTE, "-d8 +d8 -e7", "e7d8"),
    ],
)
def test_complete(fen: str, hand: str, move: str) -> None:
    """Slides, changes of mind and every order of lifts read as the one move that was made."""
    reading = read(*traced(fen, hand)).complete
    assert reading is not None
    assert reading.move.uci()[:4] == move


@pytest.mark.parametrize(
    ("fen", "hand"),
    [
        (START, "-e2"),
        (START, "-e2 +e2"),
        (START, "-e2 +e5"),
        (CAPTURE, "-d5 +d5 -e4"),  # the pawn was put back before the captor rose
        (PASSANT, "-e5 +d6"),
        (CASTLE, "-e1 +g1"),
        (CASTLE, "-h1 +f1 -e1 +g1"),  # the rook was set down before the king was touched
    ],
)
def test_incomplete(fen: str, hand: str) -> None:
    """What is unfinished, impossible or in the wrong order does not read as complete."""
    assert read(*traced(fen, hand)).complete is None


def test_two_victims_in_hand_are_unclear() -> None:
    """With the captor in the air and both victims lifted and replaced, nobody can tell."""
    reading = read(*traced(TWO, "-e4 -d5 +d5 -f5 +f5"))
    assert reading.complete is None
    assert {one.move.uci() for one in reading.unclear} == {"e4d5", "e4f5"}


def test_a_silent_victim_fits() -> None:
    """One candidate fits, two candidates fit both; a quiet move does not fit by itself."""
    assert [one.move.uci() for one in read(*traced(CAPTURE, "-e4")).fitting] == ["e4d5"]
    assert {one.move.uci() for one in read(*traced(TWO, "-e4")).fitting} == {"e4d5", "e4f5"}
    assert read(*traced(START, "+e4 -d2")).fitting == ()


def test_a_dragged_unit_may_close_the_next_reed_first() -> None:
    """Neighbouring reeds overlap under one unit; two squares apart they cannot, nor for long."""
    assert [one.move.uci() for one in read(*traced(START, "+e3 -e2", gap_ms=80)).fitting] == ["e2e3"]
    assert read(*traced(START, "+e4 -e2", gap_ms=80)).fitting == ()
    assert read(*traced(START, "+e3 -e2", gap_ms=1200)).fitting == ()


@pytest.mark.parametrize(
    ("fen", "hand", "moves"),
    [
        (CASTLE, "-e1 +g1", {"e1g1"}),
        (CASTLE, "-e1 +g1 -h1", {"e1g1"}),
        (CASTLE, "-e1 +g1 -h1 +e1", {"e1g1"}),  # the rook on the king's own square
        (CASTLE, "-e1 +g1 -g1 +f1", set()),
        (PASSANT, "-e5 +d6", {"e5d6"}),
        (START, "-g1 +f3", set()),
    ],
)
def test_committed(fen: str, hand: str, moves: set[str]) -> None:
    """What a unit's present place commits to while the move is unfinished (4.7)."""
    assert {move.uci() for move in committed(*traced(fen, hand))} == moves


@pytest.mark.parametrize(
    ("fen", "hand", "move"),
    [
        ("4k3/8/8/8/8/8/8/RK3R2 w FA - 0 1", "-b1 -a1 +d1 +c1", "b1a1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "-f1 -g1 +g1 +f1", "f1g1"),
        ("4k3/8/8/8/8/8/8/2R1KR2 w FC - 0 1", "-e1 +g1", "e1f1"),
        ("4k3/8/8/8/8/8/8/1R4KR w HB - 0 1", "-h1 +f1", "g1h1"),
    ],
)
def test_the_four_ways_of_castling_in_chess960(fen: str, hand: str, move: str) -> None:
    """Both units, both units in each other's place, the king alone, the rook alone (Guidelines II)."""
    reading = read(*traced(fen, hand, chess960=True)).complete
    assert reading is not None
    assert reading.move.uci() == move


def test_straightening_two_neighbours_is_no_castling() -> None:
    """King and rook lifted and put back one after the other leave the squares as after a transposition."""
    assert read(*traced("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "-f1 +f1 -g1 +g1", chess960=True)).complete is None


def test_masked_squares_neither_help_nor_hinder() -> None:
    """With e4's reed dead, 1.e4 and 1.Nf3 are told apart, and e4 only fits."""
    position = Position.from_fen(START)
    footprints = Footprints(position, masked=1 << parse_square("e4"))
    trace = Trace(position.occupied, [SquareChanged(square=parse_square("e2"), occupied=False, at_ns=1)])
    reading = read(footprints, trace)
    assert reading.complete is None
    assert [one.move.uci() for one in reading.fitting] == ["e2e4"]
