"""The journal: every event with what was decided on it, durable before anyone acts, written by a thread of its own.

The loop numbers and chains a row and goes on; the writer commits all that waits in one transaction and reports the
last number that is safe. A disk that refuses is said once, the rows stay in memory in their order and are tried again,
so nothing is lost that the disk can still take. Opening checks the newest game and the head kept beside the file, and
says what is missing.

Source: sqlite.org/pragma.html, ``synchronous=FULL`` in WAL mode: a commit survives the loss of power.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from board_firmware.journal import reader, salvage
from board_firmware.journal.head import Head, HeadFile, head_path, read_head
from board_firmware.journal.schema import FIRST_CHAIN, Connection, JournalError, Row, migrate

RETRY_S = 1.0
"""How long a refused write waits before it is tried again; seconds. Less wears a failing card, more holds decisions."""

PAGE_BYTES = 2048
"""A row is one page for the disk to write and perhaps to lose; less than this leaves too much of each page unused."""

LOG_BYTES = 4 << 20
"""To what the write-ahead log is cut back; more is only space, less is written anew more often."""

REMOVED_AT_ONCE = 20
"""Games that retention takes out with one commit; more would hold up the rows that wait behind it."""

CHECKED_BYTES = 8 << 20
"""Up to this size every page is looked at when the file is opened; beyond it only those of the newest game."""

Connect = Callable[[Path], Connection]


def connect(path: Path) -> Connection:
    """SQLite as the journal wants it; the writer thread and the opener share the connection, one after the other."""
    connection = sqlite3.connect(path, timeout=2, isolation_level=None, check_same_thread=False)
    connection.text_factory = reader.lenient
    return connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """Who writes: one run of the program. ``offset_ns`` is added to the machine's monotonic clock."""

    machine_boot: str
    offset_ns: int
    pid: int
    program: str
    board: str = ""


@dataclass(frozen=True, slots=True)
class _Write:
    sql: str
    """A statement; empty for the removal of old games."""
    parameters: tuple[Any, ...] = ()
    row: Row | None = None
    """The row to be inserted; packed by the writer, so that the loop need not wait for it."""


