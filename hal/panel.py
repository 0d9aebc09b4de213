"""The clock's lever and the buttons: debounced contacts of the panel become presses.

The lever is a changeover switch, so exactly one of its two contacts is closed. It has moved when one contact has closed
and the other is open, and that bears the first edge of what came last; both open is the lever in flight, and a fault when
it lasts; both closed cannot be and is a fault of the wiring at once. Where the wires close one of the two by themselves,
the other one alone says where the lever is. Lever and buttons have their own debounce times: the lever's are short because
time is what it measures.

The panel hangs on the wires of the ranks, and nobody may press who has not pressed: a contact that closes is believed
only while no wire closes it, which is asked until it has settled: its line may be low by itself or pulled by that of
another closed contact, and the panel's own line may touch another. Which wire it is, the test of the wires says. Where each
contact has a wire of its own that cannot be asked, a button that closes together with another contact is not believed, for
wires that touch look like that; two hands need to press again. Nor is one that presses faster than any finger, until it is
quiet. What is closed at power-up is where things stand and no press.
"""

from __future__ import annotations

from collections.abc import Callable

from hal.board import BoardEvent, ButtonPressed, Faulted, LeverMoved, Recovered, Side, SquareChanged
from hal.debounce import Debounce, ScanDebouncer
from hal.squares import squares_of
from hal.wiring import PanelWiring

S = 1_000_000_000

PART = "lever"

ASK_AGAIN_NS = S // 10
"""How long an answer about the wires holds while nothing changes on the panel: asking costs a third of a scan."""

QUIET_NS = 5 * S
"""Contacts that closed together, or again and again, are believed once they have been open for so long."""

SOUND_NS = S
"""How long nothing is wrong with the lever before that is told: a loose wire comes and goes."""

JAMMED_NS = 10 * S
"""Nobody holds a button for so long."""

RAPID = 8, 2 * S
"""More presses of one button than this, within this time, are none: no button needs four in a second."""


