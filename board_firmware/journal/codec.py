"""Events and decisions as the text of a journal row, the same bytes for the same values on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from board_firmware.core.event_json import from_json, to_json
from board_firmware.core.events import Decision, Event
from board_firmware.journal.schema import Row


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event_text(event: Event) -> str:
    """The event without its time, which has a column of its own."""
    record = to_json(event)
    del record["at_ns"]
    return _text(record)


def decisions_text(decisions: Iterable[Decision]) -> str:
    """The decisions as a JSON list in the contract's form, or the empty string for none."""
    lines = [decision.as_json() for decision in decisions]
    return _text(lines) if lines else ""


def event_of(row: Row) -> Event:
    """The event of a row; ``ValueError`` with the row's number where it cannot be read."""
    try:
        record = json.loads(row.event)
        if not isinstance(record, dict):
            raise ValueError("is no object")
        record["at_ns"] = row.at_ns
        return from_json(record)
    except ValueError as error:
        raise ValueError(f"row {row.seq}: {error}") from None


def decisions_of(row: Row) -> list[dict[str, Any]]:
    """The decisions of a row in the contract's form."""
    found: list[dict[str, Any]] = json.loads(row.decisions) if row.decisions else []
    return found


def line_of(row: Row) -> str:
    """The row as one line of JSON, for export: times, event, decisions and hash."""
    return _text(
        {
            "seq": row.seq,
            "boot": row.boot,
            "at_ns": row.at_ns,
            "wall_ms": row.wall_ms,
            "trusted": row.trusted,
            "event": json.loads(row.event),
            "decisions": decisions_of(row),
            "chain": row.chain.hex(),
        }
    )
