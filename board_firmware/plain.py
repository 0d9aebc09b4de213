"""Consoles that show every text as it is: unless told otherwise, rich takes ``[lamps]`` for a style and drops it."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console


def plain_console(file: TextIO | None = None, *, stderr: bool = False) -> Console:
    """A console on ``file``, else on stdout or stderr; what is to be styled says so by ``style``."""
    return Console(file=file, stderr=stderr, markup=False, emoji=False, highlight=False)
