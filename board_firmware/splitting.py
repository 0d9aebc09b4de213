"""Two moves in one trace: finds the lift at which a turn ended without a press and without a pause.

The older move must read complete up to that lift and the younger one from it; only where no such lift exists may a silent
capture be inferred for the older, and only if a single one lets the younger read complete. Never at "an opponent's unit
was lifted" alone: in one position of twenty that unit could still be the mover's own victim.
"""

from __future__ import annotations

from board_firmware.events import SquareChanged
from board_firmware.gesture import Footprint, Trace, read
from board_firmware.making import fix, make
from board_firmware.standing import Question, Standing
from board_firmware.turn import Turn
from hal.squares import squares_of
from rules import Move


def split_at_stop(s: Standing) -> bool:
    """After a place: whether the trace splits at an earlier complete reading whose unit has just been captured."""
    turn = s.turn
    if not any(turn.is_enemy(square) for square in squares_of(turn.opened)):
        return False
    for index, one in reversed(turn.stops):
        if _suffix_reads(turn, one, turn.trace.changes[index:]):
            _split(s, one, index, inferred=False)
            return True
    return False


def split_inferred(s: Standing) -> bool:
    """When the board has come to rest: whether a reply was made after a capture whose victim's reed never opened."""
    turn = s.turn
    found: dict[tuple[Move, ...], tuple[Footprint, int]] = {}
    prefix = Trace(turn.footprints.before)
    for index, change in enumerate(turn.trace.changes):
        if index and not change.occupied and turn.is_enemy(change.square):
            for one in read(turn.footprints, prefix).fitting:
                if _suffix_reads(turn, one, turn.trace.changes[index:]):
                    found[one.moves] = (one, index)
        prefix.add(change)
    if not found:
        return False
    if len(found) > 1:
        candidates = tuple(sorted((one.move for one, _ in found.values()), key=Move.uci))
        s.ask(Question(word="which_capture", candidates=candidates, side=turn.mover))
        return True
    one, index = next(iter(found.values()))
    turn.report("silent_capture")
    _split(s, one, index, inferred=True)
    return True


def _suffix_reads(turn: Turn, one: Footprint, later: list[SquareChanged]) -> bool:
    suffix = Turn.fresh(turn.game.play(one.move), turn.masked)
    for change in later:
        suffix.trace.add(change)
    return read(suffix.footprints, suffix.trace).complete is not None


def _split(s: Standing, one: Footprint, index: int, *, inferred: bool) -> None:
    """Hand the changes from ``index`` on, and their touches, to the opponent's turn; both moves are made."""
    turn = s.turn
    later = turn.trace.changes[index:]
    turn.trace = Trace(turn.footprints.before, turn.trace.changes[:index])
    earlier = {change.square for change in turn.trace.changes if not change.occupied}
    lifted = [change for change in later if not change.occupied]
    turn.forget({change.square for change in lifted} - earlier - set(squares_of(one.origins)))
    turn.stops.clear()
    wood, s.occupancy = s.occupancy, one.after | (s.occupancy & s.masked)
    make(s, one, later[0].at_ns, inferred=inferred)
    s.occupancy = wood
    if s.made is None or s.reply is None or s.ended:
        return
    reply = s.reply
    for change in later:
        reply.trace.add(change)
    for change in lifted:
        if reply.position.piece_at(change.square) is not None:
            reply.touch(change.square, change.at_ns)
    s.touched_since = True
    answer = read(reply.footprints, reply.trace).complete
    if answer is not None and s.made.move is not None:
        fix(s)
        s.seen = answer
        s.say("move_seen", final=False, move=answer.move)
        s.settle_at_ns = s.last_change_ns + s.settings.settle_ns if not inferred else s.now_ns
