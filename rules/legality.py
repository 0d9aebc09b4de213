"""Is this move legal, and if not, why: every reason that holds, the decisive one first, with its squares and article.

The generator in `legal_moves` never asks why; this file never lists. The two share only the attack tables, so each can
prove the other: a move is in the list exactly when no reason is found against it.

A position alone cannot tell why a right is gone. Given the game (`Past`), the reasons say whether the king or the rook
moved, whether the rook was taken, and which move let an en passant capture lapse.

Source: FIDE Laws of Chess 2023, Articles 1.4.1, 3.1 to 3.10.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.attacks import BLACK_PAWN, DIAGONALS, KING, KNIGHT, ORTHOGONALS, WHITE_PAWN, between
from rules.board import Board
from rules.castling_reasons import castling_attempt, castling_reasons
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.past import Past, double_step_past
from rules.pieces import PAWN, PROMOTIONS, WHITE, PieceType
from rules.reasons import (
    BISHOP_WAY,
    EN_PASSANT,
    EN_PASSANT_AT_ONCE,
    KING_SAFETY,
    KING_WAY,
    KNIGHT_WAY,
    LEGAL_MOVE,
    NO_KING_CAPTURE,
    NOT_OVER_UNITS,
    OWN_SQUARE,
    PAWN_CAPTURE,
    PAWN_DOUBLE_STEP,
    PAWN_STEP,
    PROMOTION,
    QUEEN_WAY,
    ROOK_WAY,
    TURN,
    Reason,
    Word,
)
from rules.squares import squares_of


@dataclass(frozen=True, slots=True)
class Legal:
    """The move is legal."""

    move: Move


@dataclass(frozen=True, slots=True)
class PromotionNeeded:
    """The move is legal once the pawn's new piece is chosen; `choices` are the four moves, queen first."""

    choices: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Illegal:
    """The move is not legal; `reasons` holds all that is wrong with it, the decisive reason first."""

    reasons: tuple[Reason, ...]


Verdict = Legal | PromotionNeeded | Illegal


def judge(
    board: Board,
    from_square: int,
    to_square: int,
    promotion: PieceType | None = None,
    *,
    game: Past | None = None,
) -> Verdict:
    """Say whether the side to move may go from one square to another.

    `game`, if given, is the game that led to this position: with it the reasons tell how a right was lost, and no move
    is legal once the game is over.
    """
    move = Move(from_square, to_square, promotion)
    if move in legal_moves(board) and (game is None or game.outcome() is None):
        return Legal(move)
    reasons = why_illegal(board, from_square, to_square, promotion, game=game)
    if len(reasons) == 1 and reasons[0].word is Word.PROMOTION_MISSING:
        return PromotionNeeded(tuple(Move(from_square, to_square, kind) for kind in PROMOTIONS))
    return Illegal(reasons)


def why_illegal(
    board: Board,
    from_square: int,
    to_square: int,
    promotion: PieceType | None = None,
    *,
    game: Past | None = None,
) -> tuple[Reason, ...]:
    """Find all that is wrong with a move, the decisive reason first. Empty exactly when the move is legal."""
    reasons = _wrong_unit(board, from_square) or _wrong_move(board, from_square, to_square, game)
    reasons += _wrong_promotion(board, from_square, to_square, promotion)
    outcome = game.outcome() if game is not None else None
    if outcome is not None:
        reasons.append(Reason(word=Word.GAME_OVER, article=outcome.article))
    if not reasons and promotion is None and _promotes(board, from_square, to_square):
        reasons.append(Reason(word=Word.PROMOTION_MISSING, squares=(to_square,), article=PROMOTION))
    return tuple(reasons)


def _wrong_unit(board: Board, from_square: int) -> list[Reason]:
    color = board.color_at(from_square)
    if color is None:
        return [Reason(word=Word.NO_PIECE, squares=(from_square,), article=LEGAL_MOVE)]
    if color is not board.turn:
        return [Reason(word=Word.WRONG_COLOR, squares=(from_square,), article=TURN)]
    return []


def _wrong_move(board: Board, from_square: int, to_square: int, game: Past | None) -> list[Reason]:
    """Judge a move of an own unit, whatever a pawn turns into."""
    castling = castling_attempt(board, from_square, to_square)
    if castling is not None:
        return castling_reasons(board, castling, game)
    kind = board.kind_at(from_square)
    if kind is None or kind is PAWN:
        reasons = _wrong_pawn_move(board, from_square, to_square, game)
    else:
        reasons = _wrong_piece_move(board, kind, from_square, to_square)
    if board.by_color(board.turn) >> to_square & 1:
        if from_square != to_square:
            reasons.append(Reason(word=Word.OWN_PIECE_THERE, squares=(to_square,), article=OWN_SQUARE))
    elif board.kings >> to_square & 1:
        reasons.append(Reason(word=Word.KING_CANNOT_BE_CAPTURED, squares=(to_square,), article=NO_KING_CAPTURE))
    elif not any(reason.word in _NO_SUCH_MOVE for reason in reasons):
        reasons += _unsafe_king(board, from_square, to_square)
    return reasons


_NO_SUCH_MOVE = frozenset(
    {
        Word.NOT_ITS_WAY,
        Word.NOTHING_TO_CAPTURE,
        Word.EN_PASSANT_TOO_LATE,
        Word.EN_PASSANT_NEVER,
        Word.PAWN_CANNOT_CAPTURE_FORWARD,
    }
)
"""After these it makes no sense to ask what the move would do to the king."""

