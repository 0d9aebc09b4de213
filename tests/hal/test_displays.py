"""The displays' drivers and the packages under them, against the chips' own rules."""

from __future__ import annotations

import pytest

from hal.display import Hd44780, Ssd1306
from tests.hal.display_models import Hd44780Chip, Ssd1306Chip

luma = pytest.importorskip("luma.oled.device", reason="the extra display is not installed")
rplcd = pytest.importorskip("RPLCD.i2c", reason="the extra lcd is not installed")
smbus2 = pytest.importorskip("smbus2", reason="smbus2 is not installed")


class OledBus:
    """An I2C bus with one SSD1306."""

    def __init__(self, chip):
        self.chip = chip

    def write_i2c_block_data(self, address, control, payload):
        """An SMBus block: 32 bytes at most."""
        assert len(payload) <= 32
        self.chip.write(address, control, payload)

    def i2c_rdwr(self, message):
        """One long write."""
        control, *payload = list(message)
        self.chip.write(message.addr, control, payload)

    def close(self):
        """Nothing to release."""


class LcdBus:
    """An I2C bus with one expander."""

    def __init__(self, chip):
        self.chip = chip

    def write_byte(self, address, byte):
        """One byte."""
        self.chip.write(address, byte)


@pytest.fixture
def oled(monkeypatch):
    """A chip as after power-up, on the bus that the driver opens."""
    chip = Ssd1306Chip()
    monkeypatch.setattr(smbus2, "SMBus", lambda port: OledBus(chip))
    return chip


@pytest.fixture
def lcd(monkeypatch):
    """The same for the character display, with the package's waits in the chip's time."""
    chip = Hd44780Chip()
    monkeypatch.setattr(rplcd, "SMBus", lambda port: LcdBus(chip))
    monkeypatch.setattr("RPLCD.common.time.sleep", chip.sleep)
    monkeypatch.setattr("time.sleep", chip.sleep)
    return chip


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
def test_an_oled_is_woken_and_shows_lines(oled):
    """Pump before the panel, six lines drawn in their places, the newest alone."""
    screen = Ssd1306(1, 0x3C)
    assert oled.is_on
    assert (oled.mode, oled.multiplex) == (0, 63)
    screen.draw(("1. e4 e5", "White 5:00"))
    assert oled.lit(0, 0, 60, 10) > 40
    assert oled.lit(0, 10, 70, 20) > 40
    assert oled.lit(0, 20, 128, 64) == 0
    screen.draw(("",) * 5 + ("last",))
    assert oled.lit(0, 0, 128, 48) == 0
    assert oled.lit(0, 50, 30, 64) > 10
    screen.close()
    assert not oled.is_on


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
def test_an_oled_that_goes_is_an_oserror(oled):
    """At an address where nothing answers, and when it no longer answers in mid-game."""
    with pytest.raises(OSError, match="0x3D"):
        Ssd1306(1, 0x3D)
    screen = Ssd1306(1, 0x3C)
    oled.address = None
    with pytest.raises(OSError, match="0x3C"):
        screen.draw(("gone",))
    with pytest.raises(OSError, match="0x3C"):
        screen.close()


def test_a_character_display_is_set_up_and_shows_both_lines(lcd):
    """Three times 8 bits, then 4; both rows whole, wrapped and padded; no clear between, so no flicker."""
    screen = Hd44780(1, 0x27)
    assert (lcd.is_on, lcd.two_lines, lcd.is_lit) == (True, True, True)
    screen.draw(("White to move", "5:00", "no third"))
    assert lcd.lines == ("White to move   ", "5:00            ")
    screen.draw(("Promote to Q R B N?", "White to move"))
    assert lcd.lines == ("Promote to Q R B", "N?              ")
    clears = lcd.clears
    screen.draw(("e2e4",))
    assert lcd.lines == ("e2e4            ", " " * 16)
    assert lcd.clears == clears
    screen.close()
    assert lcd.lines == (" " * 16, " " * 16)


def pulse(chip, byte):
    """Data on the port, and E up."""
    chip.write(0x27, byte)
    chip.write(0x27, byte | chip.E)


def test_the_models_refuse_what_chips_would_not_do():
    """Commands that are none, the panel without its pump, a display that is not set up, one that is busy."""
    oled = Ssd1306Chip()
    for wrong in ([0xFF], [0xAF], [0x21, 5], [0x22, 3, 2], [0x20, 7]):
        with pytest.raises(AssertionError):
            oled.write(0x3C, 0, wrong)
    with pytest.raises(AssertionError, match="horizontal"):
        oled.write(0x3C, 0x40, [1])
    lcd = Hd44780Chip()
    pulse(lcd, 0x30)
    with pytest.raises(AssertionError, match="busy"):
        lcd.write(0x27, 0x30)
    lcd = Hd44780Chip()
    lcd.sleep(0.05)
    pulse(lcd, 0x20)
    with pytest.raises(AssertionError, match="three times"):
        lcd.write(0x27, 0x20)
    lcd = Hd44780Chip()
    lcd.write(0x27, 0x30)
    with pytest.raises(AssertionError, match="read"):
        lcd.write(0x27, 0x36)
