"""Whole games through the board in wires: chosen reeds, worn ones, and one thing broken after the other."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from board_firmware.commands import simulate
from board_firmware.core.session import Session
from board_firmware.hands.game import Score, SimulatedGame
from hal.board import Faulted
from hal.squares import squares_of_part
from hal.wires import WiredBoard
from rules.pgn import read_pgn

FAMOUS = Path(__file__).parent.parent / "data" / "famous.pgn"
S = 1_000_000_000


class WatchedBoard(WiredBoard):
    """Keeps what it reported as faults, and what was broken when."""

    def __init__(self, **settings):
        self.told, self.broken_at, self.covered = [], [], set()
        super().__init__(**settings)

    def advance(self, to_ns):
        """As ever, with the faults kept."""
        events = super().advance(to_ns)
        if self.broken_at and squares_of_part(self.broken_at[-1][1]) & self.wood.standing:
            self.covered.add(self.broken_at[-1][:2])
        self.told += [(event.at_ns, event.part, event.reason) for event in events if isinstance(event, Faulted)]
        return events

    def damage(self, kind):
        """As ever, and noted, with the number of closed squares that show it."""
        part, reason = super().damage(kind)
        shown = (squares_of_part(part) & self.wood.standing).bit_count() if reason == "dead_line" else 3
        self.broken_at.append((self.now_ns, part, reason, shown))
        return part, reason


def played(file, games, faults, seed=1):
    """The outcomes of the first games of a file and the boards they were played on."""
    found = []
    with file.open("rb") as source:
        for number, game in enumerate(islice(read_pgn(source), games), 1):
            score = Score(start=game.start, moves=tuple(move for move in game.moves), result=game.result)
            board = WatchedBoard(seed=seed * 1_000_003 + number, occupancy=game.start.occupied, profile=faults)
            how = simulate.circumstances("human", seed, number)
            one = SimulatedGame(score, how, board=board, new_core=Session, seed=f"{seed}:{number}")
            found.append((one.play(), board))
    return found


def expect_sound(file, games, faults):
    """Nothing wrong, nothing lost, nothing called broken that is not, never a short circuit."""
    for outcome, board in played(file, games, faults):
        assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())
        assert board.told == []
        assert board.net.contentions == 0


def expect_finished(file, games):
    """No move wrong, every game finished; what broke and is not named, though it could be seen."""
    unnamed = []
    for outcome, board in played(file, games, "broken"):
        assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())
        for at_ns, part, reason, shown in board.broken_at:
            hidden = reason == "stuck_closed" and (at_ns, part) in board.covered  # a piece came to stand there
            if shown < 2 or hidden or board.now_ns - at_ns < 20 * S:
                continue  # a line with no two pieces on it shows nothing that a hand could not do
            named = [told for told in board.told if at_ns <= told[0] <= at_ns + 40 * S and told[1:] == (part, reason)]
            if not named:
                unnamed.append((at_ns, part, reason))
    return unnamed


def test_healthy_games():
    """Two games on chosen reeds."""
    expect_sound(FAMOUS, 2, "healthy")


def test_aged_games():
    """Two games on worn reeds."""
    expect_sound(FAMOUS, 2, "aged")


def test_broken_games():
    """Two games with one stuck reed, one that chatters and one dead line in turn."""
    assert expect_finished(FAMOUS, 2) == []


@pytest.mark.prove
@pytest.mark.parametrize("faults", ["healthy", "aged"])
def test_30_sound_games(shared, faults):
    """Thirty games of a tournament player."""
    expect_sound(shared / "data/pgn/polgar.pgn", 30, faults)


@pytest.mark.prove
def test_30_broken_games(shared):
    """Thirty games on breaking boards."""
    assert expect_finished(shared / "data/pgn/polgar.pgn", 30) == []
