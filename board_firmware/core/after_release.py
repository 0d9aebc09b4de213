"""After a release: the made move reads otherwise, or its mover puts another unit somewhere.

Two rules. As long as nothing has fixed the made move, the whole turn may still turn out to be another one: what was
announced is then taken back in the open. And a second unit moved by the same hand is an irregularity, not a move.

Source: FIDE Laws of Chess 2023, 4.7, 4.4.2, 7.5.
"""

from __future__ import annotations

from collections.abc import Iterable

from board_firmware.core import ends
from board_firmware.core.broken_reeds import vanished
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import read
from board_firmware.core.making import attempted, fix, refuse_illegal
from board_firmware.core.standing import Standing, Trouble, name_of
from board_firmware.core.turn import LONG_REST_NS, Turn
from board_firmware.core.unseen import ask_which_move
from hal.squares import squares_of
from rules import Illegal, Move, PieceType


def revise(s: Standing, reading: Footprint | None) -> None:
    """The whole turn reads as another move, or as none any more: what was announced is taken back in the open."""
    made, reply = s.made, s.reply
    assert made is not None
    assert reply is not None
    if s.ended:
        s.result = s.termination = None
        s.ended_by_move = False
        s.clock = s.clock.resume(s.turn.mover, s.now_ns)
        s.say("game_reopened", move=made.move)
    s.retract(made.breach)
    s.turn.unreport("touch_move_violation", "mate_not_final", "castling_rook_first", "possible_release_change")
    for word in s.turn.release_words():
        s.turn.report(word)
    if made.move is not None:  # else it was never announced: the promotion piece was still asked for
        s.say("move_revised", final=False, was=made.move, now=None if reading is None else reading.move)
    moved = made.footprint.landings
    for at_ns, group in reply.touched:
        for square in group:
            if not moved >> square & 1:
                s.turn.touch(square, at_ns)
                s.say("touch_reattributed", square=name_of(square), side=s.turn.mover)
    if s.question is not None and s.question.word == "promotion_piece":
        s.question = None
    s.made = s.reply = None
    s.trouble = None
    s.seen = reading


def reopen(s: Standing) -> None:
    """A player presses, or insists, with the unit of the move that ended the game in the air: it was not that move."""
    if ends.may_reopen(s) and s.landing_open:
        revise(s, None)


OVERLAP_NS = 50_000_000
"""A unit that is put back may close the reed of its square before the other has opened, but no longer than this."""


def filled_first(turn: Turn, one: Footprint) -> bool:
    """Whether the square that the unit had left was filled while the unit still stood, far away, where it had gone.

    Then it has not been put back: a reed sticks, or something else was set down there, and the unit was lifted later.
    """
    if len(one.legs) > 1:
        return False
    origin, landing = one.legs[0]
    far = max(abs((origin & 7) - (landing & 7)), abs((origin >> 3) - (landing >> 3))) > 1
    filled, left = turn.trace.last_place.get(origin), turn.trace.last_lift.get(landing)
    return far and filled is not None and left is not None and left - filled > OVERLAP_NS


def note_moved_after_release(s: Standing) -> None:
    """After a made, unpressed move the mover puts another unit somewhere: an irregularity of his own (rule 10)."""
    made, reply = s.made, s.reply
    assert made is not None
    assert reply is not None
    opened, filled = reply.opened, reply.filled
    moved_on = made.footprint.landings & opened and not any(reply.is_own(square) for square in squares_of(opened))
    under_way = s.turn.footprints.under_way(s.turn.trace.occupancy) and not filled_first(s.turn, made.footprint)
    if moved_on and filled and under_way:
        revise(s, None)
        return
    if s.trouble is not None:
        return
    if not opened:
        if s.settings.refuses and filled and not reply.footprints.under_way(reply.trace.occupancy):
            _note_appeared(s, reply)
        return
    if any(reply.is_own(square) for square in squares_of(opened)) or not filled:
        if s.settings.refuses and filled and not reply.footprints.under_way(reply.trace.occupancy):
            _refuse_reply(s)
        return
    origins = list(squares_of(opened))
    if ends.may_be_result_sign(s):
        return
    reply.forget(origins)
    s.touched_since = bool(reply.touched)
    for square in origins:
        s.violate(f"moved_after_release:{name_of(square)}", article="4.7")
    if _looks_like_castling(s, origins):
        s.turn.report("castling_rook_first")
        landing = made.footprint.legs[0][1]
        landed_ns = s.turn.trace.last_place.get(landing)
        if landed_ns is not None and reply.trace.changes and reply.trace.changes[0].at_ns - landed_ns >= LONG_REST_NS:
            s.turn.report(f"possible_release:{name_of(landing)}")
    s.trouble = Trouble(
        kind="moved_after_release", side=s.turn.mover, expected=reply.footprints.before, turn=reply.mover
    )
    s.say("board_disarranged", article="4.7", squares=[name_of(square) for square in origins])


