"""Our board as a Tabutronic Sentio: the reeds as they are, three lines a second, and each change at once and twice.

Twice, because a careful host believes only what two lines agree on. Nothing of the game goes out: the client reads the
moves from the squares.
"""

from __future__ import annotations

from board_firmware.emulation.guise import ClockTimes, Standing, Wish
from hal import sentio
from hal.board import BoardEvent, BoardSnapshot, Lamp, Lamps, SquareChanged
from hal.placement import START_OCCUPANCY

_LINE_NS = 300_000_000
_HALF_COMMAND_NS = 200_000_000
_LAMP = Lamp(red=0, green=64, blue=255)


class SentioGuise:
    """Occupancy out, lamps in."""

    baud = sentio.BAUD

    def __init__(self) -> None:
        self._occupancy = START_OCCUPANCY
        self._decoder = sentio.LampDecoder()
        self._out: list[bytes] = []
        self._byte_ns = 0
        self._line_ns = -_LINE_NS

    def stands(self, standing: Standing, at_ns: int) -> None:
        """As `Guise`: the client keeps its own game."""

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """As `Guise`: this board has no clock."""

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """As `Guise`."""
        before = self._occupancy
        if isinstance(event, SquareChanged):
            bit = 1 << event.square
            self._occupancy = before | bit if event.occupied else before & ~bit
        elif isinstance(event, BoardSnapshot):
            self._occupancy = event.occupancy
        if self._occupancy != before:
            self._line_ns = at_ns
            self._out += [sentio.encode_occupancy(self._occupancy)] * 2

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        wishes = self._settle(at_ns)
        self._byte_ns = at_ns
        return (*wishes, *map(_lamps, self._decoder.feed(data)))

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._line_ns >= _LINE_NS:
            self._line_ns = at_ns
            self._out.append(sentio.encode_occupancy(self._occupancy))
        return self._settle(at_ns)

    def _settle(self, at_ns: int) -> tuple[Wish, ...]:
        if at_ns - self._byte_ns < _HALF_COMMAND_NS:
            return ()
        return tuple(map(_lamps, self._decoder.give_up()))

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Guise`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken


def _lamps(command: sentio.LampCommand) -> Lamps:
    if isinstance(command, sentio.LampBits):
        return Lamps(squares={square: _LAMP for square in range(64) if command.squares >> square & 1})
    squares = {}
    for square in range(64):
        first = 9 * (7 - (square >> 3)) + (square & 7)
        colours = [command.colours[first + step] for step in (0, 1, 9, 10)]
        red, green, blue = (min(colour[part] for colour in colours) for part in range(3))
        if red or green or blue:
            squares[square] = Lamp(red=red, green=green, blue=blue)
    return Lamps(squares=squares)
