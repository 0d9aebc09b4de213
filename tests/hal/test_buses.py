"""SPI through ioctls and I2C through smbus2: what is sent, what is retried, and what an error says."""

from __future__ import annotations

import os
import struct
import types

import pytest

from hal.i2c import open_i2c, with_retries
from hal.spi import SpiDevice


def test_spi_sets_mode_and_speed_and_transfers(tmp_path, monkeypatch):
    """The kernel's two settings, then one message with both buffers; writing is a plain write; closed twice is fine."""
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    calls = []

    def ioctl(file, request, argument):
        calls.append((request, bytes(argument)))

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    device = SpiDevice(str(path), 2_400_000, mode=4)
    assert calls == [(0x40016B01, b"\x04"), (0x40046B04, struct.pack("=I", 2_400_000))]
    assert device.transfer(b"\x01\x02\x03") == bytes(3)
    request, message = calls[-1]
    assert request == 0x40206B00
    assert len(message) == 32
    assert struct.unpack("=QQIIHBBI", message)[2:4] == (3, 2_400_000)
    device.write(b"abc")
    device.close()
    device.close()
    assert path.read_bytes() == b"abc"


@pytest.mark.parametrize(
    ("there", "wanted", "cure"),
    [
        ((), "spidev0.0", r"dtparam=spi=on in config\.txt"),
        ((), "spidev0.1", r"dtparam=spi=on in config\.txt"),
        (("spidev0.0",), "spidev0.1", r"SPI is on, but without that select: dtoverlay=spi0-2cs in config\.txt"),
        ((), "spidev1.0", r"dtoverlay=spi1-1cs"),
        (("spidev1.0", "spidev1.1"), "spidev1.2", r"without that select: dtoverlay=spi1-3cs"),
        ((), "lamps", r"dtparam=spi=on, join group spi"),
    ],
)
def test_spi_that_is_not_there_says_what_to_enable(there, wanted, cure, tmp_path):
    """An OSError with device and cure: the bus, or one more select of a bus that is on."""
    for name in there:
        (tmp_path / name).touch()
    with pytest.raises(FileNotFoundError, match=rf"{wanted} does not open.*{cure}"):
        SpiDevice(str(tmp_path / wanted), 1)


def test_spi_of_another_group_is_told(monkeypatch):
    """It is there, and not for us: nothing in config.txt helps."""

    def refuse(path, flags):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(PermissionError, match=r"join group spi: sudo usermod") as caught:
        SpiDevice("/dev/spidev0.0", 1)
    assert "dtparam" not in str(caught.value)


def test_spi_that_refuses_its_settings_is_named_and_given_back(tmp_path, monkeypatch):
    """Not every controller has every mode: device, mode and speed are in the error, and no file is left open."""
    path = tmp_path / "spidev1.0"
    path.write_bytes(b"")
    open_before = len(os.listdir("/proc/self/fd"))

    def ioctl(file, request, argument):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    with pytest.raises(OSError, match=r"spidev1\.0 does not take SPI mode 2 at 1000000 Hz \(Invalid argument\)"):
        SpiDevice(str(path), 1_000_000, mode=2)
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_i2c_names_what_is_missing(monkeypatch):
    """The extra if the package is missing, the parameter if the bus is."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("hal.i2c.import_module", missing)
    with pytest.raises(OSError, match=r"touchmove\[i2c\]"):
        open_i2c(1)

    def refuse(number):
        raise FileNotFoundError(2, os.strerror(2))

    monkeypatch.setattr("hal.i2c.import_module", lambda name: types.SimpleNamespace(SMBus=refuse))
    with pytest.raises(OSError, match=r"/dev/i2c-1 .*i2c_arm=on"):
        open_i2c(1)
    monkeypatch.setattr(
        "hal.i2c.import_module", lambda name: types.SimpleNamespace(SMBus=lambda number: ("bus", number))
    )
    assert open_i2c(3) == ("bus", 3)


@pytest.mark.parametrize(("failures", "fails"), [(0, False), (2, False), (3, True)])
def test_two_retries(failures, fails):
    """The third failure in a row goes on to the caller."""
    left = [failures]

    def action():
        if left[0]:
            left[0] -= 1
            raise OSError(121, "Remote I/O error")
        return "read"

    if fails:
        with pytest.raises(OSError, match="121"):
            with_retries(action)
    else:
        assert with_retries(action) == "read"


def test_a_bus_that_hangs_is_asked_once():
    """The kernel has waited for a second before it gives up: two more would only be two more seconds of silence."""
    asked = []

    def action():
        asked.append(1)
        raise OSError(110, "Connection timed out")

    with pytest.raises(TimeoutError):
        with_retries(action)
    assert len(asked) == 1
