"""A stand-in for the lgpio package under gpiozero's own pin factory, over the circuit: its calls, claims and errors.

Its error class is no ``OSError``, as the real one is not. A line is held from its first claim until it is freed or the
chip is closed; a pin that gpiozero closes is claimed again as an input and stays held.
"""

from __future__ import annotations

import sys
import threading
import types
from importlib import import_module


class LgpioError(Exception):
    """What the package raises."""


class LgpioModel(types.ModuleType):
    """The module; ``busy`` lines belong to others, ``failing`` makes every call fail."""

    error = LgpioError
    SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
    SET_PULL_UP = SET_BIAS_PULL_UP = 32
    SET_PULL_DOWN = SET_BIAS_PULL_DOWN = 64
    SET_PULL_NONE = SET_BIAS_DISABLE = 128
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    def __init__(self, net, wiring, busy=()):
        super().__init__("lgpio")
        self._net, self.busy = net, set(busy)
        self._drives = {gpio: n for n, gpio in enumerate((*wiring.matrix.drive, *wiring.matrix.panel))}
        self._senses = {gpio: n for n, gpio in enumerate(wiring.matrix.sense)}
        self.outputs = {}  # gpio -> whether it is an output, of every line that is held
        self._pulls = {}  # gpio -> the pull that was asked for last; a claim without flags leaves it
        self.open_chips = 0
        self.calls = 0
        self.failing = False

    def _called(self, gpio, claims=False):
        self.calls += 1
        if self.failing:
            raise LgpioError("I/O error")
        if claims and gpio in self.busy:
            raise LgpioError("GPIO busy")
        if not claims and gpio not in self.outputs:
            raise LgpioError("GPIO not allocated")

    def gpiochip_open(self, chip):
        """A handle."""
        self.open_chips += 1
        return chip

    def gpiochip_close(self, handle):
        """Frees all lines of the handle."""
        self.open_chips -= 1
        self.outputs.clear()

    def gpio_claim_input(self, handle, gpio, flags=0):
        """Claim or turn to input."""
        self._called(gpio, claims=True)
        self.outputs[gpio] = False
        self._pulls[gpio] = flags or self._pulls.get(gpio)
        if gpio in self._drives:
            self._net.drive(self._drives[gpio], None)
        elif gpio in self._senses:
            self._net.hold(self._senses[gpio], False)
        return 0

    def gpio_claim_output(self, handle, gpio, level=0, flags=0):
        """Claim or turn to output, at a level."""
        self._called(gpio, claims=True)
        self.outputs[gpio] = True
        self._drive(gpio, level)
        return 0

    def gpio_free(self, handle, gpio):
        """Give one line back."""
        self._called(gpio)
        del self.outputs[gpio]
        return 0

    def gpio_get_mode(self, handle, gpio):
        """Bit 1: output."""
        self._called(gpio)
        return 2 if self.outputs[gpio] else 0

    def gpio_read(self, handle, gpio):
        """The level."""
        self._called(gpio)
        assert self._pulls[gpio] == self.SET_PULL_UP, "an input without its pull-up floats"
        if gpio in self._drives:
            return int(self._net.drive_level(self._drives[gpio]))
        return int(self._net.level(self._senses[gpio]))

    def gpio_write(self, handle, gpio, level):
        """Drive an output."""
        self._called(gpio)
        assert self.outputs[gpio], "an input is written"
        self._drive(gpio, level)
        return 0

    def tx_pwm(self, handle, gpio, frequency, duty):
        """A square wave."""
        self._called(gpio)
        return 0

    def _drive(self, gpio, level):
        if gpio in self._drives:
            self._net.drive(self._drives[gpio], bool(level))
        elif gpio in self._senses:
            assert not level, "a sense line is driven high"
            self._net.hold(self._senses[gpio], True)


def install(model, monkeypatch):
    """Put the model in the package's place; gpiozero's factory is imported anew over it, on a Zero 2 W."""
    local = import_module("gpiozero.pins.local")
    monkeypatch.setitem(sys.modules, "lgpio", model)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0x902120)
    monkeypatch.setattr(local.LocalPiFactory, "pins", {})
    # a device that is collected while another is made takes the lock again
    monkeypatch.setattr(local.LocalPiFactory, "_res_lock", threading.RLock())
    monkeypatch.setattr(local.LocalPiFactory, "_reservations", type(local.LocalPiFactory._reservations)(list))
    return import_module("gpiozero.pins.lgpio").LGPIOFactory
