"""The start over reeds that were broken when the board was switched on: asked for twice, it names them."""

from __future__ import annotations

import pytest

from board_firmware.core.events import (
    Answered,
    ButtonPressed,
    Faulted,
    GameStarted,
    Recovered,
    Ruled,
    SquareChanged,
    StartAsked,
)
from board_firmware.core.session import Session
from board_firmware.hands.table import Table
from hal.motion import Lift, Place, PressButton, PressLever
from hal.squares import parse_square, squares_of_part
from hal.wires import WiredBoard
from tests.board_firmware.test_lost_sensors import Game

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STANDING = 0xFFFF00000000FFFF
S = 1_000_000_000


def bits(names):
    """Squares by name."""
    return sum(1 << parse_square(name) for name in names.split())


class Before(Game):
    """A game that has not been started; ``wrong`` squares show the other of what stands on them."""

    def __init__(self, wrong, profile="friendly"):
        self.profile = profile
        occupancy = STANDING ^ (wrong if isinstance(wrong, int) else bits(wrong))
        super().__init__(ARRAY, occupancy=occupancy, prior={"started": False})
        self.ns = 5 * S

    def asks(self, kind=StartAsked, wait_s=3, **details):
        """Ask for the start, after a look at the board; the decisions' kinds."""
        self.ns += wait_s * S
        return [one.kind for one in self.give(kind, **details)]


@pytest.mark.parametrize("profile", ["friendly", "practice", "tournament"])
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("e2", ["square e2"]),
        ("e4", ["square e4"]),
        ("e2 e4", ["square e2", "square e4"]),
        ("a1 c2 f7 h8", ["square a1", "square c2", "square f7", "square h8"]),
        (squares_of_part("line file e") & STANDING, ["line file e"]),
        (squares_of_part("line rank 1"), ["line rank 1"]),
    ],
)
def test_asked_twice_the_game_starts(profile, wrong, named):
    """First the board says what it misses; whoever changes nothing and asks again is believed, and the reeds are named."""
    game = Before(wrong, profile)
    assert game.asks() == ["start_refused"]
    assert game.state["status"] == "not_started"
    kinds = game.asks()
    assert (kinds[0], kinds[-1]) == ("fault", "clock_started")
    assert game.state["status"] == "thinking"
    assert list(game.session.view().outstanding) == named


@pytest.mark.parametrize("how", [(ButtonPressed, {"button": "ok"}), (ButtonPressed, {"button": "start"}),
                                 (Answered, {"yes": True}), (StartAsked, {})])  # fmt: skip
def test_by_whatever_it_is_asked(how):
    """The panel and the page alike."""
    kind, details = how
    game = Before("e2")
    assert game.asks(kind, **details) == ["start_refused"]
    assert "clock_started" in game.asks(kind, **details)


def test_the_arbiter_starts_it():
    """His ruling is refused once, like anybody's start."""
    game = Before("e2", "tournament")
    assert "ruling_refused" in game.asks(Ruled, verb="resume", arguments=("white",))
    assert (game.state["status"], game.state["clock"]) == ("not_started", None)
    assert "ruled" in game.asks(Ruled, verb="resume", arguments=("white",))
    assert (game.state["status"], game.state["clock"]) == ("thinking", "white")


def test_a_button_that_bounces_insists_on_nothing():
    """Nobody has looked at the board between the two."""
    game = Before("e2")
    assert game.asks() == ["start_refused"]
    assert game.asks(wait_s=0) == ["start_refused"]
    assert "clock_started" in game.asks(wait_s=2)


def test_pieces_that_are_still_being_set_up_are_waited_for():
    """Each change of what is missing is told first; and a board in motion is not insisted on."""
    game = Before("e2 d2")
    assert game.asks() == ["start_refused"]
    game.place("d2")
    assert game.asks() == ["start_refused"]
    game.does("-a2", "+a2")
    assert game.asks(wait_s=0) == ["start_refused"]
    game.place("e2")
    assert game.ask == ("confirm_setup", None)


@pytest.mark.parametrize(
    "wrong",
    ["a1 b2 c7 d8 e1", "a2 b2 c2 a4 b4", "e1 e2 e7 e8 d1", "a1 b1 c1 d1 e1 f1 g1", "a1 b1 c1 d1 e1 f1 g1 h1 e4"],
)
def test_more_than_that_is_no_array(wrong):
    """Five squares, a line and one more, or most of a line: the pieces are not set up, whoever insists."""
    game = Before(wrong)
    for _ in range(4):
        assert game.asks() == ["start_refused"]
    assert (game.state["status"], game.session.view().outstanding) == ("not_started", ())


def test_a_line_that_shows_a_man_is_whole():
    """The wire makes contact again: none of its squares is lost any more."""
    game = Before(squares_of_part("line file e") & STANDING)
    game.asks()
    game.asks()
    for name in ("e1", "e2", "e7", "e8"):
        game.ns -= 500_000_000
        game.give(SquareChanged, square=parse_square(name), occupied=True)
    assert game.session.view().outstanding == ()
    game.does("-e2", "+e4")
    assert (game.state["moves"], game.state["violations"]) == (["e2e4"], [])


def test_a_line_of_which_the_board_finds_reeds_that_work():
    """It has named two of the reeds by itself meanwhile, and takes them back: the line is whole."""
    game = Before(squares_of_part("line file e") & STANDING)
    game.asks()
    game.asks()
    for name in ("e1", "e2"):
        game.give(Faulted, part=f"square {name}", reason="stuck_open")
    for name in ("e1", "e2"):
        game.give(Recovered, part=f"square {name}")
    assert game.session.view().outstanding == ()


@pytest.mark.parametrize(
    ("part", "fault"), [("square e2", "stuck_open"), ("square e4", "stuck_closed"), ("line file e", "open"),
                        ("line rank 2", "open")]
)  # fmt: skip
def test_a_game_on_a_board_that_was_broken_before(part, fault):
    """Through the wires: OK, OK, and the first moves."""
    board = WiredBoard(seed=1)
    board.set_fault(part, fault)
    table = Table(board, Session())
    board.advance(S // 2)
    start = GameStarted(
        at_ns=board.now_ns, fen=ARRAY, control="none", occupancy=board.snapshot().occupancy, prior={"started": False},
        game_id="x",
    )  # fmt: skip
    table.receive(start)
    table.run_to(8 * S)
    for _ in range(2):
        table.act([PressButton(button="ok")])
        table.wait(3 * S)
    assert table.core.view().state["status"] == "thinking"
    for square, to, side in (("d2", "d3", "white"), ("d7", "d6", "black")):
        one, other = parse_square(square), parse_square(to)
        table.act([Lift(square=one), Place(square=other, of=one, at_ms=500), PressLever(side=side, at_ms=1000)])
        table.wait(6 * S)
    assert table.core.view().state["moves"][-1] == "d7d6"
    assert table.core.view().outstanding != ()
