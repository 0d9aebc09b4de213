"""The host's conversation with a Millennium ChessLink board.

The board is told to report changes by itself and is asked once a second all the same, so that a lost report is seen at
the latest then. Its block check is eight bits wide, so a change is believed when a second report says the same.
"""

from __future__ import annotations

from hal import chesslink
from hal.board import BoardEvent, Lamps, Text, Tone
from hal.dialogues.dialogue import SECOND_NS
from hal.dialogues.pieces import LAG_MS, SeenSquares
from hal.placement import occupancy_of

_OPENING = (
    ("W", "0000"),  # register 0: block check on
    ("W", "0203"),  # register 2: report on change
    ("X", ""),
)
_ASK_AGAIN_NS = SECOND_NS // 2
_GREET_AGAIN_NS = 2 * SECOND_NS
_SILENT_NS = 5 * SECOND_NS
_HALF_FRAME_NS = SECOND_NS // 4
_SLOT = 0x1E
"""30 * 4.096 ms a slot, eight slots: a cycle of about one second."""


class ChessLinkDialogue:
    """``flipped`` and ``lag_ms`` as in `SeenSquares`."""

    baud = chesslink.BAUD
    wanted = "its version"

    def __init__(self, *, flipped: bool | None = None, lag_ms: int = LAG_MS) -> None:
        self.is_ready = False
        self.complaint: str | None = None
        self.version: str | None = None
        self._decoder = chesslink.FrameDecoder("host")
        self._squares = SeenSquares(flipped=flipped, lag_ms=lag_ms)
        self._out: list[bytes] = []
        self._asked_ns: int | None = None
        self._heard_ns = self._seen_ns = self._greeted_ns = self._byte_ns = 0
        self._lamps = Lamps()
        self._lamps_sent: bytes | None = None
        self._lamps_waiting_ns: int | None = None

    def begin(self, at_ns: int) -> None:
        """As `Dialogue`."""
        self._decoder.give_up()
        self._squares.restart()
        self.is_ready, self.complaint, self.version = False, None, None
        self._asked_ns = self._lamps_sent = self._lamps_waiting_ns = None
        self._heard_ns = self._seen_ns = self._byte_ns = at_ns
        self._out.clear()
        self._greet(at_ns)

    def _greet(self, at_ns: int) -> None:
        self._greeted_ns = at_ns
        self._out.append(chesslink.encode("V"))

    def _ask_status(self, at_ns: int) -> None:
        if self._asked_ns is None:
            self._asked_ns = at_ns
            self._out.append(chesslink.encode("S"))

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        self._byte_ns = at_ns
        events: list[BoardEvent] = []
        for frame in self._decoder.feed(data):
            self._heard_ns = at_ns
            if frame.letter == "v" and self.version is None:
                self.version = frame.text
                self._out += [chesslink.encode(letter, text) for letter, text in _OPENING]
                self._ask_status(at_ns)
            elif frame.letter in "lx":
                self._lamps_waiting_ns = None
            placement = chesslink.read_status(frame)
            if placement is not None and self.version is not None:
                self._asked_ns, self._seen_ns = None, at_ns
                events += self._squares.whole(placement, at_ns)
                self.is_ready = self._squares.is_known
        if self.version is not None and self._squares.is_unsettled:
            self._ask_status(at_ns)
        return tuple(events)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        if at_ns - self._byte_ns >= _HALF_FRAME_NS:
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
            self._ask_status(at_ns)
        if at_ns - self._seen_ns >= SECOND_NS:
            self._ask_status(at_ns)
        if self._lamps_waiting_ns is not None and at_ns - self._lamps_waiting_ns >= _ASK_AGAIN_NS:
            self._lamps_sent = self._lamps_waiting_ns = None
        self._tend_lamps(at_ns)
        return self._squares.tick(at_ns)

    def _tend_lamps(self, at_ns: int) -> None:
        corners: dict[int, int] = {}
        for square, lamp in self._lamps.squares.items():
            code = 0xFF if lamp.blink_hz == 0 else 0xF0 if lamp.blink_hz < 2 else 0xAA
            for corner in chesslink.corners_of(self._squares.turn(square)):
                corners[corner] = corners.get(corner, 0) | code
        command = chesslink.encode_lamps(corners, slot=_SLOT) if corners else chesslink.encode("X")
        if command != self._lamps_sent and not (self._lamps_sent is None and not corners):
            self._lamps_sent, self._lamps_waiting_ns = command, at_ns
            self._out.append(command)

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Dialogue`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken

    def occupancy(self) -> int:
        """As `Dialogue`."""
        return occupancy_of(self._squares.placement)

    def show(self, lamps: Lamps, at_ns: int) -> None:
        """As `Dialogue`: the four corners of each square; the board blinks by itself."""
        self._lamps = lamps
        if self.is_ready:
            self._tend_lamps(at_ns)

    def sound(self, tone: Tone) -> None:
        """As `Dialogue`: this board has no sound."""

    def write(self, text: Text) -> None:
        """As `Dialogue`: this board has no display."""
