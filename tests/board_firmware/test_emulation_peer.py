"""The edge: a guise beside a running game, on a pseudo-terminal, fed by what is published, its wishes granted."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import replace

import pytest

from board_firmware.core.events import Tick
from board_firmware.emulation.peer import GUISES, Emulation
from board_firmware.outputs import text_for
from board_firmware.peers import Published
from hal.board import Blipped, BoardSnapshot, Lamp, Lamps, SquareChanged, Text, Tone
from hal.placement import START_OCCUPANCY
from hal.transport import LinkLostError, SerialLink
from rules import Game
from tests.board_firmware.serial_games import OPERA, played, view_of

RED = Lamp(red=255, green=0, blue=0)
BLUE = Lamp(red=0, green=64, blue=255)


class StandInBoard:
    """Remembers what it was told to show."""

    def __init__(self) -> None:
        self.shown: list[Lamps] = []
        self.tones: list[Tone] = []
        self.texts: list[Text] = []

    def show(self, lamps: Lamps) -> None:
        """As the port."""
        self.shown.append(lamps)

    def sound(self, tone: Tone) -> None:
        """As the port."""
        self.tones.append(tone)

    def write(self, text: Text) -> None:
        """As the port."""
        self.texts.append(text)


class StandInDesk:
    """A desk with the first step of a game."""

    def __init__(self) -> None:
        self.board = StandInBoard()
        self.settings: dict = {"lamps": {"brightness": 1.0}, "sound": {"enabled": True}}
        self.now = 0
        game = Game.start()
        self.newest = Published(
            number=1, event=Tick(at_ns=0), decisions=(), view=view_of(game, ()), lamps=Lamps(squares={0: RED})
        )

    def now_ns(self) -> int:
        """Each look is a millisecond later."""
        self.now += 1_000_000
        return self.now

    def latest(self) -> Published:
        """The step before the peer was started."""
        return self.newest


@pytest.fixture
def running(tmp_path):
    """Starts an emulation on a pseudo-terminal and stops it after the test."""
    started: list[Emulation] = []

    def start(protocol: str, **settings) -> tuple[Emulation, StandInDesk, SerialLink]:
        desk = StandInDesk()
        emulation = Emulation(f"{protocol}:{tmp_path / 'board'}", **settings)
        asyncio.run(emulation.start(desk))
        started.append(emulation)
        return emulation, desk, SerialLink(str(tmp_path / "board"), 9600)

    yield start
    for emulation in started:
        asyncio.run(emulation.stop())
    assert not os.path.lexists(tmp_path / "board")


def _ask(client: SerialLink, command: bytes, count: int) -> bytes:
    client.write(command)
    return _take(client, count)


def _take(client: SerialLink, count: int) -> bytes:
    data = b""
    for _ in range(200):
        data += client.read(0.05)
        if len(data) >= count:
            break
    return data


def _until(condition) -> None:
    for _ in range(200):
        if condition():
            return
        asyncio.run(asyncio.sleep(0.01))
    raise AssertionError("it did not come")


def test_a_client_follows_the_game(running):
    """Updates and dumps of a real game as it is published, step by step."""
    emulation, desk, client = running("dgt")
    client.write(b"\x44")
    assert _ask(client, b"\x4d", 5) == bytes.fromhex("93 00 05 03 01")
    number = 1
    before = desk.newest.view
    for reeds, view, standing in list(played(OPERA))[:6]:
        for change in reeds:
            number += 1
            before = view if change is reeds[-1] else before  # reeds alone do not change the game
            emulation.published(Published(number=number, event=change, decisions=(), view=before, lamps=Lamps()))
        updates = _take(client, 5 * len(reeds))
        assert updates[:3] == bytes.fromhex("8E 00 05")
        dump = _ask(client, b"\x42", 67)[-67:]
        shown = "".join(".PRNBKQprnbkq"[code] for code in dump[3:])
        assert shown == "".join(standing.placement[at : at + 8] for at in range(56, -8, -8))
    emulation.hinted(Blipped(square=1, ms=3.0, at_ns=0))
    client.close()


def test_a_clients_wishes_reach_the_board(running):
    """Lamps, text and beep; our own lamps lie over the client's and stay when it has gone dark."""
    emulation, desk, client = running("dgt")
    client.write(b"\x4b")
    client.write(bytes.fromhex("60 04 01 34 24 00"))
    _until(lambda: desk.board.shown)
    assert desk.board.shown[-1] == Lamps(squares={12: BLUE, 28: BLUE, 0: RED})
    client.write(bytes.fromhex("2B 0C 03 0C 50 69 63 6F 34 2E 33 2E 02 00"))
    _until(lambda: desk.board.tones)
    assert desk.board.texts == [Text(lines=("Pico4.3.",))]
    assert desk.board.tones == [Tone(hz=2000, ms=128)]
    view = desk.newest.view
    emulation.published(
        Published(number=2, event=Tick(at_ns=1), decisions=(), view=view, lamps=Lamps(squares={12: RED}))
    )
    _until(lambda: len(desk.board.shown) > 1)
    assert desk.board.shown[-1] == Lamps(squares={12: RED, 28: BLUE})
    client.write(bytes.fromhex("60 04 00 40 00 00"))
    _until(lambda: len(desk.board.shown) > 2)
    assert desk.board.shown[-1] == Lamps(squares={12: RED})
    client.close()


