"""The physics: closing radii, lift heights, neighbours and the centre null against the calculated table."""

from __future__ import annotations

from random import Random

import pytest

from hal.reeds import Magnet, ReedSettings, bounces, bounds_of, horizontal_field, thresholds, vertical_field

DISC = ReedSettings()


def radius(field, threshold_mt):
    """The distance in mm at which the field first falls below a threshold."""
    tenth = 0
    while field(tenth / 10, 0, 0) >= threshold_mt:
        tenth += 1
    return tenth / 10


@pytest.mark.parametrize(
    ("diameter", "height", "closes", "releases", "neighbours"),
    [(8, 3, 12.3, 14.5, 0.46), (10, 1, 9.8, 12.0, 0.25), (10, 3, 13.9, 15.9, 0.72), (12, 3, 15.2, 16.9, 1.04)],
)
def test_an_upright_reed_closes_where_the_table_says(diameter, height, closes, releases, neighbours):
    """At 1.5 mT, on an 8 mm board with 50 mm squares: radii within 0.7 mm, eight neighbours within 7 %."""
    field = vertical_field(ReedSettings(magnet=Magnet(diameter_mm=diameter, height_mm=height)))
    assert radius(field, 1.5) == pytest.approx(closes, abs=0.7)
    assert radius(field, 0.825) == pytest.approx(releases, abs=0.7)
    around = [(x, y) for x in (-50, 0, 50) for y in (-50, 0, 50) if x or y]
    assert abs(sum(field(x, y, 0) for x, y in around)) == pytest.approx(neighbours, rel=0.07)


def test_a_lying_reed_is_blind_exactly_above():
    """The centre null: no field over the middle, so a lying reed is set off to the side."""
    above = horizontal_field(DISC)
    assert above(0, 0, 0) == pytest.approx(0)
    assert abs(above(5.5, 0, 0)) > DISC.pull_in_mt
    shifted = horizontal_field(ReedSettings(orientation="horizontal", offset_mm=5.5))
    assert abs(shifted(0, 0, 0)) > DISC.pull_in_mt


def test_a_piece_carried_low_still_reads_as_standing():
    """A 10x3 disc keeps a reed closed up to 18-25 mm above the board."""
    field = vertical_field(DISC)
    assert field(0, 0, 15) > 0.65 * DISC.pull_in_mt
    assert field(0, 0, 26) < 0.45 * DISC.pull_in_mt


def test_bounds_hold_at_any_height():
    """No magnet further than d mm does more than the bound for d."""
    field, random = vertical_field(DISC), Random(5)
    bounds = bounds_of(field)
    for _ in range(5_000):
        mm, z = random.uniform(0, 79), random.uniform(0, 60)
        assert abs(field(mm, 0, z)) <= bounds[int(mm)]


def test_thresholds_are_seeded_and_ordered():
    """The same seed buys the same reeds; each lets go below its pull-in, around the nominal 2 mT."""
    pull_in, drop_out = thresholds(DISC, Random(3))
    assert (pull_in, drop_out) == thresholds(DISC, Random(3))
    assert pull_in != thresholds(DISC, Random(4))[0]
    assert all(0.45 * high <= low <= 0.65 * high for high, low in zip(pull_in, drop_out, strict=True))
    assert sum(pull_in) / 64 == pytest.approx(2.0, rel=0.15)
    with pytest.raises(ValueError, match="drop_out_low"):
        ReedSettings(drop_out_low=0.9)


@pytest.mark.parametrize("cap_ms", [0.5, 3.0])
def test_bounce_is_over_soon_and_ends_where_it_should(cap_ms):
    """At most five extra pulses, in order, inside the cap; the last edge is the new state."""
    random = Random(1)
    pulses = []
    for _ in range(500):
        for closed in (True, False):
            edges = bounces(closed, 1_000_000, cap_ms, random)
            assert edges[0] == (1_000_000, closed)
            assert edges[-1][1] is closed
            assert [at for at, _ in edges] == sorted({at for at, _ in edges})
            assert edges[-1][0] <= 1_000_000 + max(cap_ms, 0.5) * 1e6
            pulses.append(len(edges) // 2)
    assert max(pulses) == 5
    assert min(pulses) == 0
