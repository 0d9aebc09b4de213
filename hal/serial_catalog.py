"""Opens a board on a serial line by its URL: ``dgt:/dev/ttyACM0``, ``sentio:socket://127.0.0.1:5000?flip=1``.

What follows the scheme is a port, a path or a pyserial URL, and settings after ``?``: ``flip`` (1 or 0: the board's a1
lies at our h8; left out, boards that see pieces learn it from the start position), ``search`` (1: do not insist that
the board answers now), ``baud``, ``lag_ms`` (how late such a board reports), ``lamps`` (DGT: 1 for a Revelation II),
``white`` (DGT: ``left`` or ``right`` side of the clock), ``close_ms`` and ``open_ms`` (scanner).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from hal.board import Board
from hal.dialogues.certabo import CertaboDialogue
from hal.dialogues.chesslink import ChessLinkDialogue
from hal.dialogues.chessnut import ChessnutDialogue
from hal.dialogues.dgt import DgtDialogue
from hal.dialogues.dialogue import Dialogue
from hal.dialogues.pieces import LAG_MS
from hal.dialogues.scanner import ScannerDialogue
from hal.ports import PortFinder, candidates
from hal.serial_board import SerialBoard
from hal.transport import Link, open_host_link

SCHEMES = ("certabo", "chesslink", "chessnut", "dgt", "scanner", "sentio")

_COMMON = frozenset({"flip", "search", "baud"})
_OWN = {
    "certabo": frozenset({"lag_ms"}),
    "chesslink": frozenset({"lag_ms"}),
    "chessnut": frozenset({"lag_ms"}),
    "dgt": frozenset({"lag_ms", "lamps", "white"}),
    "scanner": frozenset({"close_ms", "open_ms"}),
    "sentio": frozenset({"lag_ms"}),
}


def open_serial_board(scheme: str, rest: str, *, clock: Callable[[], int] | None = None, **settings: Any) -> Board:
    """The board of make ``scheme`` at ``rest``.

    Raises ``ValueError`` for a setting that makes no sense, an ``OSError`` kin when the port does not open or nobody
    answers.
    """
    path, words = split(scheme, rest)
    words |= {key: str(value) for key, value in settings.items()}
    _check(scheme, words)
    if not path:
        raise ValueError(f"{scheme}: names no port: write {scheme}:/dev/ttyACM0 or another port or URL")
    search = _yes(scheme, "search", words.pop("search", "0"))
    dialogue = make_dialogue(scheme, words, packets=Path(path).name.startswith("hidraw"))
    finder = PortFinder(path)

    def open_link() -> Link:
        where = finder.where() if "://" not in path else path
        link = open_host_link(where, dialogue.baud)
        if "://" not in path:
            finder.opened(where)
        return link

    try:
        return SerialBoard(
            dialogue, open_link, name=f"{scheme}:{path}", now_ns=clock or time.monotonic_ns, must_answer=not search
        )
    except FileNotFoundError as error:
        here = candidates()
        raise FileNotFoundError(error.errno, f"{error.strerror} Here: {', '.join(here) or 'no port at all'}") from None


def make_dialogue(scheme: str, words: dict[str, str] | None = None, *, packets: bool = False) -> Dialogue:
    """The conversation of a make, with its settings as words."""
    words = dict(words or {})
    _check(scheme, words)
    dialogue = _dialogue(scheme, words, packets=packets)
    if "baud" in words:
        dialogue.baud = _number(scheme, "baud", words["baud"])
    return dialogue


def _check(scheme: str, words: Iterable[str]) -> None:
    allowed = _COMMON | _OWN[scheme]
    for key in words:
        if key not in allowed:
            raise ValueError(f"{scheme}:?{key}: this board takes {', '.join(sorted(allowed))}")


def _dialogue(scheme: str, words: dict[str, str], *, packets: bool) -> Dialogue:
    flip = _yes(scheme, "flip", words["flip"]) if "flip" in words else None
    lag_ms = _number(scheme, "lag_ms", words.get("lag_ms", str(LAG_MS)))
    if scheme == "dgt":
        white = words.get("white", "left")
        if white not in ("left", "right"):
            raise ValueError(f"dgt:?white={white}: White has the left or the right side of the clock")
        return DgtDialogue(
            flipped=flip, white=white, lag_ms=lag_ms, lamps=_yes(scheme, "lamps", words.get("lamps", "0"))
        )
    if scheme == "chesslink":
        return ChessLinkDialogue(flipped=flip, lag_ms=lag_ms)
    if scheme == "chessnut":
        return ChessnutDialogue(flipped=flip, lag_ms=lag_ms, packets=packets)
    if scheme == "scanner":
        close_ms = _number(scheme, "close_ms", words.get("close_ms", "60"))
        open_ms = _number(scheme, "open_ms", words.get("open_ms", "30"))
        return ScannerDialogue(flipped=bool(flip), close_ms=close_ms, open_ms=open_ms)
    return CertaboDialogue(flipped=bool(flip), lag_ms=lag_ms)


def split(scheme: str, rest: str) -> tuple[str, dict[str, str]]:
    """Port and settings of what follows the scheme; ``ValueError`` for settings that are written otherwise."""
    path, mark, query = rest.partition("?")
    try:
        return path, dict(parse_qsl(query, strict_parsing=bool(mark)))
    except ValueError:
        raise ValueError(f"{scheme}:{rest}: write settings as ?flip=1&search=1") from None


def _yes(scheme: str, key: str, word: str) -> bool:
    if word not in ("0", "1"):
        raise ValueError(f"{scheme}:?{key}={word}: write 1 for yes, 0 for no")
    return word == "1"


def _number(scheme: str, key: str, word: str) -> int:
    if not word.isdecimal() or int(word) == 0:
        raise ValueError(f"{scheme}:?{key}={word}: write a whole number above 0")
    return int(word)
