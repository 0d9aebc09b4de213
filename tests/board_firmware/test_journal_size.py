"""How much a game takes in the journal, and that it replays to the byte: many games, long ones, other Pythons."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from random import Random

import pytest

from board_firmware.hands.styles import BLITZ, HUMAN, ROUGH
from board_firmware.journal import reader
from rules import Position
from rules.pgn import PgnGame, PgnLine, PgnMove, read_pgn

from .journals import folded, journalled

LARGEST_BYTES = 200_000
"""What a game may take in the journal."""

STYLES = {"human": HUMAN, "rough": ROUGH, "blitz": BLITZ}


@pytest.mark.prove
def test_three_hundred_games_replay_to_the_byte(shared, tmp_path):
    """Real games by human and rough hands; on other Pythons too, where there are any."""
    source = (shared / "data" / "pgn" / "ecc2018_clk.pgn").read_bytes()
    games = [game for game, _ in zip(read_pgn(source), range(300), strict=False)]
    counts = {}
    for style, some in (("human", games[:150]), ("rough", games[150:])):
        path, grown = tmp_path / f"{style}.sqlite", []
        journalled(path, some, STYLES[style], grown)
        differing = [back.differing for _, back in folded(path)]
        assert len(differing) >= len(some)
        assert not any(differing)
        counts[path] = len(differing)
        print(f"{style}: {sum(grown) / len(some) / 1000:.0f} kB a game, the largest {max(grown) / 1000:.0f} kB")
        assert max(grown) < LARGEST_BYTES
    others = list(other_pythons())
    assert others or not os.environ.get("TOUCHMOVE_OTHER_PYTHON")
    code = (
        "import sys; sys.path.insert(0, '.'); from pathlib import Path; from board_firmware.journal import recovery;"
        "from board_firmware.journal import reader as r; from board_firmware.core.session import Session\n"
        "with r.reading(Path(sys.argv[1])) as c:\n"
        "    print(sum(not recovery.fold(g, r.rows_of(c, g), Session).differing for g in r.games(c)))"
    )
    for python in others:
        for path, count in counts.items():
            done = subprocess.run([python, "-c", code, str(path)], capture_output=True, text=True, check=True)
            assert int(done.stdout) == count, python
        print(f"the same to the byte on {python}")


def other_pythons():
    """Interpreters of other versions on this machine that run: the one that is named, else all that are found."""
    named = os.environ.get("TOUCHMOVE_OTHER_PYTHON")
    for name in [named] if named else (f"python3.{minor}" for minor in range(11, 20)):
        found = None if name == f"python3.{sys.version_info.minor}" else shutil.which(name)
        if found and subprocess.run([found, "-c", "import tomllib"], capture_output=True).returncode == 0:
            yield found


@pytest.mark.prove
@pytest.mark.parametrize("style", STYLES)
def test_the_longest_games_stay_small(shared, tmp_path, style):
    """The six longest of 900 real games, and the longest ever played under tournament rules, each in a file of its own."""
    games = sorted(
        read_pgn((shared / "data" / "pgn" / "ecc2018_clk.pgn").read_bytes()), key=lambda game: len(game.moves)
    )
    games = [*games[-6:], *read_pgn((shared / "data" / "pgn" / "nikolic_arsovic_1989.pgn").read_bytes())]
    sizes = {}
    for number, game in enumerate(games):
        path = tmp_path / f"{number}.sqlite"
        journalled(path, [game], STYLES[style])
        assert not any(back.differing for _, back in folded(path))
        with reader.reading(path) as connection:
            rows = [len(reader.rows_of(connection, game)) for game in reader.games(connection)]
        sizes[len(game.moves)] = path.stat().st_size * max(rows) // sum(rows)  # one is ended by 9.6.2 and begun anew
    print(f"{style}: {sizes}")
    assert max(sizes.values()) < LARGEST_BYTES


def test_a_long_game_stays_small(tmp_path):
    """Three hundred plies by rough hands, with all that lies around them in the file."""
    random, position, moves = Random(3), Position.start(), []
    while len(moves) < 300:
        legal = [move for move in position.legal_moves() if move.promotion is None]
        reply = [(move, position.play(move)) for move in random.sample(legal, len(legal))]
        move, position = next((one for one in reply if one[1].legal_moves()), reply[0])
        moves.append(move)
    line = PgnLine(moves=tuple(PgnMove(move=move) for move in moves))
    game = PgnGame(tags={}, start=Position.start(), line=line, result="1-0")
    journalled(tmp_path / "journal.sqlite", [game], ROUGH)
    assert (tmp_path / "journal.sqlite").stat().st_size < LARGEST_BYTES
