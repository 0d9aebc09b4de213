"""The published conformance set, run on this board: every state as the Laws have it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from board_firmware import conform

FOLDER = Path(__file__).resolve().parents[1] / "conformance"
FILES = sorted(FOLDER.glob("*.json"))


def _cases(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))


def _told(case: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """What the board tells the arbiter that is not as expected: ``report`` and ``confidence`` where a case gives them."""
    want, got = case["expected"].get("board", {}), state["board"]
    wrong = []
    if "report" in want and sorted(want["report"]) != sorted(got["report"]):
        wrong.append(f"{case['id']}: report {got['report']}, not {want['report']}")
    if "confidence" in want and want["confidence"] != got["confidence"]:
        wrong.append(f"{case['id']}: confidence {got['confidence']}, not {want['confidence']}")
    return wrong


def _wrong(case: dict[str, Any]) -> list[str]:
    state = conform.last_state(case)
    found = conform.differences(case, state)
    return [f"{one.case}: {one.field} {one.got!r}, not {one.expected!r}" for one in found] + _told(case, state)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_set(path: Path):
    """Every case of one file ends in the expected state."""
    assert [line for case in _cases(path) for line in _wrong(case)] == []


def test_the_set_is_whole():
    """Each file has cases, no id stands twice, and each case says what it is about and what follows."""
    cases = [case for path in FILES for case in _cases(path)]
    assert len(cases) >= 150
    assert len({case["id"] for case in cases}) == len(cases)
    for case in cases:
        assert case["article"], case["id"]
        assert case["title"], case["id"]
        assert case["note"], case["id"]
        assert case["expected"], case["id"]


def test_a_wrong_expectation_is_found():
    """A case whose expected state is spoilt in any field that is compared is reported."""
    case = next(case for case in _cases(FOLDER / "article_7.json") if case["id"] == "7.5.1-a")
    spoilt = {
        "status": "made", "turn": "white", "clock": "white", "move": "f8c5", "made": True, "obligation": "none",
        "allowed": ["a7a6"], "violations": [], "illegal": {"white": 0, "black": 0}, "penalties": [], "result": "1-0",
        "fen": case["fen"], "restore": None,
    }  # fmt: skip
    for field, value in spoilt.items():
        other = copy.deepcopy(case)
        other["expected"][field] = value
        assert any(f": {field} " in line for line in _wrong(other)), field
