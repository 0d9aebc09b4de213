"""What is wrong with the wires of a matrix, as its own pins measure it: no position and no game need be known for that.

- With nothing pulled no line is low. A drive line that is low is at ground, and pulls every sense line on which it has a
  closed switch; a sense line that is low though no drive line is, is at ground itself.
- A sense line that its own pin pulls takes nothing with it, for all diodes point away from it. Another sense line that
  becomes low touches it. A drive line that becomes low has a closed switch there whose diode lets current back: shorted,
  bridged or reversed.
- A selected drive line takes no other drive line with it, unless they touch.

`Measured` is what the pins found; `Continuity.flaws` names each cause once, by line or by square, with the squares that
it hides: those that a scan reads as closed whatever stands there.

Source: the circuit of `hal.net`, against which each rule is tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hal.squares import line_name, square_part, squares_of
from hal.wiring import Wiring


class Measured(NamedTuple):
    """Lines that are low, bit n = line n; drive lines from 8 on are the panel's."""

    senses: int
    """Sense lines, with nothing pulled."""
    drives: int
    """Drive lines, with nothing pulled."""
    with_sense: tuple[tuple[int, int], ...]
    """The other sense lines, and the drive lines, that are low while a sense line is pulled, for each of them."""
    with_drive: tuple[int, ...]
    """The other drive lines that are low while a drive line is selected, for each of them."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing was low that should not be."""
        return not (self.senses or self.drives or any(self.with_drive) or any(map(any, self.with_sense)))

    def __and__(self, other: Measured) -> Measured:
        """What was found both times: a single wrong level is no flaw."""
        return Measured(
            self.senses & other.senses,
            self.drives & other.drives,
            tuple((a & c, b & d) for (a, b), (c, d) in zip(self.with_sense, other.with_sense, strict=True)),
            tuple(one & two for one, two in zip(self.with_drive, other.with_drive, strict=True)),
        )


class Flaw(NamedTuple):
    """One thing that is wrong with the wires."""

    part: str
    """``line file e``, ``line rank 4``, ``square d4``, ``panel``, ``contact 2``, or two lines with `` + `` between."""
    reason: str
    """``shorted`` (at ground), ``shorted_together`` (two lines that touch) or ``diode`` (one that conducts back)."""
    hidden: int
    """The squares that cannot be seen because of it."""


class Continuity:
    """Names what was measured on one wiring."""

    def __init__(self, wiring: Wiring) -> None:
        self._square = [[wiring.square(drive, sense) for sense in range(8)] for drive in range(8)]
        self._panel_lines = len(wiring.matrix.panel)
        self._on_drive = [sum(1 << square for square in row) for row in self._square] + [0] * self._panel_lines
        self._on_sense = [sum(1 << row[sense] for row in self._square) for sense in range(8)]
        panels = ["panel", "panel 2"][: self._panel_lines]
        self.drives = [*(line_name(squares) for squares in self._on_drive[:8]), *panels]
        """The drive lines' names."""
        self.senses = [line_name(squares) for squares in self._on_sense]
        """The sense lines' names."""

    def flaws(self, measured: Measured, squares: int, contacts: int) -> tuple[Flaw, ...]:
        """Each flaw, given the ``squares`` and the panel's ``contacts`` of the last scan."""
        return (*self._at_ground(measured), *self._touching(measured), *self._diodes(measured, squares, contacts))

    def _at_ground(self, measured: Measured) -> Iterator[Flaw]:
        reached = sum(self._on_sense[sense] for sense in squares_of(measured.senses))
        for drive in squares_of(measured.drives):
            # its own squares are read right: closed where it pulls
            yield Flaw(self.drives[drive], "shorted", reached & ~self._on_drive[drive])
        if not measured.drives:
            for sense in squares_of(measured.senses):
                yield Flaw(self.senses[sense], "shorted", self._on_sense[sense])

    def _touching(self, measured: Measured) -> Iterator[Flaw]:
        senses = [
            0 if drives & ~measured.drives else senses & ~measured.senses for senses, drives in measured.with_sense
        ]
        drives = [drives & ~measured.drives for drives in measured.with_drive]
        for names, hidden, found in (
            (self.senses, self._on_sense, senses),
            (self.drives, self._on_drive, drives),
        ):
            for one, others in enumerate(found):
                for other in squares_of(others):
                    # a diode that conducts back may pull one with the other, but not the other way round as well
                    if one < other and found[other] >> one & 1:
                        yield Flaw(f"{names[one]} + {names[other]}", "shorted_together", hidden[one] | hidden[other])

    def _diodes(self, measured: Measured, squares: int, contacts: int) -> Iterator[Flaw]:
        rows = [sum(1 << sense for sense in range(8) if squares >> row[sense] & 1) for row in self._square]
        rows += [contacts >> 8 * line & 0xFF for line in range(self._panel_lines)]
        for sense, (_, drives) in enumerate(measured.with_sense):
            if measured.senses >> sense & 1:
                continue
            for drive in squares_of(drives & ~measured.drives):
                pulled = rows[drive] & ~(1 << sense)  # through this diode, by whatever is closed on the sense line
                hidden = 0
                for other, row in enumerate(self._square):
                    if other != drive and rows[other] >> sense & 1:
                        hidden |= sum(1 << row[one] for one in squares_of(pulled))
                if drive >= 8:
                    yield Flaw(f"contact {8 * (drive - 8) + sense + 1}", "diode", hidden)
                    continue
                square = self._square[drive][sense]
                # its own square as well: reversed it never reads closed, and bridged with the reed always does
                yield Flaw(square_part(square), "diode", hidden | 1 << square)
