"""I2C through smbus2, opened only by a driver that needs it, with the two retries a flaky bus deserves.

A failed read is never an answer: after the retries the error goes on to the caller, who reports the bus as lost. A bus
that is held low is not retried: the kernel waits for a second before it says so, and everything else waits with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeVar

RETRIES = 2

T = TypeVar("T")


class I2cBus(Protocol):
    """The part of smbus2's SMBus that drivers here use."""

    def read_byte_data(self, address: int, register: int) -> int:
        """One register."""
        ...

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Set one register."""
        ...

    def write_byte(self, address: int, value: int) -> None:
        """Send one bare byte."""
        ...

    def write_i2c_block_data(self, address: int, register: int, values: Sequence[int]) -> None:
        """Set several registers from one on."""
        ...

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Several registers from one on."""
        ...

    def close(self) -> None:
        """Release the bus."""
        ...


def open_i2c(number: int) -> I2cBus:
    """Bus ``/dev/i2c-number``; an ``OSError`` that names what to install or enable."""
    try:
        smbus2 = import_module("smbus2")
    except ImportError as error:
        raise OSError('this board needs the package smbus2: pip install "touchmove[i2c]"') from error
    try:
        bus: Any = smbus2.SMBus(number)
    except OSError as error:
        raise OSError(
            error.errno, f"/dev/i2c-{number} does not open: enable I2C with dtparam=i2c_arm=on, join group i2c"
        ) from error
    return bus  # type: ignore[no-any-return]


def with_retries(action: Callable[[], T]) -> T:
    """Do an action on the bus, again up to `RETRIES` times if it fails at once; the last error is raised."""
    for _ in range(RETRIES):
        try:
            return action()
        except TimeoutError:
            raise
        except OSError:
            continue
    return action()
