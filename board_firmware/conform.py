"""Runs a conformance set: each case's actions through the session, its last state against what the case expects.

Source: contract section 5; the comparison is field by field over `CORE`, sets as sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from board_firmware import analysis
from board_firmware.core.events import Decision, Event, StartAsked, Tick
from board_firmware.core.session import Session
from board_firmware.trace import Trace, from_case
from rules import parse_fen

CORE = (
    "status", "turn", "clock", "move", "made", "completed", "legal", "obligation", "allowed", "violations", "illegal",
    "penalties", "result", "termination", "fen", "draw_offer", "claim_open", "moves", "restore", "lamps",
)  # fmt: skip
"""The fields of the state that make a case right; ``report`` and ``confidence`` are looked at apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field of one case that is not as expected."""

    case: str
    field: str
    expected: Any
    got: Any


def play(trace: Trace) -> Iterator[tuple[Event, tuple[Decision, ...], Session]]:
    """Feed a trace to a fresh session at its own times; proofs that it asks for are answered at once."""
    session = Session()
    yield trace.start, session.receive(trace.start), session
    for given in (*trace.events, Tick(at_ns=trace.end_ns)):
        event: Event = given
        if isinstance(event, StartAsked) and _may_begin_again(session, trace):
            prior = {**trace.start.prior, "started": True}
            event = replace(trace.start, at_ns=event.at_ns, occupancy=session.view().occupancy, prior=prior)
        decisions = session.receive(event)
        yield event, decisions, session
        for answer in analysis.answers(decisions, event.at_ns):
            yield answer, session.receive(answer), session


def _may_begin_again(session: Session, trace: Trace) -> bool:
    """Whether the game is over and the pieces stand as it began, so that another can."""
    if session.state()["status"] != "ended":
        return False
    first = parse_fen(trace.start.fen, chess960=trace.start.chess960)
    return session.view().occupancy == sum(1 << square for square in first.pieces)


def last_state(case: Mapping[str, Any]) -> dict[str, Any]:
    """The state after a case's last action, with the case's ``id``."""
    *_, (_, _, session) = play(from_case(case))
    return {"id": case.get("id"), **session.state()}


def differences(case: Mapping[str, Any], state: Mapping[str, Any]) -> list[Difference]:
    """Where a state is not what the case expects; without a witness only the board's own reading is checked."""
    want = case["expected"]
    board = want.get("board", {})
    if board.get("confidence") == "ambiguous" and "provisional" in board:
        want = board["provisional"]
    found = [
        Difference(case=case["id"], field=field, expected=want[field], got=state.get(field))
        for field in CORE
        if field in want and _set(field, want[field]) != _set(field, state.get(field))
    ]
    if "board" in case["expected"] and board.get("ask") != state["board"].get("ask"):
        found.append(Difference(case=case["id"], field="ask", expected=board.get("ask"), got=state["board"].get("ask")))
    return found


def _set(field: str, value: Any) -> Any:
    """The value in a form in which order does not count where it means nothing."""
    if field in ("allowed", "violations") and isinstance(value, list):
        return sorted(value)
    if field == "obligation" and isinstance(value, str) and value.startswith("exact:"):
        return "exact:" + ",".join(sorted(value[6:].split(",")))
    if field == "restore" and isinstance(value, dict):
        return {key: sorted(names) for key, names in value.items()}
    if field == "penalties" and isinstance(value, list):
        return sorted((one.get("kind"), one.get("to"), one.get("seconds")) for one in value)
    return value


def run(cases: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Each case with its state, in the file's order."""
    for case in cases:
        yield case, last_state(case)