class Journal:
    """An open journal. One process has it at a time (`instance_lock`); all methods are for one thread, the loop's."""

    def __init__(self, path: Path, *, connect: Connect = connect, retry_s: float = RETRY_S) -> None:
        """Opens, creates, migrates or salvages the file; `JournalError` says in a sentence why it cannot."""
        self.path = path
        self.findings: tuple[str, ...] = ()
        """What was found wrong at opening, in sentences; empty for a sound file."""
        self._connect = connect
        self._retry_s = retry_s
        self._durable: Callable[[int], None] = lambda seq: None
        self._failed: Callable[[JournalError | None], None] = lambda error: None
        self._queue: deque[_Write] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.failure: JournalError | None = None
        """The disk's refusal while it lasts."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
            self._head_file = HeadFile(head_path(path))
        except (sqlite3.Error, OSError) as error:
            raise reader.reworded(path, error) from error

    # -- opening ----------------------------------------------------------------------------------------------------

    def _open(self) -> Connection:
        kept = salvage.finish(self.path)
        if kept is not None:
            self.findings = (
                f"the journal was damaged and is kept as {kept.name}; what was saved of it is in its place",
            )
        try:
            return self._open_sound()
        except sqlite3.DatabaseError as error:
            if reader.reworded(self.path, error).reason != "damaged":
                raise
        aside, saved = salvage.rebuild(self.path, read_head(head_path(self.path)))
        connection = self._open_sound()
        self.findings = (f"the journal was damaged and is kept as {aside.name}; {saved}", *self.findings)
        return connection

    def _open_sound(self) -> Connection:
        if salvage.is_cut_short(self.path):
            raise sqlite3.DatabaseError("database disk image is malformed: shorter than its own header says")
        connection = self._connect(self.path)
        try:
            _configure(connection)
            migrate(connection, str(self.path))
            connection.execute("BEGIN IMMEDIATE")  # a file that cannot be written, or is held, is said now, not later
            connection.execute("DELETE FROM alive WHERE one = 0")
            connection.execute("ROLLBACK")
            self._take_stock(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _take_stock(self, connection: Connection) -> None:
        """Compares the file with its head and checks the newest game's chain; sets the number to go on from."""
        findings = []
        size = self.path.stat().st_size
        if size <= CHECKED_BYTES and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("database disk image is malformed: a page is not what it should be")
        self.boot = int(connection.execute("SELECT coalesce(max(boot), 0) + 1 FROM boots").fetchone()[0])
        connection.execute("SELECT * FROM alive").fetchone()
        last = connection.execute("SELECT seq, chain FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
        gap = connection.execute("SELECT last_seq, chain FROM gaps ORDER BY last_seq DESC LIMIT 1").fetchone()
        seq, chain = max((end for end in (last, gap) if end), key=lambda end: int(end[0]), default=(0, FIRST_CHAIN))
        newest = reader.games(connection, limit=1)
        if newest:
            broken = list(reader.broken_links(connection, newest[0].first_seq))
            if any(row.event == "" for row in reader.rows_of(connection, newest[0])):
                raise sqlite3.DatabaseError("database disk image is malformed: a row of the newest game cannot be read")
            if broken:
                findings.append(
                    f"row {broken[0]} of game {newest[0].game_id} is missing or not as it was written"
                    + (f", and {len(broken) - 1} more" if broken[1:] else "")
                )
        head = read_head(head_path(self.path))
        if head is not None and head.seq > seq:
            lost = head.seq - seq
            findings.append(f"the last {lost} row{'s' if lost > 1 else ''} written ({seq + 1} to {head.seq}) are lost")
            connection.execute("INSERT INTO gaps VALUES (?, ?, ?, 'lost', 0)", (seq + 1, head.seq, head.chain))
            seq, chain = head.seq, head.chain
        elif head is not None and head.seq == seq and chain is not None and head.chain != chain:
            findings.append(f"row {seq} is not the one whose hash was kept beside the journal")
        self.seq = int(seq)
        """The newest row's number; the next one is one higher."""
        self._chain = chain or FIRST_CHAIN
        self.game = newest[0].game if newest else 0
        """The newest game's number in the file."""
        self._rows = int(connection.execute("SELECT max(seq) FROM rows").fetchone()[0] or 0) - sum(
            gap.last_seq - gap.first_seq + 1 for gap in reader.gaps(connection)
        )
        self.findings += tuple(findings)

    # -- reading, before the writer starts ---------------------------------------------------------------------------

    def newest_game(self) -> reader.JournalGame | None:
        """The game that was begun last."""
        found = reader.games(self._connection, limit=1)
        return found[0] if found else None

    def rows_of(self, game: reader.JournalGame) -> tuple[Row, ...]:
        """That game's rows in order."""
        return reader.rows_of(self._connection, game)

    def last_alive(self) -> tuple[int, int] | None:
        """The newest sign of life: ``at_ns`` and wall clock in milliseconds; None where there was none yet."""
        found = self._connection.execute("SELECT at_ns, wall_ms FROM alive").fetchone()
        return None if found is None else (int(found[0]), int(found[1]))

    # -- writing -----------------------------------------------------------------------------------------------------

    def report_to(self, durable: Callable[[int], None], failed: Callable[[JournalError | None], None]) -> None:
        """Whom the writer's thread tells: ``durable(seq)`` when all rows up to ``seq`` are safe, ``failed(error)`` when
        the disk refuses, ``failed(None)`` when it takes writes again. To be set before `start`.
        """
        self._durable, self._failed = durable, failed

    def start(self, boot: Boot, wall: tuple[int, bool]) -> None:
        """Starts the writer; ``boot`` is who writes from now on, ``wall`` milliseconds since 1970 and their trust."""
        self._put(
            "INSERT OR IGNORE INTO boots VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self.boot, boot.machine_boot, wall[0], int(wall[1]), boot.offset_ns, boot.pid, boot.program, boot.board),
        )
        self._thread = threading.Thread(target=self._write_forever, name="journal", daemon=True)
        self._thread.start()

    def begin_game(
        self, game_id: str, wall: tuple[int, bool], *,
        white: str = "", black: str = "", event: str = "", round: str = "", fen: str = "",
    ) -> int:  # fmt: skip
        """Announces a game whose first row follows; returns its number in the file."""
        self.game += 1
        self._put(
            "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '*', NULL, 0, 0)",
            (self.game, game_id, self.seq + 1, wall[0], int(wall[1]), white, black, event, round, fen),
        )
        return self.game

    def append(self, at_ns: int, wall: tuple[int, bool], event: str, decisions: str) -> int:
        """Adds a row to the newest game; returns its number at once, long before it is durable."""
        row = Row(
            seq=self.seq + 1, boot=self.boot, game=self.game, at_ns=at_ns, wall_ms=wall[0], trusted=wall[1],
            event=event, decisions=decisions,
        ).linked(self._chain)  # fmt: skip
        self._put("INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row=row)
        self.seq, self._chain = row.seq, row.chain
        return row.seq

    def score(self, *, result: str, termination: str | None, plies: int) -> None:
        """Keeps the newest game's result and length for the list of games."""
        self._put(
            "UPDATE games SET result = ?, termination = ?, plies = ? WHERE game = ?",
            (result, termination, plies, self.game),
        )

    def mark_exported(self, game_id: str) -> None:
        """Notes that a game has been taken out: retention may remove it once it is old."""
        self._put("UPDATE games SET exported = 1 WHERE game_id = ?", (game_id,))

    def is_alive(self, at_ns: int, wall: tuple[int, bool]) -> None:
        """Notes that the clock has come this far, so that a restart gives back no more than one such interval."""
        self._put("INSERT OR REPLACE INTO alive VALUES (1, ?, ?)", (at_ns, wall[0]))

    def keep(self, newest_games: int) -> None:
        """Removes a few of the oldest games beyond ``newest_games`` that are finished and exported, and no others."""
        self._put("", (newest_games,))

    def flush(self, timeout_s: float) -> bool:
        """Waits until all is written; False where the disk has not taken it in that time."""
        with self._wake:
            return self._wake.wait_for(lambda: not self._queue, timeout_s)

    def close(self, timeout_s: float = 1.5) -> int:
        """Writes what waits and gives the file back; returns how many rows the disk did not take. Twice does no harm."""
        with self._wake:
            if self._stopping:
                return 0
            self._stopping = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)
        unsaved = sum(1 for write in self._queue if write.row)
        if self._thread is None or not self._thread.is_alive():
            self._connection.close()
            self._head_file.close()
        return unsaved

    def _put(self, sql: str, parameters: tuple[Any, ...] = (), row: Row | None = None) -> None:
        with self._wake:
            self._queue.append(_Write(sql, parameters, row))
            self._wake.notify_all()

    # -- the writer thread -------------------------------------------------------------------------------------------

    def _write_forever(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._queue or self._stopping)
                batch = tuple(self._queue)
                last_try = self._stopping
            if not batch:
                return
            try:
                self._commit(batch)
            except Exception as error:  # noqa: BLE001 whatever it is: a writer that dies would lose all that follows
                self._refused(reader.reworded(self.path, error))
                if last_try:
                    return
                with self._wake:
                    self._wake.wait_for(lambda: self._stopping, self._retry_s)
                continue
            rows = [write.row for write in batch if write.row]
            if self.failure is not None:
                self.failure = None
                self._failed(None)
            if rows:
                self._durable(rows[-1].seq)
                self._rows += len(rows)
                if len(self._queue) == len(batch):  # nothing waits for the disk: it may synchronise the witness too
                    self._note_head(rows[-1])
            with self._wake:
                for _ in batch:
                    self._queue.popleft()
                self._wake.notify_all()

    def _commit(self, batch: tuple[_Write, ...]) -> None:
        # Inserts ignore what is there already: a commit whose last sync failed may yet have reached the disk.
        self._connection.execute("BEGIN IMMEDIATE")
        for write in batch:
            if write.sql:
                self._connection.execute(write.sql, write.row.record() if write.row else write.parameters)
            else:
                _remove_old(self._connection, *write.parameters)
        self._connection.execute("COMMIT")

    def _refused(self, error: JournalError) -> None:
        try:
            self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._reopen()
        if self.failure is None or self.failure.reason != error.reason:
            self.failure = error
            self._failed(error)

    def _reopen(self) -> None:
        """No transaction was open, or the connection is beyond use: take a fresh one, so that no lock stays behind."""
        with contextlib.suppress(Exception):  # the next try says what is wrong
            self._connection.close()
            self._connection = self._connect(self.path)
            _configure(self._connection)

    def _note_head(self, row: Row) -> None:
        with contextlib.suppress(OSError):  # only a witness: the journal itself is durable
            self._head_file.write(Head(seq=row.seq, rows=self._rows, chain=row.chain))


def _configure(connection: Connection) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a file that is made now; others keep theirs
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").fetchone()


def _remove_old(connection: Connection, newest_games: int) -> None:
    """Takes out the oldest games that may go, a few at a time, each with a gap that the chain goes on from."""
    removable = connection.execute(
        "SELECT game, first_seq FROM games WHERE exported = 1 AND result <> '*'"
        " AND game <= (SELECT max(game) FROM games) - ? ORDER BY game LIMIT ?",
        (newest_games, REMOVED_AT_ONCE),
    ).fetchall()
    for game, first_seq in removable:
        last_seq = connection.execute("SELECT min(first_seq) - 1 FROM games WHERE game > ?", (game,)).fetchone()[0]
        chain = connection.execute("SELECT chain FROM rows WHERE seq = ?", (last_seq,)).fetchone()
        if chain is not None:  # else damage took its end, and a gap stands there already
            connection.execute("DELETE FROM rows WHERE seq BETWEEN ? AND ?", (first_seq, last_seq))
            connection.execute("DELETE FROM gaps WHERE first_seq BETWEEN ? AND ?", (first_seq, last_seq))
            before = connection.execute(  # one gap for games that lay together, or the gaps would grow without bound
                "SELECT first_seq FROM gaps WHERE last_seq = ? AND why = 'retention'", (first_seq - 1,)
            ).fetchone()
            connection.execute(
                "INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, 'retention', 0)",
                (before[0] if before else first_seq, last_seq, chain[0]),
            )
            connection.execute("DELETE FROM games WHERE game = ?", (game,))
