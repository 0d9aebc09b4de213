"""What happened? Reads a trace of reeds by footprint: which legal move do these lifts and places show?

Two rules. The reading has no state of its own: it is a function of the position and the trace. And it never guesses:
where two moves explain the trace equally well it says *unclear*.

Theory of operation. Each legal move compiles to legs, origin -> landing or off the board. A move is complete when
(i) the occupancy equals the one after it, (ii) every leg's origin was lifted this turn, (iii) each landing was last filled
no earlier than its origin was last lifted (waived for promotions: the new piece comes from beside the board). Since only a
square's *last* lift and place count, slides over legal squares, hesitation and adjusting vanish by themselves. Castling
asks besides that the king was lifted no later than the rook was set down (4.4.2). If none is complete but the
occupancy fits legal moves whose own unit was lifted, those *fit*: a reed may have missed the victim's exit (a silent
capture), or the victim still stands under its captor.

A board that sees pieces strikes the readings that disagree with them; if it strikes them all, nobody is believed.

Source: FIDE Laws of Chess 2023, Articles 3.7, 3.8, 4.6, 4.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import OFF_BOARD, Footprint, Footprints
from hal.squares import squares_of
from rules import Move, PieceType, Position


class Trace:
    """The reeds' changes of a turn, folded to what a reading needs of each square."""

    __slots__ = ("changes", "first_lift", "first_place", "last_lift", "last_place", "occupancy", "pieces")

    def __init__(self, occupancy: int, changes: Iterable[SquareChanged] = ()) -> None:
        self.occupancy = occupancy
        self.changes: list[SquareChanged] = []
        self.first_lift: dict[int, int] = {}
        self.last_lift: dict[int, int] = {}
        self.first_place: dict[int, int] = {}
        """When a square was first filled after its neighbour leg began; see `complete`."""
        self.last_place: dict[int, int] = {}
        self.pieces: dict[int, str] = {}
        """What a board that sees pieces has seen come down, as FEN letters by square."""
        for change in changes:
            self.add(change)

    def add(self, change: SquareChanged) -> None:
        """Append a change, which must come in order of time."""
        self.changes.append(change)
        square, at_ns = change.square, change.at_ns
        if change.occupied:
            self.occupancy |= 1 << square
            self.first_place.setdefault(square, at_ns)
            self.last_place[square] = at_ns
            if change.piece is not None:
                self.pieces[square] = change.piece
        else:
            self.pieces.pop(square, None)
            self.occupancy &= ~(1 << square)
            self.first_lift.setdefault(square, at_ns)
            self.last_lift[square] = at_ns

    def copy(self) -> Trace:
        """An independent copy."""
        twin = Trace(self.occupancy)
        twin.changes = self.changes.copy()
        twin.first_lift, twin.last_lift = self.first_lift.copy(), self.last_lift.copy()
        twin.first_place, twin.last_place = self.first_place.copy(), self.last_place.copy()
        twin.pieces = self.pieces.copy()
        return twin


@dataclass(frozen=True, slots=True)
class Reading:
    """What a trace shows: a complete move, several that explain it equally, or moves that only fit the occupancy."""

    complete: Footprint | None = None
    unclear: tuple[Footprint, ...] = ()
    fitting: tuple[Footprint, ...] = ()
    """Moves whose own unit was lifted and whose final occupancy is on the board, though some origin never opened."""


NOTHING = Reading()


def read(footprints: Footprints, trace: Trace) -> Reading:
    """The reading of a trace over a position's legal moves."""
    candidates = footprints.fitting(trace.occupancy)
    if not candidates:
        return NOTHING
    if trace.pieces:
        agreeing = [
            one for each in candidates if (one := _as_seen(each, footprints.position, trace.pieces)) is not None
        ]
        if not agreeing:
            return Reading(unclear=tuple(one for one in candidates if is_complete(one, trace, footprints.masked)))
        candidates = agreeing
    complete = [one for one in candidates if is_complete(one, trace, footprints.masked)]
    if len(complete) == 1:
        return _certain(complete[0], trace, footprints.masked)
    if complete:
        lifted = sum(1 << square for square in trace.last_lift)
        explained = [(one.origins & lifted).bit_count() for one in complete]
        best = [one for one, count in zip(complete, explained, strict=True) if count == max(explained)]
        return _certain(best[0], trace, footprints.masked) if len(best) == 1 else Reading(unclear=tuple(best))
    return Reading(fitting=tuple(one for one in candidates if _fits(one, footprints, trace)))


