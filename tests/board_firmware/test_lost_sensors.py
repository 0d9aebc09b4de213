"""Reeds that cannot be trusted: what players can say with the panel, and what the board asks."""

from __future__ import annotations

from board_firmware.core.events import (
    ButtonPressed,
    DrawAccepted,
    Faulted,
    GameStarted,
    LeverMoved,
    Recovered,
    SquareChanged,
    TakebackAsked,
    Tick,
)
from board_firmware.core.session import Session
from rules import parse_square

MS = 1_000_000
FEN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


class Game:
    """A session fed by name, half a second between any two events."""

    profile = "friendly"

    def __init__(self, fen=FEN, control="5400+30", **more):
        self.session, self.ns = Session(), 0
        self.session.receive(GameStarted(at_ns=0, fen=fen, control=control, profile=self.profile, **more))

    def give(self, kind, **details):
        """One event."""
        self.ns += 500 * MS
        return self.session.receive(kind(at_ns=self.ns, **details))

    def lift(self, name):
        """A reed opens."""
        self.give(SquareChanged, square=parse_square(name), occupied=False)

    def place(self, name):
        """A reed closes."""
        self.give(SquareChanged, square=parse_square(name), occupied=True)

    def lifts_at_once(self, *names):
        """Reeds that open in one scan."""
        self.ns += 500 * MS
        for name in names:
            self.session.receive(SquareChanged(square=parse_square(name), occupied=False, at_ns=self.ns))

    def does(self, *acts):
        """Several of them: ``-e2`` lifts, ``+e4`` places."""
        for act in acts:
            (self.place if act[0] == "+" else self.lift)(act[1:])

    def takes_back(self, side):
        """Both agree that the last move is taken back."""
        self.give(TakebackAsked, side=side)
        self.give(DrawAccepted, side="white" if side == "black" else "black")

    def press(self, side):
        """The lever; a press with a unit in the air is judged when it has been still."""
        self.give(LeverMoved, down=side)
        self.give(Tick)

    def button(self, name):
        """The panel."""
        self.give(ButtonPressed, button=name)

    @property
    def state(self):
        """The contract's state."""
        self.give(Tick)
        return self.session.state()

    @property
    def ask(self):
        """The question and its candidates."""
        return self.state["board"]["ask"], self.state["board"].get("candidates")


def test_a_move_onto_a_lost_square_is_asked():
    """The knight leaves g1 and nobody sees where it lands: two of its squares are lost. "Back" says that nothing was."""
    game = Game("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")
    game.give(Faulted, part="line file h", reason="dead_line")
    game.give(Faulted, part="square f3", reason="stuck_open")
    game.lift("g1")
    game.press("white")
    assert game.ask == ("which_move", ["g1f3", "g1h3"])
    game.button("back")
    assert game.ask == (None, None)
    assert game.state["moves"] == []


def test_a_landing_that_is_not_seen_is_asked_at_the_second_press():
    """No reed is known to be lost: the first press finds no move, the second insists that there is one."""
    game = Game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    game.lift("e2")
    game.press("white")
    assert game.ask == (None, None)
    game.press("white")
    assert game.ask == ("which_move", ["e2e3", "e2e4"])


def test_nothing_lost_shows_a_move():
    """With a file dead a blip elsewhere does not make the only move within that file."""
    game = Game("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1")
    game.give(Faulted, part="line file a", reason="dead_line")
    game.lift("e1")
    game.place("e1")
    assert game.state["moves"] == []


def test_ok_says_that_the_wood_stands_right():
    """A lone rook's reed fails: its lift is a touch until the players say that it stands there; the fault is named."""
    game = Game("r3k3/8/8/8/8/8/8/4K3 b - - 0 1")
    game.lift("a8")
    game.lift("e8")
    game.place("e7")
    assert game.state["status"] == "irregularity"
    game.lift("e7")
    game.place("e8")
    game.button("ok")
    assert game.session.view().outstanding == ("square a8",)
    assert (game.state["status"], game.state["restore"]) == ("thinking", None)
    game.lift("e8")
    game.place("e7")
    game.press("black")
    assert game.state["moves"] == ["e8e7"]
    game.place("a8")
    assert game.session.view().outstanding == ()


def test_a_line_that_recovers_touches_nothing():
    """Reeds that catch up with what they were taken to be are no lifts."""
    game = Game("4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1")
    game.give(Faulted, part="line file a", reason="dead_line")
    game.press("white")
    assert game.ask == ("which_move", ["a2a3", "a2a4"])
    game.give(Recovered, part="line file a")
    assert game.session.view().outstanding == ()


def test_a_chattering_reed_touches_nothing():
    """Its openings before it is named and after oblige nobody."""
    game = Game()
    game.lift("d2")
    game.place("d2")
    assert game.state["obligation"] == "move:d2"
    game.give(Faulted, part="square d2", reason="chatter")
    game.lift("d2")
    game.place("d2")
    assert game.state["obligation"] == "none"


def test_the_claim_button():
    """A third occurrence ends the game; without one it is a claim of fifty moves, and wrong."""
    knights = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    game = Game(start, history=knights)
    game.button("claim_white")
    assert (game.state["result"], game.state["termination"]) == ("1/2-1/2", "threefold_claim")
    game = Game(start)
    game.button("claim_white")
    assert game.state["result"] is None
    assert "claim_incorrect" in game.state["board"]["report"]
