"""When a scanner is lost and when it is back: bursts, buses that fail now and then, parts that take turns at failing."""

from __future__ import annotations

from random import Random

import pytest

from hal.board import Faulted, Recovered
from hal.loss import Loss

MS = 1_000_000


def told(outcomes, period_ms=5):
    """What is told of scans, each None if it works, else the part that failed, "" for none: (ms, what, part)."""
    loss, found = Loss(), []
    for n, part in enumerate(outcomes):
        at_ns = n * period_ms * MS
        events = loss.worked(at_ns) if part is None else loss.failed(part or None, at_ns, at_ns)
        assert all(event.at_ns == at_ns for event in events)
        found += [(at_ns // MS, "lost" if isinstance(event, Faulted) else "back", event.part) for event in events]
    return found


def test_a_board_that_is_gone_and_back():
    """Told after half a second, and taken back with the first scan that works."""
    outcomes = [None] * 10 + [""] * 300 + [None] * 300
    assert told(outcomes) == [(550, "lost", "board"), (1550, "back", "board")]


@pytest.mark.parametrize("period_ms", [1, 5, 20])
def test_a_few_failures_are_nothing(period_ms):
    """A fifth of all scans fails, at random, for two minutes."""
    random = Random(5)
    outcomes = ["" if random.random() < 0.2 else None for _ in range(120_000 // period_ms)]
    assert told(outcomes, period_ms) == []


@pytest.mark.parametrize("share", [0.35, 0.5, 0.9])
@pytest.mark.parametrize("period_ms", [1, 5, 20])
def test_a_bus_that_fails_often_is_lost_once(share, period_ms):
    """Within some seconds, and not once more while it goes on; three good seconds later all is well."""
    outcomes = ["" if int((n + 1) * share) > int(n * share) else None for n in range(60_000 // period_ms)]
    (lost,) = told(outcomes, period_ms)
    assert lost[0] < 8000
    (_, back) = told([*outcomes, *[None] * (4000 // period_ms)], period_ms)
    assert back[1:] == ("back", "board")
    assert 61_000 < back[0] <= 63_000 + 2 * period_ms


def test_a_loose_plug_is_not_told_with_every_contact():
    """Gone for longer than half a second and there for a tenth, again and again: told twice at first, then it stays lost."""
    outcomes = ([""] * 130 + [None] * 20) * 60
    assert [what for _, what, _ in told(outcomes)] == ["lost", "back", "lost"]


def test_one_failure_soon_after_it_is_back_is_forgiven():
    """As when a plug is pushed home."""
    outcomes = [""] * 200 + [None] * 2 + [""] + [None] * 400
    assert [what for _, what, _ in told(outcomes)] == ["lost", "back"]


def test_the_part_that_fails_is_named_and_named_anew():
    """One chip, then half a second of another: the first is taken back. Then the whole bus: the board alone is lost."""
    outcomes = ["chip 3"] * 200 + ["chip 5"] * 200 + [""] * 200 + [None]
    assert told(outcomes) == [
        (500, "lost", "board"),
        (500, "lost", "chip 3"),
        (1500, "back", "chip 3"),
        (1500, "lost", "chip 5"),
        (2500, "back", "chip 5"),
        (3000, "back", "board"),
    ]


def test_a_part_that_fails_now_and_then_is_named_too():
    """Half of its answers are right: the board is lost within seconds, and its part with it."""
    assert told(["chip 2", None] * 1000)[:2] == [(1500, "lost", "board"), (1500, "lost", "chip 2")]


def test_parts_that_take_turns_are_not_named():
    """Nobody knows which it is, and nothing flaps."""
    assert told(["chip 1", "chip 2"] * 500) == [(500, "lost", "board")]


def test_a_driver_that_hangs_counts_by_its_time():
    """One scan that takes a second to fail is as good as many."""
    loss = Loss()
    loss.worked(0)
    assert loss.failed(None, 5 * MS, 1005 * MS) == [Faulted(part="board", reason="lost", at_ns=1005 * MS)]
    assert loss.worked(1010 * MS) == [Recovered(part="board", at_ns=1010 * MS)]
