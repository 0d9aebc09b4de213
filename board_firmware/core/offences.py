"""Article 7.5: what an illegal move, a press without a move, two hands or a pawn left standing costs, and what it leaves.

One move counts once, with all its violations listed. The first offence is added time to the opponent, proposed or
applied as the settings say; the second by the same player ends the game, drawn if the opponent cannot mate (7.5.5).

Source: FIDE Laws of Chess 2023, 7.5, A.3, A.5.2, B.3; Arbiters' Manual on the increment and on two faults in one move.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core import ends
from board_firmware.core.events import Side, other_side
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import Trace, committed, read
from board_firmware.core.making import attempted, complete_earlier, fix, make
from board_firmware.core.penalties import penalise, waive_penalty
from board_firmware.core.standing import Made, Ply, Standing, Trouble, TroubleKind, name_of
from board_firmware.core.turn import Turn
from hal.squares import squares_of
from rules import Game, Move, PieceType, Setup, SetupError, Termination


def count(s: Standing, side: Side) -> bool:
    """Count an offence of 7.5 and propose what it costs; False if it was the second and the game is over."""
    if s.settings.penalties == "none":
        return True
    s.illegal[side] += 1
    opponent = other_side(side)
    if s.illegal[side] >= 2:
        s.moving.report("second_illegal_move")
        if ends.no_mate_possible(s, opponent):
            ends.finish(s, "1/2-1/2", Termination.SECOND_ILLEGAL_MOVE_NO_MATING_MATERIAL, "7.5.5")
        else:
            ends.want_proof(s, opponent)
            ends.finish(s, ends.win(opponent), Termination.SECOND_ILLEGAL_MOVE, "7.5.5")
        return False
    penalise(s, "add_time", opponent, s.settings.penalty_s)
    return True


def uncount(s: Standing, side: Side) -> None:
    """Take one counted offence back, with its proposed penalty."""
    if s.illegal[side]:
        s.illegal[side] -= 1
        waive_penalty(s)


def illegal_move(s: Standing, at_ns: int) -> None:
    """An illegal move completed by the press (7.5.1): the position before it is reinstated."""
    turn = s.turn
    side = turn.mover
    attempt = attempted(turn)
    s.legal = False
    s.violate("illegal_move_completed", article="7.5.1")
    turn.report("illegal_move_completed")
    turn.unreport("illegal_not_completed")
    if _king_taken(turn):
        s.violate("king_captured", article="1.4.1")
        turn.report(f"king_lifted:{name_of(turn.position.king(turn.position.turn.other))}")
    s.say("move_illegal", article="7.5.1", move=attempt, side=side, reasons=ends.reasons(turn.game, attempt))
    _stand_over(s, "illegal", at_ns, attempt, ("illegal_move_completed",))


def press_without_move(s: Standing, at_ns: int) -> None:
    """A press with nothing moved (7.5.3): as an illegal move."""
    s.legal = None
    s.violate("press_without_move", article="7.5.3")
    s.turn.report("press_without_move")
    _stand_over(s, "press_without_move", at_ns, None, ("press_without_move",))


def press_in_the_air(s: Standing, at_ns: int) -> None:
    """A press with units off the board and none set down."""
    s.legal = None
    s.violate("press_without_move", article="7.5.3")
    word = "pressed_with_piece_in_air:" + ",".join(name_of(square) for square in squares_of(s.turn.opened))
    s.turn.report(word)
    _stand_over(s, "in_the_air", at_ns, None, (word,))


def _king_taken(turn: Turn) -> bool:
    """The enemy king left its square, whether or not the square was filled again."""
    king = turn.position.king(turn.position.turn.other)
    return king in turn.trace.last_lift and bool(turn.own_in_air())


def _stand_over(s: Standing, kind: TroubleKind, at_ns: int, attempt: Move | None, words: tuple[str, ...]) -> None:
    """The common end of 7.5.1 and 7.5.3: count, pause, restore, and carry the duties over."""
    turn = s.turn
    side = turn.mover
    release = committed(turn.footprints, turn.trace) if turn.may_release else ()
    if kind == "illegal":
        turn.must_castle = False
    turn.kept = release
    if turn.bound is None and s.question is not None and s.question.word == "promotion_piece":
        s.question = None
    s.seen = None
    s.settle_at_ns = None
    s.press = None
    if s.settings.stands_if_answered and not s.settings.arbiter_present:
        _leave_to_opponent(s, attempt, at_ns)
        return
    s.trouble = Trouble(
        kind=kind,
        side=side,
        expected=turn.footprints.before,
        needs_resume=s.has_clock,
        turn=side,
        words=(*words, "second_illegal_move"),
        move=attempt,
    )
    if not count(s, side):
        return
    s.pause(at_ns)
    s.alternative = _after_illegal(s, attempt) if s.settings.stands_if_answered else None


def _leave_to_opponent(s: Standing, attempt: Move | None, at_ns: int) -> None:
    """A.5 with no arbiter there: nothing is counted; the clock passes, and the opponent may complain or answer."""
    side = s.turn.mover
    opponent = other_side(side)
    s.trouble = Trouble(
        kind="illegal", side=side, expected=s.turn.footprints.before, turn=opponent, move=attempt,
        words=("illegal_move_completed",),
    )  # fmt: skip
    s.claim_open = True
    s.clock = s.clock.press(side, at_ns)
    s.lever = opponent
    s.alternative = _after_illegal(s, attempt)


def _after_illegal(s: Standing, attempt: Move | None) -> Turn | None:
    """The opponent's turn from the position that the illegal move left on the board, if the wood names one."""
    if attempt is None:
        return None
    game = game_after_illegal(s.turn.game, attempt, s.occupancy)
    return None if game is None else Turn.fresh(game, s.masked)


