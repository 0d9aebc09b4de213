"""Whole games while wires touch each other or ground and diodes conduct back: nothing wrong is ever recorded.

Where the lever can still be read the players find their way as well; a file at ground with chessmen on both of its ranks,
or the panel's line against another, leaves a lever that nobody can read.
"""

from __future__ import annotations

from itertools import islice

import pytest

from board_firmware.commands import simulate
from board_firmware.core.session import Session
from board_firmware.hands.game import Score, SimulatedGame
from hal.squares import SQUARE_NAMES
from hal.wires import BROKEN_NS, SOUND_NS, WiredBoard
from rules.pgn import read_pgn
from tests.board_firmware.test_wires_games import FAMOUS

KINDS = {
    "shorted": lambda random: (f"square {random.choice(SQUARE_NAMES)}", "shorted"),
    "reversed": lambda random: (f"square {random.choice(SQUARE_NAMES)}", "reversed"),
    "open": lambda random: (f"line rank {random.randrange(1, 9)}", "open"),
    "rank": lambda random: (f"line rank {random.randrange(1, 9)}", "low"),
    "file": lambda random: (f"line file {random.choice('abcdefgh')}", "low"),
    "ranks": lambda random: (f"line rank {(n := random.randrange(1, 8))} + line rank {n + 1}", "joined"),
    "files": lambda random: (
        f"line file {'abcdefgh'[(n := random.randrange(7))]} + line file {'abcdefgh'[n + 1]}",
        "joined",
    ),
    "panel": lambda random: ("line file h + panel", "joined"),
}

HARMLESS = ("shorted", "reversed", "open")
"""With these every game is finished."""


class BadlyWiredBoard(WiredBoard):
    """One flaw after the other, at random, of one kind."""

    def __init__(self, *, kind, **settings):
        self._kind = kind
        super().__init__(profile="broken", **settings)

    def _wear(self):
        if self.breakage.broken:
            self.breakage.mend_all()
            self._next_damage = self._next_scan + SOUND_NS
        else:
            self.breakage.set(*KINDS[self._kind](self._random))
            self._next_damage = self._next_scan + BROKEN_NS


def play(file, games, kind):
    """Wrong and lost plies of the first games of a file."""
    wrong = lost = 0
    with file.open("rb") as source:
        for number, game in enumerate(islice(read_pgn(source), games), 1):
            score = Score(start=game.start, moves=tuple(game.moves), result=game.result)
            board = BadlyWiredBoard(kind=kind, seed=1_000_003 + number, occupancy=game.start.occupied)
            how = simulate.circumstances("human", 1, number)
            outcome = SimulatedGame(score, how, board=board, new_core=Session, seed=f"1:{number}").play()
            wrong, lost = wrong + outcome.wrong, lost + outcome.lost
            assert board.net.contentions == 0
    return wrong, lost


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_on_bad_wires(kind):
    """One of each kind."""
    wrong, lost = play(FAMOUS, 1, kind)
    assert wrong == 0
    assert lost == 0 or kind not in HARMLESS


@pytest.mark.prove
@pytest.mark.parametrize("kind", KINDS)
def test_30_games_on_bad_wires(shared, kind):
    """Thirty games of a tournament player."""
    wrong, lost = play(shared / "data/pgn/polgar.pgn", 30, kind)
    print(f"{kind}: lost {lost}")
    assert wrong == 0
    assert lost == 0 or kind not in HARMLESS
