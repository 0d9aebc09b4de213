"""What the doctor prints, and what it says where nobody is there to look."""

from __future__ import annotations

import io
import json
import os

import pytest
from rich.console import Console

from board_firmware.commands import doctor
from board_firmware.commands.doctor import Examination
from board_firmware.examination.board import ExaminedReeds, ExaminedReports, examined
from board_firmware.examination.hands import Hands, Person
from board_firmware.examination.lamps import Lit, Placed
from board_firmware.examination.steps import START, Diagram, Pressed, Tour
from hal.board import Faulted, LeverMoved
from hal.lines import PinLines
from hal.matrix import Matrix
from hal.net import Net, make_pins
from hal.reed_board import ReedBoard
from hal.selftest import ADVICE
from hal.simulated import SimulatedBoard
from hal.wires import WiredBoard
from hal.wiring import parse_wiring

S = 1_000_000_000


def printed(monkeypatch, capsys, subject):
    """The tables of an examination."""
    monkeypatch.setattr(doctor, "open_examined", lambda url: subject)
    monkeypatch.setenv("COLUMNS", "200")
    doctor.run("wires:", config=None, record=None, as_json=False)
    return capsys.readouterr().out


def test_sections_and_extras_are_printed(monkeypatch, capsys):
    """Every advice stands in the table as it is, brackets and all."""
    board = SimulatedBoard(seed=1)
    board.show = lambda lamps: None
    subject = ExaminedReports(board, ("ok",))
    look = subject.look
    told = [Faulted(part="display", reason="not_opened", at_ns=0)]

    def looked():
        squares, at_ns, events = look()
        events, told[:] = (*events, *told), []
        return squares, at_ns, tuple(event for event in events if "Button" not in type(event).__name__)

    subject.look = looked
    monkeypatch.setitem(ADVICE, "not_opened", 'pip install "touchmove[display]"')
    shown = printed(monkeypatch, capsys, subject)
    assert 'pip install "touchmove[display]"' in shown
    assert "[lamps] driver" in shown
    assert "[matrix] panel" in shown


def test_the_lines_to_set_are_printed(monkeypatch, capsys):
    """A board that is turned: each line of the file on a line of its own; lamps lie as the squares do."""
    board = WiredBoard(seed=1)
    board.net._place = {square ^ 63: place for square, place in board.net._place.items()}
    shown = printed(monkeypatch, capsys, examined(board))
    for line in ("[orientation]", "turn_deg = 180", "mirror = false"):
        assert f"│ {line} " in shown
    assert shown.count("not looked at") == 2
    assert "When this is mended test again" in shown


