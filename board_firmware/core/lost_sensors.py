"""Squares whose reeds cannot be trusted: left out of every comparison, so that the game goes on with questions.

A masked square neither hinders a reading nor helps it; where several moves then fit, the board asks. It counts again
once its part has recovered, or its reed shows what the position says.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import chain

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprint
from board_firmware.core.gesture import Trace
from board_firmware.core.standing import Fault, Question, Standing, name_of
from board_firmware.core.turn import Turn
from hal.squares import squares_of, squares_of_part

MOST_LOST = 4
"""Squares that players may overrule at once; more of them is a board in disorder, or a broken line that names itself."""


LEAST_OF_LINE = 3
"""Men of one line, all of them unseen, that make it more likely that the line is broken than each reed by itself."""


def mask(s: Standing, bits: int) -> None:
    """Stop trusting squares."""
    _set_mask(s, s.masked | bits)


def unmask(s: Standing, bits: int) -> None:
    """Trust squares again, as far as no other fault covers them."""
    still = 0
    for fault in s.faults.values():
        if fault.reason != "chatter":
            still |= fault.squares
    s.doubted &= ~bits | still
    s.recovering |= s.masked & bits & ~still
    s.recovered_ns = s.now_ns
    _set_mask(s, s.masked & ~(bits & ~still))


def _set_mask(s: Standing, masked: int) -> None:
    if masked == s.masked:
        return
    newly = masked & ~s.masked
    s.masked = masked
    s.has_failed = s.has_failed or bool(newly)
    for turn in (s.turn, s.reply, s.alternative):
        if turn is not None:
            turn.remask(masked)
            _forgive(turn, newly)
    if newly:
        s.say("squares_masked", squares=[name_of(square) for square in squares_of(newly)])


def _forgive(turn: Turn, lost: int) -> None:
    """Nobody has touched units whose line has failed; nor was "I adjust" too late, if only for them it was refused."""
    untouched = list(squares_of(lost))
    if "adjust_late" in turn.words and not set(turn.touched_squares()).isdisjoint(untouched):
        turn.unreport("adjust_late")
        untouched += [square for square in turn.touched_squares() if turn.trace.occupancy >> square & 1]
    turn.forget(untouched)


def disagree(s: Standing, expected: int) -> None:
    """The players have said what stands on the board, and the reeds still differ: those are not to be trusted."""
    lose(s, (expected ^ s.occupancy) & ~s.masked)


def lose(s: Standing, squares: int) -> None:
    """An answer has shown that these reeds are wrong."""
    for square in squares_of(squares):
        reason = "stuck_closed" if s.occupancy >> square & 1 else "stuck_open"
        _lose(s, f"square {name_of(square)}", reason, 1 << square)


def lose_missing(s: Standing, missing: int) -> bool:
    """Men that no reed shows stand there all the same: their reeds are lost, or their line; False if they are too many."""
    lines = (f"line file {letter}" for letter in "abcdefgh"), (f"line rank {number}" for number in range(1, 9))
    trusted = s.position.occupied & ~s.masked
    for part in chain(*lines):
        if missing.bit_count() >= LEAST_OF_LINE and trusted & squares_of_part(part) == missing:
            _lose(s, part, "dead_line", squares_of_part(part))
            return True
    if missing.bit_count() > MOST_LOST:
        return False
    lose(s, missing)
    return True


def _lose(s: Standing, part: str, reason: str, squares: int) -> None:
    s.faults[part] = Fault(reason, squares)
    s.doubted |= squares
    s.say("fault", part=part, reason=reason)
    mask(s, squares)


def vouched_for(s: Standing, question: Question, one: Footprint) -> tuple[int, list[SquareChanged]]:
    """A move has been named: the men that vanished beside it stand there, untouched.

    Returns from where in the turn's trace on changes are the opponent's, and those changes.
    """
    later, gone = s.turn.trace.changes[question.since :], question.lost & one.after
    if not gone:
        return question.since, later
    s.turn.trace = s.turn.trace_without(gone)
    s.turn.forget(squares_of(gone))
    lose(s, gone & ~s.occupancy & ~s.masked)
    later = [change for change in later if not gone >> change.square & 1]
    return len(s.turn.trace.changes) - len(later), later


def seen_alive(s: Standing, square: int) -> None:
    """A masked reed has changed: if an answer had put it in doubt, it is trusted again once it agrees with the position."""
    if not s.doubted >> square & 1:
        return  # the board itself says when it has recovered
    if bool(s.occupancy >> square & 1) != bool(s.position.occupied >> square & 1):
        return
    make_contact(s, 1 << square, {"stuck_open", "stuck_closed", "dead_line"})


def make_contact(s: Standing, squares: int, reasons: Container[str] = ("dead_line",)) -> None:
    """These reeds work: what an answer has put in doubt is trusted again, for a line that shows one man is whole."""
    for part, fault in list(s.faults.items()):
        if fault.reason in reasons and fault.squares & squares and fault.squares & s.doubted:
            del s.faults[part]
            s.say("recovered", part=part)
            unmask(s, fault.squares)


def overruled(s: Standing) -> bool:
    """Players say that the wood stands as it should: the reeds that differ are lost; False if none does or too many do."""
    trouble = s.trouble
    if not s.started or s.ended or not s.settings.refuses or (trouble is not None and trouble.needs_resume):
        return False
    expected = s.position.occupied if trouble is None else trouble.expected
    differs = (expected ^ s.occupancy) & ~s.masked
    if not 0 < differs.bit_count() <= MOST_LOST:
        return False
    disagree(s, expected)
    return True


def vouched_to_stand(s: Standing) -> bool:
    """The men that are to be put back stand there, and no reed shows it: those are lost. It excuses nobody's offence."""
    trouble = s.trouble
    if trouble is None or trouble.exchanged:
        return False
    differs = (trouble.expected ^ s.occupancy) & ~s.masked
    if differs & s.occupancy or not 0 < differs.bit_count() <= MOST_LOST:
        return False
    lose(s, differs)
    return True


