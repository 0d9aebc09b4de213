"""Play that goes on while the board asks what was played: nothing is judged before the answer, and then everything."""

from __future__ import annotations

import pytest

from board_firmware.core.events import Chosen, DrawOffered, SquareChanged
from tests.board_firmware.test_lost_sensors import MS, Game

CAPTURES = "4k3/4p3/8/3p4/4p3/2N5/8/4K3 w - - 0 1"
PROMOTIONS = "8/k4P2/8/4p3/8/8/p3Q3/6K1 w - - 0 1"


class Event(Game):
    """The same game under tournament rules."""

    profile = "tournament"


def _asked():
    """The knight has captured on d5 or e4, with a reed that missed it, and White has pressed."""
    game = Event(CAPTURES)
    game.does("-c3")
    game.press("white")
    assert game.ask == ("which_capture", ["c3d5", "c3e4"])
    return game


def test_two_plies_later_the_answer_still_makes_all_of_them():
    """Nobody is charged with an illegal move because the board has not been answered."""
    game = _asked()
    game.does("-e7", "+e6")
    game.press("black")
    assert game.state["clock"] == "white"
    game.does("-e1", "+e2")
    game.press("white")
    assert (game.state["violations"], game.ask[0], game.state["clock"]) == ([], "which_capture", "black")
    game.give(Chosen, choice="c3e4")
    state = game.state
    assert (state["moves"], state["violations"], state["clock"]) == (["c3e4", "e7e6", "e1e2"], [], "black")
    assert (state["status"], state["completed_moves"]) == ("completed", {"white": 2, "black": 1})


def test_what_was_played_on_may_itself_be_illegal():
    """With the answer the third ply turns out to leave the king in check; that is judged as it was pressed."""
    game = Event("4k3/4p3/8/3p4/4p1b1/2N5/8/4K3 w - - 0 1")
    game.does("-c3")
    game.press("white")
    game.does("-e7", "+e6")
    game.press("black")
    game.does("-e1", "+d1")  # the bishop on g4 looks at d1
    game.press("white")
    assert game.state["violations"] == []
    game.give(Chosen, choice="c3e4")
    state = game.state
    assert (state["moves"], state["violations"]) == (["c3e4", "e7e6"], ["illegal_move_completed"])
    assert (state["turn"], state["clock"], state["illegal"]["white"]) == ("white", "paused", 1)


def test_the_wood_may_answer_after_the_first_reply():
    """The reply's own capture shows where the knight is; its press is then like any other."""
    game = _asked()
    game.does("-e8", "+d7")
    game.press("black")
    game.does("-d5")
    assert game.ask[0] == "which_capture"


def test_the_opponents_press_passes_the_clock_while_the_piece_is_asked():
    """A promotion that nobody has named yet: his reply and his press are his, and his time stands."""
    game = Event(PROMOTIONS)
    game.does("-f7", "+f8")
    game.press("white")
    assert game.state["board"]["ask"] == "promotion_piece"
    game.does("-e5", "+e4")
    game.press("black")
    assert game.state["clock"] == "white"
    game.does("-e2")  # and takes one of two pawns, unseen
    game.press("white")
    assert game.state["clock"] == "black"
    game.give(Chosen, choice="r")
    assert (game.state["moves"], game.ask) == (["f7f8r", "e5e4"], ("which_capture", ["e2a2", "e2e4"]))
    game.give(Chosen, choice="e2e4")
    state = game.state
    assert (state["moves"], state["violations"], state["clock"]) == (["f7f8r", "e5e4", "e2e4"], [], "black")
    assert state["completed_moves"] == {"white": 2, "black": 1}


@pytest.mark.parametrize("control", ["none", "5400+30"])
def test_two_plies_after_a_promotion_without_a_name(control):
    """Friendly, with a clock that nobody presses and without one."""
    game = Game(PROMOTIONS, control=control)
    game.does("-f7", "+f8", "-e5", "+e4", "-e2", "+d2")
    game.give(Chosen, choice="r")
    assert (game.state["moves"], game.state["restore"]) == (["f7f8r", "e5e4", "e2d2"], None)


def test_a_friendly_press_stands_and_the_reply_is_pressed():
    """The first press completes the promotion when it is named, the second the reply."""
    game = Game(PROMOTIONS)
    game.does("-f7", "+f8")
    game.press("white")
    game.does("-e5", "+e4")
    game.press("black")
    game.give(Chosen, choice="q")
    state = game.state
    assert (state["moves"], state["clock"], state["status"]) == (["f7f8q", "e5e4"], "white", "completed")


def test_an_offer_made_meanwhile_is_not_refused_by_an_older_touch():
    """Reading the reply again touches nothing a second time."""
    game = Event(PROMOTIONS)
    game.does("-f7", "+f8")
    game.press("white")
    game.does("-e5", "+e4")
    game.give(DrawOffered, side="white")
    game.give(Chosen, choice="q")
    assert game.state["draw_offer"] == "white"


