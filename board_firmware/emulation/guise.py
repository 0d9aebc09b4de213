"""What every guise of our board has in common: it hears the game, the reeds and a client's bytes, and answers the
client.

A guise is pure, as a host's dialogue is: no port, no clock, no thread. `board_firmware.emulation.peer` runs one on a
link, `board_firmware.emulation.relay` one in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from hal.board import BoardEvent, Lamps, Side, Text, Tone
from hal.placement import START

Wish = Lamps | Tone | Text
"""What a client asks of our lamps, buzzer and display."""

_MOMENT_S = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a guise needs to know of the game: the position in force and how it may go on."""

    placement: str = START
    turn: Side | None = "white"
    reach: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Where each unit of the side to move may legally land, by its square."""
    castlings: tuple[tuple[int, int, int, int], ...] = ()
    """Legal castlings: king from, king to, rook from, rook to."""
    start: str = START
    """The array that means a new game."""
    moves: tuple[str, ...] = ()
    """The moves that can no longer be revised, UCI."""
    san: tuple[str, ...] = ()
    """The same moves in SAN."""
    fen: str = ""
    is_final: bool = True
    """Whether ``fen`` is the position after ``moves``; else a move lies on the board that can still be revised."""
    result: str = "*"
    """In PGN's words; the star while the game is played, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """The game's clock: seconds left, and whose runs."""

    white_s: float
    black_s: float
    running: Side | None = None

    def later(self, seconds: float) -> ClockTimes:
        """The same clock so many seconds later, if nobody presses.

        The running side keeps a moment: whether it has lost on time, increments and delays counted, is told by the game.

        >>> ClockTimes(white_s=300, black_s=180, running="black").later(2).black_s
        178
        """
        if self.running == "white" and self.white_s > 0:
            return replace(self, white_s=max(self.white_s - seconds, _MOMENT_S))
        if self.running == "black" and self.black_s > 0:
            return replace(self, black_s=max(self.black_s - seconds, _MOMENT_S))
        return self


class Guise(Protocol):
    """Our board in the shape of one protocol."""

    baud: int

    def stands(self, standing: Standing, at_ns: int) -> None:
        """The game stands so."""
        ...

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """The clock shows so; None: the game has no clock."""
        ...

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """A reed, the lever or a button."""
        ...

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """Bytes of the client, and what they ask of us."""
        ...

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """Time has passed: called at least ten times a second."""
        ...

    def take_outgoing(self) -> tuple[bytes, ...]:
        """The messages to write now, each in one write."""
        ...
