"""The loop: events in order, rows durable before anyone acts, hints at once, nothing that a peer or driver can stop.

The loop's own time is real here, and short; what is decided never depends on it.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time

import pytest

from board_firmware.config import defaults
from board_firmware.core.events import (
    Analysed,
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    GameStarted,
    LiftHinted,
    Recovered,
    Resigned,
)
from board_firmware.journal import reader
from board_firmware.journal.opening import open_game
from board_firmware.outputs import LAMPS
from board_firmware.peers import NewGame, Published
from board_firmware.runtime import Runtime
from board_firmware.service import Service
from hal.board import Lamps

from .journals import BOOT, Refusing
from .stand_ins import ScriptedBoard, StandInCore

JOURNAL_SETTINGS = {"keep_games": 100, "alive_s": 0.5, "file": "", "record": ""}


class Watcher:
    """A peer that keeps what it hears."""

    def __init__(self) -> None:
        self.steps: list[Published] = []
        self.hints = []
        self.stopped = False
        self.desk = None

    async def start(self, desk):
        """The peer's door."""
        self.desk = desk

    def published(self, step):
        """A durable step."""
        self.steps.append(step)

    def hinted(self, hint):
        """A hint."""
        self.hints.append(hint)

    async def stop(self):
        """The end."""
        self.stopped = True

    def moves(self):
        """The moves that were decided."""
        return [one.details["move"] for step in self.steps for one in step.decisions if one.kind == "move_completed"]


class Stage:
    """A runtime with its board, journal and one watcher, run in a loop of its own while a test acts."""

    def __init__(self, tmp_path, **keywords) -> None:
        from board_firmware.journal.journal import Journal

        self.path = tmp_path / "journal.sqlite"
        self.board = keywords.pop("board", None) or ScriptedBoard()
        connect = keywords.pop("connect", None)
        self.journal = Journal(self.path, retry_s=0.02, **({"connect": connect} if connect else {}))
        self.watcher = Watcher()
        self.games = 0
        settings = {**defaults().values, "journal": JOURNAL_SETTINGS, **keywords.pop("settings", {})}
        self.runtime = Runtime(
            board=self.board,
            journal=self.journal,
            archive=None,
            new_core=keywords.pop("new_core", StandInCore),
            open_game=self._open,
            settings=settings,
            peers=[*keywords.pop("peers", ()), self.watcher],
            **keywords,
        )
        self._settings = settings

    def _open(self, request, at_ns, occupancy):
        self.games += 1
        return open_game(request, self._settings, at_ns, occupancy, f"game-{self.games}")

    def run(self, script, first=None, core=None):
        """Runs the loop with a script (a coroutine function) beside it, and returns what `Runtime.run` does."""

        async def both():
            opening = first if first is not None else [self._open(NewGame(), self.runtime.now_ns(), None)]
            running = asyncio.create_task(self.runtime.run(BOOT, opening, core))
            while not (self.watcher.desk or running.done()):
                await asyncio.sleep(0.005)
            try:
                if not running.done():
                    await asyncio.wait_for(script(), 20)
            finally:
                self.runtime.stop()
            return await running

        return asyncio.run(both())

    async def until(self, condition):
        """Waits for something to come about; the test's own time limit ends a vain wait."""
        while not condition():
            await asyncio.sleep(0.005)

    def rows(self):
        """What is in the journal."""
        with reader.reading(self.path) as connection:
            return [row for game in reversed(reader.games(connection)) for row in reader.rows_of(connection, game)]


@pytest.fixture
def stage(tmp_path):
    """A stage with nothing out of the ordinary."""
    return Stage(tmp_path)


def test_moves_go_from_the_reed_to_journal_lamps_and_peers(stage):
    """The whole walk, each station of it."""

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: len(stage.watcher.moves()) == 1)
        stage.board.play("e7e5")
        await stage.until(lambda: len(stage.watcher.moves()) == 2)

    assert stage.run(script) == 0
    assert stage.watcher.moves() == ["e2e4", "e7e5"]
    assert [step.number for step in stage.watcher.steps] == list(range(1, len(stage.watcher.steps) + 1))
    assert [row.seq for row in stage.rows()] == [step.number for step in stage.watcher.steps]
    assert Lamps(squares={28: LAMPS["last_move"]}) in stage.board.lamps
    assert stage.board.lamps[-1] == Lamps(), "dark at the end"
    assert stage.board.closed
    assert stage.watcher.stopped


def test_lamps_are_as_bright_as_the_settings_say(tmp_path):
    """The board is told the share, with the colours as they are."""
    stage = Stage(tmp_path, settings={"lamps": {"brightness": 0.04}})

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])

    stage.run(script)
    assert Lamps(squares={28: LAMPS["last_move"]}, share=0.04) in stage.board.lamps


