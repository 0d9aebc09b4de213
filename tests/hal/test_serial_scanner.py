"""Our own scanner as a `Board`: its times, its numbered events, its lamps."""

from __future__ import annotations

import pytest

from hal import scanner
from hal.board import (
    Blipped,
    ButtonPressed,
    Faulted,
    Lamps,
    LeverMoved,
    Recovered,
    SquareChanged,
)
from hal.dialogues.scanner import ScannerDialogue
from hal.placement import START_OCCUPANCY
from hal.serial_board import SerialBoard
from tests.hal.serial_lines import BLUE, MS, Line, drain, short


def _scanner_answers(hello: scanner.Hello, occupancy: int = START_OCCUPANCY):
    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        if ask.letter == "V":
            return scanner.encode(hello)
        done = scanner.encode(scanner.Done(tag=ask.tag))
        if ask.letter == "Q":
            return scanner.encode(scanner.State(number=hello.last, ms=1000, occupancy=occupancy)) + done
        return done

    return answer


def _event(number: int, ms: int, what: str, occupancy: int) -> bytes:
    return scanner.encode(scanner.Happened(number=number, ms=ms, occupancy=occupancy, what=what))


LIFTED = START_OCCUPANCY & ~(1 << 12)
MOVED = LIFTED | 1 << 28


def _scanner_line(**settings) -> tuple[Line, SerialBoard]:
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=100, name="x")
    line = Line(_scanner_answers(hello))
    board = line.board(ScannerDialogue(**settings))
    drain(board)
    return line, board


def test_the_scanner_keeps_its_own_times():
    """Two events 400 ms apart on the scanner are 400 ms apart here, though they came together."""
    line, board = _scanner_line()
    base = line.now // MS
    line.coming.append(_event(101, base, "-e2", LIFTED) + _event(102, base + 1, "+e4", MOVED))
    line.now += 500 * MS
    events = drain(board)
    assert short(events) == ["-e2", "+e4"]
    assert events[1].at_ns - events[0].at_ns == MS


def test_every_kind_of_event():
    """Blips, lever and buttons come as they are."""
    line, board = _scanner_line()
    for number, what in enumerate(("~b2:7", "Lw", "Lb", "Bpromote_q"), 101):
        line.coming.append(_event(number, 1000, what, START_OCCUPANCY))
    events = drain(board)
    assert [(event.square, event.ms) for event in events if isinstance(event, Blipped)] == [(9, 7.0)]
    assert [event.down for event in events if isinstance(event, LeverMoved)] == ["white", "black"]
    assert [event.button for event in events if isinstance(event, ButtonPressed)] == ["promote_q"]


def test_a_missing_event_is_asked_for_and_told_in_order():
    """102 came without 101: it waits, the host asks from 101 on, and both are told once."""
    line, board = _scanner_line()
    line.written.clear()
    line.coming.append(_event(102, 1400, "+e4", MOVED))
    assert short(drain(board, 0.1)) == []
    (ask,) = scanner.FrameDecoder().feed(line.written[0])
    assert (ask.letter, ask.arguments) == ("R", ("101",))
    line.coming.append(_event(101, 1000, "-e2", LIFTED) + _event(102, 1400, "+e4", MOVED) * 2)
    assert short(drain(board)) == ["-e2", "+e4"]


def test_an_event_gone_for_good_is_filled_from_the_state():
    """Half a second later the state that every event carries tells what was missed."""
    line, board = _scanner_line()
    line.coming.append(_event(103, 1400, "Lw", MOVED))
    events = drain(board)
    assert short(events) == ["-e2", "+e4"]
    assert isinstance(events[-1], LeverMoved)


def test_a_doubled_event_is_told_once():
    """Numbers make doubles harmless."""
    line, board = _scanner_line()
    line.coming.append(_event(101, 1000, "-e2", LIFTED) * 3)
    assert short(drain(board)) == ["-e2"]


