"""``touchmove pgn``: what it says, where, and its exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from board_firmware.commands.pgn import run
from board_firmware.complaint import Complaint
from rules.pgn import read_pgn

GOOD = '[White "A"]\n[Result "1-0"]\n\n1.e4 e5 2.Qh5 Ke7 3.Qxe5 mate 1-0\n'
BAD = "1. e4 e5\n2. Ke3 Nc6 *\n\n[Event x]\n1. d4 } *\n"


def call(path: Path, *, as_json: bool = False) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    return run(path, as_json=as_json, out=out, err=err), out.getvalue(), err.getvalue()


@pytest.fixture
def write(tmp_path: Path):
    """Write a file and give its path."""

    def write(content: str | bytes, name: str = "games.pgn") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_a_good_file_is_rewritten(write) -> None:
    """The games in export format on standard output, the sums on standard error, exit 0."""
    path = write(GOOD)
    code, out, err = call(path)
    assert code == 0
    assert out.splitlines()[-1] == "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"
    assert [game.tags["White"] for game in read_pgn(out)] == ["A"]
    assert err == f"{path}: 1 game, 5 plies, 0 errors, 0 notes\n"


def test_faults_have_line_and_column(write) -> None:
    """As compilers write them, so that editors jump there; exit 1."""
    path = write(BAD)
    code, out, err = call(path)
    assert code == 1
    assert err.splitlines() == [
        f"{path}:2:4: error: Ke3: no white king can legally go to e3",
        f"{path}:4:1: error: the tag's quotes or its bracket are not closed",
        f"{path}:5:7: error: a closing brace without a comment",
        f"{path}: 2 games, 3 plies, 3 errors, 0 notes",
    ]
    assert "{not playable: 2. Ke3 Nc6}" in out
    assert [len(game.moves) for game in read_pgn(out)] == [2, 1]


def test_json(write) -> None:
    """One object, with and without faults; no games."""
    code, out, err = call(write(BAD), as_json=True)
    found = json.loads(out)
    assert (code, err) == (1, "")
    assert (found["games"], found["plies"], found["errors"], found["notes"]) == (2, 3, 3, 0)
    assert found["faults"][0] == {
        "game": 1,
        "line": 2,
        "column": 4,
        "word": "illegal_move",
        "grade": "error",
        "text": "Ke3",
        "why": "Ke3: no white king can legally go to e3",
    }
    assert [fault["game"] for fault in found["faults"]] == [1, 2, 2]
    path = write(GOOD, "good.pgn")
    code, out, _ = call(path, as_json=True)
    assert (code, json.loads(out)) == (
        0,
        {"file": str(path), "faults": [], "games": 1, "plies": 5, "errors": 0, "notes": 0},
    )


def test_notes_are_no_errors(write) -> None:
    """What could be read as it was meant leaves exit 0."""
    code, _, err = call(write("1. e4 e5"))
    assert code == 0
    assert "note: no result at the end of the moves" in err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\x7fELF\0\0\0", "a binary file"),
        ("Dear Sir,\nthis is a letter.\n", "holds no PGN game"),
    ],
)
def test_what_is_no_pgn_file(write, content: str | bytes, why: str) -> None:
    """One line that says what, where and what to do; nothing on standard output."""
    for as_json in (False, True):
        path, out = write(content), io.StringIO()
        with pytest.raises(Complaint) as refused:
            run(path, as_json=as_json, out=out, err=io.StringIO())
        assert str(refused.value).startswith(f"{path}: {why}")
        assert (refused.value.code, out.getvalue()) == (2, "")


@pytest.mark.parametrize(
    ("name", "why"),
    [("none.pgn", "no such file"), ("", "is a directory"), ("x" * 300, "File name too long"),
     ("/proc/self/mem", "Input/output error")],
)  # fmt: skip
def test_what_cannot_be_read(tmp_path: Path, name: str, why: str) -> None:
    """A missing file, a directory, a name that cannot be one, a file that refuses: named in one line."""
    with pytest.raises(Complaint, match=why) as refused:
        call(tmp_path / name)
    assert str(tmp_path / name) in str(refused.value)


def test_utf16_is_text(write) -> None:
    """It has zero bytes and is read all the same."""
    code, out, _ = call(write(GOOD.encode("utf-16")))
    assert code == 0
    assert "Qxe5#" in out


def test_a_bar_on_a_terminal(write) -> None:
    """It is drawn on standard error, in bytes of the file, and leaves the sums readable."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, err = io.StringIO(), Terminal()
    assert run(write(GOOD * 3000), as_json=False, out=out, err=err) == 0
    assert "games.pgn" in err.getvalue()
    assert err.getvalue().splitlines()[-1].endswith("3000 games, 15000 plies, 0 errors, 0 notes")
