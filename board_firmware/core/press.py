"""The press: completes a made move, or is judged for what it finds.

Its own time counts, not that of the verdict. With the mover's unit in the air it waits up to the settle time for its
place; friendly, a press on an unfinished castling, en passant or promotion stands until the rest is done.

Source: FIDE Laws of Chess 2023, 6.2, 7.5; the order of tests is contract section 8, rule 13.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core import lost_sensors, offences, played_on
from board_firmware.core.after_release import other_landings, reopen, revise
from board_firmware.core.broken_reeds import doubted_moves
from board_firmware.core.disorder import pressed_over
from board_firmware.core.events import Side, other_side
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import committed, read
from board_firmware.core.making import attempted, fix, make, refuse_illegal
from board_firmware.core.moving import answered_in_the_dark
from board_firmware.core.splitting import may_be_answer, over_early_lifts, reads_after, split_early, split_for_answer
from board_firmware.core.standing import AskWord, Press, Question, Standing, name_of
from board_firmware.core.unseen import ask_unseen, ask_which_move, landed_without_lift, strays, stuck_behind, unseen
from hal.squares import squares_of
from rules import Move


def pressed(s: Standing, side: Side, at_ns: int) -> None:
    """A side's end of the lever goes down."""
    reopen(s)
    if not s.started or s.ended or s.paused or (s.trouble is not None and s.trouble.needs_resume):
        return
    if side == played_on.next_to_press(s) and not answered_by_reply(s):
        passed = side == s.lever and not s.settings.refuses  # friendly the clock waits for the answer
        played_on.note(s, side, at_ns, passed=passed)
        if passed:
            _pass_clock(s, side, at_ns)
    elif side != s.lever:
        _dead(s, side)
    else:
        _weigh(s, side, at_ns)


def noted(s: Standing, press: Press) -> None:
    """A press that was given while it was asked what had been played finds the answer."""
    if not press.passed:
        pressed(s, press.side, press.at_ns)
    elif press.side == played_on.next_to_press(s) and not answered_by_reply(s):
        s.noted = (*s.noted, press)
    elif not s.ended and s.trouble is None:
        s.press = press
        _weigh(s, press.side, press.at_ns)


def _weigh(s: Standing, side: Side, at_ns: int) -> None:
    if s.knock is not None:
        pressed_over(s, side, at_ns)
    elif s.made is not None and s.turn.mover == side:
        complete_made(s, side, at_ns)
    elif s.turn.mover != side or s.made is not None:
        _late(s, side, at_ns)
    else:
        _without_made_move(s, side, at_ns)


def _dead(s: Standing, side: Side) -> None:
    """A press by the side whose clock does not run: the lever is down already."""
    if s.answered_press == side:
        s.answered_press = None
        return
    s.report(f"dead_press:{side}")
    s.say("press_ignored", side=side, reason="dead_press")


def _late(s: Standing, side: Side, at_ns: int) -> None:
    """The player has been answered already; his press is still his (6.2.2)."""
    mine = [ply for ply in s.plies if ply.side == side and not ply.pressed]
    if not mine:
        _dead(s, side)
        return
    s.complete_last(side, pressed=True, at_ns=at_ns)
    _pass_clock(s, side, at_ns)
    s.moving.unreport("unpressed_moves")


def complete_made(s: Standing, side: Side, at_ns: int) -> None:
    """The press completes the made move (6.2.1)."""
    made = s.made
    assert made is not None
    if made.move is None:
        if s.settings.refuses:
            s.press = Press(side=side, at_ns=at_ns, until_ns=None)
            return
        s.turn.report("promotion_unspecified")
        s.replace_made(pressed=True)
        _pass_clock(s, side, at_ns)
        s.press = None
        return
    if s.trouble is not None and s.trouble.side == side:
        pressed_over(s, side, at_ns)
        return
    if is_in_doubt(s):
        if s.settings.refuses and s.press is not None and s.press.side == side:
            _not_that_move(s, side, at_ns)
        else:
            _wait_for_the_unit(s, side, at_ns)
        return
    passed = s.press is not None and s.press.passed
    doubted = other_landings(s, s.moving)
    if doubted:
        revise(s, None)
        _ask_over_the_press(s, doubted, side, at_ns, passed=passed)
        return
    fix(s)
    _completed(s, side, at_ns, passed)


