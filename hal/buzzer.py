"""A passive piezo on a GPIO: tones one after the other in a thread of its own, silence in between."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from hal.board import Tone


class Buzzer:
    """Plays tones; a tone that is asked for while eight wait is dropped, since nobody could tell them apart."""

    def __init__(self, gpio: int, pin_factory: Any, sleep: Callable[[float], None] = time.sleep) -> None:
        gpiozero = import_module("gpiozero")
        try:
            self._device = gpiozero.PWMOutputDevice(gpio, frequency=1000, pin_factory=pin_factory)
        except (gpiozero.GPIOZeroError, OSError) as error:
            raise OSError(f"GPIO{gpio} (buzzer) does not open: {error}") from error
        self._sleep = sleep
        self._tones: queue.Queue[Tone | None] = queue.Queue(8)
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def sound(self, tone: Tone) -> None:
        """Sound a tone after those that wait; returns at once."""
        if not self._tones.full():
            self._tones.put(tone)

    def _run(self) -> None:
        while (tone := self._tones.get()) is not None:
            self._device.frequency = max(20, tone.hz)
            self._device.value = 0.5
            self._sleep(tone.ms / 1000)
            self._device.value = 0
            self._sleep(0.01)

    def close(self) -> None:
        """Silence; may be called twice."""
        if self._thread.is_alive():
            self._tones.put(None)
            self._thread.join(2.0)
            self._device.close()
