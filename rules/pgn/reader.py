"""Games out of PGN text, one at a time, whatever the text: an archive streams through in bounded memory.

Theory of operation: a game is its tags and then its moves; `_GameReader` reads one after the other off the stream of
tokens and holds back the token with which the next game begins. Lines stand on a stack, the main line at the bottom and
open variations above it, each with the position after its last move and the one before it, where another way to play
begins. A move that cannot be played stops its line: nothing after it can be trusted, so the rest of that line is kept
as text, its *tail*.

A game ends at its result, where tags begin after moves, or where the text ends. Blank lines end nothing, but a blank
line and then move number 1, where a result was forgotten, begin a new game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from rules.errors import AmbiguousSanError, IllegalSanError, ParseSanError
from rules.pgn import lexer
from rules.pgn.comment import without_commands
from rules.pgn.fault import SENTENCES, FaultWord, PgnFault
from rules.pgn.game import PgnGame
from rules.pgn.lines import Line, PgnSource, Progress, read_lines
from rules.pgn.open_line import OpenLine
from rules.pgn.results import read_result
from rules.pgn.setup_tags import start_position
from rules.pgn.words import NAG_WORDS, NULL_MOVES, RESULT_WORDS, SILENT_WORDS
from rules.pieces import PieceType
from rules.position import Position
from rules.san import find_move
from rules.san_text import NAG_OF_MARKS, read_san

MAX_GAME_CHARS = 2 << 20
"""Characters of one game that are read: twice what 17,697 plies with both clocks take, the longest game there can be.
Without it a file of one endless game would fill the memory."""

MAX_DEPTH = 64
"""Variations inside variations. Analysis seldom goes deeper than ten; those who read a game may use recursion."""

CENTRE = frozenset({27, 28, 35, 36})
"""d4, e4, d5, e5: where players of electronic boards set their kings to show the result."""

MAX_FAULTS = 200
"""Faults of one game that are kept."""

_SQUARE = re.compile(r"[a-h][1-8]")


def read_pgn(source: PgnSource, *, progress: Progress | None = None) -> Iterator[PgnGame]:
    """Read all games of a source: the whole text or its bytes, an opened file, or an iterable of lines.

    Games come as they are read, so that an archive of any size needs the memory of one game. Nothing in the text
    raises: what is wrong is in `PgnGame.faults`. `progress` is called with the number of bytes read so far
    (characters, if the source is text), after each block of 64 KiB.

    >>> [game] = read_pgn('[White "A"] 1. e4 {[%clk 0:02:00]} *')
    >>> game.tags["White"], game.line.moves[0].clk_s
    ('A', 120.0)
    """
    reader = _GameReader(_Watch(read_lines(source, progress)))
    while (game := reader.read_game()) is not None:
        yield game


class _Watch:
    """The lines on their way to the lexer: notes their encoding, and leaves out the rest of an endless game."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._chars = 0
        self.cut_row = 0
        """Where the game became too long; 0 if it has not."""
        self.latin1_row = 0
        """The first line that was not UTF-8; 0 before one is met."""
        self.end = (1, 1)
        """Line and column behind what has been read."""

    def begin_game(self) -> None:
        self._chars = 0
        self.cut_row = 0

    def __iter__(self) -> Iterator[Line]:
        for line in self._lines:
            self.end = (line.number, line.offset + len(line.text) + 1)
            if line.is_latin1 and not self.latin1_row:
                self.latin1_row = line.number
            if self._chars > MAX_GAME_CHARS:
                if line.offset or not lexer.begins_tags(line.text):
                    self.cut_row = self.cut_row or line.number
                    continue
                self._chars = 0
            self._chars += len(line.text) + 1
            yield line


_Token = tuple[int, str, str, int, int]


