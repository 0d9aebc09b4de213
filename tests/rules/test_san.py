"""Algebraic notation: what is read, what is refused and how, and that writing is exact."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import AmbiguousSanError, IllegalMoveError, IllegalSanError, ParseSanError
from rules.move import Move
from rules.pieces import KING, PAWN
from rules.position import Position
from rules.reasons import Word
from rules.san import parse_san, write_san
from rules.san_text import LIMIT, read_san
from tests.rules.random_walks import positions, random_positions

BARE = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def read(fen: str, text: str, *, chess960: bool = False) -> str:
    """The move that a text means in a FEN, as UCI."""
    return parse_san(Position.from_fen(fen, chess960=chess960), text).uci()


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        # as the standard has it
        ("start", "e4", "e2e4"),
        ("start", "Nf3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "e8c8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", "a7a8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"),
        # castling with zeros, small letters, strange dashes, and as two squares
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "OO", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O‑O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0–0–0", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Ke1-g1", "e1g1"),
        # long notation and UCI
        ("start", "e2-e4", "e2e4"),
        ("start", "e2e4", "e2e4"),
        ("start", "Ng1f3", "g1f3"),
        ("start", "Ng1-f3", "g1f3"),
        ("start", "g1f3", "g1f3"),
        ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "Nc3xd5", "c3d5"),
        ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", "c3d5"),
        # a missing or needless x, + or #
        ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "Nd5", "c3d5"),
        ("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", "Nxd5", "c3d5"),
        ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "N:d5", "c3d5"),
        ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "N×d5", "c3d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "xd5", "e4d5"),
        ("3k4/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "a1a8"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra7++", "a1a7"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8ch.", "a1a8"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8†", "a1a8"),
        # en passant said so
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p.", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6ep", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed", "e5d6"),
        # promotion without =, in small letters, in brackets
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(N)", "a7a8n"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8/R+", "a7a8r"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8=B", "a7a8b"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a7a8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "ab=N", "a7b8n"),
        # figurines, P for a pawn, small letters
        ("start", "♘f3", "g1f3"),
        ("start", "♞f3", "g1f3"),
        ("start", "♙e4", "e2e4"),
        ("start", "♘\ufe0ef3", "g1f3"),
        ("start", "Pe4", "e2e4"),
        ("start", "nf3", "g1f3"),
        # too much said
        ("1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44", "Rcd2", "c2d2"),
        ("start", "Ngf3", "g1f3"),
        ("start", "N1f3", "g1f3"),
        # praise and blame
        ("start", "e4!", "e2e4"),
        ("start", "e4?!", "e2e4"),
        ("start", " Nf3?? ", "g1f3"),
    ],
)
def test_what_real_files_hold_is_read(fen: str, text: str, uci: str) -> None:
    """One line for each way to write a move."""
    position = Position.start() if fen == "start" else Position.from_fen(fen)
    assert parse_san(position, text).uci() == uci


@pytest.mark.parametrize(
    ("text", "letter", "language"),
    [
        ("Sf3", "S", "German"),
        ("Lb5+", "L", "German"),
        ("Txe8", "T", "Spanish"),
        ("Dh5", "D", "German"),
        ("Fb5", "F", "French"),
        ("Cf3", "C", "French"),
        ("Axc6", "A", "Spanish"),
        ("Jf3", "J", "Czech"),
        ("Vd5", "V", "Hungarian"),
        ("Gb5", "G", "Polish"),
        ("Hh5", "H", "Polish"),
        ("Wa1", "W", "Polish"),
        ("Кf3", "К", "Russian"),
        ("Фh5", "Ф", "Russian"),
        ("Лd1", "Л", "Russian"),
        ("Сb5", "С", "Russian"),
        ("Крe2", "Кр", "Russian"),
    ],
)
def test_other_languages_are_refused_with_a_hint(text: str, letter: str, language: str) -> None:
    """The letter, its column and the language it looks like; a letter may mean another piece, so nothing is guessed."""
    with pytest.raises(ParseSanError) as caught:
        parse_san(Position.start(), text)
    error = caught.value
    assert language in error.hint
    assert f"{letter} = " in error.hint
    assert (error.text, error.column) == (text, 1)
    assert error.fen == Position.start().fen()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("P-K4", "descriptive"),
        ("N-KB3", "descriptive"),
        ("KtxP", "descriptive"),
        ("5254", "numeric"),
        ("Xf3", "K Q R B N"),
        ("hello", "e4, Nf3"),
        ("??", ""),
        ("", ""),
        ("Nf", ""),
        ("Nf9", ""),
        ("e9", ""),
        ("O-O-O-O", "e4, Nf3"),
        ("Ö", "e4, Nf3"),
        ("ea", ""),
        ("e4 e5", "e4, Nf3"),
    ],
)
def test_no_move_at_all(text: str, hint: str) -> None:
    """Text that is no move in algebraic notation is refused before any position is asked."""
    with pytest.raises(ParseSanError) as caught:
        read_san(text)
    error = caught.value
    assert hint in error.hint
    assert error.text == text
    assert error.fen is None
    assert 0 <= error.column <= len(text) + 1


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (BARE, "Nf3", "no white knight can legally go to f3"),
        (BARE, "O-O", "white cannot castle on the king's side"),
        (BARE, "e1e3", "the unit on e1 cannot go to e3"),
        (BARE, "e8e7", "no white unit on e8"),
        (BARE, "a1a2", "no white unit on a1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "the piece that the pawn becomes is missing"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "a pawn becomes a queen"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2=Q", "no white king can legally go to e2"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "ed", "no white pawn can take like this"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "exd5", "no white pawn can legally go to d5"),
    ],
)
def test_no_legal_move(fen: str, text: str, why: str) -> None:
    """A move that is well written but not legal says why, and carries the position."""
    with pytest.raises(IllegalSanError) as caught:
        read(fen, text)
    error = caught.value
    assert why in error.why
    assert (error.text, error.fen) == (text, fen)
    assert isinstance(error, ValueError)


def test_an_illegal_move_names_the_piece_most_likely_meant() -> None:
    """Of two knights, one too far and one pinned, the pinned one was meant: the reason is the check."""
    with pytest.raises(IllegalSanError) as caught:
        read("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "Nd5")
    assert caught.value.reasons[0].word is Word.LEAVES_KING_IN_CHECK


def test_several_legal_moves() -> None:
    """A text that fits two moves is refused with both: nothing is guessed."""
    with pytest.raises(AmbiguousSanError) as caught:
        read("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "Nd2")
    error = caught.value
    assert sorted(map(str, error.moves)) == ["b1d2", "f1d2"]
    assert error.fen == "4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1"
    assert isinstance(error, ValueError)


def test_a_short_capture_that_fits_two_moves() -> None:
    """``ed`` with something to take on two ranks is ambiguous too."""
    with pytest.raises(AmbiguousSanError):
        read("4k3/8/8/3p4/3pP3/4P3/8/4K3 w - - 0 1", "ed")


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        # R60: both knights reach f6
        ("r2qkbnr/pp1n1pp1/2p3bp/3pp3/6P1/2PPB2P/PP1NPPB1/R2QK1NR b KQkq - 1 9", "g8f6", "Ngf6"),
        ("r2qkbnr/pp1n1pp1/2p3bp/3pp3/6P1/2PPB2P/PP1NPPB1/R2QK1NR b KQkq - 1 9", "d7f6", "Ndf6"),
        # R56: the other rook is pinned
        ("1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44", "c2d2", "Rd2"),
        # R35: queen no check, knight check
        ("5r2/6Pk/7p/2pB4/8/q7/8/6RK w - - 0 1", "g7f8n", "gxf8=N+"),
        ("5r2/6Pk/7p/2pB4/8/q7/8/6RK w - - 0 1", "g7f8q", "gxf8=Q"),
        # same file: the rank; same file and rank: the square
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("1k6/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1"),
        ("5k2/8/8/8/Q6Q/8/8/1K5Q w - - 0 1", "a4e4", "Qae4"),
        # captures, en passant, castling with check, mate
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
        ("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 149 138", "g3h3", "Rh3#"),
    ],
)
def test_writing_is_exact(fen: str, uci: str, san: str) -> None:
    """As short as it can be told apart, with check and mate."""
    position = Position.from_fen(fen)
    move = Move.from_uci(uci)
    assert write_san(position, move) == san
    assert write_san(position, move, position.play(move)) == san
    assert parse_san(position, san) is move


def test_r56_needless_disambiguation() -> None:
    """R56: ``Rcd2`` and ``Rd2`` are both read as c2d2, and ``Rd2`` is written."""
    fen = "1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44"
    assert read(fen, "Rcd2") == read(fen, "Rd2") == "c2d2"


def test_r09_and_r10_play_through() -> None:
    """R09, R10: games that tripped other readers over en passant."""
    game = (
        "e4 e6 d4 d5 Nc3 Nf6 Bg5 dxe4 Nxe4 Be7 Bxf6 gxf6 Nf3 f5 Nc3 a6 Qd2 b5 O-O-O b4 Na4 Bb7 Bc4 Bd5 Qe2 Nc6 Rhe1 "
        "Na5 Bxd5 Qxd5 b3 Nc6 c4 bxc3 Nxc3 Qa5 Qc4"
    )
    position = Position.start()
    for text in game.split():
        position = position.play(parse_san(position, text))
    assert position.fen() == "r3k2r/2p1bp1p/p1n1p3/q4p2/2QP4/1PN2N2/P4PPP/2KRR3 b kq - 2 19"
    position = Position.start()
    for text in ("d4", "a6", "d5", "e5"):
        position = position.play(parse_san(position, text))
    assert position.ep_square == 44
    assert position.piece_at(44) is None


def test_chess960_castling() -> None:
    """Castling is written by the side of the rook, and read as king takes rook too."""
    fen = "6k1/8/8/8/8/8/8/1RK4R w HB - 0 1"
    position = Position.from_fen(fen, chess960=True)
    assert read(fen, "O-O", chess960=True) == "c1h1"
    assert read(fen, "c1h1", chess960=True) == "c1h1"
    assert read(fen, "c1g1", chess960=True) == "c1h1"
    assert write_san(position, Move.from_uci("c1b1")) == "O-O-O"


def test_a_king_step_is_no_castling_in_chess960() -> None:
    """``f1g1`` is the king's step, ``f1h1`` castles, though the king lands on g1 in both."""
    fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"
    assert read(fen, "f1g1", chess960=True) == "f1g1"
    assert read(fen, "O-O", chess960=True) == "f1h1"
    assert read(fen, "Kg1", chess960=True) == "f1g1"


