"""Damaged journals: cut anywhere, a page gone, bytes turned; opened all the same, the loss said, the rest saved."""

from __future__ import annotations

import os
import shutil
import sqlite3
from random import Random

import pytest

from board_firmware.journal import reader
from board_firmware.journal.head import head_path
from board_firmware.journal.journal import PAGE_BYTES, Journal
from board_firmware.journal.salvage import is_cut_short

from .journals import WALL, add_game, add_rows, filled, opened

GAMES = (40, 60, 50)
ROWS = sum(GAMES)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A journal that was closed cleanly: all in the file, no log."""
    return filled(tmp_path_factory.mktemp("sound") / "journal.sqlite", *GAMES)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A journal as a killed process leaves it: the newest rows in the log only."""
    path = filled(tmp_path_factory.mktemp("running") / "journal.sqlite", *GAMES[:2])
    copy = tmp_path_factory.mktemp("killed") / "journal.sqlite"
    journal = opened(path)
    add_game(journal, GAMES[2])
    assert journal.flush(10)
    for suffix in ("", "-wal", "-head"):
        shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
    journal.close()
    return copy


def copied(path, folder):
    """The journal with what lies beside it, in a folder of its own."""
    target = folder / "journal.sqlite"
    for old in folder.glob("journal.sqlite*"):
        old.unlink()
    for suffix in ("", "-wal", "-head"):
        if os.path.exists(f"{path}{suffix}"):
            shutil.copy(f"{path}{suffix}", f"{target}{suffix}")
    return target


def opened_and_counted(path):
    """What opening finds, and which rows are there and sound afterwards; the journal goes on."""
    journal = opened(path)
    findings = journal.findings
    expected = journal.seq + 1
    assert journal.append(1, WALL, '{"event":"Tick"}', "") == expected
    assert journal.flush(10)
    assert journal.close() == 0
    with reader.reading(path) as connection:
        seqs = [seq for (seq,) in connection.execute("SELECT seq FROM rows ORDER BY seq")]
        assert list(reader.broken_links(connection)) == []
        missing = sum(gap.last_seq - gap.first_seq + 1 for gap in reader.gaps(connection))
    assert seqs.pop() == expected
    assert len(seqs) + missing == expected - 1, "every number is a row or a known gap"
    again = Journal(path)
    assert again.findings == (), "said once"
    again.close()
    return findings, seqs


def check_cut(path, name, folder, at):
    """One cut: whatever is lost is said, and the head's number is never given twice."""
    target = copied(path, folder)
    os.truncate(f"{target}{name}", at)
    findings, seqs = opened_and_counted(target)
    assert (len(seqs) < ROWS) == bool(any("lost" in one for one in findings)), (at, findings)
    assert not seqs or seqs[-1] <= ROWS
    return len(seqs)


def places(path, name, step):
    """Where to cut: the last 4 KB, each ``step`` bytes and around the page's end."""
    size = os.path.getsize(f"{path}{name}")
    start = max(0, size - 4096)
    return sorted({*range(start, size, step), *range(start, min(start + 3, size)), *range(max(start, size - 3), size)})


@pytest.mark.parametrize("name", ["", "-wal"])
def test_cuts_near_the_end(sound, running, tmp_path, name):
    """The file and its log, cut at some places of the last 4 KB."""
    path = running if name else sound
    saved = [check_cut(path, name, tmp_path, at) for at in places(path, name, 256)]
    assert min(saved) >= ROWS - GAMES[2]


@pytest.mark.prove
@pytest.mark.parametrize("name", ["", "-wal"])
def test_cuts_at_every_byte(sound, running, tmp_path, name):
    """The file and its log, cut at every byte of the last 4 KB."""
    path = running if name else sound
    saved = [check_cut(path, name, tmp_path, at) for at in places(path, name, 1)]
    assert len(saved) >= 4096 or len(saved) == os.path.getsize(f"{path}{name}")
    assert min(saved) >= ROWS - GAMES[2]


