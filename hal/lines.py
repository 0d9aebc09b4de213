"""Drive and sense lines, one level above the pins: select one drive line, read all sense lines at once.

Two backends behind one door. `PinLines` works on gpiozero devices made with a pin factory that is handed in, so the
same code runs on a Pi and on simulated pins. `GroupLines` asks the kernel for whole groups through libgpiod and needs
two calls a line. Both keep an unselected line open (or high, if the wiring says so): with diodes both are right, but
an open line cannot fight a selected one through a diode that is shorted.

gpiozero's `InputDevice` is polled on purpose: `DigitalInputDevice` would raise an edge event in the kernel for each of
the 72 reads of a scan.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from hal.wiring import MatrixWiring


class Lines(Protocol):
    """Drive lines (0..7 the matrix, from 8 on the panel) and eight sense lines."""

    def select(self, drive: int | None) -> None:
        """Pull this drive line low and let go of all others; None lets go of all."""
        ...

    def read(self) -> int:
        """The sense lines now: bit n set = line n is low, that is, joined to the selected line."""
        ...

    def close(self) -> None:
        """Let go of every line; may be called twice."""
        ...


class PinLines:
    """Lines on gpiozero: ten pin operations a line, ninety a scan."""

    def __init__(self, wiring: MatrixWiring, pin_factory: Any) -> None:
        gpiozero = import_module("gpiozero")  # here and not above: it takes a second on a Zero
        self._high = wiring.idle == "high"
        self._selected: int | None = None
        self._devices: list[Any] = []
        gpio = 0
        try:
            drives = []
            for gpio in (*wiring.drive, *wiring.panel):
                # initial_value low: the latch stays low, so later switching to output is enough to select the line
                drive = gpiozero.OutputDevice(
                    gpio, active_high=False, initial_value=not self._high, pin_factory=pin_factory
                )
                self._devices.append(drive)
                drives.append(drive)
                if not self._high:
                    drive.pin.function = "input"
            for gpio in wiring.sense:
                self._devices.append(gpiozero.InputDevice(gpio, pull_up=True, pin_factory=pin_factory))
        except (gpiozero.GPIOZeroError, OSError) as error:
            self.close()
            raise OSError(f"GPIO{gpio} does not open: {error}; see hardware_docs/assembly.md, busy lines") from error
        self._drives = drives
        self._sense = [(device.pin, 1 << n) for n, device in enumerate(self._devices[len(drives) :])]

    def select(self, drive: int | None) -> None:
        """Pull one drive line low, let go of the one selected before."""
        drives = self._drives
        if self._selected is not None:
            if self._high:
                drives[self._selected].off()
            else:
                drives[self._selected].pin.function = "input"
        self._selected = drive
        if drive is not None:
            if self._high:
                drives[drive].on()
            else:
                drives[drive].pin.function = "output"

    def read(self) -> int:
        """The sense lines now, bit n = line n low."""
        low = 0
        for pin, bit in self._sense:
            if not pin.state:
                low |= bit
        return low

    def close(self) -> None:
        """All lines become inputs again."""
        for device in self._devices:
            device.close()
        self._devices = []


class GroupLines:
    """Lines on libgpiod: one call selects, one call reads; eighteen a scan, panel line included."""

    def __init__(self, wiring: MatrixWiring, gpiod: Any = None) -> None:
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
        line = gpiod.line
        self._low, self._free = line.Value.INACTIVE, line.Value.ACTIVE
        self._drive_gpios = (*wiring.drive, *wiring.panel)
        self._sense_gpios = wiring.sense
        self._selected: int | None = None
        drive = line.Drive.PUSH_PULL if wiring.idle == "high" else line.Drive.OPEN_DRAIN
        # Unless told otherwise a line keeps the pull of the Pi's reset, down for most: every free drive line would then
        # draw its ranks low.
        outputs = gpiod.LineSettings(
            direction=line.Direction.OUTPUT, drive=drive, bias=line.Bias.DISABLED, output_value=self._free
        )
        inputs = gpiod.LineSettings(direction=line.Direction.INPUT, bias=line.Bias.PULL_UP)
        self._requests: list[Any] = []
        try:
            self._out = gpiod.request_lines(wiring.chip, {self._drive_gpios: outputs}, consumer="touchmove")
            self._requests.append(self._out)
            self._in = gpiod.request_lines(wiring.chip, {self._sense_gpios: inputs}, consumer="touchmove")
            self._requests.append(self._in)
        except OSError as error:
            self.close()
            raise OSError(f"{wiring.chip} does not give its lines: {error}; see hardware_docs/assembly.md") from error

    def select(self, drive: int | None) -> None:
        """One call: the old line let go and the new one low."""
        values = {}
        if self._selected is not None:
            values[self._drive_gpios[self._selected]] = self._free
        if drive is not None:
            values[self._drive_gpios[drive]] = self._low
        self._selected = drive
        if values:
            self._out.set_values(values)

    def read(self) -> int:
        """One call for all sense lines, bit n = line n low."""
        low, bit, is_low = 0, 1, self._low
        for value in self._in.get_values():
            if value is is_low:
                low |= bit
            bit <<= 1
        return low

    def close(self) -> None:
        """Give the lines back to the kernel."""
        for request in self._requests:
            request.release()
        self._requests = []
