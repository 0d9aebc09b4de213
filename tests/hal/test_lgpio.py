"""A wired board on gpiozero's lgpio factory: its errors are OSErrors with the pin's name, and close gives all lines back."""

from __future__ import annotations

import sys

import pytest

from hal.assembly import assemble
from hal.board import BoardSnapshot, Faulted, Recovered, Tone
from hal.lines import PinLines
from hal.loss import LOST_NS
from hal.matrix import Matrix
from hal.net import Net
from hal.wiring import parse_wiring
from tests.hal.lgpio_model import LgpioModel, install

BARE = '[lamps]\ndriver = "none"\n'
MS = 1_000_000


class Rig:
    """A wiring, its circuit, and the package over it."""

    def __init__(self, monkeypatch, text=BARE, busy=()):
        self.wiring = parse_wiring(text, "t")
        self.net = Net(self.wiring)
        self.net.settle_us = 0
        self.net.set_switches(0, 0b10)
        self.lgpio = LgpioModel(self.net, self.wiring, busy)
        self.factory = install(self.lgpio, monkeypatch)


@pytest.fixture(autouse=True)
def _forget_the_factory():
    """What was imported over a model is not left to other tests."""
    yield
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_lgpio_raises_no_oserror():
    """Why its errors must be turned into some."""
    assert not issubclass(LgpioModel.error, OSError)


@pytest.mark.parametrize("gpio", [5, 20, 21, 4, 25])
def test_a_busy_line_is_an_oserror_with_its_number(monkeypatch, gpio):
    """Drive, panel or sense line: the board does not open, and no line stays claimed."""
    rig = Rig(monkeypatch, busy=(gpio,))
    with pytest.raises(OSError, match=rf"GPIO{gpio} does not open: .*busy"):
        assemble(rig.wiring)
    assert not rig.lgpio.outputs
    assert not rig.lgpio.open_chips


def test_a_busy_buzzer_is_a_fault_and_the_board_plays(monkeypatch):
    """A help that does not open."""
    rig = Rig(monkeypatch, busy=(7,))
    board = assemble(rig.wiring)
    events = board.tick(0)
    assert [(event.part, event.reason) for event in events if isinstance(event, Faulted)] == [("buzzer", "not_opened")]
    assert isinstance(events[-1], BoardSnapshot)
    board.close()


@pytest.mark.parametrize("idle", ["open", "high"])
def test_lines_that_fail_in_play(monkeypatch, idle):
    """Selecting and reading fail as an OSError that names the line; the board is lost, and comes back."""
    rig = Rig(monkeypatch, f'{BARE}[buzzer]\ngpio = 0\n[matrix]\nidle = "{idle}"\n')
    lines = PinLines(rig.wiring.matrix, rig.factory())
    lines.select(3)
    rig.lgpio.failing = True
    with pytest.raises(OSError, match=r"GPIO(19|26): I/O error"):
        lines.select(4)
    with pytest.raises(OSError, match="GPIO4: I/O error"):
        lines.read()
    rig.lgpio.failing = False
    lines.close()
    board = assemble(rig.wiring)
    board.tick(0)
    rig.lgpio.failing = True
    events = [event for ms in range(5, 600, 5) for event in board.tick(ms * MS)]
    assert events == [Faulted(part="board", reason="lost", at_ns=5 * MS + LOST_NS)]
    rig.lgpio.failing = False
    assert board.tick(600 * MS) == [Recovered(part="board", at_ns=600 * MS)]
    board.close()


def test_close_gives_every_line_back(monkeypatch):
    """gpiozero's own close leaves a line claimed as an input: the chip is closed too, whatever fails on the way."""
    for failing in (False, True):
        rig = Rig(
            monkeypatch, BARE + ("[buzzer]\ngpio = 0\n" if failing else "")
        )  # a PWM pin would be loud in its __del__
        board = assemble(rig.wiring)
        board.tick(0)
        board.sound(Tone(hz=440, ms=1))
        rig.lgpio.failing = failing
        board.close()
        board.close()
        assert not rig.lgpio.outputs
        assert not rig.lgpio.open_chips


@pytest.mark.parametrize(("idle", "calls"), [("open", 90), ("high", 108)])
def test_what_a_scan_costs_in_calls(monkeypatch, idle, calls):
    """Each write of an idle high line asks for the line's direction first, so it takes two calls and not one."""
    rig = Rig(monkeypatch, f'{BARE}[matrix]\nidle = "{idle}"\n')
    board = assemble(rig.wiring)
    for ms in range(0, 50, 5):
        board.tick(ms * MS)  # the lever settles
    before = rig.lgpio.calls
    board.tick(50 * MS)
    assert rig.lgpio.calls - before == calls
    board.close()


def test_a_sense_line_pulls_and_is_an_input_with_its_pull_up_again(monkeypatch):
    """On gpiozero's own pins: what is joined to it is low with it, and afterwards nothing is."""
    rig = Rig(monkeypatch)
    matrix = Matrix(rig.wiring, PinLines(rig.wiring.matrix, rig.factory()), rig.net.wait)
    rig.net.shorted_senses.add((1, 2))
    rig.net.touched()
    assert [matrix.pulled_with(contact) for contact in range(4)] == [0, 0b100, 0b10, 0]
    assert [flaw.part for flaw in matrix.test(0, 0)] == ["line rank 2 + line rank 3"]
    assert matrix.unsure() == 0
    assert not any(rig.lgpio.outputs[gpio] for gpio in rig.wiring.matrix.sense)
    matrix.close()
