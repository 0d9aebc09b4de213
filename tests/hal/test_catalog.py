"""Opening a board by its URL."""

from __future__ import annotations

import pytest

from hal.catalog import open_board
from hal.simulated import SimulatedBoard


def test_sim_opens_seeded_and_virtual_on_request():
    """`sim:?seed=7` is the board of seed 7; without a clock its time is its own."""
    board = open_board("sim:?seed=7", clock=None)
    assert isinstance(board, SimulatedBoard)
    assert board.now_ns == 0
    assert board.wait(3.0) == ()
    assert board.now_ns == 3_000_000_000


def test_sim_runs_in_real_time_by_itself():
    """`make run` needs no more than `sim:`."""
    board = open_board("sim:")
    assert board.now_ns > 0
    assert board.snapshot().occupancy == 0xFFFF_0000_0000_FFFF
    board.close()


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("", "sim:"),
        ("sim", "sim:"),
        ("foo:bar", "sim:"),
        ("sim:?seed=x", "seed"),
        ("sim:?speed=1", "speed"),
        ("wires:nix", "nix"),
    ],
)
def test_what_makes_no_board_is_told(url, word):
    """One line says what is wrong and what is known."""
    with pytest.raises(ValueError, match=word):
        open_board(url)


def test_wires_open_with_seed_and_profile():
    """`wires:?seed=3&profile=aged`, virtual on request; a profile that is none is told."""
    board = open_board("wires:?seed=3&profile=aged", clock=None)
    assert board.wait(1.0)[0].occupancy == 0xFFFF_0000_0000_FFFF
    board.close()
    with pytest.raises(ValueError, match="healthy, aged, broken"):
        open_board("wires:?profile=rusty", clock=None)
    with pytest.raises(ValueError, match="seed and profile"):
        open_board("wires:?speed=1", clock=None)
    with pytest.raises(ValueError, match="seed=VALUE"):
        open_board("sim:?seed", clock=None)
