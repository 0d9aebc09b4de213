"""Our board and our host on one line, whole games: over a pseudo-terminal, over TCP, in fragments, merged, and damaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from board_firmware.emulation.peer import GUISES
from board_firmware.emulation.relay import PROTOCOLS
from hal.board import BoardSnapshot, Recovered, SquareChanged
from hal.placement import START_OCCUPANCY
from hal.serial_board import SerialBoard
from hal.serial_catalog import make_dialogue
from hal.transport import PtyLink, SerialLink, TcpLink
from tests.board_firmware.serial_games import EVERYTHING, OPERA, played

MS = 1_000_000


class Wire:
    """What a message goes through on its way: the whole of it, single bytes, lumps, or damage."""

    def __init__(self, kind: str, seed: int = 1) -> None:
        self.kind = kind
        self.random = Random(seed)
        self.lump = b""
        self.damaged = 0

    def pieces(self, message: bytes) -> list[bytes]:
        """The writes that become of one message."""
        if self.kind == "bytes":
            return [bytes((byte,)) for byte in message]
        if self.kind == "lumps":
            self.lump += message
            if self.random.random() < 0.5:
                return []
            message, self.lump = self.lump, b""
            return [message]
        if self.kind in ("lost", "doubled", "flipped") and self.random.random() < 0.08:
            self.damaged += 1
            at = self.random.randrange(len(message))
            if self.kind == "lost":
                return [message[:at] + message[at + 1 :]]
            if self.kind == "doubled":
                return [message[: at + 1] + message[at:]]
            return [message[:at] + bytes((message[at] ^ 1 << self.random.randrange(8),)) + message[at + 1 :]]
        return [message]


class WiredLink:
    """A link whose writes go through a `Wire`, and which knows how many bytes are on their way."""

    def __init__(self, link, wire: Wire, counts: Counter, name: str) -> None:
        self.link = link
        self.wire = wire
        self.counts = counts
        self.name = name

    def read(self, timeout_s: float) -> bytes:
        """As the link; lumps that were kept back go out."""
        if self.wire.lump and self.wire.random.random() < 0.5:
            lump, self.wire.lump = self.wire.lump, b""
            self._put(lump)
        data = self.link.read(timeout_s)
        self.counts[self.name] -= len(data)
        return data

    def write(self, message: bytes) -> bool:
        """As the link, piece by piece."""
        for piece in self.wire.pieces(message):
            self._put(piece)
        return True

    def _put(self, piece: bytes) -> None:
        if self.link.write(piece):
            self.counts["host" if self.name == "board" else "board"] += len(piece)

    def close(self) -> None:
        """As the link; what was on its way is gone."""
        self.counts.clear()
        self.link.close()


class Pair:
    """A guise on one end, a `SerialBoard` on the other, real lines between them, and a clock that goes when they talk."""

    def __init__(self, protocol: str, board_link, open_host: Callable[[], object], wire: str) -> None:
        self.now = 0
        self.guise = GUISES[protocol]()
        self.names_pieces = protocol in ("dgt", "chesslink")
        self.counts: Counter = Counter()
        self.board_link = WiredLink(board_link, Wire(wire, 1), self.counts, "board")
        self.host_wire = Wire(wire, 2)
        self.board = SerialBoard(
            make_dialogue(protocol, {"flip": "0"}),
            lambda: self._opened(open_host),
            name=protocol,
            now_ns=lambda: self.now,
            sleep=lambda seconds: None,
            must_answer=False,
        )
        self.told: list[SquareChanged] = []
        self.others: list = []

    def pump(self, turns: int = 1) -> None:
        """Both sides say and hear what there is; each turn is 5 ms."""
        for _ in range(turns):
            self.now += 5 * MS
            # The kernel passes bytes on when it likes: the pair's clock waits for all that is on its way.
            data = self.board_link.read(1.0 if self.counts["board"] > 0 else 0)
            if data:
                self.guise.receive(data, self.now)
            self.guise.tick(self.now)
            for message in self.guise.take_outgoing():
                self.board_link.write(message)
            self.hear()
            for _ in range(100_000):
                if self.counts["host"] <= 0 or self.board.state == "searching":
                    break
                self.hear()

    def _opened(self, open_host: Callable[[], object]) -> WiredLink:
        link = open_host()
        self.counts["host"] = 0  # what was sent before the port was opened is gone
        return WiredLink(link, self.host_wire, self.counts, "host")

    def hear(self) -> None:
        """What the host has to say now."""
        for event in self.board.wait(0):
            if isinstance(event, SquareChanged):
                self.told.append(event)
            else:
                self.others.append(event)

    def settle(self, occupancy: int, *, also: Callable[[], bool] = lambda: True) -> None:
        """Until the host knows what is true; ten seconds of the pair's clock at most."""
        for _ in range(2000):
            self.pump()
            if self.board.state == "ready" and self.board.snapshot().occupancy == occupancy and also():
                return
        raise AssertionError(f"{self.board.state}: {self.board.snapshot().occupancy:016X} is not {occupancy:016X}")

    def play(self, words: str, *, exact: bool) -> None:
        """A whole game; ``exact``: every reed is told, in order; else what is told was true and the end is right."""
        occupancy = START_OCCUPANCY
        self.settle(occupancy)
        for reeds, view, standing in played(words):
            self.told.clear()
            true = set()
            for change in reeds:
                occupancy ^= 1 << change.square
                true.add((change.square, change.occupied))
                self.guise.sees(change, self.now)
                self.settle(occupancy)
                self.pump(4)
            assert occupancy == view.occupancy
            self.guise.stands(standing, self.now)
            if view.state["moves"][-1][4:] and self.names_pieces:
                # The pawn becomes a queen under the host's eyes: one more lift and place of that square.
                self.settle(occupancy, also=lambda: "Q" in {event.piece for event in self.told[-1:]})
                del self.told[-2:]
            self.pump(4)
            told = [(event.square, event.occupied) for event in self.told]
            if exact:
                assert told == [(change.square, change.occupied) for change in reeds]
            assert set(told) <= true
            assert self.board.snapshot().occupancy == occupancy


