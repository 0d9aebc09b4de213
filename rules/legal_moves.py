"""All legal moves of a position, without ever playing one.

What makes a move illegal is decided beforehand, for all moves at once:

* *Checkers.* With one, every move but the king's must land on `target`: the checker or a square between it and the
  king. With two, only the king can move.
* *Pins.* A lone own unit between the king and an enemy line piece may move along that line only. From the king, look
  along the empty board at enemy line pieces; nothing in between is a check, one own unit a pin.
* *The king* may step where nothing attacks him, with himself off the board: he casts no shadow on his own retreat.
* *En passant* takes two units off a line at once, so that one capture is tried out.

The rest is set arithmetic: pawns move as whole-board shifts, every other unit by one look-up, and each set of landing
squares turns into ready-made moves by another (`move_sets`). So a list of 40 moves is a dozen tuples strung together,
and counting the moves costs no more than listing them.
"""

from __future__ import annotations

from rules.attacks import BETWEEN, BLACK_PAWN, DIAGONALS, ORTHOGONALS, WHITE_PAWN
from rules.attacks import KING as KING_ATTACKS
from rules.attacks import KNIGHT as KNIGHT_ATTACKS
from rules.board import Board
from rules.castling import CASTLINGS, Castling
from rules.move import Move
from rules.move_sets import DIAGONAL_VIEWS, KNIGHT_VIEWS, LINES_TO, MOVES_FROM, ORTHOGONAL_VIEWS, ZONES_OF, PawnMoves
from rules.pieces import BISHOP, BLACK, KNIGHT, PAWN, PROMOTIONS, QUEEN, ROOK, WHITE, PieceType
from rules.squares import FILES, FULL, RANKS, squares_of

_NOT_A_FILE, _NOT_H_FILE = FULL ^ FILES[0], FULL ^ FILES[7]
_RANK_3, _RANK_4, _RANK_5, _RANK_6 = RANKS[2:6]
_LAST_RANKS = RANKS[0] | RANKS[7]
_PROMOTION_OR_NONE = (None, *PROMOTIONS)

_UP, _UP_TWO, _UP_LEFT, _UP_RIGHT = PawnMoves(8), PawnMoves(16), PawnMoves(7), PawnMoves(9)
_DOWN, _DOWN_TWO, _DOWN_LEFT, _DOWN_RIGHT = PawnMoves(-8), PawnMoves(-16), PawnMoves(-9), PawnMoves(-7)

_ROOK_REACH = tuple(lines.reach for lines in ORTHOGONALS)
_BISHOP_REACH = tuple(lines.reach for lines in DIAGONALS)

Pins = tuple[tuple[int, int], ...]
"""For each pinned unit its bit and the line it must keep to: from the king to the pinning piece, this one included."""


def checks_and_pins(board: Board) -> tuple[int, Pins]:
    """Find the units that give check to the side to move, and its pinned units; once for each board."""
    found = board._checks
    if found is None:
        if board.turn is WHITE:
            found = _find_checks_and_pins(board, board.white, board.black, WHITE_PAWN)
        else:
            found = _find_checks_and_pins(board, board.black, board.white, BLACK_PAWN)
        object.__setattr__(board, "_checks", found)
    return found


def _find_checks_and_pins(board: Board, own: int, enemy: int, pawn_attacks: tuple[int, ...]) -> tuple[int, Pins]:
    king = (board.kings & own).bit_length() - 1
    checkers = (
        pawn_attacks[king] & board.pawns | KNIGHT_ATTACKS[king] & board.knights | KING_ATTACKS[king] & board.kings
    ) & enemy
    snipers = (_ROOK_REACH[king] & board.orthogonals | _BISHOP_REACH[king] & board.diagonals) & enemy
    if not snipers:
        return checkers, ()
    pins: Pins = ()
    occupied = own | enemy
    for sniper, between in LINES_TO[king][snipers]:
        blockers = between & occupied
        if not blockers:
            checkers |= sniper
        elif blockers & own and blockers.bit_count() == 1:
            pins += ((blockers, between | sniper),)
    return checkers, pins


def unattacked(board: Board, squares: int, occupied: int) -> int:
    """Keep those of some squares that the side not to move does not attack, line pieces being stopped by `occupied`.

    First look at the zones where an attacker of any of them could stand: most are empty.
    """
    orthogonal, diagonal, knight, king, white_pawn, black_pawn = ZONES_OF[squares]
    if board.turn is WHITE:
        enemy = board.black
        near = board.pawns & black_pawn & enemy
        if near:
            squares &= ~((near & _NOT_A_FILE) >> 9 | (near & _NOT_H_FILE) >> 7)
    else:
        enemy = board.white
        near = board.pawns & white_pawn & enemy
        if near:
            squares &= ~((near & _NOT_A_FILE) << 7 | (near & _NOT_H_FILE) << 9)
    near = board.orthogonals & orthogonal & enemy
    if near:
        for mask, attacks, _ in ORTHOGONAL_VIEWS[near]:
            squares &= ~attacks[occupied & mask]
    near = board.diagonals & diagonal & enemy
    if near:
        for mask, attacks, _ in DIAGONAL_VIEWS[near]:
            squares &= ~attacks[occupied & mask]
    near = board.knights & knight & enemy
    if near:
        for _, attacks, _ in KNIGHT_VIEWS[near]:
            squares &= ~attacks[0]
    near = board.kings & king & enemy
    if near:
        squares &= ~KING_ATTACKS[near.bit_length() - 1]
    return squares


