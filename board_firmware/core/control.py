"""A time control as the PGN standard writes it, and the rule set that follows from it.

Text such as ``40/6000+30:900+30`` becomes an immutable value with one `Period` a field: so many moves, so much time,
and what each move brings with it. Two letters the standard lacks are added: ``300d5`` (simple delay) and ``300b3``
(Bronstein). The names ``standard``, ``rapid_A5``, ``blitz_B2`` ... choose a rule set with no times of its own.

Source: FIDE Laws of Chess 2023, 6.3, A.1, B.1; PGN standard, tag TimeControl.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

RuleSet = Literal["standard", "rapid", "blitz"]
Bonus = Literal["increment", "delay", "bronstein"]

S_NS = 1_000_000_000
"""Nanoseconds in a second."""

RATED_MOVES = 60
"""Moves over which A.1 and B.1 count the increment."""

BLITZ_LIMIT_NS = 600 * S_NS
"""B.1: a total of ten minutes or less is blitz."""

STANDARD_LIMIT_NS = 3600 * S_NS
"""A.1: a total of less than sixty minutes (and more than ten) is rapid."""

_NUMBER = r"(\d{1,6}(?:\.\d{1,3})?)"
_PERIOD = re.compile(rf"(?:(\d{{1,3}})/)?{_NUMBER}(?:([+db]){_NUMBER})?")
_KIND: dict[str, Bonus] = {"+": "increment", "d": "delay", "b": "bronstein"}
_SIGN = {kind: sign for sign, kind in _KIND.items()}


class ControlError(ValueError):
    """Text that is no time control: ``text`` as given, ``field`` the part at fault, ``reason`` a sentence."""

    def __init__(self, text: str, field: str, reason: str) -> None:
        where = "" if field == text else f": {field!r}"
        super().__init__(f"time control {text!r}{where} {reason}")
        self.text = text
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """One period: ``base_ns`` for ``moves`` moves (None: for the rest of the game), and a bonus with every move."""

    base_ns: int
    moves: int | None = None
    bonus_ns: int = 0
    bonus: Bonus = "increment"

    @property
    def increment_ns(self) -> int:
        """What each press adds: the bonus of an increment, 0 for delays."""
        return self.bonus_ns if self.bonus == "increment" else 0

    @property
    def delay_ns(self) -> int:
        """How long each turn waits before the time runs down: 0 unless a simple delay."""
        return self.bonus_ns if self.bonus == "delay" else 0

    @property
    def bronstein_ns(self) -> int:
        """The most that a press gives back of the time used: 0 unless Bronstein."""
        return self.bonus_ns if self.bonus == "bronstein" else 0

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        bonus = "" if not self.bonus_ns else f"{_SIGN[self.bonus]}{_seconds(self.bonus_ns)}"
        return f"{moves}{_seconds(self.base_ns)}{bonus}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A time control: its periods, its rule set, and how closely the arbiter watches.

    ``periods`` is empty where there are no times: ``none`` (no clock) and the named rule sets (plenty of time).
    """

    periods: tuple[Period, ...] = ()
    rules: RuleSet = "standard"
    competition: bool = True
    """All Competitive Rules hold (A.4, B.2); False: A.5 and B.3 govern, an illegal move may come to stand."""
    hourglass: bool = False
    """What one side uses runs into the other's glass."""
    name: str = ""
    """The rule set's name where it was given by name; empty where it follows from the times."""

    @classmethod
    def parse(cls, text: str) -> Control:
        """The control that the text means; `ControlError` says what is wrong with which field.

        >>> Control.parse("40/6000+30:900+30").rules
        'standard'
        >>> Control.parse("180+2").rules
        'blitz'
        """
        plain = text.strip()
        if plain in NAMED:
            return NAMED[plain]
        if not plain:
            raise ControlError(text, text, "is empty: write seconds such as 300 or 5400+30, or none")
        if plain.startswith("*"):
            period = _period(text, plain[1:])
            if period.moves is not None or period.bonus_ns:
                raise ControlError(text, plain[1:], "is not plain seconds: a sandclock is written *180")
            return _ruled(Control(periods=(period,), hourglass=True))
        fields = plain.split(":")
        periods = tuple(_period(text, field) for field in fields)
        for field, period in zip(fields[:-1], periods[:-1], strict=True):
            if period.moves is None:
                raise ControlError(text, field, "never ends: a period before the last needs moves, such as 40/5400")
        return _ruled(Control(periods=periods))

    @property
    def timed(self) -> bool:
        """Whether the control sets times at all."""
        return bool(self.periods)

    def with_increment(self, increment_ns: int) -> Control:
        """The same control with this increment in every period; the rule set is kept."""
        periods = tuple(replace(one, bonus_ns=increment_ns, bonus="increment") for one in self.periods)
        return replace(self, periods=periods)

    def pgn_tag(self) -> str:
        """The value of the PGN tag TimeControl: ``-`` without a clock, ``?`` for a rule set without times."""
        if not self.periods:
            return "-" if self.name in ("", "none") else "?"
        return ("*" if self.hourglass else "") + ":".join(str(period) for period in self.periods)

    def __str__(self) -> str:
        return self.name or self.pgn_tag()


