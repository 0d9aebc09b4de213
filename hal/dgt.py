"""The DGT serial protocol, single-board mode, as values: board messages and host commands, both roles, no port, no
clock.

A message is ``id | 0x80``, a 14-bit length that counts its own three header bytes, then data below 0x80; there is no
checksum, so every length is held against what the id allows and a byte with bit 7 inside a message begins the next one.
Neither decoder keeps more than one message. What the bytes of a clock message mean stands in `hal.dgt_clock`.

Source: the vendor's public protocol description as used by several free programs (facts only).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hal.placement import EMPTY, ranks_reversed

BAUD = 9600

PIECE_LETTERS = ".PRNBKQprnbkq"
"""Piece codes 0..12; 13..15 are result signs that make some hosts end, never sent and read as empty."""
_CODE = {letter: code for code, letter in enumerate(PIECE_LETTERS)}

RESET = 0x40
ASK_CLOCK = 0x41
ASK_BOARD = 0x42
UPDATE = 0x43
UPDATE_BOARD = 0x44
ASK_SERIAL = 0x45
ASK_BUS_ADDRESS = 0x46
ASK_TRADEMARK = 0x47
ASK_LOG = 0x49
TO_BUS_MODE = 0x4A
UPDATE_NICE = 0x4B
ASK_BATTERY = 0x4C
ASK_VERSION = 0x4D
START_BOOTLOADER = 0x4E
ASK_LONG_SERIAL = 0x55
CLOCK_MESSAGE = 0x2B
SET_LEDS = 0x60
DEVELOPER_KEY = 0x63

BOARD_DUMP = 0x06
BWTIME = 0x0D
FIELD_UPDATE = 0x0E
LOG = 0x0F
BUS_ADDRESS = 0x10
SERIAL = 0x11
TRADEMARK = 0x12
VERSION = 0x13
DRAUGHTS_50B = 0x14
DRAUGHTS_50W = 0x15
BATTERY = 0x20
LONG_SERIAL = 0x22

_LENGTHS = {
    BOARD_DUMP: (67, 67),
    BWTIME: (10, 10),
    FIELD_UPDATE: (5, 5),
    LOG: (3, 0x1F00 + 3),
    BUS_ADDRESS: (5, 5),
    SERIAL: (8, 8),
    TRADEMARK: (3, 256),
    VERSION: (5, 5),
    DRAUGHTS_50B: (53, 53),
    DRAUGHTS_50W: (53, 53),
    BATTERY: (12, 12),
    LONG_SERIAL: (13, 13),
}
"""Total length by message id, least and most. An id not named here may be up to `_LONGEST_UNKNOWN` bytes."""
_LONGEST_UNKNOWN = 256
_LONGEST_CLOCK = 16
_LONGEST_LEDS = 72
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDump:
    """The whole board: a placement."""

    placement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldUpdate:
    """One square's new content: a FEN letter or ``.``."""

    square: int
    piece: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReport:
    """The seven data bytes of a BWTIME message: times or the clock's acknowledgement (`hal.dgt_clock` reads them)."""

    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardVersion:
    """The version of the board's program."""

    major: int
    minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text answer: the serial number (5 or 10 digits) or the trade-mark text, told apart by ``message``."""

    message: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Any other whole message: bus address, battery, the stored log, draughts boards, ids unknown."""

    message: int
    payload: bytes


Message = BoardDump | FieldUpdate | ClockReport | BoardVersion | Words | Other


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A host's command of one byte, known or not."""

    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCommand:
    """A clock message: its id (1.4 of the protocol notes) and its data, the opening 03 and closing 00 taken off."""

    clock_id: int
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LedCommand:
    """A lamp command, its length byte taken off; `lamps_of` reads it."""

    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Swallowed:
    """Bytes of a command that has no effect here: a developer key, a bus-mode command, a refused clock message."""

    raw: bytes


HostCommand = Command | ClockCommand | LedCommand | Swallowed


def encode_message(message: int, payload: bytes = b"") -> bytes:
    """A board message of any id, with its header; ``ValueError`` for a byte above 0x7F or a wrong length."""
    total = len(payload) + 3
    least, most = _LENGTHS.get(message, (3, _LONGEST_UNKNOWN))
    if not least <= total <= most or not payload.isascii():
        raise ValueError(f"message 0x{message:02X} cannot carry {len(payload)} bytes {payload[:8].hex()}")
    return bytes((0x80 | message, total >> 7, total & 0x7F)) + payload


def encode_dump(placement: str) -> bytes:
    """BOARD_DUMP of a placement, a8 first."""
    return encode_message(BOARD_DUMP, bytes(_CODE[letter] for letter in ranks_reversed(placement)))


def encode_update(square: int, piece: str) -> bytes:
    """FIELD_UPDATE: a square and its new content."""
    return encode_message(FIELD_UPDATE, bytes((square ^ 56, _CODE[piece])))


def encode_bus_address(serial: int) -> bytes:
    """BUSADRES: the serial number as 14 bits."""
    return encode_message(BUS_ADDRESS, bytes((serial >> 7 & 0x7F, serial & 0x7F)))


def encode_clock_command(clock_id: int, payload: bytes = b"") -> bytes:
    """A clock message as a host sends it."""
    body = bytes((0x03, clock_id)) + payload + b"\x00"
    return bytes((CLOCK_MESSAGE, len(body))) + body