def test_the_boards_settings_hold_for_clients_too(running):
    """Dimmed lamps stay dim, ours among them; a silent board stays silent; a display given back shows our own words."""
    _, desk, client = running("dgt")
    desk.settings = {"lamps": {"brightness": 0.5}, "sound": {"enabled": False}}
    client.write(bytes.fromhex("4B 60 04 01 34 34 00"))
    _until(lambda: desk.board.shown)
    assert desk.board.shown[-1] == Lamps(squares={12: BLUE, 0: RED}, share=0.5)
    client.write(bytes.fromhex("2B 0C 03 0C 50 69 63 6F 34 2E 33 2E 02 00 2B 04 03 0B 02 00 2B 03 03 03 00"))
    _until(lambda: len(desk.board.texts) == 2)
    assert desk.board.texts == [Text(lines=("Pico4.3.",)), text_for(desk.newest.view)]
    assert desk.board.tones == []
    client.close()


def test_in_a_tournament_no_program_suggests_anything(running):
    """Lamps that were lit go out when such a game begins; text, tones and lamps are not shown, all is still answered."""
    emulation, desk, client = running("dgt")
    client.write(bytes.fromhex("4B 60 04 01 34 34 00"))
    _until(lambda: desk.board.shown)
    view = replace(desk.newest.view, profile="tournament")
    emulation.published(
        Published(number=2, event=Tick(at_ns=1), decisions=(), view=view, lamps=Lamps(squares={0: RED}))
    )
    _until(lambda: len(desk.board.shown) > 1)
    assert desk.board.shown[-1] == Lamps(squares={0: RED})
    acknowledged = _ask(client, bytes.fromhex("60 04 01 34 24 00 2B 0C 03 0C 50 69 63 6F 34 2E 33 2E 02 00"), 10)
    assert acknowledged == bytes.fromhex("8D 00 0A 0A 10 0C 0A 00 00 00")
    assert (len(desk.board.shown), desk.board.texts, desk.board.tones) == (2, [], [])
    client.close()


def test_a_sentio_client_sees_the_reeds(running):
    """The squares as they are, whatever the game says."""
    emulation, desk, client = running("sentio")
    change = SquareChanged(square=12, occupied=False, at_ns=5)
    step = Published(number=2, event=change, decisions=(), view=desk.newest.view, lamps=Lamps())
    emulation.published(step)
    _until(lambda: b":255 255 0 0 0 0 247 255\r\n" in client.read(0.05))
    snapshot = BoardSnapshot(occupancy=START_OCCUPANCY, at_ns=6)
    emulation.published(Published(number=3, event=snapshot, decisions=(), view=desk.newest.view, lamps=Lamps()))
    _until(lambda: b":255 255 0 0 0 0 255 255\r\n" in client.read(0.05))
    client.close()


def test_a_lost_line_is_opened_again(tmp_path):
    """The gadget's cable is pulled: the game goes on, and the next client is served."""
    opened = []

    class Breaking:
        """Lost at its third read, the first time."""

        def __init__(self) -> None:
            self.reads = 0

        def read(self, timeout_s: float) -> bytes:
            """As a link."""
            self.reads += 1
            if len(opened) == 1 and self.reads == 3:
                raise LinkLostError("unplugged")
            return b"\x4d" if self.reads == 1 and len(opened) == 3 else b""

        def write(self, message: bytes) -> bool:
            """As a link."""
            written.append(message)
            return True

        def close(self) -> None:
            """As a link."""

    written: list[bytes] = []

    def open_link(line: str, baud: int):
        opened.append(line)
        if len(opened) == 2:
            raise OSError("not yet")
        return Breaking()

    emulation = Emulation("dgt:/dev/ttyGS0", open_link=open_link)
    asyncio.run(emulation.start(StandInDesk()))
    _until(lambda: written)
    asyncio.run(emulation.stop())
    assert opened == ["/dev/ttyGS0"] * 3
    assert written == [bytes.fromhex("93 00 05 03 01")]


@pytest.mark.parametrize("url", ["dgt", "dgt:", "chess:/tmp/x", ":/tmp/x"])
def test_a_url_that_makes_no_sense_says_what_to_write(url):
    """A ValueError with the protocols."""
    with pytest.raises(ValueError, match="chesslink, dgt, dgt-noclock, scanner, scid, sentio"):
        Emulation(url)


def test_a_line_that_does_not_open_ends_the_start(tmp_path):
    """An OSError kin with one line, before the game begins."""
    taken = tmp_path / "board"
    taken.write_text("somebody's file")
    emulation = Emulation(f"dgt:{taken}")
    with pytest.raises(FileExistsError, match="choose another name"):
        asyncio.run(emulation.start(StandInDesk()))
    with contextlib.suppress(OSError):
        asyncio.run(emulation.stop())
    assert set(GUISES) == {"chesslink", "dgt", "dgt-noclock", "scanner", "scid", "sentio"}
