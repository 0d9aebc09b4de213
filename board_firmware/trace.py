"""A trace: a hand in plain words, one action a line, and its exact times (contract, section 2).

`parse` turns text into the event that begins the game and the events that follow; `actions` does the same for a list of
actions as conformance cases hold them. Each action happens 300 ms after the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from board_firmware.core.events import (
    AdjustPressed,
    Answered,
    Blipped,
    Chosen,
    Claimed,
    ClockShown,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Event,
    GameStarted,
    LeverMoved,
    Noted,
    Objected,
    PauseAsked,
    Resigned,
    Ruled,
    Side,
    SquareChanged,
    StartAsked,
    TakebackAsked,
)
from hal.squares import parse_square
from rules import START_FEN

GAP_MS = 300
"""Between one action and the next."""

RELEASE_MS = 65
"""How long after the settle time the state is read: the longest debounce and one scan."""

BLIP_MS = 20.0
"""How long a blip lasts where the trace does not say."""

HEADERS = ("fen", "control", "profile", "settle_ms", "chess960", "history", "prior", "settings")


class TraceError(ValueError):
    """A line of a trace that is not understood: ``line`` (from 1), ``text`` and ``why``."""

    def __init__(self, line: int, text: str, why: str) -> None:
        super().__init__(f"line {line}: {text!r}: {why}")
        self.line = line
        self.text = text
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A game's beginning, its events in order of time, and the instant at which its last state is read."""

    start: GameStarted
    events: tuple[Event, ...]
    end_ns: int


def parse(text: str) -> Trace:
    """Read a ``.trace``; raises `TraceError`."""
    headers: dict[str, Any] = {}
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        key, colon, value = line.partition(":")
        if not lines and colon and key.strip() in HEADERS:
            headers[key.strip()] = _header(number, line, key.strip(), value.strip())
        else:
            lines.append((number, line))
    if not headers and not lines:
        raise TraceError(1, "", "the trace is empty")
    return _trace(headers, lines)


def from_case(case: Mapping[str, Any]) -> Trace:
    """The trace of a conformance case, which is played in the tournament profile unless it says otherwise."""
    headers = {key: case[key] for key in HEADERS if key in case}
    headers.setdefault("profile", "tournament")
    return _trace(headers, list(enumerate(case["actions"], start=1)))


def _header(number: int, line: str, key: str, value: str) -> Any:
    try:
        if key == "settle_ms":
            return int(value)
        if key == "chess960":
            return value.lower() in ("1", "true", "yes")
        if key == "history":
            return json.loads(value) if value.startswith("[") else value.split()
        if key in ("prior", "settings"):
            return json.loads(value)
    except ValueError as error:
        raise TraceError(number, line, str(error)) from None
    return value


def _trace(headers: Mapping[str, Any], lines: Iterable[tuple[int, str]]) -> Trace:
    settings = dict(headers.get("settings", {}))
    settle_ms = int(headers.get("settle_ms", settings.get("settle_ms", 250)))
    settings["settle_ms"] = settle_ms
    start = GameStarted(
        at_ns=0,
        fen=headers.get("fen", START_FEN),
        chess960=bool(headers.get("chess960", False)),
        history=tuple(headers.get("history", ())),
        control=str(headers.get("control", "standard")),
        profile=str(headers.get("profile", "friendly")),
        prior=dict(headers.get("prior", {})),
        settings=settings,
    )
    events: list[Event] = []
    at_ms = 0.0
    for number, line in lines:
        words = line.split()
        if words[0] == "wait":
            at_ms += _number(number, line, words[1:2])
            continue
        if words[0][0] in "@+":
            stamp = _number(number, line, [words[0][1:]])
            at_ms = stamp if words[0][0] == "@" else at_ms + stamp
            words = words[1:]
        else:
            at_ms += GAP_MS
        try:
            events.extend(_events(words, round(at_ms * 1e6)))
        except (ValueError, IndexError) as error:
            raise TraceError(number, line, str(error) or "a word is missing") from None
    return Trace(start=start, events=tuple(events), end_ns=round((at_ms + settle_ms + RELEASE_MS) * 1e6))


def _number(line_number: int, line: str, words: list[str]) -> float:
    try:
        return float(words[0])
    except (ValueError, IndexError):
        raise TraceError(line_number, line, "a number of milliseconds is missing") from None


def _side(word: str) -> Side:
    if word not in ("white", "black"):
        raise ValueError(f"{word!r} is neither white nor black")
    return "white" if word == "white" else "black"


def _events(words: list[str], at_ns: int) -> list[Event]:
    verb, rest = words[0], words[1:]
    if verb in ("lift", "place", "hold"):
        squares = [parse_square(name) for name in rest[0].split("+")]
        return [SquareChanged(square=square, occupied=verb != "lift", at_ns=at_ns) for square in squares]
    if verb == "blip":
        ms = float(rest[1]) if len(rest) > 1 else BLIP_MS
        return [Blipped(square=parse_square(rest[0]), ms=ms, at_ns=at_ns)]
    return [_said(verb, rest, at_ns)]


def _said(verb: str, rest: list[str], at_ns: int) -> Event:
    if verb == "start" or (verb, rest) == ("start", ["game"]):
        return StartAsked(at_ns=at_ns)
    if verb == "choose":
        return Chosen(choice=rest[0], at_ns=at_ns)
    if verb == "answer":
        return Answered(yes=rest[0] == "yes", at_ns=at_ns)
    if verb == "note":
        return Noted(what=rest[0], subject=rest[1], at_ns=at_ns)
    if verb == "arbiter":
        return Ruled(verb=rest[0], arguments=tuple(rest[1:]), at_ns=at_ns)
    side = _side(rest[0])
    if verb == "claim":
        return _claim(side, rest[1:], at_ns)
    if verb == "object":
        if rest[1] not in ("touch-move", "illegal"):
            raise ValueError(f"{rest[1]!r} is neither touch-move nor illegal")
        return Objected(side=side, about="illegal" if rest[1] == "illegal" else "touch-move", at_ns=at_ns)
    if verb in ("flag", "tick"):
        return ClockShown(side=side, seconds=0.0 if verb == "flag" else float(rest[1]), at_ns=at_ns)
    if verb == "press":
        return LeverMoved(down=side, at_ns=at_ns)
    cls = _BY_SIDE.get(verb)
    if cls is None:
        raise ValueError(f"{verb!r} is no action")
    event: Event = cls(side=side, at_ns=at_ns)
    return event


_BY_SIDE: Mapping[str, Any] = {
    "adjust": AdjustPressed,
    "offer": DrawOffered,
    "accept": DrawAccepted,
    "decline": DrawDeclined,
    "withdraw": DrawWithdrawn,
    "resign": Resigned,
    "pause": PauseAsked,
    "takeback": TakebackAsked,
}


def _claim(side: Side, rest: list[str], at_ns: int) -> Claimed:
    kind = rest[0]
    move = rest[1] if len(rest) > 1 else None
    if kind == "threefold":
        return Claimed(side=side, kind="threefold", move=move, at_ns=at_ns)
    if kind == "fifty":
        return Claimed(side=side, kind="fifty", move=move, at_ns=at_ns)
    if kind == "time":
        return Claimed(side=side, kind="time", at_ns=at_ns)
    raise ValueError(f"{kind!r} is no claim: threefold, fifty or time")
