"""A move: where from, where to, and what a pawn becomes.

There is one `Move` object for each of the some 4,500 moves of chess, made when first asked for. So a move is compared
and hashed by its identity, at the speed of the interpreter, and it can carry its two squares as bits, which is what
playing it needs. Nothing in a move says what moves or whether that is legal: only a position knows.

In a Chess960 position castling is written as the king taking his own rook (``b1a1``), else as his two steps (``e1g1``).
"""

from __future__ import annotations

from typing import Any

from rules.errors import MoveTextError, SquareError
from rules.frozen import Frozen
from rules.pieces import PieceType
from rules.squares import SQUARE_NAMES, parse_square


class Move(Frozen):
    """From one square to another (ints, a1 = 0), with the piece a pawn turns into or None."""

    __slots__ = ("from_bit", "from_square", "promotion", "to_bit", "to_square")

    from_square: int
    to_square: int
    promotion: PieceType | None
    from_bit: int
    to_bit: int

    def __new__(cls, from_square: int, to_square: int, promotion: PieceType | None = None) -> Move:
        """Give the one object for this move; raises ``ValueError`` for numbers that are not squares."""
        if (from_square | to_square) & ~63:
            raise ValueError(f"not squares (0 to 63): {from_square}, {to_square}")
        key = from_square | to_square << 6 | (promotion or 0) << 12
        move = _MOVES.get(key)
        if move is None:
            move = super().__new__(cls)
            remember = object.__setattr__
            remember(move, "from_square", from_square)
            remember(move, "to_square", to_square)
            remember(move, "promotion", PieceType(promotion) if promotion else None)
            remember(move, "from_bit", 1 << from_square)
            remember(move, "to_bit", 1 << to_square)
            move = _MOVES.setdefault(key, move)  # one step even among threads: whoever comes second takes the first's
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.from_square, self.to_square, self.promotion)

    def uci(self) -> str:
        """Write it as engines do: ``e2e4``, ``e7e8q``."""
        letter = self.promotion.letter if self.promotion else ""
        return SQUARE_NAMES[self.from_square] + SQUARE_NAMES[self.to_square] + letter

    @classmethod
    def from_uci(cls, text: str) -> Move:
        """Read ``e2e4`` or ``e7e8q``; raises `MoveTextError`.

        Any kind may follow the squares, so that a "promotion to king" can be asked about: it is never legal.
        """
        if len(text) not in (4, 5):
            raise MoveTextError(reason="a move is two squares and perhaps a piece (e2e4, e7e8q)", column=1, text=text)
        try:
            from_square = parse_square(text[0:2])
        except SquareError as error:
            raise MoveTextError(reason=error.reason, column=1, text=text) from None
        try:
            to_square = parse_square(text[2:4])
        except SquareError as error:
            raise MoveTextError(reason=error.reason, column=3, text=text) from None
        promotion = None
        if len(text) == 5:
            kind = "?pnbrqk".find(text[4])
            if kind < 1:
                raise MoveTextError(reason="not the letter of a piece (q r b n)", column=5, text=text)
            promotion = PieceType(kind)
        return cls(from_square, to_square, promotion)

    def __str__(self) -> str:
        return self.uci()

    def __repr__(self) -> str:
        return f"Move.from_uci({self.uci()!r})"


_MOVES: dict[int, Move] = {}
