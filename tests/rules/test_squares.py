"""Squares: numbers, names and sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import SquareError
from rules.squares import (
    DARK_SQUARES,
    FILES,
    FULL,
    LIGHT_SQUARES,
    RANKS,
    SQUARE_NAMES,
    file_of,
    parse_square,
    rank_of,
    square_name,
    squares_of,
)


def test_corners():
    """The four corners fix the numbering."""
    assert [parse_square(name) for name in ("a1", "h1", "a8", "h8")] == [0, 7, 56, 63]


def test_names_go_both_ways():
    """Each square's name reads back as the square, and tells its file and rank."""
    for square, name in enumerate(SQUARE_NAMES):
        assert square_name(square) == name
        assert parse_square(name) == square
        assert name == "abcdefgh"[file_of(square)] + "12345678"[rank_of(square)]


@pytest.mark.parametrize("text", ["", "a", "a9", "i1", "A1", "a1 ", "11", "aa", "a１"])
def test_other_text_is_refused(text):
    """Anything but a name is an error that carries the text and a column."""
    with pytest.raises(SquareError) as caught:
        parse_square(text)
    assert (caught.value.text, caught.value.column) == (text, 1)
    assert isinstance(caught.value, ValueError)


@given(st.sets(st.integers(0, 63)))
def test_squares_of_a_set(squares):
    """A set of squares lists them from a1 upwards."""
    assert squares_of(sum(1 << square for square in squares)) == tuple(sorted(squares))


def test_files_ranks_and_shades_part_the_board():
    """Eight files, eight ranks and two shades each cover every square once; a1 is dark."""
    for parts in (FILES, RANKS, (LIGHT_SQUARES, DARK_SQUARES)):
        assert sum(parts) == FULL
        assert sum(part.bit_count() for part in parts) == 64
    assert DARK_SQUARES & 1
    assert LIGHT_SQUARES >> parse_square("h1") & 1
