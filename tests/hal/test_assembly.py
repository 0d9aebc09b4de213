"""Putting a wired board together: from its wiring, on simulated pins, and what a machine without GPIO is told."""

from __future__ import annotations

import sys
import types
from typing import ClassVar

import pytest

from hal.assembly import assemble, open_reed
from hal.board import BoardSnapshot, Faulted, Lamp, Lamps
from hal.catalog import open_board
from hal.net import Net, make_pins
from hal.shift_register import MODE
from hal.wiring import default_wiring, parse_wiring
from hal.ws2812 import encode
from tests.hal.chip_models import Ht16k33Model, I2cModel, Max7219Model, Mcp23x17, SpiExpanderBus
from tests.hal.shift_register_model import ShiftRegisterModel

BARE = '[lamps]\ndriver = "none"\n[buzzer]\ngpio = 0\n'


def wired(text=BARE):
    """A wiring and mock pins on its circuit."""
    wiring = parse_wiring(text, "t")
    net = Net(wiring)
    return wiring, net, make_pins(net, wiring)


def test_a_matrix_on_pins():
    """From wiring to snapshot, on the real driver; the circuit keeps its own time here, so it settles at once."""
    wiring, net, pins = wired()
    net.settle_us = 0
    net.set_switches(0xFFFF, 0b10)
    board = assemble(wiring, pins)
    assert board.tick(0) == [BoardSnapshot(occupancy=0xFFFF, at_ns=0)]
    board.close()


def test_helps_that_do_not_open_are_reported_and_the_board_plays():
    """H16: no SPI device and no PWM on these pins: two faults, and a snapshot all the same."""
    wiring, net, pins = wired('[lamps]\ndevice = "/dev/does-not-exist"\n[display]\ndriver = "ssd1306"\n')
    net.settle_us = 0
    board = assemble(wiring, pins)
    events = board.tick(0)
    faults = {event.part: event.reason for event in events if isinstance(event, Faulted)}
    assert faults == {"lamps": "not_opened", "display": "not_opened", "buzzer": "not_opened"}
    assert isinstance(events[-1], BoardSnapshot)
    board.close()


def test_lamps_go_through_spi():
    """H17: the default driver clocks lamps over SPI and needs no GPU clock and no PWM."""
    assert default_wiring().lamps.driver == "ws2812"
    assert default_wiring().lamps.device.startswith("/dev/spidev")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "touchmove[gpio]"),
        ("", "apt install python3-lgpio, and make the venv with --system-site-packages"),
        ('[scanner]\nbackend = "lines"\n', "touchmove[lines]"),
        ('[scanner]\nkind = "shift_register"\n' + BARE, "/dev/spidev0.1"),
        ('[scanner]\nkind = "mcp23s17"\n' + BARE, "/dev/spidev0.1"),
        ('[scanner]\nkind = "mcp23017"\n[panel.buttons]\nok = 0\nback = 0\n', "touchmove[i2c]"),
    ],
)
def test_a_machine_without_the_hardware_is_told(text, word, tmp_path, monkeypatch):
    """Each kind of scanner: an OSError that names the device or the extra, never a traceback of an import."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("hal.assembly.import_module", missing)
    monkeypatch.setattr("hal.i2c.import_module", missing)
    monkeypatch.setattr("hal.lines.import_module", missing)
    path = tmp_path / "board.toml"
    path.write_text(text)
    with pytest.raises(OSError, match=r".") as caught:
        open_board(f"reed:{path}")
    assert word in str(caught.value)


def test_a_wiring_file_is_read(tmp_path):
    """A mistake in it is named, a missing file is an OSError."""
    path = tmp_path / "board.toml"
    path.write_text("[matrixx]\n")
    with pytest.raises(ValueError, match="matrixx"):
        open_reed(str(path))
    with pytest.raises(FileNotFoundError):
        open_reed(str(tmp_path / "none.toml"))


def test_it_scans_by_itself():
    """Opened, it posts its snapshot; closed, it is silent."""
    _, net, pins = wired()
    net.settle_us = 0
    board = open_reed("", pin_factory=pins)
    (event, *_) = [event for event in board.wait(10.0) if isinstance(event, BoardSnapshot)]
    assert event.occupancy == 0
    board.close()
    assert default_wiring().scanner.period_ms == 5


class FakeSpi:
    """An SPI device that keeps what it was sent."""

    made: ClassVar[list] = []

    def __init__(self, path, speed_hz, mode=0):
        self.path, self.speed_hz, self.mode, self.sent = path, speed_hz, mode, []
        FakeSpi.made.append(self)

    def write(self, sent):
        """A plain write."""
        self.sent.append(sent)

    def transfer(self, sent):
        """A transfer in which nothing comes back but open switches."""
        self.sent.append(sent)
        return b"\xff" * len(sent)

    def close(self):
        """Nothing to release."""


@pytest.mark.parametrize(
    ("driver", "speed_hz"), [("ws2812", 2_400_000), ("max7219", 1_000_000), ("ht16k33", None), ("none", None)]
)
def test_every_lamp_driver_is_assembled(driver, speed_hz, monkeypatch):
    """The chip that the wiring names, on its bus, gets the picture and goes dark at the end."""
    model = Ht16k33Model()
    monkeypatch.setattr("hal.spi.SpiDevice", FakeSpi)
    monkeypatch.setattr("hal.i2c.open_i2c", lambda number: I2cModel([model]))
    FakeSpi.made.clear()
    wiring, net, pins = wired(f'[lamps]\ndriver = "{driver}"\n[buzzer]\ngpio = 0\n')
    net.settle_us = 0
    board = assemble(wiring, pins)
    board.show(Lamps(squares={0: Lamp(red=255, green=255, blue=255)}))
    assert not any(isinstance(event, Faulted) for event in board.tick(0))
    board.close()
    assert [device.speed_hz for device in FakeSpi.made] == ([speed_hz] if speed_hz else [])
    if speed_hz:
        assert FakeSpi.made[0].sent
    if driver == "ht16k33":
        assert model.lit() == set()


@pytest.mark.parametrize("driver", ["ws2812", "max7219", "ht16k33"])
def test_every_lamp_driver_is_as_bright_as_is_asked_for(driver, monkeypatch):
    """Half of the wiring's half. The cap is for WS2812, whose current it knows; what lights others has a resistor."""
    chip, model = Ht16k33Model(), Max7219Model()
    monkeypatch.setattr("hal.spi.SpiDevice", FakeSpi)
    monkeypatch.setattr(FakeSpi, "transfer", lambda self, sent: model.transfer(sent))
    monkeypatch.setattr("hal.i2c.open_i2c", lambda number: I2cModel([chip]))
    monkeypatch.setattr("hal.lamps.LampThread.start", lambda self: None)
    FakeSpi.made.clear()
    text = (
        f'[lamps]\ndriver = "{driver}"\nbrightness_percent = 50\nlimit_ma = {{}}\nrefresh_hz = 25\n[buzzer]\ngpio = 0\n'
    )
    white = dict.fromkeys(range(64), Lamp(red=255, green=255, blue=255))
    for limit_ma in (2000, 100):
        wiring, _, pins = wired(text.format(limit_ma))
        board = assemble(wiring, pins)
        board.show(Lamps(squares=white, share=0.5))
        board._lamps.refresh()
        assert board._lamps._shortest_s == 1 / 25
        if driver == "ws2812":
            (sent,) = FakeSpi.made.pop().sent
            assert sent == encode([((63,) if limit_ma == 2000 else (6,)) * 3] * 64)
        else:
            assert (chip.dim if driver == "ht16k33" else model.registers[0x0A]) == 3
        board.close()


