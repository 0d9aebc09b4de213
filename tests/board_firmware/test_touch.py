"""Article 4 unit by unit: what each order of touches obliges to."""

from __future__ import annotations

import pytest

from board_firmware.core.touch import owed
from rules import Position, parse_square

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CAPTURE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
THROUGH = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"
STUCK = "6k1/8/1b6/8/8/3q4/P7/4K2R w K - 0 1"
PASSANT = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"

CASES = [
    ("nothing touched", START, "", "none", None),
    ("the first own unit that can move", START, "a1 b1 g1", "move:b1", "4.3.1"),
    ("nothing that can move", START, "a1", "free", "4.5"),
    ("the first enemy unit that can be captured", CAPTURE, "a7 d5", "capture:d5", "4.3.2"),
    ("nothing that can be captured", START, "a7", "free", "4.5"),
    ("own before enemy, and the capture is legal", CAPTURE, "e4 d5", "exact:e4d5", "4.3.3"),
    ("enemy before own, and the capture is legal", CAPTURE, "d5 e4", "exact:e4d5", "4.3.3"),
    ("own first, and it cannot take", CAPTURE, "g1 d5", "move:g1", "4.3.3"),
    ("enemy first, and another unit can take", CAPTURE, "d5 g1", "capture:d5", "4.3.3"),
    ("one scan, own first", CAPTURE, "d5+g1", "move:g1", "4.3.3"),
    ("the pawn that is taken in passing", PASSANT, "d5", "capture:d5", "4.3.2"),
    ("own pawn, then the pawn taken in passing", PASSANT, "e5 d5", "exact:e5d6", "4.3.3"),
    ("king then rook", CASTLE, "e1 h1", "exact:e1g1", "4.4.1"),
    ("king and rook in one scan", CASTLE, "h1+e1", "exact:e1g1", "4.4.1"),
    ("king then both rooks: the first decides", CASTLE, "e1 a1 h1", "exact:e1c1", "4.4.1"),
    ("rook then king: the rook must move", CASTLE, "h1 e1", "move:h1", "4.4.2"),
    ("king then rook, castling illegal: another king move", THROUGH, "e1 h1", "move:e1", "4.4.3"),
    ("king then rook, no king move: free, not the rook's", STUCK, "e1 h1", "free", "4.4.3"),
    ("another unit before king and rook", "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1", "a2 e1 h1", "move:a2", "4.3.1"),
    ("the king owes a capture before the rook", "4k3/8/8/8/8/8/3r4/4K2R w K - 0 1", "e1 d2 h1", "exact:e1d2", "4.3.3"),
]  # fmt: skip


def groups(text: str) -> list[list[int]]:
    """``a1 b1+c1`` as groups of squares."""
    return [[parse_square(name) for name in group.split("+")] for group in text.split()]


@pytest.mark.parametrize(("what", "fen", "touches", "word", "article"), CASES, ids=[case[0] for case in CASES])
def test_owed(what: str, fen: str, touches: str, word: str, article: str | None) -> None:
    """The duty and the article behind it."""
    duty = owed(Position.from_fen(fen), groups(touches))
    assert duty.word == word
    assert duty.article == article


def test_a_released_unit_commits_whatever_was_touched() -> None:
    """A king on g1 owes the castling (4.7.2), also after a rook was touched first."""
    position = Position.from_fen(CASTLE)
    castle = next(move for move in position.legal_moves() if move.uci() == "e1g1")
    assert owed(position, groups("a1 e1"), [castle]).word == "exact:e1g1"


def test_after_an_illegal_move_the_duty_to_castle_does_not_carry_over() -> None:
    """Article 7.5.1 names 4.3 and 4.7: any king move, castling on either side included."""
    duty = owed(Position.from_fen(CASTLE), groups("e1 a1"), must_castle=False)
    assert duty.word == "move:e1"
    assert duty.moves is not None
    assert {"e1g1", "e1c1"} <= {move.uci() for move in duty.moves}


def test_rook_first_bars_that_castling_only() -> None:
    """An immovable queen's rook touched first leaves castling with the other rook open (4.4.2)."""
    duty = owed(Position.from_fen("4k3/8/8/8/8/8/P7/RN2K2R w KQ - 0 1"), groups("a1 e1"))
    assert duty.moves is not None
    assert "e1g1" in {move.uci() for move in duty.moves}
