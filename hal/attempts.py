"""Tries again and again what a help for the players does, and says once that it fails and once that it works again.

Lamps, buzzer and display hang on cables that people pull and push in, and on packages that raise kinds of their own. None
of that may end the thread that drives them, nor flood a bus that is gone: after a failure the next attempt waits a second,
then two, four and so on up to half a minute.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from hal.board import Faulted, Recovered
from hal.pins import words_of

log = logging.getLogger(__name__)

FIRST_S = 1.0
"""From a failure to the next attempt: a plug that is pushed in makes contact within that."""

LONGEST_S = 30.0
"""Between attempts at last: somebody who has mended a cable waits for no longer."""

Report = Callable[[Faulted | Recovered], None]


class Attempts:
    """What is told of one part; asked and used by its own thread alone."""

    def __init__(self, part: str, report: Report, clock: Callable[[], float] = time.monotonic) -> None:
        self._part, self._report, self._clock = part, report, clock
        self._pause_s = 0.0  # 0: all is well
        self._due_s = 0.0

    def left_s(self) -> float:
        """Seconds until the next attempt is due; 0 while all is well."""
        return max(0.0, self._due_s - self._clock()) if self._pause_s else 0.0

    def do(self, action: Callable[[], object], reason: str = "lost") -> bool:
        """Attempt it now; whether it worked. ``reason`` is what a first failure is told as."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - each driver package has kinds of its own, and none may end the thread
            at_s = self._clock()
            if not self._pause_s:
                log.warning("%s: %s", self._part, words_of(error))
                self._report(Faulted(part=self._part, reason=reason, at_ns=round(at_s * 1e9)))
            self._pause_s = min(LONGEST_S, 2 * self._pause_s or FIRST_S)
            self._due_s = at_s + self._pause_s
            return False
        if self._pause_s:
            self._pause_s = 0.0
            self._report(Recovered(part=self._part, at_ns=round(self._clock() * 1e9)))
        return True
