"""A game's events as a trace: what `trace.parse` reads back to the same events at the same nanosecond.

Times count from the game's start. What the trace has no words for, a fault of a part or a restart, stands in it as a
comment, so that a reader sees it; a replay then goes without.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from board_firmware.core.control import Control
from board_firmware.core.events import (
    AdjustPressed,
    Blipped,
    BoardSnapshot,
    ButtonPressed,
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
    LiftHinted,
    Noted,
    Objected,
    PauseAsked,
    Resigned,
    Ruled,
    SquareChanged,
    StartAsked,
    TakebackAsked,
    Tick,
)
from board_firmware.core.settings import Settings, settle
from board_firmware.trace import RELEASE_MS
from hal.squares import SQUARE_NAMES


def write(events: Iterable[Event]) -> str:
    """The text of a trace; the first event is `GameStarted`, else ``ValueError``."""
    rest = iter(events)
    started = next(rest, None)
    if not isinstance(started, GameStarted):
        raise ValueError("a trace begins with the start of a game")
    lines = _header(started)
    occupancy = started.occupancy
    told_ns = last_ns = started.at_ns
    for event in rest:
        last_ns = event.at_ns
        if isinstance(event, SquareChanged) and occupancy is not None:
            bit = 1 << event.square
            occupancy = occupancy | bit if event.occupied else occupancy & ~bit
        if isinstance(event, BoardSnapshot) and occupancy is not None:
            changes = _differences(occupancy, event)
            occupancy = event.occupancy
        else:
            changes = [event]
        for change in changes:
            words = _words(change)
            if words:
                mark = "# " if words.startswith("# ") else ""
                lines.append(f"{mark}@{_ms(change.at_ns - started.at_ns)} {words.removeprefix('# ')}")
                told_ns = told_ns if mark else change.at_ns
    watched_ns = _settings(started).settle_ns + RELEASE_MS * 1_000_000
    if last_ns > told_ns + watched_ns:  # a trace is watched so long after its last action; here more time passed
        lines.append(f"wait {_ms(last_ns - told_ns - watched_ns)}")
    return "\n".join(lines) + "\n"


def _settings(started: GameStarted) -> Settings:
    return settle(started.profile, Control.parse(started.control), started.settings)


def _ms(ns: int) -> str:
    return f"{ns // 1_000_000}.{ns % 1_000_000:06d}"


def _header(started: GameStarted) -> list[str]:
    header = {
        "fen": started.fen,
        "control": started.control,
        "profile": started.profile,
        "settle_ms": str(_settings(started).settle_ms),
        "chess960": "true" if started.chess960 else "",
        "history": " ".join(started.history),
        "prior": json.dumps(dict(started.prior)) if started.prior else "",
        "settings": json.dumps(dict(started.settings)) if started.settings else "",
    }
    comments = [f"# game {started.game_id}"] if started.game_id else []
    comments += [f"# {name}: {value}" for name, value in started.tags.items()]
    return [*comments, *(f"{key}: {value}" for key, value in header.items() if value)]


def _differences(occupancy: int, snapshot: BoardSnapshot) -> list[Event]:
    return [
        SquareChanged(square=square, occupied=bool(snapshot.occupancy >> square & 1), at_ns=snapshot.at_ns)
        for square in range(64)
        if (occupancy ^ snapshot.occupancy) >> square & 1
    ]


_BUTTONS = {"adjust": "adjust", "draw": "offer", "resign": "resign", "pause": "pause", "promote": "choose"}


def _words(event: Event) -> str:
    """The action in the words of the contract; a comment for what has none; empty for what needs none."""
    match event:
        case SquareChanged():
            return f"{'place' if event.occupied else 'lift'} {SQUARE_NAMES[event.square]}"
        case Blipped():
            return f"blip {SQUARE_NAMES[event.square]} {event.ms:g}"
        case LeverMoved():
            return f"press {event.down}"
        case AdjustPressed():
            return f"adjust {event.side}"
        case Chosen():
            return f"choose {event.choice}"
        case Claimed():
            return f"claim {event.side} {event.kind} {event.move or ''}".rstrip()
        case DrawOffered():
            return f"offer {event.side}"
        case DrawAccepted():
            return f"accept {event.side}"
        case DrawDeclined():
            return f"decline {event.side}"
        case DrawWithdrawn():
            return f"withdraw {event.side}"
        case Resigned():
            return f"resign {event.side}"
        case PauseAsked():
            return f"pause {event.side}"
        case StartAsked():
            return "start"
        case TakebackAsked():
            return f"takeback {event.side}"
        case ClockShown():
            return f"flag {event.side}" if event.seconds == 0 else f"tick {event.side} {event.seconds:g}"
        case Noted():
            return f"note {event.what} {event.subject}"
        case Objected():
            return f"object {event.side} {event.about}"
        case Ruled():
            return " ".join(("arbiter", event.verb, *event.arguments))
        case ButtonPressed():
            name, _, rest = event.button.partition("_")
            return f"{_BUTTONS[name]} {rest}" if name in _BUTTONS else f"# button {event.button}"
        case Tick() | LiftHinted() | GameStarted():
            return ""
    return f"# {type(event).__name__}"
