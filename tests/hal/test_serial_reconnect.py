"""Losing the link and finding it again; boards by URL."""

from __future__ import annotations

import pytest

from hal.board import (
    Faulted,
    Lamps,
    Recovered,
    Text,
    Tone,
)
from hal.catalog import open_board
from hal.dialogues.dgt import DgtDialogue
from hal.placement import START_OCCUPANCY
from hal.serial_catalog import make_dialogue
from tests.hal.serial_lines import BLUE, SECOND, DgtSet, Line, drain

# ---------------------------------------------------------------------------------------------------- losing the link


def test_s02_unplugged_and_plugged_in_again():
    """Field case S02: lost, searching, ready; the whole board is read again; nothing else is told."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    states = [board.state]
    line.broken = True
    line.refuses = FileNotFoundError(2, "gone")
    events = drain(board, 4)
    states.append(board.state)
    dgt_set.move(("e2", "."), ("e4", "P"))
    line.refuses = None
    back_ns = line.now
    while board.state != "ready":
        events += board.wait(0.05)
    assert line.now - back_ns < 2 * SECOND
    events += board.wait(0)
    states.append(board.state)
    assert states == ["ready", "searching", "ready"]
    assert [type(event).__name__ for event in events] == ["Faulted", "Recovered", "BoardSnapshot"]
    assert (events[0].part, events[0].reason) == ("link", "lost")
    assert events[2].occupancy == START_OCCUPANCY ^ 1 << 12 ^ 1 << 28


def test_a_board_that_falls_silent_is_lost_too():
    """The port is there and nothing answers: after five seconds the link is renewed, with its whole opening."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    line.answer = lambda message: b""
    (fault,) = [event for event in drain(board, 6) if isinstance(event, Faulted)]
    assert (fault.part, fault.reason) == ("link", "silent")
    line.answer = dgt_set
    line.written.clear()
    assert any(isinstance(event, Recovered) for event in drain(board, 10))
    assert b"\x4d" in line.written


def test_s15_a_link_that_drops_again_and_again_is_backed_off(caplog):
    """Field case S15: five drops in 30 s: the fault says unstable and the pauses grow; nothing spins, nothing is
    forgotten.
    """
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    faults, pauses = [], []
    for _ in range(5):
        line.broken = True
        lost_ns = line.now
        events = list(board.wait(0.05))
        while board.state != "ready":
            events += board.wait(0.05)
        pauses.append((line.now - lost_ns) / SECOND)
        faults += [event.reason for event in events if isinstance(event, Faulted)]
    assert faults == ["lost", "lost", "unstable", "unstable", "unstable"]
    assert pauses == sorted(pauses)
    assert pauses[0] < 2 < pauses[-1] < 11
    assert "weak or blocked Bluetooth" in caplog.records[2].getMessage()
    assert len(caplog.records) <= 5
    assert board.snapshot().occupancy == START_OCCUPANCY


def test_s17_a_board_that_is_off_at_the_start_is_waited_for():
    """Field case S17: no board, and the first lamp write fails: searching, no crash; ready when it is switched on."""
    line = Line(DgtSet())
    line.refuses_writes = True
    board = line.board(DgtDialogue(lamps=True), must_answer=False)
    board.show(Lamps(squares={12: BLUE}))
    board.sound(Tone(hz=440, ms=100))
    board.write(Text(lines=("hello",)))
    drain(board, 3)
    assert board.state == "searching"
    line.refuses_writes = False
    drain(board, 12)
    assert board.state == "ready"
    assert bytes.fromhex("60 04 01 34 34 00") in line.written


def test_a_write_that_fails_is_a_lost_link():
    """Whoever notices first says so, once."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    drain(board)
    line.refuses_writes = True
    board.show(Lamps(squares={12: BLUE}))
    assert board.state == "searching"
    (fault,) = board.wait(0.05)
    assert fault == Faulted(part="link", reason="lost", at_ns=fault.at_ns)


def test_closing_puts_the_lamps_out_and_may_be_done_twice():
    """And afterwards nothing is read or written."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    board.show(Lamps(squares={12: BLUE}))
    board.close()
    board.close()
    assert line.written[-1] == bytes.fromhex("60 04 00 40 40 00")
    assert board.wait(0.1) == ()
    board.show(Lamps(squares={12: BLUE}))
    assert line.written[-1] == bytes.fromhex("60 04 00 40 40 00")


# ------------------------------------------------------------------------------------------------------------- by URL


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("dgt:", "names no port"),
        ("dgt:/dev/x?colour=1", "takes baud, flip, lag_ms, lamps, search, white"),
        ("dgt:/dev/x?flip=maybe", "write 1 for yes, 0 for no"),
        ("dgt:/dev/x?white=up", "left or the right"),
        ("scanner:/dev/x?close_ms=0", "whole number above 0"),
        ("sentio:/dev/x?flip", "write settings as"),
    ],
)
def test_a_url_that_makes_no_sense_says_why(url, message):
    """Bad text is a ValueError with what to write instead."""
    with pytest.raises(ValueError, match=message):
        open_board(url)


@pytest.mark.parametrize("scheme", ["dgt", "chesslink", "chessnut", "certabo", "sentio", "scanner"])
def test_every_make_opens_by_url(scheme):
    """A missing port is the transport's line; with search the board is there and looks for it."""
    with pytest.raises(FileNotFoundError, match="is not there"):
        open_board(f"{scheme}:/dev/ttyNOTTHERE")
    board = open_board(f"{scheme}:/dev/ttyNOTTHERE?search=1&baud=9600")
    (fault,) = board.wait(0)
    assert (fault.part, fault.reason) == ("link", "missing")
    board.close()
    assert make_dialogue(scheme).is_ready is False
