"""Where units could ever go: no game may leave the squares, and walls must hold."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from rules import WHITE, PieceType, Position, parse_square, squares_of
from rules.mobility import Mobility

CANNOT_WIN = Path(__file__).parents[1] / "data" / "cannot_win.tsv"

OTHERS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/5p2/8/4P3/8/1k6/3P1p2/K7 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "k7/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 0 1",
    "4k3/1p1p1p1p/8/8/8/8/1P1P1P1P/4K3 w - - 0 1",
    "1k6/p7/p7/8/8/P7/P7/1K6 w - - 0 1",
)


def starts() -> list[str]:
    """Give the positions from which games are played: fortresses, and others with all kinds of moves."""
    lines = CANNOT_WIN.read_text(encoding="utf-8").splitlines()
    return [*OTHERS, *(line.split("\t")[0] + " 0 1" for line in lines if not line.startswith("#"))]


def indices(mobility: Mobility) -> dict[int, int]:
    """Give the number of each unit by its square."""
    return {unit.square: index for index, unit in enumerate(mobility.units)}


def follow(mobility: Mobility, board: chess.Board, rng: random.Random, plies: int) -> None:
    """Play at random and check each unit after each move."""
    where = indices(mobility)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        lively = [move for move in moves if board.is_capture(move) or move.promotion or board.is_castling(move)]
        move = rng.choice(lively if lively and rng.random() < 0.3 else moves)
        taken = None
        if board.is_en_passant(move):
            taken = move.to_square + (-8 if board.turn else 8)
        elif board.is_capture(move):
            taken = move.to_square
        if taken is not None:
            assert mobility.caught[where.pop(taken)], f"{move} in {board.fen()}"
        unit = where.pop(move.from_square)
        where[move.to_square] = unit
        if board.is_castling(move):
            rank = move.to_square & ~7
            files = (7, 5) if move.to_square & 7 == 6 else (0, 3)
            where[rank + files[1]] = where.pop(rank + files[0])
        board.push(move)
        for square, index in where.items():
            assert mobility.may_stand(index) >> square & 1, f"{mobility.units[index]} on {square} in {board.fen()}"
            promoted = mobility.units[index].kind == PieceType.PAWN and board.piece_type_at(square) != chess.PAWN
            if promoted:
                assert mobility.promoted[index] >> square & 1


@pytest.mark.parametrize("fen", starts())
def test_no_game_leaves_the_squares(fen: str) -> None:
    """Random games from many positions: each unit stays within its squares, each captured one was said to be."""
    rng = random.Random(fen)
    mobility = Mobility(Position.from_fen(fen))
    for _ in range(6):
        follow(mobility, chess.Board(fen), rng, 60)


@pytest.mark.prove
def test_no_game_leaves_the_squares_long() -> None:
    """The same from 1,500 positions in the middle of random games."""
    rng = random.Random(20)
    for _ in range(1_500):
        board = chess.Board(rng.choice(starts()))
        for _ in range(rng.randrange(30)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.has_legal_en_passant():
            follow(Mobility(Position.from_fen(board.fen())), board, rng, 60)


def reach(fen: str, name: str) -> set[str]:
    """Name the squares that the unit on a square could stand on."""
    mobility = Mobility(Position.from_fen(fen))
    bits = mobility.may_stand(indices(mobility)[parse_square(name)])
    return {chess.square_name(square) for square in squares_of(bits)}


def test_a_wall_of_pawns_holds_the_king() -> None:
    """A closed chain attacks every square through which a king might slip: he stays on his three ranks."""
    squares = reach("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "e1")
    assert squares == {file + rank for file in "abcdefgh" for rank in "123"}


def test_a_gap_lets_the_king_through() -> None:
    """The same chain with one pawn fewer is no wall."""
    assert "e8" in reach("4k3/8/8/p5p1/P5P1/8/8/4K3 w - - 0 1", "e1")


def test_two_pawns_on_a_file_keep_their_order() -> None:
    """Pawns that face each other on a file, with nothing to capture, never pass."""
    assert reach("k7/8/p7/8/8/P7/8/K7 w - - 0 1", "a3") >= {"a3", "a4", "a5"}
    far = reach("7k/p7/8/8/8/8/P7/7K w - - 0 1", "a2")
    assert "a8" in far  # a king can take the pawn in the way
    locked = reach("5bk1/1p2p1p1/4P1P1/8/8/4p1p1/1P2P1P1/5BK1 w - - 0 1", "b2")
    assert locked == {"b2", "b3", "b4", "b5", "b6"}  # here nobody can


def test_own_pawns_keep_their_order_too() -> None:
    """A pawn behind its own blocked neighbour never gets in front of it."""
    squares = reach("5bk1/1p2p1p1/4P1P1/1P6/8/4p1p1/1P2P1P1/5BK1 w - - 0 1", "b2")
    assert max(squares) == "b5"


def test_a_pawn_that_promotes_frees_the_one_behind() -> None:
    """A doubled pawn can follow the first to the last rank."""
    assert "a8" in reach("7k/P7/P7/8/8/8/8/7K w - - 0 1", "a6")


def test_a_bishop_cannot_leave_its_cage() -> None:
    """Bf1 behind the fixed pawns e2 and g2 has no square to go to, and nobody reaches it."""
    mobility = Mobility(Position.from_fen("5bk1/1p2p1p1/4P1P1/8/8/4p1p1/1P2P1P1/5BK1 w - - 0 1"))
    assert mobility.stays(indices(mobility)[parse_square("f1")])


def test_castling_is_a_way_to_go() -> None:
    """King and rook reach their castled squares, in Chess960 too."""
    squares = reach("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1")
    assert {"g1", "c1"} <= squares
    position = Position.from_fen("1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1", chess960=True)
    mobility = Mobility(position)
    assert mobility.reach[indices(mobility)[parse_square("c1")]] >> parse_square("g1") & 1


def test_units_come_in_the_order_of_the_squares() -> None:
    """The lists run parallel to the units, a1 first."""
    mobility = Mobility(Position.start())
    assert [unit.square for unit in mobility.units] == [*range(16), *range(48, 64)]
    assert mobility.units[0].color is WHITE
    assert len(mobility.reach) == len(mobility.caught) == len(mobility.promoted) == 32
