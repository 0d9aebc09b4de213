"""The arbiter's rulings: each is an event with author and reason, none edits the past, the newest can be undone.

A ruling takes effect when it is entered. What it cannot do here and now it refuses, saying why.

Source: FIDE Laws of Chess 2023, 6.10, 6.11, 7.1-7.6, 9.4, 12.9, A.5; contract section 2 for the verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from board_firmware.core import answers, ends, set_back
from board_firmware.core.disorder import close_trouble, set_up_again
from board_firmware.core.events import Ruled, Side
from board_firmware.core.making import choose_promotion
from board_firmware.core.penalties import apply_penalty, penalise, waive_penalty
from board_firmware.core.standing import Question, Standing, Trouble
from board_firmware.core.takebacks import take_back_to
from board_firmware.core.turn import Turn
from hal.squares import parse_square
from rules import FenError, Game, Move, PieceType, SetupError, Termination, parse_fen

SETUP_CLAIM_MOVES = 10
"""Completed moves by both after which a wrong set-up (A.5.1) or reversed colours (7.3) stand."""


class RefusedError(ValueError):
    """A ruling that cannot be carried out as things stand; the text says why."""


def ruled(s: Standing, event: Ruled) -> None:
    """Carry out a ruling."""
    verb = _VERBS.get(event.verb)
    if verb is None:
        s.say("ruling_refused", verb=event.verb, reason=f"unknown ruling; known are {', '.join(sorted(_VERBS))}")
        return
    before = s.copy() if event.verb != "undo" else None
    try:
        verb(s, event.arguments)
    except (RefusedError, ValueError, IndexError) as error:
        why = str(error) or "an argument is missing"
        s.say("ruling_refused", verb=event.verb, arguments=list(event.arguments), reason=why)
        return
    if event.verb != "flag":
        s.external = True
    if before is not None:
        s.undo = (before, event.verb)
    s.say(
        "ruled",
        verb=event.verb,
        arguments=list(event.arguments),
        author=event.author or None,
        reason=event.reason or None,
    )


def _side(word: str) -> Side:
    if word not in ("white", "black"):
        raise RefusedError(f"{word!r} is neither white nor black")
    return "white" if word == "white" else "black"


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        raise RefusedError(f"{word!r} is no number of seconds") from None
    if not 0 <= seconds < 1e6:
        raise RefusedError(f"{word} s is out of range: 0 to 999999")
    return seconds


# ---- clocks


def _resume(s: Standing, words: Sequence[str]) -> None:
    side = _side(words[0])
    if s.ended:
        raise RefusedError("the game is over")
    if not s.started:
        answers.start(s)
        if not s.started:
            raise RefusedError("the pieces do not stand as the game begins: rule again if they do")
    s.clock = s.clock.resume(side, s.now_ns)
    s.lever = side
    s.paused = None
    if s.trouble is None:
        return
    if s.occupancy & ~s.masked == s.trouble.expected & ~s.masked:
        close_trouble(s)
    else:
        s.trouble = replace(s.trouble, needs_resume=False)


def _set_clock(s: Standing, words: Sequence[str]) -> None:
    times = {_side(side): round(_seconds(text) * 1e9) for side, text in zip(words[::2], words[1::2], strict=True)}
    if not times:
        raise RefusedError("name a side and its seconds")
    s.clock = s.clock.set(s.now_ns, white_ns=times.get("white"), black_ns=times.get("black"))
    s.flags = [side for side in s.flags if times.get(side) in (None, 0)]
    s.report("clock_adjusted")


def _set_period(s: Standing, words: Sequence[str]) -> None:
    side, period = _side(words[0]), int(words[1])
    if not 1 <= period <= max(1, len(s.clock.control.periods)):
        raise RefusedError(f"there is no period {period}")
    s.clock = s.clock.set(s.now_ns, period={side: period - 1})
    s.report("clock_adjusted")


def _counter(s: Standing, words: Sequence[str]) -> None:
    side, moves = _side(words[0]), int(words[1])
    if not 0 <= moves < 10_000:
        raise RefusedError(f"{moves} completed moves are out of range")
    s.completed[side] = moves
    s.clock = s.clock.set(s.now_ns, moves={side: moves})


def _flag(s: Standing, words: Sequence[str]) -> None:
    if words[0] == "both":
        ends.call_both_flags(s)
    else:
        ends.call_flag(s, _side(words[0]))


# ---- penalties and proposals


def _apply(s: Standing, _: Sequence[str]) -> None:
    if not apply_penalty(s):
        raise RefusedError("no penalty is proposed")


def _waive(s: Standing, _: Sequence[str]) -> None:
    if not waive_penalty(s):
        raise RefusedError("no penalty is proposed")


def _penalty(s: Standing, words: Sequence[str]) -> None:
    side, seconds = _side(words[0]), _seconds(words[1])
    penalise(s, "add_time", side, int(seconds) if seconds == int(seconds) else round(seconds), state="applied")


def _warning(s: Standing, words: Sequence[str]) -> None:
    penalise(s, "warning", _side(words[0]), state="applied")


# ---- objections and moves


def _uphold(s: Standing, _: Sequence[str]) -> None:
    if s.question is not None and s.question.word == "confirm_result" and s.question.proposal is not None:
        if s.question.proposal == set_back.UNFINISHED:
            set_back.give_up(s)
        else:
            ends.finish(s, s.question.proposal, Termination.ARBITER)
    elif s.trouble is not None:
        s.rejected = None
    else:
        raise RefusedError("nothing is objected to or proposed")


def _reject(s: Standing, _: Sequence[str]) -> None:
    if s.question is not None and s.question.word == "confirm_result":
        s.question = None
        set_up_again(s)
        return
    if s.trouble is None or s.rejected is None:
        raise RefusedError("nothing is objected to or proposed")
    paused, clock = s.paused, s.clock
    s.put_back(s.rejected)
    s.paused, s.clock, s.rejected = paused, clock, None
    s.claim_open = False
    wood = s.moving.trace.occupancy
    if s.occupancy != wood:
        s.trouble = Trouble(
            kind="position", side=s.moving.mover, expected=wood, needs_resume=s.has_clock, turn=s.moving.mover
        )


def _accept(s: Standing, _: Sequence[str]) -> None:
    """The move in question stands: a breach of touch is let pass, an end it brought about is final."""
    if s.made is not None and s.made.move is None:
        raise RefusedError("the promotion piece is not known: rule it first")
    outcome = ends.by_move(s.moving.game)
    if s.trouble is not None and s.trouble.kind == "illegal":
        raise RefusedError("an illegal move cannot be accepted: let it stand by entering the position")
    s.trouble = None
    s.claim_open = False
    s.turn.unreport("mate_not_final")
    s.last_words = [word for word in s.last_words if word != "mate_not_final"]
    if outcome is not None:
        s.ended_by_move = True
        ends.finish(s, outcome.result, outcome.termination)


def _undo_move(s: Standing, _: Sequence[str]) -> None:
    if s.made is None and not s.plies:
        raise RefusedError("no move has been made")
    ply = len(s.plies) - (0 if s.made is not None else 1)
    _rewind_to(s, ply)


def _rewind(s: Standing, words: Sequence[str]) -> None:
    ply = int(words[0])
    made = len(s.plies) + (s.made is not None)
    if not 0 <= ply <= made:
        raise RefusedError(f"ply {ply} is not one of 0 to {made}")
    if ply == made:
        return
    _rewind_to(s, ply)


def _rewind_to(s: Standing, ply: int) -> None:
    """Stand as before the ply of that index was played; the clocks keep what they show, the offences their count."""
    violations, illegal, penalties = list(s.violations), dict(s.illegal), list(s.penalties)
    clock = s.clock.pause(s.now_ns)
    take_back_to(s, s.at_turn_start() if ply == len(s.plies) else s.plies[ply].before)
    s.violations, s.illegal, s.penalties = violations, illegal, penalties
    s.result = s.termination = None
    s.ended_by_move = False
    s.clock, s.paused = clock, "player"
    set_up_again(s)
    if s.trouble is not None:
        s.trouble = replace(s.trouble, needs_resume=s.has_clock)


def _position(s: Standing, words: Sequence[str]) -> None:
    """The arbiter sets the position, rights and en passant included; the counts of the game stay."""
    text = " ".join(words)
    try:
        setup = parse_fen(text, chess960=s.turn.position.chess960)
        game = Game.from_setup(setup)
    except (FenError, SetupError) as error:
        raise RefusedError(str(error)) from None
    if s.result is not None:
        s.result = s.termination = None
    s.game = game
    s.turn = Turn.fresh(game, s.masked)
    s.reply = s.made = s.seen = s.knock = s.press = s.question = s.alternative = s.alternative_seen = None
    s.noted = ()
    s.legal = None
    s.touched_since = False
    s.lever = s.turn.mover
    s.clock = s.clock.pause(s.now_ns)
    s.paused = "player"
    s.trouble = None
    set_up_again(s)
    if s.trouble is not None:
        s.trouble = replace(s.trouble, needs_resume=s.has_clock)


def _promotion(s: Standing, words: Sequence[str]) -> None:
    """The piece that stands on the promotion square, whatever was entered before."""
    letter = words[0].lower()
    piece = PieceType.from_letter(letter)
    if s.made is not None and s.made.move is None:
        if not choose_promotion(s, letter, s.now_ns):
            raise RefusedError(f"{letter!r} is no promotion piece")
        return
    made, last = s.made, s.last_ply()
    move = made.move if made is not None else last.move if last is not None else None
    if move is None or move.promotion is None:
        raise RefusedError("the last move is no promotion")
    other = next((one for one in _siblings(s, made is not None) if one.promotion is piece), None)
    if other is None:
        raise RefusedError(f"{letter!r} is no promotion piece")
    if made is not None and s.reply is not None:
        s.made = replace(made, move=other)
        s.reply = _replayed(s.reply, s.turn.game.play(other), s.masked)
    elif last is not None:
        s.plies.replace(last, replace(last, move=other))
        s.game = last.before.game.play(other)
        s.turn = _replayed(s.turn, s.game, s.masked)
    s.trouble = s.question = None
    s.turn.unreport("promotion_choice_changed")
    outcome = ends.by_move(s.moving.game)
    if outcome is not None:
        s.ended_by_move = True
        ends.finish(s, outcome.result, outcome.termination)


def _siblings(s: Standing, provisional: bool) -> Sequence[Move]:
    """The four promotions between the squares of the last move."""
    turn = s.turn if provisional else s.plies[-1].before.turn
    played = s.made.move if provisional and s.made is not None else s.plies[-1].move
    assert played is not None
    return [
        Move(played.from_square, played.to_square, one.promotion)
        for foot in turn.footprints.all
        for one in foot.moves
        if (one.from_square, one.to_square) == (played.from_square, played.to_square)
    ]


def _replayed(turn: Turn, game: Game, masked: int) -> Turn:
    fresh = Turn.fresh(game, masked)
    fresh.trace, fresh.touched, fresh.words = turn.trace, turn.touched, turn.words
    return fresh


def _accidental(s: Standing, words: Sequence[str]) -> None:
    square = parse_square(words[0])
    if square not in s.moving.touched_squares():
        raise RefusedError(f"{words[0]} was not touched this turn")
    s.moving.forget([square])
    s.moving.unreport(f"toucher_unverified:{words[0]}")
    s.moving.report(f"touch_waived:{words[0]}")
    if not s.moving.touched:
        s.touched_since = s.moving.trace.occupancy != s.moving.footprints.before or s.made is None


# ---- results


def _result(s: Standing, words: Sequence[str]) -> None:
    if words[0] not in ("1-0", "0-1", "1/2-1/2", "*"):
        raise RefusedError(f"{words[0]!r} is no result: 1-0, 0-1, 1/2-1/2 or *")
    ends.finish(s, words[0], Termination.ARBITER)


def _dead_position(s: Standing, _: Sequence[str]) -> None:
    if s.made is not None and s.made.move is not None:
        s.ended_by_move = True
    ends.finish(s, "1/2-1/2", Termination.DEAD_POSITION, "5.2.2")


def _cannot_mate(s: Standing, words: Sequence[str]) -> None:
    """That side cannot mate by any series of legal moves: a loss on time to it, or by 7.5.5, is a draw (6.9)."""
    side = _side(words[0])
    if s.termination == Termination.TIME and s.result == ends.win(side):
        ends.finish(s, "1/2-1/2", Termination.TIME_NO_MATING_LINE, "6.9")
    elif s.termination == Termination.SECOND_ILLEGAL_MOVE and s.result == ends.win(side):
        ends.finish(s, "1/2-1/2", Termination.SECOND_ILLEGAL_MOVE_NO_MATING_MATERIAL, "7.5.5")
    elif s.termination == Termination.RESIGNATION and s.result == ends.win(side):
        ends.finish(s, "1/2-1/2", Termination.RESIGNATION_NO_MATING_MATERIAL, "5.1.2")
    else:
        raise RefusedError(f"nothing was won by {side} on time, by a second illegal move or by resignation")


def _wrong_setup(s: Standing, _: Sequence[str]) -> None:
    """The initial position was wrong: a new game (7.2.1), under A.5 only before both have completed ten moves."""
    if s.settings.stands_if_answered and min(s.completed.values()) >= SETUP_CLAIM_MOVES:
        s.report("setup_claim_too_late")
        s.ask(Question(word="actual_position"))
        return
    _cancel(s)


def _colours_reversed(s: Standing, _: Sequence[str]) -> None:
    """The game began with colours reversed (7.3)."""
    if min(s.completed.values()) >= SETUP_CLAIM_MOVES:
        s.report("colours_reversed_stands")
        return
    _cancel(s)


def _cancel(s: Standing) -> None:
    first = s.plies[0].before if s.plies else s.at_turn_start()
    clock = s.clock
    take_back_to(s, first)
    s.clock = clock
    s.legal = None
    s.last_words = ["game_cancelled"]
    ends.finish(s, "*", Termination.GAME_CANCELLED_NEW_GAME, "7.2.1")


def _displaced_piece(s: Standing, words: Sequence[str]) -> None:
    """A unit is found on a wrong square (7.6): the position before that must be found in the record."""
    parse_square(words[0])
    s.violate("displaced", article="7.6")
    s.report("restore_from_history")
    s.pause(s.now_ns, "player")
    s.ask(Question(word="confirm_position"))


def _undo(s: Standing, _: Sequence[str]) -> None:
    if s.undo is None:
        raise RefusedError("no ruling to undo: a move has been made since, enter a new ruling instead")
    before, _verb = s.undo
    s.put_back(before)
    s.clock = replace(s.clock, since_ns=max(s.clock.since_ns, s.now_ns)) if s.clock.running is None else s.clock
    s.undo = None
    wood = s.moving.trace.occupancy
    if s.trouble is None and not s.ended and s.occupancy & ~s.masked != wood & ~s.masked:
        s.trouble = Trouble(kind="position", side=s.moving.mover, expected=wood, turn=s.moving.mover)


_VERBS: dict[str, Callable[[Standing, Sequence[str]], None]] = {
    "resume": _resume,
    "set-clock": _set_clock,
    "set-period": _set_period,
    "counter": _counter,
    "flag": _flag,
    "apply": _apply,
    "waive": _waive,
    "penalty": _penalty,
    "warning": _warning,
    "uphold": _uphold,
    "reject": _reject,
    "accept": _accept,
    "undo-move": _undo_move,
    "rewind": _rewind,
    "position": _position,
    "promotion": _promotion,
    "accidental": _accidental,
    "result": _result,
    "dead-position": _dead_position,
    "cannot-mate": _cannot_mate,
    "wrong-setup": _wrong_setup,
    "colours-reversed": _colours_reversed,
    "displaced-piece": _displaced_piece,
    "undo": _undo,
}
