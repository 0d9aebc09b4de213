"""Our board as a Millennium ChessLink.

It answers what it is asked and, once a client has spoken, sends its state by itself as register 2 says. A corner lamp
is nobody's here: squares whose four corners are lit become our lamps.
"""

from __future__ import annotations

from board_firmware.emulation.guise import ClockTimes, Standing, Wish
from board_firmware.emulation.piece_codes import PieceCodes
from hal import chesslink
from hal.board import BoardEvent, BoardSnapshot, Lamp, Lamps, SquareChanged
from hal.placement import EMPTY

VERSION = "0104"

_HALF_FRAME_NS = 200_000_000
_RESTART_NS = 3_000_000_000
_DEFAULTS = {
    chesslink.REGISTER_CHECK: 0,
    chesslink.REGISTER_SCAN: 20,
    chesslink.REGISTER_AUTOMATIC: 0,
    chesslink.REGISTER_INTERVAL: 0,
    chesslink.REGISTER_BRIGHTNESS: 7,
}


class ChessLinkGuise:
    """The board as its client last set it up. ``nameless`` as in `PieceCodes`."""

    baud = chesslink.BAUD

    def __init__(self, *, nameless: str = EMPTY) -> None:
        self.registers = dict(_DEFAULTS)
        self._decoder = chesslink.FrameDecoder("board")
        self._codes = PieceCodes(nameless=nameless)
        self._sent = self._codes.placement
        self._out: list[bytes] = []
        self._met = False
        self._byte_ns = self._status_ns = 0
        self._away_until_ns = 0

    def stands(self, standing: Standing, at_ns: int) -> None:
        """As `Guise`."""
        self._codes.stands(standing)
        self._on_change(at_ns)

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """As `Guise`: this board has no clock."""

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """As `Guise`."""
        if isinstance(event, SquareChanged):
            self._codes.changes(event.square, event.occupied)
        elif isinstance(event, BoardSnapshot):
            self._codes.occupied(event.occupancy)
        self._on_change(at_ns)

    def _on_change(self, at_ns: int) -> None:
        placement = self._codes.placement
        if placement != self._sent and self._met and self.registers[chesslink.REGISTER_AUTOMATIC] & 7 >= 3:
            self._send_status(at_ns)

    def _send_status(self, at_ns: int) -> None:
        self._sent, self._status_ns = self._codes.placement, at_ns
        self._out.append(chesslink.encode_status(self._sent))

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._byte_ns >= _HALF_FRAME_NS:
            self._decoder.give_up()
        self._byte_ns = at_ns
        wishes: list[Wish] = []
        for frame in self._decoder.feed(data):
            if at_ns < self._away_until_ns:
                continue
            self._met = True
            wishes += self._answer(frame, at_ns)
        return tuple(wishes)

    def _answer(self, frame: chesslink.Frame, at_ns: int) -> list[Wish]:
        if frame.letter == "V":
            self._out.append(chesslink.encode("v", VERSION))
        elif frame.letter == "S":
            self._send_status(at_ns)
        elif frame.letter == "X":
            self._out.append(chesslink.encode("x"))
            return [Lamps()]
        elif frame.letter == "L":
            self._out.append(chesslink.encode("l"))
            lit = chesslink.read_lamps(frame)
            return [] if lit is None else [_lamps(*lit)]
        elif frame.letter == "R":
            value = self.registers.get(int(frame.text, 16), 0)
            self._out.append(chesslink.encode("r", f"{frame.text}{value:02X}"))
        elif frame.letter == "W":
            register, value = int(frame.text[:2], 16), int(frame.text[2:], 16)
            if register in self.registers:
                self.registers[register] = value
            self._decoder.checked = not self.registers[chesslink.REGISTER_CHECK] & 1
            self._out.append(chesslink.encode("w", frame.text))
        elif frame.letter == "T":
            self.registers = dict(_DEFAULTS)
            self._decoder.checked = True
            self._away_until_ns = at_ns + _RESTART_NS
            self._met = False
            return [Lamps()]
        return []

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._byte_ns >= _HALF_FRAME_NS:
            self._decoder.give_up()
        automatic = self.registers[chesslink.REGISTER_AUTOMATIC] & 7
        every_ms = {
            0: self.registers[chesslink.REGISTER_SCAN] * chesslink.SCAN_UNIT_MS,
            2: max(self.registers[chesslink.REGISTER_INTERVAL], 1) * chesslink.SLOT_MS,
        }.get(automatic)
        if self._met and every_ms is not None and at_ns - self._status_ns >= every_ms * 1e6:
            self._send_status(at_ns)
        return ()

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Guise`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken


def _lamps(slot: int, corners: dict[int, int]) -> Lamps:
    squares = {}
    cycle_s = max(slot, 1) * chesslink.SLOT_MS * 8 / 1000
    for square, code in chesslink.squares_lit(corners).items():
        changes = (code ^ (code >> 1 | (code & 1) << 7)).bit_count() // 2
        squares[square] = Lamp(red=255, green=48, blue=0, blink_hz=round(changes / cycle_s, 2))
    return Lamps(squares=squares)
