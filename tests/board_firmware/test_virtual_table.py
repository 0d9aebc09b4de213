"""The table in virtual time: events reach the core in their order, and its decisions are kept as players see them."""

from __future__ import annotations

from board_firmware.core.events import Decision, Event, GameStarted, Resigned, Tick, View
from board_firmware.core.session import Session
from board_firmware.hands.table import AFTER_NS, Table
from hal.motion import Lift, Nudge, Place, PressLever
from hal.simulated import SimulatedBoard
from rules import Move, Position

MS = 1_000_000


class Scripted:
    """A core that keeps what it is given and answers from a list."""

    def __init__(self, *answers: Decision) -> None:
        self.events: list[Event] = []
        self.answers = list(answers)
        self.deadline: int | None = None
        self.state = {"board": {"ask": None}, "restore": None, "status": "thinking"}

    def receive(self, event: Event, /) -> tuple[Decision, ...]:
        """One answer an event."""
        self.events.append(event)
        if isinstance(event, Tick):
            self.deadline = None
        return (self.answers.pop(0),) if self.answers else ()

    def view(self) -> View:
        """The state as the test wants it."""
        return View(state=self.state)

    def deadline_ns(self) -> int | None:
        """As the test wants it."""
        return self.deadline


def made(uci: str, **details: object) -> Decision:
    """A move is made."""
    return Decision(kind="move_made", at_ns=0, details={"move": uci, **details})


def started() -> Table:
    """A real game at its beginning."""
    table = Table(SimulatedBoard(seed=1), Session())
    table.receive(GameStarted(at_ns=0, fen=Position.start().fen(), control="standard"))
    return table


def test_events_reach_the_core_in_order_of_time() -> None:
    """A press is debounced sooner than a place; the core sees the place first all the same."""
    core = Scripted()
    table = Table(SimulatedBoard(seed=1), core)
    table.act([Lift(square=12), Place(square=28, of=12, at_ms=400, ms=100), PressLever(side="white", at_ms=495)])
    stamps = [event.at_ns for event in core.events]
    assert stamps == sorted(stamps)
    assert table.now_ns == 500 * MS + AFTER_NS


def test_a_deadline_becomes_a_tick_at_its_time() -> None:
    """The core is told when its deadline has come, stamped with it."""
    core = Scripted()
    core.deadline = 300 * MS
    table = Table(SimulatedBoard(seed=1), core)
    table.wait(1000 * MS)
    assert core.events == [Tick(at_ns=300 * MS)]


def test_moves_are_recorded_revised_and_taken_back() -> None:
    """The record follows the decisions."""
    revised = Decision(kind="move_revised", at_ns=0)
    taken = Decision(kind="move_taken_back", at_ns=0)
    core = Scripted(made("e2e3"), revised, made("e2e4"), made("e7e5", inferred=True), taken)
    table = Table(SimulatedBoard(seed=1), core)
    for number in range(5):
        table.receive(Tick(at_ns=number))
    assert table.recorded == [Move.from_uci("e2e4")]
    assert table.inferred == set()


def test_questions_are_booked_to_the_ply_they_are_about() -> None:
    """Promotions apart from all others."""
    core = Scripted(
        made("e2e4"),
        Decision(kind="asked", at_ns=7, details={"ask": "which_capture"}),
        made("e7e5"),
        Decision(kind="asked", at_ns=9, details={"ask": "promotion_piece"}),
    )
    table = Table(SimulatedBoard(seed=1), core)
    for number in range(4):
        table.receive(Tick(at_ns=number))
    assert (table.asked, table.promotions, table.asked_ns) == ({1}, {2}, 9)


def test_the_board_is_looked_at_only_after_something_unusual() -> None:
    """Routine leaves it calm without a look; a question or a refusal does not."""
    core = Scripted(made("e2e4"), Decision(kind="touch_broken", at_ns=0), Decision(kind="answered", at_ns=0))
    table = Table(SimulatedBoard(seed=1), core)
    table.receive(Tick(at_ns=1))
    core.state["restore"] = {"place": ["e2"], "clear": []}
    assert table.is_calm()
    table.receive(Tick(at_ns=2))
    assert not table.is_calm()
    core.state["restore"] = None
    assert table.is_calm()
    assert table.asks is None


def test_what_the_board_shows_is_the_last_move() -> None:
    """Another move recorded is not what was played."""
    table = Table(SimulatedBoard(seed=1), Scripted(made("e2e4")))
    assert table.shows([])
    assert not table.shows([Move.from_uci("e2e4")])
    table.receive(Tick(at_ns=1))
    assert table.shows([Move.from_uci("e2e4")])
    assert not table.shows([Move.from_uci("e2e3")])


def test_waiting_ends_with_the_move_or_with_patience() -> None:
    """A move that comes is waited for no longer than it takes."""
    table = started()
    table.board.act([Lift(square=12), Place(square=28, of=12, at_ms=400)], table.now_ns)
    table.wait_until_shown([Move.from_uci("e2e4")], 5_000 * MS)
    assert table.shows([Move.from_uci("e2e4")])
    assert table.now_ns < 1_500 * MS
    begun = table.now_ns
    table.wait_until_shown([Move.from_uci("e2e4"), Move.from_uci("e7e5")], 700 * MS)
    assert table.now_ns - begun == 700 * MS


def test_words_need_no_reed() -> None:
    """A resignation at the page ends the game."""
    table = started()
    table.say(Resigned(side="black", at_ns=table.now_ns))
    assert table.over
    assert table.core.view().state["result"] == "1-0"


def test_a_push_without_lifting_is_shifting() -> None:
    """A nudge in place reaches the core as nothing at all."""
    table = started()
    table.act([Nudge(square=12, offset_mm=(4, 4))])
    assert table.recorded == []
    assert table.is_calm()
