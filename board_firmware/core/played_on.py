"""Play that goes on while it is asked what was played: noted, and read from the answer on as if it came only then.

Until the answer nobody knows the position, so that neither a press nor a move after it can be judged. In a tournament
the clock passes all the same: a press is a press (6.2.1). What was noted is read again change by change, each timer in
its place, and so needs no rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from board_firmware.core.events import Side, SquareChanged, other_side
from board_firmware.core.gesture import Trace
from board_firmware.core.standing import Press, Standing
from board_firmware.core.turn import Turn


def is_asked(s: Standing) -> bool:
    """Whether it is asked which move was made, or what a pawn became."""
    if s.made is not None:
        return s.made.move is None
    return s.question is not None and s.question.word in ("which_capture", "which_move")


def next_to_press(s: Standing) -> Side | None:
    """Whose press would be play that goes on; None: the move asked about has not been pressed upon itself."""
    if not is_asked(s):
        return None
    if s.noted:
        return other_side(s.noted[-1].side)
    mover = s.turn.mover
    stands = s.press is not None and s.press.side == mover and s.press.until_ns is None
    given = stands or (s.made is not None and s.made.pressed)
    return other_side(mover) if given or s.lever != mover else None


def note(s: Standing, side: Side, at_ns: int, *, passed: bool) -> None:
    """A press to be judged when the answer is there; ``passed``: the clock has passed already."""
    s.noted = (*s.noted, Press(side=side, at_ns=at_ns, until_ns=None, passed=passed))


def first_answer(s: Standing, later: list[SquareChanged]) -> list[SquareChanged]:
    """Of the changes since the question those that came before anybody pressed again."""
    return [change for change in later if change.at_ns <= s.noted[0].at_ns] if s.noted else later


def wind_back(s: Standing, turn: Turn, later: list[SquareChanged]) -> None:
    """Take changes out of the board's sight again, and give them to be read from here on, with the presses noted."""
    gone = set(later)
    kept = [one for one in turn.trace.changes if one not in gone]
    turn.trace = Trace(turn.footprints.before, kept)
    turn.forget({one.square for one in later if not one.occupied} - {one.square for one in kept if not one.occupied})
    for change in later:
        s.occupancy ^= 1 << change.square
    s.recent_lifts.clear()
    presses, s.noted = s.noted, ()
    s.unread = tuple(sorted((*later, *presses), key=lambda one: one.at_ns))


def let_go(s: Standing) -> None:
    """The question has gone without an answer, the wood has shown the move: the presses noted are judged now."""
    if s.noted and not is_asked(s):
        s.unread, s.noted = (*s.unread, *s.noted), ()


def asks_again(s: Standing, answered: Standing) -> bool:
    """Whether what was read on leads back to the question that has just been answered."""
    return is_asked(s) and s.turn.game.ply <= answered.moving.game.ply - 1


def leave_unread(s: Standing, answered: Standing, later: Iterable[SquareChanged | Press]) -> None:
    """The answer holds; what the squares did since is no play that could be read, and stays as it lies."""
    s.put_back(answered)
    for change in later:
        if isinstance(change, SquareChanged):
            for turn in (s.turn, s.reply):
                if turn is not None:
                    turn.trace.add(change)
