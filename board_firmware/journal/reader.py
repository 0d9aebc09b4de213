"""Reading a journal: the list of games, one game's rows, and whether the chain holds.

Each call opens its own connection and closes it, so that any thread, and any other process, may read while the board
plays. Nothing here writes into the journal or beside it: where SQLite cannot put the index of its write-ahead log beside
a file, because folder or disk are read-only, the file is read as it lies there.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from board_firmware.journal.schema import APPLICATION_ID, FIRST_CHAIN, VERSION, Connection, JournalError, Row

_GAME_COLUMNS = (
    "game, game_id, first_seq, wall_ms, trusted, white, black, event, round, fen, result, termination, plies, exported"
)
_ROW_COLUMNS = "seq, boot, game, at_ns, wall_ms, trusted, event, decisions, chain"


ROOM_BYTES = 64 << 10
"""With less room than this on the disk, an error of input and output means that it is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalGame:
    """A line of the table of games. ``result`` is ``*`` while it is unfinished."""

    game: int
    game_id: str
    first_seq: int
    wall_ms: int
    trusted: bool
    white: str
    black: str
    event: str
    round: str
    fen: str
    result: str
    termination: str | None
    plies: int
    exported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Row numbers that are not in the file any more, and why: ``retention``, ``lost`` or ``damaged``."""

    first_seq: int
    last_seq: int
    chain: bytes | None
    why: str


def games(connection: Connection, *, limit: int = -1, offset: int = 0) -> tuple[JournalGame, ...]:
    """The games, the newest first."""
    found = connection.execute(
        f"SELECT {_GAME_COLUMNS} FROM games ORDER BY game DESC LIMIT ? OFFSET ?", (limit, offset)
    )
    return tuple(_game(record) for record in found)


def game_by_id(connection: Connection, game_id: str) -> JournalGame:
    """The game of that id; ``KeyError`` where there is none."""
    record = connection.execute(f"SELECT {_GAME_COLUMNS} FROM games WHERE game_id = ?", (game_id,)).fetchone()
    if record is None:
        raise KeyError(game_id)
    return _game(record)


def _game(record: tuple[object, ...]) -> JournalGame:
    values = dict(zip(_GAME_COLUMNS.split(", "), record, strict=True))
    values["trusted"] = bool(values["trusted"])
    values["exported"] = bool(values["exported"])
    return JournalGame(**values)  # type: ignore[arg-type]


def rows_of(connection: Connection, game: JournalGame) -> tuple[Row, ...]:
    """A game's rows in order: those from its first number up to the next game's."""
    following = connection.execute(
        "SELECT first_seq FROM games WHERE game > ? ORDER BY game LIMIT 1", (game.game,)
    ).fetchone()
    last = following[0] - 1 if following else 2**62
    found = connection.execute(
        f"SELECT {_ROW_COLUMNS} FROM rows WHERE seq BETWEEN ? AND ? ORDER BY seq", (game.first_seq, last)
    )
    return tuple(map(_row, found))


def _row(record: tuple[Any, ...]) -> Row:
    """The row of a record. What damage made unreadable keeps its number and says nothing, so that it breaks the chain."""
    try:
        return Row.of(record)
    except ValueError:
        return Row(seq=record[0], boot=0, game=0, at_ns=0, wall_ms=0, trusted=False, event="", decisions="")


def gaps(connection: Connection) -> tuple[Gap, ...]:
    """What is missing, by number."""
    found = connection.execute("SELECT first_seq, last_seq, chain, why FROM gaps ORDER BY first_seq")
    return tuple(Gap(first_seq=first, last_seq=last, chain=chain, why=why) for first, last, chain, why in found)


def chain_before(connection: Connection, seq: int) -> bytes | None:
    """The hash that row ``seq`` goes on from; None where damage took it."""
    if seq <= 1:
        return FIRST_CHAIN
    row = connection.execute("SELECT chain FROM rows WHERE seq = ?", (seq - 1,)).fetchone()
    if row is None:
        row = connection.execute("SELECT chain FROM gaps WHERE last_seq = ?", (seq - 1,)).fetchone()
    return None if row is None else row[0]


def broken_links(connection: Connection, first_seq: int = 1) -> Iterator[int]:
    """The numbers of rows from ``first_seq`` on that are missing unannounced or whose hash is wrong."""
    missing = gaps(connection)
    before = chain_before(connection, first_seq)
    expected = first_seq
    for record in connection.execute(f"SELECT {_ROW_COLUMNS} FROM rows WHERE seq >= ? ORDER BY seq", (first_seq,)):
        row = _row(record)
        while expected < row.seq:
            gap = next((gap for gap in missing if gap.first_seq <= expected <= gap.last_seq), None)
            if gap is None:
                yield expected
                expected, before = row.seq, None
            else:
                expected, before = gap.last_seq + 1, gap.chain
        if before is not None and not row.continues(before):
            yield row.seq
        before, expected = row.chain or None, row.seq + 1


def lenient(content: bytes) -> str:
    """Text of a row whatever its bytes: a turned one must show as a broken chain, not as an error of the database."""
    return content.decode(errors="replace")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write; `JournalError` for what is no journal of this version or an older one."""
    connection = None
    aside = contextlib.ExitStack()
    try:
        if not path.is_file():
            raise JournalError(str(path), "unreadable", "no such file" if not path.exists() else "is not a file")
        connection = _connected(path, "mode=ro")
        try:
            connection.execute("PRAGMA application_id").fetchone()
        except sqlite3.OperationalError as error:
            if reworded(path, error).reason != "read_only":
                raise
            connection.close()
            connection = _untouched(path, aside)
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if owner != APPLICATION_ID:
            raise JournalError(str(path), "foreign", "is not a journal")
        if version > VERSION:
            raise JournalError(
                str(path), "newer", f"has journal version {version}, this touchmove reads those up to {VERSION}"
            )
        yield connection
    except sqlite3.DatabaseError as error:
        trouble = reworded(path, error)
        if trouble.reason == "damaged":
            advice = f"{trouble.sentence}; if it was a journal, touchmove play saves what can be read of it"
            trouble = JournalError(trouble.path, trouble.reason, advice)
        raise trouble from error
    finally:
        if connection is not None:
            connection.close()
        aside.close()


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=5, isolation_level=None)
    connection.text_factory = lenient
    return connection


