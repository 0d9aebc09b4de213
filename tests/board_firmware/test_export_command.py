"""``touchmove export`` and ``replay`` on journals that cannot be written, that are damaged, that are not there."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest

from board_firmware.commands import replay
from board_firmware.commands.export import run
from board_firmware.complaint import Complaint
from board_firmware.journal import reader
from rules.pgn import read_pgn

from .journals import journalled
from .test_streams import run as command

FAMOUS = Path(__file__).parents[1] / "data" / "famous.pgn"
NOBODY = 65_534


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with one game."""
    path = tmp_path_factory.mktemp("played") / "journal.sqlite"
    journalled(path, list(read_pgn(FAMOUS.read_bytes()))[:1])
    return path


@pytest.fixture
def folder():
    """A folder that everybody may enter; it can be written again when it is to be removed."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


@contextlib.contextmanager
def without_rights(folder: Path):
    """The folder is read-only, and so is all in it; the administrator, whom that does not bind, is nobody meanwhile."""
    for one in folder.iterdir():
        one.chmod(0o444)
    folder.chmod(0o555)
    administrator = os.geteuid() == 0
    if administrator:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if administrator:
            os.seteuid(0)


@pytest.mark.parametrize("log", [False, True])
def test_a_journal_that_cannot_be_written_can_be_read(
    played: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, log: bool
) -> None:
    """In a read-only folder; with a write-ahead log that a power cut has left, its rows are there too."""
    path = folder / "journal.sqlite"
    shutil.copyfile(played, path)
    with reader.reading(path) as connection:
        plies = reader.games(connection)[0].plies
    if log:
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE games SET plies = plies + 1")
        for name in ("journal.sqlite", "journal.sqlite-wal"):  # as they lie when the power goes: no index, no end
            shutil.copyfile(folder / name, folder / f"kept-{name}")
        writer.close()
        for name in ("journal.sqlite", "journal.sqlite-wal"):
            os.replace(folder / f"kept-{name}", folder / name)
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(folder))
    with without_rights(folder):
        with reader.reading(path) as connection:
            assert reader.games(connection)[0].plies == plies + log
        assert replay.run(path, as_json=True, until_s=None, speed=None) == 0
        replayed = capsys.readouterr().out
        assert run("pgn", game=None) == 0
        assert "[White" in capsys.readouterr().out
    assert '"kind": "game_over"' in replayed
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_a_damaged_index_is_no_traceback(played: Path, tmp_path: Path) -> None:
    """The game is read and written out; that it cannot be marked as taken out is no reason to fail."""
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(played, path)
    connection = sqlite3.connect(path)
    (page,) = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_games_1'"
    ).fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    game_id = connection.execute("SELECT game_id FROM games").fetchone()[0]
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    for arguments in (["export"], ["export", "--trace"], ["export", "--report"], ["export", "--game", game_id]):
        done = command(tmp_path, *arguments)
        assert done.returncode in (0, 2)
        assert "Traceback" not in done.stderr
        assert "fault of its own" not in done.stderr
        if done.returncode == 2:
            assert done.stderr.count("\n") == 1
            assert f"{path}: the file is damaged" in done.stderr


def test_a_game_is_marked_when_it_is_out_and_not_before(played: Path, tmp_path: Path) -> None:
    """Retention may remove what is marked: a full disk behind standard output must not let it."""
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(played, path)
    assert command(tmp_path, "export", shell=">/dev/full").returncode == 2
    with reader.reading(path) as connection:
        assert not reader.games(connection)[0].exported
    assert command(tmp_path, "export").returncode == 0
    with reader.reading(path) as connection:
        assert reader.games(connection)[0].exported


def test_what_is_not_there_is_said_without_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file, and what is wrong with it."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    with pytest.raises(Complaint) as refused:
        run("pgn", game=None, config=tmp_path / "none.toml")
    assert str(refused.value) == f"{tmp_path / 'none.toml'}: No such file or directory"
    with pytest.raises(Complaint, match="no such file"):
        run("pgn", game=None)
