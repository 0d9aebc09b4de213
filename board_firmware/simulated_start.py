"""A simulated board is made with the program: pieces and lever stand as the game needs them, a new one or one resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from board_firmware.core.events import GameStarted, LeverMoved, Side
from board_firmware.journal.codec import event_of
from board_firmware.journal.schema import Row
from hal.board import Board

_SCHEMES = ("sim:", "wires:")


def is_simulated(url: str) -> bool:
    """Whether a board's pieces are the program's to set up."""
    return url.startswith(_SCHEMES)


def as_it_stood(occupancy: int, started: GameStarted, rows: Sequence[Row]) -> dict[str, Any]:
    """What `open_board` is told for a game brought back: the squares that were closed, and the lever as its rows left it."""
    return {"occupancy": occupancy, "lever_down": lever_down(started, rows)}


def stand_up(board: Board, started: GameStarted) -> None:
    """The pieces as a game begins, and the lever where the first player can press it."""
    set_up = getattr(board, "set_up", None)
    if set_up is not None and started.occupancy is not None:
        set_up(started.occupancy, lever_down=lever_down(started))


def lever_down(started: GameStarted, rows: Sequence[Row] = ()) -> Side:
    """The end that went down last in these rows of a game; before any press it is that of the player who waits."""
    for row in reversed(rows):
        if LeverMoved.__name__ in row.event and isinstance(moved := event_of(row), LeverMoved):
            return moved.down
    black_begins = (started.fen.split()[1:2] == ["b"]) != (len(started.history) % 2 == 1)
    return "white" if black_begins else "black"
