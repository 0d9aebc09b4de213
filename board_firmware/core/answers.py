"""Answers to what the board asks: the promotion piece, which move it was, yes or no; and the start of the game.

Source: FIDE Laws of Chess 2023, 2.3, 3.7.3, 4.4.4, 6.6.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core import ends, set_back
from board_firmware.core.disorder import set_up_again
from board_firmware.core.events import Answered, Chosen
from board_firmware.core.making import choose_promotion
from board_firmware.core.press import choose_move
from board_firmware.core.standing import Question, Standing, Trouble, name_of
from board_firmware.core.touch import exact
from board_firmware.core.turn import EARLY_CHOICE
from rules import Move, PieceType, Termination


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
        fitting = (
            [move for move in moves if turn.filled >> move.to_square & 1]
            or [move for move in moves if turn.is_enemy(move.to_square) and move.to_square in turn.trace.last_place]
            or [move for move in moves if turn.opened >> move.from_square & 1]
        )
        if fitting:
            turn.bound = exact(sorted(fitting, key=Move.uci), EARLY_CHOICE, own=fitting[0].from_square)
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
