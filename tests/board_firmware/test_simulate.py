"""The simulate command: its sums, its exit codes, its words for bad input, and the real games of the shared data."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from board_firmware.cli import main
from board_firmware.commands import simulate
from board_firmware.commands.simulate import Totals, circumstances
from board_firmware.complaint import Complaint
from board_firmware.hands.game import Outcome
from board_firmware.stopping import Terminated
from rules.pgn import read_pgn

TWO_GAMES = """[White "A"] [Black "B"] [Result "1-0"]
1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "C"] [Black "D"] [Result "0-1"]
1. f3 e5 2. g4 Qh4# 0-1
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two short games."""
    file = tmp_path / "games.pgn"
    file.write_text(TWO_GAMES)
    return file


def simulated(file: Path, **options: object) -> tuple[int, dict[str, object]]:
    """The exit code and the JSON object of a run."""
    out = io.StringIO()
    code = simulate.run(file, as_json=True, out=out, **options)  # type: ignore[arg-type]
    return code, json.loads(out.getvalue())


def test_the_sums(games: Path) -> None:
    """Every ply is one of five things, and the words of the contract are all there."""
    code, found = simulated(games, hands="tidy")
    assert code == 0
    assert {key: found[key] for key in ("games", "plies", "right", "inferred", "asked", "wrong", "lost")} == {
        "games": 2, "plies": 11, "right": 11, "inferred": 0, "asked": 0, "wrong": 0, "lost": 0,
    }  # fmt: skip
    assert found["seconds"] > 0
    assert found["plies_per_second"] > 0


def test_only_the_first_games(games: Path) -> None:
    """``--games 1`` plays one."""
    assert simulated(games, hands="tidy", games=1)[1]["plies"] == 7


def test_processes_change_nothing(games: Path) -> None:
    """One process or two: the same sums and the same PGN."""
    texts = []
    for jobs in (1, 2):
        out = games.with_name(f"out{jobs}.pgn")
        _, found = simulated(games, hands="rough", jobs=jobs, pgn_out=out)
        texts.append((out.read_text(), found["right"], found["inferred"], found["repaired"]))
    assert texts[0] == texts[1]


def test_what_was_recorded_is_written(games: Path, tmp_path: Path) -> None:
    """``--pgn-out``: the PGN written equals the PGN read, move for move."""
    out = tmp_path / "out.pgn"
    simulated(games, hands="human", pgn_out=out)
    with games.open("rb") as one, out.open("rb") as other:
        for before, after in zip(read_pgn(one), read_pgn(other), strict=True):
            assert (before.moves, before.result) == (after.moves, after.result)
            assert after.tags["White"] == before.tags["White"]


def test_the_table(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without ``--json`` people get a table and the speed."""
    assert main(["simulate", str(games), "--hands", "tidy"]) == 0
    text = capsys.readouterr().out
    assert "right" in text
    assert "100.000 %" in text
    assert "plies/s" in text


