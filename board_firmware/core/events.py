"""All that enters and leaves the core: events and commands in, decisions and the view out.

Events carry ``at_ns``, monotonic nanoseconds stamped where they arose: at the first edge of a switch, at the click
of a button. The session asks no clock, so a game is a fold over these values and nothing else. Board events are the
port's own (`hal.board`); what people enter stands here. Every class is frozen and made of plain values, so that each
has a JSON form (`event_json`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hal.board import (
    Blipped,
    BoardEvent,
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    LeverMoved,
    LiftHinted,
    Recovered,
    Side,
    SquareChanged,
)

__all__ = [
    "AdjustPressed", "Analysed", "Answered", "Blipped", "BoardEvent", "BoardSnapshot", "ButtonPressed", "Chosen",
    "Claimed", "ClockShown", "Command", "Decision", "DrawAccepted", "DrawDeclined", "DrawOffered", "DrawWithdrawn",
    "Event", "Faulted", "GameStarted", "LeverMoved", "LiftHinted", "Noted", "Objected", "PauseAsked", "Recovered",
    "Resigned", "Restarted", "Ruled", "Side", "SquareChanged", "StartAsked", "TakebackAsked", "Tick", "View", "other_side",
]  # fmt: skip


def other_side(side: Side) -> Side:
    """The opponent of a side."""
    return "black" if side == "white" else "white"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """A game begins, or begins again from any diagram: a fresh start, a resumed one and a rewind are the same event.

    ``history`` are UCI moves already completed from ``fen``. ``prior`` holds what the history cannot tell (keys as in
    the conformance format: ``illegal``, ``started``, ``moves_completed``, ``clock``, ``increment``, ``touched``,
    ``recording_excused``, ``assistant``, ``arbiter_present``). ``settings`` are the event's settings by name.
    """

    at_ns: int
    fen: str
    chess960: bool = False
    history: tuple[str, ...] = ()
    control: str = "none"
    profile: str = "friendly"
    prior: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    occupancy: int | None = None
    """The squares closed at the start; None: they stand as the position says."""
    game_id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    scan_ns: int = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """The program stopped and brought the game back; ``occupancy`` is what the reeds show now.

    Nobody watched in between: what differs is to be put right, never read as a move, and a clock waits to be resumed.
    """

    occupancy: int
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Time has come to ``at_ns`` with nothing else to report; sent when the session's deadline is due."""

    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPressed:
    """The "I adjust" button of a side; pressed again it ends the announcement."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """An answer to an open question: a promotion piece (``q r b n``) or a move in UCI."""

    choice: str
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Yes or no to an open question that is no choice: confirm the set-up, the position, the result, a turned board."""

    yes: bool
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A claim of Articles 9.2, 9.3 or 6.8, with the intended move in UCI where there is one."""

    side: Side
    kind: Literal["threefold", "fifty", "time"]
    at_ns: int
    move: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOffered:
    """A side offers a draw."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAccepted:
    """A side accepts the newest open question put to it: a draw offer or a takeback."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDeclined:
    """A side declines the newest open question put to it."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawWithdrawn:
    """A side tries to withdraw an offer or a claim; the Laws do not let it (9.1.2.1, 9.5.1)."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned:
    """A side resigns."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseAsked:
    """A side stops the clocks to call the arbiter (6.11.2)."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAsked:
    """Begin the game: the array is in place and the players are ready."""

    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakebackAsked:
    """A side asks that the last made ply be taken back (friendly and practice)."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockShown:
    """An outer clock shows ``seconds`` for a side; 0 means its flag is down."""

    side: Side
    seconds: float
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a person saw and no reed can: ``two-hands``, ``other-hand``, ``unpromoted``, ``victim-not-removed``."""

    what: str
    subject: str
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Objected:
    """A player stops the clock and complains of a breach of Article 4 or of an illegal move."""

    side: Side
    about: Literal["touch-move", "illegal"]
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """An arbiter's ruling: the verb and its arguments as in a trace (``set-clock``, ``white 5400 black 5520``)."""

    verb: str
    at_ns: int
    arguments: tuple[str, ...] = ()
    author: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """The answer of the slow proof that a decision ``analysis_wanted`` asked for."""

    fen: str
    side: Side
    verdict: Literal["winnable", "unwinnable", "unknown"]
    nodes: int
    at_ns: int
    line: tuple[str, ...] = ()


Command = (
    AdjustPressed | Analysed | Answered | Chosen | Claimed | ClockShown | DrawAccepted | DrawDeclined | DrawOffered
    | DrawWithdrawn | Noted | Objected | PauseAsked | Resigned | Ruled | StartAsked | TakebackAsked
)  # fmt: skip
Event = BoardEvent | Command | GameStarted | Restarted | Tick


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the core has decided: the contract's ``kind``, its own fields, and whether it can still be revised."""

    kind: str
    at_ns: int
    final: bool = True
    article: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """One line of a decision log: ``at_s``, ``kind``, the decision's own fields, ``final`` and ``article``."""
        out: dict[str, Any] = {"at_s": round(self.at_ns / 1e9, 3), "kind": self.kind, **self.details}
        if not self.final:
            out["final"] = False
        if self.article is not None:
            out["article"] = self.article
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the board holds true now: the contract's state, and what its peers need to show it."""

    state: Mapping[str, Any]
    """The contract's state (section 3), plain JSON values."""
    san: tuple[str, ...] = ()
    """The moves since the game's start, made ones included, in SAN."""
    occupancy: int = 0
    """The squares closed now, bit n = square n."""
    profile: str = "friendly"
    game_id: str = ""
    started_fen: str = ""
    can_take_back: bool = False
    outstanding: tuple[str, ...] = ()
    """Faults that hold now, by part."""
    faulty: int = 0
    """The squares of these faults, bit n = square n."""
    candidates_san: Mapping[str, str] = field(default_factory=dict)
    """The open question's moves with their SAN."""
    legal_by_origin: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Permitted destinations by square, for practice and the page's keyboard."""
