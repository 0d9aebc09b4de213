"""Tokens, with their lines and columns."""

from __future__ import annotations

import pytest

from rules.pgn import lexer
from rules.pgn.fault import FaultWord
from rules.pgn.lexer import BLANK, CLOSE, COMMENT, FAULT, NAG, NUMBER, OPEN, TAG, WORD, Token, read_tokens
from rules.pgn.lines import read_lines


def tokens(text: str) -> list[Token]:
    """All tokens but blank lines."""
    return [token for raw in read_tokens(read_lines(text)) if (token := Token(*raw)).kind != BLANK]


def kinds(text: str) -> list[tuple[int, str]]:
    """The tokens without their places."""
    return [(token.kind, token.text) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "number", "word"),
    [
        ("1. e4", "1", "e4"),
        ("1.e4", "1", "e4"),
        ("1 . e4", "1", "e4"),
        ("1... e5", "1", "e5"),
        ("1. ... e5", "1", "e5"),
        ("1…e5", "1", "e5"),
        ("7. .. fxe5", "7", "fxe5"),
        ("...e5", "", "e5"),
        ("e8=Q+!?", "", "e8=Q+!?"),
        ("e8(Q)+", "", "e8(Q)+"),
        ("1-0", "", "1-0"),
        ("1/2-1/2", "", "1/2-1/2"),
        ("½–½", "", "½–½"),
        ("O‑O", "", "O‑O"),
        ("♘f3", "", "♘f3"),
        ("Кf3", "", "Кf3"),
        ("--", "", "--"),
        ("exd6e.p.", "", "exd6e.p."),
        ("*", "", "*"),
        ("12345678901234567890. e4", "12345678901234567890", "e4"),
    ],
)
def test_words(text: str, number: str, word: str) -> None:
    """A move with the number before it, a result, or whatever stands in their place."""
    [token] = tokens(text)
    assert (token.kind, token.extra, token.text) == (WORD, number, word)


def test_places() -> None:
    """Lines and columns count from 1, and a word's column is that of the word, not of its number."""
    assert tokens("1. e4 e5\n  2. Nf3 {x} $1 (") == [
        Token(WORD, "e4", "1", 1, 4),
        Token(WORD, "e5", "", 1, 7),
        Token(WORD, "Nf3", "2", 2, 6),
        Token(COMMENT, "x", "", 2, 10),
        Token(NAG, "1", "", 2, 14),
        Token(OPEN, "(", "", 2, 17),
    ]


def test_marks_of_structure() -> None:
    """Variations, glyphs and lone numbers."""
    assert kinds("3. (e4 $14) 4.") == [
        (NUMBER, "3"),
        (OPEN, "("),
        (WORD, "e4"),
        (NAG, "14"),
        (CLOSE, ")"),
        (NUMBER, "4"),
    ]


def test_comments() -> None:
    """In braces, over lines, to the end of the line; white space is made single."""
    assert kinds("e4{ a  b }e5") == [(WORD, "e4"), (COMMENT, "a b"), (WORD, "e5")]
    assert kinds("e4 {a\n\n  b} e5") == [(WORD, "e4"), (COMMENT, "a b"), (WORD, "e5")]
    assert kinds("e4 ; a } { b\ne5 ;") == [(WORD, "e4"), (COMMENT, "a } { b"), (WORD, "e5"), (COMMENT, "")]
    assert kinds("{[%clk\n00:29:16]}") == [(COMMENT, "[%clk 00:29:16]")]
    assert kinds("{a\n[%clk 1] b} e4") == [(COMMENT, "a [%clk 1] b"), (WORD, "e4")]
    assert kinds("{a\nb {c} d} e4 {x\ny} {z\n} e5") == [
        (FAULT, "{"),
        *((COMMENT, "a b {c} d"), (WORD, "e4"), (COMMENT, "x y"), (COMMENT, "z"), (WORD, "e5")),
    ]
    assert kinds("e4 (=) e5") == [(WORD, "e4"), (COMMENT, "(=)"), (WORD, "e5")]


def test_braces_inside_a_comment() -> None:
    """The first closing brace ends it, unless what follows cannot be movetext."""
    assert kinds("{a { b} e4") == [(COMMENT, "a { b"), (WORD, "e4")]
    assert kinds("{a {b} c {d}} 2... Nf6") == [
        (FAULT, "{"),
        (COMMENT, "a {b} c {d}"),
        (WORD, "Nf6"),
    ]
    assert kinds("{a {\nb} c\nd} e5") == [(FAULT, "{"), (COMMENT, "a { b} c d"), (WORD, "e5")]


