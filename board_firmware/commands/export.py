"""``touchmove export``: takes a game, finished or running, out of the journal, in four forms."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from board_firmware import config as configuration
from board_firmware.core.session import Session
from board_firmware.journal.archive import JournalArchive
from board_firmware.journal.schema import JournalError
from board_firmware.messages import LANGUAGES

KINDS = ("pgn", "trace", "journal", "report")


def run(kind: str, *, game: str | None, config: Path | None = None, lang: str | None = None) -> int:
    """Writes the game to standard output; returns the exit code. ``game`` is an id, or None for the newest.

    ``lang`` is the language of a report, or None for the configuration's.
    """
    try:
        found = configuration.find(config)
        lang = lang or str(found["game"]["lang"])
        text = export(kind, game, configuration.journal_path(found), lang if lang in LANGUAGES else "en")
    except (OSError, ValueError) as error:
        print(f"touchmove export: {error}", file=sys.stderr)
        return 2
    except KeyError:
        print(f"touchmove export: there is no game {game!r} in the journal", file=sys.stderr)
        return 2
    sys.stdout.write(text)
    return 0


def export(kind: str, game: str | None, journal: Path, lang: str = "en") -> str:
    """The text of a game in one of `KINDS`; ``KeyError`` for no such game, `JournalError` for no such journal."""
    archive = JournalArchive(journal, Session, exported=lambda game_id: _mark(journal, game_id))
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
    """Notes in the file that the game was taken out; a file that cannot be written is read all the same."""
    connection = sqlite3.connect(journal, timeout=5, isolation_level=None)
    try:
        connection.execute("UPDATE games SET exported = 1 WHERE game_id = ?", (game_id,))
    except sqlite3.OperationalError:
        pass
    finally:
        connection.close()
