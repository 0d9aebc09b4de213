"""The laws of chess, pure: standard library only, no clock, no file, no log.

Start at `position`: squares <- pieces <- move <- attacks <- board <- legal_moves <- position, each readable alone.
"""

from rules.errors import FenError, IllegalMoveError, MoveTextError, RulesError, SetupError, SquareError, TextError
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.perft import divide, perft
from rules.pieces import BLACK, PROMOTIONS, WHITE, Color, Piece, PieceType
from rules.position import Position
from rules.setup import Fault, Setup
from rules.squares import SQUARE_NAMES, file_of, parse_square, rank_of, square_name, squares_of

__all__ = [
    "BLACK",
    "PROMOTIONS",
    "SQUARE_NAMES",
    "START_FEN",
    "WHITE",
    "Color",
    "Fault",
    "FenError",
    "IllegalMoveError",
    "Move",
    "MoveTextError",
    "Piece",
    "PieceType",
    "Position",
    "RulesError",
    "Setup",
    "SetupError",
    "SquareError",
    "TextError",
    "divide",
    "file_of",
    "parse_fen",
    "parse_square",
    "perft",
    "rank_of",
    "square_name",
    "squares_of",
]
