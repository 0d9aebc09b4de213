"""A game in which an illegal move stands, as PGN games that any reader can play.

Algebraic notation has no safe way to write a move that is not legal, and a reader that meets one loses the rest. In
rapid and blitz such a move may stand (A.5.2, B.3.2). The score then goes up to the move, says what happened, and goes on
in a second game whose FEN is the position after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.game import Game
from rules.pgn.game import PgnGame, PgnLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of legal moves, and what broke it off (empty for the last one)."""

    game: Game
    broken_by: str = ""


def in_parts(parts: Sequence[Part], tags: Mapping[str, str], result: str) -> tuple[PgnGame, ...]:
    """The parts of one game as games with the same tags; all but the last end with ``*`` and a comment."""
    games = []
    for number, part in enumerate(parts, 1):
        is_last = number == len(parts)
        whole = PgnGame.of(part.game, tags=tags, result=result if is_last else "*")
        if not is_last:
            comment = f"{part.broken_by or 'an illegal move stands'}; the game goes on as part {number + 1} of {len(parts)}"
            whole = _with_last_comment(whole, comment)
        games.append(whole)
    return tuple(games)


def _with_last_comment(game: PgnGame, comment: str) -> PgnGame:
    line = game.line
    if not line.moves:
        return game.with_line(PgnLine(line.moves, (*line.comments, comment)))
    last = line.moves[-1]
    return game.with_line(PgnLine((*line.moves[:-1], last._replace(comments=(*last.comments, comment))), line.comments))
