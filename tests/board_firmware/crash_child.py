"""The process that is killed: a board in play, its reeds and its page at the other end of a pipe.

Everything but the reeds is the real thing: loop, session, journal on disk, scoresheet. The other end holds the wood,
which outlives the process as wood does.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from pathlib import Path

from board_firmware import play
from board_firmware.config import defaults
from board_firmware.core.events import Command
from hal.board import BoardSnapshot


class PipeBoard:
    """A board whose events come through a pipe. What people enter comes the same way."""

    def __init__(self, pipe, occupancy: int) -> None:
        self._pipe = pipe
        self._occupancy = occupancy
        self.runtime = None

    def wait(self, timeout_s):
        """The port."""
        try:
            if not self._pipe.poll(timeout_s):
                return ()
            event = self._pipe.recv()
        except (EOFError, OSError):
            os.kill(os.getpid(), signal.SIGKILL)
        if isinstance(event, Command):
            self.runtime.post(event)
            return ()
        return (event,)

    def snapshot(self):
        """The port."""
        return BoardSnapshot(occupancy=self._occupancy, at_ns=time.monotonic_ns())

    def show(self, lamps):
        """The port."""

    def sound(self, tone):
        """The port."""

    def write(self, text):
        """The port."""

    def close(self):
        """The port."""


class PipePeer:
    """Tells the other end each durable step: what people at the board would see."""

    def __init__(self, pipe, board) -> None:
        self._pipe = pipe
        self._board = board
        self._lock = threading.Lock()

    async def start(self, desk):
        """The peer's door."""
        self._board.runtime = desk
        self._tell(desk.latest())

    def published(self, step):
        """A durable step."""
        self._tell(step)

    def hinted(self, hint):
        """Nothing is decided yet."""

    async def stop(self):
        """The end."""

    def _tell(self, step):
        state = step.view.state
        self._pipe.send(
            {
                "number": step.number,
                "game_id": step.view.game_id,
                "at_ns": step.event.at_ns,
                "said_ns": time.monotonic_ns(),
                **{
                    key: state.get(key)
                    for key in ("moves", "status", "clock", "clock_s", "restore", "completed", "made")
                },
                "ask": state["board"]["ask"],
                "violations": state["violations"],
                "result": state["result"],
            }
        )


def run(pipe, state: str, occupancy: int, control: str, new: bool) -> None:
    """Plays on the journal in a folder until it is killed, or told to stop."""
    os.environ["STATE_DIRECTORY"] = os.environ["CONFIGURATION_DIRECTORY"] = state
    (Path(state) / "touchmove.toml").write_text("[journal]\nalive_s = 0.5\n")
    board = PipeBoard(pipe, occupancy)
    play.open_board = lambda url, **settings: board
    assert defaults()["board"]["url"] == "sim:"
    code = play.run(
        play.Options(control=control, new=new),
        new_peers=lambda configuration: [PipePeer(pipe, board)],
        say=lambda line: None,
    )
    pipe.send({"ended": code})


assert asyncio  # imported before the fork, so that a restart takes no second
