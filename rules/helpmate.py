"""Looks for a series of legal moves of both sides that ends in mate.

Best first: of all positions found so far, the one that looks nearest to a mate (`nearness`, by each of its two numbers
in turn) is played on from; of equals the newest, so that a plateau is crossed in a straight line. Positions already
seen are not entered again, so cycles cannot hold it up, and when nothing is left to play on from, all positions that
can be reached have been seen and none of them is a mate: that is a proof.

Lines of a hundred moves are found as easily as short ones, but now and then a search loses its way in a corner of the
tree. It is cheaper to begin again with other leanings (`Leaning`) than to go on. Everything is counted in nodes,
positions looked at, and depends on nothing else: the same question gives the same answer on any machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

from rules.board import Board
from rules.move import Move
from rules.nearness import Nearness
from rules.pieces import WHITE, Color
from rules.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """Which of equals comes first, by each number, and from which end the moves are tried."""

    newest: tuple[bool, bool] = (True, True)
    backwards: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What came of a search: the mating line, or whether everything was seen, and the nodes it took."""

    line: tuple[Move, ...] | None
    exhausted: bool
    nodes: int


class _Node:
    __slots__ = ("move", "open", "parent", "position")

    def __init__(self, position: Position, move: Move | None, parent: _Node | None) -> None:
        self.position = position
        self.move = move
        self.parent = parent
        self.open = True

    def line(self) -> tuple[Move, ...]:
        moves = []
        node: _Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def search(
    position: Position,
    winner: Color,
    *,
    nodes: int,
    nearness: Nearness,
    hopeless: Callable[[Position, Position], bool],
    leaning: Leaning = Leaning(),
) -> Search:
    """Search up to `nodes` positions for a mate by `winner`; the given position itself is not looked at.

    `hopeless` is asked about each new position (and the one before it): positions from which no mate can come any more
    are not played on from. It must not err.
    """
    first_sign, second_sign = (-1 if newest else 1 for newest in leaning.newest)
    root = _Node(position, None, None)
    first: list[tuple[int, int, _Node]] = [(0, 0, root)]
    second: list[tuple[int, int, _Node]] = [(0, 0, root)]
    seen = {_key(position)}
    count, waiting = 0, 1
    queue, other = first, second
    while waiting:
        queue, other = other, queue
        node = heappop(queue)[2]
        while not node.open:
            node = heappop(queue)[2]
        node.open = False
        waiting -= 1
        before = node.position
        moves = before.legal_moves()
        for move in reversed(moves) if leaning.backwards else moves:
            after = before.play_unchecked(move)
            key = _key(after)
            if key in seen:
                continue
            if count >= nodes:
                return Search(line=None, exhausted=False, nodes=count)
            seen.add(key)
            count += 1
            if hopeless(after, before):
                continue
            near, straight, check = nearness(after)
            child = _Node(after, move, node)
            if check and after.turn is not winner and not after.legal_moves():
                return Search(line=child.line(), exhausted=False, nodes=count)
            heappush(first, (near, first_sign * count, child))
            heappush(second, (straight, second_sign * count, child))
            waiting += 1
    return Search(line=None, exhausted=True, nodes=count)


def _key(board: Board) -> tuple[object, ...]:
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.white,
        board.turn is WHITE,
        board.castling,
        board.double_step,
    )