def test_s21_what_happened_while_the_cable_was_out_is_told_once_in_order():
    """Field case S21: move, cut, press, cable in: the lift, the place, then the press, each once, then the state."""
    line, board = _scanner_line()
    line.coming.append(_event(101, 5000, "-e2", LIFTED) + _event(102, 5400, "+e4", MOVED))
    events = drain(board)
    line.broken = True
    kept = [_event(102, 5400, "+e4", MOVED), _event(103, 6500, "Lw", MOVED)]
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=103, name="x")

    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        done = scanner.encode(scanner.Done(tag=ask.tag))
        if ask.letter == "V":
            return scanner.encode(hello)
        if ask.letter == "R":
            return b"".join(kept) + done
        if ask.letter == "Q":
            return scanner.encode(scanner.State(number=103, ms=9000, occupancy=MOVED)) + done
        return done

    line.answer = answer
    events += drain(board, 3)
    kinds = [
        event.reason if isinstance(event, Faulted) else type(event).__name__ if not isinstance(event, SquareChanged) else
        short([event])[0]
        for event in events
    ]  # fmt: skip
    assert kinds == ["-e2", "+e4", "lost", "LeverMoved", "Recovered", "BoardSnapshot"] or kinds == [
        "-e2", "+e4", "lost", "Recovered", "LeverMoved", "BoardSnapshot",
    ]  # fmt: skip
    assert events[-1].occupancy == MOVED


def test_a_scanner_that_was_switched_off_starts_anew():
    """Another boot number: its old events are gone, its state is the truth."""
    line, board = _scanner_line()
    line.broken = True
    line.answer = _scanner_answers(scanner.Hello(version=1, squares=64, lamps=64, boot=8, last=0, name="x"), MOVED)
    events = drain(board, 3)
    assert [type(event).__name__ for event in events] == ["Faulted", "Recovered", "BoardSnapshot"]
    assert events[-1].occupancy == MOVED


def test_s11_a_scanner_without_lamps_is_not_told_for_ever():
    """Field case S11: refused three times, one fault on that part, the link goes on."""
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=0, name="x")
    usual = _scanner_answers(hello)

    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        return scanner.encode(scanner.Done(tag=ask.tag, reason="busy")) if ask.letter == "L" else usual(message)

    line = Line(answer)
    board = line.board(ScannerDialogue())
    events = drain(board)
    line.written.clear()
    board.show(Lamps(squares={12: BLUE}))
    events += drain(board, 2)
    faults = [(event.part, event.reason) for event in events if isinstance(event, Faulted)]
    assert faults == [("lamps", "refused")]
    assert sum(b"$L" in message for message in line.written) == 3
    line.answer = usual
    board.show(Lamps())
    assert [event.part for event in drain(board) if isinstance(event, Recovered)] == ["lamps"]
    assert board.state == "ready"


def test_a_scanner_turned_round():
    """flip: its a1 is our h8, for squares and lamps."""
    line, board = _scanner_line(flipped=True)
    line.coming.append(_event(101, 1000, "-e2", LIFTED))
    assert short(drain(board)) == ["-d7"]
    line.written.clear()
    board.show(Lamps(squares={51: BLUE}))
    assert b",0C0000FF0*" in line.written[0]
    board.show(Lamps(squares={51: BLUE}, share=0.5))
    assert b",0C00007F0*" in line.written[-1]


def test_a_scanner_is_waited_for_as_long_as_it_debounces():
    """A landing that takes 200 ms to settle is told after a press that came later; whoever puts them in order is told."""
    _, board = _scanner_line()
    assert board.latency_ns == 65 * MS
    _, board = _scanner_line(close_ms=40, open_ms=200)
    assert board.latency_ns == 205 * MS


def test_s13_a_scanner_of_another_version_is_refused():
    """Field case S13: version 1 is spoken to as version 1; a version nobody knows is not guessed at."""
    one = Line(_scanner_answers(scanner.Hello(version=1, squares=64, lamps=0, boot=1, last=0, name="x")))
    dialogue = ScannerDialogue()
    one.board(dialogue)
    assert dialogue.hello is not None
    assert dialogue.hello.version == 1
    two = Line(_scanner_answers(scanner.Hello(version=2, squares=64, lamps=0, boot=1, last=0, name="x")))
    with pytest.raises(OSError, match="it speaks a version of its protocol that is not known here"):
        two.board(ScannerDialogue())
