"""Games out of text: what is kept, where games begin and end, and what is said about faults."""

from __future__ import annotations

import io

import pytest

from rules.pgn import reader as reader_module
from rules.pgn.fault import FaultWord
from rules.pgn.game import PgnGame, PgnLine
from rules.pgn.reader import MAX_DEPTH, MAX_FAULTS, read_pgn
from rules.position import Position


def games(text: str | bytes) -> list[PgnGame]:
    """All games."""
    return list(read_pgn(text))


def only(text: str | bytes) -> PgnGame:
    """The only game."""
    [game] = games(text)
    return game


def ucis(line: PgnLine) -> str:
    """A line's moves as text."""
    return " ".join(ply.move.uci() for ply in line.moves)


def words(game: PgnGame) -> list[tuple[str, int, int]]:
    """Each fault's word and place."""
    return [(fault.word.value, fault.line, fault.column) for fault in game.faults]


def test_a_plain_game() -> None:
    """Tags in their order, moves, result, no faults."""
    game = only('[Event "A"]\n[White "B"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    assert list(game.tags.items()) == [("Event", "A"), ("White", "B"), ("Result", "0-1")]
    assert ucis(game.line) == "f2f3 e7e5 g2g4 d8h4"
    assert (game.result, game.faults, game.at_line) == ("0-1", (), 1)
    assert game.play().position.is_checkmate()


def test_annotations_stay_with_their_move() -> None:
    """Glyphs, marks and comments belong to the move before them; several comments stay several."""
    game = only("{before} 1. e4! $14 {one} {[%clk 0:02:00]} e5 $4 ; two\n 2. Nf3 *")
    e4, e5, nf3 = game.line.moves
    assert game.line.comments == ("before",)
    assert (e4.nags, e4.comments) == ((1, 14), ("one", "[%clk 0:02:00]"))
    assert (e4.comment, e4.clk_s, e4.emt_s) == ("one", 120.0, None)
    assert (e5.nags, e5.comments) == ((4,), ("two",))
    assert (nf3.nags, nf3.comments, nf3.variations) == ((), (), ())


def test_variations_are_kept_out_of_the_main_line() -> None:
    """An alternative to a move hangs on that move and begins before it, however deep."""
    game = only("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 {French}) 2. Nf3 {main} *")
    assert ucis(game.line) == "e2e4 e7e5 g1f3"
    sicilian, french = game.line.moves[1].variations
    assert ucis(sicilian) == "c7c5 g1f3 d7d6"
    assert ucis(sicilian.moves[1].variations[0]) == "c2c3 d7d5"
    assert french.moves[0].comments == ("French",)
    assert game.line.moves[2].comments == ("main",)
    assert game.faults == ()


def test_a_comment_behind_a_variation_belongs_to_the_move() -> None:
    """``12. a (12. b) {more}``: more is about a."""
    game = only("1. e4 (1. d4) {more} e5 *")
    assert game.line.moves[0].comments == ("more",)


def test_signs_of_informants_are_glyphs() -> None:
    """``+-``, ``±``, ``N`` and marks that stand alone become numbers; ``e.p.`` and ``+`` apart say nothing."""
    game = only("1. e4 N e5 ± 2. Nf3 !? Nc6 +- 3. Bb5 + a6 *")
    assert [ply.nags for ply in game.line.moves] == [(146,), (16,), (5,), (18,), (), ()]
    assert game.faults == ()


def test_games_end_where_they_do() -> None:
    """At a result, where tags follow moves, at an Event tag; blank lines alone end nothing."""
    text = '1. e4 *\n1. d4\n\n\nd5 1-0\n[White "x"]\n1. c4\n[White "y"]\n\n[Event "z"]\n[Event "w"]\n'
    found = games(text)
    assert [ucis(game.line) for game in found] == ["e2e4", "d2d4 d7d5", "c2c4", "", ""]
    assert [game.tags.get("White") for game in found] == [None, None, "x", "y", None]
    assert [game.at_line for game in found] == [1, 2, 6, 8, 11]


def test_a_forgotten_result_between_games_without_tags() -> None:
    """A blank line and move number 1 begin a new game; move number 1 alone does not."""
    assert [len(game.moves) for game in games("1. e4 e5\n\n1. d4 d5 *")] == [2, 2]
    assert [len(game.moves) for game in games("1. e4\n\n1... e5 *")] == [2]


def test_remarks_behind_the_result() -> None:
    """On its line or the next they belong to the game, later to the next one; a second result is left out."""
    first, second = games("1. e4 1-0 {White resigned?} 1-0\n\n{next} 1. d4 *")
    assert first.line.moves[0].comments == ("White resigned?",)
    assert words(first) == [("result_repeated", 1, 29)]
    assert second.line.comments == ("next",)


def test_comments_before_the_tags_belong_to_the_game() -> None:
    """A file may begin with a remark, and an escape line."""
    game = only('% made by hand\n{remark}\n[White "x"]\n\n1. e4 *')
    assert (game.tags, game.line.comments) == ({"White": "x"}, ("remark",))


@pytest.mark.parametrize(
    ("text", "word", "place", "moves"),
    [
        ("1. e4 e5 2. Ke3 Nc6 *", "illegal_move", (1, 13), 2),
        ("1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "ambiguous_move", (1, 24), 4),
        ("1. e4 e5\n2. Sf3 Nc6 *", "unreadable_move", (2, 4), 2),
        ("1. e4 e5 2. Qd9 *", "unknown_token", (1, 13), 2),
        ("1. e4 e5 2. -- Nc6 *", "null_move", (1, 13), 2),
        ("1. e4 e5 Z0 *", "null_move", (1, 10), 2),
        ("1. e4 e5 hello 2. Nf3 *", "unknown_token", (1, 10), 3),
        ("1. e4 } e5 *", "brace_unopened", (1, 7), 2),
        ("1. e4 ) e5 *", "variation_unopened", (1, 7), 2),
        ("1. e4 (1. d4 *", "variation_unclosed", (1, 7), 1),
        ("(1. d4 d5) 1. e4 *", "variation_misplaced", (1, 1), 1),
        ("$4 1. e4 *", "nag_misplaced", (1, 1), 1),
        ("1. e4 $1234 *", "unknown_token", (1, 7), 1),
        ("1. e4 e5 {x", "comment_unclosed", (1, 10), 2),
        ("1. e4 e5", "result_missing", (1, 9), 2),
        ("1. e4 1–0", "result_unusual", (1, 7), 1),
        ("1. e4 e5 3. Nf3 *", "move_number", (1, 13), 3),
        ('[Result "0-1"]\n1. e4 1-0', "result_mismatch", (2, 7), 1),
        ('[Result "0-0"]\n1. e4 *', "result_unknown", (1, 1), 1),
        ('[White "a"]\n[White "b"]\n1. e4 *', "tag_repeated", (2, 1), 1),
        ('[White "a]\n1. e4 *', "tag_malformed", (1, 1), 1),
        ('[Variant "Atomic"]\n1. e4 *', "variant_unknown", (1, 1), 1),
        ('[FEN "8/8 w - - 0 1"]\n[SetUp "1"]\n1. e4 *', "fen_invalid", (1, 1), 0),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n1. Ke2 *', "setup_missing", (1, 1), 1),
    ],
)
def test_faults_have_a_place(text: str, word: str, place: tuple[int, int], moves: int) -> None:
    """One fault of each kind, with its line and column; what could be read is there."""
    game = only(text)
    assert (word, *place) in words(game)
    assert len(game.moves) == moves
    assert len([fault for fault in game.faults if fault.word != "result_missing"]) <= 1
    assert all(fault.why and str(fault).startswith(f"line {fault.line}, column ") for fault in game.faults)


def test_errors_and_notes() -> None:
    """An error took something away, a note did not."""
    game = only("1. e4 e5 2. Ke3 1–0")
    assert [fault.is_error for fault in game.faults] == [True, False]
    assert [fault.word for fault in game.errors] == [FaultWord.ILLEGAL_MOVE]


def test_what_follows_an_illegal_move_is_kept_as_text() -> None:
    """The tail holds moves, variations and remarks, but no clock times, which would seem to be of the move before."""
    game = only("1. e4 {[%clk 0:01:00]} e5 2. Ke3 {oops [%clk 0:00:01]} (2. Nf3 (2. d4)) 2... d5 1-0")
    assert game.line.tail == "2. Ke3 (oops) ( 2. Nf3 ( 2. d4 ) ) 2. d5"
    assert game.line.moves[-1].comments == ()
    assert game.result == "1-0"
    assert len(game.faults) == 1


def test_an_illegal_move_in_a_variation_stops_the_variation() -> None:
    """The main line goes on."""
    game = only("1. e4 e5 (1... Ke6 2. d4 {x} d5) 2. Nf3 *")
    assert ucis(game.line) == "e2e4 e7e5 g1f3"
    assert game.line.moves[1].variations == (PgnLine((), (), "1. Ke6 2. d4 (x) d5"),)


def test_foreign_letters_come_with_a_hint() -> None:
    """The fault says which language it looks like."""
    assert "German" in only("1. e4 e5 2. Sf3 *").errors[0].why


def test_where_games_begin() -> None:
    """FEN with SetUp; Chess960 by its tag under any of its names; a FEN that needs it says so."""
    fen = "rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w HAha - 0 1"
    for variant in ("Chess960", "Fischerandom", "chess 960", "Fischer Random"):
        game = only(f'[Variant "{variant}"]\n[SetUp "1"]\n[FEN "{fen}"]\n1. d4 d5 *')
        assert game.start == Position.from_fen(fen, chess960=True)
        assert game.faults == ()
    game = only(f'[SetUp "1"]\n[FEN "{fen}"]\n1. d4 d5 *')
    assert (game.start.chess960, words(game)) == (True, [("variant_missing", 2, 1)])
    game = only('[Variant "Chess960"]\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *')
    assert (game.line.moves[-1].move.uci(), words(game)) == ("e1h1", [("fen_invalid", 1, 1)])


@pytest.mark.parametrize(
    ("fen", "start", "moves"),
    [
        # wrong rights, wrong en passant square, wrong clocks
        ("4k3/8/8/8/8/5R2/8/4K3 w K - 3 9", "4k3/8/8/8/8/5R2/8/4K3 w - - 3 9", 1),
        ("4k3/8/8/8/8/8/8/4KR2 w - e3 3 9", "4k3/8/8/8/8/8/8/4KR2 w - - 3 9", 1),
        ("4k3/8/8/8/8/8/8/4KR2 w - - x y", "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4KR2 w K e3 x y", "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 1),
        # nobody can play from here
        ("4k3/8/8/8/8/8/8/5R2 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        ("nonsense", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
    ],
)
def test_a_wrong_fen_is_read_as_far_as_it_goes(fen: str, start: str, moves: int) -> None:
    """Only a diagram that cannot be played leaves the moves unread, and then they are kept as text."""
    game = only(f'[FEN "{fen}"]\n[SetUp "1"]\n\n1. Rf8+ *')
    assert game.errors[0].word is FaultWord.FEN_INVALID
    assert (game.start.fen(), len(game.moves)) == (start, moves)
    assert game.line.tail == ("" if moves else "1. Rf8+")


def test_a_position_that_no_game_leads_to_is_played() -> None:
    """A pawn on the first rank, the king of the side not to move in check: a note, no more."""
    for fen, move in (("4k3/8/8/8/8/8/8/4KR1P w - - 0 1", "Ke2"), ("4k3/7R/8/8/1b6/8/8/R3K3 b Q - 1 1", "Kf8")):
        game = only(f'[FEN "{fen}"]\n[SetUp "1"]\n\n{move} *')
        assert (game.start.fen(), len(game.moves), words(game)) == (fen, 1, [("fen_unreachable", 1, 1)])
        assert game.errors == ()


@pytest.mark.parametrize(
    ("tag", "end", "result"),
    [
        ("1-0", "1-0", "1-0"),
        ("1/2-1/2", "½-½", "1/2-1/2"),
        ("*", "0-1", "0-1"),
        ("0-1", "*", "0-1"),
        ("0-1", "1-0", "0-1"),
        ("?", "1-0", "1-0"),
        ("+--", "+--", "1-0"),
        ("--+", "", "0-1"),
        ("0-0", "", "*"),
        ("0-0", "*", "*"),
    ],
)
def test_results(tag: str, end: str, result: str) -> None:
    """The end of the moves and the tag together; where both are decided and differ, the tag."""
    assert only(f'[Result "{tag}"]\n\n1. e4 {end}').result == result


def test_castling_with_zeros_is_no_result() -> None:
    """``0-0`` among the moves is castling."""
    assert only("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *").line.moves[6].move.uci() == "e1g1"


def test_latin1_is_said_once() -> None:
    """The first game with a line that is not UTF-8 says so."""
    first, second, third = games('[White "A"] *\n\n[White "Réti"] *\n\n[White "Näss"] *\n'.encode("latin-1"))
    assert (first.faults, words(second), third.faults) == ((), [("not_utf8", 3, 1)], ())
    assert (second.tags["White"], third.tags["White"]) == ("Réti", "Näss")


def test_too_deep() -> None:
    """Variations inside variations are read to a depth, deeper ones skipped and said; the main line goes on."""
    depth = MAX_DEPTH + 500
    game = only("1. e4 " + "(1. d4 " * depth + ")" * depth + " e5 *")
    assert ucis(game.line) == "e2e4 e7e5"
    assert [fault.word for fault in game.faults] == [FaultWord.VARIATION_TOO_DEEP]


def test_too_many_faults() -> None:
    """A game keeps so many faults and says that there are more."""
    game = only("1. e4 " + "} " * 1000 + "*")
    assert len(game.faults) == MAX_FAULTS + 1
    assert FaultWord.TOO_MANY_FAULTS in {fault.word for fault in game.faults}


def test_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without end is cut, said, and the next one is read."""
    monkeypatch.setattr(reader_module, "MAX_GAME_CHARS", 2000)
    first, second = games("1. Nf3 Nf6 2. Ng1 Ng8\n" * 1000 + '[Event "next"]\n1. e4 *')
    assert [fault.line for fault in first.faults if fault.word == "game_too_long"] == [93]
    assert len(first.moves) == 92 * 4
    assert ucis(second.line) == "e2e4"


def test_no_games() -> None:
    """Nothing is no game; text that is no PGN is a game of faults only."""
    assert games("") == games("\n \n") == []
    game = only("Dear Sir,\nthis is no game\n")
    assert (game.tags, game.moves) == ({}, ())
    assert {fault.word for fault in game.errors} == {FaultWord.UNKNOWN_TOKEN}


def test_progress() -> None:
    """The bytes read so far, up to all of them."""
    seen: list[int] = []
    text = b'[Event "x"]\n\n1. e4 e5 *\n\n' * 10_000
    assert sum(1 for _ in read_pgn(io.BytesIO(text), progress=seen.append)) == 10_000
    assert seen == sorted(seen)
    assert seen[-1] == len(text)


def test_games_come_as_they_are_read() -> None:
    """The first game is there before the second has been read, so that memory stays small."""

    def lines():
        yield "1. e4 *\n"
        yield '[Event "x"]\n'
        raise RuntimeError("read too far")

    stream = read_pgn(lines())
    assert ucis(next(stream).line) == "e2e4"
    with pytest.raises(RuntimeError):
        next(stream)
