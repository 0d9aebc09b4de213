"""From what the session shows to what a guise needs: the only place of the emulation that asks the laws of chess."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from board_firmware.core.events import Side, View
from board_firmware.emulation.guise import ClockTimes, Standing
from hal.placement import START, START_OCCUPANCY, from_fen, occupancy_of
from rules import Position


def standing_of(view: View) -> Standing:
    """The game as a guise knows it: moves that can still be revised are left out of its list."""
    state = view.state
    moves: tuple[str, ...] = tuple(state["moves"])
    final = len(moves) if state["completed"] or state["status"] == "ended" else max(len(moves) - 1, 0)
    fen: str = state["fen"]
    turn, reach, castlings = _how_it_may_go_on(fen)
    return Standing(
        placement=from_fen(fen),
        turn=turn,
        reach=reach,
        castlings=castlings,
        start=_start_of(view.started_fen),
        moves=moves[:final],
        san=view.san[:final],
        fen=fen,
        is_final=final == len(moves),
        result=state["result"] or "*",
    )


def clock_of(view: View) -> ClockTimes | None:
    """The game's clock, None when it is played without one."""
    shown = view.state.get("clock_s")
    if not shown:
        return None
    running = view.state["clock"]
    side: Side | None = running if running in ("white", "black") else None
    return ClockTimes(white_s=shown["white"], black_s=shown["black"], running=side)


@lru_cache(maxsize=8)
def _how_it_may_go_on(
    fen: str,
) -> tuple[Side | None, dict[int, frozenset[int]], tuple[tuple[int, int, int, int], ...]]:
    try:
        position = Position.from_fen(fen, chess960=True)
    except ValueError:
        return None, {}, ()
    reach: defaultdict[int, set[int]] = defaultdict(set)
    castlings = []
    for move in position.legal_moves():
        if position.is_castling(move):
            king_from, king_to, rook_from, rook_to = position.castling_squares(move)
            castlings.append((king_from, king_to, rook_from, rook_to))
            reach[king_from].add(king_to)
        else:
            reach[move.from_square].add(move.to_square)
    turn: Side = "white" if " w " in fen else "black"
    return turn, {square: frozenset(targets) for square, targets in reach.items()}, tuple(castlings)


@lru_cache(maxsize=8)
def _start_of(fen: str) -> str:
    """The array that begins a game: the game's own if it stands on the usual squares (Chess960), else the usual one."""
    placement = from_fen(fen) if fen else START
    return placement if occupancy_of(placement) == START_OCCUPANCY else START


def changes(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """How one list of moves becomes another: how many plies are taken back, and what is played then.

    >>> changes(("e2e4", "e7e5"), ("e2e4", "c7c5"))
    (1, ('c7c5',))
    """
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    return len(before) - same, after[same:]
