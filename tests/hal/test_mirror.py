"""A file's drive line that touches the panel's: found by what both do together, and by nothing that hands do."""

from __future__ import annotations

from random import Random

import pytest

from hal.board import Faulted, Recovered
from hal.mirror import Mirror
from hal.squares import line_name

FILES = {line_name(0x0101_0101_0101_0101 << n): 0x0101_0101_0101_0101 << n for n in range(8)}
RANKS = {line_name(0xFF << 8 * n): 0xFF << 8 * n for n in range(8)}
PANEL = {part: 1 << n for n, part in enumerate(RANKS)}


def on_file(row, file=7):
    """The squares of a file, bit n of ``row`` = rank n + 1."""
    return sum(1 << 8 * n + file for n in range(8) if row >> n & 1)


def run(rows):
    """What is shown of the h-file and of the panel, scan by scan, and what is told."""
    mirror, out, shown = Mirror(FILES | RANKS, PANEL, lever=0b11), [], []
    for n, (row, panel) in enumerate(rows):
        squares, contacts = mirror.scan(on_file(row), panel, n * 5_000_000, out)
        shown.append((sum(1 << rank for rank in range(8) if squares >> 8 * rank + 7 & 1), contacts))
    return shown, out


def joined(rows):
    """The same with the two lines joined."""
    return [(row | panel, row | panel) for row, panel in rows]


LONG = 40


def test_a_rook_is_no_lever():
    """The lever is at White, and rook and pawn leave ranks 1 and 2: nothing moves on either, and the file is named."""
    calm = [(0b11, 0b01)] * 5 + joined([(0b11, 0b01)] * LONG + [(0b10, 0b01)] * LONG + [(0b00, 0b01)] * LONG)
    shown, out = run(calm)
    assert set(shown[5 + LONG :]) == {(0b11, 0b11)}  # both lever contacts: a fault that presses nothing
    assert [(x.part, x.reason) for x in out if isinstance(x, Faulted)] == [("line file h", "shorted_together")]


def test_a_lever_is_no_chessman():
    """It moves from 2 to 1 while the file's chessman stands elsewhere."""
    shown, _ = run([(0b1100, 0b10)] * 5 + joined([(0b1100, 0b10)] * LONG + [(0b1100, 0)] * 2 + [(0b1100, 0b01)] * LONG))
    assert set(shown) == {(0b1100, 0b10)}


def test_mended():
    """Both are believed again, and it is told."""
    shown, out = run(joined([(0b11, 0b01)] * 5 + [(0b10, 0b10)] * LONG) + [(0b10, 0b01)] * 5)
    assert shown[-1] == (0b10, 0b01)
    assert [type(x) for x in out] == [Faulted, Recovered]


@pytest.mark.parametrize("row", [0b01, 0b10, 0b11])
def test_a_lever_that_moves_on_a_sound_board(row):
    """Whatever stands on its ranks: each scan is shown as it is."""
    rows = [(row, 0b10)] * 5 + [(row, 0)] * 2 + [(row, 0b01)] * 5 + [(row, 0b11)] + [(row, 0b10)] * 5
    assert run(rows) == (rows, [])


def test_a_rook_that_is_lifted_in_the_same_scan_as_the_lever():
    """The other contact tells them apart in time."""
    rows = [(1, 1)] * 5 + [(0, 0)] * 2 + [(0, 0b10)] * 5
    shown, out = run(rows)
    assert shown[-4:] == rows[-4:]
    assert out == []


def test_hands_on_a_sound_board():
    """Positions, lever and buttons at random, one change a scan: shown as they are."""
    random, row, panel, rows = Random(5), 0b11, 0b10, []
    for _ in range(5_000):
        if random.random() < 0.5:
            row ^= 1 << random.randrange(8)
        else:
            panel = panel ^ 0b11 if random.random() < 0.3 else panel ^ 1 << random.randrange(2, 8)
        rows += [(row, panel)] * random.randrange(2, 5)
    assert run(rows) == (rows, [])


def test_no_panel_and_no_lines():
    """Where contacts have wires of their own nothing is judged."""
    mirror, out = Mirror(FILES | RANKS, {}), []
    assert mirror.scan(3, 3, 0, out) == (3, 3)
    assert mirror.scan(1, 1, 5, out) == (1, 1)
    assert out == []


@pytest.mark.parametrize("kind", ["low", "pulled"])
def test_what_a_short_or_a_bad_diode_closes_is_no_mirror(kind):
    """A file at ground closes on the panel what it holds itself; shown as it is, for others judge that."""
    asked = {"low": lambda: 0b110} if kind == "low" else {"pulled_with": lambda contact: 0b110 & ~(1 << contact)}
    mirror, out = Mirror(FILES | RANKS, PANEL, lever=0b11, **asked), []
    for n, row in enumerate([0b10, 0b110, 0b110, 0b10, 0b10, 0b110]):
        assert mirror.scan(on_file(row), row, n * 5_000_000, out) == (on_file(row), row)
    assert out == []


def test_a_button_is_not_held_closed():
    """A chessman that came and went closed it for a moment; held closed it would become a press."""
    mirror, out = Mirror(FILES | RANKS, PANEL, lever=0b11), []
    for n, row in enumerate([0b10, 0b10, 0b110010, 0b10, 0b110010]):
        _, contacts = mirror.scan(on_file(row), row, n * 5_000_000, out)
        assert contacts == 0b10
    mirror, out = Mirror(FILES | RANKS, PANEL, lever=0b11), []
    shown = [mirror.scan(on_file(row), row, n, out)[1] for n, row in enumerate([0b100110, 0b100110, 0b110, 0b100110])]
    assert shown == [0b100110, 0b100110, 0b110, 0b110]
