"""What players say without touching a unit: adjust, offers, claims, resignation, answers, objections, takebacks.

Each function takes the standing and one event. What the Laws do not admit changes nothing but the report.

Source: FIDE Laws of Chess 2023, 4.2, 4.8, 5.1.2, 5.2.3, 6.11, 9.1-9.5; takebacks are no Law but the players' own.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware import ends, offences
from board_firmware.events import (
    AdjustPressed,
    Answered,
    Chosen,
    Claimed,
    Noted,
    Objected,
    Side,
    other_side,
)
from board_firmware.making import choose_promotion
from board_firmware.press import choose_move
from board_firmware.standing import Adjusting, Question, Standing, Trouble, name_of
from board_firmware.touch import exact, owed
from board_firmware.turn import Turn
from hal.squares import parse_square
from rules import Move, PieceType, Termination

# ---- adjusting (4.2)

ADJUSTING_NS = 10_000_000_000
"""An announcement lapses this long after the last unit was put back."""


def adjust(s: Standing, event: AdjustPressed) -> None:
    """The "I adjust" button: opens an announcement, or closes the one that is open."""
    if not s.started or s.ended:
        return
    if s.adjusting is not None and s.adjusting.side == event.side:
        s.adjusting = None
        s.say("adjusting_ended", side=event.side)
        return
    turn = s.moving
    between = s.made is not None and s.has_clock
    if not between and turn.trace.occupancy != turn.footprints.before and turn.opened:
        turn.report("adjust_late")
        s.say("adjust_refused", article="4.2.1", side=event.side, reason="adjust_late")
        return
    if between:
        s.violate("adjust_not_entitled", article="6.2.5")
        turn.report(f"adjust_not_entitled:{event.side}")
    elif event.side != turn.mover:
        turn.report(f"adjust_out_of_turn:{event.side}")
    s.adjusting = Adjusting(event.side, not between and event.side == turn.mover, event.at_ns)
    s.say("adjusting_announced", article="4.2.1", side=event.side)


# ---- answers


def chosen(s: Standing, event: Chosen) -> None:
    """A promotion piece or a move is named."""
    text = event.choice.lower()
    s.external = True
    if text in ("q", "r", "b", "n"):
        _piece_chosen(s, text, event.at_ns)
        return
    try:
        move = Move.from_uci(text)
    except ValueError:
        s.say("answer_refused", choice=event.choice, reason="not_understood")
        return
    if not choose_move(s, move, event.at_ns):
        s.say("answer_refused", choice=event.choice, reason="not_asked")


def _piece_chosen(s: Standing, letter: str, at_ns: int) -> None:
    if choose_promotion(s, letter, at_ns):
        return
    made = s.made
    piece = PieceType.from_letter(letter)
    if made is not None and made.move is not None and made.move.promotion is not None:
        was = made.move.promotion
        if was is not piece:
            s.violate("promotion_choice_changed", article="4.4.4")
            s.turn.report(f"promotion_choice_changed:{was.letter}>{letter}")
            s.trouble = Trouble(
                kind="promotion_changed", side=s.turn.mover, expected=s.position.occupied, turn=s.moving.mover
            )
            s.ask(Question(word="promotion_piece", candidates=made.footprint.moves, side=s.turn.mover))
        return
    turn = s.turn
    moves = [move for one in turn.footprints.all for move in one.moves if move.promotion is piece]
    if s.made is None and moves and not s.ended:
        fitting = [move for move in moves if turn.filled >> move.to_square & 1] or [
            move for move in moves if turn.opened >> move.from_square & 1
        ]
        if fitting:
            turn.bound = exact(sorted(fitting, key=Move.uci), "4.4.4", own=fitting[0].from_square)
            s.say("answered", ask="promotion_piece", choice=letter)
            return
    s.say("answer_refused", choice=letter, reason="not_asked")


def answered(s: Standing, event: Answered) -> None:
    """Yes or no to the open question."""
    question = s.question
    if question is None or question.word in ("promotion_piece", "which_capture", "which_move"):
        s.say("answer_refused", choice="yes" if event.yes else "no", reason="not_asked")
        return
    s.question = None
    s.say("answered", ask=question.word, choice="yes" if event.yes else "no")
    if question.word == "confirm_result" and question.proposal is not None:
        if event.yes:
            draw = question.proposal == "1/2-1/2"
            ends.finish(s, question.proposal, Termination.AGREEMENT if draw else Termination.RESIGNATION, "5.1.2")
        else:
            set_up_again(s)
    elif question.word == "confirm_position":
        if event.yes:
            s.moving.unreport("identity_unverified", "displaced")
        else:
            s.ask(replace(question, word="actual_position"))
    elif question.word == "confirm_setup" and event.yes:
        start(s)
    elif question.word == "board_turned" and event.yes:
        s.rotated = not s.rotated
        s.say("board_turned")


def set_up_again(s: Standing) -> None:
    """The wood must go back to the position in force before play goes on."""
    expected = s.position.occupied
    if s.occupancy & ~s.masked != expected & ~s.masked:
        s.trouble = Trouble(kind="position", side=s.moving.mover, expected=expected, turn=s.moving.mover)


def start(s: Standing) -> None:
    """The game begins: White's clock starts (6.6), if the array stands; or goes on after lost power or sensors."""
    if s.started and s.paused == "sensors" and s.trouble is None and s.lever is not None and not s.ended:
        s.paused = None
        s.clock = s.clock.resume(s.lever, s.now_ns)
        s.say("clock_started", side=s.lever)
        return
    if s.started or s.ended:
        return
    if s.occupancy & ~s.masked != s.position.occupied & ~s.masked:
        missing = [name_of(q) for q in range(64) if (s.position.occupied & ~s.occupancy & ~s.masked) >> q & 1]
        extra = [name_of(q) for q in range(64) if (s.occupancy & ~s.position.occupied & ~s.masked) >> q & 1]
        s.say("start_refused", article="2.3", missing=missing, extra=extra)
        return
    s.started = True
    s.question = None
    s.lever = s.moving.mover
    s.clock = s.clock.start(s.moving.mover, s.now_ns)
    s.say("clock_started", article="6.6", side=s.moving.mover)


