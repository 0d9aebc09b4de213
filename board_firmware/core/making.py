"""A reading becomes a made move: the promotion piece asked, the duty weighed, the end seen; or it is refused.

Made means that the opponent has the move (1.3), not that nothing can change any more: `fix` is called when a press or
a complete reply has made the move final.
"""

from __future__ import annotations

from board_firmware.core import ends, played_on
from board_firmware.core.events import SquareChanged, other_side
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import promotion_pieces
from board_firmware.core.standing import Made, Ply, Question, Standing, Trouble, name_of
from board_firmware.core.touch import Obligation
from board_firmware.core.turn import Turn
from hal.squares import squares_of
from rules import Move, PieceType


def make(s: Standing, one: Footprint, at_ns: int, *, inferred: bool = False, pressed: bool = False) -> None:
    """The move is made: the opponent has the move from now on (1.3); refused in friendly if a duty forbids it."""
    s.seen = None
    s.settle_at_ns = None
    if s.question is not None and s.question.word in ("which_capture", "which_move"):
        s.question = None  # the wood has answered
    if one.promotion:
        duty = s.turn.obligation(released=False)
        if not any(duty.permits(move) for move in one.moves) and _forbidden(s, one.move, duty):
            refuse(s, one.move, duty, rook_first=False)
            return
        chosen = one.move if len(one.moves) == 1 else _bound_promotion(s, one)
        if chosen is None:
            s.made = Made(footprint=one, move=None, at_ns=at_ns, inferred=inferred, pressed=pressed)
            s.reply = _reply_turn(s, one, one.moves[0])
            _ask_promotion(s, one)
            return
        seal(s, one, chosen, at_ns, inferred=inferred)
        return
    seal(s, one, one.move, at_ns, inferred=inferred)


def ask_promotion_again(s: Standing) -> None:
    """A promotion question that another one has displaced comes back when that is answered and the wood is right."""
    made = s.made
    if made is not None and made.move is None and s.question is None and s.trouble is None and not s.ended:
        _ask_promotion(s, made.footprint)


def _bound_promotion(s: Standing, one: Footprint) -> Move | None:
    bound = s.turn.bound
    if bound is None or bound.moves is None:
        return None
    fitting = [move for move in one.moves if move in bound.moves]
    return fitting[0] if len(fitting) == 1 else None


def _reply_turn(s: Standing, one: Footprint, move: Move) -> Turn:
    turn = Turn.fresh(s.turn.game.play(move), s.masked)
    turn.trace.occupancy = s.occupancy | (turn.footprints.before & s.masked)
    return turn


def _ask_promotion(s: Standing, one: Footprint) -> None:
    s.legal = None
    words = []
    if not s.settings.refuses and any(
        ends.by_position(s.turn.game.play(move).position) is not None for move in one.moves
    ):
        words.append("may_be_final")
        s.turn.report("may_be_final")
    squares = _nearest_empty(s, one.move.to_square, len(one.moves), but=_ways_of_the_pawn(s, one))
    letters = [piece.letter for piece in promotion_pieces(one.moves)]
    ordered = [letter for letter in "qrbn" if letter in letters]
    s.ask(
        Question(
            word="promotion_piece",
            candidates=tuple(sorted(one.moves, key=Move.uci)),
            words=tuple(words),
            squares=tuple(zip(squares, ordered, strict=False)),
            side=s.turn.mover,
        )
    )


def _ways_of_the_pawn(s: Standing, one: Footprint) -> frozenset[int]:
    """Where a pawn may still be set down whose victim was perhaps put back: a piece there would be no answer."""
    if len(one.legs) == 1:
        return frozenset()
    origin = one.legs[0][0]
    return frozenset(
        {origin, *(move.to_square for move in s.turn.position.legal_moves() if move.from_square == origin)}
    )


def _nearest_empty(s: Standing, square: int, count: int, but: frozenset[int]) -> list[int]:
    """The empty squares nearest to a square, ties by lowest index (contract, section 7)."""

    def distance(other: int) -> int:
        return max(abs((other & 7) - (square & 7)), abs((other >> 3) - (square >> 3)))

    empty = [other for other in range(64) if not s.occupancy >> other & 1 and other not in but]
    return sorted(empty, key=lambda other: (distance(other), other))[:count]


def is_choice_square(s: Standing, change: SquareChanged) -> bool:
    """Setting a piece on a lit square and lifting it answers the promotion question, and is no touch.

    A piece that comes while a unit of the board is in the air is that unit, not a choice.
    """
    question = s.question
    if question is None or question.word != "promotion_piece":
        s.choice_square = None
        return False
    if change.occupied:
        if change.square in dict(question.squares) and not _may_be_of_the_board(s, change):
            s.choice_square = change.square
            return True
        return False
    if change.square != s.choice_square:
        return False
    s.choice_square = None
    choose_promotion(s, dict(question.squares)[change.square], change.at_ns)
    return True


