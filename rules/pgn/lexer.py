"""PGN text into tokens, each with its line and column, one pass and no look back.

One regular expression finds the next token; a move comes out together with the number before it, because that pair is
most of every file. The lexer knows what the standard leaves to reading line by line: escape lines, comments to the end
of the line, comments over many lines, and tag pairs wherever a line holds them. It knows no chess and no game.

A comment ends at the first closing brace, as the standard says. Only where braces stand inside it and what follows
cannot be movetext does it go on to the next one, so that ``{this {is a} nested {comment}}`` stays one comment.

Source: PGN Specification, 5 (commentary), 6 (escape), 7 (tokens).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.pgn.fault import FaultWord
from rules.pgn.lines import Line
from rules.pgn.tags import read_tag

WORD, NUMBER, COMMENT, NAG, OPEN, CLOSE, TAG, BLANK, FAULT = range(9)
"""The kinds of token, plain ints because the reader compares them at every ply."""

MAX_COMMENT_CHARS = 1 << 20
"""A comment is cut here: a brace that never closes must not swallow an archive into memory."""

# Classes that list what moves are made of are matched three times as fast as classes that exclude what they are not.
_WORD = "[A-Za-z0-9*+#!?=@½♔-♟–‑−-][A-Za-z0-9*+#!?=@½♔-♟–‑−:/.†‡×-]*+(?:[(][QRBNqrbn][)][+#!?]*+)?"
_TOKEN = re.compile(
    rf"[ \t]*+(?:(\d++)[ ]*+[.…][ \t.…]*+({_WORD})?"  # 1: number alone, 2: number and word
    rf"|({_WORD})"  # 3
    r"|\{([^}]*+)(\})?"  # 4: open to the end of the line, 5: closed
    r"|\$(\d++)"  # 6
    r"|(\(=\))"  # 7: a draw offer, as players write it
    r"|(\()"  # 8
    r"|(\))"  # 9
    r"|;(.*+)"  # 10
    r"|(\[)"  # 11
    r"|(\})"  # 12
    r"|(<[^>]*+>?)"  # 13: reserved by the standard; in practice HTML
    r"|([^\s.…{}()\[\];$<>][^\s{}()\[\];$<>]*+|[$>]))"  # 14: a word of unknown letters, or a stray sign
)
_MOVETEXT = re.compile(r"\s*(?:\d+\s*[.…-]|1/2|[-*({;$)\[!?]|[KQRBN][a-h1-8x]|[a-h][1-8x]|[O0]-[O0]|$)")
_TAG_START = re.compile(r'\s*\[[A-Za-z_]\w*\s+"')
_EVENT = re.compile(r'\[Event\s+"')


def begins_tags(text: str) -> bool:
    """Whether a line begins with what looks like a tag pair."""
    return _TAG_START.match(text) is not None


class Token(NamedTuple):
    """One token; `extra` is the number before a word ("" without one), a tag's value, or the word of a fault."""

    kind: int
    text: str
    extra: str
    line: int
    column: int


