"""Raw sensor frames: what the contacts did before any debouncing, so that other settings can be tried on real hands.

A file holds the contacts' changes and, among them, all that came from elsewhere: the game's start, presses, buttons,
what people entered. Fed through the debouncer again (`steps`), with the times it ran with or with others, it gives the
game as the board would have seen it. About five bytes a change.

    TMRAW1\\n, then records: a tag, the time since the record before as a zigzag varint in ns, and
    tag 0: a varint count and that many bytes, the square in bits 0-5 and bit 6 set where its contact closed
    tag 1: a varint length and an event as JSON in UTF-8
    tag 2: eight bytes, the contacts of squares a1 (bit 0) to h8, lowest byte first
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from board_firmware.complaint import Complaint
from board_firmware.core.event_json import from_json, to_json
from board_firmware.core.events import (
    Blipped,
    BoardSnapshot,
    Decision,
    Event,
    GameStarted,
    LiftHinted,
    SquareChanged,
    Tick,
)
from board_firmware.core.session import Session
from board_firmware.release import LATENCY_NS, Release
from hal.debounce import DEFAULT, Debounce, EdgeDebouncer
from hal.squares import squares_of

MAGIC = b"TMRAW1\n"
SCAN_NS = 5_000_000
AFTER_NS = 10_000_000_000
"""How long after the last record the board is watched: what settles or falls due then is still decided."""

_FROM_REEDS = (SquareChanged, Blipped, LiftHinted, Tick)
"""Events that the frames and the deadlines give again."""

Record = tuple[int, int | Event]
"""A time in ns, and the contacts from then on or an event."""


def open_record(path: Path, offset_ns: int = 0, told: Callable[[str], None] = lambda refusal: None) -> RawTraceFile:
    """The file that ``--record`` names, which must be a new one; a `Complaint` where it cannot be made."""
    try:
        return RawTraceFile(path, offset_ns, told)
    except FileExistsError:
        raise Complaint(f"--record {path}: the file exists; name a new one") from None
    except OSError as error:
        raise Complaint(f"--record {path}: {error.strerror or error}") from None


class RawTraceFile:
    """Writes a file from any threads; a thread of its own waits for the disk."""

    def __init__(self, path: Path, offset_ns: int = 0, told: Callable[[str], None] = lambda refusal: None) -> None:
        """``offset_ns`` is added to the frames' times, as the loop adds it to the board's; ``OSError`` if refused.

        ``told`` hears a sentence, from some thread, when the disk takes no more.
        """
        self._path = path
        self._told = told
        self._file: BinaryIO = path.open("xb")
        self._offset_ns = offset_ns
        self._refusal: str | None = None
        self._queue: SimpleQueue[Record | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_forever, name="raw trace", daemon=True)
        self._thread.start()

    def frame(self, contacts: int, at_ns: int) -> None:
        """The contacts as they are from ``at_ns`` on; what a board's ``tap`` is set to."""
        self._queue.put((at_ns + self._offset_ns, contacts))

    def event(self, event: Event) -> None:
        """An event that was given to the core; those that come of the reeds are left out."""
        if not isinstance(event, _FROM_REEDS):
            self._queue.put((event.at_ns, event))

    def close(self) -> str | None:
        """Writes what waits and closes the file; a sentence if the disk did not take it all, else None."""
        self._queue.put(None)
        self._thread.join(2)
        try:
            self._file.close()
        except OSError as error:
            self._refused(error)
        return self._refusal

    def _write_forever(self) -> None:
        encoder = _Encoder()
        try:
            self._file.write(MAGIC)
            while (record := self._queue.get()) is not None:
                self._file.write(encoder.encode(*record))
                if self._queue.empty():
                    self._file.flush()
        except OSError as error:  # a board plays on without its recording: what still comes is let go
            self._refused(error)
            while self._queue.get() is not None:
                pass

    def _refused(self, error: OSError) -> None:
        if self._refusal is None:
            self._refusal = f"--record {self._path}: {error.strerror or error}; the recording ends before that"
            self._told(self._refusal)