def test_a_piece_named_for_ones_own_pawn_is_not_the_others():
    """The buttons belong to both: with Black's pawn in his hand nobody knows who pressed."""
    game = Game("8/P6k/8/8/8/8/6p1/K7 w - - 0 1", control="none")
    game.does("-a7", "+a8", "-g2")
    game.button("promote_r")
    assert (game.state["moves"], game.state["board"]["ask"]) == ([], "promotion_piece")
    game.does("+g1")
    game.button("promote_q")
    assert game.state["moves"] == ["a7a8q"]
    game.button("promote_r")
    assert game.state["moves"] == ["a7a8q", "g2g1r"]


def test_a_button_pressed_as_the_question_comes_up_is_nobodys_answer():
    """It was on its way before anybody could have read it; where only one side can promote it is taken."""
    for fen, made in (("8/P6k/8/8/8/8/6p1/K7 w - - 0 1", []), ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7a8r"])):
        game = Event(fen)
        game.does("-a7", "+a8")
        game.ns -= 150 * MS  # 100 ms after the board has come to rest
        game.button("promote_r")
        assert game.state["moves"] == made, fen


def test_whites_own_choice_is_no_change_of_blacks():
    """Black has promoted to a queen; White names the rook for a pawn of his that stands on the seventh rank."""
    game = Game("7k/1P6/8/8/8/8/p6K/8 b - - 0 1", control="none")
    game.does("-a2", "+a1")
    game.give(Chosen, choice="q")
    game.button("promote_r")
    assert game.state["violations"] == []
    game.does("-b7")
    game.button("promote_r")
    assert game.state["obligation"] == "exact:b7b8r"


def test_a_choice_changed_too_late_is_asked_about_no_more_after_the_reply():
    """And the board shows itself all the while; the first piece stays (4.4.4)."""
    game = Game("7k/8/8/8/8/8/p7/7K b - - 0 1")
    game.does("-a2", "+a1")
    game.give(Chosen, choice="q")
    game.button("promote_r")
    assert game.state["violations"] == ["promotion_choice_changed"]
    assert game.session.view().candidates_san["a2a1r"] == "a1=R+"
    game.does("-h1", "+h2")
    view = game.session.view()
    assert (view.state["board"]["ask"], view.candidates_san) == (None, {})
    assert game.state["moves"] == ["a2a1q", "h1h2"]


def test_the_first_choice_named_again_takes_the_change_back():
    """Nothing is left to be asked."""
    game = Game("7k/8/8/8/8/8/p7/7K b - - 0 1")
    game.does("-a2", "+a1")
    game.give(Chosen, choice="q")
    game.button("promote_r")
    game.button("promote_q")
    assert (game.state["board"]["ask"], game.state["status"]) == (None, "made")


def test_castling_that_leaves_the_squares_as_they_were():
    """Chess960: king and rook change places after a move that nobody has pressed upon."""
    fen = "bnqrnkrb/pppppp1p/8/6p1/2P5/3N4/PP1PPPPP/BNQR1KRB b GDgd - 0 1"
    game = Game(fen, control="none", chess960=True)
    game.does("-a7", "+a6", "-f1", "-g1", "+g1", "+f1")
    assert game.state["moves"] == ["a7a6", "f1g1"]
    game.does("-h7", "+h6")
    assert game.state["moves"] == ["a7a6", "f1g1", "h7h6"]


def test_a_withdrawn_promotion_was_never_announced():
    """The piece was still asked for when the pawn came down elsewhere: there is no move to take back in the open."""
    game = Game("4r2k/5P2/8/8/8/8/8/4K3 w - - 0 1")
    game.does("-f7")
    game.press("white")
    assert game.state["board"]["ask"] == "promotion_piece"
    game.ns += 500 * MS
    said = game.session.receive(SquareChanged(square=59, occupied=True, at_ns=game.ns))  # d8
    assert "move_revised" not in [one.kind for one in said]
    assert (game.state["moves"], game.state["board"]["ask"]) == ([], None)


def test_a_rook_that_rocks_after_changing_places_with_the_king():
    """It is on its new square, the king's old one; rocking there takes nothing back, and touches alone castle nothing."""
    fen = "bnqrnkrb/pppppp1p/8/6p1/2P5/3N4/PP1PPPPP/BNQR1KRB w GDgd - 0 1"
    game = Event(fen, chess960=True)
    game.does("-f1", "-g1", "+g1", "+f1", "-f1", "+f1")
    game.press("white")
    assert (game.state["moves"], game.state["violations"]) == (["f1g1"], [])
    game = Game(fen, chess960=True)
    game.does("-f1", "+f1", "-g1", "+g1", "-f1", "+f1")
    game.press("white")
    assert game.state["moves"] == []
