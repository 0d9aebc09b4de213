"""One section of a wiring file: its keys against the fields of its class, each value of its type and within its bounds.

What is no number, such as ``nan``, what nobody can mean, such as a period of an hour, and what is not known at all is
refused with file, section and key, so that a mistake never becomes a silent default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hal.debounce import LONGEST_MS

BOUNDS: Mapping[tuple[str, str], tuple[float, float]] = {
    ("scanner", "period_ms"): (1, 50),
    ("matrix", "settle_us"): (5, 1_000),
    ("debounce", "close_ms"): (1, LONGEST_MS),
    ("debounce", "open_ms"): (1, LONGEST_MS),
    ("panel", "lever_white"): (0, 16),
    ("panel", "lever_black"): (0, 16),
    ("panel", "lever_ms"): (1, LONGEST_MS),
    ("panel", "flight_ms"): (1, LONGEST_MS),
    ("panel", "button_ms"): (1, LONGEST_MS),
    ("panel", "buttons"): (0, 16),
    ("bus", "i2c"): (0, 255),
    ("bus", "speed_khz"): (10, 10_000),
    ("bus", "load"): (2, 27),
    ("lamps", "brightness_percent"): (1, 100),
    ("lamps", "limit_ma"): (20, 10_000),
    ("lamps", "refresh_hz"): (1, 100),
    ("display", "i2c"): (0, 255),
    ("display", "address"): (0x08, 0x77),
    ("buzzer", "gpio"): (0, 27),
}
"""The least and the most of every number in the unit of its key; lists are checked with the whole wiring.

A matrix needs 5 us at the least: a line takes 0.7 of 50 k times its own 100 pF and more to be high again, and read before
that no square is right. MCP23S17 and 74HC165 take 10 MHz at 3.3 V at most; I2C addresses go from 0x08 to 0x77.
"""


class WiringError(ValueError):
    """A wiring file that makes no board: ``file``, ``section``, ``key`` and what is wrong."""

    def __init__(self, file: str, section: str, key: str, problem: str) -> None:
        self.file, self.section, self.key, self.problem = file, section, key, problem
        where = f"[{section}] {key}" if key else f"[{section}]"
        super().__init__(f"{file}: {where}: {problem}")


def section_of(kind: Any, defaults: Mapping[str, Any], given: Mapping[str, Any], file: str, section: str) -> Any:
    """A section's values as an instance of ``kind``, those given over the defaults; `WiringError` for what is wrong."""
    hints = get_type_hints(kind)
    for key in given:
        if key not in hints:
            raise WiringError(file, section, key, f"is no key; there are {', '.join(hints)}")
    values = {}
    for field in fields(kind):
        value = given.get(field.name, defaults[field.name])
        values[field.name] = _value(hints[field.name], value, file, section, field.name)
    return kind(**values)


def _value(hint: Any, value: Any, file: str, section: str, key: str) -> Any:
    def refuse(wanted: str) -> WiringError:
        return WiringError(file, section, key, f"{value!r} must be {wanted}")

    low, high = BOUNDS.get((section, key), (0, 0))
    within = f"{low:g} to {high:g}"
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if value not in choices or isinstance(value, bool):
            raise refuse("one of " + ", ".join(str(choice) for choice in choices))
        value = choices[choices.index(value)]  # 90.0 is 90
    elif hint is bool:
        if not isinstance(value, bool):
            raise refuse("true or false")
    elif hint in (int, float):
        word = "a whole number from" if hint is int else "a number from"
        if not is_number(value, whole=hint is int) or not low <= value <= high:
            raise refuse(f"{word} {within}")
        value = hint(value)
    elif hint is str:
        if not isinstance(value, str) or not value:
            raise refuse("a text")
    elif get_origin(hint) is tuple:
        if not isinstance(value, list) or not all(is_number(one, whole=True) for one in value):
            raise refuse("a list of whole numbers")
        value = tuple(int(one) for one in value)  # 5.0 is 5
    elif not isinstance(value, dict):
        raise refuse("a table of names")
    return value


def is_number(value: Any, *, whole: bool) -> bool:
    """Whether a value from a file is a number, and one without a fraction if ``whole``: 5.0 is a whole number too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or not whole or value.is_integer()
