"""What a builder checks before the first game: lines, an empty board, one piece over all 64 squares, known pieces.

A fold over scans with no wires and no clock in it: whoever runs the test shows `SelfTest.wanted`, hands in what the
scanner reads, and prints the findings at the end. With one piece on the board every wiring fault has its own face: a
square that never closes, eight of a line that never close, a second square that always closes with the first, squares
that close in another order than the piece passed them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hal.continuity import Flaw
from hal.squares import FILE_A, RANK_1, SQUARE_NAMES, line_name, squares_of

ALL = (1 << 64) - 1
PATH = tuple(range(64))
"""The way of the piece: a1 to h1, a2 to h2 and so on; it is lifted from h1 to a2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: the part, a machine word, and what to do about it."""

    part: str
    reason: str
    advice: str


_FLAWS = {
    "shorted": "look for solder or a bare wire to ground on this line",
    "shorted_together": "these two lines touch each other: look for solder or a bare wire between them",
    "diode": "its diode lets current back: shorted, bridged or the wrong way round",
}


def check_lines(flaws: tuple[Flaw, ...]) -> list[Finding]:
    """What the wires say of themselves."""
    return [Finding(part=flaw.part, reason=flaw.reason, advice=_FLAWS[flaw.reason]) for flaw in flaws]


def check_empty(squares: int) -> list[Finding]:
    """What closes on a board with nothing on it."""
    if squares == ALL:
        advice = "all 64 squares read occupied with an empty board: polarity? Closed switches must pull the line low"
        return [Finding(part="board", reason="polarity", advice=advice)]
    advice = "closed with nothing on it: reed stuck or switch shorted"
    return [
        Finding(part=f"square {SQUARE_NAMES[square]}", reason="stuck_closed", advice=advice)
        for square in squares_of(squares)
    ]


def check_known(standing: int, squares: int, ranks_sense: bool | None = True) -> list[Finding]:
    """Pieces stand on ``standing`` and on nothing else: what is missing, and what is a ghost of a bad diode.

    ``ranks_sense``: drive lines are the files, as in the default wiring; a shorted diode is named where it is found. None:
    there is no matrix, so no diode and no ghost.
    """
    found = []
    for square in squares_of(standing & ~squares):
        advice = "a piece stands here and is not seen: magnet, reed or solder joint"
        found.append(Finding(part=f"square {SQUARE_NAMES[square]}", reason="stuck_open", advice=advice))
    extra = squares & ~standing
    culprits = 0 if ranks_sense is None else _shorted_diodes(standing, extra, ranks_sense)
    if culprits:
        part = f"square {_named(culprits)}"
        if culprits.bit_count() > 1:
            lines = {FILE_A << (one & 7) if ranks_sense else RANK_1 << (one & 56) for one in squares_of(culprits)}
            part = " + ".join(line_name(line) for line in sorted(lines))
        advice = (
            f"the diode of {_named(culprits, ' or ')} is shorted, reversed or bridged: it makes {_named(extra)} ghosts"
        )
        return [*found, Finding(part=part, reason="diode", advice=advice)]
    for square in squares_of(extra):
        is_ghost = ranks_sense is not None and any(
            standing >> (square & 56 | other & 7) & 1 and standing >> (other & 56 | square & 7) & 1
            for other in squares_of(standing)
            if (other ^ square) & 7 and (other ^ square) & 56
        )
        reason = "ghost" if is_ghost else "stuck_closed"
        advice = "three pieces make a fourth: a diode on this rank or file is missing or shorted" if is_ghost else ""
        found.append(
            Finding(part=f"square {SQUARE_NAMES[square]}", reason=reason, advice=advice or "reed stuck closed")
        )
    return found


def _shorted_diodes(standing: int, extra: int, ranks_sense: bool) -> int:
    """The squares of which any one, its diode bad, explains all squares that are closed too much; 0: there is none.

    A square's sense line, pulled low by another piece on it, pulls the square's drive line low, and with it every sense
    line that has a piece on that drive line. One ghost alone is not enough to accuse a diode.
    """
    if extra.bit_count() < 2:
        return 0
    fitting = 0
    for square in squares_of(standing):
        file, rank = FILE_A << (square & 7), RANK_1 << (square & 56)
        drive, sense = (file, rank) if ranks_sense else (rank, file)
        ghosts = 0
        for puller in squares_of(standing & sense & ~(1 << square)):
            for pulled in squares_of(standing & drive & ~(1 << square)):
                ghosts |= 1 << ((pulled & 56 | puller & 7) if ranks_sense else (puller & 56 | pulled & 7))
        if ghosts & ~standing == extra:
            fitting |= 1 << square
    return fitting


def _named(squares: int, between: str = " ") -> str:
    return between.join(SQUARE_NAMES[square] for square in squares_of(squares))


class SelfTest:
    """One piece over all squares, in the order of `PATH`."""

    def __init__(self, groups: Mapping[str, int]) -> None:
        self._groups = dict(groups)
        self._order: list[int] = []  # squares by their first closing
        self._together: dict[int, int] = {}  # square -> squares closed in every scan in which it was
        self._last = 0
        self.seen = 0
        """The squares that have closed so far."""
        self.recorded: list[tuple[int, int]] = []
        """Each change as ``(at_ns, squares)``: the trace of the test."""

    @property
    def wanted(self) -> int | None:
        """The square to visit next; None when all have been seen."""
        seen = self.seen
        return next((square for square in PATH if not seen >> square & 1), None)

    def receive(self, squares: int, at_ns: int) -> None:
        """One scan with the piece somewhere."""
        if squares != self._last:
            self._last = squares
            self.recorded.append((at_ns, squares))
        for square in squares_of(squares):
            if square not in self._together:
                self._order.append(square)
                self.seen |= 1 << square
                self._together[square] = squares
            else:
                self._together[square] &= squares

    def findings(self) -> list[Finding]:
        """What the piece has shown; squares of a dead line are named by their line."""
        return [*self._unseen(), *self._doubled(), *self._swapped()]

    def _unseen(self) -> list[Finding]:
        found = []
        unseen = ALL & ~self.seen
        for part, squares in self._groups.items():
            if squares and unseen & squares == squares:
                found.append(Finding(part=part, reason="dead_line", advice="broken wire or cold joint on this line"))
        for finding in found:
            unseen &= ~self._groups[finding.part]
        advice = "never closed: reed broken, too deep, or its diode the wrong way round"
        for square in squares_of(unseen):
            found.append(Finding(part=f"square {SQUARE_NAMES[square]}", reason="stuck_open", advice=advice))
        return found

    def _doubled(self) -> list[Finding]:
        """Squares that are never closed without another one."""
        found = []
        doubled = {square: squares & ~(1 << square) for square, squares in self._together.items()}
        names = list(self._groups)
        for first, second in pairwise(names):
            one, other = self._groups[first], self._groups[second]
            pairs = [square for square in squares_of(one) if doubled.get(square, 0) & other]
            if len(pairs) >= 4:
                advice = "these two lines touch each other"
                found.append(Finding(part=f"{first} + {second}", reason="shorted_together", advice=advice))
                for square in (*squares_of(one), *squares_of(other)):
                    doubled.pop(square, None)
        for square, others in doubled.items():
            if others:
                with_whom = " ".join(SQUARE_NAMES[other] for other in squares_of(others))
                advice = f"never closes without {with_whom}: solder bridge, or a magnet too strong"
                found.append(Finding(part=f"square {SQUARE_NAMES[square]}", reason="doubled", advice=advice))
        return found

    def _swapped(self) -> list[Finding]:
        """Two lines in each other's place, or the whole board turned, by the order in which squares closed."""
        order = self._order
        if len(order) < 48 or order == sorted(order):
            return []
        for name, change in _symmetries():
            if [change(square) for square in order] == sorted(order):
                advice = f"set [orientation] in the wiring file: the board reads as {name}"
                return [Finding(part="board", reason="turned", advice=advice)]
        for file in (True, False):
            for one in range(8):
                for other in range(one):
                    if [_exchanged(square, one, other, file) for square in order] == sorted(order):
                        names = "abcdefgh" if file else "12345678"
                        word = "file" if file else "rank"
                        part = f"line {word} {names[other]} + line {word} {names[one]}"
                        advice = "these two lines are in each other's place: swap the wires or their numbers"
                        return [Finding(part=part, reason="swapped", advice=advice)]
        return []


def _symmetries() -> list[tuple[str, Callable[[int], int]]]:
    def quarter(square: int) -> int:
        return (7 - (square & 7)) * 8 + (square >> 3)

    return [
        ("mirrored", lambda square: square ^ 7),
        ("turned by 180", lambda square: square ^ 63),
        ("turned by 180 and mirrored", lambda square: square ^ 56),
        ("turned by 90", quarter),
        ("turned by 270", lambda square: quarter(quarter(quarter(square)))),
        ("turned by 90 and mirrored", lambda square: quarter(square) ^ 7),
        ("turned by 270 and mirrored", lambda square: quarter(quarter(quarter(square))) ^ 7),
    ]


def _exchanged(square: int, one: int, other: int, file: bool) -> int:
    line = square & 7 if file else square >> 3
    if line not in (one, other):
        return square
    line = other if line == one else one
    return (square & 56) | line if file else line * 8 | (square & 7)
