"""How fast notation is, as ratios to python-chess measured in the same run.

Both sides take turns and the best round of each counts, so that what else the machine does falls on both alike. Both do
all of the work: a game is played from its SAN with every position made, a PGN file is read into games with their tags,
comments and variations.
"""

from __future__ import annotations

import io
import logging
import math
import sys
import time
from itertools import islice

import pytest

from rules.pgn import read_pgn, write_game
from rules.position import Position
from rules.san import parse_san, write_san

chess = pytest.importorskip("chess", reason="python-chess is what is measured against")
chess_pgn = pytest.importorskip("chess.pgn", reason="python-chess is what is measured against")

MEASURING = "--benchmark-only" in sys.argv
ROUNDS = 12 if MEASURING else 1
GAMES = 40 if MEASURING else 3
ARCHIVES = ("ecc2018_clk.pgn", "polgar.pgn", "worldcup2025_livechess_a.pgn")
"""Over the board with one clock time a move, bare moves, and a live feed with two times a move and many line breaks."""


@pytest.fixture(scope="module", params=ARCHIVES)
def games(request, shared):
    """The first games of an archive that hold no error."""
    with (shared / "data/pgn" / request.param).open("rb") as file:
        return request.param, [game for game in islice(read_pgn(file), GAMES + 5) if not game.errors][:GAMES]


def report(benchmark, name, ours, theirs, *, at_least):
    """Measure both in turns, print the ratio and hold it to what is promised."""
    best = [math.inf, math.inf]
    for _ in range(ROUNDS):
        for side, run in enumerate((ours, theirs)):
            began = time.process_time()
            run()
            best[side] = min(best[side], time.process_time() - began)
    ratio = best[1] / best[0]
    benchmark.extra_info["ratio"] = round(ratio, 2)
    benchmark.pedantic(ours, rounds=1)
    print(f"\n{name}: {ratio:.2f} times python-chess {chess.__version__}, promised {at_least}")
    if MEASURING:
        assert ratio >= at_least


def their_moves(game):
    """A game's moves as the other library has them."""
    return [chess.Move.from_uci(str(move)) for move in game.moves]


def test_playing_from_san(benchmark, games):
    """Every move of every game, from its text to the next position."""
    name, found = games
    scores = []
    for game in found:
        position, score = game.start, []
        for move in game.moves:
            score.append(write_san(position, move))
            position = position.play(move)
        scores.append(score)

    def ours():
        for score in scores:
            position = Position.start()
            for text in score:
                position = position.play_unchecked(parse_san(position, text))

    def theirs():
        for score in scores:
            board = chess.Board()
            for text in score:
                board.push_san(text)

    report(benchmark, f"playing from SAN, {name}", ours, theirs, at_least=1.5)


def test_writing_san(benchmark, games):
    """Every move of every game, from the move to its text and the next position."""
    name, found = games
    theirs_moves = [their_moves(game) for game in found]

    def ours():
        for game in found:
            position = game.start
            for move in game.moves:
                after = position.play_unchecked(move)
                write_san(position, move, after)
                position = after

    def theirs():
        for moves in theirs_moves:
            board = chess.Board()
            for move in moves:
                board.san_and_push(move)

    report(benchmark, f"writing SAN, {name}", ours, theirs, at_least=1.2)


def test_reading_pgn(benchmark, games):
    """From the bytes to games whose moves have been played."""
    name, found = games
    raw = "\n".join(write_game(game) for game in found).encode()
    plies = sum(len(game.moves) for game in found)

    def ours():
        return sum(len(game.line.moves) for game in read_pgn(raw))

    def theirs():
        stream, count = io.StringIO(raw.decode()), 0
        while (game := chess_pgn.read_game(stream)) is not None:
            count += sum(1 for _ in game.mainline_moves())
        return count

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    assert ours() == theirs() == plies
    report(benchmark, f"reading PGN, {name}", ours, theirs, at_least=2)
