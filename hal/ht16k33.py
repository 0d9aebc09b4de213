"""64 one-colour lamps on an HT16K33: eight rows of eight over I2C, sixteen steps of brightness.

The chip keeps the picture itself and needs a write only when it changes. Its oscillator must be on before the display
and memory is random after power-up, so each picture goes: oscillator, rows, brightness, display on. A chip that lost its
supply for a moment acknowledges rows but stays dark; the three bytes more wake it. An address is one of its COM pins, here a
rank; a bit is one of its ROW pins, here a file. The chip's own blinking is not used: lamps blink each at their own rate.

Source: Holtek HT16K33 data sheet: commands 0x20 (system set-up), 0x80 (display set-up), 0xE0 (dimming), RAM at 0x00:
COMn at address 2n, ROW0 to ROW7 its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hal.i2c import I2cBus, with_retries
from hal.lamps import DARK, Colour, sixteenths
from hal.wiring import HT16K33_ADDRESS

OSCILLATOR_ON = 0x21
DISPLAY_ON = 0x81
DIMMING = 0xE0


class Ht16k33:
    """A frame writer; a lamp is lit if any of its three colours is."""

    def __init__(self, bus: I2cBus, turned: Callable[[int, int], int], address: int = HT16K33_ADDRESS) -> None:
        self._bus, self._address = bus, address
        self._rows = [[turned(file, rank) for file in range(8)] for rank in range(8)]
        self.write([DARK] * 64, 1.0)

    def write(self, colours: Sequence[Colour], share: float) -> None:
        """Wake the chip, send one whole picture; the chip dims all its lamps alike."""
        self._send(OSCILLATOR_ON)
        rows = [sum(1 << bit for bit, square in enumerate(row) if any(colours[square])) for row in self._rows]
        values = [byte for row in rows for byte in (row, 0)]
        with_retries(lambda: self._bus.write_i2c_block_data(self._address, 0x00, values))
        self._send(DIMMING | sixteenths(share))
        self._send(DISPLAY_ON)

    def close(self) -> None:
        """Release the bus."""
        self._bus.close()

    def _send(self, command: int) -> None:
        with_retries(lambda: self._bus.write_byte(self._address, command))
