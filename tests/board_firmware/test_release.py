"""Order in time: whatever order the switches report in, the core hears it as it happened."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.events import SquareChanged, Tick
from board_firmware.release import LATENCY_NS, Release

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
