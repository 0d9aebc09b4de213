"""A diagram as somebody set it up: any units anywhere, and what is wrong with it.

A `Setup` is unchecked, a `Position` is checked. Faults come in two grades. From an *unplayable* diagram no game can go
on: a king is missing, a castling right has no rook. An *unreachable* one cannot arise in a game but can be played:
the side that has just moved stands in check, a pawn stands on its last rank. A FEN must be free of both; an arbiter, or
a game that goes on after an illegal move (A.5.2), may set up the second kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.attacks import diagonal_attacks, orthogonal_attacks
from rules.board import Board
from rules.pieces import BLACK, KING, PAWN, ROOK, WHITE, Color, Piece
from rules.squares import square_name, squares_of


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a diagram: a word, the part of it, its squares, and a sentence."""

    word: str
    part: str
    """``placement``, ``turn``, ``castling``, ``en_passant`` or ``clocks``: the field of a FEN that is to blame."""
    squares: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Units by square, and what a diagram does not show. Castling rights are the set of the rooks' squares."""

    pieces: Mapping[int, Piece] = field(hash=False)
    turn: Color = WHITE
    castling: int = 0
    double_step: int | None = None
    halfmove_clock: int = 0
    fullmove_number: int = 1
    chess960: bool = False

    @classmethod
    def of(cls, board: Board) -> Setup:
        """Take a position as a diagram, to change it."""
        return cls(
            pieces=board.pieces_by_square(),
            turn=board.turn,
            castling=board.castling,
            double_step=board.double_step,
            halfmove_clock=board.halfmove_clock,
            fullmove_number=board.fullmove_number,
            chess960=board.chess960,
        )

    def squares(self, color: Color, *kinds: int) -> tuple[int, ...]:
        """Squares of a side's units of some kinds."""
        return tuple(s for s, piece in sorted(self.pieces.items()) if piece.color is color and piece.kind in kinds)

    def unplayable(self) -> tuple[Fault, ...]:
        """What keeps a game from going on here."""
        return (*self._kings(), *self._rights(), *self._en_passant(), *self._numbers())

    def unreachable(self) -> tuple[Fault, ...]:
        """What no game can have led to. Only for a diagram that is not `unplayable`."""
        return (*self._too_many(), *self._pawns_at_the_edge(), *self._checks(), *self._quiet_plies())

    def _kings(self) -> list[Fault]:
        faults = []
        for color in Color:
            kings = self.squares(color, KING)
            if not kings:
                faults.append(Fault("no_king", "placement", (), f"no {color} king"))
            elif len(kings) > 1:
                names = ", ".join(map(square_name, kings))
                faults.append(Fault("two_kings", "placement", kings, f"{len(kings)} {color} kings: {names}"))
        return faults

    def _rights(self) -> list[Fault]:
        faults = []
        sides: dict[tuple[Color, bool], int] = {}
        for square in squares_of(self.castling):
            rook = self.pieces.get(square)
            name = square_name(square)
            if rook is None or rook.kind is not ROOK:
                why = f"castling right without a rook on {name}"
                faults.append(Fault("right_without_rook", "castling", (square,), why))
                continue
            color = rook.color
            kings = self.squares(color, KING)
            home = 0 if color is WHITE else 7
            if len(kings) != 1 or square >> 3 != home or kings[0] >> 3 != home:
                why = f"castling right with the rook {name}, but {color} king and rook are not on their first rank"
                faults.append(Fault("right_without_king", "castling", (square, *kings), why))
                continue
            side = (color, square > kings[0])
            if side in sides:
                why = f"two castling rights on one side: {square_name(sides[side])} and {name}"
                faults.append(Fault("right_twice", "castling", (sides[side], square), why))
            sides[side] = square
            if not self.chess960 and (kings[0] & 7 != 4 or square & 7 not in (0, 7)):
                why = f"castling with king {square_name(kings[0])} and rook {name} exists in Chess960 only"
                faults.append(Fault("right_needs_chess960", "castling", (kings[0], square), why))
        return faults

    def _en_passant(self) -> list[Fault]:
        if self.double_step is None:
            return []
        passed, name = self.double_step, square_name(self.double_step)
        rank, forward = (5, -8) if self.turn is WHITE else (2, 8)
        if passed >> 3 != rank:
            why = f"en passant square {name}, but {self.turn} to move captures on rank {rank + 1}"
            return [Fault("en_passant_wrong_rank", "en_passant", (passed,), why)]
        pawn, origin = passed + forward, passed - forward
        stands = self.pieces.get(pawn)
        if stands is None or stands.kind is not PAWN or stands.color is self.turn:
            why = f"en passant square {name}, but no {self.turn.other} pawn on {square_name(pawn)}"
            return [Fault("en_passant_no_pawn", "en_passant", (passed, pawn), why)]
        for square in (passed, origin):
            if square in self.pieces:
                why = f"en passant square {name}, but {square_name(square)} is not empty: no double step came this way"
                return [Fault("en_passant_no_double_step", "en_passant", (passed, square), why)]
        return []

    def _numbers(self) -> list[Fault]:
        if self.fullmove_number < 1:
            return [Fault("bad_move_number", "clocks", (), "the move number counts from 1")]
        if self.halfmove_clock < 0:
            return [Fault("bad_halfmove_clock", "clocks", (), "the halfmove clock counts from 0")]
        return []

    def _too_many(self) -> list[Fault]:
        faults = []
        for color in Color:
            units = [piece.kind for piece in self.pieces.values() if piece.color is color]
            if len(units) > 16:
                faults.append(Fault("too_many_units", "placement", (), f"{len(units)} {color} units, more than 16"))
            if units.count(PAWN) > 8:
                pawns = self.squares(color, PAWN)
                faults.append(Fault("too_many_pawns", "placement", pawns, f"{len(pawns)} {color} pawns, more than 8"))
        return faults

    def _pawns_at_the_edge(self) -> list[Fault]:
        edge = tuple(s for s, piece in sorted(self.pieces.items()) if piece.kind is PAWN and s >> 3 in (0, 7))
        if not edge:
            return []
        names = ", ".join(map(square_name, edge))
        return [Fault("pawn_on_edge", "placement", edge, f"pawn on the first or last rank: {names}")]

    def _checks(self) -> list[Fault]:
        board = Board.of(self.pieces, turn=self.turn)
        waiting, king = board.king(self.turn.other), board.king(self.turn)
        takers = squares_of(board.attackers(self.turn, waiting))
        if takers:
            why = f"the {self.turn.other} king {square_name(waiting)} is in check, but {self.turn} has the move"
            return [Fault("opponent_in_check", "turn", (waiting, *takers), why)]
        bits = board.attackers(self.turn.other, king)
        checkers = squares_of(bits)
        names = ", ".join(map(square_name, checkers))
        if len(checkers) > 2:
            why = f"{len(checkers)} units give check at once ({names}), at most two can"
            return [Fault("too_many_checkers", "placement", (king, *checkers), why)]
        if self.double_step is not None and checkers:
            forward = -8 if self.turn is WHITE else 8
            pawn, origin = self.double_step + forward, self.double_step - forward
            before = board.occupied & ~(1 << pawn) | 1 << origin
            if checkers != (pawn,) and (len(checkers) > 1 or board.attackers(self.turn.other, king, before)):
                why = f"check by {names} cannot be there after the double step to {square_name(pawn)}"
                return [Fault("impossible_check", "en_passant", (king, *checkers), why)]
        elif len(checkers) == 2 and _in_line(king, *checkers):
            why = f"no move can give check from both {names}"
            return [Fault("impossible_check", "placement", (king, *checkers), why)]
        return []

    def _quiet_plies(self) -> list[Fault]:
        plies = 2 * (self.fullmove_number - 1) + (self.turn is BLACK)
        if self.halfmove_clock <= plies:
            return []
        why = f"{self.halfmove_clock} plies without capture or pawn move, but only {plies} were played"
        return [Fault("bad_halfmove_clock", "clocks", (), why)]


def _in_line(a: int, b: int, c: int) -> bool:
    """Whether three squares share a rank, file or diagonal."""
    for attacks in (orthogonal_attacks, diagonal_attacks):
        if attacks(a, 0) >> b & 1 and attacks(a, 0) >> c & 1 and attacks(b, 0) >> c & 1:
            return True
    return False
