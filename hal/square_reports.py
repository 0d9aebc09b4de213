"""From "this stands there now" to `SquareChanged`: the order inside one scan, doubled pieces, chattering squares.

Pure. Three rules. Changes of one report are one scan: they bear one time and the lifts stand first. A piece cannot
stand on two squares: a board that reports the new square before the old one is cleared has its place held back, at most
`HOLD_NS`, until the piece is seen to leave. A square that changes more than `CHATTER_CHANGES` times in a second is
reported as a fault and kept still until it has been quiet for two seconds, so that it can flood nobody.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from itertools import groupby

from hal.agreement import Confirmed
from hal.board import BoardEvent, Faulted, Recovered, SquareChanged
from hal.placement import EMPTY, UNKNOWN
from hal.squares import SQUARE_NAMES

HOLD_NS = 300_000_000
"""A scan of such a board takes 250 ms; less loses pieces that are slid, more delays a piece set up from the box."""
CHATTER_CHANGES = 16
CHATTER_WINDOW_NS = 1_000_000_000
CHATTER_QUIET_NS = 2_000_000_000


class SquareReports:
    """64 squares as told to the firmware, and what is still held back."""

    def __init__(self) -> None:
        self._told: list[str] = [EMPTY] * 64
        self._true: list[str] = [EMPTY] * 64
        self._in_hand: Counter[str] = Counter()
        self._held: list[Confirmed] = []
        self._changes: dict[int, deque[int]] = {}
        self._noisy: dict[int, int] = {}

    @property
    def placement(self) -> str:
        """What the firmware has been told."""
        return "".join(self._told)

    @property
    def is_holding(self) -> bool:
        """Whether `tick` has something to do later."""
        return bool(self._held or self._noisy)

    def reset(self, placement: str) -> None:
        """Start from a known placement without events (the driver sends a snapshot instead)."""
        self._told = list(placement)
        self._true = list(placement)
        self._in_hand.clear()
        self._held.clear()

    def changed(self, reports: Iterable[Confirmed], at_ns: int) -> tuple[BoardEvent, ...]:
        """Contents that are true now, each with the time it was first seen; the events that follow from them."""
        events: list[BoardEvent] = []
        for report in _lifts_first(reports):
            self._true[report.square] = report.content
            self._watch(report, at_ns, events)
            if report.square in self._noisy:
                continue
            before = self._told[report.square]
            if before == report.content and not self._is_held(report.square):
                continue
            self._forget_held(report.square)
            if before != EMPTY and before != report.content:
                self._lift(report.square, report.at_ns, events)
            if report.content != EMPTY and before != report.content:
                if self._is_in_two_places(report.content):
                    self._held.append(report)
                else:
                    self._place(report, report.at_ns, events)
        return tuple(events)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Release what was held long enough, and the squares that have become quiet."""
        events: list[BoardEvent] = []
        for report in [held for held in self._held if at_ns - held.at_ns >= HOLD_NS]:
            self._held.remove(report)
            self._place(report, report.at_ns, events)
        for square in [noisy for noisy, last_ns in self._noisy.items() if at_ns - last_ns >= CHATTER_QUIET_NS]:
            del self._noisy[square]
            self._changes.pop(square, None)
            events.append(Recovered(part=f"square {SQUARE_NAMES[square]}", at_ns=at_ns))
            if self._told[square] != self._true[square]:
                if self._told[square] != EMPTY:
                    self._lift(square, at_ns, events)
                if self._true[square] != EMPTY:
                    self._place(Confirmed(square=square, content=self._true[square], at_ns=at_ns), at_ns, events)
        return tuple(events)

    def _is_in_two_places(self, content: str) -> bool:
        return content != UNKNOWN and content in self._told and not self._in_hand[content]

    def _is_held(self, square: int) -> bool:
        return any(held.square == square for held in self._held)

    def _forget_held(self, square: int) -> None:
        self._held = [held for held in self._held if held.square != square]

    def _lift(self, square: int, at_ns: int, events: list[BoardEvent]) -> None:
        content = self._told[square]
        self._told[square] = EMPTY
        if content != UNKNOWN:
            self._in_hand[content] += 1
        piece = None if content == UNKNOWN else content
        events.append(SquareChanged(square=square, occupied=False, at_ns=at_ns, piece=piece))
        for held in self._held:
            if held.content == content:
                self._held.remove(held)
                self._place(held, max(at_ns, held.at_ns), events)
                break

    def _place(self, report: Confirmed, at_ns: int, events: list[BoardEvent]) -> None:
        content = self._told[report.square] = report.content
        if self._in_hand[content]:
            self._in_hand[content] -= 1
        # What the other side has in the air by now is captured: it must not vouch for a piece still standing elsewhere.
        for other in [other for other in self._in_hand if other.isupper() != content.isupper()]:
            del self._in_hand[other]
        piece = None if report.content == UNKNOWN else report.content
        events.append(SquareChanged(square=report.square, occupied=True, at_ns=at_ns, piece=piece))

    def _watch(self, report: Confirmed, at_ns: int, events: list[BoardEvent]) -> None:
        square = report.square
        times = self._changes.setdefault(square, deque(maxlen=CHATTER_CHANGES + 1))
        times.append(report.at_ns)
        if square in self._noisy:
            self._noisy[square] = at_ns
        elif len(times) > CHATTER_CHANGES and times[-1] - times[0] <= CHATTER_WINDOW_NS:
            self._noisy[square] = at_ns
            self._forget_held(square)
            events.append(Faulted(part=f"square {SQUARE_NAMES[square]}", reason="chatter", at_ns=at_ns))


def _lifts_first(reports: Iterable[Confirmed]) -> list[Confirmed]:
    """By time; inside one scan lifts stand first, unless a square changed twice in it: then its own order counts."""
    ordered: list[Confirmed] = []
    for _, scan in groupby(sorted(reports, key=lambda report: report.at_ns), key=lambda report: report.at_ns):
        together = list(scan)
        if len({report.square for report in together}) == len(together):
            together.sort(key=lambda report: report.content != EMPTY)
        ordered += together
    return ordered
