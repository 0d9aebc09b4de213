"""What only the moves played can tell: how a castling right was lost, when an en passant capture lapsed.

`Past` is what a game must show for that. It is a protocol, so that this file stands below `game` and asks for no more
than it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.board import Board
from rules.castling import castling_of
from rules.move import Move
from rules.outcome import Outcome
from rules.pieces import Color


class Past(Protocol):
    """A game up to now: where it began, what was played, and whether it is over."""

    @property
    def start_position(self) -> Board:
        """The position before the first move."""

    @property
    def moves(self) -> Sequence[Move]:
        """All moves played."""

    def outcome(self) -> Outcome | None:
        """How it ended, None while it goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastlingPast:
    """What became of the king and rook of one castling since the game began."""

    right_at_start: bool
    king_moved: bool
    rook_moved: bool
    rook_captured: bool
    rook_now: int | None
    """Square of the rook that stood there at the start; None once it is captured."""


def castling_past(game: Past, color: Color, rook: int) -> CastlingPast:
    """Follow a side's king, and the rook that stood on a square, from the start of the game."""
    start = game.start_position
    king = start.king(color)
    right_at_start = bool(start.castling >> rook & 1)
    castles = castling_of(king, rook).move(start.chess960) if right_at_start else None
    king_moved = rook_moved = rook_captured = False
    rook_now: int | None = rook
    for move in game.moves:
        if move.from_square == king and not king_moved:
            king_moved = True
            if move is castles and rook_now == rook:
                rook_moved, rook_now = True, castling_of(king, rook).rook_to
                continue
        if move.from_square == rook_now:
            rook_moved, rook_now = True, move.to_square
        elif move.to_square == rook_now:
            rook_captured, rook_now = not rook_moved, None
    return CastlingPast(
        right_at_start=right_at_start,
        king_moved=king_moved,
        rook_moved=rook_moved,
        rook_captured=rook_captured,
        rook_now=rook_now,
    )


def double_step_past(game: Past, pawn: int) -> tuple[bool, Move | None]:
    """Say whether the pawn on a square may have come by a double step, and which move was played instead of taking it.

    A pawn that has stood there since the game began may have; then nobody knows the move.
    """
    moves = game.moves
    for index in range(len(moves) - 1, -1, -1):
        move = moves[index]
        if move.to_square == pawn:
            if abs(move.from_square - pawn) != 16:
                return False, None
            return True, moves[index + 1] if index + 1 < len(moves) else None
    passed = game.start_position.double_step
    lapsed = passed is not None and abs(passed - pawn) == 8 and len(moves) > 0
    return True, moves[0] if lapsed else None