def test_chips_on_spi_are_assembled(monkeypatch):
    """A 74HC165 chain wants its mode and its load line, and is released if it is dead; an MCP23S17 wants its registers."""
    chain = ShiftRegisterModel(MODE)
    asked = []
    monkeypatch.setattr("hal.spi.SpiDevice", lambda *arguments: asked.append(arguments) or chain)
    wiring = parse_wiring('[scanner]\nkind = "shift_register"\n[bus]\nload = 22\n' + BARE, "t")
    board = assemble(wiring, chain.pins(22))
    chain.closed[1] = 0xFF
    assert board.tick(0)[-1] == BoardSnapshot(occupancy=0xFF00, at_ns=0)
    board.close()
    assert asked == [("/dev/spidev0.1", 1_000_000, MODE)]
    assert chain.released
    chain.released, chain.miso = False, True
    with pytest.raises(OSError, match="chain of 74HC165"):
        assemble(wiring, chain.pins(22))
    assert chain.released
    bus = SpiExpanderBus([Mcp23x17(0x20 + n, i2c=False) for n in range(5)])
    FakeSpi.made.clear()
    monkeypatch.setattr(FakeSpi, "transfer", lambda self, sent: (self.sent.append(sent), bus.transfer(sent))[1])
    monkeypatch.setattr(FakeSpi, "close", lambda self: bus.close())
    monkeypatch.setattr("hal.spi.SpiDevice", FakeSpi)
    wiring = parse_wiring('[scanner]\nkind = "mcp23s17"\n' + BARE, "t")
    assemble(wiring).close()
    assert FakeSpi.made[0].sent[0][:2] == bytes((0x40, 0x0A))
    bus.closed, bus.miso = False, True
    with pytest.raises(OSError, match="chip 1"):
        assemble(wiring)
    assert bus.closed


def test_chips_on_i2c_that_do_not_answer_leave_no_bus_open(monkeypatch):
    """What reads the squares does not open, and so neither does the board."""
    bus = I2cModel([])
    monkeypatch.setattr("hal.i2c.open_i2c", lambda number: bus)
    with pytest.raises(OSError, match="chip 1"):
        assemble(parse_wiring('[scanner]\nkind = "mcp23017"\n[panel.buttons]\nok = 0\nback = 0\n' + BARE, "t"))
    assert bus.closed


