"""The displays' drivers and the packages under them, against the chips' own rules."""

from __future__ import annotations

import pytest

from hal.board import Faulted, Recovered, Text
from hal.display import DisplayThread, Hd44780, Ssd1306
from tests.hal.display_models import Hd44780Chip, Ssd1306Chip

luma = pytest.importorskip("luma.oled.device", reason="the extra display is not installed")
rplcd = pytest.importorskip("RPLCD.i2c", reason="the extra lcd is not installed")
smbus2 = pytest.importorskip("smbus2", reason="smbus2 is not installed")


class Socket:
    """Where a display is plugged in: its chip, or none; buses are opened on it."""

    def __init__(self, chip):
        self.chip = chip
        self.fails_in = -1  # writes until one is not acknowledged
        self.open_buses = 0

    def write(self, *sent):
        """One transfer to the chip; with none there, or where one fails, an error as the kernel has it."""
        self.fails_in -= 1
        if self.chip is None or self.fails_in == -1:
            if self.chip is not None:
                self.chip.disturb()
            raise OSError(121, "Remote I/O error")
        self.chip.write(*sent)

    def sleep(self, seconds):
        """Time passes for the chip."""
        if self.chip is not None:
            self.chip.sleep(seconds)


class Bus:
    """An I2C bus on a socket."""

    def __init__(self, socket):
        self._socket = socket
        self._is_open = True
        socket.open_buses += 1

    def write_i2c_block_data(self, address, control, payload):
        """An SMBus block: 32 bytes at most."""
        assert self._is_open
        assert len(payload) <= 32
        self._socket.write(address, control, payload)

    def i2c_rdwr(self, message):
        """One long write."""
        assert self._is_open
        control, *payload = list(message)
        self._socket.write(message.addr, control, payload)

    def write_byte(self, address, byte):
        """One byte."""
        assert self._is_open
        self._socket.write(address, byte)

    def close(self):
        """Released; may be called twice."""
        self._socket.open_buses -= self._is_open
        self._is_open = False


@pytest.fixture
def oled(monkeypatch):
    """A chip as after power-up, on the bus that the driver opens."""
    socket = Socket(Ssd1306Chip())
    monkeypatch.setattr(smbus2, "SMBus", lambda port: Bus(socket))
    return socket


@pytest.fixture
def lcd(monkeypatch):
    """The same for the character display, with the package's waits in the chip's time."""
    socket = Socket(Hd44780Chip())
    monkeypatch.setattr(rplcd, "SMBus", lambda port: Bus(socket))
    monkeypatch.setattr("RPLCD.common.time.sleep", socket.sleep)
    monkeypatch.setattr("time.sleep", socket.sleep)
    return socket


