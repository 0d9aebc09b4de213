"""What happens while a question is open and the game goes on: nobody's play answers it, and nobody is charged for it."""

from __future__ import annotations

import pytest

from board_firmware.core.events import (
    Answered,
    BoardSnapshot,
    Chosen,
    DrawAccepted,
    DrawOffered,
    GameStarted,
    Restarted,
    Ruled,
    SquareChanged,
    TakebackAsked,
)
from board_firmware.core.session import Session
from rules import Position, parse_square
from tests.board_firmware.test_lost_sensors import Game
from tests.board_firmware.test_played_on import CAPTURES, PROMOTIONS, Event


def _choose(game, *choices):
    for choice in choices:
        game.give(Chosen, choice=choice)
    return game.state


def test_a_unit_set_down_on_a_lit_square_may_be_play():
    """The rook takes on e4, which is lit for the knight: the arbiter is still asked."""
    for kind in (Event, Game):
        game = kind("4k3/7p/8/3p4/4p3/2N5/8/K3R3 w - - 0 1")
        game.does("-c3")
        game.press("white")
        game.does("-h7", "+h6")
        game.press("black")
        game.does("-e4", "-e1", "+e4")
        game.press("white")
        assert game.ask[0] == "which_capture", kind
        state = _choose(game, "c3d5")
        assert (state["moves"], state["violations"]) == (["c3d5", "h7h6", "e1e4"], []), kind


def test_in_a_tournament_the_opponents_touch_answers_nothing():
    """He straightens his own pawn on the other lit square; only when it moves on does the wood say where the knight is."""
    game = Event(CAPTURES)
    game.does("-c3")
    game.press("white")
    game.does("-e4", "+e4")
    assert game.ask[0] == "which_capture"
    game.does("-e4", "+e3")
    game.press("black")
    state = game.state
    assert (state["moves"], state["violations"]) == (["c3d5", "e4e3"], [])


def test_an_unseen_capture_in_reply_to_an_asked_one():
    """The press that was noted is judged like any other: one move fits."""
    game = Event("4k3/8/8/3p1b2/4p3/2N5/2P5/4K3 w - - 0 1")
    game.does("-c3")
    game.press("white")
    game.does("-f5")
    game.press("black")
    state = _choose(game, "c3e4")
    assert (state["moves"], state["violations"], state["clock"]) == (["c3e4", "f5e4"], [], "white")


def test_an_answered_move_was_completed_by_its_own_press():
    """Two moves make the period, and not one move and a press noted."""
    game = Event(CAPTURES, control="2/100+10:900+10")
    game.does("-c3")
    game.press("white")
    game.does("-e7", "+e6")
    game.press("black")
    state = _choose(game, "c3e4")
    assert (state["completed_moves"], state["clock_s"]["white"] < 200) == ({"white": 1, "black": 1}, True)
    game.does("-e1", "+e2")
    assert game.state["clock_s"]["white"] < 200
    game.press("white")
    assert game.state["completed_moves"] == {"white": 2, "black": 1}
    assert game.state["clock_s"]["white"] > 900
    assert "unpressed_moves" not in game.state["board"]["report"]


def test_a_second_question_among_what_was_played_on():
    """Black's capture is asked about when White's is answered, and the three plies after it still count."""
    game = Event("3k4/8/1n6/3p4/P1P1p3/2N5/7P/4K3 w - - 0 1")
    for acts, side in ((("-c3",), "white"), (("-b6",), "black"), (("-h2", "+h3"), "white"), (("-d8", "+d7"), "black")):
        game.does(*acts)
        game.press(side)
    game.does("-e1", "+e2")
    game.press("white")
    assert _choose(game, "c3e4")["board"]["ask"] == "which_capture"
    state = _choose(game, "b6a4")
    assert (state["moves"], state["violations"]) == (["c3e4", "b6a4", "h2h3", "d8d7", "e1e2"], [])
    assert (state["clock"], [word for word in state["board"]["report"] if word.startswith("dead_press")]) == (
        "black",
        [],
    )


