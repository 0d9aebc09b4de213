"""Ready-made mates by minor pieces in a corner, and how many moves the units still are from one.

A lone knight or bishops of one colour mate only where the other side's units take up flight squares, and two minor
pieces have few mates at all. A search that only counts flights wanders about; one that walks towards a picture on the
board is there at once. The pictures stand in the corner a1; turning and mirroring gives the other seven of each.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

from rules.attacks import DIAGONALS, KING, KNIGHT, ORTHOGONALS
from rules.board import Board
from rules.pieces import WHITE, Color, PieceType
from rules.squares import parse_square, squares_of

FAR = 100
"""Moves of what cannot get there: more than any walk of all the units together."""


class Picture(NamedTuple):
    """A mate in the corner a1: the winner's king and pieces, and which of the loser's units stands where."""

    king: str
    pieces: str
    """Letters and squares, as ``Nc2 Nd2``."""
    helpers: str = ""
    """Letters of the units that may help, in lower case."""
    helps_on: str = ""
    prey: str = "a1"
    """The loser's king. On b1 the mate is still two checks away: he must step into the corner under check, as he would
    be stalemated there."""


PICTURES = (
    Picture("b3", "Nc4 Ne3", prey="b1"),
    Picture("b3", "Nc4 Nd4", prey="b1"),
    Picture("b3", "Ne4 Nd4", prey="b1"),
    Picture("b3", "Nf3 Nb4", prey="b1"),
    Picture("b3", "Bd4 Nd2"),
    Picture("b3", "Be5 Na3"),
    Picture("b3", "Bd4 Bd3"),
    Picture("c1", "Nb3", "r", "a2"),
    Picture("c1", "Nc2", "bp", "a2"),
    Picture("b3", "Nc2", "n", "b1"),
    Picture("b3", "Bb2", "nb", "b1"),
    Picture("c2", "Bb2", "p", "a2"),
)


def _turn(square: int, turn: int) -> int:
    """One of the eight ways to lay the board down: bit 0 mirrors the files, bit 1 the ranks, bit 2 swaps the two."""
    file, rank = square & 7, square >> 3
    if turn & 4:
        file, rank = rank, file
    return (file ^ 7 if turn & 1 else file) + 8 * (rank ^ 7 if turn & 2 else rank)


_Walk = tuple[int, ...]
"""Moves to one square, by the square one comes from."""


@cache
def _walk(kind: PieceType, target: int) -> _Walk:
    """Count a piece's moves to a square on the empty board."""
    steps = {
        PieceType.KNIGHT: KNIGHT,
        PieceType.BISHOP: tuple(lines.reach for lines in DIAGONALS),
        PieceType.ROOK: tuple(lines.reach for lines in ORTHOGONALS),
        PieceType.KING: KING,
    }[kind]
    away = [FAR] * 64
    away[target] = 0
    queue = [target]
    for square in queue:
        for origin in squares_of(steps[square]):
            if away[origin] == FAR:
                away[origin] = away[square] + 1
                queue.append(origin)
    return tuple(away)


@cache
def _march(target: int, color: Color, as_pawn: bool) -> _Walk:
    """Count a pawn's moves to a square: on its file as a pawn where that will do, else by way of promotion."""
    away = []
    for square in range(64):
        ahead = (target - square if color is WHITE else square - target) >> 3
        if as_pawn and square & 7 == target & 7 and ahead >= 0:
            away.append(ahead)
        else:
            away.append((7 - (square >> 3) if color is WHITE else square >> 3) + 2)
    return tuple(away)


_HELPERS = (PieceType.PAWN, PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK)
"""Units of the loser that may be in his king's way; pawns also as what they promote to."""


class CornerMate:
    """One picture, laid down on the board of one position."""

    __slots__ = ("_help", "_king", "_loser", "_pieces", "square")

    def __init__(self, picture: Picture, turn: int, loser: Color) -> None:
        def place(name: str) -> int:
            return _turn(parse_square(name), turn)

        self.square = place(picture.prey)
        self._loser = _walk(PieceType.KING, self.square)
        self._king = _walk(PieceType.KING, place(picture.king))
        self._pieces: dict[PieceType, tuple[tuple[int, ...], ...]] = {}
        for text in picture.pieces.split():
            kind = PieceType.from_letter(text[0])
            self._pieces[kind] = (*self._pieces.get(kind, ()), _walk(kind, place(text[1:])))
        self._help: tuple[tuple[PieceType, tuple[int, ...]], ...] = ()
        if picture.helpers:
            square = place(picture.helps_on)
            walks = {PieceType.from_letter(letter): None for letter in picture.helpers}
            self._help = (
                *((kind, _walk(kind, square)) for kind in walks if kind != PieceType.PAWN),
                (PieceType.PAWN, _march(square, loser, PieceType.PAWN in walks)),
            )

    def moves_away(self, board: Board, winner: Color) -> int:
        """Moves the units need, obstacles aside; `FAR` is added for each that cannot get there."""
        loser = winner.other
        away = self._loser[board.king(loser)] + self._king[board.king(winner)]
        for kind, walks in self._pieces.items():
            squares = squares_of(board.pieces(winner, kind))
            if len(walks) == 1:
                away += min((walks[0][square] for square in squares), default=FAR)
            else:
                pairs = permutations(squares, 2)
                away += min((walks[0][a] + walks[1][b] for a, b in pairs), default=FAR)
        if self._help:
            away += min(
                (walk[square] for kind, walk in self._help for square in squares_of(board.pieces(loser, kind))),
                default=FAR,
            )
        return away


@cache
def _all_ways(loser: Color, knights: int, bishops: int, helpers: frozenset[PieceType]) -> tuple[CornerMate, ...]:
    """The pictures for which the winner's minor pieces and the loser's helpers suffice, laid down all ways round."""
    return tuple(
        CornerMate(picture, turn, loser)
        for picture in PICTURES
        if picture.pieces.count("N") <= knights
        and picture.pieces.count("B") <= bishops
        and (not picture.helpers or helpers & {PieceType.PAWN, *map(PieceType.from_letter, picture.helpers)})
        for turn in range(8)
    )


def corner_mates(board: Board, winner: Color) -> list[CornerMate]:
    """All pictures all ways round, the nearest first, without those whose units are not there."""
    loser = winner.other
    knights, bishops = (board.pieces(winner, kind).bit_count() for kind in (PieceType.KNIGHT, PieceType.BISHOP))
    helpers = frozenset(kind for kind in _HELPERS if board.pieces(loser, kind))
    away = [(mate.moves_away(board, winner), mate) for mate in _all_ways(loser, min(knights, 2), min(bishops, 2), helpers)]
    return [mate for far, mate in sorted(away, key=lambda pair: pair[0]) if far < FAR]
