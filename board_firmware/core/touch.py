"""What is owed now? Folds the ordered touches of a turn through Article 4 to the duty of the player who has the move.

Two rules. The order of touches is the only evidence: what a hand meant, whose it was and whether it let go are other
people's questions. And a touch is of a *unit*, named by the square on which it stood when the turn began.

Theory of operation. Touches come in groups, one a scan: inside a group the order is unknown and the Law's own tie-break
holds, own before enemy (4.3.3), king before rook (4.4.1). Then, in this order: a unit already released as part of an
unfinished move (4.7); king and rook (4.4); both colours (4.3.3); one colour (4.3.1, 4.3.2); nothing that can be moved
or captured: free (4.5).

Source: FIDE Laws of Chess 2023, Articles 4.2-4.7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hal.squares import SQUARE_NAMES
from rules import Move, PieceType, Position


@dataclass(frozen=True, slots=True)
class Obligation:
    """The duty in the contract's word, the moves that discharge it (None: every legal move), and its article."""

    word: str
    moves: frozenset[Move] | None = None
    article: str | None = None
    own: int | None = None
    """The own unit that the duty names first, by its square; None where it names none."""
    enemy: int | None = None
    """The enemy unit that the duty names; None where it names none."""

    def permits(self, move: Move) -> bool:
        """Whether this move keeps the duty."""
        return self.moves is None or move in self.moves

    @property
    def broken_square(self) -> int | None:
        """The unit a breach is reported by: the own unit for a move owed, the enemy unit for a capture."""
        return self.own if self.own is not None else self.enemy


NONE = Obligation("none")
FREE = Obligation("free", None, "4.5")


def exact(moves: Iterable[Move], article: str, own: int | None = None, enemy: int | None = None) -> Obligation:
    """A duty to play one of exactly these moves."""
    ordered = tuple(moves)
    word = "exact:" + ",".join(move.uci() for move in ordered)
    return Obligation(word, frozenset(ordered), article, own, enemy)


def owed(
    position: Position,
    touched: Sequence[Sequence[int]],
    committed: Sequence[Move] = (),
    *,
    must_castle: bool = True,
) -> Obligation:
    """The obligation of the side to move.

    ``touched``: groups of squares in order of time, one group a scan, adjusted and displaced units left out. ``committed``:
    the moves to which a unit already released is bound (`gesture.committed`). ``must_castle`` is False for the
    replacement of a completed illegal move: Article 7.5.1 names 4.3 and 4.7, not 4.4.
    """
    order = _in_order(position, touched)
    if committed:
        return exact(committed, "4.7", own=committed[0].from_square)
    if not order:
        return NONE
    duties = _Duties(position)
    return _king_and_rook(duties, order, must_castle) or _by_order(duties, order)


def _in_order(position: Position, touched: Sequence[Sequence[int]]) -> list[int]:
    """The units touched, each once, in the Law's order: own before enemy and king before rook inside a group."""
    order: list[int] = []
    for group in touched:
        for square in sorted(group, key=lambda square: (_rank_in_group(position, square), square)):
            if square not in order and position.piece_at(square) is not None:
                order.append(square)
    return order


def _rank_in_group(position: Position, square: int) -> int:
    piece = position.piece_at(square)
    if piece is None or piece.color is not position.turn:
        return 2
    return 0 if piece.kind is PieceType.KING else 1


