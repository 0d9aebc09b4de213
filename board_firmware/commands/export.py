"""``touchmove export``: takes a game, finished or running, out of the journal, in four forms."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from board_firmware import config as configuration
from board_firmware import streams
from board_firmware.complaint import Complaint, said
from board_firmware.core.session import Session
from board_firmware.files import refuse_as_output
from board_firmware.journal.archive import JournalArchive
from board_firmware.journal.schema import JournalError
from board_firmware.messages import LANGUAGES

KINDS = ("pgn", "trace", "journal", "report")


def run(kind: str, *, game: str | None, config: Path | None = None, lang: str | None = None) -> int:
    """Writes the game to standard output; returns the exit code. ``game`` is an id, or None for the newest.

    ``lang`` is the language of a report, or None for the configuration's. The game is marked as taken out, so that
    retention may remove it one day, only when all of it has been written.
    """
    taken: list[str] = []
    try:
        found = configuration.find(config)
        lang = lang or str(found["game"]["lang"])
        journal = configuration.journal_path(found)
        refuse_as_output(journal)
        text = export(kind, game, journal, lang if lang in LANGUAGES else "en", taken.append)
    except (OSError, ValueError) as error:
        raise Complaint(said(error)) from None
    except KeyError:
        raise Complaint(f"there is no game {game!r} in {journal}") from None
    sys.stdout.write(text)
    streams.flush()
    for game_id in taken:
        _mark(journal, game_id)
    return 0


def export(
    kind: str, game: str | None, journal: Path, lang: str = "en", taken: Callable[[str], None] = lambda game_id: None
) -> str:
    """The text of a game in one of `KINDS`; ``KeyError`` for no such game, `JournalError` for no such journal.

    ``taken`` is told the game's id if its text is one that a game may be removed for.
    """
    archive = JournalArchive(journal, Session, exported=taken)
    if game is None:
        newest = archive.games(limit=1)
        if not newest:
            raise JournalError(str(journal), "empty", "holds no game yet")
        game = newest[0].game_id
    if kind == "report":
        return archive.report(game, lang)
    text: str = getattr(archive, kind)(game)
    return text


def _mark(journal: Path, game_id: str) -> None:
    """Notes in the file that the game was taken out; one that cannot be written, or is damaged, was read all the same."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(journal, timeout=5, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET exported = 1 WHERE game_id = ?", (game_id,))
