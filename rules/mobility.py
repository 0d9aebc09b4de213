"""Where each unit could ever go: more squares than it really can, never fewer.

Follow every game that could still be played at once. A square a unit might leave, or be captured on, counts as empty
from then on; a unit that might be captured counts as captured *and* as still there; nobody waits for his turn or minds
a check. What grows out of the starting squares until nothing changes is a set of squares for each unit that holds every
square it can stand on in any series of legal moves. (Take the first move of such a series that leaves the sets: all it
needs was true of the moves before, so the sets would have grown by it.)

Three facts of real games are kept, because they hold for ever once they hold at all, and they are what fortresses are
made of:

* A unit that can neither move nor be captured blocks its square, and no king steps where it attacks.
* Two pawns on one file, one ahead of the other, keep their order until one of them is captured or leaves the file.
* A pawn captures only where an enemy could stand.

Source: the idea of a fixpoint of possible moves is Ambrona's (A Practical Algorithm for Chess Unwinnability, FUN 2022).
"""

from __future__ import annotations

from typing import NamedTuple

from rules.attacks import BLACK_PAWN, DIAGONALS, KING, KNIGHT, ORTHOGONALS, WHITE_PAWN
from rules.board import Board
from rules.castling import castling_of
from rules.pieces import WHITE, Color, PieceType
from rules.squares import FILES, FULL, RANKS, squares_of

_NOT_A_FILE, _NOT_H_FILE = FULL ^ FILES[0], FULL ^ FILES[7]


class Unit(NamedTuple):
    """A unit where it stands at the start."""

    kind: PieceType
    color: Color
    square: int


def attacks_from(kind: PieceType, color: Color, square: int, blocked: int) -> int:
    """Squares a unit of this kind attacks from a square, line pieces being stopped by `blocked`."""
    if kind == PieceType.PAWN:
        return WHITE_PAWN[square] if color is WHITE else BLACK_PAWN[square]
    if kind == PieceType.KNIGHT:
        return KNIGHT[square]
    if kind == PieceType.KING:
        return KING[square]
    attacked = 0
    if kind != PieceType.BISHOP:
        lines = ORTHOGONALS[square]
        attacked = lines[blocked & lines.mask]
    if kind != PieceType.ROOK:
        lines = DIAGONALS[square]
        attacked |= lines[blocked & lines.mask]
    return attacked


def officer_attacks(square: int, blocked: int) -> int:
    """Squares that whatever a pawn turns into could attack: a queen's and a knight's."""
    return attacks_from(PieceType.QUEEN, WHITE, square, blocked) | KNIGHT[square]


