"""64 one-colour lamps on a MAX7219: eight digits of eight segments over SPI.

The chip starts blank and in shutdown, with decoding and the scan limit undefined: all registers are set before it is
woken, and again with every picture, for it may have lost its supply and has no way to say so. Its inputs want 3.5 V, so
a level shifter stands before it. The extra ``max7219`` (luma.led_matrix) is not needed for one chip: two bytes a register
are all there is.

Source: Maxim MAX7219 data sheet: 16-bit words, address in the high byte; registers 0x09 decode, 0x0A intensity, 0x0B
scan limit, 0x0C shutdown, 0x0F display test, digits 0x01 to 0x08; undecoded D7 is segment DP, D6 to D0 are A to G, so that
file a (bit 0) is segment G and file h (bit 7) DP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hal.lamps import DARK, Colour, sixteenths
from hal.spi import Bus

DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


class Max7219:
    """A frame writer; a lamp is lit if any of its three colours is."""

    def __init__(self, bus: Bus, turned: Callable[[int, int], int]) -> None:
        self._bus = bus
        self._digits = [[turned(file, rank) for file in range(8)] for rank in range(8)]
        self.write([DARK] * 64, 1.0)

    def write(self, colours: Sequence[Colour], share: float) -> None:
        """Send all settings and one whole picture, wake the chip, which dims all its lamps alike."""
        for register, value in ((TEST, 0), (DECODE, 0), (SCAN_LIMIT, 7), (INTENSITY, sixteenths(share))):
            self._set(register, value)
        for digit, row in enumerate(self._digits):
            self._set(1 + digit, sum(1 << bit for bit, square in enumerate(row) if any(colours[square])))
        self._set(SHUTDOWN, 1)

    def close(self) -> None:
        """Shut the chip down, release the bus."""
        try:
            self._set(SHUTDOWN, 0)
        finally:
            self._bus.close()

    def _set(self, register: int, value: int) -> None:
        self._bus.transfer(bytes((register, value)))
