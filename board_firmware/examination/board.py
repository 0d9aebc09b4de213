"""A board under examination: its raw contacts scan by scan, before anything is debounced, held or believed.

A wired board is opened without its scanning thread and scanned from here, so that the line check may use the scanner
too; a simulated one is stepped in virtual time. A board that only reports settled squares is read as it reports.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from hal.board import Board, BoardEvent, BoardSnapshot, SquareChanged
from hal.catalog import open_board
from hal.continuity import Flaw
from hal.reed_board import ReedBoard
from hal.simulated import SimulatedBoard
from hal.wires import WiredBoard
from hal.wiring import Wiring, default_wiring

SCAN_NS = 5_000_000


class Examined(Protocol):
    """What the doctor needs of a board."""

    board: Board
    groups: Mapping[str, int]
    buttons: tuple[str, ...]
    has_lever: bool
    has_lamps: bool
    wiring: Wiring | None
    """What the squares are read by; None of a board that has its own."""

    def look(self) -> tuple[int, int, tuple[BoardEvent, ...]]:
        """The next scan: contacts (bit n = square n closed), its time in ns, and what the driver reported."""
        ...

    def flaws(self) -> tuple[Flaw, ...]:
        """What is wrong with the wires, as far as they can be asked and answer."""
        ...


class ExaminedReeds:
    """A wired board, scanned from here at its own period."""

    def __init__(
        self,
        board: ReedBoard,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.board: Board = board
        self._reeds = board
        self._clock, self._sleep = clock, sleep
        self._due = clock()
        self._asking_ns = 0  # all the time that asking has taken: it makes no scan late
        self.groups = board.scanner.groups
        self.buttons, self.has_lever = _panel(board.wiring)
        self.has_lamps = board.wiring.lamps.driver != "none"
        self.wiring: Wiring | None = board.wiring

    def look(self) -> tuple[int, int, tuple[BoardEvent, ...]]:
        """Wait for the next scan and make it."""
        ahead = self._due - self._now_ns()
        if ahead > 0:
            self._sleep(ahead / 1e9)
        at_ns = self._now_ns()
        self._due = max(self._due + self._reeds.wiring.period_ns, at_ns)
        events = tuple(self._reeds.tick(at_ns))
        return self._reeds.scanned.squares, at_ns, events

    def _now_ns(self) -> int:
        return self._clock() - self._asking_ns

    def flaws(self) -> tuple[Flaw, ...]:
        """Asks the scanner; one that fails has the next scan say so."""
        begun_ns = self._clock()
        try:
            return self._reeds.scanner.test(*self._reeds.scanned)
        except OSError:
            return ()
        finally:
            self._asking_ns += self._clock() - begun_ns


class ExaminedWires:
    """The board in wires, in virtual time."""

    def __init__(self, board: WiredBoard) -> None:
        self.board: Board = board
        self._wires = board
        self.groups = board.board.scanner.groups
        self.buttons, self.has_lever = _panel(board.board.wiring)
        self.has_lamps = True
        self.wiring: Wiring | None = board.board.wiring
        self._at_ns = board.now_ns

    def look(self) -> tuple[int, int, tuple[BoardEvent, ...]]:
        """One scan further."""
        self._at_ns += self._wires.board.wiring.period_ns
        events = self._wires.advance(self._at_ns)
        return self._wires.board.scanned.squares, self._at_ns, events

    def flaws(self) -> tuple[Flaw, ...]:
        """Asks the scanner."""
        return self._wires.board.scanner.test(*self._wires.board.scanned)


class ExaminedReports:
    """A board that reports settled squares, or the simulated one: no lines, and buttons only where they are known."""

    def __init__(self, board: Board, buttons: tuple[str, ...] = (), *, has_lever: bool = False) -> None:
        self.board = board
        self.groups: Mapping[str, int] = {}
        self.buttons, self.has_lever = buttons, has_lever
        self.has_lamps = True
        self.wiring: Wiring | None = None
        self._squares = board.snapshot().occupancy
        self._virtual = board if isinstance(board, SimulatedBoard) else None

    def look(self) -> tuple[int, int, tuple[BoardEvent, ...]]:
        """What has been reported meanwhile."""
        if self._virtual is not None:
            events = self._virtual.advance(self._virtual.now_ns + SCAN_NS)
            return self._virtual.contacts, self._virtual.now_ns, events
        events = self.board.wait(SCAN_NS / 1e9)
        for event in events:
            if isinstance(event, BoardSnapshot):
                self._squares = event.occupancy
            elif isinstance(event, SquareChanged):
                bit = 1 << event.square
                self._squares = self._squares | bit if event.occupied else self._squares & ~bit
        return self._squares, time.monotonic_ns(), events

    def flaws(self) -> tuple[Flaw, ...]:
        """Nobody can tell."""
        return ()


def open_examined(url: str) -> Examined:
    """The board at ``url`` as the doctor reads it; simulated ones in virtual time. Raises as `open_board` does."""
    scheme = url.partition(":")[0]
    if scheme == "reed":
        board = open_board(url, start=False)
    elif scheme in ("sim", "wires"):
        board = open_board(url, clock=None)
    else:
        board = open_board(url)
    return examined(board)


def examined(board: Board) -> Examined:
    """A board that is open already, as the doctor reads it."""
    if isinstance(board, ReedBoard):
        return ExaminedReeds(board)
    if isinstance(board, WiredBoard):
        return ExaminedWires(board)
    if isinstance(board, SimulatedBoard):
        buttons, has_lever = _panel(default_wiring())
        return ExaminedReports(board, buttons, has_lever=has_lever)
    return ExaminedReports(board)


def _panel(wiring: Wiring) -> tuple[tuple[str, ...], bool]:
    return tuple(wiring.panel.buttons), bool(wiring.panel.lever_white)
