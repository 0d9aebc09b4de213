"""The host's side of a Tabutronic Sentio or Certabo board: it talks, we listen and set lamps.

Which of the two it is, each line tells by its count of numbers. Tags of a Certabo board get their names from the start
position: seven equal lines with the men in place (spare queens on d3 and d6 allowed) map every tag; until then the
board is one that sees occupancy only.
"""

from __future__ import annotations

from hal import sentio
from hal.board import BoardEvent, Lamps, Text, Tone
from hal.dialogues.dialogue import SECOND_NS, lit_now
from hal.dialogues.pieces import LAG_MS, SeenSquares
from hal.placement import EMPTY, START, START_OCCUPANCY, UNKNOWN, occupancy_of, unnamed

_SILENT_NS = 5 * SECOND_NS
_HALF_LINE_NS = SECOND_NS // 4
_CALIBRATION_LINES = 7
_LAMPS_AGAIN_NS = 2 * SECOND_NS
_D3, _D6 = 19, 43
_COLOUR_ON = (0, 0, 96)
_COLOUR_OFF = (0, 0, 0)


class CertaboDialogue:
    """``flipped``: the board lies with its a1 at our h8; occupancy cannot tell, so it is a setting."""

    baud = sentio.BAUD
    wanted = "a line of 8 or 320 numbers"

    def __init__(self, *, flipped: bool = False, lag_ms: int = LAG_MS) -> None:
        self.is_ready = False
        self.complaint: str | None = None
        self.names: dict[sentio.Tag, str] = {}
        self._decoder = sentio.LineDecoder()
        self._squares = SeenSquares(flipped=flipped, lag_ms=lag_ms)
        self._out: list[bytes] = []
        self._heard_ns = self._byte_ns = 0
        self._start_tags: tuple[sentio.Tag, ...] | None = None
        self._start_lines = 0
        self._coloured = False
        self._lamps = Lamps()
        self._lit: int | None = None
        self._lit_ns = 0

    def begin(self, at_ns: int) -> None:
        """As `Dialogue`."""
        self._decoder.give_up()
        self._squares.restart()
        self.is_ready, self.complaint = False, None
        self._heard_ns = self._byte_ns = at_ns
        self._lit = None
        self._out.clear()

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        self._byte_ns = at_ns
        events: list[BoardEvent] = []
        for line in self._decoder.feed(data):
            self._heard_ns = at_ns
            if isinstance(line, sentio.LampKind):
                self._coloured = line.coloured
                continue
            if isinstance(line, sentio.OccupancyLine):
                placement = unnamed(line.occupancy)
            else:
                placement = self._name(line.tags)
            events += self._squares.whole(placement, at_ns)
            self.is_ready = self._squares.is_known
        return tuple(events)

    def _name(self, tags: tuple[sentio.Tag, ...]) -> str:
        placement = "".join(EMPTY if tag == sentio.NO_TAG else self.names.get(tag, UNKNOWN) for tag in tags)
        if occupancy_of(placement) & ~(1 << _D3 | 1 << _D6) != START_OCCUPANCY or UNKNOWN not in placement:
            self._start_tags, self._start_lines = None, 0
            return placement
        self._start_lines = self._start_lines + 1 if tags == self._start_tags else 1
        self._start_tags = tags
        if self._start_lines >= _CALIBRATION_LINES:
            start = START[::-1] if self._squares.flipped else START
            expected = {square: letter for square, letter in enumerate(start) if letter != EMPTY}
            expected |= {_D3: "Q", _D6: "q"} if not self._squares.flipped else {_D3: "q", _D6: "Q"}
            self.names |= {tags[sq]: letter for sq, letter in expected.items() if tags[sq] != sentio.NO_TAG}
        return placement

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        if at_ns - self._byte_ns >= _HALF_LINE_NS:
            self._decoder.give_up()
        if at_ns - self._heard_ns >= _SILENT_NS:
            self.complaint = "silent"
            return ()
        self._tend_lamps(at_ns)
        return self._squares.tick(at_ns)

    def _tend_lamps(self, at_ns: int) -> None:
        # The eight bytes have neither head nor answer: they are sent again every two seconds, and never back to back.
        lit = lit_now(self._lamps, at_ns)
        if lit == self._lit and (not lit or at_ns - self._lit_ns < _LAMPS_AGAIN_NS):
            return
        self._lit, self._lit_ns = lit, at_ns
        raw = sum(1 << self._squares.turn(square) for square in range(64) if lit >> square & 1)
        self._out.append(sentio.encode_colours(_corner_colours(raw)) if self._coloured else sentio.encode_lamps(raw))

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

    def sound(self, tone: Tone) -> None:
        """As `Dialogue`: this board has no sound."""

    def write(self, text: Text) -> None:
        """As `Dialogue`: this board has no display."""


def _corner_colours(squares: int) -> tuple[tuple[int, int, int], ...]:
    """81 corners row by row from a8's corner (the order is our reading: no board was there to ask)."""
    lit = set()
    for square in range(64):
        if squares >> square & 1:
            file, down = square & 7, 7 - (square >> 3)
            lit |= {9 * (down + row) + file + column for row in (0, 1) for column in (0, 1)}
    return tuple(_COLOUR_ON if corner in lit else _COLOUR_OFF for corner in range(81))
