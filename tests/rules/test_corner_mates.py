"""The ready-made mates: each is one, however the board is turned, and the walks to them are counted right."""

from __future__ import annotations

import chess
import pytest

from rules import BLACK, WHITE, Position, parse_square
from rules.corner_mates import PICTURES, Picture, _turn, corner_mates


def board_of(picture: Picture, helper: str, turn: int) -> chess.Board:
    """Set a picture up for White, with one of its helpers."""
    board = chess.Board(None)

    def put(symbol: str, name: str) -> None:
        board.set_piece_at(_turn(parse_square(name), turn), chess.Piece.from_symbol(symbol))

    put("k", picture.prey)
    put("K", picture.king)
    for text in picture.pieces.split():
        put(text[0], text[1:])
    if helper:
        put(helper, picture.helps_on)
    board.turn = chess.BLACK
    return board


def mates_in_two(board: chess.Board) -> bool:
    """Whether a check, a step into the corner and another check make a mate."""

    def after(before: chess.Board) -> list[chess.Board]:
        boards = []
        for move in before.legal_moves:
            boards.append(before.copy(stack=False))
            boards[-1].push(move)
        return boards

    checks = [check for check in after(board) if check.is_check()]
    return any(end.is_checkmate() for check in checks for step in after(check) for end in after(step))


CASES = [(picture, helper, turn) for picture in PICTURES for helper in (picture.helpers or " ") for turn in range(8)]


@pytest.mark.parametrize(("picture", "helper", "turn"), CASES)
def test_every_picture_is_a_mate(picture: Picture, helper: str, turn: int) -> None:
    """Each picture is a legal mate in all eight corners it can be laid into."""
    board = board_of(picture, helper.strip(), turn)
    if helper == "p" and not 8 <= _turn(parse_square(picture.helps_on), turn) < 56:
        assert not board.is_valid()  # no pawn stands on the first rank: this way round the picture is never reached
        return
    assert board.is_valid(), board
    if picture.prey == "a1":
        assert board.is_checkmate(), board
    else:
        board.turn = chess.WHITE
        assert mates_in_two(board), board


@pytest.mark.parametrize(("picture", "helper", "turn"), CASES)
def test_at_the_mate_no_move_is_missing(picture: Picture, helper: str, turn: int) -> None:
    """On the mate itself the nearest picture is no move away."""
    board = board_of(picture, helper.strip(), turn)
    if not board.is_valid():
        return
    position = Position.from_fen(board.fen())
    assert corner_mates(position, WHITE)[0].moves_away(position, WHITE) == 0


def test_a_lone_knight_has_no_picture() -> None:
    """Without a unit that helps there is nothing to walk to."""
    position = Position.from_fen("8/8/8/8/1N6/4K3/8/k7 w - - 0 1")
    assert corner_mates(position, WHITE) == []


def test_walks_are_counted() -> None:
    """The rook takes up a2 already; the knight needs one move, the king five."""
    position = Position.from_fen("8/8/5K2/8/3N4/8/r7/k7 w - - 0 1")
    best = corner_mates(position, WHITE)[0]
    assert best.square == parse_square("a1")
    assert best.moves_away(position, WHITE) == 1 + 5  # Nd4-b3, Kf6-e5-d4-d3-c2-c1


def test_a_bishop_stays_on_its_colour() -> None:
    """A bishop is never sent to a corner of the other colour."""
    position = Position.from_fen("8/8/8/4k3/8/2K5/8/B5n1 w - - 0 1")
    for mate in corner_mates(position, WHITE):
        assert mate.square in (parse_square("a1"), parse_square("h8"))


def test_black_has_the_same_pictures() -> None:
    """What holds for White holds for Black with the colours changed."""
    white = Position.from_fen("8/8/8/4k3/8/2K5/8/B5n1 w - - 0 1")
    black = Position.from_fen("8/8/8/4K3/8/2k5/8/b5N1 b - - 0 1")
    away = [mate.moves_away(white, WHITE) for mate in corner_mates(white, WHITE)]
    assert away == [mate.moves_away(black, BLACK) for mate in corner_mates(black, BLACK)]
