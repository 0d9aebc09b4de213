"""Numbered lines out of bytes or text of any length, holding no more than one block at a time.

An archive may be larger than memory and a hostile one may be a single line, so the source is read in blocks and a line
longer than ``PIECE_CHARS`` comes in pieces, each with the column it starts at. Bytes are UTF-8, with or without a byte
order mark; a line that is not is Latin-1, the character set of the PGN standard. The choice is made line by line, for
archives are glued together from files of both kinds, and one wrong byte must not spoil the names in the rest.

Source: Portable Game Notation Specification and Implementation Guide (1994), 4.1 (Latin-1).
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from typing import AnyStr, NamedTuple, Protocol, TypeAlias, runtime_checkable

BLOCK_BYTES = 64 * 1024
"""How much is read at once; progress is reported as often."""

PIECE_CHARS = 64 * 1024
"""A longer line comes in pieces of at most about twice this: bounds the memory a file without line ends can take."""

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200e\u200f\u2060"))
_WHITE = dict.fromkeys(map(ord, "\x85\xa0\u2028\u2029\u202f\u3000"), " ")
_PLAIN = _INVISIBLE | _WHITE
"""Signs nobody sees, away with them, and white space that is neither a space nor a line end here."""


@runtime_checkable
class Readable(Protocol):
    """A stream of bytes or text, such as an opened file."""

    def read(self, size: int, /) -> bytes | str:
        """At most ``size`` bytes or characters; empty at the end."""


PgnSource: TypeAlias = "str | bytes | Readable | Iterable[str] | Iterable[bytes]"
"""Where games are read from: the whole text, a stream, or an iterable of lines."""

Progress: TypeAlias = Callable[[int], None]
"""Called with the number of bytes (characters, if the source is text) read so far."""


class Line(NamedTuple):
    """One line, or one piece of a very long line, without its line end."""

    number: int
    """Counted from 1."""
    offset: int
    """Characters of the line before this piece: 0 for every line of ordinary length."""
    text: str
    is_latin1: bool
    """The bytes were not UTF-8."""


def plain(text: str) -> str:
    """The text without signs that nobody sees, and with a space for white space of unusual kinds."""
    return text if text.isascii() else text.translate(_PLAIN)


def read_lines(source: PgnSource, progress: Progress | None = None) -> Iterator[Line]:
    """Give the lines, ended by LF, CRLF or CR. Never raises on content: any bytes are Latin-1 at least."""
    number, offset = 1, 0
    for text, is_latin1, is_whole in _decoded(_blocks(source, progress)):
        text = plain(text)
        if is_whole:
            for line in text.split("\n"):
                yield Line(number, offset, line, is_latin1)
                number, offset = number + 1, 0
        else:
            yield Line(number, offset, text, is_latin1)
            offset += len(text)


def _blocks(source: PgnSource, progress: Progress | None) -> Iterator[bytes | str]:
    done = 0
    for part in _parts(source):
        done += len(part)
        yield part
        if progress is not None:
            progress(done)


def _parts(source: PgnSource) -> Iterator[bytes | str]:
    if isinstance(source, str | bytes):
        for at in range(0, len(source), BLOCK_BYTES):
            yield source[at : at + BLOCK_BYTES]
    elif isinstance(source, Readable):
        while part := source.read(BLOCK_BYTES):
            yield part
    else:
        for line in source:
            if isinstance(line, str):
                yield line if line.endswith("\n") else line + "\n"
            else:
                yield line if line.endswith(b"\n") else line + b"\n"


def _decoded(blocks: Iterator[bytes | str]) -> Iterator[tuple[str, bool, bool]]:
    """Text, whether its bytes were Latin-1, and whether it ends where a line does."""
    first = next(blocks, None)
    if first is None:
        return
    if isinstance(first, str):
        for text, is_whole in _cut(_joined(first, blocks), "\r\n", "\r", "\n", " "):
            yield text, False, is_whole
    elif first.startswith(_UTF16_MARKS):
        wide = codecs.iterdecode(_joined(first, blocks), "utf-16", errors="replace")
        for text, is_whole in _cut(wide, "\r\n", "\r", "\n", " "):
            yield text, False, is_whole
    else:
        for raw, is_whole in _cut(_joined(first, blocks), b"\r\n", b"\r", b"\n", b" "):
            try:
                yield str(raw, "utf-8"), False, is_whole
            except UnicodeDecodeError:
                for line in raw.split(b"\n"):
                    try:
                        yield str(line, "utf-8"), False, is_whole
                    except UnicodeDecodeError:
                        yield str(line, "latin-1"), True, is_whole


def _joined(first: AnyStr, rest: Iterator[bytes | str]) -> Iterator[AnyStr]:
    kind = type(first)
    yield first
    for block in rest:
        if not isinstance(block, kind):
            raise TypeError("a PGN source gives either bytes or text, not both")
        yield block


def _cut(
    blocks: Iterator[AnyStr], crlf: AnyStr, cr: AnyStr, lf: AnyStr, space: AnyStr
) -> Iterator[tuple[AnyStr, bool]]:
    """Cut the blocks anew, each at the end of a line (True) or inside a very long one (False); line ends become LF."""
    nothing = lf[:0]
    held = nothing
    for block in blocks:
        text = held + block
        pending = nothing
        if text.endswith(cr):  # half of a CRLF, perhaps
            text, pending = text[: -len(cr)], cr
        if cr in text:
            text = text.replace(crlf, lf).replace(cr, lf)
        end = text.rfind(lf)
        if end >= 0:
            yield text[:end], True
            text = text[end + 1 :]
        if len(text) > PIECE_CHARS:
            at = text.rfind(space) + 1 or len(text)
            yield text[:at], False
            text = text[at:]
        held = text + pending
    yield held.replace(cr, lf), True
