"""The game comes back: a fold over its rows in the journal, the same as a replay.

Nothing is stored but events, so there is no saved state that could disagree with them. The decisions kept beside them
are compared on the way: a difference means another version of the program or a damaged row, and is said.

The clock's rule: it stands where it stood at the last durable instant, which is the newest row or the newest sign of
life (`Journal.is_alive`), whichever is later; what passed until the power went is given back to the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from board_firmware.core.events import Decision, Event, GameStarted, View
from board_firmware.journal.codec import decisions_text, event_of
from board_firmware.journal.journal import Journal
from board_firmware.journal.reader import JournalGame
from board_firmware.journal.schema import Row


class Core(Protocol):
    """One game as the runtime drives it: what `session.Session` does, or a test's stand-in."""

    def receive(self, event: Event, /) -> tuple[Decision, ...]:
        """What follows from an event."""
        ...

    def view(self) -> View:
        """What holds now."""
        ...

    def deadline_ns(self) -> int | None:
        """When the core wants a `Tick` if nothing happens."""
        ...


NewCore = Callable[[], Core]
Watcher = Callable[[Event, tuple[Decision, ...], Core], None]
"""Is told each step of a fold; may ask the core for its view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A game brought back."""

    core: Core
    game: JournalGame
    started: GameStarted
    at_ns: int
    """The last instant that the rows reach."""
    rows: int
    differing: tuple[int, ...]
    """Numbers of rows whose decisions came out otherwise than they were kept."""
    missing: tuple[int, ...]
    """Numbers of rows between the first and the last that are not there: after them nothing is certain."""


def fold(
    game: JournalGame, rows: Iterable[Row], new_core: NewCore, watch: Watcher | None = None, until: int | None = None
) -> Folded:
    """The game as its rows make it, up to and with row ``until``; ``ValueError`` where they do not begin a game."""
    core: Core | None = None
    started = None
    at_ns = count = 0
    differing = []
    missing: list[int] = []
    expected = None
    for row in rows:
        if until is not None and row.seq > until:
            break
        missing += range(row.seq if expected is None else expected, row.seq)
        expected = row.seq + 1
        event = event_of(row)
        if isinstance(event, GameStarted):
            core, started = new_core(), event
        if core is None:
            raise ValueError(f"game {game.game_id}: row {row.seq} comes before the game begins; its start is lost")
        decisions = core.receive(event)
        if decisions_text(decisions) != row.decisions:
            differing.append(row.seq)
        at_ns = row.at_ns
        count += 1
        if watch is not None:
            watch(event, decisions, core)
    if core is None or started is None:
        raise ValueError(f"game {game.game_id}: nothing of it is left")
    return Folded(
        core=core,
        game=game,
        started=started,
        at_ns=at_ns,
        rows=count,
        differing=tuple(differing),
        missing=tuple(missing),
    )


def last_unfinished(journal: Journal) -> tuple[JournalGame, tuple[Row, ...]] | None:
    """The newest game with its rows if it has no result yet; None if it has, or there is none."""
    game = journal.newest_game()
    if game is None or game.result != "*" or game.termination is not None:
        return None
    rows = journal.rows_of(game)
    return (game, rows) if rows else None
