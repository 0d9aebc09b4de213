"""What the wood may show where a reed has broken unnoticed: legal moves but for a man that no reed shows, or one too many.

The same squares are left by a hand that has done what it should not. So it is asked which it was: nobody is punished for a
reed, and nobody is excused unasked.
"""

from __future__ import annotations

from collections.abc import Iterable

from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import Trace, is_complete
from board_firmware.core.lost_sensors import MOST_LOST
from board_firmware.core.standing import Question, Standing
from board_firmware.core.turn import Turn
from board_firmware.core.unseen import stuck_behind
from hal.squares import squares_of
from rules import Move

REST_NS = 1_000_000_000
"""A reed that breaks opens while its man stands there, so long before a hand makes its move: hands do not wait, ns."""


def doubted_moves(s: Standing) -> tuple[tuple[Move, ...], int]:
    """The moves that a press may have found but for reeds that have broken, and the squares from which men have vanished.

    Friendly only what shows by itself: an empty press means nothing there, and who insists is asked about more.
    """
    turn = s.turn
    candidates, lost = vanished(turn)
    if not candidates and not s.settings.refuses:
        candidates = stuck_behind(s) or _sorted({*stuck_under(turn, captures=s.has_failed), *_hidden(turn)})
    elif not candidates and (turn.filled or turn.landed):
        candidates = stuck_under(turn)
    return candidates, lost


def vanished(turn: Turn, rest_ns: int = REST_NS) -> tuple[tuple[Move, ...], int]:
    """The moves that read complete but for men that have vanished from squares of no concern to them, and those squares.

    Of readings that need fewer men to have vanished only those are kept; ``rest_ns`` is how long before the move the last
    of them must have gone.
    """
    trace, wood = turn.trace, turn.trace.occupancy & ~turn.masked
    found: dict[int, list[tuple[Footprint, int]]] = {}
    for one in turn.footprints.all:
        after = one.after & ~turn.masked
        gone = after & ~wood
        if wood & ~after or not 0 < gone.bit_count() <= MOST_LOST or gone & one.landings:
            continue
        if _rested(one, gone, trace, rest_ns) and is_complete(one, turn.trace_without(gone), turn.masked):
            found.setdefault(gone.bit_count(), []).append((one, gone))
    if not found:
        return (), 0
    best = found[min(found)]
    squares = 0
    for _, gone in best:
        squares |= gone
    return _sorted(move for one, _ in best for move in one.moves), squares


def _rested(one: Footprint, gone: int, trace: Trace, rest_ns: int) -> bool:
    seen = [trace.last_lift[square] for square in squares_of(one.origins) if square in trace.last_lift]
    seen = seen or [trace.last_place[square] for square in squares_of(one.landings) if square in trace.last_place]
    left = [trace.last_lift[square] for square in squares_of(gone) if square in trace.last_lift]
    return bool(seen) and min(seen) - max(left, default=0) >= rest_ns


def stuck_under(turn: Turn, *, captures: bool = False) -> tuple[Move, ...]:
    """The moves that lie on the board but for the square left, whose reed has been closed all the time.

    Their landing has been filled this turn, perhaps on a square that was then called stuck. A man that was lifted and put
    back is a touch and no move (7.5.3); ``captures`` believes all the same that he was taken, if no own man was lifted.
    """
    trace, wood = turn.trace, turn.trace.occupancy & ~turn.masked
    captures = captures and not any(turn.is_own(square) for square in trace.last_lift)
    moves = []
    for one in turn.footprints.all:
        origin, landing = one.legs[0]
        if one.promotion or one.castling or origin in trace.last_lift or not wood >> origin & 1:
            continue
        if (one.after | 1 << origin) & ~turn.masked != wood:
            continue
        newly = turn.filled >> landing & 1 or turn.landed >> landing & 1
        if newly or (landing in trace.last_place and landing in trace.last_lift and captures):
            moves.append(one.move)
    return _sorted(moves)


def shows(s: Standing, move: Move) -> bool:
    """Whether the wood may still show a move that is asked about: its landing is filled, or lost."""
    return bool(move.to_bit & (s.occupancy | s.masked))


def is_put_back(s: Standing, question: Question) -> bool:
    """Whether all that was asked about has been put back since, but for the men that vanished: then nothing was played."""
    turn = s.turn
    if question.word != "which_move" or len(turn.trace.changes) <= question.since or s.noted:
        return False
    return not (turn.opened & ~question.lost or turn.filled or any(shows(s, one) for one in question.candidates))


def _hidden(turn: Turn) -> tuple[Move, ...]:
    """The moves of which squares that are lost hide all that no trusted reed shows."""
    if not turn.masked:
        return ()
    return _sorted(move for one in turn.footprints.fitting(turn.trace.occupancy) for move in one.moves)


def _sorted(moves: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=Move.uci))
