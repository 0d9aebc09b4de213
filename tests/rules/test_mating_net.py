"""Mating nets: never denied where there is a mate, denied in the plain fortresses."""

from __future__ import annotations

import random

import chess
import pytest

from rules import BLACK, WHITE, Color, Position
from rules.mating_net import could_be_mated
from rules.mobility import Mobility
from rules.winnable import Winnable, winnable

WALKED = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/4k3/8/3K2n1/2R5/8/8/8 w - - 0 1",
    "8/4k3/3b4/8/3KB3/8/8/8 w - - 0 1",
    "8/5k2/8/p1p3p1/P1P3P1/8/2K5/8 w - - 0 1",
    "6k1/6P1/5pK1/6P1/8/8/8/8 w - - 0 1",
    "8/2k5/8/1p1p2p1/1P1P2P1/4B3/2K5/8 w - - 0 1",
    "8/7k/6p1/6P1/5pPK/5p2/5P1P/8 b - - 0 1",
    "5brk/4p1p1/3pP1P1/1B1P2p1/3p2p1/3P4/4K1P1/8 w - - 0 1",
)


@pytest.mark.parametrize("fen", WALKED)
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_no_net_is_denied_on_the_way_to_mate(fen: str, color: Color) -> None:
    """Along a line that ends in mate every position admits that the king could be mated, the last one too."""
    position = Position.from_fen(fen)
    answer = winnable(position, color, nodes=20_000)
    assert isinstance(answer, Winnable)
    for move in answer.line:
        if position.ep_square is None:
            assert could_be_mated(Mobility(position), color.other), position.fen()
        position = position.play(move)
    assert could_be_mated(Mobility(position), color.other), position.fen()


def mates(count: int, seed: int) -> list[str]:
    """Play at random until so many games have ended in mate; give the mates."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if board.is_checkmate():
            found.append(board.fen())
    return found


def test_no_net_is_denied_at_the_mate_itself() -> None:
    """Mates out of random games: the king that is mated could be mated."""
    for fen in mates(8, 3):
        position = Position.from_fen(fen)
        assert could_be_mated(Mobility(position), position.turn), fen


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
        "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4KB2 w - - 0 1",
        "5bk1/1p2p1p1/4P1P1/8/8/4p1p1/1P2P1P1/5BK1 w - - 0 1",
        "8/8/2k1p1p1/1p1bPpP1/1Pp1pP2/2P1P3/3B4/4K3 w - - 0 1",
    ],
)
def test_fortresses(fen: str) -> None:
    """Behind locked walls, with bishops that cannot help, neither king can be mated."""
    mobility = Mobility(Position.from_fen(fen))
    assert not could_be_mated(mobility, WHITE)
    assert not could_be_mated(mobility, BLACK)


def test_one_side_only() -> None:
    """The bishop on the right colour wins the wall for one side and not for the other."""
    mobility = Mobility(Position.from_fen("8/4kb2/8/1p1p1p1p/1P1P1P1P/1bB5/3B1K2/8 b - - 0 1"))
    assert not could_be_mated(mobility, BLACK)
    assert could_be_mated(mobility, WHITE)
