"""What the doctor says of a board's opening: which extra a part needs, and who else holds a pin."""

from __future__ import annotations

import json
import logging

import pytest

from board_firmware.commands import doctor
from board_firmware.commands.doctor import Examination
from board_firmware.examination.board import ExaminedReeds, ExaminedReports
from board_firmware.examination.hands import Hands
from board_firmware.examination.opening import hearing, pin_conflicts
from hal.board import Faulted
from hal.lines import PinLines
from hal.matrix import Matrix
from hal.net import Net, make_pins
from hal.reed_board import ReedBoard
from hal.simulated import SimulatedBoard
from hal.wiring import default_wiring

NEEDS = 'this display needs an extra: pip install "touchmove[display]"'


def open_with_a_display_that_does_not(url):
    """A board whose display did not open; its driver logged why."""
    board = SimulatedBoard(seed=1)
    subject = ExaminedReports(board, ())
    look, told = subject.look, [Faulted(part="display", reason="not_opened", at_ns=0)]

    def looked():
        squares, at_ns, events = look()
        events, told[:] = (*events, *told), []
        return squares, at_ns, events

    subject.look = looked
    logging.getLogger("hal.assembly").warning("%s: %s", "display", OSError(NEEDS))
    logging.getLogger("hal.serial_board").warning("something else: %d", 7)
    return subject


def test_a_part_that_did_not_open_says_why(monkeypatch, capsys):
    """The driver's own sentence stands beside the part, as JSON too; other words of drivers still reach stderr."""
    monkeypatch.setattr(doctor, "open_examined", open_with_a_display_that_does_not)
    assert doctor.run("sim:", config=None, record=None, as_json=True) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["findings"] == [{"part": "display", "reason": "not_opened", "advice": NEEDS}]
    assert "something else: 7" in told.err
    assert "touchmove[display]" not in told.err


def test_hearing_ends():
    """Afterwards the log goes where it went before."""
    before = list(logging.getLogger("hal").handlers)
    with pytest.raises(ValueError, match="board"), hearing():
        raise ValueError("no board")
    assert logging.getLogger("hal").handlers == before


def test_a_pin_that_config_txt_gives_away_is_named_with_both_users(tmp_path, monkeypatch):
    """A buzzer on SPI's second select, which plain ``spi=on`` claims; on the simulated board nothing is compared."""
    (tmp_path / "config.txt").write_text("dtparam=spi=on\n")
    monkeypatch.setattr("hal.assembly.CONFIG_FILES", (str(tmp_path / "config.txt"),))
    wiring = default_wiring()
    net = Net(wiring)
    board = ReedBoard(Matrix(wiring, PinLines(wiring.matrix, make_pins(net, wiring)), net.wait), wiring)
    (finding,) = pin_conflicts(board)
    assert (finding.part, finding.reason) == ("GPIO7", "pin_conflict")
    assert "GPIO7 belongs to spi0 CE1, and [buzzer] gpio wants it for buzzer" in finding.advice
    assert pin_conflicts(SimulatedBoard()) == []
    now = [0]

    class Still(Hands):
        """Ends every step at once."""

        def __init__(self):
            pass

        def begin(self, step, at_ns):
            """Nothing is done."""

        def says(self, step, at_ns):
            """Enter."""
            return ""

        def end(self, step):
            """Nothing to put away."""

    def sleep(seconds):
        now[0] += round(seconds * 1e9)

    examination = Examination(ExaminedReeds(board, lambda: now[0], sleep), Still())
    examination.run()
    board.close()
    assert finding in examination.findings
