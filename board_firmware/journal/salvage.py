"""What can still be read from a damaged journal: its rows, page by page, without asking SQLite.

SQLite gives up at the first bad page above the rows. Here every page that looks like a leaf of a table is read by
itself, in the file and in the log beside it, and a record counts as a row when it has a row's columns and its hash
goes on from the row before. The damaged files are kept, renamed, and a fresh journal takes what was found.

Source: sqlite.org/fileformat2.html, sections 1.6 (pages), 2.1 (records) and 4.1 (the log).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from board_firmware.journal.head import Head
from board_firmware.journal.schema import JournalError, Row, migrate

_MAGIC = b"SQLite format 3\0"
_LEAF = 0x0D
_WAL_HEADER = 32
_FRAME_HEADER = 24
_ROW_COLUMNS, _GAME_COLUMNS, _BOOT_COLUMNS, _GAP_COLUMNS = 9, 14, 8, 5
"""Each table has its own number of columns, which tells a stray page's records apart."""

_GAP_WORDS = ("retention", "lost", "damaged")


def is_cut_short(path: Path) -> bool:
    """Whether the file is shorter than its own header says, with no log beside it that could hold the rest."""
    try:
        size = path.stat().st_size
        wal = path.with_name(path.name + "-wal")
        if size == 0 or (wal.exists() and wal.stat().st_size > _WAL_HEADER):
            return False
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return False
    if len(header) < 100 or not header.startswith(_MAGIC):
        return _MAGIC.startswith(header[: len(_MAGIC)])
    return size < _page_size(header) * int.from_bytes(header[28:32], "big")


def rebuild(path: Path, head: Head | None) -> tuple[Path, str]:
    """Moves a damaged journal aside and writes what can be read of it into a fresh one.

    Returns the name that the old file now has, and a sentence on what was saved and lost. ``OSError`` and
    ``sqlite3.Error`` where the disk does not let it, `JournalError` for a file that never was a journal.
    """
    wal = path.with_name(path.name + "-wal")
    content = path.read_bytes()
    records = [*_file_records(content), *_records(_wal_pages(_read(wal)))]
    rows = {row.seq: row for row in map(_as_row, records) if row is not None}
    if not rows and not content.startswith(_MAGIC):
        raise JournalError(str(path), "foreign", "is not a journal; choose another file")
    begun = path.with_name(path.name + "-salvaging")
    try:
        _remove(begun)  # of a salvage that was interrupted
        lost = _write(begun, rows, records, head)
    except BaseException:
        _remove(begun)
        raise
    os.replace(begun, _salvaged(path))
    _sync_folder(path.parent)
    aside = finish(path) or path
    said = f"{len(rows)} rows were saved, {lost} are lost" if lost else f"all {len(rows)} rows were saved"
    if head is None:
        said = f"{len(rows)} rows were saved, {lost} between them are lost; no head beside it tells how many came after"
    return aside, said


