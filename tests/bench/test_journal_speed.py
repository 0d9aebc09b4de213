"""What a journal row costs the loop, beside what it would cost to wait for the disk.

The loop only numbers and chains the row; the writer commits. Both ways run here in one go. The loop's share is processor
time of its own thread, so that other programs do not count; waiting for a disk can only be measured by the clock.
"""

from __future__ import annotations

import sqlite3
import time

from board_firmware.journal.journal import Journal
from tests.board_firmware.journals import BOOT, DECISIONS, EVENT, WALL, add_game, opened

ROWS = 5_000
P99_LIMIT_MS = 1.0
"""Of the loop's time, for a row of ordinary length, here; a Pi Zero 2 W takes some twenty times longer."""


def costs_ns(act, count, clock):
    """What each of many acts took, sorted."""
    found = []
    for _ in range(count):
        begun = clock()
        act()
        found.append(clock() - begun)
    return sorted(found)


def test_a_row_costs_the_loop_little(tmp_path):
    """The 99th of a hundred rows under a millisecond of the loop's time, and far under a commit."""
    journal = opened(tmp_path / "journal.sqlite")
    add_game(journal, 10)
    row = costs_ns(lambda: journal.append(1, WALL, EVENT, DECISIONS), ROWS, time.thread_time_ns)
    assert journal.flush(60)
    journal.close()
    waiting = sqlite3.connect(tmp_path / "waiting.sqlite", isolation_level=None)
    waiting.execute("PRAGMA journal_mode = WAL").fetchone()
    waiting.execute("PRAGMA synchronous = FULL")
    waiting.execute("CREATE TABLE rows (event, decisions)")
    commit = costs_ns(
        lambda: waiting.execute("INSERT INTO rows VALUES (?, ?)", (EVENT, DECISIONS)), 200, time.perf_counter_ns
    )
    waiting.close()
    p50, p99 = row[ROWS // 2] / 1e6, row[ROWS * 99 // 100] / 1e6
    ratio = commit[100] / row[ROWS // 2]
    print(f"\na row: {p50:.4f} ms, p99 {p99:.4f} ms of the loop; a commit waited for: {ratio:.0f} times as long")
    assert p99 < P99_LIMIT_MS
    assert ratio > 3


def test_opening_does_not_grow_with_the_file(tmp_path):
    """A file of 100 games opens as fast as one of ten; both are past what is looked at page by page."""
    took = {}
    for games, rows in ((10, 4_000), (100, 400)):
        path = tmp_path / f"{games}.sqlite"
        journal = Journal(path)
        journal.start(BOOT, WALL)
        for _ in range(games):
            add_game(journal, rows)
            assert journal.flush(60)
        add_game(journal, 400)
        journal.close()
        took[games] = costs_ns(lambda path=path: Journal(path).close(), 5, time.process_time_ns)[0] / 1e6
    print(f"\nopening: 10 games {took[10]:.1f} ms, 100 games {took[100]:.1f} ms")
    assert took[100] < 3 * took[10] + 5
