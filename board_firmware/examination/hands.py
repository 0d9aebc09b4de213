"""Who does what the examination asks: a person at a terminal, or simulated hands on a simulated board.

Both are told a step when it begins, are asked again and again whether there is anything they say, and may look at the
step's progress meanwhile. Simulated hands answer when their gesture is over; a person by Enter.
"""

from __future__ import annotations

import select
from collections.abc import Iterable
from typing import Protocol, TextIO

from rich.console import Console
from rich.status import Status
from rich.text import Text

from board_firmware.examination.lamps import Asked, Lit, Placed
from board_firmware.examination.steps import Diagram, Pressed, Step, Tour
from hal.board import Lamps
from hal.motion import Drag, Lift, Motion, Place, PressButton, PressLever
from hal.squares import SQUARE_NAMES

PATIENCE_NS = 60_000_000_000
"""A step at which nothing more happens for so long, and of which nobody can say that it is done, is given up."""

WATCHED_NS = 1_500_000_000
"""How long simulated hands look at the board before they say that nothing more comes."""

SHOWN_NS = 100_000_000
"""Between two looks at the keyboard and two lines of progress."""


class Examiner(Protocol):
    """Whoever does as asked."""

    @property
    def is_there(self) -> bool:
        """Whether what was said last came from somebody."""
        ...

    def begin(self, step: Step, at_ns: int) -> None:
        """This is wanted now."""
        ...

    def says(self, step: Step, at_ns: int) -> str | None:
        """Anything to say? None: not yet; a text (empty: it is done) ends the step if it makes sense."""
        ...

    def end(self, result: str) -> None:
        """The step is over, with this result."""
        ...


class Person:
    """A person at a terminal; without one (the end of the input) a step ends when nothing more happens."""

    def __init__(self, console: Console, keyboard: TextIO | None) -> None:
        self._console = console
        self._keyboard = keyboard
        self._status: Status | None = None
        self._looked_ns = self._moved_ns = 0
        self._progress = ""
        self._has_spoken = False

    def begin(self, step: Step, at_ns: int) -> None:
        """Say what is wanted."""
        self._print(step.name, "bold")
        self._print(f"  {step.wanted}")
        if self.is_there and not isinstance(step, Asked):
            self._print("  Enter goes on without what does not come.", "dim")
        self._looked_ns = self._moved_ns = at_ns
        self._progress, self._has_spoken = "", False
        if self._console.is_terminal:
            self._status = self._console.status(Text(step.progress))
            self._status.start()

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style))

    @property
    def is_there(self) -> bool:
        """Whether the keyboard's input has not ended."""
        return self._keyboard is not None

    def says(self, step: Step, at_ns: int) -> str | None:
        """A line from the keyboard, looked for ten times a second."""
        if at_ns - self._looked_ns < SHOWN_NS:
            return None
        self._looked_ns = at_ns
        progress = step.progress
        if self._has_spoken and self._status is None:  # it was not enough, and no line of progress says why
            self._print(f"  {progress}")
        self._has_spoken = False
        if progress != self._progress:
            self._progress, self._moved_ns = progress, at_ns
            if self._status is not None:
                self._status.update(Text(progress))
        if self._keyboard is not None:
            if not select.select([self._keyboard], [], [], 0)[0]:
                return None
            line = self._keyboard.readline()
            if line:
                self._has_spoken = True
                return line.strip()
            self._keyboard = None
        if isinstance(step, Asked):
            return ""
        return "" if at_ns - self._moved_ns >= PATIENCE_NS else None

    def end(self, result: str) -> None:
        """How it went."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        self._print(f"  {result}", "green" if result == "good" else "red" if "found" in result else "yellow")


class HandBoard(Protocol):
    """A simulated board that hands can move and clear."""

    lamps: Lamps

    @property
    def now_ns(self) -> int:
        """Its time."""
        ...

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """Let hands do these; when the last is over, in ns."""
        ...

    def set_up(self, occupancy: int) -> None:
        """Stand chessmen on these squares at once."""
        ...


class Hands:
    """Simulated hands, which do at once what is wanted."""

    is_there = True

    def __init__(self, board: HandBoard, buttons: tuple[str, ...]) -> None:
        self._board, self._buttons = board, buttons
        self._done_ns = 0

    def begin(self, step: Step, at_ns: int) -> None:
        """Set up, slide, press."""
        board = self._board
        end_ns = at_ns
        if isinstance(step, Diagram):
            board.set_up(step.standing)
        elif isinstance(step, Tour):
            board.set_up(0)
            end_ns = board.act(_tour(), at_ns)
        elif isinstance(step, Pressed):
            names = [PressButton(button=name, at_ms=400.0 * n) for n, name in enumerate(self._buttons)]
            after_ms = 400.0 * len(names)
            levers = [PressLever(side="white", at_ms=after_ms), PressLever(side="black", at_ms=after_ms + 400)]
            end_ns = board.act([*names, *levers], at_ns)
        self._done_ns = end_ns + WATCHED_NS

    def says(self, step: Step, at_ns: int) -> str | None:
        """It is done, and which lamps are lit or dark, some time after the last motion."""
        if at_ns < self._done_ns:
            return None
        lit = self._board.lamps.squares
        if isinstance(step, Placed):
            return " ".join(SQUARE_NAMES[square] for square in lit) or "-"
        if not isinstance(step, Lit):
            return ""
        return " ".join(SQUARE_NAMES[square] for square in range(64) if square not in lit)

    def end(self, result: str) -> None:
        """Nothing to say."""


def _tour() -> list[Motion]:
    """One piece along the ranks, from a1 to h8."""
    motions: list[Motion] = []
    at_ms = 0.0
    of: int | None = None
    for first in range(0, 64, 8):
        motions.append(Place(square=first, of=of, at_ms=at_ms))
        motions.append(Drag(square=first, path=tuple(range(first + 1, first + 8)), at_ms=at_ms + 300, speed_mm_s=300))
        at_ms += 300 + 350 / 300 * 1000 * 1.6
        motions.append(Lift(square=first + 7, at_ms=at_ms))
        of = first + 7
        at_ms += 400
    return motions
