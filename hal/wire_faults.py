"""What can break on the board in wires, by square and by line: set, mended, or chosen at random.

Reeds break in `hal.simulated`, diodes and wires in `hal.net`; here both stand behind the names that the board itself
gives its parts, so that a test breaks `square e4` and waits for `square e4` to be named. Any number of things may be
broken at once.
"""

from __future__ import annotations

from random import Random
from typing import get_args

from hal.net import DiodeFault, Net
from hal.simulated import Fault, SimulatedBoard
from hal.squares import SQUARE_NAMES, line_name, parse_square
from hal.wiring import Wiring

RESISTIVE_AT = 3
"""A contact with resistance reads open while this many others are closed on its drive line."""

SPIKE_RATE = 1e-3
"""Chance of a wrong level per read on a board without shielding: some sixteen in a second, each for one scan."""


class WireFaults:
    """The faults of one board in wires; ``broken`` has what is broken now: part -> fault."""

    def __init__(self, wood: SimulatedBoard, net: Net, wiring: Wiring, random: Random) -> None:
        self._wood, self._net, self._random = wood, net, random
        self._quiet = net.spike_rate
        self._has_panel = bool(wiring.matrix.panel)
        square = wiring.square
        self._drives = [line_name(sum(1 << square(drive, sense) for sense in range(8))) for drive in range(8)]
        self._senses = [line_name(sum(1 << square(drive, sense) for drive in range(8))) for sense in range(8)]
        self.broken: dict[str, str] = {}

    def set(self, part: str, fault: str | None) -> None:
        """Break a part, or mend it with None; ``ValueError`` for what is no part or no fault of it.

        ``square e4`` takes a fault of its reed (`hal.simulated.Fault`), of its diode (shorted, open, reversed), or
        ``resistive``: its contact reads open while its drive line is full. ``line file e`` and ``panel`` take ``open`` (a
        broken wire) or ``low`` (a short to ground); ``line rank 4 + line rank 5``, two sense lines, take ``joined``, and so
        do two drive lines, ``line file g + line file h`` or ``line file h + panel``; ``board`` takes ``spikes``.
        """
        word, _, name = part.partition(" ")
        if part == "board":
            self._disturb(fault)
        elif word == "square":
            self._break_square(parse_square(name), fault)
        elif " + " in part:
            self._join(part, fault)
        else:
            self._break_line(part, fault)
        if fault is None:
            self.broken.pop(part, None)
        else:
            self.broken[part] = fault
        self._net.touched()

    def mend_all(self) -> None:
        """Everything is whole again."""
        for part in list(self.broken):
            self.set(part, None)

    def damage(self, kind: str) -> tuple[str, str]:
        """Break one thing: ``stuck`` (a reed), ``chatter`` (a reed) or ``dead_line``; mends what was broken before.

        Returns the part and the reason by which the board should name it.
        """
        self.mend_all()
        occupied = [square for square in range(64) if self._wood.standing >> square & 1]
        if kind == "stuck":
            empty = [square for square in range(64) if square not in occupied]
            part, fault, reason = f"square {SQUARE_NAMES[self._random.choice(empty)]}", "stuck_closed", "stuck_closed"
        elif kind == "chatter":
            part, fault, reason = f"square {SQUARE_NAMES[self._random.choice(occupied)]}", "chatter", "chatter"
        elif kind == "dead_line":
            part, fault, reason = f"line file {self._random.choice('abcdefgh')}", "open", "dead_line"
        else:
            raise ValueError(f"{kind!r} is no damage: stuck, chatter or dead_line")
        self.set(part, fault)
        return part, reason

    def _disturb(self, fault: str | None) -> None:
        if fault not in ("spikes", None):
            raise ValueError(f"{fault!r} is no fault of the board: spikes")
        self._net.spike_rate = self._quiet if fault is None else SPIKE_RATE

    def _break_square(self, square: int, fault: str | None) -> None:
        if fault is None:
            self._net.diodes.pop(square, None)
            self._net.resistive.pop(square, None)
            self._wood.set_fault(square, None)
        elif fault in get_args(Fault):
            self._wood.set_fault(square, fault)  # type: ignore[arg-type]
        elif fault in get_args(DiodeFault):
            self._net.diodes[square] = fault  # type: ignore[assignment]
        elif fault == "resistive":
            self._net.resistive[square] = RESISTIVE_AT
        else:
            raise ValueError(f"{fault!r} is no fault of a square")

    def _join(self, part: str, fault: str | None) -> None:
        first, _, second = part.partition(" + ")
        drives = [*self._drives, "panel"] if self._has_panel else self._drives
        if first in self._senses and second in self._senses:
            lines, joined = self._senses, self._net.shorted_senses
        elif first in drives and second in drives:
            lines, joined = drives, self._net.shorted_drives
        else:
            raise ValueError(
                f"{part!r} are no two sense lines and no two drive lines of this board:"
                f" such as {' + '.join(self._senses[3:5])}"
            )
        if fault not in ("joined", None):
            raise ValueError(f"{fault!r} is no fault of two lines: joined")
        pair = lines.index(first), lines.index(second)
        joined.discard(pair)
        if fault is not None:
            joined.add(pair)

    def _break_line(self, part: str, fault: str | None) -> None:
        drives = [*self._drives, "panel"] if self._has_panel else self._drives
        if part in drives:
            line, opened, low = drives.index(part), self._net.open_drives, self._net.low_drives
        elif part in self._senses:
            line, opened, low = self._senses.index(part), self._net.open_senses, self._net.low_senses
        else:
            raise ValueError(f"{part!r} is no part of this board: square e4, line file e, line rank 4, panel")
        if fault not in ("open", "low", None):
            raise ValueError(f"{fault!r} is no fault of a line: open or low")
        opened.discard(line)
        low.discard(line)
        if fault is not None:
            (opened if fault == "open" else low).add(line)
