"""The arbiter's rulings: each does what it says, is recorded, and can be undone while it is the newest."""

from __future__ import annotations

from typing import Any

import pytest

from board_firmware.conform import play
from board_firmware.core.events import Decision, GameStarted, LeverMoved, Ruled, SquareChanged, Tick
from board_firmware.core.session import Session
from board_firmware.trace import from_case
from rules import parse_square

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MS = 1_000_000


def after(*actions: str, fen: str = START, **given: Any) -> tuple[dict[str, Any], list[Decision]]:
    """The state and the decisions after some actions in the tournament profile."""
    decisions: list[Decision] = []
    steps = list(play(from_case({"fen": fen, "control": "standard", "actions": list(actions), **given})))
    for _, made, _ in steps:
        decisions += made
    return steps[-1][2].state(), decisions


E4 = ("lift e2", "place e4", "press white")
E4E5 = (*E4, "lift e7", "place e5", "press black")
ILLEGAL = ("lift e2", "place e5", "press white")


@pytest.mark.parametrize(
    ("before", "ruling"),
    [
        ((), "set-clock white 100 black 200"),
        ((), "counter white 7"),
        ((), "penalty black 60"),
        ((), "warning white"),
        ((), "result 1-0"),
        ((), "dead-position"),
        ((), "wrong-setup"),
        ((), "colours-reversed"),
        (("lift g1", "place g1"), "accidental g1"),
        (ILLEGAL, "apply"),
        (ILLEGAL, "waive"),
        (("pause white",), "resume white"),
    ],
)
def test_the_newest_ruling_can_be_undone(before: tuple[str, ...], ruling: str) -> None:
    """Undone, everything stands as before it, but for the log."""
    ruled, _ = after(*before, f"arbiter {ruling}")
    undone, decisions = after(*before, f"arbiter {ruling}", "arbiter undo")
    plain, _ = after(*before)
    assert ruled != plain
    for state in (undone, plain):
        state.pop("clock_s", None)
        state["board"].pop("confidence")
    assert undone == plain
    assert [one.details["verb"] for one in decisions if one.kind == "ruled"][-1] == "undo"


def test_a_ruling_is_not_undone_after_the_next_move() -> None:
    """A move seals it: a new ruling is needed then, and the refusal says so."""
    state, decisions = after("arbiter counter white 7", *E4, "arbiter undo")
    assert state["completed_moves"]["white"] == 8
    assert (
        "a move has been made since" in [one for one in decisions if one.kind == "ruling_refused"][-1].details["reason"]
    )


@pytest.mark.parametrize(
    "ruling",
    ["fly", "resume green", "set-clock white", "set-clock white -1", "counter white many", "rewind 9", "rewind x",
     "position nonsense", "position 8/8/8/8/8/8/8/8 w - - 0 1", "promotion q", "accidental e4", "result 2-0",
     "apply", "waive", "uphold", "reject", "undo", "undo-move", "cannot-mate white", "displaced-piece z9", "penalty"],
)  # fmt: skip
def test_what_cannot_be_ruled_is_refused_and_changes_nothing(ruling: str) -> None:
    """A reason is given, and the state is as it was."""
    state, decisions = after(f"arbiter {ruling}")
    plain, _ = after()
    assert state == plain
    refused = [one for one in decisions if one.kind == "ruling_refused"]
    assert len(refused) == 1
    assert refused[0].details["reason"]


def test_rewind_to_any_ply() -> None:
    """The position before that ply comes back, the wood is to be put right, and the clocks wait for the arbiter."""
    state, _ = after(*E4E5, "arbiter rewind 1")
    assert state["moves"] == ["e2e4"]
    assert state["turn"] == "black"
    assert state["restore"] == {"place": ["e7"], "clear": ["e5"]}
    assert state["clock"] == "paused"
    state, _ = after(
        *E4E5, "arbiter rewind 0", "lift e4", "place e2", "lift e5", "place e7", "arbiter resume white", *E4
    )
    assert state["moves"] == ["e2e4"]
    assert state["completed_moves"] == {"white": 1, "black": 0}


def test_a_position_is_set_and_play_goes_on_from_it() -> None:
    """Rights and en passant included; a diagram no game can reach is accepted, one without a king is not."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    state, _ = after("arbiter position 4k3/8/8/8/8/8/4P3/4K3 b - - 3 9", fen=fen)
    assert state["fen"] == "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"
    assert state["turn"] == "black"
    assert state["restore"] is None


def test_a_rejected_objection_gives_the_move_back() -> None:
    """Provisionally upheld, then rejected: the move stands again, and the complaint is over."""
    touched = ("lift g1", "place g1", *E4, "object black touch-move")
    upheld, _ = after(*touched)
    assert upheld["moves"] == []
    rejected, _ = after(*touched, "arbiter reject")
    assert rejected["moves"] == ["e2e4"]
    assert rejected["claim_open"] is False


def test_time_lost_on_the_flag_becomes_a_draw_where_no_mate_is_possible() -> None:
    """`cannot-mate` turns the loss into 6.9's draw."""
    state, _ = after("flag white", "arbiter flag white", "arbiter cannot-mate black")
    assert (state["result"], state["termination"]) == ("1/2-1/2", "time_no_mating_line")


def test_author_and_reason_are_in_the_log() -> None:
    """Who ruled, and why, goes with the decision."""
    session = Session()
    session.receive(GameStarted(at_ns=0, fen=START, profile="tournament", control="standard"))
    decisions = session.receive(
        Ruled(verb="warning", arguments=("white",), author="IA Example", reason="phone rang", at_ns=MS)
    )
    ruled = next(one for one in decisions if one.kind == "ruled")
    assert (ruled.details["author"], ruled.details["reason"]) == ("IA Example", "phone rang")


def test_the_whole_game_is_a_fold_over_the_log() -> None:
    """The same events give the same decisions and the same state, rulings, undo and rewinds included."""
    actions = [*E4E5, "arbiter counter black 3", "arbiter undo", "arbiter rewind 1", "lift e5", "place e7",
               "arbiter resume black", "lift d7", "place d5", "press black", "lift e4", "lift d5", "place d5"]  # fmt: skip
    assert after(*actions) == after(*actions)


def test_ticks_in_between_change_nothing() -> None:
    """Splitting any interval into ticks never changes a decision or the state (rule of the fold)."""

    def run(every_ms: int | None) -> tuple[list[str], dict[str, Any]]:
        session = Session()
        log = [*session.receive(GameStarted(at_ns=0, fen=START, profile="friendly", control="300+3"))]
        at = 0
        for act, square in (("lift", "e2"), ("place", "e4"), ("press", "white"), ("lift", "e7"), ("place", "e5")):
            for part in range(0, 700, every_ms or 700):
                log += session.receive(Tick(at_ns=(at + part) * MS))
            at += 700
            if act == "press":
                log += session.receive(LeverMoved(down="white", at_ns=at * MS))
            else:
                occupied = act == "place"
                log += session.receive(SquareChanged(square=parse_square(square), occupied=occupied, at_ns=at * MS))
        log += session.receive(Tick(at_ns=(at + 2000) * MS))
        return [str(one.as_json()) for one in log], session.state()

    assert run(None) == run(7) == run(100)
