"""The host's conversation with a board that speaks the DGT serial protocol.

A field update is only a hint: the board is asked for a dump, and what both say is believed. A dump a second is the
watchdog as well, so that an update lost on the way is seen at the latest then. The clock, where there is one, is a
lever, five buttons, a display and a beeper for us; its times are not ours.
"""

from __future__ import annotations

from collections import deque

from hal import dgt, dgt_clock
from hal.board import BoardEvent, ButtonPressed, Lamps, LeverMoved, Side, Text, Tone
from hal.dialogues.dialogue import SECOND_NS, lit_now
from hal.dialogues.pieces import LAG_MS, SeenSquares
from hal.placement import occupancy_of

_ASK_AGAIN_NS = SECOND_NS // 2
_GREET_AGAIN_NS = 2 * SECOND_NS
_SILENT_NS = 5 * SECOND_NS
_HALF_MESSAGE_NS = SECOND_NS // 4
_CLOCK_ANSWER_NS = 2 * SECOND_NS
_CLOCK_TRIES = 3
_CLOCK_QUEUE = 8


class DgtDialogue:
    """``flipped`` and ``lag_ms`` as in `SeenSquares`; ``white`` is White's side of the clock; ``lamps``: the board has lamps
    (Revelation II).
    """

    baud = dgt.BAUD
    wanted = "its version"

    def __init__(
        self, *, flipped: bool | None = None, white: str = "left", lamps: bool = False, lag_ms: int = LAG_MS
    ) -> None:
        self.is_ready = False
        self.complaint: str | None = None
        self.version: tuple[int, int] | None = None
        self.clock_refused = 0
        self._white = white
        self._has_lamps = lamps
        self._decoder = dgt.MessageDecoder()
        self._squares = SeenSquares(flipped=flipped, lag_ms=lag_ms)
        self._out: list[bytes] = []
        self._asked_ns: int | None = None
        self._heard_ns = self._seen_ns = self._greeted_ns = self._byte_ns = 0
        self._high_told: bool | None = None
        self._high_seen: tuple[bool, int] | None = None
        self._has_clock = False
        self._clock_queue: deque[bytes] = deque(maxlen=_CLOCK_QUEUE)
        self._clock_waiting: tuple[bytes, int, int] | None = None
        self._lamps = Lamps()
        self._lit = 0

    def begin(self, at_ns: int) -> None:
        """As `Dialogue`."""
        self._decoder.give_up()
        self._squares.restart()
        self.is_ready, self.complaint, self.version = False, None, None
        self._asked_ns = self._high_seen = self._clock_waiting = None
        self._clock_queue.clear()
        self._heard_ns = self._seen_ns = self._byte_ns = at_ns
        self._lit = 0
        self._out.clear()
        self._greet(at_ns)

    def _greet(self, at_ns: int) -> None:
        self._greeted_ns = at_ns
        self._out += [bytes((dgt.RESET,)), bytes((dgt.ASK_VERSION,))]

    def _ask_board(self, at_ns: int) -> None:
        if self._asked_ns is None:
            self._asked_ns = at_ns
            self._out.append(bytes((dgt.ASK_BOARD,)))

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        self._byte_ns = at_ns
        events: list[BoardEvent] = []
        for byte in data:  # one by one, to know what was dropped between which messages
            dropped = self._decoder.dropped_bytes
            for message in self._decoder.feed(bytes((byte,))):
                self._heard_ns = at_ns
                events += self._hear(message, at_ns)
            if self._decoder.dropped_bytes > dropped:
                self._squares.doubt()
        if self.version is not None and self._squares.is_unsettled:
            self._ask_board(at_ns)
        return tuple(events)

    def _hear(self, message: dgt.Message, at_ns: int) -> list[BoardEvent]:
        if isinstance(message, dgt.BoardVersion) and self.version is None:
            self.version = message.major, message.minor
            self._out += [bytes((dgt.UPDATE_NICE,)), bytes((dgt.ASK_CLOCK,))]
            self._ask_board(at_ns)
        elif isinstance(message, dgt.BoardDump):
            self._asked_ns, self._seen_ns = None, at_ns
            if self.version is not None:
                return list(self._see_board(message.placement, at_ns))
        elif isinstance(message, dgt.FieldUpdate):
            self._squares.hint(message.square, message.piece, at_ns)
        elif isinstance(message, dgt.ClockReport):
            return self._hear_clock(dgt_clock.read_report(message.payload), at_ns)
        return []

    def _see_board(self, placement: str, at_ns: int) -> tuple[BoardEvent, ...]:
        hinted = self._squares.is_unsettled
        events = self._squares.whole(placement, at_ns)
        if self.is_ready and not hinted and self._squares.is_unsettled:
            # It changed and did not say so: an update was lost, or the board has fallen back into its idle mode.
            self._out.append(bytes((dgt.UPDATE_NICE,)))
        self.is_ready = self._squares.is_known
        return events

    def _hear_clock(self, state: dgt_clock.ClockState | None, at_ns: int) -> list[BoardEvent]:
        if isinstance(state, dgt_clock.ClockFace):
            self._has_clock = True
            return self._see_lever(state.right_high, at_ns)
        if isinstance(state, dgt_clock.NoClock):
            self._has_clock = False
        elif isinstance(state, dgt_clock.Acknowledged):
            if state.button is not None:
                return [ButtonPressed(button=f"clock_{state.button}", at_ns=at_ns)]
            if self._clock_waiting is not None and state.command == self._clock_waiting[0][3]:
                command, _, tries = self._clock_waiting
                self._clock_waiting = None
                if not state.good and tries < _CLOCK_TRIES:
                    self._send_clock(command, at_ns, tries + 1)
                elif not state.good:
                    self.clock_refused += 1
        return []

    def _see_lever(self, right_high: bool, at_ns: int) -> list[BoardEvent]:
        if self._high_told is None:
            self._high_told = right_high
        if right_high == self._high_told:
            self._high_seen = None
            return []
        if self._high_seen is None:
            self._high_seen = right_high, at_ns
            self._out.append(bytes((dgt.ASK_CLOCK,)))
            return []
        self._high_told, first_ns = self._high_seen
        self._high_seen = None
        pressed = "left" if right_high else "right"
        down: Side = "white" if pressed == self._white else "black"
        return [LeverMoved(down=down, at_ns=first_ns)]

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        if at_ns - self._byte_ns >= _HALF_MESSAGE_NS:
            self._decoder.give_up()
        if at_ns - self._heard_ns >= _SILENT_NS:
            self.complaint = "silent"
            return ()
        if self.version is None:
            if at_ns - self._greeted_ns >= _GREET_AGAIN_NS:
                self._greet(at_ns)
            return ()
        if self._asked_ns is not None and at_ns - self._asked_ns >= _ASK_AGAIN_NS:
            self._asked_ns = None
            self._ask_board(at_ns)
        if at_ns - self._seen_ns >= SECOND_NS:
            self._ask_board(at_ns)
        self._tend_clock(at_ns)
        self._tend_lamps(at_ns)
        return self._squares.tick(at_ns)

    def _tend_clock(self, at_ns: int) -> None:
        if self._clock_waiting is not None:
            command, sent_ns, tries = self._clock_waiting
            if at_ns - sent_ns < _CLOCK_ANSWER_NS:
                return
            self._clock_waiting = None
            if tries < _CLOCK_TRIES:
                self._send_clock(command, at_ns, tries + 1)
                return
            self.clock_refused += 1
        if self._clock_queue:
            self._send_clock(self._clock_queue.popleft(), at_ns, 1)

    def _send_clock(self, command: bytes, at_ns: int, tries: int) -> None:
        self._clock_waiting = command, at_ns, tries
        self._out.append(command)

    def _tend_lamps(self, at_ns: int) -> None:
        lit = lit_now(self._lamps, at_ns) if self._has_lamps else 0
        if lit == self._lit:
            return
        self._lit = lit
        squares = [self._squares.turn(square) for square in range(64) if lit >> square & 1]
        self._out.append(dgt.encode_leds(None))
        self._out += [dgt.encode_leds(tuple(squares[at : at + 2])) for at in range(0, len(squares), 2)]

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Dialogue`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken

    def occupancy(self) -> int:
        """As `Dialogue`."""
        return occupancy_of(self._squares.placement)

    def show(self, lamps: Lamps, at_ns: int) -> None:
        """As `Dialogue`: only a board with lamps hears of it."""
        self._lamps = lamps
        if self.is_ready:
            self._tend_lamps(at_ns)

    def sound(self, tone: Tone) -> None:
        """As `Dialogue`: the clock beeps, its pitch is its own."""
        if self._has_clock:
            units = max(1, min(127, round(tone.ms / dgt_clock.BEEP_UNIT_MS)))
            self._clock_queue.append(dgt.encode_clock_command(dgt_clock.BEEP, bytes((units,))))

    def write(self, text: Text) -> None:
        """As `Dialogue`: eight characters of the first line on the clock; no lines give it back to the times."""
        if self._has_clock and text.lines:
            shown = dgt_clock.encode_text(text.lines[0])
            self._clock_queue.append(dgt.encode_clock_command(dgt_clock.ASCII, shown))
        elif self._has_clock:
            self._clock_queue.append(dgt.encode_clock_command(dgt_clock.END))
