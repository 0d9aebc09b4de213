"""What stands beside the board while it runs: the page, emulation, a hall. Each is a `Peer`; each is given a `Desk`.

A peer never sees the session, the journal's file or another peer. It hears every durable step of the game in order,
shows it, and posts what people enter; the desk stamps the time. All methods of both protocols are called on the one
asyncio loop, unless the docstring says that a thread may call them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from board_firmware.core.events import Blipped, Command, Decision, Event, LiftHinted, View
from hal.board import Board, Lamps, LeverMoved


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One durable step: an event, what the core decided on it, and what holds afterwards.

    ``number`` is the journal's sequence number: it rises by one with every step, also over restarts and new games,
    so that it serves as the id of a server-sent event. Steps without a decision are published too, since the squares
    changed.
    """

    number: int
    event: Event
    decisions: tuple[Decision, ...]
    view: View
    lamps: Lamps
    """What the board's lamps show now."""
    trusted_time: bool = False
    """Whether the machine's wall clock was synchronised when the step was written."""
    wall_ms: int = 0
    """The wall clock at that time, milliseconds since 1970 UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A line of the list of games. ``result`` is ``*`` while the game is unfinished."""

    game_id: str
    white: str
    black: str
    event: str
    round: str
    date: str
    """``YYYY-MM-DD`` by the wall clock at the start, or ``""`` where that clock was not trusted."""
    result: str
    termination: str | None
    plies: int
    running: bool
    """Whether this is the game on the board now."""
    exported: bool
    fen: str = ""
    """The set-up it began with, empty for the usual array."""


class Archive(Protocol):
    """The games in the journal. Call it from a thread (``asyncio.to_thread``): a fold takes its time.

    A ``game_id`` that is not there raises ``KeyError``.
    """

    def games(self, *, limit: int = 100, offset: int = 0) -> tuple[GameSummary, ...]:
        """The newest games first."""
        ...

    def pgn(self, game_id: str) -> str:
        """The game's PGN, final moves only, with clock times; as it stands now where it is running."""
        ...

    def trace(self, game_id: str) -> str:
        """The game as a ``.trace`` that a stranger can replay."""
        ...

    def journal(self, game_id: str) -> str:
        """The game's rows as JSON lines: sequence number, times, event, decisions, hash."""
        ...

    def report(self, game_id: str, lang: str = "en") -> str:
        """The arbiter's printable page in a language: HTML complete in itself, no scripts, no outside links."""
        ...


class Desk(Protocol):
    """What the running board offers to its peers."""

    @property
    def board(self) -> Board:
        """The board behind the port; the simulated one (`hal.simulated`) has hands to drive it in real time."""
        ...

    @property
    def archive(self) -> Archive:
        """The games in the journal."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """The configuration as read: sections of keys, such as ``settings["web"]["port"]``."""
        ...

    def now_ns(self) -> int:
        """The board's clock: monotonic, the one that all ``at_ns`` are stamped with, running on over restarts."""
        ...

    def latest(self) -> Published:
        """The newest durable step; there always is one, since a game begins before peers are started."""
        ...

    def post(self, command: Command | LeverMoved) -> None:
        """Enter what a person did; its ``at_ns`` is replaced by the time now. May be called from any thread.

        A press of the clock is one of these where the board has no lever for it. The answer comes as a published step,
        some 65 ms and one disk commit later.
        """
        ...

    def new_game(self, request: NewGame) -> None:
        """Ends the running game as it stands (abandoned where it has no result) and sets up another.

        ``ValueError`` with a sentence for the user if the request is not a game that can be set up.
        """
        ...

    def end_of_life(self) -> bool:
        """Whether the board is shutting down: a page tells its watchers to come back later."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game to set up. Empty fields take the configuration's values."""

    fen: str = ""
    """Empty for the usual array."""
    chess960: bool = False
    chess960_number: int | None = None
    """0..959 in the customary numbering; needs ``chess960``."""
    history: tuple[str, ...] = ()
    control: str | None = None
    """A time control of the contract, ``none``, or None for the configured one."""
    profile: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the event that differ from the configured ones."""


class Peer(Protocol):
    """Something that stands beside the board. It may be slow or die; the game does not notice."""

    async def start(self, desk: Desk) -> None:
        """Begin to serve; an ``OSError`` kin, such as a port in use, ends ``play`` with one clear line."""
        ...

    def published(self, step: Published) -> None:
        """A durable step. Must return at once: keep it in a queue of your own. An exception here is logged."""
        ...

    def hinted(self, hint: LiftHinted | Blipped) -> None:
        """A reed opened and nothing is decided yet: lamps and cursors may follow it, nothing else."""
        ...

    async def stop(self) -> None:
        """Stop serving; called once, within the two seconds that a service has to end."""
        ...
