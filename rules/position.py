"""A position: a board that the laws have checked, with all one can ask and play from it.

A `Position` never changes. `play` makes the next one and leaves this one as it is, so that a game can keep all of them,
a search can hold thousands, and nobody ever sees half a move. What is expensive (the legal moves, the checks and pins)
is worked out when first asked for and kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Self

from rules.board import Board, OpenBoard
from rules.castling import Castling, castling_of
from rules.errors import IllegalMoveError, SetupError
from rules.fen import START_FEN, FenText, write_fen
from rules.legal_moves import checks_and_pins, en_passant_moves, legal_moves, moves_to
from rules.legality import why_illegal
from rules.move import Move
from rules.pieces import BISHOP, BLACK, KNIGHT, QUEEN, ROOK, WHITE, PieceType
from rules.setup import Setup
from rules.squares import FULL


class Position(Board):
    """A checked diagram with the laws of chess on it. Squares are ints from a1 = 0, sets of squares 64-bit ints.

    >>> position = Position.start().play(Move.from_uci("e2e4"))
    >>> position.fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    >>> len(position.legal_moves())
    20
    """

    __slots__ = ()

    @classmethod
    def start(cls) -> Position:
        """Set up the initial position."""
        return _start()

    @classmethod
    def from_fen(cls, fen: str, *, chess960: bool = False) -> Self:
        """Read a position that a game could have led to.

        Raises `FenError` with `reason` and `column` for bad text, an unplayable diagram or an unreachable one.
        """
        text = FenText(fen, chess960=chess960)
        for fault in text.setup.unplayable() or text.setup.unreachable():
            raise text.fault(fault)
        return cls.from_setup(text.setup)

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Take any diagram a game can go on from, reachable or not; raises `SetupError` with its `faults`."""
        faults = setup.unplayable()
        if faults:
            raise SetupError(faults)
        return cls.of(
            setup.pieces,
            turn=setup.turn,
            castling=setup.castling,
            double_step=setup.double_step,
            halfmove_clock=setup.halfmove_clock,
            fullmove_number=setup.fullmove_number,
            chess960=setup.chess960,
        )

    # What it says.

    @property
    def ep_square(self) -> int | None:
        """Where a pawn can now be captured en passant, legally; else None."""
        if self.double_step is None or not en_passant_moves(self):
            return None
        return self.double_step

    def fen(self) -> str:
        """Write it: X-FEN castling letters, an en passant square only where the capture is legal."""
        return write_fen(self, self.ep_square)

    def key(self) -> tuple[Any, ...]:
        """What makes two positions the same (9.2.3): units, side to move, castling rights, a playable en passant."""
        return (
            self.pawns,
            self.knights,
            self.orthogonals,
            self.diagonals,
            self.kings,
            self.white,
            self.turn is WHITE,
            self.castling,
            self.ep_square,
        )

    def __eq__(self, other: object) -> bool:
        """Same position and same clocks."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def _state(self) -> tuple[Any, ...]:
        return (*self.key(), self.halfmove_clock, self.fullmove_number, self.chess960)

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r}{', chess960=True' if self.chess960 else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_setup, (Setup.of(self),)

    # What can be played.

    legal_moves = legal_moves  # the function is the method: a call saved on the busiest path

    def moves_to(
        self, to_square: int, kind: PieceType, *, from_squares: int = FULL, promotion: PieceType | None = None
    ) -> tuple[Move, ...]:
        """List the legal moves of one kind of unit to one square, castling apart, without listing all others.

        This is what reading SAN asks. `from_squares` may narrow down where the unit comes from.
        """
        return moves_to(self, to_square, kind, from_squares, promotion)

    def is_legal(self, move: Move) -> bool:
        """Whether the side to move may play it."""
        return move in self.legal_moves()

    def checkers(self) -> int:
        """Squares of the units that give check to the side to move."""
        return checks_and_pins(self)[0]

    def is_check(self) -> bool:
        """Whether the side to move is in check (3.9)."""
        return checks_and_pins(self)[0] != 0

    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no legal move (5.1.1)."""
        return self.is_check() and not self.legal_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check (5.2.1)."""
        return not self.is_check() and not self.legal_moves()

    # What a legal move is.

    def is_en_passant(self, move: Move) -> bool:
        """Whether a legal move captures en passant."""
        sideways = (move.from_square ^ move.to_square) & 7
        return move.to_square == self.double_step and sideways != 0 and self.pawns & move.from_bit != 0

    def is_capture(self, move: Move) -> bool:
        """Whether a legal move captures."""
        return self.captured_square(move) is not None

    def captured_square(self, move: Move) -> int | None:
        """Where the unit that a legal move captures stands: behind the landing square for en passant. None if none."""
        if self.by_color(self.turn.other) & move.to_bit:
            return move.to_square
        if self.is_en_passant(move):
            return move.to_square - 8 if self.turn is WHITE else move.to_square + 8
        return None

    def is_castling(self, move: Move) -> bool:
        """Whether a legal move castles."""
        return self._castling(move) is not None

    def castling_squares(self, move: Move) -> tuple[int, int, int, int]:
        """``(king_from, king_to, rook_from, rook_to)`` of a castling move; raises ``ValueError`` for any other."""
        castling = self._castling(move)
        if castling is None:
            raise ValueError(f"{move} does not castle in {self.fen()!r}")
        return castling.king_from, castling.king_to, castling.rook_from, castling.rook_to

    def _castling(self, move: Move) -> Castling | None:
        if not self.kings & move.from_bit:
            return None
        king, landing = move.from_square, move.to_square
        own = self.white if self.turn is WHITE else self.black
        if self.chess960:
            return castling_of(king, landing) if self.rooks & own & move.to_bit else None
        if landing - king == 2:
            return castling_of(king, king + 3)
        if king - landing == 2:
            return castling_of(king, king - 4)
        return None

    # Playing.

    def play(self, move: Move) -> Self:
        """Play a legal move; raises `IllegalMoveError` with all reasons, and this position, unchanged."""
        if move not in self.legal_moves():
            reasons = why_illegal(self, move.from_square, move.to_square, move.promotion)
            raise IllegalMoveError(move=move, reasons=reasons, position=self)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Self:
        """Play a move that is known to be legal here. Any other move makes nonsense."""
        from_bit, to_bit = move.from_bit, move.to_bit
        leave_and_land = from_bit | to_bit
        white_to_move = self.turn is WHITE
        own, enemy = (self.white, self.black) if white_to_move else (self.black, self.white)
        pawns, knights, kings = self.pawns, self.knights, self.kings
        orthogonals, diagonals = self.orthogonals, self.diagonals
        castling = self.castling
        double_step = None
        halfmove_clock = self.halfmove_clock + 1

        if enemy & to_bit:
            enemy ^= to_bit
            keep = ~to_bit
            pawns &= keep
            knights &= keep
            orthogonals &= keep
            diagonals &= keep
            halfmove_clock = 0
        if pawns & from_bit:
            halfmove_clock = 0
            own ^= leave_and_land
            promotion = move.promotion
            if promotion is None:
                pawns ^= leave_and_land
                step = move.to_square - move.from_square
                if step == 16 or step == -16:
                    double_step = move.from_square + step // 2
                elif move.to_square == self.double_step and step & 7:
                    victim = to_bit >> 8 if white_to_move else to_bit << 8
                    pawns ^= victim
                    enemy ^= victim
            else:
                pawns ^= from_bit
                if promotion is KNIGHT:
                    knights |= to_bit
                if promotion is ROOK or promotion is QUEEN:
                    orthogonals |= to_bit
                if promotion is BISHOP or promotion is QUEEN:
                    diagonals |= to_bit
        elif knights & from_bit:
            own ^= leave_and_land
            knights ^= leave_and_land
        elif kings & from_bit:
            castle = self._castling(move)
            if castle is None:
                own ^= leave_and_land
                kings ^= leave_and_land
            else:
                rook_from, rook_to = 1 << castle.rook_from, 1 << castle.rook_to
                kings ^= from_bit
                orthogonals ^= rook_from
                own ^= from_bit | rook_from
                kings |= 1 << castle.king_to
                orthogonals |= rook_to
                own |= 1 << castle.king_to | rook_to
            castling &= ~(0xFF if white_to_move else 0xFF << 56)
        else:
            own ^= leave_and_land
            if orthogonals & from_bit:
                orthogonals ^= leave_and_land
            if diagonals & from_bit:
                diagonals ^= leave_and_land

        after: Any = OpenBoard()
        after.pawns = pawns
        after.knights = knights
        after.orthogonals = orthogonals
        after.diagonals = diagonals
        after.kings = kings
        if white_to_move:
            after.white = own
            after.black = enemy
            after.turn = BLACK
            after.fullmove_number = self.fullmove_number
        else:
            after.white = enemy
            after.black = own
            after.turn = WHITE
            after.fullmove_number = self.fullmove_number + 1
        after.castling = castling & ~leave_and_land
        after.double_step = double_step
        after.halfmove_clock = halfmove_clock
        after.chess960 = self.chess960
        after._checks = None
        after._moves = None
        after.__class__ = self.__class__  # from now on nothing can change it
        return after  # type: ignore[no-any-return]


@cache
def _start() -> Position:
    """Make the initial position, once: nothing can change it, and an archive asks for it at every game."""
    return Position.from_fen(START_FEN)


def _from_setup(setup: Setup) -> Position:
    return Position.from_setup(setup)
