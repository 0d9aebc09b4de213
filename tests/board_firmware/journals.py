"""Journals for tests: filled rows, and a database connection that can be made to refuse."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from board_firmware.journal.journal import Boot, Journal

BOOT = Boot(machine_boot="test", offset_ns=0, pid=1, program="tests")
WALL = (1_800_000_000_000, True)
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
