"""The words for what is wrong with a move, and the articles they rest on.

A reason is for machines: a word that never changes, squares, and who is to blame. The sentence for people is made
elsewhere, in their language.

Source: FIDE Laws of Chess 2023; article numbers are those of that edition.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from rules.squares import SQUARE_NAMES


class Word(enum.StrEnum):
    """Why a move is not legal."""

    NO_PIECE = "no_piece"
    """Nothing stands on the square it starts from."""
    WRONG_COLOR = "wrong_color"
    """The unit is the opponent's, or it is the opponent's turn."""
    NOT_ITS_WAY = "not_its_way"
    """Such a unit does not move like this."""
    BLOCKED = "blocked"
    """`squares`: those in between that are occupied."""
    OWN_PIECE_THERE = "own_piece_there"
    KING_CANNOT_BE_CAPTURED = "king_cannot_be_captured"
    """Only after an illegal move can the opponent's king stand where he could be taken."""
    PAWN_CANNOT_CAPTURE_FORWARD = "pawn_cannot_capture_forward"
    NOTHING_TO_CAPTURE = "nothing_to_capture"
    """A pawn steps aside only to capture."""
    EN_PASSANT_TOO_LATE = "en_passant_too_late"
    """The double step was not the last move. `squares`: the pawn; `by`: the move played instead, if known."""
    EN_PASSANT_NEVER = "en_passant_never"
    """The pawn did not come by a double step. `squares`: the pawn."""
    EN_PASSANT_EXPOSES_KING = "en_passant_exposes_king"
    """With the captured pawn gone, the king is attacked. `squares`: the king; `by`: the attackers."""
    LEAVES_KING_IN_CHECK = "leaves_king_in_check"
    """`squares`: where the king then stands; `by`: the units that attack him."""
    CASTLING_KING_MOVED = "castling_king_moved"
    CASTLING_ROOK_MOVED = "castling_rook_moved"
    CASTLING_ROOK_CAPTURED = "castling_rook_captured"
    CASTLING_NO_ROOK = "castling_no_rook"
    """No rook there, or not the one that stood there from the start."""
    CASTLING_RIGHT_LOST = "castling_right_lost"
    """The position came without the right; how it was lost is not known."""
    CASTLING_BLOCKED = "castling_blocked"
    """`squares`: those that should be empty."""
    CASTLING_IN_CHECK = "castling_in_check"
    """`by`: the units that give check."""
    CASTLING_THROUGH_ATTACK = "castling_through_attack"
    """`squares`: those the king crosses that are attacked; `by`: the attackers."""
    CASTLING_INTO_ATTACK = "castling_into_attack"
    """`squares`: where the king would stand; `by`: the attackers."""
    PROMOTION_PIECE_NOT_ALLOWED = "promotion_piece_not_allowed"
    """A pawn becomes a queen, rook, bishop or knight."""
    PROMOTION_TOO_EARLY = "promotion_too_early"
    """A piece was named, but no pawn reaches its last rank."""
    PROMOTION_MISSING = "promotion_missing"
    """The pawn's new piece must be named. Given only where nothing else is wrong."""
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One thing wrong with a move."""

    word: Word
    squares: tuple[int, ...] = ()
    """The squares it is about; the word says which."""
    by: tuple[int, ...] = ()
    """The squares of the units to blame."""
    article: str

    def __str__(self) -> str:
        squares, by = (" ".join(SQUARE_NAMES[square] for square in named) for named in (self.squares, self.by))
        return self.word.value + (f" {squares}" if squares else "") + (f" by {by}" if by else "")


LEGAL_MOVE = "3.10.2"
TURN = "1.2"
KING_SAFETY = "3.9.2"
NO_KING_CAPTURE = "1.4.1"
OWN_SQUARE = "3.1"
BISHOP_WAY, ROOK_WAY, QUEEN_WAY, KNIGHT_WAY, KING_WAY = "3.2", "3.3", "3.4", "3.6", "3.8.1"
NOT_OVER_UNITS = "3.5"
PAWN_STEP, PAWN_DOUBLE_STEP, PAWN_CAPTURE = "3.7.1", "3.7.2", "3.7.3"
EN_PASSANT, EN_PASSANT_AT_ONCE, PROMOTION = "3.7.3.1", "3.7.3.2", "3.7.3.3"
CASTLING = "3.8.2"
CASTLING_LOST_BY_KING, CASTLING_LOST_BY_ROOK, CASTLING_LOST = "3.8.2.1.1", "3.8.2.1.2", "3.8.2.1"
CASTLING_ATTACKED, CASTLING_NOT_FREE = "3.8.2.2.1", "3.8.2.2.2"
