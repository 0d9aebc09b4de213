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

from hal.lines import Lines
from hal.squares import line_name
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
        self._table = [[0] * 256 for _ in range(8)]
        for drive in range(8):
            bits = [1 << wiring.square(drive, sense) for sense in range(8)]
            for value in range(256):
                self._table[drive][value] = sum(bit for sense, bit in enumerate(bits) if value >> sense & 1)
        drives = [self._table[drive][255] for drive in range(8)]
        senses = [sum(self._table[drive][1 << sense] for drive in range(8)) for sense in range(8)]
        self.groups = {line_name(squares): squares for squares in (*drives, *senses)}
        """The squares that hang on each line, by the line's name: a broken wire silences one of these."""
        self.sense_parts = [line_name(squares) for squares in senses]
        self.panel_groups = {
            part: sum(1 << sense + 8 * line for line in range(self._panel_lines))
            for sense, part in enumerate(self.sense_parts)
        }
        """The panel's contacts on each sense line."""
        self._rows = [0] * 8
        self._squares = 0
        self._stale = False
        """Whether the rows have changed since the squares were made of them; stays so when a scan fails half way."""

    def scan(self) -> Scan:
        """Read every line once."""
        select, read, settle, settle_us = self._lines.select, self._lines.read, self._settle, self._settle_us
        rows = self._rows
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

    def shorted(self) -> tuple[str, ...]:
        """The sense lines that are low with nothing selected: short circuits. Costs one settle and eight reads."""
        self._lines.select(None)
        self._settle(self._settle_us)
        low = self._lines.read()
        return tuple(part for sense, part in enumerate(self.sense_parts) if low >> sense & 1)

    def pulled_with(self, contact: int) -> int:
        """The panel's contacts that read closed because contact n + 1 is: on lines that are low when its line is.

        Asked by pulling that line low with nothing selected, and twice, for one wrong level would be believed.
        """
        lines, low = self._lines, 0xFF
        lines.select(None)
        for _ in range(2):
            lines.hold(contact % 8)
            try:
                self._settle(self._settle_us)
                low &= lines.read()
            finally:
                lines.hold(None)
        low &= ~(1 << contact % 8)
        return sum(low << 8 * line for line in range(self._panel_lines))

    def close(self) -> None:
        """Let go of every line."""
        self._lines.close()
