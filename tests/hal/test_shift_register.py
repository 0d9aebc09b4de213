"""Nine 74HC165 in a chain: every switch where it belongs, and the wrong SPI mode found out."""

from __future__ import annotations

from random import Random

import pytest

from hal.matrix import Scan
from hal.shift_register import CS_HIGH, ShiftRegisters
from hal.wiring import default_wiring, parse_wiring
from tests.hal.chip_models import ShiftRegisterModel


def test_every_switch_is_its_square():
    """Random contacts on eight chips and the panel's ninth; nothing can ghost."""
    model, random = ShiftRegisterModel(CS_HIGH), Random(2)
    scanner = ShiftRegisters(default_wiring(), model)
    for _ in range(500):
        squares, panel = random.getrandbits(64), random.getrandbits(8)
        model.closed = [squares >> 8 * chip & 0xFF for chip in range(8)] + [panel]
        assert scanner.scan() == Scan(squares, panel)
        assert scanner.scan() == Scan(squares, panel)
    assert scanner.shorted() == ()
    assert scanner.groups["line rank 4"] == 0xFF << 24
    scanner.close()
    assert model.released


def test_orientation_applies():
    """A turned board reads its own squares."""
    model = ShiftRegisterModel(CS_HIGH)
    wiring = parse_wiring("[orientation]\nturn_deg = 180", "t")
    scanner = ShiftRegisters(wiring, model)
    model.closed[0] = 1
    assert scanner.scan().squares == 1 << 63


def test_a_select_that_loads_reads_nothing_right():
    """In plain mode 0 the chips load during the transfer: the model shows why the driver asks for an active-high one."""
    model = ShiftRegisterModel(mode=0)
    model.closed[3] = 0x10
    assert ShiftRegisters(default_wiring(), model).scan().squares != 1 << 28


def test_a_short_answer_is_an_error():
    """A chain that gives too few bytes is not an empty board."""

    class Short(ShiftRegisterModel):
        def transfer(self, sent):
            return b"\xff" * 3

    with pytest.raises(OSError, match="3 bytes"):
        ShiftRegisters(default_wiring(), Short(CS_HIGH)).scan()
