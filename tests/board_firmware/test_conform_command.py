"""``touchmove conform``: what is no set of cases, said with file, case and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from board_firmware.cli import main

CASE = {"id": "c1", "article": ["4.3"], "actions": ["lift e2"], "expected": {"status": "thinking"}}


def conformed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, *options: str
) -> tuple[int, str, str]:
    """Exit code, output and remarks of a set; text is written as it is."""
    path = tmp_path / "set.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    code = main(["conform", str(path), *options])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"article": None}, "article: a list of texts is wanted"),
        ({"article": []}, "article: a list of texts is wanted"),
        ({"article": [4.3]}, "article: a list of texts is wanted"),
        ({"expected": None}, "expected: an object is wanted"),
        ({"expected": []}, "expected: an object is wanted"),
        ({"expected": {"board": "certain"}}, "expected.board"),
        ({"expected": {"board": {"confidence": "ambiguous", "provisional": 5}}}, "expected.board"),
        ({"expected": {"violations": [{}, 1]}}, "expected.violations"),
        ({"expected": {"penalties": ["warning"]}}, "expected.penalties"),
        ({"expected": {"restore": {"place": 5}}}, "expected.restore"),
        ({"expected": {"allowed": [1, "e2e4"]}}, "expected.allowed"),
        ({"actions": None}, "actions: a list of texts is wanted"),
        ({"actions": "lift e2"}, "actions: a list of texts is wanted"),
        ({"actions": [5]}, "actions: a list of texts is wanted"),
        ({"actions": [""]}, "an action is missing"),
        ({"actions": ["lift e2", "lift"]}, "line 2: 'lift': a word is missing"),
        ({"actions": ["wait inf"]}, "'inf' is no number"),
        ({"fen": 5}, "fen: a text is wanted, not 5"),
        ({"fen": "8/8"}, "fen: "),
        ({"control": 300}, "control: a text is wanted"),
        ({"profile": "casual"}, "'casual' is none of"),
        ({"history": "e2e4"}, "history: a list of moves is wanted"),
        ({"history": ["e2e5"]}, "history: "),
        ({"prior": [1]}, "prior: a JSON object is wanted"),
        ({"prior": {"clock": {"white": "x"}}}, "prior: clock is "),
        ({"prior": {"illegal": 1}}, "prior: illegal is 1"),
        ({"settings": {"hints": []}}, "settings: "),
    ],
)
def test_a_malformed_case_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], words: str
) -> None:
    """File, number and id, and what is wrong with which field; exit code 2."""
    second = {key: value for key, value in {**CASE, "id": "c2", **change}.items() if value is not None}
    code, out, err = conformed(tmp_path, capsys, [CASE, second])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"touchmove conform: {tmp_path / 'set.json'}: case 2 (c2): ")
    assert words in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[1]", "case 1 (?): an object with actions is wanted"),
        ("{}", "a JSON list of cases is wanted"),
        ("[{]", "line 1, column 3"),
        ("[" * 100_000, "nested too deep"),
        ("9" * 5_000, "a JSON list of cases is wanted"),
        ("", "the file is empty"),
    ],
)
def test_what_is_no_set(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, words: str) -> None:
    """One line, exit code 2."""
    code, out, err = conformed(tmp_path, capsys, content)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_states_need_no_expectation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is compared, so nothing need be expected."""
    code, out, err = conformed(tmp_path, capsys, [{"id": "c1", "actions": ["lift e2"]}], "--states")
    assert (code, err, json.loads(out)["status"]) == (0, "", "thinking")


def test_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right and wrong cases are counted; exit code 1 where one differs."""
    wrong = {**CASE, "id": "c2", "expected": {"status": "made"}}
    assert conformed(tmp_path, capsys, [CASE])[0] == 0
    code, out, _ = conformed(tmp_path, capsys, [CASE, wrong], "--json")
    assert (code, json.loads(out)["right"]) == (1, 1)
    assert "c2 status: expected" in conformed(tmp_path, capsys, [CASE, wrong])[1]