class Panel:
    """What the panel's contacts mean; ``unsure`` tells which of them the wires may close by themselves, and ``pulled_with``
    which lines a contact's (by its number from 0) pulls low besides its own, None where wires cannot be asked that."""

    def __init__(
        self,
        wiring: PanelWiring,
        stall_ms: float,
        unsure: Callable[[], int] = int,
        pulled_with: Callable[[int], int] | None = None,
    ) -> None:
        self._times = Debounce(close_ms=wiring.button_ms, open_ms=wiring.button_ms, stall_ms=stall_ms)
        self._lever_ms = wiring.lever_ms
        self._unsure, self._pulled_with = unsure, pulled_with
        self._debouncer: ScanDebouncer | None = None
        self._flight_ns = round(wiring.flight_ms * 1e6)
        self._sides: dict[int, Side] = {}  # by the contact's bit
        if wiring.lever_white:
            self._sides = {1 << wiring.lever_white - 1: "white", 1 << wiring.lever_black - 1: "black"}
        self._buttons = {line - 1: name for name, line in wiring.buttons.items()}
        self._lever = sum(self._sides)
        self._held = sum(1 << line for line in self._buttons)
        self._known = self._lever | self._held
        self._read = self._contacts = 0  # in the last scan: as read, and as believed
        self._fresh = 0  # closed in the last scan and not in the one before
        self._together = 0  # those that closed with something else
        self._touching = 0  # buttons that were not believed because of that
        self._touching_ns = 0  # when one of them was closed last
        self._doubted = 0  # contacts that the wires may have closed, when last asked
        self._asked_ns = 0
        self._closed_ns: dict[int, int] = {}  # button -> since when it is closed
        self._presses: dict[int, list[int]] = {}  # button -> its newest presses
        self._ill: dict[int, str] = {}  # button -> what is wrong with it
        self._lever_ns = 0  # first edge of the lever's last change
        self._open_ns: int | None = None  # since when the only contact that can be read is open
        self._flying_since: int | None = None
        self._fault: str | None = None
        self._sound_since: int | None = None
        self._has_rested_open = False  # the lever, in the middle: wherever it goes, a hand presses it
        self.down: Side | None = None

    def scan(self, contacts: int, at_ns: int) -> list[BoardEvent]:
        """What these contacts (bit n = contact n + 1 closed) mean at ``at_ns``; the first scan reports no press."""
        contacts &= self._known
        debouncer = self._debouncer
        if debouncer is None:
            # a button that is held must be seen open first; the lever has no press before it has stood somewhere
            debouncer = self._debouncer = ScanDebouncer(self._times, contacts & self._held, at_ns)
            for bit in self._sides:
                debouncer.set_times(bit.bit_length() - 1, self._lever_ms, self._lever_ms)
            self._ask(contacts, contacts, at_ns)
            self._closed_ns = dict.fromkeys(squares_of(contacts & self._held & ~self._doubted), at_ns)
        out: list[BoardEvent] = []
        unsettled = contacts & ~debouncer.occupancy
        self._ask(contacts, unsettled, at_ns)
        contacts &= ~(unsettled & self._doubted)
        self._compare(contacts)
        for event in debouncer.scan(contacts, at_ns):
            if not isinstance(event, SquareChanged):
                continue
            if event.square not in self._buttons:
                self._lever_ns = max(self._lever_ns, event.at_ns)
            elif event.occupied:
                self._closed_ns[event.square] = at_ns
                out += self._press(event.square, event.at_ns, at_ns)
            else:
                self._closed_ns.pop(event.square, None)
        if self._lever:
            side = self._side(debouncer.occupancy, at_ns)
            if side is not None and side != self.down:
                if self.down is not None or self._has_rested_open:
                    out.append(LeverMoved(down=side, at_ns=self._lever_ns))
                self.down = side
            self._watch_lever(contacts, debouncer.occupancy, at_ns, out)
        if self._touching or self._closed_ns or self._ill:
            self._watch_buttons(contacts, at_ns, out)
        return out

    def missed(self, at_ns: int) -> None:
        """A scan at ``at_ns`` could not be read: what the contacts did meanwhile nobody knows."""
        if self._debouncer is not None:
            self._debouncer.missed(at_ns)

    def _ask(self, contacts: int, unsettled: int, at_ns: int) -> None:
        """Have the wires asked while a contact settles, or while they are known to close one of the lever's."""
        changed, self._read = contacts != self._read, contacts
        blind = self._doubted & self._lever
        if not (unsettled or blind or (self._lever and contacts & self._lever == self._lever)):
            self._doubted = 0
        elif changed or unsettled & ~self._doubted or self._doubted < 0 or at_ns - self._asked_ns >= ASK_AGAIN_NS:
            unsure = self._unsure()
            self._doubted = unsure | self._pulled(contacts & ~unsure)
            self._asked_ns = at_ns

    def _pulled(self, contacts: int) -> int:
        """Those of these contacts that another one of them explains.

        One that is pulled and does not pull back has a diode behind it. Of two that pull each other a button is not
        believed; the lever has two contacts to be believed by.
        """
        if self._pulled_with is None or contacts.bit_count() < 2:
            return 0
        pulls = {contact: self._pulled_with(contact) & contacts for contact in squares_of(contacts)}
        pulled = 0
        for contact, others in pulls.items():
            for other in squares_of(others & ~(1 << contact)):
                if self._held >> other & 1 or not pulls[other] >> contact & 1:
                    pulled |= 1 << other
        return pulled

    def _compare(self, contacts: int) -> None:
        """Mark the contacts that close with something else: in one scan or two, for an edge may fall between two reads."""
        fresh = contacts & ~self._contacts
        self._contacts = contacts
        lately = fresh | self._fresh
        if lately and self._pulled_with is None:
            self._together = self._together & ~fresh | (lately if lately.bit_count() > 1 else 0)
        self._fresh = fresh

    # --- buttons ---

    def _press(self, contact: int, edge_ns: int, at_ns: int) -> list[BoardEvent]:
        bit = 1 << contact
        if self._together & bit:
            told, self._touching_ns = bool(self._touching), at_ns
            self._touching |= bit
            return [] if told else [Faulted(part="panel", reason="shorted_together", at_ns=at_ns)]
        out: list[BoardEvent] = []
        if self._touching & bit:  # it closes alone again
            self._touching = 0
            out.append(Recovered(part="panel", at_ns=at_ns))
        presses = self._presses.setdefault(contact, [])
        presses.append(edge_ns)
        most, within_ns = RAPID
        del presses[: -most - 1]
        if contact not in self._ill and len(presses) > most and edge_ns - presses[0] <= within_ns:
            self._ill[contact] = "chatter"
            out.append(Faulted(part=f"button {self._buttons[contact]}", reason="chatter", at_ns=at_ns))
        if contact not in self._ill:
            out.append(ButtonPressed(button=self._buttons[contact], at_ns=edge_ns))
        return out

    def _watch_buttons(self, contacts: int, at_ns: int, out: list[BoardEvent]) -> None:
        if contacts & self._touching:
            self._touching_ns = at_ns
        elif self._touching and at_ns - self._touching_ns >= QUIET_NS:
            self._touching = 0
            out.append(Recovered(part="panel", at_ns=at_ns))
        for contact, since_ns in self._closed_ns.items():
            if contact not in self._ill and at_ns - since_ns >= JAMMED_NS:
                self._ill[contact] = "stuck_closed"
                out.append(Faulted(part=f"button {self._buttons[contact]}", reason="stuck_closed", at_ns=at_ns))
        for contact, reason in list(self._ill.items()):
            is_open = contact not in self._closed_ns
            if is_open and (reason == "stuck_closed" or at_ns - self._presses[contact][-1] >= QUIET_NS):
                del self._ill[contact]
                out.append(Recovered(part=f"button {self._buttons[contact]}", at_ns=at_ns))

    # --- the lever ---

    def _side(self, settled: int, at_ns: int) -> Side | None:
        """Which end is down, None if nobody knows; of a lever with one contact on a bad wire by the other."""
        blind = self._doubted & self._lever
        if blind not in self._sides:
            self._open_ns = None
            return None if blind else self._sides.get(settled & self._lever)
        sure = self._lever & ~blind
        if settled & sure:
            self._open_ns = None
            return self._sides[sure]
        if self._open_ns is None:
            self._open_ns = at_ns
        # one that was only nudged comes back in flight
        return self._sides[blind] if at_ns - self._open_ns > self._flight_ns else None

    def _watch_lever(self, contacts: int, settled: int, at_ns: int, out: list[BoardEvent]) -> None:
        fault = None
        blind = self._doubted & self._lever
        if blind in self._sides:
            self._flying_since = None
        elif blind:
            fault = self._fault if self._doubted < 0 else "both_closed"  # below 0: nobody answers
        elif not contacts & self._lever:
            if self._flying_since is None:
                self._flying_since = at_ns
            elif at_ns - self._flying_since > self._flight_ns:
                fault = "both_open"
                self._has_rested_open = True
        else:
            self._flying_since = None
            if contacts & self._lever == self._lever and settled & self._lever == self._lever:
                fault = "both_closed"
        if fault is not None or self._fault is None:
            self._sound_since = None
        elif self._sound_since is None:
            self._sound_since = at_ns
        if fault is not None and fault != self._fault:
            out.append(Faulted(part=PART, reason=fault, at_ns=at_ns))
            self._fault = fault
        elif self._sound_since is not None and at_ns - self._sound_since >= SOUND_NS:
            out.append(Recovered(part=PART, at_ns=at_ns))
            self._fault = None