def game_after_illegal(game: Game, attempt: Move, occupancy: int) -> Game | None:
    """The game set up as an illegal move has left the board; None if no game can go on from there."""
    position = game.position
    pieces = dict(position.pieces_by_square())
    unit = pieces.pop(attempt.from_square, None)
    if unit is None:
        return None
    if unit.kind is PieceType.PAWN and attempt.to_square >> 3 in (0, 7):
        return None
    for square in squares_of(position.occupied & ~occupancy):
        pieces.pop(square, None)
    pieces[attempt.to_square] = unit
    rights = position.castling
    for square in squares_of(rights):
        rook = pieces.get(square)
        king_moved = unit.kind is PieceType.KING
        ours = rook is not None and rook.color is position.turn
        if rook is None or rook.kind is not PieceType.ROOK or square == attempt.to_square or (ours and king_moved):
            rights &= ~(1 << square)
    quiet = unit.kind is not PieceType.PAWN and len(pieces) == position.occupied.bit_count()
    setup = Setup(
        pieces=pieces,
        turn=position.turn.other,
        castling=rights,
        halfmove_clock=position.halfmove_clock + 1 if quiet else 0,
        fullmove_number=position.fullmove_number + (position.turn.name == "BLACK"),
        chess960=position.chess960,
    )
    try:
        after = Game.from_setup(setup)
    except SetupError:
        return None
    return after if after.position.occupied == occupancy else None


def answer_to_illegal(s: Standing) -> None:
    """The opponent has made his next move: the illegal one stands (A.5.2)."""
    turn, seen, trouble = s.alternative, s.alternative_seen, s.trouble
    if turn is None or seen is None or trouble is None or trouble.move is None:
        return
    offender = trouble.side
    if trouble.needs_resume:
        uncount(s, offender)
        s.clock = s.clock.resume(other_side(offender), s.now_ns)
        s.paused = None
    s.plies.append(
        Ply(
            move=trouble.move, side=offender, before=s.at_turn_start(), touched=(), words=(), breach=(),
            completed=True, pressed=True, at_ns=s.now_ns, irregular=True,
        )
    )  # fmt: skip
    s.completed[offender] += 1
    s.lever = other_side(offender)
    s.game, s.turn = turn.game, turn
    s.trouble = s.alternative = s.alternative_seen = None
    s.claim_open = None
    s.last_words = []
    turn.report(f"illegal_move_stands:{trouble.move.uci()}")
    s.say("illegal_move_stands", article="A.5.2", move=trouble.move, side=offender)
    make(s, seen, s.now_ns)


