"""How near a board looks to a mate that both sides help with: two numbers, smaller is nearer.

A helped mate needs no skill, only a direction. The first number strips the board: take everything, get a queen, drive
the king to the edge, bring the own king. The second goes for the king as things are and lets the rest stand. A search
that follows both in turn does not starve where one of them leads nowhere. Minor pieces alone need the other side's
units for the flight squares: then the first number counts flights and the way to the corner, the second the walk to one
ready-made `CornerMate`.

The weights were found by trial on final positions of real games and on random endings; a poor one costs time, nothing
else.
"""

from __future__ import annotations

from rules.attacks import DIAGONALS, KING, KNIGHT, ORTHOGONALS
from rules.board import Board
from rules.corner_mates import CornerMate
from rules.pieces import WHITE, Color
from rules.squares import DARK_SQUARES, FILES, FULL, LIGHT_SQUARES

_NOT_A_FILE, _NOT_H_FILE = FULL ^ FILES[0], FULL ^ FILES[7]

_HELPLESS = 100
"""Added where minor pieces are left alone, so that no side gives its last pawn away on the road to mate."""


def _steps(a: int, b: int) -> int:
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


_STEPS = tuple(tuple(_steps(a, b) for b in range(64)) for a in range(64))
_TO_EDGE = tuple(min(s & 7, 7 - (s & 7), s >> 3, 7 - (s >> 3)) for s in range(64))
_TO_DARK_CORNER = tuple(min(_steps(s, 0), _steps(s, 63)) for s in range(64))
_TO_LIGHT_CORNER = tuple(min(_steps(s, 7), _steps(s, 56)) for s in range(64))
_AHEAD_OF_WHITE = tuple(FILES[s & 7] & ~((1 << s + 1) - 1) for s in range(64))
_AHEAD_OF_BLACK = tuple(FILES[s & 7] & (1 << s) - 1 for s in range(64))


class Nearness:
    """Measures boards for one winner, with one of his corner mates in view or none."""

    __slots__ = ("_corner_mate", "_winner")

    def __init__(self, winner: Color, corner_mate: CornerMate | None = None) -> None:
        self._winner = winner
        self._corner_mate = corner_mate

    def __call__(self, board: Board) -> tuple[int, int, bool]:
        """Both numbers, and whether the loser's king is in check."""
        winner = self._winner
        own, enemy = (board.white, board.black) if winner is WHITE else (board.black, board.white)
        kings, queens = board.kings, board.queens & own
        rooks, bishops, knights, pawns = board.rooks & own, board.bishops & own, board.knights & own, board.pawns & own
        prey_bit = kings & enemy
        prey, king = prey_bit.bit_length() - 1, (kings & own).bit_length() - 1
        occupied = own | enemy
        around = occupied ^ prey_bit

        if winner is WHITE:
            attacked = KING[king] | (pawns & _NOT_A_FILE) << 7 | (pawns & _NOT_H_FILE) << 9
        else:
            attacked = KING[king] | (pawns & _NOT_A_FILE) >> 9 | (pawns & _NOT_H_FILE) >> 7
        units = knights
        while units:
            bit = units & -units
            units ^= bit
            attacked |= KNIGHT[bit.bit_length() - 1]
        units = bishops | queens
        while units:
            bit = units & -units
            units ^= bit
            lines = DIAGONALS[bit.bit_length() - 1]
            attacked |= lines[around & lines.mask]
        units = rooks | queens
        while units:
            bit = units & -units
            units ^= bit
            lines = ORTHOGONALS[bit.bit_length() - 1]
            attacked |= lines[around & lines.mask]

        flights = (KING[prey] & ~enemy & ~attacked).bit_count()
        check = attacked & prey_bit != 0
        apart = max(_STEPS[prey][king] - 2, 0)
        edge = _TO_EDGE[prey]
        if not (queens or rooks or pawns):
            first, second = self._minor(board, prey, enemy ^ prey_bit, knights, bishops, flights, apart)
            return first - 2 * check, second - 2 * check, check

        units = enemy ^ prey_bit
        first = 10 * units.bit_count() - 2 * (units & attacked).bit_count() + flights + 4 * edge + 3 * apart
        if not queens:
            first += 3 if rooks else self._promotion(pawns, occupied)
        if queens or rooks:
            units_left = (
                3 * (board.pawns & enemy).bit_count()
                + 4 * ((board.knights | board.bishops) & enemy).bit_count()
                + 6 * (board.rooks & enemy).bit_count()
                + 9 * (board.queens & enemy).bit_count()
            )
            second = 6 * flights + 3 * edge + 2 * apart + units_left // 8
        else:
            second = 6 * flights + 3 * edge + 2 * apart + first // 2
        return first - 2 * check, second - 2 * check, check

    def _promotion(self, pawns: int, occupied: int) -> int:
        """How far the best pawn is from a queen, with what stands in its way."""
        white = self._winner is WHITE
        best = 1 << 30
        while pawns:
            bit = pawns & -pawns
            pawns ^= bit
            square = bit.bit_length() - 1
            ahead = _AHEAD_OF_WHITE[square] if white else _AHEAD_OF_BLACK[square]
            far = 8 * (7 - (square >> 3) if white else square >> 3) + 6 * (ahead & occupied).bit_count()
            best = min(best, far)
        return best + 10

    def _minor(
        self, board: Board, prey: int, helpers: int, knights: int, bishops: int, flights: int, apart: int
    ) -> tuple[int, int]:
        to_prey = _STEPS[prey]
        nearest = 7 if helpers else 0
        while helpers:
            bit = helpers & -helpers
            helpers ^= bit
            nearest = min(nearest, to_prey[bit.bit_length() - 1])
        if knights or (bishops & LIGHT_SQUARES and bishops & DARK_SQUARES):
            corner = min(_TO_DARK_CORNER[prey], _TO_LIGHT_CORNER[prey])
        else:
            corner = (_TO_LIGHT_CORNER if bishops & LIGHT_SQUARES else _TO_DARK_CORNER)[prey]
        spread = 0
        units = knights | bishops
        while units:
            bit = units & -units
            units ^= bit
            spread += to_prey[bit.bit_length() - 1]
        in_the_way = board.queens.bit_count() * 12
        first = _HELPLESS + in_the_way + 5 * flights + 6 * corner + 3 * apart + 3 * nearest + spread
        if self._corner_mate is None:
            return first, first
        return first, _HELPLESS + in_the_way + 6 * self._corner_mate.moves_away(board, self._winner) + flights
