"""Reads 72 switches through nine 74HC165 in a chain on SPI: one transfer, no diodes, no ghosts.

The chips load their inputs while SH/LD is low and shift while it is high. Wired to the bus's chip select and used with
an active-high select, that happens by itself: idle loads, a transfer shifts what was loaded at its start, so all
switches are seen at the same moment. Each input is pulled up and its switch closes to ground. The chip nearest the Pi
comes first; inputs A to H of chip n are files a to h of rank n, the ninth chip is the panel.

Source: 74HC165 data sheet (input H leaves first); spidev's SPI_CS_HIGH.
"""

from __future__ import annotations

from hal.matrix import Scan
from hal.spi import Bus
from hal.squares import line_name
from hal.wiring import Wiring

CHIPS = 9
CS_HIGH = 0x04
"""SPI mode 0 with the chip select high during a transfer: mode 0 alone would shift while loading and read zeros."""


class ShiftRegisters:
    """A scanner."""

    def __init__(self, wiring: Wiring, bus: Bus) -> None:
        self._bus = bus
        self._table = []
        for rank in range(8):
            bits = [1 << wiring.turned(file, rank) for file in range(8)]
            self._table.append([sum(bit for n, bit in enumerate(bits) if value >> n & 1) for value in range(256)])
        self.groups = {line_name(table[255]): table[255] for table in self._table}
        self.panel_groups: dict[str, int] = {}
        self._last = b""
        self._scan = Scan(0, 0)

    def scan(self) -> Scan:
        """All switches at one moment."""
        back = self._bus.transfer(bytes(CHIPS))
        if back != self._last:
            if len(back) != CHIPS:
                raise OSError(f"the chain gave {len(back)} bytes and not {CHIPS}")
            squares = 0
            for table, value in zip(self._table, back, strict=False):
                squares |= table[value ^ 0xFF]
            self._last, self._scan = back, Scan(squares, back[8] ^ 0xFF)
        return self._scan

    def shorted(self) -> tuple[str, ...]:
        """Every switch has its own wire: nothing can pull a group."""
        return ()

    def close(self) -> None:
        """Release the bus."""
        self._bus.close()
