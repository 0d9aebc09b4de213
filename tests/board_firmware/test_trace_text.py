"""A game as a trace: read back, it is the same events at the same nanosecond."""

from __future__ import annotations

import json

import pytest

from board_firmware.conform import play
from board_firmware.core.events import (
    Analysed,
    BoardSnapshot,
    ButtonPressed,
    Chosen,
    Claimed,
    ClockShown,
    Faulted,
    GameStarted,
    LeverMoved,
    Objected,
    Ruled,
    SquareChanged,
    StartAsked,
    TakebackAsked,
    Tick,
)
from board_firmware.journal import trace_text
from board_firmware.trace import from_case, parse
from rules import START_FEN

STARTED = GameStarted(at_ns=5_000_000_001, fen=START_FEN, control="180+2", game_id="g1", tags={"White": "A"})


def back(*events):
    """What is read from the text of these events."""
    return list(parse(trace_text.write([STARTED, *events])).events)


def later(event):
    """The event as it stands after the start."""
    from dataclasses import replace

    return replace(event, at_ns=event.at_ns - STARTED.at_ns)


def test_events_come_back_to_the_nanosecond():
    """All that a trace has words for."""
    at = STARTED.at_ns
    events = [
        SquareChanged(square=12, occupied=False, at_ns=at + 1),
        SquareChanged(square=28, occupied=True, at_ns=at + 123_456_789),
        LeverMoved(down="white", at_ns=at + 200_000_000),
        Chosen(choice="q", at_ns=at + 200_000_001),
        Claimed(side="white", kind="threefold", move="e2e4", at_ns=at + 300_000_000),
        ClockShown(side="black", seconds=299.5, at_ns=at + 400_000_000),
        Objected(side="black", about="touch-move", at_ns=at + 500_000_000),
        Ruled(verb="set-clock", arguments=("white", "100", "black", "90"), at_ns=at + 600_000_000),
        StartAsked(at_ns=at + 700_000_000),
        TakebackAsked(side="white", at_ns=at + 7_200_000_000_000),
    ]
    assert back(*events) == [later(event) for event in events]


def test_what_a_trace_has_no_words_for_is_told_as_a_comment():
    """A fault and an analysis are seen by a reader and left out by a replay; ticks are not told at all."""
    text = trace_text.write(
        [
            STARTED,
            Tick(at_ns=STARTED.at_ns + 1),
            Faulted(part="line a", reason="open", at_ns=STARTED.at_ns + 2_000_000),
            Analysed(fen="x", side="white", verdict="unknown", nodes=1, at_ns=STARTED.at_ns + 3_000_000),
            ButtonPressed(button="ok", at_ns=STARTED.at_ns + 4_000_000),
        ]
    )
    assert text.splitlines()[-3:] == ["# @2.000000 Faulted", "# @3.000000 Analysed", "# @4.000000 button ok"]
    assert parse(text).events == ()


def test_a_snapshot_is_told_as_the_changes_it_is():
    """Squares that differ from what was last known."""
    occupancy = 0xFFFF_0000_0000_FFFF & ~(1 << 12) | 1 << 28
    started = GameStarted(at_ns=0, fen=START_FEN, occupancy=0xFFFF_0000_0000_FFFF)
    text = trace_text.write([started, BoardSnapshot(occupancy=occupancy, at_ns=9_000_000)])
    assert text.splitlines()[-2:] == ["@9.000000 lift e2", "@9.000000 place e4"]


def test_buttons_are_told_as_what_they_say():
    """The panel's buttons are the players' words."""
    at = STARTED.at_ns
    buttons = [ButtonPressed(button=name, at_ns=at) for name in ("adjust_white", "promote_n")]
    text = trace_text.write([STARTED, *buttons])
    assert text.splitlines()[-2:] == ["@0.000000 adjust white", "@0.000000 choose n"]


def test_the_header_says_how_the_game_was_played():
    """Blitz settles sooner: the settle time stands there, since a trace's own is another."""
    start = parse(trace_text.write([STARTED])).start
    assert (start.control, start.profile, start.settings["settle_ms"]) == ("180+2", "friendly", 150)
    with pytest.raises(ValueError, match="begins with the start of a game"):
        trace_text.write([Tick(at_ns=0)])


def test_the_cases_of_the_laws_survive_the_journey(shared):
    """Each case as text and back gives the same state in the end."""
    for name in ("laws", "profiles"):
        for case in json.loads((shared / "cases" / f"{name}.json").read_text()):
            first = list(play(from_case(case)))
            trace = parse(trace_text.write([event for event, _, _ in first]))
            second = list(play(trace))
            assert first[-1][2].state() == second[-1][2].state(), case["id"]
