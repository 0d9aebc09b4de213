"""HT16K33 and MAX7219 against models of their registers that fail on an illegal sequence."""

from __future__ import annotations

import pytest

from hal.board import Lamp, Lamps
from hal.ht16k33 import Ht16k33
from hal.lamps import DARK, frame
from hal.max7219 import Max7219
from hal.wiring import default_wiring
from tests.hal.chip_models import Ht16k33Model, I2cModel, Max7219Model

TURNED = default_wiring().turned
PICTURE = frame(Lamps(squares={0: Lamp(red=9, green=0, blue=0), 15: Lamp(red=0, green=0, blue=1)}), 0.0)


def test_ht16k33_is_woken_in_order_and_shows_squares():
    """a1 is row 0 column 0, h2 row 1 column 7; darkness clears them."""
    model = Ht16k33Model()
    bus = I2cModel([model])
    writer = Ht16k33(bus, TURNED, 50)
    assert model.lit() == set()
    assert model.dim == 7
    writer.write(PICTURE)
    assert model.lit() == {(0, 0), (1, 7)}
    writer.write([DARK] * 64)
    assert model.lit() == set()
    writer.close()
    assert bus.closed


@pytest.mark.parametrize(("percent", "dim"), [(1, 0), (20, 2), (100, 15)])
def test_brightness_in_sixteenths(percent, dim):
    """The dimmest step still lights."""
    model = Ht16k33Model()
    Ht16k33(I2cModel([model]), TURNED, percent)
    assert model.dim == dim


def test_ht16k33_retries_twice_and_then_gives_up():
    """Two failed transfers are forgiven, a chip that is not there is an OSError."""
    bus = I2cModel([Ht16k33Model()])
    writer = Ht16k33(bus, TURNED, 50)
    bus.failures = 2
    writer.write(PICTURE)
    bus.failures = 3
    with pytest.raises(OSError, match="121"):
        writer.write(PICTURE)
    with pytest.raises(OSError, match="121"):
        Ht16k33(I2cModel([]), TURNED, 50)


def test_max7219_is_set_up_before_it_wakes():
    """All registers first, then out of shutdown; closed, it sleeps."""
    model = Max7219Model()
    writer = Max7219(model, TURNED, 30)
    assert model.lit() == set()
    assert model.registers[0x0A] == 4
    writer.write(PICTURE)
    assert model.lit() == {(0, 0), (1, 7)}
    writer.close()
    assert not model.awake
    assert model.closed


def test_the_models_refuse_what_chips_would_not_do():
    """Display before clock, woken with undefined registers, a word of three bytes."""
    with pytest.raises(AssertionError, match="clock"):
        Ht16k33Model().command(0x81)
    with pytest.raises(AssertionError, match="undefined"):
        Max7219Model().transfer(bytes((0x0C, 1)))
    with pytest.raises(AssertionError, match="sixteen"):
        Max7219Model().transfer(bytes(3))
