"""Hands that come too early: an answer begun before the move has come down, units of both sides in the air."""

from __future__ import annotations

from board_firmware.core.events import LeverMoved
from tests.board_firmware.test_lost_sensors import MS, Game


def fast(game, *acts, ms=120):
    """One act after the other with so much time between."""
    for act in acts:
        game.does(act)
        game.ns -= (500 - ms) * MS
    game.ns += (500 - ms) * MS


def test_an_answer_that_rests_half_way_is_no_disorder():
    """White's bishop is lifted before the knight has come down, its victim after; then all rests for a while."""
    game = Game("4k3/1p1n4/8/8/8/8/6B1/4K3 b - - 0 1", control="none")
    fast(game, "-d7", "-g2", "+b6", "-b7")
    assert game.state["status"] != "irregularity"
    game.does("+b7")
    assert game.state["moves"] == ["d7b6", "g2b7"]


def test_the_same_when_the_move_before_is_not_final_yet():
    """The knight's move answers one that nobody has pressed upon."""
    game = Game("3rk3/1p1n4/8/8/8/8/3R2B1/4K3 w - - 0 1", control="none")
    game.does("-d2", "+d1")
    assert game.state["moves"] == ["d2d1"]
    fast(game, "-d7", "-g2", "+b6", "-b7")
    assert game.state["status"] != "irregularity"
    game.does("+b7")
    assert game.state["moves"] == ["d2d1", "d7b6", "g2b7"]


def test_a_unit_goes_on_after_the_opponent_has_lifted_his():
    """The bishop passes e6 when White's king is lifted too early, and comes to rest on f5."""
    game = Game("4k3/3b3p/8/8/3K4/8/8/8 b - - 0 1", control="none")
    fast(game, "-d7", "+e6", "-d4", "-e6", "+f5")
    game.does("+c3")
    assert game.state["moves"] == ["d7f5", "d4c3"]


def test_a_unit_that_is_captured_has_not_gone_on():
    """En passant: the pawn on c5 leaves its square in the capturing hand, and c6 fills."""
    game = Game("4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1", control="none")
    game.does("-c7", "+c5", "-c5", "-d5", "+c6")
    assert game.state["moves"] == ["c7c5", "d5c6"]


def test_another_unit_s_stop_does_not_hold_a_move_up():
    """White's king was moved out of turn and goes back after Black's queen has come down: her move stands."""
    game = Game("4k3/8/8/8/8/5q2/8/6K1 b - - 0 1", control="none")
    game.does("-g1", "+h1", "-f3", "+g4", "-h1", "+g1")
    assert game.state["moves"] == ["f3g4"]


def test_a_rest_beside_the_way_with_the_victim_in_hand_is_no_exchange():
    """The rook hesitates on e3, its own wobble opening and closing the square: nothing has been captured there."""
    game = Game("4k3/8/8/8/2N5/2r5/8/4K3 b - - 0 1")
    fast(game, "-c3", "-c4", "+e3", "-e3", "+e3", ms=60)
    assert game.state["moves"] == []
    game.does("-e3", "+c4")
    game.press("black")
    assert game.state["moves"] == ["c3c4"]


def test_a_unit_that_rocks_under_an_early_answer_is_not_touched():
    """White's rook on d7 wobbles as Black's leaves d5 for h5: he has not touched it, and may go where he likes."""
    game = Game("7k/4R3/8/3r4/8/8/8/4K3 w - - 0 1")
    fast(game, "-e7", "+d7", "-d7", "-d5", "+d7", ms=20)
    game.give(LeverMoved, down="white")
    game.does("+h5")
    game.press("black")
    assert (game.state["moves"], game.state["violations"]) == (["e7d7", "d5h5"], [])


def test_the_next_move_begun_before_the_answer_has_come_down() -> None:
    """White lifts his queen from h7 again as Black's bishop reaches b7, which she could have reached from e4 as well."""
    game = Game("b2K4/8/8/k1r5/4Q3/2r3r1/8/8 w - - 0 1", control="none")
    fast(game, "-e4", "+h7", "-a8", "-h7", "+b7", "+e4")
    assert game.state["moves"] == ["e4h7", "a8b7", "h7e4"]


def test_a_rook_dragged_on_over_a_lifted_victim():
    """It rests on f6 when its victim is taken from f8 with the other hand: it is on its way, nobody answers on f7."""
    game = Game("5r2/4k3/8/8/8/8/5R2/4K3 w - - 0 1")
    fast(game, "-f2", "+f6", "-f8", "-f6", "+f7", "-f7", "+f8", ms=40)
    game.press("white")
    assert game.state["moves"] == ["f2f8"]


def test_a_bishop_dragged_on_to_where_the_answer_could_stand():
    """It rests on d5 when Black's rook is lifted too early, and goes straight on to e4, on the rook's own file."""
    game = Game("6k1/4r3/2B5/8/8/8/8/7K w - - 0 1", control="none")
    fast(game, "-c6", "+d5", "-e7", "-d5", "+e4", ms=60)
    game.does("+b7")
    assert game.state["moves"] == ["c6e4", "e7b7"]


def test_the_victim_of_the_answer_is_lifted_before_the_move_has_come_down():
    """Black takes White's pawn from b3 with one hand while the other pawn is still on its way to d4."""
    game = Game("4k3/8/8/8/p2p4/1P2P3/8/4K3 w - - 0 1", control="none")
    fast(game, "-d4", "-e3", "-b3", "+d4", "-a4", "+b3", ms=60)
    assert game.state["moves"] == ["e3d4", "a4b3"]


def test_the_same_when_the_move_before_is_not_final_yet_either():
    """Black's capture on d4 was answered before anybody pressed."""
    game = Game("4k3/8/8/4p3/p2P4/1P2P3/8/4K3 b - - 0 1", control="none")
    fast(game, "-d4", "-e5", "+d4", ms=300)
    fast(game, "-d4", "-e3", "-b3", "+d4", "-a4", "+b3", ms=60)
    assert game.state["moves"] == ["e5d4", "e3d4", "a4b3"]


def test_two_own_units_in_the_air_are_no_answer():
    """White has lifted both pawns himself: when one stands on d4 and nobody answers, the other is still missing."""
    game = Game("4k3/8/8/8/p2p4/1P2P3/8/4K3 w - - 0 1", control="none")
    fast(game, "-d4", "-e3", "-b3", "+d4", ms=60)
    game.ns += 2000 * MS
    assert game.state["moves"] == []
    game.does("+b3")
    assert game.state["moves"] == ["e3d4"]