def _ask_over_the_press(
    s: Standing, candidates: tuple[Move, ...], side: Side, at_ns: int, *, passed: bool, lost: int = 0
) -> None:
    """Ask which move it was; friendly the press stands until then, in a tournament the clock has passed."""
    if passed or s.settings.refuses:
        ask_unseen(s, candidates, side, at_ns, lost)
    else:
        _pass_clock(s, side, at_ns)
        ask_which_move(s, candidates, lost=lost)


def _asked_over_reeds(s: Standing, side: Side, at_ns: int, *, passed: bool) -> bool:
    """Whether reeds that broke unnoticed may explain what the press finds: it is asked then, and judged by the answer."""
    candidates, lost = doubted_moves(s)
    if candidates:
        before = s.copy()
        _ask_over_the_press(s, candidates, side, at_ns, passed=passed, lost=lost)
        if s.question is not None and not s.settings.refuses:
            s.question = replace(s.question, unjudged=(before, at_ns))
    return bool(candidates)


def is_in_doubt(s: Standing) -> bool:
    """Whether the unit just moved is off its square again, and nothing shows that the opponent's hand took it.

    It may be on its way to another square, on the edge between two, or already captured: the next event tells.
    """
    made, reply = s.made, s.reply
    if made is None or reply is None:
        return False
    if not s.landing_open:
        return False
    landed = [s.turn.trace.last_place.get(square, 0) for square in squares_of(made.footprint.landings)]
    answered = any(reply.trace.last_lift[square] > max(landed, default=0) for square in reply.own_in_air())
    return not answered or s.turn.captures_under_way() or not reply.footprints.under_way(reply.trace.occupancy)


def _wait_for_the_unit(s: Standing, side: Side, at_ns: int) -> None:
    passes = not s.settings.refuses
    if passes:
        _pass_clock(s, side, at_ns)
        assert s.made is not None
        off = s.made.footprint.landings & ~s.occupancy
        s.turn.report("pressed_with_piece_in_air:" + ",".join(name_of(square) for square in squares_of(off)))
    s.press = Press(side=side, at_ns=at_ns, until_ns=None, passed=passes)
    s.say("press_stands", side=side)


def _not_that_move(s: Standing, side: Side, at_ns: int) -> None:
    """The press is given again while the unit is off its square: it has gone on to one whose reed is lost."""
    if answered_in_the_dark(s):
        pressed(s, side, at_ns)
        return
    s.press = None
    revise(s, None)
    candidates = unseen(s.turn)
    if candidates:
        ask_unseen(s, candidates, side, at_ns)


def _completed(s: Standing, side: Side, at_ns: int, passed: bool) -> None:
    """The final move of a side has been pressed upon."""
    if not passed:
        _pass_clock(s, side, at_ns)
    s.press = None
    s.last_words = [word for word in s.last_words if not word.startswith("pressed_with_piece_in_air")]
    s.complete_last(side, pressed=True, at_ns=at_ns)
    if s.two_hands == side:
        offences.two_hands(s, side)


def _has_passed(s: Standing, side: Side) -> bool:
    """Whether the press that is weighed has passed the clock already."""
    return s.press is not None and s.press.side == side and s.press.passed


def _pass_clock(s: Standing, side: Side, at_ns: int) -> None:
    if _has_passed(s, side):
        return
    s.clock = s.clock.press(side, at_ns)
    s.lever = other_side(side)
    s.say("clock_pressed", side=side, clock=s.lever)


