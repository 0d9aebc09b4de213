"""Games that a move ended: it may still go on for a while, and then the board may be cleared."""

from __future__ import annotations

import pytest

from board_firmware.core.events import Chosen
from tests.board_firmware.test_lost_sensors import Game

S = 1_000_000_000
BEFORE_MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
LAST_OF_75_MOVES = "6k1/8/8/8/8/3r3R/8/6K1 b - - 149 120"


@pytest.mark.parametrize("control", ["none", "5400+30"])
def test_the_mating_unit_is_put_home(control):
    """The queen could have gone to d1 as well, but the game has been over for ten seconds."""
    game = Game(BEFORE_MATE, control=control)
    game.does("-f7", "-h5", "+f7")
    game.ns += 10 * S
    game.does("-f7", "+d1")
    assert (game.state["result"], game.state["moves"]) == ("1-0", ["h5f7"])


@pytest.mark.parametrize("control", ["none", "5400+30"])
def test_all_men_are_taken_off(control):
    """One after the other, the mating unit first; the clock is pressed and OK touched in passing."""
    game = Game(BEFORE_MATE, control=control)
    game.does("-f7", "-h5", "+f7")
    game.ns += 10 * S
    game.does("-f7", *(f"-{file}{rank}" for rank in "12" for file in "abcdegh" if file + rank not in ("d1", "e2")))
    game.press("white")
    game.button("ok")
    assert (game.state["status"], game.state["result"], game.state["moves"]) == ("ended", "1-0", ["h5f7"])


def test_a_unit_goes_on_from_a_square_where_it_mates():
    """It rests on g7 for half a second."""
    game = Game("7k/Q7/6K1/8/8/8/8/8 w - - 0 1")
    game.does("-a7", "+g7")
    assert game.state["status"] == "ended"
    game.does("-g7", "+h7")
    assert (game.state["result"], game.state["moves"]) == ("1-0", ["a7h7"])


def test_a_unit_in_the_air_may_come_down_after_the_five_seconds():
    """It was lifted in time, and its player ponders."""
    game = Game("7k/Q7/6K1/8/8/8/8/8 w - - 0 1")
    game.does("-a7", "+g7", "-g7")
    game.ns += 4 * S
    game.does("+f7")
    assert (game.state["result"], game.state["moves"]) == ("1/2-1/2", ["a7f7"])


def _rest_on_g3_and_lift():
    """The rook rests on g3 as the last of seventy-five moves, and captures on h3, whose reed never opens."""
    game = Game(LAST_OF_75_MOVES)
    game.does("-d3", "+g3")
    assert game.state["termination"] == "seventyfive_moves"
    game.does("-g3")
    return game


def test_a_press_finds_the_silent_capture():
    """It is inferred, and the game goes on."""
    game = _rest_on_g3_and_lift()
    game.press("black")
    assert (game.state["status"], game.state["moves"]) == ("completed", ["d3h3"])


def test_players_who_insist_are_asked():
    """With OK nobody has said that a move is made: which one is asked."""
    game = _rest_on_g3_and_lift()
    game.button("ok")
    assert "d3h3" in game.ask[1]
    game.give(Chosen, choice="d3h3")
    assert (game.state["status"], game.state["moves"]) == ("made", ["d3h3"])
