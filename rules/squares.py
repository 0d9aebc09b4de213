"""Squares are plain ints, a1 = 0, b1 = 1, ... h8 = 63; sets of squares are 64-bit ints, bit n for square n.

An int is the cheapest thing Python can index, compare and hash, and a whole board fits into one int, so that "every
white pawn steps forward" is one shift. The names here are the only place where a square becomes text.
"""

from __future__ import annotations

from rules.errors import SquareError

SQUARE_NAMES: tuple[str, ...] = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
"""The name of each square, by its number."""

_SQUARE_OF_NAME = {name: square for square, name in enumerate(SQUARE_NAMES)}

FULL = (1 << 64) - 1
"""All squares. Python ints have no width, so a complement is written ``FULL ^ bits``."""

FILES: tuple[int, ...] = tuple(0x0101_0101_0101_0101 << file for file in range(8))
RANKS: tuple[int, ...] = tuple(0xFF << 8 * rank for rank in range(8))
LIGHT_SQUARES = 0x55AA_55AA_55AA_55AA
DARK_SQUARES = 0xAA55_AA55_AA55_AA55
"""a1 is dark."""


def square_name(square: int) -> str:
    """Name a square: 0 is ``a1``, 63 is ``h8``."""
    return SQUARE_NAMES[square]


def parse_square(text: str) -> int:
    """Read a square's name; raises `SquareError` (a ``ValueError``) for anything else."""
    try:
        return _SQUARE_OF_NAME[text]
    except KeyError:
        raise SquareError(reason="not the name of a square (a1 to h8)", column=1, text=text) from None


def file_of(square: int) -> int:
    """File of a square, 0 for the a-file to 7 for the h-file."""
    return square & 7


def rank_of(square: int) -> int:
    """Rank of a square, 0 for the first to 7 for the eighth."""
    return square >> 3


def squares_of(bits: int) -> tuple[int, ...]:
    """List the squares of a set, from a1 upwards."""
    squares = []
    while bits:
        lowest = bits & -bits  # in two's complement the minus sign keeps the lowest bit and flips all above it
        squares.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(squares)
