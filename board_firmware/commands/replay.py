"""``touchmove replay``: a trace, a journal or raw frames through the core at their own times; decisions, last the state."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from board_firmware.complaint import Complaint, said
from board_firmware.conform import play
from board_firmware.core.events import Decision, Event
from board_firmware.core.session import Session
from board_firmware.files import read_text, refuse_as_output
from board_firmware.journal.raw_trace import MAGIC, holds_game, switches
from board_firmware.journal.raw_trace import steps as raw_steps
from board_firmware.trace import parse
from hal.board import Blipped, SquareChanged
from hal.debounce import Debounce
from hal.squares import SQUARE_NAMES

T = TypeVar("T")
Step = tuple[Event, tuple[Decision, ...], Session]


def run(
    path: Path, *, as_json: bool, until_s: float | None, speed: float | None, game: str | None = None, raw: bool = False,
    debounce: str | None = None,
) -> int:  # fmt: skip
    """Print what the core decides on a recorded game; 1 if that, or the chain of rows, is not as a journal kept it.

    ``game`` is an id, for a journal alone (None: the newest); ``debounce``: "CLOSE/OPEN" in ms, for raw frames alone.
    """
    raw = raw or _begins(path, MAGIC)
    if debounce is not None and not raw:
        raise Complaint(
            "--debounce needs --raw: traces and journals hold what came out of the debounce, not the frames"
        )
    journal = not raw and _begins(path, b"SQLite format 3")
    if journal or raw:
        refuse_as_output(path)
    if game is not None and not journal:
        raise Complaint(f"--game {game}: only a journal holds many games; {path} is none")
    doubts: list[str] = []
    steps: Iterable[Step]
    if raw:
        times = _times(debounce)
        if not _raw(path, holds_game):
            return _print_switches(_raw(path, lambda path: list(switches(path, times))), as_json, until_s)
        steps = _raw(path, lambda path: raw_steps(path, times, until_s))
    else:
        steps = _journal(path, game, until_s, doubts) if journal else _trace(path, until_s)
    try:
        state = _print(steps, as_json, speed)
    except OSError as error:
        raise Complaint(said(error, path)) from None
    except KeyError as error:
        raise Complaint(f"{path}: {f'there is no game {game!r} in it' if game else error.args[0]}") from None
    except (ValueError, TypeError) as error:
        raise Complaint(f"{path}: {error}") from None
    if state is None:
        raise Complaint(f"{path}: nothing to replay")
    print(json.dumps(state, ensure_ascii=False, indent=None if as_json else 1))
    for doubt in doubts:
        print(f"touchmove replay: {path}: {doubt}", file=sys.stderr)
    return 1 if doubts else 0


def _begins(path: Path, mark: bytes) -> bool:
    """Whether a file begins so; a pipe is not asked, for what was read of it is gone."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


def _trace(path: Path, until_s: float | None) -> Iterator[Step]:
    trace = parse(read_text(path, "a trace"))
    if until_s is not None:
        end_ns = min(trace.end_ns, trace.start.at_ns + round(until_s * 1e9))
        trace = replace(trace, events=tuple(event for event in trace.events if event.at_ns <= end_ns), end_ns=end_ns)
    yield from play(trace)


def _journal(path: Path, game: str | None, until_s: float | None, doubts: list[str]) -> Iterator[Step]:
    from board_firmware.journal.archive import newest_steps

    yield from newest_steps(path, game, until_s, doubts.append)


def _raw(path: Path, read: Callable[[Path], T]) -> T:
    """What a function reads of the file that ``--record`` kept."""
    try:
        return read(path)
    except OSError as error:
        raise Complaint(said(error, path)) from None
    except ValueError as error:
        raise Complaint(f"{path}: {error}") from None


def _times(debounce: str | None) -> Debounce:
    if debounce is None:
        return Debounce()
    close, _, opening = debounce.partition("/")
    try:
        return Debounce(close_ms=float(close), open_ms=float(opening))
    except ValueError as error:
        raise Complaint(f"--debounce {debounce}: two times in ms, as in 60/30 ({error})") from None


def _print_switches(found: Sequence[SquareChanged | Blipped], as_json: bool, until_s: float | None) -> int:
    """A recording without a game: each lift, place and blip in a trace's words, last how many there were."""
    begun_ns = found[0].at_ns if found else 0
    counts = {"lift": 0, "place": 0, "blip": 0}
    for one in found:
        at_s = (one.at_ns - begun_ns) / 1e9
        if until_s is not None and at_s > until_s:
            break
        word = "blip" if isinstance(one, Blipped) else "place" if one.occupied else "lift"
        counts[word] += 1
        record = {"at_s": round(at_s, 3), "act": word, "square": SQUARE_NAMES[one.square]}
        if isinstance(one, Blipped):
            record["ms"] = one.ms
        print(json.dumps(record) if as_json else f"@{at_s * 1e3:.3f} {word} {SQUARE_NAMES[one.square]}")
    said = ", ".join(f"{count} {word}s" for word, count in counts.items())
    print(json.dumps({"acts": counts}) if as_json else f"# {said}")
    return 0


def _print(steps: Iterable[Step], as_json: bool, speed: float | None) -> dict[str, Any] | None:
    session: Session | None = None
    begun_ns: int | None = None
    started = time.monotonic()
    for event, decisions, session in steps:  # noqa: B007 the last one is what counts
        begun_ns = event.at_ns if begun_ns is None else begun_ns
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
