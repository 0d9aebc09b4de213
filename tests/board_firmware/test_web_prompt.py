"""The one sentence for each state, and never a helping word in a tournament."""

import json
import re

import pytest

from board_firmware.messages import catalogue
from board_firmware.web.prompt import prompt
from hal.squares import parse_square
from tests.board_firmware.web_desk import STATE

FULL = 0xFFFF_0000_0000_FFFF


def said(profile="friendly", occupancy=FULL, **state):
    """Key and fields of the sentence for a state."""
    one = prompt({**STATE, **state}, profile, occupancy)
    return one.key, dict(one.fields)


def without(*squares):
    """The starting array with these squares empty."""
    return FULL & ~sum(1 << parse_square(name) for name in squares)


def test_the_ordinary_turn() -> None:
    """Whose it is."""
    assert said() == ("prompt.to_move", {"side": "white"})


def test_a_lifted_piece_is_to_be_set_down() -> None:
    """While it hangs in the air; put back it is a duty."""
    lifted = said(obligation="move:g1", occupancy=without("g1"))
    assert lifted == ("prompt.place_lifted", {"side": "white", "square": "g1"})
    assert said(obligation="move:g1")[0] == "prompt.must_move"
    assert said(obligation="capture:d7") == ("prompt.must_capture", {"side": "white", "square": "d7"})
    assert said(obligation="exact:e1f1,e1d1")[1]["moves"] == ["e1f1", "e1d1"]


def test_a_begun_castling_names_the_rooks_way() -> None:
    """By the lamps where they are lit, else from what is left to play."""
    lamps = {"h1": "castling_rook", "f1": "castling_rook"}
    rook = ("prompt.castling_rook", {"origin": "h1", "target": "f1"})
    assert said(lamps=lamps, occupancy=without("e1", "f1")) == rook
    assert said(obligation="exact:e1g1", allowed=["e1g1"]) == rook
    assert said(obligation="exact:e1g1", allowed=["e1g1"], occupancy=without("g1"))[0] == "prompt.exact"


def test_en_passant_names_the_victim() -> None:
    """The pawn that must leave its own square."""
    assert said(lamps={"d5": "en_passant_victim"}) == ("prompt.en_passant_victim", {"square": "d5"})


@pytest.mark.parametrize(
    ("restore", "key"),
    [
        ({"place": ["g1"], "clear": ["g3"]}, "prompt.restore_both"),
        ({"place": ["g1"], "clear": []}, "prompt.restore_place"),
        ({"place": [], "clear": ["g3"]}, "prompt.restore_clear"),
        ({"place": [], "clear": [], "replace": ["d1"]}, "prompt.restore_replace"),
    ],
)
def test_trouble_says_what_goes_where(restore, key) -> None:
    """Squares to fill, to empty, or to exchange."""
    assert said(status="irregularity", restore=restore)[0] == key
    assert said("tournament", status="irregularity", restore=restore)[0] == key


def test_questions_come_before_everything_but_the_end() -> None:
    """A question in trouble is still the question."""
    board = {"ask": "promotion_piece", "confidence": "certain", "report": []}
    assert said(board=board, restore={"place": ["a1"], "clear": []})[0] == "ask.promotion_piece"
    assert said(board={**board, "ask": "which_capture"})[0] == "ask.which_capture"
    assert said(board={**board, "ask": "confirm_setup"}, status="not_started")[0] == "prompt.begin"
    ended = prompt({**STATE, "status": "ended", "result": "1-0", "termination": "checkmate"}, "friendly", FULL)
    assert (ended.key, ended.detail) == ("outcome.1-0", "termination.checkmate")


def test_before_the_start() -> None:
    """What is missing, or that nothing has begun."""
    assert said(status="not_started")[0] == "prompt.not_started"
    missing = prompt({**STATE, "status": "not_started", "lamps": {"e2": "place"}}, "friendly", FULL)
    assert (missing.key, missing.detail, missing.detail_fields["place"]) == (
        "prompt.set_up",
        "prompt.restore_place",
        ["e2"],
    )


def test_the_clock_is_to_be_pressed_in_a_friendly_game_only() -> None:
    """In a tournament that is nobody's to say (12.6)."""
    made = {"turn": "black", "clock": "white", "made": True, "move": "e2e4"}
    assert said(**made) == ("prompt.press", {"side": "white"})
    assert said("tournament", **made)[0] == "prompt.to_move"


@pytest.mark.parametrize("obligation", ["move:g1", "capture:d7", "exact:e1g1", "free"])
def test_a_tournament_player_is_told_no_duty(obligation) -> None:
    """Nor that one has touched anything."""
    lamps = {"h1": "castling_rook", "f1": "castling_rook"}
    assert said("tournament", obligation=obligation, lamps=lamps, allowed=["e1g1"])[0] == "prompt.to_move"


@pytest.mark.parametrize("name", ["laws.json", "profiles.json"])
def test_every_state_of_the_cases_has_a_sentence(shared, name) -> None:
    """All keys stand in the catalogue and all their fields are filled."""
    field = re.compile(r"\{(\w+)\}")
    for case in json.loads((shared / "cases" / name).read_text()):
        for profile in ("friendly", "tournament", "practice"):
            one = prompt({**STATE, **case["expected"]}, profile, FULL)
            for key, fields in ((one.key, one.fields), (one.detail, one.detail_fields)):
                if key is not None:
                    needed = set(field.findall(re.sub(r"\(.*\)", "", catalogue("en")[key][0])))
                    assert needed <= {name for name, value in fields.items() if value}, (case["id"], profile, key)


def test_the_array_set_up_again_in_mid_game() -> None:
    """It is not the kings that are asked about."""
    board = {"ask": "confirm_result", "report": [], "confidence": "certain"}
    assert said(board={**board, "proposal": "*"})[0] == "ask.given_up"
    assert said(board={**board, "proposal": "1-0"})[0] == "ask.confirm_result"
    assert said("tournament", board={**board, "proposal": "*"})[0] == "ask.given_up"
