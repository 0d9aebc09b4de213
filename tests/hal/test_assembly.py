"""Putting a wired board together: from its wiring, on simulated pins, and what a machine without GPIO is told."""

from __future__ import annotations

import types
from typing import ClassVar

import pytest

from hal.assembly import assemble, open_reed
from hal.board import BoardSnapshot, Faulted, Lamp, Lamps
from hal.catalog import open_board
from hal.net import Net, make_pins
from hal.shift_register import CS_HIGH
from hal.wiring import default_wiring, parse_wiring
from tests.hal.chip_models import Ht16k33Model, I2cModel

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
        ('[scanner]\nbackend = "lines"\n', "gpio"),
        ('[scanner]\nkind = "shift_register"\n', "/dev/spidev0.1"),
        ('[scanner]\nkind = "mcp23s17"\n', "/dev/spidev0.1"),
        ('[scanner]\nkind = "mcp23017"\n[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]\n', "i2c"),
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


def test_chips_on_spi_are_assembled(monkeypatch):
    """A 74HC165 chain wants an active-high select, an MCP23S17 its registers."""
    monkeypatch.setattr("hal.spi.SpiDevice", FakeSpi)
    FakeSpi.made.clear()
    assemble(parse_wiring('[scanner]\nkind = "shift_register"\n' + BARE, "t")).close()
    assert (FakeSpi.made[0].path, FakeSpi.made[0].mode) == ("/dev/spidev0.1", CS_HIGH)
    assemble(parse_wiring('[scanner]\nkind = "mcp23s17"\n' + BARE, "t")).close()
    assert FakeSpi.made[1].sent[0][:2] == bytes((0x40, 0x0A))


def test_a_gpio_chip_that_does_not_open_is_told(monkeypatch):
    """lgpio is there and fails: its own words, and the chips of this machine."""

    def fail():
        raise RuntimeError("can not open gpiochip")

    monkeypatch.setattr("hal.assembly.import_module", lambda name: types.SimpleNamespace(LGPIOFactory=fail))
    with pytest.raises(OSError, match=r"can not open gpiochip; chips here: .*pinctrl-rp1"):
        open_reed("")


def test_what_config_txt_gives_away_is_added_to_the_error(tmp_path, monkeypatch):
    """A busy line whose holder config.txt knows is named in the same sentence."""
    config = tmp_path / "config.txt"
    config.write_text("dtoverlay=w1-gpio\n")
    monkeypatch.setattr("hal.assembly.CONFIG_FILES", (str(config),))
    wiring, _, pins = wired()
    first = assemble(wiring, pins)
    with pytest.raises(OSError, match="GPIO4 belongs to w1-gpio"):
        assemble(wiring, pins)
    first.close()
