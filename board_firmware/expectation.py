"""Tells a board of reeds what should stand on it, so that it finds the reed that is stuck.

Told when reeds and position agree but for a square or two that are closed too much, or for the landing of the last move,
which no reed has seen. Where more squares are closed than units can stand on the board, and a single legal move explains
all of them but one, the board is told of the position after it: the one square is the reed that is stuck.

Taken back when nobody can know: at the end of a game, when the position changes without hands, where several moves would
explain what is closed or the players are asked which it was, and while a promotion is possible, for then a new unit may
come to the board before the pawn leaves it, which looks like a reed that closes by itself.
"""

from __future__ import annotations

import re
from typing import Any

from board_firmware.core.events import View
from hal.squares import parse_square
from rules import Position

MOST_EXTRA = 2
"""Squares closed beyond the position that are still called agreement: reeds that stick, which is what is looked for."""

_CALM = ("thinking", "made", "completed")
_UNCLEAR = ("which_move", "which_capture")


class Expectation:
    """What one board was told last."""

    def __init__(self, board: object) -> None:
        """``board`` is any board; one without `hal.board.Supervised` is told nothing."""
        self._expect: Any = getattr(board, "expect", None)
        self._told: tuple[int | None, int] = (None, 0)
        self._fen = self._fen_before = ""
        self._occupied = 0
        self._promotes = False
        self._agreed = False  # whether the reeds showed this position and nothing else at the press

    def follow(self, view: View, at_ns: int | None = None) -> None:
        """The core has decided something, by the board's clock at ``at_ns``: tell the board if it should expect more."""
        if self._expect is None:
            return
        fen = str(view.state["fen"])
        moved = fen != self._fen
        if moved:
            self._read(fen)
        masked = view.faulty
        status = view.state["status"]
        missing, extra = self._occupied & ~view.occupancy & ~masked, view.occupancy & ~self._occupied & ~masked
        landed = not missing & ~self._unseen(view, status)
        asked = view.state.get("board", {}).get("ask") in _UNCLEAR
        if status in ("ended", "not_started") or self._promotes or asked:
            self._tell(None, 0, at_ns)
        elif extra.bit_count() <= MOST_EXTRA and (not missing or (landed and status in _CALM)):
            self._agreed = self._agreed or (status != "made" and not (missing or extra))
            is_doubtful = not self._agreed and len(explained(self._fen_before, view.occupancy, masked)) > 1
            self._tell(None if is_doubtful else self._occupied, 0 if is_doubtful else masked, at_ns)
        elif extra.bit_count() == missing.bit_count() + 1 and len(found := explained(fen, view.occupancy, masked)) == 1:
            self._tell(found.pop(), masked, at_ns)
        elif moved:
            self._tell(None, 0, at_ns)

    def _unseen(self, view: View, status: str) -> int:
        """The landing of the last move: if it is open, its reed has not seen the unit come down."""
        move = str(view.state.get("move") or "")
        return 1 << parse_square(move[2:4]) if status in ("made", "completed") and len(move) >= 4 else 0

    def _read(self, fen: str) -> None:
        self._fen_before, self._fen, self._agreed = self._fen, fen, False
        placement, turn = fen.split()[:2]
        ranks = [re.sub(r"\d", lambda digit: " " * int(digit.group()), rank) for rank in placement.split("/")]
        board = "".join(reversed(ranks))
        self._occupied = sum(1 << square for square, letter in enumerate(board) if letter != " ")
        self._promotes = "P" in board[48:56] if turn == "w" else "p" in board[8:16]

    def _tell(self, occupied: int | None, masked: int, at_ns: int | None) -> None:
        if (occupied, masked) != self._told:
            self._told = (occupied, masked)
            self._expect(occupied, at_ns)


def explained(fen: str, occupancy: int, masked: int) -> set[int]:
    """What may stand after one legal move from ``fen``, where ``occupancy`` has exactly one square more than that closed.

    ``masked`` squares do not count. More squares must be closed than units stood there before, so that no move by which
    a unit comes to a wrong square looks like one of these.
    """
    if not fen:
        return set()
    position = Position.from_fen(fen, chess960=True)  # reads every spelling of castling rights
    if (occupancy & ~masked).bit_count() <= (position.occupied & ~masked).bit_count():
        return set()
    found = set()
    for move in position.legal_moves():
        after = position.play(move).occupied
        differs = (after ^ occupancy) & ~masked
        if differs.bit_count() == 1 and differs & occupancy:
            found.add(after)
    return found