def stuck_closed(s: Standing) -> int:
    """The squares that are named as stuck closed, each by itself."""
    return s.masked & sum(fault.squares for fault in s.faults.values() if fault.reason == "stuck_closed")


GHOST_NS = 5_000_000_000
"""The board tests its wires more often than this: what has closed since may have been closed by a wire that is at fault."""


def is_ghostly(s: Standing, hidden: int) -> bool:
    """Whether the made move has its landing only from wires now known to be at fault: the unit may stand elsewhere.

    A dead line closes nothing, and what it showed before it died is believed. So is a move that is being answered already,
    or that no press will come to ask about.
    """
    made, reply = s.made, s.reply
    if reply is None or not s.has_clock or any(not hidden >> one.square & 1 for one in reply.trace.changes):
        return False
    if made is None or made.move is None or made.named or (s.ended and not s.ended_by_move):
        return False
    landed = [s.turn.trace.last_place.get(square, 0) for square in squares_of(made.footprint.landings & hidden)]
    return bool(landed) and s.now_ns - max(landed) <= GHOST_NS


def alone(s: Standing) -> int:
    """The squares whose reeds are named as open for good, each by itself."""
    return sum(fault.squares for fault in s.faults.values() if fault.reason == "stuck_open")


def is_restless(s: Standing, square: int) -> bool:
    """Whether a square's reed chatters: its openings are no touches, though what it shows in the end is believed."""
    fault = s.faults.get(f"square {name_of(square)}")
    return fault is not None and fault.reason == "chatter"


RETURN_NS = 20_000_000
"""A square that opens so soon after its reed is trusted again was left before."""


def was_left_before(s: Standing, square: int, at_ns: int) -> bool:
    """Whether a unit had left its square unseen: then it was touched no later than all that was seen of the turn."""
    turn = s.moving
    if not s.recovering >> square & 1 or at_ns - s.recovered_ns > RETURN_NS or not turn.trace.changes:
        return False
    if not turn.is_own(square) or not turn.trace.occupancy >> square & 1:
        return False
    s.recovering &= ~(1 << square)
    first_ns = turn.trace.changes[0].at_ns
    left = SquareChanged(square=square, occupied=False, at_ns=first_ns)
    turn.trace = Trace(turn.footprints.before, (left, *turn.trace.changes))
    if turn.touched:
        turn.touched[0][1].append(square)  # in which order nobody has seen
    else:
        turn.touched.append((first_ns, [square]))
    return True


def is_catching_up(s: Standing, square: int, occupied: bool) -> bool:
    """Whether a reed that was lost only comes to show what its square was taken to be: no hand did that."""
    if not s.recovering >> square & 1:
        return False
    s.recovering &= ~(1 << square)
    return bool(s.moving.trace.occupancy >> square & 1) == occupied
