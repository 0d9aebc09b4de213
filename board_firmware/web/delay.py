"""Holds back what spectators see, by a delay that may change while the game runs.

Each event is released ``delay`` seconds after it came. A delay that grows never takes back what was shown: the next
events simply come later. One that shrinks releases what is then due, in order.

Source: broadcasts of chess events ask for it against outside help (ECU rules: fifteen minutes).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

Release = Callable[[Any], None]
Schedule = Callable[[float, Callable[[], None]], asyncio.TimerHandle]
"""Calls a function after so many seconds; the running loop's ``call_later`` in real life."""


def _on_the_loop(seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, act)


class Delay:
    """A line of values waiting for their time; ``release`` is called with each, in order, on the event loop."""

    def __init__(self, release: Release, now_s: Callable[[], float], schedule: Schedule = _on_the_loop) -> None:
        self._release = release
        self._now_s = now_s
        self._schedule = schedule
        self._delay_s = 0.0
        self._waiting: deque[tuple[float, Any]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def delay_s(self) -> float:
        """The delay in force, seconds."""
        return self._delay_s

    @delay_s.setter
    def delay_s(self, seconds: float) -> None:
        self._delay_s = seconds
        self._pump()

    def put(self, value: Any) -> None:
        """A value comes in now."""
        self._waiting.append((self._now_s(), value))
        self._pump()

    def close(self) -> None:
        """Release nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        self._waiting.clear()

    def _pump(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiting:
            left_s = self._waiting[0][0] + self._delay_s - self._now_s()
            if left_s > 0:
                self._timer = self._schedule(left_s, self._pump)
                return
            self._release(self._waiting.popleft()[1])
