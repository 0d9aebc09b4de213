"""An offer of a draw is refused by a touch; what was no touch refuses nothing."""

from __future__ import annotations

from board_firmware.core.events import DrawAccepted, DrawOffered, Faulted
from tests.board_firmware.test_lost_sensors import Game


def _offered():
    game = Game("4k3/7p/8/8/8/8/5PPP/4K2R w - - 0 1")
    game.does("-e1", "+d1")
    game.press("white")
    game.does("-e8", "+d8")
    game.press("black")
    game.does("-d1", "+e1")
    game.give(DrawOffered, side="white")
    game.press("white")
    assert game.state["draw_offer"] == "white"
    return game


def test_a_touch_refuses():
    """And an acceptance that comes after it finds nothing to accept."""
    game = _offered()
    game.does("-h7")
    assert (game.state["draw_offer"], game.state["board"]["report"]) == (None, ["offer_refused_by_touch"])
    game.give(DrawAccepted, side="black")
    assert game.state["status"] != "ended"


def test_a_unit_put_back_has_still_been_touched():
    """The refusal stands when the move is made, too."""
    game = _offered()
    game.does("-h7", "+h7")
    assert game.state["draw_offer"] is None
    game.does("-h7", "+h6")
    game.press("black")
    assert game.state["draw_offer"] is None


def test_a_knock_refuses_nothing():
    """Three units fall over in one scan: the first lift alone looked like a touch."""
    game = _offered()
    game.lifts_at_once("h7", "g2", "f2")
    assert game.state["draw_offer"] == "white"
    game.does("+h7", "+g2", "+f2")
    game.give(DrawAccepted, side="black")
    assert game.state["result"] == "1/2-1/2"


def test_a_line_that_dies_refuses_nothing():
    """Two men stand on the h file; four seconds later the board knows that nobody has lifted them."""
    game = _offered()
    game.lifts_at_once("h7", "h2")
    assert game.state["draw_offer"] is None
    game.give(Faulted, part="line file h", reason="dead_line")
    assert (game.state["draw_offer"], game.state["board"]["report"]) == ("white", [])
    game.give(DrawAccepted, side="black")
    assert game.state["result"] == "1/2-1/2"
