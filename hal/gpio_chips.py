"""The GPIO chips of this machine, and which of them has the 40-pin header.

Its number hangs on model and kernel: 0 on most, 4 on a Pi 5 before kernel 6.6.45, others on some since. Lines with the
same numbers on another chip are power switches and LEDs of the Pi itself, so it is chosen by its label and never by number.

Source: linux/gpio.h (GPIO_GET_CHIPINFO_IOCTL, struct gpiochip_info); the labels are those of the kernel's drivers
pinctrl-bcm2835 and pinctrl-rp1.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the chip at the header, from the Pi 5 to the first."""

AUTO = "auto"
"""As ``[matrix] chip``: the one with such a label."""

DEV = Path("/dev")

_CHIP_INFO = 0x8044B401


def devices() -> list[str]:
    """The device files of all chips, by number; what is only a second name of another one is not among them."""
    found = [
        path for path in DEV.glob("gpiochip*") if re.fullmatch(r"gpiochip\d+", path.name) and not path.is_symlink()
    ]
    return [str(path) for path in sorted(found, key=lambda path: int(path.name[8:]))]


def label_of(device: str) -> str:
    """What the kernel calls a chip; an ``OSError`` kin if it is none or may not be opened."""
    from fcntl import ioctl

    file = os.open(device, os.O_RDONLY)
    try:
        return ioctl(file, _CHIP_INFO, bytes(68))[32:64].split(b"\0")[0].decode("ascii", "replace")
    finally:
        os.close(file)


def chips_here() -> str:
    """All chips with their labels, for a sentence about a chip that is not the right one."""
    found = []
    for device in devices():
        try:
            found.append(f"{device} {label_of(device)}")
        except OSError as error:
            found.append(f"{device} ({cure(error)})")
    return "chips here: " + (", ".join(found) or "none") + f"; a Pi's is one of {', '.join(LABELS)}"


def header_chip(wanted: str = AUTO) -> str:
    """The device file of the chip at the header; an ``OSError`` if there is none, or if the one that is wanted is not it."""
    if wanted != AUTO:
        try:
            label = label_of(wanted)
        except OSError as error:
            raise OSError(f'[matrix] chip = "{wanted}" does not open: {cure(error)}; {chips_here()}') from error
        if label not in LABELS:
            raise OSError(f'[matrix] chip = "{wanted}" is {label} and not the header: {chips_here()}')
        return wanted
    for device in devices():
        try:
            if label_of(device) in LABELS:
                return device
        except OSError:
            continue
    raise OSError(f"no GPIO chip of a Pi's header here: {chips_here()}; elsewhere play on sim:")


def cure(error: OSError) -> str:
    """An error of a chip or its lines, and what to do about it where that is known."""
    told = error.strerror or str(error) or type(error).__name__
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{told}: join group gpio: sudo usermod -aG gpio $USER, and log in anew"
    return told
