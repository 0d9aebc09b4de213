"""Opens a board by its URL: one table from scheme to opener, each driver imported only when it is asked for.

`open_board("sim:")` is a simulated board in real time, `open_board("sim:?seed=7", clock=None)` one in virtual time,
``wires:?seed=7&profile=aged`` the same hands over a circuit and the real scanner, ``reed:`` the board on this Pi's
pins and ``reed:FILE`` one with a wiring file of its own. A scheme that nobody knows is a `ValueError` that lists
those known; a driver that cannot open raises an `OSError` kin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from hal.board import Board

Opener = Callable[..., Board]


def _query(url: str, rest: str, known: tuple[str, ...], settings: dict[str, Any]) -> None:
    """Take ``?key=value&...`` of a simulated board into its settings."""
    name, _, query = rest.partition("?")
    if name:
        raise ValueError(f"{url}{name}: this board has no name; settings follow a question mark")
    try:
        pairs = parse_qsl(query, strict_parsing=bool(query), keep_blank_values=True)
    except ValueError:
        raise ValueError(f"{url}?{query}: write {known[0]}=VALUE after the question mark") from None
    for key, value in pairs:
        if key not in known:
            raise ValueError(f"{url}?{key}: this board takes {' and '.join(known)} and nothing else")
        if key == "seed" and not value.isdecimal():
            raise ValueError(f"{url}?seed={value}: a seed is a whole number")
        settings.setdefault(key, int(value) if key == "seed" else value)


def _simulated(rest: str, **settings: Any) -> Board:
    from hal.simulated import SimulatedBoard

    _query("sim:", rest, ("seed",), settings)
    settings.setdefault("clock", time.monotonic_ns)
    return SimulatedBoard(**settings)


def _wires(rest: str, **settings: Any) -> Board:
    from hal.wires import WiredBoard

    _query("wires:", rest, ("seed", "profile"), settings)
    settings.setdefault("clock", time.monotonic_ns)
    return WiredBoard(**settings)


def _reed(rest: str, **settings: Any) -> Board:
    from hal.assembly import open_reed

    return open_reed(rest, **settings)


def _serial(scheme: str) -> Opener:
    def opener(rest: str, **settings: Any) -> Board:
        from hal.serial_catalog import open_serial_board

        return open_serial_board(scheme, rest, **settings)

    return opener


OPENERS: dict[str, Opener] = {
    "sim": _simulated,
    "wires": _wires,
    "reed": _reed,
    **{scheme: _serial(scheme) for scheme in ("certabo", "chesslink", "chessnut", "dgt", "scanner", "sentio")},
}
"""Scheme -> opener, called with what follows the colon and the settings."""


def open_board(url: str, **settings: Any) -> Board:
    """The board at ``url``, such as ``sim:`` or ``dgt:/dev/ttyACM0``; ``settings`` go to its driver.

    Raises `ValueError` for a URL or setting that makes no sense, an `OSError` kin if the hardware does not open.
    """
    scheme, colon, rest = url.partition(":")
    opener = OPENERS.get(scheme)
    if opener is None or not colon:
        known = ", ".join(f"{name}:" for name in sorted(OPENERS))
        raise ValueError(f"{url!r} is no board: write one of {known} and what follows it, such as sim:")
    return opener(rest, **settings)