class Mobility:
    """The fixpoint for one board. Lists run parallel to `units`; sets of squares are 64-bit ints.

    An en passant capture that is possible now is not followed: ask only about boards without one.
    """

    __slots__ = ("_told", "blocked", "caught", "promoted", "reach", "units")

    units: tuple[Unit, ...]
    reach: list[int]
    """Squares each unit could stand on, as what it is now."""
    promoted: list[int]
    """Squares each pawn could stand on as a promoted piece."""
    caught: list[bool]
    """Whether each unit could be captured."""
    blocked: int
    """Squares whose unit can never leave them: no line goes through."""

    def __init__(self, board: Board) -> None:
        self.units = tuple(Unit(piece.kind, piece.color, square) for square, piece in board.pieces_by_square().items())
        self.reach = [1 << unit.square for unit in self.units]
        self.promoted = [0] * len(self.units)
        self.caught = [False] * len(self.units)
        self.blocked = board.occupied
        self._told: list[tuple[int, ...] | None] = [None] * len(self.units)
        self._castle(board)
        while self._grow():
            pass

    def stays(self, index: int) -> bool:
        """Whether a unit will stand where it stands now in every position to come."""
        return not self.caught[index] and self.reach[index] == 1 << self.units[index].square

    def may_stand(self, index: int) -> int:
        """Squares a unit could stand on, as itself or promoted."""
        return self.reach[index] | self.promoted[index]

    def _castle(self, board: Board) -> None:
        where = {unit.square: index for index, unit in enumerate(self.units)}
        for rook in squares_of(board.castling):
            color = self.units[where[rook]].color
            king = board.king(color)
            castling = castling_of(king, rook)
            self.reach[where[king]] |= 1 << castling.king_to
            self.reach[where[rook]] |= 1 << castling.rook_to

    def _grow(self) -> bool:
        """Let every unit go wherever the others now allow; whether anything changed."""
        units, reach, promoted = self.units, self.reach, self.promoted
        before = (tuple(reach), tuple(promoted), tuple(self.caught))
        blocked = 0
        enterable = dict.fromkeys(Color, 0)
        prey = dict.fromkeys(Color, 0)
        for index, (kind, color, square) in enumerate(units):
            if self.stays(index):
                blocked |= 1 << square
            if kind != PieceType.KING:
                enterable[color.other] |= 1 << square
                prey[color] |= reach[index] | promoted[index]
        self.blocked = blocked
        for color in Color:
            enterable[color] |= FULL ^ blocked

        taken = dict.fromkeys(Color, 0)
        for index, (kind, color, _) in enumerate(units):
            if kind == PieceType.PAWN:
                taken[color] |= self._grow_pawn(index, enterable[color], prey[color.other])
                continue
            enter = enterable[color]
            if kind == PieceType.KING:
                enter &= ~self._guarded(index, color.other)
            if self._told[index] != (blocked, enter):
                self._told[index] = (blocked, enter)
                reach[index] = self._spread(kind, reach[index], enter)
            taken[color] |= reach[index]
        for index, unit in enumerate(units):
            if unit.kind != PieceType.KING and taken[unit.color.other] & self.may_stand(index):
                self.caught[index] = True
        return before != (tuple(reach), tuple(promoted), tuple(self.caught))

    def _spread(self, kind: PieceType | None, start: int, enter: int) -> int:
        """All squares a piece can walk to; None stands for whatever a pawn turns into."""
        blocked = self.blocked
        found = todo = start
        while todo:
            lowest = todo & -todo
            todo ^= lowest
            square = lowest.bit_length() - 1
            new = officer_attacks(square, blocked) if kind is None else attacks_from(kind, WHITE, square, blocked)
            new &= enter & ~found
            found |= new
            todo |= new
        return found

    def _grow_pawn(self, index: int, enter: int, prey: int) -> int:
        """Grow a pawn's squares; returns the squares on which it could capture."""
        white = self.units[index].color is WHITE
        reach = self.reach[index]
        free = ~self.blocked & self._room(index)
        while True:
            if white:
                step = reach << 8 & free
                grown = reach | step | (step & RANKS[2]) << 8 & free
                hits = ((reach & _NOT_A_FILE) << 7 | (reach & _NOT_H_FILE) << 9) & prey
            else:
                step = reach >> 8 & free
                grown = reach | step | (step & RANKS[5]) >> 8 & free
                hits = ((reach & _NOT_A_FILE) >> 9 | (reach & _NOT_H_FILE) >> 7) & prey
            grown = (grown | hits) & FULL
            if grown == reach:
                break
            reach = grown
        self.reach[index] = reach
        officer = self.promoted[index] | reach & (RANKS[7] if white else RANKS[0])
        if officer and self._told[index] != (self.blocked, enter, officer):
            officer = self._spread(None, officer, enter)
            self._told[index] = (self.blocked, enter, officer)
            self.promoted[index] = officer
        return hits & FULL | self.promoted[index]

    def _room(self, index: int) -> int:
        """Squares a pawn could step to in spite of the other pawns on its file, which it cannot pass."""
        _, color, square = self.units[index]
        file = FILES[square & 7]
        if self.reach[index] & ~file:
            return FULL
        room = FULL
        for other, (kind, other_color, other_square) in enumerate(self.units):
            if kind != PieceType.PAWN or other == index or not file >> other_square & 1:
                continue
            if self.caught[other] or self.promoted[other] or self.reach[other] & ~file:
                continue
            if color is WHITE and other_square > square:
                limit = self.reach[other].bit_length() - 1 if other_color is color else other_square
                room &= (1 << limit) - 1
            elif color is not WHITE and other_square < square:
                reach = self.reach[other]
                limit = (reach & -reach).bit_length() - 1 if other_color is color else other_square
                room &= FULL ^ (1 << limit + 1) - 1
        return room

    def _guarded(self, king: int, by: Color) -> int:
        """Squares that units of `by` attack for ever: the king cannot go there."""
        passing = 0
        for index in range(len(self.units)):
            if index != king:
                passing |= self.may_stand(index)
        guarded = 0
        for index, (kind, color, square) in enumerate(self.units):
            if color is by and self.stays(index):
                guarded |= attacks_from(kind, color, square, passing)
        return guarded
