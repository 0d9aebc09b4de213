"""Which GPIOs the Pi's own functions have taken, read from config.txt, held against a wiring.

A line that the kernel has given to 1-Wire or to a chip select does not open, with the words "GPIO busy" and no more. One
that is a bus's data or clock, or I2S's, does open, and the other function is dead from then on without a word. This says
who holds it and what it is wanted for.

A later line goes over an earlier one. A ``dtparam`` behind a ``dtoverlay`` that has a parameter of that name is that
overlay's, as if it stood on its line; all others are the base's. Which overlay takes what stands in `hal.overlay_lines`.

Source: Raspberry Pi overlays README; config.txt's filters in the Raspberry Pi documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hal.bus_pins import i2c_pins, spi_pins
from hal.overlay_lines import CHOICES, MOVABLE, SOME_MODELS, SPI, WITHOUT, is_sound
from hal.wiring import Claim, Wiring

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")

_I2S = dict.fromkeys(range(18, 22), "i2s")

_SELECTS = ("cs0_pin", "cs1_pin", "cs2_pin")

_MOVED = {"i2s": ("i2s-gpio28-31",), "spi": ("spi-gpio35-39", "spi-gpio40-45")}
"""The overlays that take a function of the base off the header."""

_ALIASES = {"spi0-cs": "spi0-2cs", "spi0-1cs-inverted": "spi0-1cs"}


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
            overlay = _ALIASES.get(words[0], words[0])
            latest, known = {}, _parameters(overlay)
            overlays.append((overlay, latest))
            for word in words[1:]:
                key, _, value = word.partition("=")
                latest[key] = value
            if overlay.startswith("spi0-"):
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
    moved = {function for function, by in _MOVED.items() if any(name in by for name, _ in overlays)}
    owners: dict[int, str] = {}
    if _is_on(base, "i2c_arm"):
        owners |= i2c_pins(1)
    if "i2s" not in moved and (_is_on(base, "i2s") or any(is_sound(name) for name, _ in overlays)):
        owners |= _I2S
    if _is_on(base, "uart0"):
        owners |= {14: "uart0 TXD", 15: "uart0 RXD"}
    spi0: tuple[str, dict[str, str]] = ("spi0-2cs", {})
    for name, given in overlays:
        if name.startswith("spi0-"):
            spi0 = name, given
        elif everywhere or not SOME_MODELS.fullmatch(name):
            owners |= _of_overlay(name, given)
            if SOME_MODELS.fullmatch(name):
                owners |= _of_overlay(f"{name}-pi5", given)
    if "spi" not in moved and _is_on(base, "spi"):
        owners |= _of_spi(*spi0)
    return owners


def _parameters(overlay: str) -> tuple[str, ...]:
    """The names that a ``dtparam`` behind this overlay may set in it, as far as they matter here."""
    if re.fullmatch(r"spi\d-\dcs(-pi5)?", overlay):
        return (*_SELECTS, "no_miso")
    names = (*MOVABLE.get(_plain(overlay), ()), *CHOICES.get(overlay, ()), *CHOICES.get(f"{overlay}-pi5", ()))
    return (*names, WITHOUT.get(overlay, ""))


def _plain(overlay: str) -> str:
    """Some overlays have another name on a Pi 5 and the same parameters."""
    return overlay.removesuffix("-pi5")


def _is_on(base: dict[str, str], name: str) -> bool:
    return name in base and base[name] in ("", "on", "true", "yes", "y", "1")


def _of_overlay(name: str, given: dict[str, str]) -> dict[int, str]:
    """The lines of one overlay, other than SPI0's and those of a sound card on I2S."""
    if re.fullmatch(r"spi1-[123]cs", name):
        return _of_spi(name, given)
    if name == "i2c1":
        return {} if "pins_44_45" in given else i2c_pins(1)
    further = re.fullmatch(r"(spi[2-6])-([123])cs(-pi5)?", name)
    if further is not None:
        bus, count, is_pi5 = further.groups()
        data, selects = SPI.get(f"{bus}{is_pi5 or ''}", ((), ()))
        wanted = [_number(given.get(key), line) for key, line in zip(_SELECTS, selects[: int(count)], strict=False)]
        return dict.fromkeys((*data, *wanted), name)
    lines: list[int] = []
    if WITHOUT.get(name) not in given:
        lines += [_number(given.get(key), line) for key, line in MOVABLE.get(_plain(name), {}).items()]
    choices = CHOICES.get(name, {})
    lines += next((choice for key, choice in choices.items() if key in given), choices.get("", ()))
    return dict.fromkeys(lines, name)


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
