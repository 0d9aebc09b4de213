"""The board as a circuit: 64 switches, a diode each, nine or ten drive and eight sense lines, solved at the moment of
reading.

A sense line is pulled up and reads low if current can flow from it through a closed switch and its diode into a drive
line that is low. A diode that is shorted lets a low sense line pull a free drive line low too, and so on: ghosts come
out of the circuit and not out of a rule. A free line takes any level; a line driven high against a low path is
*contention*, counted, for on a real board it is a current. After a change of the drive lines the sense lines keep their
old levels for ``settle_us``. All faults can be set and mended while it runs.

`make_pins` puts the circuit behind gpiozero's mock pins, so that the real scanner runs on it unchanged. The mock keeps
a history of every pin state for ever; these pins keep none.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Literal

from hal.squares import squares_of
from hal.wiring import Wiring

DiodeFault = Literal["shorted", "open", "reversed"]
"""``shorted`` also stands for a diode that was left out and bridged; ``open`` for one that is broken or cold
soldered."""


class Net:
    """The circuit; drives 0..7 and from 8 on the panel, senses 0..7; ``now_ns`` is set by whoever owns the time."""

    def __init__(self, wiring: Wiring, seed: int = 0) -> None:
        self.now_ns = 0
        self.contentions = 0
        self.operations = 0  # pin operations, for those who count
        self.settle_us = 10.0
        self.spike_rate = 0.0  # chance of a wrong level per read
        self.diodes: dict[int, DiodeFault] = {}  # by square; 64 + n: of the panel's contact n + 1
        self.resistive: dict[int, int] = {}  # square -> reads open while this many others are closed on its drive line
        self.open_drives: set[int] = set()
        self.open_senses: set[int] = set()
        self.low_drives: set[int] = set()
        self.low_senses: set[int] = set()
        self.shorted_senses: set[tuple[int, int]] = set()
        self.shorted_drives: set[tuple[int, int]] = set()
        self._held: int | None = None  # the sense line that its own pin pulls low
        self._random = Random(seed)
        self._place = {wiring.square(drive, sense): (drive, sense) for drive in range(8) for sense in range(8)}
        self._drives = 8 + len(wiring.matrix.panel)
        self._squares = 0
        self._panel = 0
        self._driven: list[bool | None] = [None] * self._drives  # True high, False low, None free
        self._low = 0
        self._low_drives = 0
        self._old = 0, 0
        self._dirty = True
        self._settled_ns = 0
        self._spike_in: int | None = None  # reads until the next one; drawn when first needed
        self.touched()

    def touched(self) -> None:
        """Work the switches and faults in; to be called after changing a fault."""
        forward = [0] * self._drives  # drive low -> senses low
        backward = [0] * 8  # sense low -> free drives low
        closed_on = [0] * 9
        for square in range(64):
            if self._squares >> square & 1:
                closed_on[self._place[square][0]] += 1
        for square, (drive, sense) in self._place.items():
            if not self._squares >> square & 1:
                continue
            if square in self.resistive and closed_on[drive] - 1 >= self.resistive[square]:
                continue
            diode = self.diodes.get(square)
            if diode in (None, "shorted"):
                forward[drive] |= 1 << sense
            if diode in ("shorted", "reversed"):
                backward[sense] |= 1 << drive
        for line in range(8, self._drives):
            forward[line] = row = self._panel >> 8 * (line - 8) & 0xFF
            for sense in squares_of(row):
                diode = self.diodes.get(64 + 8 * (line - 8) + sense)
                if diode in ("open", "reversed"):
                    forward[line] &= ~(1 << sense)
                if diode in ("shorted", "reversed"):
                    backward[sense] |= 1 << line
        self._forward, self._backward = forward, backward
        faults = (self.open_drives, self.open_senses, self.low_drives, self.low_senses, self.shorted_senses)
        self._is_sound = not any(backward) and not any(faults) and not self.shorted_drives
        self._dirty = True

    def set_switches(self, squares: int, panel: int) -> None:
        """The contacts now: bit n of ``squares`` = square n, of ``panel`` = panel contact n + 1."""
        if squares != self._squares or panel != self._panel:
            self._squares, self._panel = squares, panel
            self.touched()

    def drive(self, line: int, level: bool | None) -> None:
        """A drive pin changes: True high, False low, None free."""
        if self._driven[line] is level:
            return
        self._changes()
        self._driven[line] = level

    def hold(self, sense: int, is_low: bool) -> None:
        """A sense line's pin becomes an output that is low, or an input again."""
        if (self._held == sense) is is_low:
            return
        self._changes()
        self._held = sense if is_low else None

    def _changes(self) -> None:
        """A pin changes now: the lines keep their levels until they have settled."""
        if self.now_ns >= self._settled_ns:
            if self._dirty:
                self._solve()
            self._old = self._low, self._low_drives
        self._dirty = True
        self._settled_ns = self.now_ns + int(self.settle_us * 1000)

    def level(self, sense: int) -> bool:
        """What the pin of a sense line reads now: True high."""
        if self.now_ns < self._settled_ns:
            low = self._old[0]
        else:
            if self._dirty:
                self._solve()
            low = self._low
        is_high = not low >> sense & 1
        return self._disturbed(is_high) if self.spike_rate else is_high

    def drive_level(self, line: int) -> bool:
        """What the pin of a free drive line with its pull-up reads now: True high."""
        if self.now_ns < self._settled_ns:
            low = self._old[1]
        else:
            if self._dirty:
                self._solve()
            low = self._low_drives
        is_high = not low >> line & 1
        return self._disturbed(is_high) if self.spike_rate else is_high

    def _disturbed(self, is_high: bool) -> bool:
        """The same, but for the read that a spike falls on."""
        if self._spike_in is None:
            self._spike_in = int(self._random.expovariate(self.spike_rate))
        self._spike_in -= 1
        if self._spike_in < 0:
            self._spike_in = None
            return not is_high
        return is_high

    def wait(self, microseconds: float) -> None:
        """Let time pass, as the scanner does between selecting and reading."""
        self.now_ns += round(microseconds * 1000)

    def _solve(self) -> None:
        """Find the sense lines and the drive lines that read low, bit n = line n."""
        self._dirty = False
        forward, backward = self._forward, self._backward
        held = 0 if self._held is None else 1 << self._held
        if self._is_sound:
            low = held
            for line, level in enumerate(self._driven):
                if level is False:
                    low |= forward[line]
            self._low, self._low_drives = low, 0
            return
        low_drives = [
            line for line in range(self._drives) if self._driven[line] is False and line not in self.open_drives
        ]
        low_drives += [line for line in self.low_drives if line not in low_drives]
        low = 0 if self._held in self.open_senses else held
        for sense in self.low_senses:
            low |= 1 << sense
        seen = set(low_drives)
        while True:
            self._spread(low_drives, seen)
            reached = low
            for drive in low_drives:
                reached |= forward[drive]
            for one, other in self.shorted_senses:
                if reached >> one & 1 or reached >> other & 1:
                    reached |= 1 << one | 1 << other
            fresh = reached & ~low
            low = reached
            low_drives = []
            for sense in range(8):
                if low >> sense & 1 and backward[sense]:
                    for drive in range(self._drives):
                        if backward[sense] >> drive & 1 and drive not in seen:
                            seen.add(drive)
                            if self._driven[drive] is True and drive not in self.open_drives:
                                self.contentions += 1
                            else:
                                low_drives.append(drive)
            if not fresh and not low_drives:
                break
        for drive in self.low_drives:
            if self._driven[drive] is True:
                self.contentions += 1
        for sense in self.open_senses:
            low &= ~(1 << sense)
        self._low = low | held
        self._low_drives = sum(1 << line for line in seen if line not in self.open_drives)

    def _spread(self, low_drives: list[int], seen: set[int]) -> None:
        """A drive line that is low pulls the one it touches."""
        for pair in self.shorted_drives:
            for one, other in (pair, pair[::-1]):
                if one in low_drives and other not in seen:
                    seen.add(other)
                    low_drives.append(other)
                    self.contentions += self._driven[other] is True