def test_nothing_is_shown_before_it_is_durable(tmp_path):
    """While the disk takes its time no lamp, no peer knows of the move; hints are shown at once."""
    gate = threading.Event()
    held = threading.Event()

    def refuse(sql):
        if sql == "COMMIT" and held.is_set():
            gate.wait(10)

    stage = Stage(tmp_path, connect=lambda path: Refusing(path, refuse))

    async def script():
        held.set()
        known = len(stage.watcher.steps)
        stage.board.put(LiftHinted(square=12, at_ns=0))
        stage.board.play("e2e4")
        await stage.until(lambda: stage.journal.seq >= known + 3)
        assert stage.watcher.hints
        assert len(stage.watcher.steps) == known
        assert stage.board.lamps == []
        gate.set()
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])

    assert stage.run(script) == 0


def test_a_disk_that_refuses_stops_no_game_and_is_told(tmp_path):
    """The fault is decided and shown, moves go on; when the disk takes rows again all are there, in order."""
    refusing = threading.Event()
    full = sqlite3.OperationalError("database or disk is full")
    stage = Stage(tmp_path, connect=lambda path: Refusing(path, lambda sql: full if refusing.is_set() else None))

    async def script():
        refusing.set()
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])
        heard = [step.event for step in stage.watcher.steps]
        await stage.until(lambda: any(isinstance(step.event, Faulted) for step in stage.watcher.steps))
        fault = next(step.event for step in stage.watcher.steps if isinstance(step.event, Faulted))
        assert (fault.part, fault.reason) == ("journal", "full")
        assert heard
        refusing.clear()
        await stage.until(lambda: any(isinstance(step.event, Recovered) for step in stage.watcher.steps))

    assert stage.run(script) == 0
    assert [row.seq for row in stage.rows()] == [step.number for step in stage.watcher.steps]
    with reader.reading(stage.path) as connection:
        assert list(reader.broken_links(connection)) == []


def test_what_could_not_be_written_is_counted(tmp_path):
    """A disk that refuses to the end: the run says how many rows it did not take."""
    refusing = threading.Event()
    full = sqlite3.OperationalError("database or disk is full")
    stage = Stage(tmp_path, connect=lambda path: Refusing(path, lambda sql: full if refusing.is_set() else None))

    async def script():
        refusing.set()
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])

    unsaved = stage.run(script)
    assert unsaved >= 3
    assert len(stage.rows()) == stage.journal.seq - unsaved


def test_what_happened_just_before_the_end_is_kept(stage):
    """Events younger than the latency are waited for, decided and written."""

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: len(stage.runtime._release) == 2)

    stage.run(script)
    squares = [row for row in stage.rows() if "SquareChanged" in row.event]
    assert len(squares) == 2


def test_commands_are_stamped_with_the_boards_time(stage):
    """Whatever stamp they were posted with, from another thread too."""

    async def script():
        before = stage.runtime.now_ns()
        await asyncio.to_thread(stage.runtime.post, Resigned(side="white", at_ns=5))
        await stage.until(lambda: any(isinstance(step.event, Resigned) for step in stage.watcher.steps))
        event = stage.watcher.steps[-1].event
        assert before <= event.at_ns <= stage.runtime.now_ns()

    stage.run(script)
    with reader.reading(stage.path) as connection:
        game = reader.games(connection)[0]
    assert (game.result, game.termination) == ("0-1", "resignation")


def test_a_slow_proof_runs_beside_the_loop_and_comes_back_as_an_event(tmp_path):
    """The answer is journalled like anything else; moves go on meanwhile."""
    gate = threading.Event()

    def analyse(decision):
        gate.wait(10)
        details = decision.details
        return Analysed(fen=details["fen"], side=details["side"], verdict="winnable", nodes=details["nodes"], at_ns=0)

    stage = Stage(tmp_path, analyse=analyse)

    async def script():
        stage.board.put(ButtonPressed(button="ask", at_ns=0))
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])
        assert not any(isinstance(step.event, Analysed) for step in stage.watcher.steps)
        gate.set()
        await stage.until(lambda: any(isinstance(step.event, Analysed) for step in stage.watcher.steps))

    stage.run(script)
    assert any('"event":"Analysed"' in row.event for row in stage.rows())


def test_a_peer_that_fails_is_logged_and_the_game_goes_on(tmp_path, caplog):
    """An exception of a peer reaches nobody else."""

    class Broken(Watcher):
        def published(self, step):
            raise ValueError("a peer's own bug")

    stage = Stage(tmp_path, peers=[Broken()])

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])

    with caplog.at_level(logging.ERROR):
        assert stage.run(script) == 0
    assert "a peer failed" in caplog.text


def test_a_driver_that_fails_is_a_fault_not_an_end(tmp_path, caplog):
    """Once running, trouble with the board is an event."""
    stage = Stage(tmp_path)

    async def script():
        stage.board.broken = True
        stage.board.put()
        await stage.until(lambda: any(isinstance(step.event, Faulted) for step in stage.watcher.steps))
        stage.runtime.post(Resigned(side="black", at_ns=0))
        await stage.until(lambda: any(isinstance(step.event, Resigned) for step in stage.watcher.steps))

    with caplog.at_level(logging.ERROR):
        assert stage.run(script) == 0
    assert "the board's driver failed" in caplog.text


