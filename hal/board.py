"""THE PORT: what any board, wired, serial or simulated, says to the firmware and hears from it.

Events carry ``at_ns``, the monotonic time of the *first edge* of the switch, stamped by the driver; they may come out
of order, since a place takes longer to debounce than a lift. Drivers open with an ``OSError`` kin when they cannot
open; once running, trouble is a `Faulted` event and never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Side = Literal["white", "black"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareChanged:
    """A square's reed settled, debounced, on a new state. ``piece`` is a FEN letter on boards that see pieces."""

    square: int
    occupied: bool
    at_ns: int
    piece: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftHinted:
    """First open sample of a closed reed: may light a lamp, never decides anything."""

    square: int
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Blipped:
    """A reed opened for ``ms`` milliseconds, shorter than the debounce time, and closed again."""

    square: int
    ms: float
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverMoved:
    """The clock's lever went down on the side named: that player has pressed."""

    down: Side
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSnapshot:
    """All 64 reeds at once: bit n of ``occupancy`` set = square n closed."""

    occupancy: int
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed:
    """A panel button by its name in the wiring table, such as ``adjust_white`` or ``promote_q``."""

    button: str
    at_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted:
    """A part (``square e4``, ``line rank 4``, ``link``, ``lever``) does not work; ``reason`` is a machine word.

    ``hidden`` are the squares that cannot be believed because of it, as a bit set; None: the part's own. Told again when
    they change.
    """

    part: str
    reason: str
    at_ns: int
    hidden: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """A part that had faulted works again."""

    part: str
    at_ns: int


BoardEvent = SquareChanged | LiftHinted | Blipped | LeverMoved | BoardSnapshot | ButtonPressed | Faulted | Recovered


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """One lamp's colour, the light of each part 0..255, and blinking: 0 Hz is steady, about 1 asks, about 3 says wrong."""

    red: int
    green: int
    blue: int
    blink_hz: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamps:
    """All lamps at once: squares not named are dark.

    ``share`` is how bright, of what each driver has for full: 0 to 1. A driver multiplies once, what is lit stays lit.
    """

    squares: Mapping[int, Lamp] = field(default_factory=dict)
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tone:
    """A tone of the buzzer."""

    hz: int
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Lines for a small display; the driver cuts what does not fit."""

    lines: tuple[str, ...]


class Supervised(Protocol):
    """What a board of reeds offers besides: told what should stand there, it finds reeds that are stuck."""

    def expect(self, occupancy: int | None, known_ns: int | None = None) -> None:
        """The caller knows that these squares were occupied and no others at ``known_ns`` (None: just now).

        That is so after a completed move or a set-up.
        None: nobody knows any more, as after a game or while units may come from beside the board.
        """
        ...


class Delayed(Protocol):
    """What a board with debounce times of its own offers besides."""

    @property
    def latency_ns(self) -> int:
        """The most that passes from an event's stamp until `Board.wait` gives it."""
        ...


class Board(Protocol):
    """A board behind the port. ``wait`` is called from one thread; the others may come from any."""

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """The events since the last call, as detected; empty when ``timeout_s`` seconds passed without one."""
        ...

    def snapshot(self) -> BoardSnapshot:
        """The debounced state of all squares now."""
        ...

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and no others; returns at once."""
        ...

    def sound(self, tone: Tone) -> None:
        """Sound a tone; returns at once."""
        ...

    def write(self, text: Text) -> None:
        """Show lines of text on the display, if there is one; returns at once."""
        ...

    def close(self) -> None:
        """Lamps off, lines and ports released; may be called twice."""
        ...
