"""The self-test of a board: what is broken is named, by hands in virtual time and by a person at a terminal."""

from __future__ import annotations

import io
import json
import os

import pytest
from rich.console import Console

from board_firmware.commands import doctor
from board_firmware.commands.doctor import Examination
from board_firmware.complaint import Complaint
from board_firmware.examination.board import ExaminedReeds, ExaminedReports, examined
from board_firmware.examination.hands import PATIENCE_NS, Hands, Person
from board_firmware.examination.lamps import Lit, Placed
from board_firmware.examination.steps import START, Diagram, Pressed, Tour
from board_firmware.journal.raw_trace import read
from hal.board import Faulted, Lamps
from hal.lines import PinLines
from hal.matrix import Matrix
from hal.net import Net, make_pins
from hal.reed_board import ReedBoard
from hal.simulated import SimulatedBoard
from hal.squares import SQUARE_NAMES, parse_square
from hal.wires import WiredBoard
from hal.wiring import default_wiring, parse_wiring

S = 1_000_000_000


def found(board, prepare=lambda board: None):
    """The findings of simulated hands as (part, reason)."""
    prepare(board)
    subject = examined(board)
    examination = Examination(subject, Hands(board, subject.buttons))
    examination.run()
    return [(finding.part, finding.reason) for finding in examination.findings]


@pytest.mark.parametrize("board", [SimulatedBoard(seed=1), WiredBoard(seed=1), WiredBoard(seed=2, profile="aged")])
def test_a_sound_board_has_no_findings(board):
    """Hands find nothing, in wires or out of them, and leave no lamp on."""
    assert found(board) == []
    assert board.lamps == Lamps()


@pytest.mark.parametrize(
    ("part", "fault", "expected"),
    [
        ("square e4", "stuck_closed", [("square e4", "stuck_closed")]),
        ("square d5", "stuck_open", [("square d5", "stuck_open")]),
        ("square g7", "reversed", [("square g7", "diode")]),
        ("square b1", "shorted", [("square b1", "diode")]),
        ("line file c", "open", [("line file c", "dead_line")]),
        ("line rank 4", "low", [("line rank 4", "shorted")]),
    ],
)
def test_what_is_broken_is_named_once(part, fault, expected):
    """A reed, a diode, a line: the first step that sees it names it. The panel shares the lines, so it may suffer too."""
    names = found(WiredBoard(seed=3), lambda board: board.set_fault(part, fault))
    assert [name for name in names if name[0].startswith(("square", "line"))] == expected


def test_a_chattering_reed_is_named():
    """By the board's own watch, from the first step on."""
    names = found(WiredBoard(seed=3), lambda board: board.set_fault("square e2", "chatter"))
    assert ("square e2", "chatter") in names
    assert {part for part, _ in names} == {"square e2"}


def test_two_faults_at_once():
    """A stuck reed does not hide a dead one, not even on its rank."""

    def prepare(board):
        board.set_fault("square e4", "stuck_closed")
        board.set_fault("square b4", "stuck_open")

    assert sorted(found(WiredBoard(seed=4), prepare)) == [("square b4", "stuck_open"), ("square e4", "stuck_closed")]


def test_the_tour_asks_on_past_a_dead_square():
    """The lamp goes ahead of the piece; what was passed over is asked for at the end."""
    tour = Tour({})
    for square in (0, 1, 3):
        tour.scan(1 << square, square, ())
    assert tour.next_square == 4
    for square in range(4, 64):
        tour.scan(1 << square, square, ())
    assert (tour.next_square, tour.progress) == (2, "63 of 64, next c1")
    assert not tour.is_over
    tour.told("", 99)
    assert [finding.part for finding in tour.findings()] == ["square c1"]


