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


_FIRST_NODES = 600
"""The first search: enough for half of all questions, and less than a look at the walls would cost them all."""

_LOOK_NODES = 2_500
"""The later ones: a search that has found nothing by then has mostly lost its way."""

_WALLS_NODES = 150
"""What one look at the walls is charged, as it takes about as long as looking at so many positions."""

_LEANINGS = (
    Leaning(),
    Leaning(newest=(True, False)),
    Leaning(newest=(False, True), backwards=True),
    Leaning(backwards=True),
)

_Answer = Winnable | Unwinnable | Unknown


class _Question:
    """One question on its way to an answer; `left` are the nodes not yet spent."""

    def __init__(self, position: Position, color: Color, nodes: int) -> None:
        self.position = position
        self.color = color
        self.nodes = self.left = nodes
        strong = position.pawns | position.rooks | position.queens
        self.corner_mates = [] if strong & position.by_color(color) else corner_mates(position, color)

    def answer(self) -> _Answer:
        """Try one means after the other."""
        return (
            self._look(0, _FIRST_NODES)
            or self._look_at_walls()
            or self._look(1, _LOOK_NODES)
            or self._look(2, _LOOK_NODES)
            or self._look(3, _LOOK_NODES)
            or self._walk_all()
            or Unknown(nodes=self.nodes)
        )

    def _look(self, turn: int, nodes: int) -> _Answer | None:
        """Search in one of several ways."""
        mates = self.corner_mates
        found = search(
            self.position,
            self.color,
            nodes=min(nodes, self.left),
            nearness=Nearness(self.color, mates[turn % len(mates)] if mates else None),
            hopeless=self._out_of_material,
            leaning=_LEANINGS[turn],
        )
        return self._conclude(found, found.nodes)

    def _look_at_walls(self) -> _Answer | None:
        if self.left <= 0:
            return None
        self.left = max(self.left - _WALLS_NODES, 0)
        return Unwinnable(reason=Proof.WALLS, nodes=self.nodes - self.left) if self._walled(self.position) else None

    def _walk_all(self) -> _Answer | None:
        """Search with what is left, a third of it kept for looks at the walls wherever they may have changed."""
        purse = for_walls = self.left // 3

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
            nodes=self.left - for_walls,
            nearness=Nearness(self.color),
            hopeless=hopeless,
            leaning=Leaning(newest=(False, False)),
        )
        return self._conclude(found, found.nodes + for_walls - purse)

    def _conclude(self, found: Search, nodes: int) -> _Answer | None:
        """Turn a search into an answer, if it is one; its line is played through by the laws before it is believed."""
        self.left -= nodes
        if found.line is not None:
            end = self.position
            for move in found.line:
                end = end.play(move)
            if not end.is_checkmate() or end.turn is self.color:
                raise AssertionError(f"no mate by {self.color}: {' '.join(map(str, found.line))} from {self.position.fen()}")
            return Winnable(line=found.line, nodes=self.nodes - self.left)
        return Unwinnable(reason=Proof.LINES, nodes=self.nodes - self.left) if found.exhausted else None

    def _walled(self, position: Position) -> bool:
        if position.ep_square is not None:
            return False  # the walls do not know that capture
        return not could_be_mated(Mobility(position), self.color.other)

    def _out_of_material(self, after: Position, before: Position) -> bool:
        return not after.halfmove_clock and not can_mate_on_material(after, self.color)
