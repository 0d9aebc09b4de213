"""``touchmove replay``: any game of a journal, up to any second, and what does not hold is said."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from board_firmware.cli import main
from board_firmware.journal import reader
from board_firmware.journal.archive import newest_steps
from rules.pgn import read_pgn

from .journals import add_game, journalled, opened

FAMOUS = Path(__file__).parents[1] / "data" / "famous.pgn"

TRACE = """
@1000 lift e2
@1500 place e4
@3000 lift e7
@5300 place e5
"""


@pytest.fixture
def trace(tmp_path):
    """Two moves with their times."""
    path = tmp_path / "game.trace"
    path.write_text(TRACE)
    return path


@pytest.fixture(scope="module")
def famous(tmp_path_factory):
    """A journal with two famous games."""
    path = tmp_path_factory.mktemp("famous") / "journal.sqlite"
    journalled(path, list(read_pgn(FAMOUS.read_bytes()))[:2])
    return path


def replayed(capsys, *arguments, code=0):
    """The decisions, the state, and what was said on stderr."""
    assert main(["replay", *map(str, arguments), "--json"]) == code
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    return lines[:-1], lines[-1], said.err


@pytest.mark.parametrize(
    ("until", "status", "moves", "obligation"),
    [
        ("0", "thinking", [], "none"),
        ("1.2", "thinking", [], "move:e2"),
        ("1.6", "thinking", [], "move:e2"),
        ("2.9", "made", ["e2e4"], "none"),
        ("4", "thinking", ["e2e4"], "move:e7"),
        ("99", "made", ["e2e4", "e7e5"], "none"),
    ],
)
def test_until_stops_at_that_second(trace, capsys, until, status, moves, obligation):
    """All that was due by then has happened, and nothing that came later."""
    decisions, state, _ = replayed(capsys, trace, "--until", until)
    assert (state["status"], state["moves"], state["obligation"]) == (status, moves, obligation)
    assert all(decision["at_s"] <= float(until) for decision in decisions)


def test_until_within_a_journal_is_the_fold_up_to_there(famous, capsys):
    """The state at each of some seconds, from the game's start on, is that of its rows until then."""
    steps = list(newest_steps(famous))
    began_ns = steps[0][0].at_ns
    for seconds in (1, 10, 30):
        decisions, state, _ = replayed(capsys, famous, "--until", seconds)
        due = [d.as_json() for event, ds, _ in steps if event.at_ns - began_ns <= seconds * 1e9 for d in ds]
        assert decisions[: len(due)] == due
        made = {one["move"] for one in decisions if one["kind"] == "move_made"}
        assert set(state["moves"]) <= made


def test_any_game_of_a_journal_can_be_named(famous, capsys):
    """The newest unless one is named; one that is not there is."""
    games = [[move.uci() for move in game.moves] for game in read_pgn(FAMOUS.read_bytes())]
    assert replayed(capsys, famous)[1]["moves"] == games[1]
    assert replayed(capsys, famous, "--game", "g1")[1]["moves"] == games[0]
    assert main(["replay", str(famous), "--game", "g7"]) == 2
    assert capsys.readouterr().err == f"touchmove replay: {famous}: there is no game 'g7' in it\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--until", "-1"], "--until: '-1' is no number from 0 to"),
        (["--until", "nan"], "--until: 'nan'"),
        (["--speed", "0"], "--speed: '0' is no number from 0.001 to"),
        (["--game", "g1"], "only a journal holds many games"),
    ],
)
def test_bad_words_are_said(trace, capsys, arguments, words):
    """One line, exit code 2."""
    assert main(["replay", str(trace), *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def changed(famous, tmp_path, *statements):
    """A copy of the journal after these statements."""
    path = tmp_path / "journal.sqlite"
    path.write_bytes(famous.read_bytes())
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return path


def test_what_does_not_hold_is_said(famous, tmp_path, capsys):
    """A missing row, and one that was altered: replayed all the same, said on stderr, exit code 1."""
    with reader.reading(famous) as connection:
        first = reader.game_by_id(connection, "g2").first_seq
    tick = """event = '{"event":"Tick"}', decisions = '[]'"""
    path = changed(famous, tmp_path, f"UPDATE rows SET {tick} WHERE seq = {first + 9}")
    _, _, said = replayed(capsys, path, code=1)
    assert f"row {first + 9} is missing or not as it was written" in said
    assert f"row {first + 9} is decided otherwise" in said
    path = changed(famous, tmp_path, f"DELETE FROM rows WHERE seq = {first + 9}")
    assert f"row {first + 9} is missing" in replayed(capsys, path, code=1)[2]
    path = changed(
        famous, tmp_path, f"INSERT INTO gaps SELECT seq, seq, chain, 'damaged', 0 FROM rows WHERE seq = {first + 9}",
        f"DELETE FROM rows WHERE seq = {first + 9}",
    )  # fmt: skip
    assert f"rows {first + 9} to {first + 9} are lost" in replayed(capsys, path, code=1)[2]
    path = changed(famous, tmp_path, f"UPDATE rows SET event = x'0102' WHERE seq = {first + 9}")
    assert main(["replay", str(path)]) == 2
    assert f"row {first + 9}: " in capsys.readouterr().err


def test_an_empty_journal_and_a_newer_one_are_said(tmp_path, capsys):
    """One line each."""
    path = tmp_path / "journal.sqlite"
    opened(path).close()
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err == f"touchmove replay: {path}: the journal holds no game yet\n"
    journal = opened(path)
    add_game(journal, 1)
    journal.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert main(["replay", str(path)]) == 2
    assert "has journal version 99, this touchmove reads those up to 2" in capsys.readouterr().err


def test_a_damaged_journal_is_said(famous, tmp_path, capsys):
    """What is wrong, where, and what helps."""
    path = tmp_path / "journal.sqlite"
    path.write_bytes(famous.read_bytes()[:100] + bytes(4000) + famous.read_bytes()[4100:])
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"touchmove replay: {path}: the file is damaged (")
    assert "touchmove play saves what can be read of it" in said
    assert said.count("\n") == 1