def typed(request, text):
    """A keyboard at which this has been typed, until the end of the input."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    keyboard = os.fdopen(reading)
    request.addfinalizer(keyboard.close)
    return keyboard


def test_what_is_typed_is_no_markup(request):
    """It comes back in the line of progress of a terminal."""
    shown = io.StringIO()
    person = Person(Console(file=shown, width=120, force_terminal=True), typed(request, "[/x]\n"))
    step = Placed()
    person.begin(step, 0)
    step.told(person.says(step, S), S)
    assert "[/x]" in step.progress
    assert person.says(step, 2 * S) == ""
    person.end("2 found")
    assert not step.is_over
    assert "2 found" in shown.getvalue()


@pytest.fixture
def impatience(monkeypatch):
    """Nothing more comes after five seconds."""
    monkeypatch.setattr("board_firmware.examination.hands.PATIENCE_NS", 5 * S)


def test_without_a_terminal_an_answer_that_was_not_enough_is_answered(request):
    """The output of somebody who keeps it in a file has no line of progress."""
    shown = io.StringIO()
    person = Person(Console(file=shown, width=120), typed(request, "e9\n"))
    step = Lit()
    person.begin(step, 0)
    step.told(person.says(step, S), S)
    person.says(step, 2 * S)
    assert "'e9' is not a square" in shown.getvalue()


def wired(standing):
    """A board in wires without anybody near it, in virtual time; lamps as well."""
    wiring = parse_wiring("[lamps]\ndriver = 'none'\n[scanner]\nperiod_ms = 10", "test")
    net = Net(wiring)
    board = ReedBoard(Matrix(wiring, PinLines(wiring.matrix, make_pins(net, wiring)), net.wait), wiring)
    net.set_switches(standing, 1)
    now = [0]

    def sleep(seconds):
        now[0] += round(seconds * 1e9)

    subject = ExaminedReeds(board, lambda: now[0], sleep)
    subject.has_lamps, subject.now = True, now
    return subject


@pytest.mark.parametrize(
    ("standing", "found", "looked_at"),
    [
        (0, [], {"empty board": "good", "lines": "good"}),
        (1 << 28, ["square e4"], {"empty board": "found", "lines": "good"}),
        (START, [], {"lines": "good", "starting array": "good"}),
        ((1 << 64) - 1, ["board"], {"empty board": "found", "lines": "good"}),
    ],
)
def test_where_nobody_looks_nothing_is_good(impatience, monkeypatch, capsys, standing, found, looked_at):
    """No keyboard and no hands: only what the wires and contacts tell by themselves is good or found."""
    monkeypatch.setattr(doctor, "open_examined", lambda url: wired(standing))
    with open(os.devnull) as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        assert doctor.run("wires:", config=None, record=None, as_json=True) == bool(found)
    told = json.loads(capsys.readouterr().out)
    assert [finding["part"] for finding in told["findings"]] == found
    results = {step["name"]: step["result"] for step in told["steps"]}
    assert len(results) == 7
    assert {name: result for name, result in results.items() if result != "not looked at"} == looked_at


def test_where_nobody_looks_nothing_good_is_printed(impatience, monkeypatch, capsys):
    """The same in words."""
    with open(os.devnull) as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        shown = printed(monkeypatch, capsys, wired(0))
    assert "Nothing wrong was found in what was looked at." in shown
    assert shown.split("self-test of")[1].count("not looked at") == 5


def test_a_board_that_is_not_set_up_is_asked_for_twice():
    """Somebody who goes on at once with all men on the board, or with none, is asked; a stuck reed is not."""
    empty = Diagram("empty board", "", 0)
    empty.scan(START, 0, ())
    empty.told("", 0)
    assert not empty.is_over
    assert "Enter again" in empty.progress
    empty.told("", 0)
    assert empty.is_over
    assert [(one.part, one.reason) for one in empty.findings()] == [("board", "stuck_closed")]
    array = Diagram("starting array", "", START)
    array.scan(1 << 8, 0, ())
    array.told("", 0)
    array.told("", 0)
    assert [(one.part, one.reason) for one in array.findings()] == [("board", "stuck_open")]
    for squares in (1 << 28, (1 << 64) - 1):
        empty = Diagram("empty board", "", 0)
        empty.scan(squares, 0, ())
        empty.told("", 0)
        assert empty.is_over


def test_a_tour_that_has_hardly_begun_is_asked_for_twice():
    """A piece on one square and Enter are no fourteen broken wires."""
    tour = Tour({})
    tour.scan(1, 0, ())
    tour.told("", 0)
    assert not tour.is_over
    assert "Enter again" in tour.progress
    for square in range(32):
        tour.scan(1 << square, 0, ())
    tour.told("", 0)
    assert tour.is_over


def test_some_buttons_were_pressed_and_then_nobody_was_there():
    """What has been heard counts; who presses none has not looked."""
    assert not Pressed((), has_lever=False).is_looked_at
    step = Pressed(("ok", "back"), has_lever=True, known=["lever white", "lever black"])
    assert "lever" not in step.wanted
    step.left()
    assert (step.is_over, step.is_looked_at, step.findings()) == (True, False, [])


def test_a_dash_is_no_square():
    """Of lamps that are dark it means nothing: neither all nor none."""
    step = Lit()
    step.told("-", 0)
    assert not step.is_over


def test_a_scanner_that_fails_to_be_asked_ends_no_examination(monkeypatch):
    """The scan after it tells; and the time that asking takes makes no scan late."""
    subject = wired(0)

    def fails(*_):
        subject.now[0] += S
        raise OSError("bus")

    before = subject.look()[1]
    monkeypatch.setattr(subject._reeds.scanner, "test", fails)
    for _ in range(3):
        assert subject.flaws() == ()
    assert subject.look()[1] - before == subject.board.wiring.period_ns
    subject.board.close()


@pytest.mark.parametrize("arrives", [False, True])
def test_a_lever_between_its_ends_is_a_fault_only_if_it_never_arrives(arrives):
    """Whoever moves it slowly has moved it, though the driver takes a second to be sure."""
    board = SimulatedBoard(seed=1)
    subject = examined(board)
    examination = Examination(subject, Hands(board, subject.buttons))
    look, told = subject.look, [Faulted(part="lever", reason="both_open", at_ns=0)]

    def looked():
        squares, at_ns, events = look()
        if examination.steps and examination.steps[-1].name == "lamps":
            heard = [event for event in events if arrives or not isinstance(event, LeverMoved)]
            events, told[:] = (*heard, *told), []
        return squares, at_ns, events

    subject.look = looked
    examination.run()
    reasons = [finding.reason for finding in examination.findings if finding.part == "lever"]
    assert reasons == ([] if arrives else ["both_open"])
