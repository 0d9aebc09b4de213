"""What players do when the board asks or does not see: the first remedy that helps, and honest books about it."""

from __future__ import annotations

from random import Random

import pytest

from board_firmware.core.events import GameStarted
from board_firmware.core.session import Session
from board_firmware.hands.repairs import Played, answer, put_right
from board_firmware.hands.table import Table
from hal.motion import Lift, Motion, Place, PressLever
from hal.simulated import SimulatedBoard
from rules import Move, Position


def table_after(*ucis: str, motions: list[list[Motion]]) -> tuple[Table, Played]:
    """A table at which these gestures were made, and what the players meant by them."""
    start = Position.start()
    table = Table(SimulatedBoard(seed=1), Session())
    table.receive(GameStarted(at_ns=0, fen=start.fen(), control="standard"))
    positions = [start]
    for uci, acts in zip(ucis, motions, strict=True):
        positions.append(positions[-1].play(Move.from_uci(uci)))
        table.act(acts)
    return table, Played(positions=positions, moves=tuple(map(Move.from_uci, ucis)), pressed=True)


def test_a_unit_on_the_edge_is_straightened_and_the_clock_pressed_again() -> None:
    """The board does not see the pawn: its player pushes it to the middle."""
    acts = [Lift(square=12), Place(square=28, of=12, at_ms=400, offset_mm=(22, 0)), PressLever(side="white", at_ms=900)]
    table, meant = table_after("e2e4", motions=[acts])
    assert not table.shows(meant.moves)
    assert put_right(table, meant, Random(1), by_hand=True)
    state = table.core.view().state
    assert (state["moves"], state["clock"]) == (["e2e4"], "black")


def test_a_move_recorded_as_another_is_taken_back_and_counted() -> None:
    """Players who meant e2e4 and see e2e3 recorded go back and play it again."""
    acts = [Lift(square=12), Place(square=20, of=12, at_ms=400), PressLever(side="white", at_ms=900)]
    table, _ = table_after("e2e3", motions=[acts])
    table.act([Lift(square=20), Place(square=28, of=20, at_ms=400)])
    start = Position.start()
    move = Move.from_uci("e2e4")
    meant = Played(positions=[start, start.play(move)], moves=(move,), pressed=True)
    assert put_right(table, meant, Random(1), by_hand=True)
    assert table.core.view().state["moves"] == ["e2e4"]
    assert table.corrected == {0}


def test_nothing_asked_is_nothing_answered() -> None:
    """Players do not answer what nobody asks."""
    table, meant = table_after("e2e4", motions=[[Lift(square=12), Place(square=28, of=12, at_ms=400)]])
    assert not answer(table, meant, Random(1), by_hand=True)
    assert table.is_calm()


@pytest.mark.parametrize("piece", "qrbn")
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_promotion_is_answered_by_button_or_on_a_lit_square(piece: str, by_hand: bool) -> None:
    """Whichever way: the piece meant is the piece recorded, two seconds after it was asked for."""
    position = Position.from_fen("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")
    move = Move.from_uci(f"e7e8{piece}")
    table = Table(SimulatedBoard(seed=1, occupancy=position.occupied), Session())
    table.receive(GameStarted(at_ns=0, fen=position.fen(), control="standard"))
    table.act([Lift(square=52), Place(square=60, of=None, at_ms=500), PressLever(side="white", at_ms=900)])
    meant = Played(positions=[position, position.play(move)], moves=(move,), pressed=True)
    assert table.asks == "promotion_piece"
    asked_ns = table.asked_ns
    for seed in range(2):  # one of the two goes by the squares
        answer(table, meant, Random(seed), by_hand=by_hand)
    assert table.recorded == [move]
    assert table.now_ns >= asked_ns + 2_000_000_000
    assert put_right(table, meant, Random(1), by_hand=by_hand)
