"""Export format, and that it reads back as it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import IllegalMoveError
from rules.game import Game
from rules.move import Move
from rules.pgn.game import PgnGame, PgnLine, PgnMove
from rules.pgn.reader import read_pgn
from rules.pgn.tags import ROSTER
from rules.pgn.writer import LINE_WIDTH, exported, write_game, write_pgn
from rules.position import Position
from tests.rules.random_walks import games


def read(text: str) -> PgnGame:
    """The only game in a text."""
    [game] = read_pgn(text)
    return game


def movetext(game: PgnGame) -> str:
    """What is written behind the tags, on one line."""
    return " ".join(write_game(game).partition("\n\n")[2].split())


def test_a_whole_game() -> None:
    """The roster first and complete, other tags by name, moves wrapped, a line end at the end."""
    text = (
        '[Black "B, \\"b\\" \\\\"]\n[ECO "C20"]\n[Annotator "me"]\n[Result "1-0"]\n'
        "1.e4!{best by test}e5 2.Qh5 ({or}2.Nf3$1)2...Nc6 3.Bc4 Nf6?? 4.Qxf7 mate 1-0"
    )
    assert write_game(read(text)) == (
        '[Event "?"]\n'
        '[Site "?"]\n'
        '[Date "????.??.??"]\n'
        '[Round "?"]\n'
        '[White "?"]\n'
        '[Black "B, \\"b\\" \\\\"]\n'
        '[Result "1-0"]\n'
        '[Annotator "me"]\n'
        '[ECO "C20"]\n'
        "\n"
        "1. e4 $1 {best by test} 1... e5 2. Qh5 ({or} 2. Nf3 $1) 2... Nc6 3. Bc4 Nf6 $4\n"
        "4. Qxf7# 1-0\n"
    )


def test_numbers() -> None:
    """White's moves have one; Black's only at the start, and behind comments and variations."""
    fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 7"
    assert (
        movetext(read(f'[SetUp "1"]\n[FEN "{fen}"]\nKe7 Ke2 {{x}} Kd6 Kd3 *'))
        == "7... Ke7 8. Ke2 {x} 8... Kd6 9. Kd3 *"
    )
    assert movetext(read("e4 (d4 d5 (Nf6)) e5 *")) == "1. e4 (1. d4 d5 (1... Nf6)) 1... e5 *"


def test_set_up_positions() -> None:
    """SetUp and FEN stand where the game does not begin as usual, Variant where castling needs it."""
    game = PgnGame.of(Game.from_fen("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"))
    assert '[FEN "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"]\n[SetUp "1"]\n' in write_game(game)
    game = PgnGame.of(Game.from_fen("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", chess960=True))
    assert '[Variant "Chess960"]' in write_game(game)
    assert "FEN" not in write_game(PgnGame.of(Game.start()))


def test_times() -> None:
    """Both clocks of a move in one comment, in hours, minutes and seconds; where nobody knows, nothing."""
    game = Game.start().play(Move.from_uci("e2e4")).play(Move.from_uci("e7e5")).play(Move.from_uci("g1f3"))
    written = PgnGame.of(game, clk_s=[5400.9, None, 2895], emt_s=[4])
    assert movetext(written) == "1. e4 {[%clk 1:30:00] [%emt 0:00:04]} 1... e5 2. Nf3 {[%clk 0:48:15]} *"
    assert [ply.clk_s for ply in read(write_game(written))] == [5400.0, None, 2895.0]
    with pytest.raises(ValueError, match="4 clock times for 3 moves"):
        PgnGame.of(game, clk_s=[1, 2, 3, 4])


def test_several_games() -> None:
    """One empty line between them."""
    text = "".join(write_pgn([read("1. e4 *"), read("1. d4 *")]))
    assert text.count("\n\n") == 3
    assert "1. e4 *\n\n[Event" in text
    assert [len(game.moves) for game in read_pgn(text)] == [1, 1]


def test_lines_are_short() -> None:
    """No line of moves has 80 characters, also where comments are long and variations close at the edge."""
    comment = "word " * 200
    game = read("1. e4 {" + comment + "} (1. d4 d5 2. c4 (2. Nf3)) e5 {[%clk 1:30:58] [%emt 0:00:05] [%eval 0.2]} *")
    for line in write_game(game).splitlines():
        assert len(line) <= LINE_WIDTH
    for width in range(60, 90):  # wherever the line breaks
        text = movetext(PgnGame(line=PgnLine((PgnMove(Move.from_uci("e2e4"), (), ("x" * 5, "y" * width)),))))
        assert text == f"1. e4 {{{'x' * 5}}} {{{'y' * width}}} *"


def test_no_line_begins_like_a_tag_or_an_escape() -> None:
    """Words of comments that a hasty reader could mistake stay behind another word."""
    for width in range(1, 80):
        comment = f'{"x" * width} %not [Event "no"] [%clk 0:00:01]'
        text = write_game(PgnGame(line=PgnLine((PgnMove(Move.from_uci("e2e4"), (), (comment,)),))))
        lines = text.partition("\n\n")[2].splitlines()
        assert not any(re.match(r"%|\[[A-Za-z]", line) for line in lines)
        assert read(text).line.moves[0].comments == (comment,)


def test_braces_become_parentheses() -> None:
    """A comment cannot hold its own end."""
    game = PgnGame(line=PgnLine((PgnMove(Move.from_uci("e2e4"), (), ("a {b} c}",)),)))
    assert movetext(game) == "1. e4 {a (b) c)} *"


def test_what_could_not_be_played_is_a_comment() -> None:
    """The tail of a broken line is not lost, and the text can be read."""
    game = read("1. e4 e5 2. Ke3 {x} Nc6 1-0")
    assert movetext(game) == "1. e4 e5 {not playable: 2. Ke3 (x) Nc6} 1-0"
    assert movetext(read("1. Ke3 *")) == "{not playable: 1. Ke3} *"
    assert read(write_game(game)).faults == ()


def test_what_pgn_cannot_hold() -> None:
    """Line ends in a tag become spaces; a name that is none, and a move that is not legal, are refused."""
    assert '[White "a b"]' in write_game(PgnGame(tags={"White": "a\r\nb"}))
    assert '[Result "*"]' in write_game(PgnGame(result="0-0"))
    for name in ("", "two words", 'x"', "[x"):
        with pytest.raises(ValueError, match="not a name"):
            write_game(PgnGame(tags={name: "x"}))
    with pytest.raises(IllegalMoveError):
        write_game(PgnGame(line=PgnLine((PgnMove(Move.from_uci("e2e5")),))))


def test_an_unreadable_fen_is_kept() -> None:
    """Tags are not thrown away because nobody can play from them."""
    game = read('[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *')
    assert '[FEN "nonsense"]' in write_game(game)


# Properties.

comments = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)
    | st.text(alphabet='ab {}[]%;()\n$"\\', max_size=20)
    | st.sampled_from(["[%clk 1:30:58]", "[%emt 0:00:05] x", '[Event "x"]', "%", "1-0", "(=)"]),
    max_size=3,
).map(tuple)
nags = st.lists(st.integers(0, 999), max_size=3).map(tuple)


@st.composite
def pgn_lines(draw: st.DrawFn, position: Position, depth: int = 2) -> PgnLine:
    """A line of legal moves with all that can hang on it."""
    plies = []
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=8 if depth == 2 else 3)):
        moves = position.legal_moves()
        if not moves:
            break
        variations = ()
        if depth and draw(st.integers(0, 3)) == 0:
            variations = tuple(draw(st.lists(pgn_lines(position, depth - 1), max_size=2)))
        move = moves[choice % len(moves)]
        plies.append(PgnMove(move, draw(nags), draw(comments), variations))
        position = position.play(move)
    return PgnLine(tuple(plies), draw(comments))


@st.composite
def pgn_games(draw: st.DrawFn) -> PgnGame:
    """A game from anywhere, with any tags."""
    start = draw(games()).position
    names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True) | st.sampled_from(list(ROSTER))
    tags = draw(st.dictionaries(names, st.text(max_size=20), max_size=5))
    for name in ("FEN", "SetUp", "Variant", "Result"):
        tags.pop(name, None)
    result = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    return PgnGame(tags=tags, start=start, line=draw(pgn_lines(start)), result=result)


@given(st.lists(pgn_games(), min_size=1, max_size=3))
def test_written_games_read_back(written: list[PgnGame]) -> None:
    """Property: reading gives what was written, without a fault; and writing that gives the same text."""
    text = "".join(write_pgn(written))
    back = list(read_pgn(text))
    assert back == [exported(game) for game in written]
    assert {fault.word.value for game in back for fault in game.faults} <= {"possible_result_sign"}
    assert "".join(write_pgn(back)) == text
    assert list(read_pgn(text.encode())) == back
    assert list(read_pgn(text.replace("\n", "\r\n"))) == back


@given(games())
def test_played_games_read_back(game: Game) -> None:
    """Property: a game that was played is the game that is read."""
    written = PgnGame.of(game, tags={"White": "x"}, clk_s=[float(n) for n in range(game.ply)])
    back = read(write_game(written))
    assert back.moves == tuple(game.moves)
    assert [ply.clk_s for ply in back] == [float(n) for n in range(game.ply)]
    assert back.play().position == game.position


@given(st.lists(pgn_games(), min_size=1, max_size=2), st.data())
def test_blank_lines_and_marks_change_nothing(written: list[PgnGame], data: st.DataObject) -> None:
    """Property (P05, P06): blank lines anywhere, escape lines between the tags, a byte order mark, and any line ends."""
    text = "".join(write_pgn(written))
    lines = text.splitlines(keepends=True)
    for at in sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=5)), reverse=True):
        lines.insert(at, data.draw(st.sampled_from(["\n", "  \n", "\n\n"])))
    lines.insert(0, "% 1. e4 e5 0-1\n")
    changed = "\ufeff" + "".join(lines).replace("\n", data.draw(st.sampled_from(["\n", "\r\n", "\r"])))
    assert list(read_pgn(changed.encode())) == list(read_pgn(text))
