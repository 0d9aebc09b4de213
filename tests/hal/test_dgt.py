"""The DGT codec against vectors typed from the byte tables, whole and byte by byte, and against noise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import dgt
from hal.dgt import (
    BoardDump,
    BoardVersion,
    ClockCommand,
    ClockReport,
    Command,
    CommandDecoder,
    FieldUpdate,
    LedCommand,
    MessageDecoder,
    Other,
    Swallowed,
    Words,
)
from hal.placement import START

START_DUMP = bytes.fromhex(
    "86 00 43"
    "08 09 0A 0C 0B 0A 09 08"
    "07 07 07 07 07 07 07 07"
    "00 00 00 00 00 00 00 00"
    "00 00 00 00 00 00 00 00"
    "00 00 00 00 00 00 00 00"
    "00 00 00 00 00 00 00 00"
    "01 01 01 01 01 01 01 01"
    "02 03 04 06 05 04 03 02"
)
"""BOARD_DUMP of the start position: a8 b8 ... h8, a7 ... h1."""


def test_a_start_position_dump_both_ways():
    """Piece codes and the order a8 ... h1 are those of the table."""
    assert MessageDecoder().feed(START_DUMP) == (BoardDump(placement=START),)
    assert dgt.encode_dump(START) == START_DUMP


@pytest.mark.parametrize(
    ("wire", "meaning"),
    [
        ("8E 00 05 34 00", FieldUpdate(square=12, piece=".")),  # e2 = (8-2)*8+4 = 52 = 0x34
        ("8E 00 05 24 01", FieldUpdate(square=28, piece="P")),  # e4 = 36 = 0x24
        ("8E 00 05 00 08", FieldUpdate(square=56, piece="r")),  # a8 = 0
        ("8E 00 05 3F 02", FieldUpdate(square=7, piece="R")),  # h1 = 63
        ("8E 00 05 38 0E", FieldUpdate(square=0, piece=".")),  # a result sign is no piece
        ("93 00 05 03 01", BoardVersion(major=3, minor=1)),
        ("93 00 05 01 02", BoardVersion(major=1, minor=2)),
        ("91 00 08 30 31 30 32 35", Words(message=0x11, text="01025")),
        ("A2 00 0D 30 30 30 30 30 30 31 30 32 35", Words(message=0x22, text="0000001025")),
        ("92 00 06 61 62 63", Words(message=0x12, text="abc")),
        ("90 00 05 08 01", Other(message=0x10, payload=b"\x08\x01")),
        ("A0 00 0C 64 7F 7F 00 00 00 00 00 02", Other(message=0x20, payload=b"\x64\x7f\x7f\0\0\0\0\0\x02")),
        ("8D 00 0A 00 59 30 01 05 00 10", ClockReport(payload=b"\x00\x59\x30\x01\x05\x00\x10")),
    ],
)
def test_messages_are_read_as_the_table_says(wire, meaning):
    """Each message, whole and one byte at a time."""
    raw = bytes.fromhex(wire)
    assert MessageDecoder().feed(raw) == (meaning,)
    bytewise = MessageDecoder()
    assert [message for byte in raw for message in bytewise.feed(bytes((byte,)))] == [meaning]


def test_messages_are_written_as_the_table_says():
    """Serial 01025 as bus address is 08 01; the log may be 7,939 bytes, its header 8F 3E 03."""
    assert dgt.encode_update(12, ".") == bytes.fromhex("8E 00 05 34 00")
    assert dgt.encode_update(28, "P") == bytes.fromhex("8E 00 05 24 01")
    assert dgt.encode_bus_address(1025) == bytes.fromhex("90 00 05 08 01")
    assert dgt.encode_message(dgt.LOG, bytes(0x1F00))[:3] == bytes.fromhex("8F 3E 03")
    assert dgt.encode_message(dgt.VERSION, b"\x03\x01") == bytes.fromhex("93 00 05 03 01")


@pytest.mark.parametrize(
    ("message", "payload"), [(dgt.VERSION, b"\x03"), (dgt.TRADEMARK, b"\x80"), (dgt.BOARD_DUMP, b"")]
)
def test_a_message_that_strict_hosts_would_refuse_is_never_written(message, payload):
    """A wrong length or a byte above 0x7F is our own mistake and says so."""
    with pytest.raises(ValueError, match="cannot carry"):
        dgt.encode_message(message, payload)


@pytest.mark.parametrize(
    ("damaged", "kept"),
    [
        ("00 17 0A 8E 00 05 34 00", 1),  # stray bytes before
        ("8E 00 05 34 8E 00 05 34 00", 1),  # the last byte lost
        ("8E 05 34 00 8E 00 05 34 00", 1),  # a length byte lost
        ("8E 00 00 05 34 00 8E 00 05 34 00", 1),  # a length byte doubled
        ("8E 00 45 34 00 8E 00 05 34 00", 1),  # a flipped length: refused at once
        ("0E 00 05 34 00 8E 00 05 34 00", 1),  # bit 7 of the header lost
        ("8E 8E 00 05 34 00", 1),  # the header doubled
        ("8E 00 05 74 00 8E 00 05 34 00", 1),  # square 116
        ("8E 00 05 34 10 8E 00 05 34 00", 1),  # piece 16
        ("8E 00 05 34 8D 00 0A 00 8E 00 05 34 00", 1),  # two cut messages
    ],
)
def test_damage_costs_one_message(damaged, kept):
    """Whatever was hurt, the next whole message is read."""
    assert MessageDecoder().feed(bytes.fromhex(damaged)) == (FieldUpdate(square=12, piece="."),) * kept


def test_half_a_message_can_be_given_up():
    """After a silence the rest of a message must not eat the next one's bytes."""
    decoder = MessageDecoder()
    decoder.feed(START_DUMP[:40])
    assert decoder.give_up() == 40
    assert decoder.feed(START_DUMP) == (BoardDump(placement=START),)