class _Encoder:
    def __init__(self) -> None:
        self._at_ns = 0
        self._contacts: int | None = None

    def encode(self, at_ns: int, content: int | Event) -> bytes:
        """The bytes of a record."""
        elapsed, self._at_ns = at_ns - self._at_ns, at_ns
        time = _varint(elapsed << 1 if elapsed >= 0 else (-elapsed << 1) - 1)
        if not isinstance(content, int):
            text = json.dumps(to_json(content), ensure_ascii=False, separators=(",", ":")).encode()
            return b"\1" + time + _varint(len(text)) + text
        before, self._contacts = self._contacts, content
        if before is None:
            return b"\2" + time + content.to_bytes(8, "little")
        changed = list(squares_of(before ^ content))
        squares = bytes(square | (content >> square & 1) << 6 for square in changed)
        return b"\0" + time + _varint(len(squares)) + squares


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read(content: bytes) -> Iterator[Record]:
    """The records of a file in the order of writing; a cut last one is left out, ``ValueError`` for what is none."""
    if not content.startswith(MAGIC):
        raise ValueError("not a file of raw sensor frames")
    at, at_ns, contacts = len(MAGIC), 0, 0
    try:
        while at < len(content):
            tag = content[at]
            zigzag, at = _read_varint(content, at + 1)
            at_ns += zigzag >> 1 if not zigzag & 1 else -(zigzag + 1 >> 1)
            if tag == 2:
                contacts = int.from_bytes(_part(content, at, 8), "little")
                at += 8
                yield at_ns, contacts
            elif tag == 0:
                count, at = _read_varint(content, at)
                for byte in _part(content, at, count):
                    bit = 1 << (byte & 0x3F)
                    contacts = contacts | bit if byte & 0x40 else contacts & ~bit
                at += count
                yield at_ns, contacts
            elif tag == 1:
                length, at = _read_varint(content, at)
                text = _part(content, at, length).decode()
                at += length
                yield at_ns, _event(text)
            else:
                raise ValueError(f"byte {at}: {tag} is no tag")
    except IndexError:
        return  # the power went while it was written


def _event(text: str) -> Event:
    try:
        record = json.loads(text)
        if not isinstance(record, dict):
            raise ValueError("not an object")
        return from_json(record)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"an event in it cannot be read: {error}") from None


def _part(content: bytes, at: int, length: int) -> bytes:
    if at + length > len(content):
        raise IndexError
    return content[at : at + length]


def _read_varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def holds_game(path: Path) -> bool:
    """Whether a file was recorded in play; the self-test's has contacts alone. Raises as `steps` does."""
    return any(isinstance(content, GameStarted) for _, content in read(path.read_bytes()))


def switches(path: Path, debounce: Debounce = DEFAULT) -> Iterator[SquareChanged | Blipped]:
    """What a board with these debounce times would have reported of the contacts alone, in order of time."""
    debouncer: EdgeDebouncer | None = None
    contacts = at_ns = 0
    told: list[SquareChanged | Blipped] = []
    frames = sorted((at_ns, content) for at_ns, content in read(path.read_bytes()) if isinstance(content, int))
    for at_ns, content in frames:
        if debouncer is None:
            debouncer = EdgeDebouncer(debounce, content)
        for square in squares_of(contacts ^ content):
            debouncer.edge(square, bool(content >> square & 1), at_ns)
        contacts = content
    if debouncer is not None:
        told = [one for one in debouncer.advance(at_ns + AFTER_NS) if not isinstance(one, LiftHinted)]
    yield from sorted(told, key=lambda one: one.at_ns)


def steps(
    path: Path, debounce: Debounce = DEFAULT, until_s: float | None = None
) -> Iterator[tuple[Event, tuple[Decision, ...], Session]]:
    """The game as a board with these debounce times would have seen it: each event, what it decides, the session.

    ``until_s`` ends it with a `Tick` so many seconds after the game's start. ``ValueError`` for what is no such file,
    ``OSError`` if it cannot be read.
    """
    records = sorted(read(path.read_bytes()), key=lambda record: record[0])
    release = Release(max(LATENCY_NS, debounce.lateness_ns + SCAN_NS))
    debouncer = EdgeDebouncer(debounce)
    contacts: int | None = None
    session: Session | None = None
    limit_ns: int | None = None
    end_ns = records[-1][0] + AFTER_NS if records else 0
    for at_ns, content in [*records, (end_ns, None)]:
        for told in debouncer.advance(at_ns):
            release.push(told)
        if isinstance(content, int):
            if contacts is None:
                debouncer = EdgeDebouncer(debounce, content)
            else:
                for square in squares_of(contacts ^ content):
                    debouncer.edge(square, bool(content >> square & 1), at_ns)
            contacts = content
        elif content is not None:
            release.push(content)
            occupancy = content.occupancy if isinstance(content, GameStarted | BoardSnapshot) else None
            if occupancy is not None and contacts != occupancy:
                debouncer, contacts = EdgeDebouncer(debounce, occupancy), occupancy
        while (event := release.pop(at_ns, session.deadline_ns() if session else None)) is not None:
            if isinstance(event, GameStarted):
                session = Session()
                limit_ns = limit_ns if until_s is None or limit_ns is not None else event.at_ns + round(until_s * 1e9)
            if session is not None and limit_ns is not None and event.at_ns > limit_ns:
                tick = Tick(at_ns=limit_ns)
                yield tick, session.receive(tick), session
                return
            if session is not None and not isinstance(event, LiftHinted):
                yield event, session.receive(event), session
