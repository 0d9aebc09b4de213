"""The journal's tables, how they grow from version to version, and the chain that binds its rows.

Rows are numbered without a gap over the board's whole life, and each holds the hash of itself and the row before.
What is missing on purpose (retention) or by damage is a line in ``gaps`` that keeps the hash to go on from, so the
chain can always be checked from end to end. A game's rows lie between its first number and the next game's: no index.

Version 1 wrote a row's texts as they are and hashes of 32 bytes; since version 2 they are packed (`packing`) and a hash
has 16. Rows once written are evidence and never written anew, so both kinds may stand in one file, in one chain.

Source: SQLite's file format and write-ahead log, sqlite.org/fileformat2.html and sqlite.org/wal.html.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from board_firmware.journal.packing import pack, unpack

VERSION = 2
"""Written to ``user_version``; a file with a higher one was written by a newer touchmove and is refused."""

APPLICATION_ID = 0x746D6A6E
"""``tmjn``: tells a journal from any other SQLite file."""

FIRST_CHAIN = bytes(32)
"""What the first row's hash goes on from."""

CHAIN_BYTES = 16
"""Of a SHA-256: 128 bits find any damage and leave no second text to be found; each byte more costs 3 kB a long game."""

_CHAIN_LENGTHS = (CHAIN_BYTES, 32)

TABLES = """
CREATE TABLE boots (
    boot INTEGER PRIMARY KEY, machine_boot TEXT NOT NULL, wall_ms INTEGER NOT NULL, trusted INTEGER NOT NULL,
    offset_ns INTEGER NOT NULL, pid INTEGER NOT NULL, program TEXT NOT NULL, board TEXT NOT NULL
);
CREATE TABLE games (
    game INTEGER PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, first_seq INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
    trusted INTEGER NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, event TEXT NOT NULL, round TEXT NOT NULL,
    fen TEXT NOT NULL, result TEXT NOT NULL, termination TEXT, plies INTEGER NOT NULL, exported INTEGER NOT NULL
);
CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, boot INTEGER NOT NULL, game INTEGER NOT NULL, at_ns INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL, trusted INTEGER NOT NULL, event TEXT NOT NULL, decisions TEXT NOT NULL,
    chain BLOB NOT NULL
);
CREATE TABLE gaps (
    first_seq INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL, chain BLOB, why TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
CREATE TABLE alive (one INTEGER PRIMARY KEY CHECK (one = 1), at_ns INTEGER NOT NULL, wall_ms INTEGER NOT NULL);
"""

MIGRATIONS: Mapping[int, str] = {0: TABLES, 1: "-- the tables stay: only what is written from here on is packed"}
"""Statements that lift a file from the version named to the next."""


class JournalError(OSError):
    """A journal that cannot be opened or read: ``reason`` is a machine word, ``path`` the file.

    The words: ``locked``, ``read_only``, ``full``, ``newer``, ``foreign``, ``damaged``, ``unreadable``.
    """

    def __init__(self, path: str, reason: str, sentence: str) -> None:
        super().__init__(f"{path}: {sentence}")
        self.path = path
        self.reason = reason
        self.sentence = sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One event and what was decided on it. ``event`` and ``decisions`` are JSON text, ``decisions`` empty for none."""

    seq: int
    boot: int
    game: int
    at_ns: int
    wall_ms: int
    trusted: bool
    event: str
    decisions: str
    chain: bytes = b""

    @classmethod
    def of(cls, record: Iterable[Any]) -> Row:
        """A row from the columns of the table, in their order, packed or not; ``ValueError`` for what is none."""
        try:
            seq, boot, game, at_ns, wall_ms, trusted, event, decisions, chain = record
        except ValueError:
            raise ValueError("not the columns of a row") from None
        numbers = (seq, boot, game, at_ns, wall_ms)
        if not all(isinstance(number, int) for number in numbers):
            raise ValueError("not the types of a row")
        if isinstance(event, bytes):
            event, decisions = unpack(event, at_ns)
        if not (isinstance(event, str) and isinstance(decisions, str) and isinstance(chain, bytes)):
            raise ValueError("not the types of a row")
        if len(chain) not in _CHAIN_LENGTHS:
            raise ValueError("not the hash of a row")
        return cls(
            seq=seq, boot=boot, game=game, at_ns=at_ns, wall_ms=wall_ms, trusted=bool(trusted), event=event,
            decisions=decisions, chain=chain,
        )  # fmt: skip

    def record(self) -> tuple[Any, ...]:
        """The columns of the table, in their order, the texts packed."""
        packed = pack(self.event, self.decisions, self.at_ns)
        texts = (self.event, self.decisions) if packed is None else (packed, "")
        return (self.seq, self.boot, self.game, self.at_ns, self.wall_ms, int(self.trusted), *texts, self.chain)

    def linked(self, before: bytes) -> Row:
        """The same with its hash, to follow one whose hash is ``before``."""
        return replace(self, chain=self._digest(before)[:CHAIN_BYTES])

    def continues(self, before: bytes) -> bool:
        """Whether the row's hash is right after one whose hash is ``before``."""
        return len(self.chain) in _CHAIN_LENGTHS and self.chain == self._digest(before)[: len(self.chain)]

    def _digest(self, before: bytes) -> bytes:
        """SHA-256 over the hash before and the row's columns as a JSON list, whatever way they are stored."""
        columns = (
            self.seq, self.boot, self.game, self.at_ns, self.wall_ms, int(self.trusted), self.event, self.decisions,
        )  # fmt: skip
        text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(before + text.encode()).digest()


class Connection(Protocol):
    """What the journal asks of a database connection: SQLite's, or a test's that loses writes."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any:
        """One statement."""
        ...

    def executescript(self, sql: str, /) -> Any:
        """Several statements."""
        ...

    def close(self) -> None:
        """Give the file back."""
        ...


def migrate(connection: Connection, path: str, migrations: Mapping[int, str] = MIGRATIONS) -> None:
    """Bring a file to this version, each step in one transaction; `JournalError` where that cannot be.

    A fresh file is version 0 with no tables; a foreign database is refused and left as it is.
    """
    target = max(migrations) + 1
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if owner != APPLICATION_ID and (version or tables):
        raise JournalError(path, "foreign", "is a database of some other program, not a journal; choose another file")
    if version > target:
        raise JournalError(
            path, "newer", f"was written by a newer touchmove (journal version {version}, this one knows {target})"
        )
    for step in range(version, target):
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{migrations[step]};\n"
            f"PRAGMA application_id = {APPLICATION_ID};\nPRAGMA user_version = {step + 1};\nCOMMIT;"
        )
