"""A scripted link with a scripted clock, the far end of a DGT line, and what the serial tests do with them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from hal import dgt, dgt_clock
from hal.board import (
    Lamp,
    SquareChanged,
)
from hal.placement import START
from hal.serial_board import SerialBoard
from hal.squares import SQUARE_NAMES, parse_square
from hal.transport import LinkLostError

MS = 1_000_000
SECOND = 1_000_000_000
BLUE = Lamp(red=0, green=0, blue=255)


class Line:
    """A link whose far end is a function from what the host writes to what the board answers."""

    def __init__(self, answer: Callable[[bytes], bytes] = lambda message: b"") -> None:
        self.now = 0
        self.answer = answer
        self.coming: deque[bytes] = deque()
        self.written: list[bytes] = []
        self.broken = False
        self.refuses: OSError | None = None
        self.opened = 0
        self.refuses_writes = False

    def open(self) -> Line:
        """Plug the cable in."""
        if self.refuses is not None:
            raise self.refuses
        self.opened += 1
        self.broken = False
        self.coming.clear()
        return self

    def read(self, timeout_s: float) -> bytes:
        """What the far end has said; time goes on."""
        if self.broken:
            raise LinkLostError("device reports readiness to read but returned no data")
        if self.coming:
            self.now += MS
            data = b"".join(self.coming)
            self.coming.clear()
            return data
        self.now += max(MS, round(timeout_s * SECOND))
        return b""

    def write(self, message: bytes) -> bool:
        """One message of the host."""
        if self.broken or self.refuses_writes:
            raise LinkLostError("write failed")
        self.written.append(message)
        if answer := self.answer(message):
            self.coming.append(answer)
        return True

    def close(self) -> None:
        """Give the port back."""
        self.broken = True

    def sleep(self, seconds: float) -> None:
        """Time goes on with no link."""
        self.now += max(MS, round(seconds * SECOND))

    def board(self, dialogue, **settings) -> SerialBoard:
        """A board on this line."""
        settings.setdefault("name", "test:/dev/ttyACM0")
        return SerialBoard(dialogue, self.open, now_ns=lambda: self.now, sleep=self.sleep, **settings)


class DgtSet:
    """The far end of a DGT line: a placement, a clock, and the answers to the commands a host must know."""

    def __init__(self, placement: str = START, *, clock: bytes | None = None, version: bytes = b"\x03\x01") -> None:
        self.placement = placement
        self.clock = clock
        self.version = version
        self.naks = 0

    def __call__(self, message: bytes) -> bytes:
        """What the board answers to one message."""
        if message == b"\x4d":
            return b"\x93\x00\x05" + self.version
        if message == b"\x42":
            return dgt.encode_dump(self.placement)
        if message == b"\x41":
            return self.clock or bytes.fromhex("8D 00 0A 00 00 00 00 00 00 20")
        if message[:1] == b"\x2b" and self.clock:
            good = self.naks == 0
            self.naks = max(0, self.naks - 1)
            return dgt_clock.encode_acknowledgement(dgt_clock.Acknowledged(good=good, command=message[3]))
        return b""

    def move(self, *squares: tuple[str, str]) -> bytes:
        """Contents change; the field updates that report it."""
        placement = list(self.placement)
        for name, content in squares:
            placement[parse_square(name)] = content
        self.placement = "".join(placement)
        return b"".join(dgt.encode_update(parse_square(name), content) for name, content in squares)


def drain(board: SerialBoard, seconds: float = 1.0) -> list:
    """What comes within so many seconds."""
    events = []
    for _ in range(round(seconds / 0.05)):
        events += board.wait(0.05)
    return events


def short(events) -> list[str]:
    """Changes in few letters: ``-e2P``."""
    return [
        f"{'+' if event.occupied else '-'}{SQUARE_NAMES[event.square]}{event.piece or ''}"
        for event in events
        if isinstance(event, SquareChanged)
    ]
