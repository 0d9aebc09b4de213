"""What a hand does to chessmen, as values: each act begins ``at_ms`` after the gesture and follows a minimum-jerk path.

Places are squares (0..63) or points `(x, y)` in mm, x along the files from the centre of a1 towards h1, y towards a8.
A chessman standing on the board is named by its square, one in the air by the square it was lifted from: reeds care
about nothing else. One that is lifted and never placed is in the stock beside the board; ``of=None`` takes one from
there. Where two stand in a square the one that came first is meant.

Source: minimum-jerk hand paths (Flash and Hogan's model): s(u) = 10u^3 - 15u^4 + 6u^5.
"""

from __future__ import annotations

from dataclasses import dataclass

from hal.board import Side

Point = tuple[float, float]
Spot = int | Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """Raise the chessman on ``square`` into the hand within ``ms``."""

    square: int
    at_ms: float = 0.0
    ms: float = 250.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Set down on ``square``, ``offset_mm`` off its centre, the chessman lifted from ``of``, None: from the stock."""

    square: int
    of: int | None
    at_ms: float = 0.0
    ms: float = 250.0
    offset_mm: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drag:
    """Slide the chessman on ``square`` along ``path`` at ``speed_mm_s``; it ends standing on the last spot.

    ``pauses_ms`` rests after each spot but the last (shorter: none). ``height_mm`` carries it low above the board
    instead, lowered at the end. ``offset_mm`` is where it ends off the last centre. ``off`` picks it up from there
    and keeps it off the board. A square in the path is its centre.
    """

    square: int
    path: tuple[Spot, ...]
    at_ms: float = 0.0
    speed_mm_s: float = 250.0
    pauses_ms: tuple[float, ...] = ()
    height_mm: float = 0.0
    offset_mm: Point = (0.0, 0.0)
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """Shift the chessman on ``square`` in place, to ``offset_mm`` off the centre: adjusting, or a knock."""

    square: int
    offset_mm: Point = (0.0, 0.0)
    at_ms: float = 0.0
    ms: float = 150.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Blip:
    """Rock the chessman on ``square`` so that its reed is open for ``ms``: nothing, if the reed is open anyway."""

    square: int
    at_ms: float = 0.0
    ms: float = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PressLever:
    """Press ``side``'s end of the clock lever; pressing the end that is down already does nothing."""

    side: Side
    at_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PressButton:
    """Press a panel button by name."""

    button: str
    at_ms: float = 0.0


Motion = Lift | Place | Drag | Nudge | Blip | PressLever | PressButton


def progress(u: float) -> float:
    """How far along its path a hand is after the share ``u`` (0..1) of its time."""
    return u * u * u * (10 - u * (15 - 6 * u))


def _inverse(steps: int) -> tuple[float, ...]:
    """The shares of time at which a hand is ``n / steps`` along its path."""
    table = []
    for n in range(steps + 1):
        low, high = 0.0, 1.0
        for _ in range(22):
            middle = (low + high) / 2
            low, high = (middle, high) if progress(middle) < n / steps else (low, middle)
        table.append(high)
    return tuple(table)


STEPS = 512
SHARE_OF_TIME = _inverse(STEPS)


CLEAR_MM = 60.0
"""Height of a chessman in the hand: no reed feels it there."""

RAISE_OFF_MS = 150.0
"""How long it takes to pick up what has been pushed off its square."""

SHORTEST_LEG_MS = 40.0
"""A hand does not start and stop faster than this, however short the way."""


def centre(square: int, square_mm: float) -> Point:
    """The centre of a square in mm."""
    return (square & 7) * square_mm, (square >> 3) * square_mm


def spot(where: Spot, square_mm: float) -> Point:
    """A square or point as a point in mm."""
    return centre(where, square_mm) if isinstance(where, int) else where


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One stretch of a way: to ``(x, y, z)`` mm within ``ms``, then ``rest_ms`` of standing still."""

    x: float
    y: float
    z: float
    ms: float
    rest_ms: float = 0.0


def legs_of(drag: Drag, square_mm: float) -> list[Leg]:
    """The legs of a drag, timed as if the chessman stood on its square's centre: times do not depend on where it is."""
    legs: list[Leg] = []
    at = centre(drag.square, square_mm)
    raise_ms = max(60.0, 6.0 * drag.height_mm)
    if drag.height_mm > 0:
        legs.append(Leg(x=at[0], y=at[1], z=drag.height_mm, ms=raise_ms))
    last = len(drag.path) - 1
    for n, where in enumerate(drag.path):
        to = spot(where, square_mm)
        if n == last:
            to = (to[0] + drag.offset_mm[0], to[1] + drag.offset_mm[1])
        length = ((to[0] - at[0]) ** 2 + (to[1] - at[1]) ** 2) ** 0.5
        ms = max(SHORTEST_LEG_MS, 1000 * length / drag.speed_mm_s)
        rest_ms = drag.pauses_ms[n] if n < last and n < len(drag.pauses_ms) else 0.0
        legs.append(Leg(x=to[0], y=to[1], z=drag.height_mm, ms=ms, rest_ms=rest_ms))
        at = to
    if drag.off:
        legs.append(Leg(x=at[0], y=at[1], z=CLEAR_MM, ms=RAISE_OFF_MS))
    elif drag.height_mm > 0:
        legs.append(Leg(x=at[0], y=at[1], z=0.0, ms=raise_ms))
    return legs


def end_ms(motion: Motion, square_mm: float = 50.0) -> float:
    """When a motion is over, in ms after the gesture began."""
    if isinstance(motion, PressLever | PressButton):
        return motion.at_ms
    if isinstance(motion, Drag):
        return motion.at_ms + sum(leg.ms + leg.rest_ms for leg in legs_of(motion, square_mm))
    return motion.at_ms + motion.ms
