"""What a pin's failure is told as."""

from __future__ import annotations

import logging

import pytest

from hal.attempts import Attempts
from hal.pins import pin_errors


class Mute(Exception):  # noqa: N818 - as lgpio's is called error
    """Says nothing."""


def test_an_error_names_the_pin_and_the_cause():
    """In its words; by its kind's name if it has none."""
    with pytest.raises(OSError, match=r"^GPIO5 does not open: busy$"), pin_errors("GPIO5 does not open"):
        raise Mute("busy")
    with pytest.raises(OSError, match=r"^GPIO5 does not open: Mute$"), pin_errors("GPIO5 does not open"):
        raise Mute


def test_the_log_names_a_cause_without_words(caplog):
    """Of lamps, buzzer and display."""

    def fail():
        raise Mute

    with caplog.at_level(logging.WARNING):
        assert not Attempts("lamps", lambda _: None, lambda: 0.0).do(fail)
    assert caplog.messages == ["lamps: Mute"]
