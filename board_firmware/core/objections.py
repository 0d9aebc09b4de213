"""Complaints and evidence: a player stops the clock over a breach, a person says what no reed can see.

An admissible objection is upheld provisionally, until the arbiter rules; an inadmissible one changes nothing.

Source: FIDE Laws of Chess 2023, 4.1, 4.7.1, 4.8, 7.5; A.5.2.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core import offences
from board_firmware.core.events import Noted, Objected, Side, other_side
from board_firmware.core.standing import Standing, Trouble
from board_firmware.core.touch import exact
from hal.squares import parse_square
from rules import Move


def objected(s: Standing, event: Objected) -> None:
    """A player stops the clock and complains; upheld provisionally where it is admissible."""
    if s.ended:
        s.last_words.append("too_late")
        return
    if event.about == "illegal":
        _object_to_illegal(s, event.side)
    else:
        _object_to_touch(s, event.side)


def _object_to_illegal(s: Standing, side: Side) -> None:
    trouble = s.trouble
    if trouble is None or trouble.side == side or trouble.kind != "illegal" or not s.claim_open:
        attempt_lies = s.made is None and s.turn.mover != side and s.turn.filled and s.seen is None
        if trouble is None and attempt_lies and not s.settings.refuses:
            offences.illegal_objection(s)
        return
    s.trouble = replace(trouble, needs_resume=s.has_clock, turn=trouble.side)
    s.claim_open = None
    s.lever = trouble.side
    s.alternative = s.alternative_seen = None
    s.legal = False
    if offences.count(s, trouble.side):
        s.pause(s.now_ns)


def _object_to_touch(s: Standing, side: Side) -> None:
    offender = other_side(side)
    made, last = s.made, s.last_ply()
    if made is not None and s.turn.mover == offender and made.breach:
        touched = [(at_ns, tuple(group)) for at_ns, group in s.turn.touched]
        before, words, breach = s.at_turn_start(), list(s.turn.words), made.breach
    elif made is None and last is not None and last.side == offender and last.breach and s.turn.mover == side:
        touched, before, words, breach = list(last.touched), last.before, list(last.words), last.breach
    else:
        return
    if s.claim_open is False or s.moving.touched:
        s.claim_open = False
        s.moving.report("claim_lapsed")
        s.say("claim_judged", article="4.8", side=side, claim="touch-move", correct=False)
        return
    now = s.copy()
    clock, violations = s.clock.pause(s.now_ns), list(s.violations)
    illegal, penalties, completed = dict(s.illegal), list(s.penalties), s.completed
    if made is None:
        completed = {**s.completed, offender: max(0, s.completed[offender] - 1)}
    last_words = list(s.last_words) if made is not None else []
    s.put_back(before)
    s.clock, s.violations, s.illegal, s.penalties = clock, violations, illegal, penalties
    s.completed, s.last_words = completed, last_words if made is not None else before.last_words
    s.turn.touched = [(at_ns, list(group)) for at_ns, group in touched]
    s.turn.words = [*words, "claim_in_time"]
    if "castling_rook_first" in breach:
        s.turn.may_release = False
    s.touched_since = True
    s.paused = "trouble"
    s.legal = True
    s.claim_open = None
    s.lever = offender
    s.trouble = Trouble(
        kind="objection", side=offender, expected=s.turn.footprints.before, needs_resume=s.has_clock, turn=offender,
        words=("touch_move_violation", "castling_rook_first", "claim_in_time"),
    )  # fmt: skip
    s.rejected = now
    s.say("claim_judged", article="4.8", side=side, claim="touch-move", correct=True)


def noted(s: Standing, event: Noted) -> None:
    """Evidence that no reed can give."""
    s.external = True
    s.say("noted", what=event.what, subject=event.subject)
    if event.what == "two-hands" and event.subject in ("white", "black"):
        side: Side = "white" if event.subject == "white" else "black"
        last = s.last_ply()
        if s.made is not None and s.turn.mover == side:
            s.turn.report("two_hands")
            s.two_hands = side
        elif last is not None and last.side == side:
            s.last_words.append("two_hands")
            if last.pressed and not s.ended:
                offences.two_hands(s, side)
        else:
            s.moving.report("two_hands")
            s.two_hands = side
    elif event.what == "other-hand":
        s.moving.report("clock_hand")
    elif event.what == "unpromoted":
        _unpromoted(s, event.subject, event.at_ns)
    elif event.what == "victim-not-removed":
        _victim_stands(s, event.subject)


def _unpromoted(s: Standing, subject: str, at_ns: int) -> None:
    made = s.made
    if made is None or s.turn.mover != subject:
        return
    side: Side = "white" if subject == "white" else "black"
    if made.move is not None and made.move.promotion is None:
        return
    if made.pressed or s.lever != side:
        offences.promotion_missing(s, side, at_ns)
        return
    if made.move is None:
        s.question = None
        s.turn.bound = exact(made.footprint.moves, "4.7.3", own=made.footprint.legs[0][0])
        s.made = s.reply = None
        s.unpromoted = True


def _victim_stands(s: Standing, subject: str) -> None:
    """The captor stands beside its victim (4.7.1): not made, but no other square is open to it."""
    try:
        square = parse_square(subject)
    except ValueError:
        return
    turn = s.turn
    air = turn.own_in_air()
    moves = [
        move
        for one in turn.footprints.all
        for move in one.moves
        if move.from_square in air and turn.position.captured_square(move) == square
    ]
    if moves:
        turn.bound = exact(sorted(moves, key=Move.uci), "4.7.1", own=moves[0].from_square)
        turn.report("silent_capture")
