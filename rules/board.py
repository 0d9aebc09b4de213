"""Where everything stands, whose turn it is and what rights are left: the bare facts, in seven sets of squares.

Two sets say which squares each side holds, five which squares hold pawns, knights, kings, units that move straight and
units that move aslant, of either side. A queen is in both of the last two, which is how she moves: the generator never
has to ask for queens, and a rook, bishop or queen moves by one line of code. Any question is one or two ``&`` away. A
`Board` never changes: moving makes a new one, which costs about a microsecond, and nobody ever takes a move back.

`Position` adds the laws. The split lets the move generator and the judge stand below it without a circle of imports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from rules.attacks import BLACK_PAWN, WHITE_PAWN, diagonal_attacks, orthogonal_attacks
from rules.attacks import KING as KING_ATTACKS
from rules.attacks import KNIGHT as KNIGHT_ATTACKS
from rules.frozen import Frozen
from rules.move import Move
from rules.pieces import BISHOP, BLACK, KING, KNIGHT, PAWN, PIECES, QUEEN, ROOK, WHITE, Color, Piece, PieceType
from rules.squares import squares_of


class OpenBoard:
    """The fields of a board, still open (see `frozen`): whoever fills them in makes it a `Board`, for good."""

    __slots__ = (
        "_checks",
        "_moves",
        "black",
        "castling",
        "chess960",
        "diagonals",
        "double_step",
        "fullmove_number",
        "halfmove_clock",
        "kings",
        "knights",
        "orthogonals",
        "pawns",
        "turn",
        "white",
    )

    pawns: int
    knights: int
    orthogonals: int
    """Rooks and queens."""
    diagonals: int
    """Bishops and queens."""
    kings: int
    white: int
    black: int
    turn: Color
    """The side that has the move."""
    castling: int
    """The rooks that may still castle (a set of squares): the right, not whether it can be done now."""
    double_step: int | None
    """The square a pawn has just passed over in its double step, whether or not anybody can capture there."""
    halfmove_clock: int
    """Plies since the last capture or pawn move."""
    fullmove_number: int
    chess960: bool
    """Whether castling is written as the king taking his rook, and rooks may start anywhere."""
    _checks: tuple[int, tuple[tuple[int, int], ...]] | None
    _moves: tuple[Move, ...] | None


class Board(Frozen, OpenBoard):
    """A diagram with exactly one king a side. Sets of squares are 64-bit ints, squares are ints from a1 = 0."""

    __slots__ = ()

    @classmethod
    def of(
        cls,
        pieces: Mapping[int, Piece],
        *,
        turn: Color,
        castling: int = 0,
        double_step: int | None = None,
        halfmove_clock: int = 0,
        fullmove_number: int = 1,
        chess960: bool = False,
    ) -> Self:
        """Make a board from its units, by square; nothing is checked here."""
        kinds = dict.fromkeys(PieceType, 0)
        sides = dict.fromkeys(Color, 0)
        for square, piece in pieces.items():
            kinds[piece.kind] |= 1 << square
            sides[piece.color] |= 1 << square
        board: Any = OpenBoard()
        board.pawns, board.knights, board.kings = kinds[PAWN], kinds[KNIGHT], kinds[KING]
        board.orthogonals = kinds[ROOK] | kinds[QUEEN]
        board.diagonals = kinds[BISHOP] | kinds[QUEEN]
        board.white, board.black = sides[WHITE], sides[BLACK]
        board.turn = turn
        board.castling = castling
        board.double_step = double_step
        board.halfmove_clock, board.fullmove_number = halfmove_clock, fullmove_number
        board.chess960 = chess960
        board._checks = board._moves = None
        board.__class__ = cls
        return board  # type: ignore[no-any-return]

    @property
    def occupied(self) -> int:
        """All squares with a unit on them."""
        return self.white | self.black

    @property
    def bishops(self) -> int:
        """Squares with a bishop of either side."""
        return self.diagonals & ~self.orthogonals

    @property
    def rooks(self) -> int:
        """Squares with a rook of either side."""
        return self.orthogonals & ~self.diagonals

    @property
    def queens(self) -> int:
        """Squares with a queen of either side."""
        return self.orthogonals & self.diagonals

    def by_color(self, color: Color) -> int:
        """Squares with a unit of this side."""
        return self.white if color is WHITE else self.black

    def by_kind(self, kind: PieceType) -> int:
        """Squares with a unit of this kind, of either side."""
        return (self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings)[kind - 1]

    def pieces(self, color: Color, kind: PieceType) -> int:
        """Squares with a unit of this side and kind."""
        return self.by_kind(kind) & self.by_color(color)

    def king(self, color: Color) -> int:
        """Square of this side's king."""
        return (self.kings & self.by_color(color)).bit_length() - 1

    def kind_at(self, square: int) -> PieceType | None:
        """Kind of the unit on a square, None where it is empty."""
        bit = 1 << square
        if not (self.white | self.black) & bit:
            return None
        if self.pawns & bit:
            return PAWN
        if self.knights & bit:
            return KNIGHT
        if self.orthogonals & bit:
            return QUEEN if self.diagonals & bit else ROOK
        return BISHOP if self.diagonals & bit else KING

    def color_at(self, square: int) -> Color | None:
        """Side of the unit on a square, None where it is empty."""
        if self.white >> square & 1:
            return WHITE
        return BLACK if self.black >> square & 1 else None

    def pieces_by_square(self) -> dict[int, Piece]:
        """All units, by square, from a1 upwards."""
        return {square: piece for square in squares_of(self.white | self.black) if (piece := self.piece_at(square))}

    def piece_at(self, square: int) -> Piece | None:
        """Unit on a square, None where it is empty."""
        kind = self.kind_at(square)
        return PIECES[WHITE if self.white >> square & 1 else BLACK][kind] if kind else None

    def attackers(self, color: Color, square: int, occupied: int | None = None) -> int:
        """Squares of this side's units that attack a square; pinned ones attack too (3.9).

        `occupied` may replace the squares that stop line pieces, to ask about a board after a move.
        """
        if occupied is None:
            occupied = self.white | self.black
        pawns = BLACK_PAWN if color is WHITE else WHITE_PAWN
        return (
            pawns[square] & self.pawns
            | KNIGHT_ATTACKS[square] & self.knights
            | KING_ATTACKS[square] & self.kings
            | orthogonal_attacks(square, occupied) & self.orthogonals
            | diagonal_attacks(square, occupied) & self.diagonals
        ) & self.by_color(color)

    def attacks(self, square: int) -> int:
        """Squares attacked by the unit on a square, its own side's included; none if it is empty."""
        kind, occupied = self.kind_at(square), self.white | self.black
        if kind is PAWN:
            return (WHITE_PAWN if self.white >> square & 1 else BLACK_PAWN)[square]
        if kind is KNIGHT:
            return KNIGHT_ATTACKS[square]
        if kind is KING:
            return KING_ATTACKS[square]
        attacked = 0
        if kind in (ROOK, QUEEN):
            attacked |= orthogonal_attacks(square, occupied)
        if kind in (BISHOP, QUEEN):
            attacked |= diagonal_attacks(square, occupied)
        return attacked
