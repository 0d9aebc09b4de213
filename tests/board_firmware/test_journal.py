"""The journal: nothing acted upon before it is durable, nothing lost that the disk took, and everything said."""

from __future__ import annotations

import errno
import sqlite3
import threading

import pytest

from board_firmware.journal import reader, schema
from board_firmware.journal.head import Head, HeadFile, head_path, read_head
from board_firmware.journal.journal import Journal
from board_firmware.journal.schema import JournalError

from .journals import BOOT, DECISIONS, EVENT, WALL, Refusing, add_game, add_rows, filled, opened

FULL = sqlite3.OperationalError("database or disk is full")
BROKEN = sqlite3.OperationalError("disk I/O error")


@pytest.fixture
def path(tmp_path):
    """Where the journal is to be."""
    return tmp_path / "state" / "journal.sqlite"


def rows_in(path):
    """All rows of a journal file."""
    with reader.reading(path) as connection:
        return [row for game in reversed(reader.games(connection)) for row in reader.rows_of(connection, game)]


def test_rows_come_back_as_they_were_written(path):
    """Numbered from 1 without a gap, with their times, in their games; the chain holds from end to end."""
    filled(path, 3, 5)
    rows = rows_in(path)
    assert [row.seq for row in rows] == list(range(1, 9))
    assert [row.game for row in rows] == [1] * 3 + [2] * 5
    assert {(row.event, row.decisions, row.wall_ms, row.trusted, row.boot) for row in rows} == {
        (EVENT, DECISIONS, *WALL, 1)
    }
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == []
        assert reader.game_by_id(connection, "game-2").plies == 1
        with pytest.raises(KeyError):
            reader.game_by_id(connection, "game-3")


def test_numbers_and_chain_go_on_after_a_restart(path):
    """Another run of the program is another boot in the same chain."""
    filled(path, 3)
    journal = opened(path)
    assert (journal.seq, journal.game, journal.findings) == (3, 1, ())
    add_rows(journal, 2)
    assert journal.close() == 0
    rows = rows_in(path)
    assert [(row.seq, row.boot) for row in rows] == [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)]
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == []


def test_a_number_is_reported_when_its_row_is_in_the_file(path):
    """What another connection sees at the report holds the row: group commit, in order, the last number last."""
    journal = Journal(path)
    seen = []

    def durable(seq):
        with reader.reading(path) as connection:
            seen.append((seq, connection.execute("SELECT max(seq) FROM rows").fetchone()[0]))

    journal.report_to(durable, lambda error: None)
    journal.start(BOOT, WALL)
    add_game(journal, 200)
    assert journal.flush(10)
    journal.close()
    assert seen[-1] == (200, 200)
    assert all(seq == in_file for seq, in_file in seen)
    assert len(seen) < 200, "commits are shared"


def test_appending_never_waits_for_the_disk(path):
    """The loop goes on while the writer is held up; what waits is written afterwards."""
    gate = threading.Event()

    def refuse(sql):
        if sql == "COMMIT":
            gate.wait(10)

    journal = opened(path, connect=lambda file: Refusing(file, refuse))
    add_game(journal, 500)
    assert journal.safe == []
    gate.set()
    assert journal.flush(10)
    journal.close()
    assert len(rows_in(path)) == 500


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "INSERT OR IGNORE INTO rows", "UPDATE games", "COMMIT"])
@pytest.mark.parametrize(("error", "reason"), [(FULL, "full"), (BROKEN, "unreadable")])
def test_a_disk_that_refuses_is_said_once_and_loses_nothing(path, statement, error, reason):
    """Refused at any statement: said once, tried again, and in the end all rows are there in order."""
    refusing = threading.Event()
    journal = opened(
        path, retry_s=0.01,
        connect=lambda file: Refusing(file, lambda sql: error if refusing.is_set() and sql.startswith(statement) else None),
    )  # fmt: skip
    add_game(journal, 5)
    assert journal.flush(10)
    refusing.set()
    add_game(journal, 5)
    while not journal.refusals:
        assert not journal.flush(0.02)
    assert not journal.flush(0.1)
    assert journal.safe[-1] == 5
    assert journal.failure.reason == reason
    refusing.clear()
    assert journal.flush(10)
    assert [error and error.reason for error in journal.refusals] == [reason, None]
    assert journal.safe[-1] == 10
    assert journal.failure is None
    journal.close()
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == []
    assert [row.seq for row in rows_in(path)] == list(range(1, 11))


