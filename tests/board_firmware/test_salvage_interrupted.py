"""A salvage that is killed at any of its steps is finished by the next start, and what was saved is not lost again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from board_firmware.journal import reader, salvage
from board_firmware.journal.journal import PAGE_BYTES, Journal

from .journals import add_game, filled, opened

KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from board_firmware.journal.journal import Journal

left = int(sys.argv[2])

def dying(call):
    def stepped(*arguments, **keywords):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **keywords)
    return stepped

for name in ("replace", "unlink", "fsync", "open"):
    setattr(os, name, dying(getattr(os, name)))
Journal(Path(sys.argv[1])).close()
print("done")
"""


def damaged(path):
    """A journal as a killed process left it, its newest rows in the log only, and one page spoilt that holds no row."""
    filled(path, 40, 60)
    journal = opened(path)
    add_game(journal, 30)
    assert journal.flush(10)
    with reader.reading(path) as connection:
        spoilt = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'gaps'").fetchone()[0]
    content = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("", "-wal", "-head")}
    journal.close()
    for suffix, one in content.items():
        path.with_name(path.name + suffix).write_bytes(one)
    with path.open("r+b") as file:
        file.seek((spoilt - 1) * PAGE_BYTES)
        file.write(b"\xff" * PAGE_BYTES)


def test_a_salvage_may_be_killed_at_any_step(tmp_path):
    """Each call to the system at which files change their names: at the next start all rows are there, said once."""
    for step in range(1, 100):
        path = tmp_path / str(step) / "journal.sqlite"
        path.parent.mkdir()
        damaged(path)
        done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(step)], capture_output=True, text=True)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        journal = Journal(path)
        assert (journal.seq, journal.game) == (130, 3), step
        findings = journal.findings
        journal.close()
        with reader.reading(path) as connection:
            assert connection.execute("SELECT count(*) FROM rows").fetchone()[0] == 130, step
            assert list(reader.broken_links(connection)) == []
        kept = [name for name in os.listdir(path.parent) if "-damaged-1" in name]
        assert "journal.sqlite-damaged-1" in kept
        assert not any("-salvag" in name for name in os.listdir(path.parent))
        again = Journal(path)
        assert again.findings == ()
        again.close()
        assert all("is kept as journal.sqlite-damaged-1" in one for one in findings), findings
    assert step > 5


def test_a_disk_that_is_full_while_salvaging_loses_nothing(tmp_path, monkeypatch):
    """The damaged file stays in its place, nothing half done beside it; with room it is salvaged."""
    path = tmp_path / "journal.sqlite"
    damaged(path)

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(salvage, "_write", refuse)
        with pytest.raises(OSError, match="the disk is full"):
            Journal(path)
    assert not any("-salvag" in name or "-damaged" in name for name in os.listdir(tmp_path))
    journal = Journal(path)
    assert "all 130 rows were saved" in journal.findings[0]
    journal.close()


def test_a_row_that_cannot_be_unpacked_is_lost_and_the_rest_is_saved(tmp_path):
    """Its bytes are another's, the database is sound: the row is given up by number, those after it are not."""
    path = filled(tmp_path / "journal.sqlite", 20, 20)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE rows SET event = x'01ff' WHERE seq IN (5, 30)")
    connection.close()
    journal = opened(path)
    assert "38 rows were saved, 2 are lost" in journal.findings[0]
    assert journal.seq == 40
    journal.close()
    with reader.reading(path) as connection:
        assert [gap.first_seq for gap in reader.gaps(connection)] == [5, 30]
        assert list(reader.broken_links(connection)) == []
