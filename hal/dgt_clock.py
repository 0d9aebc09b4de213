"""What the DGT line says about clocks: times, lever, acknowledgements, buttons; both roles, pure.

One message, BWTIME, carries three things. A low nibble of 0xA where hours would stand marks an acknowledgement; its
four values are spread over 7-bit bytes. Times are per *side of the clock*, right and left: which of them is White is a
matter of how the clock stands and is decided by whoever reads it (usually left is White).

Source: as `hal.dgt`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hal.dgt import BWTIME, encode_message

DISPLAY = 0x01
ICONS = 0x02
END = 0x03
BUTTON = 0x08
CLOCK_VERSION = 0x09
SET_AND_RUN = 0x0A
BEEP = 0x0B
ASCII = 0x0C
ASCII_REV2 = 0x0D
NAMES = {
    DISPLAY: "display",
    ICONS: "icons",
    END: "end",
    BUTTON: "button",
    CLOCK_VERSION: "version",
    SET_AND_RUN: "set and run",
    BEEP: "beep",
    ASCII: "text",
    ASCII_REV2: "text",
}
BEEP_UNIT_MS = 64

GOOD = 0x10
REFUSED = 0x40
_SPONTANEOUS_BUTTON = 0x88
_NO_CLOCK = 0x20
BUTTONS = {0x31: "back", 0x34: "minus", 0x33: "run_pause", 0x32: "plus", 0x35: "ok"}
"""The five keys, left to right, by the value in ack3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """Times in whole seconds, up to 9:59:59, and the state of a clock.

    ``running``: whose time goes down, None = stopped. ``right_high``: the lever stands high on the right, that is, the
    left player has pressed.
    """

    left_s: int
    right_s: int
    running: str | None = None
    right_high: bool = False
    left_fell: bool = False
    right_fell: bool = False
    battery_low: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoClock:
    """The board says that no clock is connected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """The clock has done (or refused) a command, or says something by itself (``command`` >= 0x80)."""

    good: bool
    command: int
    ack2: int = 0
    ack3: int = 0

    @property
    def button(self) -> str | None:
        """The single key pressed, when that is what it says."""
        return BUTTONS.get(self.ack3) if self.command == _SPONTANEOUS_BUTTON else None

    @property
    def version(self) -> tuple[int, int] | None:
        """The clock's version, in the answer to that question: 1.x is a DGT XL, 2.x a DGT 3000."""
        return (self.ack2 >> 4, self.ack2 & 0x0F) if self.command == CLOCK_VERSION else None


ClockState = ClockFace | NoClock | Acknowledged


def read_report(payload: bytes) -> ClockState | None:
    """What seven data bytes of a BWTIME message say; None for noise (all zeroes, digits that are none)."""
    if len(payload) != 7:
        return None
    right_h, right_m, right_s, left_h, left_m, left_s, status = payload
    if right_h & 0x0F == 0x0A or left_h & 0x0F == 0x0A:
        ack0 = right_m | (left_h & 0x10) << 3
        ack1 = right_s | (left_h & 0x20) << 2
        ack2 = left_m | (right_h & 0x10) << 3
        ack3 = left_s | (right_h & 0x20) << 2
        return Acknowledged(good=ack0 == GOOD, command=ack1, ack2=ack2, ack3=ack3)
    if status & _NO_CLOCK:
        return NoClock()
    if not any(payload):
        return None
    left, right = _seconds(left_h, left_m, left_s), _seconds(right_h, right_m, right_s)
    if left is None or right is None:
        return None
    running = None
    if status & 0x01:
        running = "right" if status & 0x08 else "left" if status & 0x10 else None
    return ClockFace(
        left_s=left,
        right_s=right,
        running=running,
        right_high=bool(status & 0x02),
        left_fell=bool(left_h & 0x10),
        right_fell=bool(right_h & 0x10),
        battery_low=bool(status & 0x04),
    )


def _seconds(hours: int, minutes: int, seconds: int) -> int | None:
    parts = (hours & 0x0F, (minutes >> 4) * 10 + (minutes & 0x0F), (seconds >> 4) * 10 + (seconds & 0x0F))
    if parts[0] > 9 or parts[1] > 59 or parts[2] > 59 or minutes & 0x0F > 9 or seconds & 0x0F > 9:
        return None
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def encode_face(face: ClockFace) -> bytes:
    """BWTIME with times."""
    status = 0x02 if face.right_high else 0
    if face.running is not None:
        status |= 0x01 | (0x08 if face.running == "right" else 0x10)
    if face.battery_low:
        status |= 0x04
    times = _digits(face.right_s, fell=face.right_fell) + _digits(face.left_s, fell=face.left_fell)
    if not any(times) and not status:
        status = 0x10  # left's turn, stopped: a report of nothing but zeroes is noise to hosts
    return encode_message(BWTIME, times + bytes((status,)))


