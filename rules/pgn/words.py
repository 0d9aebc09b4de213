"""Words among the moves that are no moves, and what they mean.

Source: PGN Specification, 8.2.6 (results) and 10 (numeric annotation glyphs); signs of Chess Informant.
"""

from __future__ import annotations

from rules.pgn.results import RESULTS, UNUSUAL_RESULTS
from rules.san_text import NAG_OF_MARKS

RESULT_WORDS = {**{result: result for result in RESULTS}, **UNUSUAL_RESULTS}
"""What ends a game, and the result it means."""

NULL_MOVES = frozenset({"--", "Z0", "z0", "@@@@", "null", "NULL", "pass", "0000"})
"""How programs write "no move", in analysis."""

SILENT_WORDS = frozenset({"e.p.", "e.p", "ep", "ep.", "+", "++", "#", "ch", "ch.", "check", "mate", "dbl.ch.", "-"})
"""Signs that stand apart from their move and say nothing new about it."""

NAG_WORDS = {
    **NAG_OF_MARKS,
    "□": 7,
    "=": 10,
    "∞": 13,
    "⩲": 14,
    "+=": 14,
    "+/=": 14,
    "⩱": 15,
    "=+": 15,
    "=/+": 15,
    "±": 16,
    "+/-": 16,
    "∓": 17,
    "-/+": 17,
    "+-": 18,
    "-+": 19,
    "N": 146,
}
"""Signs of informants and programs that stand apart, and their numeric annotation glyphs."""
