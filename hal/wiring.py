"""What is wired to what, as data: read from TOML over the defaults, checked, pins and orientation settled here.

Above this file a square is a number and a contact is closed or open; which GPIO and how turned is known nowhere else.
`read_wiring` refuses what it does not know or what cannot be, with file, section and key. Every key with its unit stands
in ``default_wiring.toml``.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_type_hints

from hal.bus_pins import i2c_pins, spi_bus, spi_pins
from hal.debounce import Debounce
from hal.inputs import address_problem, contacts_of
from hal.wiring_values import WiringError, is_number, section_of

HEADER_GPIO = range(2, 28)
"""The GPIO numbers on the 40-pin header that a board may use; 0 and 1 belong to the HAT's EEPROM."""


BUTTONS = (
    "ok",
    "back",
    "start",
    *(f"{act}_{side}" for act in ("adjust", "draw", "claim", "pause", "resign") for side in ("white", "black")),
    *(f"promote_{piece}" for piece in "qrbn"),
)
"""Every name that a button of the panel may have."""

PULLED_UP_GPIO = (2, 3)
"""The Pi has 1.8 k to 3.3 V on these, for I2C. As a sense line such a one is pulled low through 220 ohm and a diode, to
0.6 V + 220 / 2020 of 2.7 V = 0.9 V: up to 0.8 V is read as low."""

HT16K33_ADDRESS = 0x70
OLED_ADDRESS = 0x3C
USUAL_ADDRESS = {"ssd1306": OLED_ADDRESS, "hd44780": 0x27}
"""The I2C address at which such a display is sold, for one of 0; a backpack with a PCF8574A has 0x3F."""


SCANS = 2
"""How many scans a debounce time must hold: with one, a single spike would move a piece or stop a clock."""


