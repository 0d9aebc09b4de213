"""Drive and sense lines, one level above the pins: select one drive line, read all sense lines at once.

Two backends behind one door. `PinLines` works on gpiozero devices made with a pin factory that is handed in, so the
same code runs on a Pi and on simulated pins. `GroupLines` asks the kernel for whole groups through libgpiod and needs
two calls a line. Both keep an unselected line open (or high, if the wiring says so): with diodes both are right, but
an open line cannot fight a selected one through a diode that is shorted. An open line has its pin's pull-up, 50 k that no
diode lets flow anywhere: so it can be heard whether something else pulls it.

gpiozero's `InputDevice` is polled on purpose: `DigitalInputDevice` would raise an edge event in the kernel for each of
the 72 reads of a scan.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

from hal.gpio_chips import cure, header_chip
from hal.pins import pin_errors, words_of
from hal.wiring import MatrixWiring


class Lines(Protocol):
    """Drive lines (0..7 the matrix, from 8 on the panel) and eight sense lines."""

    @property
    def hears(self) -> bool:
        """Whether drive lines can be heard: not where idle ones are driven high, for such pins show only themselves."""
        ...

    def select(self, drive: int | None) -> None:
        """Pull this drive line low and let go of all others; None lets go of all."""
        ...

    def read(self) -> int:
        """The sense lines now: bit n set = line n is low, that is, joined to the selected line."""
        ...

    def heard(self) -> int:
        """The drive lines that are low though nothing of ours pulls them: bit n = line n.

        Each has a pull-up and no current through its diodes, so whatever pulls it low is joined to it. The line that is
        selected is not among them.
        """
        ...

    def hold(self, sense: int | None) -> None:
        """Pull this sense line low by its own pin and let go of the one held before; None: of that only.

        Diodes keep it from the others, so whatever is low with it is joined to it. A resistor in the line limits what the
        pin carries if it touches the supply, and that for no longer than a settle time.
        """
        ...

    def close(self) -> None:
        """Let go of every line; may be called twice."""
        ...


class PinLines:
    """Lines on gpiozero: ten pin operations a line and ninety a scan; two more a line where idle lines are high.

    A write asks for the line's direction first, so that letting go of a line and selecting one takes four calls there and
    two with open lines. Whatever fails is an ``OSError`` that names the pin.
    """

    def __init__(self, wiring: MatrixWiring, pin_factory: Any) -> None:
        gpiozero = import_module("gpiozero")  # here and not above: it takes a second on a Zero
        self._high = wiring.idle == "high"
        self.hears = not self._high
        self._selected: int | None = None
        self._devices: list[Any] = []
        try:
            for gpio in (*wiring.drive, *wiring.panel):
                with pin_errors(f"GPIO{gpio} does not open"):
                    # initial_value low: the latch stays low, so later switching to output is enough to select the line
                    drive = gpiozero.OutputDevice(
                        gpio, active_high=False, initial_value=not self._high, pin_factory=pin_factory
                    )
                    self._devices.append(drive)
                    if not self._high:
                        drive.pin.function = "input"
                        drive.pin.pull = "up"
            self._drives = list(self._devices)
            for gpio in wiring.sense:
                with pin_errors(f"GPIO{gpio} does not open"):
                    self._devices.append(gpiozero.InputDevice(gpio, pull_up=True, pin_factory=pin_factory))
        except OSError as error:
            with suppress(OSError):
                self.close()
            raise OSError(f"{error}; see hardware_docs/assembly.md, busy lines") from error
        self._sense = [(device.pin, 1 << n) for n, device in enumerate(self._devices[len(self._drives) :])]
        self._held: int | None = None

    def select(self, drive: int | None) -> None:
        """Pull one drive line low, let go of the one selected before."""
        line = self._selected
        try:
            if line is not None:
                if self._high:
                    self._drives[line].off()
                else:
                    self._drives[line].pin.function = "input"
            self._selected = line = drive
            if line is not None:
                if self._high:
                    self._drives[line].on()
                else:
                    self._drives[line].pin.function = "output"
        except Exception as error:  # as in hal.pins, without a context that would be made eighteen times a scan
            raise OSError(f"{self._drives[line or 0].pin.info.name}: {words_of(error)}") from error

    def read(self) -> int:
        """The sense lines now, bit n = line n low."""
        low = 0
        pin = None
        try:
            for pin, bit in self._sense:
                if not pin.state:
                    low |= bit
        except Exception as error:
            raise OSError(f"{pin.info.name if pin else 'no line'}: {words_of(error)}") from error
        return low

    def heard(self) -> int:
        """The drive lines that something else pulls low; one that reads low is given its pull-up again and read anew."""
        low = 0
        if self.hears:
            for line, device in enumerate(self._drives):
                if line != self._selected:
                    with pin_errors(device.pin.info.name):
                        if not device.pin.state:
                            device.pin.pull = "up"  # a pin that was an output in between may have lost it
                            low |= 1 << line
        return low

    def hold(self, sense: int | None) -> None:
        """A sense line becomes an output that is low, and an input with its pull-up again."""
        if self._held is not None:
            pin, _ = self._sense[self._held]
            with pin_errors(f"{pin.info.name} does not become an input again"):
                pin.function = "input"
                pin.pull = "up"  # some of gpiozero's factories forget it
            self._held = None
        if sense is not None:
            pin, _ = self._sense[sense]
            self._held = sense
            with pin_errors(f"{pin.info.name} does not become an output"):
                pin.function = "output"
                pin.state = 0

    def close(self) -> None:
        """All lines become inputs again; what does not is kept, to be closed with the next call."""
        left, failure = [], None
        for device in self._devices:
            try:
                with pin_errors("a line is not given back"):
                    device.close()
            except OSError as error:
                left.append(device)
                failure = error
        self._devices = left
        if failure is not None:
            raise failure


class GroupLines:
    """Lines on libgpiod: one call selects, one call reads; eighteen a scan, panel line included."""

    def __init__(self, wiring: MatrixWiring, chip: str = "", gpiod: Any = None) -> None:
        """``chip`` is a device file; without one it is the wiring's, found by its label."""
        if gpiod is None:
            try:
                gpiod = import_module("gpiod")
            except ImportError as error:
                raise OSError(
                    'backend = "lines" needs the package gpiod: pip install "touchmove[lines]", or set backend = "pins"'
                ) from error
        if not hasattr(gpiod, "request_lines"):
            raise OSError(
                f'backend = "lines" needs gpiod 2.2 or later, and {getattr(gpiod, "__version__", "an older one")} is'
                ' installed: pip install "touchmove[lines]" in an environment without the system\'s package, or set'
                ' backend = "pins"'
            )
        chip = chip or header_chip(wiring.chip)
        line = gpiod.line
        self._low, self._free = line.Value.INACTIVE, line.Value.ACTIVE
        self._drive_gpios = (*wiring.drive, *wiring.panel)
        self._sense_gpios = wiring.sense
        self._selected: int | None = None
        self._unsure = False  # a call failed, and which lines it set nobody knows
        drive = line.Drive.PUSH_PULL if wiring.idle == "high" else line.Drive.OPEN_DRAIN
        # Unless told otherwise a line keeps the pull of the Pi's reset, down for most: every free drive line would then
        # draw its ranks low.
        bias = line.Bias.DISABLED if wiring.idle == "high" else line.Bias.PULL_UP
        outputs = gpiod.LineSettings(direction=line.Direction.OUTPUT, drive=drive, bias=bias, output_value=self._free)
        self.hears = wiring.idle != "high"
        inputs = gpiod.LineSettings(direction=line.Direction.INPUT, bias=line.Bias.PULL_UP)
        self._inputs = inputs
        self._pulled = gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=self._low)
        self._requests: list[Any] = []
        self._out = self._requested(gpiod, chip, self._drive_gpios, outputs, "drive and panel")
        self._in = self._requested(gpiod, chip, self._sense_gpios, inputs, "sense")

    def _requested(self, gpiod: Any, chip: str, gpios: tuple[int, ...], settings: Any, keys: str) -> Any:
        """Lines of the chip, in one request; an ``OSError`` that names them, and of busy ones who has which."""
        try:
            request = gpiod.request_lines(chip, {gpios: settings}, consumer="touchmove")
        except OSError as error:
            self.close()
            wanted = ", ".join(map(str, gpios))
            raise OSError(
                f"{chip} does not give GPIO {wanted} ([matrix] {keys}): {cure(error)}{_holders(gpiod, chip, gpios)};"
                " see hardware_docs/assembly.md, busy lines"
            ) from error
        self._requests.append(request)
        return request

    def select(self, drive: int | None) -> None:
        """One call: the old line let go and the new one low; after a call that failed all lines are set."""
        values = dict.fromkeys(self._drive_gpios, self._free) if self._unsure else {}
        if self._selected is not None:
            values[self._drive_gpios[self._selected]] = self._free
        if drive is not None:
            values[self._drive_gpios[drive]] = self._low
        if values:
            self._unsure = True
            self._out.set_values(values)
            self._unsure = False
        self._selected = drive

    def read(self) -> int:
        """One call for all sense lines, bit n = line n low."""
        low, bit, is_low = 0, 1, self._low
        for value in self._in.get_values():
            if value is is_low:
                low |= bit
            bit <<= 1
        return low

    def heard(self) -> int:
        """One call for all drive lines."""
        if not self.hears:
            return 0
        values = self._out.get_values()
        return sum(1 << n for n, value in enumerate(values) if value is self._low and n != self._selected)

    def hold(self, sense: int | None) -> None:
        """One call: all sense lines inputs but for this one."""
        held = self._sense_gpios[sense] if sense is not None else None
        config = {tuple(gpio for gpio in self._sense_gpios if gpio != held): self._inputs}
        if held is not None:
            config[(held,)] = self._pulled
        self._in.reconfigure_lines(config)

    def close(self) -> None:
        """Give the lines back to the kernel."""
        for request in self._requests:
            request.release()
        self._requests = []


def _holders(gpiod: Any, chip: str, gpios: tuple[int, ...]) -> str:
    """Which of these lines are held, and by whom as the kernel has it; nothing if it does not say."""
    with suppress(Exception), gpiod.Chip(chip) as opened:  # whatever goes wrong here, the first error is what is told
        lines = [opened.get_line_info(gpio) for gpio in gpios]
        held = [f"GPIO{line.offset} by {line.consumer or 'the kernel'}" for line in lines if line.used]
        return f" ({', '.join(held)})" if held else ""
    return ""
