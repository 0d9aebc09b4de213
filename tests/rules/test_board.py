"""The bare board: what stands where, and who attacks what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board, OpenBoard
from rules.pieces import BLACK, PIECES, WHITE, Color, Piece, PieceType
from rules.position import Position
from rules.squares import parse_square, squares_of
from tests.rules.random_walks import positions


@given(positions)
def test_all_questions_agree(position):
    """Piece by piece and set by set the same units stand on the same squares."""
    for square in range(64):
        piece = position.piece_at(square)
        assert position.kind_at(square) == (piece and piece.kind)
        assert position.color_at(square) == (piece and piece.color)
        assert (piece is not None) == position.occupied >> square & 1
        for color in Color:
            for kind in PieceType:
                assert position.pieces(color, kind) >> square & 1 == (piece == Piece(color, kind))
    assert position.by_color(WHITE) & position.by_color(BLACK) == 0
    assert position.by_color(WHITE) | position.by_color(BLACK) == position.occupied
    assert sum(position.by_kind(kind) for kind in PieceType) == position.occupied
    assert list(position.pieces_by_square()) == list(squares_of(position.occupied))
    for color in Color:
        assert position.piece_at(position.king(color)) is PIECES[color][PieceType.KING]


@given(positions, st.integers(0, 63))
def test_attackers_and_attacks_are_two_sides(position, target):
    """A unit is among the attackers of a square exactly if the square is among those it attacks."""
    for color in Color:
        attackers = position.attackers(color, target)
        for square in squares_of(position.by_color(color)):
            assert attackers >> square & 1 == position.attacks(square) >> target & 1
    assert all(position.attacks(square) == 0 for square in range(64) if not position.occupied >> square & 1)


def test_attackers_with_other_units_in_the_way():
    """Asked about a board after a move, line pieces see through what has left."""
    position = Position.from_fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")
    e1, e2, e8 = map(parse_square, ("e1", "e2", "e8"))
    assert position.attackers(BLACK, e1) == 0
    assert position.attackers(BLACK, e1, position.occupied & ~(1 << e2)) == 1 << e8


def test_a_board_cannot_be_changed():
    """Nothing about it, and not even by a new attribute."""
    board = Board.of({4: Piece.from_symbol("K"), 60: Piece.from_symbol("k")}, turn=WHITE)
    for name in ("pawns", "turn", "anything"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(board, name, 0)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del board.pawns


def test_the_two_halves_have_the_same_fields():
    """A closed board adds no field to the open one: else changing the class would not work."""
    assert set(Board.__slots__) == set(Position.__slots__) == set()
    assert set(OpenBoard.__slots__) == set(OpenBoard.__annotations__)
