"""Events as JSON objects and back: ``{"event": "SquareChanged", "square": 12, ...}``, for the journal and the wire."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from board_firmware.core import events
from board_firmware.core.events import Event

CLASSES: Mapping[str, type] = {cls.__name__: cls for cls in typing.get_args(Event)}


@cache
def _tuples(cls: type) -> frozenset[str]:
    """The fields that JSON turns into lists and that must come back as tuples."""
    hints = typing.get_type_hints(cls, vars(events))
    return frozenset(name for name, hint in hints.items() if typing.get_origin(hint) is tuple)


def to_json(event: Event) -> dict[str, Any]:
    """The event as plain JSON values; fields that hold None are left out."""
    out: dict[str, Any] = {"event": type(event).__name__}
    for one in fields(event):
        value = getattr(event, one.name)
        if value is None:
            continue
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, types.MappingProxyType):
            value = dict(value)
        out[one.name] = value
    return out


def from_json(record: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote; ``ValueError`` names what does not fit."""
    name = record.get("event")
    cls = CLASSES.get(str(name))
    if cls is None:
        raise ValueError(f"{name!r} is no event")
    known = {one.name for one in fields(cls)}
    unknown = [key for key in record if key != "event" and key not in known]
    if unknown:
        raise ValueError(f"{name} has no field {unknown[0]!r}")
    values = {key: tuple(value) if key in _tuples(cls) else value for key, value in record.items() if key != "event"}
    try:
        event: Event = cls(**values)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None
    return event
