"""Our board as a DGT board in single-board mode.

Strict hosts set the tone: nothing is sent that was not asked for, one write a message, exact lengths, acknowledgements
only in the two modes that have clock messages. The version is 3.1, since 1.x is taken for another board; the trade-mark
text is our own. Without a clock every clock command stays unanswered and the question for times is answered "no clock".
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.emulation.guise import ClockTimes, Standing, Wish
from board_firmware.emulation.piece_codes import PieceCodes
from hal import dgt, dgt_clock
from hal.board import BoardEvent, BoardSnapshot, ButtonPressed, Lamp, Lamps, LeverMoved, SquareChanged, Text, Tone
from hal.placement import EMPTY

SERIAL = "00064"
LONG_SERIAL = "0000000064"
TRADEMARK = "touchmove, a free electronic chessboard"
VERSION = (3, 1)
CLOCK_VERSION = 0x22

_SECOND_NS = 1_000_000_000
_HALF_COMMAND_NS = _SECOND_NS // 5
_BEEP_HZ = 2000
_LAMP = Lamp(red=0, green=64, blue=255)
_LOG_DATA = 0x1F00
_BUTTONS = frozenset(dgt_clock.BUTTONS.values())
"""Panel buttons that bear the name of a clock key are that key to the client."""


class DgtGuise:
    """``has_clock`` False: the host is told that no clock is there. ``nameless`` as in `PieceCodes`."""

    baud = dgt.BAUD

    def __init__(self, *, has_clock: bool = True, nameless: str = EMPTY) -> None:
        self.mode = dgt.RESET
        self._has_clock = has_clock
        self._commands = dgt.CommandDecoder()
        self._codes = PieceCodes(nameless=nameless)
        self._sent = self._codes.placement
        self._out: list[bytes] = []
        self._byte_ns = 0
        self._face = dgt_clock.ClockFace(left_s=0, right_s=0)
        self._game_clock: ClockTimes | None = None
        self._game_clock_ns = 0
        self._set_by_host: tuple[dgt_clock.SetAndRun, int] | None = None
        self._face_sent: bytes | None = None
        self._face_ns = 0
        self._lit: set[int] = set()

    # ------------------------------------------------------------------------------------------------------- our side

    def stands(self, standing: Standing, at_ns: int) -> None:
        """As `Guise`."""
        self._codes.stands(standing)
        self._report()

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """As `Guise`."""
        self._game_clock, self._game_clock_ns = clock, at_ns
        self._tell_time(at_ns)

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """As `Guise`."""
        if isinstance(event, SquareChanged):
            self._codes.changes(event.square, event.occupied)
            self._report(event.square)
        elif isinstance(event, BoardSnapshot):
            self._codes.occupied(event.occupancy)
            self._report()
        elif isinstance(event, LeverMoved) and self._has_clock:
            self._face = replace(self._face, right_high=event.down == "white")
            self._tell_time(at_ns, now=True)
        elif isinstance(event, ButtonPressed) and self._has_clock and event.button in _BUTTONS and self._has_clock_mode:
            self._out.append(dgt_clock.encode_button(event.button))

    def _report(self, first: int | None = None) -> None:
        """Field updates of what has changed: the square that moved first, then squares that are now empty, then the
        rest.
        """
        placement = self._codes.placement
        changed = [square for square in range(64) if placement[square] != self._sent[square]]
        changed.sort(key=lambda square: (square != first, placement[square] != EMPTY, square))
        if self.mode != dgt.RESET:
            self._out += [dgt.encode_update(square, placement[square]) for square in changed]
        self._sent = placement

    @property
    def _has_clock_mode(self) -> bool:
        return self.mode in (dgt.UPDATE, dgt.UPDATE_NICE)

    def _current_face(self, at_ns: int) -> dgt_clock.ClockFace:
        if self._game_clock is not None:
            running = {"white": "left", "black": "right", None: None}[self._game_clock.running]
            clock = self._game_clock.later((at_ns - self._game_clock_ns) / _SECOND_NS)
            left_s, right_s = clock.white_s, clock.black_s
        elif self._set_by_host is not None:
            settings, since_ns = self._set_by_host
            running, gone_s = settings.running, (at_ns - since_ns) / _SECOND_NS
            left_s = settings.left_s - (gone_s if running == "left" else 0)
            right_s = settings.right_s - (gone_s if running == "right" else 0)
        else:
            return self._face
        return replace(
            self._face,
            left_s=max(0, -int(-left_s // 1)),
            right_s=max(0, -int(-right_s // 1)),
            running=running,
            left_fell=left_s <= 0,
            right_fell=right_s <= 0,
        )

    def _tell_time(self, at_ns: int, *, now: bool = False) -> None:
        if not self._has_clock or not self._has_clock_mode:
            return
        message = dgt_clock.encode_face(self._current_face(at_ns))
        due = at_ns - self._face_ns >= _SECOND_NS and (self.mode == dgt.UPDATE or message != self._face_sent)
        if due or (now and message != self._face_sent):
            self._face_sent, self._face_ns = message, at_ns
            self._out.append(message)

    # ------------------------------------------------------------------------------------------------------ the client

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._byte_ns >= _HALF_COMMAND_NS:
            self._commands.give_up()
        self._byte_ns = at_ns
        wishes: list[Wish] = []
        for command in self._commands.feed(data):
            if isinstance(command, dgt.Command):
                self._answer(command.code, at_ns)
            elif isinstance(command, dgt.ClockCommand):
                wishes += self._obey_clock(command, at_ns)
            elif isinstance(command, dgt.LedCommand):
                wishes += self._light(command)
        return tuple(wishes)

    def _answer(self, code: int, at_ns: int) -> None:
        out = self._out
        if code in (dgt.RESET, dgt.UPDATE, dgt.UPDATE_BOARD, dgt.UPDATE_NICE):
            self.mode = code
            self._face_sent, self._face_ns = None, at_ns
            if code == dgt.RESET:
                # Whatever was about to be said belongs to a conversation that the host has ended.
                out.clear()
        elif code == dgt.ASK_BOARD:
            out.append(dgt.encode_dump(self._codes.placement))
        elif code == dgt.ASK_CLOCK:
            face = dgt_clock.encode_face(self._current_face(at_ns)) if self._has_clock else dgt_clock.encode_no_clock()
            out.append(face)
        elif code == dgt.ASK_VERSION:
            out.append(dgt.encode_message(dgt.VERSION, bytes(VERSION)))
        elif code == dgt.ASK_SERIAL:
            out.append(dgt.encode_message(dgt.SERIAL, SERIAL.encode()))
        elif code == dgt.ASK_LONG_SERIAL:
            out.append(dgt.encode_message(dgt.LONG_SERIAL, LONG_SERIAL.encode()))
        elif code == dgt.ASK_BUS_ADDRESS:
            out.append(dgt.encode_bus_address(int(SERIAL)))
        elif code == dgt.ASK_TRADEMARK:
            out.append(dgt.encode_message(dgt.TRADEMARK, TRADEMARK.encode()))
        elif code == dgt.ASK_BATTERY:
            out.append(dgt.encode_message(dgt.BATTERY, bytes((100, 0x7F, 0x7F, 0, 0, 0, 0, 0, 0))))
        elif code == dgt.ASK_LOG:
            out.append(dgt.encode_message(dgt.LOG, b"\x6a\x6f\x6e".rjust(_LOG_DATA - 1, b"\x7f") + b"\x6b"))

    def _obey_clock(self, command: dgt.ClockCommand, at_ns: int) -> list[Wish]:
        wishes: list[Wish] = []
        known = command.clock_id in dgt_clock.NAMES
        shown = dgt_clock.read_text(command.clock_id, command.payload)
        if shown is not None:
            text, beep_ms = shown
            wishes.append(Text(lines=(text.strip(),)))
            if beep_ms:
                wishes.append(Tone(hz=_BEEP_HZ, ms=beep_ms))
        elif command.clock_id == dgt_clock.END:
            wishes.append(Text(lines=()))
        elif command.clock_id == dgt_clock.BEEP and command.payload:
            wishes.append(Tone(hz=_BEEP_HZ, ms=command.payload[0] * dgt_clock.BEEP_UNIT_MS))
        elif command.clock_id == dgt_clock.SET_AND_RUN:
            settings = dgt_clock.read_set_and_run(command.payload)
            known = settings is not None
            if settings is not None:
                self._set_by_host = settings, at_ns
        if self._has_clock and self._has_clock_mode:
            ack2 = CLOCK_VERSION if command.clock_id == dgt_clock.CLOCK_VERSION else 0
            answer = dgt_clock.Acknowledged(good=known, command=command.clock_id & 0x7F, ack2=ack2)
            self._out.append(dgt_clock.encode_acknowledgement(answer))
        return wishes

    def _light(self, command: dgt.LedCommand) -> list[Wish]:
        wanted = dgt.lamps_of(command)
        if wanted is None:
            return []
        squares, on = wanted
        if on:
            self._lit |= set(squares)
        elif squares:
            self._lit -= set(squares)
        else:
            self._lit.clear()
        return [Lamps(squares=dict.fromkeys(sorted(self._lit), _LAMP))]

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._byte_ns >= _HALF_COMMAND_NS:
            self._commands.give_up()
        self._tell_time(at_ns)
        return ()

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Guise`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken
