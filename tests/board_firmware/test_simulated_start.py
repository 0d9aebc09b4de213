"""The simulated board stands as the game needs it: the pieces, and the lever where the right player can press."""

from __future__ import annotations

import pytest

from board_firmware.core.events import GameStarted, LeverMoved, SquareChanged
from board_firmware.journal.codec import event_text
from board_firmware.journal.schema import Row
from board_firmware.simulated_start import as_it_stood, is_simulated, lever_down, stand_up
from hal.catalog import open_board
from rules import START_FEN

BLACK_BEGINS = "4k3/8/8/8/8/8/P7/4K3 b - - 0 1"


def started(fen: str = START_FEN, *history: str) -> GameStarted:
    """A game's beginning, its pieces standing."""
    return GameStarted(at_ns=0, fen=fen, history=history, occupancy=0xFFFF_0000_0000_FFFF)


def row(event) -> Row:
    """A row of the journal."""
    return Row(seq=1, boot=1, game=1, at_ns=1, wall_ms=0, trusted=True, event=event_text(event), decisions="")


@pytest.mark.parametrize(
    ("start", "down"),
    [(started(), "black"), (started(BLACK_BEGINS), "white"), (started(START_FEN, "e2e4"), "white"),
     (started(BLACK_BEGINS, "e8e7"), "black")],
)  # fmt: skip
def test_before_any_press_the_player_who_waits_has_his_end_down(start: GameStarted, down: str) -> None:
    """So that the first press can be given; on both kinds of simulated board."""
    assert lever_down(start) == down
    for url in ("sim:", "wires:"):
        board = open_board(url, clock=None)
        stand_up(board, start)
        assert board.lever_down == down
        board.close()


def test_after_a_press_the_lever_lies_as_it_was_left() -> None:
    """The newest press counts, whatever followed."""
    lifted = row(SquareChanged(square=1, occupied=False, at_ns=1))
    white, black = (row(LeverMoved(down=side, at_ns=1)) for side in ("white", "black"))
    assert as_it_stood(5, started(), [white, lifted]) == {"occupancy": 5, "lever_down": "white"}
    assert as_it_stood(5, started(), [white, black, lifted]) == {"occupancy": 5, "lever_down": "black"}
    for url in ("sim:", "wires:"):
        board = open_board(url, clock=None, **as_it_stood(0xFF, started(), [white]))
        assert board.lever_down == "white"
        board.close()


def test_real_boards_stand_as_people_set_them_up() -> None:
    """The program moves no wood."""
    assert all(map(is_simulated, ("sim:?seed=1", "wires:")))
    assert not any(map(is_simulated, ("reed:", "dgt:/dev/ttyACM0")))
