"""The laws of chess, pure: standard library only, no clock, no file, no log.

From the ground up, each file standing on those before it: `squares`, `pieces`, `move`; `attacks`, `board`; `castling`,
`move_sets`, `legal_moves`; `setup`, `fen`; `outcome`, `past`, `reasons`, `castling_reasons`, `legality`; `position`;
`material`, `game`, `perft`. Notation stands on top, in `san` and `pgn`, and `winnable` looks ahead.
"""

from rules.errors import FenError, IllegalMoveError, MoveTextError, RulesError, SetupError, SquareError, TextError
from rules.fen import START_FEN, parse_fen
from rules.game import Game
from rules.legality import Illegal, Legal, PromotionNeeded, Verdict, judge, why_illegal
from rules.move import Move
from rules.outcome import Outcome, Termination
from rules.perft import divide, perft
from rules.pieces import BLACK, PROMOTIONS, WHITE, Color, Piece, PieceType
from rules.position import Position
from rules.reasons import Reason, Word
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
    "Game",
    "Illegal",
    "IllegalMoveError",
    "Legal",
    "Move",
    "MoveTextError",
    "Outcome",
    "Piece",
    "PieceType",
    "Position",
    "PromotionNeeded",
    "Reason",
    "RulesError",
    "Setup",
    "SetupError",
    "SquareError",
    "Termination",
    "TextError",
    "Verdict",
    "Word",
    "divide",
    "file_of",
    "judge",
    "parse_fen",
    "parse_square",
    "perft",
    "rank_of",
    "square_name",
    "squares_of",
    "why_illegal",
]