def test_a_peer_that_cannot_start_ends_the_run(tmp_path):
    """A port in use is known before the board plays; those that did start are stopped, the lamps are dark."""

    class Unable(Watcher):
        async def start(self, desk):
            raise OSError(98, "Address already in use")

    first = Watcher()
    stage = Stage(tmp_path, peers=[first, Unable()])

    async def script():
        pass

    with pytest.raises(OSError, match="Address already in use"):
        stage.run(script)
    assert first.stopped
    assert stage.board.closed


def test_a_new_game_is_another_game_in_the_journal(stage):
    """Numbers run on, rows belong to the new game, the old one stays unfinished."""

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])
        stage.runtime.new_game(NewGame(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
        await stage.until(lambda: stage.watcher.steps[-1].view.game_id == "game-3")
        with pytest.raises(ValueError, match="king"):
            stage.runtime.new_game(NewGame(fen="4k3/8/8/8/8/8/8/4K2K w - - 0 1"))

    stage.run(script)
    with reader.reading(stage.path) as connection:
        games = reader.games(connection)
    assert [(game.game_id, game.result) for game in games] == [("game-3", "*"), ("game-1", "*")]
    assert games[0].first_seq == games[1].first_seq + len([row for row in stage.rows() if row.game == 1])


def test_a_simulated_board_is_set_up_for_the_new_game(tmp_path):
    """Its pieces stand as the game begins, and the snapshot of that is no event of the old game or the new."""
    stood = []
    stage = Stage(tmp_path, stand_up=stood.append)

    async def script():
        stage.runtime.new_game(NewGame(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
        stage.board.put(BoardSnapshot(occupancy=5, at_ns=1), stamp=False)
        await stage.until(lambda: stage.watcher.steps[-1].view.game_id == "game-3")
        stage.board.play("e1e2")
        await stage.until(lambda: stage.watcher.moves())

    stage.run(script)
    assert [started.occupancy for started in stood] == [1 << 4 | 1 << 7 | 1 << 60]
    assert not any("BoardSnapshot" in row.event for row in stage.rows())


def test_the_game_that_is_left_takes_no_set_up_for_touches(tmp_path):
    """The reader may be quicker than the new game."""

    def stand_up(started):
        stage.board.put(BoardSnapshot(occupancy=started.occupancy, at_ns=time.monotonic_ns()), stamp=False)
        time.sleep(0.1)

    stage = Stage(tmp_path, stand_up=stand_up)

    async def script():
        stage.runtime.new_game(NewGame(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
        await stage.until(lambda: stage.watcher.steps[-1].view.game_id == "game-3")

    stage.run(script)
    assert not any("BoardSnapshot" in row.event for row in stage.rows())


def test_a_resumed_game_runs_on_in_its_own_time(tmp_path):
    """The board's clock goes on where the game stood, though the machine's says something else."""
    stage = Stage(tmp_path, offset_ns=10**15)

    async def script():
        stage.board.play("e2e4")
        await stage.until(lambda: stage.watcher.moves() == ["e2e4"])

    stage.run(script)
    assert all(row.at_ns > 10**15 for row in stage.rows())


def test_the_watchdog_is_fed_while_the_board_is_scanned(tmp_path):
    """Fed while the reader comes back; not fed once it has stopped doing so."""
    fed = []

    class Watched(Service):
        watchdog_s = 0.05

        def __init__(self):
            super().__init__({})
            self.watchdog_s = 0.05

        def alive(self):
            fed.append(stage.runtime.now_ns())

    stage = Stage(tmp_path, service=Watched())

    async def script():
        await stage.until(lambda: len(fed) > 2)
        stage.runtime._reader._scanned_s = -100.0
        stage.board.wait = lambda timeout_s: threading.Event().wait(0.6) or ()
        await asyncio.sleep(0.3)
        stage.runtime._reader._scanned_s = -100.0
        count = len(fed)
        await asyncio.sleep(0.2)
        assert len(fed) == count

    stage.run(script)


def test_a_running_clock_leaves_signs_of_life(tmp_path):
    """So that a power cut gives back no more than their interval; an idle board leaves none until its end."""

    class Clocked(StandInCore):
        def view(self):
            from dataclasses import replace

            view = super().view()
            return replace(view, state={**view.state, "clock": "white"})

    stage = Stage(tmp_path, new_core=Clocked)

    async def script():
        await stage.until(lambda: signs(stage.path))

    def signs(path):
        with reader.reading(path) as connection:
            return connection.execute("SELECT at_ns FROM alive").fetchall()

    stage.run(script)
    (sign,) = signs(stage.path)
    assert sign[0] > stage.rows()[-1].at_ns


def test_first_events_bring_a_core_to_its_deadlines(tmp_path):
    """What was due while the power was off happens in its own order before what follows."""
    core = StandInCore()
    core.receive(GameStarted(at_ns=0, fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", game_id="old"))
    from hal.board import SquareChanged

    core.receive(SquareChanged(square=12, occupied=False, at_ns=100))
    core.receive(SquareChanged(square=28, occupied=True, at_ns=200))
    stage = Stage(tmp_path)
    stage.journal.game = 1

    async def script():
        await stage.until(lambda: stage.watcher.desk)

    stage.run(script, first=[Resigned(side="black", at_ns=10**9)], core=core)
    assert core.san == ["e4"]
