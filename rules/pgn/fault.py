"""What is wrong in a PGN file, and where: found while reading, kept with the game, never raised.

A reader that stopped at the first oddity would lose the rest of an archive, and one that kept silent would pass on a
game that was never played. So each oddity is a value with its place. An *error* means that something could not be read
as it was meant; a *note* means that it could, but is not as the standard has it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class FaultWord(enum.StrEnum):
    """The kinds of fault; the words are stable, for programs."""

    ILLEGAL_MOVE = "illegal_move"
    AMBIGUOUS_MOVE = "ambiguous_move"
    UNREADABLE_MOVE = "unreadable_move"
    NULL_MOVE = "null_move"
    UNKNOWN_TOKEN = "unknown_token"
    RESULT_MISMATCH = "result_mismatch"
    RESULT_UNKNOWN = "result_unknown"
    FEN_INVALID = "fen_invalid"
    VARIANT_UNKNOWN = "variant_unknown"
    TAG_MALFORMED = "tag_malformed"
    COMMENT_UNCLOSED = "comment_unclosed"
    BRACE_UNOPENED = "brace_unopened"
    VARIATION_UNCLOSED = "variation_unclosed"
    VARIATION_UNOPENED = "variation_unopened"
    VARIATION_MISPLACED = "variation_misplaced"
    VARIATION_TOO_DEEP = "variation_too_deep"
    GAME_TOO_LONG = "game_too_long"
    TOO_MANY_FAULTS = "too_many_faults"
    # notes
    COMMENT_NESTED = "comment_nested"
    FEN_UNREACHABLE = "fen_unreachable"
    MARKUP_SKIPPED = "markup_skipped"
    MOVE_NUMBER = "move_number"
    NAG_MISPLACED = "nag_misplaced"
    NOT_UTF8 = "not_utf8"
    POSSIBLE_RESULT_SIGN = "possible_result_sign"
    RESULT_MISSING = "result_missing"
    RESULT_REPEATED = "result_repeated"
    RESULT_UNUSUAL = "result_unusual"
    SETUP_MISSING = "setup_missing"
    TAG_REPAIRED = "tag_repaired"
    TAG_REPEATED = "tag_repeated"
    VARIANT_MISSING = "variant_missing"


NOTES = frozenset(list(FaultWord)[list(FaultWord).index(FaultWord.COMMENT_NESTED) :])
"""The words that do not take anything away from the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PgnFault:
    """One oddity: `line` and `column` count from 1 (columns in characters), `text` is what stands there."""

    word: FaultWord
    line: int
    column: int
    text: str
    why: str
    """A sentence without a full stop: what is wrong and, where there is one, the way out."""

    @property
    def is_error(self) -> bool:
        """Something was not read as it was meant."""
        return self.word not in NOTES

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.why}"


SENTENCES: dict[FaultWord, str] = {
    FaultWord.BRACE_UNOPENED: "a closing brace without a comment",
    FaultWord.COMMENT_NESTED: "braces inside a comment: the standard ends it at the first closing one",
    FaultWord.COMMENT_UNCLOSED: "this comment is not closed before the game ends",
    FaultWord.GAME_TOO_LONG: "the game is longer than any game can be; the rest is left out",
    FaultWord.MARKUP_SKIPPED: "not PGN, left out",
    FaultWord.NAG_MISPLACED: "an annotation glyph with no move before it, left out",
    FaultWord.NOT_UTF8: "not UTF-8, read as Latin-1; save the file as UTF-8",
    FaultWord.NULL_MOVE: "a null move is no move of chess: what follows it is kept as text",
    FaultWord.POSSIBLE_RESULT_SIGN: "the last move sets a king on a centre square: perhaps only the players' sign; it stays",
    FaultWord.RESULT_MISSING: "no result at the end of the moves",
    FaultWord.RESULT_UNUSUAL: "a result that PGN writes otherwise: 1-0, 0-1, 1/2-1/2 or *",
    FaultWord.RESULT_REPEATED: "a second result, left out",
    FaultWord.TAG_MALFORMED: "the tag's quotes or its bracket are not closed",
    FaultWord.TAG_REPAIRED: "a quote or a backslash in a tag's value is not escaped by a backslash",
    FaultWord.TAG_REPEATED: "a tag of this name was given before; the first stays",
    FaultWord.TOO_MANY_FAULTS: "more faults in this game are not listed",
    FaultWord.UNKNOWN_TOKEN: "neither a move nor anything else of PGN, left out",
    FaultWord.VARIATION_MISPLACED: "a variation with no move before it, left out",
    FaultWord.VARIATION_TOO_DEEP: "variations inside variations, too deep, left out",
    FaultWord.VARIATION_UNCLOSED: "this variation is not closed before the game ends",
    FaultWord.VARIATION_UNOPENED: "a closing parenthesis without a variation",
}
"""What each fault means where nothing more particular can be said."""
