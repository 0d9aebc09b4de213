"""What options take: each number with its bounds, each name not empty; argparse says the rest in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number from ``low`` to ``high``.

    >>> whole(1, 8)("9")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '9' is no whole number from 1 to 8
    """

    def read(text: str) -> int:
        if len(text) <= 30:  # longer ones cost time to read and are out of every range
            try:
                value = int(text)
            except ValueError:
                value = low - 1
            if low <= value <= high:
                return value
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number from {low} to {high}")

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """A number from ``low`` to ``high``, both finite."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number from {low:g} to {high:g}")
        return value

    return read


def name(text: str) -> str:
    """A text that says something: an empty one is a variable that was not set, not a wish for the default."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty")
    return text


def path(text: str) -> Path:
    """A file's name."""
    return Path(name(text))


CHESS960 = whole(0, 959)
PORT = whole(0, 65_535)
SEED = whole(-(2**63), 2**63 - 1)
GAMES = whole(1, 1_000_000_000)
JOBS = whole(1, 256)
DEPTH = whole(0, 20)
SECONDS = number(0, 1e9)
SPEED = number(1e-3, 1e9)