def test_rulings_while_the_piece_is_asked_for():
    """None of them guesses a queen, none of them brings the board down."""
    for verb, arguments in (("dead-position", ()), ("accept", ()), ("promotion", ("k",))):
        game = Event("k7/5P2/1K6/8/8/8/7p/8 w - - 0 1")
        game.does("-f7", "+f8")
        game.press("white")
        game.give(Ruled, verb=verb, arguments=arguments)
        game.ns += 10_000_000_000
        state = game.state
        assert state["result"] == ("1/2-1/2" if verb == "dead-position" else None), verb
        assert state["moves"] == [], verb


def test_a_king_is_no_promotion_piece_after_the_choice_either():
    """Refused with a reason."""
    game = Event(PROMOTIONS)
    game.does("-f7", "+f8")
    _choose(game, "q")
    said = game.give(Ruled, verb="promotion", arguments=("k",))
    assert [one.kind for one in said] == ["ruling_refused"]


def test_nothing_is_taken_back_over_a_diagram():
    """The arbiter has set the position: there is no move before it any more."""
    game = Game("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    game.does("-e2", "+e4", "-e7", "+e5")
    game.give(Ruled, verb="position", arguments=("4k3/8/8/4p3/4P3/8/8/4K3", "w", "-", "-", "0", "3"))
    said = game.give(TakebackAsked, side="white")
    assert [one.kind for one in said] == ["takeback_refused"]


def test_a_diagram_ends_what_was_noted():
    """The presses of the position that is no more are not judged in the new one."""
    game = Event(CAPTURES)
    game.does("-c3")
    game.press("white")
    game.does("-e7", "+e6")
    game.press("black")
    game.give(Ruled, verb="position", arguments=("4k3/8/4p3/3p4/4N3/8/8/4K3", "b", "-", "-", "0", "2"))
    state = game.state
    assert (state["violations"], state["illegal"]["black"]) == ([], 0)


def test_an_offer_is_refused_by_the_touch_of_the_one_it_was_made_to():
    """While the capture or the piece is asked about as well, and for good (9.1.2.1)."""
    for fen, acts, choice, reply in (
        (CAPTURES, ("-c3",), "c3e4", ("-e7", "+e6")),
        (PROMOTIONS, ("-f7", "+f8"), "q", ("-e5", "+e4")),
    ):
        game = Event(fen)
        game.does(*acts)
        game.give(DrawOffered, side="white")
        game.press("white")
        game.does(*reply)
        game.press("black")
        assert game.state["draw_offer"] is None, fen
        assert _choose(game, choice)["draw_offer"] is None, fen
        game.give(DrawAccepted, side="black")
        assert game.state["result"] is None, fen


def test_an_offer_of_the_one_who_touches_stands():
    """Black offers, then plays on."""
    game = Event(CAPTURES)
    game.does("-c3")
    game.press("white")
    game.give(DrawOffered, side="black")
    game.does("-e7", "+e6")
    assert game.state["draw_offer"] == "black"


def test_play_that_goes_on_is_no_second_move():
    """Black's pawn stands on its last rank, unnamed; what both play then is no moving after a release."""
    game = Game("5n2/R3P3/r1P5/8/7K/3pN1p1/B4p2/7k b - - 0 1", control="none")
    game.does("-f2", "+f1", "-a6", "-a7", "+a6", "-d3", "+d2")
    state = _choose(game, "r")
    assert (state["moves"], state["violations"]) == (["f2f1r", "a7a6", "d3d2"], [])


def test_wood_that_differs_after_a_restart_is_put_right_before_the_answer():
    """What somebody moved in the dark is no play."""
    for fen, acts, choice, moved in (
        (CAPTURES, ("-c3",), "c3e4", ("e7", "e6")),
        (PROMOTIONS, ("-f7", "+f8"), "q", ("e5", "e4")),
    ):
        game = Event(fen)
        game.does(*acts)
        game.press("white")
        there = game.session.view().occupancy
        squares = ["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in moved]
        game.give(Restarted, occupancy=there ^ sum(1 << square for square in squares))
        assert game.state["restore"] == {"place": [moved[0]], "clear": [moved[1]]}, fen
        _choose(game, choice)
        game.does("-" + moved[1], "+" + moved[0])
        game.give(Ruled, verb="resume", arguments=("black",))
        state = _choose(game, choice)
        assert (len(state["moves"]), state["restore"], state["violations"]) == (1, None, []), fen


def test_a_knock_while_the_piece_is_asked_for_keeps_the_press():
    """The question about the position comes first, the press is judged when both are answered."""
    game = Event(PROMOTIONS)
    game.does("-f7", "+f8")
    game.press("white")
    game.does("-e5", "+e4")
    game.press("black")
    game.lifts_at_once("g1", "e2", "a2")
    game.does("+g1", "+e2", "+a2")
    game.button("ok")
    state = _choose(game, "q")
    assert (state["moves"], state["completed_moves"], state["violations"]) == (
        ["f7f8q", "e5e4"],
        {"white": 1, "black": 1},
        [],
    )


def test_two_pieces_asked_for_one_after_the_other():
    """The second promotion was pressed upon while the first was asked about, and a move came after it."""
    game = Event("7n/PP3P2/7P/2R5/8/1k1p1pNp/5p2/3K3B w - - 0 1")
    for acts, side in ((("-b7", "+b8"), "white"), (("-f2", "+f1"), "black"), (("-d1", "+d2"), "white")):
        game.does(*acts)
        game.press(side)
    state = _choose(game, "n", "r")
    assert (state["moves"], state["completed_moves"]) == (["b7b8n", "f2f1r", "d1d2"], {"white": 2, "black": 1})
    assert (state["status"], state["clock"]) == ("completed", "black")


def test_friendly_the_clock_waits_for_the_answer():
    """Three presses, two of them after the question: all are judged when it is answered, one capture inferred."""
    game = Game("B7/PP2rP1P/4N3/4R3/2K5/8/7p/2nr3k w - - 0 3")
    for acts, side in ((("-h7", "+h8"), "white"), (("-e7",), "black"), (("-b7", "+b8"), "white")):
        game.does(*acts)
        game.press(side)
    assert game.state["clock"] == "white"
    state = _choose(game, "n")
    assert (state["moves"], state["clock"], state["board"]["ask"]) == (["h7h8n"], "black", "which_capture")


@pytest.mark.parametrize("profile", ["friendly", "tournament"])
def test_a_choice_that_was_begun_before_the_question_was_asked_anew(profile):
    """A piece stands on a square that was lit for the first question and not for the second: lifting it chooses nothing."""
    session, ns = Session(), 0
    fen = "8/P6k/8/2pP4/8/8/6p1/K7 w - c6 0 1"
    session.receive(GameStarted(at_ns=0, fen=fen, control="5400+30", profile=profile))
    wood = Position.from_fen(fen).occupied
    for kind, ms, more in (
        (SquareChanged, 1000, {"square": parse_square("a7"), "occupied": False}),
        (SquareChanged, 400, {"square": parse_square("a8"), "occupied": True}),
        (SquareChanged, 8000, {"square": parse_square("b2"), "occupied": True}),
        (SquareChanged, 1000, {"square": parse_square("d6"), "occupied": True}),
        (SquareChanged, 1000, {"square": parse_square("a2"), "occupied": True}),
        (BoardSnapshot, 3000, {"occupancy": wood}),
        (Answered, 3000, {"yes": True}),
        (SquareChanged, 3000, {"square": parse_square("a7"), "occupied": False}),
    ):
        ns += ms * 1_000_000
        session.receive(kind(at_ns=ns, **more))
    assert session.state()["moves"] == []
