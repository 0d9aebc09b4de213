"""Putting a wired board together: from its wiring, on simulated pins, and what a machine without GPIO is told."""

from __future__ import annotations

import pytest

from hal.assembly import assemble, open_reed
from hal.board import BoardSnapshot, Faulted
from hal.catalog import open_board
from hal.net import Net, make_pins
from hal.wiring import default_wiring, parse_wiring

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
        ('[scanner]\nkind = "mcp23017"\n', "i2c"),
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
