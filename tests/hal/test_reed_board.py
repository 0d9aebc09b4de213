"""A wired board behind the port: one scan, its thread, a scanner that fails, what it shows and sounds."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from hal.board import (
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    Lamps,
    LeverMoved,
    LiftHinted,
    Recovered,
    SquareChanged,
    Text,
    Tone,
)
from hal.continuity import Flaw
from hal.matrix import PartError, Scan
from hal.reed_board import ReedBoard
from hal.wiring import default_wiring, parse_wiring

MS = 1_000_000
START = 0xFFFF_0000_0000_FFFF
E2, E4 = 12, 28


class Contacts:
    """A scanner that reads what it is told; ``failing`` makes it raise."""

    def __init__(self):
        self.groups = {"line rank 5": 0xFF << 32}
        self.now = Scan(START, 0b10)
        self.failing = False
        self.error = None
        self.flaws = ()
        self.tests = 0
        self.scans = 0
        self.closed = 0

    def scan(self):
        """One scan."""
        self.scans += 1
        if self.failing:
            raise OSError(121, "Remote I/O error")
        if self.error:
            raise self.error
        return self.now

    def test(self, squares, contacts):
        """What is said to be wrong with the wires; an error in its place is raised."""
        self.tests += 1
        if isinstance(self.flaws, Exception):
            raise self.flaws
        return self.flaws

    glances = 1

    def glance(self):
        """Whether a test would find anything."""
        return bool(self.test(0, 0))

    def unsure(self):
        """The contact on the wire that is said to be at ground."""
        return 1 << 4 if self.test(0, 0) else 0

    def pulled_with(self, contact):
        """No wire touches another."""
        return 0

    def close(self):
        """Counted."""
        self.closed += 1


@pytest.fixture
def rig():
    """A scanner and its board."""
    contacts = Contacts()
    return contacts, ReedBoard(contacts, default_wiring())


def scans(board, from_ms, to_ms):
    """The events of scans every 5 ms."""
    return [event for ms in range(from_ms, to_ms, 5) for event in board.tick(ms * MS)]


def test_the_first_scan_is_a_snapshot(rig):
    """What stands at the start is no event for each square."""
    _, board = rig
    assert scans(board, 0, 500) == [BoardSnapshot(occupancy=START, at_ns=0)]
    assert board.snapshot().occupancy == START


def test_a_move_and_a_press(rig):
    """Contacts become events with the time of the scan that first saw them."""
    contacts, board = rig
    scans(board, 0, 500)
    contacts.now = Scan(START ^ 1 << E2, 0b10)
    events = scans(board, 500, 1000)
    contacts.now = Scan(START ^ 1 << E2 ^ 1 << E4, 0b01)
    events += scans(board, 1000, 1500)
    assert events == [
        LiftHinted(square=E2, at_ns=500 * MS),
        SquareChanged(square=E2, occupied=False, at_ns=500 * MS),
        LeverMoved(down="white", at_ns=1000 * MS),
        SquareChanged(square=E4, occupied=True, at_ns=1000 * MS),
    ]


def test_an_error_is_not_sixty_four_empty_squares(rig):
    """H20: failed once or twice: no event at all; for three seconds: reported lost, then back with what stands."""
    contacts, board = rig
    scans(board, 0, 500)
    contacts.failing = True
    assert scans(board, 500, 510) == []
    contacts.failing = False
    assert scans(board, 510, 1000) == []
    contacts.failing = True
    assert scans(board, 1000, 4000) == [Faulted(part="board", reason="lost", at_ns=1500 * MS)]
    assert board.snapshot().occupancy == START
    contacts.failing = False
    events = scans(board, 4000, 6000)
    assert events == [Recovered(part="board", at_ns=4000 * MS)]


@pytest.mark.parametrize("period_ms", [5, 10, 20])
@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), PartError("chip 1", "gone"), RuntimeError("bug")])
def test_one_wrong_scan_before_some_that_fail_moves_nothing(period_ms, error):
    """Whatever a spike shows before the bus gives up, neither square nor lever nor button has done what it showed."""
    times = "[debounce]\nopen_ms = {0}\n[panel]\nlever_ms = {0}\nbutton_ms = {0}".format(2 * period_ms)
    wiring = parse_wiring(f"[scanner]\nperiod_ms = {period_ms}\n{times}", "t")
    contacts, at_ns, told = Contacts(), 0, []
    board = ReedBoard(contacts, wiring)
    for failed in range(60):
        for n in range(40 + failed):
            at_ns += wiring.period_ns
            contacts.now = Scan(0xFF << 24, 0b1100_0001) if n == 20 else Scan(START, 0b10)
            contacts.error = error if 20 < n <= 20 + failed else None
            try:
                told += board.tick(at_ns)
            except RuntimeError:
                continue
    assert not [event for event in told if isinstance(event, SquareChanged | LeverMoved | ButtonPressed)]


@pytest.mark.parametrize("period_ms", [1, 5, 10, 20])
@pytest.mark.parametrize("late", [1.5, 2, 3, 50])
def test_one_wrong_scan_before_a_late_one_moves_nothing(period_ms, late):
    """Nobody looked in between: one scan alone proves nothing, however long it takes to the next."""
    times = "[debounce]\nopen_ms = {0}\n[panel]\nlever_ms = {0}\nbutton_ms = {0}".format(2 * period_ms)
    wiring = parse_wiring(f"[scanner]\nperiod_ms = {period_ms}\n{times}", "t")
    contacts, at_ns, told = Contacts(), 0, []
    board = ReedBoard(contacts, wiring)
    for n in range(2000):
        at_ns += round(wiring.period_ns * (late if n % 20 == 11 else 1))
        contacts.now = Scan(START ^ 1 << E2, 0b01) if n % 20 == 10 else Scan(START, 0b10)
        told += board.tick(at_ns)
    assert not [event for event in told if isinstance(event, SquareChanged | LeverMoved | ButtonPressed)]


def test_a_bus_that_hangs_is_named_when_its_first_scan_is_over(rig):
    """Each scan takes a second to fail: what has failed for longer than half a second by then is lost; none is late."""
    contacts, board = rig
    now = [0]

    def sleep(seconds):
        now[0] += round(seconds * 1e9)
        contacts.hangs = 1000 * MS <= now[0] < 3500 * MS
        board._closing = now[0] > 6000 * MS

    def scan():
        if contacts.hangs:
            now[0] += 1000 * MS
            if now[0] > 3500 * MS:
                contacts.hangs = False
            raise OSError(110, "Connection timed out")
        return contacts.now

    contacts.hangs, contacts.scan = False, scan
    board.start(lambda: now[0], sleep)
    board._thread.join(10)
    assert board.wait(0) == (
        BoardSnapshot(occupancy=START, at_ns=0),
        Faulted(part="board", reason="lost", at_ns=2000 * MS),
        Recovered(part="board", at_ns=4000 * MS),
    )


def test_lines_that_cannot_be_asked(rig):
    """A probe that fails raises nothing: the board is lost after half a second, and no press is believed meanwhile."""
    contacts, board = rig
    scans(board, 0, 500)
    contacts.flaws = OSError(121, "Remote I/O error")
    contacts.now = Scan(START, 0b11_0010)
    assert scans(board, 500, 1500) == [Faulted(part="board", reason="lost", at_ns=1000 * MS)]
    contacts.flaws = ()
    contacts.now = Scan(START, 0b10)
    assert scans(board, 1500, 2000) == [Recovered(part="board", at_ns=1500 * MS)]


def test_a_flaw_is_told_with_what_it_hides(rig):
    """And its button presses nothing."""
    contacts, board = rig
    scans(board, 0, 500)
    contacts.now = Scan(START | 0xFF << 32, 0b1_0010)
    contacts.flaws = (Flaw("line rank 5", "shorted", 0xFF << 32),)
    told = scans(board, 500, 1500)
    assert told == [Faulted(part="line rank 5", reason="shorted", at_ns=500 * MS, hidden=0xFF << 32)]


def test_a_part_that_is_lost_is_named(rig):
    """A scanner that knows which of its chips fails: that one is told besides the board, and taken back with it."""
    contacts, board = rig
    scans(board, 0, 500)
    real_scan = contacts.scan
    contacts.scan = lambda: (_ for _ in ()).throw(PartError("chip 2", "chip 2 (0x21): Remote I/O error"))
    lost = scans(board, 500, 1200)
    assert [(event.part, event.reason) for event in lost] == [("board", "lost"), ("chip 2", "lost")]
    contacts.scan = real_scan
    assert board.tick(1200 * MS)[:2] == [
        Recovered(part="board", at_ns=1200 * MS),
        Recovered(part="chip 2", at_ns=1200 * MS),
    ]


def test_a_bus_that_fails_every_second_scan_is_told(rig):
    """Some scans work, and yet squares and panel are read too rarely to be trusted."""
    contacts, board = rig
    scans(board, 0, 500)
    told = []
    for ms in range(500, 10_000, 5):
        contacts.failing = ms % 10 == 0
        told += board.tick(ms * MS)
    assert [(event.part, event.reason) for event in told] == [("board", "lost")]
    contacts.failing = False
    (back,) = scans(board, 10_000, 14_000)
    assert back == Recovered(part="board", at_ns=back.at_ns)


class Bug(Exception):  # noqa: N818 - as some packages name theirs
    """No OSError."""


def test_the_thread_outlives_whatever_a_scan_raises(rig):
    """Told once, tried again after longer and longer pauses, and taken back when a scan works."""
    contacts, board = rig
    slept, failing, now = [], [True], [0]

    def sleep(seconds):
        slept.append(seconds)
        now[0] += round(seconds * 1e9)
        failing[0] = len(slept) < 7
        board._closing = len(slept) >= 9

    real_scan = contacts.scan

    def scan():
        if failing[0]:
            raise Bug("as lgpio and gpiod have some")
        return real_scan()

    contacts.scan = scan
    board.start(lambda: now[0], sleep)
    board._thread.join(10)
    events = board.wait(0)
    assert slept[:7] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0]
    assert events[0] == Faulted(part="board", reason="driver_failed", at_ns=0)
    assert events[1] == Recovered(part="board", at_ns=4500 * MS)
    assert isinstance(events[2], BoardSnapshot)
    assert len(events) == 3


def test_a_thread_that_has_ended_is_no_still_board(rig):
    """Whoever waits is told, and stops feeding a watchdog; what had been posted comes out first."""
    _, board = rig
    board._run = lambda *_: board._posted.extend(board.tick(0))  # and that is the end
    board.start()
    board._thread.join(10)
    assert isinstance(board.wait(0.1)[0], BoardSnapshot)
    with pytest.raises(OSError, match="has ended"):
        board.wait(0.1)
    board.close()
    assert board.wait(0.1) == ()


def test_a_thread_that_hangs_is_no_still_board(rig):
    """A driver that does not come back for ten seconds of waiting."""
    contacts, board = rig
    hanging, release = threading.Event(), threading.Event()

    def scan():
        hanging.set()
        release.wait(10)
        return contacts.now

    contacts.scan = scan
    board.start()
    assert hanging.wait(10)
    board._changed = Instantly()
    for _ in range(4):
        assert board.wait(2.5) == ()
    with pytest.raises(OSError, match="hung"):
        board.wait(2.5)
    release.set()
    board.close()


class Instantly(threading.Condition):
    """Waits for nothing."""

    def wait(self, timeout=None):
        """As if that time had passed."""


def test_what_other_threads_report_comes_out(rig):
    """A lamp driver that fails is an event of the next scan."""
    contacts, _ = rig
    reports = []
    board = ReedBoard(contacts, default_wiring(), reports=reports)
    scans(board, 0, 100)
    reports.append(Faulted(part="lamps", reason="lost", at_ns=1))
    assert scans(board, 100, 200) == [Faulted(part="lamps", reason="lost", at_ns=100 * MS)]


def test_the_thread_scans_at_absolute_deadlines(rig):
    """A clock that each scan pushes on by a few ms still gives one scan a period; a stall is not made up for."""
    contacts, board = rig
    now, slept, starts = [0], [], []
    done = threading.Event()

    def clock():
        return now[0]

    def sleep(seconds):
        slept.append(seconds)
        now[0] += round(seconds * 1e9)
        starts.append(now[0])
        if len(slept) == 3:
            now[0] += 200 * MS  # the machine stalls
        if len(slept) >= 8:
            board._closing = True
            done.set()

    real_scan = contacts.scan

    def slow_scan():
        now[0] += 2 * MS
        return real_scan()

    contacts.scan = slow_scan
    board.start(clock, sleep)
    assert done.wait(10)
    board.close()
    assert starts[:3] == [5 * MS, 10 * MS, 15 * MS]
    gaps = [later - earlier for earlier, later in pairwise(starts[3:])]
    assert gaps == [5 * MS] * len(gaps)
    assert contacts.scans <= 10


def test_wait_gives_what_the_thread_posts(rig):
    """In real time: the snapshot comes, `wait` returns it, close ends the thread and lets the lines go."""
    contacts, board = rig
    board.start()
    (snapshot,) = board.wait(10.0)
    assert isinstance(snapshot, BoardSnapshot)
    assert snapshot.occupancy == START
    assert any(thread.name == "scan" for thread in threading.enumerate())
    board.close()
    board.close()
    assert contacts.closed >= 1
    assert not any(thread.name == "scan" for thread in threading.enumerate())
    assert board.wait(10.0) == ()


def test_helps_are_optional_and_called(rig):
    """Lamps, buzzer and display get what the port is told, and are closed once; without them nothing happens."""
    contacts, bare = rig
    for call, value in ((bare.show, Lamps()), (bare.sound, Tone(hz=440, ms=10)), (bare.write, Text(lines=()))):
        call(value)
    heard = []

    class Help:
        show = sound = write = staticmethod(heard.append)

        @staticmethod
        def close():
            heard.append("closed")
            raise OSError("already gone")

    board = ReedBoard(contacts, default_wiring(), lamps=Help(), buzzer=Help(), display=Help())
    board.show(Lamps())
    board.sound(Tone(hz=440, ms=10))
    board.write(Text(lines=("hi",)))
    board.close()
    assert heard == [Lamps(), Tone(hz=440, ms=10), Text(lines=("hi",)), "closed", "closed", "closed"]
    assert contacts.closed == 1


def test_close_goes_on_whatever_a_part_raises(rig):
    """Not only what is an OSError: the scanner's lines are given back all the same, and what stands behind them."""
    contacts, _ = rig
    released = []

    class Help:
        @staticmethod
        def close():
            raise Bug("no")

    board = ReedBoard(contacts, default_wiring(), lamps=Help(), release=lambda: released.append(contacts.closed))
    board.close()
    assert released == [1]
