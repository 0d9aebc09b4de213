"""Square names and numbers, and the squares that a fault speaks of."""

from __future__ import annotations

import pytest

from hal.squares import SQUARE_NAMES, line_name, parse_square, squares_of, squares_of_part


def test_names_and_numbers():
    """a1 is 0, b1 is 1, h8 is 63, and back; anything else is refused."""
    assert (SQUARE_NAMES[0], SQUARE_NAMES[1], SQUARE_NAMES[63]) == ("a1", "b1", "h8")
    assert [parse_square(name) for name in SQUARE_NAMES] == list(range(64))
    for wrong in ("", "a9", "i1", "E4", "e4 "):
        with pytest.raises(ValueError, match="is not a square"):
            parse_square(wrong)


def test_squares_of_bits():
    """Lowest first."""
    assert list(squares_of(1 << 63 | 1 << 5 | 1)) == [0, 5, 63]
    assert list(squares_of(0)) == []


def test_parts_and_their_squares():
    """A square, a file, a rank; a lever has none. A line's name and its squares say the same."""
    assert squares_of_part("square e4") == 1 << 28
    assert squares_of_part("line rank 4") == 0xFF << 24
    assert list(squares_of(squares_of_part("line file b"))) == [1, 9, 17, 25, 33, 41, 49, 57]
    for part in ("lever", "board", "square z9", "line 4", "line file z", ""):
        assert squares_of_part(part) == 0
    for name in [f"line file {one}" for one in "abcdefgh"] + [f"line rank {one}" for one in "12345678"]:
        assert line_name(squares_of_part(name)) == name
    with pytest.raises(ValueError, match="neither"):
        line_name(3)