def test_an_illegal_move_is_not_written() -> None:
    """Writing checks the move; the error says why it is not legal."""
    position = Position.start()
    for uci in ("e2e5", "e1g1", "a3a4", "e7e5", "e2e4q", "a1a2"):
        with pytest.raises(IllegalMoveError):
            write_san(position, Move.from_uci(uci))
    with pytest.raises(IllegalMoveError):
        write_san(Position.from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), Move.from_uci("a7a8"))


def test_marks_are_kept_apart() -> None:
    """What follows the move is not part of it, but not lost."""
    assert read_san("Nf3!?").marks == "!?"
    assert read_san("e4!!").marks == "!!"
    assert read_san("e4!!!").marks == "!!"
    assert read_san("O-O-O+").marks == ""


def test_texts_are_forgotten_in_time() -> None:
    """The memory of read texts is bounded; what is read anew is the same."""
    before = read_san("Nf3")
    names = [f"{a}{b}" for a in "abcdefgh" for b in "12345678"]
    texts = (
        f"{piece}{origin}{sign}{to}" for piece in "KQRBN" for origin in names for sign in ("", "x") for to in names
    )
    for _, text in zip(range(LIMIT + 1), texts, strict=False):
        read_san(text)
    after = read_san("Nf3")
    assert after is not before
    assert (after.kind, after.from_mask, after.to_square) == (before.kind, before.from_mask, before.to_square)


