"""The steps at which only eyes can tell: somebody looks at lamps and types what is lit or dark."""

from __future__ import annotations

from collections.abc import Sequence

from hal.board import BoardEvent, Lamp, Lamps
from hal.selftest import Finding
from hal.squares import SQUARE_NAMES, parse_square

WHITE = Lamp(red=255, green=255, blue=255)


class Asked:
    """Lamps that somebody looks at and answers for."""

    unseen = 0
    none = ""
    """What may be typed for no square at all."""

    def __init__(self) -> None:
        self.is_over = False
        self.is_looked_at = True
        self.progress = ""
        """What was wrong with the answer, if anything."""

    def scan(self, squares: int, at_ns: int, events: Sequence[BoardEvent], hidden: int = 0) -> None:
        """Contacts have nothing to do with it."""

    def told(self, text: str, at_ns: int) -> None:
        """The answer; what is no square is asked for again."""
        try:
            names = text.replace(",", " ").lower().split()
            self._take([parse_square(name) for name in names if name != self.none], text)
        except ValueError as error:
            self.progress = str(error)
        else:
            self.is_over = True

    def _take(self, squares: list[int], text: str) -> None:
        raise NotImplementedError

    def left(self) -> None:
        """Nobody answers."""
        self.is_over, self.is_looked_at = True, False


class Placed(Asked):
    """Four lamps in a corner that lie differently however they are turned or mirrored; all 64 at once show none of it."""

    name = "places of the lamps"
    wanted = (
        "The lamps of a1, b1, c1 and a2 are lit. Enter: so they are; otherwise type the squares that are lit; -: none."
    )
    none = "-"
    corner = (0, 1, 2, 8)
    lamps = Lamps(squares=dict.fromkeys(corner, WHITE))

    def __init__(self) -> None:
        super().__init__()
        self._lit: set[int] = set(self.corner)

    def _take(self, squares: list[int], text: str) -> None:
        self._lit = set(squares) if text.strip() else set(self.corner)

    def findings(self) -> list[Finding]:
        """How they lie, if not as they should; lamps that are dark are the next step's."""
        if self._lit <= set(self.corner):
            return []
        if self._lit == {square % 8 * 8 + square // 8 for square in self.corner}:
            advice = "files and ranks are exchanged: see the pins of the lamps' chip in hardware_docs/wiring.md, lamps"
        else:
            advice = "wired in another order: see hardware_docs/wiring.md, lamps, and [lamps] order"
        return [Finding(part="places of the lamps", reason="exchanged", advice=advice)]


class Lit(Asked):
    """All lamps at once, and somebody who says which are dark."""

    name = "lamps"
    wanted = (
        "All 64 lamps are lit white. Type the squares that are dark or of another colour, such as e4 e5; Enter: none."
    )
    lamps = Lamps(squares=dict.fromkeys(range(64), WHITE))

    def __init__(self) -> None:
        super().__init__()
        self._dark: list[int] = []

    def _take(self, squares: list[int], text: str) -> None:
        self._dark = squares

    def findings(self) -> list[Finding]:
        """The lamps that are dark."""
        if len(self._dark) == 64:
            return [Finding(part="lamps", reason="dark", advice="no lamp lights: supply, data line, [lamps] driver")]
        advice = "dark or of another colour: this lamp, or on a chain the one before it"
        return [Finding(part=f"lamp {SQUARE_NAMES[square]}", reason="dark", advice=advice) for square in self._dark]
