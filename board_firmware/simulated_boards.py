"""Boards on which simulated hands can play, by name: the plain simulation, and others that wrap it in wires or frames.

Each stands in virtual time and takes gestures as `hal.simulated.SimulatedBoard` does; a name's module is imported when
it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from board_firmware.virtual_table import HandBoard


def _sim(seed: int, occupancy: int, faults: str | None) -> HandBoard:
    from hal.simulated import SimulatedBoard

    if faults is not None:
        raise ValueError("faults are of wires: take --board wires")
    return SimulatedBoard(seed=seed, occupancy=occupancy)


def _wires(seed: int, occupancy: int, faults: str | None) -> HandBoard:
    from hal.wires import WiredBoard

    return WiredBoard(seed=seed, occupancy=occupancy, profile=faults or "healthy")


BOARDS: Mapping[str, Callable[[int, int, str | None], HandBoard]] = {"sim": _sim, "wires": _wires}


def new_board(name: str, *, seed: int, occupancy: int, faults: str | None = None) -> HandBoard:
    """The board of a name, standing as ``occupancy`` says; ``ValueError`` for a fault profile it does not have."""
    return BOARDS[name](seed, occupancy, faults)