def _untouched(path: Path, aside: contextlib.ExitStack) -> sqlite3.Connection:
    """A connection to a file beside which nothing can be written, and which therefore no board writes.

    Rows that a power cut left in the write-ahead log are in no other place: then both are read from a copy.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.is_file() or not log.stat().st_size:
        return _connected(path, "mode=ro&immutable=1")
    copy = Path(aside.enter_context(tempfile.TemporaryDirectory(prefix="touchmove-"))) / path.name
    shutil.copyfile(path, copy)
    shutil.copyfile(log, copy.with_name(log.name))
    return _connected(copy, "mode=ro")


def reworded(path: Path, error: Exception) -> JournalError:
    """SQLite's or the system's trouble with a file in one clear sentence."""
    if isinstance(error, JournalError):
        return error
    name = getattr(error, "sqlite_errorname", "") or ""
    text = str(error)
    number = getattr(error, "errno", None)
    full = name.startswith("SQLITE_IOERR") and _room(path) < ROOM_BYTES  # of the log's index SQLite only says so
    if full or name.startswith("SQLITE_FULL") or "disk is full" in text or number == 28:
        return JournalError(str(path), "full", "the disk is full; make room, nothing written is lost")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or "locked" in text:
        return JournalError(str(path), "locked", "another program holds the file")
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")) or number in (1, 13, 30):
        return JournalError(str(path), "read_only", f"cannot be written here ({text})")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "malformed" in text or "not a database" in text:
        return JournalError(str(path), "damaged", f"the file is damaged ({text})")
    if number == 21:
        return JournalError(str(getattr(error, "filename", path)), "unreadable", "is a folder where a file is wanted")
    return JournalError(str(path), "unreadable", f"the disk does not answer as it should ({text})")


def _room(path: Path) -> int:
    """Bytes that are free where the file lies."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return ROOM_BYTES
