"""The thread that waits for the board: what it takes for a board that scans."""

from __future__ import annotations

import pytest

from board_firmware import board_reader
from board_firmware.board_reader import FAILING_S, STALLED_S, BoardReader
from hal.board import Faulted, Recovered


class Script:
    """A board whose `wait` takes what a test says and then ends the reader."""

    def __init__(self, now, steps):
        self.now, self.steps, self.reader, self.scanning = now, list(steps), None, []

    def wait(self, timeout_s):
        """The next step: what is found after so many seconds, and whether the board counted as scanning just before."""
        self.scanning.append(self.reader.is_scanning())
        after_s, *events = self.steps.pop(0)
        self.now[0] += after_s
        if not self.steps:
            self.reader.stop()
        return tuple(events)


def scanning(monkeypatch, *steps):
    """Whether the board counted as scanning after each of these steps, each (seconds, events ...)."""
    now = [100.0]
    monkeypatch.setattr(board_reader.time, "monotonic", lambda: now[0])
    board = Script(now, [*steps, (0,)])
    board.reader = BoardReader(board, lambda event: None, lambda: 0)
    board.reader._scanned_s = now[0]
    board.reader._read()
    return board.scanning[1:]


def failed(part="board", reason="driver_failed"):
    """A fault."""
    return Faulted(part=part, reason=reason, at_ns=0)


QUIET = [(0.25,)] * 130  # seconds: over FAILING_S


def test_a_driver_that_fails_in_itself_for_long_is_no_scanning_board(monkeypatch):
    """A new process may mend it: for half a minute it is tried in this one, and one scan that works is enough."""
    found = scanning(monkeypatch, (0.25, failed()), *QUIET)
    assert found.count(True) == pytest.approx(FAILING_S / 0.25, abs=1)
    assert found == sorted(found, reverse=True)
    found = scanning(monkeypatch, (0.25, failed()), *QUIET, (0.25, Recovered(part="board", at_ns=0)))
    assert found[-2:] == [False, True]


@pytest.mark.parametrize("fault", [failed(reason="lost"), failed("lamps", "lost"), failed("line rank 4", "shorted")])
def test_a_bus_that_is_lost_is_waited_for(monkeypatch, fault):
    """A new process would not even open, and the clock would stop."""
    assert all(scanning(monkeypatch, (0.25, fault), *QUIET))


def test_another_part_that_is_back_mends_no_driver(monkeypatch):
    """Lamps that work again say nothing of the scan."""
    found = scanning(monkeypatch, (0.25, failed()), (0.25, Recovered(part="lamps", at_ns=0)), *QUIET)
    assert not found[-1]


def test_a_thread_that_does_not_come_back(monkeypatch):
    """It hangs in the driver."""
    now = [100.0]
    monkeypatch.setattr(board_reader.time, "monotonic", lambda: now[0])
    reader = BoardReader(Script(now, []), lambda event: None, lambda: 0)
    reader._scanned_s = now[0]
    now[0] += STALLED_S - 0.1
    assert reader.is_scanning()
    now[0] += 0.2
    assert not reader.is_scanning()