class Claim(NamedTuple):
    """A GPIO that a key of the wiring wants, and what for: ``drive file a``, ``spi0 MOSI``."""

    gpio: int
    section: str
    key: str
    use: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannerWiring:
    """How the squares are read and how often."""

    kind: Literal["matrix", "shift_register", "mcp23s17", "mcp23017"]
    backend: Literal["pins", "lines"]
    period_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixWiring:
    """The 8x8 diode matrix and the one or two drive lines of the panel."""

    drive: tuple[int, ...]
    sense: tuple[int, ...]
    panel: tuple[int, ...]
    drives: Literal["files", "ranks"]
    idle: Literal["open", "high"]
    settle_us: float
    chip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """How the wired board lies under the chessboard."""

    turn_deg: Literal[0, 90, 180, 270]
    mirror: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DebounceWiring:
    """Debounce times of the squares."""

    close_ms: float
    open_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelWiring:
    """The panel's contacts: 1..8 are the sense lines on its first line, 9..16 on its second; 0 is none."""

    lever_white: int
    lever_black: int
    lever_ms: float
    flight_ms: float
    button_ms: float
    buttons: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BusWiring:
    """Where the chips of a board without a matrix are."""

    spi: str
    i2c: int
    speed_khz: int
    addresses: tuple[int, ...]
    load: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LampWiring:
    """The lamps in the squares."""

    driver: Literal["ws2812", "ht16k33", "max7219", "none"]
    device: str
    order: Literal["serpentine", "rows"]
    brightness_percent: int
    limit_ma: int
    refresh_hz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayWiring:
    """A small display."""

    driver: Literal["none", "ssd1306", "hd44780"]
    i2c: int
    address: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuzzerWiring:
    """A passive piezo."""

    gpio: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """A whole board; the sections of the TOML file by their names."""

    scanner: ScannerWiring
    matrix: MatrixWiring
    orientation: Orientation
    debounce: DebounceWiring
    panel: PanelWiring
    bus: BusWiring
    lamps: LampWiring
    display: DisplayWiring
    buzzer: BuzzerWiring

    @property
    def times(self) -> Debounce:
        """The debounce times of the squares."""
        close_ms, open_ms = self.debounce.close_ms, self.debounce.open_ms
        return Debounce(close_ms=close_ms, open_ms=open_ms, stall_ms=self.stall_ms(close_ms, open_ms))

    def stall_ms(self, *debounce_ms: float) -> float:
        """What a scan that comes late proves: three periods at most, and no contact with these times by itself."""
        return min(3 * self.scanner.period_ms, 0.75 * min(debounce_ms))

    @property
    def period_ns(self) -> int:
        """From one scan to the next."""
        return round(self.scanner.period_ms * 1e6)

    @property
    def latency_ns(self) -> int:
        """From the first scan that sees a change to the end of the one that settles it, with the longest debounce in use."""
        scans = math.ceil(max(time_ms for _, _, time_ms in self.debounces) / self.scanner.period_ms)
        return (scans + 1) * self.period_ns

    @property
    def debounces(self) -> list[tuple[str, str, float]]:
        """The debounce times that are used, as section, key, ms."""
        panel = self.panel
        used = [("debounce", "close_ms", self.debounce.close_ms), ("debounce", "open_ms", self.debounce.open_ms)]
        used += [("panel", "lever_ms", panel.lever_ms)] if panel.lever_white else []
        return used + ([("panel", "button_ms", panel.button_ms)] if panel.buttons else [])

    def square(self, drive: int, sense: int) -> int:
        """The square (0..63) whose switch joins drive line ``drive`` and sense line ``sense``, both 0..7."""
        file, rank = (drive, sense) if self.matrix.drives == "files" else (sense, drive)
        return self.turned(file, rank)

    def turned(self, file: int, rank: int) -> int:
        """The square that lies where the wired board has ``file`` and ``rank``, both 0..7."""
        if self.orientation.mirror:
            file = 7 - file
        for _ in range(self.orientation.turn_deg // 90):
            file, rank = rank, 7 - file
        return rank * 8 + file

    def claims(self) -> list[Claim]:
        """Every GPIO that a part of this board wants, those of its buses first."""
        kind, lamps, display = self.scanner.kind, self.lamps, self.display
        found = []
        if kind in ("shift_register", "mcp23s17"):
            found += [Claim(gpio, "bus", "spi", use) for gpio, use in spi_pins(self.bus.spi, reads=True).items()]
        if kind == "mcp23017" or lamps.driver == "ht16k33":
            found += [Claim(gpio, "bus", "i2c", use) for gpio, use in i2c_pins(self.bus.i2c).items()]
        if lamps.driver in ("ws2812", "max7219"):
            found += [Claim(gpio, "lamps", "device", use) for gpio, use in spi_pins(lamps.device, reads=False).items()]
        if display.driver != "none":
            found += [Claim(gpio, "display", "i2c", use) for gpio, use in i2c_pins(display.i2c).items()]
        if kind == "matrix":
            names, kinds = ("abcdefgh", "12345678"), ("file", "rank")
            if self.matrix.drives == "ranks":
                names, kinds = names[::-1], kinds[::-1]
            for gpio, name in zip(self.matrix.drive, names[0], strict=True):
                found.append(Claim(gpio, "matrix", "drive", f"drive {kinds[0]} {name}"))
            for gpio, name in zip(self.matrix.sense, names[1], strict=True):
                found.append(Claim(gpio, "matrix", "sense", f"sense {kinds[1]} {name}"))
            found += [Claim(gpio, "matrix", "panel", "drive panel") for gpio in self.matrix.panel]
        if kind == "shift_register":
            found.append(Claim(self.bus.load, "bus", "load", "load chain"))
        if self.buzzer.gpio:
            found.append(Claim(self.buzzer.gpio, "buzzer", "gpio", "buzzer"))
        return found

    def gpios(self) -> dict[int, str]:
        """Every GPIO this board uses, with what for; those of its buses included."""
        return {claim.gpio: claim.use for claim in self.claims()}


def default_text() -> str:
    """The default wiring as the TOML text that people may copy."""
    return files("hal").joinpath("default_wiring.toml").read_text(encoding="utf-8")


def default_wiring() -> Wiring:
    """The board of hardware_docs."""
    return parse_wiring("", "the default wiring")


def read_wiring(path: Path | str) -> Wiring:
    """The wiring in a TOML file, over the defaults; `WiringError` (a ``ValueError``) or an ``OSError`` kin."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise WiringError(str(path), "file", "", "is not UTF-8 text") from None
    return parse_wiring(text, str(path))


def parse_wiring(text: str, file: str) -> Wiring:
    """The same from text; ``file`` is named in errors."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WiringError(file, "file", "", f"is no TOML: {error}") from None
    defaults = tomllib.loads(default_text())
    kinds = get_type_hints(Wiring)
    for name, table in given.items():
        if name not in kinds:
            raise WiringError(file, name, "", f"is no section; there are {', '.join(kinds)}")
        if not isinstance(table, dict):
            raise WiringError(file, name, "", "must be a section with keys")
    if given.get("matrix", {}).get("panel") == []:  # no line, so nothing hangs on it unless the file says so
        defaults["panel"] |= {"lever_white": 0, "lever_black": 0, "buttons": {}}
    display = given.get("display", {})
    if display.get("address", 0) == 0 and not isinstance(display.get("address"), bool):
        given["display"] = {**display, "address": USUAL_ADDRESS.get(str(display.get("driver")), OLED_ADDRESS)}
    buttons = given.get("panel", {}).get("buttons", {})
    if isinstance(buttons, dict):
        given.setdefault("panel", {})["buttons"] = _buttons({**defaults["panel"]["buttons"], **buttons}, file)
    sections = {name: section_of(kind, defaults[name], given.get(name, {}), file, name) for name, kind in kinds.items()}
    wiring = Wiring(**sections)
    if "lever_ms" not in given.get("panel", {}):
        lever_ms = max(wiring.panel.lever_ms, SCANS * wiring.scanner.period_ms)
        wiring = replace(wiring, panel=replace(wiring.panel, lever_ms=lever_ms))
    for check in (_check_lines, _check_addresses, _check_pins, _check_buses, _check_panel, _check_times):
        check(wiring, file)
    return wiring


def _buttons(merged: dict[str, Any], file: str) -> dict[str, int]:
    """The buttons that there are, of the file's over the defaults; contact 0 takes one away."""
    for name, contact in merged.items():
        if name not in BUTTONS:
            raise WiringError(file, "panel.buttons", name, f"is no button; there are {', '.join(BUTTONS)}")
        if not is_number(contact, whole=True) or not 0 <= contact <= 16:
            raise WiringError(file, "panel.buttons", name, f"{contact!r} must be a contact, 1 to 16, or 0 for none")
    return {name: int(contact) for name, contact in merged.items() if contact}


def _check_lines(wiring: Wiring, file: str) -> None:
    for key, lines in (("drive", wiring.matrix.drive), ("sense", wiring.matrix.sense)):
        if len(lines) != 8:
            raise WiringError(file, "matrix", key, f"names {len(lines)} lines and must name 8")
    if len(wiring.matrix.panel) > 2:
        raise WiringError(file, "matrix", "panel", f"names {len(wiring.matrix.panel)} lines and may name 2 at most")


def _check_addresses(wiring: Wiring, file: str) -> None:
    problem = address_problem(wiring.scanner.kind, wiring.bus.addresses)
    if problem is not None:
        raise WiringError(file, "bus", "addresses", problem)


def _check_pins(wiring: Wiring, file: str) -> None:
    """No GPIO for two things, or for what it cannot be; parts on the same bus share its pins."""
    seen: dict[int, Claim] = {}
    for claim in wiring.claims():
        is_bus = claim.use.startswith(("spi", "i2c"))
        if not is_bus and claim.gpio not in HEADER_GPIO:
            raise WiringError(file, claim.section, claim.key, f"GPIO{claim.gpio} is not on the header: 2 to 27 are")
        if claim.key == "sense" and claim.gpio in PULLED_UP_GPIO:
            what = (
                f"GPIO{claim.gpio} can be no sense line: the Pi's own 1.8 k to 3.3 V hold it at 0.9 V where a contact is"
                " closed, and that is not read as low; it may be a drive line"
            )
            raise WiringError(file, claim.section, claim.key, what)
        first = seen.setdefault(claim.gpio, claim)
        if first is not claim and not (is_bus and first.use == claim.use):
            by = f"by [{first.section}] {first.key} for {first.use}"
            what = f"GPIO{claim.gpio} is used twice: here for {claim.use} and {by}"
            raise WiringError(file, claim.section, claim.key, what)


def _check_buses(wiring: Wiring, file: str) -> None:
    """What cannot share a bus: WS2812 take all that is sent there for a picture, and an address answers once."""
    kind, bus, lamps, display = wiring.scanner.kind, wiring.bus, wiring.lamps, wiring.display
    if kind in ("shift_register", "mcp23s17") and lamps.driver in ("ws2812", "max7219"):
        if lamps.device == bus.spi:
            raise WiringError(file, "lamps", "device", f"{bus.spi} is the scanner's: each needs a select of its own")
        shared = spi_bus(bus.spi) is not None and spi_bus(bus.spi) == spi_bus(lamps.device)
        if shared and (kind, lamps.driver) == ("mcp23s17", "ws2812"):
            what = (
                f"{lamps.device} and [bus] spi {bus.spi} are one bus, and WS2812 would show what is sent to the MCP23S17:"
                " put the lamps on SPI1 (dtoverlay=spi1-1cs, /dev/spidev1.0), or use other lamps"
            )
            raise WiringError(file, "lamps", "device", what)
    taken: dict[tuple[int, int], str] = {}
    addresses = [(bus.i2c, one, "bus", "addresses") for one in bus.addresses if kind == "mcp23017"]
    if lamps.driver == "ht16k33":
        addresses.append((bus.i2c, HT16K33_ADDRESS, "lamps", "driver"))
    if display.driver != "none":
        addresses.append((display.i2c, display.address, "display", "address"))
    for number, address, section, key in addresses:
        if (number, address) in taken:
            what = f"address {address:#x} is used twice: by {taken[number, address]} too"
            raise WiringError(file, section, key, what)
        taken[number, address] = f"[{section}] {key}"


def _check_panel(wiring: Wiring, file: str) -> None:
    """Contacts that can be read, each for one thing."""
    panel, bus = wiring.panel, wiring.bus
    contacts = contacts_of(wiring.scanner.kind, len(wiring.matrix.panel), len(bus.addresses))
    levers = [("panel", "lever_white", panel.lever_white), ("panel", "lever_black", panel.lever_black)]
    taken: dict[int, str] = {}
    for section, name, contact in [*levers, *(("panel.buttons", *button) for button in panel.buttons.items())]:
        if contact > contacts:
            none = "there is no panel line" if wiring.scanner.kind == "matrix" else "its chips read the squares alone"
            known = f"1 to {contacts} are, 0 is none" if contacts else none
            raise WiringError(file, section, name, f"{contact} is no contact: {known}")
        if contact and contact in taken:
            raise WiringError(file, section, name, f"contact {contact} is used twice: for {taken[contact]} too")
        taken[contact] = name
    if bool(panel.lever_white) != bool(panel.lever_black):
        raise WiringError(file, "panel", "lever_black", "a lever has two contacts: name both or neither")


def _check_times(wiring: Wiring, file: str) -> None:
    """A scan within the period, and at least `SCANS` of them within each debounce time that is used."""
    kind, matrix, bus = wiring.scanner.kind, wiring.matrix, wiring.bus
    period_ms = wiring.scanner.period_ms
    for section, key, time_ms in wiring.debounces:
        if time_ms < SCANS * period_ms:
            what = (
                f"{time_ms:g} ms hold no {SCANS} scans of [scanner] period_ms = {period_ms:g}, so that one wrong scan"
            )
            raise WiringError(file, section, key, f"{what} would count: at least {SCANS * period_ms:g}, or scan faster")
    lines = 8 + len(matrix.panel)
    if kind == "matrix" and lines * matrix.settle_us >= period_ms * 1000:
        what = f"{lines} lines of {matrix.settle_us:g} us do not fit in [scanner] period_ms = {period_ms:g}"
        raise WiringError(file, "matrix", "settle_us", what)
    bits = {"shift_register": 88, "mcp23s17": 80 * len(bus.addresses)}.get(kind, 0)
    if bits >= period_ms * bus.speed_khz:
        what = f"{bits} bits a scan at {bus.speed_khz} kHz do not fit in [scanner] period_ms = {period_ms:g}"
        raise WiringError(file, "bus", "speed_khz", what)
