"""Tells a board of reeds what should stand on it, so that it finds the reed that is stuck.

Told only when reeds and position agree but for a square or two that are closed too much, and taken back when nobody can
know: at the end of a game, when the position changes without hands, and while a promotion is possible, for then a new
unit may come to the board before the pawn leaves it, which looks like a reed that closes by itself.
"""

from __future__ import annotations

import re
from typing import Any

from board_firmware.core.events import View
from hal.squares import squares_of_part

MOST_EXTRA = 2
"""Squares closed beyond the position that are still called agreement: reeds that stick, which is what is looked for."""

_CALM = ("thinking", "made", "completed")


class Expectation:
    """What one board was told last."""

    def __init__(self, board: object) -> None:
        """``board`` is any board; one without `hal.board.Supervised` is told nothing."""
        self._expect: Any = getattr(board, "expect", None)
        self._told: tuple[int | None, int] = (None, 0)
        self._placement = ""
        self._occupied = 0
        self._promotes = False

    def follow(self, view: View, at_ns: int | None = None) -> None:
        """The core has decided something, by the board's clock at ``at_ns``: tell the board if it should expect more."""
        if self._expect is None:
            return
        fen = str(view.state["fen"])
        moved = fen != self._placement
        if moved:
            self._read(fen)
        masked = 0
        for part in view.outstanding:
            masked |= squares_of_part(part)
        missing, extra = self._occupied & ~view.occupancy & ~masked, view.occupancy & ~self._occupied & ~masked
        is_as_expected = not missing and extra.bit_count() <= MOST_EXTRA
        if view.state["status"] in _CALM and not self._promotes and is_as_expected:
            self._tell(self._occupied, masked, at_ns)
        elif moved or self._promotes or view.state["status"] in ("ended", "not_started"):
            self._tell(None, 0, at_ns)

    def _read(self, fen: str) -> None:
        self._placement = fen
        placement, turn = fen.split()[:2]
        ranks = [re.sub(r"\d", lambda digit: " " * int(digit.group()), rank) for rank in placement.split("/")]
        board = "".join(reversed(ranks))
        self._occupied = sum(1 << square for square, letter in enumerate(board) if letter != " ")
        self._promotes = "P" in board[48:56] if turn == "w" else "p" in board[8:16]

    def _tell(self, occupied: int | None, masked: int, at_ns: int | None) -> None:
        if (occupied, masked) != self._told:
            self._told = (occupied, masked)
            self._expect(occupied, at_ns)
