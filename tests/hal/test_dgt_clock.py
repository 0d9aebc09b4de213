"""Clock messages of the DGT line: vectors typed from the byte tables, then round trips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import dgt_clock
from hal.dgt_clock import Acknowledged, ClockFace, NoClock, SetAndRun


def _payload(wire: str) -> bytes:
    raw = bytes.fromhex(wire)
    assert raw[:3] == bytes.fromhex("8D 00 0A")
    return raw[3:]


@pytest.mark.parametrize(
    ("wire", "meaning"),
    [
        # right 0:59:30, left 1:05:00, running, left's turn
        ("8D 00 0A 00 59 30 01 05 00 11", ClockFace(left_s=3900, right_s=3570, running="left")),
        # right high, right's turn, battery low
        (
            "8D 00 0A 00 05 00 00 05 00 0F",
            ClockFace(left_s=300, right_s=300, running="right", right_high=True, battery_low=True),
        ),
        # left's flag fell
        ("8D 00 0A 00 00 07 10 00 00 00", ClockFace(left_s=0, right_s=7, left_fell=True)),
        ("8D 00 0A 00 00 00 00 00 00 20", NoClock()),
        ("8D 00 0A 00 00 00 00 00 00 00", None),  # all zero is noise
        ("8D 00 0A 00 6A 00 00 05 00 01", None),  # 6A is no minute
        # the two encode checks of the protocol notes
        ("8D 00 0A 0A 10 09 0A 22 00 00", Acknowledged(good=True, command=9, ack2=0x22)),
        ("8D 00 0A 0A 10 08 2A 00 35 00", Acknowledged(good=True, command=0x88, ack3=0x35)),
        # SETNRUN refused
        ("8D 00 0A 0A 40 0A 0A 00 00 00", Acknowledged(good=False, command=0x0A)),
        # bit 7 of ack2 and ack3 ride in byte 3
        ("8D 00 0A 3A 10 01 0A 01 02 00", Acknowledged(good=True, command=1, ack2=0x81, ack3=0x82)),
    ],
)
def test_reports_are_read_as_the_table_says(wire, meaning):
    """Times, no clock, noise, acknowledgements, keys."""
    assert dgt_clock.read_report(_payload(wire)) == meaning


def test_what_the_acknowledgements_carry():
    """The clock's version 2.2 is a DGT 3000; 0x35 is the OK key."""
    version = dgt_clock.read_report(_payload("8D 00 0A 0A 10 09 0A 22 00 00"))
    assert isinstance(version, Acknowledged)
    assert version.version == (2, 2)
    assert version.button is None
    key = dgt_clock.read_report(_payload("8D 00 0A 0A 10 08 2A 00 35 00"))
    assert isinstance(key, Acknowledged)
    assert key.button == "ok"
    assert key.version is None


def test_reports_are_written_as_the_table_says():
    """The same vectors the other way."""
    assert dgt_clock.encode_acknowledgement(Acknowledged(good=True, command=9, ack2=0x22)) == bytes.fromhex(
        "8D 00 0A 0A 10 09 0A 22 00 00"
    )
    assert dgt_clock.encode_button("ok") == bytes.fromhex("8D 00 0A 0A 10 08 2A 00 35 00")
    assert dgt_clock.encode_no_clock() == bytes.fromhex("8D 00 0A 00 00 00 00 00 00 20")
    face = ClockFace(left_s=3900, right_s=3570, running="left")
    assert dgt_clock.encode_face(face) == bytes.fromhex("8D 00 0A 00 59 30 01 05 00 11")


def test_a_clock_at_zero_is_no_noise():
    """Stopped, both at zero, lever down on the right: still a report that hosts read."""
    face = ClockFace(left_s=0, right_s=0)
    assert dgt_clock.encode_face(face) == bytes.fromhex("8D 00 0A 00 00 00 00 00 00 10")
    assert dgt_clock.read_report(dgt_clock.encode_face(face)[3:]) == face


def test_a_time_beyond_the_display_is_shown_as_the_longest_one():
    """Hours end at 9."""
    face = ClockFace(left_s=40_000, right_s=-3)
    assert dgt_clock.encode_face(face) == bytes.fromhex("8D 00 0A 00 00 00 09 59 59 00")


@pytest.mark.parametrize(
    ("payload", "meaning"),
    [
        ("00 05 00 00 05 00 01", SetAndRun(left_s=300, right_s=300, running="left")),
        ("01 1E 00 02 00 0F 02", SetAndRun(left_s=5400, right_s=7215, running="right")),
        ("00 05 00 00 05 00 04", SetAndRun(left_s=300, right_s=300, running=None)),
        ("00 3C 00 00 05 00 01", None),
        ("00 05", None),
    ],
)
def test_set_and_run(payload, meaning):
    """Plain binary times; 60 minutes are none."""
    assert dgt_clock.read_set_and_run(bytes.fromhex(payload)) == meaning


@pytest.mark.parametrize(
    ("clock_id", "payload", "meaning"),
    [
        (0x0C, b"Pico4.3.\x00", ("Pico4.3.", 0)),
        (0x0C, b"      e5\x01", ("      e5", 64)),
        (0x0D, b"Revelation \x02", ("Revelation ", 128)),
        (0x0C, b"too short\x00!", None),
        (0x0B, b"\x02", None),
        # seven segments: sent C B A F E D: "e2" in A B, "e4" in D E
        (0x01, bytes.fromhex("00 5B 79 00 66 79 00 03"), ("e2 e4 ", 64)),
    ],
)
def test_texts(clock_id, payload, meaning):
    """Eight and eleven characters, and the segments of a DGT XL."""
    assert dgt_clock.read_text(clock_id, payload) == meaning


@given(
    st.builds(
        ClockFace,
        left_s=st.integers(0, 35999),
        right_s=st.integers(0, 35999),
        running=st.sampled_from([None, "left", "right"]),
        right_high=st.booleans(),
        left_fell=st.booleans(),
        right_fell=st.booleans(),
        battery_low=st.booleans(),
    )
)
def test_a_face_goes_and_comes_back(face):
    """Every time the display can show."""
    assert dgt_clock.read_report(dgt_clock.encode_face(face)[3:]) == face


@given(st.booleans(), st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
def test_an_acknowledgement_goes_and_comes_back(good, command, ack2, ack3):
    """All four values with their eighth bits."""
    acknowledged = Acknowledged(good=good, command=command, ack2=ack2, ack3=ack3)
    assert dgt_clock.read_report(dgt_clock.encode_acknowledgement(acknowledged)[3:]) == acknowledged


@given(st.binary(max_size=10))
def test_any_payload_is_read_or_refused(payload):
    """No bytes raise."""
    dgt_clock.read_report(payload)
    dgt_clock.read_set_and_run(payload)
    for clock_id in range(16):
        dgt_clock.read_text(clock_id, payload)
