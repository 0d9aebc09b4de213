"""Boards on which simulated hands can play, by name: the plain simulation, and others that wrap it in wires or frames.

Each stands in virtual time and takes gestures as `hal.simulated.SimulatedBoard` does; a name's module is imported when
it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from board_firmware.hands.table import HandBoard
from board_firmware.journal.recovery import Core


def _sim(seed: int, occupancy: int, faults: str | None) -> HandBoard:
    from hal.simulated import SimulatedBoard

    if faults is not None:
        raise ValueError("faults are of wires: take --board wires")
    return SimulatedBoard(seed=seed, occupancy=occupancy)


def _wires(seed: int, occupancy: int, faults: str | None) -> HandBoard:
    from hal.wires import WiredBoard

    return WiredBoard(seed=seed, occupancy=occupancy, profile=faults or "healthy")


def _relayed(protocol: str) -> Callable[[int, int, str | None], HandBoard]:
    def relayed(seed: int, occupancy: int, faults: str | None) -> HandBoard:
        from board_firmware.emulation.relayed_board import RelayedBoard

        return RelayedBoard(_sim(seed, occupancy, faults), protocol)

    return relayed


BOARDS: Mapping[str, Callable[[int, int, str | None], HandBoard]] = {
    "sim": _sim,
    "wires": _wires,
    **{protocol: _relayed(protocol) for protocol in ("dgt", "sentio", "chesslink", "scanner")},
}


def new_board(name: str, *, seed: int, occupancy: int, faults: str | None = None) -> HandBoard:
    """The board of a name, standing as ``occupancy`` says; ``ValueError`` for a fault profile it does not have."""
    return BOARDS[name](seed, occupancy, faults)


def core_on(board: HandBoard, core: Core) -> Core:
    """The core that plays on a board: one that sees pieces, or pretends to, is told of the game as it goes."""
    from board_firmware.emulation.relayed_board import FollowedCore, RelayedBoard

    return FollowedCore(core, board) if isinstance(board, RelayedBoard) else core