def list_legal_moves(board: Board) -> list[Move]:
    """Make the list of legal moves. The order depends on the position alone."""
    white_to_move = board.turn is WHITE
    if white_to_move:
        own, enemy, pawn_attacks = board.white, board.black, WHITE_PAWN
    else:
        own, enemy, pawn_attacks = board.black, board.white, BLACK_PAWN
    occupied = own | enemy
    kings = board.kings
    king_bit = kings & own
    king = king_bit.bit_length() - 1
    checkers, pins = board._checks or _find_checks_and_pins(board, own, enemy, pawn_attacks)
    target = FULL ^ (own | kings)  # nobody takes a king

    moves: list[Move] = []
    steps = walk = KING_ATTACKS[king] & target
    rights = board.castling & own
    castlings = CASTLINGS[king][rights] if rights and not checkers else ()
    for castling in castlings:
        if not castling.free & occupied:
            walk |= castling.king_path
    if walk:
        safe = unattacked(board, walk, occupied ^ king_bit)
        moves += MOVES_FROM[king][safe & steps]
        for castling in castlings:
            if (
                not castling.free & occupied
                and not castling.king_path & ~safe
                and (castling.standard or _still_safe(board, castling))
            ):
                moves.append(castling.move(board.chess960))

    pawns, knights = board.pawns & own, board.knights & own
    orthogonal, diagonal = board.orthogonals & own, board.diagonals & own
    if checkers:
        if checkers & (checkers - 1):
            return moves
        target &= checkers | BETWEEN[king].get(checkers, 0)
        rook_zone, bishop_zone, knight_zone, _, _, _ = ZONES_OF[target]
        orthogonal, diagonal, knights = orthogonal & rook_zone, diagonal & bishop_zone, knights & knight_zone
    stepping = left = right = pawns  # the pawns that may go straight on, and capture to either side
    for bit, line in pins:
        if not pawns & bit:
            for mask, attacks, to in ORTHOGONAL_VIEWS[orthogonal & bit] + DIAGONAL_VIEWS[diagonal & bit]:
                moves += to[attacks[occupied & mask] & target & line]
            keep = ~bit
            orthogonal, diagonal, knights = orthogonal & keep, diagonal & keep, knights & keep
            continue
        if not line & (bit << 8 if white_to_move else bit >> 8):
            stepping ^= bit
        if not line & (bit << 7 if white_to_move else bit >> 9):
            left ^= bit
        if not line & (bit << 9 if white_to_move else bit >> 7):
            right ^= bit
    views = ORTHOGONAL_VIEWS[orthogonal]
    if diagonal:
        views += DIAGONAL_VIEWS[diagonal]
    if knights:
        views += KNIGHT_VIEWS[knights]
    for mask, attacks, to in views:
        moves += to[attacks[occupied & mask] & target]

    if not pawns:
        return moves
    empty, enemy = FULL ^ occupied, enemy & target
    if white_to_move:
        single = stepping << 8 & empty
        double = (single & _RANK_3) << 8 & empty & target
        left = (left & _NOT_A_FILE) << 7 & enemy
        right = (right & _NOT_H_FILE) << 9 & enemy
        moves += _UP[single & target]
        if double:
            moves += _UP_TWO[double]
        if left:
            moves += _UP_LEFT[left]
        if right:
            moves += _UP_RIGHT[right]
    else:
        single = stepping >> 8 & empty
        double = (single & _RANK_6) >> 8 & empty & target
        left = (left & _NOT_A_FILE) >> 9 & enemy
        right = (right & _NOT_H_FILE) >> 7 & enemy
        moves += _DOWN[single & target]
        if double:
            moves += _DOWN_TWO[double]
        if left:
            moves += _DOWN_LEFT[left]
        if right:
            moves += _DOWN_RIGHT[right]
    if board.double_step is not None:
        moves += en_passant_moves(board)
    return moves


