"""The clock's lever and the buttons: debounced contacts of the panel become presses.

The lever is a changeover switch, so exactly one of its two contacts is closed. It has moved when one contact has closed
and the other is open, and that bears the first edge of what came last; both open is the lever in flight, and a fault when
it lasts; both closed cannot be and is a fault of the wiring at once. Lever and buttons have their own debounce times: the
lever's are short because time is what it measures.

The panel hangs on the wires of the ranks, and nobody may press who has not pressed: a contact that closes is believed
only while its line is not low by itself, nor pulled by the line of another closed contact, which is asked in each scan
until it has settled: lines may touch, a diode may be shorted. A button that closes together with another contact is not
believed either, for two wires that touch each other look like that; nor together with a square on its own line or on that
of a closed contact, for so does a diode that is shorted. Two hands need to press again. What is closed at power-up is
where things stand and no press.
"""

from __future__ import annotations

from collections.abc import Callable

from hal.board import BoardEvent, ButtonPressed, Faulted, LeverMoved, Recovered, Side, SquareChanged
from hal.debounce import Debounce, ScanDebouncer
from hal.squares import squares_of
from hal.wiring import PanelWiring

PART = "lever"

ASK_AGAIN_NS = 100_000_000
"""How long a line is taken to be low still while nothing changes on the panel: asking costs a ninth of a scan."""


