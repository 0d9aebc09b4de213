"""Attack tables, against walking the board step by step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.attacks import (
    BLACK_PAWN,
    DIAGONALS,
    KING,
    KNIGHT,
    ORTHOGONALS,
    WHITE_PAWN,
    LineAttacks,
    between,
    diagonal_attacks,
    orthogonal_attacks,
)
from rules.squares import SQUARE_NAMES, parse_square, squares_of

squares = st.integers(0, 63)
boards = st.integers(0, 2**64 - 1)


def walked(square, steps, occupied):
    """Walk each way until something stops it, counting in files and ranks."""
    found = set()
    for file_step, rank_step in steps:
        file, rank = square % 8 + file_step, square // 8 + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            found.add(8 * rank + file)
            if occupied >> 8 * rank + file & 1:
                break
            file, rank = file + file_step, rank + rank_step
    return found


STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


@given(squares, boards)
def test_lines_stop_at_the_first_unit(square, occupied):
    """Rooks and bishops see up to the first unit of either side, whatever else is on the board."""
    assert set(squares_of(orthogonal_attacks(square, occupied))) == walked(square, STRAIGHT, occupied)
    assert set(squares_of(diagonal_attacks(square, occupied))) == walked(square, SLANTED, occupied)


def test_lines_fill_themselves_no_further_than_needed():
    """A table has one entry for each way its lines can be blocked: at most 4,096 for a rook in the corner."""
    lines = LineAttacks(0, ((0, 1), (1, 0)))
    assert lines.mask.bit_count() == 12
    assert sum(1 << table.mask.bit_count() for table in ORTHOGONALS) == 102_400
    assert sum(1 << table.mask.bit_count() for table in DIAGONALS) == 5_248


def test_leapers():
    """Corner and centre, by name."""
    assert {SQUARE_NAMES[s] for s in squares_of(KNIGHT[parse_square("a1")])} == {"b3", "c2"}
    assert KNIGHT[parse_square("d4")].bit_count() == KING[parse_square("d4")].bit_count() == 8
    assert {SQUARE_NAMES[s] for s in squares_of(KING[parse_square("h8")])} == {"g8", "g7", "h7"}
    assert {SQUARE_NAMES[s] for s in squares_of(WHITE_PAWN[parse_square("a2")])} == {"b3"}
    assert {SQUARE_NAMES[s] for s in squares_of(BLACK_PAWN[parse_square("e5")])} == {"d4", "f4"}
    assert WHITE_PAWN[parse_square("e8")] == BLACK_PAWN[parse_square("e1")] == 0


@given(squares, squares)
def test_attacks_go_both_ways(a, b):
    """If a piece on a attacks b, the same piece on b attacks a; a pawn looks back as the other side's pawn."""
    for table in (KNIGHT, KING):
        assert table[a] >> b & 1 == table[b] >> a & 1
    assert WHITE_PAWN[a] >> b & 1 == BLACK_PAWN[b] >> a & 1


@given(squares, squares)
def test_between(a, b):
    """The squares between two in line are those both see along the line when the other stops them."""
    in_line = (orthogonal_attacks(a, 0) | diagonal_attacks(a, 0)) >> b & 1
    expected = 0
    if in_line:
        look = orthogonal_attacks if orthogonal_attacks(a, 0) >> b & 1 else diagonal_attacks
        expected = look(a, 1 << b) & look(b, 1 << a)
    assert between(a, b) == between(b, a) == expected
