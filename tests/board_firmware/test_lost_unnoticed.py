"""Reeds that break unnoticed during a turn: the press asks, in every profile; nothing is judged or recorded unasked."""

from __future__ import annotations

import pytest

from board_firmware.core.events import Answered, Chosen, Faulted, GameStarted, Recovered, Ruled
from board_firmware.core.session import Session
from board_firmware.hands.table import Table
from hal.motion import Lift, Place, PressLever
from hal.squares import parse_square
from hal.wires import WiredBoard
from tests.board_firmware.test_lost_sensors import Game as Friendly

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KNIGHT_AND_PAWN = "4k3/8/8/3p4/8/8/4P3/4K1N1 w - - 0 1"
S = 1_000_000_000
PROFILES = pytest.mark.parametrize("profile", ["friendly", "practice", "tournament"])


class Game(Friendly):
    """As ever, in a profile."""

    def __init__(self, fen=ARRAY, profile="friendly", control="5400+30"):
        self.profile = profile
        super().__init__(fen, control=control)

    def waits(self, seconds):
        """Nobody does anything."""
        self.ns += seconds * S

    def says(self, choice):
        """A move's name, or "no"."""
        if choice == "no":
            self.give(Answered, yes=False)
        else:
            self.give(Chosen, choice=choice)


# ---- a reed that stays closed under its own man


@PROFILES
@pytest.mark.parametrize("named", [False, True])
def test_the_square_left_stays_closed(profile, named):
    """Its landing is called stuck, or not yet: it is asked, and the move stands with the reed that is truly stuck named."""
    game = Game(profile=profile)
    game.place("e4")
    if named:
        game.waits(2)
        game.give(Faulted, part="square e4", reason="stuck_closed")
    game.press("white")
    assert game.ask == ("which_move", ["e2e4"])
    assert (game.state["violations"], game.state["penalties"]) == ([], [])
    game.says("e2e4")
    assert (game.state["moves"], game.state["completed"], game.state["clock"]) == (["e2e4"], True, "black")
    assert "square e2" in game.session.view().outstanding


@PROFILES
def test_two_men_may_have_come_there(profile):
    """Knight and pawn reach f3: which of them it was nobody can see."""
    game = Game(profile=profile)
    game.place("f3")
    game.give(Faulted, part="square f3", reason="stuck_closed")
    game.press("white")
    assert game.ask == ("which_move", ["f2f3", "g1f3"])
    game.says("g1f3")
    assert game.state["moves"] == ["g1f3"]


@PROFILES
def test_a_reed_that_lets_go_late(profile):
    """The landing is called stuck after two seconds, the square left opens after five."""
    game = Game(profile=profile)
    game.place("e4")
    game.give(Faulted, part="square e4", reason="stuck_closed")
    game.waits(3)
    game.lift("e2")
    game.press("white")
    assert (game.state["moves"], game.state["violations"]) == (["e2e4"], [])


@PROFILES
def test_it_was_the_landing_that_sticks(profile):
    """No move was made: friendly the press means nothing, in a tournament it is the press without a move that it was."""
    game = Game(profile=profile)
    game.place("e4")
    game.give(Faulted, part="square e4", reason="stuck_closed")
    game.press("white")
    game.says("no")
    assert (game.ask, game.state["moves"]) == ((None, None), [])
    clock = "paused" if profile == "tournament" else "white"
    assert game.state["clock"] == clock
    assert game.state["violations"] == (["press_without_move"] if profile == "tournament" else [])
    assert [one["to"] for one in game.state["penalties"]] == (["black"] if profile == "tournament" else [])


def test_a_landing_that_is_stuck_since_long_excuses_no_press():
    """In a tournament only what has closed this turn may have been a move."""
    game = Game(profile="tournament")
    game.give(Faulted, part="square e4", reason="stuck_closed")
    game.press("white")
    assert game.state["violations"] == ["press_without_move"]


def test_a_capture_by_a_man_whose_reed_sticks():
    """The victim was lifted and its square filled again: on a board that has failed it may have been taken, not put back."""
    fen = "4k3/5p2/8/8/2B5/8/8/4K3 w - - 0 1"
    game = Game(fen, "tournament")
    game.does("-f7", "+f7")
    game.press("white")
    assert game.state["violations"] == ["press_without_move"]
    for choice, violations in (("c4f7", []), ("no", ["press_without_move"])):
        game = Game(fen, "tournament")
        game.give(Faulted, part="line file a", reason="dead_line")
        game.give(Recovered, part="line file a")
        game.does("-f7", "+f7")
        game.press("white")
        assert game.ask == ("which_move", ["c4f7"])
        game.says(choice)
        assert (game.state["moves"], game.state["violations"]) == (["c4f7"] if not violations else [], violations)


@PROFILES
def test_en_passant_by_a_pawn_whose_reed_sticks(profile):
    """Only the victim's leaving and the pawn's landing are seen."""
    game = Game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", profile)
    game.does("-d5", "+d6")
    game.press("white")
    assert game.ask == ("which_move", ["e5d6"])
    game.says("e5d6")
    assert (game.state["moves"], game.state["violations"]) == (["e5d6"], [])


