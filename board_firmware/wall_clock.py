"""The date and time of day, and whether to believe them: a board without a network starts in the wrong year.

Source: adjtimex(2): the call returns 5 (``TIME_ERROR``) while the clock is not synchronised.
"""

from __future__ import annotations

import ctypes
import time

_TIME_ERROR = 5
_EARLIEST_MS = 1_767_225_600_000
"""2026-01-01: a clock that shows less has not been set, whatever it claims."""

_RECHECK_NS = 10_000_000_000


class WallClock:
    """Reads the wall clock; asks the system about its trust at most every ten seconds."""

    def __init__(self) -> None:
        self._checked_ns = 0
        self._synchronised = False

    def now(self) -> tuple[int, bool]:
        """Milliseconds since 1970 UTC, and whether the clock is synchronised."""
        monotonic_ns = time.monotonic_ns()
        if not self._checked_ns or monotonic_ns - self._checked_ns > _RECHECK_NS:
            self._checked_ns = monotonic_ns
            self._synchronised = _is_synchronised()
        wall_ms = time.time_ns() // 1_000_000
        return wall_ms, self._synchronised and wall_ms > _EARLIEST_MS


def _is_synchronised() -> bool:
    try:
        adjtimex = ctypes.CDLL(None).adjtimex
    except (OSError, AttributeError):
        return False
    answer = ctypes.create_string_buffer(512)  # struct timex is 208 bytes on 64-bit Linux; modes 0 only reads
    return 0 <= int(adjtimex(answer)) < _TIME_ERROR
