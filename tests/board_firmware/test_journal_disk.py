"""The journal on a disk that fails: writes not yet synchronised are lost, torn or out of order, and any step may refuse.

SQLite runs on a file layer of the test's own that keeps every write and synchronisation in order. From that record the
disk is built as the power may have left it at any point; and each of its steps in turn is made to fail. That SQLite is
another copy than the standard library's: the two must never have a file open at the same time in one process.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from random import Random

import pytest

from board_firmware.journal import reader
from board_firmware.journal.head import HeadFile
from board_firmware.journal.journal import Journal

from .journals import add_game, add_rows, opened

apsw = pytest.importorskip("apsw")


class Disk:
    """A file layer that records each step and refuses the ones it is told to."""

    number = 0

    def __init__(self) -> None:
        Disk.number += 1
        self.name = f"recorded-{Disk.number}"
        self.steps: list[tuple] = []
        self.refuse = lambda step: None
        disk = self

        class File(apsw.VFSFile):
            def __init__(self, filename, flags) -> None:
                super().__init__("unix", filename, flags)
                self.path = filename.filename() if isinstance(filename, apsw.URIFilename) else filename

            def xWrite(self, data, offset):
                disk.step(("write", self.path, offset, bytes(data)))
                super().xWrite(data, offset)

            def xTruncate(self, size):
                disk.step(("truncate", self.path, size))
                super().xTruncate(size)

            def xSync(self, flags):
                disk.step(("sync", self.path))
                super().xSync(flags)

        class Layer(apsw.VFS):
            def __init__(self) -> None:
                super().__init__(disk.name, "unix")

            def xOpen(self, name, flags):
                return File(name, flags)

            def xDelete(self, filename, syncdir):
                disk.step(("delete", filename))
                super().xDelete(filename, syncdir)

        self._layer = Layer()

    def step(self, step) -> None:
        """One step of the disk, unless it refuses."""
        error = self.refuse(step)
        if error is not None:
            raise error
        self.steps.append(step)

    def connect(self, path: Path):
        """A connection on this disk, as the journal wants it."""
        return Connection(path, self.name)


def reworded(error):
    """The same trouble as the standard library tells it."""
    said = "database or disk is full" if isinstance(error, apsw.FullError) else f"disk I/O error: {error}"
    return sqlite3.OperationalError(said)


class Connection:
    """What `apsw` gives, in the words of the standard library."""

    def __init__(self, path, layer) -> None:
        try:
            self._connection = apsw.Connection(str(path), vfs=layer)
        except apsw.Error as error:
            raise reworded(error) from None
        self._connection.set_busy_timeout(2000)
        self.execute("PRAGMA wal_autocheckpoint = 8").fetchone()

    def execute(self, sql, parameters=()):
        """A statement."""
        try:
            return self._connection.execute(sql, parameters)
        except apsw.Error as error:
            raise reworded(error) from None

    def executescript(self, sql):
        """Several statements."""
        return self.execute(sql)

    def close(self):
        """The end, as the standard library makes it: a last checkpoint that fails is no error."""
        with contextlib.suppress(apsw.Error):
            self._connection.close(True)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """All steps of a run with sixty commits: the disk's, the head file's, and the numbers that were reported safe."""
    path = tmp_path_factory.mktemp("record") / "journal.sqlite"
    disk = Disk()
    head_write = HeadFile.write

    def noted(self, head):
        head_write(self, head)
        disk.steps.append(("head", path.with_name(path.name + "-head").read_bytes()))

    patch = pytest.MonkeyPatch()
    patch.setattr(HeadFile, "write", noted)
    journal = opened(path, connect=disk.connect)
    journal.report_to(lambda seq: disk.steps.append(("safe", seq)), journal.refusals.append)
    for number in range(60):
        if number % 20 == 0:
            add_game(journal, 3)
        add_rows(journal, 1 + number % 4)
        assert journal.flush(10)
    assert journal.close() == 0
    patch.undo()
    assert sum(step[0] == "sync" for step in disk.steps) > 60
    assert any(step[0] == "sync" and step[1].endswith("sqlite") for step in disk.steps), "checkpoints happened"
    return disk.steps


def left_by_power_cut(steps, folder: Path, random: Random, way: str) -> int:
    """Builds the disk after these steps; what was not synchronised is lost in one way or another.

    Returns the last number that had been reported safe.
    """
    safe = 0
    synced: dict[str, bytearray] = {}
    pending: dict[str, list[tuple]] = {}
    for step in steps:
        if step[0] == "safe":
            safe = step[1]
        elif step[0] == "head":
            synced["journal.sqlite-head"] = bytearray(step[1])
        elif step[0] == "delete":
            name = Path(step[1]).name
            synced.pop(name, None)
            pending.pop(name, None)
        else:
            name = Path(step[1]).name
            if step[0] == "sync":
                content = synced.setdefault(name, bytearray())
                for one in pending.pop(name, []):
                    apply(content, one)
            else:
                pending.setdefault(name, []).append(step)
    for name, waiting in pending.items():
        content = synced.setdefault(name, bytearray())
        if way == "all":
            kept = waiting
        elif way == "none":
            kept = []
        else:  # any of them, in any order, the last one torn at a sector
            kept = [one for one in waiting if random.random() < 0.5]
            random.shuffle(kept)
            if kept and kept[-1][0] == "write":
                _, path, offset, data = kept[-1]
                kept[-1] = ("write", path, offset, data[: 512 * random.randrange(len(data) // 512 + 1)])
        for one in kept:
            apply(content, one)
    for old in folder.glob("journal.sqlite*"):
        old.unlink()
    for name, content in synced.items():
        (folder / name).write_bytes(content)
    return safe


def apply(content: bytearray, step) -> None:
    """One write or cut on a file's content."""
    if step[0] == "truncate":
        del content[step[2] :]
        return
    _, _, offset, data = step
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def check_points(record, folder, points, ways=("none", "all", "some")):
    """At each point: all that was reported safe is there, whole and in order."""
    random = Random(4)
    for point in points:
        for way in ways:
            safe = left_by_power_cut(record[:point], folder, random, way)
            journal = Journal(folder / "journal.sqlite")
            assert journal.seq >= safe, (point, way)
            findings = journal.findings
            journal.close()
            with reader.reading(folder / "journal.sqlite") as connection:
                seqs = [seq for (seq,) in connection.execute("SELECT seq FROM rows ORDER BY seq")]
                assert seqs[:safe] == list(range(1, safe + 1)), (point, way)
                assert list(reader.broken_links(connection)) == [], (point, way)
            assert not safe or findings == (), (point, way, findings)


