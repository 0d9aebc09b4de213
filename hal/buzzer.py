"""A passive piezo on a GPIO: tones one after the other in a thread of its own, silence in between."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from hal.attempts import Attempts, Report
from hal.board import Tone
from hal.pins import pin_errors

LOOK_S = 0.1
"""While a tone sounds on because it could not be ended: how often to look whether the next attempt is due."""


class Buzzer:
    """Plays tones; a tone that is asked for while eight wait is dropped, since nobody could tell them apart.

    So are tones after a failure until the next attempt is due, and whatever waits when it is closed.
    """

    def __init__(
        self,
        gpio: int,
        pin_factory: Callable[[], Any],
        report: Report = lambda _: None,
        wait: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``wait`` lets that many seconds pass while a tone sounds; without one they end with `close`.

        A line that does not open is reported, and tried again when a tone is due and as after any other failure; so is the
        ``pin_factory``, which is asked for then.
        """
        self._gpio, self._pin_factory = gpio, pin_factory
        self._device: Any = None
        self._is_on = False
        self._closed = threading.Event()
        self._wait = wait or self._closed.wait
        self._attempts = Attempts("buzzer", report, clock)
        self._attempts.do(self._open, "not_opened")
        self._tones: queue.Queue[Tone | None] = queue.Queue(8)
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def sound(self, tone: Tone) -> None:
        """Sound a tone after those that wait; returns at once."""
        with suppress(queue.Full):
            self._tones.put_nowait(tone)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                tone = self._tones.get(timeout=LOOK_S if self._is_on else None)
            except queue.Empty:  # a tone that did not end: it would sound until the next one
                if not self._attempts.left_s():
                    self._attempts.do(self._silence)
                continue
            if tone is not None and not self._attempts.left_s() and not self._closed.is_set():
                self._attempts.do(partial(self._play, tone))

    def _open(self) -> None:
        if self._device is None:
            with pin_errors(f"GPIO{self._gpio} (buzzer) does not open"):
                self._device = import_module("gpiozero").PWMOutputDevice(
                    self._gpio, frequency=1000, pin_factory=self._pin_factory()
                )

    def _play(self, tone: Tone) -> None:
        self._open()
        self._device.frequency = max(20, tone.hz)
        self._is_on = True
        self._device.value = 0.5
        self._wait(tone.ms / 1000)
        self._silence()
        self._wait(0.01)

    def _silence(self) -> None:
        self._device.value = 0
        self._is_on = False

    def close(self) -> None:
        """Silence at once; may be called twice."""
        self._closed.set()
        with suppress(queue.Full):  # it wakes up by what waits
            self._tones.put_nowait(None)
        self._thread.join(2.0)
        if self._device is not None:
            with pin_errors("the buzzer's line is not given back"):
                self._device.close()
