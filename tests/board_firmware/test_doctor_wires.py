"""The examination on bad wires: each cause named once, by its own name, and nothing named that only follows from it."""

from __future__ import annotations

import pytest

from board_firmware.commands.doctor import Examination
from board_firmware.examination.board import examined
from board_firmware.examination.hands import Hands
from board_firmware.examination.steps import START, Diagram, Tour
from board_firmware.examination.wires import panel_wires
from hal.lines import PinLines
from hal.matrix import Matrix
from hal.net import Net, make_pins
from hal.simulated import SimulatedBoard
from hal.squares import SQUARE_NAMES
from hal.wires import WiredBoard
from hal.wiring import default_wiring, parse_wiring

BY_RANKS = parse_wiring('[matrix]\ndrives = "ranks"', "drive lines are ranks")
DRIVEN_HIGH = parse_wiring('[matrix]\nidle = "high"', "idle lines are high")


class OnTheNet:
    """The real scanner on the circuit, with few looks, and whoever sets pieces on it at once."""

    is_there = True
    buttons = ()
    has_lever = has_lamps = False

    def __init__(self, wiring, standing):
        self.board, self.wiring = SimulatedBoard(seed=1), wiring
        self.net = Net(wiring)
        self.matrix = Matrix(wiring, PinLines(wiring.matrix, make_pins(self.net, wiring)), self.net.wait)
        self.groups = self.matrix.groups
        self._plan = [standing]
        self._at_ns, self._step_ns = 0, 500_000_000

    def look(self):
        """The next that stands."""
        self._at_ns += self._step_ns
        self.net.now_ns = max(self.net.now_ns, self._at_ns)
        self.net.set_switches(self._plan[0], 0)
        self._scan = self.matrix.scan()
        return self._scan.squares, self._at_ns, ()

    def flaws(self):
        """Asks the scanner."""
        return self.matrix.test(*self._scan)

    def begin(self, step, at_ns):
        """Set pieces up, or one after the other."""
        self._step_ns = 20_000_000 if isinstance(step, Tour) else 500_000_000
        self._plan = [step.standing] * 4 if isinstance(step, Diagram) else [1 << n // 2 for n in range(128)]

    def says(self, step, at_ns):
        """Done, when it is."""
        del self._plan[: len(self._plan) > 1]
        return "" if len(self._plan) == 1 and isinstance(step, Diagram) else None

    def end(self, result):
        """Nothing to say."""


class Sliding(OnTheNet):
    """The same, and done with the tour after its last square was looked at."""

    _is_done = False

    def says(self, step, at_ns):
        """Done one look later."""
        was_last = len(self._plan) == 1
        said = super().says(step, at_ns)
        return "" if was_last and isinstance(step, Tour) else said


def named(bench):
    """The findings as (part, reason)."""
    examination = Examination(bench, bench)
    examination.run()
    return [(finding.part, finding.reason) for finding in examination.findings]


@pytest.mark.parametrize("fault", ["shorted", "reversed"])
def test_a_bad_diode_is_named_by_its_square(fault):
    """Each of the 64, whether the examination begins with an empty board or with one that is set up."""
    for square in range(64):
        bench = Sliding(default_wiring(), START if (square ^ square >> 3) & 1 else 0)
        bench.net.diodes[square] = fault
        assert named(bench) == [(f"square {SQUARE_NAMES[square]}", "diode")]


def test_without_the_tour_a_lone_diode_is_found_in_the_starting_array():
    """The wires are asked in a diagram too, and with nobody there, if it stands."""

    class Absent(Sliding):
        """All men stand, and nobody is there."""

        is_there = False

        def begin(self, step, at_ns):
            """Nothing is moved."""
            self._plan = [START] * 8

        def says(self, step, at_ns):
            """Nothing more comes."""
            return ""

    bench = Absent(default_wiring(), START)
    bench.net.diodes[6] = "reversed"
    assert named(bench) == [("square g1", "diode")]


@pytest.mark.parametrize("fault", ["shorted", "reversed"])
def test_a_bad_diode_where_ranks_are_drive_lines(fault):
    """The same on the other kind of matrix."""
    for square in (0, 9, 28, 63):
        bench = Sliding(BY_RANKS, START)
        bench.net.diodes[square] = fault
        assert named(bench) == [(f"square {SQUARE_NAMES[square]}", "diode")]


def test_what_lines_that_are_driven_high_cannot_tell():
    """Diodes are not looked at; lines that touch are seen by the piece, neighbours or not."""
    bench = Sliding(DRIVEN_HIGH, 0)
    bench.net.shorted_senses.add((1, 6))
    examination = Examination(bench, bench)
    examination.run()
    assert [finding.part for finding in examination.findings] == ["line rank 2 + line rank 7"]
    assert [step.name for step in examination.steps if step.result == "not looked at"] == ["diodes"]


ROWS = ["empty board", "lines", "one piece over 64 squares", "places of the lamps", "lamps", "buttons and lever"]
"""The steps before the last."""


@pytest.mark.parametrize(
    ("faults", "expected", "unseen"),
    [
        ({"line file a": "low"}, ["line file a"], ["starting array"]),
        ({"line rank 1": "low"}, ["line rank 1"], []),
        ({"line rank 1 + line rank 8": "joined"}, ["line rank 1 + line rank 8"], []),
        ({"line rank 3 + line rank 6": "joined"}, ["line rank 3 + line rank 6"], []),
        ({"line file a + line file h": "joined"}, ["line file a + line file h"], []),
        ({"line file h + panel": "joined"}, ["line file h + panel"], []),
        ({"panel": "low"}, ["panel"], []),
        ({"panel": "open"}, ["panel"], []),
        ({"line rank 1": "open"}, ["line rank 1"], []),
        ({"line file c": "open"}, ["line file c"], []),
        ({f"line file {name}": "open" for name in "abcdefgh"}, ["board"], ["starting array"]),
        ({"line file a": "low", "square c3": "shorted"}, ["line file a", "square c3"], ["starting array"]),
        ({"line file d": "low", "line rank 7": "open"}, ["line file d", "line rank 7"], ["starting array"]),
        ({"square e4": "stuck_closed", "square e5": "shorted"}, ["square e4", "square e5"], []),
        ({"square b1": "shorted", "square g8": "reversed"}, ["square b1", "square g8"], ["starting array"]),
    ],
)
def test_what_follows_from_a_fault_is_not_named(faults, expected, unseen):
    """From the starting array on, squares, panel and lever; a step of which nothing could be seen says so."""
    board = WiredBoard(seed=3)
    for part, fault in faults.items():
        board.set_fault(part, fault)
    subject = examined(board)
    examination = Examination(subject, Hands(board, subject.buttons))
    examination.run()
    assert [finding.part for finding in examination.findings] == expected
    assert [step.name for step in examination.steps] == [*ROWS, "starting array"]
    assert [step.name for step in examination.steps if step.result == "not looked at"] == unseen


def test_wrong_levels_close_no_square():
    """Long wires without a shield, on which a read is wrong some sixteen times a second."""
    board = WiredBoard(seed=3)
    board.set_fault("board", "spikes")
    subject = examined(board)
    subject.buttons, subject.has_lever = (), False
    examination = Examination(subject, Hands(board, ()))
    examination.run()
    assert examination.findings == []


def test_what_the_panel_hangs_on():
    """Its line, the sense line and the diode; the lever on those of both its contacts."""
    wires = panel_wires(default_wiring())
    assert wires["button ok"] == {"panel", "line rank 7", "contact 7"}
    assert wires["lever black"] == {"panel", "line rank 1", "line rank 2", "contact 1", "contact 2"}
    chips = parse_wiring('[scanner]\nkind = "shift_register"\n\n[buzzer]\ngpio = 0\n', "chips")
    assert panel_wires(chips) == panel_wires(None) == {}


def test_a_bad_diode_of_the_panel_is_named_by_its_contact():
    """Reversed, its button is not heard; that is no second finding."""
    board = WiredBoard(seed=3)
    board.net.diodes[64 + 6] = "reversed"
    subject = examined(board)
    examination = Examination(subject, Hands(board, subject.buttons))
    examination.run()
    assert [(one.part, one.reason) for one in examination.findings] == [("contact 7", "diode")]
