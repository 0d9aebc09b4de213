"""A small display in a thread of its own: an SSD1306 through luma.oled, or an HD44780 through RPLCD.

A full picture takes a tenth of a second on a slow bus, so it is never drawn by the thread that scans, and only the
newest lines are drawn, at most five times a second. Both packages are extras; an error names the one to install. A
display that fails is tried again later: the game goes on without it.

A chip whose supply was interrupted has forgotten its set-up and does not say so. Both packages set theirs up once, when
their object is made. So a screen can be woken: that is done before the first picture, after each failure, and every few
seconds with the same picture, without anything to be seen of it on a chip that was well.

Source: Solomon Systech SSD1306 data sheet and its application note; Hitachi HD44780U data sheet, figure 24 (4-bit
interface, initialising by instruction).
"""

from __future__ import annotations

import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from hal.attempts import Attempts, Report
from hal.board import Text

SHORTEST_S = 0.2
"""From one picture to the next: nobody reads faster, and a slow bus takes half of that for one."""

AGAIN_S = 5.0
"""How often a chip is woken and drawn anew: a cable that was out unnoticed leaves the panel dark for no longer."""

HOME_MS = 2.0
"""What an HD44780 needs to take its cursor home, 1.52 ms, with its oscillator at its slowest."""

POWER_UP_MS = 4.5
"""Between the first settings of an HD44780 that has just got its supply."""


class Screen(Protocol):
    """A chip that shows lines."""

    def wake(self) -> None:
        """Open what is not open and set the chip up from any state; on one that was well nothing is to be seen of it."""
        ...

    def draw(self, lines: tuple[str, ...]) -> None:
        """These lines and no others; an exception of any kind if the chip does not answer."""
        ...

    def close(self) -> None:
        """Dark, and released even where the chip no longer answers; nothing if it is not open."""
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
    """An OLED of 128 x 64: six lines of 21 characters in the small font.

    luma's device is made once: each stays in the memory until the program ends. It has this object for its bus, which keeps
    what luma sends when the device is made and sends that again at each `wake`.
    """

    def __init__(self, bus: int, address: int) -> None:
        self._bus, self._address = bus, address
        self._serial: Any = None
        self._device: Any = None
        self._set_up: list[int] = []

    def wake(self) -> None:
        """Off, all settings, on: in one transfer, so that a panel that was lit is dark for 3 ms at most."""
        serial = _extra("luma.core.interface.serial", "display")
        if self._device is None:
            self._set_up = []
            self._device = _extra("luma.oled.device", "display").ssd1306(self)
        with self._luma_errors():
            if self._serial is None:
                self._serial = serial.i2c(port=self._bus, address=self._address)
            self._serial.command(*self._set_up)

    def draw(self, lines: tuple[str, ...]) -> None:
        """Draw the first six rows."""
        canvas = _extra("luma.core.render", "display").canvas
        with self._luma_errors(), canvas(self._device) as drawing:
            for row, line in enumerate(wrapped(lines, 21, 6)):
                drawing.text((0, row * 10), line, fill="white")

    def close(self) -> None:
        """Dark."""
        if self._serial is None:
            return
        try:
            with self._luma_errors():
                self._device.hide()
                self._device.clear()
        finally:
            self._release()

    def command(self, *sent: int) -> None:
        """For luma: a command to the chip, or one of its set-up while the device is being made."""
        if self._device is not None:
            self._opened().command(*sent)
        elif sent[0] != 0x21:  # the window of the picture with which luma clears
            self._set_up += sent

    def data(self, sent: list[int]) -> None:
        """For luma: a picture."""
        if self._device is not None:
            self._opened().data(sent)

    def cleanup(self) -> None:
        """For luma, at the end of the program."""
        self._release()

    def _opened(self) -> Any:
        if self._serial is None:
            raise OSError("the display is not open")
        return self._serial

    def _release(self) -> None:
        serial, self._serial = self._serial, None
        if serial is not None:
            serial.cleanup()

    @contextmanager
    def _luma_errors(self) -> Iterator[None]:
        """luma's own kinds, which are no ``OSError``, as one; after any failure the bus is opened anew."""
        trouble = _extra("luma.core.error", "display").Error
        try:
            yield
        except Exception as error:
            with suppress(Exception):
                self._release()
            if isinstance(error, trouble):
                raise OSError(str(error)) from error
            raise


