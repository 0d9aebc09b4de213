"""Journals of older versions: opened, verified, replayed and gone on with; not one of their bytes of evidence is changed."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
import zlib
from pathlib import Path

import pytest

from board_firmware.commands.export import export
from board_firmware.core.session import Session
from board_firmware.journal import reader, recovery
from board_firmware.journal.archive import newest_steps
from board_firmware.journal.head import head_path, read_head
from board_firmware.journal.journal import Journal
from board_firmware.journal.schema import APPLICATION_ID, VERSION
from rules.pgn import read_pgn

from .journals import WALL, add_game, folded, journalled, opened

FAMOUS = Path(__file__).parents[1] / "data" / "famous.pgn"

TABLES_1 = """
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
"""The tables as version 1 made them, letter by letter."""


def first_version(path, rows, games):
    """A file and its head as version 1 wrote them: texts as they are, hashes of 32 bytes, pages of 4096."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.executescript(
        f"BEGIN IMMEDIATE;\n{TABLES_1};\nPRAGMA application_id = {APPLICATION_ID};\nPRAGMA user_version = 1;\nCOMMIT;"
    )
    connection.execute("INSERT INTO boots VALUES (1, 'test', 1800000000000, 1, 0, 1, 'tests', '')")
    connection.execute("BEGIN")
    for game in games:
        connection.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, 1, ?, ?, '', '', ?, ?, ?, ?, 0)",
            (game.game, game.game_id, game.first_seq, game.wall_ms, game.white, game.black, game.fen, game.result,
             game.termination, game.plies),
        )  # fmt: skip
    chain = bytes(32)
    for row in rows:
        columns = (row.seq, row.boot, row.game, row.at_ns, row.wall_ms, int(row.trusted), row.event, row.decisions)
        text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
        chain = hashlib.sha256(chain + text.encode()).digest()
        connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*columns, chain))
    connection.execute("COMMIT")
    connection.close()
    body = struct.pack(">4sQQ32s", b"tmh1", rows[-1].seq, len(rows), chain)
    head_path(path).write_bytes((body + zlib.crc32(body).to_bytes(4, "big")).ljust(64, b"\0"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Two famous games in a journal of this version: their rows and lines."""
    path = tmp_path_factory.mktemp("played") / "journal.sqlite"
    journalled(path, list(read_pgn(FAMOUS.read_bytes()))[:2])
    with reader.reading(path) as connection:
        games = tuple(reversed(reader.games(connection)))
        return [row for game in games for row in reader.rows_of(connection, game)], games, path


@pytest.fixture
def old(played, tmp_path):
    """The same games as version 1 kept them."""
    path = tmp_path / "journal.sqlite"
    rows, games, _ = played
    first_version(path, rows, games)
    return path


def evidence(path):
    """All rows as their bytes lie in the file."""
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT * FROM rows ORDER BY seq").fetchall()
    connection.close()
    return found


def version_of(path):
    """The version that the file says."""
    connection = sqlite3.connect(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return version


def test_an_old_journal_is_read_without_being_touched(old, played):
    """Export and replay read it as it is: a file put away for evidence stays the same to the byte."""
    before = old.read_bytes()
    (back,) = read_pgn(export("pgn", "g1", old).encode())
    (new,) = read_pgn(export("pgn", "g1", played[2]).encode())
    assert (back.moves, back.tags) == (new.moves, new.tags)
    assert export("trace", "g2", old) == export("trace", "g2", played[2])
    assert list(newest_steps(old))[-1][2].state()["moves"]
    assert version_of(old) == 1
    lines = [json.loads(line) for line in export("journal", "g1", old).splitlines()]
    assert {len(line["chain"]) for line in lines} == {64}
    connection = sqlite3.connect(old)
    connection.execute("UPDATE games SET exported = 0")
    connection.commit()
    connection.close()
    assert len(old.read_bytes()) == len(before)


def test_an_old_journal_is_opened_verified_replayed_and_gone_on_with(old, played):
    """Its rows stay as they were; the new ones follow in the same chain."""
    before = evidence(old)
    assert list(recovery_differences(old)) == []
    journal = opened(old)
    assert (journal.findings, journal.seq, journal.game) == ((), len(before), 2)
    back = recovery.fold(journal.newest_game(), journal.rows_of(journal.newest_game()), Session)
    assert (back.differing, back.core.state()["moves"]) == ((), [move.uci() for move in famous()[1].moves])
    add_game(journal, 30)
    assert journal.flush(10)
    assert journal.close() == 0
    assert version_of(old) == VERSION
    assert evidence(old)[: len(before)] == before
    assert {type(row[6]) for row in evidence(old)[len(before) :]} == {bytes}
    with reader.reading(old) as connection:
        assert list(reader.broken_links(connection)) == []
    assert read_head(head_path(old)).seq == len(before) + 30
    again = Journal(old)
    assert (again.findings, again.seq) == ((), len(before) + 30)
    again.close()


def famous():
    """The games in the tests' own file."""
    return list(read_pgn(FAMOUS.read_bytes()))


def recovery_differences(path):
    """Rows of any game that are decided otherwise now."""
    for _, back in folded(path):
        yield from back.differing


def test_an_old_head_is_believed(old):
    """What it knew of and the file no longer has is said, and the chain goes on over the loss."""
    count = len(evidence(old))
    connection = sqlite3.connect(old, isolation_level=None)
    connection.execute("DELETE FROM rows WHERE seq > ?", (count - 2,))
    connection.close()
    journal = opened(old)
    assert journal.findings == (f"the last 2 rows written ({count - 1} to {count}) are lost",)
    journal.append(1, WALL, '{"event":"Tick"}', "")
    journal.close()
    with reader.reading(old) as connection:
        assert list(reader.broken_links(connection)) == []


def test_an_old_row_that_was_altered_is_found(old):
    """Its hash is checked in all its 32 bytes, by readers and when the journal is opened."""
    connection = sqlite3.connect(old, isolation_level=None)
    connection.execute("UPDATE rows SET chain = CAST(substr(chain, 1, 31) || x'00' AS BLOB) WHERE seq = 5")
    connection.close()
    with reader.reading(old) as connection:
        assert list(reader.broken_links(connection)) == [5, 6]


def test_a_damaged_old_journal_is_salvaged(old):
    """With its hashes, although what is saved is packed; whatever page is gone."""
    rows = len(evidence(old))
    content = old.read_bytes()
    for page in range(len(content) // 4096):
        for other in old.parent.glob("journal.sqlite*"):
            if not other.name.endswith("-head"):
                os.unlink(other)
        old.write_bytes(content[: page * 4096] + bytes(4096) + content[(page + 1) * 4096 :])
        journal = opened(old)
        assert journal.seq == rows
        journal.close()
        with reader.reading(old) as connection:
            assert list(reader.broken_links(connection)) == []
            kept = connection.execute("SELECT count(*) FROM rows").fetchone()[0]
        assert kept > rows - 40
