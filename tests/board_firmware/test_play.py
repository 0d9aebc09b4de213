"""``touchmove play`` as a process: it starts, plays, ends cleanly, comes back, and says in one line why it cannot."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from board_firmware.complaint import Complaint
from board_firmware.journal import reader
from hal.board import BoardSnapshot, Faulted


def environment(state):
    """The environment of a service whose state lies in a folder."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**given, "STATE_DIRECTORY": str(state), "CONFIGURATION_DIRECTORY": str(state), "PYTHONWARNINGS": "error"}


def command(*arguments):
    """The command line."""
    return [sys.executable, "-m", "board_firmware", *arguments]


def refused(state, *arguments):
    """The one line with which it ends, exit code 2."""
    done = subprocess.run(
        command("play", *arguments), env=environment(state), capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert done.stdout == ""
    return lines[0]


@contextmanager
def playing(state, *arguments):
    """A running board; gives the process once it plays, and ends it."""
    process = subprocess.Popen(
        command("play", "--port", "0", *arguments), env=environment(state), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    process.said = []
    for line in process.stdout:
        process.said.append(line)
        if line.startswith("Ctrl-C"):
            break
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def ended(process, number):
    """The exit code and what was said on stderr after a signal; within two seconds and some."""
    begun = time.monotonic()
    process.send_signal(number)
    code = process.wait(timeout=10)
    assert time.monotonic() - begun < 5
    return code, process.stderr.read()


class Browser:
    """What the page does: asks for its token, moves pieces on the simulated board."""

    def __init__(self, process):
        self.url = re.search(r"http://\S+/", "".join(process.said))[0].rstrip("/")
        with urllib.request.urlopen(f"{self.url}/api/session", timeout=5) as answer:
            self.csrf = json.load(answer)["csrf"]
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def post(self, path, **body):
        """One request of the page."""
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self.csrf, "Cookie": self.cookie}
        request = urllib.request.Request(
            f"{self.url}{path}", data=json.dumps(body).encode(), headers={**headers, "Origin": self.url}
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_and_the_game_goes_on(tmp_path, number):
    """Exit code 0, nothing on stderr; the next start brings the game back, with its moves."""
    with playing(tmp_path) as process:
        browser = Browser(process)
        assert not (tmp_path / "games").exists()  # nothing has been played that would be worth a file
        for square, act in (("e2", "lift"), ("e4", "place"), ("e7", "lift"), ("e5", "place")):
            browser.post("/api/hand", do=act, square=square)
            time.sleep(0.5)
        time.sleep(0.3)
        assert ended(process, number) == (0, "")
    with reader.reading(tmp_path / "journal.sqlite") as connection:
        game = reader.games(connection)[0]
        assert game.plies == 2
        assert list(reader.broken_links(connection)) == []
    assert (tmp_path / "games" / f"{game.game_id}.pgn").read_text().endswith("\n1. e4 *\n")
    with playing(tmp_path) as process:
        assert process.said[0] == f"The game {game.game_id} goes on after 2 plies.\n"
        assert ended(process, number) == (0, "")
    with playing(tmp_path, "--time", "300") as process:
        assert process.said[0].startswith(f"The game {game.game_id} is left unfinished")


def test_with_black_to_move_the_lever_comes_back_on_his_side_to_press(tmp_path):
    """The simulated lever lies as it lay: White has pressed, and Black's press is heard after the restart."""
    with playing(tmp_path, "--time", "300") as process:
        browser = Browser(process)
        browser.post("/api/command", command="StartAsked")
        for square, act in (("e2", "lift"), ("e4", "place")):
            time.sleep(0.5)
            browser.post("/api/hand", do=act, square=square)
        time.sleep(0.5)
        browser.post("/api/hand", do="press", side="white")
        time.sleep(0.3)
        assert ended(process, signal.SIGTERM) == (0, "")
    with playing(tmp_path) as process:
        browser = Browser(process)
        assert browser.post("/api/hand", do="lift", square="e7")["lever"] == "white"
        assert ended(process, signal.SIGTERM) == (0, "")


def test_a_start_that_fails_leaves_no_file_of_a_game(tmp_path):
    """Nor does a recording stay that could not be begun."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused(tmp_path, "--port", str(taken.getsockname()[1]))
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("fen", "word"),
    [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
     ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "dead_position"), ("7k/8/6K1/8/8/8/8/7R b - - 150 90", "seventyfive_moves")],
)  # fmt: skip
def test_a_position_that_is_over_is_not_begun(tmp_path, fen, word):
    """No clock runs in a game that nobody can play."""
    assert word in refused(tmp_path, "--no-page", "--time", "300", "--fen", fen)


@pytest.mark.parametrize("output", ["/dev/full", None])
def test_a_board_plays_on_where_nobody_takes_what_it_says(tmp_path, output):
    """A full disk behind standard output, or none at all, ends no game."""
    with open(output or os.devnull, "wb") as file:
        process = subprocess.Popen(
            command("play", "--no-page"), env=environment(tmp_path), stdout=file, stderr=subprocess.PIPE, text=True,
            preexec_fn=None if output else lambda: os.close(1),
        )  # fmt: skip
    deadline = time.monotonic() + 10
    while not (tmp_path / "journal.sqlite-head").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    assert process.poll() is None
    assert ended(process, signal.SIGTERM) == (0, "")
    process.stderr.close()


def test_what_is_recorded_in_play_can_be_replayed(tmp_path):
    """The contacts of a game as the board runs it, over a restart: the same moves again, at other debounce times too."""
    for number, moves in enumerate((("e2", "e4"), ("e7", "e5"))):
        with playing(tmp_path, "--record", str(tmp_path / f"{number}.raw")) as process:
            browser = Browser(process)
            for square, act in zip(moves, ("lift", "place"), strict=True):
                browser.post("/api/hand", do=act, square=square)
                time.sleep(0.5)
            time.sleep(0.3)
            assert ended(process, signal.SIGTERM) == (0, "")
    for number, moves in enumerate((["e2e4"], ["e7e5"])):
        for times in ("60/30", "100/40"):
            done = subprocess.run(
                command("replay", "--raw", str(tmp_path / f"{number}.raw"), "--debounce", times, "--json"),
                capture_output=True, text=True, timeout=30, check=True,
            )  # fmt: skip
            assert json.loads(done.stdout.splitlines()[-1])["moves"] == moves
    exists = f"--record {tmp_path / '0.raw'}: the file exists; name a new one"
    assert exists in refused(tmp_path, "--no-page", "--record", str(tmp_path / "0.raw"))
    assert "No such file" in refused(tmp_path, "--no-page", "--record", str(tmp_path / "none" / "0.raw"))


def test_it_scans_within_two_seconds(tmp_path):
    """From the command to the first scan, page included (the board plays when it says so)."""
    with playing(tmp_path):
        pass  # warm: the interpreter's caches are written
    begun = time.monotonic()
    with playing(tmp_path):
        assert time.monotonic() - begun < 2.0 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def test_the_second_on_the_same_journal_is_told_who_has_it(tmp_path):
    """Named: the journal, the board and the process."""
    with playing(tmp_path) as process:
        line = refused(tmp_path)
        assert str(tmp_path / "journal.sqlite") in line
        assert f"in use by touchmove play on sim: (process {process.pid})" in line


def test_a_port_in_use_is_said(tmp_path):
    """Which port, and that another may be taken; the game can be begun the next time."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in refused(tmp_path, "--port", str(port))
    with playing(tmp_path) as process:
        assert ended(process, signal.SIGTERM) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--config", "none.toml"), "none.toml: No such file"),
        (("--config", "."), "Is a directory"),
        (("--config", "bad.toml"), "bad.toml: [web] prot: unknown key"),
        (("--fen", "8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
        (("--fen", "4k3/8/8/8/8/8/8/KK6 w - - 0 1"), "king"),
        (("--fen", "r3k3/8/8/8/8/8/8/4K3"), "does not state the castling rights"),
        (("--time", "five"), "time control 'five'"),
        (("--chess960", "960"), "is no whole number from 0 to 959"),
        (("--board", "warp:9"), "'warp:9' is no board"),
        (("--board", "dgt:/dev/none"), "/dev/none"),
        (("--port", "99999"), "'99999' is no whole number from 0 to 65535"),
    ],
)
def test_bad_input_ends_with_one_line(tmp_path, monkeypatch, arguments, words):
    """Exit code 2 and one line that says what, where and what to do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("[web]\nprot = 1\n")
    environ = {**environment(tmp_path / "state"), "PYTHONPATH": str(Path(reader.__file__).parents[2])}
    done = subprocess.run(
        command("play", *arguments), env=environ, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert words in done.stderr


def test_a_journal_that_is_none_is_said_and_left(tmp_path):
    """A text file in its place stays as it is."""
    (tmp_path / "journal.sqlite").write_text("dear diary, " * 100)
    line = refused(tmp_path)
    assert "journal.sqlite" in line
    assert (tmp_path / "journal.sqlite").read_text().startswith("dear diary")


def test_a_fault_of_its_own_is_told_in_a_file(tmp_path, monkeypatch):
    """No traceback reaches the user, none is lost."""
    from board_firmware import play

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))

    def broken():
        raise RuntimeError("a bug")

    with pytest.raises(Complaint) as told:
        play.run(play.Options(page=False), new_core=broken)
    assert str(tmp_path / "crash.txt") in str(told.value)
    assert "goes on at the next start" in str(told.value)
    assert "RuntimeError: a bug" in (tmp_path / "crash.txt").read_text()


def test_rights_that_a_diagram_does_not_state_are_asked_for(monkeypatch):
    """One question each at a terminal, asked again until it is answered; nothing is inferred."""
    from board_firmware import play

    answers = ["", "y", "perhaps", "NO", "yes"]
    asked = []

    def answer(question):
        asked.append(question)
        return answers.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert play._with_rights("r3k2r/8/8/8/8/8/8/R3K3 w") == "r3k2r/8/8/8/8/8/8/R3K3 w Qq - 0 1"
    assert asked[0] == "May white still castle with king e1 and rook a1? [y/n] "
    assert (len(asked), answers) == (5, [])
    assert play._with_rights("r3k2r/8/8/8/8/8/8/R3K3 w - - 0 1") == "r3k2r/8/8/8/8/8/8/R3K3 w - - 0 1"


class SlowBoard:
    """A board whose first scan comes with the third look."""

    def __init__(self, occupancy):
        self.looks = 0
        self.occupancy = occupancy

    def snapshot(self):
        """Nothing before the first scan."""
        return BoardSnapshot(occupancy=self.occupancy if self.looks >= 3 else 0, at_ns=0)

    def wait(self, timeout_s):
        """A fault on the way, then the first scan."""
        self.looks += 1
        if self.looks == 2:
            return (Faulted(part="line a", reason="open", at_ns=1),)
        return (BoardSnapshot(occupancy=self.occupancy, at_ns=2),) if self.looks == 3 else ()


@pytest.mark.parametrize("occupancy", [0xFFFF, 0])
def test_a_board_that_has_not_scanned_yet_is_not_taken_for_an_empty_one(occupancy):
    """It is waited for until its first scan, which may show nothing indeed; faults on the way are kept."""
    from board_firmware.play import first_look

    board = SlowBoard(occupancy)
    assert first_look(board) == (occupancy, [Faulted(part="line a", reason="open", at_ns=1)])
    assert board.looks == 3
    silent = SlowBoard(0)
    silent.wait = lambda timeout_s: ()
    assert first_look(silent, patience_s=0.02) == (0, [])
