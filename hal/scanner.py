"""Our own line for a microcontroller that scans reeds: text frames with a CRC, numbered events, the whole state in
each.

A frame is ``$`` body ``*`` and four hex digits, CRC-16/CCITT-FALSE of the body; a line feed after it is for people. The
state in every event makes lost frames harmless, the number lets the host ask for them again in order, and ``boot``
tells a restarted scanner from one whose cable was out. The full table stands in hardware_docs/serial_protocols.md.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass

BAUD = 115200
VERSION = 1
NUMBERS = 1 << 16
MILLISECONDS = 1 << 32

_LONGEST = 640
_START = ord("$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The scanner names itself. ``boot`` changes with each power-up; ``last`` is the number of the newest event."""

    version: int
    squares: int
    lamps: int
    boot: int
    last: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All reeds, and the number of the newest event they contain."""

    number: int
    ms: int
    occupancy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """One numbered event. ``what``: ``+e4`` closed, ``-e2`` opened, ``~b2:7`` opened 7 ms only, ``Lw`` / ``Lb`` lever
    down on that side, ``B`` and a button's name. ``ms`` is the scanner's time of the first edge, ``occupancy`` the
    state after it.
    """

    number: int
    ms: int
    occupancy: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The answer to a host's command: done, or refused for ``reason``."""

    tag: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A host's command: ``V`` hello, ``Q`` state, ``R`` events again from a number, ``L`` lamps, ``T`` tone, ``D``
    debounce, ``W`` text. ``tag`` comes back in the answer.
    """

    letter: str
    tag: int
    arguments: tuple[str, ...] = ()


Frame = Hello | State | Happened | Done | Ask

_WHAT = re.compile(r"[+-][a-h][1-8]|~[a-h][1-8]:\d{1,4}|L[wb]|B[a-z_0-9]{1,24}")


def crc_of(body: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF; 0x29B1 for ``123456789``."""
    return binascii.crc_hqx(body, 0xFFFF)


def encode(frame: Frame) -> bytes:
    """A frame on the wire, line feed included."""
    body = _body(frame).encode("ascii")
    return b"$%b*%04X\n" % (body, crc_of(body))


def _body(frame: Frame) -> str:
    if isinstance(frame, Hello):
        return f"H,{frame.version},{frame.squares},{frame.lamps},{frame.boot:X},{frame.last},{frame.name}"
    if isinstance(frame, State):
        return f"S,{frame.number},{frame.ms:X},{frame.occupancy:016X}"
    if isinstance(frame, Happened):
        return f"E,{frame.number},{frame.ms:X},{frame.occupancy:016X},{frame.what}"
    if isinstance(frame, Done):
        return f"A,{frame.tag}" if frame.reason is None else f"N,{frame.tag},{frame.reason}"
    return ",".join((frame.letter, str(frame.tag), *frame.arguments))


class FrameDecoder:
    """Either side of the line: bytes in, frames out, however they are cut.

    A frame is done with its last check digit; a ``$`` inside begins the next frame; nothing longer than 640 bytes is
    kept.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped_bytes = 0
        self.checksum_errors = 0

    def feed(self, data: bytes) -> tuple[Frame, ...]:
        """Take any chunk; the frames completed by it, in order."""
        found: list[Frame] = []
        for byte in data:
            if byte == _START:
                self.dropped_bytes += len(self._buffer)
                self._buffer[:] = b"$"
            elif not self._buffer:
                self.dropped_bytes += byte not in (0x0A, 0x0D)
            else:
                self._buffer.append(byte)
                if len(self._buffer) > 5 and self._buffer[-5] == 0x2A:
                    frame = self._close()
                    if frame is not None:
                        found.append(frame)
                elif len(self._buffer) > _LONGEST or not 0x20 <= byte < 0x7F:
                    self.give_up()
        return tuple(found)

    def give_up(self) -> int:
        """Forget half a frame, as after a silence; the bytes forgotten."""
        lost = len(self._buffer)
        self.dropped_bytes += lost
        self._buffer.clear()
        return lost

    def _close(self) -> Frame | None:
        body, check = bytes(self._buffer[1:-5]), bytes(self._buffer[-4:])
        self._buffer.clear()
        if check != b"%04X" % crc_of(body):
            self.checksum_errors += 1
            self.dropped_bytes += len(body) + 6
            return None
        return _read_body(body.decode("ascii"))


def _read_body(body: str) -> Frame | None:
    letter, *words = body.split(",")
    try:
        if letter == "H" and len(words) == 6:
            version, squares, lamps, last = int(words[0]), int(words[1]), int(words[2]), int(words[4])
            boot = int(words[3], 16)
            return Hello(version=version, squares=squares, lamps=lamps, boot=boot, last=last, name=words[5])
        if letter == "S" and len(words) == 3:
            return State(number=_number(words[0]), ms=int(words[1], 16), occupancy=_bits(words[2]))
        if letter == "E" and len(words) == 4 and _WHAT.fullmatch(words[3]):
            number, ms, occupancy = _number(words[0]), int(words[1], 16), _bits(words[2])
            return Happened(number=number, ms=ms, occupancy=occupancy, what=words[3])
        if letter == "A" and len(words) == 1:
            return Done(tag=int(words[0]))
        if letter == "N" and len(words) == 2:
            return Done(tag=int(words[0]), reason=words[1])
        if letter in {"V", "Q", "R", "L", "T", "D", "W"} and words:
            return Ask(letter=letter, tag=int(words[0]), arguments=tuple(words[1:]))
    except ValueError:
        pass
    return None


def _number(word: str) -> int:
    number = int(word)
    if not 0 <= number < NUMBERS:
        raise ValueError(word)
    return number


def _bits(word: str) -> int:
    if len(word) != 16:
        raise ValueError(word)
    return int(word, 16)


# ------------------------------------------------------------------------------------------------------------ lamps


def lamps_argument(lamps: tuple[tuple[int, int, int, int, int], ...]) -> str:
    """Nine hex digits a lit square: square, red, green, blue, blinks a second (0 steady, at most 15)."""
    return "".join(f"{sq:02X}{red:02X}{green:02X}{blue:02X}{min(hz, 15):X}" for sq, red, green, blue, hz in lamps)


def read_lamps_argument(text: str) -> tuple[tuple[int, int, int, int, int], ...]:
    """The other way; ``ValueError`` for text that is not whole lamps."""
    if len(text) % 9:
        raise ValueError(f"{len(text)} digits are no whole number of lamps (9 each)")
    found = []
    for at in range(0, len(text), 9):
        square, red, green, blue = bytes.fromhex(text[at : at + 8])
        if square > 63:
            raise ValueError(f"square {square} is above 63")
        found.append((square, red, green, blue, int(text[at + 8], 16)))
    return tuple(found)
