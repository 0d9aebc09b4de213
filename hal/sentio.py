"""The Tabutronic Sentio and Certabo lines as values: state lines and lamp commands, both roles, no port, no clock.

The board talks all the time: a colon, decimal numbers, CR LF. Eight numbers are the occupancy, a byte a rank (Sentio);
320 are five bytes of a tag on each square (Certabo). There is no check, so a line counts only when it has exactly one
of the two counts and every number is a byte; whoever reads it should believe only what two lines agree on. Lamps go the
other way as eight bare bytes, files counted from the other end.

Source: several free drivers of these boards (facts only).
"""

from __future__ import annotations

from dataclasses import dataclass

BAUD = 38400

_LONGEST_LINE = 320 * 4 + 16
_RGB_OPEN = b"\xff\x55"
_RGB_CLOSE = b"\r\n"
_RGB_LENGTH = 2 + 81 * 3 + 2
_LAMP_BYTES = 8

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

Tag = tuple[int, int, int, int, int]
NO_TAG: Tag = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class OccupancyLine:
    """Which squares are occupied: bit n = square n."""

    occupancy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLine:
    """The tag on each square, index = square; `NO_TAG` where there is none."""

    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LampKind:
    """A letter line: ``L`` plain lamps, ``D`` coloured ones."""

    coloured: bool


Line = OccupancyLine | TagLine | LampKind


def encode_occupancy(occupancy: int) -> bytes:
    """The Sentio line: rank 8 first, bit 7 = file a."""
    ranks = (_REVERSED[occupancy >> 8 * rank & 0xFF] for rank in range(7, -1, -1))
    return b":" + b" ".join(b"%d" % byte for byte in ranks) + b"\r\n"


def encode_tags(tags: tuple[Tag, ...]) -> bytes:
    """The Certabo line: five numbers a square, a8 first."""
    return b":" + b" ".join(b"%d" % byte for n in range(64) for byte in tags[n ^ 56]) + b"\r\n"


class LineDecoder:
    """The host's side: bytes of a board in, whole lines out.

    The colon may be missing (Certabo over Bluetooth), and bit 7 may be a parity bit: it is masked.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overlong = False
        self._colons = False
        self.dropped_lines = 0

    def feed(self, data: bytes) -> tuple[Line, ...]:
        """Take any chunk; the lines completed by it, in order. Lines that are not exactly right are dropped and
        counted.
        """
        found: list[Line] = []
        for piece in bytes(byte & 0x7F for byte in data).splitlines(keepends=True):
            self._buffer += piece
            if piece[-1:] not in (b"\n", b"\r"):
                if len(self._buffer) > _LONGEST_LINE:
                    self._buffer.clear()
                    self._overlong = True
                continue
            text = bytes(self._buffer).strip()
            self._buffer.clear()
            # A board that begins its lines with a colon always does: without one it is the tail of a cut line.
            self._colons |= b":" in text
            cut = self._overlong or (self._colons and b":" not in text and text not in (b"L", b"D"))
            line = None if cut else _read_line(text)
            self._overlong = False
            if line is not None:
                found.append(line)
            elif text:
                self.dropped_lines += 1
        return tuple(found)

    def give_up(self) -> int:
        """Forget half a line, as after a reconnection; the bytes forgotten."""
        lost = len(self._buffer)
        self._buffer.clear()
        return lost


def _read_line(text: bytes) -> Line | None:
    if text in (b"L", b"D", b":L", b":D"):
        return LampKind(coloured=text.endswith(b"D"))
    # Only what follows the last colon: a line that lost its end has the next one glued to it.
    words = text.rpartition(b":")[2].split()
    if len(words) not in (8, 320) or not all(word.isdigit() and len(word) <= 3 for word in words):
        return None
    numbers = [int(word) for word in words]
    if max(numbers) > 255:
        return None
    if len(numbers) == 8:
        return OccupancyLine(occupancy=sum(_REVERSED[byte] << 8 * (7 - at) for at, byte in enumerate(numbers)))
    tags: list[Tag] = [NO_TAG] * 64
    for n in range(64):
        a, b, c, d, e = numbers[5 * n : 5 * n + 5]
        tags[n ^ 56] = (a, b, c, d, e)
    return TagLine(tags=tuple(tags))


# ----------------------------------------------------------------------------------------------------------- the lamps


@dataclass(frozen=True, slots=True, kw_only=True)
class LampBits:
    """Plain lamps: bit n = square n lit."""

    squares: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerColours:
    """Coloured lamps: 81 corners, (red, green, blue) each, in the order sent."""

    colours: tuple[tuple[int, int, int], ...]


LampCommand = LampBits | CornerColours


def encode_lamps(squares: int) -> bytes:
    """Eight bytes, rank 8 first, bit 0 = file a."""
    return squares.to_bytes(8, "big")


def encode_colours(colours: tuple[tuple[int, int, int], ...]) -> bytes:
    """The command of a board with coloured lamps."""
    return _RGB_OPEN + bytes(value for colour in colours for value in colour) + _RGB_CLOSE


class LampDecoder:
    """The board's side: bytes of a host in, lamp commands out.

    Eight bare bytes have no head; what keeps the count is silence, so call `give_up` after 200 ms without a byte. It
    also settles the one doubtful case: eight plain bytes that happen to begin as a coloured command does.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[LampCommand, ...]:
        """Take any chunk; the commands completed by it, in order."""
        self._buffer += data
        found: list[LampCommand] = []
        while (command := self._next()) is not None:
            found.append(command)
        return tuple(found)

    def give_up(self) -> tuple[LampCommand, ...]:
        """After a silence: eight bytes that were waiting for more were a plain command; any other rest is dropped."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        return (_bits(rest),) if len(rest) == _LAMP_BYTES else ()

    def _next(self) -> LampCommand | None:
        buffer = self._buffer
        if buffer[:2] == _RGB_OPEN:
            if len(buffer) < _RGB_LENGTH:
                return None
            raw = bytes(buffer[:_RGB_LENGTH])
            if raw.endswith(_RGB_CLOSE):
                del buffer[:_RGB_LENGTH]
                values = raw[2:-2]
                return CornerColours(
                    colours=tuple((values[at], values[at + 1], values[at + 2]) for at in range(0, 243, 3))
                )
        if len(buffer) < _LAMP_BYTES or (buffer[:2] == _RGB_OPEN and len(buffer) < _RGB_LENGTH):
            return None
        raw = bytes(buffer[:_LAMP_BYTES])
        del buffer[:_LAMP_BYTES]
        return _bits(raw)


def _bits(raw: bytes) -> LampBits:
    return LampBits(squares=int.from_bytes(raw, "big"))
