"""Malformed traces: the line, and what was expected there."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_firmware.cli import main
from board_firmware.trace import TraceError, parse


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("wait inf", "'inf' is no number of milliseconds from 0"),
        ("wait nan", "'nan' is no number of milliseconds"),
        ("wait -1000", "'-1000' is no number of milliseconds"),
        ("wait", "a number of milliseconds is missing"),
        ("@inf lift e2", "'inf' is no number of milliseconds"),
        ("@-5 lift e2", "'-5' is no number of milliseconds"),
        ("+1e300 lift e2", "'1e300' is no number of milliseconds"),
        ("@5", "write an action after the time"),
        ("tick white inf", "'inf' is no number of seconds"),
        ("tick white 1e300", "'1e300' is no number of seconds"),
        ("tick white", "write tick SIDE SECONDS"),
        ("blip e2 inf", "'inf' is no number of milliseconds"),
        ("lift", "write lift SQUARE"),
        ("lift e9", "e9"),
        ("choose", "write choose PIECE or choose MOVE"),
        ("press", "write press SIDE"),
        ("press red", "'red' is neither white nor black"),
        ("claim white", "write claim SIDE threefold"),
        ("claim white draw", "'draw' is no claim"),
        ("note two-hands", "write note WHAT SUBJECT"),
        ("object white", "write object SIDE touch-move|illegal"),
        ("arbiter", "write arbiter RULING"),
        ("jump e2", "'jump' is no action"),
        ("colour: red", "unknown header; known are fen, control,"),
        ("fen: 8/8", "FEN"),
        ("history: e2e5", "e2e5"),
        ("control: soon", "time control 'soon'"),
        ("profile: casual", "'casual' is none of"),
        ("settle_ms: soon", "'soon' is no whole number"),
        ("settle_ms: 99999999", "99999999 is no whole number from 0 to 5000"),
        ("settings: []", "a JSON object is wanted"),
        ('settings: {"settle_ms": 1e300}', "no whole number"),
        ("settings: {", "JSON is wanted"),
        ("prior: [1]", "a JSON object is wanted, not [1]"),
        ('prior: {"clock": 5}', 'clock is 5; seconds by side, as {"white": 300'),
        ('prior: {"clock": {"white": 1e300}}', "seconds by side"),
        ('prior: {"clock": {"white": NaN}}', "seconds by side"),
        ('prior: {"moves_completed": "x"}', "a number by side"),
        ('prior: {"illegal": {"white": "one"}}', "a number by side"),
        ('prior: {"increment": []}', "a number of seconds"),
        ('prior: {"recording_excused": true}', "true or false by side"),
        ('prior: {"touched": ["z9"]}', "squares"),
        ('prior: {"started": "no"}', "true or false"),
        ("prior: " + "[" * 100_000, "nested too deep"),
    ],
)
def test_the_line_and_what_is_expected(
    line: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second line of the file is named, and so is the file; exit code 2."""
    path = tmp_path / "x.trace"
    path.write_text(f"# a game\n{line}\nlift e2\n")
    assert main(["replay", str(path)]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"touchmove replay: {path}: line 2: ")
    assert words in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_a_header_after_an_action() -> None:
    """It would say how a game began that is under way."""
    with pytest.raises(TraceError, match=r"line 2: .* before the first action"):
        parse("lift e2\nprofile: practice\n")
