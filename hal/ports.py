"""Which port is the board on, now and after it was unplugged: names that stay, and lists of candidates.

``ttyUSB0`` may come back as ``ttyUSB1``; the by-id link and the USB serial number do not change. Bluetooth boards that
are already paired do not show up in a new scan, so the known list counts as well. Everything here takes its listing as
an argument, so that it can be told any story.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

BY_ID = Path("/dev/serial/by-id")

BOARD_NAMES = ("DGT_BT_", "PCS-REVII", "MILLENNIUM CHESS", "Chessnut", "DGT_PEGASUS", "tabutronic")
"""What boards call themselves over Bluetooth: how the name begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A serial port as the system lists it; the USB fields are None on other ports."""

    path: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    location: str | None = None


def listed_ports() -> tuple[Port, ...]:
    """The serial ports of this machine now."""
    from serial.tools import list_ports

    return tuple(
        Port(
            path=found.device,
            vendor=found.vid,
            product=found.pid,
            serial_number=found.serial_number,
            location=found.location,
        )
        for found in list_ports.comports()
    )


def stable_name(path: str, by_id: Path = BY_ID) -> str | None:
    """The by-id link that leads to ``path`` now, if there is one."""
    with contextlib.suppress(OSError):
        target = os.path.realpath(path)
        for link in sorted(by_id.iterdir()):
            if os.path.realpath(link) == target:
                return str(link)
    return None


def same_port(known: Port, listed: Iterable[Port]) -> str | None:
    """Where a USB port that was ``known`` is now: by serial number, else by socket; None if it is nowhere."""
    candidates = [port for port in listed if (port.vendor, port.product) == (known.vendor, known.product)]
    if known.vendor is None:
        return None
    for port in candidates:
        if known.serial_number and port.serial_number == known.serial_number:
            return port.path
    for port in candidates:
        if not known.serial_number and known.location and port.location == known.location:
            return port.path
    return None


_DEVICE_LINE = re.compile(r"^(?:\[\w+\] )?Device ((?:[0-9A-F]{2}:){5}[0-9A-F]{2}) (.+)$", re.MULTILINE)


def bluetooth_boards(scanned: str, known: str) -> dict[str, str]:
    """Boards in two lists of ``bluetoothctl``, a scan's and ``devices``, address to name.

    A board that is paired already stands in the second only.

    >>> bluetooth_boards("", "Device 00:06:66:AA:BB:CC DGT_BT_21265")
    {'00:06:66:AA:BB:CC': 'DGT_BT_21265'}
    """
    return {
        address: name
        for listing in (scanned, known)
        for address, name in _DEVICE_LINE.findall(listing)
        if name.startswith(BOARD_NAMES)
    }


def paired_devices() -> str:
    """What ``bluetoothctl devices`` says; empty where there is no Bluetooth."""
    program = shutil.which("bluetoothctl")
    if program is None:
        return ""
    try:
        return subprocess.run([program, "devices"], capture_output=True, text=True, timeout=3, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def candidates(
    listed: Callable[[], Iterable[Port]] = listed_ports, paired: Callable[[], str] = paired_devices
) -> tuple[str, ...]:
    """What could be meant when a port is not there: the ports of this machine, and boards paired over Bluetooth."""
    boards = bluetooth_boards("", paired())
    return (
        *sorted(port.path for port in listed()),
        *(f"{name} over Bluetooth (sudo rfcomm bind 0 {address})" for address, name in boards.items()),
    )


class PortFinder:
    """Where one port is now: its by-id link if it has one, else the same USB device under any name, else its path."""

    def __init__(
        self,
        path: str,
        *,
        listed: Callable[[], Iterable[Port]] = listed_ports,
        by_id: Path = BY_ID,
        exists: Callable[[str], bool] = os.path.exists,
    ) -> None:
        self._path = path
        self._listed = listed
        self._by_id = by_id
        self._exists = exists
        self._stable: str | None = None
        self._known: Port | None = None

    def opened(self, path: str) -> None:
        """The board answered here: remember what makes this port this port."""
        self._stable = stable_name(path, self._by_id)
        self._known = next((port for port in self._listed() if port.path == os.path.realpath(path)), None)

    def where(self) -> str:
        """The path to open now; the first one again when it is nowhere, so that the error names it."""
        if self._stable is not None and self._exists(self._stable):
            return self._stable
        if self._known is not None and (found := same_port(self._known, self._listed())) is not None:
            return found
        return self._path
