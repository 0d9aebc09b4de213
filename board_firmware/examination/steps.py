"""The self-test step by step: what a builder is asked to do, what the board should show, what is wrong if it does not.

Each step is a fold over scans and panel events with no wires, no screen and no clock in it: it says in words what it
wants, takes what the contacts do, and knows when it has seen enough. Who does it, a person at a terminal or simulated
hands, and what is scanned stands elsewhere. A step never hangs on a broken part: whoever does as asked may always say
that there is no more to come. Where nobody is there to do it, or nothing of it can be seen, the step was not looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from hal.board import BoardEvent, ButtonPressed, Lamp, Lamps, LeverMoved
from hal.selftest import ALL, PATH, Finding, SelfTest, check_empty, check_known
from hal.squares import SQUARE_NAMES, squares_of, squares_of_part
from hal.wiring import Wiring

STILL_NS = 1_000_000_000
"""How long the board must show what is wanted before a step takes it: hands are still at work until then."""

START = 0xFFFF_0000_0000_FFFF

AGAIN = "Enter again if it is as asked"
"""What somebody is told who goes on though hardly anything of it has been seen."""

WANTED = Lamp(red=0, green=80, blue=255, blink_hz=1.0)

HEALTH_PARTS = (
    *("scanner", "board", "link", "lever", "panel", "lamps", "buzzer", "display"),
    *(f"chip {n}" for n in range(1, 10)),
)
"""Parts whose faults the driver itself reports; those of squares and lines are the steps' own findings here, since
hands that set up and clear a board do what no player does."""


class Step(Protocol):
    """One thing to do and to look at."""

    name: str
    wanted: str
    """What to do, a sentence or two."""

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent], hidden: int = 0) -> None:
        """The contacts now (bit n = square n closed), what the panel said, and the squares that bad wires hide."""
        ...

    def told(self, text: str, at_ns: int) -> None:
        """Whoever does as asked says that there is no more to come, and perhaps what was seen."""
        ...

    def left(self) -> None:
        """Nobody is there who could say anything, and nothing more comes."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether enough has been seen."""
        ...

    @property
    def lamps(self) -> Lamps:
        """What to light meanwhile."""
        ...

    @property
    def progress(self) -> str:
        """How far it has come, in a few words."""
        ...

    @property
    def is_looked_at(self) -> bool:
        """Whether there was something to see and somebody who did as asked."""
        ...

    @property
    def unseen(self) -> int:
        """The squares that belong to it and could not be looked at."""
        ...

    def findings(self) -> list[Finding]:
        """What is wrong."""
        ...


class Diagram:
    """Pieces stand on these squares and on no others; ``stuck`` squares, known from before, are left out."""

    def __init__(self, name: str, wanted: str, standing: int, stuck: int = 0, *, is_matrix: bool = True) -> None:
        self.name, self.wanted = name, wanted
        self._is_matrix = is_matrix
        self.standing, self._stuck = standing, stuck
        self._squares = self._hidden = 0
        self._since_ns: int | None = None
        self._is_doubted = self._is_left = False
        self.is_over = not (standing or ALL) & ~stuck

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent], hidden: int = 0) -> None:
        """See whether they stand, and for how long."""
        self._squares, self._hidden = squares, hidden
        if self._differs:
            self._since_ns = None
        elif self._since_ns is None:
            self._since_ns = at_ns
        elif at_ns - self._since_ns >= STILL_NS:
            self.is_over = True

    def told(self, text: str, at_ns: int) -> None:
        """They stand; what differs is wrong. Where hardly anything is as wanted it must be said twice."""
        self.is_over = self._is_doubted or not self._is_untouched
        self._is_doubted = True

    def left(self) -> None:
        """Nobody has set them up, or taken them off, unless most of them are as wanted."""
        self._is_left = self._is_untouched
        self.is_over = True

    @property
    def _is_untouched(self) -> bool:
        differs, men = self._differs, (self.standing or START) & ~self._blind
        return differs != ALL and 4 * differs.bit_count() > 3 * max(8, men.bit_count())

    @property
    def _blind(self) -> int:
        return self._stuck | self._hidden

    @property
    def _differs(self) -> int:
        return (self._squares ^ self.standing) & ~self._blind

    @property
    def lamps(self) -> Lamps:
        """The squares that differ."""
        return Lamps(squares=dict.fromkeys(squares_of(self._differs), WANTED))

    @property
    def progress(self) -> str:
        """What is missing and what is too much."""
        missing, extra = self._differs & self.standing, self._differs & ~self.standing
        words = [f"not seen: {_names(missing)}" if missing else "", f"closed: {_names(extra)}" if extra else ""]
        words += [AGAIN] if self._is_doubted else []
        return "; ".join(word for word in words if word) or "as wanted"

    @property
    def is_looked_at(self) -> bool:
        """Not if all of it is known or hidden, nor if nobody was there to set it up."""
        return not self._is_left and bool((self.standing or ALL) & ~self._blind)

    @property
    def unseen(self) -> int:
        """Where a piece stands, or on an empty board any, that is known to be wrong or hidden."""
        return (self.standing or ALL) & self._blind

    def findings(self) -> list[Finding]:
        """What differs."""
        if not self.is_looked_at:
            return []
        squares = self._squares & ~self._blind | self.standing & self._blind
        if self._is_untouched:
            number = self._differs.bit_count()
            if self.standing:
                advice = f"{number} pieces are not seen: have they been set up, has each its magnet?"
                return [Finding(part="board", reason="stuck_open", advice=advice)]
            advice = f"{number} squares are closed: have the pieces been taken off?"
            return [Finding(part="board", reason="stuck_closed", advice=advice)]
        return check_known(self.standing, squares, is_matrix=self._is_matrix) if self.standing else check_empty(squares)

    @property
    def closed(self) -> int:
        """The squares that were closed at the end."""
        return self._squares


