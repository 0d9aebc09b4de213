"""Sentences for machine words, in English, Japanese and Korean: the only place where a language matters.

Everywhere else the board speaks in words of the contract (``castling_blocked``, ``touch_move:g1``); at the edge, on the
page, a terminal or a display, a word becomes a sentence. The catalogues are gettext files whose msgid is the word with
its family in front (``reason.castling_blocked``), so that English is a translation like the others.

Placeholders are named. A tail in brackets whose fields are all missing is left out: ``violation.two_hands`` needs no
square. No Korean particle follows a placeholder, since its form would depend on the last sound of what is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from board_firmware.catalogue import Forms, read_po

LANGUAGES = ("en", "ja", "ko")
LANGUAGE_NAMES: Mapping[str, str] = {"en": "English", "ja": "日本語", "ko": "한국어"}

FAMILIES = ("reason", "ask", "violation", "report", "termination", "status", "lamp", "confidence", "verdict")
"""Where a bare word is looked up, in this order."""

_FIELD = re.compile(r"\{(\w+)\}")
_TAIL = re.compile(r"\s*[(（]([^()（）]*\{\w+\}[^()（）]*)[)）]")
_SIDES = ("white", "black")
_SQUARE_NAMES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")


@cache
def catalogue(lang: str) -> Mapping[str, Forms]:
    """All sentences of a language by msgid; ``ValueError`` for a language we do not have."""
    if lang not in LANGUAGES:
        raise ValueError(f"no language {lang!r}: choose one of {', '.join(LANGUAGES)}")
    path = files("board_firmware") / "locale" / lang / "LC_MESSAGES" / "touchmove.po"
    return read_po(path.read_text(encoding="utf-8"))


def choose_language(accepted: str, default: str = "en") -> str:
    """The best of our languages for an ``Accept-Language`` header or a locale such as ``ko_KR.UTF-8``.

    >>> choose_language("fr-FR, ko;q=0.8, en;q=0.5"), choose_language("ja_JP.UTF-8"), choose_language("fr")
    ('ko', 'ja', 'en')
    """
    ranked = []
    for place, item in enumerate(accepted.split(",")):
        name, _, parameters = item.partition(";")
        lang = re.split(r"[-_.]", name.strip().lower())[0]
        weight = re.fullmatch(r"\s*q=(\d(?:\.\d{1,3})?)\s*", parameters)
        if lang in LANGUAGES and (weight is None or float(weight[1]) > 0):
            ranked.append((-float(weight[1]) if weight else -1.0, place, lang))
    return min(ranked)[2] if ranked else default


def sentence(word: str, lang: str = "en", **fields: Any) -> str:
    """The sentence for a word of the contract, with or without its family and its subject.

    ``word`` is a msgid (``report.blip``), a bare word (``blip``) or either with a subject (``blip:b2``). ``fields``
    fill the placeholders; ``white`` and ``black`` are translated. ``ValueError`` for a word that no catalogue has.

    >>> sentence("touch_move:g1")
    'Touched and did not play it (g1)'
    >>> sentence("two_hands")
    'Used two hands'
    """
    name, _, subject = word.partition(":")
    forms = _forms(name, lang)
    if subject and "subject" not in fields:
        fields["subject"] = subject.replace(">", " → ").replace(",", ", ")
    return fill(forms, lang, fields)


def fill(forms: Forms, lang: str, fields: Mapping[str, Any], count: int = 1) -> str:
    """A sentence's form for ``count`` things, its placeholders filled; a tail in brackets without its fields is cut."""
    template = forms[min(len(forms) - 1, int(count != 1))]
    known = {name: _shown(value, lang) for name, value in fields.items() if value not in (None, "", (), [])}

    def tail(match: re.Match[str]) -> str:
        return match[0] if all(name in known for name in _FIELD.findall(match[1])) else ""

    return _FIELD.sub(lambda match: known.get(match[1], "…"), _TAIL.sub(tail, template))


def part_sentence(part: str, lang: str = "en") -> str:
    """A part of the board in words; the part itself where no catalogue has it.

    >>> part_sentence("square e4"), part_sentence("line rank 4"), part_sentence("link")
    ('switch under e4', 'switches of rank 4', 'connection to the board')
    """
    kind, _, subject = part.partition(" ")
    if kind == "line":
        direction, _, subject = subject.partition(" ")
        kind = f"line_{direction}"
    forms = catalogue(lang).get(f"part.{kind}")
    return fill(forms, lang, {"subject": subject}) if forms else part


def reason_sentence(reason: Any, lang: str = "en") -> str:
    """Why a move is illegal, in one clause without a full stop.

    ``reason`` has ``word``, ``squares`` and ``by``, as attributes or as keys; squares are numbers or names, ``by`` are
    names such as ``Bc4``.

    >>> reason_sentence({"word": "castling_through_attack", "squares": ["f1"], "by": ["Bc4"]})
    'castling through check (f1 is attacked by Bc4)'
    >>> reason_sentence({"word": "castling_right_lost"}, "ja")
    'キャスリングする権利がすでに失われています'
    """
    if not isinstance(reason, Mapping):
        reason = {name: getattr(reason, name, None) for name in ("word", "squares", "by")}
    squares = [_square(one) for one in reason.get("squares") or ()]
    by = reason.get("by") or ()
    names = [by] if isinstance(by, str) else [_square(one) for one in by]
    fields = {"squares": squares, "by": names}
    return fill(_forms(f"reason.{reason['word']}", lang), lang, fields, len(squares) or 1)


def _forms(name: str, lang: str) -> Forms:
    sentences = catalogue(lang)
    for key in (name, *(f"{family}.{name}" for family in FAMILIES)):
        if key in sentences:
            return sentences[key]
    raise ValueError(f"no sentence for {name!r}")


def _shown(value: Any, lang: str) -> str:
    if isinstance(value, str):
        return catalogue(lang)[f"side.{value}"][0] if value in _SIDES else value
    if isinstance(value, Iterable):
        return ", ".join(_shown(one, lang) for one in value)
    return str(value)


def _square(one: Any) -> str:
    return _SQUARE_NAMES[one] if isinstance(one, int) else str(one)
