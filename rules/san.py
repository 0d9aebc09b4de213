"""Standard algebraic notation: the legal move a text means here, and the text of a legal move.

Reading does not list the legal moves. It looks *back* from the landing square, with the same attack sets that pieces
attack with, at the few own pieces of that kind, and asks of those only whether they may move there: the checks and pins
of the position, worked out once, decide it. Writing asks the same question to find what must be told apart.

Source: FIDE Laws of Chess, Appendix C; PGN Specification, 8.2.3 (SAN).
"""

from __future__ import annotations

from rules.attacks import BETWEEN, BLACK_PAWN, DIAGONALS, KING, KNIGHT, ORTHOGONALS, WHITE_PAWN
from rules.errors import AmbiguousSanError, IllegalSanError, ParseSanError
from rules.legal_moves import castling_moves, checks_and_pins, en_passant_moves, unattacked
from rules.move import Move
from rules.pieces import BISHOP, PAWN, PROMOTIONS, QUEEN, ROOK, WHITE, PieceType
from rules.position import Position
from rules.san_text import H_SIDE, SanText, read_san
from rules.squares import FILES, FULL, RANKS, SQUARE_NAMES, squares_of

_RANK_4, _RANK_5 = RANKS[3], RANKS[4]
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
    if san.is_usual:
        origins = legal_origins(position, san.kind, san.to_square, san.to_bit, san.from_mask)  # type: ignore[arg-type]
        if origins and not origins & (origins - 1):
            move = san.moves.get(origins)
            if move is None:
                move = san.moves[origins] = Move(origins.bit_length() - 1, san.to_square, san.promotion)
            return move
    moves = _matching(position, san)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise AmbiguousSanError(text=text, moves=tuple(moves), position=position)
    raise IllegalSanError(text=text, why=_why_none(position, san), position=position)


def write_san(position: Position, move: Move, after: Position | None = None) -> str:
    """Write a legal move as short as it can be told apart, with ``+`` or ``#``.

    `after` may give the position after the move, where it is known, to save playing it. Raises `IllegalMoveError`.

    >>> write_san(Position.start(), Move.from_uci("g1f3"))
    'Nf3'
    """
    kind = position.kind_at(move.from_square)
    castling = position.castling_squares(move) if kind is PieceType.KING else None
    if castling is not None:
        if position.is_check() or move not in castling_moves(position):
            position.play(move)  # raises, with the reasons
        text = "O-O" if castling[2] > castling[0] else "O-O-O"
    else:
        landing = move.to_square
        same = legal_origins(position, kind, landing, move.to_bit, FULL) if kind is not None else 0
        promotes = kind is PAWN and move.to_bit & _LAST_RANKS != 0
        if not same & move.from_bit or (move.promotion in PROMOTIONS) != promotes:
            position.play(move)  # raises, with the reasons
        name = SQUARE_NAMES[landing]
        takes = (position.white | position.black) & move.to_bit
        if kind is PAWN:
            text = name if (move.from_square ^ landing) & 7 == 0 else f"{SQUARE_NAMES[move.from_square][0]}x{name}"
            if move.promotion is not None:
                text += f"={move.promotion.letter.upper()}"
        else:
            assert kind is not None
            others = same ^ move.from_bit
            text = f"{kind.letter.upper()}{_told_apart(move, others) if others else ''}{'x' if takes else ''}{name}"
    if after is None:
        after = position.play_unchecked(move)
    if after.is_check():
        return text + ("+" if after.legal_moves() else "#")
    return text


def _told_apart(move: Move, others: int) -> str:
    """The file, else the rank, else the square, that none of the other origins has."""
    name = SQUARE_NAMES[move.from_square]
    if not others & FILES[move.from_square & 7]:
        return name[0]
    if not others & RANKS[move.from_square >> 3]:
        return name[1]
    return name


