"""Whole games through the board in wires: chosen reeds, worn ones, and one thing broken after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
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


@dataclass(slots=True)
class Damage:
    """One thing that broke: when, how it should be named, and when that could be seen first."""

    at_ns: int
    part: str
    reason: str
    standing: int
    alone: bool
    """Nothing else is held to be broken: what was mended under a chessman is believed again when that leaves."""
    seen_ns: int | None = None
    covered_ns: int | None = None
    """When a chessman came to stand on the reed that is stuck closed: nothing is to be seen any more."""


class WatchedBoard(WiredBoard):
    """Keeps what was named as broken, and what was broken when."""

    def __init__(self, **settings):
        self.told, self.damages = [], []
        super().__init__(**settings)

    def advance(self, to_ns):
        """As ever, with the faults kept, and the time before the first look at which the newest damage showed."""
        before_ns = self.now_ns
        events = super().advance(to_ns)
        self.told += [(event.at_ns, event.part, event.reason) for event in events if isinstance(event, Faulted)]
        if self.damages and self.breakage.broken:
            self._look(self.damages[-1], before_ns)
        return events

    def damage(self, kind):
        """As ever, and noted."""
        alone = not self.faults
        part, reason = super().damage(kind)
        self.damages.append(Damage(self.now_ns, part, reason, self.wood.standing, alone))
        return part, reason

    def _look(self, damage, before_ns):
        raw, standing, squares = self.board.scanned.squares, self.wood.standing, squares_of_part(damage.part)
        if damage.reason == "stuck_closed":
            shows = raw & squares & ~standing
            if standing & squares and damage.covered_ns is None:
                damage.covered_ns = self.now_ns
        elif damage.reason == "dead_line":  # one chessman alone on its line may be in a hand
            shows = (squares & damage.standing).bit_count() >= 2 and not raw & squares
        else:
            shows = standing & squares & ~raw
        if shows and damage.seen_ns is None:
            damage.seen_ns = max(damage.at_ns, before_ns)


class NotingSession(Session):
    """Adds what players' answers have shown to be broken to what the board has told."""

    def __init__(self, told):
        super().__init__()
        self._told = told

    def receive(self, event):
        """As ever, and noted."""
        decisions = super().receive(event)
        faults = [one for one in decisions if one.kind == "fault"]
        self._told += [(one.at_ns, one.details["part"], one.details["reason"]) for one in faults]
        return decisions


class TimedGame(SimulatedGame):
    """Keeps when each ply was begun."""

    def __init__(self, *arguments, **settings):
        self.begun_ns = []
        super().__init__(*arguments, **settings)

    def _play_ply(self, move):
        self.begun_ns.append(self._table.now_ns)
        return super()._play_ply(move)


def played(file, games, faults, seed=1):
    """The outcomes of the first games of a file, the boards they were played on, and when plies were begun."""
    found = []
    with file.open("rb") as source:
        for number, game in enumerate(islice(read_pgn(source), games), 1):
            score = Score(start=game.start, moves=tuple(move for move in game.moves), result=game.result)
            board = WatchedBoard(seed=seed * 1_000_003 + number, occupancy=game.start.occupied, profile=faults)
            how = simulate.circumstances("human", seed, number)
            new_core = partial(NotingSession, board.told)
            one = TimedGame(score, how, board=board, new_core=new_core, seed=f"{seed}:{number}")
            found.append((one.play(), board, one.begun_ns))
    return found


def expect_sound(file, games, faults):
    """Nothing wrong, nothing lost, nothing called broken that is not, never a short circuit."""
    for outcome, board, _ in played(file, games, faults):
        assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())
        assert board.told == []
        assert board.net.contentions == 0


def expect_finished(file, games):
    """No move wrong, every game finished; what was not named within five seconds or one move of being seen."""
    late = []
    for outcome, board, begun_ns in played(file, games, "broken"):
        assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())
        late += [damage for damage in board.damages if is_late(damage, board, begun_ns)]
    return late


def is_late(damage, board, begun_ns):
    """Whether the board had its time and has not said what is broken."""
    if damage.seen_ns is None or not damage.alone:
        return False
    due_ns = damage.seen_ns + 5 * S
    after_ns = [at_ns for at_ns in begun_ns if at_ns > damage.seen_ns]
    if len(after_ns) > 1:
        due_ns = max(due_ns, after_ns[1])
    else:
        due_ns = max(due_ns, board.now_ns)
    ends_ns = min(damage.at_ns + 40 * S, board.now_ns)  # mended, or the game is over
    if damage.covered_ns is not None:
        ends_ns = min(ends_ns, damage.covered_ns)
    named = [at_ns for at_ns, *told in board.told if told == [damage.part, damage.reason] and at_ns >= damage.at_ns]
    return due_ns < ends_ns and not any(at_ns <= due_ns for at_ns in named)


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
    """Thirty games on breaking boards, all faults named in time."""
    assert expect_finished(shared / "data/pgn/polgar.pgn", 30) == []
