"""Standard algebraic notation: the legal move a text means here, and the text of a legal move.

Reading does not list the legal moves. A text names a kind of piece and a landing square, so `moves_to` looks *back*
from there at the few pieces of that kind and asks of those only whether they may go. Writing asks the same question, to
find out what must be told apart.

Source: FIDE Laws of Chess, Appendix C; PGN Specification, 8.2.3 (SAN).
"""

from __future__ import annotations

from rules.attacks import KING as KING_ATTACKS
from rules.errors import AmbiguousSanError, IllegalSanError, ParseSanError
from rules.legal_moves import castling_moves, moves_to, unattacked
from rules.legality import why_illegal
from rules.move import Move
from rules.pieces import KING, PAWN, PROMOTIONS
from rules.position import Position
from rules.reasons import Reason, Word
from rules.san_text import H_SIDE, SanText, read_san
from rules.squares import RANKS, SQUARE_NAMES, squares_of

_LETTERS = "?PNBRQK"
_LAST_RANKS = RANKS[0] | RANKS[7]


def parse_san(position: Position, text: str) -> Move:
    """Read the legal move that a text means in a position.

    Raises `ParseSanError` if it is no move in algebraic notation, `IllegalSanError` if it names no legal move and
    `AmbiguousSanError` if it names several; all are ``ValueError`` and carry the position.

    >>> parse_san(Position.start(), "Ng1f3").uci()
    'g1f3'
    """
    try:
        san = read_san(text)
    except ParseSanError as error:
        raise error.in_position(position) from None
    return find_move(position, san, text)


def find_move(position: Position, san: SanText, text: str) -> Move:
    """Find the legal move that a text already read means; raises `IllegalSanError` or `AmbiguousSanError`."""
    kind = san.kind
    if kind is not None and san.to_square >= 0:
        found = moves_to(position, san.to_square, kind, san.from_mask, san.promotion)
        if len(found) == 1:
            return found[0]
    moves = _matching(position, san)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise AmbiguousSanError(text=text, moves=tuple(moves), position=position)
    reasons, why = _why_none(position, san)
    raise IllegalSanError(text=text, why=why, reasons=reasons, position=position)


def write_san(position: Position, move: Move, after: Position | None = None) -> str:
    """Write a legal move as short as it can be told apart, with ``+`` or ``#``.

    `after` may give the position after the move, where it is known, to save playing it. Raises `IllegalMoveError`.

    >>> write_san(Position.start(), Move.from_uci("g1f3"))
    'Nf3'
    """
    kind = position.kind_at(move.from_square)
    if kind is None:
        position.play(move)  # raises, with the reasons
        raise AssertionError(move)
    if kind is KING and position.is_castling(move):
        if position.is_check() or move not in castling_moves(position):
            position.play(move)  # raises, with the reasons
        king_from, _, rook_from, _ = position.castling_squares(move)
        text = "O-O" if rook_from > king_from else "O-O-O"
    else:
        same = moves_to(position, move.to_square, kind, promotion=move.promotion)
        if move not in same:
            position.play(move)  # raises, with the reasons
        name = SQUARE_NAMES[move.to_square]
        if kind is PAWN:
            straight = (move.from_square ^ move.to_square) & 7 == 0
            text = name if straight else f"{SQUARE_NAMES[move.from_square][0]}x{name}"
            if move.promotion is not None:
                text += f"={_LETTERS[move.promotion]}"
        else:
            takes = "x" if (position.white | position.black) & move.to_bit else ""
            text = f"{_LETTERS[kind]}{_told_apart(move, same) if len(same) > 1 else ''}{takes}{name}"
    if after is None:
        after = position.play_unchecked(move)
    if after.is_check():
        return text + ("+" if _king_can_step(after) or after.legal_moves() else "#")
    return text


