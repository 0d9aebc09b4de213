"""How a run ends when nobody takes what it writes: every command, one place, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .journals import filled

ROOT = Path(__file__).resolve().parents[2]
FEN = "4kr2/8/8/8/8/8/8/4K2R w K - 0 1"
COMMANDS = {
    "help": ["--help"],
    "judge help": ["judge", "--help"],
    "version": ["--version"],
    "judge": ["judge", FEN, "e1g1"],
    "perft": ["perft", FEN, "2", "--divide"],
    "pgn": ["pgn", "games.pgn"],
    "simulate": ["simulate", "games.pgn"],
    "replay": ["replay", "game.trace"],
    "conform": ["conform", str(ROOT / "tests/conformance/article_4_touch.json")],
    "doctor": ["doctor", "--board", "sim:", "--json"],
    "export": ["export", "--journal"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something for every command to work on."""
    folder = tmp_path_factory.mktemp("streams")
    (folder / "games.pgn").write_text('[White "A"]\n\n1. e4 e5 *\n')
    (folder / "game.trace").write_text("lift e2\nplace e4\n" * 400)
    filled(folder / "journal.sqlite", 20)
    return folder


def run(folder: Path, *arguments: str, shell: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, with redirections as a shell writes them; its exit code is that of the command."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONUNBUFFERED", "LC_"))
    }
    environment |= {"PYTHONPATH": str(ROOT), "STATE_DIRECTORY": str(folder), "CONFIGURATION_DIRECTORY": str(folder)}
    script = f'"$@" {shell}; exit ${{PIPESTATUS[0]}}'
    return subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, "-m", "board_firmware", *arguments], cwd=folder,
        env={**environment, **variables}, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_and_a_closed_output_are_said(folder: Path, name: str) -> None:
    """Exit code 2 and one line: what was asked for has not arrived."""
    for shell, why in ((">/dev/full", "No space left on device"), (">&-", "is closed")):
        done = run(folder, *COMMANDS[name], shell=shell)
        lines = [line for line in done.stderr.splitlines() if "standard output" in line]
        assert (done.returncode, len(lines)) == (2, 1), done.stderr
        assert why in lines[0]
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_a_reader_that_leaves_ends_the_run_quietly(folder: Path, name: str) -> None:
    """Exit code 141, as a shell shows of every program that a pipe's end has stopped; nothing about it on stderr."""
    done = run(folder, *COMMANDS[name], shell="| true")
    assert done.returncode == 141, done.stderr
    for words in ("pipe", "Traceback", "Exception ignored"):
        assert words not in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_in_the_middle(folder: Path, unbuffered: str) -> None:
    """A long output read by ``head``: the first line arrives, and that is all."""
    (folder / "many.pgn").write_text('[White "A"]\n\n1. e4 e5 *\n\n' * 2000)
    done = run(folder, "pgn", "many.pgn", shell="| head -1", PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (141, "", 1)


@pytest.mark.parametrize("shell", ["2>/dev/full", "2>&-"])
def test_an_error_stream_that_takes_nothing_changes_nothing(folder: Path, shell: str) -> None:
    """Remarks are dropped and never land among the results."""
    for arguments in (["pgn", "games.pgn"], ["judge", FEN, "e1g1"], ["pgn", "none.pgn"]):
        as_ever, here = run(folder, *arguments, shell="2>/dev/null"), run(folder, *arguments, shell=shell)
        assert (here.returncode, here.stdout, here.stderr) == (as_ever.returncode, as_ever.stdout, "")


def test_a_narrow_locale_loses_nothing(folder: Path) -> None:
    """A pipe gets UTF-8 whatever the locale; JSON stays JSON."""
    for variables in ({"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}):
        done = run(folder, "judge", FEN, "e1g1", "--lang", "ja", "--json", **variables)
        assert (done.returncode, done.stderr) == (1, "")
        assert "キャスリング" in json.loads(done.stdout)["reasons"][0]["why"]


def test_a_narrow_terminal_gets_escapes(folder: Path) -> None:
    """A terminal keeps its encoding; what that lacks is readable as JSON all the same."""
    parent, child = os.openpty()
    try:
        subprocess.run(
            [sys.executable, "-m", "board_firmware", "judge", FEN, "e1g1", "--lang", "ja", "--json"], cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "latin-1"}, stdout=child, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
        told = os.read(parent, 65_536)
    finally:
        os.close(parent)
        os.close(child)
    assert b"\\u30ad" in told
    assert "キャスリング" in json.loads(told)["reasons"][0]["why"]


def test_a_name_that_is_no_text_is_shown(folder: Path) -> None:
    """A file's name need not be UTF-8."""
    name = os.fsdecode(b"game\xff.pgn")
    (folder / name).write_text("1. e4 *\n")
    done = run(folder, "pgn", name, "--json")
    assert (done.returncode, json.loads(done.stdout)["file"]) == (0, name)
    assert run(folder, "simulate", name).returncode == 0


def test_without_an_input_nothing_is_asked(folder: Path) -> None:
    """A closed standard input is an empty one."""
    done = run(folder, "play", "--no-page", "--fen", "r3k3/8/8/8/8/8/8/4K3", shell="<&-")
    assert done.returncode == 2
    assert "does not state the castling rights" in done.stderr


def test_a_fault_of_our_own_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    """In every command; the traceback lies in a file."""
    from board_firmware.cli import main
    from board_firmware.commands import verdict

    def broken(*_: object, **__: object) -> int:
        raise RuntimeError("a bug")

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(verdict, "judge_command", broken)
    assert main(["judge", FEN, "e1g1"]) == 2
    told = capsys.readouterr().err
    assert told == f"touchmove judge: stopped by a fault of its own (RuntimeError), told in {tmp_path / 'crash.txt'}\n"
    assert "RuntimeError: a bug" in (tmp_path / "crash.txt").read_text()


INTERRUPTED = """
import os, signal, sys
from board_firmware.__main__ import main

class Hurry:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Hurry())
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["board_firmware.cli", "argparse", "board_firmware.commands.doctor"])
def test_ctrl_c_while_it_still_starts(folder: Path, module: str) -> None:
    """No traceback, whichever module is being imported when the key is pressed."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("MODULE", repr(module)), "doctor", "--board", "reed:"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
