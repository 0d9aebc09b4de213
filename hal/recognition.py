"""Whose line is this? For the one sentence that says why a board does not open: another make, another speed, or nobody.

Boards that talk without being asked betray themselves; the others at least when a probe of another make happens to be a
question of theirs. One message that only one codec accepts is enough: it is a hint for people, nothing acts on it.
"""

from __future__ import annotations

from hal import chesslink, chessnut, dgt, scanner, sentio

HEARD_AT_MOST = 4096
"""Bytes worth keeping; the longest line of any make is a third of it."""


def make_of(heard: bytes) -> str | None:
    """The scheme of the board that says these bytes, None when no make known here does.

    >>> make_of(b"5 255\\r\\n:255 255 0 0 0 0 255 255\\r\\n")
    'sentio'
    """
    if scanner.FrameDecoder().feed(heard):
        return "scanner"
    if any(frame.letter in "sv" for frame in chesslink.FrameDecoder("host").feed(heard)):
        return "chesslink"
    for line in sentio.LineDecoder().feed(heard):
        if not isinstance(line, sentio.LampKind):
            return "sentio" if isinstance(line, sentio.OccupancyLine) else "certabo"
    if any(isinstance(report, chessnut.PositionReport) for report in chessnut.ReportDecoder().feed(heard)):
        return "chessnut"
    if any(isinstance(message, dgt.BoardDump | dgt.BoardVersion) for message in dgt.MessageDecoder().feed(heard)):
        return "dgt"
    return None


def why_unheard(heard: bytes, *, scheme: str, port: str, baud: int) -> str:
    """What is probably wrong when bytes like these, or none, came instead of the answer that ``scheme`` gives."""
    if not heard:
        return "nothing came at all: is it switched on, is it another port, another make or speed (?baud=N)?"
    make = make_of(heard)
    if make is None:
        return f"what came is no board's line at {baud} baud: is it another device, or another speed (?baud=N)?"
    if make == scheme:
        return "the rest did come: is the line bad, or the board not whole?"
    return f"what came is another make's line: open it as {make}:{port}"
