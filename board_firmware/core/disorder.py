"""The board in disorder: a knock of several squares at once, and putting wood right after an irregularity.

While it lasts the turn is frozen: lifts are no touches, places no moves. Occupancy can show that the squares are filled
again, never that the right units stand on them, so a knock ends with a question.

Source: FIDE Laws of Chess 2023, 7.4; 4.2.2 for what is no touch.
"""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core.events import Side, SquareChanged
from board_firmware.core.gesture import Trace, read
from board_firmware.core.played_on import is_asked
from board_firmware.core.standing import Knock, Question, Standing, Trouble, name_of

KNOCK_SQUARES = 3
"""Squares opening within two scans that are no touch: no single move lifts so many at once."""


SCAN_NS = 5_000_000
"""One scan of the squares, ns; lifts within two of them count as one act."""


def is_knock(s: Standing, change: SquareChanged) -> bool:
    """Whether this lift makes three squares or more within two scans."""
    window_ns = 2 * SCAN_NS
    s.recent_lifts = [one for one in s.recent_lifts if change.at_ns - one[1] <= window_ns]
    s.recent_lifts.append((change.square, change.at_ns))
    return len({square for square, _ in s.recent_lifts}) >= KNOCK_SQUARES


def knock(s: Standing, change: SquareChanged) -> None:
    """The lifts of the last two scans were a knock: they are taken out of the turns again."""
    squares = {square for square, _ in s.recent_lifts}
    for turn in (s.turn, s.reply):
        if turn is None:
            continue
        kept = [one for one in turn.trace.changes if one.occupied or not _recent(s, one)]
        turn.trace = Trace(turn.footprints.before, kept)
        turn.forget(squares)
    before = s.occupancy
    for square in squares:
        before |= 1 << square
    s.knock = Knock(squares, before, change.at_ns)
    if s.adjusting is not None:
        for square in squares:
            s.adjusting.in_air.pop(square, None)
    if not any(turn.touched for turn in (s.turn, s.reply) if turn is not None):
        s.touched_since = False
    _say_knock(s)
    s.say("board_disarranged", article="7.4.1", squares=[name_of(one) for one in sorted(squares)])


def _recent(s: Standing, change: SquareChanged) -> bool:
    return (change.square, change.at_ns) in s.recent_lifts


def _say_knock(s: Standing) -> None:
    assert s.knock is not None
    s.moving.unreport("displaced")
    s.moving.report("displaced:" + ",".join(name_of(one) for one in sorted(s.knock.squares)))


def knocked_on(s: Standing, change: SquareChanged) -> None:
    """The board is disarranged: a lift widens the knock, and it ends when every square is as it was before."""
    knock = s.knock
    assert knock is not None
    if not change.occupied and knock.before >> change.square & 1 and change.at_ns - knock.at_ns <= 2 * SCAN_NS:
        knock.squares.add(change.square)
        _say_knock(s)
    home = s.occupancy & ~s.masked == s.position.occupied & ~s.masked
    if not home and s.occupancy & ~s.masked != knock.before & ~s.masked:
        return
    pressed = knock.pressed
    s.knock = None
    if home and s.made is None:
        s.turn.trace = Trace(s.turn.footprints.before)
    s.moving.report("identity_unverified")
    s.say("board_restored", squares=[name_of(one) for one in sorted(knock.squares)])
    if not pressed:
        s.ask(Question(word="confirm_position", side=s.moving.mover))


def pressed_over(s: Standing, side: Side, at_ns: int) -> None:
    """Units were knocked over or moved after a release, and the clock is pressed before they stand again (7.4)."""
    if s.settings.refuses:
        s.say("press_ignored", side=side, reason="displaced")
        return
    expected = s.moving.footprints.before
    if s.knock is not None:
        s.knock.pressed = True
        s.knock = None
        s.violate("displaced", article="7.4.1")
        s.ask(Question(word="confirm_position", side=side))
    s.moving.report("pressed_while_displaced")
    s.trouble = Trouble(
        kind="displaced", side=side, expected=expected, needs_resume=s.has_clock, turn=s.moving.mover,
        words=("pressed_while_displaced", "displaced"),
    )  # fmt: skip
    s.pause(at_ns)


def diverted(s: Standing) -> bool:
    """Whether reed events are restoring now, not touches and moves."""
    return s.trouble is not None and (s.trouble.needs_resume or s.trouble.kind in _DIVERTED)


_DIVERTED = frozenset({"takeback", "position", "objection", "illegal", "press_without_move", "in_the_air"})


def restore(s: Standing, change: SquareChanged) -> None:
    """Reeds while an irregularity is open: restoring, not touches, until the wood agrees (rule 14)."""
    trouble = s.trouble
    assert trouble is not None
    if not change.occupied and trouble.exchanged >> change.square & 1:
        trouble = s.trouble = replace(trouble, exchanged=trouble.exchanged & ~(1 << change.square))
    if s.alternative is not None:
        s.alternative.trace.add(change)
        if not change.occupied:
            s.alternative.touch(change.square, change.at_ns)
        reading = read(s.alternative.footprints, s.alternative.trace)
        s.alternative_seen = reading.complete
        if reading.complete is not None:
            s.settle_at_ns = change.at_ns + s.settings.settle_ns
    if s.occupancy & ~s.masked == trouble.expected & ~s.masked and not trouble.exchanged:
        s.say("board_restored")
        if not trouble.needs_resume:
            close_trouble(s)


def set_up_again(s: Standing) -> None:
    """The wood must go back to the position in force before play goes on."""
    expected = s.position.occupied
    if s.occupancy & ~s.masked != expected & ~s.masked:
        s.trouble = Trouble(kind="position", side=s.moving.mover, expected=expected, turn=s.moving.mover)


def close_if_right(s: Standing) -> None:
    """An irregularity that only the wood keeps open ends when the wood is right, however it came to be so."""
    trouble = s.trouble
    if trouble is None or trouble.needs_resume or trouble.exchanged or trouble.kind not in _BY_WOOD:
        return
    if s.occupancy & ~s.masked == trouble.expected & ~s.masked:
        close_trouble(s)


_BY_WOOD = frozenset({"refused", "appeared", "takeback", "position", "moved_after_release", "displaced"})


def close_trouble(s: Standing) -> None:
    """The wood is right, and the clocks, if they were paused, go on: the turn starts again from its touches."""
    trouble = s.trouble
    if trouble is None:
        return
    s.trouble = None
    if is_asked(s):
        return  # the turns stand as they did when the question came up
    s.alternative = s.alternative_seen = None
    s.turn.unreport(*trouble.words)
    s.last_words = [word for word in s.last_words if word not in trouble.words]
    if s.made is None:
        s.turn.trace = Trace(s.turn.footprints.before)
    elif s.reply is not None:
        s.reply.trace = Trace(s.reply.footprints.before)
    s.seen = None
