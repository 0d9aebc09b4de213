"""Answers to what the board asks: the promotion piece, which move it was, yes or no; and the start of the game.

Source: FIDE Laws of Chess 2023, 2.3, 3.7.3, 4.4.4, 6.6.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core import ends, set_back
from board_firmware.core.beginning import insisted_on_array
from board_firmware.core.disorder import set_up_again
from board_firmware.core.events import Answered, Chosen
from board_firmware.core.gesture import read
from board_firmware.core.making import choose_promotion
from board_firmware.core.played_on import is_asked
from board_firmware.core.press import choose_move
from board_firmware.core.standing import Made, Question, Standing, Trouble, name_of
from board_firmware.core.touch import exact
from board_firmware.core.turn import EARLY_CHOICE, Turn
from rules import Move, PieceType, Termination

HOLDING_NS = 5_000_000_000
"""Nobody holds a pawn over its last rank for longer, ns."""

READING_NS = 150_000_000
"""Nobody reads a question and answers it within this time, ns."""


def chosen(s: Standing, event: Chosen) -> None:
    """A promotion piece or a move is named."""
    text = event.choice.lower()
    if is_asked(s) and s.trouble is not None and s.trouble.kind == "position":
        s.say("answer_refused", choice=event.choice, reason="restore_first")
        return
    s.external = True
    if text in ("q", "r", "b", "n"):
        _piece_chosen(s, text, event.at_ns)
        return
    try:
        move = Move.from_uci(text)
    except ValueError:
        s.say("answer_refused", choice=event.choice, reason="not_understood")
        return
    asked = s.question is not None and s.question.word == "promotion_piece" and move in s.question.candidates
    if asked and move.promotion is not None and choose_promotion(s, move.promotion.letter, event.at_ns):
        return
    if not choose_move(s, move, event.at_ns):
        s.say("answer_refused", choice=event.choice, reason="not_asked")


def _piece_chosen(s: Standing, letter: str, at_ns: int) -> None:
    piece = PieceType.from_letter(letter)
    made = s.made
    if made is None:
        if s.ended or not _choose_early(s, s.turn, piece):
            s.say("answer_refused", choice=letter, reason="not_asked")
    elif made.move is None:
        if _may_be_the_opponents(s, piece, at_ns):
            s.say("answer_refused", choice=letter, reason="whose")
        elif not choose_promotion(s, letter, at_ns):
            s.say("answer_refused", choice=letter, reason="not_asked")
    elif s.reply is not None and _choose_early(s, s.reply, piece):
        return
    elif made.move.promotion is None or _promotions(s.moving, piece):
        s.say("answer_refused", choice=letter, reason="not_asked")
    elif made.move.promotion is not piece:
        _change_choice(s, made, made.move.promotion, piece)
    elif s.trouble is not None and s.trouble.kind == "promotion_changed":
        s.trouble = s.question = None
        s.say("answered", ask="promotion_piece", choice=letter, move=made.move)


def _change_choice(s: Standing, made: Made, was: PieceType, piece: PieceType) -> None:
    """Another piece is named after the choice was final (4.4.4)."""
    s.violate("promotion_choice_changed", article="4.4.4")
    s.turn.report(f"promotion_choice_changed:{was.letter}>{piece.letter}")
    s.trouble = Trouble(kind="promotion_changed", side=s.turn.mover, expected=s.position.occupied, turn=s.moving.mover)
    s.ask(Question(word="promotion_piece", candidates=made.footprint.moves, side=s.turn.mover))


def _promotions(turn: Turn, piece: PieceType) -> list[Move]:
    return [move for one in turn.footprints.all for move in one.moves if move.promotion is piece]


def _choose_early(s: Standing, turn: Turn, piece: PieceType) -> bool:
    """The piece is named with the pawn in the hand or landed, before the move is made: it binds."""
    moves = _promotions(turn, piece)
    fitting = (
        [move for move in moves if turn.filled >> move.to_square & 1]
        or [move for move in moves if turn.is_enemy(move.to_square) and move.to_square in turn.trace.last_place]
        or [move for move in moves if turn.opened >> move.from_square & 1]
    )
    if fitting:
        turn.bound = exact(sorted(fitting, key=Move.uci), EARLY_CHOICE, own=fitting[0].from_square)
        s.say("answered", ask="promotion_piece", choice=piece.letter)
    return bool(fitting)


def _may_be_the_opponents(s: Standing, piece: PieceType, at_ns: int) -> bool:
    """The buttons belong to both: whether the opponent may have named the piece for a pawn of his own.

    He has such a pawn in his hand; or he could promote next, and the question is too fresh for anybody to have read it.
    """
    reply, question = s.reply, s.question
    if reply is None or question is None:
        return False
    moves = _promotions(reply, piece)
    in_hand = read(reply.footprints, reply.trace).complete is None and any(
        reply.opened >> move.from_square & 1 and at_ns - reply.trace.last_lift[move.from_square] < HOLDING_NS
        for move in moves
        if move.from_square in reply.trace.last_lift
    )
    return in_hand or (bool(moves) and at_ns - question.asked_ns < READING_NS)


def answered(s: Standing, event: Answered) -> None:
    """Yes or no to the open question."""
    question = s.question
    if question is None and event.yes and not s.started and not s.ended:
        start(s)
        return
    if question is None or question.word in ("promotion_piece", "which_capture", "which_move"):
        s.say("answer_refused", choice="yes" if event.yes else "no", reason="not_asked")
        return
    s.question = None
    s.say("answered", ask=question.word, choice="yes" if event.yes else "no")
    if question.word == "confirm_result" and question.proposal is not None:
        if event.yes and question.proposal == set_back.UNFINISHED:
            set_back.give_up(s)
        elif event.yes and question.proposal == "1/2-1/2":
            ends.finish(s, question.proposal, Termination.AGREEMENT, "5.2.3")
        elif event.yes:
            ends.finish(s, question.proposal, Termination.RESIGNATION, "5.1.2")
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


def start(s: Standing) -> None:
    """The game begins: White's clock starts (6.6), if the array stands; or goes on after lost power or sensors."""
    may_resume = s.paused == "sensors" or (s.paused == "player" and s.settings.refuses)
    if s.started and may_resume and s.trouble is None and s.lever is not None and not s.ended:
        s.paused = None
        s.clock = s.clock.resume(s.lever, s.now_ns)
        s.say("clock_started", side=s.lever)
        return
    if s.started or s.ended:
        return
    if s.occupancy & ~s.masked != s.position.occupied & ~s.masked and not insisted_on_array(s):
        missing = [name_of(q) for q in range(64) if (s.position.occupied & ~s.occupancy & ~s.masked) >> q & 1]
        extra = [name_of(q) for q in range(64) if (s.occupancy & ~s.position.occupied & ~s.masked) >> q & 1]
        s.say("start_refused", article="2.3", missing=missing, extra=extra)
        return
    s.started = True
    s.question = None
    s.lever = s.moving.mover
    s.clock = s.clock.start(s.moving.mover, s.now_ns)
    s.say("clock_started", article="6.6", side=s.moving.mover)
