"""What people enter on the page, as JSON, becomes a command of the core, or a refusal that names the field.

Two lists say who may enter what: players their buttons, the desk also evidence and rulings. Each field is checked
against the command's own type, so that nothing but a well-formed command reaches the board.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from board_firmware.core import events
from board_firmware.core.events import Command
from board_firmware.peers import NewGame

PLAYERS = (
    "AdjustPressed", "Answered", "Chosen", "Claimed", "DrawAccepted", "DrawDeclined", "DrawOffered",
    "DrawWithdrawn", "Objected", "PauseAsked", "Resigned", "StartAsked", "TakebackAsked",
)  # fmt: skip
DESK = (*PLAYERS, "Noted", "Ruled")

VERBS = frozenset(
    {
        "accept", "accidental", "apply", "cannot-mate", "colours-reversed", "counter", "dead-position",
        "displaced-piece", "flag", "penalty", "position", "promotion", "reject", "result", "resume", "rewind",
        "set-clock", "set-period", "undo", "undo-move", "uphold", "waive", "warning", "wrong-setup",
    }
)  # fmt: skip
"""The rulings of the contract, section 2."""

TEXT_LENGTH = 500
"""Longest text of a field: a FEN has 90 characters, a reason a few sentences."""


def read_command(record: Any, allowed: Iterable[str]) -> Command:
    """The command that ``{"command": "Chosen", "choice": "q"}`` means; the board stamps the time.

    Raises ``ValueError`` with a sentence for anything else, and for a command that is not among the ``allowed``.
    """
    if not isinstance(record, Mapping):
        raise ValueError("a command is a JSON object")
    name = record.get("command")
    if not isinstance(name, str) or name not in allowed:
        raise ValueError(f"{name!r} cannot be entered here")
    cls = getattr(events, name)
    hints = _hints(cls)
    values: dict[str, Any] = {}
    for key, value in record.items():
        if key in ("command", "at_ns"):
            continue
        if key not in hints:
            raise ValueError(f"{name} has no field {key!r}")
        values[key] = _checked(value, hints[key], f"{name}.{key}")
    missing = [one.name for one in fields(cls) if one.name not in values and one.name != "at_ns" and _is_needed(one)]
    if missing:
        raise ValueError(f"{name} needs {missing[0]!r}")
    if name == "Ruled" and values["verb"] not in VERBS:
        raise ValueError(f"{values['verb']!r} is no ruling: one of {', '.join(sorted(VERBS))}")
    command: Command = cls(**values, at_ns=0)
    return command


def read_new_game(record: Mapping[str, Any], *, may_rule: bool) -> NewGame:
    """The game that a form asks for. Only the arbiter may begin one in the tournament profile."""
    known = {"fen", "chess960", "chess960_number", "control", "profile", "tags", "history"}
    unknown = sorted(set(record) - known)
    if unknown:
        raise ValueError(f"a new game has no {unknown[0]!r}")
    profile = record.get("profile")
    if profile not in (None, "friendly", "practice", "tournament"):
        raise ValueError("profile is one of friendly, practice, tournament")
    if profile == "tournament" and not may_rule:
        raise ValueError("a tournament game is begun at the arbiter's desk")
    number = record.get("chess960_number")
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 959):
        raise ValueError("chess960_number is 0 to 959")
    tags = record.get("tags", {})
    if not isinstance(tags, Mapping) or len(tags) > 16:
        raise ValueError("tags are names and texts, 16 at most")
    history = record.get("history", [])
    if not isinstance(history, list) or len(history) > 600:
        raise ValueError("history is a list of moves, 600 at most")
    control = record.get("control")
    return NewGame(
        fen=_checked(record.get("fen", ""), str, "fen"),
        chess960=_checked(record.get("chess960", False), bool, "chess960"),
        chess960_number=number,
        history=tuple(_checked(one, str, "history") for one in history),
        control=None if control is None else _checked(control, str, "control"),
        profile=profile,
        tags={_checked(name, str, "tags"): _checked(value, str, "tags") for name, value in tags.items()},
    )


@cache
def _hints(cls: type) -> dict[str, Any]:
    return {name: hint for name, hint in typing.get_type_hints(cls, vars(events)).items() if name != "at_ns"}


def _is_needed(one: Any) -> bool:
    return one.default is one.default_factory  # both are MISSING


def _checked(value: Any, hint: Any, where: str) -> Any:
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        choices = typing.get_args(hint)
        if value not in choices:
            raise ValueError(f"{where} is one of {', '.join(choices)}")
        return value
    if origin is types.UnionType:
        if value is None and type(None) in typing.get_args(hint):
            return None
        return _checked(value, next(one for one in typing.get_args(hint) if one is not type(None)), where)
    if origin is tuple:
        if not isinstance(value, list) or len(value) > 16:
            raise ValueError(f"{where} is a list of texts, 16 at most")
        return tuple(_checked(one, str, where) for one in value)
    if hint is bool and isinstance(value, bool):
        return value
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if hint is str and isinstance(value, str) and len(value) <= TEXT_LENGTH and (value.isprintable() or not value):
        return value
    raise ValueError(f"{where} does not take {str(value)[:40]!r}")
