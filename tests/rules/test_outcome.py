"""Ends of games as values."""

from __future__ import annotations

import pytest

from rules.outcome import Outcome, Termination
from rules.pieces import BLACK, WHITE


def test_results():
    """The score as on a score sheet."""
    assert Outcome(WHITE, Termination.CHECKMATE).result == "1-0"
    assert Outcome(BLACK, Termination.TIME).result == "0-1"
    assert Outcome(None, Termination.AGREEMENT).result == "1/2-1/2"


@pytest.mark.parametrize(
    ("termination", "article"),
    [
        ("checkmate", "5.1.1"),
        ("stalemate", "5.2.1"),
        ("dead_position", "5.2.2"),
        ("fivefold", "9.6.1"),
        ("seventyfive_moves", "9.6.2"),
        ("agreement", ""),
    ],
)
def test_articles(termination, article):
    """An end that comes by itself names its article."""
    assert Outcome(None, Termination(termination)).article == article


def test_words_never_change():
    """Other programs rely on them."""
    assert {str(word) for word in Termination} == {
        "checkmate", "stalemate", "dead_position", "agreement", "resignation", "resignation_no_mating_material", "time",
        "time_no_mating_material", "time_no_mating_line", "both_flags", "threefold_claim", "fifty_claim", "fivefold",
        "seventyfive_moves", "second_illegal_move", "second_illegal_move_no_mating_material", "arbiter", "abandoned",
        "game_cancelled_new_game",
    }  # fmt: skip