def test_what_a_full_disk_never_took_is_counted_at_the_end(path):
    """Closing tries once more, then says how many rows are only in memory; the file keeps what it had."""
    refusing = threading.Event()
    journal = opened(
        path, retry_s=0.01, connect=lambda file: Refusing(file, lambda sql: FULL if refusing.is_set() else None)
    )
    add_game(journal, 5)
    assert journal.flush(10)
    refusing.set()
    add_rows(journal, 3)
    assert journal.close() == 3
    assert [row.seq for row in rows_in(path)] == [1, 2, 3, 4, 5]


def test_a_commit_that_came_through_although_it_was_refused_is_no_trouble(path):
    """The last sync failed, the rows were there: writing them again leaves one of each."""
    refusals = [BROKEN]

    class Late(Refusing):
        def execute(self, sql, parameters=()):
            done = super().execute(sql, parameters)
            if sql == "COMMIT" and self._armed() and refusals:
                raise refusals.pop()
            return done

        def _armed(self):
            return armed.is_set()

    armed = threading.Event()
    journal = opened(path, retry_s=0.01, connect=lambda file: Late(file, lambda sql: None))
    add_game(journal, 2)
    assert journal.flush(10)
    armed.set()
    add_rows(journal, 3)
    assert journal.flush(10)
    journal.close()
    assert [row.seq for row in rows_in(path)] == [1, 2, 3, 4, 5]
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == []


def test_a_full_disk_that_is_really_full(path):
    """SQLite's own refusal, at its limit of pages, is told as a full disk and is over when there is room."""
    limit = [100_000]

    class Limited(Refusing):
        def execute(self, sql, parameters=()):
            if sql.startswith("BEGIN"):
                super().execute(f"PRAGMA max_page_count = {limit[0]}").fetchone()
            return super().execute(sql, parameters)

    journal = opened(path, retry_s=0.01, connect=lambda file: Limited(file, lambda sql: None))
    add_game(journal, 5)
    assert journal.flush(10)
    limit[0] = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    add_rows(journal, 500)
    while journal.failure is None:
        assert not journal.flush(0.02)
    assert journal.failure.reason == "full"
    limit[0] = 100_000
    assert journal.flush(10)
    journal.close()
    assert len(rows_in(path)) == 505


def test_a_wall_clock_that_steps_back_changes_no_order(path):
    """An hour back in the middle of a game: numbers, chain and the board's own time go on; the times stand as they were."""
    journal = opened(path)
    add_game(journal, 2)
    back = (WALL[0] - 3_600_000, False)
    journal.append(9_000_000, back, EVENT, DECISIONS)
    journal.begin_game("next", back)
    journal.append(9_500_000, back, EVENT, "")
    journal.is_alive(9_600_000, back)
    journal.close()
    journal = Journal(path)
    assert (journal.findings, journal.seq, journal.newest_game().game_id) == ((), 4, "next")
    assert journal.last_alive() == (9_600_000, back[0])
    journal.close()
    assert [(row.seq, row.wall_ms, row.trusted) for row in rows_in(path)][1:] == [(2, *WALL), (3, *back), (4, *back)]
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == []


def test_a_locked_file_is_said(path):
    """Another program that holds the file for writing: named as that, at opening and while running."""
    filled(path, 2)
    other = sqlite3.connect(path, isolation_level=None)
    journal = opened(path, retry_s=0.01)
    assert journal.flush(10)
    other.execute("BEGIN IMMEDIATE")
    journal._connection.execute("PRAGMA busy_timeout = 0").fetchone()
    add_rows(journal, 1)
    while journal.failure is None:
        assert not journal.flush(0.05)
    assert journal.failure.reason == "locked"
    assert "another program holds the file" in str(journal.failure)
    with pytest.raises(JournalError, match="another program holds the file"):
        Journal(path, connect=lambda file: sqlite3.connect(file, timeout=0, isolation_level=None))
    other.execute("ROLLBACK")
    other.close()
    assert journal.flush(10)
    journal.close()


def test_what_is_no_journal_is_left_as_it_is(path):
    """Another program's database, and a text file, are refused by name and not touched."""
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES ('keep me');")
    other.close()
    with pytest.raises(JournalError, match="some other program") as caught:
        Journal(path)
    assert caught.value.reason == "foreign"
    other = sqlite3.connect(path)
    assert other.execute("SELECT text FROM notes").fetchone() == ("keep me",)
    other.close()


def test_a_newer_journal_is_refused(path):
    """An older program does not guess at what a newer one wrote."""
    filled(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    with pytest.raises(JournalError, match=f"journal version {schema.VERSION + 1}, this one knows {schema.VERSION}"):
        Journal(path)


def test_a_journal_is_lifted_step_by_step(tmp_path):
    """Each migration runs once, in its own transaction; one that fails leaves the version before it."""
    connection = sqlite3.connect(tmp_path / "old.sqlite", isolation_level=None)
    schema.migrate(connection, "old")
    later = {**schema.MIGRATIONS, 2: "ALTER TABLE games ADD COLUMN site TEXT NOT NULL DEFAULT ''", 3: "no sql"}
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, "old", later)
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    assert connection.execute("SELECT site FROM games").fetchall() == []
    later[3] = "CREATE TABLE extra (x)"
    schema.migrate(connection, "old", later)
    schema.migrate(connection, "old", later)
    assert connection.execute("PRAGMA user_version").fetchone() == (4,)
    connection.close()


def test_a_file_that_cannot_be_written_is_said(path):
    """Read-only: one sentence with the path."""
    filled(path, 2)
    with pytest.raises(JournalError, match="cannot be written here") as caught:
        opened(path, connect=lambda file: sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None))
    assert (caught.value.reason, caught.value.path) == ("read_only", str(path))


def test_a_directory_in_its_place_is_said(path):
    """What cannot be opened names itself."""
    path.mkdir(parents=True)
    with pytest.raises(JournalError) as caught:
        Journal(path)
    assert str(path) in str(caught.value)


def test_an_altered_row_breaks_the_chain(path):
    """One character of an event: the row is named at opening and by a full check."""
    filled(path, 10)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE rows SET event = replace(event, '12', '13') WHERE seq = 4")
    connection.close()
    journal = Journal(path)
    assert journal.findings == ("row 4 of game game-1 is missing or not as it was written",)
    journal.close()
    with reader.reading(path) as connection:
        assert list(reader.broken_links(connection)) == [4]


def test_a_removed_row_breaks_the_chain(path):
    """A row cannot be taken out unnoticed, nor the last ones cut off: the head beside the journal knows them."""
    filled(path, 10)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM rows WHERE seq = 4 OR seq > 8")
    connection.close()
    journal = opened(path)
    assert "the last 2 rows written (9 to 10) are lost" in journal.findings
    assert any("row 4 of game game-1" in finding for finding in journal.findings)
    add_rows(journal, 1)
    journal.close()
    with reader.reading(path) as connection:
        assert [gap.why for gap in reader.gaps(connection)] == ["lost"]
        assert list(reader.broken_links(connection)) == [4], "the chain goes on from the head's hash over the loss"
    assert rows_in(path)[-1].seq == 11