class _Duties:
    """The legal moves of a position, asked by unit."""

    __slots__ = ("legal", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.legal = tuple(position.legal_moves())

    def is_own(self, square: int) -> bool:
        piece = self.position.piece_at(square)
        return piece is not None and piece.color is self.position.turn

    def is_kind(self, square: int, kind: PieceType) -> bool:
        piece = self.position.piece_at(square)
        return piece is not None and piece.kind is kind

    def of(self, square: int) -> list[Move]:
        """The moves of the unit on a square; castling is the king's, the rook's too where the king stays (Chess960)."""
        moves = [move for move in self.legal if move.from_square == square]
        if self.position.chess960:
            moves += [
                move
                for move in self._castlings()
                if self.position.castling_squares(move)[2] == square and self._king_stays(move)
            ]
        return moves

    def against(self, square: int) -> list[Move]:
        """The captures, en passant and promotions included, of the enemy unit that stands on a square."""
        passed = self.position.double_step
        moves = [move for move in self.legal if move.to_square == square]
        if passed is not None and abs(passed - square) == 8:
            moves += [move for move in self.legal if move.to_square == passed and self.position.is_en_passant(move)]
        return moves

    def castlings_with(self, rook: int) -> list[Move]:
        return [move for move in self._castlings() if self.position.castling_squares(move)[2] == rook]

    def _castlings(self) -> list[Move]:
        king = self.position.king(self.position.turn)
        return [move for move in self.legal if move.from_square == king and self.position.is_castling(move)]

    def _king_stays(self, move: Move) -> bool:
        king_from, king_to, _, _ = self.position.castling_squares(move)
        return king_from == king_to


def _king_and_rook(duties: _Duties, order: list[int], must_castle: bool) -> Obligation | None:
    """Articles 4.4.1-4.4.3, where king and a rook were touched and nothing before them binds; None: they do not apply."""
    own = [square for square in order if duties.is_own(square)]
    king = next((square for square in own if duties.is_kind(square, PieceType.KING)), None)
    rook = next((square for square in own if duties.is_kind(square, PieceType.ROOK)), None)
    if king is None or rook is None:
        return None
    king_first = order.index(king) < order.index(rook)
    before_both = order[: max(order.index(king), order.index(rook))]
    early = _by_order(duties, before_both)
    if early.moves is not None and early.word not in (f"move:{SQUARE_NAMES[king]}", f"move:{SQUARE_NAMES[rook]}"):
        return None  # another duty bound the player before king and rook were both touched; a later touch does not free him
    barred = frozenset(duties.castlings_with(rook))
    if king_first:
        if not must_castle:
            return None
        if barred:
            return exact(sorted(barred, key=Move.uci), "4.4.1", own=king)
        others = duties.of(king)
        return _move_owed(king, others, "4.4.3") if others else Obligation("free", None, "4.4.3")
    return _first_that(own, lambda s: [m for m in duties.of(s) if m not in barred], _move_owed, "4.4.2") or FREE


def _pairing(duties: _Duties, order: list[int]) -> list[Move]:
    """The captures of the first enemy unit touched by the first own unit touched (4.3.3)."""
    own = next((square for square in order if duties.is_own(square)), None)
    enemy = next((square for square in order if not duties.is_own(square)), None)
    if own is None or enemy is None:
        return []
    return [move for move in duties.against(enemy) if move.from_square == own]


def _by_order(duties: _Duties, order: list[int]) -> Obligation:
    """Articles 4.3.1-4.3.3 and 4.5: the pairing of both colours, else the first unit that can be moved or captured."""
    captures = _pairing(duties, order)
    if captures:
        own = captures[0].from_square
        return exact(captures, "4.3.3", own=own, enemy=duties.position.captured_square(captures[0]))
    both = len({duties.is_own(square) for square in order}) == 2
    for square in order:
        moves = duties.of(square) if duties.is_own(square) else duties.against(square)
        if moves and duties.is_own(square):
            return _move_owed(square, moves, "4.3.3" if both else "4.3.1")
        if moves:
            word = f"capture:{SQUARE_NAMES[square]}"
            return Obligation(word, frozenset(moves), "4.3.3" if both else "4.3.2", enemy=square)
    return FREE


def _move_owed(square: int, moves: Iterable[Move], article: str) -> Obligation:
    return Obligation(f"move:{SQUARE_NAMES[square]}", frozenset(moves), article, own=square)


def _first_that(
    squares: Iterable[int],
    moves_of: Callable[[int], list[Move]],
    duty: Callable[[int, Iterable[Move], str], Obligation],
    article: str,
) -> Obligation | None:
    for square in squares:
        moves = moves_of(square)
        if moves:
            return duty(square, moves, article)
    return None
