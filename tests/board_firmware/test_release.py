"""Order in time: whatever order the switches report in, the core hears it as it happened."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.events import SquareChanged, Tick
from board_firmware.release import LATENCY_NS, Release, latency_of
from hal.matrix import Scan
from hal.reed_board import ReedBoard
from hal.wiring import parse_wiring

MS = 1_000_000


def change(at_ms: int, square: int = 0) -> SquareChanged:
    """A square's change at a millisecond."""
    return SquareChanged(square=square, occupied=True, at_ns=at_ms * MS)


def test_nothing_comes_before_its_time():
    """An event is held back for the longest debounce and one scan, to the nanosecond."""
    release = Release()
    release.push(change(100))
    assert release.pop(100 * MS + LATENCY_NS - 1, None) is None
    assert release.pop(100 * MS + LATENCY_NS, None) == change(100)


def test_a_lift_reported_before_an_earlier_place_comes_after_it():
    """The place took 60 ms to debounce, the lift 30: by their first edges they change places."""
    release = Release()
    release.push(change(20, square=1))
    release.push(change(10, square=2))
    assert [release.pop(200 * MS, None).square for _ in range(2)] == [2, 1]


def test_equal_stamps_keep_the_order_of_arrival():
    """One scan: its order is unknown and is not shuffled either."""
    release = Release()
    for square in (5, 3, 9):
        release.push(change(10, square))
    assert [release.pop(200 * MS, None).square for _ in range(3)] == [5, 3, 9]


def test_a_deadline_becomes_a_tick_in_its_place():
    """A tick comes after what happened before the deadline and before what happened after it."""
    release = Release()
    release.push(change(10))
    release.push(change(30))
    assert release.pop(500 * MS, 20 * MS) == change(10)
    assert release.pop(500 * MS, 20 * MS) == Tick(at_ns=20 * MS)
    assert release.pop(500 * MS, None) == change(30)


def test_a_deadline_is_told_once():
    """A core that keeps its deadline after the tick does not make the loop spin."""
    release = Release()
    assert release.pop(500 * MS, 20 * MS) == Tick(at_ns=20 * MS)
    assert release.pop(500 * MS, 20 * MS) is None
    assert release.wake_ns(20 * MS) is None


def test_a_late_event_does_not_turn_time_back():
    """A scan that stalled longer than the latency: the event comes with the newest stamp given on, and is counted."""
    release = Release()
    release.push(change(100))
    assert release.pop(400 * MS, None) == change(100)
    release.push(change(50, square=7))
    assert release.pop(400 * MS, None) == change(100, square=7)
    assert release.late == 1


def test_the_loop_sleeps_until_something_is_due():
    """Nothing waiting and no deadline: no wake-up at all."""
    release = Release()
    assert release.wake_ns(None) is None
    assert release.wake_ns(80 * MS) == 80 * MS + LATENCY_NS
    release.push(change(70))
    assert release.wake_ns(80 * MS) == 70 * MS + LATENCY_NS


@given(st.lists(st.integers(0, 60), max_size=30), st.randoms(use_true_random=False))
def test_any_order_of_arrival_within_the_latency_is_put_right(times_ms, random):
    """All that arrives within the latency of its stamp comes out sorted, nothing lost, nothing late."""
    release = Release()
    random.shuffle(times_ms)
    for at_ms in times_ms:
        release.push(change(at_ms))
    out = []
    for now_ms in range(65, 200):
        while (event := release.pop(now_ms * MS, None)) is not None:
            assert event.at_ns + LATENCY_NS <= now_ms * MS
            out.append(event.at_ns // MS)
    assert out == sorted(times_ms)
    assert release.late == 0


class Reeds:
    """A scanner of which a test says what is closed."""

    groups: ClassVar[dict] = {}
    glances = 1

    def __init__(self):
        self.now = Scan(0, 0b10)

    def glance(self):
        """As `test`."""
        return False

    def scan(self):
        """As it was told."""
        return self.now

    def test(self, squares, contacts):
        """Sound wires."""
        return ()

    def unsure(self):
        """As `test`."""
        return 0

    def pulled_with(self, contact):
        """As `test`."""
        return 0


@pytest.mark.parametrize("period_ms", [5, 10])
@pytest.mark.parametrize("close_ms", [60, 61, 120, 250])
def test_a_press_soon_after_a_landing_is_judged_after_it(close_ms, period_ms):
    """With whatever debounce the wiring has: a landing 20 ms before the press is given on before it."""
    wiring = parse_wiring(
        f"[scanner]\nperiod_ms = {period_ms}\n[debounce]\nclose_ms = {close_ms}\n[panel]\nlever_ms = 20", "slow"
    )
    reeds = Reeds()
    board = ReedBoard(reeds, wiring)
    release, out = Release(latency_of(board)), []
    for now_ms in range(0, 2000, period_ms):
        reeds.now = Scan(1 << 28 if now_ms >= 1000 else 0, 0b01 if now_ms >= 1020 else 0b10)
        while (event := release.pop(now_ms * MS, None)) is not None:  # just before this scan's events come
            out.append(event)
        for event in board.tick(now_ms * MS):
            release.push(event)
    assert [type(event).__name__ for event in out] == ["BoardSnapshot", "SquareChanged", "LeverMoved"]
    assert release.late == 0


def test_other_boards_have_the_usual_latency():
    """A board that says nothing of its own, and one that is quicker."""
    assert latency_of(object()) == latency_of(SimpleNamespace(latency_ns=1)) == LATENCY_NS
