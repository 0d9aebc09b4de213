"""What watchers hear, in order and resumable: one ring of server-sent events, a cursor for each watcher.

A watcher never has a queue of its own: it reads the shared ring from where it stands, so that a slow one costs nothing
and a hundred share each chunk of bytes. One that falls out of the ring, or comes back with an id that is not in it, is
told to begin anew from the state as it is now.

Source: WHATWG HTML, "Server-sent events": id, event, data, retry.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEPT = 1024
"""Events kept for those who come back, about half an hour of a lively game; each costs some 3 kB of memory."""


def encode(event: str, payload: Mapping[str, Any], number: int | None = None) -> bytes:
    """One server-sent event. ``number`` becomes its id; events without one leave the watcher's id as it was."""
    head = f"id: {number}\n" if number is not None else ""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {event}\ndata: {body}\n\n".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One event of the ring: its place in it, the journal's number where it has one, and its bytes."""

    serial: int
    number: int | None
    chunk: bytes


class Stream:
    """The ring. All methods are called on the event loop."""

    def __init__(self, kept: int = KEPT) -> None:
        self._items: deque[Item] = deque(maxlen=kept)
        self._serial = 0
        self._changed = asyncio.Event()
        self.closed = False

    @property
    def serial(self) -> int:
        """The place of the newest event; a watcher that begins now stands here."""
        return self._serial

    def newest(self) -> bytes | None:
        """The newest event that has a number: the state as it is, for a watcher that begins now."""
        return next((item.chunk for item in reversed(self._items) if item.number is not None), None)

    def append(self, event: str, payload: Mapping[str, Any], number: int | None = None) -> None:
        """Add an event and wake those who wait."""
        self._serial += 1
        self._items.append(Item(serial=self._serial, number=number, chunk=encode(event, payload, number)))
        self._wake()

    def resume(self, number: int) -> int | None:
        """Where a watcher stands that has heard everything up to the journal's ``number``; None if that is not known."""
        numbered = [(item.number, item.serial) for item in self._items if item.number is not None]
        if not numbered or not numbered[0][0] - 1 <= number <= numbered[-1][0]:
            return None
        heard = [serial for one, serial in numbered if one <= number]
        return heard[-1] if heard else self._items[0].serial - 1

    def after(self, serial: int) -> tuple[Item, ...] | None:
        """The events after a place; None if some of them have fallen out of the ring."""
        if not self._items or serial >= self._serial:
            return ()
        if serial < self._items[0].serial - 1:
            return None
        return tuple(item for item in self._items if item.serial > serial)

    async def changed(self, serial: int, timeout_s: float) -> bool:
        """Wait for an event after ``serial``; False if ``timeout_s`` seconds passed without one."""
        if self._serial > serial or self.closed:
            return True
        changed = self._changed
        try:
            await asyncio.wait_for(changed.wait(), timeout_s)
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Let every watcher go."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
