"""OK where nothing is asked: players say that what lies on the board is what they mean.

In a tournament only that men who are to be put back stand there. Friendly, first comes a reading that the wood allows if
one reed is wrong; what several reeds may have missed is asked about; and where no move could explain the wood, the reeds
that differ from the position are lost. And its counterpart: none of the moves asked about was made.
"""

from __future__ import annotations

from board_firmware.core import lost_sensors, offences
from board_firmware.core.after_release import made_otherwise, other_landings, reopen, revise
from board_firmware.core.broken_reeds import vanished
from board_firmware.core.gesture import Trace
from board_firmware.core.making import fix, refuse_illegal
from board_firmware.core.moving import answered_in_the_dark
from board_firmware.core.press import is_in_doubt
from board_firmware.core.standing import Question, Standing
from board_firmware.core.unseen import ask_which_move, landed_without_lift, stuck_behind, unseen


def insisted(s: Standing) -> bool:
    """Take them at their word; False if nothing could be meant."""
    reopen(s)
    if not s.started or s.ended:
        return False
    if not s.settings.refuses:
        return lost_sensors.vouched_to_stand(s)
    return answered_in_the_dark(s) or _asked(s) or lost_sensors.overruled(s)


def _asked(s: Standing) -> bool:
    if is_in_doubt(s):
        revise(s, None)
    doubted = made_otherwise(s)
    if doubted and s.reply is not None:
        since = len(s.turn.trace.changes) - len(s.reply.trace.changes)
        revise(s, None)
        ask_which_move(s, doubted, since)
        return True
    behind = stuck_behind(s) if s.made is None else ()
    if behind:
        s.trouble = None
        ask_which_move(s, behind)
        return True
    gone, lost = vanished(s.turn, rest_ns=0) if s.made is None else ((), 0)
    if gone and (s.trouble is None or s.trouble.kind == "refused"):
        s.trouble = None
        ask_which_move(s, gone, lost=lost)
        return True
    appeared = s.trouble is not None and s.trouble.kind == "appeared"
    if s.trouble is not None and not appeared:
        return False
    doubted = other_landings(s, s.moving)
    if doubted:
        revise(s, None)
    found = landed_without_lift(s.moving) if appeared else unseen(s.moving, lost_sensors.stuck_closed(s))
    candidates = doubted or found
    if candidates:
        s.trouble = None
        if s.made is not None:
            fix(s)
        ask_which_move(s, candidates)
    return bool(candidates)


def none_was_made(s: Standing, question: Question) -> None:
    """The answer to "which move?" is none: the reeds that differ are wrong, or a hand has done what the board saw.

    In a tournament the press is judged now for what it had found, with the clock as it stood then.
    """
    s.turn.landed = 0
    if question.unjudged is not None:
        before, at_ns = question.unjudged
        s.put_back(before)
        s.question, s.turn.landed = None, 0
        if s.turn.masked != s.masked:
            s.turn.remask(s.masked)
        if s.turn.opened or s.turn.filled:
            offences.illegal_move(s, at_ns)
        else:
            offences.press_without_move(s, at_ns)
    elif question.lost:
        refuse_illegal(s)
    else:
        if not s.turn.opened and not s.turn.filled:
            # what was put back was touched, and is not asked about again
            s.turn.trace = Trace(s.turn.footprints.before)
        lost_sensors.overruled(s)