class Tour:
    """One piece over all 64 squares."""

    name = "one piece over 64 squares"
    wanted = (
        "Set one piece on a1 and slide it along the rank to h1; lift it to a2, slide it to h2, and so on up to h8. "
        "The square that comes next is lit."
    )

    def __init__(self, groups: Mapping[str, int], stuck: int = 0, wiring: Wiring | None = None) -> None:
        self._test = SelfTest(groups, wiring)
        self._stuck = stuck
        self._hidden: int | None = None  # in every scan so far
        self._furthest = -1
        self._is_doubted = self._is_told = self._is_left = False

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent], hidden: int = 0) -> None:
        """One scan with the piece somewhere."""
        self._hidden = hidden if self._hidden is None else self._hidden & hidden
        seen = squares & ~self._stuck & ~hidden
        self._test.receive(seen, at_ns)
        if seen:
            self._furthest = (seen & -seen).bit_length() - 1

    def told(self, text: str, at_ns: int) -> None:
        """The piece has been everywhere; if not even half of it was seen that must be said twice."""
        self._is_told = self._is_doubted or 2 * self._test.seen.bit_count() >= 64 - self.unseen.bit_count()
        self._is_doubted = True

    def left(self) -> None:
        """Nobody moves a piece, at least not any more."""
        self._is_left = True

    @property
    def unseen(self) -> int:
        """What was closed before, and what the wires have hidden all the time."""
        return self._stuck | (self._hidden or 0)

    @property
    def next_square(self) -> int | None:
        """Where the piece is wanted: the next square not seen after the one it was on last, else the first."""
        passed = self._test.seen | self.unseen
        unseen = [square for square in PATH if not passed >> square & 1]
        return next((square for square in unseen if square > self._furthest), unseen[0] if unseen else None)

    @property
    def is_over(self) -> bool:
        """Whether every square has been seen, or nothing more will be."""
        return self._is_told or self._is_left or self.next_square is None

    @property
    def lamps(self) -> Lamps:
        """The square that comes next."""
        square = self.next_square
        return Lamps(squares={} if square is None else {square: WANTED})

    @property
    def progress(self) -> str:
        """How many have been seen, and which comes next."""
        square = self.next_square
        seen = f"{self._test.seen.bit_count()} of {64 - self.unseen.bit_count()}"
        if square is not None:
            seen += f", next {SQUARE_NAMES[square]}"
        return f"{seen}; {AGAIN}" if self._is_doubted else seen

    @property
    def is_looked_at(self) -> bool:
        """Whether a piece has been seen, or somebody says that it should have been."""
        return bool(self._test.seen) or (self._is_told and self.unseen != ALL)

    def findings(self) -> list[Finding]:
        """What the piece has shown, but of squares that could not be seen."""
        if not self.is_looked_at:
            return []
        found = []
        for finding in self._test.findings():
            squares = squares_of_part(finding.part)
            if not squares or squares & ~self.unseen:
                found.append(finding)
        return found


class Pressed:
    """Every button once and the lever to both sides; not what is ``known`` to be unheard."""

    name = "buttons and lever"
    unseen = 0

    def __init__(self, buttons: Sequence[str], *, has_lever: bool, known: Collection[str] = ()) -> None:
        wanted = [f"button {name}" for name in buttons] + (["lever white", "lever black"] if has_lever else [])
        self._all = [part for part in wanted if part not in known]
        self._left = dict.fromkeys(self._all)
        self._is_told = self._is_left = False
        names = [part.removeprefix("button ") for part in self._all if part.startswith("button ")]
        asked = ["press the clock lever to both sides"] if len(names) < len(self._all) else []
        asked += ["press each button once: " + ", ".join(names)] if names else []
        self.wanted = f"Take the piece off the board, then {' and '.join(asked)}."

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent], hidden: int = 0) -> None:
        """What was pressed."""
        for event in events:
            if isinstance(event, ButtonPressed):
                self._left.pop(f"button {event.button}", None)
            elif isinstance(event, LeverMoved):
                self._left.pop(f"lever {event.down}", None)

    def told(self, text: str, at_ns: int) -> None:
        """All have been pressed."""
        self._is_told = True

    def left(self) -> None:
        """Nobody presses, at least not any more."""
        self._is_left = True

    @property
    def unheard(self) -> Collection[str]:
        """What has not been heard of."""
        return tuple(self._left)

    @property
    def is_over(self) -> bool:
        """Whether all have been heard of."""
        return self._is_told or self._is_left or not self._left

    @property
    def lamps(self) -> Lamps:
        """None."""
        return Lamps()

    @property
    def progress(self) -> str:
        """What is still wanted."""
        return f"{len(self._all) - len(self._left)} of {len(self._all)}" + (
            "; still: " + ", ".join(self._left) if 0 < len(self._left) <= 4 else ""
        )

    @property
    def is_looked_at(self) -> bool:
        """Whether one was heard, or somebody says that they should have been."""
        return len(self._left) < len(self._all) or (self._is_told and bool(self._all))

    def findings(self) -> list[Finding]:
        """What was never heard of."""
        if not self.is_looked_at:
            return []
        advice = "pressed and not heard: contact, diode, or its number in [panel]"
        if len(self._left) == len(self._all):
            advice = "none of them was heard: the wire of the panel's line, or its number in [matrix] panel"
        return [Finding(part=part, reason="never_pressed", advice=advice) for part in self._left]


def _names(squares: int) -> str:
    names = [SQUARE_NAMES[square] for square in squares_of(squares)]
    return " ".join(names) if len(names) <= 10 else f"{len(names)} squares"
