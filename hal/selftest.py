"""What a builder checks before the first game: lines, an empty board, one piece over all 64 squares, known pieces.

A fold over scans with no wires and no clock in it: whoever runs the test shows `SelfTest.wanted`, hands in what the
scanner reads, and prints the findings at the end. With one piece on the board every wiring fault has its own face: a
square that never closes, eight of a line that never close, a second square that always closes with the first, squares
that close in another order than the piece passed them.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from hal.continuity import Flaw
from hal.squares import SQUARE_NAMES, squares_of
from hal.wiring import Orientation, Wiring, default_wiring

ALL = (1 << 64) - 1
PATH = tuple(range(64))
"""The way of the piece: a1 to h1, a2 to h2 and so on; it is lifted from h1 to a2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: the part, a machine word, and what to do about it."""

    part: str
    reason: str
    advice: str


LATE = 4
"""So many squares may close out of their order without telling of the wiring: they were gone back to."""

ADVICE = {
    "shorted": "look for solder or a bare wire to ground on this line",
    "shorted_together": "these act as one: look for solder or bare wires that touch",
    "diode": "its diode lets current back: shorted, bridged or the wrong way round",
    "dead_line": "broken wire or cold joint on this line",
    "chatter": "its contact comes and goes: loose joint, or the reed at the edge of the magnet's reach",
    "not_opened": "its driver did not open: wiring file, bus enabled in config.txt, extra installed?",
    "overrun": "scans come late: another program takes the processor, or a longer period_ms is needed",
    "lost": "it no longer answers: plug, cable, supply, bus enabled in config.txt?",
    "both_closed": "both contacts of the lever are closed: wiring, or a contact that sticks",
    "both_open": "neither contact of the lever is closed: a broken wire, or the lever rests in the middle",
    "driver_failed": "a scan failed in a way that no driver should: the log has the cause",
}
"""What to do, by the reasons that the wires or a driver give."""


def advised(part: str, reason: str) -> Finding:
    """What the wires or a driver say, with what to do about it."""
    return Finding(part=part, reason=reason, advice=ADVICE.get(reason, "reported by the board's driver"))


def check_lines(flaws: tuple[Flaw, ...]) -> list[Finding]:
    """What the wires say of themselves."""
    return [advised(flaw.part, flaw.reason) for flaw in flaws]


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


def check_known(standing: int, squares: int, *, is_matrix: bool = True) -> list[Finding]:
    """Pieces stand on ``standing`` and on nothing else: what is missing, and what closes by itself.

    A ghost is a fourth square that three pieces close, on a matrix whose wires cannot be asked for the diode.
    """
    found = []
    for square in squares_of(standing & ~squares):
        advice = "a piece stands here and is not seen: magnet, reed or solder joint"
        found.append(Finding(part=f"square {SQUARE_NAMES[square]}", reason="stuck_open", advice=advice))
    for square in squares_of(squares & ~standing):
        is_ghost = is_matrix and any(
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


class SelfTest:
    """One piece over all squares, in the order of `PATH`."""

    def __init__(self, groups: Mapping[str, int], wiring: Wiring | None = None) -> None:
        """``wiring``: the one that the squares are read by; None of a board that has its own."""
        self._groups = dict(groups)
        self._wiring = wiring
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
        if not self.seen:
            advice = "no square has closed: is there a magnet in the piece, is the matrix plugged in?"
            return [Finding(part="board", reason="dead_line", advice=advice)]
        found = []
        unseen = ALL & ~self.seen
        for part, squares in self._groups.items():
            if squares and unseen & squares == squares:
                found.append(advised(part, "dead_line"))
        for finding in found:
            unseen &= ~self._groups[finding.part]
        advice = "never closed: reed broken or too deep, or a bad joint at it or at its diode"
        for square in squares_of(unseen):
            found.append(Finding(part=f"square {SQUARE_NAMES[square]}", reason="stuck_open", advice=advice))
        return found

    def _doubled(self) -> list[Finding]:
        """Squares that are never closed without another one."""
        found = []
        doubled = {square: squares & ~(1 << square) for square, squares in self._together.items()}
        parallel = [[name for name in self._groups if name.startswith(f"line {word}")] for word in ("file", "rank")]
        for first, second in (pair for names in parallel for pair in combinations(names, 2)):
            one, other = self._groups[first], self._groups[second]
            pairs = [square for square in squares_of(one) if doubled.get(square, 0) & other]
            if len(pairs) >= 4:
                found.append(advised(f"{first} + {second}", "shorted_together"))
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
        if len(order) < 48 or _late(order) <= LATE:
            return []
        explained = [
            (_late([change(square) for square in order]), finding)
            for change, finding in (*_turns(self._wiring), *_exchanges())
        ]
        late, finding = min(explained, key=lambda one: one[0])
        return [finding] if late <= LATE else []


def _late(order: Sequence[int]) -> int:
    """How many squares must be left out for the others to be in order."""
    ends: list[int] = []  # by length - 1: the lowest end of an ascending row of that length
    for square in order:
        at = bisect(ends, square)
        ends[at : at + 1] = [square]
    return len(order) - len(ends)


def _turns(wiring: Wiring | None) -> Iterator[tuple[Callable[[int], int], Finding]]:
    """Every other orientation: from the square as it is read to the one that it would be, and how to set it."""
    used = wiring or default_wiring()
    for turn_deg in (0, 90, 180, 270):
        for mirror in (False, True):
            orientation = Orientation(turn_deg=turn_deg, mirror=mirror)
            other = replace(used, orientation=orientation)
            squares = {used.turned(n & 7, n >> 3): other.turned(n & 7, n >> 3) for n in range(64)}
            advice = f"set in the wiring file:\n[orientation]\nturn_deg = {turn_deg}\nmirror = {str(mirror).lower()}"
            if wiring is None:
                advice = f"the board lies turned by {turn_deg} degrees{' and mirrored' if mirror else ''}"
            yield squares.__getitem__, Finding(part="board", reason="turned", advice=advice)


def _exchanges() -> Iterator[tuple[Callable[[int], int], Finding]]:
    """Every two files and every two ranks in each other's place."""
    advice = "these two lines are in each other's place: swap the wires or their numbers"
    for word, names in (("file", "abcdefgh"), ("rank", "12345678")):
        for one, other in combinations(range(8), 2):
            squares = {square: _exchanged(square, one, other, word == "file") for square in range(64)}
            part = f"line {word} {names[one]} + line {word} {names[other]}"
            yield squares.__getitem__, Finding(part=part, reason="swapped", advice=advice)


def _exchanged(square: int, one: int, other: int, is_file: bool) -> int:
    line = square & 7 if is_file else square >> 3
    if line not in (one, other):
        return square
    line = other if line == one else one
    return (square & 56) | line if is_file else line * 8 | (square & 7)
