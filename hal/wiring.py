"""What is wired to what, as data: read from TOML over the defaults, checked, polarity and orientation settled here.

Above this file a square is a number and a contact is closed or open; which GPIO, which way round and how turned is
known nowhere else. `read_wiring` refuses what it does not know, with file, section and key, so that a misspelt key
never becomes a silent default. Every key with its unit stands in ``default_wiring.toml``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hal.debounce import LONGEST_MS, Debounce
from hal.inputs import address_problem, contacts_of

HEADER_GPIO = range(2, 28)
"""The GPIO numbers on the 40-pin header that a board may use; 0 and 1 belong to the HAT's EEPROM."""


class WiringError(ValueError):
    """A wiring file that makes no board: ``file``, ``section``, ``key`` and what is wrong."""

    def __init__(self, file: str, section: str, key: str, problem: str) -> None:
        self.file, self.section, self.key, self.problem = file, section, key, problem
        where = f"[{section}] {key}" if key else f"[{section}]"
        super().__init__(f"{file}: {where}: {problem}")


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
    """The contacts on the panel's lines: 1..8 are the sense lines on its first, 9..16 on its second; 0 is none."""

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
        """The debounce times; a scan that comes late proves no more than three periods."""
        return Debounce(
            close_ms=self.debounce.close_ms, open_ms=self.debounce.open_ms, stall_ms=3 * self.scanner.period_ms
        )

    @property
    def period_ns(self) -> int:
        """From one scan to the next."""
        return round(self.scanner.period_ms * 1e6)

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

    def gpios(self) -> dict[int, str]:
        """Every GPIO this board uses, with what for; those of buses included."""
        used: dict[int, str] = {}
        if self.scanner.kind == "matrix":
            names = ("abcdefgh", "12345678") if self.matrix.drives == "files" else ("12345678", "abcdefgh")
            kinds = ("file", "rank") if self.matrix.drives == "files" else ("rank", "file")
            used |= {gpio: f"drive {kinds[0]} {name}" for gpio, name in zip(self.matrix.drive, names[0], strict=True)}
            used |= {gpio: f"sense {kinds[1]} {name}" for gpio, name in zip(self.matrix.sense, names[1], strict=True)}
            used |= dict.fromkeys(self.matrix.panel, "drive panel")
        if self.buzzer.gpio:
            used[self.buzzer.gpio] = "buzzer"
        return used


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
    sections: dict[str, Any] = {}
    kinds = get_type_hints(Wiring)
    for name in given:
        if name not in kinds:
            raise WiringError(file, name, "", f"is no section; there are {', '.join(kinds)}")
    for name, kind in kinds.items():
        table = given.get(name, {})
        if not isinstance(table, dict):
            raise WiringError(file, name, "", "must be a section with keys")
        sections[name] = _section(kind, defaults[name], table, file, name)
    wiring = Wiring(**sections)
    _check(wiring, file)
    return wiring


def _section(kind: Any, defaults: dict[str, Any], given: dict[str, Any], file: str, section: str) -> Any:
    hints = get_type_hints(kind)
    values = {}
    for key in given:
        if key not in hints:
            raise WiringError(file, section, key, f"is no key; there are {', '.join(hints)}")
    for field in fields(kind):
        value = given.get(field.name, defaults[field.name])
        values[field.name] = _value(hints[field.name], value, file, section, field.name)
    return kind(**values)