def legal_origins(position: Position, kind: PieceType, to_square: int, to_bit: int, mask: int) -> int:
    """Squares (a set) from which a unit of that kind of the side to move may go to a square; castling apart.

    `mask` limits the squares looked at. A pawn that may go to its last rank may do so with every promotion.
    """
    white_to_move = position.turn is WHITE
    if white_to_move:
        own, enemy = position.white, position.black
    else:
        own, enemy = position.black, position.white
    if to_bit & (own | position.kings):
        return 0
    occupied = own | enemy
    mask &= own
    if kind is PAWN:
        pawns = position.pawns & mask
        if white_to_move:
            if to_bit & enemy:
                origins = BLACK_PAWN[to_square] & pawns
            elif to_square == position.double_step:
                return _en_passant_origins(position, mask)
            else:
                origins = to_bit >> 8 & pawns
                if not origins and to_bit & _RANK_4 and not to_bit >> 8 & occupied:
                    origins = to_bit >> 16 & pawns
        elif to_bit & enemy:
            origins = WHITE_PAWN[to_square] & pawns
        elif to_square == position.double_step:
            return _en_passant_origins(position, mask)
        else:
            origins = to_bit << 8 & pawns
            if not origins and to_bit & _RANK_5 and not to_bit << 8 & occupied:
                origins = to_bit << 16 & pawns
    elif kind is PieceType.KNIGHT:
        origins = KNIGHT[to_square] & position.knights & mask
    elif kind is BISHOP:
        lines = DIAGONALS[to_square]
        origins = lines[occupied & lines.mask] & position.bishops & mask
    elif kind is ROOK:
        lines = ORTHOGONALS[to_square]
        origins = lines[occupied & lines.mask] & position.rooks & mask
    elif kind is QUEEN:
        lines, more = ORTHOGONALS[to_square], DIAGONALS[to_square]
        origins = (lines[occupied & lines.mask] | more[occupied & more.mask]) & position.queens & mask
    else:
        origins = KING[to_square] & position.kings & mask
        if origins and not unattacked(position, to_bit, occupied ^ origins):
            return 0
        return origins
    if not origins:
        return 0
    checkers, pins = position._checks or checks_and_pins(position)
    if checkers:
        king = (position.kings & own).bit_length() - 1
        if checkers & (checkers - 1) or not to_bit & (checkers | BETWEEN[king].get(checkers, 0)):
            return 0
    for pinned, line in pins:
        if origins & pinned and not line & to_bit:
            origins ^= pinned
    return origins


def _en_passant_origins(position: Position, mask: int) -> int:
    return sum(move.from_bit for move in en_passant_moves(position) if move.from_bit & mask)


def _matching(position: Position, san: SanText) -> list[Move]:
    """All legal moves that a text fits, whatever it looks like."""
    if san.castling:
        return [move for move, king, rook, _ in _castlings(position) if (rook > king) == (san.castling == H_SIDE)]
    kind = san.kind
    moves: list[Move] = []
    if kind is None or (kind is PieceType.KING and not san.from_mask & (san.from_mask - 1)):
        origin = san.from_mask.bit_length() - 1
        kind = position.kind_at(origin)
        if kind is None or (san.kind is not None and kind is not san.kind):
            return []
        for move, king, rook, landing in _castlings(position):
            far_landing = landing if abs(landing - king) > 1 else rook
            if king == origin and san.to_square in (rook, far_landing) and san.promotion is None:
                moves.append(move)
    for landing in squares_of(san.to_mask):
        promotes = kind is PAWN and (1 << landing) & _LAST_RANKS != 0
        if promotes != (san.promotion is not None) or (promotes and san.promotion not in PROMOTIONS):
            continue
        if san.to_square < 0 and not (1 << landing & position.occupied or landing == position.double_step):
            continue
        for origin in squares_of(legal_origins(position, kind, landing, 1 << landing, san.from_mask)):
            moves.append(Move(origin, landing, san.promotion))
    return moves


def _castlings(position: Position) -> list[tuple[Move, int, int, int]]:
    """Legal castling moves, each with the king's square, the rook's, and the king's landing."""
    if position.is_check():
        return []
    found = []
    for move in castling_moves(position):
        squares = position.castling_squares(move)
        assert squares is not None
        found.append((move, squares[0], squares[2], squares[1]))
    return found


def _why_none(position: Position, san: SanText) -> str:
    """Why no legal move fits, in words."""
    if san.castling:
        return "castling is not legal"
    if san.kind is PAWN and san.to_bit & _LAST_RANKS and san.promotion is None:
        return "the piece the pawn becomes is missing, as in e8=Q"
    if san.promotion is not None and san.promotion not in PROMOTIONS:
        return "a pawn becomes a queen, rook, bishop or knight"
    where = SQUARE_NAMES[san.to_square] if san.to_square >= 0 else "there"
    if san.kind is None:
        origin = san.from_mask.bit_length() - 1
        if position.color_at(origin) is not position.turn:
            return f"no {position.turn} unit on {SQUARE_NAMES[origin]}"
        return f"the unit on {SQUARE_NAMES[origin]} cannot go to {where}"
    return f"no {position.turn} {san.kind.name.lower()} can legally go to {where}"
