"""The self-test step by step: what a builder is asked to do, what the board should show, what is wrong if it does not.

Each step is a fold over scans and panel events with no wires, no screen and no clock in it: it says in words what it
wants, takes what the contacts do, and knows when it has seen enough. Who does it, a person at a terminal or simulated
hands, and what is scanned stands elsewhere. A step never hangs on a broken part: whoever does as asked may always say
that there is no more to come.

The diagram of the last set-up is chosen for the diodes: a shorted one shows only where three closed squares are the
corners of a rectangle whose fourth is empty. Pawns on a staircase make such a rectangle for every unit on the ranks 1,
7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from hal.board import BoardEvent, ButtonPressed, Lamp, Lamps, LeverMoved
from hal.selftest import PATH, Finding, SelfTest, check_empty, check_known
from hal.squares import SQUARE_NAMES, parse_square, squares_of

STILL_NS = 1_000_000_000
"""How long the board must show what is wanted before a step takes it: hands are still at work until then."""

START = 0xFFFF_0000_0000_FFFF
STAIRCASE_PAWNS = ("a2", "b3", "c4", "d5", "e6", "f5", "g4", "h3")
STAIRCASE = START & ~0xFF00 | sum(1 << parse_square(name) for name in STAIRCASE_PAWNS)

WANTED = Lamp(red=0, green=80, blue=255, blink_hz=1.0)
WHITE = Lamp(red=255, green=255, blue=255)
WRONG = Lamp(red=255, green=60, blue=0, blink_hz=4.0)

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

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """The contacts now (bit n = square n closed), and what the panel said."""
        ...

    def told(self, text: str, at_ns: int) -> None:
        """Whoever does as asked says that there is no more to come, and perhaps what was seen."""
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

    def findings(self) -> list[Finding]:
        """What is wrong."""
        ...


class Diagram:
    """Pieces stand on these squares and on no others; ``stuck`` squares, known from before, are left out."""

    def __init__(
        self, name: str, wanted: str, standing: int, stuck: int = 0, *, ranks_sense: bool | None = True
    ) -> None:
        self.name, self.wanted = name, wanted
        self._ranks_sense = ranks_sense
        self.standing, self._stuck = standing, stuck
        self._squares = 0
        self._since_ns: int | None = None
        self.is_over = False

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """See whether they stand, and for how long."""
        self._squares = squares
        if self._differs:
            self._since_ns = None
        elif self._since_ns is None:
            self._since_ns = at_ns
        elif at_ns - self._since_ns >= STILL_NS:
            self.is_over = True

    def told(self, text: str, at_ns: int) -> None:
        """They stand; what differs is wrong."""
        self.is_over = True

    @property
    def _differs(self) -> int:
        return (self._squares ^ self.standing) & ~self._stuck

    @property
    def lamps(self) -> Lamps:
        """The squares that differ."""
        return Lamps(squares=dict.fromkeys(squares_of(self._differs), WANTED))

    @property
    def progress(self) -> str:
        """What is missing and what is too much."""
        missing, extra = self._differs & self.standing, self._differs & ~self.standing
        words = [f"not seen: {_names(missing)}" if missing else "", f"closed: {_names(extra)}" if extra else ""]
        return "; ".join(word for word in words if word) or "as wanted"

    def findings(self) -> list[Finding]:
        """What differs."""
        squares = self._squares & ~self._stuck | self.standing & self._stuck
        return check_known(self.standing, squares, self._ranks_sense) if self.standing else check_empty(squares)

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

    def __init__(self, groups: Mapping[str, int], stuck: int = 0) -> None:
        self._test = SelfTest(groups)
        self._stuck = stuck
        self._furthest = -1
        self._told = False

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """One scan with the piece somewhere."""
        seen = squares & ~self._stuck
        self._test.receive(seen, at_ns)
        if seen:
            self._furthest = (seen & -seen).bit_length() - 1

    def told(self, text: str, at_ns: int) -> None:
        """The piece has been everywhere."""
        self._told = True

    @property
    def next_square(self) -> int | None:
        """Where the piece is wanted: the next square not seen after the one it was on last, else the first."""
        passed = self._test.seen | self._stuck
        unseen = [square for square in PATH if not passed >> square & 1]
        return next((square for square in unseen if square > self._furthest), unseen[0] if unseen else None)

    @property
    def is_over(self) -> bool:
        """Whether every square has been seen, or nothing more will be."""
        return self._told or self.next_square is None

    @property
    def lamps(self) -> Lamps:
        """The square that comes next."""
        square = self.next_square
        return Lamps(squares={} if square is None else {square: WANTED})

    @property
    def progress(self) -> str:
        """How many have been seen, and which comes next."""
        square = self.next_square
        seen = f"{self._test.seen.bit_count()} of {64 - self._stuck.bit_count()}"
        return seen if square is None else f"{seen}, next {SQUARE_NAMES[square]}"

    def findings(self) -> list[Finding]:
        """What the piece has shown."""
        stuck = {f"square {SQUARE_NAMES[square]}" for square in squares_of(self._stuck)}
        return [finding for finding in self._test.findings() if finding.part not in stuck]


class Placed:
    """Four lamps in a corner that lie differently however they are turned or mirrored; all 64 at once show none of it."""

    name = "places of the lamps"
    wanted = (
        "The lamps of a1, b1, c1 and a2 are lit. Enter: so they are; otherwise type the squares that are lit; -: none."
    )
    corner = (0, 1, 2, 8)

    def __init__(self) -> None:
        self.is_over = False
        self._lit: set[int] = set(self.corner)
        self._said = ""

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """Contacts have nothing to do with it."""

    def told(self, text: str, at_ns: int) -> None:
        """These are lit; what is no square is asked for again."""
        try:
            lit = {parse_square(name) for name in text.replace(",", " ").lower().split() if name != "-"}
        except ValueError as error:
            self._said = str(error)
        else:
            self._lit = lit if text.strip() else set(self.corner)
            self.is_over = True

    @property
    def lamps(self) -> Lamps:
        """The corner."""
        return Lamps(squares=dict.fromkeys(self.corner, WHITE))

    @property
    def progress(self) -> str:
        """What was wrong with the answer, if anything."""
        return self._said

    def findings(self) -> list[Finding]:
        """How they lie, if not as they should; lamps that are dark are the next step's."""
        if self._lit <= set(self.corner):
            return []
        if self._lit == {square % 8 * 8 + square // 8 for square in self.corner}:
            advice = "files and ranks are exchanged: see the pins of the lamps' chip in hardware_docs/wiring.md, lamps"
        else:
            advice = "wired in another order: see hardware_docs/wiring.md, lamps, and [lamps] order"
        return [Finding(part="places of the lamps", reason="exchanged", advice=advice)]


class Lit:
    """All lamps at once, and somebody who says which are dark."""

    name = "lamps"
    wanted = (
        "All 64 lamps are lit white. Type the squares that are dark or of another colour, such as e4 e5; Enter: none."
    )

    def __init__(self) -> None:
        self.is_over = False
        self._dark: list[int] = []
        self._said = ""

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """Contacts have nothing to do with it."""

    def told(self, text: str, at_ns: int) -> None:
        """These are dark; what is no square is asked for again."""
        try:
            self._dark = [parse_square(name) for name in text.replace(",", " ").lower().split()]
        except ValueError as error:
            self._said = str(error)
        else:
            self.is_over = True

    @property
    def lamps(self) -> Lamps:
        """All of them."""
        return Lamps(squares=dict.fromkeys(range(64), WHITE))

    @property
    def progress(self) -> str:
        """What was wrong with the answer, if anything."""
        return self._said

    def findings(self) -> list[Finding]:
        """The lamps that are dark."""
        if len(self._dark) == 64:
            return [Finding(part="lamps", reason="dark", advice="no lamp lights: supply, data line, [lamps] driver")]
        advice = "dark or of another colour: this lamp, or on a chain the one before it"
        return [Finding(part=f"lamp {SQUARE_NAMES[square]}", reason="dark", advice=advice) for square in self._dark]


class Pressed:
    """Every button once and the lever to both sides."""

    name = "buttons and lever"

    def __init__(self, buttons: Sequence[str], *, has_lever: bool) -> None:
        self._left = dict.fromkeys([*(f"button {name}" for name in buttons)])
        if has_lever:
            self._left |= dict.fromkeys(("lever white", "lever black"))
        self._all = tuple(self._left)
        self._told = False
        self.wanted = "Press the clock lever to both sides and each button once: " + ", ".join(buttons) + "."
        if not has_lever:
            self.wanted = "Press each button once: " + ", ".join(buttons) + "."

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent]) -> None:
        """What was pressed."""
        for event in events:
            if isinstance(event, ButtonPressed):
                self._left.pop(f"button {event.button}", None)
            elif isinstance(event, LeverMoved):
                self._left.pop(f"lever {event.down}", None)

    def told(self, text: str, at_ns: int) -> None:
        """All have been pressed."""
        self._told = True

    @property
    def is_over(self) -> bool:
        """Whether all have been heard of."""
        return self._told or not self._left

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

    def findings(self) -> list[Finding]:
        """What was never heard of."""
        advice = "pressed and not heard: contact, diode, or its number in [panel]"
        return [Finding(part=part, reason="never_pressed", advice=advice) for part in self._left]


def _names(squares: int) -> str:
    names = [SQUARE_NAMES[square] for square in squares_of(squares)]
    return " ".join(names) if len(names) <= 10 else f"{len(names)} squares"
