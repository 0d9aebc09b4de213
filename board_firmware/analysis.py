"""Answers the session's `analysis_wanted`: can a side still mate by any series of legal moves?

The search is bounded in nodes, never in time, so the answer is the same on any machine; the runtime lets a worker thread
do it, replays and conformance runs do it on the spot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from board_firmware.core.events import Analysed, Decision, Side
from rules import Color, Game, parse_fen


def analyse(fen: str, side: Side, nodes: int, at_ns: int) -> Analysed:
    """Prove or refute that a side can mate from a position; ``unknown`` where the nodes are spent."""
    from rules.winnable import Unwinnable, Winnable, winnable

    position = Game.from_setup(parse_fen(fen)).position
    answer = winnable(position, Color.WHITE if side == "white" else Color.BLACK, nodes=nodes)
    if isinstance(answer, Winnable):
        line = tuple(move.uci() for move in answer.line)
        return Analysed(fen=fen, side=side, verdict="winnable", nodes=nodes, at_ns=at_ns, line=line)
    if isinstance(answer, Unwinnable):
        return Analysed(fen=fen, side=side, verdict="unwinnable", nodes=nodes, at_ns=at_ns)
    return Analysed(fen=fen, side=side, verdict="unknown", nodes=nodes, at_ns=at_ns)


def answers(decisions: Iterable[Decision], at_ns: int) -> Iterator[Analysed]:
    """The answers to every proof asked for among these decisions."""
    for decision in decisions:
        if decision.kind == "analysis_wanted":
            details = decision.details
            yield analyse(details["fen"], details["side"], details["nodes"], at_ns)