def _digits(seconds: int, *, fell: bool) -> bytes:
    seconds = max(0, min(seconds, 9 * 3600 + 59 * 60 + 59))
    hours, rest = divmod(seconds, 3600)
    flag = 0x10 if fell else 0
    return bytes((hours | flag, rest // 600 << 4 | rest // 60 % 10, rest % 60 // 10 << 4 | rest % 10))


def encode_no_clock() -> bytes:
    """BWTIME that says: no clock here, do not read the times."""
    return encode_message(BWTIME, bytes((0, 0, 0, 0, 0, 0, _NO_CLOCK)))


def encode_acknowledgement(acknowledged: Acknowledged) -> bytes:
    """BWTIME as an acknowledgement; both low nibbles are 0xA, since some hosts look at one and some at the other."""
    values = (GOOD if acknowledged.good else REFUSED, acknowledged.command, acknowledged.ack2, acknowledged.ack3)
    high = [value >> 7 & 1 for value in values]
    low = [value & 0x7F for value in values]
    right_h = 0x0A | high[2] << 4 | high[3] << 5
    left_h = 0x0A | high[0] << 4 | high[1] << 5
    return encode_message(BWTIME, bytes((right_h, low[0], low[1], left_h, low[2], low[3], 0)))


def encode_button(name: str) -> bytes:
    """A key of the clock pressed by a player."""
    value = next(code for code, key in BUTTONS.items() if key == name)
    return encode_acknowledgement(Acknowledged(good=True, command=_SPONTANEOUS_BUTTON, ack3=value))


# ---------------------------------------------------------------------------------------------- what a host asks of it


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAndRun:
    """Set both times, in seconds, and let one side run (None: stopped)."""

    left_s: int
    right_s: int
    running: str | None


def read_set_and_run(payload: bytes) -> SetAndRun | None:
    """The times in a SETNRUN command; None when they are no times."""
    if len(payload) != 7:
        return None
    left_h, left_m, left_s, right_h, right_m, right_s, state = payload
    if max(left_m, left_s, right_m, right_s) > 59 or max(left_h, right_h) & 0x0F > 9:
        return None
    running = {0x01: "left", 0x02: "right"}.get(state & 0x03)
    return SetAndRun(
        left_s=(left_h & 0x0F) * 3600 + left_m * 60 + left_s,
        right_s=(right_h & 0x0F) * 3600 + right_m * 60 + right_s,
        running=None if state & 0x04 else running,
    )


def read_text(clock_id: int, payload: bytes) -> tuple[str, int] | None:
    """The text and the beep length in ms of a display command; None for other commands or unreadable text."""
    if (clock_id == ASCII and len(payload) == 9) or (clock_id == ASCII_REV2 and len(payload) == 12):
        text = "".join(chr(byte) if 32 <= byte < 127 else " " for byte in payload[:-1])
        return text, (payload[-1] & 0x0F) * BEEP_UNIT_MS
    if clock_id == DISPLAY and len(payload) == 8:
        order = (2, 1, 0, 5, 4, 3)  # sent C B A F E D, shown A B C D E F
        return "".join(_glyph(payload[at]) for at in order), BEEP_UNIT_MS if payload[7] == 0x03 else 0
    return None


_SEGMENTS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8",
    0x6F: "9", 0x40: "-", 0x77: "a", 0x7C: "b", 0x39: "c", 0x5E: "d", 0x79: "e", 0x71: "f", 0x3D: "g", 0x76: "h",
    0x1E: "j", 0x38: "l", 0x54: "n", 0x5C: "o", 0x73: "p", 0x67: "q", 0x50: "r", 0x78: "t", 0x3E: "u", 0x6E: "y",
    0x08: "_", 0x37: "n", 0x72: "k", 0x74: "h", 0x30: "i", 0x58: "c", 0x1C: "u",
}  # fmt: skip
"""Seven-segment letters: bit 0 top, 1 right top, 2 right bottom, 3 bottom, 4 left bottom, 5 left top, 6 middle."""


def _glyph(segments: int) -> str:
    return _SEGMENTS.get(segments & 0x7F, "?")


def encode_text(text: str, *, beep_ms: int = 0) -> bytes:
    """The data of an ASCII display command: eight characters, cut or filled with blanks."""
    shown = text.encode("ascii", "replace")[:8].ljust(8)
    return shown + bytes((min(beep_ms // BEEP_UNIT_MS, 15),))
