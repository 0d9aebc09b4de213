"""Every reported trouble of serial boards has a test that bears its number."""

from __future__ import annotations

import json
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_each_serial_case_has_a_test(shared):
    """The cases of the layer ``serial`` in the field list, by their ids in the names of tests."""
    cases = json.loads((shared / "cases" / "field.json").read_text())
    wanted = {case["id"].lower() for case in cases if case["layer"] == "serial"}
    files = [path for folder in ("hal", "board_firmware") for path in (TESTS / folder).glob("test_*.py")]
    sources = "".join(path.read_text() for path in files)
    tested = set(re.findall(r"^def test_(s\d\d)_", sources, re.MULTILINE))
    assert len(wanted) >= 16
    assert wanted <= tested
