"""The arbiter's page in his language: sentences for what was seen, entered and decided, beside the machine's own words.

The sentences come from the catalogues. The machine's words stay English whatever the language, so that two people with
the same page mean the same row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from board_firmware.core.events import (
    Blipped,
    BoardSnapshot,
    Command,
    Decision,
    Event,
    LeverMoved,
    Ruled,
    SquareChanged,
)
from board_firmware.messages import catalogue, fill, part_sentence, reason_sentence, sentence
from hal.squares import SQUARE_NAMES

_FAMILIES: Mapping[str, str] = {
    "ask": "ask", "claim": "claim", "termination": "termination", "verb": "ruling", "what": "note", "violation": "violation",
}  # fmt: skip
"""The details of a decision that are words of the contract, and the family of each."""

_ENTERED = ("side", "kind", "choice", "yes", "what", "subject", "about", "move")


class Words:
    """The words of one page, in ``lang``."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._sentences = catalogue(lang)

    def say(self, key: str, **fields: Any) -> str:
        """A sentence of the catalogue by its whole key."""
        return fill(self._sentences[key], self.lang, fields)

    def word(self, word: str, family: str = "") -> str:
        """The sentence for a word of the contract; the word itself, readable, where there is none."""
        name = f"{family}.{word}" if family else word
        try:
            return sentence(name, self.lang) if word else ""
        except ValueError:
            return word.replace("_", " ")

    def penalty(self, penalty: Mapping[str, Any]) -> str:
        """A penalty that was proposed or applied."""
        return self.say(f"penalty.{penalty['kind']}", **{key: value for key, value in penalty.items() if key != "kind"})

    def decided(self, decision: Decision) -> str:
        """What a decision says, with the reasons of an illegal move."""
        forms = self._sentences.get(f"decision.{decision.kind}")
        if forms is None:
            return decision.kind.replace("_", " ")
        fields = {name: self._detail(name, value) for name, value in decision.details.items()}
        said = fill(forms, self.lang, fields)
        reasons = [
            one for one in decision.details.get("reasons") or () if f"reason.{one.get('word')}" in self._sentences
        ]
        return f"{said}: {'; '.join(reason_sentence(one, self.lang) for one in reasons)}" if reasons else said

    def _detail(self, name: str, value: Any) -> Any:
        if name == "correct":
            return self.say("desk.correct" if value else "desk.incorrect")
        if name == "part":
            return part_sentence(str(value), self.lang)
        if name in _FAMILIES and isinstance(value, str):
            return self.word(value, _FAMILIES[name])
        return value

    def told(self, event: Event) -> str:
        """What the board or a person said; empty for what is no news by itself."""
        if isinstance(event, SquareChanged):
            return self.say(
                "evidence.filled" if event.occupied else "evidence.lifted", square=SQUARE_NAMES[event.square]
            )
        if isinstance(event, Blipped):
            return self.say("evidence.blip", square=SQUARE_NAMES[event.square], ms=f"{event.ms:.0f}")
        if isinstance(event, LeverMoved):
            return self.say("evidence.pressed", side=event.down)
        if isinstance(event, BoardSnapshot):
            return self.say("evidence.read", count=event.occupancy.bit_count())
        if isinstance(event, Ruled):
            ruling = " ".join((event.verb, *event.arguments))
            key = "evidence.ruling_by" if event.author else "evidence.ruling"
            return self.say(key, author=event.author, ruling=ruling, reason=event.reason)
        if isinstance(event, Command):
            said = [str(value) for name in _ENTERED if (value := getattr(event, name, None)) is not None]
            return self.say("evidence.entered", words=" ".join((type(event).__name__, *said)))
        return ""
