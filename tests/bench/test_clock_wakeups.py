"""A running clock costs no wake-ups: the loop sleeps until the next deadline, the face is computed, not counted down."""

from __future__ import annotations

from typing import Any

from board_firmware.core.events import GameStarted, LeverMoved, SquareChanged, Tick
from board_firmware.core.session import Session
from rules import parse_square

MS = 1_000_000
HOUR_NS = 3_600_000 * MS


def an_hour() -> tuple[int, int]:
    """(wake-ups, events) of an hour in which both sides think long: a loop that sleeps until each deadline."""
    session = Session()
    session.receive(
        GameStarted(at_ns=0, fen="4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", profile="tournament", control="3700+30")
    )
    acts = []
    for number, (origin, landing, side) in enumerate(
        (("e2", "e4", "white"), ("e7", "e5", "black"), ("e1", "e2", "white"))
    ):
        at = (number + 1) * 900_000 * MS
        acts += [
            SquareChanged(square=parse_square(origin), occupied=False, at_ns=at),
            SquareChanged(square=parse_square(landing), occupied=True, at_ns=at + 500 * MS),
            LeverMoved(down="white" if side == "white" else "black", at_ns=at + 1500 * MS),
        ]
    wakes = 0
    for act in (*acts, Tick(at_ns=HOUR_NS)):
        while (due := session.deadline_ns()) is not None and due < act.at_ns:
            wakes += 1
            session.receive(Tick(at_ns=due))
        session.receive(act)
    return wakes, len(acts)


def test_a_running_clock_sleeps(benchmark: Any) -> None:
    """A change of a reed costs one wake-up, for the stillness after it; an hour of running clocks costs none."""
    wakes, events = benchmark.pedantic(an_hour, rounds=3)
    print(
        f"\nan hour with {events} events: {wakes} wake-ups beyond them; a clock that ticks each second would take 3600"
    )
    assert wakes == 6


def test_the_face_is_right_to_the_millisecond() -> None:
    """At any instant the state shows what the clock has, within a millisecond of the exact sum."""
    session = Session()
    session.receive(GameStarted(at_ns=0, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", profile="tournament", control="300+5"))
    for at_ms in (1, 999, 1000, 12_345, 299_999, 304_998):
        session.receive(Tick(at_ns=at_ms * MS))
        assert abs(session.state()["clock_s"]["white"] - (305 - at_ms / 1000)) <= 0.001
