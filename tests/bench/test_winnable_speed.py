"""How long "can this side still win?" takes, counted in listings: what python-chess needs for the moves of one position.

A ratio carries over from one machine to another, seconds do not: a Raspberry Pi Zero 2 W is some 20 times slower than a
PC, and so is its yardstick. Processor time, best of several rounds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from rules import WHITE, Position
from rules.winnable import DEFAULT_NODES, Unwinnable, winnable

chess = pytest.importorskip("chess", reason="python-chess is the yardstick")

MEASURING = "--benchmark-only" in sys.argv
ROUNDS = 5 if MEASURING else 1
CANNOT_WIN = Path(__file__).parents[1] / "data" / "cannot_win.tsv"

BLOCKED = {
    "field case R50": "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    "5.2.2-04": "k7/8/1p1p1p1p/1P1P1P1P/8/8/8/K7 b - - 0 1",
    "bishops behind a wall": "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
    "fourteen pawns": "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4KB2 w - - 0 1",
}
OPEN = {
    "initial position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "middle game": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "knight against rook": "8/4k3/8/3K2n1/2R5/8/8/8 w - - 0 1",
    "bare king flags": "8/8/8/4k3/8/8/3QK3/8 w - - 0 1",
}


def best_s(work, *arguments):
    """Least processor time of some rounds, in seconds, and the result."""
    best, result = float("inf"), None
    for _ in range(ROUNDS):
        began = time.thread_time()
        result = work(*arguments)
        best = min(best, time.thread_time() - began)
    return best, result


@pytest.fixture(scope="module")
def yardstick_s():
    """What python-chess needs to list the moves of a middle game, in seconds."""
    board = chess.Board(OPEN["middle game"])
    best, _ = best_s(lambda: [list(board.legal_moves) for _ in range(20)])
    return best / 20


@pytest.mark.parametrize("name", [*BLOCKED, *OPEN])
def test_one_question(name, yardstick_s, benchmark):
    """White's question; blocked positions are to be proved within a second of a PC."""
    fen = BLOCKED.get(name) or OPEN[name]
    took_s, answer = best_s(lambda: winnable(Position.from_fen(fen), WHITE))
    benchmark.pedantic(lambda: winnable(Position.from_fen(fen), WHITE), rounds=1)
    print(f"\n{name}: {took_s * 1e3:.1f} ms, {took_s / yardstick_s:.0f} listings, {answer.nodes} nodes")
    if name in BLOCKED:
        assert isinstance(answer, Unwinnable)
        assert took_s < 1 or not MEASURING


def test_unjust_losses(yardstick_s, benchmark):
    """The slowest of the unwinnable positions out of real games."""
    worst = 0.0
    for line in CANNOT_WIN.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        position = Position.from_fen(line.split("\t")[0] + " 0 1")
        took_s, answer = best_s(lambda position=position: winnable(position, position.turn.other))
        assert isinstance(answer, Unwinnable)
        if took_s > worst:
            worst, slowest = took_s, position
    benchmark.pedantic(lambda: winnable(slowest, slowest.turn.other), rounds=1)
    print(f"\nslowest proof out of real games: {worst * 1e3:.1f} ms, {worst / yardstick_s:.0f} listings")
    assert worst < 1 or not MEASURING


def test_a_question_left_open(yardstick_s, benchmark):
    """What it costs to spend all nodes."""
    fen = "1k6/1P5p/BP3p2/1P6/8/6K1/5P1P/8 w - - 0 1"
    took_s, answer = best_s(lambda: winnable(Position.from_fen(fen), WHITE))
    benchmark.pedantic(lambda: winnable(Position.from_fen(fen), WHITE), rounds=1)
    print(
        f"\n{answer.nodes} of {DEFAULT_NODES} nodes spent: {took_s * 1e3:.0f} ms, {took_s / yardstick_s:.0f} listings"
    )
