"""Packed rows: the same texts back from any bytes that were written, an error from any that were not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.events import Decision, LeverMoved
from board_firmware.journal.codec import decisions_text, event_text
from board_firmware.journal.packing import _USUAL, pack, unpack
from board_firmware.journal.schema import Row

AT_NS = 83_456_789_012
PRESS = event_text(LeverMoved(down="white", at_ns=AT_NS))
MADE = decisions_text(
    [
        Decision(kind="move_made", at_ns=AT_NS - 250_000_000, details={"move": "e2e4", "side": "white"}, article="4.7"),
        Decision(kind="clock_pressed", at_ns=AT_NS, details={"side": "white", "clock": "black"}),
    ]
)
USUAL = "6b7de07ed1b75375"
"""First bytes of the hash of the text that rows are packed against: with another text no journal could be read."""


@given(st.text(), st.text(), st.integers(0, 2**62))
def test_any_texts_come_back_or_stay_as_they_are(event, decisions, at_ns):
    """Whatever they hold: line ends, marks of the packing, other alphabets."""
    blob = pack(event, decisions, at_ns)
    assert blob is None or unpack(blob, at_ns) == (event, decisions)


@pytest.mark.parametrize(
    "decisions", ["", MADE, '[{"at_s":@,"kind":"x"}]', f'[{{"at_s":83.457,"a":"{PRESS}"}},{{"at_s":83.4571}}]', "a\nb"]
)
def test_marks_within_the_texts_do_no_harm(decisions):
    """The mark for the event's own time, in a text that holds it already, is left to the unpacked form."""
    blob = pack(PRESS, decisions, AT_NS)
    assert blob is None or unpack(blob, AT_NS) == (PRESS, decisions)


def test_usual_rows_are_small():
    """A press that completes a move: less than a fifth of its text."""
    assert len(pack(PRESS, MADE, AT_NS)) < (len(PRESS) + len(MADE)) / 5


def test_the_text_that_rows_are_packed_against_never_changes():
    """All journals would be lost: a better one gets a form of its own."""
    from hashlib import sha256

    assert sha256(_USUAL).hexdigest().startswith(USUAL)


@pytest.mark.parametrize("blob", [b"", b"\0", b"\1", b"\2abc", b"\1" + bytes(20)])
def test_what_was_not_packed_is_refused(blob):
    """A ``ValueError``, whatever the library says."""
    with pytest.raises(ValueError, match="packed"):
        unpack(blob, 0)


def test_any_cut_is_refused_and_any_turned_bit_is_noticed():
    """Cut: an error. Turned: an error, or other texts, which the row's hash tells."""
    blob = pack(PRESS, MADE, AT_NS)
    for cut in range(len(blob)):
        with pytest.raises(ValueError, match="packed"):
            unpack(blob[:cut], AT_NS)
    before = bytes(16)
    row = Row(
        seq=1, boot=1, game=1, at_ns=AT_NS, wall_ms=5, trusted=True, event=PRESS, decisions=MADE,
    ).linked(before)  # fmt: skip
    *columns, packed, nothing, chain = row.record()
    assert (packed, nothing) == (blob, "")
    for bit in range(8 * len(blob)):
        turned = bytearray(blob)
        turned[bit // 8] ^= 1 << bit % 8
        try:
            other = Row.of((*columns, bytes(turned), nothing, chain))
        except ValueError:
            continue
        assert (other.event, other.decisions) == (PRESS, MADE) or not other.continues(before)


def test_a_turned_bit_does_not_fill_the_memory():
    """A blob that goes on and on is refused once it is longer than any row."""
    import zlib

    deflater = zlib.compressobj(9, zlib.DEFLATED, -13)
    blob = b"\1" + deflater.compress(bytes(1 << 25)) + deflater.flush()
    with pytest.raises(ValueError, match="packed"):
        unpack(blob, 0)


def test_what_does_not_get_shorter_is_left():
    """Text without any repetition."""
    noise = "".join(map(chr, Random(1).sample(range(0x4E00, 0x9F00), 300)))
    assert pack(noise, "", 1) is None or len(pack(noise, "", 1)) < len(noise.encode())
