"""How a game ended, as PGN says it: the four results, other ways to write them, and the Termination tag.

Source: PGN Specification, 8.2.6 (game termination markers), 9.8.1 (Termination).
"""

from __future__ import annotations

from rules.outcome import Termination

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""The game termination markers."""

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212:"
_DRAWS = ("1/2{}1/2", "½{}½", "0.5{}0.5", "0,5{}0,5")

UNUSUAL_RESULTS: dict[str, str] = {
    **{text.format(dash): "1/2-1/2" for dash in _DASHES for text in _DRAWS},
    **{f"1{dash}0": "1-0" for dash in _DASHES},
    **{f"0{dash}1": "0-1" for dash in _DASHES},
    **dict.fromkeys(("½", "1/2"), "1/2-1/2"),
    **dict.fromkeys(("+--", "+:-"), "1-0"),  # by forfeit
    **dict.fromkeys(("--+", "-:+"), "0-1"),
}
"""What else stands for a result in files, and what it means."""
for _result in RESULTS:
    UNUSUAL_RESULTS.pop(_result, None)

_UNUSUAL_IN_TAG = {"+-": "1-0", "+/-": "1-0", "-+": "0-1", "-/+": "0-1", "?": "*", "": "*"}


def read_result(tag: str) -> str | None:
    """The result a Result tag's value means; None if it means none that PGN has (both may lose, as ``0-0``)."""
    tag = tag.strip()
    if tag in RESULTS:
        return tag
    return UNUSUAL_RESULTS.get(tag) or _UNUSUAL_IN_TAG.get(tag)


_T = Termination
_TERMINATION_TAGS = {
    **dict.fromkeys((_T.TIME, _T.TIME_NO_MATING_MATERIAL, _T.TIME_NO_MATING_LINE, _T.BOTH_FLAGS), "time forfeit"),
    **dict.fromkeys((_T.SECOND_ILLEGAL_MOVE, _T.SECOND_ILLEGAL_MOVE_NO_MATING_MATERIAL), "rules infraction"),
    _T.ARBITER: "adjudication",
    _T.ABANDONED: "abandoned",
    _T.GAME_CANCELLED_NEW_GAME: "abandoned",
}


def termination_tag(termination: Termination | None) -> str:
    """The value of the Termination tag; None is a game that goes on.

    >>> termination_tag(Termination.CHECKMATE)
    'normal'
    """
    if termination is None:
        return "unterminated"
    return _TERMINATION_TAGS.get(termination, "normal")