def test_a_comment_that_never_ends() -> None:
    """It ends where the next game begins, or with the text; either is said, at its opening brace."""
    found = tokens('e4 {abc\n\n[Event "x"]\n')
    assert found[1] == Token(FAULT, "{", FaultWord.COMMENT_UNCLOSED, 1, 4)
    assert found[2:] == [Token(COMMENT, "abc", "", 1, 4), Token(TAG, "Event", "x", 3, 1)]
    assert [token.kind for token in tokens("e4 {abc")] == [WORD, FAULT, COMMENT]
    assert kinds('{a\n[Event "x {y}"]')[2:] == [(TAG, "Event")]
    assert kinds('{a\n[White "x"]\nb} e4') == [(COMMENT, 'a [White "x"] b'), (WORD, "e4")]
    assert kinds('{a\n\n[White "x"]\nb}')[1:3] == [(COMMENT, "a"), (TAG, "White")]
    assert kinds('{a\n\nb} e4 {c\n[White "x"] d} e5')[2:] == [(COMMENT, 'c [White "x"] d'), (WORD, "e5")]


def test_an_endless_comment_is_cut() -> None:
    """A comment takes no more memory than its limit."""
    [fault, comment] = tokens("{" + "word " * 400_000)
    assert fault.extra == FaultWord.COMMENT_UNCLOSED
    assert len(comment.text) <= lexer.MAX_COMMENT_CHARS + 200_000


def test_escape_lines() -> None:
    """A percent sign in the first column hides the line, also a very long one; elsewhere it does not."""
    assert kinds("%hidden e4\ne5\n% 1. d4\n") == [(WORD, "e5")]
    assert kinds("%" + "e4 " * 50_000 + "\ne5") == [(WORD, "e5")]


def test_tags() -> None:
    """One or several a line, with escapes, and text behind them."""
    assert [(token.text, token.extra, token.column) for token in tokens('[A "1"][B "2"] [C "a\\"b\\\\"] e4')] == [
        ("A", "1", 1),
        ("B", "2", 8),
        ("C", 'a"b\\', 16),
        ("e4", "", 29),
    ]


@pytest.mark.parametrize(
    ("line", "value", "word"),
    [
        ('[Event "The "Big" One"]', 'The "Big" One', FaultWord.TAG_REPAIRED),
        ('[Event "Club "Victory""]', 'Club "Victory"', FaultWord.TAG_REPAIRED),
        ('[Event "Ugra \\"]', "Ugra \\", FaultWord.TAG_REPAIRED),
        ('[Event "NII - Paris]', "NII - Paris", FaultWord.TAG_MALFORMED),
        ('[Event "NII - Paris', "NII - Paris", FaultWord.TAG_MALFORMED),
        ("[Event NII]", "NII", FaultWord.TAG_MALFORMED),
    ],
)
def test_tags_that_are_not_proper(line: str, value: str, word: FaultWord) -> None:
    """What they were meant to be, and a fault."""
    assert tokens(line) == [Token(TAG, "Event", value, 1, 1), Token(FAULT, line, word, 1, 1)]


def test_brackets_in_values_are_text() -> None:
    """A closing bracket or a percent sign inside the quotes ends nothing."""
    assert [token.extra for token in tokens('[A "x[!important]"]\n[B "closing ] opening"]\n[C "%"]')] == [
        "x[!important]",
        "closing ] opening",
        "%",
    ]


def test_what_is_not_pgn() -> None:
    """HTML, other brackets, and stray braces are said and left out."""
    assert kinds("[pgn] e4<br />e5 } [/pgn]") == [
        (FAULT, "[pgn]"),
        (WORD, "e4"),
        (FAULT, "<br />"),
        (WORD, "e5"),
        (FAULT, "}"),
        (FAULT, "[/pgn]"),
    ]


@pytest.mark.parametrize("sign", ["{", "}", "(", ")", "[", "]", "<", ">", '"', "$", ";", ".", "1", " ", "\\", "%", "!"])
def test_no_sign_takes_long(sign: str) -> None:
    """A long run of any sign, alone or between words, is read in one pass: a slower way would not end in a lifetime."""
    for text in (sign * 60_000, f"e4 {sign} " * 20_000, f'[A "{sign * 50_000}', f"{sign * 30_000}\n" * 2):
        assert sum(1 for _ in read_tokens(read_lines(text))) <= 70_000
