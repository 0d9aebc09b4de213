"""Squares as plain ints, a1 = 0, b1 = 1 ... h8 = 63, the same numbers that the rules use (a test compares the two)."""

from __future__ import annotations

from collections.abc import Iterator

SQUARE_NAMES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
_NUMBER = {name: square for square, name in enumerate(SQUARE_NAMES)}


def parse_square(name: str) -> int:
    """The number, 0..63, of a square's name such as ``e4``; ``ValueError`` for anything else."""
    try:
        return _NUMBER[name]
    except KeyError:
        raise ValueError(f"{name!r} is not a square: a letter a-h and a digit 1-8, such as e4") from None


def squares_of(bits: int) -> Iterator[int]:
    """The squares whose bit is set in a 64-bit occupancy, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
