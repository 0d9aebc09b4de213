"""Why a side may not castle: each condition of Article 3.8.2 apart."""

from __future__ import annotations

from rules.board import Board
from rules.castling import Castling, castling_of
from rules.past import Past, castling_past
from rules.pieces import WHITE
from rules.reasons import (
    CASTLING_ATTACKED,
    CASTLING_LOST,
    CASTLING_LOST_BY_KING,
    CASTLING_LOST_BY_ROOK,
    CASTLING_NOT_FREE,
    Reason,
    Word,
)
from rules.squares import squares_of


def castling_attempt(board: Board, from_square: int, to_square: int) -> Castling | None:
    """Read a move as castling, legal or not: the king goes two squares from e1 (Chess960: onto his own rook)."""
    own = board.by_color(board.turn)
    home = 0 if board.turn is WHITE else 7
    if not board.kings & own & 1 << from_square or from_square >> 3 != home or to_square >> 3 != home:
        return None
    if board.chess960:
        return castling_of(from_square, to_square) if board.rooks & own & 1 << to_square else None
    if from_square & 7 != 4 or abs(to_square - from_square) != 2:
        return None
    return castling_of(from_square, from_square + (3 if to_square > from_square else -4))


def castling_reasons(board: Board, castling: Castling, game: Past | None) -> list[Reason]:
    """Find all that forbids a castling, what is lost for good first."""
    reasons = []
    if not board.castling >> castling.rook_from & 1:
        reasons += _lost(board, castling, game)
    occupied = board.white | board.black
    in_the_way = squares_of(castling.free & occupied)
    if in_the_way:
        reasons.append(Reason(word=Word.CASTLING_BLOCKED, squares=in_the_way, article=CASTLING_NOT_FREE))

    enemy, king = board.turn.other, 1 << castling.king_from
    checkers = squares_of(board.attackers(enemy, castling.king_from))
    if checkers:
        reasons.append(
            Reason(word=Word.CASTLING_IN_CHECK, squares=(castling.king_from,), by=checkers, article=CASTLING_ATTACKED)
        )
    without_king = occupied & ~king
    crossed = castling.king_path & ~(1 << castling.king_to)
    attacked = tuple(square for square in squares_of(crossed) if board.attackers(enemy, square, without_king))
    if attacked:
        by = 0
        for square in attacked:
            by |= board.attackers(enemy, square, without_king)
        reasons.append(
            Reason(word=Word.CASTLING_THROUGH_ATTACK, squares=attacked, by=squares_of(by), article=CASTLING_ATTACKED)
        )
    after = without_king & ~(1 << castling.rook_from) | 1 << castling.rook_to | 1 << castling.king_to
    attackers = board.attackers(enemy, castling.king_to, after)
    if castling.king_path:
        attackers |= board.attackers(enemy, castling.king_to, without_king)
    if attackers:
        reasons.append(
            Reason(
                word=Word.CASTLING_INTO_ATTACK,
                squares=(castling.king_to,),
                by=squares_of(attackers),
                article=CASTLING_ATTACKED,
            )
        )
    return reasons


def _lost(board: Board, castling: Castling, game: Past | None) -> list[Reason]:
    """Say why a right is not there any more."""
    king, rook = castling.king_from, castling.rook_from
    own_rook_there = bool(board.rooks & board.by_color(board.turn) & 1 << rook)
    no_rook = Reason(word=Word.CASTLING_NO_ROOK, squares=(rook,), article=CASTLING_LOST_BY_ROOK)
    right_lost = Reason(word=Word.CASTLING_RIGHT_LOST, squares=(king, rook), article=CASTLING_LOST)
    if game is None:
        return [right_lost if own_rook_there else no_rook]
    past = castling_past(game, board.turn, rook)
    reasons = []
    if past.king_moved:
        reasons.append(Reason(word=Word.CASTLING_KING_MOVED, squares=(king,), article=CASTLING_LOST_BY_KING))
    if past.rook_moved:
        reasons.append(Reason(word=Word.CASTLING_ROOK_MOVED, squares=(rook,), article=CASTLING_LOST_BY_ROOK))
    if past.rook_captured:
        reasons.append(Reason(word=Word.CASTLING_ROOK_CAPTURED, squares=(rook,), article=CASTLING_LOST_BY_ROOK))
    if not own_rook_there or past.rook_now != rook:
        reasons.append(no_rook)
    if not past.right_at_start and (own_rook_there or not reasons):
        reasons.append(right_lost)
    return reasons
