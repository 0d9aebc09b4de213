"""Can a side still mate by any series of legal moves of both sides? The question of Articles 5.2.2 and 6.9.

Three answers, none of them ever wrong: `Winnable` shows a mating line, `Unwinnable` is proved, `Unknown` says that the
nodes were spent. Four means, the cheap ones first:

1. material (`material`), exact;
2. a short search (`helpmate`): most positions of real games have a helped mate near at hand, and forced lines end;
3. walls (`mobility`, `mating_net`): no square is left on which the king could be mated;
4. longer searches with other leanings, and one that walks all lines and asks 3 again after each capture and pawn move.

Only placement, turn, castling rights and a possible en passant capture count. Draws by number (9.2, 9.3, 9.6) are left
out: they are about how often, not about what.

Source: FIDE Laws 2023, 5.2.2 and 6.9; M. Ambrona, A Practical Algorithm for Chess Unwinnability (FUN 2022), for the
question and for joining a search with a static proof.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from rules.corner_mates import corner_mates
from rules.helpmate import Leaning, Search, search
from rules.material import can_mate_on_material
from rules.mating_net import could_be_mated
from rules.mobility import Mobility
from rules.move import Move
from rules.nearness import Nearness
from rules.pieces import BLACK, WHITE, Color
from rules.position import Position

DEFAULT_NODES = 20_000
"""Positions to look at: about 0.3 s on a PC, 6 s on a Raspberry Pi Zero 2 W. Half of all questions need 500, and of
the last positions of real games one in five hundred needs more than this."""


class Proof(enum.StrEnum):
    """Why no mate is possible."""

    MATERIAL = "material"
    """These units cannot mate on any squares."""
    WALLS = "walls"
    """The king cannot be mated on any square he could get to."""
    LINES = "lines"
    """Every line ends without mate: in stalemate, or where one of the other proofs holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winnable:
    """It can be won: by this line, which ends in mate (it is empty if mate is on the board)."""

    line: tuple[Move, ...]
    nodes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwinnable:
    """It cannot be won."""

    reason: Proof
    nodes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Neither was found within the nodes."""

    nodes: int


def winnable(position: Position, color: Color, *, nodes: int = DEFAULT_NODES) -> Winnable | Unwinnable | Unknown:
    """Say whether `color` can mate by any series of legal moves; looks at no more than `nodes` positions."""
    if not position.legal_moves():
        if position.is_check() and position.turn is not color:
            return Winnable(line=())
        return Unwinnable(reason=Proof.LINES)
    if not can_mate_on_material(position, color):
        return Unwinnable(reason=Proof.MATERIAL)
    return _Question(position, color, nodes).answer()


def is_dead(position: Position, *, nodes: int = DEFAULT_NODES) -> bool:
    """Whether it is proved that neither side can mate (5.2.2); `nodes` for each side."""
    return all(isinstance(winnable(position, color, nodes=nodes), Unwinnable) for color in (WHITE, BLACK))


_WALLS_NODES = 150
"""What one look at the walls is charged, as it takes about as long as looking at so many positions."""

_LEANINGS = (
    Leaning(),
    Leaning(newest=(True, False)),
    Leaning(newest=(False, True), backwards=True),
    Leaning(backwards=True),
)


class _Question:
    """One question on its way to an answer; `left` are the nodes not yet spent."""

    def __init__(self, position: Position, color: Color, nodes: int) -> None:
        self.position = position
        self.color = color
        self.nodes = self.left = nodes
        self.nets = corner_mates(position, color) if not _has_major_or_pawn(position, color) else []

    def answer(self) -> Winnable | Unwinnable | Unknown:
        for found in self._searches():
            if found is None:
                return Unwinnable(reason=Proof.WALLS, nodes=self._spent())
            self.left -= found.nodes
            if found.line is not None:
                return Winnable(line=found.line, nodes=self._spent())
            if found.exhausted:
                return Unwinnable(reason=Proof.LINES, nodes=self._spent())
        return Unknown(nodes=self._spent())

    def _spent(self) -> int:
        return self.nodes - max(self.left, 0)

    def _searches(self) -> Iterator[Search | None]:
        """The searches, one after the other; None stands for a proof by walls."""
        yield self._look(0, 600)
        if self.left > 0:
            self.left -= _WALLS_NODES
            if self._walled(self.position):
                yield None
        for turn in range(1, 4):
            yield self._look(turn, 2_500)
        if self.left > 0:
            yield self._walk_all(self.left)

    def _look(self, turn: int, nodes: int) -> Search:
        net = self.nets[turn % len(self.nets)] if self.nets else None
        return search(
            self.position,
            self.color,
            nodes=min(nodes, self.left),
            nearness=Nearness(self.color, net),
            hopeless=self._out_of_material,
            leaning=_LEANINGS[turn % len(_LEANINGS)],
        )

    def _walk_all(self, nodes: int) -> Search:
        """Search with a look at the walls wherever they may have changed, for a third of the nodes at most."""
        purse = for_walls = nodes // 3

        def hopeless(after: Position, before: Position) -> bool:
            nonlocal purse
            if after.halfmove_clock:
                return False
            if self._out_of_material(after, before):
                return True
            if purse < _WALLS_NODES:
                return False
            purse -= _WALLS_NODES
            return self._walled(after)

        found = search(
            self.position,
            self.color,
            nodes=nodes - for_walls,
            nearness=Nearness(self.color),
            hopeless=hopeless,
            leaning=Leaning(newest=(False, False)),
        )
        return Search(line=found.line, exhausted=found.exhausted, nodes=found.nodes + for_walls - purse)

    def _walled(self, position: Position) -> bool:
        if position.ep_square is not None:
            return False
        return not could_be_mated(Mobility(position), self.color.other)

    def _out_of_material(self, after: Position, before: Position) -> bool:
        return not after.halfmove_clock and not can_mate_on_material(after, self.color)


def _has_major_or_pawn(position: Position, color: Color) -> bool:
    return bool((position.pawns | position.rooks | position.queens) & position.by_color(color))
