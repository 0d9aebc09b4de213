"""HT16K33 and MAX7219 against models of their registers that fail on an illegal sequence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hal.board import Faulted, Lamp, Lamps, Recovered
from hal.ht16k33 import Ht16k33
from hal.lamps import DARK, LampThread, frame
from hal.max7219 import Max7219
from hal.wiring import default_wiring
from tests.hal.chip_models import Ht16k33Model, I2cModel, Max7219Model

TURNED = default_wiring().turned
PICTURE = frame(Lamps(squares={0: Lamp(red=9, green=0, blue=0), 15: Lamp(red=0, green=0, blue=1)}), 0.0)


def test_ht16k33_is_woken_in_order_and_shows_squares():
    """a1 is row 0 column 0, h2 row 1 column 7; darkness clears them."""
    model = Ht16k33Model()
    bus = I2cModel([model])
    writer = Ht16k33(bus, TURNED)
    assert model.lit() == set()
    writer.write(PICTURE, 0.5)
    assert model.lit() == {(0, 0), (1, 7)}
    assert model.dim == 7
    writer.write([DARK] * 64, 1.0)
    assert model.lit() == set()
    writer.close()
    assert bus.closed


@pytest.mark.parametrize(("share", "step"), [(0.0, 0), (0.01, 0), (0.2, 2), (0.5, 7), (1.0, 15)])
def test_brightness_in_sixteenths(share, step):
    """Of both chips, with each picture; the dimmest step still lights."""
    chip, model = Ht16k33Model(), Max7219Model()
    Ht16k33(I2cModel([chip]), TURNED).write(PICTURE, share)
    Max7219(model, TURNED).write(PICTURE, share)
    assert chip.dim == model.registers[0x0A] == step
    assert chip.lit() == model.lit() == {(0, 0), (1, 7)}


def test_ht16k33_retries_twice_and_then_gives_up():
    """Two failed transfers are forgiven, a chip that is not there is an OSError."""
    bus = I2cModel([Ht16k33Model()])
    writer = Ht16k33(bus, TURNED)
    bus.failures = 2
    writer.write(PICTURE, 0.5)
    bus.failures = 3
    with pytest.raises(OSError, match="121"):
        writer.write(PICTURE, 0.5)
    with pytest.raises(OSError, match="121"):
        Ht16k33(I2cModel([]), TURNED)


def test_max7219_is_set_up_before_it_wakes():
    """All registers first, then out of shutdown; closed, it sleeps."""
    model = Max7219Model()
    writer = Max7219(model, TURNED)
    assert model.lit() == set()
    writer.write(PICTURE, 0.3)
    assert model.lit() == {(0, 0), (1, 7)}
    assert model.registers[0x0A] == 4
    writer.close()
    assert not model.awake
    assert model.closed


def test_a_chip_that_lost_its_supply_shows_the_next_picture():
    """Neither chip says that it has forgotten all its settings, so each picture brings them along."""
    chip = Ht16k33Model()
    lamps = Ht16k33(I2cModel([chip]), TURNED)
    chip.power_up()
    lamps.write(PICTURE, 0.5)
    assert chip.lit() == {(0, 0), (1, 7)}
    assert chip.dim == 7
    model = Max7219Model()
    writer = Max7219(model, TURNED)
    model.power_up()
    writer.write(PICTURE, 0.3)
    assert model.lit() == {(0, 0), (1, 7)}
    assert model.registers[0x0A] == 4


@pytest.mark.parametrize("pulled_s", [3.0, 40.0])
def test_lamps_whose_cable_was_out(pulled_s):
    """Bus and supply gone and back, noticed or not: the same picture is lit again within half a minute of it."""
    chip, now, reports = Ht16k33Model(), [0.0], []
    bus = I2cModel([chip])

    def opened():
        bus.closed = False
        return Ht16k33(bus, TURNED)

    lamps = LampThread(
        opened,
        brightness_percent=100,
        limit_ma=1e9,
        refresh_hz=30,
        report=reports.append,
        clock=lambda: now[0],
    )
    lamps.show(Lamps(squares={0: Lamp(red=9, green=0, blue=0)}))
    lamps.refresh()
    back_s = 6.0 + pulled_s
    chip.power_up()
    for tenth in range(60, round((back_s + 31) * 10)):
        now[0] = tenth / 10
        bus.failures = 1000 if now[0] < back_s else 0
        lamps.refresh()
    assert chip.lit() == {(0, 0)}
    assert [type(report) for report in reports] == [Faulted, Recovered]


def test_the_guide_names_the_pins_that_the_drivers_drive():
    """By the chips' data sheets: COMn of an HT16K33 is address 2n and ROWn bit n; D7 to D0 of a MAX7219 are DP, A to G."""
    guide = (Path(__file__).parents[2] / "hardware_docs" / "wiring.md").read_text(encoding="utf-8")
    segments = ("DP", "A", "B", "C", "D", "E", "F", "G")
    for file, name in enumerate("abcdefgh"):
        picture = frame(Lamps(squares={24 + file: Lamp(red=9, green=0, blue=0)}), 0.0)
        chip, model = Ht16k33Model(), Max7219Model()
        Ht16k33(I2cModel([chip]), TURNED).write(picture, 1.0)
        Max7219(model, TURNED).write(picture, 1.0)
        assert chip.lit() == {(3, file)}  # COM3, ROWn
        assert model.registers[4] == 1 << file  # DIG3
        segment = segments[7 - file]
        assert re.search(rf"^\| file {name}(, its anodes)? \| ROW{file} \| SEG {segment} \|$", guide, re.MULTILINE)


def test_the_models_refuse_what_chips_would_not_do():
    """Display before clock, woken with undefined registers, a word of three bytes."""
    with pytest.raises(AssertionError, match="clock"):
        Ht16k33Model().command(0x81)
    with pytest.raises(AssertionError, match="undefined"):
        Max7219Model().transfer(bytes((0x0C, 1)))
    with pytest.raises(AssertionError, match="sixteen"):
        Max7219Model().transfer(bytes(3))
