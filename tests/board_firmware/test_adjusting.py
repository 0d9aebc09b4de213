"""Units put right after "I adjust" are no part of any move, whatever is moved next."""

from __future__ import annotations

import pytest

from tests.board_firmware.test_lost_sensors import Game

KNIGHT_TAKES_C3 = "4k3/8/8/3n4/8/2N1P3/1P6/4K3 b - - 0 1"


@pytest.mark.parametrize("control", ["none", "5400+30"])
def test_an_adjusted_unit_is_not_the_victim_of_the_move_before(control):
    """The knight could have taken the pawn that White puts right, had it not taken on c3, whence it is lifted now."""
    game = Game(KNIGHT_TAKES_C3, control=control)
    game.does("-c3", "-d5", "+c3")
    if control != "none":
        game.press("black")
    game.button("adjust_white")
    game.does("-e3", "+e3")
    game.button("adjust_white")
    game.does("-c3")
    assert game.state["moves"] == ["d5c3"]
    game.does("-b2", "+c3")
    assert game.state["moves"] == ["d5c3", "b2c3"]


def test_a_unit_adjusted_before_the_move_is_not_touched():
    """White puts right the pawn that his knight could not take anyway, and the bishop that he then leaves alone."""
    game = Game("4k3/8/8/8/8/2N5/1P2B3/4K3 w - - 0 1", control="none")
    game.button("adjust_white")
    game.does("-e2", "+e2", "-b2", "+b2")
    game.button("adjust_white")
    game.does("-c3", "+d5")
    assert (game.state["moves"], game.state["violations"]) == (["c3d5"], [])


def test_an_announced_unit_set_down_elsewhere_is_moved():
    """It is lifted, put back, lifted again under the same announcement and set down on another square."""
    game = Game("4k3/8/8/8/8/2N5/1P2B3/4K3 w - - 0 1", control="none")
    game.button("adjust_white")
    game.does("-e2", "+e2", "-e2", "+g4")
    game.button("ok")
    assert game.state["moves"] == ["e2g4"]