@given(positions)
def test_every_legal_move_comes_back(position: Position) -> None:
    """Property: reading what was written gives the move, and no two moves are written alike."""
    moves = position.legal_moves()
    texts = [write_san(position, move) for move in moves]
    assert [parse_san(position, text) for text in texts] == list(moves)
    assert len(set(texts)) == len(texts)


@given(positions, st.data())
def test_looser_ways_mean_the_same(position: Position, data: st.DataObject) -> None:
    """Property: UCI, long notation, zeros, figurines, and missing signs all give the same move."""
    if not position.legal_moves():
        return
    move = data.draw(st.sampled_from(position.legal_moves()))
    san = write_san(position, move)
    kind = position.kind_at(move.from_square)
    ways = [move.uci(), san.rstrip("+#"), san.replace("O", "0"), san.replace("=", ""), f"{san}!?"]
    ways.append(san.translate(str.maketrans("KQRBN", "♔♕♖♗♘")))
    if kind is not PAWN:
        ways.append(san.replace("x", ""))
    if not san.startswith("O"):
        uci = move.uci()
        letter = "" if kind is PAWN else kind.letter.upper()
        ways.append(f"{letter}{uci[:2]}-{uci[2:4]}{uci[4:].upper()}")
        ways.append(f"{letter}{uci[:4]}{uci[4:].upper()}")
    for text in ways:
        assert parse_san(position, text) is move, text