def _may_be_of_the_board(s: Standing, change: SquareChanged) -> bool:
    """Whether the unit set down may be one of the game's and no piece from beside the board."""
    if s.reply is not None and s.reply.own_in_air():
        return True
    made, trace = s.made, s.turn.trace
    if made is None:
        return False
    origin, landing = made.footprint.legs[0]
    stands = s.occupancy >> landing & 1 and trace.last_place.get(landing, 0) >= trace.last_lift.get(origin, 0)
    return not stands  # else the pawn itself may still be in the hand


def choose_promotion(s: Standing, letter: str, at_ns: int) -> bool:
    """Answer the promotion question; False if it is not open or the piece is not among the choices."""
    made = s.made
    if made is None or made.move is not None or s.question is None or s.question.word != "promotion_piece":
        return False
    move = next((move for move in made.footprint.moves if move.promotion and move.promotion.letter == letter), None)
    if move is None:
        return False
    s.say("answered", ask="promotion_piece", choice=letter, move=move)
    s.question = None
    s.turn.unreport("may_be_final", "promotion_unspecified")
    pressed = made.pressed
    if s.reply is not None:
        played_on.wind_back(s, s.turn, s.reply.trace.changes)
    s.made = s.reply = None
    seal(s, made.footprint, move, made.at_ns, inferred=made.inferred)
    if pressed and s.made is not None and not s.ended:
        side = s.turn.mover
        fix(s)
        s.complete_last(side, pressed=True, at_ns=at_ns)
    return True


def seal(s: Standing, one: Footprint, move: Move, at_ns: int, *, inferred: bool = False) -> None:
    """A move with its promotion piece known becomes the made move, or is refused."""
    turn = s.turn
    if one.castling:
        _believe_king_first(s, one)
    duty = turn.obligation(released=False)
    turn.unreport("possible_release_change")
    for word in turn.release_words(*one.legs[0]):
        turn.report(word)
    rook_first = _rook_first(s, one, move)
    broken = not duty.permits(move) and not _tolerated(s, one, duty)
    if _forbidden(s, move, duty) and (rook_first or broken):
        refuse(s, move, duty, rook_first)
        return
    breach: list[str] = []
    if rook_first:
        turn.report("castling_rook_first")
        breach.append("castling_rook_first")
    elif broken and s.settings.touch_move != "off":
        breach.append(_touch_breach(s, duty))
    for word in breach:
        s.violate(word, article=duty.article)
    if one.castling and one.after == turn.footprints.before:
        turn.report("transposition_castling")
    s.made = Made(footprint=one, move=move, at_ns=at_ns, inferred=inferred, breach=tuple(breach))
    s.legal = True
    s.move_void = False
    s.trouble = None
    s.reply = _reply_turn(s, one, move)
    s.touched_since = False
    s.claim_open = True if breach else None
    s.undo = None
    s.turn.unreport("may_be_final")
    s.say("move_made", final=False, article="4.7", move=move, side=turn.mover, inferred=inferred or None)
    complete_earlier(s)
    outcome = ends.by_move(s.reply.game)
    if outcome is None:
        ends.look_deeper(s)
        return
    if breach:
        turn.report("mate_not_final")
        return
    s.ended_by_move = True
    ends.finish(s, outcome.result, outcome.termination)


def _believe_king_first(s: Standing, one: Footprint) -> None:
    """A king whose reed never opened was touched unseen: nobody can say that the rook was touched before."""
    turn, (king_from, king_to) = s.turn, one.legs[0]
    if king_from != king_to and king_from not in turn.touched_squares():
        turn.touched.insert(0, (turn.touched[0][0] if turn.touched else s.now_ns, [king_from]))


def _forbidden(s: Standing, move: Move, duty: Obligation) -> bool:
    """Whether this profile refuses a move that breaks the duty.

    A duty that rests only on an enemy unit lifted and put back is shown and reported, but nobody is held to it.
    """
    if s.settings.touch_move != "enforce":
        return False
    enforced = s.turn.obligation(verified=True, released=False) if s.settings.refuses else duty
    return not duty.permits(move) and not enforced.permits(move)


def _tolerated(s: Standing, one: Footprint, duty: Obligation) -> bool:
    """Castling begun with its own rook where the event allows either order."""
    if s.settings.castling != "either" or not one.castling or duty.own != one.legs[1][0]:
        return False
    s.turn.report("castling_rook_first")
    return True


def complete_earlier(s: Standing) -> None:
    """The player's next move completes his last one (6.2.1.2); with no clock the opponent's reply does."""
    side = s.turn.mover
    if s.has_clock:
        unpressed = [ply for ply in s.plies if ply.side == side and not ply.completed]
        if unpressed:
            s.complete_last(side, pressed=False, at_ns=s.now_ns)
            s.turn.report("unpressed_moves")
    else:
        s.complete_last(other_side(side), pressed=False, at_ns=s.now_ns)


