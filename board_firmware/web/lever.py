"""A lever for boards that have none: the page's clock button and its space bar press in its place.

A board of reeds says in its wiring whether it has a lever; of a serial one nobody knows before its lever has moved. The
press is the port's own event, so that the core knows one kind of press and the journal shows one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from board_firmware.peers import Published
from hal.board import LeverMoved, Side

PART = "lever"


def is_wired(board: object) -> bool:
    """Whether a board's wiring names a lever.

    >>> is_wired(object())
    False
    """
    panel = getattr(getattr(board, "wiring", None), "panel", None)
    return bool(getattr(panel, "lever_white", 0))


class PageLever:
    """Who presses at a board: its own lever, or this one while there is none that works."""

    def __init__(self, board: object) -> None:
        self._has_own = is_wired(board)
        self._pressing: Side | None = None
        self._is_broken = False

    @property
    def is_needed(self) -> bool:
        """Whether the page may press."""
        return self._is_broken or not self._has_own

    def press(self, side: object, state: Mapping[str, Any]) -> LeverMoved:
        """The press of a side whose clock runs; ``ValueError`` with a sentence for any other."""
        if not self.is_needed:
            raise ValueError("the board has a lever of its own: press that")
        if side not in ("white", "black"):
            raise ValueError("side is one of white, black")
        if state.get("clock") != side or self._pressing == side:
            raise ValueError(f"{side}'s clock is not running")
        self._pressing = "white" if side == "white" else "black"
        return LeverMoved(down=self._pressing, at_ns=0)

    def follow(self, step: Published) -> None:
        """A lever that moves without us is the board's own."""
        self._is_broken = PART in step.view.outstanding
        if isinstance(step.event, LeverMoved):
            if step.event.down != self._pressing:
                self._has_own = True
            self._pressing = None
