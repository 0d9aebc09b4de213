"""The games in the journal as others want them: a list, PGN, a trace, rows, the arbiter's page.

Nothing is kept twice: each export folds the game's rows once more, in whatever thread asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from board_firmware.core.events import Decision, Event, GameStarted, Tick
from board_firmware.core.session import Session
from board_firmware.journal import reader, trace_text
from board_firmware.journal.codec import decisions_text, event_of, line_of
from board_firmware.journal.reader import JournalGame
from board_firmware.journal.recovery import Core, Folded, NewCore, fold
from board_firmware.journal.report import Report
from board_firmware.journal.schema import Row
from board_firmware.peers import GameSummary
from board_firmware.scoresheet import Scoresheet
from rules import START_FEN

_UNSCORED = frozenset({"touched", "move_seen", "move_made", "clock_pressed", "clock_started", "analysis_wanted"})
"""Decisions after which the score is what it was: a view costs more than all else of a fold."""


def date_of(game: JournalGame) -> str:
    """``YYYY-MM-DD`` when the game began, by the board's own zone; empty where the clock was not trusted."""
    if not game.trusted:
        return ""
    return datetime.fromtimestamp(game.wall_ms / 1000, UTC).astimezone().date().isoformat()


class JournalArchive:
    """All games of one journal; implements `peers.Archive`."""

    def __init__(
        self,
        path: Path,
        new_core: NewCore,
        *,
        running: Callable[[], str] = lambda: "",
        exported: Callable[[str], None] = lambda game_id: None,
    ) -> None:
        """``running`` names the game on the board now; ``exported`` is told the id of each game that is taken out."""
        self._path = path
        self._new_core = new_core
        self._running = running
        self._exported = exported

    def games(self, *, limit: int = 100, offset: int = 0) -> tuple[GameSummary, ...]:
        """The newest games first."""
        running = self._running()
        with reader.reading(self._path) as connection:
            found = reader.games(connection, limit=limit, offset=offset)
        return tuple(
            GameSummary(
                game_id=game.game_id, white=game.white, black=game.black, event=game.event, round=game.round,
                date=date_of(game), result=game.result, termination=game.termination, plies=game.plies,
                running=game.game_id == running, exported=game.exported, fen="" if game.fen == START_FEN else game.fen,
            )
            for game in found
        )  # fmt: skip

    def pgn(self, game_id: str) -> str:
        """The game's PGN; ``KeyError`` if there is no such game."""
        folded, sheet = self._score(*self._rows(game_id))
        self._exported(folded.game.game_id)
        return sheet.pgn()

    def trace(self, game_id: str) -> str:
        """The game as a trace; ``KeyError`` if there is no such game."""
        events: list[Event] = []
        game, rows = self._rows(game_id)
        fold(game, rows, self._new_core, lambda event, decisions, core: events.append(event))
        self._exported(game_id)
        return trace_text.write(events)

    def journal(self, game_id: str) -> str:
        """The game's rows as JSON lines; ``KeyError`` if there is no such game."""
        _, rows = self._rows(game_id)
        self._exported(game_id)
        return "".join(f"{line_of(row)}\n" for row in rows)

    def report(self, game_id: str, lang: str = "en") -> str:
        """The arbiter's page in a language; ``KeyError`` if there is no such game."""
        game, rows = self._rows(game_id)
        with reader.reading(self._path) as connection:
            broken = tuple(seq for seq in reader.broken_links(connection, game.first_seq) if seq <= rows[-1].seq)
        page = Report(game, rows, date=date_of(game), broken=broken, lang=lang)
        folded = fold(game, rows, self._new_core, page.watch)
        return page.html(folded)

    def _rows(self, game_id: str) -> tuple[JournalGame, tuple[Row, ...]]:
        with reader.reading(self._path) as connection:
            game = reader.game_by_id(connection, game_id)
            return game, reader.rows_of(connection, game)

    def _score(self, game: JournalGame, rows: tuple[Row, ...]) -> tuple[Folded, Scoresheet]:
        return score(game, rows, self._new_core)


def newest_steps(
    path: Path,
    game_id: str | None = None,
    until_s: float | None = None,
    doubt: Callable[[str], None] = lambda sentence: None,
) -> Iterator[tuple[Event, tuple[Decision, ...], Session]]:
    """Folds the newest game of a journal, or the one named, and yields each step; ``KeyError`` if there is none.

    ``until_s`` ends it with a `Tick` so many seconds after the game's start. ``doubt`` is told, in sentences, where the
    rows' chain does not hold, rows are lost, or a decision comes out otherwise than it was kept.
    """
    with reader.reading(path) as connection:
        newest = reader.games(connection, limit=1) if game_id is None else (reader.game_by_id(connection, game_id),)
        if not newest:
            raise KeyError("the journal holds no game yet")
        rows = reader.rows_of(connection, newest[0])
        broken = [seq for seq in reader.broken_links(connection, newest[0].first_seq) if rows and seq <= rows[-1].seq]
    if broken:
        doubt(
            f"row {broken[0]} is missing or not as it was written"
            + (f", and {len(broken) - 1} more" * (len(broken) > 1))
        )
    session = Session()
    expected = rows[0].seq if rows else 0
    agreed = True
    for row in rows:
        if row.seq > expected and expected not in broken:
            doubt(f"rows {expected} to {row.seq - 1} are lost")
        expected = row.seq + 1
        event = event_of(row)
        if until_s is not None and row.at_ns - rows[0].at_ns > until_s * 1e9:
            tick = Tick(at_ns=rows[0].at_ns + round(until_s * 1e9))
            yield tick, session.receive(tick), session
            return
        if isinstance(event, GameStarted):
            session = Session()
        decisions = session.receive(event)
        if agreed and decisions_text(decisions) != row.decisions:
            agreed = False
            doubt(f"row {row.seq} is decided otherwise by this version of the program than it was kept")
        yield event, decisions, session


def score(game: JournalGame, rows: tuple[Row, ...], new_core: NewCore) -> tuple[Folded, Scoresheet]:
    """The game brought back, and its scoresheet as it stands."""
    sheet: Scoresheet | None = None

    def watch(event: Event, decisions: tuple[Decision, ...], core: Core) -> None:
        nonlocal sheet
        if sheet is None:
            sheet = Scoresheet(event, date_of(game), game.game_id)  # type: ignore[arg-type]  # fold begins with it
        if not all(decision.kind in _UNSCORED for decision in decisions):
            sheet.update(core.view(), event.at_ns)

    folded = fold(game, rows, new_core, watch)
    if sheet is None:
        raise ValueError(f"game {game.game_id}: nothing of it is left")
    return folded, sheet
