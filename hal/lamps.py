"""Lamps in a thread of their own: blinking, the current cap, and refreshes only when the picture changes.

A driver is a *frame writer*: it takes 64 colours, a1 first, with the share of brightness at which all are shown, and puts
them on its chip. `LampThread` computes each frame whole from the last `Lamps` and the time, so no lamp of an older picture
survives and a slow bus delays no scan. A writer that fails, or that does not open at the start, is opened anew later: lamps
are a help, the game goes on without them. An unchanged picture is sent again now and then, and writers send their chip's
settings with it: a chip whose supply was interrupted has forgotten both, and does not say so.

Source: 60 mA a WS2812 at full white, a third of it a colour.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

from hal.attempts import Attempts, Report
from hal.board import Lamps

Colour = tuple[int, int, int]
DARK: Colour = (0, 0, 0)

MA_PER_COLOUR = 20.0
"""Current of one colour of one lamp at 255; too low a value here and the supply sags when the board lights up."""

AGAIN_S = 5.0
"""How often an unchanged picture is sent: a lamp cable that was out is dark for no longer; 10 ms on a slow bus each time."""


class FrameWriter(Protocol):
    """A chip with lamps."""

    def write(self, colours: Sequence[Colour], share: float) -> None:
        """Show 64 colours, square 0 first, also on a chip fresh from power-up; an ``OSError`` kin if it does not.

        All at a ``share`` (0 to 1) of their brightness, each chip by its own means.
        """
        ...

    def close(self) -> None:
        """Release the bus."""
        ...


def frame(lamps: Lamps, at_s: float) -> list[Colour]:
    """The 64 colours of a picture at a time: blinking lamps are lit in the first half of their period."""
    colours = [DARK] * 64
    for square, lamp in lamps.squares.items():
        if not lamp.blink_hz or at_s * lamp.blink_hz % 1 < 0.5:
            colours[square] = (lamp.red, lamp.green, lamp.blue)
    return colours


def share_of(lamps: Lamps, brightness_percent: float, limit_ma: float) -> float:
    """At which share of full brightness a picture is shown: what is set for all and for this one, as one number.

    A picture that would still draw more than ``limit_ma`` is dimmed further as a whole, judged with every blinking lamp lit
    so that it does not pump.
    """
    share = brightness_percent / 100 * lamps.share
    drawn_ma = MA_PER_COLOUR / 255 * share * sum(lamp.red + lamp.green + lamp.blue for lamp in lamps.squares.values())
    return share * limit_ma / drawn_ma if drawn_ma > limit_ma else share


def dimmed(level: int, share: float) -> int:
    """One colour of a lamp, 0 to 255, at a share of its brightness: never dark if it was lit."""
    return max(1, int(level * share)) if level else 0


def sixteenths(share: float) -> int:
    """A share as a step of a chip that has sixteen, 0 to 15: the dimmest still lights."""
    return max(0, min(15, round(share * 16) - 1))


def next_change_s(lamps: Lamps, at_s: float) -> float | None:
    """Seconds from ``at_s`` until some lamp of this picture blinks; None if none does."""
    waits = [(0.5 - at_s * hz % 0.5) / hz for hz in {lamp.blink_hz for lamp in lamps.squares.values()} if hz > 0]
    return min(waits) if waits else None


class LampThread:
    """Shows the newest picture, at most ``refresh_hz`` times a second."""

    def __init__(
        self,
        opening: Callable[[], FrameWriter],
        *,
        brightness_percent: int,
        limit_ma: float,
        refresh_hz: float,
        report: Report = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``opening`` makes the writer, here and after a failure; one that does not open here is reported as any other."""
        self._opening = opening
        self._writer: FrameWriter | None = None
        self._brightness_percent, self._limit_ma = brightness_percent, limit_ma
        self._shortest_s = 1 / refresh_hz
        self._clock = clock
        self._attempts = Attempts("lamps", report, clock)
        self._attempts.do(self._open, "not_opened")
        self._lamps = Lamps()
        self._shown: tuple[list[Colour], float] | None = None
        self._written_s = 0.0
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)

    def start(self) -> None:
        """Show from now on."""
        self._thread.start()

    def show(self, lamps: Lamps) -> None:
        """This picture and no other; returns at once."""
        self._lamps = lamps
        self._wake.set()

    def refresh(self) -> float:
        """Write the frame of this moment if it differs from the one shown or is old; seconds until it may be due again."""
        left_s = self._attempts.left_s()
        if left_s:
            return left_s
        at_s = self._clock()
        lamps = self._lamps
        picture = frame(lamps, at_s), share_of(lamps, self._brightness_percent, self._limit_ma)
        if picture != self._shown or at_s - self._written_s >= AGAIN_S:
            if not self._attempts.do(partial(self._write, *picture)):
                self._shown = None
                return self._attempts.left_s()
            self._shown, self._written_s = picture, at_s
        change_s = next_change_s(lamps, at_s)
        return AGAIN_S if change_s is None else min(AGAIN_S, change_s)

    def _open(self) -> FrameWriter:
        if self._writer is None:
            self._writer = self._opening()
        return self._writer

    def _write(self, colours: Sequence[Colour], share: float) -> None:
        writer = self._open()
        try:
            writer.write(colours, share)
        except Exception:
            self._writer = None
            with suppress(Exception):
                writer.close()
            raise

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.clear()
            wait_s = self.refresh()
            if not self._closed.wait(self._shortest_s):
                self._wake.wait(max(0.0, wait_s - self._shortest_s))

    def close(self) -> None:
        """All dark, the bus released; may be called twice."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        if self._thread.is_alive():
            return  # it hangs in its driver and has the bus
        if self._writer is None:
            return
        try:
            self._writer.write([DARK] * 64, 1.0)
        finally:
            self._writer.close()
