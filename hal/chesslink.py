"""The Millennium ChessLink line as values: commands and replies, both roles, no port, no clock.

Every byte is a 7-bit character with odd parity in bit 7; a frame is its text and two hex digits, the XOR of the text.
Which texts exist and how long each is are known beforehand, so a decoder never waits for more than the longest frame,
and one bad byte costs at most the frame it stands in. The letter case tells the direction: the board answers in lower
case.

Source: the vendor's public protocol sheet as used by several free programs (facts only).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hal.placement import EMPTY, LETTERS, ranks_reversed

BAUD = 38400
SLOT_MS = 4.096
SCAN_UNIT_MS = 2.048
CORNERS = 81

_PARITY = bytes(value if value.bit_count() % 2 else value | 0x80 for value in range(128)) + bytes(range(128, 256))
_HEX = b"0123456789ABCDEF".translate(_PARITY)
_STATUS = "".join(sorted(LETTERS | {EMPTY})).encode("ascii").translate(_PARITY)

_COMMAND_LENGTHS = {"V": 1, "S": 1, "X": 1, "T": 1, "R": 3, "W": 5, "L": 3 + 2 * CORNERS}
_REPLY_LENGTHS = {"v": 5, "s": 65, "l": 1, "x": 1, "w": 5, "r": 5}

REGISTER_CHECK = 0
REGISTER_SCAN = 1
REGISTER_AUTOMATIC = 2
REGISTER_INTERVAL = 3
REGISTER_BRIGHTNESS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A whole frame whose parity and check were right: its letter and the text after it."""

    letter: str
    text: str = ""


def encode(letter: str, text: str = "") -> bytes:
    """A frame on the wire, parity bits set."""
    body = (letter + text).encode("ascii")
    return (body + check_of(body)).translate(_PARITY)


def check_of(body: bytes) -> bytes:
    """The two hex digits after a frame's text."""
    check = 0
    for byte in body:
        check ^= byte
    return f"{check:02X}".encode()


class FrameDecoder:
    """Either side of the line: ``role`` ``host`` reads a board's replies, ``board`` a host's commands.

    ``checked`` False skips the block check (register 0 of the board).
    """

    def __init__(self, role: str) -> None:
        self._lengths = {"host": _REPLY_LENGTHS, "board": _COMMAND_LENGTHS}[role]
        self._buffer = bytearray()
        self.checked = True
        self.dropped_bytes = 0

    def feed(self, data: bytes) -> tuple[Frame, ...]:
        """Take any chunk; the frames completed by it, in order. Bad frames are dropped without a word."""
        self._buffer += data
        found: list[Frame] = []
        while (frame := self._next()) is not None:
            found.append(frame)
        return tuple(found)

    def give_up(self) -> int:
        """Forget half a frame, as after a silence; the bytes forgotten."""
        lost = len(self._buffer)
        self._drop(lost)
        return lost

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self.dropped_bytes += count

    def _next(self) -> Frame | None:
        buffer = self._buffer
        while buffer:
            length = self._lengths.get(chr(buffer[0] & 0x7F)) if _odd(buffer[0]) else None
            if length is None:
                self._drop(1)
                continue
            total = length + 2
            # A wrong character inside shows at once: no frame is waited for that cannot become a good one.
            if not _plausible(buffer[:total], length):
                self._drop(1)
                continue
            if len(buffer) < total:
                return None
            plain = bytes(byte & 0x7F for byte in buffer[:total])
            if self.checked and check_of(plain[:length]) != plain[length:]:
                self._drop(1)
                continue
            del buffer[:total]
            return Frame(letter=chr(plain[0]), text=plain[1:length].decode("ascii"))
        return None


def _odd(byte: int) -> bool:
    return byte.bit_count() % 2 == 1


def _plausible(raw: bytes | bytearray, length: int) -> bool:
    allowed = _STATUS if raw[0] & 0x7F == ord("s") else _HEX
    return not raw[1:length].translate(None, allowed) and not raw[length:].translate(None, _HEX)


# ------------------------------------------------------------------------------------------------------- what is said


def encode_status(placement: str) -> bytes:
    """``s``: the whole board, a8 first."""
    return encode("s", ranks_reversed(placement))


def read_status(frame: Frame) -> str | None:
    """The placement in an ``s`` frame, None for other frames."""
    return ranks_reversed(frame.text) if frame.letter == "s" else None


def encode_lamps(corners: dict[int, int], *, slot: int = 0x32) -> bytes:
    """``L``: 81 blink codes by corner (0 first), bit 7 the first of eight slots of ``slot`` * 4.096 ms."""
    return encode("L", f"{slot:02X}" + "".join(f"{corners.get(corner, 0):02X}" for corner in range(CORNERS)))


def read_lamps(frame: Frame) -> tuple[int, dict[int, int]] | None:
    """The slot length and the blink codes by corner, zeroes left out, of an ``L`` frame."""
    if frame.letter != "L":
        return None
    codes = bytes.fromhex(frame.text)
    return codes[0], {corner: code for corner, code in enumerate(codes[1:]) if code}


def corners_of(square: int) -> tuple[int, int, int, int]:
    """The four corner lamps of a square: index 9 * file edge from the a side + rank edge from rank 8 down."""
    file, down = square & 7, 7 - (square >> 3)
    first = 9 * file + down
    return first, first + 1, first + 9, first + 10


def squares_lit(corners: dict[int, int]) -> dict[int, int]:
    """The squares a host meant by lighting these corners, with the blink code all four share.

    A square counts when its four corners are lit and one of them is not explained by another such square: e2 and e4
    alone also light all corners of e3.
    """
    full = {}
    for square in range(64):
        code = 0xFF
        for corner in corners_of(square):
            code &= corners.get(corner, 0)
        if code:
            full[square] = code
    kept = dict(full)
    for square in sorted(full, key=_neighbours(full), reverse=True):
        others = {corner for other in kept if other != square for corner in corners_of(other)}
        if all(corner in others for corner in corners_of(square)):
            del kept[square]
    return kept


def _neighbours(full: dict[int, int]) -> Callable[[int], int]:
    def count(square: int) -> int:
        mine = set(corners_of(square))
        return sum(len(mine.intersection(corners_of(other))) for other in full if other != square)

    return count
