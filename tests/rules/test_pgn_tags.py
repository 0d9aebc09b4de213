"""Tag pairs in and out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.outcome import Termination
from rules.pgn.results import RESULTS, UNUSUAL_RESULTS, read_result, termination_tag
from rules.pgn.tags import ROSTER, clean_value, in_export_order, read_tag, split_round, write_tag


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_]*", fullmatch=True), st.text())
def test_any_value_comes_back(name: str, value: str) -> None:
    """Property: quotes, backslashes and brackets are text; what a tag cannot hold has become a space."""
    line = write_tag(name, value)
    tag = read_tag(line, 0)
    assert tag is not None
    assert (tag.name, tag.value, tag.end) == (name, clean_value(value), len(line))
    assert not tag.is_repaired
    assert not tag.is_broken


def test_the_order_of_export() -> None:
    """The roster in its order, filled up; the others by name."""
    pairs = in_export_order({"Zeta": "1", "ECO": "2", "White": "3", "Event": ""})
    assert [name for name, _ in pairs] == [*ROSTER, "ECO", "Zeta"]
    assert dict(pairs)["Event"] == "?"
    assert dict(pairs)["Date"] == "????.??.??"


def test_rounds() -> None:
    """Round and board, as broadcasts write them."""
    assert split_round("21.8") == ("21", "8")
    assert split_round("3") == ("3", "")
    assert split_round("1.2.3") == ("1", "2.3")
    assert split_round("?") == ("?", "")


@pytest.mark.parametrize(
    ("termination", "value"),
    [
        (Termination.TIME, "time forfeit"),
        (Termination.SECOND_ILLEGAL_MOVE, "rules infraction"),
        (Termination.CHECKMATE, "normal"),
        (Termination.RESIGNATION, "normal"),
        (Termination.ARBITER, "adjudication"),
        (Termination.ABANDONED, "abandoned"),
        (None, "unterminated"),
    ],
)
def test_terminations(termination: Termination | None, value: str) -> None:
    """P12 and the other values of the standard."""
    assert termination_tag(termination) == value


def test_every_termination_has_a_value_of_the_standard() -> None:
    """No word of ours gets into the tag."""
    values = {"abandoned", "adjudication", "death", "emergency", "normal", "rules infraction", "time forfeit"}
    assert {termination_tag(termination) for termination in Termination} <= values


def test_results() -> None:
    """All ways to write one mean one of the four; what PGN has no word for is none."""
    assert [read_result(result) for result in RESULTS] == list(RESULTS)
    assert set(UNUSUAL_RESULTS.values()) <= set(RESULTS)
    assert not set(UNUSUAL_RESULTS) & set(RESULTS)
    assert read_result(" 1–0 ") == "1-0"
    assert read_result("½-½") == "1/2-1/2"
    assert read_result("+--") == "1-0"
    assert read_result("0-0") is None
    assert read_result("who knows") is None