# ---- draws


def offer_draw(s: Standing, side: Side) -> None:
    """A draw is offered (9.1.2): valid at any time, best after the move and before the press."""
    if s.ended or not s.started or not s.settings.agreement:
        return
    own_move_made = s.made is not None and s.turn.mover == side
    just_moved = own_move_made or not s.has_clock
    if not just_moved:
        s.moving.report("offer_irregular_time")
    s.draw_offer = side
    s.newest_request = "draw"
    s.say("draw_offered", article="9.1.2", side=side)


def accept(s: Standing, side: Side) -> None:
    """A side accepts the newest request put to it."""
    if s.ended:
        return
    if s.newest_request == "takeback" and s.takeback is not None and s.takeback != side:
        take_back(s)
        return
    if s.draw_offer is None or s.draw_offer == side:
        return
    if min(_moves_made(s, "white"), _moves_made(s, "black")) < 1:
        s.moving.report("agreement_too_early")
        s.draw_offer = None
        s.say("agreement_refused", article="5.2.3", reason="agreement_too_early")
        return
    ends.finish(s, "1/2-1/2", Termination.AGREEMENT, "5.2.3")


def _moves_made(s: Standing, side: Side) -> int:
    plies = len(s.moving.game.moves)
    first = "white" if s.turn.game.start_position.turn.name == "WHITE" else "black"
    made = (plies + 1) // 2 if side == first else plies // 2
    return max(made, s.completed[side])


def decline(s: Standing, side: Side) -> None:
    """A side declines the newest request put to it."""
    if s.newest_request == "takeback" and s.takeback is not None and s.takeback != side:
        s.takeback = None
        s.say("takeback_declined", side=side)
    elif s.draw_offer is not None and s.draw_offer != side:
        s.draw_offer = None
        s.say("draw_declined", article="9.1.2", by="word", side=side)


def withdraw(s: Standing, side: Side) -> None:
    """Offers and claims cannot be withdrawn (9.1.2.1, 9.5.1)."""
    if s.draw_offer == side:
        s.moving.report("withdraw_ignored")
        s.say("withdraw_refused", article="9.1.2.1", side=side)
    elif s.takeback == side:
        s.takeback = None


def resign(s: Standing, side: Side) -> None:
    """A side resigns (5.1.2): a loss, unless the opponent cannot mate by any series of legal moves."""
    if s.ended:
        return
    opponent = other_side(side)
    if ends.no_mate_possible(s, opponent):
        ends.finish(s, "1/2-1/2", Termination.RESIGNATION_NO_MATING_MATERIAL, "5.1.2")
    else:
        ends.finish(s, ends.win(opponent), Termination.RESIGNATION, "5.1.2")


def pause(s: Standing, side: Side) -> None:
    """A player stops the clocks to call the arbiter (6.11.2)."""
    if s.ended or not s.started or s.paused:
        return
    s.external = True
    s.pause(s.now_ns, "player")
    s.moving.report(f"arbiter_called:{side}")
    s.say("paused", article="6.11.2", side=side)