@pytest.mark.parametrize(
    "text",
    [
        '[lamps]\ndriver = "ht16k33"\n[buzzer]\ngpio = 0\n',
        '[lamps]\ndriver = "max7219"\n[buzzer]\ngpio = 0\n',
        '[scanner]\nkind = "mcp23017"\n[panel.buttons]\nok = 0\nback = 0\n' + BARE,
        '[scanner]\nkind = "mcp23s17"\n' + BARE,
        '[scanner]\nkind = "shift_register"\n[bus]\nload = 22\n' + BARE,
    ],
)
def test_no_bus_stays_open_where_nothing_answers(text, monkeypatch):
    """Whatever is on it, and whatever it raises: a part that does not come up has given its bus back."""
    buses = []

    class Dead:
        def __init__(self, *_):
            self.closes = 0
            buses.append(self)

        def __getattr__(self, name):
            raise RuntimeError("does not answer")

        def close(self):
            self.closes += 1

    monkeypatch.setattr("hal.spi.SpiDevice", Dead)
    monkeypatch.setattr("hal.i2c.open_i2c", Dead)
    wiring = parse_wiring(text, "t")
    net = Net(wiring)
    try:
        assemble(wiring, make_pins(net, wiring)).close()
    except (OSError, RuntimeError):
        assert wiring.scanner.kind != "matrix"
    assert buses
    assert all(bus.closes for bus in buses)


def test_a_gpio_chip_that_does_not_open_is_told(monkeypatch):
    """lgpio is there and fails: its own words, and the chips of this machine."""

    def fail(chip):
        raise RuntimeError("can not open gpiochip")

    monkeypatch.setattr("hal.assembly.import_module", lambda name: types.SimpleNamespace(LGPIOFactory=fail))
    with pytest.raises(OSError, match=r"can not open gpiochip; chips here: .*pinctrl-rp1"):
        open_reed("")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AttributeError("module 'lgpio' has no attribute 'SET_BIAS_DISABLE'"), "pip uninstall.*python3-lgpio with apt"),
        (FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3"), r"lgd-nfy-3.*folder from which.*LG_WD"),
        (RuntimeError("xyz"), "lgpio does not start: xyz"),
    ],
)
def test_an_lgpio_that_does_not_import_is_told_with_its_cure(error, words, monkeypatch):
    """pip's empty package, a working directory that cannot be written, and whatever else it raises."""

    def fail(name):
        raise error

    monkeypatch.setattr("hal.assembly.import_module", fail)
    with pytest.raises(OSError, match=words):
        open_reed("")


def test_the_empty_lgpio_is_known_by_what_gpiozero_says_of_it(monkeypatch):
    """The stub has nothing in it, and gpiozero's pins ask it for a constant when they are imported."""
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(OSError, match="empty stub"):
        open_reed("")


def config_txt(monkeypatch, tmp_path, text):
    """This machine has such a config.txt."""
    (tmp_path / "config.txt").write_text(text)
    monkeypatch.setattr("hal.assembly.CONFIG_FILES", (str(tmp_path / "config.txt"),))


def test_a_line_that_config_txt_gives_away_is_not_touched(tmp_path, monkeypatch):
    """Both users are named, and no line was opened: on some of them the other function would be dead from then on."""
    config_txt(monkeypatch, tmp_path, "dtparam=i2s=on\n")
    wiring, _, pins = wired()

    class Untouched:
        def __getattr__(self, name):
            raise AssertionError("a pin was asked for")

    with pytest.raises(OSError, match=r"GPIO19 belongs to i2s, and \[matrix\] drive wants it for drive file d"):
        assemble(wiring, Untouched())
    config_txt(monkeypatch, tmp_path, "[cm4]\ndtparam=i2s=on\n")
    assemble(wiring, pins).close()


def test_what_config_txt_may_give_away_is_added_to_the_error(tmp_path, monkeypatch):
    """A busy line that a section for some models claims: its holder, perhaps, is named in the same sentence."""
    config_txt(monkeypatch, tmp_path, "[pi4]\ndtoverlay=w1-gpio\n")
    wiring, _, pins = wired()
    first = assemble(wiring, pins)
    with pytest.raises(OSError, match=r"GPIO\d+ does not open.*GPIO4 belongs to w1-gpio, and"):
        assemble(wiring, pins)
    first.close()


def test_a_buzzer_on_a_line_of_spi_stops_no_board(tmp_path, monkeypatch):
    """Helps are helps: the squares are read all the same."""
    config_txt(monkeypatch, tmp_path, "dtparam=spi=on\n")
    wiring, net, pins = wired('[lamps]\ndriver = "none"\n')
    net.settle_us = 0
    board = assemble(wiring, pins)
    assert isinstance(board.tick(0)[-1], BoardSnapshot)
    board.close()
