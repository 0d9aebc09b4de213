"""SPI through the kernel's spidev device with two ioctls and no package: every Pi has it, and so the base install does.

Source: linux/spi/spidev.h (SPI_IOC_WR_MODE, SPI_IOC_WR_MAX_SPEED_HZ, SPI_IOC_MESSAGE).
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import struct
from typing import Protocol

_MODE = 0x40016B01
_SPEED = 0x40046B04
_MESSAGE_1 = 0x40206B00


class Bus(Protocol):
    """A full-duplex bus with one chip selected for each transfer."""

    def transfer(self, sent: bytes) -> bytes:
        """Send bytes and return those that came back meanwhile; an ``OSError`` kin if the bus fails."""
        ...

    def close(self) -> None:
        """Release the bus."""
        ...


class SpiDevice:
    """One ``/dev/spidevB.C``."""

    def __init__(self, path: str, speed_hz: int, mode: int = 0) -> None:
        try:
            self._file: int | None = os.open(path, os.O_RDWR)
        except OSError as error:
            raise OSError(
                error.errno, f"{path} does not open ({error.strerror}): {_cure(path, error.errno)}"
            ) from error
        self._speed_hz = speed_hz
        from fcntl import ioctl

        self._ioctl = ioctl
        try:
            ioctl(self._file, _MODE, struct.pack("=B", mode))
            ioctl(self._file, _SPEED, struct.pack("=I", speed_hz))
        except OSError as error:
            self.close()
            raise OSError(
                error.errno, f"{path} does not take SPI mode {mode} at {speed_hz} Hz ({error.strerror})"
            ) from error

    def write(self, sent: bytes) -> None:
        """Send bytes in one transfer, at most 4096."""
        assert self._file is not None
        os.write(self._file, sent)

    def transfer(self, sent: bytes) -> bytes:
        """Send bytes and return those that came back meanwhile."""
        assert self._file is not None
        out = ctypes.create_string_buffer(sent, len(sent))
        back = ctypes.create_string_buffer(len(sent))
        # struct spi_ioc_transfer: tx_buf, rx_buf, len, speed_hz, delay_usecs, bits_per_word, cs_change, 4 of padding
        message = struct.pack(
            "=QQIIHBBI", ctypes.addressof(out), ctypes.addressof(back), len(sent), self._speed_hz, 0, 8, 0, 0
        )
        self._ioctl(self._file, _MESSAGE_1, message)
        return back.raw

    def close(self) -> None:
        """Give the device back; may be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _cure(path: str, number: int | None) -> str:
    """What to do about a device that does not open: its bus is off, or has too few selects, or is not for us."""
    if number in (errno.EACCES, errno.EPERM):
        return "join group spi: sudo usermod -aG spi $USER, and log in anew"
    found = re.fullmatch(r"(.*/spidev(\d+)\.)(\d+)", path)
    if number != errno.ENOENT or found is None:
        return "enable SPI with dtparam=spi=on, join group spi"
    first, bus, select = found.groups()
    if select != "0" and os.path.exists(f"{first}0"):
        return (
            f"SPI is on, but without that select: dtoverlay=spi{bus}-{int(select) + 1}cs in config.txt, in the place of"
            f" any other spi{bus} overlay"
        )
    if bus == "0":
        return "enable SPI with dtparam=spi=on in config.txt"
    return f"enable it with dtoverlay=spi{bus}-{int(select) + 1}cs in config.txt"