def test_a_diagram_must_stand_for_a_second():
    """A hand that passes over the right diagram has not set it up."""
    step = Diagram("two", "Set up two.", 0b11)
    step.scan(0b11, 0, ())
    step.scan(0b111, S // 2, ())
    assert step.progress == "closed: c1"
    step.scan(0b11, S, ())
    step.scan(0b11, S + S // 2, ())
    assert not step.is_over
    step.scan(0b11, 2 * S, ())
    assert (step.is_over, step.findings()) == (True, [])


def test_lamps_that_are_dark():
    """Squares are taken, anything else is asked for again; all of them are one finding."""
    step = Lit()
    step.told("e9", 0)
    assert not step.is_over
    assert "e9" in step.progress
    step.told("E4, e5", 0)
    assert [finding.part for finding in step.findings()] == ["lamp e4", "lamp e5"]
    dark = SimulatedBoard(seed=1)
    dark.show = lambda lamps: None
    assert found(dark) == [("lamps", "dark")]


def test_lamps_that_are_wired_in_another_order():
    """A corner lies differently in each of eight ways; exchanged files and ranks are named as such."""
    seen = set()
    for turned in range(4):
        for is_transposed in (False, True):
            lit = set()
            for square in Placed.corner:
                file, rank = square % 8, square // 8
                if is_transposed:
                    file, rank = rank, file
                for _ in range(turned):
                    file, rank = rank, 7 - file
                lit.add(rank * 8 + file)
            seen.add(frozenset(lit))
            step = Placed()
            step.told(" ".join(SQUARE_NAMES[square] for square in lit), 0)
            assert step.is_over
            words = [finding.advice for finding in step.findings()]
            assert len(words) == (turned > 0 or is_transposed)
            assert ("files and ranks" in "".join(words)) == (turned == 0 and is_transposed)
    assert len(seen) == 8
    for answer in ("", "-", "a1 b1 c1"):
        step = Placed()
        step.told(answer, 0)
        assert (step.is_over, step.findings()) == (True, [])
    step = Placed()
    step.told("i9", 0)
    assert not step.is_over
    assert "i9" in step.progress


def test_buttons_that_are_not_heard():
    """What was not pressed is named, the lever by its side."""
    step = Pressed(("ok", "back"), has_lever=True)
    step.told("", 0)
    assert [finding.part for finding in step.findings()] == ["button ok", "button back", "lever white", "lever black"]


def person(request, text):
    """A person who has typed ``text`` already, and what the terminal shows."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    shown = io.StringIO()
    keyboard = os.fdopen(reading)
    request.addfinalizer(keyboard.close)
    return Person(Console(file=shown, width=120), keyboard), shown


def test_a_person_goes_on_with_enter(request):
    """On a wired board scanned at its own period: each step is told, Enter ends it, what is missing is named."""
    wiring = parse_wiring("[lamps]\ndriver = 'none'\n", "test")
    net = Net(wiring)
    board = ReedBoard(Matrix(wiring, PinLines(wiring.matrix, make_pins(net, wiring)), net.wait), wiring)
    now = [0]

    def sleep(seconds):
        now[0] += round(seconds * 1e9)

    subject = ExaminedReeds(board, lambda: now[0], sleep)
    examiner, shown = person(request, "\n\n\n\n\n")
    net.set_switches(1 << parse_square("e4"), 1)
    examination = Examination(subject, examiner)
    examination.run()
    board.close()
    names = [(finding.part, finding.reason) for finding in examination.findings]
    assert names[0] == ("square e4", "stuck_closed")
    assert ("board", "dead_line") in names
    assert ("button ok", "never_pressed") in names
    assert "Take every piece off" in shown.getvalue()
    assert "lamps" not in [step.name for step in examination.steps]
    assert now[0] >= 2 * S // 10


def test_without_a_keyboard_a_step_ends_when_nothing_more_happens(request):
    """The end of the input is no answer."""
    examiner, _ = person(request, "")
    step = Tour({})
    examiner.begin(step, 0)
    assert examiner.says(step, S) is None
    assert examiner.says(step, PATIENCE_NS + S - 1) is None
    assert examiner.says(step, PATIENCE_NS + 2 * S) == ""


def test_what_the_driver_reports_is_found():
    """A display that did not open, and a line that hands only seemed to break."""
    board = SimulatedBoard(seed=1)
    subject = ExaminedReports(board, ())
    look, told = subject.look, [Faulted(part="display", reason="not_opened", at_ns=0)]
    told.append(Faulted(part="line rank 2", reason="dead_line", at_ns=0))

    def looked():
        squares, at_ns, events = look()
        events, told[:] = (*events, *told), []
        return squares, at_ns, events

    subject.look = looked
    examination = Examination(subject, Hands(board, ()))
    examination.run()
    assert [(finding.part, finding.reason) for finding in examination.findings] == [("display", "not_opened")]


def test_the_command(capsys, tmp_path):
    """JSON of the simulated board, exit code 0, raw frames kept; the file is not overwritten."""
    record = tmp_path / "test.raw"
    assert doctor.run("wires:?seed=5", config=None, record=record, as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["findings"], told["steps"][1]) == (
        True,
        [],
        {"name": "lines", "found": 0, "result": "good"},
    )
    frames = [contacts for _, contacts in read(record.read_bytes())]
    assert frames[-1] == START
    assert {1 << square for square in range(64)} <= set(frames)
    with pytest.raises(Complaint, match="exists"):
        doctor.run("sim:", config=None, record=record, as_json=True)


def test_the_table(capsys, monkeypatch):
    """A table of the steps and one of what is wrong; exit code 1."""
    broken = WiredBoard(seed=1)
    broken.set_fault("square e4", "stuck_closed")
    monkeypatch.setattr(doctor, "open_examined", lambda url: examined(broken))
    assert doctor.run("wires:", config=None, record=None, as_json=False) == 1
    told = capsys.readouterr().out
    assert "square e4" in told
    assert "stuck_closed" in told


@pytest.mark.parametrize(
    ("url", "words"), [("nowhere:", "sim:"), ("reed:/no/such.toml", "no/such"), ("sim:?x=1", "seed")]
)
def test_what_does_not_open_is_one_line(url, words):
    """A board nobody knows, a wiring file that is not there, a setting that is none."""
    with pytest.raises(Complaint, match=words):
        doctor.run(url, config=None, record=None, as_json=False)


def test_the_board_of_the_configuration(tmp_path):
    """Without --board the configuration says which."""
    file = tmp_path / "touchmove.toml"
    file.write_text('[board]\nurl = "nowhere:"\n')
    with pytest.raises(Complaint, match="nowhere"):
        doctor.run(None, config=file, record=None, as_json=False)


def test_the_default_wiring_has_what_the_simulated_board_is_asked_for():
    """The panel of hardware_docs is what hands press on the plain simulated board."""
    assert examined(SimulatedBoard()).buttons == tuple(default_wiring().panel.buttons)


def test_a_recording_that_the_disk_does_not_take_is_said_after_the_result(tmp_path, capsys, monkeypatch):
    """The board has been tested all the same; exit code 2, for what was asked for is not there."""
    record = tmp_path / "test.raw"
    as_ever = type(record).open

    def full(self, *arguments, **keywords):
        return open("/dev/full", "wb") if self == record else as_ever(self, *arguments, **keywords)

    monkeypatch.setattr(type(record), "open", full)
    with pytest.raises(Complaint, match=rf"--record {record}: No space left on device"):
        doctor.run("sim:", config=None, record=record, as_json=True)
    assert json.loads(capsys.readouterr().out)["ok"]


def test_a_board_that_does_not_open_leaves_no_recording(tmp_path):
    """Nothing was seen that could be in it."""
    with pytest.raises(Complaint):
        doctor.run("reed:/no/such.toml", config=None, record=tmp_path / "test.raw", as_json=False)
    assert list(tmp_path.iterdir()) == []
