"""Every decoder of the serial lines, both roles, under mutated streams: no crash, no hang, no growth, no matter how cut.

The short run is the same each time. The long one (``make prove``) takes ten minutes a decoder; TOUCHMOVE_FUZZ_SECONDS says
otherwise.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from random import Random

import pytest

from hal import chesslink, chessnut, dgt, dgt_clock, scanner, sentio
from hal.placement import NOTHING, START, START_OCCUPANCY

SECONDS = float(os.environ.get("TOUCHMOVE_FUZZ_SECONDS", "600"))
ROUNDS = 250

DECODERS: dict[str, tuple[Callable[[], object], tuple[bytes, ...], int]] = {
    "dgt host": (
        dgt.MessageDecoder,
        (
            dgt.encode_dump(START),
            dgt.encode_dump(NOTHING),
            dgt.encode_update(12, "."),
            dgt.encode_update(28, "P"),
            bytes.fromhex("93 00 05 03 01"),
            bytes.fromhex("91 00 08 30 31 30 32 35"),
            dgt_clock.encode_no_clock(),
            dgt_clock.encode_button("ok"),
            dgt.encode_message(dgt.LOG, bytes(0x1F00)),
        ),
        0x1F03,
    ),
    "dgt board": (
        dgt.CommandDecoder,
        (
            b"\x40\x42\x45\x46\x4d\x47\x43",
            dgt.encode_clock_command(dgt_clock.ASCII, b"Pico4.3.\x00"),
            dgt.encode_clock_command(dgt_clock.END),
            dgt.encode_leds((12, 28)),
            dgt.encode_leds(None),
            b"AT+GMR\r",
            b"\x63\x07\x01\x02\x03\x04\x05\x06\x00",
            b"\x82\x08\x01\x0b",
        ),
        80,
    ),
    "chesslink host": (
        lambda: chesslink.FrameDecoder("host"),
        (
            chesslink.encode_status(START),
            chesslink.encode("v", "0104"),
            chesslink.encode("l"),
            chesslink.encode("w", "0203"),
        ),
        70,
    ),
    "chesslink board": (
        lambda: chesslink.FrameDecoder("board"),
        (
            chesslink.encode("V"),
            chesslink.encode("S"),
            chesslink.encode("W", "0203"),
            chesslink.encode("R", "02"),
            chesslink.encode_lamps({0: 255, 40: 1}),
        ),
        170,
    ),
    "sentio host": (
        sentio.LineDecoder,
        (
            sentio.encode_occupancy(START_OCCUPANCY),
            sentio.encode_occupancy(0),
            sentio.encode_tags(((1, 2, 3, 4, 5),) * 64),
            b"L\r\n",
            b"D\r\n",
        ),
        1400,
    ),
    "sentio board": (
        sentio.LampDecoder,
        (sentio.encode_lamps(1 << 12), bytes(8), sentio.encode_colours(((1, 2, 3),) * 81)),
        250,
    ),
    "chessnut host": (
        chessnut.ReportDecoder,
        (chessnut.encode_position(START), chessnut.encode_position(NOTHING, 7), bytes.fromhex("2A 02 55 00")),
        40,
    ),
    "chessnut board": (
        chessnut.CommandDecoder,
        (chessnut.REAL_TIME, chessnut.ASK_BATTERY, chessnut.encode_lamps(1 << 12), chessnut.encode_beep(1000, 200)),
        12,
    ),
    "scanner": (
        scanner.FrameDecoder,
        (
            scanner.encode(scanner.Hello(version=1, squares=64, lamps=64, boot=1, last=0, name="x")),
            scanner.encode(scanner.State(number=1, ms=2, occupancy=START_OCCUPANCY)),
            scanner.encode(scanner.Happened(number=1, ms=2, occupancy=3, what="+e4")),
            scanner.encode(scanner.Done(tag=1, reason="gone")),
            scanner.encode(scanner.Ask(letter="L", tag=1, arguments=("0CFF80004" * 64,))),
        ),
        641,
    ),
}
"""Name -> a new decoder, good messages to start from, and the most bytes it may keep."""


def _stream(random: Random, messages: tuple[bytes, ...]) -> bytes:
    """Good messages, hurt in every way a line can hurt them."""
    data = bytearray()
    for _ in range(random.randrange(1, 12)):
        data += random.choice(messages)
    for _ in range(random.randrange(8)):
        at = random.randrange(len(data) + 1)
        match random.randrange(6):
            case 0:
                del data[at : at + random.randrange(1, 20)]
            case 1:
                data[at:at] = data[at : at + random.randrange(1, 20)]
            case 2:
                data[at:at] = random.randbytes(random.randrange(1, 30))
            case 3 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 4:
                data[at:at] = random.choice(messages)[: random.randrange(1, 20)]
            case _:
                data[at:at] = bytes((random.choice((0, 0x0A, 0x24, 0x2A, 0x2B, 0x3A, 0x60, 0x8F, 0xFF)),)) * 3
    return bytes(data)


def _round(random: Random, new: Callable[[], object], messages: tuple[bytes, ...], most: int) -> None:
    data = _stream(random, messages)
    whole, cut = new(), new()
    expected = whole.feed(data)
    found: tuple = ()
    at = 0
    while at < len(data):
        size = random.choice((1, 1, 2, 3, 7, 64))
        found += cut.feed(data[at : at + size])
        at += size
    assert found == expected, data.hex()
    if isinstance(cut, sentio.LampDecoder):
        assert len(cut._buffer) <= most
        whole.give_up()
        cut.give_up()
    else:
        assert cut.give_up() == whole.give_up() <= most
    # And whatever happened, a good message is understood after at most one more.
    good = random.choice(messages)
    assert cut.feed(good + good)[-1:] == new().feed(good)[-1:], data.hex()


@pytest.mark.parametrize("name", DECODERS)
def test_mutated_streams(name):
    """A few hundred streams, the same each time."""
    random = Random(name)
    for _ in range(ROUNDS):
        _round(random, *DECODERS[name])


@pytest.mark.prove
@pytest.mark.parametrize("name", DECODERS)
def test_mutated_streams_for_ten_minutes(name):
    """As many as there is time for; each round is short, so that a hang would show."""
    random = Random()
    seed = random.getrandbits(64)
    random.seed(seed)
    end = time.monotonic() + SECONDS
    rounds = 0
    while time.monotonic() < end:
        begun = time.monotonic()
        _round(random, *DECODERS[name])
        assert time.monotonic() - begun < 5, seed
        rounds += 1
    assert rounds > SECONDS
