"""Order in time: what the switches say, given on in the order in which it happened.

A place is known some 60 ms after its first edge, a lift 30, the lever 10, so that stamps arrive out of order. Nothing
is given on before the board's latency has passed since its stamp; by then all that happened earlier has arrived. Pure: the
loop says what time it is.
"""

from __future__ import annotations

import heapq
from dataclasses import replace

from board_firmware.core.events import Event, Tick

LATENCY_NS = 65_000_000
"""The longest debounce, 60 ms, and one 5 ms scan; less gives a lift before an earlier place, more only delays."""


def latency_of(board: object) -> int:
    """How long to wait for what a board has to tell: `LATENCY_NS`, and more for a `hal.board.Delayed` that takes longer."""
    return max(LATENCY_NS, getattr(board, "latency_ns", 0))


class Release:
    """Events waiting for their time. Equal stamps keep the order in which they came: one scan, order unknown."""

    def __init__(self, latency_ns: int = LATENCY_NS) -> None:
        self._latency_ns = latency_ns
        self._waiting: list[tuple[int, int, Event]] = []
        self._arrivals = 0
        self._released_ns = 0
        self._ticked_ns: int | None = None
        self.late = 0
        """How many events came after something later had been given on, and were given on with its stamp."""

    def begin(self, at_ns: int) -> None:
        """Nothing will be given on with an earlier stamp than this."""
        self._released_ns = max(self._released_ns, at_ns)

    def push(self, event: Event) -> None:
        """Takes an event; its stamp may lie before those of earlier arrivals."""
        self._arrivals += 1
        heapq.heappush(self._waiting, (event.at_ns, self._arrivals, event))

    def pop(self, now_ns: int, deadline_ns: int | None) -> Event | None:
        """The next event whose time has come at ``now_ns``, a `Tick` where the deadline is due before it, or None."""
        horizon_ns = now_ns - self._latency_ns
        next_ns = self._waiting[0][0] if self._waiting else None
        if deadline_ns == self._ticked_ns:
            deadline_ns = None  # told already; nothing more comes of it
        if deadline_ns is not None and deadline_ns <= horizon_ns and (next_ns is None or deadline_ns <= next_ns):
            self._ticked_ns = deadline_ns
            self._released_ns = max(self._released_ns, deadline_ns)
            return Tick(at_ns=self._released_ns)
        if next_ns is None or next_ns > horizon_ns:
            return None
        event = heapq.heappop(self._waiting)[2]
        self._ticked_ns = None
        if event.at_ns < self._released_ns:  # a scan stalled longer than the latency: keep time going forward
            self.late += 1
            event = replace(event, at_ns=self._released_ns)
        self._released_ns = event.at_ns
        return event

    def wake_ns(self, deadline_ns: int | None) -> int | None:
        """When to ask again: the time at which the next event or the deadline may be given on; None for never."""
        times = [self._waiting[0][0]] if self._waiting else []
        if deadline_ns is not None and deadline_ns != self._ticked_ns:
            times.append(deadline_ns)
        return min(times) + self._latency_ns if times else None

    def __len__(self) -> int:
        return len(self._waiting)
