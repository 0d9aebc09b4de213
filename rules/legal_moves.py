"""All legal moves of a position, without ever playing one.

What makes a move illegal is decided beforehand, for all moves at once:

* *Checkers.* With one, every move but the king's must land on `target`: the checker or a square between it and the
  king. With two, only the king can move.
* *Pins.* A lone own unit between the king and an enemy line piece may move along that line only. From the king, look
  along the empty board at enemy line pieces; nothing in between is a check, one own unit a pin.
* *The king* may step where nothing attacks him, with himself off the board: he casts no shadow on his own retreat.
* *En passant* takes two units off a line at once, so that one capture is tried out.

The rest is set arithmetic: pawns move as whole-board shifts, every other unit by one look-up, and what comes out is not
a list of moves but of *groups*, ready-made tuples out of `move_sets`. Listing joins them, counting adds their lengths.
"""

from __future__ import annotations

from itertools import chain

from rules.attacks import BETWEEN, BLACK_PAWN, DIAGONALS, KING, KNIGHT, ORTHOGONALS, WHITE_PAWN
from rules.board import Board
from rules.castling import CASTLINGS
from rules.move import Move
from rules.move_sets import DIAGONAL_VIEWS, KNIGHT_VIEWS, MOVES_FROM, ORTHOGONAL_VIEWS, PawnMoves
from rules.pieces import BISHOP, BLACK, PAWN, PROMOTIONS, QUEEN, ROOK, WHITE, PieceType
from rules.pieces import KNIGHT as KNIGHT_TYPE
from rules.squares import FILES, FULL, RANKS, squares_of

_NOT_A_FILE, _NOT_H_FILE = FULL ^ FILES[0], FULL ^ FILES[7]
_RANK_3, _RANK_4, _RANK_5, _RANK_6 = RANKS[2:6]
_LAST_RANKS = RANKS[0] | RANKS[7]
_PROMOTION_OR_NONE = (None, *PROMOTIONS)

_UP, _UP_TWO, _UP_LEFT, _UP_RIGHT = PawnMoves(8), PawnMoves(16), PawnMoves(7), PawnMoves(9)
_DOWN, _DOWN_TWO, _DOWN_LEFT, _DOWN_RIGHT = PawnMoves(-8), PawnMoves(-16), PawnMoves(-9), PawnMoves(-7)

Pins = tuple[tuple[int, int], ...]
"""For each pinned unit its bit and the squares it may go to: up to the pinning piece, and that piece itself."""


def checks_and_pins(board: Board) -> tuple[int, Pins]:
    """Find the units that give check to the side to move, and its pinned units."""
    if board._checks is not None:
        return board._checks
    if board.turn is WHITE:
        own, enemy, pawn_attacks = board.white, board.black, WHITE_PAWN
    else:
        own, enemy, pawn_attacks = board.black, board.white, BLACK_PAWN
    occupied = own | enemy
    king = (board.kings & own).bit_length() - 1
    queens = board.queens
    checkers = (pawn_attacks[king] & board.pawns | KNIGHT[king] & board.knights | KING[king] & board.kings) & enemy
    snipers = (
        ORTHOGONALS[king].reach & (board.rooks | queens) | DIAGONALS[king].reach & (board.bishops | queens)
    ) & enemy
    pins: list[tuple[int, int]] = []
    if snipers:
        between_king_and = BETWEEN[king]
        while snipers:
            sniper = snipers & -snipers
            snipers ^= sniper
            between = between_king_and[sniper]
            blockers = between & occupied
            if not blockers:
                checkers |= sniper
            elif not blockers & (blockers - 1) and blockers & own:  # exactly one, and ours
                pins.append((blockers, between | sniper))
    found = checkers, tuple(pins)
    object.__setattr__(board, "_checks", found)
    return found


def unattacked(board: Board, squares: int, occupied: int) -> int:
    """Keep those of some squares that the side not to move does not attack, line pieces being stopped by `occupied`."""
    pawns, queens = board.pawns, board.queens
    if board.turn is WHITE:
        enemy = board.black
        pawns &= enemy
        squares &= ~((pawns & _NOT_A_FILE) >> 9 | (pawns & _NOT_H_FILE) >> 7)
    else:
        enemy = board.white
        pawns &= enemy
        squares &= ~((pawns & _NOT_A_FILE) << 7 | (pawns & _NOT_H_FILE) << 9)
    squares &= ~KING[(board.kings & enemy).bit_length() - 1]
    for knight in KNIGHT_VIEWS[board.knights & enemy]:
        squares &= ~knight.attacks
    if squares:
        for mask, attacks, _ in ORTHOGONAL_VIEWS[(board.rooks | queens) & enemy]:
            squares &= ~attacks[occupied & mask]
        for mask, attacks, _ in DIAGONAL_VIEWS[(board.bishops | queens) & enemy]:
            squares &= ~attacks[occupied & mask]
    return squares


