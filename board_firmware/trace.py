"""A trace: a hand in plain words, one action a line, and its exact times (contract, section 2).

`parse` turns text into the event that begins the game and the events that follow; `actions` does the same for a list of
actions as conformance cases hold them. Each action happens 300 ms after the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from board_firmware import trace_header
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
from board_firmware.trace_header import HEADERS, LONGEST_S, HeaderError
from hal.squares import parse_square

GAP_MS = 300
"""Between one action and the next."""

RELEASE_MS = 65
"""How long after the settle time the state is read: the longest debounce and one scan."""

BLIP_MS = 20.0
"""How long a blip lasts where the trace does not say."""

LONGEST_MS = 1000.0 * LONGEST_S
"""No time in a trace is later, and no gap or blip longer."""


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
    places: dict[str, tuple[int, str]] = {}
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        key, colon, value = line.partition(":")
        key = key.strip()
        if colon and key.replace("_", "").isalnum():
            if key not in HEADERS:
                raise TraceError(number, line, f"unknown header; known are {', '.join(HEADERS)}")
            if lines:
                raise TraceError(number, line, "a header line comes before the first action")
            places[key] = (number, line)
            try:
                headers[key] = trace_header.read(key, value.strip())
            except HeaderError as error:
                raise TraceError(number, line, error.why) from None
        else:
            lines.append((number, line))
    if not headers and not lines:
        raise TraceError(1, "", "the trace is empty")
    try:
        start = trace_header.begun(headers)
    except HeaderError as error:
        raise TraceError(*places.get(error.key, (1, error.key)), error.why) from None
    return _trace(start, lines)


def from_case(case: Mapping[str, Any]) -> Trace:
    """The trace of a conformance case, which is played in the tournament profile unless it says otherwise.

    Raises `HeaderError` or `TraceError`, whose line is then the number of the action.
    """
    headers = {key: case[key] for key in HEADERS if key in case}
    headers.setdefault("profile", "tournament")
    return _trace(trace_header.begun(headers), list(enumerate(case["actions"], start=1)))


def _trace(start: GameStarted, lines: Iterable[tuple[int, str]]) -> Trace:
    events: list[Event] = []
    at_ms = 0.0
    for number, line in lines:
        words = line.split()
        if not words:
            raise TraceError(number, line, "an action is missing")
        if words[0] == "wait":
            at_ms += _milliseconds(number, line, words[1:2])
            continue
        if words[0][0] in "@+":
            stamp = _milliseconds(number, line, [words[0][1:]])
            at_ms = stamp if words[0][0] == "@" else at_ms + stamp
            words = words[1:]
        else:
            at_ms += GAP_MS
        try:
            events.extend(_events(words, round(at_ms * 1e6)))
        except IndexError:
            wanted = _FORMS.get(words[0], "an action") if words else "an action after the time"
            raise TraceError(number, line, f"a word is missing: write {wanted}") from None
        except ValueError as error:
            raise TraceError(number, line, str(error)) from None
    settle_ms: int = start.settings["settle_ms"]
    return Trace(start=start, events=tuple(events), end_ns=round((at_ms + settle_ms + RELEASE_MS) * 1e6))


def _milliseconds(line_number: int, line: str, words: list[str]) -> float:
    try:
        return _bounded(words[0], LONGEST_MS, "milliseconds")
    except IndexError:
        raise TraceError(line_number, line, "a number of milliseconds is missing") from None
    except ValueError as error:
        raise TraceError(line_number, line, str(error)) from None


def _bounded(word: str, most: float, unit: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise ValueError(f"{word!r} is no number of {unit} from 0 to {most:g}")
    return value


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
        ms = _bounded(rest[1], LONGEST_MS, "milliseconds") if len(rest) > 1 else BLIP_MS
        return [Blipped(square=parse_square(rest[0]), ms=ms, at_ns=at_ns)]
    return [_said(verb, rest, at_ns)]


def _said(verb: str, rest: list[str], at_ns: int) -> Event:
    if verb not in _FORMS:
        raise ValueError(f"{verb!r} is no action")
    if verb == "start":
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
        return ClockShown(
            side=side, seconds=0.0 if verb == "flag" else _bounded(rest[1], LONGEST_S, "seconds"), at_ns=at_ns
        )
    if verb == "press":
        return LeverMoved(down=side, at_ns=at_ns)
    event: Event = _BY_SIDE[verb](side=side, at_ns=at_ns)
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

_FORMS: Mapping[str, str] = {
    "lift": "lift SQUARE, or lift SQUARE+SQUARE for one scan",
    "place": "place SQUARE",
    "hold": "hold SQUARE",
    "blip": "blip SQUARE [MS]",
    "start": "start",
    "choose": "choose PIECE or choose MOVE",
    "answer": "answer yes or answer no",
    "note": "note WHAT SUBJECT, as note two-hands white",
    "arbiter": "arbiter RULING ...",
    "claim": "claim SIDE threefold|fifty|time [MOVE]",
    "object": "object SIDE touch-move|illegal",
    "flag": "flag SIDE",
    "tick": "tick SIDE SECONDS",
    "press": "press SIDE",
    **{verb: f"{verb} SIDE" for verb in _BY_SIDE},
}
"""Each action as it is written."""


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
