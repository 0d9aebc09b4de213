"""The plug is pulled at any instant: no move lost, none invented, the clocks within their rule, the same PGN.

Players at a board play real games; the process that runs it is killed (SIGKILL) again and again and started anew. They
do what the board then asks: put the wood right, confirm that play goes on, and play on from what was recorded.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from pathlib import Path
from random import Random

import pytest

from board_firmware.commands.export import export
from board_firmware.core.events import ButtonPressed, LeverMoved, Resigned, SquareChanged, StartAsked
from board_firmware.hands.orders import orders
from rules import Position
from rules.pgn import read_pgn
from tests.board_firmware import crash_child

FAMOUS = Path(__file__).parents[1] / "data" / "famous.pgn"
CONTROL = "5400+30"
STEP_S = 0.008
"""Between two acts of a hand: beyond what one scan could take for a knock."""


@pytest.fixture(scope="module")
def forkserver():
    """Children that start in milliseconds: all is imported before they are forked."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.board_firmware.crash_child"])
    return context


class Table:
    """Two players, the wood before them, and the process that watches it."""

    def __init__(self, forkserver, folder, moves, random, kill_after_s):
        self.folder = folder
        self.moves = moves
        self.positions = [Position.start()]
        for move in moves:
            self.positions.append(self.positions[-1].play(move))
        self.wood = self.positions[0].occupied
        self.random = random
        self.kill_after_s = kill_after_s
        self.kills = 0
        self.steps = []
        self.shown = 0
        """How many moves people have seen recorded."""
        self.new = True
        self.alive = False
        self._context = forkserver

    # -- the process -------------------------------------------------------------------------------------------------

    def start(self):
        """Start the board and wait until it shows the game."""
        self.pipe, theirs = self._context.Pipe()
        self.process = self._context.Process(
            target=crash_child.run, args=(theirs, str(self.folder), self.wood, CONTROL, self.new), daemon=True
        )
        self.process.start()
        theirs.close()
        before = self.steps[-1] if self.steps else None
        self.steps = [self.receive(30)]
        self.new = False
        self.alive = True
        self.kill_at = time.monotonic() + self.random.uniform(*self.kill_after_s) if self.kills_left() else None
        return before, self.steps[0]

    def kills_left(self):
        """Whether another kill is planned."""
        return self.kills < self.planned

    def receive(self, timeout_s):
        """The next step that the board shows."""
        assert self.pipe.poll(timeout_s), "the board shows nothing"
        return self.pipe.recv()

    def look(self):
        """What the board shows now; kills the process when its time has come."""
        while self.alive and self.pipe.poll(0):
            self.steps.append(self.pipe.recv())
        if self.alive and self.kill_at is not None and time.monotonic() >= self.kill_at:
            self.kill()
        return self.steps[-1]

    def kill(self):
        """SIGKILL, and what had been shown until then."""
        self.process.kill()
        self.killed_ns = time.monotonic_ns()
        self.process.join(10)
        with contextlib.suppress(EOFError, ConnectionResetError):
            while self.pipe.poll(0):
                self.steps.append(self.pipe.recv())
        self.pipe.close()
        self.alive = False
        self.kills += 1

    def send(self, event):
        """An event of the reeds or of a button; lost if nobody is there."""
        if self.alive:
            try:
                self.pipe.send(event)
            except (BrokenPipeError, OSError):
                raise AssertionError("the board died by itself") from None

    # -- hands -------------------------------------------------------------------------------------------------------

    def act(self, square, occupied):
        """A unit leaves a square or comes to it; False when the board has just been killed."""
        self.wood = self.wood | 1 << square if occupied else self.wood & ~(1 << square)
        self.send(SquareChanged(square=square, occupied=occupied, at_ns=time.monotonic_ns()))
        return self.pause()

    def pause(self, seconds=STEP_S):
        """A moment; False when the board is gone."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.look()
            if not self.alive:
                return False
            time.sleep(min(left, 0.004))
        self.look()
        return self.alive

    def until(self, condition, what):
        """Wait for the board to show something; False when it is gone."""
        limit = time.monotonic() + 20
        while not condition(self.look()):
            assert time.monotonic() < limit, f"in vain: {what}: {self.steps[-1]}"
            if not self.pause():
                return False
        return self.alive

    def set_wood(self, occupied):
        """Put the wood as the board asks, piece by piece."""
        for square in range(64):
            bit = 1 << square
            if self.wood & bit and not occupied & bit and not self.act(square, False):
                return False
        for square in range(64):
            bit = 1 << square
            if occupied & bit and not self.wood & bit and not self.act(square, True):
                return False
        return self.alive

    def play_ply(self, number):
        """One move and its press."""
        position, move = self.positions[number], self.moves[number]
        for step in orders(position, move)[0]:
            if not self.act(step.square, not step.lifts):
                return
        if move.promotion is not None:
            if not self.until(lambda step: step["ask"] == "promotion_piece", "the promotion question"):
                return
            self.choose(number)
        self.press(number)

    def choose(self, number):
        """The player names his piece."""
        letter = self.moves[number].promotion.letter
        self.send(ButtonPressed(button=f"promote_{letter}", at_ns=time.monotonic_ns()))

    def press(self, number):
        """The player presses the clock after a ply."""
        if self.pause():
            self.send(LeverMoved(down="white" if number % 2 == 0 else "black", at_ns=time.monotonic_ns()))
            self.pause()

    # -- the game ----------------------------------------------------------------------------------------------------

    def check_back(self, before, now):
        """After a restart: nothing that was shown is lost, nothing invented, the clocks within their rule."""
        played = [move.uci() for move in self.moves]
        assert now["moves"] == played[: len(now["moves"])], "a move was invented"
        assert len(now["moves"]) >= self.shown, "a move that was shown is lost"
        assert now["number"] > before["number"]
        assert now["violations"] == []
        if before["clock_s"] is None:
            return
        assert now["status"] in ("paused", "irregularity", "ended", "not_started"), now
        assert now["clock"] in ("paused", "stopped", None), "the clock waits for somebody"
        bonus_s = 30.0 * (len(now["moves"]) - len(before["moves"]) + 1)
        passed_s = (self.killed_ns - before["said_ns"]) / 1e9 + 0.1
        for side in ("white", "black"):
            assert before["clock_s"][side] - passed_s <= now["clock_s"][side] <= before["clock_s"][side] + bonus_s

    def go_on(self, number):
        """Play from ply ``number`` on to the end or to the next kill."""
        while number < len(self.moves) and self.alive:
            self.play_ply(number)
            number += 1
            if self.alive and self.random.random() < 0.1:
                self.until(lambda step, count=number: len(step["moves"]) >= count, "the move")

    def game(self, result, kills):
        """The whole game with so many kills in it."""
        self.planned = self.kills + kills
        self.shown = 0
        before, now = self.start()
        self.send(StartAsked(at_ns=time.monotonic_ns()))
        self.go_on(0)
        while not self.alive or not self.over(result):
            if self.alive:
                continue
            shown = [(step["game_id"], len(step["moves"])) for step in self.steps if step["completed"]]
            before, now = self.start()
            # steps of the game before may still be among them
            self.shown = max((moves for game, moves in shown if game == now["game_id"]), default=self.shown)
            before = before if before["game_id"] == now["game_id"] else now
            if before is not now:
                self.check_back(before, now)
            self.resume(now)

    def resume(self, now):
        """The players do what the board asks, and play on."""
        recorded = len(now["moves"])
        if now["status"] == "ended":
            return
        if now["ask"] == "promotion_piece" and not now["restore"]:
            self.send(StartAsked(at_ns=time.monotonic_ns()))
            self.choose(recorded)
            self.press(recorded)
            self.go_on(recorded + 1)
            return
        if not self.set_wood(self.positions[recorded].occupied):
            return
        if not self.until(lambda step: not step["restore"], "the wood put right"):
            return
        self.send(StartAsked(at_ns=time.monotonic_ns()))
        if not self.until(lambda step: step["clock"] in ("white", "black"), "the clock running"):
            return
        if recorded and now["made"] and not now["completed"]:
            self.press(recorded - 1)
        self.go_on(recorded)

    def over(self, result):
        """All is played: the loser resigns unless it was mate; the board is stopped. False when it was killed first."""
        if not self.until(lambda step: len(step["moves"]) == len(self.moves), "the last move"):
            return False
        if self.look()["status"] != "ended":
            self.send(Resigned(side="black" if result == "1-0" else "white", at_ns=0))
            if not self.until(lambda step: step["status"] == "ended", "the end"):
                return False
        assert self.steps[-1]["result"] == result
        self.game_id = self.steps[-1]["game_id"]
        self.process.kill()
        self.process.join(10)
        self.pipe.close()
        return True


def played(forkserver, folder, games, kills, seed, kill_after_s=(0.0, 0.6)):
    """Play the games with so many kills spread over them; each PGN holds the moves that were played."""
    random = Random(seed)
    killed = 0
    for number, (moves, result) in enumerate(games):
        share = (kills - killed) // (len(games) - number)
        table = Table(forkserver, folder / f"game-{number}", moves, random, kill_after_s)
        table.folder.mkdir()
        table.game(result, share)
        killed += table.kills
        text = export("pgn", None, table.folder / "journal.sqlite")
        (back,) = read_pgn(text.encode())
        assert (back.moves, back.result) == (moves, result)
        assert (table.folder / "games" / f"{table.game_id}.pgn").exists()
    return killed


def famous():
    """The games in the tests' own file."""
    return [(game.moves, game.result) for game in read_pgn(FAMOUS.read_bytes())]


def test_fifty_kills_lose_nothing(forkserver, tmp_path):
    """Five famous games, killed fifty times between and within moves."""
    assert played(forkserver, tmp_path, famous(), kills=50, seed=1) >= 45


@pytest.mark.prove
def test_five_hundred_kills_lose_nothing(forkserver, tmp_path, shared):
    """Real games over the board, killed five hundred times."""
    games = []
    for game in read_pgn((shared / "data" / "pgn" / "ecc2018_clk.pgn").read_bytes()):
        if game.result in ("1-0", "0-1") and 40 <= len(game.moves) <= 90:
            games.append((game.moves, game.result))
        if len(games) == 25:
            break
    assert played(forkserver, tmp_path, games, kills=500, seed=2) >= 450