def test_a_wrong_ply_is_exit_code_1(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chess-level "no": and the notes say in which game."""
    wrong = Outcome(plies=7, right=6, inferred=0, asked=0, wrong=1, lost=0, notes=("ply 3: x",))
    monkeypatch.setattr(simulate, "play_game", lambda task: wrong)
    code, found = simulated(games)
    assert code == 1
    assert found["notes"] == ["game 1, ply 3: x", "game 2, ply 3: x"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no such file"), ("directory", "is a directory"), (b"", "is empty"), (b"  \n\n", "is empty"),
     (b"\x7fELF\0\0\0\1", "binary file"), (b"just words\n", "holds no PGN game")],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(
    content: bytes | str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with the file is said, with its name."""
    file = tmp_path / "games.pgn"
    if content == "directory":
        file.mkdir()
    elif isinstance(content, bytes):
        file.write_bytes(content)
    assert main(["simulate", str(file)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert words in lines[0]
    assert str(file) in lines[0]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("--games", "0", "'0' is no whole number from 1"), ("--jobs", "0", "'0' is no whole number from 1"),
     ("--board", "nowhere", "no simulated board"), ("--faults", "rats", "--faults rats"),
     ("--games", "9" * 20, "is no whole number from 1"), ("--pgn-out", "/nowhere/out.pgn", "--pgn-out /nowhere/out.pgn")],
)  # fmt: skip
def test_bad_options_too(option: str, value: str, words: str, games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An option that makes no sense is named."""
    assert main(["simulate", str(games), option, value]) == 2
    assert words in capsys.readouterr().err


def test_some_games_are_played_without_a_clock() -> None:
    """But for tidy hands every fifth game has no clock, and some of those no press at all."""
    found = [circumstances("human", 1, number) for number in range(500)]
    without = [one for one in found if one.control == "none"]
    assert 60 < len(without) < 140
    assert {one.presses for one in without} == {0.0, 0.7}
    assert all(circumstances("tidy", 1, number).control == "standard" for number in range(20))


def test_sums_add_up() -> None:
    """Totals are sums, and clean while nothing is wrong or lost."""
    totals = Totals()
    totals.add(1, Outcome(plies=10, right=8, inferred=1, asked=1, wrong=0, lost=0))
    assert totals.is_clean
    totals.add(2, Outcome(plies=10, right=8, inferred=0, asked=0, wrong=1, lost=1))
    assert (totals.plies, totals.right, totals.wrong, totals.lost, totals.is_clean) == (20, 16, 1, 1, False)


def expect_clean(file: Path, hands: str, games: int | None, asked: float, inferred: float = 0.01) -> None:
    """Nothing wrong, nothing lost, and few questions."""
    code, found = simulated(file, hands=hands, games=games, jobs=2)
    assert code == 0, found
    assert found["asked"] <= asked * found["plies"]
    assert found["inferred"] <= inferred * found["plies"]


ASKED = {"tidy": 0.0, "human": 0.005, "rough": 0.02, "blitz": 0.01}


@pytest.mark.parametrize("hands", ASKED)
def test_real_games(shared: Path, hands: str) -> None:
    """The first games of the European Club Cup, by every kind of hands."""
    expect_clean(shared / "data/pgn/ecc2018_clk.pgn", hands, 8, ASKED[hands])


SPECIAL = ("alekseenko_grachev_2017", "ep", "latin1_names", "oo", "promoting")


@pytest.mark.parametrize("hands", ["human", "rough", "blitz"])
def test_special_games(shared: Path, hands: str) -> None:
    """Castling, en passant, promotion, false repetitions."""
    for name in SPECIAL:
        expect_clean(shared / f"data/pgn/special/{name}.pgn", hands, None, 0.02)


def test_a_score_that_goes_on_after_the_end(shared: Path) -> None:
    """A composed game passes the seventy-fifth quiet move: the board ends it (9.6.2), the players begin anew from there."""
    code, found = simulated(shared / "data/pgn/special/no_repetition_1.pgn", hands="tidy")
    assert code == 0
    assert found["beyond"] > 0
    assert found["plies"] == found["right"] + found["asked"] == 2290


@pytest.mark.prove
@pytest.mark.parametrize("hands", ASKED)
@pytest.mark.parametrize("name", ["ecc2018_clk", "morphy_utf8bom", "polgar"])
def test_all_real_games(shared: Path, name: str, hands: str) -> None:
    """Every game of three archives, by every kind of hands."""
    expect_clean(shared / f"data/pgn/{name}.pgn", hands, None, ASKED[hands])


FAULTY = '[White "A"] [Black "B"] [Result "*"]\n1. e4 e5 2. Ke3 Nc6 *\n\n[White "C"]\n1. d4 *\n'


def test_errors_of_the_file_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line and column of each on stderr, and how many; the exit code is about the plies that were played."""
    file = tmp_path / "games.pgn"
    file.write_text(FAULTY)
    assert main(["simulate", str(file), "--hands", "tidy", "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["plies"], found["pgn_errors"]) == (3, 1)
    assert told.err.splitlines() == [
        f"{file}:2:13: error: Ke3: no white king can legally go to e3",
        f"{file}: 1 error in the file; what follows it in a game is not played",
    ]


def test_an_interrupted_run_says_its_sums(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Ctrl-C and SIGTERM: what was played so far, the PGN of it, and the exit code of the signal."""
    for interruption, code in ((KeyboardInterrupt, 130), (Terminated, 143)):
        real, out = simulate.play_game, tmp_path / f"{code}.pgn"

        def second(task: simulate.Task, real=real, interruption=interruption) -> Outcome:
            if task.number == 2:
                raise interruption
            return real(task)

        with monkeypatch.context() as patched:
            patched.setattr(simulate, "play_game", second)
            assert main(["simulate", str(games), "--hands", "tidy", "--json", "--pgn-out", str(out)]) == code
        told = capsys.readouterr()
        assert json.loads(told.out)["games"] == 1
        assert "stopped after 1 game; these are the sums so far" in told.err
        assert out.read_text().rstrip().endswith("1-0")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_process_is_left_behind(games: Path, number: int, code: int) -> None:
    """However the run ends, its workers end with it; only a killed one says nothing."""
    games.write_text(TWO_GAMES * 3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "board_firmware", "simulate", str(games), "--jobs", "2", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
    )  # fmt: skip
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        workers: list[str] = []
        for _ in range(200):
            workers = children.read_text().split()
            if len(workers) >= 2:
                break
            time.sleep(0.05)
        assert len(workers) == 2
        time.sleep(1)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        assert process.returncode == code
        assert "Traceback" not in err
        if number != signal.SIGKILL:
            assert json.loads(out)["games"] > 0
        for _ in range(100):
            if not any(Path(f"/proc/{worker}").exists() for worker in workers):
                break
            time.sleep(0.05)
        assert not [worker for worker in workers if Path(f"/proc/{worker}/cmdline").exists() and _runs(worker)]
    finally:
        process.kill()
        process.wait()


def _runs(worker: str) -> bool:
    """Whether a process is there and more than an entry that nobody has waited for."""
    try:
        return Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_worker_that_dies_is_said(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, not a traceback of the pool's."""
    monkeypatch.setattr(simulate, "play_game", _dies)
    with pytest.raises(Complaint, match="a process that played games has died"):
        simulated(games, jobs=2)


def _dies(task: simulate.Task) -> Outcome:
    os._exit(1)