def test_a_power_cut_loses_nothing_that_was_safe(record, tmp_path):
    """At some fifty points of the run, in three ways."""
    check_points(record, tmp_path, range(1, len(record), max(1, len(record) // 50)))


@pytest.mark.prove
def test_a_power_cut_at_every_step_loses_nothing_that_was_safe(record, tmp_path):
    """After each step of the disk."""
    check_points(record, tmp_path, range(1, len(record) + 1))


def run_with_refusal(path, refused: int, error, lasting: bool) -> int:
    """A run in which one step of the disk refuses, or all from it on until the end; how many steps there were."""
    disk = Disk()
    count = [0]
    healed = [False]

    def refuse(step):
        count[0] += 1
        if healed[0] or count[0] < refused or (count[0] > refused and not lasting):
            return None
        return error(f"step {count[0]}, {step[0]}")

    journal = opened(path, connect=disk.connect, retry_s=0.005)
    disk.refuse = refuse
    for number in range(12):
        if number == 0:
            add_game(journal, 3)
        add_rows(journal, 2)
        if lasting:
            while not (journal.failure or journal.flush(0.005)):
                pass
        else:
            assert journal.flush(10)
    healed[0] = True
    assert journal.flush(10), journal.failure
    expected = journal.seq
    assert journal.close() == 0
    with reader.reading(path) as connection:
        assert [seq for (seq,) in connection.execute("SELECT seq FROM rows ORDER BY seq")] == list(
            range(1, expected + 1)
        )
        assert list(reader.broken_links(connection)) == []
    again = Journal(path)
    assert again.findings == ()
    again.close()
    return count[0]


def check_refusals(folder, error, lasting, step):
    """Every ``step``-th step of the disk refuses, once or until it recovers: every row is there in the end."""
    total = run_with_refusal(folder / "whole.sqlite", 10**9, error, lasting)
    assert total > 25
    for refused in range(1, total + 1, step):
        run_with_refusal(folder / f"{refused}.sqlite", refused, error, lasting)


REFUSALS = [(error, lasting) for error in (apsw.FullError, apsw.IOError) for lasting in (False, True)]


@pytest.mark.parametrize(("error", "lasting"), REFUSALS)
def test_a_step_that_refuses_loses_nothing(tmp_path, error, lasting):
    """ENOSPC and EIO at some steps."""
    check_refusals(tmp_path, error, lasting, 7)


@pytest.mark.prove
@pytest.mark.parametrize(("error", "lasting"), REFUSALS)
def test_any_step_that_refuses_loses_nothing(tmp_path, error, lasting):
    """ENOSPC and EIO at every step."""
    check_refusals(tmp_path, error, lasting, 1)
