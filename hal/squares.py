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


FILE_A = 0x0101_0101_0101_0101
RANK_1 = 0xFF


def line_name(bits: int) -> str:
    """How a fault of a whole file or rank names it, ``line file e`` or ``line rank 4``; ``ValueError`` for others."""
    for n in range(8):
        if bits == FILE_A << n:
            return f"line file {'abcdefgh'[n]}"
        if bits == RANK_1 << 8 * n:
            return f"line rank {n + 1}"
    raise ValueError(f"{bits:#018x} is neither a file nor a rank")


def square_part(square: int) -> str:
    """How a fault names a square: ``square e4``."""
    return f"square {SQUARE_NAMES[square]}"


def squares_of_part(part: str) -> int:
    """The squares that a `Faulted` part speaks of, as a bit set: ``square e4``, ``line file e``, ``line rank 4``, or
    two with `` + `` between; else 0.

    >>> squares_of_part("line rank 1 + line rank 2") == 0xFFFF
    True
    """
    one, _, other = part.partition(" + ")
    if other:
        return squares_of_part(one) | squares_of_part(other)
    word, _, name = part.partition(" ")
    if word == "square" and name in _NUMBER:
        return 1 << _NUMBER[name]
    if word == "line":
        for n in range(8):
            if name == f"file {'abcdefgh'[n]}":
                return FILE_A << n
            if name == f"rank {n + 1}":
                return RANK_1 << 8 * n
    return 0
