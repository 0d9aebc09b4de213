"""Scans the 8x8 diode matrix and the panel: select a line, wait for it to settle, read, and so nine times.

A scan gives two bit sets, squares (bit n = square n closed) and panel contacts (bit n = sense line n closed on the
panel line). While nothing has changed, a scan is nine reads and nine comparisons; only a changed line is translated
from wires to squares, by a table made once from the wiring. The wait is handed in: on a Pi it spins, since a sleep of
30 us takes over 100; in a simulation it advances the simulated time.

Source: settle time of QMK's matrix scanning (30 us); ghosting needs a diode a switch: three closed corners of a
rectangle close the fourth.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from hal.continuity import Continuity, Flaw, Measured
from hal.lines import Lines
from hal.squares import line_name, squares_of
from hal.wiring import Wiring


class Scan(NamedTuple):
    """One look at all contacts: ``squares`` bit n = square n closed, ``panel`` bit n = contact n closed."""

    squares: int
    panel: int


class PartError(OSError):
    """A part of the scanner does not answer; ``part`` is its name in a `Faulted`, such as ``chip 2``."""

    def __init__(self, part: str, problem: str) -> None:
        self.part = part
        super().__init__(problem)


def spin(microseconds: float) -> None:
    """Wait without giving the processor away."""
    end = time.perf_counter_ns() + round(microseconds * 1000)
    while time.perf_counter_ns() < end:
        pass


class Matrix:
    """A scanner of 64 switches and the panel's contacts."""

    def __init__(self, wiring: Wiring, lines: Lines, settle: Callable[[float], None] = spin) -> None:
        self._lines = lines
        self._settle = settle
        self._settle_us = wiring.matrix.settle_us
        self._panel_lines = len(wiring.matrix.panel)
        self._drives = 8 + self._panel_lines
        self._table = [[0] * 256 for _ in range(8)]
        for drive in range(8):
            bits = [1 << wiring.square(drive, sense) for sense in range(8)]
            for value in range(256):
                self._table[drive][value] = sum(bit for sense, bit in enumerate(bits) if value >> sense & 1)
        self._continuity = Continuity(wiring)
        on_drive = [self._table[drive][255] for drive in range(8)]
        on_sense = [sum(self._table[drive][1 << sense] for drive in range(8)) for sense in range(8)]
        self.groups = {line_name(squares): squares for squares in (*on_drive, *on_sense)}
        """The squares that hang on each line, by the line's name: a broken wire silences one of these."""
        self.glances = 9 + self._drives if lines.hears else 1
        self._glanced = 0
        self._rows = [0] * 8
        self._squares = 0
        self._is_holding = False  # a pin may still pull a sense line: letting go has failed
        self._stale = False
        """Whether the rows have changed since the squares were made of them; stays so when a scan fails half way."""

    def scan(self) -> Scan:
        """Read every line once."""
        select, read, settle, settle_us = self._lines.select, self._lines.read, self._settle, self._settle_us
        rows = self._rows
        if self._is_holding:
            self._let_go()
        for drive in range(8):
            select(drive)
            settle(settle_us)
            row = read()
            if row != rows[drive]:
                rows[drive] = row
                self._stale = True
        panel = 0
        for line in range(self._panel_lines):
            select(8 + line)
            settle(settle_us)
            panel |= read() << 8 * line
        if self._stale:
            squares = 0
            for drive in range(8):
                squares |= self._table[drive][rows[drive]]
            self._squares, self._stale = squares, False
        return Scan(self._squares, panel)

    def glance(self) -> bool:
        """Whether a little of the test finds anything: one line after the other, `glances` of them are all of it."""
        step, self._glanced = self._glanced, (self._glanced + 1) % self.glances
        if step == 0:
            return any(self._at_rest())
        if step <= 8:
            return any(self._pulled(step - 1))
        return bool(self._joined(step - 9))

    def test(self, squares: int, contacts: int) -> tuple[Flaw, ...]:
        """What is wrong with the wires, given the last scan's squares and contacts; measured twice if anything is."""
        measured = self._measure()
        if not measured.is_sound:
            measured &= self._measure()
        return () if measured.is_sound else self._continuity.flaws(measured, squares, contacts)

    def _measure(self) -> Measured:
        """Pull nothing, then each sense line, then each drive line, and look what is low."""
        senses, drives = self._at_rest()
        if not self._lines.hears:
            return Measured(senses, 0, (), ())
        with_sense = tuple(self._pulled(sense) for sense in range(8))
        return Measured(senses, drives, with_sense, tuple(self._joined(line) for line in range(self._drives)))

    def _at_rest(self) -> tuple[int, int]:
        """The sense lines and the drive lines that are low with nothing pulled."""
        self._lines.select(None)
        self._settle(self._settle_us)
        return self._lines.read(), self._heard()

    def _pulled(self, sense: int) -> tuple[int, int]:
        """The other sense lines, and the drive lines, that are low when this one's pin pulls it and nothing is selected."""
        self._lines.select(None)
        self._is_holding = True
        self._lines.hold(sense)
        try:
            self._settle(self._settle_us)
            return self._lines.read() & ~(1 << sense), self._heard()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        self._lines.hold(None)
        self._is_holding = False

    def _joined(self, drive: int) -> int:
        """The drive lines that are low when this one is selected."""
        self._lines.select(drive)
        self._settle(self._settle_us)
        return self._heard()

    def _heard(self) -> int:
        low = self._lines.heard()
        if low:
            self._settle(self._settle_us)  # those lines have their pull-ups again
            low &= self._lines.heard()
        return low

    def unsure(self) -> int:
        """The panel's contacts that may read closed though nobody presses: on lines that are low by themselves, or all of
        a panel line that touches another drive line."""
        senses, drives = self._at_rest()
        contacts = 0
        for panel in range(8, self._drives):
            if drives != 1 << panel:  # a panel line at ground pulls what its own contacts would
                contacts |= senses << 8 * (panel - 8)
            joined = [one for one in squares_of(self._joined(panel) & ~drives) if self._joined(one) >> panel & 1]
            if joined:
                contacts |= 0xFF << 8 * (panel - 8)
        return contacts

    def pulled_with(self, contact: int) -> int:
        """The panel's contacts that read closed because contact n + 1 is: on lines that are low when its line is.

        Asked by pulling that line low with nothing selected, and twice, for one wrong level would be believed.
        """
        low = self._pulled(contact % 8)[0] & self._pulled(contact % 8)[0]
        return sum(low << 8 * line for line in range(self._panel_lines))

    def close(self) -> None:
        """Let go of every line."""
        self._lines.close()
