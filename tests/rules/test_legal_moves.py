"""The move generator, by hand-made positions and by trying moves out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board
from rules.legal_moves import (
    castling_moves,
    checks_and_pins,
    count_legal_moves,
    legal_moves,
    list_legal_moves,
    moves_to,
    unattacked,
)
from rules.move import Move
from rules.pieces import KING, PAWN, PROMOTIONS, PieceType
from rules.position import Position
from rules.squares import FULL, parse_square, squares_of
from tests.rules.random_walks import diagrams, positions


def ucis(position):
    """List the legal moves as sorted text."""
    return sorted(move.uci() for move in position.legal_moves())


def tried_out(board):
    """List the legal moves the slow way: all that units attack or pawns step to, kept if the king is safe after it.

    Castling is left out; nothing here is shared with the generator but the attack tables.
    """
    own, enemy = board.by_color(board.turn), board.by_color(board.turn.other)
    forward, first, last = (8, 1, 7) if board.turn.value == "white" else (-8, 6, 0)
    found = set()
    for origin in squares_of(own):
        targets = board.attacks(origin) & ~own
        pawn = board.kind_at(origin) is PAWN
        passing = None
        if pawn:
            passing = board.double_step if board.double_step is not None and targets >> board.double_step & 1 else None
            targets &= enemy | (1 << passing if passing is not None else 0)
            if 0 <= origin + forward < 64 and not board.occupied >> origin + forward & 1:
                targets |= 1 << origin + forward
                if origin >> 3 == first and not board.occupied >> origin + 2 * forward & 1:
                    targets |= 1 << origin + 2 * forward
        for target in squares_of(targets):
            units = board.pieces_by_square()
            taken = units.get(target)
            if taken is not None and taken.kind is KING:
                continue
            units[target] = units.pop(origin)
            if target == passing:
                del units[passing - forward]
            after = Board.of(units, turn=board.turn)
            if not after.attackers(board.turn.other, after.king(board.turn)):
                promotes = pawn and target >> 3 == last
                found |= {Move(origin, target, kind) for kind in (PROMOTIONS if promotes else (None,))}
    return found


@given(positions)
def test_all_moves_that_survive_being_tried_out(position):
    """The generator decides beforehand what a slow one finds by playing each move."""
    castlings = set(castling_moves(position))
    assert set(position.legal_moves()) == tried_out(position) | castlings
    assert len(set(position.legal_moves())) == len(position.legal_moves()) == count_legal_moves(position)
    assert castlings == {move for move in position.legal_moves() if position.is_castling(move)}


@given(diagrams())
def test_any_diagram(board):
    """Also where no game leads, the moves are those that survive being tried out. No king is ever taken."""
    assert set(legal_moves(board)) == tried_out(board)
    assert all(not board.kings & move.to_bit for move in legal_moves(board))


@given(positions)
def test_looking_back_finds_the_same_moves(position):
    """`moves_to` gives the moves of each kind to each square, castling apart."""
    everything = set(position.legal_moves()) - set(castling_moves(position))
    found = [
        move
        for kind in PieceType
        for square in range(64)
        for promotion in (None, *PieceType)
        for move in moves_to(position, square, kind, promotion=promotion)
    ]
    assert len(found) == len(everything)
    assert set(found) == everything


def test_looking_back_from_some_squares_only():
    """`from_squares` narrows down where the unit comes from."""
    position = Position.from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    a_file = 0x0101010101010101
    d1 = parse_square("d1")
    assert [move.uci() for move in position.moves_to(d1, PieceType.ROOK)] == ["a1d1", "h1d1"]
    assert [move.uci() for move in position.moves_to(d1, PieceType.ROOK, from_squares=a_file)] == ["a1d1"]


@given(positions, st.integers(0, FULL))
def test_unattacked(position, squares):
    """Exactly the squares that nothing of the other side attacks are kept."""
    kept = unattacked(position, squares, position.occupied)
    enemy = position.turn.other
    assert set(squares_of(kept)) == {s for s in squares_of(squares) if not position.attackers(enemy, s)}


@given(positions)
def test_checks_and_pins(position):
    """Checkers are the attackers of the king; a unit is pinned if the king is attacked once it is gone."""
    checkers, pins = checks_and_pins(position)
    king, enemy = position.king(position.turn), position.turn.other
    assert checkers == position.attackers(enemy, king)
    pinned = 0
    for square in squares_of(position.by_color(position.turn) & ~(1 << king)):
        if position.attackers(enemy, king, position.occupied & ~(1 << square)) & ~checkers:
            pinned |= 1 << square
    assert sum(bit for bit, _ in pins) == pinned
    for bit, line in pins:
        assert line & position.by_color(position.turn) == bit
        assert (line & position.by_color(enemy)).bit_count() == 1


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # Double check: only the king can move.
        ("4r1k1/8/8/8/7b/8/8/R3K2R w KQ - 0 1", "e1d1 e1d2 e1f1"),
        # A checked king casts no shadow on his retreat.
        ("6k1/8/8/8/8/r3K3/8/8 w - - 0 1", "e3d2 e3d4 e3e2 e3e4 e3f2 e3f4"),
        # A pinned pawn may take its pinner, and go along its file.
        ("6k1/8/8/8/8/5b2/4P3/3K4 w - - 0 1", "d1c1 d1c2 d1d2 d1e1 e2f3"),
        ("4r1k1/8/8/8/8/3b4/4P3/4K3 w - - 0 1", "e1d1 e1d2 e1f1 e1f2 e2e3 e2e4"),
        # Check by the pawn that has just moved two squares: take it in passing.
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "c5b4 c5b5 c5b6 c5c4 c5c6 c5d4 c5d5 c5d6 e4d3"),
    ],
)
def test_by_hand(fen, moves):
    """Positions that generators get wrong."""
    position = Position.from_fen(fen)
    assert ucis(position) == moves.split()


def test_order_depends_on_the_position_alone():
    """However a position came about, its moves come in the same order."""
    position = Position.start()
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
        position = position.play(Move.from_uci(uci))
    assert list_legal_moves(position) == list_legal_moves(Position.start())


def test_chess960_rook_that_shields_the_king():
    """With the rook gone from b1, the rook a1 behind it would attack the king that castled to c1."""
    assert "d1b1" not in ucis(Position.from_fen("7k/8/8/8/8/8/8/rR1K4 w B - 0 1", chess960=True))
    assert "d1b1" in ucis(Position.from_fen("7k/8/8/8/8/8/8/1R1K4 w B - 0 1", chess960=True))
