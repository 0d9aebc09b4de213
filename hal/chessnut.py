"""The Chessnut reports and commands as values: position, battery, lamps, both roles, no port, no clock.

Over USB (HID) and Bluetooth each report comes alone in a checked packet; over a stream (a relay, a test) reports are
found by their two-byte head. A position is 32 bytes, two squares a byte from h8, low nibble first.

Source: the vendor's public examples and free drivers (facts only).
"""

from __future__ import annotations

from dataclasses import dataclass

from hal.placement import turned

_LETTERS = ".qkbpnRPrBNQK"
_CODE = {letter: code for code, letter in enumerate(_LETTERS)}

REAL_TIME = b"\x21\x01\x00"
ASK_BATTERY = b"\x29\x01\x00"

_POSITION_HEAD = b"\x01\x24"
_LAMPS_HEAD = b"\x0a\x08"
_LENGTH_AFTER_HEAD = {0x01: 0x24, 0x2A: 0x02}
_COMMAND_LENGTHS = {0x21: 1, 0x0A: 8, 0x29: 1, 0x27: 1, 0x0B: 4, 0x31: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionReport:
    """The whole board, and the board's own time in its own units."""

    placement: str
    board_time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryReport:
    """Charge in percent, and whether it is charging."""

    percent: int
    charging: bool


Report = PositionReport | BatteryReport


@dataclass(frozen=True, slots=True, kw_only=True)
class LampsCommand:
    """Lamps of whole squares: bit n = square n."""

    squares: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeepCommand:
    """A tone."""

    hz: int
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainCommand:
    """Any other command, whole."""

    raw: bytes


Command = LampsCommand | BeepCommand | PlainCommand


def encode_position(placement: str, board_time: int = 0) -> bytes:
    """A position report of 38 bytes."""
    order = turned(placement)
    packed = bytes(_CODE[order[at]] | _CODE[order[at + 1]] << 4 for at in range(0, 64, 2))
    return _POSITION_HEAD + packed + board_time.to_bytes(4, "little")


def encode_lamps(squares: int) -> bytes:
    """The lamp command: rank 8 first, bit 7 = file a."""
    ranks = (squares >> 8 * rank & 0xFF for rank in range(7, -1, -1))
    return _LAMPS_HEAD + bytes(int(f"{byte:08b}"[::-1], 2) for byte in ranks)


def encode_beep(hz: int, ms: int) -> bytes:
    """The tone command."""
    return b"\x0b\x04" + hz.to_bytes(2, "big") + ms.to_bytes(2, "big")


class ReportDecoder:
    """The host's side of a stream; a packet from HID or Bluetooth may be fed as it is.

    A report with a code above 12, or with more than one king of a colour, is no position and is dropped.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped_bytes = 0

    def feed(self, data: bytes) -> tuple[Report, ...]:
        """Take any chunk; the reports completed by it, in order."""
        self._buffer += data
        found: list[Report] = []
        while (report := self._next()) is not None:
            found.append(report)
        return tuple(found)

    def packet(self, data: bytes) -> tuple[Report, ...]:
        """Take one packet that stands for itself; older firmware sends the position two bytes short."""
        if data[:2] == _POSITION_HEAD and len(data) >= 34:
            placement = _read_squares(data[2:34])
            stamp = int.from_bytes(data[34:38], "little")
            return (PositionReport(placement=placement, board_time=stamp),) if placement else ()
        return self.feed(data)

    def give_up(self) -> int:
        """Forget half a report; the bytes forgotten."""
        lost = len(self._buffer)
        self._buffer.clear()
        self.dropped_bytes += lost
        return lost

    def _next(self) -> Report | None:
        buffer = self._buffer
        while buffer:
            length = _LENGTH_AFTER_HEAD.get(buffer[0])
            if length is None or (len(buffer) >= 2 and buffer[1] != length):
                del buffer[0]
                self.dropped_bytes += 1
                continue
            total = 2 + length
            if len(buffer) < total:
                return None
            raw = bytes(buffer[:total])
            report = _read_report(raw)
            if report is None:
                del buffer[0]
                self.dropped_bytes += 1
                continue
            del buffer[:total]
            return report
        return None


def _read_report(raw: bytes) -> Report | None:
    if raw[0] == 0x2A:
        percent = raw[2] & 0x7F
        return BatteryReport(percent=percent, charging=bool(raw[2] & 0x80)) if percent <= 100 else None
    placement = _read_squares(raw[2:34])
    if placement is None:
        return None
    return PositionReport(placement=placement, board_time=int.from_bytes(raw[34:38], "little"))


def _read_squares(packed: bytes) -> str | None:
    codes = [code for byte in packed for code in (byte & 0x0F, byte >> 4)]
    if max(codes) >= len(_LETTERS):
        return None
    placement = turned("".join(_LETTERS[code] for code in codes))
    return placement if placement.count("K") <= 1 and placement.count("k") <= 1 else None


class CommandDecoder:
    """The board's side of a stream."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[Command, ...]:
        """Take any chunk; the commands completed by it, in order. Unknown heads are dropped byte by byte."""
        self._buffer += data
        found: list[Command] = []
        buffer = self._buffer
        while buffer:
            length = _COMMAND_LENGTHS.get(buffer[0])
            if length is None or (len(buffer) >= 2 and buffer[1] != length):
                del buffer[0]
                continue
            if len(buffer) < 2 + length:
                break
            raw = bytes(buffer[: 2 + length])
            del buffer[: 2 + length]
            found.append(_read_command(raw))
        return tuple(found)

    def give_up(self) -> int:
        """Forget half a command; the bytes forgotten."""
        lost = len(self._buffer)
        self._buffer.clear()
        return lost


def _read_command(raw: bytes) -> Command:
    if raw[0] == 0x0A:
        squares = sum(int(f"{byte:08b}"[::-1], 2) << 8 * (7 - at) for at, byte in enumerate(raw[2:]))
        return LampsCommand(squares=squares)
    if raw[0] == 0x0B:
        return BeepCommand(hz=int.from_bytes(raw[2:4], "big"), ms=int.from_bytes(raw[4:6], "big"))
    return PlainCommand(raw=raw)
