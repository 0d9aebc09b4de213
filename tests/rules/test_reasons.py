"""The words of reasons."""

from __future__ import annotations

from rules.reasons import Reason, Word
from rules.squares import parse_square


def test_words_never_change():
    """Other programs rely on them; a word may be added, none renamed."""
    assert {str(word) for word in Word} >= {
        "no_piece", "wrong_color", "not_its_way", "blocked", "own_piece_there", "pawn_cannot_capture_forward",
        "nothing_to_capture", "leaves_king_in_check", "en_passant_exposes_king", "en_passant_too_late",
        "en_passant_never", "castling_king_moved", "castling_rook_moved", "castling_rook_captured", "castling_no_rook",
        "castling_right_lost", "castling_blocked", "castling_in_check", "castling_through_attack",
        "castling_into_attack", "promotion_piece_not_allowed", "promotion_too_early", "game_over",
    }  # fmt: skip


def test_a_reason_as_text():
    """Word, squares, who is to blame."""
    f1, c4 = parse_square("f1"), parse_square("c4")
    reason = Reason(word=Word.CASTLING_THROUGH_ATTACK, squares=(f1,), by=(c4,), article="3.8.2.2.1")
    assert str(reason) == "castling_through_attack f1 by c4"
    assert reason.word == "castling_through_attack"
    assert str(Reason(word=Word.GAME_OVER, article="5.1.1")) == "game_over"
