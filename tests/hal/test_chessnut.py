"""The Chessnut codec against vectors typed from the protocol's tables, and against noise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import chessnut
from hal.chessnut import (
    BatteryReport,
    BeepCommand,
    CommandDecoder,
    LampsCommand,
    PlainCommand,
    PositionReport,
    ReportDecoder,
)
from hal.placement import START
from hal.squares import parse_square

START_REPORT = bytes.fromhex(
    "01 24"
    "58 23 31 85"  # h8 r, g8 n; f8 b, e8 k; d8 q, c8 b; b8 n, a8 r: low nibble first
    "44 44 44 44"
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
    "77 77 77 77"
    "A6 C9 9B 6A"  # h1 R, g1 N; f1 B, e1 K; d1 Q, c1 B; b1 N, a1 R
    "10 27 00 00"
)


def test_the_start_position_both_ways():
    """Two squares a byte from h8, low nibble first."""
    report = PositionReport(placement=START, board_time=10000)
    assert ReportDecoder().feed(START_REPORT) == (report,)
    assert ReportDecoder().packet(START_REPORT) == (report,)
    assert ReportDecoder().packet(START_REPORT[:36])[0].placement == START  # some firmware is two bytes short
    assert chessnut.encode_position(START, 10000) == START_REPORT


def test_battery():
    """Bit 7 says that it is charging."""
    assert ReportDecoder().feed(bytes.fromhex("2A 02 D5 00")) == (BatteryReport(percent=85, charging=True),)
    assert ReportDecoder().feed(bytes.fromhex("2A 02 7F 00 2A 02 32 00")) == (
        BatteryReport(percent=50, charging=False),
    )


def test_lamps_and_tones_are_written_as_the_table_says():
    """e2 and e4 are 0A 08 00 00 00 00 08 00 08 00."""
    squares = 1 << parse_square("e2") | 1 << parse_square("e4")
    assert chessnut.encode_lamps(squares) == bytes.fromhex("0A 08 00 00 00 00 08 00 08 00")
    assert chessnut.encode_beep(1000, 200) == bytes.fromhex("0B 04 03 E8 00 C8")


def test_commands_are_read_as_the_table_says():
    """What a host may send, in one burst with a stray byte in it."""
    burst = bytes.fromhex("21 01 00 99 0A 08 00 00 00 00 08 00 08 00 29 01 00 0B 04 03 E8 00 C8 27 01 01")
    assert CommandDecoder().feed(burst) == (
        PlainCommand(raw=bytes.fromhex("21 01 00")),
        LampsCommand(squares=1 << 12 | 1 << 28),
        PlainCommand(raw=bytes.fromhex("29 01 00")),
        BeepCommand(hz=1000, ms=200),
        PlainCommand(raw=bytes.fromhex("27 01 01")),
    )


@pytest.mark.parametrize("cut", [1, 2, 20, 37])
def test_damage_costs_at_most_one_report_more(cut):
    """A report without a check: a cut one is gone, and of the next two at least the second is read."""
    reports = ReportDecoder().feed(START_REPORT[:cut] + START_REPORT * 2)
    assert reports[-1].placement == START
    assert all(report.placement == START for report in reports)


def test_a_board_with_three_kings_is_no_position():
    """An impossible report is not told."""
    three = START_REPORT[:10] + b"\x22" + START_REPORT[11:]
    assert ReportDecoder().feed(three + START_REPORT) == (PositionReport(placement=START, board_time=10000),)


_BYTES = st.lists(st.one_of(st.sampled_from([0x01, 0x24, 0x2A, 0x02, 0x0A, 0x08, 0x21]), st.integers(0, 255))).map(
    bytes
)


@given(_BYTES, st.lists(st.integers(0, 200), max_size=12))
def test_nothing_depends_on_how_bytes_are_cut(data, cuts):
    """Reports and commands alike, and never more than one kept."""
    at = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    chunks = [data[one:other] for one, other in pairwise(at)]
    reports, commands = ReportDecoder(), CommandDecoder()
    assert tuple(report for chunk in chunks for report in reports.feed(chunk)) == ReportDecoder().feed(data)
    assert tuple(command for chunk in chunks for command in commands.feed(chunk)) == CommandDecoder().feed(data)
    assert reports.give_up() < 38
    assert commands.give_up() < 10
