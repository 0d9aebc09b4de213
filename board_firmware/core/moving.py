"""From a reed's change to a reading: feeds the turns, reads them anew after each change, seals what stillness seals.

Two rules. A reading is looked at as a whole every time: the older turn first, then, if its move is made, the younger
one; whichever reads complete wins, so a slide is revised and two quick moves split at the lift between them. And nothing
here is final: only a press or a complete reply makes it so.
"""

from __future__ import annotations

from board_firmware.core import draws, ends, lost_sensors, offences, played_on
from board_firmware.core.after_release import filled_first, lost_landing, note_moved_after_release, revise
from board_firmware.core.broken_reeds import is_put_back, vanished
from board_firmware.core.disorder import close_trouble, diverted, is_knock, knock, knocked_on, restore
from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import read
from board_firmware.core.making import fix, fix_answered, is_choice_square, make, refuse_illegal
from board_firmware.core.splitting import (
    answer_under_way,
    note_early,
    over_early_answer,
    over_early_lifts,
    split_at_stop,
    split_early,
    split_inferred,
)
from board_firmware.core.standing import Standing, name_of
from board_firmware.core.turn import Turn, on_the_way
from board_firmware.core.unseen import ask_which_move, unseen
from rules import PieceType


def square_changed(s: Standing, change: SquareChanged) -> None:
    """A debounced change of one square, in order of time."""
    bit = 1 << change.square
    if bool(s.occupancy & bit) == change.occupied:
        return
    s.occupancy ^= bit
    s.last_change_ns = change.at_ns
    s.sign_since_ns = None
    if s.masked & bit:
        lost_sensors.seen_alive(s, change.square)
        return
    if not s.started or (s.ended and not ends.may_reopen(s)):
        return
    if is_choice_square(s, change):
        return
    if s.knock is not None:
        knocked_on(s, change)
        return
    if not change.occupied and s.made is None and lost_sensors.was_left_before(s, change.square, change.at_ns):
        s.settle_at_ns = change.at_ns + s.settings.settle_ns
        look(s, change)
        return
    if lost_sensors.is_catching_up(s, change.square, change.occupied):
        return
    if not change.occupied and is_knock(s, change):
        knock(s, change)
        return
    if diverted(s):
        restore(s, change)
        return
    if change.occupied:
        _placed(s, change)
    else:
        _lifted(s, change)
    s.settle_at_ns = change.at_ns + s.settings.settle_ns
    look(s, change)


def _lifted(s: Standing, change: SquareChanged) -> None:
    square, at_ns = change.square, change.at_ns
    if s.made is None and s.seen is None and s.turn.stops and not s.turn.filled >> square & 1:
        split_at_stop(s, sure=True)
    if s.made is None and s.seen is not None and _another_unit(s, s.seen, square):
        make(s, s.seen, at_ns)
        if s.ended:
            return
    s.turn.trace.add(change)
    if s.made is not None and s.reply is not None:
        s.reply.trace.add(change)
    if s.adjusting is not None:
        s.adjusting.in_air[square] = at_ns
        return
    turn = s.moving
    if turn.position.piece_at(square) is None or lost_sensors.is_restless(s, square):
        return
    if s.made is not None and s.made.footprint.landings >> square & 1:
        turn.touch(square, at_ns)
        s.turn.report(f"possible_release_change:{name_of(square)}")
        turn.report(f"toucher_unverified:{name_of(square)}")
        return
    touch(s, turn, square, at_ns)


def touch(s: Standing, turn: Turn, square: int, at_ns: int) -> None:
    """A touch by the player who has the move: his duty may change, an offer made to him is refused."""
    turn.touch(square, at_ns)
    s.touched_since = True
    s.answered_press = None
    group = next((group for stamp, group in turn.touched if stamp == at_ns and square in group), None)
    if group is not None and len(group) > 1:
        turn.unreport("simultaneous_lifts")
        turn.report("simultaneous_lifts:" + ",".join(name_of(one) for one in sorted(group)))
    duty = turn.obligation()
    s.say("touched", final=False, article=duty.article, square=name_of(square), side=turn.mover, obligation=duty.word)
    draws.refuse_by_touch(s)
    if s.claim_open:
        s.claim_open = False


