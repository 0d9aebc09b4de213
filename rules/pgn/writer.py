"""Games into PGN export format: the same game always gives the same text, which any reader can take.

Tags come first, the seven of the roster before the others; moves are wrapped at fewer than 80 columns, with a number
before each of White's moves and before Black's where something stands in between. Braces inside a comment, which would
end it or seem to, become parentheses. No word of a comment that a hasty reader could take for a tag or an escape line
is put at the beginning of a line.

Source: PGN Specification, 3.2 (export format), 8.1 (tag pairs), 8.2 (movetext).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.pgn.game import PgnGame, PgnLine, PgnMove
from rules.pgn.lines import plain
from rules.pgn.results import RESULTS
from rules.pgn.tags import clean_value, in_export_order, write_tag
from rules.pieces import WHITE
from rules.position import Position
from rules.san import write_san

LINE_WIDTH = 79
"""Characters in a line of moves; the standard wants fewer than 80."""

_COMMENT_WORD = re.compile(r"\[%[^\]\s]+(?: [^\]\s]+)?\]\S*|\S+")
_BRACES = str.maketrans("{}", "()")
_TAIL = "not playable:"


def write_pgn(games: Iterable[PgnGame]) -> Iterator[str]:
    """Write games one by one; the pieces, put together, are a PGN file."""
    for number, game in enumerate(games):
        yield ("\n" if number else "") + write_game(game)


def write_game(game: PgnGame) -> str:
    """Write one game in export format, with a line end after its last line.

    Raises ``ValueError`` for a tag name that PGN cannot hold and `IllegalMoveError` for a move that cannot be played.
    """
    game = exported(game)
    text = _Text()
    _write_line(text, game.line, game.start)
    text.word(game.result)
    tags = "".join(f"{write_tag(name, value)}\n" for name, value in in_export_order(game.tags))
    return f"{tags}\n{text.finished()}"


def exported(game: PgnGame) -> PgnGame:
    """The game as export format holds it, which is what reading that text gives.

    The roster is complete, Result, FEN and SetUp agree with the game, comments have no braces and single white space,
    and what could not be played is a comment.
    """
    tags = {name: clean_value(value) for name, value in game.tags.items()}
    tags["Result"] = game.result if game.result in RESULTS else "*"
    if game.start != Position.start():
        tags |= {"SetUp": "1", "FEN": game.start.fen()}
        if game.start.chess960:
            tags.setdefault("Variant", "Chess960")
    elif tags.get("FEN"):
        tags["SetUp"] = "1"
    return replace(game, tags=dict(in_export_order(tags)), line=_plain_line(game.line), result=tags["Result"])


def _plain_line(line: PgnLine) -> PgnLine:
    moves = [
        PgnMove(ply.move, ply.nags, _plain_comments(ply.comments), _plain_variations(ply.variations))
        if len(ply.nags) + len(ply.comments) + len(ply.variations)
        else ply
        for ply in line.moves
    ]
    comments = _plain_comments(line.comments)
    if line.tail:
        tail = _plain_comment(f"{_TAIL} {line.tail}")
        if moves:
            moves[-1] = moves[-1]._replace(comments=(*moves[-1].comments, tail))
        else:
            comments = (*comments, tail)
    return PgnLine(tuple(moves), comments)


def _plain_comments(comments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, map(_plain_comment, comments)))


def _plain_comment(comment: str) -> str:
    return " ".join(plain(comment).translate(_BRACES).split())


def _plain_variations(variations: tuple[PgnLine, ...]) -> tuple[PgnLine, ...]:
    lines = map(_plain_line, variations)
    return tuple(line for line in lines if line.moves or line.comments)


def _write_line(text: _Text, line: PgnLine, position: Position) -> None:
    for comment in line.comments:
        text.comment(comment)
    needs_number = True
    for ply in line.moves:
        if position.turn is WHITE:
            text.word(f"{position.fullmove_number}.")
        elif needs_number:
            text.word(f"{position.fullmove_number}...")
        after = position.play_unchecked(ply.move)
        text.word(write_san(position, ply.move, after))
        for nag in ply.nags:
            text.word(f"${nag}")
        for comment in ply.comments:
            text.comment(comment)
        for variation in ply.variations:
            text.open()
            _write_line(text, variation, position)
            text.close()
        needs_number = bool(ply.comments or ply.variations)
        position = after


class _Text:
    """Words filling lines."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._width = 0
        self._prefix = ""

    def word(self, word: str) -> None:
        word, self._prefix = self._prefix + word, ""
        if self._line and self._width + 1 + len(word) > LINE_WIDTH:
            self._break()
        self._width += len(word) + (1 if self._line else 0)
        self._line.append(word)

    def open(self) -> None:
        self._prefix += "("

    def close(self) -> None:
        """Put a parenthesis behind the last word, on its line if it fits."""
        if not self._line or self._width >= LINE_WIDTH:
            self.word(")")
        else:
            self._line[-1] += ")"
            self._width += 1

    def comment(self, comment: str) -> None:
        for word in _unbreakable(f"{{{comment}}}"):
            self.word(word)

    def _break(self) -> None:
        self._lines.append(" ".join(self._line))
        self._line = []
        self._width = 0

    def finished(self) -> str:
        if self._line:
            self._break()
        return "\n".join([*self._lines, ""])


def _unbreakable(comment: str) -> list[str]:
    """The words of a comment, with those that must not begin a line tied to the word before."""
    words: list[str] = []
    for word in _COMMENT_WORD.findall(comment):
        if words and word[0] in "[%":
            tied = f"{words[-1]} {word}"
            if len(tied) <= LINE_WIDTH or word[0] == "%" or word[1:2] != "%":
                words[-1] = tied
                continue
        words.append(word)
    return words
