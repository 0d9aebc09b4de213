"""Options out of their bounds, and empty ones: one line that names the option, exit code 2."""

from __future__ import annotations

import pytest

from board_firmware.cli import main


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["play", "--chess960", "-5"], "--chess960"),
        (["play", "--chess960", "960"], "--chess960"),
        (["play", "--port", "-1"], "--port"),
        (["play", "--fen", ""], "--fen"),
        (["play", "--board", ""], "--board"),
        (["play", "--record", " "], "--record"),
        (["play", "--config", ""], "--config"),
        (["doctor", "--board", ""], "--board"),
        (["doctor", "--record", ""], "--record"),
        (["simulate", "x", "--jobs", "0"], "--jobs"),
        (["simulate", "x", "--jobs", "-1"], "--jobs"),
        (["simulate", "x", "--jobs", "1000000"], "--jobs"),
        (["simulate", "x", "--games", "99999999999999999999"], "--games"),
        (["simulate", "x", "--games", "9" * 5000], "--games"),
        (["simulate", "x", "--seed", "1e3"], "--seed"),
        (["replay", "x", "--until", "inf"], "--until"),
        (["replay", "x", "--speed", "nan"], "--speed"),
        (["replay", ""], "file"),
        (["perft", "x", "21"], "depth"),
        (["perft", "x", "-1"], "depth"),
        (["export", "--game", ""], "--game"),
        (["judge", "", "e2e4"], "fen"),
        (["sniff", ""], "url"),
    ],
)
def test_out_of_bounds(arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The line names command and option."""
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"touchmove {arguments[0]}: argument {option}: ")
    assert told.err.count("\n") == 1
    assert len(told.err) < 200


def test_an_option_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    """One line."""
    assert main(["sniff", "--colour", "dgt:/dev/x"]) == 2
    assert capsys.readouterr().err == "touchmove: unrecognized arguments: --colour (try touchmove --help)\n"
