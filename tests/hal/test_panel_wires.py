"""Lever and buttons behind a matrix whose wires touch: in the circuit, no press that nobody gave."""

from __future__ import annotations

import pytest

from hal.board import ButtonPressed, Faulted, LeverMoved
from hal.motion import Lift, Place, PressButton
from hal.simulated import STARTING_ARRAY
from hal.squares import parse_square
from hal.wires import WiredBoard

S = 1_000_000_000
MS = 1_000_000


def standing(names, lever="black"):
    """A board with chessmen there, known to whoever watches."""
    occupied = sum(1 << parse_square(name) for name in names.split()) if names else STARTING_ARRAY
    board = WiredBoard(seed=1, occupancy=occupied, lever_down=lever)
    board.advance(S)
    board.expect(occupied)
    board.advance(3 * S)
    return board


def presses(events):
    """Levers and buttons by their words."""
    return [
        event.down if isinstance(event, LeverMoved) else event.button
        for event in events
        if isinstance(event, LeverMoved | ButtonPressed)
    ]


@pytest.mark.parametrize("names", ["e1 e8 a7 b7 h6", "e1 e8 a2 a3 b2 b3 h7", "e1 e8 a2 b3 h7"])
def test_ranks_2_and_3_touch(names):
    """Bare, alike or not: the lever's contact closes Adjust with it. Lever and other buttons press as before."""
    board = standing(names)
    board.set_fault("line rank 2 + line rank 3", "joined")
    events = list(board.advance(board.now_ns + 2 * S))
    assert presses(events) == []
    told = {(x.part, x.reason) for x in events if isinstance(x, Faulted)}
    assert told == {("line rank 2 + line rank 3", "shorted_together")}
    for side in ("white", "black"):
        board.press_lever(side)
        assert presses(board.advance(board.now_ns + S)) == [side]
    board.press_button("draw_white")
    assert presses(board.advance(board.now_ns + S)) == ["draw_white"]


@pytest.mark.parametrize("on_ms", [4, 12, 25, 40])
def test_ranks_2_and_3_touch_again_and_again(on_ms):
    """A loose wire: thousands of closings, no press."""
    board, events = standing("e1 e8 a7 b7 h6"), []
    for n in range(200):
        board.set_fault("line rank 2 + line rank 3", None if n % 2 else "joined")
        events += board.advance(board.now_ns + on_ms * MS + n * 10_000)
    assert presses(events) == []


@pytest.mark.parametrize(
    ("part", "fault"),
    [("square c1", "shorted"), ("square e1", "shorted"), ("square f1", "reversed"), ("square c2", "shorted")],
)
def test_a_bad_diode_under_the_lever(part, fault):
    """Each press is one press, on the right side."""
    board = standing("")
    board.set_fault(part, fault)
    assert presses(board.advance(board.now_ns + 5 * S)) == []
    for side in ("white", "black", "white", "black"):
        board.press_lever(side)
        assert presses(board.advance(board.now_ns + 2 * S)) == [side]


@pytest.mark.parametrize("names", ["", "h1 h2 h7 h8 e1 e8", "h1 h4 h5 e1 e8 a7"])
def test_file_h_touches_the_panel(names):
    """Neighbours on the header: rooks and pawns press nothing, the lever moves no chessman, and both are named."""
    board, events = standing(names), []
    before = board.snapshot().occupancy
    board.set_fault("line file h + panel", "joined")
    events += board.advance(board.now_ns + 2 * S)
    for lifted in ("h2", "h1"):
        if board.standing >> parse_square(lifted) & 1:
            to = parse_square(lifted) + 16
            board.act([Lift(square=parse_square(lifted)), Place(square=to, of=parse_square(lifted), at_ms=600)])
            events += board.advance(board.now_ns + 2 * S)
        for side in ("white", "black"):
            board.press_lever(side)
            events += board.advance(board.now_ns + S)
    assert presses(events) == []
    assert board.snapshot().occupancy == before
    assert ("line file h + panel", "shorted_together") in {(x.part, x.reason) for x in events if isinstance(x, Faulted)}


def test_the_panel_at_ground():
    """It pulls the rank of the contact that is closed, and nothing else: the lever and the other squares work."""
    board = standing("")
    board.set_fault("panel", "low")
    events = list(board.advance(board.now_ns + 5 * S))
    assert board.faults == {"panel": "shorted"}
    for side in ("white", "black", "white"):
        board.press_lever(side)
        events += board.advance(board.now_ns + 2 * S)
        assert board.faults == {"panel": "shorted"}
    assert presses(events) == ["white", "black", "white"]
    assert board.snapshot().occupancy == STARTING_ARRAY
    board.set_fault("panel", None)
    board.advance(board.now_ns + 3 * S)
    assert board.faults == {}
    board.press_lever("black")
    assert presses(board.advance(board.now_ns + S)) == ["black"]


def test_a_button_on_a_sound_board_while_a_chessman_lands_on_its_rank():
    """In whichever scan it lands: the press is one."""
    board = standing("e1 e8 a5")
    for n in range(40):
        fro, to = (parse_square(name) for name in (("a5", "b7") if n % 2 == 0 else ("b7", "a5")))
        board.act([Lift(square=fro), Place(square=to, of=fro, at_ms=600)])
        board.act([PressButton(button="draw_white" if n % 2 else "ok", at_ms=730 + n * 1.5)])
        assert len(presses(board.advance(board.now_ns + 2 * S))) == 1