def _king_can_step(position: Position) -> bool:
    """Whether the king can leave his square: what answers most checks, at a tenth of the price of listing the moves."""
    own = position.by_color(position.turn)
    king_bit = position.kings & own
    steps = KING_ATTACKS[king_bit.bit_length() - 1] & ~(own | position.kings)
    return unattacked(position, steps, position.occupied ^ king_bit) != 0


def _told_apart(move: Move, same: tuple[Move, ...]) -> str:
    """The file, else the rank, else the square, that no other piece comes from."""
    name = SQUARE_NAMES[move.from_square]
    others = [other.from_square for other in same if other is not move]
    if all((square ^ move.from_square) & 7 for square in others):
        return name[0]
    if all((square ^ move.from_square) >> 3 for square in others):
        return name[1]
    return name


def _matching(position: Position, san: SanText) -> list[Move]:
    """All legal moves that a text fits, whatever it looks like."""
    if san.castling:
        return [move for move, king, rook, _ in _castlings(position) if (rook > king) == (san.castling == H_SIDE)]
    kind = san.kind
    moves: list[Move] = []
    if kind is None or (kind is KING and not san.from_mask & (san.from_mask - 1)):
        origin = san.from_mask.bit_length() - 1
        kind = position.kind_at(origin)
        if kind is None or (san.kind is not None and kind is not san.kind):
            return []
        for move, king, rook, landing in _castlings(position):
            far_landing = landing if abs(landing - king) > 1 else rook  # a single step is the king's own move
            if king == origin and san.to_square in (rook, far_landing) and san.promotion is None:
                moves.append(move)
    for landing in squares_of(san.to_mask):
        if san.to_square < 0 and not (position.occupied >> landing & 1 or landing == position.double_step):
            continue  # a text with files only is a capture
        moves += moves_to(position, landing, kind, san.from_mask, san.promotion)
    return moves


def _castlings(position: Position) -> list[tuple[Move, int, int, int]]:
    """Legal castling moves, each with the king's square, the rook's, and the king's landing."""
    if position.is_check():
        return []
    found = []
    for move in castling_moves(position):
        king_from, king_to, rook_from, _ = position.castling_squares(move)
        found.append((move, king_from, rook_from, king_to))
    return found


_NEARNESS = {
    Word.LEAVES_KING_IN_CHECK: 0,
    Word.EN_PASSANT_EXPOSES_KING: 1,
    Word.EN_PASSANT_TOO_LATE: 2,
    Word.BLOCKED: 3,
}
"""Of several pieces that could be meant, it is the one whose decisive reason comes first here."""


def _why_none(position: Position, san: SanText) -> tuple[tuple[Reason, ...], str]:
    """Why no legal move fits: the reasons against the move most likely meant, and a sentence."""
    if san.castling:
        side = "king" if san.castling == H_SIDE else "queen"
        return (), f"{position.turn} cannot castle on the {side}'s side"
    if san.promotion is not None and san.promotion not in PROMOTIONS:
        return (), "a pawn becomes a queen, rook, bishop or knight"
    if san.to_square < 0:
        return (), f"no {position.turn} pawn can take like this"
    if san.kind is PAWN and san.to_mask & _LAST_RANKS and san.promotion is None:
        return (), "the piece that the pawn becomes is missing, as in e8=Q"
    where = SQUARE_NAMES[san.to_square]
    if san.kind is None:
        origin = san.from_mask.bit_length() - 1
        reasons = why_illegal(position, origin, san.to_square, san.promotion)
        if position.color_at(origin) is not position.turn:
            return reasons, f"no {position.turn} unit on {SQUARE_NAMES[origin]}"
        return reasons, f"the unit on {SQUARE_NAMES[origin]} cannot go to {where}"
    origins = squares_of(position.pieces(position.turn, san.kind) & san.from_mask)
    found = [why_illegal(position, origin, san.to_square, san.promotion) for origin in origins]
    nearest = min(found, key=lambda reasons: _NEARNESS.get(reasons[0].word, len(_NEARNESS)), default=())
    return nearest, f"no {position.turn} {san.kind.name.lower()} can legally go to {where}"
