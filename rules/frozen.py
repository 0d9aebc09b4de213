"""Values that cannot be changed, made at the full speed of the interpreter.

A frozen dataclass fills its fields through ``object.__setattr__``, one slow call each: for a position, that would be
most of the price of a move. So a class here comes in two halves. The open half has the fields and is filled in by plain
assignment; then the object's class is set to the closed half, which has the methods and this lock, and that is that.
"""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """The lock: no attribute can be set or deleted."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")
