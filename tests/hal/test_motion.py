"""Hand motion: the path law, legs of a drag, ends."""

from __future__ import annotations

import pytest

from hal.motion import SHARE_OF_TIME, STEPS, Blip, Drag, Lift, Place, PressLever, end_ms, legs_of, progress


def test_a_hand_starts_and_stops_smoothly():
    """Minimum jerk: at rest at both ends, half way at half time, 1.875 times the mean speed in the middle."""
    assert (progress(0), progress(0.5), progress(1)) == (0, 0.5, 1)
    assert progress(0.01) < 1e-4
    assert (progress(0.501) - progress(0.499)) / 0.002 == pytest.approx(1.875, rel=1e-3)


def test_the_table_inverts_the_path():
    """SHARE_OF_TIME[n] is when n/STEPS of the way is done."""
    for n, u in enumerate(SHARE_OF_TIME):
        assert progress(u) == pytest.approx(n / STEPS, abs=1e-6)


def test_a_drag_is_legs_and_rests():
    """e2-e3-e4 at 100 mm/s with half a second on e3; carried low it also rises and sinks."""
    drag = Drag(square=12, path=(20, 28), speed_mm_s=100, pauses_ms=(500,), offset_mm=(2, 0))
    legs = legs_of(drag, 50.0)
    assert [(leg.x, leg.y, leg.z, leg.rest_ms) for leg in legs] == [(200, 100, 0, 500), (202, 150, 0, 0)]
    assert legs[0].ms == 500
    assert end_ms(drag) == pytest.approx(1500, abs=1)
    low = legs_of(Drag(square=12, path=(20,), height_mm=15), 50.0)
    assert [leg.z for leg in low] == [15, 15, 0]


def test_ends_count_from_the_gesture():
    """end_ms adds a motion's own start."""
    assert end_ms(Lift(square=1, at_ms=100, ms=250)) == 350
    assert end_ms(Place(square=1, of=2, at_ms=100, ms=250)) == 350
    assert end_ms(Blip(square=1, at_ms=5, ms=10)) == 15
    assert end_ms(PressLever(side="white", at_ms=900)) == 900
