"""A stand-in for the gpiod package over the circuit: only what was requested may be used, and as it was requested.

A request that leaves the bias as it is gets what the Pi has after a reset: GPIO 0 to 8 are pulled up, all others down. A
free drive line with a pull-down takes current from every sense line that is joined to it, 50 k against 50 k, and less
with each further one: here it counts as low.

Source: BCM2835 ARM Peripherals, table 6-31 (pulls after reset); gpiod 2.5, ``LineSettings`` and ``line.Bias``.
"""

from __future__ import annotations

import os
from enum import Enum


class Value(Enum):
    """A line's logical value."""

    INACTIVE = 0
    ACTIVE = 1


class Direction(Enum):
    """Which way a line goes."""

    INPUT = 2
    OUTPUT = 3


class Drive(Enum):
    """How an output drives."""

    PUSH_PULL = 1
    OPEN_DRAIN = 2


class Bias(Enum):
    """How a line is pulled, input or output."""

    AS_IS = 1
    DISABLED = 3
    PULL_UP = 4
    PULL_DOWN = 5


class line:  # noqa: N801 - gpiod's own name
    """The submodule of the same name."""

    Value, Direction, Drive, Bias = Value, Direction, Drive, Bias


class LineSettings:
    """What is asked for when lines are requested."""

    def __init__(self, *, direction, drive=Drive.PUSH_PULL, bias=Bias.AS_IS, output_value=Value.INACTIVE):
        self.direction, self.drive, self.bias, self.output_value = direction, drive, bias, output_value


class LineInfo:
    """What the kernel says of a line."""

    def __init__(self, offset, consumer):
        self.offset, self.used, self.consumer = offset, consumer is not None, consumer or ""


class GpiodModel:
    """The module: `line`, `LineSettings`, `request_lines`, `Chip`. ``busy``: GPIO -> its holder, empty if nameless."""

    line = line
    LineSettings = LineSettings

    def __init__(self, net, wiring, busy=None):
        self._net, self._busy = net, busy or {}
        self._drives = {gpio: n for n, gpio in enumerate((*wiring.drive, *wiring.panel))}
        self._senses = {gpio: n for n, gpio in enumerate(wiring.sense)}
        self.calls = 0
        self.held = set()
        self.error = None
        """The number of the error with which every request fails."""
        self.lines_set = 0
        """By the last call."""
        self.interrupted = False
        """Whether the next call that sets lines does half of it and fails."""

    def Chip(self, path):
        """A chip, to ask for its lines."""
        self.path = path
        return self

    def __enter__(self):
        """Open."""
        return self

    def __exit__(self, *_):
        """Closed."""

    def get_line_info(self, gpio):
        """One line."""
        return LineInfo(gpio, self._busy.get(gpio, "touchmove" if gpio in self.held else None))

    def request_lines(self, chip, config, consumer):
        """Claim lines; one that is held or busy is refused as the kernel does."""
        assert chip == "/dev/gpiochip0"
        assert consumer
        if self.error is not None:
            raise OSError(self.error, os.strerror(self.error))
        ((offsets, settings),) = config.items()
        if any(offset in self.held or offset in self._busy for offset in offsets):
            raise OSError(16, "Device or resource busy")
        self.held |= set(offsets)
        request = Request(self, offsets, settings)
        if settings.direction is Direction.OUTPUT:
            for offset in offsets:
                request.apply(offset, settings.output_value)
        else:
            for offset in offsets:
                assert request.pull(offset) is Bias.PULL_UP, f"sense line GPIO{offset} without its pull-up floats"
        return request


class Request:
    """A group of lines."""

    def __init__(self, model, offsets, settings):
        self._model, self._offsets, self._settings = model, offsets, settings

    def pull(self, offset):
        """How a line is pulled: as it was requested, or as it was after the reset."""
        if self._settings.bias is not Bias.AS_IS:
            return self._settings.bias
        return Bias.PULL_UP if offset <= 8 else Bias.PULL_DOWN

    def apply(self, offset, value):
        """Drive one line."""
        if value is Value.INACTIVE:
            level = False
        elif self._settings.drive is Drive.PUSH_PULL:
            level = True
        else:
            level = False if self.pull(offset) is Bias.PULL_DOWN else None
        self._model._net.drive(self._model._drives[offset], level)

    def set_values(self, values):
        """One call for several lines."""
        assert self._settings.direction is Direction.OUTPUT
        self._model.calls += 1
        self._model.lines_set = len(values)
        if self._model.interrupted:  # half of it is done
            self._model.interrupted = False
            for offset, value in list(values.items())[-1:]:
                self.apply(offset, value)
            raise OSError(5, "Input/output error")
        for offset, value in values.items():
            assert offset in self._offsets
            self.apply(offset, value)

    def get_values(self):
        """One call for all lines."""
        self._model.calls += 1
        net, model = self._model._net, self._model
        if self._settings.direction is Direction.INPUT:
            levels = [net.level(model._senses[offset]) for offset in self._offsets]
        else:
            assert self._settings.drive is Drive.OPEN_DRAIN, "a line that is driven shows only itself"
            assert all(self.pull(offset) is Bias.PULL_UP for offset in self._offsets), "a free line floats"
            levels = [net.drive_level(model._drives[offset]) for offset in self._offsets]
        return [Value.ACTIVE if level else Value.INACTIVE for level in levels]

    def reconfigure_lines(self, config):
        """One call for all lines of the request: one sense line may become an output that is low."""
        self._model.calls += 1
        assert sorted(offset for offsets in config for offset in offsets) == sorted(self._offsets)
        for offsets, settings in config.items():
            for offset in offsets:
                is_low = settings.direction is Direction.OUTPUT
                assert is_low or settings.bias is Bias.PULL_UP
                assert not is_low or settings.output_value is Value.INACTIVE
                self._model._net.hold(self._model._senses[offset], is_low)

    def release(self):
        """Give the lines back."""
        self._model.held -= set(self._offsets)
