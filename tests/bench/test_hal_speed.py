"""What the wires cost: an idle scan, a move on the simulated board, the same move in wires; claims as ratios only.

The unit is `reference`, ten thousand additions in plain Python: on a Pi Zero 2 W all of these are some twenty times
slower, and their ratios the same.
"""

from __future__ import annotations

import time

import pytest

from hal.debounce import ScanDebouncer
from hal.matrix import Matrix
from hal.motion import Blip, Drag, Lift, Nudge, Place, PressLever
from hal.reed_board import ReedBoard
from hal.simulated import SimulatedBoard
from hal.wires import WiredBoard
from hal.wiring import default_wiring

MS = 1_000_000


def reference():
    """Ten thousand additions."""
    total = 0
    for n in range(10_000):
        total += n
    return total


def best_s(action, rounds=5, times=1):
    """The shortest of several runs, a run, in seconds."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(times):
            action()
        found.append((time.perf_counter() - start) / times)
    return min(found)


class FreeLines:
    """Lines that cost nothing: what remains is our own Python."""

    hears = True

    def __init__(self):
        self.low = 0

    def select(self, drive):
        """Each line has two closed switches; with none selected nothing is low."""
        self.low = 0 if drive is None else 3

    def read(self):
        """The same of each line."""
        return self.low

    def heard(self):
        """Nothing is joined to anything."""
        return 0

    def hold(self, sense):
        """Nothing."""

    def close(self):
        """Nothing."""


class Idle:
    """A wired board on free lines, scanned again and again."""

    def __init__(self):
        wiring = default_wiring()
        self.board = ReedBoard(Matrix(wiring, FreeLines(), lambda _: None), wiring)
        self.ns = 0

    def __call__(self):
        """One scan."""
        self.ns += 5 * MS
        self.board.tick(self.ns)


class Plies:
    """A pawn that goes to and fro, with the lever each time."""

    def __init__(self, board, human=False):
        self.board, self.human = board, human
        self.square, self.count = 12, 0
        board.advance(board.now_ns + 10 * MS)

    def __call__(self):
        """One ply and the time until it has settled."""
        origin, landing = self.square, 20 if self.square == 12 else 12
        side = "black" if self.count % 2 else "white"
        if self.human:
            gesture = [Blip(square=origin), Drag(square=origin, path=(landing,), at_ms=80, offset_mm=(3, -4))]
            gesture += [Blip(square=landing, at_ms=500, ms=20), Nudge(square=landing, at_ms=620)]
            gesture.append(PressLever(side=side, at_ms=1000))
        else:
            gesture = [
                Lift(square=origin),
                Place(square=landing, of=origin, at_ms=400),
                PressLever(side=side, at_ms=900),
            ]
        self.board.advance(self.board.act(gesture) + 100 * MS)
        self.square = landing
        self.count += 1


def test_idle_scan(benchmark):
    """Our own share of a scan in which nothing moves: less than a tenth of the reference."""
    benchmark(Idle())
    assert best_s(Idle(), times=500) < 0.1 * best_s(reference, times=20)


def test_idle_debounce(benchmark):
    """Sixty-four debouncers at rest: less than a two-hundredth of the reference."""
    debouncer = ScanDebouncer()
    benchmark(debouncer.scan, 0, 1)
    assert best_s(lambda: debouncer.scan(0, 1), times=2000) < 0.005 * best_s(reference, times=20)


@pytest.mark.parametrize("human", [False, True], ids=["tidy", "human"])
def test_simulated_ply(benchmark, human):
    """A move on `sim:`, hands to port: tidy under two references, with wobble, slide and adjusting under six."""
    benchmark(Plies(SimulatedBoard(seed=1), human))
    plies = Plies(SimulatedBoard(seed=1), human)
    assert best_s(plies, times=50) < (6 if human else 2) * best_s(reference, times=20)


def test_ply_in_wires(benchmark):
    """The same move with every scan stepped through circuit and driver: dearer than `sim:` by 20 times and more."""
    benchmark(Plies(WiredBoard(seed=1)))
    wires, simulated = Plies(WiredBoard(seed=1)), Plies(SimulatedBoard(seed=1))
    assert best_s(wires, times=3) > 20 * best_s(simulated, times=50)