def test_an_uncut_journal_has_nothing_to_say(sound, running, tmp_path):
    """The controls of the cuts: nothing lost, nothing found."""
    for path in (sound, running):
        findings, seqs = opened_and_counted(copied(path, tmp_path))
        assert (findings, len(seqs)) == ((), ROWS)


def test_any_page_may_be_gone(sound, tmp_path):
    """Each page in turn filled with zeros: what lay on the others is saved, the old file is kept."""
    size = sound.stat().st_size
    assert size % PAGE_BYTES == 0
    most = 0
    for page in range(size // PAGE_BYTES):
        target = copied(sound, tmp_path)
        with target.open("r+b") as file:
            file.seek(page * PAGE_BYTES)
            file.write(bytes(PAGE_BYTES))
        damaged = target.read_bytes()
        findings, seqs = opened_and_counted(target)
        lost = ROWS - len(seqs)
        most = max(most, lost)
        if lost:
            assert any(f"{lost} are lost" in one or "missing" in one for one in findings), (page, findings)
        kept = tmp_path / "journal.sqlite-damaged-1"
        assert not findings or kept.read_bytes() == damaged or not kept.exists()
    assert 0 < most < 40, "a page holds some rows, never a game"


def test_turned_bytes_are_found_or_harmless(sound, tmp_path):
    """A hundred bytes turned, one a time: never a crash, never a wrong row taken for a right one."""
    random = Random(8)
    size = sound.stat().st_size
    with reader.reading(sound) as connection:
        right = {row[0]: row for row in connection.execute("SELECT * FROM rows")}
    for _ in range(100):
        target = copied(sound, tmp_path)
        at = random.randrange(size)
        with target.open("r+b") as file:
            file.seek(at)
            old = file.read(1)[0]
            file.seek(at)
            file.write(bytes([old ^ 1 << random.randrange(8)]))
        journal = opened(target)
        journal.close()
        with reader.reading(target) as connection:
            broken = set(reader.broken_links(connection))
            for row in connection.execute("SELECT * FROM rows"):
                if row != right.get(row[0]):
                    assert row[0] in broken or row[0] + 1 in broken, f"row {row[0]} wrong unnoticed, byte {at}"


def test_long_rows_are_saved_too(tmp_path):
    """A row larger than a page lies on pages of its own; a history of a whole game is such a one."""
    path = tmp_path / "journal.sqlite"
    journal = opened(path)
    add_game(journal, 3)
    long = '{"event":"Tick","x":"' + Random(1).randbytes(8000).hex() + '"}'
    journal.append(1, WALL, long, "")
    add_rows(journal, 3)
    journal.close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(bytes(200))
    journal = Journal(path)
    assert "all 7 rows were saved" in journal.findings[0]
    journal.close()
    with reader.reading(path) as connection:
        assert [row.event for row in reader.rows_of(connection, reader.games(connection)[0]) if row.seq == 4] == [long]
        assert list(reader.broken_links(connection)) == []


def test_results_and_exports_are_saved_with_the_games(tmp_path):
    """The list of games comes back with its results; a line that is gone is made from the game's first row."""
    path = tmp_path / "journal.sqlite"
    journal = opened(path)
    add_game(journal, 5, result="1-0", exported=True)
    add_game(journal, 5)
    journal.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM games WHERE game = 2")
    connection.close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(bytes(200))
    Journal(path).close()
    with reader.reading(path) as connection:
        second, first = reader.games(connection)
        assert (first.result, first.exported, first.white) == ("1-0", True, "Anna")
        assert second.game == 2


def test_an_empty_or_strange_file_is_no_cut_journal(tmp_path):
    """Size nought is a new journal; text is no database at all."""
    path = tmp_path / "journal.sqlite"
    assert not is_cut_short(path)
    path.write_bytes(b"")
    assert not is_cut_short(path)
    path.write_bytes(b"a diary, and a long one at that, of more than a hundred bytes " * 5)
    assert not is_cut_short(path)
    assert not head_path(path).exists()