def _ns(number: str) -> int:
    whole, _, part = number.partition(".")
    return int(whole) * S_NS + (int(part.ljust(3, "0")) * 1_000_000 if part else 0)


def _seconds(ns: int) -> str:
    whole, part = divmod(ns, S_NS)
    return f"{whole}.{part // 1_000_000:03d}".rstrip("0") if part else str(whole)


def _period(text: str, field: str) -> Period:
    match = _PERIOD.fullmatch(field.strip())
    if match is None:
        raise ControlError(text, field, "is not understood: write seconds (300), 5400+30, 40/5400+30, 300d5 or 300b3")
    moves, base, sign, bonus = match.groups()
    if moves is not None and int(moves) == 0:
        raise ControlError(text, field, "asks for no moves: leave the 0/ out")
    period = Period(
        base_ns=_ns(base),
        moves=None if moves is None else int(moves),
        bonus_ns=0 if bonus is None else _ns(bonus),
        bonus=_KIND[sign] if sign else "increment",
    )
    if period.base_ns + period.increment_ns + period.delay_ns == 0:
        raise ControlError(text, field, "gives no time at all: the flag would fall at the start")
    return period


def _ruled(control: Control) -> Control:
    """The control with the rule set that A.1 and B.1 draw from the time for sixty moves."""
    total_ns, start = 0, 0
    for period in control.periods:
        length = RATED_MOVES - start if period.moves is None else min(period.moves, RATED_MOVES - start)
        # A last period with a move count is the last all the same: its bonus counts for the sixty moves.
        if period is control.periods[-1]:
            length = RATED_MOVES - start
        total_ns += period.base_ns + period.bonus_ns * length
        start += length
        if start >= RATED_MOVES:
            break
    rules: RuleSet = "standard"
    if total_ns <= BLITZ_LIMIT_NS:
        rules = "blitz"
    elif total_ns < STANDARD_LIMIT_NS:
        rules = "rapid"
    return replace(control, rules=rules, competition=rules == "standard")


NAMED: dict[str, Control] = {
    "none": Control(name="none"),
    "-": Control(name="none"),
    "standard": Control(name="standard"),
    "quickplay": Control(name="quickplay"),
    "rapid_A4": Control(name="rapid_A4", rules="rapid"),
    "rapid_A5": Control(name="rapid_A5", rules="rapid", competition=False),
    "blitz_B2": Control(name="blitz_B2", rules="blitz"),
    "blitz_B3": Control(name="blitz_B3", rules="blitz", competition=False),
}
"""Controls by name: a rule set with plenty of time, and ``none``, no clock."""
