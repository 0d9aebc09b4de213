"""The thread that waits for the board and hands over what it reports; it can be asked whether the board still scans."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from board_firmware.core.events import BoardEvent, Faulted, Recovered
from hal.board import Board

log = logging.getLogger(__name__)

WAIT_S = 0.25
"""How long the thread waits for the board at a time; it looks for the end of the run in between."""

STALLED_S = 2.0
"""A thread that has not come back for so long no longer scans."""

FAILING_S = 30.0
"""A driver that has failed in itself for so long does not mend itself; a new process may. A board that is lost is another
matter: a bus that does not answer does not answer a new process either, which would not even open, and the clock would stop
with this one."""


class BoardReader:
    """Reads one board until it is stopped or the driver fails; ``take`` is called in its thread, with the board's stamps."""

    def __init__(self, board: Board, take: Callable[[BoardEvent], None], monotonic_ns: Callable[[], int]) -> None:
        self._board, self._take, self._monotonic_ns = board, take, monotonic_ns
        self._thread = threading.Thread(target=self._read, name="board", daemon=True)
        self._stopped = threading.Event()
        self._scanned_s = 0.0
        self._failing_s: float | None = None  # since when the driver fails in itself

    def start(self) -> None:
        """Begin to read."""
        self._scanned_s = time.monotonic()
        self._thread.start()

    def is_scanning(self) -> bool:
        """Whether the thread has come back from the board within `STALLED_S`, with events or without.

        And whether the board's driver has had a scan that did not fail in itself within `FAILING_S`.
        """
        now_s = time.monotonic()
        is_failing = self._failing_s is not None and now_s - self._failing_s >= FAILING_S
        return now_s - self._scanned_s < STALLED_S and not is_failing

    def stop(self) -> None:
        """Hand nothing over any more, and end when the board comes back."""
        self._stopped.set()

    def join(self) -> None:
        """Give the thread a second to end; one that hangs in a driver ends with the process."""
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _read(self) -> None:
        try:
            while not self._stopped.is_set():
                events = self._board.wait(WAIT_S)
                self._scanned_s = time.monotonic()
                for event in events:
                    if isinstance(event, Faulted) and event.reason == "driver_failed":
                        self._failing_s = self._scanned_s
                    elif isinstance(event, Recovered) and event.part == "board":
                        self._failing_s = None
                    self._take(event)
        except Exception:
            log.exception("the board's driver failed")
            self._take(Faulted(part="board", reason="driver_failed", at_ns=self._monotonic_ns()))
