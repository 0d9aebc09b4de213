"""How a trace or a conformance case begins: its header's values, each checked by itself, as the event that begins a game.

A value that makes no sense is named with its key here, where the line is known, and not when some clock or counter
trips over it later.

Source: contract, sections 2 and 5.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from board_firmware.core.control import Control
from board_firmware.core.events import GameStarted
from board_firmware.core.settings import SettingsError, settle
from hal.squares import parse_square
from rules import START_FEN, Game, Move, parse_fen

HEADERS = ("fen", "control", "profile", "settle_ms", "chess960", "history", "prior", "settings")

SETTLE_MS = 250
"""How long the reeds are still before a move is made, where the trace does not say."""

LONGEST_S = 10_000_000
"""No clock, increment or gap is longer: almost four months. Beyond it numbers are slips of the pen."""

MOST_MOVES = 10_000
"""No count of moves or of illegal moves is higher; the longest game that can be is shorter."""


class HeaderError(ValueError):
    """A value that a game cannot begin with: ``key`` and ``why``."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        self.why = why


_YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def read(key: str, text: str) -> Any:
    """The value of a header line, as a conformance case has it in JSON; `HeaderError` for what cannot be read."""
    try:
        if key == "settle_ms":
            return int(text)
        if key == "chess960":
            return _YES_OR_NO[text.lower()]
        if key == "history":
            return json.loads(text) if text.startswith("[") else text.split()
        if key in ("prior", "settings"):
            return json.loads(text)
    except RecursionError:
        raise HeaderError(key, "the JSON is nested too deep") from None
    except json.JSONDecodeError as error:
        raise HeaderError(key, f"JSON is wanted: {error.msg} (character {error.colno})") from None
    except KeyError:
        raise HeaderError(key, f"{text[:40]!r} is neither true nor false") from None
    except ValueError:
        raise HeaderError(key, f"{text[:40]!r} is no whole number") from None
    return text


def begun(headers: Mapping[str, Any]) -> GameStarted:
    """The game's beginning; `HeaderError` names the value that makes no sense."""
    prior = _mapping("prior", headers)
    settings = _mapping("settings", headers)
    settings["settle_ms"] = headers.get("settle_ms", settings.get("settle_ms", SETTLE_MS))
    history = headers.get("history", ())
    if not isinstance(history, list | tuple) or not all(isinstance(move, str) for move in history):
        raise HeaderError("history", "a list of moves is wanted, such as e2e4 e7e5")
    started = GameStarted(
        at_ns=0,
        fen=_text("fen", headers, START_FEN),
        chess960=bool(headers.get("chess960", False)),
        history=tuple(history),
        control=_text("control", headers, "standard"),
        profile=_text("profile", headers, "friendly"),
        prior=prior,
        settings=settings,
    )
    try:
        _check(started)
    except SettingsError as error:
        raise HeaderError(error.key if error.key in headers else "settings", error.why) from None
    return started


def _text(key: str, headers: Mapping[str, Any], default: str) -> str:
    value = headers.get(key, default)
    if not isinstance(value, str):
        raise HeaderError(key, f"a text is wanted, not {_short(value)}")
    return value


def _mapping(key: str, headers: Mapping[str, Any]) -> dict[str, Any]:
    value = headers.get(key, {})
    if not isinstance(value, Mapping):
        raise HeaderError(key, f"a JSON object is wanted, not {_short(value)}")
    return dict(value)


def _short(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _check(started: GameStarted) -> None:
    """Everything that the core will make of it, each for itself."""
    key = "fen"
    try:
        game = Game.from_setup(parse_fen(started.fen, chess960=started.chess960))
        key = "history"
        for text in started.history:
            game = game.play(Move.from_uci(text))
        key = "control"
        control = Control.parse(started.control)
        key = "settings"
        settle(started.profile, control, started.settings)
    except SettingsError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise HeaderError(key, str(error)) from None
    for name, value in started.prior.items():
        wanted = _PRIOR.get(name)
        if wanted is not None and not wanted[0](value):
            raise HeaderError("prior", f"{name} is {_short(value)}; {wanted[1]} is wanted")


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST_S


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_MOVES


def _by_side(one: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, Mapping) and all(side in ("white", "black") and one(each) for side, each in value.items())
    )


def _are_squares(value: object) -> bool:
    if not isinstance(value, list | tuple):
        return False
    try:
        return all((isinstance(one, int) and 0 <= one < 64) or parse_square(one) >= 0 for one in value)
    except (ValueError, TypeError, AttributeError):
        return False


_PRIOR: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "started": (_is_bool, "true or false"),
    "arbiter_present": (_is_bool, "true or false"),
    "increment": (_is_seconds, "a number of seconds"),
    "clock": (_by_side(_is_seconds), 'seconds by side, as {"white": 300, "black": 280}'),
    "illegal": (_by_side(_is_count), 'a number by side, as {"white": 1, "black": 0}'),
    "moves_completed": (_by_side(_is_count), 'a number by side, as {"white": 39, "black": 39}'),
    "recording_excused": (_by_side(_is_bool), 'true or false by side, as {"white": true}'),
    "touched": (_are_squares, 'squares, as ["e2"]'),
}
"""What each key of ``prior`` must be, and how that is said."""
