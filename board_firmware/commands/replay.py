"""``touchmove replay``: a trace, a journal or raw frames through the core at their own times; decisions, last the state."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from board_firmware.complaint import Complaint, read_text
from board_firmware.conform import play
from board_firmware.core.events import Decision, Event
from board_firmware.core.session import Session
from board_firmware.trace import TraceError, parse
from hal.debounce import Debounce

Step = tuple[Event, tuple[Decision, ...], Session]


def run(
    path: Path, *, as_json: bool, until_s: float | None, speed: float | None, raw: bool = False, debounce: str | None = None
) -> int:
    """Print what the core decides on a recorded game; ``debounce``: "CLOSE/OPEN" in ms, for raw frames alone."""
    if debounce is not None and not raw:
        raise Complaint("--debounce needs --raw: traces and journals hold what came out of the debounce, not the frames")
    steps: Iterable[Step]
    if raw:
        steps = _raw(path, debounce)
    else:
        steps = _journal(path) if _is_journal(path) else _trace(path)
    try:
        state = _print(steps, as_json, until_s, speed)
    except TraceError as error:
        raise Complaint(f"{path}: {error}") from None
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Complaint(f"{path}: {error}") from None
    if state is None:
        raise Complaint(f"{path}: nothing to replay")
    print(json.dumps(state, ensure_ascii=False, indent=None if as_json else 1))
    return 0


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError:
        return False


def _trace(path: Path) -> Iterator[Step]:
    yield from play(parse(read_text(path, "a trace")))


def _journal(path: Path) -> Iterator[Step]:
    from board_firmware.journal.archive import newest_steps

    yield from newest_steps(path)


def _raw(path: Path, debounce: str | None) -> Iterator[Step]:
    """The frames that ``--record`` kept, debounced anew."""
    from board_firmware.journal.raw_trace import steps

    if debounce is None:
        return steps(path)
    close, _, opening = debounce.partition("/")
    try:
        return steps(path, Debounce(close_ms=float(close), open_ms=float(opening)))
    except ValueError as error:
        raise Complaint(f"--debounce {debounce}: two times in ms, as in 60/30 ({error})") from None


def _print(steps: Iterable[Step], as_json: bool, until_s: float | None, speed: float | None) -> dict[str, Any] | None:
    session: Session | None = None
    begun_ns: int | None = None
    started = time.monotonic()
    for event, decisions, after in steps:
        session = after
        begun_ns = event.at_ns if begun_ns is None else begun_ns
        if until_s is not None and (event.at_ns - begun_ns) / 1e9 > until_s:
            break
        if speed:
            time.sleep(max(0.0, (event.at_ns - begun_ns) / 1e9 / speed - (time.monotonic() - started)))
        for decision in decisions:
            print(json.dumps(decision.as_json(), ensure_ascii=False) if as_json else _line(decision))
    return None if session is None else session.state()


def _line(decision: Decision) -> str:
    """A decision for people: time, kind, what it is about."""
    about = " ".join(f"{key}={_text(value)}" for key, value in decision.details.items())
    article = f"  [{decision.article}]" if decision.article else ""
    return f"{decision.at_ns / 1e9:9.3f}  {decision.kind:22} {about}{article}"


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