class _GameReader:
    """Reads one game after the other off the tokens."""

    def __init__(self, watch: _Watch) -> None:
        self._watch = watch
        self._tokens = lexer.read_tokens(watch)
        self._held: _Token | None = None
        self._blank_row = 0
        self._reported_latin1 = False

    # One game.

    def read_game(self) -> PgnGame | None:
        """The next game, None where the text ends."""
        token = self._next()
        while token is not None and token[0] == lexer.BLANK:
            token = self._next()
        if token is None:
            return None
        self._held = token
        self._watch.begin_game()
        self._row = token[3]
        self._tags: dict[str, str] = {}
        self._places: dict[str, tuple[int, int]] = {}
        self._faults: list[PgnFault] = []
        self._result: tuple[str, str, int, int] | None = None
        self._is_misnumbered = False
        self._stack: list[OpenLine] = []
        self._start = Position.start()
        self._line = OpenLine(self._start, *token[3:])
        while self._read_tags() and self._read_moves():
            pass
        return self._finished()

    def _next(self) -> _Token | None:
        token, self._held = self._held, None
        return token if token is not None else next(self._tokens, None)

    def _read_tags(self) -> bool:
        """Read tag pairs, and comments among them, up to the first token of the moves; whether there is one."""
        blank = False
        while (token := self._next()) is not None:
            kind, text, extra, row, column = token
            if kind == lexer.TAG:
                if text in self._tags:
                    if blank or text == "Event":
                        self._held = token
                        break
                    self._fault(FaultWord.TAG_REPEATED, f"[{text} ...]", row, column)
                else:
                    self._tags[text] = extra
                    self._places[text] = (row, column)
            elif kind == lexer.BLANK:
                blank = True
                self._blank_row = row
            elif kind == lexer.COMMENT:
                self._comment(text)
            elif kind == lexer.FAULT:
                self._fault(FaultWord(extra), text, row, column)
            else:
                self._held = token
                self._set_up()
                return True
        self._set_up()
        return False

    def _set_up(self) -> None:
        position, faults = start_position(self._tags)
        for word, tag, why in faults:
            self._fault(word, self._tags[tag], *self._places[tag], why=why)
        if position is None:
            self._line.is_dead = True
        else:
            self._start = self._line.position = self._line.before = position

    def _read_moves(self) -> bool:
        """Read up to the end of the game; True if it turns out that its tags had not even begun."""
        held = self._held
        self._held = None
        line = self._line
        for kind, text, extra, row, column in self._tokens if held is None else chain((held,), self._tokens):
            if kind == lexer.WORD:
                if text in RESULT_WORDS:
                    if self._stack:
                        self._comment(text)
                        continue
                    self._result = (RESULT_WORDS[text], text, row, column)
                    self._read_after_result()
                    return False
                if line.is_dead:
                    line.tail.append(f"{extra}. {text}" if extra else text)
                    continue
                try:
                    san = read_san(text)
                    position = line.position
                    if extra and extra != str(position.fullmove_number):
                        if extra == "1" and row == self._blank_row + 1 and not self._stack and len(line.moves) > 1:
                            self._held = (kind, text, extra, row, column)
                            return False
                        self._misnumbered(extra, row, column)
                    move = find_move(position, san, text)
                except ValueError as error:
                    self._no_move(error, text, extra, row, column)
                    continue
                line.before = position
                line.position = position.play_unchecked(move)
                line.moves.append(move)
                if san.marks:
                    self._nag(NAG_OF_MARKS[san.marks])
            elif kind == lexer.COMMENT:
                if text and not line.is_dead:
                    at = len(line.moves)
                    comments = line.comments
                    comments[at] = (*comments[at], text) if at in comments else (text,)
                else:
                    self._comment(text)
            elif kind == lexer.BLANK:
                self._blank_row = row
            elif kind == lexer.NAG:
                self._numeric_nag(text, row, column)
            elif kind == lexer.OPEN:
                line = self._open(row, column)
            elif kind == lexer.CLOSE:
                line = self._close(row, column)
            elif kind == lexer.FAULT:
                self._fault(FaultWord(extra), text, row, column)
            elif kind == lexer.TAG:
                self._held = (kind, text, extra, row, column)
                return not self._tags and not line.moves and not self._stack
        return False

    def _read_after_result(self) -> None:
        """Read what belongs to a game although it stands behind its result: remarks on that line and the next."""
        assert self._result is not None
        last_row = self._result[2]
        while (token := self._next()) is not None:
            kind, text, extra, row, column = token
            if kind == lexer.COMMENT and row <= last_row + 1:
                self._comment(text)
            elif kind == lexer.FAULT and extra != FaultWord.COMMENT_UNCLOSED:
                self._fault(FaultWord(extra), text, row, column)
            elif kind == lexer.WORD and text in RESULT_WORDS:
                self._fault(FaultWord.RESULT_REPEATED, text, row, column)
            elif kind == lexer.WORD and not extra and _is_no_move(text):
                self._fault(FaultWord.UNKNOWN_TOKEN, text, row, column)
            elif kind == lexer.BLANK:
                self._blank_row = row
            else:
                self._held = token
                return

    # Its parts.

    def _fault(self, word: FaultWord, text: str, row: int, column: int, *, why: str = "") -> None:
        faults = self._faults
        if len(faults) < MAX_FAULTS:
            faults.append(PgnFault(word=word, line=row, column=column, text=text[:80], why=why or SENTENCES[word]))
        elif len(faults) == MAX_FAULTS:
            word = FaultWord.TOO_MANY_FAULTS
            faults.append(PgnFault(word=word, line=row, column=column, text="", why=SENTENCES[word]))

    def _misnumbered(self, number: str, row: int, column: int) -> None:
        if not self._is_misnumbered:
            self._is_misnumbered = True
            why = f"this is move {self._line.position.fullmove_number}, not {number[:9]}"
            self._fault(FaultWord.MOVE_NUMBER, number, row, column, why=why)

    def _no_move(self, error: ValueError, text: str, number: str, row: int, column: int) -> None:
        """Take in a word that is no move here: an annotation, something to skip, or the end of this line."""
        nag = NAG_WORDS.get(text)
        if nag is not None:
            self._nag(nag)
            return
        if text in SILENT_WORDS:
            return
        if text in NULL_MOVES:
            self._fault(FaultWord.NULL_MOVE, text, row, column)
        elif isinstance(error, IllegalSanError):
            self._fault(FaultWord.ILLEGAL_MOVE, text, row, column, why=f"{text}: {error.why}")
        elif isinstance(error, AmbiguousSanError):
            why = f"{text} could be {' or '.join(map(str, error.moves))}"
            self._fault(FaultWord.AMBIGUOUS_MOVE, text, row, column, why=why)
        elif isinstance(error, ParseSanError) and (_SQUARE.search(text) or error.hint.startswith("looks")):
            self._fault(FaultWord.UNREADABLE_MOVE, text, row, column, why=f"{text[:80]}: {error.reason}")
        else:
            self._fault(FaultWord.UNKNOWN_TOKEN, text, row, column)
            return
        self._line.is_dead = True
        self._line.tail.append(f"{number}. {text}" if number else text)

    def _comment(self, text: str) -> None:
        line = self._line
        if line.is_dead:
            text = without_commands(text)
            if text:
                self._line.tail.append(f"({text})")
        elif text:
            at = len(line.moves)
            line.comments[at] = (*line.comments.get(at, ()), text)

    def _numeric_nag(self, text: str, row: int, column: int) -> None:
        if len(text) > 3:
            self._fault(FaultWord.UNKNOWN_TOKEN, f"${text}", row, column)
        elif not self._line.moves:
            self._fault(FaultWord.NAG_MISPLACED, f"${text}", row, column)
        else:
            self._nag(int(text))

    def _nag(self, nag: int) -> None:
        line = self._line
        at = len(line.moves)
        if at and not line.is_dead:
            line.nags[at] = (*line.nags.get(at, ()), nag)

    def _open(self, row: int, column: int) -> OpenLine:
        """Begin a variation: another way to play the last move of the line it stands in."""
        parent = self._line
        if parent.is_dead:
            parent.inner += 1
            parent.tail.append("(")
            return parent
        variation = OpenLine(parent.before, row, column)
        if len(self._stack) >= MAX_DEPTH:
            variation.is_dead = True
            self._fault(FaultWord.VARIATION_TOO_DEEP, "(", row, column)
        elif not parent.moves:
            variation.is_dead = True
            self._fault(FaultWord.VARIATION_MISPLACED, "(", row, column)
        self._stack.append(parent)
        self._line = variation
        return variation

    def _close(self, row: int, column: int) -> OpenLine:
        """End a variation."""
        variation = self._line
        if variation.inner:
            variation.inner -= 1
            variation.tail.append(")")
            return variation
        if not self._stack:
            self._fault(FaultWord.VARIATION_UNOPENED, ")", row, column)
            return variation
        parent = self._line = self._stack.pop()
        if parent.moves and (variation.moves or variation.tail or variation.comments):
            at = len(parent.moves)
            parent.variations[at] = (*parent.variations.get(at, ()), variation.closed())
        return parent

    # Its end.

    def _finished(self) -> PgnGame:
        while self._stack:
            self._line.inner = 0
            self._fault(FaultWord.VARIATION_UNCLOSED, "(", self._line.row, self._line.column)
            self._close(0, 0)
        watch = self._watch
        end = self._held[3:] if self._held is not None else watch.end
        if watch.cut_row:
            self._fault(FaultWord.GAME_TOO_LONG, "", watch.cut_row, 1)
        last_row = end[0] if self._held is None else end[0] - 1
        if not self._reported_latin1 and self._row <= watch.latin1_row <= last_row:
            self._reported_latin1 = True
            self._fault(FaultWord.NOT_UTF8, "", watch.latin1_row, 1)
        result = self._judged_result(*end)
        if result != "*" and self._may_end_with_a_sign():
            self._fault(FaultWord.POSSIBLE_RESULT_SIGN, result, *(self._result[2:] if self._result else end))
        return PgnGame(
            tags=self._tags,
            start=self._start,
            line=self._line.closed(),
            result=result,
            faults=tuple(sorted(self._faults, key=lambda fault: (fault.line, fault.column))),
            at_line=self._row,
        )

    def _may_end_with_a_sign(self) -> bool:
        """Whether the last move sets a king on d4, e4, d5 or e5, as players of electronic boards do to show the result."""
        line = self._line
        if line.is_dead or not line.moves:
            return False
        last = line.moves[-1]
        return last.to_square in CENTRE and line.position.kind_at(last.to_square) is PieceType.KING

    def _judged_result(self, end_row: int, end_column: int) -> str:
        """The result, by the end of the moves and by the tag; where both are decided and differ, by the tag."""
        written = self._tags.get("Result")
        tag = None
        if written is not None:
            tag = read_result(written)
            if tag is None:
                why = f"{written!r} is not a result that PGN has: 1-0, 0-1, 1/2-1/2 or *"
                self._fault(FaultWord.RESULT_UNKNOWN, written, *self._places["Result"], why=why)
            elif written.strip() != tag and tag != "*":
                self._fault(FaultWord.RESULT_UNUSUAL, written, *self._places["Result"])
        if self._result is None:
            self._fault(FaultWord.RESULT_MISSING, "", end_row, end_column)
            return tag or "*"
        result, text, row, column = self._result
        if text != result:
            self._fault(FaultWord.RESULT_UNUSUAL, text, row, column)
        if tag is None or tag == result:
            return result
        why = f"the moves end with {text}, the Result tag says {written}"
        self._fault(FaultWord.RESULT_MISMATCH, text, row, column, why=why)
        return result if tag == "*" else tag


def _is_no_move(text: str) -> bool:
    try:
        read_san(text)
    except ParseSanError:
        return True
    return False
