"""Games that nobody would play: pawns promoting on all sides, castling of Chess960 whenever it is legal."""

from __future__ import annotations

import random

import pytest

from board_firmware.hands.game import Circumstances, Score
from board_firmware.hands.styles import STYLES
from rules import Game, Move, Position
from rules.errors import FenError
from tests.board_firmware.test_simulated_game import played


def _with(position: Position, choice: random.Random, plies: int, wanted) -> Score:
    """Random moves from a position, those of the wanted kind more often than others."""
    game, moves = Game.from_position(position), []
    for _ in range(plies):
        legal = list(game.position.legal_moves())
        if not legal:
            break
        liked = [move for move in legal if wanted(game.position, move)]
        move: Move = choice.choice(liked if liked and choice.random() < 0.7 else legal)
        moves.append(move)
        game = game.play(move)
    return Score(start=position, moves=tuple(moves))


def _row(row: list[str]) -> str:
    text = "".join(row)
    for empty in range(8, 0, -1):
        text = text.replace("." * empty, str(empty))
    return text


def _pawn_ending(choice: random.Random) -> Position:
    """Two kings, a few pieces, and pawns on or before their seventh rank."""
    while True:
        board = [["."] * 8 for _ in range(8)]  # the eighth rank first
        anywhere, white, black = range(8), (1, 2), (5, 6)
        for units, rows in (("PPPP", white), ("pppp", black), ("NnBrRKk", anywhere)):
            for unit in units:
                board[choice.choice(rows)][choice.randrange(8)] = unit
        try:
            position = Position.from_fen("/".join(map(_row, board)) + " w - - 0 1")
        except FenError:
            continue
        if position.legal_moves():
            return position


def _chess960(choice: random.Random) -> Position:
    while True:
        row = choice.sample("rnbqkbnr", 8)
        bishops, rooks = ([at for at, unit in enumerate(row) if unit == kind] for kind in "br")
        if sum(bishops) % 2 and rooks[0] < row.index("k") < rooks[1]:
            back = "".join(row)
            rights = "".join("abcdefgh"[at] for at in reversed(rooks))
            fen = f"{back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()} w {rights.upper()}{rights} - 0 1"
            return Position.from_fen(fen, chess960=True)


@pytest.mark.parametrize("control", ["standard", "none"])
@pytest.mark.parametrize("hands", ["human", "rough", "blitz"])
def test_promotions_on_both_sides(hands: str, control: str) -> None:
    """The board asks for a piece again and again, often with the next promotion on the board already."""
    choice = random.Random(f"promotions {hands} {control}")
    for number in range(12):
        one = _with(_pawn_ending(choice), choice, 24, lambda _, move: move.promotion is not None)
        outcome = played(one, Circumstances(style=STYLES[hands], control=control), number)
        assert (outcome.wrong, outcome.lost) == (0, 0), (number, outcome.notes)


@pytest.mark.parametrize("hands", ["human", "rough", "blitz"])
def test_castling_of_chess960(hands: str) -> None:
    """King and rook step over each other, onto each other's squares, or stay."""
    choice = random.Random(f"chess960 {hands}")
    for number in range(12):
        one = _with(_chess960(choice), choice, 50, lambda position, move: position.is_castling(move))
        outcome = played(one, Circumstances(style=STYLES[hands]), number)
        assert (outcome.wrong, outcome.lost) == (0, 0), (number, outcome.notes)