def read_tokens(lines: Iterable[Line]) -> Iterator[tuple[int, str, str, int, int]]:
    """The tokens of some lines: plain tuples with the fields of `Token`."""
    comment = _OpenComment()
    half: tuple[str, int, int] | None = None  # a plain comment left open on the line before, with its place
    skips_line = False  # the rest of an escape line that came in pieces
    was_blank = True
    find = _TOKEN.finditer
    for number, offset, text, _ in lines:
        at = 0
        if half is not None:
            end = text.find("}")
            if end >= 0 and not offset and text[0] != "[" and text.find("{", 0, end) < 0:
                # live feeds break nearly every line inside a comment: this way takes a third of the time
                yield COMMENT, " ".join(f"{half[0]} {text[:end]}".split()), "", half[1], half[2]
                at = end + 1
            else:
                comment.open(half[1], half[2])
                comment.go_on(half[0])
            half = None
        if at:
            pass
        elif offset:
            if skips_line:
                continue
        elif comment.is_open:
            if comment.is_to_line_end:
                yield comment.close()
            elif _EVENT.match(text) or (was_blank and _TAG_START.match(text)):
                yield FAULT, "{", FaultWord.COMMENT_UNCLOSED, comment.line, comment.column
                yield comment.close()
        if comment.is_open:
            at = comment.go_on(text)
            was_blank = not text or text.isspace()
            if at < 0:
                continue
            if comment.is_nested:
                yield FAULT, "{", FaultWord.COMMENT_NESTED, comment.line, comment.column
            yield comment.close()
        elif not offset and not at:
            skips_line = text.startswith("%")
            if skips_line:
                continue
            was_blank = not text or text.isspace()
            if was_blank:
                yield BLANK, "", "", number, 1
                continue

        while at >= 0:
            start, at = at, -1
            for match in find(text, start):
                kind = match.lastindex
                if kind == 3:
                    yield WORD, match[3], "", number, offset + match.start(3) + 1
                elif kind == 2:
                    yield WORD, match[2], match[1], number, offset + match.start(2) + 1
                elif kind == 5 and "{" not in match[4]:
                    yield COMMENT, " ".join(match[4].split()), "", number, offset + match.start(4)
                elif kind == 6:
                    yield NAG, match[6], "", number, offset + match.start(6)
                elif kind == 1:
                    yield NUMBER, match[1], match[1], number, offset + match.start(1) + 1
                elif kind == 8:
                    yield OPEN, "(", "", number, offset + match.start(8) + 1
                elif kind == 9:
                    yield CLOSE, ")", "", number, offset + match.start(9) + 1
                elif kind == 4 and "{" not in match[4]:
                    half = (match[4], number, offset + match.start(4))
                elif kind == 4 or kind == 5:
                    comment.open(number, offset + match.start(4))
                    at = comment.go_on(text, match.start(4))
                    if at >= 0:
                        if comment.is_nested:
                            yield FAULT, "{", FaultWord.COMMENT_NESTED, comment.line, comment.column
                        yield comment.close()
                    break
                elif kind == 11:
                    start = match.start(11)
                    column = offset + start + 1
                    tag = read_tag(text, start)
                    if tag is None:
                        at = text.find("]", match.end()) + 1 or len(text)
                        yield FAULT, text[start:at], FaultWord.MARKUP_SKIPPED, number, column
                    else:
                        at = tag.end
                        yield TAG, tag.name, tag.value, number, column
                        if tag.is_broken:
                            yield FAULT, text[start:at], FaultWord.TAG_MALFORMED, number, column
                        elif tag.is_repaired:
                            yield FAULT, text[start:at], FaultWord.TAG_REPAIRED, number, column
                    break
                elif kind == 10:
                    comment.open(number, offset + match.start(10), is_to_line_end=True)
                    comment.parts.append(match[10])
                elif kind == 7:
                    yield COMMENT, match[7], "", number, offset + match.start(7) + 1
                elif kind == 12:
                    yield FAULT, "}", FaultWord.BRACE_UNOPENED, number, offset + match.start(12) + 1
                elif kind == 13:
                    yield FAULT, match[13], FaultWord.MARKUP_SKIPPED, number, offset + match.start(13) + 1
                elif kind == 14:
                    yield WORD, match[14], "", number, offset + match.start(14) + 1
    if half is not None:
        comment.open(half[1], half[2])
        comment.go_on(half[0])
    if comment.is_open:
        if not comment.is_to_line_end:
            yield FAULT, "{", FaultWord.COMMENT_UNCLOSED, comment.line, comment.column
        yield comment.close()


class _OpenComment:
    """The comment being read, over as many lines as it has."""

    __slots__ = ("_chars", "_has_brace", "column", "is_nested", "is_open", "is_to_line_end", "line", "parts")

    def __init__(self) -> None:
        self.is_open = False
        self.open(0, 0)
        self.is_open = False

    def open(self, line: int, column: int, *, is_to_line_end: bool = False) -> None:
        self.parts: list[str] = []
        self._chars = 0
        self._has_brace = False
        self.line, self.column = line, column
        self.is_open, self.is_to_line_end, self.is_nested = True, is_to_line_end, False

    def go_on(self, text: str, start: int = 0) -> int:
        """Take in a line from an index on; where in it the comment ends (after the brace), or -1."""
        if self.is_to_line_end:
            self._take(text)
            return -1
        end = text.find("}", start)
        while end >= 0:
            if not (self._has_brace or text.find("{", start, end) >= 0) or _MOVETEXT.match(text, end + 1):
                self._take(text[start:end])
                return end + 1
            self.is_nested = True
            end = text.find("}", end + 1)
        self._take(text[start:])
        self._has_brace = self._has_brace or "{" in text
        return -1

    def _take(self, text: str) -> None:
        if self._chars < MAX_COMMENT_CHARS:
            self.parts.append(text)
            self._chars += len(text)

    def close(self) -> tuple[int, str, str, int, int]:
        self.is_open = False
        return COMMENT, " ".join(" ".join(self.parts).split()), "", self.line, self.column
