"""Debounces 64 reeds apart from each other: a closing counts after 60 ms, an opening after 30 ms, both dated back.

The rule, for each switch alone. A counter grows with the time the contact disagrees with the settled state and drains
`DRAIN` times as fast while it agrees, never below zero. When it reaches ``close_ms`` (``open_ms``) the state flips and
a `SquareChanged` comes out. A *run* is the time the counter is above zero: its first edge is the event's ``at_ns``, but
never more than the longer of the two times before the flip, so that a reader who waits that time plus one scan sees all
events in order. A run that drains away without a flip was noise: on a closed reed it comes out as one `Blipped`.
`LiftHinted` comes at a closed reed's first open sample, at once.

Two forms of the same rule. `EdgeDebouncer` is told of edges and computes when counters arrive: it costs nothing between
edges, so the simulated board uses it. `ScanDebouncer` is handed all 64 reeds as an int once a scan and touches only
those in a run. Between two scans a contact is taken to have stayed as the first of them saw it, for at most
``stall_ms``: a scan that comes late has proved no more than that. Across scans that failed (`ScanDebouncer.missed`) only
those contacts are taken to have stayed that are found so again, for the time since the last failure: nobody looked
meanwhile, but a bus that fails every other time must not silence the board. Fed with the same samples, both say the same.

Source: the integrator follows the principle of ZMK's debounce library (press and release times apart). The times are
measured against a hand model of 0-3 wobbles of 2-35 ms, 5-30 ms apart: of 1,500 placements 60/30 splits none, 40/20
1.7 %, 20/20 37 % (tests/hal/test_debounce.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from hal.board import Blipped, LiftHinted, SquareChanged

DRAIN = 2
"""How fast disagreement is forgotten: at 1, a contact that is open half the time could creep up to a flip; measured
with wobbles 5-60 ms apart, 1 splits 7.5 % of placements and 2 splits 4.6 %, for 13 ms more delay in the median."""

LONGEST_MS = 250.0
"""A touch-down in blitz lasts under 150 ms; a debounce longer than this would swallow moves and is refused."""

DebounceEvent = SquareChanged | LiftHinted | Blipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Debounce:
    """Times in ms: until a closing counts, until an opening counts, and how much one late scan may prove."""

    close_ms: float = 60.0
    open_ms: float = 30.0
    stall_ms: float = 15.0

    def __post_init__(self) -> None:
        for name in ("close_ms", "open_ms"):
            value = getattr(self, name)
            if not 0 < value <= LONGEST_MS:
                raise ValueError(f"{name} = {value:g}: must be over 0 and at most {LONGEST_MS:g} ms, or moves are lost")
        if self.stall_ms <= 0:
            raise ValueError(f"stall_ms = {self.stall_ms:g}: must be over 0 ms")

    @property
    def close_ns(self) -> int:
        """``close_ms`` in ns."""
        return round(self.close_ms * 1e6)

    @property
    def open_ns(self) -> int:
        """``open_ms`` in ns."""
        return round(self.open_ms * 1e6)

    @property
    def lateness_ns(self) -> int:
        """No event's ``at_ns`` lies further than this before the moment it settled."""
        return max(self.close_ns, self.open_ns)


DEFAULT = Debounce()