def answered_illegal(s: Standing) -> bool:
    """Whether an illegal move that nobody pressed on has been answered by a legal one from the board as it is."""
    turn = s.turn
    if s.seen is not None or s.trouble is not None or not turn.filled:
        return False
    for index, change in enumerate(turn.trace.changes):
        if index == 0 or change.occupied or not turn.is_enemy(change.square):
            continue
        before = Turn.fresh(turn.game, turn.masked)
        before.trace = Trace(turn.footprints.before, turn.trace.changes[:index])
        attempt = attempted(before)
        game = None if attempt is None else game_after_illegal(turn.game, attempt, before.trace.occupancy)
        if attempt is None or game is None:
            continue
        answer = Turn.fresh(game, turn.masked)
        for later in turn.trace.changes[index:]:
            answer.trace.add(later)
            if not later.occupied:
                answer.touch(later.square, later.at_ns)
        seen = read(answer.footprints, answer.trace).complete
        if seen is not None:
            _reply_to_illegal(s, attempt, answer, seen)
            return True
    return False


def _reply_to_illegal(s: Standing, attempt: Move, answer: Turn, seen: Footprint) -> None:
    """Under A.5 the illegal move stands now; else nobody has the move until the arbiter rules."""
    side = s.turn.mover
    s.legal = False
    s.turn.unreport("illegal_not_completed")
    s.trouble = Trouble(
        kind="reply_to_illegal", side=side, expected=s.turn.footprints.before, needs_resume=s.has_clock, turn=None,
        words=("reply_to_illegal",), move=attempt,
    )  # fmt: skip
    if s.settings.stands_if_answered:
        s.alternative, s.alternative_seen = answer, seen
        s.trouble = replace(s.trouble, needs_resume=False)
        answer_to_illegal(s)
        return
    s.turn.report("reply_to_illegal")
    s.pause(s.now_ns)
    s.say("move_illegal", final=False, article="7.5.1", move=attempt, side=side, answered=True)


def illegal_objection(s: Standing) -> None:
    """The opponent stops the clock over an illegal move that lies there unpressed: the arbiter must rule."""
    attempt = attempted(s.turn)
    s.legal = False
    s.trouble = Trouble(
        kind="objection", side=s.turn.mover, expected=s.turn.footprints.before, needs_resume=s.has_clock, turn=s.turn.mover,
        move=attempt,
    )  # fmt: skip
    s.pause(s.now_ns)
    s.say("move_illegal", final=False, article="7.5.1", move=attempt, side=s.turn.mover)


def two_hands(s: Standing, side: Side) -> None:
    """Two hands made one move and the clock was pressed (7.5.4): as an illegal move, which stands."""
    s.two_hands = None
    s.violate("two_hands", article="7.5.4")
    _move_stands(s, side, "two_hands")


def promotion_missing(s: Standing, side: Side, at_ns: int) -> None:
    """A pawn left on the last rank and the clock pressed (7.5.2): it becomes a queen, the move counts as illegal."""
    made = s.made
    assert made is not None
    queen = next(move for move in made.footprint.moves if move.promotion is PieceType.QUEEN)
    s.question = None
    s.turn.unreport("may_be_final", "promotion_unspecified")
    s.turn.report("promotion_missing")
    s.violate("promotion_missing", article="7.5.2")
    s.made = Made(footprint=made.footprint, move=queen, at_ns=made.at_ns)
    reply = Turn.fresh(s.turn.game.play(queen), s.masked)
    if s.reply is not None:
        reply.trace, reply.touched, reply.words = s.reply.trace, s.reply.touched, s.reply.words
    s.reply = reply
    s.say("move_made", move=queen, side=side, article="7.5.2")
    complete_earlier(s)
    fix(s)
    s.complete_last(side, pressed=True, at_ns=at_ns)
    s.legal = False
    outcome = ends.by_move(s.game)
    if outcome is not None:
        s.illegal[side] += 1
        s.ended_by_move = True
        ends.finish(s, outcome.result, str(outcome.termination))
        return
    _move_stands(s, side, "promotion_missing")


def _move_stands(s: Standing, side: Side, kind: TroubleKind) -> None:
    """7.5.2 and 7.5.4: counted, paused, and the game goes on from the position on the board."""
    s.trouble = Trouble(
        kind=kind, side=side, expected=s.position.occupied, needs_resume=s.has_clock, turn=other_side(side)
    )  # fmt: skip
    if count(s, side):
        s.pause(s.now_ns)
