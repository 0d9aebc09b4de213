"""What a legal move leaves on the squares: where its units come from and where they stand, and the occupancy after it.

Footprints are found by occupancy. The four promotions between the same two squares share one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules import Move, Position

OFF_BOARD = -1


@dataclass(frozen=True, slots=True)
class Footprint:
    """The reeds' side of one legal move, or of the four promotions that share it."""

    moves: tuple[Move, ...]
    legs: tuple[tuple[int, int], ...]
    """(origin, landing) of each unit that moves, the mover's own first; `OFF_BOARD` for a captured unit."""
    after: int
    """Occupancy after the move, bit n = square n."""
    origins: int
    """Squares that the move must open: a leg whose origin is its landing asks for no lift."""
    landings: int
    promotion: bool
    castling: bool

    @property
    def move(self) -> Move:
        """The move; of promotions the first."""
        return self.moves[0]

    @property
    def own_origin(self) -> int:
        """The square the mover's own unit leaves: the king's in castling, unless only the rook moves."""
        return next((origin for origin, landing in self.legs if origin != landing), self.legs[0][0])


def footprint(position: Position, moves: tuple[Move, ...]) -> Footprint:
    """Compile one move, or the four promotions between the same two squares."""
    move = moves[0]
    before = position.occupied
    castling = position.is_castling(move)
    if castling:
        king_from, king_to, rook_from, rook_to = position.castling_squares(move)
        legs: tuple[tuple[int, int], ...] = ((king_from, king_to), (rook_from, rook_to))
    else:
        legs = ((move.from_square, move.to_square),)
        victim = position.captured_square(move)
        if victim is not None:
            legs = (*legs, (victim, OFF_BOARD))
    origins = landings = 0
    for origin, landing in legs:
        if origin != landing:
            origins |= 1 << origin
            if landing != OFF_BOARD:
                landings |= 1 << landing
    return Footprint(
        moves=moves,
        legs=legs,
        after=(before & ~origins) | landings,
        origins=origins,
        landings=landings,
        promotion=move.promotion is not None,
        castling=castling,
    )


class Footprints:
    """The footprints of all legal moves of a position, found by occupancy.

    ``masked`` are squares whose reeds cannot be trusted: they are left out of every comparison. Only the occupancy after
    each move is compiled at once; most footprints are never looked at and never made.
    """

    __slots__ = ("_all", "_by_after", "_made", "before", "castlings", "masked", "position")

    def __init__(self, position: Position, masked: int = 0) -> None:
        self.position = position
        self.masked = masked
        occupied, keep = position.occupied, ~masked
        self.before = occupied & keep
        self._made: dict[tuple[int, int], Footprint] = {}
        self._all: tuple[Footprint, ...] | None = None
        self._by_after: dict[int, list[Move]] = {}
        king = position.king(position.turn)
        passed = position.double_step
        castlings: list[Footprint] = []
        for move in position.legal_moves():
            if move.from_square == king and position.is_castling(move):
                one = self._footprint((move,))
                castlings.append(one)
                after = one.after
            else:
                after = (occupied & ~move.from_bit) | move.to_bit
                if move.to_square == passed and position.is_en_passant(move):
                    after = self._footprint((move,)).after
            self._by_after.setdefault(after & keep, []).append(move)
        self.castlings = tuple(castlings)

    def _footprint(self, moves: tuple[Move, ...]) -> Footprint:
        key = (moves[0].from_square, moves[0].to_square)
        one = self._made.get(key)
        if one is None:
            one = self._made[key] = footprint(self.position, moves)
        return one

    def _grouped(self, moves: Iterable[Move]) -> list[Footprint]:
        """Footprints of moves, promotions between the same squares together."""
        grouped: dict[tuple[int, int], list[Move]] = {}
        for move in moves:
            grouped.setdefault((move.from_square, move.to_square), []).append(move)
        return [self._footprint(tuple(same)) for same in grouped.values()]

    @property
    def all(self) -> tuple[Footprint, ...]:
        """The footprints of all legal moves."""
        if self._all is None:
            self._all = tuple(self._grouped(self.position.legal_moves()))
        return self._all

    def fitting(self, occupancy: int) -> list[Footprint]:
        """The moves after which the board would look like this."""
        moves = self._by_after.get(occupancy & ~self.masked)
        return [] if moves is None else self._grouped(moves)

    def under_way(self, occupancy: int) -> list[Footprint]:
        """The moves that the wood as it stands may be a part of.

        Every newly filled square must be a landing whose own origin is open (a new piece may come before its pawn goes),
        and every open square an origin.
        """
        opened = self.before & ~occupancy & ~self.masked
        filled = occupancy & ~self.before & ~self.masked
        left = opened | self.masked
        return [
            one
            for one in self.all
            if not (filled & ~one.landings or opened & ~one.origins)
            and (
                one.promotion
                or all(
                    left >> origin & 1
                    for origin, landing in one.legs
                    if landing != OFF_BOARD and origin != landing and filled >> landing & 1
                )
            )
        ]

    def half_castling(self, move: Move) -> Footprint | None:
        """The castling of which this plain king move is also the first half (Chess960: Guidelines II.3.2.7)."""
        for one in self.castlings:
            (king_from, king_to), (rook_from, rook_to) = one.legs
            if (king_from, king_to) == (move.from_square, move.to_square) and rook_from != rook_to:
                return one
        return None
