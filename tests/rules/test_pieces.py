"""Colours, kinds and pieces."""

from __future__ import annotations

import pytest

from rules.pieces import BLACK, KING, PAWN, PIECES, PROMOTIONS, QUEEN, WHITE, Color, Piece, PieceType


def test_colors():
    """Each colour knows the other and writes itself in lower case."""
    assert WHITE.other is BLACK
    assert BLACK.other is WHITE
    assert [str(color) for color in Color] == ["white", "black"]


def test_kinds_count_from_pawn_to_king():
    """The order that all chess programs use."""
    assert [int(kind) for kind in PieceType] == [1, 2, 3, 4, 5, 6]
    assert (PAWN, KING) == (PieceType.PAWN, PieceType.KING)
    assert "".join(kind.letter for kind in PieceType) == "pnbrqk"
    assert PROMOTIONS[0] is QUEEN


def test_symbols_go_both_ways():
    """Twelve pieces, twelve letters."""
    symbols = "PNBRQKpnbrqk"
    assert "".join(Piece.from_symbol(symbol).symbol for symbol in symbols) == symbols
    assert Piece.from_symbol("n") is PIECES[BLACK][PieceType.KNIGHT]
    assert str(Piece(WHITE, QUEEN)) == "Q"


@pytest.mark.parametrize("letter", ["", "x", "qq", "?", "1", "♔"])
def test_other_letters_are_refused(letter):
    """Nothing else is a piece."""
    with pytest.raises(ValueError, match="not the letter"):
        PieceType.from_letter(letter)