def _without_made_move(s: Standing, side: Side, at_ns: int) -> None:
    if s.seen is not None:
        make(s, s.seen, at_ns)
        if s.made is not None and not s.ended:
            complete_made(s, side, at_ns)
        return
    early = over_early_lifts(s.turn)
    if early is not None:
        split_early(s, early)
        if s.made is not None and not s.ended:
            complete_made(s, side, at_ns)
        return
    stuck = stuck_behind(s)
    if stuck and s.settings.refuses:
        ask_unseen(s, stuck, side, at_ns)
        return
    if s.trouble is not None and s.settings.refuses and _asked_over_reeds(s, side, at_ns, passed=False):
        return
    if (
        s.trouble is not None
        and s.settings.refuses
        and not (s.trouble.kind == "appeared" and landed_without_lift(s.turn))
    ):
        s.say("press_ignored", side=side, reason="refused")
        return
    if s.turn.own_in_air():
        s.press = Press(side=side, at_ns=at_ns, until_ns=at_ns + s.settings.settle_ns, passed=_has_passed(s, side))
        return
    judge(s, side, at_ns)


def judge(s: Standing, side: Side, at_ns: int) -> None:
    """The verdict on a press that finds no made move (rule 13)."""
    passed = _has_passed(s, side)
    s.press = Press(side=side, at_ns=at_ns, until_ns=None, passed=True) if passed else None
    turn = s.turn
    if s.made is not None or turn.mover != side:
        (_weigh if passed else pressed)(s, side, at_ns)
        return
    reading = read(turn.footprints, turn.trace)
    if reading.complete is not None:
        make(s, reading.complete, at_ns)
        if s.made is not None and not s.ended:
            complete_made(s, side, at_ns)
        return
    fitting = reading.unclear or reading.fitting
    if s.settings.refuses and not fitting:
        _friendly(s, side, at_ns)
    elif fitting:
        doubted = () if reading.unclear else _silent_elsewhere(s, fitting)
        if len(doubted) > len(fitting):
            _ask_over_the_press(s, doubted, side, at_ns, passed=False)
        elif len(fitting) == 1 and not reading.unclear:
            _infer(s, fitting[0], side, at_ns)
        else:
            _ask_which(s, fitting, side, at_ns)
    elif _asked_over_reeds(s, side, at_ns, passed=passed):
        return
    elif s.occupancy & ~s.masked == turn.footprints.before:
        offences.press_without_move(s, at_ns)
    elif not turn.filled and attempted(turn) is None:
        offences.press_in_the_air(s, at_ns)
    else:
        offences.illegal_move(s, at_ns)


def _silent_elsewhere(s: Standing, fitting: tuple[Footprint, ...]) -> tuple[Move, ...]:
    """What else a unit in the air may have done where silence proves no capture, and no line that the board has lost does.

    A reed that has failed by itself may be the first that is seen of a line: the next landing on it is silent as well.
    """
    strayed = s.settings.refuses and len(fitting) == 1 and strays(s.turn, fitting[0])
    explained = s.masked & ~lost_sensors.alone(s)
    if not (s.has_failed or strayed) or any(one.landings & explained for one in fitting):
        return ()
    return unseen(s.turn)


def _friendly(s: Standing, side: Side, at_ns: int) -> None:
    """Friendly: the clock does not pass over an unfinished or illegal move, and nothing is counted."""
    if committed(s.turn.footprints, s.turn.trace):
        s.press = Press(side=side, at_ns=at_ns, until_ns=None)
        s.say("press_stands", side=side)
        return
    insists = s.ignored_press == s.turn.game.ply
    if _asked_over_reeds(s, side, at_ns, passed=False):
        return
    landed = landed_without_lift(s.turn) or (unseen(s.turn) if s.masked or insists else ())
    if landed:
        ask_unseen(s, landed, side, at_ns)
        return
    s.ignored_press = s.turn.game.ply
    s.say("press_ignored", side=side, reason="no_move")
    set_down = attempted(s.turn) is not None or s.turn.filled
    if set_down and (not s.turn.filled or not s.turn.footprints.under_way(s.occupancy)):
        refuse_illegal(s)


def _capture_word(s: Standing, fitting: tuple[Footprint, ...]) -> str:
    """``silent_capture`` where no victim's reed opened, else ``capture_or_putback``."""
    victims = [origin for one in fitting for origin, landing in one.legs[1:] if landing < 0]
    return "capture_or_putback" if any(square in s.turn.trace.last_lift for square in victims) else "silent_capture"


