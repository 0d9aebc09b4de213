"""Two moves in one trace: finds the lift at which a turn ended without a press and without a pause.

The older move must read complete up to that lift and the younger one from it; only where no such lift exists may a silent
capture be inferred for the older, and only if a single one lets the younger read complete. Never at "an opponent's unit
was lifted" alone: in one position of twenty that unit could still be the mover's own victim.
"""

from __future__ import annotations

from itertools import pairwise

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import Trace, read
from board_firmware.core.lost_sensors import is_restless
from board_firmware.core.making import fix_answered, make
from board_firmware.core.standing import Question, Standing
from board_firmware.core.turn import Turn
from hal.squares import squares_of
from rules import Move

EXCHANGE_NS = 100_000_000
"""Hands take longer to put one unit in the place of another, ns."""


def over_early_lifts(turn: Turn, victim: int = 0) -> Footprint | None:
    """The move that reads complete if the opponent's units that are in the air were lifted by him, too early.

    In a time scramble the answer begins before the move is released. Units that the move itself captures do not count.
    ``victim`` is a square of the mover's own that the opponent may have opened as well.
    """
    early = victim | sum(1 << square for square in squares_of(turn.opened) if turn.is_enemy(square))
    if not early:
        return None
    one = read(turn.footprints, turn.trace_without(early)).complete
    if one is None or one.origins & early:
        return None
    begun_ns = turn.trace.first_lift.get(one.own_origin, 0)
    if any(turn.trace.last_lift.get(square, begun_ns) < begun_ns for square in squares_of(early)):
        return None  # nobody answers a move that has not begun: the mover holds this unit
    return one


def over_early_answer(turn: Turn) -> Footprint | None:
    """The same where the opponent may also have lifted first what he is about to capture; None: no move, or several."""
    one = over_early_lifts(turn)
    if one is not None:
        return one
    found = [each for square in turn.own_in_air() if (each := over_early_lifts(turn, 1 << square)) is not None]
    return found[0] if len(found) == 1 else None


def note_early(turn: Turn) -> None:
    """Keep a move that reads complete over the opponent's early lifts, until his answer shows that they were his."""
    one = over_early_answer(turn)
    if one is not None and (not turn.stops or turn.stops[-1][1] is not one):
        turn.stops.append((len(turn.trace.changes), one))


def split_early(s: Standing, one: Footprint) -> None:
    """The move is sealed by a press or by stillness while the opponent's hand is already at work."""
    _split(s, one, len(s.turn.trace.changes), inferred=False)


def split_for_answer(s: Standing, one: Footprint, index: int) -> None:
    """The move that was asked about is named; what came after the question is the opponent's."""
    _split(s, one, index, inferred=True)


def split_at_stop(s: Standing, *, sure: bool = False) -> bool:
    """Whether the trace splits at an earlier complete reading that has been answered since.

    While the open squares are those of one of the mover's own captures, his unit may be resting on its way with the
    victim in his hand: then only a press or the next unit's lift (``sure``) tells.
    """
    turn = s.turn
    if not any(turn.is_enemy(square) for square in squares_of(turn.opened)):
        return False
    if not sure and turn.filled and turn.captures_under_way():
        return False
    for index, one in reversed(turn.stops):
        later = _shares(turn, one, index)[1]
        if turn.masked >> one.own_origin & 1 and _bounced(one.landings, later):
            continue  # seen nowhere else, the unit may only be passing there
        if reads_after(turn, one, later):
            _split(s, one, index, inferred=False)
            return True
    return False


def _shares(turn: Turn, one: Footprint, index: int) -> tuple[list[SquareChanged], list[SquareChanged]]:
    """The changes of the older move and those of the answer: all from ``index`` on, and its early lifts before."""
    before, later = turn.trace.changes[:index], turn.trace.changes[index:]
    occupancy = Trace(turn.footprints.before, before).occupancy
    begun_ns = turn.trace.first_lift.get(one.own_origin, 0)
    early = {
        change.square
        for change in before
        if not (occupancy | one.origins) >> change.square & 1 and change.at_ns >= begun_ns
    }
    own = [change for change in before if change.square not in early]
    return own, [*(change for change in before if change.square in early), *later]


