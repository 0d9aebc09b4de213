"""Runs a conformance set: each case's actions through the session, its last state against what the case expects.

Source: contract section 5; the comparison is field by field over `CORE`, sets as sets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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
        Difference(case=str(case["id"]), field=field, expected=want[field], got=state.get(field))
        for field in CORE
        if field in want and _set(field, want[field]) != _set(field, state.get(field))
    ]
    if "board" in case["expected"] and board.get("ask") != state["board"].get("ask"):
        found.append(
            Difference(case=str(case["id"]), field="ask", expected=board.get("ask"), got=state["board"].get("ask"))
        )
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
        return sorted((str(one.get("kind")), str(one.get("to")), str(one.get("seconds"))) for one in value)
    return value


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "violations": lambda value: _all(value, str),
    "allowed": lambda value: value is None or isinstance(value, str) or _all(value, str),
    "moves": lambda value: _all(value, str),
    "penalties": lambda value: _all(value, dict),
    "restore": lambda value: (
        value is None or (isinstance(value, dict) and all(_all(one, str) for one in value.values()))
    ),
    "board": lambda value: (
        isinstance(value, dict)
        and isinstance(value.get("provisional", {}), dict)
        and all(_fits(field, one) for field, one in value.get("provisional", {}).items())
    ),
}
"""What the fields of an expected state must be, where the comparison looks into them."""


def _all(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _fits(field: str, value: object) -> bool:
    return field not in _KINDS or _KINDS[field](value)


def why_no_case(case: object, *, compared: bool) -> str:
    """What keeps a value from being a case, as a sentence; empty for one. ``compared``: it must say what is expected."""
    if not isinstance(case, Mapping):
        return "an object with actions is wanted"
    if not _all(case.get("actions"), str):
        return "actions: a list of texts is wanted"
    if not compared:
        return ""
    if not isinstance(case.get("id"), str | int):
        return "id: a text is wanted"
    if not _all(case.get("article"), str) or not case["article"]:
        return "article: a list of texts is wanted, the article that decides first"
    expected = case.get("expected")
    if not isinstance(expected, Mapping):
        return "expected: an object is wanted, the state after the last action"
    wrong = next((field for field, value in expected.items() if not _fits(field, value)), None)
    return "" if wrong is None else f"expected.{wrong}: {json.dumps(expected[wrong])[:60]} is of the wrong kind"