def _certain(one: Footprint, trace: Trace, masked: int) -> Reading:
    """A complete reading; of a capture by a man whose own reed is lost it only fits: the victim may have been put back."""
    origin, landing = one.legs[0]
    put_back = masked >> origin & 1 and landing not in trace.pieces and one.legs[1:] == ((landing, OFF_BOARD),)
    return Reading(fitting=(one,)) if put_back else Reading(complete=one)


def _as_seen(one: Footprint, position: Position, pieces: Mapping[int, str]) -> Footprint | None:
    """The move as far as it agrees with the pieces seen, of promotions those to the piece seen; None: it disagrees."""
    for origin, landing in one.legs:
        seen, unit = pieces.get(landing), position.piece_at(origin)
        if seen is None or unit is None or seen == unit.symbol:
            continue  # a pawn on its last rank may still be exchanged
        if not one.promotion or landing != one.legs[0][1] or seen.isupper() != unit.symbol.isupper():
            return None
        moves = tuple(move for move in one.moves if move.promotion and move.promotion.letter == seen.lower())
        return replace(one, moves=moves) if moves else None
    return one


def _fits(one: Footprint, footprints: Footprints, trace: Trace) -> bool:
    """Whether one reed's silence explains why this move does not read complete.

    Either the victim's reed never opened, or it opened and closed and the captor's place cannot be told from a put-back;
    or a dragged unit closed the next square's reed before it opened its own. The unit itself must have been lifted.
    """
    if one.castling or one.own_origin not in trace.last_lift:
        return False
    (origin, landing), *victim = one.legs
    if footprints.masked >> landing & 1:
        return True
    if victim:
        return victim[0][0] == landing
    return one.promotion or _dragged(origin, landing, footprints, trace)


OVERLAP_NS = 1_000_000_000
"""How long two neighbouring reeds may both be closed under one dragged unit; a longer overlap is two units."""


def _dragged(origin: int, landing: int, footprints: Footprints, trace: Trace) -> bool:
    """Whether a unit slid to a neighbouring square whose reed closed just before the unit's own opened."""
    if max(abs((origin & 7) - (landing & 7)), abs((origin >> 3) - (landing >> 3))) != 1:
        return False
    placed, lifted = trace.last_place.get(landing), trace.last_lift[origin]
    if placed is None or not 0 < lifted - placed <= OVERLAP_NS:
        return False
    open_then = footprints.before
    for change in trace.changes:
        if change.at_ns >= placed:
            break
        open_then = open_then | 1 << change.square if change.occupied else open_then & ~(1 << change.square)
    return not footprints.before & ~open_then


def is_complete(one: Footprint, trace: Trace, masked: int = 0) -> bool:
    """Conditions (ii) and (iii), and for castling the order of king and rook; (i) is the caller's.

    Of a ``masked`` origin no lift is asked for, but then the landing must have been filled for all to see.
    """
    last_lift, last_place = trace.last_lift, trace.last_place
    if masked and not (one.origins | one.landings) & ~masked:
        return False  # no reed that is trusted has shown anything of it
    for origin, landing in one.legs:
        if origin == landing or masked >> origin & 1:
            continue
        # where the other unit of a castling stands now, a later lift may only be its rocking
        lifted = (trace.first_lift if one.castling and one.landings >> origin & 1 else last_lift).get(origin)
        if lifted is None:
            return False
        if landing != OFF_BOARD and masked >> landing & 1:
            if one.castling:
                continue  # the other unit shows that it is castling
            return False
        if landing == OFF_BOARD or one.promotion:
            continue
        placed = last_place.get(landing)
        if placed is None or placed < lifted:
            return False
        if not one.castling and placed < _left_last_stop(one, landing, trace):
            return False
    if one.castling and one.origins == one.landings and not masked & one.origins and not _both_left(one, trace):
        return False
    return not one.castling or _king_first(one, trace, masked)


def _both_left(one: Footprint, trace: Trace) -> bool:
    """Whether king and rook were in the air together: else two units that change places have only been touched."""
    open_now = 0
    for change in trace.changes:
        open_now = open_now & ~(1 << change.square) if change.occupied else open_now | 1 << change.square
        if not one.origins & ~open_now:
            return True
    return False