def move_groups(board: Board) -> list[tuple[Move, ...]]:
    """Make the legal moves, in groups."""
    white_to_move = board.turn is WHITE
    if white_to_move:
        own, enemy = board.white, board.black
    else:
        own, enemy = board.black, board.white
    occupied = own | enemy
    king_bit = board.kings & own
    king = king_bit.bit_length() - 1
    checkers, pins = checks_and_pins(board)
    target = FULL ^ (own | board.kings)  # nobody takes a king

    groups: list[tuple[Move, ...]] = []
    steps = KING[king] & target
    if steps:
        steps = unattacked(board, steps, occupied ^ king_bit)
        groups.append(MOVES_FROM[king][steps])
    if checkers:
        if checkers & (checkers - 1):
            return groups
        target &= checkers | BETWEEN[king].get(checkers, 0)
    elif board.castling & own:
        groups.append(castling_moves(board))

    pawns, knights = board.pawns & own, board.knights & own
    diagonal, orthogonal = (board.bishops | board.queens) & own, (board.rooks | board.queens) & own
    if pins:
        for bit, line in pins:
            if pawns & bit:
                groups += _pawn_groups(bit, FULL ^ occupied, enemy, target & line, white_to_move)
                pawns ^= bit
            elif knights & bit:
                knights ^= bit
            else:
                if diagonal & bit:
                    diagonal ^= bit
                    for mask, attacks, moves in DIAGONAL_VIEWS[bit]:
                        groups.append(moves[attacks[occupied & mask] & target & line])
                if orthogonal & bit:
                    orthogonal ^= bit
                    for mask, attacks, moves in ORTHOGONAL_VIEWS[bit]:
                        groups.append(moves[attacks[occupied & mask] & target & line])
    for reach, moves in KNIGHT_VIEWS[knights]:
        groups.append(moves[reach & target])
    for mask, attacks, moves in DIAGONAL_VIEWS[diagonal]:
        groups.append(moves[attacks[occupied & mask] & target])
    for mask, attacks, moves in ORTHOGONAL_VIEWS[orthogonal]:
        groups.append(moves[attacks[occupied & mask] & target])
    if pawns:
        groups += _pawn_groups(pawns, FULL ^ occupied, enemy, target, white_to_move)
    if board.double_step is not None:
        groups.append(en_passant_moves(board))
    return groups


def _pawn_groups(
    pawns: int, empty: int, enemy: int, target: int, white_to_move: bool
) -> tuple[tuple[Move, ...], tuple[Move, ...], tuple[Move, ...], tuple[Move, ...]]:
    """Steps, double steps and captures of a set of pawns, to target squares only."""
    enemy &= target
    if white_to_move:
        single = pawns << 8 & empty
        return (
            _UP[single & target],
            _UP_TWO[(single & _RANK_3) << 8 & empty & target],
            _UP_LEFT[(pawns & _NOT_A_FILE) << 7 & enemy],
            _UP_RIGHT[(pawns & _NOT_H_FILE) << 9 & enemy],
        )
    single = pawns >> 8 & empty
    return (
        _DOWN[single & target],
        _DOWN_TWO[(single & _RANK_6) >> 8 & empty & target],
        _DOWN_LEFT[(pawns & _NOT_A_FILE) >> 9 & enemy],
        _DOWN_RIGHT[(pawns & _NOT_H_FILE) >> 7 & enemy],
    )


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
    """Legal castlings of a side that is not in check."""
    own = board.by_color(board.turn)
    king = board.king(board.turn)
    occupied = board.white | board.black
    moves = []
    for rook in squares_of(board.castling & own):
        castling = CASTLINGS[king, rook]
        if castling.free & occupied:
            continue
        path = castling.king_path
        if unattacked(board, path, occupied ^ 1 << king) != path:
            continue
        if not castling.standard:  # the rook may have stood between the king and an enemy rook on the first rank
            after = occupied & ~(1 << king | 1 << rook) | 1 << castling.rook_to | 1 << castling.king_to
            if not unattacked(board, 1 << castling.king_to, after):
                continue
        moves.append(castling.move(board.chess960))
    return tuple(moves)


def legal_moves(board: Board) -> tuple[Move, ...]:
    """List the legal moves, once for each board. The order depends on the position alone."""
    moves = board._moves
    if moves is None:
        moves = tuple(chain.from_iterable(move_groups(board)))
        object.__setattr__(board, "_moves", moves)
    return moves


def count_legal_moves(board: Board) -> int:
    """Count the legal moves."""
    return sum(map(len, move_groups(board)))


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
    elif kind is KNIGHT_TYPE:
        origins = KNIGHT[to_square] & board.knights
    elif kind is BISHOP:
        lines = DIAGONALS[to_square]
        origins = lines[occupied & lines.mask] & board.bishops
    elif kind is ROOK:
        lines = ORTHOGONALS[to_square]
        origins = lines[occupied & lines.mask] & board.rooks
    elif kind is QUEEN:
        lines, others = ORTHOGONALS[to_square], DIAGONALS[to_square]
        origins = (lines[occupied & lines.mask] | others[occupied & others.mask]) & board.queens
    else:
        king_bit = KING[to_square] & board.kings & own & from_squares
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
