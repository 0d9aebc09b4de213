"""64 WS2812 lamps on an SPI output: three SPI bits a lamp bit at 2.4 MHz, no library and no root.

A lamp tells 0 from 1 by how long the line is high: 0.42 us (SPI bits 100) or 0.83 us (110) of 1.25 us. SPI clocks that
out without the processor and depends on no GPU clock. Zero bytes go first, because some Pis hold the line at a wrong
level before the first bit; 90 zero bytes, 300 us low, end the picture, since current parts need 280.

Source: WS2812B data sheet (bit times, GRB order, reset); 2.4 MHz SPI encoding as used by many drivers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from hal.lamps import Colour, dimmed
from hal.spi import SpiDevice

SPEED_HZ = 2_400_000
LEAD = bytes(2)
RESET = bytes(90)
"""300 us of low: fewer and current parts do not take the picture over."""


def _stretched(value: int) -> bytes:
    bits = 0
    for bit in range(7, -1, -1):
        bits = bits << 3 | (0b110 if value >> bit & 1 else 0b100)
    return bits.to_bytes(3, "big")


_TABLE = [_stretched(value) for value in range(256)]


def encode(colours: Sequence[Colour]) -> bytes:
    """The SPI bytes of a chain of lamps, the first in the chain first."""
    table = _TABLE
    return LEAD + b"".join([table[green] + table[red] + table[blue] for red, green, blue in colours]) + RESET


def chain(order: Literal["serpentine", "rows"], turned: Callable[[int, int], int]) -> list[int]:
    """The squares in the order of the chain: rank by rank as wired, every second one backwards if serpentine."""
    squares = []
    for rank in range(8):
        files = range(8) if order == "rows" or rank % 2 == 0 else range(7, -1, -1)
        squares += [turned(file, rank) for file in files]
    return squares


class Ws2812:
    """A frame writer."""

    def __init__(self, device: SpiDevice, squares: Sequence[int]) -> None:
        self._device, self._squares = device, squares

    def write(self, colours: Sequence[Colour], share: float) -> None:
        """Send one whole picture, dimmed colour by colour."""
        levels = [dimmed(level, share) for level in range(256)]
        pictured = [colours[square] for square in self._squares]
        self._device.write(encode([(levels[red], levels[green], levels[blue]) for red, green, blue in pictured]))

    def close(self) -> None:
        """Release the bus."""
        self._device.close()