class Panel:
    """What the panel's contacts mean; ``low`` tells which of them are on lines that are low with nothing selected, and
    ``pulled_with`` which lines a contact's (by its number from 0) pulls low besides its own."""

    def __init__(
        self,
        wiring: PanelWiring,
        stall_ms: float,
        low: Callable[[], int] = int,
        pulled_with: Callable[[int], int] = lambda _: 0,
    ) -> None:
        self._times = Debounce(close_ms=wiring.button_ms, open_ms=wiring.button_ms, stall_ms=stall_ms)
        self._lever_ms, self._button_ns = wiring.lever_ms, round(wiring.button_ms * 1e6)
        self._low, self._pulled_with = low, pulled_with
        self._debouncer: ScanDebouncer | None = None
        self._flight_ns = round(wiring.flight_ms * 1e6)
        self._sides: dict[int, Side] = {}  # by the contact's bit
        if wiring.lever_white:
            self._sides = {1 << wiring.lever_white - 1: "white", 1 << wiring.lever_black - 1: "black"}
        self._buttons = {line - 1: name for name, line in wiring.buttons.items()}
        self._lever = sum(self._sides)
        self._held = sum(1 << line for line in self._buttons)
        self._known = self._lever | self._held
        self._contacts = 0
        self._fresh = 0  # closed in the last scan and not in the one before
        self._beside = 0
        self._together = 0  # those that closed with something else
        self._touching = 0  # buttons that were not believed because of that
        self._doubted = 0  # contacts on lines that were low when last asked
        self._asked_ns = 0
        self._drawn = 0  # of these those that another contact's line pulls
        self._drawn_since: int | None = None  # a button is among them
        self._lever_ns = 0  # first edge of the lever's last change
        self._flying_since: int | None = None
        self._fault: str | None = None
        self.down: Side | None = None

    def scan(self, contacts: int, at_ns: int, beside: int = 0) -> list[BoardEvent]:
        """What these contacts (bit n = contact n + 1 closed) mean at ``at_ns``; the first scan reports no press.

        ``beside`` has the contacts on whose lines squares have closed in this scan.
        """
        contacts &= self._known
        debouncer = self._debouncer
        if debouncer is None:
            # a button that is held must be seen open first; the lever has no press before it has stood somewhere
            debouncer = self._debouncer = ScanDebouncer(self._times, contacts & self._held, at_ns)
            for bit in self._sides:
                debouncer.set_times(bit.bit_length() - 1, self._lever_ms, self._lever_ms)
        out: list[BoardEvent] = []
        read, contacts = contacts, self._believed(contacts, contacts & ~debouncer.occupancy, at_ns)
        self._tell_drawn(read & self._drawn & self._held, at_ns, out)
        self._compare(contacts, beside)
        for event in debouncer.scan(contacts, at_ns):
            if not isinstance(event, SquareChanged):
                continue
            if event.square not in self._buttons:
                self._lever_ns = max(self._lever_ns, event.at_ns)
            elif event.occupied:
                out += self._press(event.square, event.at_ns, at_ns)
        if self._lever:
            side = self._sides.get(debouncer.occupancy & self._lever)
            if side is not None and side != self.down:
                if self.down is not None:
                    out.append(LeverMoved(down=side, at_ns=self._lever_ns))
                self.down = side
            self._watch_lever(contacts, debouncer.occupancy, at_ns, out)
        return out

    def missed(self, at_ns: int) -> None:
        """A scan at ``at_ns`` could not be read: what the contacts did meanwhile nobody knows."""
        if self._debouncer is not None:
            self._debouncer.missed(at_ns)

    def _believed(self, contacts: int, unsettled: int, at_ns: int) -> int:
        """These contacts without those that a line pulls which is low by itself."""
        if unsettled:
            if (
                unsettled & ~self._doubted
                or contacts & ~self._doubted != self._contacts
                or at_ns - self._asked_ns >= ASK_AGAIN_NS
            ):
                low = self._low()
                self._drawn = self._pulled(contacts & ~low)
                self._doubted = low | self._drawn
                self._asked_ns = at_ns
            if unsettled & self._lever & ~self._doubted:
                # one end has come down and pulls the other, which may not have been seen to open
                unsettled |= self._lever & self._drawn
            contacts &= ~(unsettled & self._doubted)
        else:
            self._doubted = self._drawn = 0
        return contacts

    def _pulled(self, contacts: int) -> int:
        """Those of these contacts that another one of them explains.

        One that is pulled and does not pull back has a diode behind it. Of two that pull each other a button is not
        believed; the lever has two contacts to be believed by.
        """
        if contacts.bit_count() < 2:
            return 0
        pulls = {contact: self._pulled_with(contact) & contacts for contact in squares_of(contacts)}
        pulled = 0
        for contact, others in pulls.items():
            for other in squares_of(others & ~(1 << contact)):
                if self._held >> other & 1 or not pulls[other] >> contact & 1:
                    pulled |= 1 << other
        return pulled

    def _compare(self, contacts: int, beside: int) -> None:
        """Mark the contacts that close with something else: in one scan or two, for an edge may fall between two reads."""
        fresh = contacts & ~self._contacts
        if beside & contacts & ~fresh:
            beside = -1  # the line of a closed contact may pull any other through a bad diode
        self._contacts = contacts
        lately = fresh | self._fresh
        if lately:
            others = lately if lately.bit_count() > 1 else 0
            self._together = self._together & ~fresh | others | lately & (beside | self._beside)
        self._fresh, self._beside = fresh, beside

    def _tell_drawn(self, buttons: int, at_ns: int, out: list[BoardEvent]) -> None:
        """Name the wiring once these buttons have seemed closed for as long as a press takes."""
        if not buttons:
            self._drawn_since = None
            return
        if self._drawn_since is None:
            self._drawn_since = at_ns
        if at_ns - self._drawn_since >= self._button_ns:
            if not self._touching:
                out.append(Faulted(part="panel", reason="shorted_together", at_ns=at_ns))
            self._touching |= buttons

    def _press(self, contact: int, edge_ns: int, at_ns: int) -> list[BoardEvent]:
        bit = 1 << contact
        if self._together & bit:
            told = bool(self._touching)
            self._touching |= bit
            return [] if told else [Faulted(part="panel", reason="shorted_together", at_ns=at_ns)]
        out: list[BoardEvent] = []
        if self._touching & bit:  # it closes alone again
            self._touching = 0
            out.append(Recovered(part="panel", at_ns=at_ns))
        return [*out, ButtonPressed(button=self._buttons[contact], at_ns=edge_ns)]

    def _watch_lever(self, contacts: int, settled: int, at_ns: int, out: list[BoardEvent]) -> None:
        fault = None
        if not contacts & self._lever:
            if self._flying_since is None:
                self._flying_since = at_ns
            elif at_ns - self._flying_since > self._flight_ns:
                fault = "both_open"
        else:
            self._flying_since = None
            if contacts & self._lever == self._lever and settled & self._lever == self._lever:
                fault = "both_closed"
        if fault != self._fault:
            if fault is not None:
                out.append(Faulted(part=PART, reason=fault, at_ns=at_ns))
            else:
                out.append(Recovered(part=PART, at_ns=at_ns))
            self._fault = fault
