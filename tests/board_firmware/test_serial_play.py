"""The whole program at either end of a serial line: as a board that a client drives, and as a host whose cable is pulled."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from board_firmware.config import defaults
from board_firmware.core.session import Session
from board_firmware.emulation.peer import GUISES, Emulation
from hal.board import (
    ButtonPressed,
    Faulted,
    Lamp,
    Lamps,
    LeverMoved,
    Recovered,
    SquareChanged,
    Text,
    Tone,
)
from hal.catalog import open_board
from hal.placement import START_OCCUPANCY
from hal.squares import parse_square
from hal.transport import PtyLink
from tests.board_firmware.test_runtime import Stage

E2E4 = START_OCCUPANCY ^ 1 << 12 ^ 1 << 28
GREEN = Lamp(red=0, green=255, blue=0)


def test_a_client_follows_a_game_and_its_wishes_are_granted(tmp_path):
    """Our own host as the client: it hears each unit by name, and its lamps, text and tone reach our board."""
    place = str(tmp_path / "board")
    stage = Stage(tmp_path, new_core=Session, peers=[Emulation(f"dgt:{place}")])
    heard: list = []

    async def script():
        client = await asyncio.to_thread(open_board, f"dgt:{place}?lamps=1&flip=0")
        ending = threading.Event()

        def listen():
            while not ending.is_set():
                heard.extend(client.wait(0.02))

        listening = asyncio.create_task(asyncio.to_thread(listen))
        try:
            stage.board.play("e2e4")
            await stage.until(lambda: client.snapshot().occupancy == E2E4)
            client.show(Lamps(squares={51: GREEN, 35: GREEN}))
            await stage.until(lambda: any({51, 35} <= set(lamps.squares) for lamps in stage.board.lamps))
            client.write(Text(lines=("d5",)))
            client.sound(Tone(hz=440, ms=128))
            await stage.until(lambda: Text(lines=("d5",)) in stage.board.texts)
            await stage.until(lambda: any(tone.ms == 128 for tone in stage.board.tones))
            stage.board.play("d7d5")
            await stage.until(lambda: stage.watcher.moves() == ["e2e4"])
            await stage.until(lambda: len([one for one in heard if isinstance(one, SquareChanged)]) == 4)
        finally:
            ending.set()
            await listening
            client.close()

    assert stage.run(script) == 0
    told = [(one.square, one.occupied, one.piece) for one in heard if isinstance(one, SquareChanged)]
    assert told == [(12, False, "P"), (28, True, "P"), (51, False, "p"), (35, True, "p")]


class FarBoard:
    """Somebody's board: a guise on a pseudo-terminal, served by a thread; its cable can be pulled and put back."""

    def __init__(self, protocol: str, place: str) -> None:
        self.guise = GUISES[protocol]()
        self.place = place
        self.now = 0
        self.lock = threading.Lock()
        self.link: PtyLink | None = PtyLink(place)
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        while not self.ending.wait(0.002):
            with self.lock:
                self.now += 5_000_000
                data = self.link.read(0) if self.link else b""
                if data:
                    self.guise.receive(data, self.now)
                self.guise.tick(self.now)
                for message in self.guise.take_outgoing():
                    if self.link:
                        self.link.write(message)

    def does(self, *words: str) -> None:
        """``-e2`` lifts, ``+e4`` places, ``white`` presses White's side of the clock."""
        with self.lock:
            for word in words:
                if word in ("white", "black"):
                    self.guise.sees(LeverMoved(down=word, at_ns=self.now), self.now)
                else:
                    square = parse_square(word[1:])
                    event = SquareChanged(square=square, occupied=word[0] == "+", at_ns=self.now)
                    self.guise.sees(event, self.now)

    def unplug(self) -> None:
        """The cable is out; the board goes on seeing its squares."""
        with self.lock:
            self.link.close()
            self.link = None

    def plug(self) -> None:
        """It is in again, under its old name; a new terminal is a new device to the host."""
        with self.lock:
            self.link = PtyLink(self.place)

    def close(self) -> None:
        """End the thread."""
        self.ending.set()
        self.thread.join()
        if self.link:
            self.link.close()


@pytest.mark.parametrize("protocol", ["dgt", "sentio", "chesslink", "scanner"])
def test_s02_the_game_is_kept_and_the_wood_must_agree_before_it_goes_on(tmp_path, protocol):
    """Field case S02: neither clock nor game stops; back within two seconds; what was displaced is put right first."""
    far = FarBoard(protocol, str(tmp_path / "far"))
    try:
        board = open_board(f"{protocol}:{tmp_path / 'far'}?flip=0")
        settings = {"game": {**defaults().values["game"], "control": "300"}}
        stage = Stage(tmp_path, board=board, new_core=Session, settings=settings)
        state = lambda: stage.watcher.steps[-1].view.state if stage.watcher.steps else {}  # noqa: E731
        kinds = lambda: [type(step.event) for step in stage.watcher.steps]  # noqa: E731

        async def moves(*words: str) -> None:
            """Each word when the one before has been heard."""
            for word in words:
                number = len(stage.watcher.steps)
                far.does(word)
                await stage.until(lambda: len(stage.watcher.steps) > number)  # noqa: B023 - asked at once
                await asyncio.sleep(0.1)

        async def script():
            stage.runtime.post(ButtonPressed(button="start", at_ns=0))
            await stage.until(lambda: state().get("clock") == "white")
            await moves("-e2", "+e4")
            await stage.until(lambda: state()["made"])
            await moves("-d7", "+d5")
            await stage.until(lambda: state()["moves"] == ["e2e4", "d7d5"])
            far.unplug()
            await stage.until(lambda: Faulted in kinds())
            running = state()["clock"]
            assert running in ("white", "black")
            left = state()["clock_s"][running]
            far.does("-d8", "+d6")  # knocked over and set down anywhere while nobody looked
            far.plug()
            begun = asyncio.get_running_loop().time()
            await stage.until(lambda: Recovered in kinds())
            assert asyncio.get_running_loop().time() - begun < 2 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
            await stage.until(lambda: state()["restore"])
            assert state()["moves"] == ["e2e4", "d7d5"]
            await moves("-d6", "+d8")
            await stage.until(lambda: not state()["restore"])
            await moves("-e4", "-d5", "+d5")
            await stage.until(lambda: state()["moves"] == ["e2e4", "d7d5", "e4d5"])
            assert state()["clock"] == running
            assert state()["clock_s"][running] < left

        assert stage.run(script) == 0
    finally:
        far.close()
