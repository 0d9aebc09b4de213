"""A small display in a thread of its own: an SSD1306 through luma.oled, or an HD44780 through RPLCD.

A full picture takes a tenth of a second on a slow bus, so it is never drawn by the thread that scans, and only the
newest lines are drawn, at most five times a second. Both packages are extras; an error names the one to install. A
display that fails is tried again later: the game goes on without it.
"""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from hal.attempts import Attempts, Report
from hal.board import Text

SHORTEST_S = 0.2


class Screen(Protocol):
    """A chip that shows lines."""

    def draw(self, lines: tuple[str, ...]) -> None:
        """These lines and no others; an exception of any kind if the chip does not answer."""
        ...

    def close(self) -> None:
        """Clear and release."""
        ...


def wrapped(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """The first ``rows`` rows of ``columns`` characters that the lines fill, broken between words where that can be.

    >>> wrapped(["Promote to Q R B N?", "White to move"], 16, 2)
    ['Promote to Q R B', 'N?']
    """
    return [row for line in lines for row in textwrap.wrap(line, columns) or [""]][:rows]


def _extra(package: str, extra: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        raise OSError(f'this display needs an extra: pip install "touchmove[{extra}]"') from error


class Ssd1306:
    """An OLED of 128 x 64: six lines of 21 characters in the small font."""

    def __init__(self, bus: int, address: int) -> None:
        device = _extra("luma.oled.device", "display")
        serial = _extra("luma.core.interface.serial", "display")
        self._canvas = _extra("luma.core.render", "display").canvas
        self._trouble: type[Exception] = _extra("luma.core.error", "display").Error
        try:
            self._device = device.ssd1306(serial.i2c(port=bus, address=address))
        except self._trouble as error:  # luma's own kinds are no OSError
            raise OSError(str(error)) from error

    def draw(self, lines: tuple[str, ...]) -> None:
        """Draw the first six rows."""
        try:
            with self._canvas(self._device) as drawing:
                for row, line in enumerate(wrapped(lines, 21, 6)):
                    drawing.text((0, row * 10), line, fill="white")
        except self._trouble as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Dark."""
        try:
            self._device.cleanup()
        except self._trouble as error:
            raise OSError(str(error)) from error


class Hd44780:
    """A character display of 16 x 2 behind a PCF8574."""

    def __init__(self, bus: int, address: int) -> None:
        i2c = _extra("RPLCD.i2c", "lcd")
        self._lcd = i2c.CharLCD("PCF8574", address, port=bus, cols=16, rows=2, auto_linebreaks=False)

    def draw(self, lines: tuple[str, ...]) -> None:
        """Write both rows whole, padded: a clear would flicker."""
        for row, line in enumerate((*wrapped(lines, 16, 2), "", "")[:2]):
            self._lcd.cursor_pos = (row, 0)
            self._lcd.write_string(line.ljust(16))

    def close(self) -> None:
        """Dark."""
        self._lcd.close(clear=True)


class DisplayThread:
    """Draws the newest lines; after a failure again later, whatever has been written meanwhile."""

    def __init__(
        self,
        screen: Screen,
        report: Report = lambda _: None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """``wait`` lets that many seconds pass between two pictures; without one they end with `close`."""
        self._screen = screen
        self._attempts = Attempts("display", report)
        self._text = Text(lines=())
        self._shown: Text | None = None
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._wait = wait or self._closed.wait
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    def write(self, text: Text) -> None:
        """Show these lines; returns at once."""
        self._text = text
        self._wake.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.wait(self._attempts.left_s() or None)
            self._wake.clear()
            text = self._text
            if text == self._shown or self._closed.is_set() or self._attempts.left_s():
                continue
            if self._attempts.do(partial(self._screen.draw, text.lines)):
                self._shown = text
                self._wait(SHORTEST_S)

    def close(self) -> None:
        """Dark; may be called twice."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._wake.set()
        self._thread.join(2.0)
        if not self._thread.is_alive():  # one that hangs in its driver has the bus
            self._screen.close()
