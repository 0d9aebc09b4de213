"""A wired board behind the port: one scan, its thread, a scanner that fails, what it shows and sounds."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from hal.board import BoardSnapshot, Faulted, Lamps, LeverMoved, LiftHinted, Recovered, SquareChanged, Text, Tone
from hal.matrix import Scan
from hal.reed_board import ReedBoard
from hal.wiring import default_wiring

MS = 1_000_000
START = 0xFFFF_0000_0000_FFFF
E2, E4 = 12, 28


class Contacts:
    """A scanner that reads what it is told; ``failing`` makes it raise."""

    def __init__(self):
        self.groups = {}
        self.now = Scan(START, 0b10)
        self.failing = False
        self.scans = 0
        self.closed = 0

    def scan(self):
        """One scan."""
        self.scans += 1
        if self.failing:
            raise OSError(121, "Remote I/O error")
        return self.now

    def shorted(self):
        """Nothing."""
        return ()

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
    assert events[0] == Recovered(part="board", at_ns=4000 * MS)
    assert not any(isinstance(event, SquareChanged) for event in events)


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
