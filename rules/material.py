"""What the material alone says about mate: exact, and one look at the bitboards.

Two facts decide everything, both provable by listing the squares round a king. (1) Bishops of one colour cannot mate,
with whatever help, while every other unit on the board is a king, a rook, a queen or a bishop of that colour: the two
neighbours of the king that touch the checking diagonal are of the other colour, no king stands next to both without
standing next to the king, and a rook or queen on either takes the bishop or steps into the line. (2) A lone knight
needs a pawn, knight, bishop or rook of the opponent to take a flight square; a queen there would take the knight.
Everything else can mate with the opponent's help: pawns, rooks and queens always, two knights, a knight with a bishop,
bishops on both colours.

"Can mate" is about the material, not the squares: whether this very position still allows it is `rules.winnable`'s
question.

Source: FIDE Laws 2023, 5.2.2 and 6.9.
"""

from __future__ import annotations

from rules.board import Board
from rules.pieces import BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Color
from rules.squares import DARK_SQUARES, LIGHT_SQUARES


def can_mate_on_material(board: Board, color: Color) -> bool:
    """Whether a side with these units can mate in some position with this material, if both sides help."""
    pieces = board.pieces
    if pieces(color, PAWN) or pieces(color, ROOK) or pieces(color, QUEEN):
        return True
    other = color.other
    knights, bishops = pieces(color, KNIGHT), pieces(color, BISHOP)
    if not knights:
        if not bishops:
            return False
        all_bishops = bishops | pieces(other, BISHOP)
        one_colour = not all_bishops & LIGHT_SQUARES or not all_bishops & DARK_SQUARES
        return not one_colour or bool(pieces(other, PAWN) | pieces(other, KNIGHT))
    if bishops or knights & (knights - 1):
        return True
    return any(pieces(other, kind) for kind in (PAWN, KNIGHT, BISHOP, ROOK))


def insufficient_material(board: Board) -> bool:
    """Whether neither side can mate: a dead position on material alone (5.2.2)."""
    return not (can_mate_on_material(board, WHITE) or can_mate_on_material(board, BLACK))