def _placed(s: Standing, change: SquareChanged) -> None:
    square = change.square
    s.turn.trace.add(change)
    if s.made is not None and s.reply is not None:
        s.reply.trace.add(change)
    if s.adjusting is not None:
        if (lifted_ns := s.adjusting.in_air.pop(square, None)) is not None:
            s.adjusting.since_ns = change.at_ns
            for turn in (s.turn, s.reply):
                if turn is not None:
                    turn.adjusted(square, lifted_ns)
            return
        if s.adjusting.in_air and not lost_sensors.is_restless(s, square):
            _adjusted_away(s)
    turn = s.moving
    if not turn.is_enemy(square) or square not in turn.touched_squares():
        if turn.is_own(square):
            _returned(turn, square)
        return
    if s.made is not None and s.made.footprint.landings >> square & 1:
        turn.forget([square])
        turn.unreport(f"toucher_unverified:{name_of(square)}")
        s.turn.unreport("possible_release_change")
        s.turn.words += [word for word in s.turn.release_words(*s.made.footprint.legs[0]) if word not in s.turn.words]
        return
    if not turn.own_in_air():
        turn.report(f"toucher_unverified:{name_of(square)}")


def _adjusted_away(s: Standing) -> None:
    """An announced unit is set down elsewhere: by the player with the move it is a touch and a move (4.2.1, rule 21)."""
    adjusting = s.adjusting
    assert adjusting is not None
    if not adjusting.entitled:
        return
    for lifted, at_ns in adjusting.in_air.items():
        touch(s, s.moving, lifted, at_ns)
    s.moving.report("adjust_then_move")
    s.adjusting = None


def _returned(turn: Turn, square: int) -> None:
    """An own unit is back on its square; if it was in the air together with another, nobody can vouch for which is which."""
    position = turn.position
    together = {square}
    air: set[int] = set()
    for change in turn.trace.changes:
        if change.occupied:
            air.discard(change.square)
        elif turn.is_own(change.square):
            air.add(change.square)
            if square in air:
                together |= air
    kings = {one for one in together if position.kind_at(one) is PieceType.KING}
    swapped = sorted(together - kings)
    if len(swapped) > 1 and not turn.opened and not turn.filled:
        turn.report("identity_unverified:" + ",".join(map(name_of, swapped)))


def look(s: Standing, change: SquareChanged) -> None:
    """Read the board anew after a change."""
    if s.made is None:
        _look_at_turn(s, change)
    else:
        _look_at_reply(s, change)


def reread(s: Standing) -> None:
    """Read the board anew after an answer, as if its last change had come only now."""
    turn = s.moving
    if not s.ended and s.knock is None and s.trouble is None and turn.trace.changes:
        look(s, turn.trace.changes[-1])
        s.settle_at_ns = max(s.now_ns, s.last_change_ns + s.settings.settle_ns)


def answered_in_the_dark(s: Standing) -> bool:
    """Whether the opponent has answered a unit whose own reed failed under it: the players say that none is in the air."""
    lost = lost_landing(s)
    if lost:
        s.trouble = s.press = None
        lost_sensors.lose(s, lost)
        reread(s)
    return bool(lost)