def make_pins(net: Net, wiring: Wiring, revision: str = "902120") -> Any:
    """A gpiozero mock factory (of a Zero 2 W unless told otherwise) whose pins are this circuit's."""
    mock = import_module("gpiozero.pins.mock")

    class DrivePin(mock.MockPin):  # type: ignore[misc, name-defined]
        """A drive line's pin: tells the circuit what it does."""

        _state: bool

        def __init__(self, factory: Any, info: Any, line: int) -> None:
            self._line = line
            super().__init__(factory, info)

        def _tell(self) -> None:
            net.drive(self._line, self._state if self._function == "output" else None)

        def _set_function(self, value: str) -> None:
            net.operations += 1
            if value == "input":
                self._function = value
            else:
                super()._set_function(value)
            self._tell()

        def _get_state(self) -> bool:
            net.operations += 1
            if self._function == "output":
                return self._state
            return self._pull == "up" and net.drive_level(self._line)  # without its pull-up it may read anything

        def _set_pull(self, value: str) -> None:
            net.operations += 1
            self._pull = value

        def _set_state(self, value: bool) -> None:
            net.operations += 1
            super()._set_state(value)

        def _change_state(self, value: bool) -> bool:
            changed = self._state != value
            self._state = value
            if changed:
                self._tell()
            return changed

        def clear_states(self) -> None:
            """No history: it would grow by a gigabyte an hour."""

    class SensePin(mock.MockPin):  # type: ignore[misc, name-defined]
        """A sense line's pin: asks the circuit."""

        def __init__(self, factory: Any, info: Any, line: int) -> None:
            self._line = line
            super().__init__(factory, info)

        def _set_function(self, value: str) -> None:
            net.operations += 1
            super()._set_function(value)
            net.hold(self._line, value == "output")

        def _get_state(self) -> bool:
            net.operations += 1
            return net.level(self._line)

        def _change_state(self, value: bool) -> bool:
            return False

        def clear_states(self) -> None:
            """No history."""

    factory = mock.MockFactory(revision=revision)
    for line, gpio in enumerate((*wiring.matrix.drive, *wiring.matrix.panel)):
        factory.pin(gpio, pin_class=DrivePin, line=line)
    for line, gpio in enumerate(wiring.matrix.sense):
        factory.pin(gpio, pin_class=SensePin, line=line)
    return factory
