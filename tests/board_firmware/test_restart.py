"""The game comes back after a stop: the wood is compared, the clock waits, nothing is read as a move."""

from __future__ import annotations

from board_firmware.core.events import GameStarted, LeverMoved, Restarted, SquareChanged, StartAsked, Tick
from board_firmware.core.session import Session
from hal.squares import parse_square

S_NS = 1_000_000_000
START = 0xFFFF_0000_0000_FFFF


def bits(*names: str) -> int:
    """Squares as an occupancy."""
    return sum(1 << parse_square(name) for name in names)


def lifted(name: str, at_s: float) -> SquareChanged:
    """A unit leaves a square."""
    return SquareChanged(square=parse_square(name), occupied=False, at_ns=round(at_s * S_NS))


def placed(name: str, at_s: float) -> SquareChanged:
    """A unit comes to a square."""
    return SquareChanged(square=parse_square(name), occupied=True, at_ns=round(at_s * S_NS))


def game(control: str, *events) -> Session:
    """A game that has begun, after these events."""
    session = Session()
    session.receive(
        GameStarted(at_ns=0, fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", control=control)
    )
    for event in events:
        session.receive(event)
    return session


def played_e4(control: str) -> Session:
    """1. e4, made; White has pressed if there is a clock."""
    session = game(control, lifted("e2", 1), placed("e4", 2), Tick(at_ns=3 * S_NS))
    if control != "none":
        session.receive(LeverMoved(down="white", at_ns=4 * S_NS))
    return session


AFTER_E4 = START & ~bits("e2") | bits("e4")


def test_with_the_pieces_as_they_stood_play_goes_on():
    """No clock, nothing moved: nothing is asked of anybody."""
    session = played_e4("none")
    before = session.state()
    session.receive(Restarted(occupancy=AFTER_E4, at_ns=10 * S_NS))
    assert session.state() == before


def test_the_clock_waits_for_somebody():
    """Nobody's time runs over the stop or after it until play is confirmed."""
    session = played_e4("300")
    session.receive(Tick(at_ns=10 * S_NS))
    stood = session.state()["clock_s"]
    assert stood == {"white": 296.0, "black": 294.0}
    session.receive(Restarted(occupancy=AFTER_E4, at_ns=10 * S_NS))
    session.receive(Tick(at_ns=60 * S_NS))
    assert (session.state()["status"], session.state()["clock"]) == ("paused", "paused")
    assert session.state()["clock_s"] == stood
    session.receive(StartAsked(at_ns=60 * S_NS))
    session.receive(Tick(at_ns=61 * S_NS))
    assert session.state()["clock"] == "black"
    assert session.state()["clock_s"] == {"white": 296.0, "black": 293.0}


def test_what_moved_meanwhile_is_named_and_put_right():
    """A move that nobody watched is no move: the squares are named until the wood stands as recorded."""
    session = played_e4("none")
    session.receive(Restarted(occupancy=AFTER_E4 & ~bits("d7") | bits("d5"), at_ns=10 * S_NS))
    state = session.state()
    assert state["status"] == "irregularity"
    assert state["restore"] == {"place": ["d7"], "clear": ["d5"]}
    assert state["moves"] == ["e2e4"]
    session.receive(lifted("d5", 11))
    session.receive(placed("d7", 12))
    session.receive(Tick(at_ns=13 * S_NS))
    state = session.state()
    assert (state["restore"], state["moves"], state["violations"]) == (None, ["e2e4"], [])
    assert state["status"] != "irregularity"


def test_after_putting_right_the_game_is_played_on():
    """The restored position is the one in force: the next move reads as ever."""
    session = played_e4("none")
    session.receive(Restarted(occupancy=AFTER_E4 & ~bits("g1"), at_ns=10 * S_NS))
    session.receive(placed("g1", 11))
    for event in (lifted("e7", 12), placed("e5", 13), Tick(at_ns=14 * S_NS)):
        session.receive(event)
    assert session.state()["moves"] == ["e2e4", "e7e5"]


def test_a_unit_in_the_air_at_the_stop_goes_back_first():
    """The lift was a touch; set down again on its square while nobody watched, it is as if not yet moved."""
    session = game("none", lifted("e2", 1))
    session.receive(Restarted(occupancy=START, at_ns=10 * S_NS))
    assert session.state()["restore"] is None
    for event in (lifted("e2", 12), placed("e4", 13), Tick(at_ns=14 * S_NS)):
        session.receive(event)
    assert session.state()["moves"] == ["e2e4"]


def test_a_unit_still_in_the_air_is_set_down_as_a_move():
    """The reeds show what they showed: the hand never let go, and the move is completed as if nothing had been."""
    session = game("none", lifted("e2", 1))
    session.receive(Restarted(occupancy=START & ~bits("e2"), at_ns=10 * S_NS))
    for event in (placed("e4", 13), Tick(at_ns=14 * S_NS)):
        session.receive(event)
    assert session.state()["moves"] == ["e2e4"]


def test_the_clock_does_not_go_on_over_misplaced_pieces():
    """Confirming play helps nothing while pieces are to be put right."""
    session = played_e4("300")
    session.receive(Restarted(occupancy=START, at_ns=10 * S_NS))
    session.receive(StartAsked(at_ns=11 * S_NS))
    assert session.state()["clock"] == "paused"
    session.receive(lifted("e2", 12))
    session.receive(placed("e4", 13))
    session.receive(StartAsked(at_ns=14 * S_NS))
    assert session.state()["clock"] == "black"


def test_a_game_not_begun_asks_again_when_the_array_stands():
    """Before the start there is nothing to put right."""
    session = Session()
    session.receive(
        GameStarted(
            at_ns=0, fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", control="300",
            prior={"started": False}, occupancy=0,
        )
    )  # fmt: skip
    assert session.state()["board"]["ask"] is None
    session.receive(Restarted(occupancy=START, at_ns=S_NS))
    assert session.state()["board"]["ask"] == "confirm_setup"
