"""What opening a board has to say before the first step: why a help did not open, and which GPIOs others hold.

A driver that is a mere help tells its reason to the log and the board opens without it; the doctor wants that reason beside
the part. Pins are compared with this Pi's config.txt, whether or not they opened: on some the other function dies silently.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from board_firmware.examination.steps import HEALTH_PARTS
from hal.assembly import conflicts_here
from hal.board import Board
from hal.reed_board import ReedBoard
from hal.selftest import Finding


class _Heard(logging.Handler):
    """Keeps what is said of parts, ``display: ...``; all else goes to stderr as it would without."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__(logging.WARNING)
        self._reasons = reasons

    def emit(self, record: logging.LogRecord) -> None:
        """Sort one message."""
        message = record.getMessage()
        part, colon, reason = message.partition(": ")
        if colon and part in HEALTH_PARTS:
            self._reasons[part] = reason
        else:
            print(message, file=sys.stderr)


@contextmanager
def hearing() -> Iterator[dict[str, str]]:
    """Part -> why it did not open, of what the drivers log meanwhile."""
    reasons: dict[str, str] = {}
    handler, log = _Heard(reasons), logging.getLogger("hal")
    log.addHandler(handler)
    try:
        yield reasons
    finally:
        log.removeHandler(handler)


def pin_conflicts(board: Board) -> list[Finding]:
    """Each GPIO of a wired board that config.txt gives to another function, with both users."""
    if not isinstance(board, ReedBoard):
        return []
    held = conflicts_here(board.wiring)
    return [Finding(part=f"GPIO{claim.gpio}", reason="pin_conflict", advice=told) for claim, told in held.items()]
