"""How fast the rules are, as ratios to python-chess measured in the same run.

Both sides take turns for a while, and the best round of each counts, in processor time: what else the machine does
then falls on both alike. A ratio of 5 means five times as fast. python-chess is a development dependency, for this and
for tests. Each position is made anew for every round, so that nothing remembered in one is measured; the tables that fill
themselves are warm on both sides, as in any game. Without measuring (``--benchmark-disable``) each race is run once,
to see that it still runs.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from rules.game import Game
from rules.legality import judge
from rules.move import Move
from rules.perft import perft
from rules.position import Position
from rules.san import parse_san

chess = pytest.importorskip("chess", reason="python-chess is what is measured against")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SUITE = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text(encoding="utf-8"))
TEN = [case for case in SUITE if not case.get("chess960")][:10]
SCORE = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6 "
    "Bh4 c5 dxe5 Nxe4 Bxe7 Qxe7 exd6 Qf6 Nbd2 Nxd6 Nc4 Nxc4 Bxc4 Nb6 Ne5 Rae8 Bxf7+ Rxf7 Nxf7 Rxe1+ Qxe1 Kxf7 Qe3 Qg5 "
    "Qxg5 hxg5 b3 Ke6 a3 Kd6 axb4 cxb4 Ra5 Nd5 f3 Bc8 Kf2 Bf5 Ra7 g6 Ra6+ Kc5 Ke1 Nf4 g3 Nxh3 Kd2 Kb5 Rd6 Kc5 Ra6 Nf2 "
    "g4 Bd3 Re6"
)
GAME = SCORE.split()
"""A whole game of 85 plies with all kinds of moves (Fischer - Spassky, 1992, first game)."""

MEASURING = "--benchmark-only" in sys.argv


def fastest_s(fresh, ours, theirs, budget_s):
    """Take turns; give the best time of each, in seconds. `fresh` makes what our side gets, outside of its time."""
    best = [math.inf, math.inf]
    rounds = 0
    while rounds < 1 or budget_s > 0:
        made = fresh()
        began = time.thread_time()
        ours(made)
        middle = time.thread_time()
        theirs()
        ended = time.thread_time()
        best = [min(best[0], middle - began), min(best[1], ended - middle)]
        budget_s -= ended - began
        rounds += 1
    return best


def report(benchmark, name, races, at_least):
    """Measure some (fresh, ours, theirs), print the geometric mean of the ratios and hold it to what is promised."""
    times = [fastest_s(*race, budget_s=0.6 if MEASURING else 0) for race in races]
    ratios = [theirs_s / ours_s for ours_s, theirs_s in times]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    benchmark.extra_info["ratio"] = round(mean, 2)
    fresh, ours, _ = races[0]
    benchmark.pedantic(ours, setup=lambda: ((fresh(),), {}), rounds=3)
    each = " ".join(f"{ratio:.1f}" for ratio in ratios)
    print(f"\n{name}: {mean:.2f} times as fast as python-chess {chess.__version__}, promised {at_least}: {each}")
    if MEASURING:
        assert mean >= at_least


def their_perft(board, depth):
    """Count as python-chess can: push and pop, the last ply only counted."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += their_perft(board, depth - 1)
        board.pop()
    return nodes


def test_perft_with_bulk_counting(benchmark):
    """Ten suite positions, two or three plies deep: at least 5 times as fast."""
    races = []
    for case in TEN:
        depth = 3 if case["nodes"][0] < 25 else 2
        board = chess.Board(case["fen"])
        assert perft(Position.from_fen(case["fen"]), depth) == their_perft(board, depth) == case["nodes"][depth - 1]
        races.append(
            (
                partial(Position.from_fen, case["fen"]),
                partial(perft, depth=depth),
                partial(their_perft, board, depth),
            )
        )
    report(benchmark, "perft, bulk counting", races, at_least=5)


def test_listing_legal_moves(benchmark):
    """All positions one ply after the ten, listed as public `Move` objects: at least 5 times as fast."""
    races = []
    for case in TEN:
        board = chess.Board(case["fen"])
        boards = []
        for move in board.legal_moves:
            board.push(move)
            boards.append(board.copy(stack=False))
            board.pop()
        fens = [board.fen() for board in boards]
        races.append(
            (
                lambda fens=fens: [Position.from_fen(fen) for fen in fens],
                lambda positions: [position.legal_moves() for position in positions],
                lambda boards=boards: [list(board.legal_moves) for board in boards],
            )
        )
    report(benchmark, "legal moves", races, at_least=5)