def _value(hint: Any, value: Any, file: str, section: str, key: str) -> Any:
    def refuse(wanted: str) -> WiringError:
        return WiringError(file, section, key, f"{value!r} must be {wanted}")

    number = isinstance(value, int | float) and not isinstance(value, bool)
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if value not in choices or isinstance(value, bool):
            raise refuse("one of " + ", ".join(str(choice) for choice in choices))
    elif hint is bool:
        if not isinstance(value, bool):
            raise refuse("true or false")
    elif hint is int:
        if not number or value != int(value) or value < 0:
            raise refuse("a whole number, 0 or more")
        value = int(value)
    elif hint is float:
        if not number or value < 0:
            raise refuse("a number, 0 or more")
        value = float(value)
    elif hint is str:
        if not isinstance(value, str) or not value:
            raise refuse("a text")
    elif get_origin(hint) is tuple:
        whole = isinstance(value, list) and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        if not whole:
            raise refuse("a list of whole numbers")
        value = tuple(value)
    else:
        lines = isinstance(value, dict) and all(isinstance(one, int) and 1 <= one <= 16 for one in value.values())
        if not lines:
            raise refuse("name = contact 1 to 16")
    return value


def _check(wiring: Wiring, file: str) -> None:
    """What single keys cannot show: counts, pins used twice, panel lines used twice, times in range."""
    matrix = wiring.matrix
    for key in ("drive", "sense"):
        if len(getattr(matrix, key)) != 8:
            raise WiringError(file, "matrix", key, f"names {len(getattr(matrix, key))} lines and must name 8")
    pins = [("matrix", "drive", gpio) for gpio in matrix.drive] + [("matrix", "sense", gpio) for gpio in matrix.sense]
    if len(matrix.panel) not in (1, 2):
        raise WiringError(file, "matrix", "panel", f"names {len(matrix.panel)} lines and must name 1 or 2")
    pins += [("matrix", "panel", gpio) for gpio in matrix.panel]
    if wiring.buzzer.gpio:
        pins.append(("buzzer", "gpio", wiring.buzzer.gpio))
    seen: dict[int, str] = {}
    for section, key, gpio in pins:
        if gpio not in HEADER_GPIO:
            raise WiringError(file, section, key, f"GPIO{gpio} is not on the header: 2 to 27 are")
        if gpio in seen:
            raise WiringError(file, section, key, f"GPIO{gpio} is used twice: for {seen[gpio]} too")
        seen[gpio] = f"[{section}] {key}"
    for key, ms in (("close_ms", wiring.debounce.close_ms), ("open_ms", wiring.debounce.open_ms)):
        if not 0 < ms <= LONGEST_MS:
            raise WiringError(file, "debounce", key, f"{ms:g} must be over 0 and at most {LONGEST_MS:g} ms")
    panel = wiring.panel
    for key in ("lever_ms", "flight_ms", "button_ms"):
        if not 0 < getattr(panel, key) <= LONGEST_MS:
            raise WiringError(file, "panel", key, f"{getattr(panel, key):g} must be over 0, at most {LONGEST_MS:g} ms")
    if not 1 <= wiring.scanner.period_ms <= 50:
        raise WiringError(file, "scanner", "period_ms", f"{wiring.scanner.period_ms:g} must be 1 to 50 ms")
    problem = address_problem(wiring.scanner.kind, wiring.bus.addresses)
    if problem is not None:
        raise WiringError(file, "bus", "addresses", problem)
    contacts = contacts_of(wiring.scanner.kind, len(matrix.panel), len(wiring.bus.addresses))
    taken: dict[int, str] = {}
    for name, line in [("lever_white", panel.lever_white), ("lever_black", panel.lever_black), *panel.buttons.items()]:
        if line > contacts:
            known = f"1 to {contacts} are, 0 is none" if contacts else "this scanner has inputs for the squares alone"
            raise WiringError(file, "panel", name, f"{line} is no contact: {known}")
        if line and line in taken:
            raise WiringError(file, "panel", name, f"contact {line} is used twice: for {taken[line]} too")
        taken[line] = name
    if bool(panel.lever_white) != bool(panel.lever_black):
        raise WiringError(file, "panel", "lever_black", "a lever has two contacts: name both or neither")
    if not 1 <= wiring.lamps.brightness_percent <= 100:
        raise WiringError(file, "lamps", "brightness_percent", "must be 1 to 100")
    if wiring.lamps.refresh_hz <= 0:
        raise WiringError(file, "lamps", "refresh_hz", "must be over 0")