@contextmanager
def line(kind: str, folder: Path):
    """A board's end, and a way for the host to open the other."""
    if kind == "pty":
        link = PtyLink(str(folder / "board"))
        yield link, lambda: SerialLink(str(folder / "board"), 9600)
    else:
        link = TcpLink(0)
        yield link, lambda: SerialLink(f"socket://127.0.0.1:{link.port}", 9600)
    link.close()


def _whole_game(protocol: str, kind: str, wire: str, words: str, folder: Path) -> None:
    with line(kind, folder) as (link, open_host):
        pair = Pair(protocol, link, open_host, wire)
        pair.play(words, exact=wire in ("whole", "bytes", "lumps"))
        assert pair.board_link.wire.damaged or wire in ("whole", "bytes", "lumps")
        assert [type(event) for event in pair.others] == [BoardSnapshot]  # the link was never given up
        pair.board.close()


@pytest.mark.parametrize(
    ("kind", "wire"),
    [
        ("socket", "whole"),
        ("pty", "bytes"),
        ("socket", "lumps"),
        ("pty", "lost"),
        ("socket", "doubled"),
        ("pty", "flipped"),
    ],
)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_whole_game_on_any_line(tmp_path, protocol, kind, wire):
    """However a line cuts the bytes, every lift and place is told, once and in order. On a bad line (one message in
    twelve damaged, both ways) nothing is told that was not so, and the host always finds back.
    """
    _whole_game(protocol, kind, wire, EVERYTHING, tmp_path)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_s02_unplugged_in_mid_game(tmp_path, protocol):
    """Field case S02 on a real terminal: it goes and comes back under its name; lost, recovered, the squares as they are.

    It takes less than two seconds from the moment it is back, and the game is played on.
    """
    name = str(tmp_path / "board")
    first = PtyLink(name)
    pair = Pair(protocol, first, lambda: SerialLink(name, 9600), "whole")
    pair.play(" ".join(EVERYTHING.split()[:4]), exact=True)
    occupancy = pair.board.snapshot().occupancy
    pair.others.clear()
    first.close()
    pair.board_link = WiredLink(None, Wire("whole"), pair.counts, "board")
    for _ in range(200):
        pair.now += 20 * MS
        pair.hear()
        if pair.others:
            break
    assert [(event.part, event.reason) for event in pair.others] == [("link", "lost")]
    second = PtyLink(name)
    back_ns = pair.now
    pair.board_link.link = second
    pair.settle(occupancy)
    assert pair.now - back_ns < 2_000 * MS
    kinds = [type(event) for event in pair.others[1:]]
    assert kinds == [Recovered, BoardSnapshot]
    assert pair.others[-1].occupancy == occupancy
    assert not pair.told[8:]
    pair.board.close()
    second.close()


@pytest.mark.prove
@pytest.mark.parametrize("wire", ["whole", "bytes", "lumps", "lost", "doubled", "flipped"])
@pytest.mark.parametrize("kind", ["pty", "socket"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_two_games_on_every_line(tmp_path, protocol, kind, wire):
    """The same on all lines with all wires, and a real game."""
    _whole_game(protocol, kind, wire, EVERYTHING, tmp_path)
    _whole_game(protocol, kind, wire, OPERA, tmp_path)
