"""Lamps, tones and text: what people see of the core's words."""

from __future__ import annotations

from itertools import combinations

import pytest

from board_firmware import outputs
from board_firmware.core.events import Decision, View
from hal.board import Lamp, Lamps, Text
from hal.squares import parse_square

CONTRACT_WORDS = (
    [
    "origin", "legal", "capture", "last_move", "place", "clear",
    "castling_rook", "en_passant_victim", "promotion", "question", "hint", "fault",
]
)


def view(**fields) -> View:
    """A view with these parts of the state."""
    shown = {name: fields.pop(name) for name in ("profile", "san", "started_fen", "outstanding", "legal_by_origin",
                                                 "occupancy") if name in fields}  # fmt: skip
    return View(state=fields, **shown)


def test_every_lamp_word_of_the_contract_has_a_look():
    """And there is no look for a word that the contract does not have."""
    assert set(outputs.LAMPS) == set(CONTRACT_WORDS)


def seen_without(lamp: Lamp, kind: str) -> tuple[float, float]:
    """Brightness and hue along the axis that is left, for eyes without red or green cones (a coarse model)."""
    red, green, blue = (channel / 255 for channel in (lamp.red, lamp.green, lamp.blue))
    yellow = 0.1 * red + 0.9 * green if kind == "protan" else 0.6 * red + 0.4 * green
    return (yellow + blue) / 2, yellow - blue


@pytest.mark.parametrize("kind", ["protan", "deutan"])
def test_colour_blind_people_can_tell_the_lamps_apart(kind):
    """Two words whose colours look alike to them differ in blinking."""
    for (one, first), (other, second) in combinations(outputs.LAMPS.items(), 2):
        if first.blink_hz != second.blink_hz:
            continue
        bright, hue = seen_without(first, kind)
        bright2, hue2 = seen_without(second, kind)
        assert abs(bright - bright2) + abs(hue - hue2) > 0.08, f"{one} and {other}"


def test_slow_asks_fast_warns_and_no_lamp_flashes_dangerously():
    """The grammar: wrong is faster than asking, and three flashes a second are the limit."""
    assert outputs.LAMPS["clear"].blink_hz == outputs.LAMPS["fault"].blink_hz == outputs.WRONG_HZ <= 3.0
    assert outputs.LAMPS["place"].blink_hz == outputs.ACT_HZ < outputs.WRONG_HZ
    assert outputs.LAMPS["last_move"].blink_hz == 0


def test_lamps_follow_the_view():
    """Words by square become lamps; an unknown word asks."""
    lamps = outputs.lamps_for(view(lamps={"h1": "castling_rook", "a8": "new_word"}))
    assert lamps == Lamps(squares={7: outputs.LAMPS["castling_rook"], 56: outputs.LAMPS["question"]})
    assert outputs.lamps_for(view()) == Lamps()


def test_a_hint_lights_the_goals_in_practice_only():
    """At the first open sample, before anything is decided; elsewhere the lamps stay."""
    shown = Lamps(squares={0: outputs.LAMPS["last_move"]})
    goals = {"legal_by_origin": {"e4": ("e5", "d5")}, "occupancy": 1 << parse_square("d5")}
    hinted = outputs.hint_lamps(view(profile="practice", **goals), parse_square("e4"), shown)
    assert hinted.squares == {
        0: outputs.LAMPS["last_move"],
        parse_square("e4"): outputs.LAMPS["origin"],
        parse_square("e5"): outputs.LAMPS["legal"],
        parse_square("d5"): outputs.LAMPS["capture"],
    }
    for profile in ("friendly", "tournament"):
        assert outputs.hint_lamps(view(profile=profile, **goals), parse_square("e4"), shown) == shown


def test_a_tournament_board_is_silent():
    """Nothing may tell the players anything (12.6)."""
    decisions = [Decision(kind="move_illegal", at_ns=0), Decision(kind="game_over", at_ns=0)]
    assert outputs.tone_for(decisions, view(profile="friendly")) == outputs.ENDED
    assert outputs.tone_for(decisions[:1], view(profile="friendly")) == outputs.REFUSED
    assert outputs.tone_for(decisions, view(profile="tournament")) is None
    assert outputs.tone_for([Decision(kind="move_seen", at_ns=0)], view(profile="friendly")) is None


@pytest.mark.parametrize(
    ("shown", "lines"),
    [
        (view(turn="white"), ("White to move",)),
        (view(turn="black", san=("e4",), started_fen="x w"), ("Black to move", "1. e4")),
        (view(turn="white", san=("e4", "e5"), started_fen="x w"), ("White to move", "1... e5")),
        (view(turn="white", san=("Kd7",), started_fen="x b"), ("White to move", "1... Kd7")),
        (view(status="ended", result="1-0", termination="time_no_mating_line"), ("1-0 time no mating line",)),
        (view(status="irregularity", turn="white", restore={"place": ["f1"], "clear": ["c4"]}),
         ("Place f1", "Clear c4")),
        (view(status="irregularity", turn="white", restore={"clear": ["c4"]}, san=("e4",), started_fen="x w"),
         ("Clear c4", "1. e4")),
        (view(status="irregularity", turn="white"), ("Put right:",)),
        (view(status="paused", restore={"place": ["f1", "g1"]}), ("Place f1 g1", "Paused")),
        (view(turn="white", board={"ask": "promotion_piece"}, san=("e4",), started_fen="x w"),
         ("Piece: Q R B N?", "White to move", "1. e4")),
        (view(status="identification", board={"ask": "which_move"}, san=("e4",), started_fen="x w"),
         ("Which move?", "1. e4")),
        (view(status="identification", san=("e4",), started_fen="x w"), ("Which move?", "1. e4")),
        (view(status="ended", result="1-0", termination="resignation", board={"ask": "confirm_setup"}),
         ("Start? OK / Back", "1-0 resignation")),
        (view(turn="white", outstanding=("line rank 4",)), ("White to move", "Fault: line rank 4")),
    ],
)  # fmt: skip
def test_the_small_display_says_what_matters(shown, lines):
    """Plain ASCII, a few lines."""
    assert outputs.text_for(shown) == Text(lines=lines)
    assert all(line.isascii() for line in outputs.text_for(shown).lines)
