"""The ChessLink codec against vectors typed from the protocol's tables, and against noise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import chesslink
from hal.chesslink import Frame, FrameDecoder
from hal.placement import START
from hal.squares import parse_square

# 's' + rnbqkbnr pppppppp ... RNBQKBNR: the rows cancel in the XOR (two equal rows of pawns each, letters in pairs), except
# what upper and lower case leave; worked out by hand: eight times p = 0, eight P = 0, 32 dots = 0; r,n,b in pairs = 0,
# q^k = 71^6B = 1A; Q^K = 51^4B = 1A; 1A^1A = 0; so the check is 's' itself, 73.
START_STATUS_TEXT = "srnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR73"


def _odd(text: str) -> bytes:
    """7-bit text with odd parity in bit 7, the long way round."""
    return bytes(ord(char) | (0 if bin(ord(char)).count("1") % 2 else 0x80) for char in text)


def test_parity_and_check_of_the_notes():
    """``V56`` is D6 B5 B6; S is D3, X 58, L 4C, W 57, R 52."""
    assert chesslink.encode("V") == bytes.fromhex("D6 B5 B6")
    assert [chesslink.encode(letter, text)[0] for letter, text in (("S", ""), ("X", ""), ("R", "00"))] == [
        0xD3, 0x58, 0x52,
    ]  # fmt: skip
    assert chesslink.encode("W", "0000") == _odd("W000057")


@pytest.mark.parametrize(
    ("role", "text", "meaning"),
    [
        ("board", "V56", Frame(letter="V")),
        ("board", "S53", Frame(letter="S")),
        ("board", "X58", Frame(letter="X")),
        ("board", "T54", Frame(letter="T")),
        ("board", "R0253", None),  # a wrong check: R^0^2 = 52^30^32 = 50
        ("board", "R0250", Frame(letter="R", text="02")),
        ("board", "W020356", Frame(letter="W", text="0203")),
        ("host", "v010473", Frame(letter="v", text="0104")),
        ("host", "l6C", Frame(letter="l")),
        ("host", "x78", Frame(letter="x")),
        ("host", "w020376", Frame(letter="w", text="0203")),
        ("host", START_STATUS_TEXT, Frame(letter="s", text=START_STATUS_TEXT[1:65])),
    ],
)
def test_frames_are_read_as_the_table_says(role, text, meaning):
    """Each frame, whole and one byte at a time; a bad one is ignored."""
    raw = _odd(text)
    expected = [] if meaning is None else [meaning]
    assert list(FrameDecoder(role).feed(raw)) == expected
    bytewise = FrameDecoder(role)
    assert [frame for byte in raw for frame in bytewise.feed(bytes((byte,)))] == expected


def test_a_status_is_a_placement():
    """a8 first, as in the table."""
    assert chesslink.encode_status(START) == _odd(START_STATUS_TEXT)
    (frame,) = FrameDecoder("host").feed(_odd(START_STATUS_TEXT))
    assert chesslink.read_status(frame) == START


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[1:],
        lambda raw: raw[:30] + raw[31:],
        lambda raw: raw[:30] + raw[30:31] + raw[30:],
        lambda raw: raw[:20] + bytes((raw[20] ^ 0x04,)) + raw[21:],
        lambda raw: raw[:20] + bytes((raw[20] ^ 0x03,)) + raw[21:],
        lambda raw: raw[:-1],
        lambda raw: raw[:40],
    ],
)
def test_damage_costs_one_frame(damage):
    """Lost, doubled and flipped bytes: nothing is read from the damaged frame, all from the next."""
    raw = _odd(START_STATUS_TEXT)
    frames = FrameDecoder("host").feed(damage(raw) + raw)
    assert frames == (Frame(letter="s", text=START_STATUS_TEXT[1:65]),)


def test_the_block_check_can_be_switched_off():
    """Register 0: a frame with any two digits counts then."""
    decoder = FrameDecoder("board")
    decoder.checked = False
    assert decoder.feed(_odd("S00")) == (Frame(letter="S"),)


def test_lamps_are_on_corners():
    """LED 1 is a8's corner, 9 a1's, 73 h8's, 81 h1's; a square has four."""
    assert chesslink.corners_of(parse_square("a8")) == (0, 1, 9, 10)
    assert chesslink.corners_of(parse_square("a1")) == (7, 8, 16, 17)
    assert chesslink.corners_of(parse_square("h8")) == (63, 64, 72, 73)
    assert chesslink.corners_of(parse_square("h1")) == (70, 71, 79, 80)
    frame = chesslink.encode_lamps({0: 0xFF, 80: 0x01}, slot=0x32)
    text = "L32" + "FF" + "00" * 79 + "01"
    check = 0
    for char in text:
        check ^= ord(char)
    assert frame == _odd(f"{text}{check:02X}")
    (read,) = FrameDecoder("board").feed(frame)
    assert chesslink.read_lamps(read) == (0x32, {0: 0xFF, 80: 0x01})


@pytest.mark.parametrize(
    "squares", [["e2"], ["e2", "e4"], ["e2", "e3"], ["a1", "h8"], ["d4", "e4", "d5", "e5"], ["e1", "g1"], ["a1", "b2"]]
)
def test_squares_are_found_again_from_their_corners(squares):
    """What a host lights comes out, and not the square in between whose corners are all lit as well."""
    wanted = {parse_square(name) for name in squares}
    corners = {corner: 0xFF for square in wanted for corner in chesslink.corners_of(square)}
    assert set(chesslink.squares_lit(corners)) == wanted


_LETTERS = st.sampled_from(list(_odd("VSXTRWLvslxwr.PKq0123456789ABCDEF")))
_BYTES = st.lists(st.one_of(_LETTERS, st.integers(0, 255)), max_size=400).map(bytes)


@given(st.sampled_from(["host", "board"]), _BYTES, st.lists(st.integers(0, 400), max_size=20))
def test_frames_do_not_depend_on_how_they_are_cut(role, data, cuts):
    """Any bytes, any chunks: the same frames, and never more than one frame kept."""
    whole, cut = FrameDecoder(role), FrameDecoder(role)
    expected = whole.feed(data)
    at = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    chunks = [data[one:other] for one, other in pairwise(at)]
    assert tuple(frame for chunk in chunks for frame in cut.feed(chunk)) == expected
    assert cut.give_up() == whole.give_up() <= 167


@given(_BYTES)
def test_after_any_garbage_the_next_frame_is_read(data):
    """Resynchronised within one message."""
    decoder = FrameDecoder("host")
    decoder.feed(data)
    raw = _odd(START_STATUS_TEXT)
    assert decoder.feed(raw + raw)[-1].letter == "s"
