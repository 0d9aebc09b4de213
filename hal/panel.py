"""The clock's lever and the buttons: debounced contacts of the panel become presses.

The lever is a changeover switch, so exactly one of its two contacts is closed. The contact that closes is the press and
bears its first edge; both open is the lever in flight, and a fault when it lasts; both closed cannot be and is a fault
of the wiring at once. Lever and buttons have their own debounce times: the lever's are short because time is what it
measures.
"""

from __future__ import annotations

from hal.board import BoardEvent, ButtonPressed, Faulted, LeverMoved, Recovered, Side, SquareChanged
from hal.debounce import Debounce, ScanDebouncer
from hal.wiring import PanelWiring

PART = "lever"


class Panel:
    """What the panel's contacts mean."""

    def __init__(self, wiring: PanelWiring, stall_ms: float) -> None:
        times = Debounce(close_ms=wiring.button_ms, open_ms=wiring.button_ms, stall_ms=stall_ms)
        self._debouncer = ScanDebouncer(times)
        self._flight_ns = round(wiring.flight_ms * 1e6)
        self._sides: dict[int, Side] = {}
        for line, side in ((wiring.lever_white, "white"), (wiring.lever_black, "black")):
            if line:
                self._sides[line - 1] = "white" if side == "white" else "black"
                self._debouncer.set_times(line - 1, wiring.lever_ms, wiring.lever_ms)
        self._buttons = {line - 1: name for name, line in wiring.buttons.items()}
        self._known = sum(1 << line for line in (*self._sides, *self._buttons))
        self._lever = sum(1 << line for line in self._sides)
        self._flying_since: int | None = None
        self._fault: str | None = None
        self.down: Side | None = None

    def scan(self, contacts: int, at_ns: int) -> list[BoardEvent]:
        """What these contacts (bit n = contact n + 1 closed) mean at ``at_ns``; the first scan reports no press."""
        out: list[BoardEvent] = []
        for event in self._debouncer.scan(contacts & self._known, at_ns):
            if not isinstance(event, SquareChanged) or not event.occupied:
                continue
            button = self._buttons.get(event.square)
            if button is not None:
                out.append(ButtonPressed(button=button, at_ns=event.at_ns))
                continue
            side = self._sides[event.square]
            if side != self.down:
                if self.down is not None:
                    out.append(LeverMoved(down=side, at_ns=event.at_ns))
                self.down = side
        if self._lever:
            self._watch_lever(contacts, at_ns, out)
        return out

    def _watch_lever(self, contacts: int, at_ns: int, out: list[BoardEvent]) -> None:
        fault = None
        if not contacts & self._lever:
            if self._flying_since is None:
                self._flying_since = at_ns
            elif at_ns - self._flying_since > self._flight_ns:
                fault = "both_open"
        else:
            self._flying_since = None
            if contacts & self._lever == self._lever and self._debouncer.occupancy & self._lever == self._lever:
                fault = "both_closed"
        if fault != self._fault:
            if fault is not None:
                out.append(Faulted(part=PART, reason=fault, at_ns=at_ns))
            else:
                out.append(Recovered(part=PART, at_ns=at_ns))
            self._fault = fault
