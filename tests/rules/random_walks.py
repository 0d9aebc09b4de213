"""Random games for tests: many different positions, the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from rules.board import Board
from rules.fen import START_FEN
from rules.game import Game
from rules.pieces import KING, PAWN, PIECES, Color
from rules.position import Position

STARTS = (
    (START_FEN, False),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", False),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False),
    ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", False),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", False),
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", True),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
    ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", True),
    ("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1", True),
)
"""Where the walks begin: openings, castling of all kinds, pawns that meet, promotions at once."""


def walk(rng: random.Random, *, plies: int = 160) -> Iterator[Game]:
    """Play one random game, a little fonder of pawns and captures than chance, and give it after each ply."""
    fen, chess960 = rng.choice(STARTS)
    game = Game.from_fen(fen, chess960=chess960)
    yield game
    for _ in range(plies):
        moves = game.position.legal_moves()
        if not moves:
            return
        if rng.random() < 0.25:
            position = game.position
            lively = [m for m in moves if position.is_capture(m) or position.pieces(position.turn, PAWN) & m.from_bit]
            moves = tuple(lively) or moves
        game = game.play(rng.choice(moves))
        yield game


def random_games(count: int, seed: int) -> Iterator[Game]:
    """Give `count` positions with their games, out of as many walks as it takes."""
    rng = random.Random(seed)
    while True:
        for game in walk(rng):
            yield game
            count -= 1
            if not count:
                return


def random_positions(count: int, seed: int) -> Iterator[Position]:
    """Give `count` positions."""
    for game in random_games(count, seed):
        yield game.position


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draw a game: some way by a seed, to get deep, then move by move, so that a failure can shrink."""
    seed, plies = draw(st.integers(0, 2**32)), draw(st.sampled_from((0, 0, 8, 20, 40, 80, 120)))
    *_, game = walk(random.Random(seed), plies=plies)
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=12)):
        moves = game.position.legal_moves()
        if not moves:
            break
        game = game.play(moves[choice % len(moves)])
    return game


NO_KINGS = [piece for side in PIECES.values() for kind, piece in side.items() if kind is not KING]


@st.composite
def diagrams(draw: st.DrawFn) -> Board:
    """Draw any diagram with one king a side, wherever no game leads: pawns on the edge, kings side by side."""
    units = draw(st.dictionaries(st.integers(0, 63), st.sampled_from(NO_KINGS), max_size=20))
    kings = draw(st.lists(st.integers(0, 63), min_size=2, max_size=2, unique=True))
    units |= {king: side[KING] for king, side in zip(kings, PIECES.values(), strict=True)}
    return Board.of(units, turn=draw(st.sampled_from(Color)))


positions = games().map(lambda game: game.position)
"""Positions at the end of drawn games."""
