"""What every conversation with a serial board has in common.

A dialogue is pure: it is given bytes and the time, and gives back events and the messages to send. It opens no port,
waits for nothing and may be begun again after any silence. `hal.serial_board.SerialBoard` runs it on a link.
"""

from __future__ import annotations

from typing import Protocol

from hal.board import BoardEvent, Lamps, Text, Tone

SECOND_NS = 1_000_000_000


class Dialogue(Protocol):
    """One board's side of the conversation, as a host sees it."""

    baud: int
    wanted: str
    """What was asked and not answered, for the line that says why a board does not open."""
    is_ready: bool
    """Whether the board has named itself and its squares are known."""
    complaint: str | None
    """A machine word once the conversation cannot go on (``silent``, ``version``, ``refused``); the link is then
    renewed.
    """

    def begin(self, at_ns: int) -> None:
        """Start or start again: forget half messages, queue the opening."""
        ...

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """Bytes have come."""
        ...

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Time has passed: called at least ten times a second."""
        ...

    def take_outgoing(self) -> tuple[bytes, ...]:
        """The messages to write now, each in one write."""
        ...

    def occupancy(self) -> int:
        """The squares occupied now, bit n = square n."""
        ...

    def show(self, lamps: Lamps, at_ns: int) -> None:
        """Light these lamps and no others."""
        ...

    def sound(self, tone: Tone) -> None:
        """Sound a tone if the board can."""
        ...

    def write(self, text: Text) -> None:
        """Show text if the board can."""
        ...


def lit_now(lamps: Lamps, at_ns: int) -> int:
    """The squares lit at this moment, for boards whose lamps know only on and off: the blinking is done from here."""
    bits = 0
    for square, lamp in lamps.squares.items():
        half_periods = int(at_ns * 2 * lamp.blink_hz / SECOND_NS)
        if (lamp.red or lamp.green or lamp.blue) and half_periods % 2 == 0:
            bits |= 1 << square
    return bits
