"""Which GPIOs the Pi's own functions have taken, read from config.txt, held against a wiring.

A line that the kernel has given to SPI or 1-Wire does not open, with the words "GPIO busy" and no more. This says who
holds it and what to change.

Source: Raspberry Pi overlays README (spi, spi0-1cs, spi0-2cs, i2c_arm, i2s, w1-gpio, uart); SPI0 on GPIO 7 to 11.
"""

from __future__ import annotations

import re

from hal.wiring import Wiring

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")


def claimed(config: str) -> dict[int, str]:
    """GPIO -> its owner, as a ``config.txt`` has it; lines of all its filter sections count."""
    owners: dict[int, str] = {}
    spi = one_select = no_miso = False
    for line in config.splitlines():
        line = line.split("#")[0].strip()
        name, _, value = line.partition("=")
        words = [word.strip() for word in value.split(",")]
        if name == "dtparam":
            spi = spi or "spi=on" in words or "spi" in words
            if any(re.fullmatch(r"i2c(_arm)?(=on)?", word) for word in words):
                owners |= {2: "i2c1 SDA", 3: "i2c1 SCL"}
            if any(re.fullmatch(r"i2s(=on)?", word) for word in words):
                owners |= {18: "i2s", 19: "i2s", 20: "i2s", 21: "i2s"}
        elif name == "dtoverlay":
            if words[0] in ("spi0-1cs", "spi0-2cs"):
                spi, one_select = True, words[0] == "spi0-1cs"
                no_miso = "no_miso" in words
            elif words[0] == "w1-gpio":
                pins = [word.partition("=")[2] for word in words if word.startswith("gpiopin=")]
                owners[int(pins[0]) if pins and pins[0].isdecimal() else 4] = "w1-gpio"
        elif line == "enable_uart=1":
            owners |= {14: "uart0 TXD", 15: "uart0 RXD"}
    if spi:
        owners |= {10: "spi0 MOSI", 11: "spi0 SCLK", 8: "spi0 CE0"}
        if not no_miso:
            owners[9] = "spi0 MISO"
        if not one_select:
            owners[7] = "spi0 CE1"
    return owners


def conflicts(wiring: Wiring, config: str) -> list[str]:
    """One line for each GPIO that a wiring wants and another function holds."""
    used, owners = wiring.gpios(), claimed(config)
    return [f"GPIO{gpio} belongs to {owners[gpio]}" for gpio in sorted(used) if gpio in owners]
