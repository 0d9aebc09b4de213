"""Journals for tests: filled rows, games played into one, and a database connection that can be made to refuse."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from board_firmware.core.events import GameStarted, LiftHinted, Tick
from board_firmware.core.session import Session
from board_firmware.hands.game import Circumstances, Score, SimulatedGame
from board_firmware.hands.styles import HUMAN
from board_firmware.journal import reader, recovery
from board_firmware.journal.codec import decisions_text, event_text
from board_firmware.journal.journal import PAGE_BYTES, Boot, Journal
from hal.simulated import SimulatedBoard
from rules import Position

BOOT = Boot(machine_boot="test", offset_ns=0, pid=1, program="tests")
WALL = (1_800_000_000_000, True)
CONTROL = "40/5400+30:1800+30"
EVENT = '{"event":"SquareChanged","square":12,"occupied":false}'
DECISIONS = '[{"at_s":1.0,"kind":"touched","square":"e2"}]'


def opened(path: Path, **keywords) -> Journal:
    """A journal whose writer runs; what it reports is in ``journal.safe`` and ``journal.refusals``."""
    journal = Journal(path, **keywords)
    journal.safe, journal.refusals = [], []
    journal.report_to(journal.safe.append, journal.refusals.append)
    journal.start(BOOT, WALL)
    return journal


def add_rows(journal: Journal, count: int) -> None:
    """So many rows of the newest game."""
    for _ in range(count):
        journal.append((journal.seq + 1) * 1_000_000, WALL, EVENT, DECISIONS)


def add_game(journal: Journal, rows: int, *, result: str = "*", exported: bool = False) -> str:
    """A game of so many rows."""
    game_id = f"game-{journal.game + 1}"
    journal.begin_game(game_id, WALL, white="Anna", black="Bela", event="Test", round="1", fen="startfen")
    add_rows(journal, rows)
    journal.score(result=result, termination=None if result == "*" else "resignation", plies=rows // 4)
    if exported:
        journal.mark_exported(game_id)
    return game_id


def filled(path: Path, *games: int) -> Path:
    """A journal file, closed cleanly, with games of so many rows."""
    journal = opened(path)
    for rows in games:
        add_game(journal, rows)
    assert journal.flush(10)
    assert journal.close() == 0
    return path


class Refusing:
    """A connection that refuses statements while ``refuse`` says so (called with each statement's text)."""

    def __init__(self, path: Path, refuse) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._refuse = refuse

    def execute(self, sql, parameters=()):
        """The statement, or the refusal."""
        error = self._refuse(sql)
        if error is not None:
            raise error
        return self._connection.execute(sql, parameters)

    def executescript(self, sql):
        """Several statements."""
        return self._connection.executescript(sql)

    def close(self):
        """Give the file back."""
        self._connection.close()


class Journalled:
    """A session whose every step goes into a journal, as the loop does it."""

    def __init__(self, journal: Journal) -> None:
        self.session = Session()
        self._journal = journal

    def receive(self, event):
        """One step of the core."""
        decisions = self.session.receive(event)
        if isinstance(event, GameStarted):
            tags = event.tags
            self._journal.begin_game(
                f"g{self._journal.game + 1}",
                WALL,
                white=tags.get("White", ""),
                black=tags.get("Black", ""),
                fen=event.fen,
            )
        if not isinstance(event, LiftHinted) and (decisions or not isinstance(event, Tick)):
            self._journal.append(event.at_ns, WALL, event_text(event), decisions_text(decisions))
        return decisions

    def view(self):
        """What holds."""
        return self.session.view()

    def deadline_ns(self):
        """When a tick is wanted."""
        return self.session.deadline_ns()


def journalled(path, games, style=HUMAN, grown=None):
    """A journal with these games played by simulated hands; the moves that the board recorded, by game.

    ``grown`` is a list that takes by how many bytes the file grew with each game.
    """
    journal = opened(path)
    recorded = []
    for number, game in enumerate(games):
        core = Journalled(journal)
        SimulatedGame(
            Score(start=Position.start(), moves=game.moves, result=game.result, tags=dict(game.tags)),
            Circumstances(style=style, control=CONTROL), board=SimulatedBoard(seed=number), new_core=lambda core=core: core,
            seed=f"game {number}",
        ).play()  # fmt: skip
        state = core.session.state()
        journal.score(result=state["result"] or "*", termination=state["termination"], plies=len(state["moves"]))
        recorded.append(state["moves"])
        if grown is not None:
            assert journal.flush(60)
            before = sum(grown)
            grown.append(pages_of(journal) * PAGE_BYTES - before)
    assert journal.flush(60)
    assert journal.close() == 0
    return recorded


def pages_of(journal):
    """How many pages the file has, those in the log included; asked while the writer has nothing to do."""
    return journal._connection.execute("PRAGMA page_count").fetchone()[0]


def folded(path):
    """Every game of a journal, folded."""
    with reader.reading(path) as connection:
        for game in reversed(reader.games(connection)):
            yield game, recovery.fold(game, reader.rows_of(connection, game), Session)
