"""The host's conversation with a Chessnut board on its USB HID device, or on a stream that carries the same reports.

Packets from HID are checked by the bus and believed at once; on a stream two reports must agree.
"""

from __future__ import annotations

from hal import chessnut
from hal.board import BoardEvent, Lamps, Text, Tone
from hal.dialogues.dialogue import SECOND_NS, lit_now
from hal.dialogues.pieces import LAG_MS, SeenSquares
from hal.placement import occupancy_of

_BATTERY_NS = SECOND_NS
_SILENT_NS = 5 * SECOND_NS
_HALF_REPORT_NS = SECOND_NS // 4
_BETWEEN_WRITES_NS = SECOND_NS // 5


class ChessnutDialogue:
    """``packets``: each chunk given to `receive` is one packet. ``flipped`` and ``lag_ms`` as in `SeenSquares`."""

    baud = 115200
    wanted = "a position report"

    def __init__(self, *, flipped: bool | None = None, packets: bool = False, lag_ms: int = LAG_MS) -> None:
        self.is_ready = False
        self.complaint: str | None = None
        self.battery: chessnut.BatteryReport | None = None
        self._packets = packets
        self._decoder = chessnut.ReportDecoder()
        self._squares = SeenSquares(flipped=flipped, lag_ms=lag_ms, checked=packets)
        self._queue: list[bytes] = []
        self._out: list[bytes] = []
        self._written_ns = -SECOND_NS
        self._heard_ns = self._byte_ns = self._asked_ns = 0
        self._lamps = Lamps()
        self._lit = 0

    def begin(self, at_ns: int) -> None:
        """As `Dialogue`."""
        self._decoder.give_up()
        self._squares.restart()
        self.is_ready, self.complaint = False, None
        self._heard_ns = self._byte_ns = self._asked_ns = at_ns
        self._lit = 0
        self._out.clear()
        self._queue[:] = [chessnut.REAL_TIME, chessnut.encode_lamps(0)]
        self._send(at_ns)

    def _send(self, at_ns: int) -> None:
        if self._queue and at_ns - self._written_ns >= _BETWEEN_WRITES_NS:
            self._written_ns = at_ns
            self._out.append(self._queue.pop(0))

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        self._byte_ns = at_ns
        events: list[BoardEvent] = []
        if self._packets:
            return self._hear(self._decoder.packet(data), at_ns)
        for byte in data:  # one by one, to know what was dropped between which reports
            dropped = self._decoder.dropped_bytes
            events += self._hear(self._decoder.feed(bytes((byte,))), at_ns)
            if self._decoder.dropped_bytes > dropped:
                self._squares.doubt()
        return tuple(events)

    def _hear(self, reports: tuple[chessnut.Report, ...], at_ns: int) -> tuple[BoardEvent, ...]:
        events: list[BoardEvent] = []
        for report in reports:
            self._heard_ns = at_ns
            if isinstance(report, chessnut.BatteryReport):
                self.battery = report
                continue
            events += self._squares.whole(report.placement, at_ns)
            self.is_ready = self._squares.is_known
        return tuple(events)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        if at_ns - self._byte_ns >= _HALF_REPORT_NS:
            self._decoder.give_up()
        if at_ns - self._heard_ns >= _SILENT_NS:
            self.complaint = "silent"
            return ()
        if at_ns - self._heard_ns >= _BATTERY_NS and at_ns - self._asked_ns >= _BATTERY_NS:
            self._asked_ns = at_ns
            self._queue.append(chessnut.ASK_BATTERY if self.is_ready else chessnut.REAL_TIME)
        self._tend_lamps(at_ns)
        self._send(at_ns)
        return self._squares.tick(at_ns)

    def _tend_lamps(self, at_ns: int) -> None:
        lit = lit_now(self._lamps, at_ns)
        if lit != self._lit:
            self._lit = lit
            raw = sum(1 << self._squares.turn(square) for square in range(64) if lit >> square & 1)
            self._queue = [waiting for waiting in self._queue if waiting[0] != 0x0A]
            self._queue.append(chessnut.encode_lamps(raw))

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Dialogue`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken

    def occupancy(self) -> int:
        """As `Dialogue`."""
        return occupancy_of(self._squares.placement)

    def show(self, lamps: Lamps, at_ns: int) -> None:
        """As `Dialogue`."""
        self._lamps = lamps
        if self.is_ready:
            self._tend_lamps(at_ns)
            self._send(at_ns)

    def sound(self, tone: Tone) -> None:
        """As `Dialogue`; at most four tones wait."""
        if len(self._queue) < 4:
            self._queue.append(chessnut.encode_beep(tone.hz, tone.ms))

    def write(self, text: Text) -> None:
        """As `Dialogue`: this board has no display."""