def _infer(s: Standing, one: Footprint, side: Side, at_ns: int) -> None:
    """One legal move fits what the press found: a reed missed the victim's exit."""
    s.turn.report(_capture_word(s, (one,)))
    before = s.copy()
    make(s, one, at_ns, inferred=True)
    if s.made is None:
        return
    if not s.ended:
        complete_made(s, side, at_ns)
    s.withdrawable = (before, side, at_ns)


def _ask_which(s: Standing, fitting: tuple[Footprint, ...], side: Side, at_ns: int) -> None:
    """Several legal moves fit: the board asks, and never guesses."""
    s.turn.report(_capture_word(s, fitting))
    moves = tuple(sorted((move for one in fitting for move in one.moves), key=Move.uci))
    lit = tuple((one.move.to_square, one.move.uci()) for one in fitting)
    if s.settings.refuses:
        s.press = Press(side=side, at_ns=at_ns, until_ns=None)
    else:
        _pass_clock(s, side, at_ns)
    captures = all(len(one.legs) > 1 and not one.castling for one in fitting)
    word: AskWord = "which_capture" if captures or not (s.masked or s.turn.trace.pieces) else "which_move"
    s.ask(Question(word=word, candidates=moves, squares=lit, side=side, since=len(s.turn.trace.changes)))
    s.say("unclear", candidates=list(moves), squares=[name_of(square) for square, _ in lit])


def choose_move(s: Standing, move: Move, at_ns: int) -> bool:
    """Answer which move it was; False if that is not asked or the move is not among the candidates."""
    question = s.question
    if question is None or question.word not in ("which_capture", "which_move") or move not in question.candidates:
        return False
    one = next(one for one in s.turn.footprints.all if move in one.moves)
    s.say("answered", ask=question.word, choice=move.uci(), move=move)
    s.question = None
    side = s.turn.mover
    passed = s.noted[0].passed if s.noted else s.lever != side or _has_passed(s, side)
    standing = s.press is not None and s.press.side == side
    if standing:
        s.press = None
    since, later = lost_sensors.vouched_for(s, question, one)
    if s.noted or (since and not may_be_answer(s.turn, one, later)):
        played_on.wind_back(s, s.turn, later)
    if move.promotion is not None:
        one = Footprint((move,), one.legs, one.after, one.origins, one.landings, False, one.castling)
    split_for_answer(s, one, since)
    s.replace_made(named=True)
    if s.made is None or s.ended or s.turn.mover != side:
        _completed_before(s, side, standing and not passed, at_ns)
        return True
    if s.reply is not None and not s.reply.own_in_air():
        lost_sensors.disagree(s, s.position.occupied)
    if passed:
        fix(s)
        s.complete_last(side, pressed=True, at_ns=at_ns)
    elif standing:
        complete_made(s, side, at_ns)
    return True


def _completed_before(s: Standing, side: Side, standing: bool, at_ns: int) -> None:
    """The answer was given when the opponent had replied already: the move it names is final."""
    if s.ended or s.turn.mover == side:
        return
    s.complete_last(side, pressed=True, at_ns=at_ns)
    if standing and s.lever == side:
        _pass_clock(s, side, at_ns)


def answered_by_reply(s: Standing) -> bool:
    """Whether the opponent's reply fits only one of the moves asked about: then the wood has answered."""
    question = s.question
    if question is None or question.word != "which_capture" or len(s.turn.trace.changes) <= question.since:
        return False
    later = played_on.first_answer(s, s.turn.trace.changes[question.since :])
    fitting = [
        one.move for one in s.turn.footprints.all if one.move in question.candidates and reads_after(s.turn, one, later)
    ]
    return len(fitting) == 1 and choose_move(s, fitting[0], s.now_ns)


def reseated(s: Standing, square: int) -> str | None:
    """The choice that re-seating the unit on a lit square stands for, while it is asked which capture it was.

    Not in a tournament, where the arbiter is asked, and not once anything else has moved: it may be the opponent's play.
    """
    question = s.question
    if question is None or question.word != "which_capture" or s.noted or not s.settings.refuses:
        return None
    if any(change.square != square for change in s.turn.trace.changes[question.since :]):
        return None
    choices = [choice for one, choice in question.squares if one == square]
    return choices[0] if len(choices) == 1 else None