class EdgeDebouncer:
    """The rule driven by edges: `edge` for each, `advance` to collect what has settled by a time."""

    def __init__(self, settings: Debounce = DEFAULT, occupancy: int = 0) -> None:
        self.occupancy = occupancy
        self._close_ns = [settings.close_ns] * 64
        self._open_ns = [settings.open_ns] * 64
        self._lateness_ns = settings.lateness_ns
        self._closed = [bool(occupancy >> square & 1) for square in range(64)]  # settled
        self._raw = self._closed.copy()
        self._count = [0] * 64  # ns, as of _since
        self._since = [0] * 64  # time of the last edge
        self._first = [0] * 64  # first edge of the run
        self._version = [0] * 64
        self._deadlines: list[tuple[int, int, int]] = []  # (ns, square, version)
        self._out: list[DebounceEvent] = []

    def set_times(self, square: int, close_ms: float, open_ms: float) -> None:
        """Other times for one square from its next run on, such as 200/200 for a reed that chatters."""
        times = Debounce(close_ms=close_ms, open_ms=open_ms)
        self._close_ns[square], self._open_ns[square] = times.close_ns, times.open_ns

    def edge(self, square: int, closed: bool, at_ns: int) -> None:
        """The contact of ``square`` changed at ``at_ns``; edges come in order of time, equal states are no edge."""
        deadlines = self._deadlines
        if deadlines and deadlines[0][0] <= at_ns:
            self._settle(at_ns)
        if self._raw[square] == closed:
            return
        self._raw[square] = closed
        elapsed = at_ns - self._since[square]
        self._since[square] = at_ns
        state = self._closed[square]
        version = self._version[square] = self._version[square] + 1
        if closed != state:
            count = self._count[square] - DRAIN * elapsed
            if count <= 0:
                count = 0
                self._first[square] = at_ns
                if state:
                    self._out.append(LiftHinted(square=square, at_ns=at_ns))
            self._count[square] = count
            need = self._open_ns[square] if state else self._close_ns[square]
            heappush(deadlines, (at_ns + need - count, square, version))
        else:
            count = self._count[square] = self._count[square] + elapsed
            if state:
                heappush(deadlines, (at_ns - (-count // DRAIN), square, version))

    def advance(self, to_ns: int) -> tuple[DebounceEvent, ...]:
        """All that has come out up to and including ``to_ns``, in the order in which it settled."""
        if self._deadlines and self._deadlines[0][0] <= to_ns:
            self._settle(to_ns)
        if not self._out:
            return ()
        out = tuple(self._out)
        self._out.clear()
        return out

    def deadline_ns(self) -> int | None:
        """When the next counter arrives if no edge comes before; None while nothing is in a run."""
        deadlines = self._deadlines
        while deadlines and deadlines[0][2] != self._version[deadlines[0][1]]:
            heappop(deadlines)
        return deadlines[0][0] if deadlines else None

    def _settle(self, to_ns: int) -> None:
        deadlines = self._deadlines
        while deadlines and deadlines[0][0] <= to_ns:
            due, square, version = heappop(deadlines)
            if version != self._version[square]:
                continue
            first = max(self._first[square], due - self._lateness_ns)
            raw = self._raw[square]
            if raw == self._closed[square]:
                opened_ns = self._since[square] - self._first[square]
                self._out.append(Blipped(square=square, ms=opened_ns / 1e6, at_ns=first))
            else:
                self._closed[square] = raw
                self.occupancy ^= 1 << square
                self._out.append(SquareChanged(square=square, occupied=raw, at_ns=first))
            self._count[square] = 0
            self._since[square] = due


class ScanDebouncer:
    """The rule driven by scans: one call for all 64 contacts, which costs a comparison while nothing moves."""

    def __init__(self, settings: Debounce = DEFAULT, occupancy: int = 0, at_ns: int = 0) -> None:
        self.occupancy = occupancy
        self._close_ns = [settings.close_ns] * 64
        self._open_ns = [settings.open_ns] * 64
        self._lateness_ns = settings.lateness_ns
        self._stall_ns = round(settings.stall_ms * 1e6)
        self._raw = occupancy
        self._at_ns = at_ns
        self._runs: dict[int, list[int]] = {}  # square -> [count, first edge, last edge]
        self._missed = False  # since the last scan that could be read

    def set_times(self, square: int, close_ms: float, open_ms: float) -> None:
        """Other times for one square from now on, such as 200/200 for a reed that chatters."""
        times = Debounce(close_ms=close_ms, open_ms=open_ms)
        self._close_ns[square], self._open_ns[square] = times.close_ns, times.open_ns

    def missed(self, at_ns: int) -> None:
        """A scan at ``at_ns`` could not be read."""
        self._missed, self._at_ns = True, at_ns

    def scan(self, raw: int, at_ns: int) -> Sequence[DebounceEvent]:
        """What this scan settles: ``raw`` has bit n set where contact n is closed at ``at_ns``."""
        if raw == self._raw and not self._runs:
            self._at_ns = at_ns
            return ()
        out: list[DebounceEvent] = []
        changed = raw ^ self._raw
        if self._runs:
            self._credit(at_ns, changed if self._missed else 0, out)
        self._raw, self._at_ns, self._missed = raw, at_ns, False
        while changed:
            low = changed & -changed
            changed ^= low
            square = low.bit_length() - 1
            run = self._runs.get(square)
            if run is not None:
                run[2] = at_ns
            elif (raw ^ self.occupancy) & low:
                self._runs[square] = [0, at_ns, at_ns]
                if self.occupancy & low:
                    out.append(LiftHinted(square=square, at_ns=at_ns))
        return out

    def _credit(self, at_ns: int, unproved: int, out: list[DebounceEvent]) -> None:
        """Let the time since the last scan count for the contacts as that scan saw them, but for those of ``unproved``."""
        before = self._at_ns
        elapsed = min(at_ns - before, self._stall_ns)
        settled: list[tuple[int, int, DebounceEvent | None]] = []
        for square, run in self._runs.items():
            bit = 1 << square
            if unproved & bit:
                continue
            was = bool(self.occupancy & bit)
            if bool(self._raw & bit) != was:
                need = (self._open_ns if was else self._close_ns)[square] - run[0]
                if need <= elapsed:
                    due = before + need
                    first = max(run[1], due - self._lateness_ns)
                    settled.append((due, square, SquareChanged(square=square, occupied=not was, at_ns=first)))
                else:
                    run[0] += elapsed
            elif run[0] <= DRAIN * elapsed:
                due = before - (-run[0] // DRAIN)
                first = max(run[1], due - self._lateness_ns)
                blip = Blipped(square=square, ms=(run[2] - run[1]) / 1e6, at_ns=first) if was else None
                settled.append((due, square, blip))
            else:
                run[0] -= DRAIN * elapsed
        settled.sort(key=lambda one: one[:2])
        for _, square, event in settled:
            del self._runs[square]
            if event is not None:
                out.append(event)
                if isinstance(event, SquareChanged):
                    self.occupancy ^= 1 << square
