"""A game's first event: everything asked for is checked, nothing is guessed."""

from __future__ import annotations

import chess
import pytest

from board_firmware.config import defaults
from board_firmware.core.session import Session
from board_firmware.journal.opening import chess960_fen, missing_rights, open_game, with_rights
from board_firmware.peers import NewGame
from rules import START_FEN

START = 0xFFFF_0000_0000_FFFF
SETTINGS = defaults().values


def opened(occupancy=None, **request):
    """The event for a request."""
    return open_game(NewGame(**request), SETTINGS, 7, occupancy, "g1")


def test_with_nothing_said_it_is_the_usual_array():
    """Friendly, no clock, begun at once since the pieces stand."""
    event = opened()
    assert (event.fen, event.control, event.profile, event.prior) == (START_FEN, "none", "friendly", {})
    assert (event.at_ns, event.occupancy, event.game_id) == (7, START, "g1")


@pytest.mark.parametrize(
    ("occupancy", "control", "waits"),
    [(START, "none", False), (START, "300+3", True), (0, "none", True), (None, "*60", True)],
)
def test_a_game_waits_for_its_pieces_and_its_clock(occupancy, control, waits):
    """With a clock somebody starts it; without, the game begins when the pieces stand."""
    event = opened(occupancy, control=control)
    assert (event.prior == {"started": False}) == waits
    session = Session()
    session.receive(event)
    assert (session.state()["status"] == "not_started") == waits


@pytest.mark.parametrize("number", range(0, 960, 37))
def test_chess960_arrays_have_their_customary_numbers(number):
    """As the numbering that everybody uses has them."""
    assert chess960_fen(number).split()[0] == chess.Board.from_chess960_pos(number).board_fen()


def test_518_is_the_usual_array():
    """And there are 960, no more."""
    assert chess960_fen(518) == START_FEN
    for number in (-1, 960):
        with pytest.raises(ValueError, match="there are 960"):
            chess960_fen(number)
    assert opened(chess960_number=0).chess960
    assert opened(chess960=True).fen.count("/pppppppp/8/8/8/8/PPPPPPPP/") == 1


@pytest.mark.parametrize(
    ("fen", "letters"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq", ""),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", ""),
        ("4k2r/8/8/8/8/8/8/R2K4 b", "k"),
        ("4k2N/8/8/8/8/8/8/n3K3", ""),
        ("", ""),
    ],
)
def test_rights_that_are_not_stated_are_asked(fen, letters):
    """One question for each king and rook on their squares; a dash states that there are none."""
    assert "".join(right.letter for right in missing_rights(fen)) == letters


def test_a_diagram_without_its_rights_is_refused_until_they_are_said():
    """Never inferred from where the pieces stand; where none is possible there is nothing to ask."""
    with pytest.raises(ValueError, match="does not state the castling rights"):
        opened(fen="r3k3/8/8/8/8/8/8/4K3 b")
    assert opened(fen=with_rights("r3k3/8/8/8/8/8/8/4K3 b", "q")).fen == "r3k3/8/8/8/8/8/8/4K3 b q - 0 1"
    assert opened(fen="4k3/8/8/8/8/8/8/4K2R b -").fen.startswith("4k3/8/8/8/8/8/8/4K2R b -")
    assert opened(fen="4k3/8/8/8/8/8/P7/4K3").fen == "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"fen": "nonsense"}, "nonsense"),
        ({"fen": "4k3/8/8/8/8/8/8/KK6 w - - 0 1"}, "king"),
        ({"history": ("e2e4", "e2e4")}, "move 2 of the history, e2e4, is not legal"),
        ({"history": ("e9",)}, "e9"),
        ({"control": "soon"}, "soon"),
        ({"profile": "casual"}, "casual"),
        ({"settings": {"settle_ms": -1}}, "settle_ms"),
        ({"settings": {"unheard_of": 1}}, "unheard_of"),
    ],
)
def test_what_cannot_be_set_up_is_said(request_, words):
    """A sentence that names it."""
    with pytest.raises(ValueError, match=words):
        opened(**request_)


def test_the_configuration_fills_what_is_not_said():
    """Control, profile, rules and tags; the request's own come first."""
    settings = {
        **SETTINGS,
        "game": {"control": "300", "profile": "tournament", "lang": "en"},
        "rules": {"settle_ms": 300, "takeback": "free"},
        "tags": {"Event": "Club", "Site": "Here"},
    }
    event = open_game(NewGame(settings={"settle_ms": 200}, tags={"Site": "There"}), settings, 0, None)
    assert (event.control, event.profile) == ("300", "tournament")
    assert event.settings == {"settle_ms": 200, "takeback": "free"}
    assert event.tags == {"Event": "Club", "Site": "There"}


def test_a_history_stands_on_the_board():
    """The pieces are to stand as after its last move."""
    assert opened(history=("e2e4",)).occupancy == START & ~(1 << 12) | 1 << 28


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        ({"fen": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}, "checkmate"),
        ({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "stalemate"),
        ({"fen": "7k/8/6K1/8/8/8/8/8 w - - 0 1"}, "dead_position"),
        ({"fen": "7k/8/6K1/8/8/8/8/7R b - - 150 90"}, "seventyfive_moves"),
        ({"history": ("f2f3", "e7e5", "g2g4", "d8h4")}, "checkmate"),
        ({"history": ("g1f3", "g8f6", "f3g1", "f6g8") * 4}, "fivefold"),
    ],
)
def test_a_game_that_is_over_is_not_begun(request_, word):
    """By the position or by its history: there is nothing to play, and no clock may run."""
    with pytest.raises(ValueError, match=rf"the game is over as it stands \({word}\)"):
        opened(**request_)