class Rig:
    """A display thread that is not started, on a clock of the test's own."""

    def __init__(self, screen):
        self.now_s, self.reports = 0.0, []
        self.thread = DisplayThread(screen, self.reports.append, lambda: self.now_s)

    def let_pass(self, seconds):
        """Run it whenever it asks to be."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s = min(end_s, self.now_s + max(0.2, self.thread.refresh()))


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
def test_an_oled_is_woken_and_shows_lines(oled):
    """Pump before the panel, six lines drawn in their places, the newest alone."""
    screen, chip = Ssd1306(1, 0x3C), oled.chip
    screen.wake()
    assert chip.is_on
    assert (chip.mode, chip.multiplex, chip.settings[0x81]) == (0, 63, [0xCF])
    screen.draw(("1. e4 e5", "White 5:00"))
    assert chip.lit(0, 0, 60, 10) > 40
    assert chip.lit(0, 10, 70, 20) > 40
    assert chip.lit(0, 20, 128, 64) == 0
    screen.draw(("",) * 5 + ("last",))
    assert chip.lit(0, 0, 128, 48) == 0
    assert chip.lit(0, 50, 30, 64) > 10
    screen.close()
    screen.close()
    assert not chip.is_on
    assert not oled.open_buses


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
def test_an_oled_that_goes_is_an_oserror(oled):
    """At an address where nothing answers, and when it no longer answers in mid-game; no bus stays open."""
    with pytest.raises(OSError, match="0x3D"):
        Ssd1306(1, 0x3D).wake()
    assert not oled.open_buses
    screen = Ssd1306(1, 0x3C)
    screen.wake()
    oled.chip = None
    with pytest.raises(OSError, match="0x3C"):
        screen.draw(("gone",))
    assert not oled.open_buses
    with pytest.raises(OSError, match="not open"):
        screen.draw(("still gone",))
    screen.close()


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
@pytest.mark.parametrize("is_noticed", [True, False])
def test_an_oled_whose_cable_was_out_shows_the_same_lines_again(oled, is_noticed):
    """With a write meanwhile or without one: it is set up and drawn anew, also with nothing new to show."""
    rig = Rig(Ssd1306(1, 0x3C))
    rig.thread.write(Text(lines=("1. e4", "White 5:00")))
    rig.let_pass(1)
    shown = bytes(oled.chip.memory)
    if is_noticed:
        oled.chip = None
        rig.let_pass(40)
        assert [report.reason for report in rig.reports] == ["lost"]
    oled.chip = Ssd1306Chip()
    rig.let_pass(31 if is_noticed else 6)
    assert oled.chip.is_on
    assert oled.chip.memory == shown
    assert [type(report) for report in rig.reports] == ([Faulted, Recovered] if is_noticed else [])
    rig.let_pass(60)
    assert not oled.chip.dark
    rig.thread.close()
    assert not oled.open_buses


@pytest.mark.parametrize(("chip", "screen"), [(Ssd1306Chip, Ssd1306), (Hd44780Chip, Hd44780)])
@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")  # inside luma.core
def test_a_display_that_is_plugged_in_late_comes_on(oled, lcd, chip, screen):
    """Told as one that did not open, tried again, and no bus is left open by all the attempts."""
    oled.chip = lcd.chip = None
    rig = Rig(screen(1, 0x3C))
    rig.thread.write(Text(lines=("hello",)))
    assert [report.reason for report in rig.reports] == ["not_opened"]
    rig.let_pass(200)
    assert not oled.open_buses + lcd.open_buses
    oled.chip, lcd.chip = Ssd1306Chip(), Hd44780Chip(0x3C)
    lcd.sleep(1)
    rig.let_pass(31)
    assert [type(report) for report in rig.reports] == [Faulted, Recovered]
    shown = oled.chip if chip is Ssd1306Chip else lcd.chip
    assert shown.is_on
    rig.thread.close()
    assert not oled.open_buses + lcd.open_buses


def test_a_character_display_is_set_up_and_shows_both_lines(lcd):
    """Three times 8 bits, then 4; both rows whole, wrapped and padded; no clear between, so no flicker."""
    screen, chip = Hd44780(1, 0x27), lcd.chip
    screen.wake()
    assert (chip.is_on, chip.two_lines, chip.is_lit) == (True, True, True)
    screen.draw(("White to move", "5:00", "no third"))
    assert chip.lines == ("White to move   ", "5:00            ")
    screen.draw(("Promote to Q R B N?", "White to move"))
    assert chip.lines == ("Promote to Q R B", "N?              ")
    clears = chip.clears
    screen.draw(("e2e4",))
    assert chip.lines == ("e2e4            ", " " * 16)
    assert chip.clears == clears
    screen.close()
    screen.close()
    assert chip.lines == (" " * 16, " " * 16)
    assert not chip.is_lit
    assert not lcd.open_buses


@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_character_display_whose_cable_was_out_shows_the_same_lines_again(lcd, is_noticed):
    """In 8 bits and off after power-up; and what is woken and drawn while it is well never blinks."""
    rig = Rig(Hd44780(1, 0x27))
    rig.thread.write(Text(lines=("White to move", "5:00")))
    rig.let_pass(1)
    clears = lcd.chip.clears
    rig.let_pass(30)
    assert (lcd.chip.clears, lcd.chip.blinks) == (clears, 0)
    if is_noticed:
        lcd.chip = None
        rig.let_pass(40)
    lcd.chip = Hd44780Chip()
    lcd.sleep(1)
    rig.let_pass(31 if is_noticed else 6)
    assert lcd.chip.lines == ("White to move   ", "5:00            ")
    assert (lcd.chip.is_on, lcd.chip.two_lines, lcd.chip.is_lit) == (True, True, True)
    assert [type(report) for report in rig.reports] == ([Faulted, Recovered] if is_noticed else [])
    rig.thread.close()
    assert not lcd.open_buses


@pytest.mark.parametrize("is_waking", [False, True])
def test_one_lost_byte_leaves_no_character_display_out_of_step(lcd, is_waking):
    """At any byte of a picture or of a wake: told, and with the next attempt the picture is right again."""
    for fails_in in range(0, 160 if is_waking else 240, 1):
        lcd.chip, lcd.fails_in = Hd44780Chip(), -1
        lcd.sleep(1)
        rig = Rig(Hd44780(1, 0x27))
        rig.thread.write(Text(lines=("hello", "world")))
        rig.let_pass(1)
        lcd.fails_in = fails_in
        if not is_waking:
            rig.thread.write(Text(lines=("White to move", "1. e4 e5")))
        rig.let_pass(12)
        shown = ("hello           ", "world           ") if is_waking else ("White to move   ", "1. e4 e5        ")
        assert (fails_in, lcd.chip.lines, lcd.chip.is_on) == (fails_in, shown, True)
        assert lcd.fails_in < 0
        assert [type(report) for report in rig.reports] == [Faulted, Recovered]
        rig.thread.close()
    assert not lcd.open_buses


@pytest.mark.parametrize("half", range(16))
def test_half_a_byte_that_came_of_itself_is_over_with_the_next_wake(lcd, half):
    """Out of step without any error, as after a spike on E: right again within seconds, whatever the half was."""
    rig = Rig(Hd44780(1, 0x27))
    rig.thread.write(Text(lines=("White to move", "5:00")))
    rig.let_pass(1)
    lcd.chip.disturb()
    pulse(lcd.chip, half << 4 | lcd.chip.LIGHT)
    lcd.chip.write(0x27, half << 4 | lcd.chip.LIGHT)
    rig.let_pass(11)
    assert lcd.chip.lines == ("White to move   ", "5:00            ")
    assert rig.reports == []
    rig.thread.close()


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