def _look_at_turn(s: Standing, change: SquareChanged) -> None:
    if played_on.is_asked(s) and not s.settings.refuses:
        return  # the press has been given: what moves now is the opponent's, until he or the arbiter says otherwise
    if s.question is not None and is_put_back(s, s.question):
        s.question = s.press = None
    reading = read(s.turn.footprints, s.turn.trace)
    was, s.seen = s.seen, reading.complete
    if s.seen is not None and s.seen is not was:
        s.say("move_seen", final=False, move=s.seen.move)
    refused = s.trouble is not None and s.trouble.kind in ("refused", "appeared")
    if refused and s.occupancy & ~s.masked == s.turn.footprints.before:
        s.say("board_restored")
        close_trouble(s)
    if was is not None and s.seen is None:
        s.turn.stops.append((len(s.turn.trace.changes) - 1, was))
    if s.seen is None and not refused:
        if split_at_stop(s):
            return
        note_early(s.turn)
    if s.seen is not None and s.adjusting is not None and s.adjusting.entitled and s.adjusting.in_air:
        _adjusted_away(s)


def _look_at_reply(s: Standing, change: SquareChanged) -> None:
    made, reply = s.made, s.reply
    assert made is not None
    assert reply is not None
    reading = read(s.turn.footprints, s.turn.trace).complete
    other = reading is not None and reading.moves != made.footprint.moves
    if other and not (s.masked and _may_be_answered(reply)):
        revise(s, reading)
        return
    if reading is not None and not other:
        if made.move is not None and (answer := read(reply.footprints, reply.trace).complete) is not None:
            fix_answered(s, answer)  # king and rook have changed places: the squares show what they showed before
            return
        if s.trouble is not None and s.trouble.kind in ("moved_after_release", "appeared"):
            s.say("board_restored")
            s.trouble = None
        return
    if reading is None and (gone_on := _gone_on(s)) is not None:
        revise(s, None)
        split_early(s, gone_on)
        return
    before = s.turn.footprints.before
    if s.turn.trace.occupancy & ~s.masked == before != made.footprint.after and not filled_first(s.turn, made.footprint):
        revise(s, None)
        return
    refused = s.trouble is not None and s.trouble.kind in ("refused", "appeared")
    if refused and s.occupancy & ~s.masked == reply.footprints.before:
        s.say("board_restored")
        close_trouble(s)
        return
    if made.move is None:
        return
    answer = read(reply.footprints, reply.trace).complete
    if answer is not None:
        fix_answered(s, answer)
    elif not refused and not _is_being_captured(made.footprint, reply) and over_early_answer(reply) is not None:
        fix(s)  # the next answer has begun already
        note_early(reply)


def _gone_on(s: Standing) -> Footprint | None:
    """The move as it reads after the unit has gone on from where the opponent's early lift had found it.

    Not where what he has lifted may be capturing that unit, or where he himself may have set down what filled the square;
    a unit dragged straight on is the likelier then.
    """
    made, reply = s.made, s.reply
    if made is None or made.move is None or reply is None:
        return None
    if not made.footprint.landings & reply.opened or _is_being_captured(made.footprint, reply):
        return None
    one = over_early_answer(s.turn)
    if one is None or one.own_origin != made.footprint.own_origin:
        return None
    _, rested = made.footprint.legs[0]
    straight_on = on_the_way(one.own_origin, rested, one.legs[0][1])
    return one if straight_on or over_early_lifts(reply) is None else None


def _is_being_captured(one: Footprint, reply: Turn) -> bool:
    """Whether the unit just moved is off its square and a unit that may capture it there is in the air."""
    left, air = one.landings & reply.opened, reply.own_in_air()
    return left != 0 and any(
        left >> victim & 1
        for move in reply.position.legal_moves()
        if move.from_square in air and (victim := reply.position.captured_square(move)) is not None
    )


def _may_be_answered(reply: Turn) -> bool:
    """Whether an answer, from a square whose reed is lost, leaves this wood: a move that was released stays."""
    reading = read(reply.footprints, reply.trace)
    return bool(reading.complete or reading.unclear or reading.fitting)


