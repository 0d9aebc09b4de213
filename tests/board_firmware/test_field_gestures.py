"""What went wrong on other boards, replayed on ours: each reported gesture with its right value.

The traces come from the research data; the right values stand here, in this board's own words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from board_firmware.conform import play
from board_firmware.trace import Trace, from_case

MINUTES = [{"kind": "add_time", "to": "black", "seconds": 120}]

RIGHT: dict[str, dict[str, dict[str, Any]]] = {
    "G01": {"any": {"moves": ["e2e4"], "completed": True}},
    "G03": {"any": {"moves": ["e1e7"], "completed": True}},
    "G07": {"any": {"moves": ["c2c3", "g8e7"]}},
    "G08": {
        "friendly": {"moves": [], "legal": False, "restore": {"place": ["f1"], "clear": ["c4"]}, "obligation": "free"},
        "tournament": {"penalties": MINUTES, "restore": {"place": ["f1"], "clear": ["c4"]}, "obligation": "free"},
    },
    "G10": {"any": {"moves": ["d7d5"]}},
    "G12": {"friendly": {"moves": [], "restore": {"place": ["e7"], "clear": ["e5"]}, "word": "dead_press:black"}},
    "G14": {"any": {"moves": ["d7d8q"]}},
    "G15": {"any": {"moves": ["d7d8n"]}},
    "G19": {"any": {"moves": ["a7b8r"]}},
    "G20": {"any": {"moves": ["d7d8q"]}},
    "G21": {"friendly": {"status": "identification", "ask": "promotion_piece", "clock": "white", "moves": []}},
    "G22": {"any": {"moves": ["e1g1"]}},
    "G23": {"any": {"moves": ["e1c1"]}},
    "G24": {"any": {"moves": ["e1g1"], "violations": []}},
    "G25": {
        "tournament": {"moves": [], "legal": False, "allowed": ["e1g1"], "penalties": MINUTES},
        "friendly": {"moves": [], "clock": "white", "lamps": {"e1": "castling_rook", "f1": "castling_rook"}},
    },
    "G26": {
        "tournament": {"moves": [], "legal": False, "allowed": ["e1g1"], "penalties": MINUTES},
        "friendly": {"moves": [], "clock": "white", "allowed": ["e1g1"]},
    },
    "G27": {
        "any": {"moves": ["h1f1"], "status": "irregularity", "restore": {"place": ["e1"], "clear": ["g1"]},
                "penalties": [], "word": "castling_rook_first"},
    },
    "G28": {
        "friendly": {"moves": [], "obligation": "move:h1", "violations": ["castling_rook_first"]},
        "tournament": {"moves": ["e1g1"], "word": "castling_rook_first", "penalties": []},
    },
    "G30": {"any": {"moves": [], "legal": False, "allowed": ["e1d1", "e1d2", "e1e2"]}},
    "G31": {"any": {"moves": [], "legal": False}},
    "G32": {"any": {"moves": [], "ask": "confirm_result", "result": None}},
    "G33": {"any": {"result": "1-0"}},
    "G34": {"any": {"moves": [], "status": "thinking"}},
    "G35": {"any": {"status": "not_started", "lamps": {"g1": "place", "g8": "place"}, "word": "setup_incomplete:g1,g8"}},
    "G37": {
        "friendly": {"moves": [], "lamps": {"g4": "clear"}, "clock": "white"},
        "tournament": {"moves": [], "clock": "white"},
    },
    "G38": {"any": {"moves": ["e2e4"]}},
    "G39": {
        "friendly": {"moves": [], "clock": "white",
                     "fen": "rnbqkbnr/pp2pppp/2p5/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3"},
    },
    "G41": {
        "friendly": {"fen": "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "restore": None},
    },
    "G44": {"any": {"moves": ["e1g1"]}},
    "G45": {"any": {"result": "1-0", "termination": "checkmate", "clock": "stopped"}},
    "G47": {"any": {"moves": ["g1f3"], "violations": []}},
    "G48": {
        "friendly": {"moves": [], "allowed": ["d1e2", "d1f3", "d1g4", "d1h5"]},
        "tournament": {"moves": ["g1f3"], "word": "touch_move_violation:d1"},
    },
    "G49": {"any": {"moves": ["g1f3"], "violations": []}},
    "G50": {"any": {"violations": ["touch_move:d5"], "word": "touch_move_violation:d5"}},
    "G53": {"any": {"moves": [], "ask": "which_capture", "lamps": {"d5": "question", "f5": "question"}}},
    "G54": {"any": {"moves": ["e4d5"], "word": "silent_capture"}},
    "G57": {
        "tournament": {"moves": [], "legal": False, "penalties": MINUTES, "allowed": ["e5d6"]},
        "friendly": {"moves": [], "clock": "white", "lamps": {"d5": "en_passant_victim"}},
    },
    "G58": {
        "friendly": {"moves": [], "lamps": {"d5": "clear", "f5": "place"}},
        "tournament": {"moves": [], "legal": False, "penalties": MINUTES},
    },
    "G59": {"friendly": {"moves": [], "clock": "white", "lamps": {"h2": "place"}}},
    "G60": {"any": {"moves": ["g1f3"], "violations": []}},
    "G61": {
        "tournament": {"moves": [], "legal": False, "penalties": MINUTES, "fen": "4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1"},
        "rapid": {"moves": ["h1h7", "e8d8"], "penalties": [], "word": "illegal_move_stands:h1h7"},
    },
}  # fmt: skip

SAID = {
    "arbiter confirm": ("wait 6000", "answer yes"),
    "takeback agreed": ("takeback white", "accept black"),
    "power off": (),
    "power on": (),
}


def trace(case: dict[str, Any], profile: str) -> Trace:
    """The field case's trace in this board's words."""
    side = "white" if " w " in case["setup"] else "black"
    actions: list[str] = []
    for action in case["actions"]:
        actions += (f"adjust {side}",) if action == "say adjust" else SAID.get(action, (action,))
    if case["id"] == "G32":
        actions.append("wait 6000")
    given: dict[str, Any] = {"fen": case["setup"], "actions": actions, "control": "standard", "profile": profile}
    if profile == "rapid":
        given |= {"profile": "tournament", "control": "rapid_A5"}
    if case["id"] == "G35":
        given["prior"] = {"started": False}
    if case["id"] == "G41":  # the king had castled, so that there is something to take back
        given |= {"fen": "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "history": ["e1g1"]}
    made = from_case(given)
    if case["id"] == "G35":
        from dataclasses import replace

        lacking = 0xFFFF00000000FFFF & ~(1 << 6 | 1 << 62)
        made = replace(made, start=replace(made.start, occupancy=lacking))
    return made


CASES = [
    (number, profile)
    for number, by_profile in RIGHT.items()
    for profile in (("friendly", "tournament") if "any" in by_profile else tuple(by_profile))
]


@pytest.mark.parametrize(("number", "profile"), CASES)
def test_the_field_case_has_its_right_value(shared: Path, number: str, profile: str) -> None:
    """The last state holds every right value of the case."""
    cases = {case["id"]: case for case in json.loads((shared / "cases/field.json").read_text())}
    *_, (_, _, session) = play(trace(cases[number], profile))
    state = session.state()
    found = {**state, "ask": state["board"]["ask"]}
    for field, value in RIGHT[number].get(profile, RIGHT[number].get("any", {})).items():
        if field == "word":
            assert value in state["board"]["report"]
        else:
            assert found[field] == value, field


def test_every_gesture_case_is_here(shared: Path) -> None:
    """No gesture case of the field's collection is left out."""
    cases = json.loads((shared / "cases/field.json").read_text())
    assert {case["id"] for case in cases if case["layer"] == "gesture"} == set(RIGHT)
