"""Our own line: frames with typed checks, every fault the field has reported on such frames, and noise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import scanner
from hal.scanner import Ask, Done, FrameDecoder, Happened, Hello, State

E4 = Happened(number=12, ms=0x1A2B, occupancy=0xFFFF00001000EFFF, what="+e4")


def _crc(body: str) -> str:
    """CRC-16/CCITT-FALSE bit by bit, as a microcontroller does it."""
    crc = 0xFFFF
    for byte in body.encode():
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return f"{crc:04X}"


def _frame(body: str) -> bytes:
    return f"${body}*{_crc(body)}\n".encode()


def test_the_check_is_the_known_one():
    """The published check value of CRC-16/CCITT-FALSE."""
    assert scanner.crc_of(b"123456789") == 0x29B1
    assert _crc("123456789") == "29B1"


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        ("H,1,64,64,BEEF,7,pico", Hello(version=1, squares=64, lamps=64, boot=0xBEEF, last=7, name="pico")),
        ("S,12,1A2B,FFFF00001000EFFF", State(number=12, ms=0x1A2B, occupancy=0xFFFF00001000EFFF)),
        ("E,12,1A2B,FFFF00001000EFFF,+e4", E4),
        ("E,13,0,0000000000000000,Lw", Happened(number=13, ms=0, occupancy=0, what="Lw")),
        ("E,14,0,0000000000000000,~b2:7", Happened(number=14, ms=0, occupancy=0, what="~b2:7")),
        ("E,15,0,0000000000000000,Bpromote_q", Happened(number=15, ms=0, occupancy=0, what="Bpromote_q")),
        ("A,3", Done(tag=3)),
        ("N,3,busy", Done(tag=3, reason="busy")),
        ("V,1", Ask(letter="V", tag=1)),
        ("R,2,12", Ask(letter="R", tag=2, arguments=("12",))),
        ("L,4,0CFF8000F", Ask(letter="L", tag=4, arguments=("0CFF8000F",))),
        ("D,5,60,30", Ask(letter="D", tag=5, arguments=("60", "30"))),
    ],
)
def test_frames_both_ways(body, meaning):
    """Each frame, whole, byte by byte, and written."""
    raw = _frame(body)
    assert FrameDecoder().feed(raw) == (meaning,)
    bytewise = FrameDecoder()
    assert [frame for byte in raw for frame in bytewise.feed(bytes((byte,)))] == [meaning]
    assert scanner.encode(meaning) == raw


@pytest.mark.parametrize(
    "body",
    [
        "",
        "E,12,1A2B,FFFF,+e4",
        "E,12,1A2B,FFFF00001000EFFF,+i9",
        "E,x,0,0000000000000000,+e4",
        "Z,1",
        "H,1",
        "A",
        "S,-1,0,0000000000000000",
    ],
)  # fmt: skip
def test_a_frame_with_a_right_check_and_no_sense_is_dropped(body):
    """Nothing is guessed from it and nothing raises."""
    assert FrameDecoder().feed(_frame(body)) == ()


def test_s04_garbage_before_the_start_byte():
    """Field case S04: the start byte is searched for, one byte dropped at a time."""
    decoder = FrameDecoder()
    raw = scanner.encode(E4)
    assert decoder.feed(b"\xff\xf0" + raw) == (E4,)
    assert decoder.dropped_bytes == 2


def test_s07_a_frame_in_four_reads():
    """Field case S07: the rest is kept, and an empty read is no end."""
    decoder = FrameDecoder()
    raw = scanner.encode(E4)
    frames = [decoder.feed(chunk) for chunk in (raw[:1], raw[1:9], b"", raw[9:])]
    assert frames == [(), (), (), (E4,)]


def test_s08_one_lost_byte_costs_one_frame():
    """Field case S08: whichever byte of the first frame is lost, the next two are read with no delay."""
    first, second, third = (
        scanner.encode(Happened(number=number, ms=0, occupancy=0, what=what))
        for number, what in ((1, "-e2"), (2, "+e4"), (3, "Lw"))
    )
    for lost in range(len(first) - 1):
        decoder = FrameDecoder()
        frames = decoder.feed(first[:lost] + first[lost + 1 :] + second + third)
        assert [frame.number for frame in frames if isinstance(frame, Happened)] == [2, 3]


def test_s08_a_partial_frame_is_given_up_after_a_silence():
    """Field case S08: the reader forgets half a frame (after 200 ms, within the 500 allowed)."""
    decoder = FrameDecoder()
    raw = scanner.encode(E4)
    decoder.feed(raw[:20])
    assert decoder.give_up() == 20
    assert decoder.feed(raw[20:] + raw) == (E4,)


def test_s09_a_flipped_bit_costs_one_frame_and_is_counted():
    """Field case S09: any single flipped bit, anywhere; the good copy after it is read, a bad one never."""
    raw = scanner.encode(E4)
    for at in range(len(raw) - 1):
        for bit in range(8):
            decoder = FrameDecoder()
            flipped = raw[:at] + bytes((raw[at] ^ 1 << bit,)) + raw[at + 1 :]
            assert decoder.feed(flipped + raw) == (E4,)
    decoder = FrameDecoder()
    assert decoder.feed(raw.replace(b"1000EFFF", b"1400EFFF") + raw) == (E4,)
    assert decoder.checksum_errors == 1


def test_a_doubled_byte_costs_one_frame():
    """Each byte of a frame sent twice: nothing wrong is read, and the copy after it is."""
    raw = scanner.encode(E4)
    for at in range(len(raw) - 1):
        frames = FrameDecoder().feed(raw[: at + 1] + raw[at:] + raw)
        assert set(frames) == {E4}


def test_a_frame_that_never_ends_is_not_kept():
    """Bounded memory: no frame is longer than 640 bytes."""
    decoder = FrameDecoder()
    for _ in range(100):
        decoder.feed(b"$" + b"L" * 5000)
    assert decoder.give_up() <= 641


def test_lamps_as_digits():
    """Nine hex digits a lit square; half a lamp or a square above 63 is refused."""
    lamps = ((12, 255, 128, 0, 4), (63, 0, 0, 1, 0))
    assert scanner.lamps_argument(lamps) == "0CFF800043F0000010"
    assert scanner.read_lamps_argument("0CFF800043F0000010") == lamps
    assert len(scanner.lamps_argument(tuple((square, 255, 255, 255, 1) for square in range(64)))) + 20 < 640
    for bad in ("0CFF8000", "40FF80000", "0CFF80G00"):
        with pytest.raises(ValueError):  # noqa: PT011 - any ValueError is the promise
            scanner.read_lamps_argument(bad)


_BYTES = st.lists(
    st.one_of(st.sampled_from(list(b"$*,EHSALV0123456789ABCDEF\n\r")), st.integers(0, 255)), max_size=300
).map(bytes)


@given(_BYTES, st.lists(st.integers(0, 300), max_size=20))
def test_frames_do_not_depend_on_how_they_are_cut(data, cuts):
    """Any bytes, any chunks: the same frames and counts."""
    whole, cut = FrameDecoder(), FrameDecoder()
    expected = whole.feed(data)
    at = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    chunks = [data[one:other] for one, other in pairwise(at)]
    assert tuple(frame for chunk in chunks for frame in cut.feed(chunk)) == expected
    assert (cut.dropped_bytes, cut.checksum_errors) == (whole.dropped_bytes, whole.checksum_errors)


@given(_BYTES)
def test_after_any_garbage_the_next_frame_is_read(data):
    """Resynchronised within one message."""
    decoder = FrameDecoder()
    decoder.feed(data)
    assert decoder.feed(scanner.encode(E4))[-1] == E4
