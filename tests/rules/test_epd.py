"""EPD in and out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.epd import Epd, read_epd, write_epd
from rules.errors import EpdError, IllegalMoveError
from rules.move import Move
from rules.position import Position
from tests.rules.random_walks import positions

CASTLE = "4k3/8/8/8/8/8/8/R3K2R w KQ -"


def test_operations() -> None:
    """Numbers, words, text and moves, each as what it is."""
    epd = read_epd(f'{CASTLE} bm O-O Ra8+; am Kd1; ce -12; c0 "a; b" 1.5 x; id "castle"; pv O-O Ke7 Rf7+; draw_offer;')
    moves = {code: [str(move) for move in epd.operations[code]] for code in ("bm", "am", "pv")}
    assert moves == {"bm": ["e1g1", "a1a8"], "am": ["e1d1"], "pv": ["e1g1", "e8e7", "f1f7"]}
    assert epd.operations["ce"] == (-12,)
    assert epd.operations["c0"] == ("a; b", 1.5, "x")
    assert epd.operations["draw_offer"] == ()
    assert epd.id == "castle"
    assert read_epd(CASTLE).id == ""


def test_clocks() -> None:
    """As operations, or as the fifth and sixth field; else the earliest that can be."""
    assert read_epd(f"{CASTLE} hmvc 7; fmvn 20;").position.fen() == f"{CASTLE} - 7 20".replace("KQ - -", "KQ -")
    assert read_epd(f"{CASTLE} 7 20").position.fullmove_number == 20
    assert read_epd(f"{CASTLE} 7 20; id x;").id == "x"
    assert read_epd(f"{CASTLE} hmvc 7;").position.fullmove_number == 4
    assert read_epd(f"{CASTLE} id 5;").operations == {"id": (5,)}


def test_perft_lines() -> None:
    """Counts that begin with the semicolon, as suites write them."""
    epd = read_epd(f"{CASTLE} 0 1 ;D1 26 ;D2 112")
    assert epd.operations == {"D1": (26,), "D2": (112,)}


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("", 1, "placement"),
        ("8/8 w - -", 4, "2 ranks"),
        ("8/8/8/8/8/8/8/8 w - -", 1, "no white king"),
        (f"{CASTLE} bm Qd4;", 33, "no white queen"),
        (f"{CASTLE} bm Sf3;", 33, "German"),
        (f"{CASTLE} sm Kd1 Kd2;", 30, "one move"),
        (f"{CASTLE} 1m x;", 30, "begins with a letter"),
        (f'{CASTLE} id "x;', 33, "not closed"),
        (f"{CASTLE} hmvc x;", 30, "one number"),
        (f"{CASTLE} hmvc;", 30, "one number"),
        ("4k3/8/8/8/8/8/8/RN2KN2 w - - bm Nd2;", 33, "could be"),
    ],
)
def test_refusals(line: str, column: int, reason: str) -> None:
    """Each says what and where."""
    with pytest.raises(EpdError, match=reason) as caught:
        read_epd(line)
    assert (caught.value.column, caught.value.text) == (column, line)


def test_diagrams_that_no_game_leads_to() -> None:
    """Suites hold some: a king between two checkers on one line."""
    assert read_epd("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1 ;D1 4").operations == {"D1": (4,)}


def test_writing() -> None:
    """Operations by name, moves in SAN, clocks where they say something."""
    position = Position.from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 7 20")
    epd = Epd(
        position=position,
        operations={"id": ("x y",), "pv": (Move.from_uci("e1g1"), Move.from_uci("e8e7")), "acd": (12,)},
    )
    assert write_epd(epd) == f'{CASTLE} acd 12; fmvn 20; hmvc 7; id "x y"; pv O-O Ke7;'
    assert write_epd(Epd(position=Position.start())) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def test_what_epd_cannot_hold() -> None:
    """Quotation marks, control characters, names that are none, moves that are not legal."""
    position = Position.start()
    for operations in ({"id": ('a"b',)}, {"id": ("a\nb",)}, {"two words": ()}, {"1": ()}):
        with pytest.raises(ValueError, match="EPD"):
            write_epd(Epd(position=position, operations=operations))
    with pytest.raises(IllegalMoveError):
        write_epd(Epd(position=position, operations={"bm": (Move.from_uci("e2e5"),)}))


texts = st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters='"'), max_size=12)
operands = st.lists(st.integers(-(10**9), 10**9) | texts | st.sampled_from([0.5, -2.25]), max_size=3).map(tuple)


@given(positions, st.dictionaries(st.sampled_from(["id", "c0", "ce", "acd", "D1", "eco"]), operands), st.data())
def test_written_lines_read_back(position: Position, operations: dict, data: st.DataObject) -> None:
    """Property: position, clocks and operations come back."""
    if position.legal_moves():
        operations["bm"] = tuple(data.draw(st.lists(st.sampled_from(position.legal_moves()), max_size=3)))
    epd = Epd(position=position, operations=operations)
    assert read_epd(write_epd(epd), chess960=position.chess960) == epd


@given(st.text(alphabet='4k3/8KQR wb-;"1a.bmidD=', max_size=40) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Property: an `EpdError` with a column, or a position."""
    try:
        read_epd(f"{CASTLE} {text}")
    except EpdError as error:
        column = error.column
        assert 1 <= column <= len(CASTLE) + len(text) + 2


def test_all_suites(shared: Path) -> None:
    """Every line of the perft suites is read, and comes back when written."""
    count = 0
    for path in sorted((shared / "data/perft").glob("*.epd")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                epd = read_epd(line, chess960="960" in path.name)
                assert epd.operations
                assert read_epd(write_epd(epd), chess960="960" in path.name) == epd
                count += 1
    assert count > 900
