"""Which GPIOs the Pi's own functions have taken, read from config.txt, held against a wiring.

A line that the kernel has given to 1-Wire or to a chip select does not open, with the words "GPIO busy" and no more. One
that is a bus's data or clock, or I2S's, does open, and the other function is dead from then on without a word. This says
who holds it and what it is wanted for.

Source: Raspberry Pi overlays README (spi, spi0-1cs to spi1-3cs, i2c_arm, i2s, w1-gpio, uart) and config.txt's filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hal.bus_pins import i2c_pins, spi_pins
from hal.wiring import Claim, Wiring

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")


def _lines(config: str, everywhere: bool) -> Iterator[tuple[str, list[str]]]:
    """The settings as (name, words), without comments; those under a filter such as ``[pi4]`` if ``everywhere``."""
    for_all = True
    for line in config.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            for_all = line == "[all]"
        elif line and (for_all or everywhere):
            name, _, value = line.partition("=")
            yield name, [word.strip() for word in value.split(",")]


def claimed(config: str, *, everywhere: bool = True) -> dict[int, str]:
    """GPIO -> its owner, as a ``config.txt`` has it; ``everywhere`` counts what it says for single models too."""
    owners: dict[int, str] = {}
    spi, selects, reads = False, 2, True
    for name, words in _lines(config, everywhere):
        if name == "dtparam":
            for word in words:
                if word in ("spi", "spi=on", "spi=off"):
                    spi = word != "spi=off"
                elif re.fullmatch(r"i2c(_arm)?(=on)?", word):
                    owners |= i2c_pins(1)
                elif re.fullmatch(r"i2s(=on)?", word):
                    owners |= dict.fromkeys(range(18, 22), "i2s")
        elif name == "dtoverlay":
            if bus := re.fullmatch(r"spi([01])-([123])cs", words[0]):
                if bus[1] == "0":
                    spi, selects, reads = True, int(bus[2]), "no_miso" not in words
                else:
                    owners |= spi_pins(f"/dev/spidev1.{int(bus[2]) - 1}", reads=True)
            elif words[0] == "w1-gpio":
                pins = [word.partition("=")[2] for word in words if word.startswith("gpiopin=")]
                owners[int(pins[0]) if pins and pins[0].isdecimal() else 4] = "w1-gpio"
        elif name == "enable_uart" and words == ["1"]:
            owners |= {14: "uart0 TXD", 15: "uart0 RXD"}
    if spi:
        owners |= spi_pins(f"/dev/spidev0.{selects - 1}", reads=reads)
    return owners


def conflicts(wiring: Wiring, config: str, *, everywhere: bool = True) -> dict[Claim, str]:
    """What a wiring wants and another function holds, each with a sentence that names both and the GPIO."""
    owners = claimed(config, everywhere=everywhere)
    return {
        claim: f"GPIO{claim.gpio} belongs to {owners[claim.gpio]}, and [{claim.section}] {claim.key} wants it for"
        f" {claim.use}: see hardware_docs/assembly.md, busy lines"
        for claim in wiring.claims()
        if owners.get(claim.gpio, claim.use) != claim.use
    }
