"""Commands inside PGN comments: ``[%clk 1:30:58]`` and its kin, read and written.

A comment is kept as its text, so that nothing in it is lost; the commands are looked up when somebody asks. Times are
seconds: float when read, since some sites write tenths, and whole seconds when written, as the standard wants.

Source: PGN Specification, supplement 2001 (clock commands: clk, egt, emt, mct).
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\[%([A-Za-z_]\w*)\s*([^\]]*)\]")
_TIME = re.compile(r"(?:(?:(\d{1,7}):)?([0-5]?\d):)?([0-5]?\d(?:\.\d{1,9})?)")


def commands(comment: str) -> tuple[tuple[str, str], ...]:
    """The commands of a comment in order, each as its name and its operand: ``(("clk", "1:30:58"),)``."""
    if "[%" not in comment:
        return ()
    return tuple((name, operand.strip()) for name, operand in _COMMAND.findall(comment))


def without_commands(comment: str) -> str:
    """The words for people: the comment without its commands, white space made single."""
    if "[%" in comment:
        comment = _COMMAND.sub(" ", comment)
    return " ".join(comment.split())


def parse_time_s(text: str) -> float | None:
    """Seconds in a clock command's operand, ``h:mm:ss`` with or without hours and tenths; None if it is not a time.

    >>> parse_time_s("0:48:15")
    2895.0
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)


def format_time(seconds: float) -> str:
    """``h:mm:ss``, the part of a second cut off; what is below zero is zero.

    >>> format_time(2895)
    '0:48:15'
    """
    whole = max(0, int(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def clk(seconds: float) -> str:
    """The command for the mover's time left after his move: ``[%clk 0:48:15]``."""
    return f"[%clk {format_time(seconds)}]"


def emt(seconds: float) -> str:
    """The command for the time a move took: ``[%emt 0:00:42]``."""
    return f"[%emt {format_time(seconds)}]"


def time_of(comments: tuple[str, ...], name: str) -> float | None:
    """Seconds of the last command of that name in a move's comments; None without one that can be read."""
    for comment in reversed(comments):
        if "[%" in comment:
            for found, operand in reversed(_COMMAND.findall(comment)):
                if found == name:
                    return parse_time_s(operand)
    return None
