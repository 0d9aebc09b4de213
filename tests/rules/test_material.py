"""Mate on material alone: the whole table of minor pieces, and help by heavier ones."""

from __future__ import annotations

import itertools
import json
import random

import chess
import pytest

from rules import BLACK, WHITE, Color, Piece, Position, Setup
from rules.material import can_mate_on_material, insufficient_material
from rules.squares import LIGHT_SQUARES
from rules.winnable import Winnable, winnable

MINORS = ["", "N", "L", "D", "NN", "NL", "ND", "LL", "LD", "DD"]
"""Up to two minor pieces: knights, and bishops on light or dark squares."""

CAN_MATE_BARE_KING = {"NN", "NL", "ND", "LD"}


def expected(own: str, other: str) -> bool:
    """Say, from the laws and not from the code, whether minor pieces can mate minor pieces that help."""
    if own in CAN_MATE_BARE_KING:
        return True
    if not own:
        return False
    if own == "N":
        return other != ""  # any minor piece may stand in the king's way
    colour = own[0]
    return any(unit != colour for unit in other)  # a knight, or a bishop of the other colour, may


def place(white: str, black: str, rng: random.Random) -> Position:
    """Put the units somewhere legal; L and D are bishops on light and dark squares."""
    while True:
        squares = rng.sample(range(64), 2 + len(white) + len(black))
        units = ["K", "k", *white, *black.lower()]
        pieces = {}
        for square, unit in zip(squares, units, strict=True):
            light = bool(LIGHT_SQUARES >> square & 1)
            if unit in "LlDd":
                if light != (unit in "Ll"):
                    break
                unit = "B" if unit.isupper() else "b"
            pieces[square] = Piece.from_symbol(unit)
        else:
            setup = Setup(pieces=pieces, turn=rng.choice((WHITE, BLACK)))
            if not setup.unplayable() and not setup.unreachable():
                return Position.from_setup(setup)


PAIRS = list(itertools.product(MINORS, MINORS))


@pytest.mark.parametrize(("white", "black"), PAIRS)
def test_every_pair_of_minor_pieces(white: str, black: str) -> None:
    """All 100 pairs of up to two minor pieces a side, against the law spelled out here and against python-chess."""
    rng = random.Random(f"{white}v{black}")
    for _ in range(5):
        position = place(white, black, rng)
        assert can_mate_on_material(position, WHITE) is expected(white, black)
        assert can_mate_on_material(position, BLACK) is expected(black, white)
        assert insufficient_material(position) is (not expected(white, black) and not expected(black, white))
        oracle = chess.Board(position.fen())
        assert insufficient_material(position) is oracle.is_insufficient_material()
        assert can_mate_on_material(position, WHITE) is not oracle.has_insufficient_material(chess.WHITE)


@pytest.mark.parametrize(("white", "black"), [pair for pair in PAIRS if expected(*pair)])
def test_what_can_mate_has_a_mate(white: str, black: str) -> None:
    """Where the table says that White can mate, there is a line to a mate from some position with that material."""
    rng = random.Random(f"{white} mates {black}")
    for _ in range(10):
        position = place(white, black, rng)
        answer = winnable(position, WHITE, nodes=4_000)
        if isinstance(answer, Winnable):
            break
    else:
        pytest.fail(f"no mate found with {white} against {black}")
    oracle = chess.Board(position.fen())
    for move in answer.line:
        oracle.push_uci(move.uci())
    assert oracle.is_checkmate()
    assert oracle.turn == chess.BLACK


def local_mates(checkers: str, helpers: str) -> list[chess.Board]:
    """Every mate of a black king by one checking white minor piece and the white king alone.

    The flights that the two leave open are taken up by black units of the given kinds, in every way. More black units
    elsewhere could only defend, so if this list is empty there is no such mate at all. The king stands in the triangle
    a1 d1 d4: the rest of the board is its mirror image.
    """
    mates = []
    triangle = [file + 8 * rank for file in range(4) for rank in range(file + 1)]
    for king, white_king in itertools.product(triangle, range(64)):
        if chess.square_distance(king, white_king) < 2:
            continue
        for kind, square in itertools.product(checkers, range(64)):
            if square in (king, white_king):
                continue
            board = chess.Board(None)
            board.set_piece_at(king, chess.Piece.from_symbol("k"))
            board.set_piece_at(white_king, chess.Piece.from_symbol("K"))
            board.set_piece_at(square, chess.Piece.from_symbol(kind))
            board.turn = chess.BLACK
            if not board.is_check():
                continue
            open_flights = [move.to_square for move in board.legal_moves if move.from_square == king]
            if square in open_flights:
                continue  # the checker would be taken
            for units in itertools.product(helpers, repeat=len(open_flights)):
                full = board.copy(stack=False)
                for flight, unit in zip(open_flights, units, strict=True):
                    full.set_piece_at(flight, chess.Piece.from_symbol(unit))
                if full.is_checkmate() and not full.attackers(chess.BLACK, white_king):
                    mates.append(full)
    return mates


def test_a_knight_finds_no_mate_among_queens() -> None:
    """King and knight cannot mate whatever queens the other side has: all pictures round the king are tried."""
    assert local_mates("N", "q") == []


def test_a_knight_finds_mates_among_rooks() -> None:
    """The same enumeration does find the mates that a rook helps with."""
    assert local_mates("N", "r")


def one_colour(board: chess.Board) -> bool:
    """Whether all bishops stand on squares of one colour."""
    bishops = int(board.pieces(chess.BISHOP, chess.WHITE) | board.pieces(chess.BISHOP, chess.BLACK))
    return not bishops & LIGHT_SQUARES or not bishops & ~LIGHT_SQUARES


@pytest.mark.prove
def test_bishops_of_one_colour_find_no_mate_among_heavy_pieces() -> None:
    """King and bishops of one colour cannot mate while the rest are rooks, queens and bishops of that colour."""
    assert not any(one_colour(board) for board in local_mates("B", "rqb"))


def test_a_bishop_finds_no_mate_among_rooks() -> None:
    """The small version of the above, with one kind of help."""
    assert local_mates("B", "r") == []


@pytest.mark.parametrize(
    ("fen", "color", "can"),
    [
        ("8/4k3/8/3K2n1/2R5/8/8/8 w - - 0 1", BLACK, True),
        ("8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", BLACK, False),
        ("8/4k3/8/3K2n1/2Q5/8/8/8 w - - 0 1", BLACK, False),
        ("8/4k3/8/3K2b1/2Q5/8/8/8 w - - 0 1", BLACK, False),
        ("8/4k3/8/3K2b1/2P5/8/8/8 w - - 0 1", BLACK, True),
        ("8/4k3/8/3K2b1/2RN4/8/8/8 w - - 0 1", BLACK, True),
        ("8/4k3/8/3K2b1/8/8/7p/8 w - - 0 1", BLACK, True),
        ("8/4k3/8/3K2q1/2RN4/8/8/8 w - - 0 1", BLACK, True),
    ],
)
def test_help_by_heavier_units(fen: str, color: Color, can: bool) -> None:
    """K+R flags against K+N and loses; against K+B, and K+Q against either, it is a draw (6.9)."""
    assert can_mate_on_material(Position.from_fen(fen), color) is can


def test_field_cases_of_material(shared) -> None:
    """The field cases of layer rules about material, with the value they ask for."""
    cases = {case["id"]: case for case in json.loads((shared / "cases" / "field.json").read_text())}
    for name in ("R47", "R48"):
        case = cases[name]
        got = [insufficient_material(Position.from_fen(fen)) for fen in case["input"]]
        assert got == case["expected"]["dead"], name
