"""Which GPIOs a bus of the Pi lies on, by the device file or the number that a wiring names.

SPI0, SPI1, I2C0 and I2C1 lie on the same pins on every Pi with a 40-pin header. The further buses of a Pi 4 and of a Pi 5
lie on different ones, and a device file with a name of its own may be any: of these nothing is known here.

Source: Raspberry Pi overlays README (spi0-2cs, spi1-3cs: an overlay with more selects takes all pins before its last).
"""

from __future__ import annotations

import re

_SPI = {
    0: {"MOSI": 10, "MISO": 9, "SCLK": 11, "CE0": 8, "CE1": 7},
    1: {"MOSI": 20, "MISO": 19, "SCLK": 21, "CE0": 18, "CE1": 17, "CE2": 16},
}
_I2C = {0: (0, 1), 1: (2, 3)}


def spi_bus(device: str) -> int | None:
    """The number of the bus of ``/dev/spidevB.C``; None for any other name."""
    found = re.fullmatch(r"/dev/spidev(\d+)\.\d+", device)
    return int(found[1]) if found else None


def spi_pins(device: str, *, reads: bool) -> dict[int, str]:
    """GPIO -> signal of ``/dev/spidevB.C`` and the selects before its own; MISO only if something is read back."""
    bus = spi_bus(device)
    if bus not in _SPI:
        return {}
    selects = [f"CE{n}" for n in range(int(device.rpartition(".")[2]) + 1)]
    wanted = ["MOSI", *(["MISO"] if reads else []), "SCLK", *selects]
    return {gpio: f"spi{bus} {name}" for name, gpio in _SPI[bus].items() if name in wanted}


def i2c_pins(bus: int) -> dict[int, str]:
    """GPIO -> signal of ``/dev/i2c-BUS``."""
    return {gpio: f"i2c{bus} {name}" for gpio, name in zip(_I2C.get(bus, ()), ("SDA", "SCL"), strict=False)}
