"""Counting the ways a game can go on: the standard proof of a move generator.

The last ply is only listed, never played ("bulk counting").
"""

from __future__ import annotations

from rules.legal_moves import list_legal_moves
from rules.move import Move
from rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves (plies, 0 or more)."""
    if depth == 0:
        return 1
    moves, play = list_legal_moves(position), position.play_unchecked
    if depth == 1:
        return len(moves)
    if depth == 2:
        return sum([len(list_legal_moves(play(move))) for move in moves])
    return sum([perft(play(move), depth - 1) for move in moves])


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Count them apart by their first move; `depth` is 1 or more."""
    return {move: perft(position.play_unchecked(move), depth - 1) for move in position.legal_moves()}
