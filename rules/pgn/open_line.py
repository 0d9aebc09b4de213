"""A line of moves while it is being read: the main line, or a variation that is still open.

It knows the position after its last move and the one before it, because an alternative to that move begins there. What
hangs on the moves is kept beside them, by the number of moves before it: most moves of an archive have nothing.
"""

from __future__ import annotations

from rules.move import Move
from rules.pgn.game import PgnLine, PgnMove
from rules.position import Position


class OpenLine:
    """A line and where it stands. A `row` and `column` count from 1."""

    __slots__ = (
        "before",
        "column",
        "comments",
        "inner",
        "is_dead",
        "moves",
        "nags",
        "position",
        "row",
        "tail",
        "variations",
    )

    def __init__(self, position: Position, row: int, column: int) -> None:
        self.position = position
        self.before = position
        self.row, self.column = row, column
        self.moves: list[Move] = []
        self.nags: dict[int, tuple[int, ...]] = {}
        self.comments: dict[int, tuple[str, ...]] = {}
        self.variations: dict[int, tuple[PgnLine, ...]] = {}
        self.is_dead = False
        """A move could not be played: what follows goes to the tail."""
        self.inner = 0
        """Variations open inside the tail."""
        self.tail: list[str] = []

    def closed(self) -> PgnLine:
        """The line as it has been read."""
        nags, comments, variations = self.nags.get, self.comments.get, self.variations.get
        moves: tuple[PgnMove, ...]
        if self.nags or self.comments or self.variations:
            moves = tuple(
                [
                    PgnMove(move, nags(at, ()), comments(at, ()), variations(at, ()))
                    for at, move in enumerate(self.moves, 1)
                ]
            )
        else:
            moves = tuple(map(_BARE.__getitem__, self.moves))
        return PgnLine(moves, comments(0, ()), " ".join(self.tail))


class _BareMoves(dict[Move, PgnMove]):
    """One `PgnMove` without annotations for each move: most plies of an archive share them."""

    def __missing__(self, move: Move) -> PgnMove:
        bare = self[move] = PgnMove(move)
        return bare


_BARE = _BareMoves()
