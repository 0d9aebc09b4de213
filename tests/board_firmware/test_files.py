"""The files of commands: an output is never the input, and every refusal names the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from board_firmware.cli import main
from board_firmware.complaint import Complaint
from board_firmware.files import OutputFile, open_input, read_text

from .test_streams import run

GAME = '[White "A"]\n\n1. e4 e5 *\n'


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with a game."""
    path = tmp_path / "x.pgn"
    path.write_text(GAME)
    return path


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_the_file_that_is_read_is_not_written(games: Path, capsys: pytest.CaptureFixture[str], link) -> None:
    """By its own name, through a symbolic link, through a hard one: it stays as it was."""
    out = games
    if link is not None:
        out = games.with_name("out.pgn")
        link(games, out)
    assert main(["simulate", str(games), "--pgn-out", str(out)]) == 2
    told = capsys.readouterr().err
    assert told == f"touchmove simulate: --pgn-out {out}: is the file that is read; name another one\n"
    assert games.read_text() == GAME


@pytest.mark.parametrize(
    ("content", "arguments"),
    [(GAME, ["pgn", "x"]), (GAME, ["simulate", "x"]), ("lift e2\n", ["replay", "x"]), ("[]", ["conform", "x"]),
     ("TMRAW1\n", ["replay", "--raw", "x"])],
)  # fmt: skip
def test_standard_output_is_not_the_input(tmp_path: Path, content: str, arguments: list[str]) -> None:
    """``>> x`` would grow without end, ``> x`` has emptied the file: both are said."""
    path = tmp_path / "x"
    path.write_text(content)
    done = run(tmp_path, *arguments, shell=">> x")
    assert (done.returncode, path.read_text()) == (2, content)
    assert "standard output goes to the same file" in done.stderr
    if "--raw" not in arguments:
        assert "standard output goes to the same file" in run(tmp_path, *arguments, shell="> x").stderr


def test_the_journal_is_not_exported_into_itself(tmp_path: Path) -> None:
    """Nor is it emptied by what reads it."""
    from .journals import filled

    path = filled(tmp_path / "journal.sqlite", 20)
    before = path.read_bytes()
    for arguments in (["export", "--journal"], ["replay", "journal.sqlite"]):
        assert "goes to the same file" in run(tmp_path, *arguments, shell=">> journal.sqlite").stderr
        assert path.read_bytes() == before


def test_a_full_disk_names_option_and_file(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the write fails, and where only the closing does."""
    assert main(["simulate", str(games), "--pgn-out", "/dev/full"]) == 2
    assert capsys.readouterr().err == "touchmove simulate: --pgn-out /dev/full: No space left on device\n"
    output = OutputFile(Path("/dev/full"), "--pgn-out", [games])
    with pytest.raises(Complaint, match="--pgn-out /dev/full: No space"):
        output.write("x" * 1_000_000)
    output.close()  # it has been said


def test_a_closing_that_fails_is_said_over_an_interruption() -> None:
    """Ctrl-C does not hide which file is not whole."""

    def interrupted() -> None:
        with OutputFile(Path("/dev/full"), "--pgn-out", []) as output:
            output.write("x")
            raise KeyboardInterrupt

    with pytest.raises(Complaint, match="--pgn-out /dev/full"):
        interrupted()


@pytest.mark.parametrize(
    ("name", "words"), [("none", "no such file"), (".", "is a directory"), ("n" * 300, "File name too long")]
)
def test_what_cannot_be_opened_is_named(tmp_path: Path, name: str, words: str) -> None:
    """And what is wanted is said."""
    for read in (lambda path: open_input(path, "a trace is wanted"), lambda path: read_text(path, "a trace")):
        with pytest.raises(Complaint, match=words) as refused:
            read(tmp_path / name)
        assert str(tmp_path / name) in str(refused.value)
        assert "a trace is wanted" in str(refused.value)


@pytest.mark.parametrize("arguments", [["simulate"], ["pgn"], ["replay"], ["replay", "--raw"], ["conform"]])
def test_a_file_that_refuses_to_be_read(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line, with its name."""
    assert main([*arguments, "/proc/self/mem"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "/proc/self/mem: Input/output error" in told


def test_a_trace_may_come_through_a_pipe(tmp_path: Path) -> None:
    """What tells a journal from a trace takes nothing away."""
    done = run(tmp_path, "replay", "/dev/stdin", "--json", shell="< <(printf 'lift e2\\nplace e4\\n')")
    assert done.returncode == 0, done.stderr
    assert '"moves": ["e2e4"]' in done.stdout
