"""How an event is played: the profile's duties, the rule set's numbers, and what the organiser changed.

A profile is a bundle of defaults (contract, section 7); each can be set apart by its key, so that the code asks for the
duty ("are breaches refused?") and never for the profile's name. Unknown keys and bad values raise `SettingsError`.

Source: FIDE Laws of Chess 2023, Appendices A and B; laws the Laws leave to the organiser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

from board_firmware.core.control import Control

Profile = Literal["friendly", "tournament", "practice"]


class SettingsError(ValueError):
    """A setting that is unknown or out of its range: ``key`` and ``why``."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"setting {key!r}: {why}")
        self.key = key
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one game."""

    profile: Profile = "friendly"
    settle_ms: int = 250
    """Stillness after which a complete reading counts as made; too short announces slides, too long delays mates."""
    touch_move: Literal["enforce", "report", "off"] = "enforce"
    castling: Literal["king_first", "either"] = "king_first"
    illegal: Literal["refuse", "penalise"] = "refuse"
    """Refuse an illegal move as soon as it lies there, or leave it to the press and Article 7.5."""
    penalties: Literal["none", "propose", "apply"] = "none"
    penalty_s: int = 120
    """Seconds to the opponent for a first illegal move or a wrong claim (7.5.5, 9.5.3; A.3 makes it 60)."""
    flag: Literal["call", "show"] = "call"
    """Whether the clock itself calls a flag or shows it to the arbiter."""
    stands_if_answered: bool = False
    """Article A.5.2: an illegal move stands once the opponent has made his next move."""
    arbiter_present: bool = True
    hints: Literal["none", "finish", "teach"] = "finish"
    """Lamps: nothing but repairs, what is to be finished, or the legal squares of a lifted unit too."""
    takeback: Literal["agreed", "free", "arbiter"] = "agreed"
    unwinnable: Literal["apply", "propose"] = "apply"
    agreement: bool = True
    """Whether the event allows draws by agreement at all (9.1.1)."""
    analysis_nodes: int = 20_000
    pause_on_sensor_loss: bool = False

    @property
    def refuses(self) -> bool:
        """Whether moves that break the Laws or a duty are refused at the board."""
        return self.illegal == "refuse"

    @property
    def settle_ns(self) -> int:
        """The settle time in nanoseconds."""
        return self.settle_ms * 1_000_000


_PROFILES: Mapping[str, Mapping[str, Any]] = {
    "friendly": {},
    "practice": {"hints": "teach", "takeback": "free"},
    "tournament": {
        "touch_move": "report",
        "illegal": "penalise",
        "penalties": "propose",
        "flag": "show",
        "hints": "none",
        "takeback": "arbiter",
        "unwinnable": "propose",
    },
}
_RANGES = {"settle_ms": (0, 5_000), "penalty_s": (0, 3_600), "analysis_nodes": (0, 10_000_000)}


def settle(profile: str, control: Control, changes: Mapping[str, Any], arbiter_present: bool = True) -> Settings:
    """The settings of a profile under a control, with the organiser's changes on top."""
    if profile not in _PROFILES:
        raise SettingsError("profile", f"{profile!r} is none of {', '.join(_PROFILES)}")
    values: dict[str, Any] = {"profile": profile, "arbiter_present": arbiter_present, **_PROFILES[profile]}
    if control.rules in ("rapid", "blitz"):
        values["penalty_s"] = 60
    if control.rules == "blitz" and control.timed:
        values["settle_ms"] = 150
    values["stands_if_answered"] = not control.competition
    values.update(changes)
    if values.get("penalties") == "apply":
        values.setdefault("illegal", "penalise")
    _check(values)
    return Settings(**values)


@cache
def _hints() -> Mapping[str, Any]:
    return get_type_hints(Settings)


def _check(values: Mapping[str, Any]) -> None:
    hints = _hints()
    known = {one.name for one in fields(Settings)}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(key, f"unknown; known are {', '.join(sorted(known))}")
        choices = get_args(hints[key])
        if choices and value not in choices:
            raise SettingsError(key, f"{value!r} is none of {', '.join(map(str, choices))}")
        if hints[key] is bool and not isinstance(value, bool):
            raise SettingsError(key, f"{value!r} is neither true nor false")
        if key in _RANGES:
            low, high = _RANGES[key]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise SettingsError(key, f"{value!r} is no whole number from {low} to {high}")
