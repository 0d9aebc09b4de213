"""Which GPIOs the Pi's own functions have taken, read from config.txt, held against a wiring.

A line that the kernel has given to 1-Wire or to a chip select does not open, with the words "GPIO busy" and no more. One
that is a bus's data or clock, or I2S's, does open, and the other function is dead from then on without a word. This says
who holds it and what it is wanted for.

A later line goes over an earlier one. A ``dtparam`` behind a ``dtoverlay`` that has a parameter of that name is that
overlay's, as if it stood on its line; all others are the base's. Only overlays whose lines are known for sure are listed,
since what is found here keeps a board from opening.

Source: Raspberry Pi overlays README (the overlays below, their parameters and defaults) and config.txt's filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hal.bus_pins import i2c_pins, spi_pins
from hal.wiring import Claim, Wiring

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")

_I2S = dict.fromkeys(range(18, 22), "i2s")

_SOUND = re.compile(
    r"(hifiberry|iqaudio|justboom|allo|audioinjector|dionaudio|i-sabre|pifi|rpi-dac|rpi-codeczero|rpi-digiamp)-?.*"
    r"|rpi-proto|i2s-(master-)?dac|googlevoicehat-soundcard|wm8960-soundcard|max98357a|merus-amp|applepi-dac|fe-pi-audio"
)
"""Overlays of sound cards on I2S."""

_LINES: dict[str, dict[str, int]] = {
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "pwm-ir-tx": {"gpio_pin": 18},
    "gpio-shutdown": {"gpio_pin": 3},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-fan": {"gpiopin": 12},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 4},
    "pps-gpio": {"gpiopin": 18},
    "dht11": {"gpiopin": 4},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "ws2812-pio": {"gpio": 4},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "uart0": {"txd0_pin": 14, "rxd0_pin": 15},
    "uart1": {"txd1_pin": 14, "rxd1_pin": 15},
}
"""Overlays that take lines: the parameters that name those, with their defaults."""

_SELECTS = ("cs0_pin", "cs1_pin", "cs2_pin")


def _lines(config: str, everywhere: bool) -> Iterator[tuple[str, list[str]]]:
    """The settings as (name, words), without comments; those under a filter such as ``[pi4]`` if ``everywhere``."""
    wanted = True
    for line in config.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            wanted = line == "[all]" or (everywhere and line != "[none]")
        elif line and wanted:
            name, _, value = line.partition("=")
            yield name.strip(), [word.strip() for word in value.split(",")]


def claimed(config: str, *, everywhere: bool = True) -> dict[int, str]:
    """GPIO -> its owner, as a ``config.txt`` has it; ``everywhere`` counts what it says for single models too."""
    base: dict[str, str] = {}
    overlays: list[tuple[str, dict[str, str]]] = []
    latest: dict[str, str] | None = None  # the parameters of the overlay that a dtparam may mean
    known: tuple[str, ...] = ()
    for name, words in _lines(config, everywhere):
        if name == "dtoverlay":
            latest, known = {}, _parameters(words[0])
            overlays.append((words[0], latest))
            for word in words[1:]:
                key, _, value = word.partition("=")
                latest[key] = value
            if words[0].startswith("spi0-"):
                base["spi"] = "on"
        elif name == "dtparam":
            for word in words:
                key, _, value = word.partition("=")
                if latest is not None and key in known:
                    latest[key] = value
                else:
                    base[{"i2c": "i2c_arm", "i2c1": "i2c_arm", "uart0_console": "uart0"}.get(key, key)] = value
        elif name == "enable_uart":
            base["uart0"] = words[0]
    owners: dict[int, str] = {}
    if _is_on(base, "i2c_arm"):
        owners |= i2c_pins(1)
    if _is_on(base, "i2s"):
        owners |= _I2S
    if _is_on(base, "uart0"):
        owners |= {14: "uart0 TXD", 15: "uart0 RXD"}
    spi0: tuple[str, dict[str, str]] = ("spi0-2cs", {})
    for name, given in overlays:
        if name.startswith("spi0-"):
            spi0 = name, given
        else:
            owners |= _of_overlay(name, given)
    if _is_on(base, "spi"):
        owners |= _of_spi(*spi0)
    return owners


def _parameters(overlay: str) -> tuple[str, ...]:
    """The names that a ``dtparam`` behind this overlay may set in it, as far as they matter here."""
    return (*_SELECTS, "no_miso") if re.fullmatch(r"spi[01]-\dcs", overlay) else tuple(_LINES.get(overlay, ()))


def _is_on(base: dict[str, str], name: str) -> bool:
    return name in base and base[name] in ("", "on", "true", "yes", "y", "1")


def _of_overlay(name: str, given: dict[str, str]) -> dict[int, str]:
    """The lines of one overlay, other than SPI0's."""
    if re.fullmatch(r"spi1-[123]cs", name):
        return _of_spi(name, given)
    if _SOUND.fullmatch(name):
        return _I2S
    return {_number(given.get(key), line): name for key, line in _LINES.get(name, {}).items()}


def _of_spi(name: str, given: dict[str, str]) -> dict[int, str]:
    """The lines of a bus with as many selects as its overlay says, on other lines where that says so."""
    found = re.fullmatch(r"spi([01])-(\d)cs", name)
    if found is None:
        return {}
    bus, count = found.groups()
    reads = "no_miso" not in given
    if count == "0":  # data and clock alone
        every = spi_pins(f"/dev/spidev{bus}.0", reads=reads)
        return {line: use for line, use in every.items() if "CE" not in use}
    owners = {}
    for line, use in spi_pins(f"/dev/spidev{bus}.{int(count) - 1}", reads=reads).items():
        select = use.partition(" CE")[2]
        owners[_number(given.get(f"cs{select}_pin"), line) if select else line] = use
    return owners


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() else default


def conflicts(wiring: Wiring, config: str, *, everywhere: bool = True) -> dict[Claim, str]:
    """What a wiring wants and another function holds, each with a sentence that names both and the GPIO."""
    owners = claimed(config, everywhere=everywhere)
    return {
        claim: f"GPIO{claim.gpio} belongs to {owners[claim.gpio]}, and [{claim.section}] {claim.key} wants it for"
        f" {claim.use}: see hardware_docs/assembly.md, busy lines"
        for claim in wiring.claims()
        if owners.get(claim.gpio, claim.use) != claim.use
    }
