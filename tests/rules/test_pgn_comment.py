"""Commands in comments, above all clock times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pgn.comment import clk, commands, emt, format_time, parse_time_s, time_of, without_commands


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1:30:58", 5458.0),
        ("01:30:58", 5458.0),
        ("0:00:09.7", 9.7),
        ("10:26:01", 37561.0),
        ("2:05", 125.0),
        ("7", 7.0),
        (" 0:48:15 ", 2895.0),
        ("", None),
        ("1:60:00", None),
        ("1:2:3:4", None),
        ("-0:00:01", None),
        ("forever", None),
        ("9" * 400 + ":00:00", None),
    ],
)
def test_times_are_read(text: str, seconds: float | None) -> None:
    """Hours and minutes may be missing, tenths may be there; anything else is no time."""
    assert parse_time_s(text) == seconds


def test_times_are_written() -> None:
    """P10: 2895 s left after the move is ``[%clk 0:48:15]``; a part of a second is cut off, below zero is zero."""
    assert clk(2895) == "[%clk 0:48:15]"
    assert emt(42.9) == "[%emt 0:00:42]"
    assert format_time(360_000) == "100:00:00"
    assert format_time(-3) == "0:00:00"


def test_commands_are_found() -> None:
    """In order, with their operands, whatever stands around them."""
    comment = "[%ts 1754850615931][%clk 01:14:46] good [%csl Gb4,Yd5][%foo]"
    assert commands(comment) == (("ts", "1754850615931"), ("clk", "01:14:46"), ("csl", "Gb4,Yd5"), ("foo", ""))
    assert without_commands(comment) == "good"
    assert commands("no [brackets] % here") == ()
    assert without_commands(" a  b ") == "a b"


def test_the_last_time_counts() -> None:
    """Several comments and commands may follow a move; an operand that is no time is none."""
    assert time_of(("[%clk 0:01:00]", "x [%emt 0:00:03] [%clk 0:00:59]"), "clk") == 59.0
    assert time_of(("[%clk 0:01:00]", "x"), "clk") == 60.0
    assert time_of(("[%clk soon]",), "clk") is None
    assert time_of((), "clk") is None


@given(st.integers(0, 10**7))
def test_whole_seconds_come_back(seconds: int) -> None:
    """Property: what is written is read."""
    assert parse_time_s(format_time(seconds)) == seconds
    assert time_of((clk(seconds),), "clk") == seconds