def _left_last_stop(one: Footprint, landing: int, trace: Trace) -> int:
    """When the unit last left a square on its way: its landing cannot have been filled by it before that.

    Where nothing stood on the landing before, the square next to it may have been closed with it, under one unit.
    """
    left = 0
    quiet = len(one.legs) == 1
    begun = trace.last_lift.get(one.own_origin, 0)
    for square, lifted in trace.last_lift.items():
        if square == landing or square not in trace.first_place or one.origins >> square & 1:
            continue
        if trace.last_place[square] < begun:
            continue  # another unit: this one still stood where it came from
        if trace.first_lift[square] < trace.first_place[square]:
            continue  # a unit's own square, lifted and put back
        if quiet and max(abs((square & 7) - (landing & 7)), abs((square >> 3) - (landing >> 3))) == 1:
            continue
        left = max(left, lifted)
    return left


def _king_first(one: Footprint, trace: Trace, masked: int) -> bool:
    """Whether the king was lifted no later than the rook was first set down on its castling square (4.4.2).

    A king whose lift no reed that is trusted could see is believed to have been first: the wood shows castling.
    """
    (king_from, king_to), (rook_from, rook_to) = one.legs
    if king_from == king_to or rook_from == rook_to:
        return True
    king_lifted, rook_lifted = trace.first_lift.get(king_from), trace.first_lift.get(rook_from)
    if king_lifted is None and masked >> king_from & 1:
        return True
    if rook_lifted is None and masked >> rook_from & 1:
        rook_lifted = 0
    if king_lifted is None or rook_lifted is None:
        return False
    rook_placed = next(
        (
            change.at_ns
            for change in trace.changes
            if change.occupied and change.square == rook_to and change.at_ns >= rook_lifted
        ),
        None,
    )
    return rook_placed is None or king_lifted <= rook_placed


def committed(footprints: Footprints, trace: Trace) -> tuple[Move, ...]:
    """The moves a unit's present place commits to, while the move is unfinished (4.7, 4.7.2, 4.7.3).

    A king on its castling square, a pawn on the en passant square with its victim standing, a new piece on the last rank
    with its pawn gone. Units put back or moved on commit to nothing. Empty: nothing is committed.
    """
    occupancy = trace.occupancy & ~footprints.masked
    opened = footprints.before & ~occupancy
    filled = occupancy & ~footprints.before
    castlings = [
        one for one in footprints.castlings if one.after != occupancy and castling_begun(one, footprints, trace)
    ]
    if castlings:
        king = castlings[0].legs[0][0]
        step = [one.move for one in footprints.fitting(occupancy) if not one.castling and one.own_origin == king]
        return (*step, *(one.move for one in castlings))
    passed = footprints.position.double_step
    if passed is not None and filled == 1 << passed and opened.bit_count() == 1:
        captures = [
            move
            for move in footprints.position.legal_moves()
            if move.from_bit == opened and footprints.position.is_en_passant(move)
        ]
        if captures:
            return tuple(captures)
    return tuple(
        move
        for one in footprints.fitting(occupancy)
        if one.promotion and trace.last_lift.keys() >= set(squares_of(one.origins))
        for move in one.moves
    )


def castling_begun(one: Footprint, footprints: Footprints, trace: Trace) -> bool:
    """Whether the king stands on its castling square and the rook has not reached its own (4.7.2).

    The rook may stand at home, be in the air, or have been set down wrong, even on the king's square.
    """
    (king_from, king_to), (rook_from, rook_to) = one.legs
    occupancy = trace.occupancy & ~footprints.masked
    opened = footprints.before & ~occupancy
    if king_from == king_to or not occupancy & ~footprints.before & (1 << king_to):
        return False
    king_lifted, king_placed = trace.last_lift.get(king_from), trace.last_place.get(king_to)
    if king_lifted is None or king_placed is None or king_placed < trace.first_lift[king_from]:
        return False
    if opened & ~(1 << king_from | 1 << rook_from):
        return False
    others = occupancy & ~footprints.before & ~(1 << king_to)
    rook_lifted = trace.last_lift.get(rook_from)
    rook_away = bool(opened >> rook_from & 1) and rook_lifted is not None and rook_lifted >= king_placed
    if opened >> king_from & 1:
        return others == 0 or (rook_away and others.bit_count() == 1 and not others >> rook_to & 1)
    return rook_away and others == 0 and trace.last_place.get(king_from, 0) >= (rook_lifted or 0)


def promotion_pieces(moves: Iterable[Move]) -> tuple[PieceType, ...]:
    """The promotion pieces among these moves, in their order."""
    return tuple(move.promotion for move in moves if move.promotion is not None)
