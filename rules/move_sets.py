"""From sets of squares to moves, remembered.

A generator that works on whole sets ends with "the knight on g1 may go to this set of squares". Turning such a set into
`Move` objects one by one would cost more than all the rest, and the same sets come again and again: so each table here
is a dict from a set of squares to the finished tuple, which fills itself and is emptied when it has grown too large.
In the same way a set of pieces is remembered as *views*, one from each of its squares, with all that is looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from rules.attacks import BETWEEN, BLACK_PAWN, DIAGONALS, KING, KNIGHT, ORTHOGONALS, WHITE_PAWN
from rules.move import Move
from rules.pieces import PROMOTIONS
from rules.squares import squares_of

_T = TypeVar("_T")

LIMIT = 2048
"""Entries a table may hold. Too few cost time (3 us to make one anew), too many memory (some 250 bytes each).

900 tournament games fill 29,000 entries here and 34,000 in the line tables, 10 MB together; no table more than 1,640.
"""


class _Memo(dict[int, _T], Generic[_T]):
    """A dict that makes what it misses, and starts afresh when full."""

    __slots__ = ()

    def __missing__(self, bits: int) -> _T:
        if len(self) >= LIMIT:
            self.clear()
        value = self[bits] = self.make(bits)
        return value

    def make(self, bits: int) -> _T:
        raise NotImplementedError


class MovesFrom(_Memo[tuple[Move, ...]]):
    """Set of landing squares -> the moves there of a piece on one square."""

    __slots__ = ("square",)

    def __init__(self, square: int) -> None:
        self.square = square

    def make(self, bits: int) -> tuple[Move, ...]:
        """Make the moves to these squares."""
        return tuple(Move(self.square, target) for target in squares_of(bits))


class PawnMoves(_Memo[tuple[Move, ...]]):
    """Set of landing squares -> the moves there of pawns that all came by the same step, promotions fourfold."""

    __slots__ = ("step",)

    def __init__(self, step: int) -> None:
        self.step = step

    def make(self, bits: int) -> tuple[Move, ...]:
        """Make the moves to these squares."""
        moves: list[Move] = []
        for target in squares_of(bits):
            if 8 <= target < 56:
                moves.append(Move(target - self.step, target))
            else:
                moves += [Move(target - self.step, target, kind) for kind in PROMOTIONS]
        return tuple(moves)


MOVES_FROM: tuple[MovesFrom, ...] = tuple(MovesFrom(square) for square in range(64))

View = tuple[int, Mapping[int, int], MovesFrom]
"""A piece on its square: which squares may stop it, occupied ones of these -> what it attacks, its moves there.

A knight is a piece that nothing stops. The tuple is a plain one for speed.
"""


class _Views(_Memo[tuple[View, ...]]):
    """Set of squares with pieces of one way of moving -> a view from each."""

    __slots__ = ("from_square",)

    def __init__(self, from_square: Callable[[int], View]) -> None:
        self.from_square = from_square

    def make(self, bits: int) -> tuple[View, ...]:
        return tuple(map(self.from_square, squares_of(bits)))


ORTHOGONAL_VIEWS = _Views(lambda square: (ORTHOGONALS[square].mask, ORTHOGONALS[square], MOVES_FROM[square]))
DIAGONAL_VIEWS = _Views(lambda square: (DIAGONALS[square].mask, DIAGONALS[square], MOVES_FROM[square]))
KNIGHT_VIEWS = _Views(lambda square: (0, {0: KNIGHT[square]}, MOVES_FROM[square]))

Zones = tuple[int, int, int, int, int, int]


class _ZonesOf(_Memo[Zones]):
    """Set of squares -> where an attacker of any of them can stand.

    In this order: rook, bishop, knight, king, white pawn, black pawn, on an empty board.
    """

    __slots__ = ()

    def make(self, bits: int) -> Zones:
        squares = squares_of(bits)
        orthogonal = diagonal = knight = king = white_pawn = black_pawn = 0
        for square in squares:
            orthogonal |= ORTHOGONALS[square].reach
            diagonal |= DIAGONALS[square].reach
            knight |= KNIGHT[square]
            king |= KING[square]
            white_pawn |= BLACK_PAWN[square]
            black_pawn |= WHITE_PAWN[square]
        return orthogonal, diagonal, knight, king, white_pawn, black_pawn


ZONES_OF = _ZonesOf()


class _LinesTo(_Memo[tuple[tuple[int, int], ...]]):
    """Set of squares in line with one square -> each of them as a bit, with the squares in between."""

    __slots__ = ("square",)

    def __init__(self, square: int) -> None:
        self.square = square

    def make(self, bits: int) -> tuple[tuple[int, int], ...]:
        return tuple((1 << square, BETWEEN[self.square][1 << square]) for square in squares_of(bits))


LINES_TO = tuple(_LinesTo(square) for square in range(64))
