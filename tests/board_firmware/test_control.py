"""Time controls: what is read, what is refused with which words, and the rule set that follows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.control import S_NS, Control, ControlError, Period


def test_a_plain_number_is_sudden_death() -> None:
    """``300`` is five minutes for the whole game."""
    assert Control.parse("300").periods == (Period(base_ns=300 * S_NS),)


def test_two_periods_with_increments() -> None:
    """The control of the Club Cup: 40 moves in 100 minutes, then 15, half a minute a move."""
    first, last = Control.parse("40/6000+30:900+30").periods
    assert (first.moves, first.base_ns, first.increment_ns) == (40, 6000 * S_NS, 30 * S_NS)
    assert (last.moves, last.base_ns, last.increment_ns) == (None, 900 * S_NS, 30 * S_NS)


def test_delays_are_no_increments() -> None:
    """``d`` waits, ``b`` gives back, ``+`` adds: three fields, of which one is set."""
    delay, bronstein = Control.parse("300d5").periods[0], Control.parse("300b3").periods[0]
    assert (delay.delay_ns, delay.increment_ns, delay.bronstein_ns) == (5 * S_NS, 0, 0)
    assert (bronstein.delay_ns, bronstein.increment_ns, bronstein.bronstein_ns) == (0, 0, 3 * S_NS)


def test_a_sandclock() -> None:
    """``*180`` is an hourglass of three minutes a side."""
    control = Control.parse("*180")
    assert control.hourglass
    assert control.periods[0].base_ns == 180 * S_NS


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("5400+30", "standard"), ("3600", "standard"), ("40/5400+0", "standard"), ("3599", "rapid"),
        ("900+10", "rapid"),
        ("1800+30", "standard"), ("1799+30", "rapid"), ("601", "rapid"), ("600", "blitz"), ("480+2", "blitz"),
        ("481+2", "rapid"), ("180+2", "blitz"), ("*180", "blitz"), ("300d5", "blitz"), ("301d5", "rapid"),
        ("40/1200:1200", "rapid"), ("40/1800:1800", "standard"), ("60/1800:1800", "rapid"), ("0+5", "blitz"),
    ],
)  # fmt: skip
def test_rule_set_follows_from_the_time_for_sixty_moves(text: str, rules: str) -> None:
    """A.1 and B.1: base plus sixty increments; ten minutes or less is blitz, less than an hour rapid."""
    assert Control.parse(text).rules == rules


@pytest.mark.parametrize(
    ("name", "rules", "competition"),
    [
        ("standard", "standard", True), ("quickplay", "standard", True), ("rapid_A5", "rapid", False),
        ("rapid_A4", "rapid", True), ("blitz_B2", "blitz", True), ("blitz_B3", "blitz", False),
        ("none", "standard", True),
    ],
)  # fmt: skip
def test_a_named_rule_set_has_no_times(name: str, rules: str, competition: bool) -> None:
    """A name chooses rules and supervision, and leaves plenty of time."""
    control = Control.parse(name)
    assert (control.rules, control.competition, control.timed, str(control)) == (rules, competition, False, name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"), ("0+0", "no time at all"), ("0", "no time at all"), ("0b5", "no time at all"),
        ("900:900", "'900' never ends"), ("0/900", "asks for no moves"), ("five", "is not understood"),
        ("300+", "is not understood"), ("+5", "is not understood"), ("-300", "is not understood"),
        ("300+-5", "is not understood"), ("40/", "is not understood"), ("*300+2", "plain seconds"),
        ("*40/300", "plain seconds"), ("40/5400+30:", "is not understood"), ("1e9", "is not understood"),
        ("99999999", "is not understood"), ("٣٠٠+", "is not understood"),
    ],
)  # fmt: skip
def test_refusals_name_the_field(text: str, words: str) -> None:
    """Text that is no control is a ValueError whose sentence says what is wrong with which part."""
    with pytest.raises(ControlError) as caught:
        Control.parse(text)
    assert words in str(caught.value)
    assert caught.value.text == text
    assert isinstance(caught.value, ValueError)


def test_c07_zero_base_is_usable_with_an_increment() -> None:
    """0+5 is a control since the increment comes before the first move; 0+0 is none."""
    period = Control.parse("0+5").periods[0]
    assert (period.base_ns, period.increment_ns) == (0, 5 * S_NS)


@pytest.mark.parametrize(
    "text",
    ["5400+30", "40/6000+30:900+30", "300", "*180", "300d5", "300b3", "40/5400", "180.5+0.25", "0+5", "rapid_A5"],
)
def test_the_control_is_written_as_it_was_read(text: str) -> None:
    """What is written down can be read again as the same control."""
    assert str(Control.parse(text)) == text
    assert Control.parse(str(Control.parse(text))) == Control.parse(text)


def test_the_pgn_tag() -> None:
    """``-`` says no clock, ``?`` says unknown, a zero increment is not written."""
    tags = {text: Control.parse(text).pgn_tag() for text in ("none", "standard", "40/5400+0", "*180")}
    assert tags == {"none": "-", "standard": "?", "40/5400+0": "40/5400", "*180": "*180"}


def test_another_increment() -> None:
    """A prior state may name its own increment; the rule set stays."""
    control = Control.parse("5400+30").with_increment(10 * S_NS)
    assert control.periods[0].increment_ns == 10 * S_NS
    assert control.rules == "standard"


@given(st.text(alphabet="0123456789+:/*db.- x", max_size=24))
def test_any_text_is_a_control_or_a_control_error(text: str) -> None:
    """Nothing but ControlError comes out, and what is read survives a round trip."""
    try:
        control = Control.parse(text)
    except ControlError:
        return
    if control.name != "none":
        assert Control.parse(control.pgn_tag()) == control
