"""FEN in and out: six fields on one line that say all a position knows.

Reading is strict and says why and where: each refusal carries the column of what is to blame. Four fields (as in EPD)
are read too, with clocks 0 and 1. Castling letters are X-FEN: KQkq mean the outermost rook on that side of the king, a
file letter names any other (Shredder-FEN letters are read as well). Writing prefers KQkq, and names an en passant
square only where the capture can legally be played, so that equal positions have equal text.

Source: PGN standard 16.1 (FEN); R. Scharnagl, X-FEN.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rules.board import Board
from rules.errors import FenError, SquareError
from rules.pieces import BLACK, KING, ROOK, WHITE, Color, Piece
from rules.setup import Fault, Setup
from rules.squares import SQUARE_NAMES, parse_square, squares_of

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_FIELDS = ("placement", "turn", "castling", "en_passant", "clocks", "clocks")
_CASTLING = re.compile(r"-|(?=.)[KQA-H]{0,2}[kqa-h]{0,2}")
_LONGEST_NUMBER = 9
"""Digits of a clock that are read. A game of a billion plies takes centuries, reading a billion digits only hours."""


class FenText:
    """A FEN that has been read: the diagram, and the column (from 1) of everything in it."""

    def __init__(self, text: str, *, chess960: bool = False) -> None:
        self.text = text
        fields = [(match.group(), match.start() + 1) for match in re.finditer(r"[^ ]+", text)]
        if len(fields) not in (4, 6):
            missing = ("placement", "side to move", "castling rights", "en passant square", "", "move number")
            if len(fields) > 6:
                raise self.error(fields[6][1], "text after the six fields")
            raise self.error(len(text) + 1, f"the {missing[len(fields)]} is missing")
        self.columns = {part: column for part, (_, column) in reversed(list(zip(_FIELDS, fields, strict=False)))}
        self.square_columns: dict[int, int] = {}
        self.rook_columns: dict[int, int] = {}
        pieces = self._pieces(*fields[0])
        turn = self._turn(*fields[1])
        castling = self._castling(*fields[2], pieces)
        double_step = self._en_passant(*fields[3])
        halfmove_clock = self._number(*fields[4], "halfmove clock", 0) if len(fields) == 6 else 0
        fullmove_number = self._number(*fields[5], "move number", 1) if len(fields) == 6 else 1
        self.setup = Setup(
            pieces=pieces,
            turn=turn,
            castling=castling,
            double_step=double_step,
            halfmove_clock=halfmove_clock,
            fullmove_number=fullmove_number,
            chess960=chess960,
        )

    def error(self, column: int, reason: str) -> FenError:
        """Refuse this text."""
        return FenError(reason=reason, column=column, text=self.text)

    def fault(self, fault: Fault) -> FenError:
        """Refuse it for what is wrong with its diagram."""
        column = self.columns.get(fault.part, 1)
        columns = {"placement": self.square_columns, "castling": self.rook_columns}.get(fault.part, {})
        column = min((columns[square] for square in fault.squares if square in columns), default=column)
        return self.error(column, fault.why)

    def _pieces(self, field: str, start: int) -> dict[int, Piece]:
        pieces: dict[int, Piece] = {}
        rank, file = 7, 0
        for column, char in enumerate(field, start):
            if char == "/":
                if file != 8:
                    raise self.error(column, f"rank {rank + 1} has {file} squares, not 8")
                rank, file = rank - 1, 0
                if rank < 0:
                    raise self.error(column, "more than 8 ranks")
                continue
            if char in "12345678":
                if field[column - start - 1 : column - start].isdigit():
                    raise self.error(column, "two digits in a row")
                file += int(char)
            else:
                try:
                    pieces[8 * rank + file] = Piece.from_symbol(char)
                except ValueError:
                    raise self.error(column, f"{char!r} is neither a piece nor a number of empty squares") from None
                self.square_columns[8 * rank + file] = column
                file += 1
            if file > 8:
                raise self.error(column, f"rank {rank + 1} has more than 8 squares")
        if file != 8:
            raise self.error(start + len(field), f"rank {rank + 1} has {file} squares, not 8")
        if rank:
            raise self.error(start + len(field), f"{8 - rank} ranks, not 8")
        return pieces

    def _turn(self, field: str, column: int) -> Color:
        if field not in ("w", "b"):
            raise self.error(column, f"the side to move is w or b, not {field!r}")
        return WHITE if field == "w" else BLACK

    def _castling(self, field: str, start: int, pieces: dict[int, Piece]) -> int:
        if not _CASTLING.fullmatch(field):
            good = _CASTLING.match(field)
            column = start + (good.end() if good else 0)
            raise self.error(column, f"castling rights are - or letters as KQkq (White's first), not {field!r}")
        rooks = 0
        if field == "-":
            return rooks
        for column, letter in enumerate(field, start):
            color = WHITE if letter.isupper() else BLACK
            rook = _castling_rook(letter, color, pieces)
            if rook is None:
                reason = f"castling right {letter} needs the {color} king and that rook on their first rank"
                raise self.error(column, reason)
            if rooks >> rook & 1:
                raise self.error(column, f"castling right {letter} is given twice")
            rooks |= 1 << rook
            self.rook_columns[rook] = column
        return rooks

    def _en_passant(self, field: str, column: int) -> int | None:
        if field == "-":
            return None
        try:
            return parse_square(field)
        except SquareError:
            raise self.error(column, f"the en passant square is - or a square, not {field!r}") from None

    def _number(self, field: str, column: int, name: str, least: int) -> int:
        if not (field.isascii() and field.isdecimal()) or len(field) > _LONGEST_NUMBER:
            raise self.error(column, f"the {name} is a number of at most {_LONGEST_NUMBER} digits, not {field[:20]!r}")
        if int(field) < least:
            raise self.error(column, f"the {name} counts from {least}")
        return int(field)


def _castling_rook(letter: str, color: Color, pieces: dict[int, Piece]) -> int | None:
    """Square of the rook that a castling letter means; None if there is none."""
    first = 0 if color is WHITE else 56
    rank = range(first, first + 8)
    kings = [square for square in rank if pieces.get(square) == Piece(color, KING)]
    rooks = [square for square in rank if pieces.get(square) == Piece(color, ROOK)]
    if len(kings) != 1:
        return None
    if letter in "Kk":
        return max((rook for rook in rooks if rook > kings[0]), default=None)
    if letter in "Qq":
        return min((rook for rook in rooks if rook < kings[0]), default=None)
    square = first + "abcdefgh".index(letter.lower())
    return square if square in rooks else None


def parse_fen(text: str, *, chess960: bool = False) -> Setup:
    """Read any diagram, playable or not; raises `FenError` for bad text only."""
    return FenText(text, chess960=chess960).setup


def write_fen(board: Board, en_passant: int | None) -> str:
    """Write six fields; `en_passant` is the square to name in the fourth."""
    return " ".join(
        (
            write_placement(board.piece_at),
            "w" if board.turn is WHITE else "b",
            write_castling(board),
            "-" if en_passant is None else SQUARE_NAMES[en_passant],
            str(board.halfmove_clock),
            str(board.fullmove_number),
        )
    )


def write_placement(piece_at: Callable[[int], Piece | None]) -> str:
    """Write the first field, rank 8 first."""
    ranks = []
    for rank in range(56, -8, -8):
        text, empty = "", 0
        for square in range(rank, rank + 8):
            piece = piece_at(square)
            if piece is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + piece.symbol
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def write_castling(board: Board) -> str:
    """Write the third field: K, Q for the outermost rook of that side, else the letter of its file."""
    letters = ""
    for color, first in ((WHITE, 0), (BLACK, 56)):
        king = board.king(color)
        own_rooks = board.pieces(color, ROOK)
        rooks = squares_of(own_rooks & 0xFF << first)
        for rook in reversed(squares_of(board.castling & own_rooks)):
            if rook > king:
                letter = "k" if rook == rooks[-1] else "abcdefgh"[rook & 7]
            else:
                letter = "q" if rook == rooks[0] else "abcdefgh"[rook & 7]
            letters += letter.upper() if color is WHITE else letter
    return letters or "-"