def test_a_journal_put_back_from_a_copy_is_noticed(path):
    """An older copy of the file lacks rows that the head knows."""
    filled(path, 5)
    copy = path.read_bytes()
    journal = opened(path)
    add_rows(journal, 5)
    journal.close()
    path.write_bytes(copy)
    journal = Journal(path)
    assert journal.findings == ("the last 5 rows written (6 to 10) are lost",)
    journal.close()


class TestHead:
    """The witness beside the journal."""

    def test_a_torn_write_leaves_the_older_news(self, tmp_path):
        """Two slots take turns; at any cut of the file at least the older one reads."""
        path = tmp_path / "head"
        file = HeadFile(path)
        heads = [Head(seq=n, rows=n, chain=bytes([n]) * 32) for n in (1, 2)]
        for head in heads:
            file.write(head)
        file.close()
        whole = path.read_bytes()
        assert read_head(path) == heads[1]
        for cut in range(len(whole)):
            path.write_bytes(whole[:cut])
            assert read_head(path) in (None, *heads)
        path.write_bytes(whole[:64] + bytes(64))
        assert read_head(path) == heads[0]

    def test_a_reopened_file_overwrites_the_older_slot(self, tmp_path):
        """Never the newest, which a torn write would spoil."""
        path = tmp_path / "head"
        for n in (1, 2, 3):
            file = HeadFile(path)
            file.write(Head(seq=n, rows=n, chain=bytes(32)))
            file.close()
            content = path.read_bytes()
            newest = 0 if content[4:12] == n.to_bytes(8, "big") else 64
            path.write_bytes(content[:newest] + bytes(64) + content[newest + 64 :])
            assert n == 1 or read_head(path).seq == n - 1
            path.write_bytes(content)

    def test_a_disk_that_takes_no_head_takes_the_rows(self, path, monkeypatch):
        """The witness is no condition."""

        def refuse(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(HeadFile, "write", refuse)
        filled(path, 5)
        assert len(rows_in(path)) == 5
        assert read_head(head_path(path)) is None
        journal = Journal(path)
        assert journal.findings == ()
        journal.close()


class TestRetention:
    """Growth is bounded, but never by a game that was not taken out."""

    def test_old_finished_exported_games_go(self, path):
        """And no others; the chain bridges what is gone, and says why."""
        journal = opened(path)
        kinds = [("1-0", True), ("1-0", False), ("*", True), ("0-1", True), ("1-0", True), ("*", False)]
        for result, exported in kinds:
            add_game(journal, 4, result=result, exported=exported)
        journal.keep(2)
        assert journal.flush(10)
        add_rows(journal, 2)
        journal.close()
        with reader.reading(path) as connection:
            assert [game.game_id for game in reversed(reader.games(connection))] == [
                "game-2",
                "game-3",
                "game-5",
                "game-6",
            ]
            assert [(gap.first_seq, gap.last_seq, gap.why) for gap in reader.gaps(connection)] == [
                (1, 4, "retention"),
                (13, 16, "retention"),
            ]
            assert list(reader.broken_links(connection)) == []
            assert len(reader.rows_of(connection, reader.game_by_id(connection, "game-3"))) == 4
        journal = Journal(path)
        assert (journal.seq, journal.findings) == (26, ())
        journal.close()

    def test_the_room_is_used_again(self, path):
        """A year of games in the space of a few."""
        journal = opened(path)
        sizes = []
        for _ in range(60):
            add_game(journal, 50, result="1-0", exported=True)
            journal.keep(5)
            assert journal.flush(10)
            sizes.append(journal._connection.execute("PRAGMA page_count").fetchone()[0])
        journal.close()
        assert sizes[-1] <= sizes[10] + 2, "some pages are left half full where games went"
        with reader.reading(path) as connection:
            assert [(gap.first_seq, gap.last_seq, gap.why) for gap in reader.gaps(connection)] == [
                (1, 55 * 50, "retention")
            ]
            assert list(reader.broken_links(connection)) == []