_LINES = {
    PieceType.BISHOP: (DIAGONALS,),
    PieceType.ROOK: (ORTHOGONALS,),
    PieceType.QUEEN: (DIAGONALS, ORTHOGONALS),
}
_WAYS = {
    PieceType.KNIGHT: KNIGHT_WAY,
    PieceType.BISHOP: BISHOP_WAY,
    PieceType.ROOK: ROOK_WAY,
    PieceType.QUEEN: QUEEN_WAY,
    PieceType.KING: KING_WAY,
}


def _wrong_piece_move(board: Board, kind: PieceType, from_square: int, to_square: int) -> list[Reason]:
    if kind is PieceType.KNIGHT:
        reach = KNIGHT[from_square]
    elif kind is PieceType.KING:
        reach = KING[from_square]
    else:
        reach = 0
        for lines in _LINES[kind]:
            reach |= lines[from_square].reach
    if not reach >> to_square & 1:
        return [Reason(word=Word.NOT_ITS_WAY, squares=(from_square, to_square), article=_WAYS[kind])]
    if kind in _LINES:
        blockers = squares_of(between(from_square, to_square) & board.occupied)
        if blockers:
            return [Reason(word=Word.BLOCKED, squares=blockers, article=NOT_OVER_UNITS)]
    return []


def _wrong_pawn_move(board: Board, from_square: int, to_square: int, game: Past | None) -> list[Reason]:
    forward, first_rank = (8, 1) if board.turn is WHITE else (-8, 6)
    enemy = board.by_color(board.turn.other)
    step = to_square - from_square
    if step == forward or (step == 2 * forward and from_square >> 3 == first_rank):
        reasons = []
        passed = between(from_square, to_square) & board.occupied
        if passed:
            reasons.append(Reason(word=Word.BLOCKED, squares=squares_of(passed), article=PAWN_DOUBLE_STEP))
        if enemy >> to_square & 1:
            article = PAWN_STEP if step == forward else PAWN_DOUBLE_STEP
            reasons.append(Reason(word=Word.PAWN_CANNOT_CAPTURE_FORWARD, squares=(to_square,), article=article))
        return reasons
    attacks = WHITE_PAWN if board.turn is WHITE else BLACK_PAWN
    if not attacks[from_square] >> to_square & 1:
        article = PAWN_DOUBLE_STEP if step == 2 * forward else PAWN_STEP
        return [Reason(word=Word.NOT_ITS_WAY, squares=(from_square, to_square), article=article)]
    if board.occupied >> to_square & 1 or to_square == board.double_step:
        return []
    return [_no_capture(board, to_square, to_square - forward, game)]


def _no_capture(board: Board, to_square: int, beside: int, game: Past | None) -> Reason:
    """A pawn steps aside to an empty square: perhaps it means a pawn beside it that it might once have taken."""
    enemy_pawns = board.pawns & board.by_color(board.turn.other)
    capture_rank = 5 if board.turn is WHITE else 2
    if to_square >> 3 != capture_rank or not enemy_pawns >> beside & 1:
        return Reason(word=Word.NOTHING_TO_CAPTURE, squares=(to_square,), article=PAWN_CAPTURE)
    maybe, instead = double_step_past(game, beside) if game is not None else (True, None)
    if not maybe:
        return Reason(word=Word.EN_PASSANT_NEVER, squares=(beside,), article=EN_PASSANT)
    by = (instead.from_square, instead.to_square) if instead else ()
    return Reason(word=Word.EN_PASSANT_TOO_LATE, squares=(beside,), by=by, article=EN_PASSANT_AT_ONCE)


def _unsafe_king(board: Board, from_square: int, to_square: int) -> list[Reason]:
    """Say who attacks the king once the move is made; pinned attackers count (3.9.1)."""
    enemy = board.turn.other
    landing = 1 << to_square
    after = board.occupied & ~(1 << from_square) | landing
    king = board.king(board.turn)
    if king == from_square:
        king = to_square
    takes_in_passing = to_square == board.double_step and board.pawns >> from_square & 1
    if not takes_in_passing or (from_square ^ to_square) & 7 == 0:
        attackers = board.attackers(enemy, king, after) & ~landing
        exposed = 0
    else:
        victim = 1 << (to_square - 8 if board.turn is WHITE else to_square + 8)
        attackers = board.attackers(enemy, king, after) & ~victim
        exposed = board.attackers(enemy, king, after & ~victim) & ~victim & ~attackers
    reasons = []
    for word, by in ((Word.EN_PASSANT_EXPOSES_KING, exposed), (Word.LEAVES_KING_IN_CHECK, attackers)):
        if by:
            reasons.append(Reason(word=word, squares=(king,), by=squares_of(by), article=KING_SAFETY))
    return reasons


def _promotes(board: Board, from_square: int, to_square: int) -> bool:
    """Whether an own pawn goes to its last rank."""
    own_pawns = board.pawns & board.by_color(board.turn)
    return bool(own_pawns >> from_square & 1) and to_square >> 3 == (7 if board.turn is WHITE else 0)


def _wrong_promotion(board: Board, from_square: int, to_square: int, promotion: PieceType | None) -> list[Reason]:
    if promotion is None:
        return []
    if not _promotes(board, from_square, to_square):
        return [Reason(word=Word.PROMOTION_TOO_EARLY, squares=(to_square,), article=PROMOTION)]
    if promotion not in PROMOTIONS:
        return [Reason(word=Word.PROMOTION_PIECE_NOT_ALLOWED, squares=(to_square,), article=PROMOTION)]
    return []