def finish(path: Path) -> Path | None:
    """Puts a salvaged journal in its place; returns the damaged one's new name, or None where nothing was salvaged.

    Whenever the power goes in here, the salvaged file is whole under one of its two names, and the next call goes on.
    """
    fresh = _salvaged(path)
    if not fresh.exists():
        return None
    aside = _name_aside(path)
    for suffix in ("-wal", ""):  # the log first: it must never lie beside a file that it does not belong to
        old = path.with_name(path.name + suffix)
        if old.exists():
            os.replace(old, aside.with_name(aside.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    _sync_folder(path.parent)
    os.replace(fresh, path)
    _sync_folder(path.parent)
    return aside


def _salvaged(path: Path) -> Path:
    return path.with_name(path.name + "-salvaged")


def _remove(begun: Path) -> None:
    for suffix in ("", "-journal"):
        begun.with_name(begun.name + suffix).unlink(missing_ok=True)


def _name_aside(path: Path) -> Path:
    """The next name that is free; the one before it where the file was moved already when the power went."""
    number = 1
    while _damaged(path, number).exists():
        number += 1
    return _damaged(path, number if path.exists() or number == 1 else number - 1)


def _damaged(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}-damaged-{number}")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _write(fresh: Path, rows: dict[int, Row], records: list[tuple[Any, ...]], head: Head | None) -> int:
    """Fills a fresh journal; returns how many rows are missing between the first and the last known one."""
    connection = sqlite3.connect(fresh, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        migrate(connection, str(fresh))
        connection.execute("BEGIN")
        for row in rows.values():
            connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row.record())
        for record in _games(rows, records):
            connection.execute(f"INSERT OR REPLACE INTO games VALUES ({', '.join('?' * _GAME_COLUMNS)})", record)
        for record in records:
            if len(record) == _BOOT_COLUMNS and all(isinstance(record[n], int) for n in (0, 2, 3, 4, 5)):
                connection.execute(f"INSERT OR REPLACE INTO boots VALUES ({', '.join('?' * _BOOT_COLUMNS)})", record)
        known = {
            record[0]: record
            for record in records
            if len(record) == _GAP_COLUMNS and isinstance(record[1], int) and record[3] in _GAP_WORDS
        }
        lost = 0
        for first, last, chain in _missing(rows, known, head):
            why = known[first][3] if first in known and known[first][1] == last else "damaged"
            lost += last - first + 1 if why == "damaged" else 0
            connection.execute("INSERT INTO gaps VALUES (?, ?, ?, ?, 0)", (first, last, chain, why))
        connection.execute("COMMIT")
    finally:
        connection.close()
    return lost


def _missing(
    rows: dict[int, Row], known: dict[int, tuple[Any, ...]], head: Head | None
) -> Iterator[tuple[int, int, bytes | None]]:
    """The runs of numbers without a row, split where an older gap is known, each with the hash to go on from."""
    expected = 1
    for seq in (*sorted(rows), (head.seq if head else 0) + 1):
        while expected < seq:
            old = known.get(expected)
            if old is not None and old[1] < seq:
                yield expected, old[1], old[2]
                expected = old[1] + 1
                continue
            end = min((first for first in known if expected < first < seq), default=seq) - 1
            yield expected, end, head.chain if head and head.seq == end else None
            expected = end + 1
        expected = max(expected, seq + 1)


def _games(rows: dict[int, Row], records: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """The games' lines: as they stood, the newest version last, or made from the first row where the line is gone."""
    found = {}
    for record in records:
        if len(record) == _GAME_COLUMNS and isinstance(record[0], int) and isinstance(record[2], int):
            found[record[0]] = record
    first_rows: dict[int, Row] = {}
    for seq in sorted(rows):
        first_rows.setdefault(rows[seq].game, rows[seq])
    for game, row in first_rows.items():
        if game in found:
            yield found[game]
            continue
        event = json.loads(row.event)
        tags = event.get("tags") or {}
        yield (
            game, event.get("game_id") or f"salvaged-{game}", row.seq, row.wall_ms, int(row.trusted),
            *(str(tags.get(name, "")) for name in ("White", "Black", "Event", "Round")), str(event.get("fen", "")),
            "*", None, 0, 0,
        )  # fmt: skip


def _as_row(record: tuple[Any, ...]) -> Row | None:
    if len(record) != _ROW_COLUMNS:
        return None
    try:
        row = Row.of(record)
        json.loads(row.event)
    except ValueError:
        return None
    return row


# -- pages -----------------------------------------------------------------------------------------------------------


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size == 1 else size if 512 <= size <= 32768 and not size & (size - 1) else 4096


def _file_records(content: bytes) -> list[tuple[Any, ...]]:
    """The records of a database file; where its first page does not tell the size of pages, the size that gives most."""
    known = content.startswith(_MAGIC)
    sizes = (_page_size(content[:100]),) if known else tuple(512 << power for power in range(8))
    return max((list(_records(_file_pages(content, size))) for size in sizes), key=_count_rows)


def _count_rows(records: list[tuple[Any, ...]]) -> int:
    return sum(_as_row(record) is not None for record in records)


def _file_pages(content: bytes, size: int) -> dict[int, list[bytes]]:
    """The pages of a database file by number; each in a list, since the log has several versions."""
    return {start // size + 1: [content[start : start + size]] for start in range(0, len(content), size)}


def _wal_pages(content: bytes) -> dict[int, list[bytes]]:
    """The pages in a log's frames by number, the oldest version first."""
    size = int.from_bytes(content[8:12], "big") or 4096
    pages: dict[int, list[bytes]] = {}
    step = _FRAME_HEADER + size
    for start in range(_WAL_HEADER, len(content) - step + 1, step):
        number = int.from_bytes(content[start : start + 4], "big")
        pages.setdefault(number, []).append(content[start + _FRAME_HEADER : start + step])
    return pages


def _records(pages: dict[int, list[bytes]]) -> Iterator[tuple[Any, ...]]:
    """All records on all pages that look like a table's leaf; what does not parse is passed over."""
    for number, versions in pages.items():
        for page in versions:
            start = 100 if number == 1 else 0
            if len(page) < start + 8 or page[start] != _LEAF:
                continue
            for cell in range(int.from_bytes(page[start + 3 : start + 5], "big")):
                at = start + 8 + 2 * cell
                try:
                    yield _cell(page, int.from_bytes(page[at : at + 2], "big"), pages)
                except (IndexError, ValueError):
                    continue


def _cell(page: bytes, at: int, pages: dict[int, list[bytes]]) -> tuple[Any, ...]:
    """One cell's record, its row number in place of the key column that SQLite does not store."""
    length, at = _varint(page, at)
    key, at = _varint(page, at)
    usable = len(page)
    most = usable - 35
    if length <= most:
        payload = page[at : at + length]
    else:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        payload = page[at : at + local]
        following = int.from_bytes(page[at + local : at + local + 4], "big")
        while len(payload) < length and following in pages:
            more = pages[following][-1]
            payload += more[4 : 4 + length - len(payload)]
            following = int.from_bytes(more[:4], "big")
    if len(payload) != length:
        raise ValueError("the record is cut")
    values = _values(payload)
    return (key, *values[1:]) if values and values[0] is None else tuple(values)


def _values(payload: bytes) -> list[Any]:
    header_length, at = _varint(payload, 0)
    kinds = []
    while at < header_length:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Any] = []
    for kind in kinds:
        width = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 10 else (kind - 12) // 2
        part = payload[at : at + width]
        if len(part) != width:
            raise ValueError("the value is cut")
        at += width
        if kind == 0:
            values.append(None)
        elif kind <= 6:
            values.append(int.from_bytes(part, "big", signed=True))
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind >= 12:
            values.append(part if kind % 2 == 0 else part.decode(errors="replace"))
        else:
            raise ValueError("no value of a journal")
    return values


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = content[at + count]
        if count == 8:
            return (value << 8) | byte, at + 9
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            break
    return value, at + count + 1
