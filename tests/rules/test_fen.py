"""FEN, strict and with a column."""

from __future__ import annotations

import csv
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import FenError
from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.setup import Setup
from tests.rules.random_walks import positions

STRICTER = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
}
"""Lines that a lax reader takes: a move number that is missing or 0."""


def judged_lines(folder, name):
    """Read a file of judged lines: text, and whether it is a position."""
    with (folder / "data" / "fen" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["fen"], row["python_chess"] == "valid"


def read_or_refused(text, read=Position.from_fen, **options):
    """Read a text; None if it is refused, with a reason and a column inside it, and by nothing but a `FenError`."""
    refusal = None
    try:
        return read(text, **options)
    except FenError as error:
        refusal = error
    assert refusal.text == text
    assert refusal.reason
    assert 1 <= refusal.column <= len(text) + 1
    return None


@pytest.mark.parametrize("name", ["torture", "cozy_valid_invalid"])
def test_judged_lines(shared, name):
    """Every line is taken or refused as it was judged, but for the two that a strict reader refuses."""
    wrong = []
    for fen, valid in judged_lines(shared, name):
        position = read_or_refused(fen, chess960=True)
        if position is not None:
            assert Position.from_fen(position.fen(), chess960=True) == position
        if (position is not None) != (valid and fen not in STRICTER):
            wrong.append((fen, valid))
    assert wrong == []


def test_chess960_start_positions(shared):
    """All 960 are read, each with both castling rights, and written back as they were."""
    lines = (shared / "data" / "fen" / "chess960_start_positions.txt").read_text(encoding="utf-8").splitlines()
    starts = [line.strip() for line in lines if line.strip()]
    assert len(starts) == 960
    for fen in starts:
        position = Position.from_fen(fen, chess960=True)
        assert position.castling.bit_count() == 4
        assert position.fen().split()[2] == "KQkq"
        assert Position.from_fen(position.fen(), chess960=True) == position


@given(positions)
def test_round_trip(position):
    """What is written reads back as the same position, and is written the same again."""
    fen = position.fen()
    again = Position.from_fen(fen, chess960=position.chess960)
    assert again == position
    assert hash(again) == hash(position)
    assert again.fen() == fen
    assert again.legal_moves() == position.legal_moves()


PLACED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize(
    ("fen", "column", "reason"),
    [
        ("", 1, "placement is missing"),
        (PLACED, 44, "side to move is missing"),
        (f"{PLACED} w", 46, "castling rights is missing"),
        (f"{PLACED} w KQkq", 51, "en passant square is missing"),
        (f"{PLACED} w KQkq - 0", 55, "move number is missing"),
        (f"{PLACED} w KQkq - 0 1 x", 58, "after the six fields"),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 17, "rank 7 has 7 squares"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 18, "more than 8 squares"),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, "two digits"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNx w KQkq - 0 1", 43, "'x' is neither"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", 35, "7 ranks"),
        (f"8/{PLACED} w KQkq - 0 1", 37, "more than 8 ranks"),
        (f"{PLACED} W KQkq - 0 1", 45, "w or b"),
        (f"{PLACED} w kqKQ - 0 1", 49, "letters as KQkq"),
        (f"{PLACED} w KQxkq - 0 1", 49, "letters as KQkq"),
        (f"{PLACED} w KK - 0 1", 48, "given twice"),
        (f"{PLACED} w KQkd - 0 1", 50, "castling right d needs"),
        (f"{PLACED} w KQkq e9 0 1", 52, "- or a square"),
        (f"{PLACED} w KQkq e3 0 1", 52, "captures on rank 6"),
        (f"{PLACED} w KQkq - -1 1", 54, "at most 9 digits"),
        (f"{PLACED} w KQkq - ٣ 1", 54, "at most 9 digits"),
        (f"{PLACED} w KQkq - 0 0", 56, "counts from 1"),
        (f"{PLACED} w KQkq - 0 1234567890", 56, "at most 9 digits"),
        (f"{PLACED} w KQkq - 1 1", 54, "only 0 were played"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", 1, "no white king"),
        ("4k3/8/8/8/8/8/8/K6K w - - 0 1", 17, "2 white kings"),
        ("4k3/8/8/8/8/8/8/K6P w - - 0 1", 19, "first or last rank"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", 23, "in check"),
        ("4k3/8/8/8/8/8/8/R3KR2 w QK - 0 1", 26, "Chess960 only"),
    ],
)
def test_refusals_say_why_and_where(fen, column, reason):
    """Each refusal has its own reason and the column to blame."""
    with pytest.raises(FenError) as caught:
        Position.from_fen(fen)
    assert reason in caught.value.reason
    assert caught.value.column == column
    assert caught.value.text == fen
    assert repr(fen) in str(caught.value)


def test_four_fields_are_enough():
    """As in EPD; the clocks then stand at their beginning."""
    assert Position.from_fen(f"{PLACED} w KQkq -") == Position.start()


def test_spaces_around_and_between():
    """More blanks than one change nothing, other white space is refused."""
    assert Position.from_fen(f"  {PLACED}  w KQkq  - 0 1 ") == Position.start()
    with pytest.raises(FenError):
        Position.from_fen(f"{PLACED}\tw KQkq - 0 1")


@pytest.mark.parametrize(
    ("given", "written"),
    [
        # Shredder letters of outermost rooks become KQkq.
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "KQkq"),
        # An inner rook keeps its letter.
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "G"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "B"),
        ("rr2k3/8/8/8/8/8/8/RR2K1RR w GBb - 0 1", "GBb"),
    ],
)
def test_castling_letters(given, written):
    """X-FEN: KQkq for the outermost rook of that side, the letter of the file for any other."""
    position = Position.from_fen(given, chess960=True)
    assert position.fen().split()[2] == written
    assert Position.from_fen(position.fen(), chess960=True) == position


@pytest.mark.parametrize(
    ("fen", "field"),
    [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-"),  # nobody stands beside
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "-"),  # along the rank
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "-"),  # pinned on the file
    ],
)
def test_en_passant_square_only_if_it_can_be_captured_on(fen, field):
    """A double step that nobody can answer in passing leaves no mark."""
    position = Position.from_fen(fen)
    assert position.fen().split()[3] == field
    assert (position.ep_square is None) == (field == "-")


ALPHABET = "rnbqkpRNBQKP12345678/ wKQkq-abcdefgh0e3e6 \t٣"


@given(st.text(alphabet=ALPHABET, max_size=90))
def test_any_text_is_read_or_refused(text):
    """Whatever the text: a setup, or an error with a column inside it."""
    setup = read_or_refused(text, read=parse_fen)
    assert setup is None or isinstance(setup, Setup)


@given(st.integers(0, 2**32))
def test_mutated_positions_are_read_or_refused(seed):
    """A few characters of a good FEN changed: refused with a reason, or a position that writes itself."""
    rng = random.Random(seed)
    letters = list(START_FEN)
    for _ in range(rng.randint(1, 3)):
        action, place = rng.random(), rng.randrange(len(letters))
        if action < 0.4:
            letters[place] = rng.choice(ALPHABET)
        elif action < 0.7:
            letters.insert(place, rng.choice(ALPHABET))
        else:
            del letters[place]
    position = read_or_refused("".join(letters))
    assert position is None or Position.from_fen(position.fen()) == position
