"""How games end, and what may be claimed.

Five ends come by themselves and at once: mate, stalemate, a dead position, the fifth occurrence of a position and 75
moves by each side without a capture or pawn move; mate goes before all (9.6.2). Threefold and fifty are claims: they
end nothing until a player makes them. `Game` answers for both, as only it knows what happened before.

Source: FIDE Laws of Chess 2023, Articles 5 and 9.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from rules.pieces import WHITE, Color

FIFTY_MOVES_PLIES = 100
SEVENTYFIVE_MOVES_PLIES = 150


class Termination(enum.StrEnum):
    """Why a game is over. The first five are for the rules to find, the others for players, clocks and arbiters."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead_position"
    FIVEFOLD = "fivefold"
    SEVENTYFIVE_MOVES = "seventyfive_moves"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    RESIGNATION_NO_MATING_MATERIAL = "resignation_no_mating_material"
    TIME = "time"
    TIME_NO_MATING_MATERIAL = "time_no_mating_material"
    TIME_NO_MATING_LINE = "time_no_mating_line"
    BOTH_FLAGS = "both_flags"
    THREEFOLD_CLAIM = "threefold_claim"
    FIFTY_CLAIM = "fifty_claim"
    SECOND_ILLEGAL_MOVE = "second_illegal_move"
    SECOND_ILLEGAL_MOVE_NO_MATING_MATERIAL = "second_illegal_move_no_mating_material"
    ARBITER = "arbiter"
    ABANDONED = "abandoned"
    GAME_CANCELLED_NEW_GAME = "game_cancelled_new_game"


_ARTICLES = {
    Termination.CHECKMATE: "5.1.1",
    Termination.STALEMATE: "5.2.1",
    Termination.DEAD_POSITION: "5.2.2",
    Termination.FIVEFOLD: "9.6.1",
    Termination.SEVENTYFIVE_MOVES: "9.6.2",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner (None for a draw) and why."""

    winner: Color | None
    termination: Termination

    @property
    def result(self) -> str:
        """As a score sheet has it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is WHITE else "0-1"

    @property
    def article(self) -> str:
        """The article by which the game ended by itself; empty for ends that people bring about."""
        return _ARTICLES.get(self.termination, "")
