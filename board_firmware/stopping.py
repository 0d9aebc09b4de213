"""A command that is asked to end: Ctrl-C and SIGTERM take the same road, so that files are closed and sums are said."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(KeyboardInterrupt):
    """SIGTERM has come."""


def code(stop: KeyboardInterrupt) -> int:
    """The exit code by custom: 128 and the signal's number."""
    return 128 + (signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)


@contextmanager
def heard() -> Iterator[None]:
    """While this holds SIGTERM raises `Terminated` where SIGINT would raise ``KeyboardInterrupt``."""

    def terminate(number: int, frame: FrameType | None) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)
