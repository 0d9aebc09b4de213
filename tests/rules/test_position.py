"""Positions: what they say and how they are played on."""

from __future__ import annotations

import copy
import doctest
import pickle

import pytest
from hypothesis import given

import rules.position
from rules.errors import IllegalMoveError
from rules.move import Move
from rules.pieces import BLACK, KING, PAWN, ROOK, WHITE, Color
from rules.position import Position
from rules.squares import SQUARE_NAMES, parse_square, squares_of
from tests.rules.random_walks import positions

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def after(fen, *moves, chess960=False):
    """Play moves from a position."""
    position = Position.from_fen(fen, chess960=chess960)
    for move in moves:
        position = position.play(Move.from_uci(move))
    return position


def test_the_example_in_the_docstring():
    """It runs and is right."""
    assert doctest.testmod(rules.position).failed == 0


@given(positions)
def test_playing_is_the_same_as_setting_up(position):
    """A position after a move is the one its own FEN describes: the effect of a move is immediate and complete."""
    for move in position.legal_moves():
        played = position.play_unchecked(move)
        assert played.turn is position.turn.other
        again = Position.from_fen(played.fen(), chess960=played.chess960)
        assert again == played
        assert again.checkers() == played.checkers()


@given(positions)
def test_a_move_changes_no_more_than_it_should(position):
    """Squares change as the questions about the move say, rights only ever go, and the old position stays as it was."""
    fen, key = position.fen(), position.key()
    for move in position.legal_moves():
        played = position.play(move)
        before, now = position.pieces_by_square(), played.pieces_by_square()
        changed = {square for square in range(64) if before.get(square) != now.get(square)}
        if position.is_castling(move):
            king_from, king_to, rook_from, rook_to = position.castling_squares(move)
            assert changed <= {king_from, king_to, rook_from, rook_to}
            assert now[king_to].kind is KING
            assert now[rook_to].kind is ROOK
        else:
            victim = position.captured_square(move)
            assert changed == {move.from_square, move.to_square} | ({victim} - {None})
            assert (len(before) - len(now)) == (victim is not None) == position.is_capture(move)
            assert position.is_en_passant(move) == (victim not in (None, move.to_square))
            with pytest.raises(ValueError, match="does not castle"):
                position.castling_squares(move)
        quiet = not position.is_capture(move) and before[move.from_square].kind is not PAWN
        assert played.halfmove_clock == (position.halfmove_clock + 1 if quiet else 0)
        assert played.fullmove_number == position.fullmove_number + (position.turn is BLACK)
        assert played.castling & ~position.castling == 0
        double = before[move.from_square].kind is PAWN and abs(move.from_square - move.to_square) == 16
        passed = (move.from_square + move.to_square) // 2
        assert played.double_step == (passed if double else None)
        if double:
            assert played.piece_at(passed) is None
    assert (position.fen(), position.key()) == (fen, key)


@given(positions)
def test_rights_stand_on_their_rooks(position):
    """A castling right always has its own rook on its square and its king on the first rank."""
    for square in squares_of(position.castling):
        rook = position.piece_at(square)
        assert rook is not None
        assert rook.kind is ROOK
        assert square >> 3 == position.king(rook.color) >> 3 == (0 if rook.color is WHITE else 7)


@given(positions)
def test_promotions_come_in_fours(position):
    """Wherever a pawn may become a queen it may become a rook, a bishop or a knight."""
    promotions = [move for move in position.legal_moves() if move.promotion]
    by_squares = {}
    for move in promotions:
        by_squares.setdefault((move.from_square, move.to_square), set()).add(move.promotion.letter)
    assert all(letters == set("qrbn") for letters in by_squares.values())


@given(positions)
def test_check_mate_and_stalemate(position):
    """Mate and stalemate are having no move, in check or not."""
    stuck = not position.legal_moves()
    assert position.is_checkmate() == (stuck and position.is_check())
    assert position.is_stalemate() == (stuck and not position.is_check())
    assert position.is_check() == (position.checkers() != 0)


def test_an_illegal_move_is_refused_and_nothing_changes():
    """The error holds the move, every reason and the position."""
    position = Position.start()
    with pytest.raises(IllegalMoveError) as caught:
        position.play(Move.from_uci("e1g1"))
    assert caught.value.position is position
    assert caught.value.move is Move.from_uci("e1g1")
    assert [reason.word for reason in caught.value.reasons] == ["castling_blocked"]
    assert "castling_blocked f1 g1" in str(caught.value)
    assert position == Position.from_fen(START)


def test_initial_position():
    """The usual one, made once."""
    position = Position.start()
    assert position is Position.start()
    assert position.fen() == START
    assert [position.king(color) for color in Color] == [parse_square("e1"), parse_square("e8")]
    assert [SQUARE_NAMES[s] for s in squares_of(position.castling)] == ["a1", "h1", "a8", "h8"]


def test_copies_and_pickles():
    """A position goes through both, with its rights and clocks."""
    position = after(START, "e2e4", "a7a6", "e4e5", "d7d5")
    for again in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert again.fen() == "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"


def test_equality():
    """Equal positions are equal with their clocks, and different from anything else."""
    there_and_back = after(START, "g1f3", "g8f6", "f3g1", "f6g8")
    assert there_and_back != Position.start()
    assert there_and_back.key() == Position.start().key()
    assert len({Position.start(), Position.from_fen(START)}) == 1
    assert Position.start() != START


def test_repr_can_be_read():
    """The repr is an expression that makes the same position."""
    for position in (Position.start(), Position.from_fen("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", chess960=True)):
        assert eval(repr(position), {"Position": Position}) == position


def test_castling_in_both_spellings():
    """Standard chess moves the king two squares; in Chess960 he takes his own rook. Both end on the same squares."""
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert after(fen, "e1c1").fen() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"
    assert after(fen, "e1a1", chess960=True).fen() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"
    assert Move.from_uci("e1c1") not in Position.from_fen(fen, chess960=True).legal_moves()
    position = Position.from_fen(fen)
    assert [SQUARE_NAMES[s] for s in position.castling_squares(Move.from_uci("e1g1"))] == ["e1", "g1", "h1", "f1"]


def test_chess960_king_and_rook_change_places():
    """Where each lands on the other's square nothing gets lost."""
    position = after("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", chess960=True)
    assert position.fen() == "5k2/8/8/8/8/8/8/5RK1 b - - 1 1"
