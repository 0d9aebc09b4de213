"""The Sentio and Certabo codec against lines typed from the protocol's tables, and against noise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import sentio
from hal.placement import START_OCCUPANCY
from hal.sentio import CornerColours, LampBits, LampDecoder, LampKind, LineDecoder, OccupancyLine, TagLine
from hal.squares import parse_square

START_LINE = b":255 255 0 0 0 0 255 255\r\n"


def _bits(*names: str) -> int:
    return sum(1 << parse_square(name) for name in names)


@pytest.mark.parametrize(
    ("line", "squares"),
    [
        (b":128 0 0 0 0 0 0 0\r\n", _bits("a8")),  # bit 7 = file a, rank 8 first
        (b":1 0 0 0 0 0 0 0\r\n", _bits("h8")),
        (b":0 0 0 0 0 0 0 128\r\n", _bits("a1")),
        (b":0 0 0 0 8 0 16 0\r\n", _bits("e4", "d2")),
        (START_LINE, START_OCCUPANCY),
    ],
)
def test_occupancy_lines_both_ways(line, squares):
    """Eight numbers, read and written."""
    assert LineDecoder().feed(line) == (OccupancyLine(occupancy=squares),)
    assert sentio.encode_occupancy(squares) == line


def test_a_tag_line_has_320_numbers():
    """Certabo: five numbers a square from a8 on; 0 0 0 0 0 is empty."""
    numbers = [0] * 320
    numbers[0:5] = [1, 2, 3, 4, 5]  # a8
    numbers[315:320] = [200, 0, 0, 0, 255]  # h1
    line = b":" + b" ".join(b"%d" % number for number in numbers) + b"\r\n"
    (read,) = LineDecoder().feed(line)
    assert isinstance(read, TagLine)
    assert read.tags[parse_square("a8")] == (1, 2, 3, 4, 5)
    assert read.tags[parse_square("h1")] == (200, 0, 0, 0, 255)
    assert sum(tag == sentio.NO_TAG for tag in read.tags) == 62
    assert sentio.encode_tags(read.tags) == line


def test_lamp_kinds():
    """A letter line tells plain lamps from coloured ones."""
    assert LineDecoder().feed(b"L\r\nD\r\n:L\r\n") == (
        LampKind(coloured=False),
        LampKind(coloured=True),
        LampKind(coloured=False),
    )


@pytest.mark.parametrize(
    "bad",
    [
        b":255 255 0 0 0 0 255\r\n",  # seven numbers
        b":255 255 0 0 0 0 255 255 255\r\n",
        b":255 255 0 0 0 0 255 256\r\n",
        b":255 255 0 0 0 0 255 2x5\r\n",
        b":255 255 0 0 0 0 255 -1\r\n",
        b":255 255 0 0 0 0 255 0255\r\n",
        b"255 0 0 0 0 255 255 255\r\n",  # without a colon on a board that has them
        b":255 255 0 0",  # cut, the next line is glued to it
    ],
)
def test_a_line_counts_only_if_it_is_exactly_right(bad):
    """Whatever was hurt, nothing is read from it and the next line is."""
    decoder = LineDecoder()
    assert decoder.feed(START_LINE + bad + START_LINE) == (OccupancyLine(occupancy=START_OCCUPANCY),) * 2


def test_bluetooth_lines_have_no_colon_and_may_have_parity():
    """Bit 7 is masked; a board that never sends colons is read without them."""
    line = bytes(byte | 0x80 if byte % 2 else byte for byte in b"255 255 0 0 0 0 255 255\r\n")
    assert LineDecoder().feed(line) == (OccupancyLine(occupancy=START_OCCUPANCY),)


def test_lamp_bytes_have_their_files_the_other_way_round():
    """e2 is byte 6, 0x10; all zero is off."""
    assert sentio.encode_lamps(_bits("e2")) == bytes.fromhex("00 00 00 00 00 00 10 00")
    assert sentio.encode_lamps(_bits("a8")) == bytes.fromhex("01 00 00 00 00 00 00 00")
    assert LampDecoder().feed(bytes.fromhex("00 00 00 00 00 00 10 00") + bytes(8)) == (
        LampBits(squares=_bits("e2")),
        LampBits(squares=0),
    )


def test_the_greeting_of_one_client_is_two_lamp_tests():
    """55 AA.. and AA 55..: tolerated as patterns."""
    decoder = LampDecoder()
    assert len(decoder.feed(bytes.fromhex("55 AA 55 AA 55 AA 55 AA"))) == 1
    assert len(decoder.feed(bytes.fromhex("AA 55 AA 55 AA 55 AA 55"))) == 1


def test_coloured_lamps():
    """FF 55, 243 bytes, CR LF."""
    command = b"\xff\x55" + bytes(range(243)) + b"\r\n"
    (read,) = LampDecoder().feed(command)
    assert isinstance(read, CornerColours)
    assert read.colours[0] == (0, 1, 2)
    assert read.colours[80] == (240, 241, 242)
    assert sentio.encode_colours(read.colours) == command


def test_plain_lamps_that_begin_as_a_coloured_command():
    """FF 55 may be two full ranks of lamps: silence settles it."""
    decoder = LampDecoder()
    assert decoder.feed(bytes.fromhex("FF 55 00 00 00 00 00 00")) == ()
    assert decoder.give_up() == (LampBits(squares=0xFF55000000000000),)


def test_a_lost_lamp_byte_costs_one_command():
    """After a silence the count begins anew."""
    decoder = LampDecoder()
    assert decoder.feed(bytes(7)) == ()
    assert decoder.give_up() == ()
    assert decoder.feed(bytes.fromhex("00 00 00 00 00 00 10 00")) == (LampBits(squares=_bits("e2")),)


_BYTES = st.lists(
    st.one_of(st.sampled_from(list(b":0123456789 \r\nLD\xff\x55")), st.integers(0, 255)), max_size=400
).map(bytes)


@given(_BYTES, st.lists(st.integers(0, 400), max_size=20))
def test_nothing_depends_on_how_bytes_are_cut(data, cuts):
    """Lines and lamp commands alike."""
    at = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    chunks = [data[one:other] for one, other in pairwise(at)]
    lines, lamps = LineDecoder(), LampDecoder()
    assert tuple(line for chunk in chunks for line in lines.feed(chunk)) == LineDecoder().feed(data)
    assert tuple(lamp for chunk in chunks for lamp in lamps.feed(chunk)) == LampDecoder().feed(data)


@given(_BYTES)
def test_after_any_garbage_the_second_line_is_read(data):
    """Resynchronised within one message."""
    decoder = LineDecoder()
    decoder.feed(data)
    assert decoder.feed(START_LINE + START_LINE)[-1] == OccupancyLine(occupancy=START_OCCUPANCY)


def test_an_endless_line_is_not_kept():
    """Bounded memory: a stream without line ends is forgotten as it comes."""
    decoder = LineDecoder()
    for _ in range(1000):
        assert decoder.feed(b"7 " * 500) == ()
    assert decoder.give_up() < 4000
    assert decoder.feed(b"\r\n" + START_LINE) == (OccupancyLine(occupancy=START_OCCUPANCY),)
