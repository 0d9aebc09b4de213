"""Colours, kinds of unit, and the twelve pieces.

`Color` is its own type and not a bool, so that nobody can mix it up with a truth; `PieceType` counts from the pawn (1)
to the king (6), the order every chess program uses.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Color(enum.Enum):
    """The side that has, or moves, a unit."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Color:
        """The opponent."""
        return BLACK if self is WHITE else WHITE

    def __str__(self) -> str:
        return self.value


WHITE = Color.WHITE
BLACK = Color.BLACK


class PieceType(enum.IntEnum):
    """The kind of a unit."""

    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6

    @property
    def letter(self) -> str:
        """Its English letter in lower case, ``p`` to ``k``."""
        return "?pnbrqk"[self]

    @classmethod
    def from_letter(cls, letter: str) -> PieceType:
        """Read an English letter of either case; raises ``ValueError``."""
        kind = "?pnbrqk".find(letter.lower()) if len(letter) == 1 else -1
        if kind < 1:
            raise ValueError(f"not the letter of a piece (p n b r q k): {letter!r}")
        return cls(kind)


PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = PieceType

PROMOTIONS: tuple[PieceType, ...] = (QUEEN, ROOK, BISHOP, KNIGHT)
"""What a pawn may become (3.7.3.3), the usual choice first."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One unit: its colour and kind."""

    color: Color
    kind: PieceType

    @property
    def symbol(self) -> str:
        """Its letter in FEN: upper case for White."""
        letter = self.kind.letter
        return letter.upper() if self.color is WHITE else letter

    @classmethod
    def from_symbol(cls, symbol: str) -> Piece:
        """Read a letter of FEN; raises ``ValueError``."""
        kind = PieceType.from_letter(symbol)
        return PIECES[WHITE if symbol.isupper() else BLACK][kind]

    def __str__(self) -> str:
        return self.symbol


PIECES: dict[Color, dict[PieceType, Piece]] = {
    color: {kind: Piece(color, kind) for kind in PieceType} for color in Color
}
"""The twelve pieces, so that nobody needs to make one twice."""
