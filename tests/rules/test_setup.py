"""Diagrams: what is wrong with them, in two grades."""

from __future__ import annotations

import pytest
from hypothesis import given

from rules.errors import SetupError
from rules.fen import parse_fen
from rules.pieces import PIECES, WHITE, Piece, PieceType
from rules.position import Position
from rules.setup import Setup
from rules.squares import SQUARE_NAMES, parse_square
from tests.rules.random_walks import positions


def faults(fen, *, chess960=False):
    """Name the faults of a diagram: its unplayable ones, or else its unreachable ones."""
    setup = parse_fen(fen, chess960=chess960)
    return [fault.word for fault in setup.unplayable() or setup.unreachable()]


@given(positions)
def test_positions_of_games_have_no_fault(position):
    """What a game leads to is playable and reachable, and goes to a diagram and back unchanged."""
    setup = Setup.of(position)
    assert setup.unplayable() == setup.unreachable() == ()
    assert Position.from_setup(setup) == position


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", ["no_king", "no_king"]),
        ("kk6/8/8/8/8/8/8/6KK w - - 0 1", ["two_kings", "two_kings"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", ["en_passant_wrong_rank"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["en_passant_no_pawn"]),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", ["en_passant_no_double_step"]),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", ["en_passant_no_double_step"]),
    ],
)
def test_unplayable(fen, words):
    """No game can go on from here, and none is begun."""
    assert faults(fen) == words
    with pytest.raises(SetupError) as caught:
        Position.from_setup(parse_fen(fen))
    assert [fault.word for fault in caught.value.faults] == words
    assert str(caught.value) == "; ".join(fault.why for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["opponent_in_check"]),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", ["opponent_in_check"]),
        ("3P4/1k2K3/8/8/8/8/8/p7 w - - 0 1", ["pawn_on_edge"]),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", ["too_many_pawns"]),
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", ["too_many_units"]),
        ("4k3/8/8/1B6/8/4R3/6B1/q2NK2r w - - 0 1", ["opponent_in_check"]),
        ("4k3/8/3N1N2/1B6/8/4R3/8/4K3 b - - 0 1", ["too_many_checkers"]),
        ("B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1", ["impossible_check"]),
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", ["impossible_check"]),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 500 50", ["bad_halfmove_clock"]),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 1 1", ["bad_halfmove_clock"]),
    ],
)
def test_unreachable_but_playable(fen, words):
    """No game leads here, but one can go on."""
    assert faults(fen) == words
    assert Position.from_setup(parse_fen(fen)).legal_moves()


def test_double_check_that_can_be():
    """Two line pieces may give check at once if they do not look along one line, a knight and a line piece anyhow."""
    assert faults("4k3/8/8/1B6/8/4R3/8/4K3 b - - 0 1") == []
    assert faults("4k3/8/3N4/8/8/4R3/8/4K3 b - - 0 1") == []


def test_castling_rights_need_their_units():
    """A right names a rook: an own one, on the first rank, with the king there, one on each side of him."""
    king, rook, black = Piece.from_symbol("K"), Piece.from_symbol("R"), {60: Piece.from_symbol("k")}
    e1, e2, g1, h1, h4, a1 = map(parse_square, ("e1", "e2", "g1", "h1", "h4", "a1"))

    def words(pieces, rooks, chess960=False):
        setup = Setup(pieces={**pieces, **black}, castling=sum(1 << s for s in rooks), chess960=chess960)
        return [fault.word for fault in setup.unplayable()]

    assert words({e1: king, h1: rook, a1: rook}, [a1, h1]) == []
    assert words({e1: king}, [h1]) == ["right_without_rook"]
    assert words({e1: king, h1: Piece.from_symbol("N")}, [h1]) == ["right_without_rook"]
    assert words({e1: king, h1: Piece.from_symbol("r")}, [h1]) == ["right_without_king"]
    assert words({e1: king, h4: rook}, [h4]) == ["right_without_king"]
    assert words({e2: king, h1: rook}, [h1]) == ["right_without_king"]
    assert words({e1: king, g1: rook}, [g1]) == ["right_needs_chess960"]
    assert words({e1: king, g1: rook}, [g1], chess960=True) == []
    assert words({e1: king, g1: rook, h1: rook}, [g1, h1], chess960=True) == ["right_twice"]


def test_numbers():
    """Counters count from where they begin."""
    kings = {4: PIECES[WHITE][PieceType.KING], 60: Piece.from_symbol("k")}
    assert [f.word for f in Setup(pieces=kings, fullmove_number=0).unplayable()] == ["bad_move_number"]
    assert [f.word for f in Setup(pieces=kings, halfmove_clock=-1).unplayable()] == ["bad_halfmove_clock"]


def test_faults_name_squares():
    """A fault carries the squares it is about and a sentence that names them."""
    fault = parse_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").unreachable()[0]
    assert [SQUARE_NAMES[square] for square in fault.squares] == ["e8", "e2"]
    assert "e8" in fault.why
    assert fault.part == "turn"