def split_inferred(s: Standing) -> bool:
    """When the board has come to rest: whether a reply was made after a capture whose victim's reed never opened."""
    turn = s.turn
    if s.has_clock or turn.trace.occupancy == turn.footprints.before:
        return False  # with a clock the press asks; and what is all put back was no move
    answered = any(turn.is_enemy(square) for square in turn.trace.last_lift)
    if not answered or turn.captures_in_hand():
        return False  # what else was filled may be a reed that sticks
    found: dict[tuple[Move, ...], tuple[Footprint, int]] = {}
    prefix = Trace(turn.footprints.before)
    for index, change in enumerate(turn.trace.changes):
        if index and not change.occupied and turn.is_enemy(change.square):
            for one in read(turn.footprints, prefix).fitting:
                if reads_after(turn, one, turn.trace.changes[index:]):
                    found[one.moves] = (one, index)
        prefix.add(change)
    if not found:
        return False
    if len(found) > 1 or any(turn.masked >> one.own_origin & 1 for one, _ in found.values()):
        candidates = tuple(sorted((one.move for one, _ in found.values()), key=Move.uci))
        s.ask(Question(word="which_capture", candidates=candidates, side=turn.mover))
        return True
    one, index = next(iter(found.values()))
    turn.report("silent_capture")
    _split(s, one, index, inferred=True)
    return True


def may_be_answer(turn: Turn, one: Footprint, later: list[SquareChanged]) -> bool:
    """Whether changes may be one answer to a move of the turn, or the beginning of one."""
    suffix = _answer_to(turn, one, later)
    return bool(suffix.footprints.under_way(suffix.trace.occupancy)) or _is_answer(suffix)


def reads_after(turn: Turn, one: Footprint, later: list[SquareChanged]) -> bool:
    """Whether changes read as a complete answer to a move of the turn."""
    return _is_answer(_answer_to(turn, one, later))


def _answer_to(turn: Turn, one: Footprint, later: list[SquareChanged]) -> Turn:
    suffix = Turn.fresh(turn.game.play(one.move), turn.masked)
    for change in later:
        suffix.trace.add(change)
    return suffix


def _is_answer(turn: Turn) -> bool:
    return read(turn.footprints, turn.trace).complete is not None


def _bounced(squares: int, changes: list[SquareChanged]) -> bool:
    """Whether one of the squares opened and closed again faster than hands can exchange two units on it."""
    return any(
        squares >> opened.square & 1 and closed.square == opened.square and closed.at_ns - opened.at_ns < EXCHANGE_NS
        for opened, closed in pairwise(changes)
        if not opened.occupied
    )


def answer_under_way(turn: Turn) -> bool:
    """Whether the wood may be part of an answer to a move that read complete before: no hand has done anything wrong."""
    return any(
        Turn.fresh(turn.game.play(one.move), turn.masked).footprints.under_way(turn.trace.occupancy)
        for _, one in turn.stops
    )


def _split(s: Standing, one: Footprint, index: int, *, inferred: bool) -> None:
    """Hand the changes from ``index`` on, and their touches, to the opponent's turn; both moves are made."""
    turn = s.turn
    own, later = _shares(turn, one, index)
    sealed_ns = later[0].at_ns if later else s.now_ns
    if own and sealed_ns < own[-1].at_ns:
        sealed_ns = own[-1].at_ns
    whole, turn.trace = turn.trace, Trace(turn.footprints.before, own)
    earlier = {change.square for change in turn.trace.changes if not change.occupied}
    lifted = [change for change in later if not change.occupied]
    turn.forget({change.square for change in lifted} - earlier - set(squares_of(one.origins)))
    turn.stops.clear()
    wood, s.occupancy = s.occupancy, one.after | (s.occupancy & s.masked)
    make(s, one, sealed_ns, inferred=inferred)
    s.occupancy = wood
    turn.trace = whole  # all of it may still turn out to be one move
    if s.made is None or s.reply is None or s.ended:
        return
    reply = s.reply
    for change in later:
        reply.trace.add(change)
    answer = read(reply.footprints, reply.trace).complete
    # The unit just moved may only have rocked: while it, or its captor, stands there nobody is held to a touch of it.
    rocked = one.landings & s.occupancy
    for change in lifted:
        is_unit = reply.position.piece_at(change.square) is not None and not is_restless(s, change.square)
        if is_unit and not rocked >> change.square & 1:
            reply.touch(change.square, change.at_ns)
    s.touched_since = True
    if answer is not None and s.made.move is not None:
        fix_answered(s, answer)
        s.settle_at_ns = s.last_change_ns + s.settings.settle_ns if not inferred else s.now_ns
