"""Bytes into numbered lines: encodings, line ends, and lines without end."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pgn.lines import BLOCK_BYTES, PIECE_CHARS, Line, read_lines


def texts(source: object) -> list[str]:
    """The lines' texts."""
    return [line.text for line in read_lines(source)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    """LF, CRLF and CR end a line; numbers count from 1."""
    source = f"a{end}b{end}{end}c".encode()
    assert [(line.number, line.text) for line in read_lines(source)] == [(1, "a"), (2, "b"), (3, ""), (4, "c")]


def test_all_kinds_of_source() -> None:
    """Text, bytes, streams of either, and iterables of lines with or without line ends give the same."""
    text = '[White "Ä"]\n\n1. e4 *'
    expected = ['[White "Ä"]', "", "1. e4 *"]
    for source in (text, text.encode(), io.StringIO(text), io.BytesIO(text.encode())):
        assert texts(source) == expected
    for source in (text.splitlines(), text.splitlines(keepends=True), text.encode().splitlines(keepends=True)):
        assert texts(source)[:3] == expected


def test_byte_order_marks() -> None:
    """UTF-8 with a mark, even with two, and UTF-16 of either kind, which editors write."""
    assert texts("\ufeff[Event".encode()) == ["[Event"]
    assert texts("\ufeff\ufeff[Event".encode()) == ["[Event"]
    assert texts("é\r\nb".encode("utf-16")) == ["é", "b"]
    assert texts(b"\xfe\xff" + "é\nb".encode("utf-16-be")) == ["é", "b"]


def test_latin1_line_by_line() -> None:
    """A line that is not UTF-8 is Latin-1; the lines around it are what they are."""
    source = "Józef\n".encode() + "Réti\n".encode("latin-1") + "Näss".encode()
    assert list(read_lines(source)) == [
        Line(1, 0, "Józef", False),
        Line(2, 0, "Réti", True),
        Line(3, 0, "Näss", False),
    ]


def test_signs_nobody_sees() -> None:
    """Zero-width signs go, odd spaces become plain ones."""
    assert texts("1.\u00a0e4\u200b e5\u2028x") == ["1. e4 e5 x"]


def test_a_crlf_torn_between_blocks() -> None:
    """A carriage return at the end of one block and its line feed in the next are one line end."""
    source = b"x" * (BLOCK_BYTES - 1) + b"\r\ny"
    assert [len(line.text) for line in read_lines(source)] == [BLOCK_BYTES - 1, 1]


def test_an_endless_line_comes_in_pieces() -> None:
    """Pieces keep the line's number and say where they begin; nothing is lost."""
    word = "e4 " * 100_000
    pieces = list(read_lines(word))
    assert "".join(piece.text for piece in pieces) == word
    assert {piece.number for piece in pieces} == {1}
    assert max(len(piece.text) for piece in pieces) <= PIECE_CHARS + BLOCK_BYTES
    assert [piece.offset for piece in pieces] == [sum(len(p.text) for p in pieces[:n]) for n in range(len(pieces))]


def test_progress_counts_bytes() -> None:
    """After each block, the bytes so far."""
    seen: list[int] = []
    list(read_lines(b"abc\n" * 50_000, seen.append))
    assert seen == [65_536, 131_072, 196_608, 200_000]


def test_bytes_and_text_do_not_mix() -> None:
    """A source that changes its mind is a mistake of the caller."""
    with pytest.raises(TypeError):
        list(read_lines([b"a\n", "b\n"]))


def test_memory_stays_small() -> None:
    """Eight megabytes without a line end need about as much as a block."""

    class Endless:
        left = 128

        def read(self, size: int) -> bytes:
            self.left -= 1
            return b"x" * size if self.left >= 0 else b""

    tracemalloc.start()
    try:
        total = sum(len(line.text) for line in read_lines(Endless()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 128 * BLOCK_BYTES
    assert peak < 2_000_000


@given(st.text(alphabet="ab\n\r é", max_size=40), st.sampled_from(["utf-8", "latin-1"]))
def test_as_python_splits(text: str, encoding: str) -> None:
    """Property: the same lines as universal newlines give."""
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert texts(text.encode(encoding)) == (expected if text else [])
