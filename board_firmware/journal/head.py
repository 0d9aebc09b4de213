"""How far the journal had come, kept beside it: SQLite drops the torn end of a log silently, and this tells.

64 bytes in each of two slots that take turns, so that a torn write spoils at most the older news. The file is a
witness, never a source: where it is missing or older than the journal, the journal is right.
"""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

_LAYOUT = struct.Struct(">4sQQ32s")
_MAGICS = {b"tmh1": 32, b"tmh2": 16}
"""How many bytes of the hash count: those of version 1, whose last row may still be the newest, and those since."""

_SLOT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The last durable row: its number and hash, and how many rows the file holds with it."""

    seq: int
    rows: int
    chain: bytes


def head_path(journal: Path) -> Path:
    """The file beside a journal that keeps its head."""
    return journal.with_name(journal.name + "-head")


def read_head(path: Path) -> Head | None:
    """The newest whole slot, or None where there is none."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    found = [_slot(content[start : start + _SLOT]) for start in (0, _SLOT)]
    return max((head for head in found if head is not None), key=lambda head: head.seq, default=None)


def _slot(content: bytes) -> Head | None:
    body, check = content[: _LAYOUT.size], content[_LAYOUT.size : _LAYOUT.size + 4]
    if len(check) < 4 or zlib.crc32(body) != int.from_bytes(check, "big"):
        return None
    magic, seq, rows, chain = _LAYOUT.unpack(body)
    return Head(seq=seq, rows=rows, chain=chain[: _MAGICS[magic]]) if magic in _MAGICS else None


class HeadFile:
    """The file held open by the writer thread."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        slots = [_slot(os.pread(self._descriptor, _SLOT, start)) for start in (0, _SLOT)]
        newest = max((head.seq for head in slots if head), default=-1)
        self._turn = 1 if slots[0] is not None and slots[0].seq == newest else 0

    def write(self, head: Head) -> None:
        """Keep this head, durably; ``OSError`` where the disk refuses."""
        magic = next(magic for magic, length in _MAGICS.items() if length == len(head.chain))
        body = _LAYOUT.pack(magic, head.seq, head.rows, head.chain)
        slot = (body + zlib.crc32(body).to_bytes(4, "big")).ljust(_SLOT, b"\0")
        os.pwrite(self._descriptor, slot, self._turn * _SLOT)
        os.fdatasync(self._descriptor)
        self._turn ^= 1

    def close(self) -> None:
        """Give the file back."""
        os.close(self._descriptor)
