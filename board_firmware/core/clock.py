"""The chess clock as an immutable value: every act gives a new clock, and time comes in only with the act.

Two rules: integer nanoseconds on the monotonic line of ``at_ns``; and nothing here asks what time it is. A clock keeps
what each side had at one instant (``since_ns``) and who is running; what it shows later is computed, never counted
down, so looking at it, or cutting an interval into ticks, changes nothing. Increments come before each move, the
first included: a fresh ``180+2`` shows 182 s. A period's time comes when its predecessor's moves are *completed*. A
flag falls at exactly zero, and from then on presses add nothing. Each side keeps books: given = left + used, always;
a delay counts as given when it is consumed, an hourglass's sand when it has run across.

Source: FIDE Laws of Chess 2023, 6.1-6.4, 6.9, 6.11 and the glossary (increment, delay).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from board_firmware.core.control import S_NS, Control, Period
from board_firmware.core.events import Side, other_side

Phase = Literal["not_started", "running", "paused", "stopped"]

PLENTY_NS = 1_000_000 * S_NS
"""What a side has where the control sets no times (eleven days); only differences of it are ever shown."""

_NO_PERIOD = Period(base_ns=PLENTY_NS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One side's books, in nanoseconds, as they stood at the clock's ``since_ns``."""

    left_ns: int
    given_ns: int
    used_ns: int = 0
    period: int = 0
    """Index of the period in force."""
    moves: int = 0
    """Completed moves, all periods together."""
    delay_left_ns: int = 0
    """What is left of this turn's simple delay."""
    turn_used_ns: int = 0
    """Used since the side's turn on the clock began."""
    gained_ns: int = 0
    """What the side's last press added as increment or Bronstein time."""
    flagged_ns: int | None = None
    """The instant the flag fell; None while it has not, and again after time was given or set."""
    timed: bool = True
    """False where the side has plenty of time and no flag."""

    @property
    def is_down(self) -> bool:
        """Exactly zero, and no delay left."""
        return self.timed and self.left_ns == 0 and self.delay_left_ns == 0

    def _run(self, elapsed_ns: int, from_ns: int) -> Hand:
        """These books after ``elapsed_ns`` of running from ``from_ns`` on; what lies beyond zero is not booked."""
        waited = min(elapsed_ns, self.delay_left_ns)
        spent = min(elapsed_ns - waited, self.left_ns)
        took = waited + spent
        if took == 0 and not (self.is_down and self.flagged_ns is None):
            return self
        left, delay = self.left_ns - spent, self.delay_left_ns - waited
        flagged = self.flagged_ns
        if flagged is None and left == 0 and delay == 0 and self.timed:
            flagged = from_ns + took
        return replace(
            self,
            left_ns=left,
            given_ns=self.given_ns + waited,
            used_ns=self.used_ns + took,
            delay_left_ns=delay,
            turn_used_ns=self.turn_used_ns + took,
            flagged_ns=flagged,
        )

    def _gain(self, ns: int) -> Hand:
        """These books with ``ns`` more to use, or less, but never below zero."""
        ns = max(ns, -self.left_ns)
        return replace(self, left_ns=self.left_ns + ns, given_ns=self.given_ns + ns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Both sides' time, whose clock runs, and since when the books are as written."""

    control: Control
    white: Hand
    black: Hand
    phase: Phase = "not_started"
    running: Side | None = None
    since_ns: int = 0

    # ---- beginnings

    @classmethod
    def fresh(cls, control: Control) -> Clock:
        """A clock set for the control and not yet started; the first increment is already on it."""
        first = control.periods[0] if control.periods else _NO_PERIOD
        start_ns = first.base_ns + first.increment_ns
        hand = Hand(left_ns=start_ns, given_ns=start_ns, delay_left_ns=first.delay_ns, timed=control.timed)
        return cls(control=control, white=hand, black=hand)

    # ---- acts

    def start(self, side: Side, at_ns: int) -> Clock:
        """The side's clock starts (6.6: White's); a clock that has been started already stays as it is."""
        if self.phase != "not_started":
            return self
        return self._begun(side, at_ns)

    def press(self, side: Side, at_ns: int, completed_move: bool = True) -> Clock:
        """The side stops its clock and starts the other's: time until ``at_ns`` is the presser's.

        Adds what the press earns: Bronstein time, the next period when ``completed_move`` fills this one, the
        increment for the next move. A fallen flag earns nothing more. A press by a side whose clock does not run
        changes nothing.
        """
        if self.running != side:
            return self
        clock = self.settled(at_ns)
        hand = clock.hand(side)
        if hand.is_down:
            hand = replace(hand, moves=hand.moves + completed_move, gained_ns=0)
        else:
            gained = min(hand.turn_used_ns, self._period(hand).bronstein_ns)
            if completed_move:
                hand = self._completed(hand)
            gained += self._period(hand).increment_ns
            hand = replace(hand._gain(gained), gained_ns=gained, delay_left_ns=self._period(hand).delay_ns)
        return clock._with(side, replace(hand, turn_used_ns=0))._running(other_side(side))

    def completed(self, side: Side, at_ns: int) -> Clock:
        """A move of the side is completed without a press (6.2.1): it counts, and may fill a period, no more."""
        clock = self.settled(at_ns)
        hand = clock.hand(side)
        done = replace(hand, moves=hand.moves + 1) if hand.is_down else self._completed(hand)
        return clock._with(side, done)

    def pause(self, at_ns: int) -> Clock:
        """Both clocks stand (6.11), the rest of a delay kept; a clock that does not run stays as it is."""
        if self.phase != "running":
            return self
        return replace(self.settled(at_ns), phase="paused", running=None)

    def resume(self, side: Side, at_ns: int) -> Clock:
        """The clocks go on with the side's running: after a pause, after a stop, or instead of the other's."""
        if self.phase == "running":
            return self.settled(at_ns)._running(side)
        return self._begun(side, at_ns)

    def stop(self, at_ns: int) -> Clock:
        """The game is over: both clocks stand for good, unless an arbiter resumes them."""
        return replace(self.settled(at_ns), phase="stopped", running=None)

    def set(
        self,
        at_ns: int,
        *,
        white_ns: int | None = None,
        black_ns: int | None = None,
        period: Mapping[Side, int] | int | None = None,
        moves: Mapping[Side, int] | None = None,
    ) -> Clock:
        """An arbiter sets times (ns left), periods (index; one for both or by side) and counts of completed moves.

        A flag is up again where the time set is more than zero, and down where it is zero. Times set here count also
        where the control has none.
        """
        clock = self.settled(at_ns)
        sides: tuple[tuple[Side, int | None], ...] = (("white", white_ns), ("black", black_ns))
        for side, left_ns in sides:
            hand = clock.hand(side)
            if isinstance(period, int):
                hand = replace(hand, period=self._index(period))
            elif period is not None and side in period:
                hand = replace(hand, period=self._index(period[side]))
            if moves is not None and side in moves:
                hand = replace(hand, moves=max(0, moves[side]))
            if left_ns is not None:
                hand = clock._set_left(hand, left_ns)
            clock = clock._with(side, hand)
        return clock

    def add(self, side: Side, ns: int, at_ns: int) -> Clock:
        """A penalty: ``ns`` more for the side (less where negative, down to zero)."""
        clock = self.settled(at_ns)
        hand = clock.hand(side)._gain(ns)
        return clock._with(side, clock._reflagged(hand))

    def without_increment(self, side: Side, at_ns: int) -> Clock:
        """What the side's last press added is taken off again (a press that completed an illegal move)."""
        clock = self.settled(at_ns)
        hand = clock.hand(side)
        return clock._with(side, clock._reflagged(replace(hand._gain(-hand.gained_ns), gained_ns=0)))

    def shown(self, side: Side, left_ns: int, at_ns: int) -> Clock:
        """An outer clock's display shows ``left_ns`` for the side: it is believed; zero means its flag is down."""
        clock = self.settled(at_ns)
        return clock._with(side, clock._set_left(clock.hand(side), left_ns))

    # ---- questions

    def hand(self, side: Side) -> Hand:
        """The side's books as of ``since_ns``."""
        return self.white if side == "white" else self.black

    def settled(self, at_ns: int) -> Clock:
        """The same clock with its books brought to ``at_ns``; an instant before ``since_ns`` counts as that instant."""
        side = self.running
        if side is None:
            return self if at_ns <= self.since_ns else replace(self, since_ns=at_ns)
        elapsed = max(0, at_ns - self.since_ns)
        before = self.hand(side)
        after = before._run(elapsed, self.since_ns)
        clock = replace(self._with(side, after), since_ns=self.since_ns + elapsed)
        if self.control.hourglass:
            other = other_side(side)
            clock = clock._with(other, clock._reflagged(clock.hand(other)._gain(after.used_ns - before.used_ns)))
        return clock

    def remaining_ns(self, side: Side, at_ns: int) -> int:
        """What the side has left at ``at_ns``: never negative."""
        return self.settled(at_ns).hand(side).left_ns

    def used_ns(self, side: Side, at_ns: int | None = None) -> int:
        """What the side has used in all, until ``at_ns`` or as of the last act."""
        return (self if at_ns is None else self.settled(at_ns)).hand(side).used_ns

    def turn_used_ns(self, side: Side, at_ns: int) -> int:
        """What the side has used since its clock last began a turn."""
        return self.settled(at_ns).hand(side).turn_used_ns

    def flag_ns(self) -> int | None:
        """The instant at which the running side's flag will fall; None when nothing runs down or it is down."""
        if self.running is None:
            return None
        hand = self.hand(self.running)
        if not hand.timed or hand.flagged_ns is not None:
            return None
        return self.since_ns + hand.delay_left_ns + hand.left_ns

    def flag_down(self, side: Side, at_ns: int) -> bool:
        """Whether the side's time is exactly zero at ``at_ns``."""
        return self.settled(at_ns).hand(side).is_down

    def flagged_ns(self, side: Side, at_ns: int) -> int | None:
        """The instant the side's flag fell, if it lies at or before ``at_ns``."""
        return self.settled(at_ns).hand(side).flagged_ns

    def moves_required(self, side: Side) -> int | None:
        """Completed moves by which the side's present period is fulfilled; None in one without a count."""
        hand = self.hand(side)
        return self._fulfilled_at(hand.period)

    def is_fulfilled(self, side: Side) -> bool:
        """Whether the side has completed the moves its present period asks for; False in one without a count."""
        required = self.moves_required(side)
        return required is not None and self.hand(side).moves >= required

    @property
    def timed(self) -> bool:
        """Whether there are times to show: from the control, or set since."""
        return self.white.timed or self.black.timed

    # ---- inside

    def _with(self, side: Side, hand: Hand) -> Clock:
        return replace(self, white=hand) if side == "white" else replace(self, black=hand)

    def _running(self, side: Side) -> Clock:
        clock = self if self.running == side else replace(self, running=side)
        hand = clock.hand(side)
        if hand.is_down and hand.flagged_ns is None:
            return clock._with(side, replace(hand, flagged_ns=clock.since_ns))
        return clock

    def _begun(self, side: Side, at_ns: int) -> Clock:
        return replace(self, phase="running", running=side, since_ns=max(at_ns, self.since_ns))._running(side)

    def _period(self, hand: Hand) -> Period:
        return self.control.periods[hand.period] if self.control.periods else _NO_PERIOD

    def _index(self, period: int) -> int:
        return min(max(0, period), max(0, len(self.control.periods) - 1))

    def _fulfilled_at(self, period: int) -> int | None:
        counts = [one.moves for one in self.control.periods[: period + 1]]
        if not counts or counts[-1] is None:
            return None
        return sum(count or 0 for count in counts)

    def _completed(self, hand: Hand) -> Hand:
        hand = replace(hand, moves=hand.moves + 1)
        while hand.period + 1 < len(self.control.periods):
            needed = self._fulfilled_at(hand.period)
            if needed is None or hand.moves < needed:
                break
            hand = replace(hand, period=hand.period + 1)._gain(self.control.periods[hand.period + 1].base_ns)
        return hand

    def _set_left(self, hand: Hand, left_ns: int) -> Hand:
        left = max(0, left_ns)
        delay = hand.delay_left_ns if left else 0
        hand = replace(hand, left_ns=left, given_ns=left + hand.used_ns, delay_left_ns=delay, timed=True)
        return self._reflagged(hand)

    def _reflagged(self, hand: Hand) -> Hand:
        if not hand.is_down:
            return hand if hand.flagged_ns is None else replace(hand, flagged_ns=None)
        return hand if hand.flagged_ns is not None else replace(hand, flagged_ns=self.since_ns)


def face(left_ns: int) -> str:
    """What a clock's face says: ``1:30:05``, ``3:02``, and ``0:00`` only when nothing is left.

    >>> face(182_000_000_000), face(1), face(0)
    ('3:02', '0:01', '0:00')
    """
    seconds = -(-max(0, left_ns) // S_NS)
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
