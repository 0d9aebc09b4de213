"""A game: a start, the moves played, and what only the whole story can tell (repetitions, ends, claims).

A `Game` never changes. `play` makes a new one that knows the old one as its past, so that playing costs one link
whatever the length, taking back is looking at the link, and two games that begin alike share their beginning. Whatever
walks back does so in a loop: a game of any length goes through.

Source: FIDE Laws of Chess 2023, Articles 5, 9.2, 9.3 and 9.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from rules.errors import RulesError
from rules.frozen import Frozen
from rules.legality import Verdict, judge
from rules.material import insufficient_material
from rules.move import Move
from rules.outcome import FIFTY_MOVES_PLIES, SEVENTYFIVE_MOVES_PLIES, Outcome, Termination
from rules.pieces import PieceType
from rules.position import Position
from rules.setup import Setup

PositionKey = tuple[Any, ...]
"""What `Position.key` gives: equal for positions that are the same by Article 9.2.3."""


class OpenGame:
    """The fields of a game, still open (see `frozen`)."""

    __slots__ = ("_before", "_occurrences", "_prior", "_start", "move", "ply", "position")

    position: Position
    """The position on the board now."""
    move: Move | None
    """The move that led to it; None at the start."""
    ply: int
    """How many moves have been played."""
    _before: Game | None
    _start: Position
    _prior: Mapping[PositionKey, int]
    _occurrences: int


class Game(Frozen, OpenGame):
    """One game up to now. Make it with `start`, `from_fen`, `from_position` or `from_setup`; go on with `play`."""

    __slots__ = ()

    @classmethod
    def start(cls) -> Self:
        """Begin at the initial position."""
        return cls.from_position(Position.start())

    @classmethod
    def from_fen(cls, fen: str, *, chess960: bool = False) -> Self:
        """Begin at a position that a game can have led to; raises `FenError`."""
        return cls.from_position(Position.from_fen(fen, chess960=chess960))

    @classmethod
    def from_position(cls, position: Position, *, prior: Mapping[PositionKey, int] | None = None) -> Self:
        """Begin at a position.

        `prior` says how often positions have already occurred before this one, by their key: a game that goes on after
        a correction keeps its repetitions. The count of quiet plies goes on from the position's own halfmove clock.
        """
        game: Any = OpenGame()
        game.position = game._start = position
        game.move = game._before = None
        game.ply = game._occurrences = 0
        game._prior = dict(prior) if prior else {}
        game.__class__ = cls
        return game  # type: ignore[no-any-return]

    @classmethod
    def from_setup(cls, setup: Setup, *, prior: Mapping[PositionKey, int] | None = None) -> Self:
        """Begin at any diagram with one king a side, also one that no game leads to; raises `SetupError`.

        The side not to move may be in check (no move takes the king), a pawn on its last rank has no move.
        """
        return cls.from_position(Position.from_setup(setup), prior=prior)

    # The course of the game.

    @property
    def start_position(self) -> Position:
        """The position before the first move."""
        return self._start

    @property
    def moves(self) -> list[Move]:
        """All moves played, the first one first."""
        moves = [game.move for game in self._back() if game.move is not None]
        moves.reverse()
        return moves

    @property
    def positions(self) -> list[Position]:
        """All positions, from the start to now: one more than moves."""
        positions = [game.position for game in self._back()]
        positions.reverse()
        return positions

    def _back(self) -> Iterator[Game]:
        """Walk back from now to the start."""
        game: Game | None = self
        while game is not None:
            yield game
            game = game._before

    def play(self, move: Move) -> Self:
        """Play a legal move; raises `IllegalMoveError`.

        A drawn game can be played on (old scores do so): only mate and stalemate leave no move.
        """
        return self._after(move, self.position.play(move))

    def play_unchecked(self, move: Move) -> Self:
        """Play a move that is known to be legal. Any other move makes nonsense."""
        return self._after(move, self.position.play_unchecked(move))

    def _after(self, move: Move, position: Position) -> Self:
        after: Any = OpenGame()
        after.position = position
        after.move = move
        after.ply = self.ply + 1
        after._before = self
        after._start = self._start
        after._prior = self._prior
        after._occurrences = 0
        after.__class__ = type(self)
        return after  # type: ignore[no-any-return]

    def takeback(self) -> Game:
        """Give the game as it was before the last move; raises `RulesError` at the start."""
        if self._before is None:
            raise RulesError("no move to take back: this is where the game begins")
        return self._before

    def judge(self, from_square: int, to_square: int, promotion: PieceType | None = None) -> Verdict:
        """Judge a move of the side that has the move, knowing how the game went."""
        return judge(self.position, from_square, to_square, promotion, game=self)

    # Repetitions.

    def repetitions(self) -> int:
        """How often the position on the board has occurred, this time included (9.2.3)."""
        if not self._occurrences:
            object.__setattr__(self, "_occurrences", self._times(self.position))
        return self._occurrences

    def _times(self, position: Position) -> int:
        """Count a position at the end of this game (its own moment included) and before."""
        key = position.key()
        times = 1 + self._prior.get(key, 0)
        quiet = position.halfmove_clock
        for game in self._back():
            if quiet < 0:
                break
            earlier = game.position
            if earlier is not position and earlier.white == position.white and earlier.key() == key:
                times += 1
            quiet -= 1
        return times

    def occurrences(self) -> dict[PositionKey, int]:
        """Count all positions so far by key, as `prior` of a game that goes on from another diagram."""
        counts = dict(self._prior)
        for game in self._back():
            key = game.position.key()
            counts[key] = counts.get(key, 0) + 1
        return counts

    # Ends and claims.

    def outcome(self, *, is_dead: Callable[[Position], bool] = insufficient_material) -> Outcome | None:
        """Say how the game has ended by itself; None while it goes on. Claims are not ends.

        `is_dead` decides on dead positions (5.2.2). The default is exact on material; a caller with time to spare may
        ask a deeper analysis.
        """
        position = self.position
        if not position.legal_moves():
            if position.is_check():
                return Outcome(position.turn.other, Termination.CHECKMATE)
            return Outcome(None, Termination.STALEMATE)
        if is_dead(position):
            return Outcome(None, Termination.DEAD_POSITION)
        if self.repetitions() >= 5:
            return Outcome(None, Termination.FIVEFOLD)
        if position.halfmove_clock >= SEVENTYFIVE_MOVES_PLIES:
            return Outcome(None, Termination.SEVENTYFIVE_MOVES)
        return None

    def can_claim_threefold(self, move: Move | None = None) -> bool:
        """Whether a threefold claim of the side to move is right.

        Without a move: the position on the board has occurred three times (9.2.2). With one: the position after that
        move, which is not played, would occur for the third time (9.2.1). An illegal move claims nothing.
        """
        position = self.position
        if move is None:
            return bool(position.legal_moves()) and self.repetitions() >= 3
        return move in position.legal_moves() and self.play_unchecked(move).repetitions() >= 3

    def can_claim_fifty(self, move: Move | None = None) -> bool:
        """Whether a fifty-move claim of the side to move is right: on the board (9.3.2) or with a move (9.3.1)."""
        position = self.position
        if move is None:
            return bool(position.legal_moves()) and position.halfmove_clock >= FIFTY_MOVES_PLIES
        if move not in position.legal_moves():
            return False
        return position.play_unchecked(move).halfmove_clock >= FIFTY_MOVES_PLIES

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a start and moves, so that no length is too long."""
        return _replay, (type(self), self._start, dict(self._prior), self.moves)

    def __repr__(self) -> str:
        return f"<Game, {self.ply} plies, {self.position.fen()}>"


def _replay(cls: type[Game], start: Position, prior: dict[PositionKey, int], moves: list[Move]) -> Game:
    game = cls.from_position(start, prior=prior)
    for move in moves:
        game = game.play_unchecked(move)
    return game
