"""Debouncing: scripted contacts against scripted events, both forms held to each other, late scans and long quiet."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.board import Blipped, LiftHinted, SquareChanged
from hal.debounce import Debounce, EdgeDebouncer, ScanDebouncer

MS = 1_000_000
E2, E4 = 12, 28


def settled(raw, *, debounce_ms, initial=0, until_ms=5_000):
    """(ms at which it came out, square, occupied) of each change for contact edges (ms, level) of square e4."""
    times = Debounce(close_ms=debounce_ms, open_ms=debounce_ms)
    debouncer = EdgeDebouncer(times, initial << E4)
    found = []

    def run_to(to_ns):
        while (due := debouncer.deadline_ns()) is not None and due <= to_ns:
            found.extend(
                (due / MS, event.square, event.occupied)
                for event in debouncer.advance(due)
                if isinstance(event, SquareChanged)
            )

    for ms, level in raw:
        run_to(ms * MS)
        debouncer.edge(E4, bool(level), ms * MS)
    run_to(until_ms * MS)
    return found


def test_bounce_settles_a_debounce_time_after_the_last_edge():
    """H01: 1 0 1 0 1 within 12 ms is one place, 20 ms after the last of them."""
    assert settled([(0, 1), (3, 0), (5, 1), (9, 0), (12, 1)], debounce_ms=20) == [(32, E4, True)]


def test_place_and_lift_alternate():
    """H03: a bounce at either end makes neither a second place nor a lift without a place."""
    raw = [(0, 1), (1, 0), (2, 1), (300, 0), (301, 1), (302, 0)]
    assert settled(raw, debounce_ms=20) == [(22, E4, True), (322, E4, False)]


def test_a_glitch_is_no_lift():
    """H04: a gap of 4 ms is no touch; it comes out as a blip, which decides nothing."""
    assert settled([(1000, 0), (1004, 1)], debounce_ms=20, initial=1) == []
    debouncer = EdgeDebouncer(occupancy=1 << E2)
    debouncer.edge(E2, False, 1000 * MS)
    debouncer.edge(E2, True, 1004 * MS)
    assert debouncer.advance(3000 * MS) == (
        LiftHinted(square=E2, at_ns=1000 * MS),
        Blipped(square=E2, ms=4.0, at_ns=1000 * MS),
    )


@pytest.mark.parametrize(
    "times", [{"close_ms": 1000}, {"open_ms": 251}, {"close_ms": 0}, {"open_ms": -1}, {"stall_ms": 0}]
)
def test_a_debounce_that_would_swallow_moves_is_refused(times):
    """H06: over 250 ms, or not over 0, is an error that names the setting."""
    with pytest.raises(ValueError, match=next(iter(times))):
        Debounce(**times)


def test_a_floating_input_never_settles():
    """H08: a contact that toggles every 7 ms for 5 s makes no event at 20 ms."""
    assert settled([(7 * n, n % 2) for n in range(715)], debounce_ms=20) == []


def test_a_phantom_in_every_second_scan_never_settles():
    """H11: a line read before it has settled shows e3 in every other scan; none of them counts."""
    debouncer = ScanDebouncer(occupancy=1 << E2)
    events = []
    for scan in range(2_000):
        events += debouncer.scan(1 << E2 | (scan % 2) << 20, scan * 5 * MS)
    assert events == []


def test_times_apart_and_dated_back():
    """A closing takes 60 ms, an opening 30, and both are dated to their first edge."""
    debouncer = EdgeDebouncer()
    debouncer.edge(E4, True, 100 * MS)
    assert debouncer.advance(160 * MS - 1) == ()
    assert debouncer.advance(160 * MS) == (SquareChanged(square=E4, occupied=True, at_ns=100 * MS),)
    debouncer.edge(E4, False, 500 * MS)
    assert debouncer.advance(500 * MS) == (LiftHinted(square=E4, at_ns=500 * MS),)
    assert debouncer.advance(530 * MS - 1) == ()
    assert debouncer.advance(530 * MS) == (SquareChanged(square=E4, occupied=False, at_ns=500 * MS),)
    assert debouncer.deadline_ns() is None


def test_wobble_is_merged_into_one_blip():
    """Openings so close that the counter has not drained between them are one run: one hint, one blip."""
    debouncer = EdgeDebouncer(occupancy=1 << E4)
    for ms, closed in ((0, False), (20, True), (25, False), (35, True)):
        debouncer.edge(E4, closed, ms * MS)
    assert debouncer.advance(1000 * MS) == (
        LiftHinted(square=E4, at_ns=0),
        Blipped(square=E4, ms=35.0, at_ns=0),
    )


def test_a_chattering_reed_freezes_no_other():
    """The counters are apart: a place settles while a neighbour toggles for ever."""
    debouncer = ScanDebouncer()
    events = []
    for scan in range(100):
        events += debouncer.scan(1 << E4 | (scan % 2), scan * 5 * MS)
    assert events == [SquareChanged(square=E4, occupied=True, at_ns=0)]


def test_one_square_may_be_slower():
    """A chattering reed is given 200 ms and then needs them."""
    for debouncer in (EdgeDebouncer(), ScanDebouncer()):
        debouncer.set_times(E4, 200, 200)
    edge = EdgeDebouncer()
    edge.set_times(E4, 200, 200)
    edge.edge(E4, True, 0)
    assert edge.deadline_ns() == 200 * MS


def test_a_late_scan_proves_no_more_than_a_scan():
    """A closed sample, 500 ms of nothing, an open sample: no place, for nobody saw it stay closed."""
    debouncer = ScanDebouncer()
    assert list(debouncer.scan(1 << E4, 0)) == []
    assert list(debouncer.scan(0, 500 * MS)) == []
    assert [event for scan in range(100) for event in debouncer.scan(0, (505 + scan * 5) * MS)] == []


@pytest.mark.parametrize("failed", [1, 2, 20, 400])
@pytest.mark.parametrize("occupancy", [0, 1 << E4])
def test_a_wrong_scan_before_scans_that_fail_moves_nothing(failed, occupancy):
    """What one scan saw is not held for true while nobody could look: each next scan that sees the old state ends it."""
    debouncer = ScanDebouncer(Debounce(close_ms=10, open_ms=10), occupancy)
    events, ms = [], 0
    for _ in range(50):
        ms += 5
        debouncer.scan(occupancy ^ 1 << E4, ms * MS)
        for _ in range(failed):
            ms += 5
            debouncer.missed(ms * MS)
        for _ in range(5):
            ms += 5
            events += debouncer.scan(occupancy, ms * MS)
    assert not [event for event in events if isinstance(event, SquareChanged)]


def test_scans_that_fail_now_and_then_silence_nothing():
    """Of a bus that fails every other time the scans between still count, for the time of one scan each."""
    debouncer, events = ScanDebouncer(), []
    for scan in range(0, 60, 2):
        events += debouncer.scan(1 << E4, scan * 5 * MS)
        debouncer.missed((scan + 1) * 5 * MS)
    assert [(event.square, event.occupied) for event in events] == [(E4, True)]


def test_what_settles_after_an_outage_is_dated_as_late_as_any():
    """A piece that was seen to come down, and seen again two seconds later, is dated within 60 ms of settling."""
    debouncer, events, settled = ScanDebouncer(), [], []
    debouncer.scan(1 << E4, 0)
    for ms in range(5, 2000, 5):
        debouncer.missed(ms * MS)
    for ms in range(2000, 2100, 5):
        found = debouncer.scan(1 << E4, ms * MS)
        events += found
        settled += [ms * MS] * len(found)
    assert len(events) == 1
    assert settled[0] - events[0].at_ns <= 60 * MS


edges = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 12)), max_size=60)


@settings(deadline=None)
@given(edges, st.sampled_from([5, 10]))
def test_both_forms_say_the_same(toggles, period_ms):
    """Fed with the same samples, edges and scans give equal events in equal order."""
    by_scan, by_edge = ScanDebouncer(occupancy=0b1100), EdgeDebouncer(occupancy=0b1100)
    raw, scan = 0b1100, 0
    scanned, edged = [], []

    def quiet(scans):
        nonlocal scan
        for _ in range(scans):
            scan += 1
            scanned.extend(by_scan.scan(raw, scan * period_ms * MS))

    quiet(1)
    for square, scans in toggles:
        raw ^= 1 << square
        scan += 1
        at_ns = scan * period_ms * MS
        scanned.extend(by_scan.scan(raw, at_ns))
        by_edge.edge(square, bool(raw >> square & 1), at_ns)
        quiet(scans)
    quiet(40)
    edged.extend(by_edge.advance(scan * period_ms * MS))
    assert scanned == edged
    assert by_scan.occupancy == by_edge.occupancy == raw


@settings(deadline=None)
@given(edges)
def test_nothing_comes_later_than_a_place_takes(toggles):
    """Whoever waits 60 ms plus one scan after a stamp has seen every event up to it."""
    debouncer, raw, at_ns = EdgeDebouncer(), 0, 0
    seen_ns = []

    def run_to(to_ns):
        while (due := debouncer.deadline_ns()) is not None and due <= to_ns:
            seen_ns.extend(due - event.at_ns for event in debouncer.advance(due))

    for square, scans in toggles:
        at_ns += scans * 5 * MS
        raw ^= 1 << square
        run_to(at_ns)
        debouncer.edge(square, bool(raw >> square & 1), at_ns)
    run_to(at_ns + 1000 * MS)
    assert all(0 <= late_ns <= 60 * MS for late_ns in seen_ns)


@settings(deadline=None)
@given(edges)
def test_places_and_lifts_alternate_on_each_square(toggles):
    """No square is placed twice or lifted twice in a row, whatever its contact does."""
    debouncer, raw, at_ns = EdgeDebouncer(), 0, 0
    for square, ms in toggles:
        at_ns += ms * 7 * MS
        raw ^= 1 << square
        debouncer.edge(square, bool(raw >> square & 1), at_ns)
    last = dict.fromkeys(range(4), False)
    for event in debouncer.advance(at_ns + 1000 * MS):
        if isinstance(event, SquareChanged):
            assert event.occupied != last[event.square]
            last[event.square] = event.occupied
    assert last == {square: bool(raw >> square & 1) for square in range(4)}


def placements(close_ms, open_ms, count=1_500):
    """Pieces set down with nought to three wobbles of 2-35 ms and bouncing contacts, scanned every 5 ms.

    The share that gives more than one event, and the median delay from the first contact in ms.
    """
    random = Random(8)
    several, delays = 0, []
    for _ in range(count):
        edges, at = [(0.0, True)], 0.0
        for _ in range(random.randrange(4)):
            at += random.uniform(5, 30)
            edges += [(at, False), (at + random.uniform(2, 35), True)]
            at = edges[-1][0]
        debouncer = ScanDebouncer(Debounce(close_ms=close_ms, open_ms=open_ms))
        found, first_ms, phase = 0, None, random.uniform(0, 5)
        for scan in range(120):
            ms = phase + scan * 5
            level = next((closed for edge, closed in reversed(edges) if edge <= ms), False)
            for event in debouncer.scan(int(level), round(ms * MS)):
                if isinstance(event, SquareChanged):
                    found += 1
                    first_ms = ms if first_ms is None else first_ms
        several += found > 1
        delays.append(first_ms)
    return several / count, median(delays)


def test_the_times_are_worth_their_wait():
    """60/30 ms splits under one wobbling placement in a hundred, 20/20 more than one in five."""
    share, delay_ms = placements(60, 30)
    assert share < 0.01
    assert 60 <= delay_ms <= 120
    assert placements(20, 20)[0] > 0.2