class Hd44780:
    """A character display of 16 x 2 behind a PCF8574.

    It takes a byte in two halves and counts them: one that is lost, as at a failed write, has it out of step from then on.
    `wake` brings it into step again.
    """

    def __init__(self, bus: int, address: int) -> None:
        self._bus, self._address = bus, address
        self._lcd: Any = None

    def wake(self) -> None:
        """Into step from any state: to one in step these are four times "cursor home", to any other its initialising."""
        is_new = self._lcd is None
        if is_new:
            self._open()
        with self._released_if_it_fails():
            for command, pause_ms in ((0x03, POWER_UP_MS), (0x03, POWER_UP_MS), (0x03, HOME_MS), (0x02, HOME_MS)):
                self._lcd.command(command)
                time.sleep(pause_ms / 1000)
            for command in (0x28, 0x0C, 0x06):  # 4 bits and two lines; on, without cursor; to the right
                self._lcd.command(command)
            if is_new:
                self._lcd.clear()
            self._lcd._content = [[-1] * 16 for _ in range(2)]  # RPLCD writes only what differs from this

    def _open(self) -> None:
        """The bus alone: RPLCD's own initialising is too quick for a chip that was at work, and puts it out of step."""
        kind = _extra("RPLCD.i2c", "lcd").CharLCD
        self._lcd = kind.__new__(kind)  # kept before it is made: RPLCD leaves its bus open where that fails
        self._lcd._send_instruction = lambda value: None
        with self._released_if_it_fails():
            self._lcd.__init__("PCF8574", self._address, port=self._bus, cols=16, rows=2, auto_linebreaks=False)
        del self._lcd._send_instruction

    def draw(self, lines: tuple[str, ...]) -> None:
        """Write both rows whole, padded: a clear would flicker."""
        with self._released_if_it_fails():
            for row, line in enumerate((*wrapped(lines, 16, 2), "", "")[:2]):
                self._lcd.cursor_pos = (row, 0)
                self._lcd.write_string(line.ljust(16))

    def close(self) -> None:
        """Dark, its lamp too."""
        if self._lcd is None:
            return
        try:
            self._lcd.clear()
            self._lcd.backlight_enabled = False
        finally:
            self._release()

    def _release(self) -> None:
        lcd, self._lcd = self._lcd, None
        bus = getattr(lcd, "bus", None)  # RPLCD never closes it
        if bus is not None:
            bus.close()

    @contextmanager
    def _released_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except Exception:
            with suppress(Exception):
                self._release()
            raise


class DisplayThread:
    """Draws the newest lines, and old ones again now and then; after a failure again later, the newest by then."""

    def __init__(
        self,
        screen: Screen,
        report: Report = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wakes the screen; one that does not open is reported, and tried again as after any other failure."""
        self._screen = screen
        self._clock = clock
        self._attempts = Attempts("display", report, clock)
        self._text = Text(lines=())
        is_awake = self._attempts.do(screen.wake, "not_opened")
        self._shown = self._text if is_awake else None
        self._woken_s = clock() if is_awake else float("-inf")
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)

    def start(self) -> None:
        """Draw from now on."""
        self._thread.start()

    def write(self, text: Text) -> None:
        """Show these lines; returns at once."""
        self._text = text
        self._wake.set()

    def refresh(self) -> float:
        """Draw the newest lines if they are not shown or have been for long; seconds until that may be due again."""
        left_s = self._attempts.left_s()
        if left_s:
            return left_s
        at_s = self._clock()
        text, is_old = self._text, at_s - self._woken_s >= AGAIN_S
        if text != self._shown or is_old:
            if not self._attempts.do(partial(self._draw, text, is_old)):
                self._shown, self._woken_s = None, float("-inf")
                return self._attempts.left_s()
            self._shown = text
            if is_old:
                self._woken_s = at_s
        return max(0.0, self._woken_s + AGAIN_S - at_s)

    def _draw(self, text: Text, is_old: bool) -> None:
        if is_old:
            self._screen.wake()
        self._screen.draw(text.lines)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.clear()
            wait_s = self.refresh()
            if not self._closed.wait(SHORTEST_S):
                self._wake.wait(max(0.0, wait_s - SHORTEST_S))

    def close(self) -> None:
        """Dark; may be called twice."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        if not self._thread.is_alive():  # one that hangs in its driver has the bus
            self._screen.close()
