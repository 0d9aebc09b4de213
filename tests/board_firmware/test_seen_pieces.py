"""A board that sees pieces: what it sees strikes the readings that disagree."""

from __future__ import annotations

from board_firmware.core.events import Answered, Chosen, GameStarted, LeverMoved, SquareChanged, Tick
from board_firmware.core.session import Session
from hal.squares import parse_square

MS = 1_000_000


class Seeing:
    """A session and a hand of which the board sees each piece."""

    def __init__(self, fen: str, profile: str = "friendly", control: str = "none"):
        self.session, self.ns = Session(), 0
        self.session.receive(GameStarted(at_ns=0, fen=fen, profile=profile, control=control))

    def does(self, *acts: str):
        """``-e7P`` lifts a pawn from e7, ``+e8N`` sets a knight on e8; without a letter nothing was seen."""
        for act in acts:
            self.ns += 300 * MS
            self.session.receive(
                SquareChanged(
                    square=parse_square(act[1:3]), occupied=act[0] == "+", at_ns=self.ns, piece=act[3:] or None
                )
            )
        self.rests()
        return self

    def rests(self, ms: int = 400):
        """Nothing happens."""
        self.ns += ms * MS
        self.session.receive(Tick(at_ns=self.ns))

    def receive(self, kind, **fields):
        """Some other event, now."""
        self.ns += 100 * MS
        self.session.receive(kind(at_ns=self.ns, **fields))
        self.rests()

    @property
    def state(self):
        """What holds."""
        return self.session.state()


PROMOTION = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"


def test_the_promotion_piece_that_was_seen_is_not_asked_for():
    """A knight stands on the last rank: a knight it is."""
    state = Seeing(PROMOTION).does("-e7P", "+e8N").state
    assert (state["moves"], state["board"]["ask"]) == (["e7e8n"], None)


def test_a_pawn_on_its_last_rank_is_still_to_be_exchanged():
    """First the question; the piece that comes in the pawn's place answers it."""
    table = Seeing(PROMOTION).does("-e7P", "+e8P")
    assert table.state["board"]["ask"] == "promotion_piece"
    table.does("-e8P", "+e8R")
    assert (table.state["moves"], table.state["board"]["ask"]) == (["e7e8r"], None)


def test_an_unseen_promotion_piece_is_asked_for():
    """As on boards that see nothing."""
    assert Seeing(PROMOTION).does("-e7", "+e8").state["board"]["ask"] == "promotion_piece"


def test_a_piece_that_nobody_lifted_is_not_believed():
    """A knight was lifted and a bishop came down: no move is made by itself, and the press asks."""
    table = Seeing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", control="standard").does("-g1N", "+f3B")
    assert table.state["moves"] == []
    table.receive(LeverMoved, down="white")
    assert (table.state["board"]["ask"], table.state["board"]["candidates"]) == ("which_move", ["g1f3"])
    table.receive(Chosen, choice="g1f3")
    assert (table.state["moves"], table.state["clock"]) == (["g1f3"], "black")


def test_no_penalty_for_what_a_board_misread():
    """In a tournament too the board asks; it does not call the move illegal."""
    table = Seeing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "tournament", "standard")
    table.does("-g1N", "+f3b").receive(LeverMoved, down="white")
    assert (table.state["violations"], table.state["board"]["ask"]) == ([], "which_move")


def test_the_captor_that_was_seen():
    """The unit that was lifted takes, or another one has come down in its place and nothing is believed."""
    fen = "4k3/8/8/3p4/5N2/1B6/8/4K3 w - - 0 1"
    table = Seeing(fen).does("-f4N", "-d5p", "+d5N")
    assert table.state["moves"] == ["f4d5"]
    other = Seeing(fen).does("-b3B", "-d5p", "+d5N")
    assert other.state["moves"] == []
    other.receive(Answered, yes=True)
    assert other.state["moves"] == []
