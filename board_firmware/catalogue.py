"""Reads gettext ``.po`` files as they stand, so that no compiler step stands between a sentence and its use.

Only what our catalogues hold is read: ``msgid``, ``msgid_plural``, ``msgstr``, ``msgstr[n]``, strings over several
lines and comments. A text that is anything else is refused with its line, since a catalogue is part of the program.

Source: the GNU gettext manual, "The Format of PO Files".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_LINE = re.compile(r'(?:(msgid_plural|msgid|msgstr(?:\[(\d)\])?)\s+)?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}

Forms = tuple[str, ...]
"""A sentence's forms: one, or one for each plural form of the language."""


def read_po(text: str) -> Mapping[str, Forms]:
    """The catalogue's sentences by msgid; the header (an empty msgid) is left out.

    Raises ``ValueError`` with the line number for anything that is not an entry, a comment or a blank line, for a
    msgid given twice and for one left without a sentence.
    """
    found: dict[str, dict[int, str]] = {}
    key: str | None = None
    form: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        match = _LINE.fullmatch(stripped)
        if match is None:
            raise ValueError(f"line {number}: not an entry of a catalogue: {stripped!r}")
        keyword, index, quoted = match.groups()
        piece = _ESCAPE.sub(lambda one: _ESCAPED.get(one[1], one[1]), quoted)
        if keyword == "msgid":
            if piece in found:
                raise ValueError(f"line {number}: {piece!r} stands here twice")
            key, form = piece, None
            found[key] = {}
        elif key is None:
            raise ValueError(f"line {number}: a text before the first msgid")
        elif keyword == "msgid_plural":
            form = None
        elif keyword is not None:
            form = int(index or 0)
            found[key][form] = piece
        elif form is not None:
            found[key][form] += piece
    if found.pop("", None) is None:
        raise ValueError("line 1: a catalogue begins with its header, an empty msgid")
    for msgid, forms in found.items():
        if not forms or not all(forms.values()):
            raise ValueError(f"{msgid!r} has no sentence")
    return MappingProxyType({msgid: tuple(forms[n] for n in sorted(forms)) for msgid, forms in found.items()})
