"""Every position of a small set of units: can White still mate, if both sides help? By exhaustion, with numpy.

The sets are named as endings are, ``KRKB``: White's units, then Black's. A table is a boolean array
``[side to move, square of each unit in the order of the name]``, White to move first. It grows backwards from the
mates: a position is won if a legal move leads to a won position, into the tables of fewer units by captures and of
other units by promotion. Nothing here knows the package: squares are a1 = 0 to h8 = 63, and all moves are made anew, as
slices of the arrays.

Left out: castling. An en passant capture is played right after the double step that allows it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

STEPS = {
    "K": [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if df or dr],
    "N": [(df, dr) for df in (-2, -1, 1, 2) for dr in (-2, -1, 1, 2) if abs(df) != abs(dr)],
    "R": [(0, 1), (0, -1), (1, 0), (-1, 0)],
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}
STEPS["Q"] = STEPS["R"] + STEPS["B"]
SLIDERS = "RBQ"


def sides(name: str) -> tuple[str, str]:
    """Split a name into White's and Black's units."""
    cut = name.index("K", 1)
    return name[:cut], name[cut:]


def ordered(white: str, black: str) -> str:
    """Name a set in the one order that is used: king, then Q R B N P."""
    return "".join(sorted(white, key="KQRBNP".index)) + "".join(sorted(black, key="KQRBNP".index))


@cache
def geometry(kind: str) -> np.ndarray:
    """Whether a piece on [a] attacks [b] on an empty board."""
    attacks = np.zeros((64, 64), bool)
    for a in range(64):
        for df, dr in STEPS[kind]:
            f, r = (a & 7) + df, (a >> 3) + dr
            while 0 <= f < 8 and 0 <= r < 8:
                attacks[a, f + 8 * r] = True
                if kind not in SLIDERS:
                    break
                f, r = f + df, r + dr
    return attacks


@cache
def pawn_geometry(white: bool) -> np.ndarray:
    """Whether a pawn on [a] attacks [b]."""
    attacks = np.zeros((64, 64), bool)
    for a in range(64):
        for df in (-1, 1):
            f, r = (a & 7) + df, (a >> 3) + (1 if white else -1)
            if 0 <= f < 8 and 0 <= r < 8:
                attacks[a, f + 8 * r] = True
    return attacks


@cache
def between() -> np.ndarray:
    """Whether [c] lies strictly between [a] and [b] on a line."""
    inside = np.zeros((64, 64, 64), bool)
    for a in range(64):
        for df, dr in STEPS["Q"]:
            f, r, passed = (a & 7) + df, (a >> 3) + dr, []
            while 0 <= f < 8 and 0 <= r < 8:
                b = f + 8 * r
                inside[a, b, passed] = True
                passed.append(b)
                f, r = f + df, r + dr
    return inside


class Table:
    """The table of one set.

    `won[side]` is the boolean array; `legal[side]` says which positions can be on a board.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        white, black = sides(name)
        self.units = [(kind, True) for kind in white] + [(kind, False) for kind in black]
        self.count = len(self.units)
        self.kings = {True: 0, False: len(white)}
        self.free = self._free()
        self.legal = self._legal()
        result = self._grow()
        self._packed = [np.packbits(array) for array in (*result, *self.legal)]  # a bit a position: tables are many
        del self.free, self.in_check, self.legal

    def __getattr__(self, name: str) -> list[np.ndarray]:
        if name not in ("won", "legal"):
            raise AttributeError(name)
        packed = self._packed[:2] if name == "won" else self._packed[2:]
        return [np.unpackbits(bits).view(bool).reshape(self.shape()) for bits in packed]

    # Arrays over all placements are built by spreading small ones over their axes.

    def spread(self, array: np.ndarray, *axes: int) -> np.ndarray:
        """Lay an array over these axes of the placement, to be broadcast over the others."""
        order = np.argsort(axes)
        shape = [1] * self.count
        for axis in axes:
            shape[axis] = 64
        return array.transpose(order).reshape(shape)

    def shape(self) -> tuple[int, ...]:
        """Shape of an array over all placements."""
        return (64,) * self.count

    def _free(self) -> list[np.ndarray]:
        """For each unit: where its square is not another's."""
        other = ~np.eye(64, dtype=bool)
        free = []
        for unit in range(self.count):
            mask = np.ones(self.shape(), bool)
            for second in range(self.count):
                if second != unit:
                    mask &= self.spread(other, unit, second)
            free.append(mask)
        return free

    def attacks(self, unit: int, target: int) -> np.ndarray:
        """Where one unit attacks the square of another, given what stands between."""
        kind, white = self.units[unit]
        if kind == "P":
            return np.broadcast_to(self.spread(pawn_geometry(white), unit, target), self.shape())
        mask = np.array(np.broadcast_to(self.spread(geometry(kind), unit, target), self.shape()))
        if kind in SLIDERS:
            for blocker in range(self.count):
                if blocker not in (unit, target):
                    mask &= ~self.spread(between(), unit, target, blocker)
        return mask

    def _legal(self) -> list[np.ndarray]:
        distinct = np.ones(self.shape(), bool)
        for mask in self.free:
            distinct &= mask
        for unit, (kind, _) in enumerate(self.units):
            if kind == "P":
                rank = np.arange(64) >> 3
                distinct &= self.spread((rank > 0) & (rank < 7), unit)
        self.in_check = {}
        for white in (True, False):
            check = np.zeros(self.shape(), bool)
            for unit, (_, color) in enumerate(self.units):
                if color != white:
                    check |= self.attacks(unit, self.kings[white])
            self.in_check[white] = check
        return [distinct & ~self.in_check[False], distinct & ~self.in_check[True]]

    # Moves: an array over the positions after the move becomes one over the positions before it.

    def moved(self, unit: int, after: np.ndarray, *, promoted: dict[str, np.ndarray] | None = None) -> np.ndarray:
        """Where a unit can move, without a capture, to a position that is true in `after`."""
        kind, white = self.units[unit]
        split = self._split(after, unit)
        free = self._split(self.free[unit], unit)
        before = np.zeros_like(split)
        if kind == "P":
            self._pawn_moved(before, split, free, white, unit, promoted or {})
        else:
            for df, dr in STEPS[kind]:
                self._slide(before, split, free, df, dr, sliding=kind in SLIDERS)
        return before.reshape(self.shape())

    def _split(self, array: np.ndarray, unit: int) -> np.ndarray:
        shape = (64**unit, 8, 8, 64 ** (self.count - 1 - unit))
        return array.reshape(shape)

    @staticmethod
    def _slide(before: np.ndarray, after: np.ndarray, free: np.ndarray, df: int, dr: int, *, sliding: bool) -> None:
        """Add the moves in one direction. Axes 1 and 2 are rank and file."""

        def cut(d: int) -> tuple[slice, slice]:
            return (slice(0, 8 - d), slice(d, 8)) if d >= 0 else (slice(-d, 8), slice(0, 8 + d))

        (here_r, there_r), (here_f, there_f) = cut(dr), cut(df)
        if not sliding:
            before[:, here_r, here_f] |= after[:, there_r, there_f]
            return
        ray = np.zeros_like(before)
        for _ in range(7):  # one square farther each time
            step = after[:, there_r, there_f] | (free[:, there_r, there_f] & ray[:, there_r, there_f])
            ray[:, here_r, here_f] = step
        before |= ray

    def _pawn_moved(self, before, after, free, white, unit, promoted) -> None:
        step = 1 if white else -1
        start, last = (1, 7) if white else (6, 0)
        for rank in range(1, 7):
            target = rank + step
            if target == last:
                for table in promoted.values():
                    before[:, rank] |= self._split(table, unit)[:, target] & free[:, target]
                continue
            before[:, rank] |= after[:, target] & free[:, target]
            if rank == start:
                before[:, rank] |= after[:, target + step] & free[:, target] & free[:, target + step]

    def captured(self, unit: int, victim: int, smaller: dict[str, np.ndarray]) -> np.ndarray:
        """Where a unit can capture another into a position that is true; `smaller` by what the capturer is then."""
        kind, white = self.units[unit]
        total = np.zeros(self.shape(), bool)
        for becomes, table in smaller.items():
            # the capturer now stands where the victim stood
            remaining = [axis for axis in range(self.count) if axis != victim]
            landed = [victim if axis == unit else axis for axis in remaining]
            value = self.spread(table, *landed)
            mask = self.attacks(unit, victim) & value
            if kind == "P":
                last = 7 if white else 0
                on_last = self.spread(np.arange(64) >> 3 == last, victim)
                mask = mask & (on_last if becomes != "P" else ~on_last)
            total |= mask
        return total

    def without(self, victim: int, unit: int | None = None, becomes: str = "") -> tuple[str, list[int]]:
        """Name of the set without a unit (and with another changed), and where its axes are in this one."""
        left = [
            (becomes if index == unit and becomes else kind, color, index)
            for index, (kind, color) in enumerate(self.units)
            if index != victim
        ]
        left.sort(key=lambda entry: (not entry[1], "KQRBNP".index(entry[0])))
        return "".join(kind for kind, _, _ in left), [index for _, _, index in left]

    def _smaller(self, victim: int, unit: int, becomes: str, side: int) -> np.ndarray:
        """The table of the set after a capture, its axes in the order of this one's."""
        name, axes = self.without(victim, unit, becomes)
        return won(name)[side].transpose(_inverse(axes))

    def _promoted(self, unit: int, becomes: str, side: int) -> np.ndarray:
        name, axes = self.without(-1, unit, becomes)
        return won(name)[side].transpose(_inverse(axes))

    def _grow(self) -> list[np.ndarray]:
        fixed = [np.zeros(self.shape(), bool), np.zeros(self.shape(), bool)]
        can_move = np.zeros(self.shape(), bool)  # Black has a legal move
        legal_after = {0: self.legal[1], 1: self.legal[0]}
        for side, white in ((0, True), (1, False)):
            for unit, (kind, color) in enumerate(self.units):
                if color != white:
                    continue
                for victim, (victim_kind, victim_color) in enumerate(self.units):
                    if victim_color == white or victim_kind == "K":
                        continue
                    kinds = "QRBNP" if kind == "P" else kind
                    smaller = {k: self._smaller(victim, unit, k, 1 - side) for k in kinds}
                    fixed[side] |= self.captured(unit, victim, smaller)
                    if side == 1:
                        ways = {k: self._smaller_legal(victim, unit, k) for k in kinds}
                        can_move |= self.captured(unit, victim, ways)
                if kind == "P":
                    promoted = {k: self._promoted(unit, k, 1 - side) for k in "QRBN"}
                    nothing = np.zeros(self.shape(), bool)
                    fixed[side] |= self.moved(unit, nothing, promoted=promoted)
                    fixed[side] |= self._en_passant(unit, side)
        for unit, (kind, color) in enumerate(self.units):
            if color:
                continue
            promoted = {}
            if kind == "P":
                name, axes = self.without(-1, unit, "Q")
                promoted = {"Q": table_of(name).legal[0].transpose(_inverse(axes))}
            can_move |= self.moved(unit, legal_after[1], promoted=promoted)
        mate = self.legal[1] & self.in_check[False] & ~can_move
        result = [fixed[0] & self.legal[0], (fixed[1] | mate) & self.legal[1]]
        while True:
            before = [int(array.sum()) for array in result]
            for side, white in ((0, True), (1, False)):
                for unit, (_, color) in enumerate(self.units):
                    if color == white:
                        result[side] |= self.moved(unit, result[1 - side]) & self.legal[side]
            if before == [int(array.sum()) for array in result]:
                return result

    def _smaller_legal(self, victim: int, unit: int, becomes: str) -> np.ndarray:
        name, axes = self.without(victim, unit, becomes)
        return table_of(name).legal[0].transpose(_inverse(axes))

    def _en_passant(self, unit: int, side: int) -> np.ndarray:
        """Double steps of a pawn that an enemy pawn answers en passant, into a won position."""
        white = self.units[unit][1]
        found = np.zeros(self.shape(), bool)
        if not any(kind == "P" and color != white for kind, color in self.units):
            return found
        start, step = (1, 8) if white else (6, -8)
        for taker, (kind, color) in enumerate(self.units):
            if kind != "P" or color == white:
                continue
            table = self._smaller(unit, taker, "P", side)
            remaining = [axis for axis in range(self.count) if axis != unit]
            axis = remaining.index(taker)
            for file in range(8):
                origin = file + 8 * start
                passed, landed = origin + step, origin + 2 * step
                for beside in (landed - 1, landed + 1):
                    if beside >> 3 != landed >> 3:
                        continue
                    value = np.take(table, passed, axis=axis)  # axes: all but the two pawns
                    where: list[slice | int] = [slice(None)] * self.count
                    where[unit], where[taker] = origin, beside
                    clear = np.ones(value.shape, bool)
                    rest = [other for other in range(self.count) if other not in (unit, taker)]
                    for position, _ in enumerate(rest):
                        ok = np.ones(64, bool)
                        ok[[passed, landed]] = False
                        shape = [1] * len(rest)
                        shape[position] = 64
                        clear &= ok.reshape(shape)
                    legal = self._after_double_step(unit, taker, landed, beside, side)
                    found[tuple(where)] |= value & clear & legal
        return found

    def _after_double_step(self, unit: int, taker: int, landed: int, beside: int, side: int) -> np.ndarray:
        where: list[slice | int] = [slice(None)] * self.count
        where[unit], where[taker] = landed, beside
        return self.legal[1 - side][tuple(where)]


def _inverse(axes: list[int]) -> list[int]:
    """The transposition that brings a table whose axes are these units' into the order of the units."""
    return list(np.argsort(axes))


@cache
def table_of(name: str) -> Table:
    """The table of a set, made with all it needs."""
    return Table(name)


def won(name: str) -> list[np.ndarray]:
    """``[White to move, Black to move]``: where White can still mate."""
    return table_of(name).won