# ---- claims (9.2-9.5, 6.8)


def claim(s: Standing, event: Claimed) -> None:
    """A claim, judged at once on the record."""
    if s.ended or not s.started:
        return
    if event.kind == "time":
        _claim_time(s, event.side)
        return
    turn = s.moving
    side = event.side
    if not s.settings.refuses:
        s.pause(s.now_ns, "claim")
    s.draw_offer = side
    s.newest_request = "draw"
    if side != turn.mover:
        s.violate("claim_inadmissible", article="9.4")
        turn.report("claim_after_touch")
        _minutes(s, side)
        s.say("claim_judged", article="9.4", side=side, claim=event.kind, correct=False)
        return
    if turn.touched:
        s.draw_offer = None
        s.violate("claim_after_touch", article="9.4")
        turn.report("claim_after_touch")
        s.say("claim_judged", article="9.4", side=side, claim=event.kind, correct=False)
        return
    if s.made is not None and s.has_clock:
        turn.report("claim_before_press")
    intended = _intended(event.move)
    game = turn.game
    legal = intended is not None and game.position.is_legal(intended)
    if event.move is None or legal:
        ask = game.can_claim_threefold if event.kind == "threefold" else game.can_claim_fifty
        if ask(intended):
            termination = Termination.THREEFOLD_CLAIM if event.kind == "threefold" else Termination.FIFTY_CLAIM
            ends.finish(s, "1/2-1/2", termination, "9.2" if event.kind == "threefold" else "9.3")
            return
    turn.report("claim_incorrect")
    _minutes(s, side)
    if event.move is not None and intended is not None:
        if legal:
            turn.bound = exact([intended], "9.5.3", own=intended.from_square)
        elif turn.is_own(intended.from_square):
            duty = owed(turn.position, [[intended.from_square]])
            turn.bound = duty if duty.moves is not None else None
    s.say("claim_judged", article="9.5.3", side=side, claim=event.kind, correct=False, move=event.move)


def _intended(text: str | None) -> Move | None:
    if text is None:
        return None
    try:
        return Move.from_uci(text)
    except ValueError:
        return None


def _minutes(s: Standing, side: Side) -> None:
    if s.settings.penalties != "none":
        s.penalise("add_time", other_side(side), s.settings.penalty_s)


def _claim_time(s: Standing, side: Side) -> None:
    """A claim that the opponent's flag is down (6.8)."""
    opponent = other_side(side)
    if opponent in s.flags or s.clock.flag_down(opponent, s.now_ns):
        ends.call_flag(s, opponent)
        s.say("claim_judged", article="6.8", side=side, claim="time", correct=s.ended)
    else:
        s.say("claim_judged", article="6.8", side=side, claim="time", correct=False)


# ---- objections (4.8, 7.5)


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


# ---- what people saw


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


# ---- takebacks


def ask_takeback(s: Standing, side: Side) -> None:
    """A side asks that the last made ply be taken back."""
    if s.settings.takeback == "arbiter" or _last_turn(s) is None:
        s.say("takeback_refused", side=side)
        return
    s.takeback = side
    s.newest_request = "takeback"
    s.say("takeback_asked", side=side)
    if s.settings.takeback == "free":
        take_back(s)


def take_back(s: Standing) -> None:
    """The last made ply is undone with its whole state; play goes on when the wood is back."""
    before = _last_turn(s)
    if before is None:
        return
    taken = s.moving.game.moves[-1]
    take_back_to(s, before)
    if s.clock.phase != "not_started":
        s.clock = replace(s.clock, phase="running", running=s.turn.mover, since_ns=s.now_ns)
    s.paused = None
    s.say("move_taken_back", move=taken)
    set_up_again(s)
    if s.trouble is not None:
        s.trouble = replace(s.trouble, kind="takeback")


def _last_turn(s: Standing) -> Standing | None:
    """How the game stood when the last made move's turn began; None if no move was ever made."""
    if s.made is not None:
        return s.at_turn_start()
    last = s.last_ply()
    if last is not None:
        return last.before
    if not s.turn.game.moves:
        return None
    before = s.at_turn_start()
    before.game = before.turn.game.takeback()
    before.turn = Turn.fresh(before.game, s.masked)
    return before


def take_back_to(s: Standing, before: Standing) -> None:
    """Stand as at the beginning of an earlier turn: nothing touched, nothing asked, that turn's player to move."""
    s.put_back(before)
    s.lever = s.turn.mover
    s.takeback = s.newest_request = s.undo = s.rejected = s.withdrawable = None
    s.touched_since = False
    s.legal = True if s.plies else None