def _touch_breach(s: Standing, duty: Obligation) -> str:
    square = duty.broken_square
    word = f"touch_move:{name_of(square)}" if square is not None else "touch_move"
    report = word.replace("touch_move", "touch_move_violation")
    s.turn.report(report)
    s.say("touch_broken", article=duty.article, square=None if square is None else name_of(square), owed=duty.word)
    return word


def _rook_first(s: Standing, one: Footprint, move: Move) -> bool:
    """Whether this castling was begun with the rook (4.4.2); castling by the rook alone cannot be."""
    if not one.castling or s.settings.castling == "either":
        return False
    (king_from, king_to), (rook_from, _) = one.legs
    if king_from == king_to:
        return False
    order = [square for _, group in s.turn.touched for square in sorted(group, key=lambda sq: sq != king_from)]
    if rook_from not in order or king_from not in order:
        return False
    return order.index(rook_from) < order.index(king_from) and not s.turn.obligation(released=False).permits(move)


def refuse(s: Standing, move: Move, duty: Obligation, rook_first: bool) -> None:
    """A legal move that breaks a duty is refused: it goes back, and the duty stays."""
    turn = s.turn
    s.seen = None
    s.legal = True
    if rook_first:
        word = "castling_rook_first"
        turn.report(word)
        turn.may_release = False
    else:
        word = f"touch_move:{name_of(duty.broken_square)}" if duty.broken_square is not None else "touch_move"
        turn.report(word.replace("touch_move", "touch_move_violation"))
    s.violate(word, article="4.4.2" if rook_first else duty.article)
    words = tuple(one for one in turn.words if one.startswith(("touch_move_violation", "castling_rook_first")))
    s.trouble = Trouble(
        kind="refused",
        side=turn.mover,
        expected=turn.footprints.before,
        turn=turn.mover,
        words=words,
        move=move,
    )
    s.say("touch_broken", article=duty.article, move=move, owed=duty.word, refused=True)


def refuse_illegal(s: Standing) -> None:
    """Refuse what lies on the board, with its reasons."""
    turn = s.moving
    attempt = attempted(turn)
    s.legal = False
    s.trouble = Trouble(
        kind="refused" if turn.opened else "appeared",
        side=turn.mover,
        expected=turn.footprints.before,
        turn=turn.mover,
        move=attempt,
    )
    s.say("move_illegal", final=False, article="3.10", move=attempt, reasons=ends.reasons(turn.game, attempt))


def attempted(turn: Turn) -> Move | None:
    """The move that somebody tried, where the wood names one: one unit gone and one square filled, or captured upon."""
    opened, filled = list(squares_of(turn.opened)), list(squares_of(turn.filled))
    own = [square for square in opened if turn.is_own(square)]
    if len(own) == 1 and len(filled) == 1:
        return Move(own[0], filled[0])
    if len(opened) == 1 and len(filled) == 1:
        return Move(opened[0], filled[0])
    if len(own) == 2 and len(filled) == 2:
        king = next((square for square in own if turn.position.kind_at(square) is PieceType.KING), None)
        if king is not None:
            return Move(king, max(filled, key=lambda square: abs(square - king)))
    if len(own) == 1 and not filled:
        last = max(
            (
                square
                for square in turn.trace.last_place
                if turn.is_enemy(square) and square in turn.trace.last_lift and turn.trace.occupancy >> square & 1
            ),
            key=lambda square: turn.trace.last_place[square],
            default=None,
        )
        if last is not None:
            return Move(own[0], last)
    return None


def fix(s: Standing) -> None:
    """The made move can no longer be revised: it enters the game, and the younger turn becomes the turn."""
    made, reply, turn = s.made, s.reply, s.turn
    assert made is not None
    assert made.move is not None
    assert reply is not None
    if s.question is not None and s.question.word == "promotion_piece":
        s.question = None  # the piece that was on the board first stays
    before = s.at_turn_start()
    s.plies.append(
        Ply(
            move=made.move,
            side=turn.mover,
            before=before,
            touched=tuple((at_ns, tuple(group)) for at_ns, group in turn.touched),
            words=tuple(turn.words),
            breach=made.breach,
            at_ns=made.at_ns,
            inferred=made.inferred,
            irregular=made.irregular,
        )
    )
    s.game = reply.game
    s.last_words = list(turn.words)
    s.turn, s.reply, s.made = reply, None, None
    if s.trouble is not None and s.trouble.kind == "moved_after_release":
        s.trouble = None


def fix_answered(s: Standing, answer: Footprint) -> None:
    """The opponent's answer reads complete: it makes the move final and is the younger turn's reading."""
    fix(s)
    s.seen = answer
    s.say("move_seen", final=False, move=answer.move)
