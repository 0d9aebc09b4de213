"""A game as PGN tells it: tags, a main line, variations kept out of it, and what was wrong in the text.

`PgnMove` and `PgnLine` are named tuples, not dataclasses: a reader makes one for each ply of an archive, and a tuple is
made three times as fast. A line holds moves, not positions: `rules.game.Game` plays them when positions are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import NamedTuple

from rules.game import Game
from rules.move import Move
from rules.pgn.comment import clk, emt, time_of, without_commands
from rules.pgn.fault import PgnFault
from rules.position import Position


class PgnMove(NamedTuple):
    """One ply with what was written about it."""

    move: Move
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs; ``!`` is 1, ``?`` 2, ``!!`` 3, ``??`` 4, ``!?`` 5, ``?!`` 6."""
    comments: tuple[str, ...] = ()
    """The comments after the move, commands and all, white space made single."""
    variations: tuple[PgnLine, ...] = ()
    """Other ways to play instead of this move."""

    @property
    def comment(self) -> str:
        """What is written for people after the move, without commands."""
        return " ".join(filter(None, map(without_commands, self.comments)))

    @property
    def clk_s(self) -> float | None:
        """Seconds the mover had left after the move (``[%clk]``); None if the text does not say."""
        return time_of(self.comments, "clk")

    @property
    def emt_s(self) -> float | None:
        """Seconds the move took (``[%emt]``); None if the text does not say."""
        return time_of(self.comments, "emt")


class PgnLine(NamedTuple):
    """A run of moves: the main line or a variation."""

    moves: tuple[PgnMove, ...] = ()
    comments: tuple[str, ...] = ()
    """Comments before the first move."""
    tail: str = ""
    """What followed and could not be played, as it stood: nothing of a file is lost without a trace."""


EMPTY_LINE = PgnLine()
@dataclass(frozen=True, slots=True, kw_only=True)
class PgnGame:
    """One game of a PGN file."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Tag pairs as read, in their order; what was not in the text is not here."""
    start: Position = field(default_factory=Position.start)
    """Where the game begins: the FEN tag's position, or the usual one."""
    line: PgnLine = EMPTY_LINE
    """The main line."""
    result: str = "*"
    """One of `rules.pgn.results.RESULTS`."""
    faults: tuple[PgnFault, ...] = field(default=(), compare=False)
    """What was odd in the text, in the order of the text (errors and notes)."""
    at_line: int = field(default=1, compare=False)
    """The line of the source where the game begins, from 1."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(ply.move for ply in self.line.moves)

    @property
    def errors(self) -> tuple[PgnFault, ...]:
        """The faults that are errors."""
        return tuple(fault for fault in self.faults if fault.is_error)

    def __iter__(self) -> Iterator[PgnMove]:
        return iter(self.line.moves)

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        tags: Mapping[str, str] | None = None,
        result: str = "*",
        clk_s: Sequence[float | None] = (),
        emt_s: Sequence[float | None] = (),
    ) -> PgnGame:
        """Take the score of a game that has been played.

        `clk_s` and `emt_s` give for each ply the seconds its mover had left after it and took for it; None, or a list
        that ends early, where nobody knows.
        """
        plies = []
        for move, left, took in zip_longest(game.moves, clk_s, emt_s):
            if move is None:
                raise ValueError(f"{max(len(clk_s), len(emt_s))} clock times for {len(game.moves)} moves")
            times = " ".join(
                command(seconds) for command, seconds in ((clk, left), (emt, took)) if seconds is not None
            )
            plies.append(PgnMove(move, (), (times,) if times else ()))
        return cls(tags=dict(tags or {}), start=game.start_position, line=PgnLine(tuple(plies)), result=result)

    def with_line(self, line: PgnLine) -> PgnGame:
        """The same game with another main line."""
        return replace(self, line=line)

    def play(self) -> Game:
        """Play the main line from `start`."""
        game = Game.from_position(self.start)
        for ply in self.line.moves:
            game = game.play(ply.move)
        return game
