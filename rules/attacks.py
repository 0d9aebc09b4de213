"""What each unit attacks from each square, and what a king on each square must look at.

Knights, kings and pawns need a table of 64 sets. A line piece needs to know where it is stopped: the occupied squares
that matter (`mask`: its lines without their last squares, where stopping changes nothing) are cut out of the board with
one ``&`` and the rest is one look-up in a dict. Those dicts fill themselves (`__missing__`): all 107,648 entries would
take a slow start and 11 MB (tests/bench measures it), a game sees a few thousand.
"""

from __future__ import annotations

ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def _ray(square: int, step: tuple[int, int]) -> tuple[int, ...]:
    """Squares from the one next to `square` to the edge, as bits, nearest first."""
    file, rank = (square & 7) + step[0], (square >> 3) + step[1]
    bits = []
    while 0 <= file < 8 and 0 <= rank < 8:
        bits.append(1 << (file + 8 * rank))
        file, rank = file + step[0], rank + step[1]
    return tuple(bits)


def _leap(square: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Union of the single steps that stay on the board."""
    return sum(_ray(square, step)[0] for step in steps if _ray(square, step))


_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

KNIGHT: tuple[int, ...] = tuple(_leap(square, _KNIGHT_STEPS) for square in range(64))
KING: tuple[int, ...] = tuple(_leap(square, ORTHOGONAL + DIAGONAL) for square in range(64))
WHITE_PAWN: tuple[int, ...] = tuple(_leap(square, ((-1, 1), (1, 1))) for square in range(64))
BLACK_PAWN: tuple[int, ...] = tuple(_leap(square, ((-1, -1), (1, -1))) for square in range(64))
"""Squares a pawn attacks; also, read backwards, the squares from which the other side's pawns attack this one."""


class LineAttacks(dict[int, int]):
    """Occupied squares on `mask` -> attacked squares, for one square and one pair of lines."""

    __slots__ = ("_rays", "mask", "reach")

    def __init__(self, square: int, steps: tuple[tuple[int, int], ...]) -> None:
        self._rays = tuple(ray for step in steps if (ray := _ray(square, step)))
        self.reach = sum(sum(ray) for ray in self._rays)
        self.mask = sum(sum(ray[:-1]) for ray in self._rays)

    def __missing__(self, occupied: int) -> int:
        attacked = 0
        for ray in self._rays:
            for bit in ray:
                attacked |= bit
                if occupied & bit:
                    break
        self[occupied] = attacked
        return attacked


ORTHOGONALS: tuple[LineAttacks, ...] = tuple(LineAttacks(square, ORTHOGONAL) for square in range(64))
DIAGONALS: tuple[LineAttacks, ...] = tuple(LineAttacks(square, DIAGONAL) for square in range(64))


def orthogonal_attacks(square: int, occupied: int) -> int:
    """Squares a rook attacks."""
    lines = ORTHOGONALS[square]
    return lines[occupied & lines.mask]


def diagonal_attacks(square: int, occupied: int) -> int:
    """Squares a bishop attacks."""
    lines = DIAGONALS[square]
    return lines[occupied & lines.mask]


def _between_from(square: int) -> dict[int, int]:
    """Each square in line with `square`, as a bit -> the squares strictly between the two."""
    between = {}
    for step in ORTHOGONAL + DIAGONAL:
        passed = 0
        for bit in _ray(square, step):
            between[bit] = passed
            passed |= bit
    return between


BETWEEN: tuple[dict[int, int], ...] = tuple(_between_from(square) for square in range(64))
"""``BETWEEN[a][1 << b]``: squares strictly between a and b; no entry where they are not in line."""


def between(a: int, b: int) -> int:
    """Squares strictly between two squares in line; none if they are not in line."""
    return BETWEEN[a].get(1 << b, 0)
