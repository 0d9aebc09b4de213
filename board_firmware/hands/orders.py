"""How a hand plays a move: the lifts and places that a legal move is made of, and every order the Laws allow for them.

The inverse of `gesture`: there a trace is read as a move, here a move is taken apart into steps, and
``read(hands(move)) == {move}`` holds for every order given here. Nothing here has times or chance; `hand_styles` gives
these steps to tidy, human, rough and hurried hands.

Source: FIDE Laws of Chess 2023, 3.7, 3.8, 4.4, 4.6; Guidelines II (Chess960 castling).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from board_firmware.core.events import SquareChanged
from rules import Move, Position

Kind = Literal["plain", "capture", "en_passant", "castling", "promotion", "promotion_capture"]


@dataclass(frozen=True, slots=True)
class Step:
    """A hand raises the unit on ``square``, or sets down there the unit lifted from ``of`` (None: from beside)."""

    lifts: bool
    square: int
    of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """A move taken apart: what goes where, by square; ``rook_*`` in castling, ``victim`` in captures."""

    kind: Kind
    origin: int
    landing: int
    victim: int | None = None
    rook_from: int | None = None
    rook_to: int | None = None


def legs(position: Position, move: Move) -> Legs:
    """Take a legal move apart."""
    if position.is_castling(move):
        king_from, king_to, rook_from, rook_to = position.castling_squares(move)
        return Legs(kind="castling", origin=king_from, landing=king_to, rook_from=rook_from, rook_to=rook_to)
    victim = position.captured_square(move)
    kind: Kind = "plain"
    if move.promotion is not None:
        kind = "promotion" if victim is None else "promotion_capture"
    elif victim is not None:
        kind = "capture" if victim == move.to_square else "en_passant"
    return Legs(kind=kind, origin=move.from_square, landing=move.to_square, victim=victim)


def lift(square: int) -> Step:
    """A unit leaves its square."""
    return Step(True, square)


def place(square: int, of: int | None) -> Step:
    """The unit lifted from ``of`` comes down on a square; None: a new one from beside the board."""
    return Step(False, square, of)


def orders(position: Position, move: Move) -> tuple[tuple[Step, ...], ...]:
    """Every order of lifts and places by which the Laws let a legal move be made, the usual one first.

    Castling touches the king first (4.4.2). A promoted pawn may be set on the last rank and changed there, or be taken
    off before or after the new piece comes down (4.6.2).
    """
    one = legs(position, move)
    match one.kind:
        case "plain":
            return ((lift(one.origin), place(one.landing, one.origin)),)
        case "castling":
            return tuple(_castling(one))
        case "promotion":
            return tuple(_promotion(one))
        case "promotion_capture":
            return tuple(_promotion_capture(one))
        case _:
            return tuple(_capture(one))


def _capture(one: Legs) -> Iterator[tuple[Step, ...]]:
    assert one.victim is not None
    victim, unit, down = lift(one.victim), lift(one.origin), place(one.landing, one.origin)
    yield victim, unit, down
    yield unit, victim, down
    if one.victim != one.landing:
        yield unit, down, victim


def _promotion(one: Legs) -> Iterator[tuple[Step, ...]]:
    pawn, new = lift(one.origin), place(one.landing, None)
    yield pawn, new
    yield new, pawn
    yield pawn, place(one.landing, one.origin), lift(one.landing), new


def _promotion_capture(one: Legs) -> Iterator[tuple[Step, ...]]:
    pawn, victim, new = lift(one.origin), lift(one.landing), place(one.landing, None)
    yield victim, pawn, new
    yield pawn, victim, new
    yield victim, new, pawn
    yield pawn, victim, place(one.landing, one.origin), lift(one.landing), new
    yield victim, pawn, place(one.landing, one.origin), lift(one.landing), new


def _castling(one: Legs) -> Iterator[tuple[Step, ...]]:
    assert one.rook_from is not None
    assert one.rook_to is not None
    king_up, king_down = lift(one.origin), place(one.landing, one.origin)
    rook_up, rook_down = lift(one.rook_from), place(one.rook_to, one.rook_from)
    if one.origin == one.landing:
        yield rook_up, rook_down
    elif one.rook_from == one.rook_to:
        yield king_up, king_down
    else:
        for rest in permutations((king_down, rook_up, rook_down)):
            if _is_possible(one, rest):
                yield king_up, *rest


def _is_possible(one: Legs, steps: Sequence[Step]) -> bool:
    """Whether no unit comes down where the rook still stands, and none before it is lifted; the king is up already."""
    rook_stands = True
    for step in steps:
        if step.lifts:
            rook_stands = False
        elif rook_stands and (step.square == one.rook_from or step.of == one.rook_from):
            return False
    return True


def changes(steps: Sequence[Step], at_ns: int = 0, step_ns: int = 300_000_000) -> Iterator[SquareChanged]:
    """What flawless reeds say of these steps, one every ``step_ns``."""
    for number, step in enumerate(steps):
        yield SquareChanged(square=step.square, occupied=not step.lifts, at_ns=at_ns + number * step_ns)


def path(origin: int, landing: int) -> tuple[int, ...]:
    """The squares strictly between two squares on a line; for a knight's move the two of the corner it turns at.

    Other pairs, such as a new piece's way from beside the board, have none.
    """
    files, ranks = (landing & 7) - (origin & 7), (landing >> 3) - (origin >> 3)
    longer = max(abs(files), abs(ranks))
    if sorted((abs(files), abs(ranks))) == [1, 2]:
        step = (8 if ranks > 0 else -8) if abs(ranks) == 2 else (1 if files > 0 else -1)
        return origin + step, origin + 2 * step
    if longer < 2 or (files and ranks and abs(files) != abs(ranks)):
        return ()
    step = files // longer + ranks // longer * 8
    return tuple(origin + number * step for number in range(1, longer))