@pytest.mark.parametrize(
    ("wire", "meaning"),
    [
        ("42", [Command(code=0x42)]),
        ("40 45 4D", [Command(code=0x40), Command(code=0x45), Command(code=0x4D)]),
        ("2B 03 03 09 00", [ClockCommand(clock_id=9, payload=b"")]),
        ("2B 04 03 0B 02 00", [ClockCommand(clock_id=0x0B, payload=b"\x02")]),
        (
            "2B 0C 03 0C 50 69 63 6F 34 2E 33 2E 00 00",
            [ClockCommand(clock_id=0x0C, payload=b"Pico4.3.\x00")],
        ),
        (
            "2B 0A 03 0A 00 05 00 00 05 00 01 00",
            [ClockCommand(clock_id=0x0A, payload=b"\x00\x05\x00\x00\x05\x00\x01")],
        ),
        # square d3 = 43 = 0x2B inside a lamp command is no clock message
        ("60 04 01 16 2B 00 42", [LedCommand(payload=bytes.fromhex("01 16 2B 00")), Command(code=0x42)]),
        ("63 02 11 22 42", [Swallowed(raw=bytes.fromhex("63 02 11 22")), Command(code=0x42)]),
        ("82 08 01 0B 42", [Swallowed(raw=bytes.fromhex("82 08 01 0B")), Command(code=0x42)]),
        # a modem probe: AT+GMR CR. '+' is the clock header, 'G' would be a length of 71
        ("41 54 2B 47 4D 52 0D 42", None),
        # a clock message that does not open with 03
        ("2B 04 07 0B 42", None),
    ],
)
def test_commands_are_read_as_the_table_says(wire, meaning):
    """Each burst of a host; after any of them SEND_BRD is still heard."""
    raw = bytes.fromhex(wire)
    whole = list(CommandDecoder().feed(raw))
    bytewise = CommandDecoder()
    assert [command for byte in raw for command in bytewise.feed(bytes((byte,)))] == whole
    if meaning is not None:
        assert whole == meaning
    else:
        assert whole[-1] == Command(code=0x42)


def test_half_a_command_can_be_given_up():
    """A host that stopped in the middle of a clock message does not block the next command."""
    decoder = CommandDecoder()
    assert decoder.feed(bytes.fromhex("2B 0C 03 0C 50")) == ()
    assert decoder.give_up() == 5
    assert decoder.feed(b"\x42") == (Command(code=0x42),)


@pytest.mark.parametrize(
    ("payload", "meaning"),
    [
        ("01 34 24 00", ((12, 28), True)),
        ("00 34 24 00", ((12, 28), False)),
        ("00 40 00 00", ((), False)),
        ("00 00", ((), False)),
        ("05 01 00 05 34 24 00", ((12, 28), True)),  # Pegasus: speed, repeat, brightness, squares
        ("02 01 02 00", None),
        ("01 40 24 00", None),
    ],
)
def test_lamp_commands(payload, meaning):
    """Revelation II and Pegasus lamps by their tables; automatic functions are not ours."""
    assert dgt.lamps_of(LedCommand(payload=bytes.fromhex(payload))) == meaning


def test_lamp_commands_are_written_as_the_table_says():
    """``60 04 mode from to 00``."""
    assert dgt.encode_leds((12, 28)) == bytes.fromhex("60 04 01 34 24 00")
    assert dgt.encode_leds(None)[:4] == bytes.fromhex("60 04 00 40")


def _cut(data: bytes, cuts: list[int]) -> list[bytes]:
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[one:other] for one, other in pairwise(at)]


_LIKELY = st.sampled_from([0x00, 0x03, 0x05, 0x0A, 0x2B, 0x42, 0x43, 0x60, 0x86, 0x8D, 0x8E, 0x8F, 0x93, 0x3E])
_BYTES = st.lists(st.one_of(_LIKELY, st.integers(0, 255)), max_size=400).map(bytes)


@given(_BYTES, st.lists(st.integers(0, 500), max_size=20))
def test_messages_do_not_depend_on_how_they_are_cut(data, cuts):
    """Any bytes, any chunks: the same messages, and never more than one message kept."""
    whole, cut = MessageDecoder(), MessageDecoder()
    expected = whole.feed(data)
    assert tuple(message for chunk in _cut(data, cuts) for message in cut.feed(chunk)) == expected
    assert cut.dropped_bytes == whole.dropped_bytes
    assert cut.give_up() == whole.give_up() <= 0x1F03


@given(_BYTES, st.lists(st.integers(0, 500), max_size=20))
def test_commands_do_not_depend_on_how_they_are_cut(data, cuts):
    """Any bytes, any chunks: the same commands, and never more than one command kept."""
    whole, cut = CommandDecoder(), CommandDecoder()
    expected = whole.feed(data)
    assert tuple(command for chunk in _cut(data, cuts) for command in cut.feed(chunk)) == expected
    assert cut.give_up() == whole.give_up() <= 74


@given(_BYTES)
def test_after_any_garbage_the_second_whole_message_is_read(data):
    """Resynchronised within one message."""
    decoder = MessageDecoder()
    decoder.feed(data)
    decoder.give_up()
    assert decoder.feed(START_DUMP)[-1] == BoardDump(placement=START)