@given(st.text(alphabet="abcdefgh12345678KQRBNPxO0-=+#!?.() e♘–", max_size=12) | st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Property: whatever the text, the answer is a legal move or one of the three errors."""
    position = Position.from_fen("r3k2r/pPp1qpb1/bn2pnp1/3pN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R w KQkq - 0 1")
    try:
        move = parse_san(position, text)
    except (ParseSanError, IllegalSanError, AmbiguousSanError) as error:
        refused = (error.fen, error.text)
        assert refused == (position.fen(), text)
    else:
        assert move in position.legal_moves()


def test_the_oracle_writes_the_same() -> None:
    """Every legal move of random positions is written as another library writes it, and read back."""
    chess = pytest.importorskip("chess")
    count = 0
    for position in random_positions(400, seed=7):
        board = chess.Board(position.fen(), chess960=position.chess960)
        moves = position.legal_moves()
        assert len(moves) == board.legal_moves.count()
        for move in moves:
            theirs = board.san(board.parse_uci(move.uci()))
            assert write_san(position, move) == theirs
            assert parse_san(position, theirs) is move
            assert parse_san(position, board.lan(board.parse_uci(move.uci()))) is move
            count += 1
    assert count > 4000


@pytest.mark.prove
def test_the_oracle_writes_the_same_at_length() -> None:
    """The same for 20,000 positions, and what it reads is read the same, right or wrong."""
    chess = pytest.importorskip("chess")
    rng = random.Random(11)
    pieces, files, ranks = ["", "K", "Q", "R", "B", "N"], ["", *"abcdefgh"], ["", *"12345678"]
    for position in random_positions(20_000, seed=8):
        board = chess.Board(position.fen(), chess960=position.chess960)
        for move in position.legal_moves():
            theirs = board.san(board.parse_uci(move.uci()))
            assert write_san(position, move) == theirs
            assert parse_san(position, theirs) is move
        for _ in range(20):
            text = (
                rng.choice(pieces)
                + rng.choice(files)
                + rng.choice(ranks)
                + rng.choice(files[1:])
                + rng.choice(ranks[1:])
            )
            if len(text) == 4 and text[0] in "abcdefgh":
                continue  # two squares: a pawn's move to the oracle, anybody's here
            try:
                expected = board.uci(board.parse_san(text))
            except ValueError:
                expected = None
            try:
                found = parse_san(position, text).uci()
            except ValueError:
                found = None
            castles = found is not None and position.kind_at(Move.from_uci(found).from_square) is KING
            assert found == expected or (castles and expected is None), (position.fen(), text)
