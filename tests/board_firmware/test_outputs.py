"""Lamps, tones and text: what people see of the core's words."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from board_firmware import outputs
from board_firmware.core.events import Decision, View
from hal.board import Lamp, Lamps, Text
from hal.squares import parse_square

CONTRACT_WORDS = [
    "origin",
    "legal",
    "capture",
    "last_move",
    "place",
    "clear",
    "castling_rook",
    "en_passant_victim",
    "promotion",
    "question",
    "hint",
    "fault",
]


def view(**fields) -> View:
    """A view with these parts of the state."""
    shown = {name: fields.pop(name) for name in ("profile", "san", "started_fen", "outstanding", "legal_by_origin",
                                                 "occupancy") if name in fields}  # fmt: skip
    return View(state=fields, **shown)


def test_every_lamp_word_of_the_contract_has_a_look():
    """And there is no look for a word that the contract does not have."""
    assert set(outputs.LAMPS) == set(CONTRACT_WORDS)


COLOURS = ("WHITE", "GREEN", "BLUE", "YELLOW", "RED", "PURPLE")

SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranope": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanope": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What is left of linear red, green and blue. Source: Machado, Oliveira, Fernandes 2009, severity 1.0."""

TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
"""Of linear sRGB primaries, and white at full as the reference. Source: IEC 61966-2-1."""

APART = 25.0
"""CIE Lab distance of what must not be confused: ten times the 2.3 that can just be seen side by side, for these lamps
are squares apart and seen for a second."""


def times(matrix, values):
    """A matrix times a column."""
    return [sum(factor * value for factor, value in zip(row, values, strict=True)) for row in matrix]


def lab(lamp: Lamp, sight: str) -> list[float]:
    """A lamp's light in CIE Lab, as such eyes see it."""
    light = [min(1.0, max(0.0, part)) for part in times(SIGHT[sight], [lamp.red / 255, lamp.green / 255, lamp.blue / 255])]
    white = times(TO_XYZ, (1, 1, 1))
    shares = [part / whole for part, whole in zip(times(TO_XYZ, light), white, strict=True)]
    x, y, z = (share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116 for share in shares)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("sight", SIGHT)
def test_lamps_that_blink_alike_are_told_apart_by_all_eyes(sight):
    """Two words of the same rhythm never have colours that look alike to people who lack one kind of cones."""
    for (one, first), (other, second) in combinations(outputs.LAMPS.items(), 2):
        if first.blink_hz == second.blink_hz:
            apart = math.dist(lab(first, sight), lab(second, sight))
            assert apart > APART, f"{one} and {other}: {apart:.0f}"


def test_the_palette_is_turned_into_light():
    """A screen's middle grey is a fifth of its white's light, and so is a lamp that is on for a fifth of the time."""
    assert [outputs._light(level) for level in (0, 10, 128, 255)] == [0, 1, 55, 255]


def test_the_guide_tells_what_each_lamp_means():
    """Colour and rhythm of every word stand in it, and are those that are shown."""
    guide = (Path(__file__).parents[2] / "hardware_docs" / "wiring.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (steady|slow|fast) \| (\w+) \| .*? \| `(\w+)` \|$", guide, re.MULTILINE)
    told = {word: (rhythm, colour) for rhythm, colour, word in rows}
    rhythms = {0.0: "steady", outputs.ACT_HZ: "slow", outputs.WRONG_HZ: "fast"}
    colours = {outputs._lamp(getattr(outputs, f"_{name}")): name.lower() for name in COLOURS}
    assert told == {
        word: (rhythms[lamp.blink_hz], colours[replace(lamp, blink_hz=0.0)]) for word, lamp in outputs.LAMPS.items()
    }


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
