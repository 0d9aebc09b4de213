"""The geometry of castling, standard and Chess960."""

from __future__ import annotations

import pytest

from rules.castling import CASTLINGS, castling_of
from rules.squares import SQUARE_NAMES, parse_square, squares_of


def names(bits):
    """Name a set of squares."""
    return " ".join(SQUARE_NAMES[square] for square in squares_of(bits))


@pytest.mark.parametrize(
    ("king", "rook", "lands", "free", "path"),
    [
        ("e1", "h1", "g1 f1", "f1 g1", "f1 g1"),
        ("e1", "a1", "c1 d1", "b1 c1 d1", "c1 d1"),
        ("e8", "h8", "g8 f8", "f8 g8", "f8 g8"),
        ("e8", "a8", "c8 d8", "b8 c8 d8", "c8 d8"),
        # The two change places, or almost.
        ("f1", "g1", "g1 f1", "", "g1"),
        ("b1", "a1", "c1 d1", "c1 d1", "c1"),
        # The king goes away from where he stands, the rook jumps over him.
        ("b1", "c1", "g1 f1", "d1 e1 f1 g1", "c1 d1 e1 f1 g1"),
        # The king stands on his square already.
        ("g1", "h1", "g1 f1", "f1", ""),
        ("c8", "a8", "c8 d8", "b8 d8", ""),
    ],
)
def test_squares(king, rook, lands, free, path):
    """Where both land, what must be empty, what must not be attacked."""
    castling = castling_of(parse_square(king), parse_square(rook))
    assert f"{SQUARE_NAMES[castling.king_to]} {SQUARE_NAMES[castling.rook_to]}" == lands
    assert names(castling.free) == free
    assert names(castling.king_path) == path


def test_every_castling_of_chess960():
    """Both land on their squares, and neither own square is asked to be empty."""
    for rank in (0, 56):
        for king in range(rank, rank + 8):
            for rook in range(rank, rank + 8):
                if king == rook:
                    continue
                castling = castling_of(king, rook)
                assert castling.king_to - rank == (6 if rook > king else 2)
                assert castling.rook_to - rank == (5 if rook > king else 3)
                assert castling.free & (1 << king | 1 << rook) == 0
                assert castling.king_path & 1 << king == 0
                assert castling.standard == (king - rank == 4 and rook - rank in (0, 7))


def test_writing():
    """Standard chess names the king's two steps, Chess960 the rook."""
    castling = castling_of(parse_square("e1"), parse_square("a1"))
    assert castling.move(chess960=False).uci() == "e1c1"
    assert castling.move(chess960=True).uci() == "e1a1"


def test_both_rooks_at_once():
    """A set of rooks gives the castling with each, lowest square first."""
    e1, a1, h1 = map(parse_square, ("e1", "a1", "h1"))
    assert [castling.rook_from for castling in CASTLINGS[e1][1 << a1 | 1 << h1]] == [a1, h1]
