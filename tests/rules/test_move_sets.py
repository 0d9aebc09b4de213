"""Tables that turn sets of squares into moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.attacks import DIAGONALS, KNIGHT, ORTHOGONALS
from rules.board import Board
from rules.move_sets import (
    DIAGONAL_VIEWS,
    KNIGHT_VIEWS,
    LIMIT,
    LINES_TO,
    MOVES_FROM,
    ORTHOGONAL_VIEWS,
    ZONES_OF,
    MovesFrom,
    PawnMoves,
)
from rules.pieces import BLACK, WHITE, Piece
from rules.squares import parse_square, squares_of

squares = st.integers(0, 63)
sets = st.sets(squares, max_size=8).map(lambda chosen: sum(1 << square for square in chosen))


@given(squares, sets)
def test_moves_from(square, targets):
    """One move for each landing square."""
    moves = MOVES_FROM[square][targets]
    assert [move.from_square for move in moves] == [square] * targets.bit_count()
    assert tuple(move.to_square for move in moves) == squares_of(targets)


def test_pawn_moves_promote_on_the_last_rank():
    """A landing on the last rank is four moves, any other one; the step says where the pawn came from."""
    up = PawnMoves(8)
    assert [move.uci() for move in up[1 << parse_square("e4") | 1 << parse_square("a8")]] == [
        "e3e4", "a7a8q", "a7a8r", "a7a8b", "a7a8n",
    ]  # fmt: skip
    assert [move.uci() for move in PawnMoves(-9)[1 << parse_square("d1")]] == ["e2d1q", "e2d1r", "e2d1b", "e2d1n"]


def test_a_full_table_starts_afresh():
    """However many sets are asked for, a table holds no more than its limit, and its answers stay right."""
    table = MovesFrom(0)
    for targets in range(LIMIT + 10):
        assert len(table[targets]) == targets.bit_count()
        assert len(table) <= LIMIT
    assert len(table) == 10


@given(sets)
def test_views(bits):
    """A view from each square of the set, in order: what stops the piece, what it attacks, its moves."""
    for views, lines in ((ORTHOGONAL_VIEWS, ORTHOGONALS), (DIAGONAL_VIEWS, DIAGONALS)):
        assert views[bits] == tuple((lines[s].mask, lines[s], MOVES_FROM[s]) for s in squares_of(bits))
    for square, (mask, attacks, moves) in zip(squares_of(bits), KNIGHT_VIEWS[bits], strict=True):
        assert attacks[12345 & mask] == KNIGHT[square]
        assert moves is MOVES_FROM[square]


@given(squares, sets)
def test_lines_to(square, bits):
    """Each square in line, with those between."""
    bits &= ORTHOGONALS[square].reach | DIAGONALS[square].reach
    assert tuple(bit.bit_length() - 1 for bit, _ in LINES_TO[square][bits]) == squares_of(bits)


@given(sets, squares, st.sampled_from("RBNKPp"))
def test_zones(bits, square, symbol):
    """A unit alone on the board attacks one of the squares exactly if it stands in their zone."""
    piece = Piece.from_symbol(symbol)
    board = Board.of({square: piece}, turn=WHITE)
    zone = ZONES_OF[bits]["RBNKPp".index(symbol)]
    assert zone >> square & 1 == (board.attacks(square) & bits != 0)
    assert piece.color in (WHITE, BLACK)