@PROFILES
def test_castling_from_a_square_that_sticks(profile):
    """The king's reed stays closed."""
    game = Game("4k3/8/8/8/8/8/8/4K2R w K - 0 1", profile)
    game.does("+g1", "-h1", "+f1")
    game.press("white")
    assert game.ask == ("which_move", ["e1g1"])
    game.says("e1g1")
    assert (game.state["moves"], game.state["violations"]) == (["e1g1"], [])


def test_a_move_within_a_dead_line_is_asked_about():
    """In a tournament too: nothing of it could be seen."""
    game = Game("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "tournament")
    game.give(Faulted, part="line file a", reason="dead_line")
    game.press("white")
    assert game.ask == ("which_move", ["a2a3", "a2a4"])
    game.says("a2a3")
    assert (game.state["moves"], game.state["violations"]) == (["a2a3"], [])


# ---- a reed that opens under a standing man


@PROFILES
@pytest.mark.parametrize("gone", [("e2",), ("g8",), ("e2", "g8"), ("a1", "a8"), ("b1", "e2", "f7", "h8")])
def test_men_vanish_before_a_move(profile, gone):
    """The move alone is legal and complete: it is asked, and the reeds are named."""
    game = Game(profile=profile)
    for name in gone:
        game.lift(name)
    game.waits(1)
    game.does("-d2", "+d4")
    game.press("white")
    assert game.ask == ("which_move", ["d2d4"])
    assert set(game.state["lamps"]) == set(gone)
    game.says("d2d4")
    assert (game.state["moves"], game.state["completed"], game.state["violations"]) == (["d2d4"], True, [])
    assert game.session.view().outstanding == tuple(f"square {name}" for name in gone)
    game.does("-e7", "+e5")
    game.press("black")
    assert game.state["moves"] == ["d2d4", "e7e5"]


@PROFILES
def test_a_man_that_was_taken_off_the_board(profile):
    """Whoever did that and pressed is caught: the answer is that it was no legal move."""
    game = Game(profile=profile)
    game.lift("e2")
    game.waits(1)
    game.does("-d2", "+d4")
    game.press("white")
    game.says("no")
    restore = {"place": ["d2", "e2"], "clear": ["d4"]}
    assert (game.state["status"], game.state["restore"], game.state["moves"]) == ("irregularity", restore, [])
    if profile == "tournament":
        assert game.state["violations"] == ["illegal_move_completed"]
        assert game.state["penalties"] == [{"kind": "add_time", "to": "black", "seconds": 120}]
    game.does("-d4", "+d2", "+e2")
    assert game.state["restore"] is None


def test_the_clock_stands_as_it_stood_at_the_press():
    """In a tournament the time until the arbiter's answer is nobody's, and no increment is kept."""
    game = Game(profile="tournament")
    game.lift("e2")
    game.waits(1)
    game.does("-d2", "+d4")
    game.press("white")
    before = game.state["clock_s"]
    assert game.state["clock"] == "black"
    game.waits(60)
    game.says("no")
    assert game.state["clock"] == "paused"
    assert game.state["clock_s"]["black"] == 5430
    assert game.state["clock_s"]["white"] <= before["white"] - 30


def test_a_man_lifted_with_the_move_is_no_broken_reed():
    """In a tournament two men lifted together and one set down is what it looks like."""
    game = Game(profile="tournament")
    game.does("-e2", "-d2", "+d4")
    game.press("white")
    assert game.state["violations"] == ["illegal_move_completed"]


def test_ok_names_the_reed_of_a_man_that_stands_again():
    """The arbiter need not wait for a reed that will never close; the offence is his to judge, and he resumes."""
    game = Game(profile="tournament")
    game.does("-e2", "-d2", "+d4")
    game.press("white")
    game.button("ok")
    assert game.session.view().outstanding == ()
    game.does("-d4", "+d2")
    assert game.state["restore"] == {"place": ["e2"], "clear": []}
    game.button("ok")
    assert (game.state["restore"], game.session.view().outstanding) == (None, ("square e2",))
    assert (game.state["status"], len(game.state["penalties"])) == ("irregularity", 1)
    game.give(Ruled, verb="waive", arguments=())
    game.give(Ruled, verb="resume", arguments=("white",))
    game.does("-d2", "+d4")
    game.press("white")
    assert (game.state["moves"], game.state["penalties"]) == (["d2d4"], [])


def test_a_man_lifted_with_the_move_is_asked_about_at_ok():
    """Friendly it is refused, and whoever insists is asked."""
    game = Game()
    game.does("-e2", "-d2", "+d4")
    assert game.state["restore"] == {"place": ["d2", "e2"], "clear": ["d4"]}
    game.button("ok")
    assert game.ask == ("which_move", ["d2d4"])
    game.button("ok")
    assert (game.state["moves"], game.session.view().outstanding) == (["d2d4"], ("square e2",))


def test_more_men_than_reeds_that_break():
    """Five have vanished: the board is in disorder."""
    game = Game(profile="tournament")
    game.does("-a2", "-b2", "-c2", "-f2", "-g2")
    game.waits(1)
    game.does("-d2", "+d4")
    game.press("white")
    assert game.state["violations"] == ["illegal_move_completed"]


@PROFILES
def test_what_is_put_back_was_not_played(profile):
    """Friendly the question goes with the move, and OK says that the man stands there; the arbiter answers by himself."""
    game = Game(profile=profile)
    game.lift("e2")
    game.waits(1)
    game.does("-d2", "+d4")
    game.press("white")
    game.does("-d4", "+d2")
    game.button("ok")
    assert game.state["moves"] == []
    if profile != "tournament":
        assert game.ask == ("which_move", ["e2e3", "e2e4"])
        game.button("back")
        assert game.session.view().outstanding == ("square e2",)
        game.does("-d2", "+d4")
        game.press("white")
        assert game.state["moves"] == ["d2d4"]


def test_without_a_clock_the_reply_is_asked_about_too():
    """White has moved, Black's knight vanishes at rest, and Black answers."""
    game = Game(control="none")
    game.does("-d2", "+d4")
    game.lift("g8")
    game.waits(2)
    game.does("-e7", "+e5")
    assert game.ask == ("which_move", ["e7e5"])
    game.button("ok")
    assert (game.state["moves"], game.session.view().outstanding) == (["d2d4", "e7e5"], ("square g8",))


def test_captures_and_castling_beside_a_vanished_man():
    """Whatever reads complete without him."""
    fen = "r3k2r/pppppppp/8/8/8/3p4/PPP1PPPP/R3K2R w KQkq - 0 1"
    for acts, move in ((("-d3", "-e2", "+d3"), "e2d3"), (("-e1", "+g1", "-h1", "+f1"), "e1g1")):
        game = Game(fen, "tournament")
        game.lift("a7")
        game.waits(1)
        game.does(*acts)
        game.press("white")
        assert game.ask == ("which_move", [move])
        game.says(move)
        assert (game.state["moves"], game.state["violations"]) == ([move], [])


# ---- through the wires


@pytest.mark.parametrize("profile", ["friendly", "tournament"])
@pytest.mark.parametrize(
    ("part", "fault", "move", "press_ms"),
    [
        ("square e2", "stuck_closed", "e2e4", 3500),
        ("square e2", "stuck_closed", "e2e4", 1200),
        ("square g1", "stuck_closed", "g1f3", 3500),
        ("square e2", "stuck_open", "d2d4", 1500),
        ("square g8", "stuck_open", "d2d4", 1500),
        ("square d1", "stuck_open", "g1f3", 4000),
    ],
)
def test_a_reed_breaks_in_play(profile, part, fault, move, press_ms):
    """One move, its answer and the next, whatever broke."""
    board = WiredBoard(seed=1)
    table = Table(board, Session())
    table.receive(GameStarted(at_ns=0, fen=ARRAY, control="standard", profile=profile, occupancy=0xFFFF00000000FFFF))
    table.wait(2 * S)
    board.set_fault(part, fault)
    table.wait(3 * S)
    for text, side in ((move, "white"), ("b7b6", "black")):
        one, other = parse_square(text[:2]), parse_square(text[2:])
        table.act([Lift(square=one), Place(square=other, of=one, at_ms=500), PressLever(side=side, at_ms=press_ms)])
        table.wait(2 * S)
        if table.asks:
            assert text in table.core.view().state["board"]["candidates"]
            table.say(Chosen(choice=text, at_ns=table.now_ns))
        table.wait(4 * S)
    state = table.core.view().state
    assert (state["moves"], state["violations"], state["penalties"]) == ([move, "b7b6"], [], [])
    assert part in table.core.view().outstanding


def test_a_square_that_fills_while_its_unit_stands_far_away_puts_nothing_back():
    """The queen has gone to e5; the reed of b5 sticks, and a moment later Black lifts her, to take: she was not put back."""
    game = Game("4k3/2q5/8/1Q6/8/8/8/4K3 w - - 0 1", control="-")
    game.does("-b5", "+e5", "+b5", "-e5", "-c7", "+e5")
    game.give(Faulted, part="square b5", reason="stuck_closed")
    game.does("-e5", "+e5")
    assert game.state["moves"] == ["b5e5", "c7e5"]


def test_a_unit_that_is_put_back_is_put_back():
    """It leaves e5 first; or, on the next square, both reeds are closed while it is pushed over the edge."""
    game = Game("4k3/2q5/8/1Q6/8/8/8/4K3 w - - 0 1", control="-")
    game.does("-b5", "+e5", "-e5", "+b5")
    assert game.state["moves"] == []
    game = Game("4k3/2q5/8/1Q6/8/8/8/4K3 w - - 0 1", control="-")
    game.does("-b5", "+b6", "+b5", "-b6")
    assert game.state["moves"] == []