def play_theirs():
    """Play the game on their board."""
    board = chess.Board()
    for san in GAME:
        board.push_san(san)
    return board


def play_ours(game):
    """Play the game on ours, every position kept."""
    for san in GAME:
        game = game.play_unchecked(parse_san(game.position, san))
    return game


def test_playing_a_game_from_san(benchmark):
    """A game of 85 plies, read and played: at least 1.5 times as fast."""
    assert play_ours(Game.start()).position.fen() == play_theirs().fen(en_passant="legal")
    report(benchmark, "a game from SAN", [(Game.start, play_ours, play_theirs)], at_least=1.5)


JUDGED = [
    Move.from_uci(uci) for uci in ("e1g1", "e5f7", "d5e6", "e2a6", "e5e6", "a1a3", "e1g2", "f3h1", "b2b5", "e8c8")
]
"""Four legal moves of Kiwipete and six that are not, for all kinds of reasons."""


def judge_fresh(positions):
    """Judge each of the moves in a position of its own, nothing remembered."""
    for move, position in zip(JUDGED, positions, strict=True):
        judge(position, move.from_square, move.to_square)


def test_judging_one_move(benchmark):
    """Where python-chess needs 125 us to list Kiwipete, one move is judged, with reasons, in less than 40 us: 3.125."""
    board = chess.Board(KIWIPETE)
    assert [move.uci() in {m.uci() for m in board.legal_moves} for move in JUDGED] == [True] * 4 + [False] * 6
    race = (
        lambda: [Position.from_fen(KIWIPETE) for _ in JUDGED],
        judge_fresh,
        lambda: [list(board.legal_moves) for _ in JUDGED],
    )
    report(benchmark, "judge of one move, against listing Kiwipete", [race], at_least=3.125)


def import_ms(module):
    """Import a module in a fresh interpreter; its processor time, in milliseconds."""
    code = f"import time; t = time.process_time(); import {module}; print((time.process_time() - t) * 1000)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_import(benchmark):
    """`import rules` is quick, as the tables fill themselves later: less than 60 ms."""
    rounds = 9 if MEASURING else 1
    ours_ms, theirs_ms = (min(import_ms(module) for _ in range(rounds)) for module in ("rules", "chess"))
    benchmark.extra_info["ms"] = round(ours_ms, 1)
    benchmark.pedantic(lambda: None)
    print(f"\nimport: {ours_ms:.0f} ms, python-chess {theirs_ms:.0f} ms")
    if MEASURING:
        assert ours_ms < 60


FILLED = """
import tracemalloc
tracemalloc.start()
import rules
from rules.attacks import DIAGONALS, ORTHOGONALS
from rules.perft import perft
from rules.position import Position
imported = tracemalloc.get_traced_memory()[0]
perft(Position.from_fen({fen!r}), {depth})
played = tracemalloc.get_traced_memory()[0]
corner = ORTHOGONALS[0]
corner.clear()
before, subset = tracemalloc.get_traced_memory()[0], corner.mask
while True:
    corner[subset]
    if not subset:
        break
    subset = subset - 1 & corner.mask
full = (tracemalloc.get_traced_memory()[0] - before) / len(corner)
full *= sum(1 << lines.mask.bit_count() for lines in ORTHOGONALS + DIAGONALS)
print(imported / 1e6, (played - imported) / 1e6, full / 1e6)
"""


def test_memory_of_the_tables(benchmark):
    """A long perft fills less than 10 MB of tables; the line tables, filled to the last entry, take less than 20."""
    code = FILLED.format(fen=KIWIPETE, depth=4 if MEASURING else 2)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported_mb, played_mb, full_mb = map(float, done.stdout.split())
    benchmark.extra_info["MB"] = round(played_mb, 1)
    benchmark.pedantic(lambda: None)
    print(f"\nmemory: import {imported_mb:.1f} MB, tables {played_mb:.1f} MB, line tables {full_mb:.0f} MB at most")
    assert full_mb < 20
    assert played_mb < 10
