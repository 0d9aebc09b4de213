"""The geometry of castling, the same for standard chess and Chess960.

Whatever squares king and rook start from, they end on the g- and f-file (towards the h-side rook) or on the c- and
d-file (3.8.2; Guidelines II). Everything else follows from the four squares.
"""

from __future__ import annotations

from rules.attacks import between
from rules.move import Move
from rules.squares import squares_of


class Castling:
    """One castling: its four squares, and the sets of squares that must be empty or not attacked."""

    __slots__ = ("free", "king_from", "king_path", "king_to", "rook_from", "rook_to", "standard")

    def __init__(self, king_from: int, rook_from: int) -> None:
        h_side = rook_from > king_from
        rank = king_from & ~7
        self.king_from, self.king_to = king_from, rank + (6 if h_side else 2)
        self.rook_from, self.rook_to = rook_from, rank + (5 if h_side else 3)
        king_bit, rook_bit = 1 << king_from, 1 << rook_from
        walk = between(self.king_from, self.king_to) | 1 << self.king_to
        run = between(self.rook_from, self.rook_to) | 1 << self.rook_to
        self.free = (walk | run) & ~(king_bit | rook_bit)
        """Squares that must be empty: all that either crosses or lands on, the two themselves apart."""
        self.king_path = walk & ~king_bit
        """Squares that must not be attacked: those the king crosses or lands on (his own is the check)."""
        self.standard = king_from & 7 == 4 and rook_from & 7 in (0, 7)

    def move(self, chess960: bool) -> Move:
        """How it is written."""
        return Move(self.king_from, self.rook_from if chess960 else self.king_to)


class _CastlingsOf(dict[int, tuple[Castling, ...]]):
    __slots__ = ("king",)

    def __init__(self, king: int) -> None:
        self.king = king

    def __missing__(self, rooks: int) -> tuple[Castling, ...]:
        castlings = self[rooks] = tuple(Castling(self.king, rook) for rook in squares_of(rooks))
        return castlings


CASTLINGS: tuple[_CastlingsOf, ...] = tuple(_CastlingsOf(king) for king in range(64))
"""``CASTLINGS[king][rooks]``: the castlings of a king on a square with each of a set of rooks."""


def castling_of(king: int, rook: int) -> Castling:
    """Give the castling of a king and a rook on these squares."""
    return CASTLINGS[king][1 << rook][0]