def en_passant_moves(board: Board) -> tuple[Move, ...]:
    """Legal en passant captures. Each is tried out: two units leave their squares at once, and a rank may open."""
    landing = board.double_step
    if landing is None:
        return ()
    if board.turn is WHITE:
        own, origins, victim, enemy = board.white, BLACK_PAWN[landing], landing - 8, BLACK
    else:
        own, origins, victim, enemy = board.black, WHITE_PAWN[landing], landing + 8, WHITE
    king = (board.kings & own).bit_length() - 1
    moves = []
    for origin in squares_of(origins & board.pawns & own):
        occupied = (board.white | board.black) & ~(1 << origin | 1 << victim) | 1 << landing
        if not board.attackers(enemy, king, occupied) & ~(1 << victim):
            moves.append(Move(origin, landing))
    return tuple(moves)


def castling_moves(board: Board) -> tuple[Move, ...]:
    """List the legal castlings alone."""
    own = board.by_color(board.turn)
    if not board.castling & own or checks_and_pins(board)[0]:
        return ()
    king, occupied = board.king(board.turn), board.white | board.black
    return tuple(
        castling.move(board.chess960)
        for castling in CASTLINGS[king][board.castling & own]
        if not castling.free & occupied
        and unattacked(board, castling.king_path, occupied ^ 1 << king) == castling.king_path
        and (castling.standard or _still_safe(board, castling))
    )


def _still_safe(board: Board, castling: Castling) -> bool:
    """Whether the king is safe once castled: the rook may have stood between him and an enemy on his rank."""
    leave, land = 1 << castling.king_from | 1 << castling.rook_from, 1 << castling.king_to | 1 << castling.rook_to
    return unattacked(board, 1 << castling.king_to, (board.white | board.black) & ~leave | land) != 0


def legal_moves(board: Board) -> tuple[Move, ...]:
    """List the legal moves, once for each board, in an order that depends on the position alone."""
    moves = board._moves
    if moves is None:
        moves = tuple(list_legal_moves(board))
        object.__setattr__(board, "_moves", moves)
    return moves


def count_legal_moves(board: Board) -> int:
    """Count the legal moves."""
    return len(list_legal_moves(board))


def moves_to(
    board: Board, to_square: int, kind: PieceType, from_squares: int = FULL, promotion: PieceType | None = None
) -> tuple[Move, ...]:
    """List the legal moves of one kind of unit to one square, castling apart: looks back from there.

    Much cheaper than listing all, and all that reading SAN needs.
    """
    white_to_move = board.turn is WHITE
    own, enemy = (board.white, board.black) if white_to_move else (board.black, board.white)
    occupied, landing = own | enemy, 1 << to_square
    if landing & (own | board.kings):
        return ()
    if kind is PAWN:
        if (promotion is None) is (landing & _LAST_RANKS != 0) or promotion not in _PROMOTION_OR_NONE:
            return ()
        if landing & enemy:
            origins = (BLACK_PAWN if white_to_move else WHITE_PAWN)[to_square] & board.pawns
        elif to_square == board.double_step and (taking := en_passant_moves(board)):
            return tuple(move for move in taking if from_squares >> move.from_square & 1)
        else:
            behind = landing >> 8 if white_to_move else landing << 8
            if behind & occupied or not landing & (_RANK_4 if white_to_move else _RANK_5):
                origins = behind & board.pawns
            else:
                origins = (behind >> 8 if white_to_move else behind << 8) & board.pawns
    elif promotion is not None:
        return ()
    elif kind is KNIGHT:
        origins = KNIGHT_ATTACKS[to_square] & board.knights
    elif kind is BISHOP:
        lines = DIAGONALS[to_square]
        origins = lines[occupied & lines.mask] & board.diagonals & ~board.orthogonals
    elif kind is ROOK:
        lines = ORTHOGONALS[to_square]
        origins = lines[occupied & lines.mask] & board.orthogonals & ~board.diagonals
    elif kind is QUEEN:
        lines, others = ORTHOGONALS[to_square], DIAGONALS[to_square]
        origins = (lines[occupied & lines.mask] | others[occupied & others.mask]) & board.orthogonals & board.diagonals
    else:
        king_bit = KING_ATTACKS[to_square] & board.kings & own & from_squares
        if not king_bit or not unattacked(board, landing, occupied ^ king_bit):
            return ()
        return MOVES_FROM[king_bit.bit_length() - 1][landing]
    origins &= own & from_squares
    if not origins:
        return ()
    checkers, pins = checks_and_pins(board)
    if checkers:
        king = (board.kings & own).bit_length() - 1
        if checkers & (checkers - 1) or not landing & (checkers | BETWEEN[king].get(checkers, 0)):
            return ()
    for bit, line in pins:
        if bit & origins and not line & landing:
            origins ^= bit
    if promotion is None and not origins & (origins - 1):
        return MOVES_FROM[origins.bit_length() - 1][landing] if origins else ()
    return tuple(Move(origin, to_square, promotion) for origin in squares_of(origins))