def encode_leds(squares: tuple[int, ...] | None, *, on: bool = True) -> bytes:
    """Revelation II lamps: one or two squares on or off; None puts all out."""
    if squares is None:
        return bytes((SET_LEDS, 4, 0, 0x40, 0x40, 0))
    return bytes((SET_LEDS, 4, int(on), squares[0] ^ 56, squares[-1] ^ 56, 0))


def lamps_of(command: LedCommand) -> tuple[tuple[int, ...], bool] | None:
    """The squares a command names and whether they go on; none and False puts all out; None: not understood."""
    payload = command.payload
    if payload[:1] == b"\x05" and len(payload) >= 5:
        return tuple(n ^ 56 for n in payload[4:-1] if n < 64), True
    if payload == b"\x00\x00" or (len(payload) == 4 and payload[:2] == b"\x00\x40"):
        return (), False
    if len(payload) == 4 and payload[0] in (0, 1) and payload[1] < 64 and payload[2] < 64:
        return tuple(dict.fromkeys((payload[1] ^ 56, payload[2] ^ 56))), payload[0] == 1
    return None


class MessageDecoder:
    """The host's side of the line: bytes of a board in, whole messages out, however they are cut."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped_bytes = 0

    def feed(self, data: bytes) -> tuple[Message, ...]:
        """Take any chunk; the messages completed by it, in order."""
        self._buffer += data
        found: list[Message] = []
        while (message := self._next()) is not None:
            found.append(message)
        return tuple(found)

    def give_up(self) -> int:
        """Forget half a message, as after a silence or a reconnection; the bytes forgotten."""
        lost = len(self._buffer)
        self._drop(lost)
        return lost

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self.dropped_bytes += count

    def _next(self) -> Message | None:
        buffer = self._buffer
        while buffer:
            if buffer[0] < 0x80:
                header = _HIGH_BYTE.search(buffer)
                self._drop(header.start() if header else len(buffer))
                continue
            if len(buffer) < 3:
                if len(buffer) == 2 and buffer[1] >= 0x80:
                    self._drop(1)
                    continue
                return None
            if buffer[1] >= 0x80 or buffer[2] >= 0x80:
                self._drop(1)
                continue
            total = buffer[1] << 7 | buffer[2]
            least, most = _LENGTHS.get(buffer[0] & 0x7F, (3, _LONGEST_UNKNOWN))
            if not least <= total <= most:
                self._drop(1)
                continue
            broken = _HIGH_BYTE.search(buffer, 3, total)
            if broken:
                self._drop(broken.start())
                continue
            if len(buffer) < total:
                return None
            message, payload = buffer[0] & 0x7F, bytes(buffer[3:total])
            del buffer[:total]
            read = _read_message(message, payload)
            if read is not None:
                return read
            self.dropped_bytes += total
        return None


def _read_message(message: int, payload: bytes) -> Message | None:
    if message == BOARD_DUMP:
        if max(payload) > 15:
            return None
        return BoardDump(placement=ranks_reversed("".join(map(_letter, payload))))
    if message == FIELD_UPDATE:
        if payload[0] > 63 or payload[1] > 15:
            return None
        return FieldUpdate(square=payload[0] ^ 56, piece=_letter(payload[1]))
    if message == BWTIME:
        return ClockReport(payload=payload)
    if message == VERSION:
        return BoardVersion(major=payload[0], minor=payload[1])
    if message in (SERIAL, LONG_SERIAL, TRADEMARK):
        return Words(message=message, text=payload.decode("ascii"))
    return Other(message=message, payload=payload)


def _letter(code: int) -> str:
    return PIECE_LETTERS[code] if code < len(PIECE_LETTERS) else EMPTY


class CommandDecoder:
    """The board's side of the line: bytes of a host in, commands out.

    Commands with a length are taken whole by that length, so that a square number in a lamp command is never read as a
    command; a clock message must be short and open with 03, so that a modem probe (``AT+GMR``) swallows nothing.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[HostCommand, ...]:
        """Take any chunk; the commands completed by it, in order."""
        self._buffer += data
        found: list[HostCommand] = []
        while (command := self._next()) is not None:
            found.append(command)
        return tuple(found)

    def give_up(self) -> int:
        """Drop half a command: call it after 200 ms without a byte. The bytes dropped."""
        lost = len(self._buffer)
        self._buffer.clear()
        return lost

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _next(self) -> HostCommand | None:
        buffer = self._buffer
        if not buffer:
            return None
        first = buffer[0]
        if first == CLOCK_MESSAGE:
            return self._clock_message()
        if first in (SET_LEDS, DEVELOPER_KEY):
            if len(buffer) < 2:
                return None
            if buffer[1] > _LONGEST_LEDS:
                return Swallowed(raw=self._take(1))
            if len(buffer) < 2 + buffer[1]:
                return None
            raw = self._take(2 + buffer[1])
            return LedCommand(payload=raw[2:]) if first == SET_LEDS else Swallowed(raw=raw)
        if 0x81 <= first <= 0x8D:
            return Swallowed(raw=self._take(4)) if len(buffer) >= 4 else None
        return Command(code=self._take(1)[0])

    def _clock_message(self) -> HostCommand | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size = buffer[1]
        if not 3 <= size <= _LONGEST_CLOCK or (len(buffer) >= 3 and buffer[2] != 0x03):
            return Swallowed(raw=self._take(1))
        if len(buffer) < 2 + size:
            return None
        raw = self._take(2 + size)
        return ClockCommand(clock_id=raw[3], payload=raw[4:-1])
