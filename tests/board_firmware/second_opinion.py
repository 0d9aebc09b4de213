"""What a player owes after touching units, worked out a second time: slow, literal, and by another hand.

It stands on python-chess alone and shares nothing with the packages, so that it can disagree with them. It walks through
Articles 4.3 to 4.5 in the words of the Laws. Two matters come from outside: which touches count, one group a scan (units
that were adjusted are left out before), and which moves contain what was already released (4.7).

How two of the Articles meet is not written in the Laws. The reading here: *a duty once incurred is narrowed by a later
touch, never lifted.* So king, enemy unit, rook: if the king can take the unit, 4.3.3 bound him to that before he touched
the rook, and 4.4.1 comes too late; if he cannot but can move, he owed a king move, castling is one, and 4.4.1 asks for it;
if he cannot move at all, 4.3.3 bound the player to take that unit with another, and 4.4.3 does not free him again.
Likewise with rook, enemy unit, king.

Source: FIDE Laws of Chess 2023, Articles 4.3.1-4.3.3, 4.4.1-4.4.3, 4.5, 4.7; 7.5.1 for ``must_castle``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations, product

import chess

Answer = tuple[str, frozenset[str] | str]
"""The obligation's word, and the UCI moves allowed or ``all``."""


def owed(
    board: chess.Board,
    groups: Sequence[Sequence[int]],
    committed: Iterable[str] = (),
    *,
    must_castle: bool = True,
    forgiving: bool = False,
) -> Answer:
    """Say what the side to move owes; ``groups`` in order of time, ``committed`` the moves that contain a release.

    ``forgiving`` is the other reading, in which a duty that arose between king and rook is lifted by the second of them,
    and in which 4.4.3 outlives an illegal move.
    """
    released = frozenset(committed)
    if released:  # 4.7: as good as played
        return _exactly(released)
    return _after(_Turn(board), _in_order(board, groups), must_castle, forgiving)


def opinions(
    board: chess.Board,
    groups: Sequence[Sequence[int]],
    committed: Iterable[str] = (),
    *,
    must_castle: bool = True,
    forgiving: bool = False,
) -> set[Answer]:
    """Give every answer there is when several like units left the board in one scan, whose order nobody knows."""
    orders = product(*(list(permutations(group)) for group in groups))
    return {owed(board, order, committed, must_castle=must_castle, forgiving=forgiving) for order in orders}


class _Turn:
    """The legal moves of one position, each with who moves, what it takes and with which rook it castles."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.king = board.king(board.turn)
        self.moves: list[tuple[str, int, int | None, int | None]] = []
        wide = board.copy(stack=False)
        wide.chess960 = True  # castling then names the rook's square, whichever rules are played
        for move in list(wide.legal_moves):
            rook = move.to_square if wide.is_castling(move) else None
            victim: int | None = None
            if wide.is_en_passant(move):
                victim = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            elif rook is None and wide.piece_at(move.to_square) is not None:
                victim = move.to_square
            self.moves.append((board.uci(move), move.from_square, victim, rook))

    def of(self, square: int, barred: frozenset[int] = frozenset()) -> frozenset[str]:
        """Moves of the own unit on a square, without castling with a barred rook.

        A Chess960 castling in which the king stays where he is is done by the rook's hand alone: it moves the rook too.
        """
        return frozenset(
            uci
            for uci, origin, _, rook in self.moves
            if rook not in barred and (origin == square or (rook == square and self._king_stays(rook)))
        )

    def _king_stays(self, rook: int) -> bool:
        home = 6 if rook > self.king else 2  # g or c
        return chess.square_file(self.king) == home

    def taking(self, square: int) -> frozenset[str]:
        """Captures of the enemy unit on a square, by anything."""
        return frozenset(uci for uci, _, victim, _ in self.moves if victim == square)

    def castling(self, rook_square: int) -> frozenset[str]:
        """The castling with one rook, if it is legal."""
        return frozenset(uci for uci, _, _, rook in self.moves if rook == rook_square)

    def is_own(self, square: int) -> bool:
        return self.board.color_at(square) == self.board.turn

    def is_rook(self, square: int) -> bool:
        return self.is_own(square) and self.board.piece_type_at(square) == chess.ROOK


def _in_order(board: chess.Board, groups: Sequence[Sequence[int]]) -> list[int]:
    """All touched units, each once, in order; in one scan the king, then own units, then enemy units (4.3.3)."""
    order: list[int] = []
    for group in groups:
        own = [square for square in group if board.color_at(square) == board.turn]
        kings = [square for square in own if board.piece_type_at(square) == chess.KING]
        others = [square for square in own if square not in kings]
        enemies = [square for square in group if board.color_at(square) == (not board.turn)]
        order += [square for square in kings + others + enemies if square not in order]
    return order


def _after(turn: _Turn, order: list[int], must_castle: bool, forgiving: bool) -> Answer:
    """Read 4.4 where it applies, else 4.3."""
    rooks = [square for square in order if turn.is_rook(square)]
    if turn.king not in order or not rooks:
        return _by_4_3(turn, order, frozenset())
    king_at = order.index(turn.king)
    rook_first = order.index(rooks[0]) < king_at
    second_at = king_at if rook_first else order.index(rooks[0])
    barred = frozenset(
        rook for rook in rooks if order.index(rook) < king_at
    )  # 4.4.2: each rook touched before the king
    first_at = min(king_at, order.index(rooks[0]))
    earlier = _by_4_3(turn, order[: first_at if forgiving else second_at], barred)
    if earlier[0] not in ("none", "free", f"move:{chess.square_name(order[first_at])}"):
        # 4.3 had bound him to something else before king and rook were both touched
        return _by_4_3(turn, order, barred) if forgiving else earlier
    if rook_first:
        return _first_that_moves(turn, [square for square in order if turn.is_own(square)], barred)  # 4.4.2, so 4.3.1
    if not must_castle and not forgiving:  # 7.5.1: the replacement of an illegal move is under 4.3 and 4.7 only
        return _by_4_3(turn, order, barred)
    if must_castle and turn.castling(rooks[0]):
        return _exactly(turn.castling(rooks[0]))  # 4.4.1
    if turn.of(turn.king):
        return f"move:{chess.square_name(turn.king)}", turn.of(turn.king)  # 4.4.3
    return "free", "all"  # 4.4.3


def _by_4_3(turn: _Turn, order: list[int], barred: frozenset[int]) -> Answer:
    own = [square for square in order if turn.is_own(square)]
    enemies = [square for square in order if not turn.is_own(square)]
    if not order:
        return "none", "all"
    if not enemies:
        return _first_that_moves(turn, own, barred)
    if own:
        pairing = turn.of(own[0]) & turn.taking(enemies[0])
        if pairing:
            return _exactly(pairing)  # 4.3.3, first half
    for square in order:  # 4.3.3, second half; with enemy units alone it is 4.3.2
        if turn.is_own(square) and turn.of(square, barred):
            return f"move:{chess.square_name(square)}", turn.of(square, barred)
        if not turn.is_own(square) and turn.taking(square):
            return f"capture:{chess.square_name(square)}", turn.taking(square)
    return "free", "all"  # 4.5


def _first_that_moves(turn: _Turn, own: list[int], barred: frozenset[int]) -> Answer:
    """4.3.1, else 4.5."""
    for square in own:
        if turn.of(square, barred):
            return f"move:{chess.square_name(square)}", turn.of(square, barred)
    return "free", "all"


def _exactly(moves: frozenset[str]) -> Answer:
    return "exact:" + ",".join(sorted(moves)), moves
