"""``touchmove conform``: a conformance set as a table by article, or its states for another program to compare."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from rich.table import Table

from board_firmware.complaint import Complaint
from board_firmware.conform import Difference, differences, last_state, why_no_case
from board_firmware.files import read_text
from board_firmware.plain import plain_console

SHOWN = 20
"""Differences printed in full."""


def run(path: Path, *, states: bool, as_json: bool) -> int:
    """Run the cases of a file; exit 1 if any differs."""
    cases = _cases(path, compared=not states)
    found: list[Difference] = []
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for number, case in enumerate(cases, start=1):
        try:
            state = last_state(case)
        except ValueError as error:
            raise Complaint(f"{_name(path, number, case)}: {error}") from None
        if states:
            print(json.dumps(state))
            continue
        article = case["article"][0].split(".")[0]
        differs = differences(case, state)
        total[article] += 1
        wrong[article] += bool(differs)
        found += differs
    if states:
        return 0
    if as_json:
        print(json.dumps({
            "cases": sum(total.values()),
            "right": sum(total.values()) - sum(wrong.values()),
            "differences": [
                {"case": one.case, "field": one.field, "expected": one.expected, "got": one.got} for one in found
            ],
        }))  # fmt: skip
    else:
        _print(total, wrong, found)
    return 1 if found else 0


def _cases(path: Path, *, compared: bool) -> list[dict[str, Any]]:
    try:
        cases = json.loads(read_text(path, "a JSON list of cases"))
    except json.JSONDecodeError as error:
        raise Complaint(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        why = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise Complaint(f"{path}: {why}; a JSON list of cases is wanted") from None
    if not isinstance(cases, list):
        raise Complaint(f"{path}: a JSON list of cases is wanted, each an object with actions")
    for number, case in enumerate(cases, start=1):
        why = why_no_case(case, compared=compared)
        if why:
            raise Complaint(f"{_name(path, number, case)}: {why}")
    return cases


def _name(path: Path, number: int, case: object) -> str:
    return f"{path}: case {number} ({case.get('id', '?') if isinstance(case, dict) else '?'})"


def _print(total: Counter[str], wrong: Counter[str], found: list[Difference]) -> None:
    console = plain_console()
    table = Table("article", "cases", "right", "differ")
    for article in sorted(total, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)):
        right = total[article] - wrong[article]
        table.add_row(article, str(total[article]), str(right), str(wrong[article]) if wrong[article] else "")
    table.add_section()
    cases, failed = sum(total.values()), sum(wrong.values())
    table.add_row("all", str(cases), str(cases - failed), str(failed) if failed else "")
    console.print(table)
    for one in found[:SHOWN]:
        print(
            f"{one.case} {one.field}: expected {json.dumps(one.expected)}, got {json.dumps(one.got)}", file=sys.stdout
        )
    if len(found) > SHOWN:
        print(f"... and {len(found) - SHOWN} more")
