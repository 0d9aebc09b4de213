"""Tag pairs: read from the lines people really write, written as the standard has them.

A proper pair is ``[Name "value"]`` with ``\\"`` and ``\\\\`` escaped. Files also hold quotes that nobody escaped, a
backslash before the closing quote, and quotes that never close; those are read as what they were meant to be, and said.

Source: PGN Specification, 8.1 (tag pair section), 8.1.1 (seven tag roster), 9 (supplemental tag names).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from rules.pgn.lines import plain

ROSTER: Mapping[str, str] = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The seven tags every exported game has, in their order, with what stands for "unknown"."""

_NAME = r"\[\s*([^\s\[\]\"]+)\s*"
_PROPER = re.compile(_NAME + r'"((?:[^"\\]|\\.)*+)"\s*\]')
_UNESCAPED = re.compile(_NAME + r'"(.*?)"\s*\](?=\s*(?:\[|<|$))')
_START = re.compile(_NAME + r'(?:"|(?<=\s))')
_WHOLE_NAME = re.compile(r"[^\s\[\]\"]+")
_ESCAPE = re.compile(r"\\([\"\\])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class TagPair(NamedTuple):
    """One tag pair as found in a line."""

    name: str
    value: str
    end: int
    """Where in the line the text after it begins."""
    is_repaired: bool = False
    """A quote or backslash was not escaped."""
    is_broken: bool = False
    """Quotes or bracket were not closed; the value is a guess."""


def read_tag(line: str, at: int) -> TagPair | None:
    """Read the tag pair that begins with the bracket at an index of a line; None if it is none at all."""
    tag = _read_tag(line, at)
    if tag is not None and not tag.value.isprintable():
        return tag._replace(value=clean_value(tag.value))
    return tag


def _read_tag(line: str, at: int) -> TagPair | None:
    if match := _PROPER.match(line, at):
        name, value = match.groups()
        if "\\" in value:
            value = _ESCAPE.sub(r"\1", value)
        return TagPair(name, value, match.end())
    if match := _UNESCAPED.match(line, at):
        name, value = match.groups()
        return TagPair(name, _ESCAPE.sub(r"\1", value), match.end(), is_repaired=True)
    if match := _START.match(line, at):
        value = line[match.end() :].strip().removesuffix("]").strip().removesuffix('"')
        return TagPair(match[1], value, len(line), is_broken=True)
    return None


def clean_value(value: str) -> str:
    """A value as a tag can hold it: line ends and other control characters become spaces."""
    return _CONTROL.sub(" ", plain(value))


def write_tag(name: str, value: str) -> str:
    """``[Name "value"]``, the value cleaned; raises ``ValueError`` for a name that PGN cannot hold."""
    if not _WHOLE_NAME.fullmatch(name):
        raise ValueError(f"not a name for a PGN tag: {name!r}")
    value = clean_value(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]'


def split_round(value: str) -> tuple[str, str]:
    """Round and board of a Round tag: ``"21.8"`` is round 21, board 8; the board is empty where none is named.

    >>> split_round("21.8")
    ('21', '8')
    """
    round_, _, board = value.strip().partition(".")
    return round_, board


def in_export_order(tags: Mapping[str, str]) -> list[tuple[str, str]]:
    """The seven tag roster first, missing ones as unknown, then the others in the order of their ASCII names."""
    roster = [(name, tags.get(name) or unknown) for name, unknown in ROSTER.items()]
    return roster + sorted((name, value) for name, value in tags.items() if name not in ROSTER)
