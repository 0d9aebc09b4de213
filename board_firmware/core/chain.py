"""A list whose copies share what they hold in common.

Every ply keeps the game as it stood before it, that game's own plies included. With lists a game of n plies would hold
n²/2 entries; here a copy costs nothing, and a change rebuilds only what is younger than it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Generic, TypeVar

T = TypeVar("T")


class Chain(Generic[T]):
    """Items, the oldest first; indices as a list has them."""

    __slots__ = ("_length", "_newest")

    def __init__(self) -> None:
        self._newest: _Link[T] | None = None
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __reversed__(self) -> Iterator[T]:
        link = self._newest
        while link is not None:
            yield link.item
            link = link.older

    def __iter__(self) -> Iterator[T]:
        return reversed(list(reversed(self)))

    def __getitem__(self, index: int) -> T:
        """Raises `IndexError` where there is no such item."""
        steps = -1 - index if index < 0 else self._length - 1 - index
        if not 0 <= steps < self._length:
            raise IndexError(f"{index} of {self._length}")
        return next(islice(reversed(self), steps, None))

    def append(self, item: T) -> None:
        """Add the newest item; copies made before do not see it."""
        self._newest = _Link(item, self._newest)
        self._length += 1

    def replace(self, old: T, new: T) -> None:
        """Put ``new`` in the place of the very item ``old``; copies keep the old one."""
        younger = list(takewhile(lambda item: item is not old, reversed(self)))
        link = self._newest
        for _ in range(len(younger) + 1):
            if link is None:
                raise ValueError("no such item")
            link = link.older
        for item in (new, *reversed(younger)):
            link = _Link(item, link)
        self._newest = link

    def copy(self) -> Chain[T]:
        """A copy of its own."""
        twin: Chain[T] = Chain()
        twin._newest, twin._length = self._newest, self._length
        return twin


class _Link(Generic[T]):
    __slots__ = ("item", "older")

    def __init__(self, item: T, older: _Link[T] | None) -> None:
        self.item = item
        self.older = older