def _note_appeared(s: Standing, reply: Turn) -> None:
    """A square fills that nobody lifted a unit for: a stray magnet, or the unit just moved on the edge of two squares."""
    squares = [name_of(square) for square in squares_of(reply.filled)]
    doubted = other_landings(s, reply)
    if doubted:
        revise(s, None)
        ask_which_move(s, doubted)
        return
    s.trouble = Trouble(kind="appeared", side=reply.mover, expected=reply.footprints.before, turn=reply.mover)
    s.say("board_disarranged", squares=squares, reason="appeared")


def other_landings(s: Standing, reply: Turn) -> tuple[Move, ...]:
    """The made move and others of its unit that the squares may show as well; empty: there are none.

    A second square has filled and nothing has opened: one of the two reeds sticks. Or, friendly, a unit that it may
    capture has been lifted since and stands again: the first reed may have stuck while the captor was in the air.
    """
    made = s.made
    if made is None or made.move is None or made.footprint.castling or reply.opened or reply.filled.bit_count() > 1:
        return ()
    targets = reply.filled
    if not targets and s.settings.refuses:
        targets = sum(1 << square for square in reply.trace.last_lift if reply.is_own(square))
    return _made_or(
        made.move, (move for move in _of_its_unit(s, made.move) if targets & move.to_bit and not move.promotion)
    )


def made_otherwise(s: Standing) -> tuple[Move, ...]:
    """The made move and others of its unit that make the refused answer legal: a reed may have shown the wrong one."""
    made, reply, trouble = s.made, s.reply, s.trouble
    if made is None or made.move is None or reply is None or trouble is None or trouble.kind != "refused":
        return ()
    attempt = attempted(reply)
    if attempt is None or made.footprint.castling:
        return ()
    answered = (
        move
        for move in _of_its_unit(s, made.move)
        if not isinstance(s.turn.game.play(move).judge(attempt.from_square, attempt.to_square), Illegal)
    )
    return _made_or(made.move, answered)


def _of_its_unit(s: Standing, made: Move) -> list[Move]:
    """The moves of the unit that moved to other squares."""
    moves = s.turn.position.legal_moves()
    return [move for move in moves if move.from_square == made.from_square and move.to_square != made.to_square]


def _made_or(made: Move, others: Iterable[Move]) -> tuple[Move, ...]:
    found = list(others)
    return tuple(sorted((made, *found), key=Move.uci)) if found else ()


def lost_landing(s: Standing) -> int:
    """The landing of the made move if it has opened and the answer reads complete without it: its reed may be lost."""
    made, reply = s.made, s.reply
    if made is None or made.move is None or reply is None:
        return 0
    left = made.footprint.landings & reply.opened
    return left if left and read(reply.footprints, reply.trace_without(left)).complete is not None else 0


def _refuse_reply(s: Standing) -> None:
    """Friendly: what lies on the board is no answer to the made move; it may still be that move going on."""
    made, reply = s.made, s.reply
    if made is None or made.move is None or reply is None or ends.may_be_result_sign(s):
        return
    candidates, lost = vanished(reply)
    if candidates and not lost & made.footprint.landings:
        fix(s)
        ask_which_move(s, candidates, lost=lost)
    else:
        refuse_illegal(s)


def _looks_like_castling(s: Standing, origins: list[int]) -> bool:
    """A rook was set down first and the king followed to its castling square."""
    made, reply = s.made, s.reply
    assert made is not None
    assert reply is not None
    kinds = {s.turn.position.kind_at(made.footprint.legs[0][0]), *(reply.position.kind_at(one) for one in origins)}
    if kinds != {PieceType.KING, PieceType.ROOK}:
        return False
    return any(one.after == reply.trace.occupancy for one in s.turn.footprints.castlings)
