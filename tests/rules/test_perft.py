"""Perft: the counts that the whole chess world agrees on."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from rules.fen import parse_fen
from rules.perft import divide, perft
from rules.position import Position

OWN = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text(encoding="utf-8"))
SUITES = {"standard": 4, "tricky": 4, "from-games": 4, "chess960": 3, "xfen960": 3}
"""Each suite, and how deep it is counted."""


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["name"])
def test_known_counts(case):
    """A dozen positions that catch most faults of a generator, exact at every depth."""
    position = Position.from_fen(case["fen"], chess960=case.get("chess960", False))
    for depth, nodes in enumerate(case["nodes"], start=1):
        assert perft(position, depth) == nodes


def test_depth_zero_is_the_position_itself():
    """Nothing played is one way to play nothing."""
    assert perft(Position.start(), 0) == 1


def test_divide_adds_up():
    """The counts apart by first move are the count together."""
    position = Position.from_fen(OWN[1]["fen"])
    apart = divide(position, 2)
    assert set(apart) == set(position.legal_moves())
    assert sum(apart.values()) == perft(position, 2) == 2039


def suite_lines(folder, name):
    """Read a suite: position, whether it is Chess960, and (depth, nodes) pairs up to the suite's depth."""
    for line in (folder / "data" / "perft" / f"{name}.epd").read_text(encoding="utf-8").splitlines():
        fen, *counts = line.split(";")
        pairs = [tuple(map(int, count[1:].split())) for count in counts if count.startswith("D")]
        yield fen.strip(), name.endswith("960"), [pair for pair in pairs if pair[0] <= SUITES[name]]


def check_line(task):
    """Count one line of a suite; returns the nodes counted and what was wrong, for a pool of processes.

    A handful of these positions cannot arise in a game (two line pieces give check from both sides), so they are taken
    as diagrams.
    """
    fen, chess960, pairs = task
    position = Position.from_setup(parse_fen(fen, chess960=chess960))
    counted = [(depth, perft(position, depth)) for depth, _ in pairs]
    return sum(nodes for _, nodes in counted), [] if counted == pairs else [(fen, counted, pairs)]


@pytest.mark.parametrize("name", SUITES)
def test_suites_in_breadth(shared, name):
    """Every line of every suite, as deep as fits in a second or two each."""
    for fen, chess960, pairs in suite_lines(shared, name):
        cheap = [pair for pair in pairs if pair[1] <= 60_000]
        assert check_line((fen, chess960, cheap))[1] == []


@pytest.mark.prove
def test_suites_in_depth(shared):
    """Every line of every suite to its full depth: 376 million nodes."""
    tasks = [task for name in SUITES for task in suite_lines(shared, name)]
    tasks.sort(key=lambda task: -max((nodes for _, nodes in task[2]), default=0))
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(check_line, tasks, chunksize=4))
    assert [fault for _, faults in results for fault in faults] == []
    nodes = sum(counted for counted, _ in results)
    print(f"\nperft: {len(tasks)} positions, {nodes:,} nodes, all exact")
    assert nodes > 376_000_000
