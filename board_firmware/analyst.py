"""A worker beside the loop for proofs that take long: asked with a decision, it answers with an event.

One thread, one proof at a time, in the order asked. A proof that fails is logged and proves nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from board_firmware.core.events import Analysed, Decision

log = logging.getLogger(__name__)

Analyse = Callable[[Decision], Analysed]
"""Answers a decision ``analysis_wanted``; the answer's ``at_ns`` is replaced when it is posted."""


class Analyst:
    """Started with its first proof; ``answer`` is called on the worker's thread."""

    def __init__(self, analyse: Analyse, answer: Callable[[Analysed], None]) -> None:
        self._analyse = analyse
        self._answer = answer
        self._worker: ThreadPoolExecutor | None = None

    def ask(self, decision: Decision) -> None:
        """Have it proved; returns at once."""
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analyst")
        self._worker.submit(self._work, decision)

    def close(self) -> None:
        """What is not begun is dropped; what is running is not waited for."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)

    def _work(self, decision: Decision) -> None:
        try:
            self._answer(self._analyse(decision))
        except Exception:
            log.exception("an analysis failed")