def settled(s: Standing) -> None:
    """No reed has changed for the settle time: what reads complete is made, what cannot be a move is refused or noted."""
    s.settle_at_ns = None
    if s.alternative_seen is not None:
        offences.answer_to_illegal(s)
        return
    if s.knock is not None or not s.started or s.ended:
        return
    if diverted(s) or _asked_over_capture(s):
        return
    if s.made is None:
        if s.seen is not None and not _half_castling(s, s.seen):
            make(s, s.seen, s.now_ns)
            return
        _note_stop(s)
        if split_inferred(s):
            return
        if not s.settings.refuses and offences.answered_illegal(s):
            return
        open_slide = bool(s.turn.stops) and s.turn.captures_under_way()
        if s.settings.refuses and s.seen is None and s.question is None and not open_slide:
            _refuse_wrong_wood(s)
    elif s.made.move is not None:  # else what was played is still asked
        note_moved_after_release(s)


def _asked_over_capture(s: Standing) -> bool:
    """Whether a man may have been taken by one whose own reed is lost, or only touched, and no press will come to ask."""
    turn = s.moving
    if s.has_clock or not s.settings.refuses or not turn.masked or s.seen is not None or s.question or s.trouble:
        return False
    fitting = read(turn.footprints, turn.trace).fitting
    if not any(turn.masked >> one.own_origin & 1 for one in fitting):
        return False
    if s.made is not None:
        fix(s)
    ask_which_move(s, unseen(turn))
    return True


def _half_castling(s: Standing, seen: Footprint) -> bool:
    """A Chess960 king step that is also half a castling waits for the press or the rook (rule 9)."""
    if seen.castling or s.turn.footprints.half_castling(seen.move) is None:
        return False
    s.turn.report("castling_or_king_move")
    return True


def _another_unit(s: Standing, seen: Footprint, square: int) -> bool:
    if seen.landings >> square & 1:
        return False
    half = None if seen.castling else s.turn.footprints.half_castling(seen.move)
    return half is None or square != half.legs[1][0]


def _note_stop(s: Standing) -> None:
    """A unit rests where no legal move puts it: reported in the tournament profile, with nothing said to the players."""
    turn = s.turn
    if s.settings.refuses or s.seen is not None or s.question is not None or not turn.trace.changes:
        return
    last = turn.trace.changes[-1]
    air = turn.own_in_air()
    if not last.occupied:
        return
    square = last.square
    if not air:
        if turn.filled >> square & 1 and not turn.footprints.under_way(turn.trace.occupancy):
            s.say("board_disarranged", squares=[name_of(square)], reason="appeared")
        return
    if turn.filled >> square & 1:
        if not any(turn.can_stand(origin, square) for origin in air):
            turn.report(f"illegal_not_completed:{name_of(square)}")
    elif turn.is_enemy(square) and not _captures(turn, air, square):
        turn.report(f"illegal_not_completed:{name_of(square)}")


def _captures(turn: Turn, origins: list[int], square: int) -> bool:
    return any(
        move.from_square in origins and turn.position.captured_square(move) == square
        for one in turn.footprints.all
        for move in one.moves
    )


def _refuse_wrong_wood(s: Standing) -> None:
    """The wood shows what no legal move can lead to: refused as soon as it rests there (rule 15)."""
    turn = s.turn
    filled = turn.filled
    if not filled or turn.footprints.under_way(turn.trace.occupancy) or answer_under_way(turn):
        return
    candidates, lost = ((), 0) if turn.captures_under_way() else vanished(turn)
    if candidates:
        s.trouble = None
        ask_which_move(s, candidates, lost=lost)
        return
    if s.trouble is not None and s.trouble.kind == "refused":
        return
    if ends.may_be_result_sign(s):
        s.settle_at_ns = None
        return
    refuse_illegal(s)


def refuse_after_sign(s: Standing) -> None:
    """A king rested on a centre square and it was no sign after all: what cannot be a move is refused now."""
    if not s.settings.refuses or s.ended or s.trouble is not None:
        return
    turn = s.moving
    if turn.filled and not turn.footprints.under_way(turn.trace.occupancy):
        refuse_illegal(s)
