"""The files that commands read and write: opened in one place, and named in whatever is said about them.

An output is never the input. A file that is written while it is read is lost or grows without end, so both ends are
compared as files, through any links, before the output is opened; the shell's own ``> file`` is standard output, and
looked at too.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from board_firmware.complaint import Complaint

HEAD_BYTES = 64 * 1024
"""How much of a file is looked at to tell text from anything else."""

GAMES = "games in PGN are wanted"

NO_GAME = '{}: holds no PGN game: neither a tag such as [White "..."] nor a move'
"""What is said of a file in which no game was found."""


def read_text(path: Path, what: str, limit: int = 64_000_000) -> str:
    """The text of a file as UTF-8; a `Complaint` for one that is missing, no file, too large, binary or empty.

    ``what`` names what is expected (``a trace``); ``limit`` is in bytes.
    """
    raw = read_bytes(path, what, limit)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Complaint(f"{path}: not text (byte {error.start} is no UTF-8); {what} is wanted") from None
    if "\0" in text:
        raise Complaint(f"{path}: a binary file; {what} is wanted")
    if not text.strip():
        raise Complaint(f"{path}: the file is empty; {what} is wanted")
    return text


def read_bytes(path: Path, what: str, limit: int) -> bytes:
    """The bytes of a file that can be read whole; a `Complaint` for any other."""
    with open_input(path, f"{what} is wanted") as file:
        try:
            raw = file.read(limit + 1)
        except OSError as error:
            raise Complaint(f"{path}: {error.strerror or error}; {what} is wanted") from None
    if len(raw) > limit:
        raise Complaint(f"{path}: larger than {limit // 1_000_000} MB; {what} is wanted")
    return raw


def open_input(path: Path, wanted: str) -> BinaryIO:
    """A file to read; a `Complaint` where it cannot be opened or is the file that standard output goes to."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise Complaint(f"{path}: no such file; {wanted}") from None
    except IsADirectoryError:
        raise Complaint(f"{path}: is a directory; {wanted}") from None
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror or error}; {wanted}") from None
    if _is_standard_output(file):
        file.close()
        raise Complaint(f"{path}: standard output goes to the same file; write to another one")
    return file


def open_pgn(path: Path) -> BinaryIO:
    """A file of games, at its beginning; a `Complaint` for one that can hold none."""
    file = open_input(path, GAMES)
    try:
        why = _why_not_pgn(file)
    except OSError as error:
        why = f"{error.strerror or error}; {GAMES}"
    if why:
        file.close()
        raise Complaint(f"{path}: {why}")
    return file


def _why_not_pgn(file: BinaryIO) -> str:
    if not file.seekable():
        return "a pipe or a device; the name of a file is wanted"
    head = file.read(HEAD_BYTES)
    file.seek(0)
    if not head.strip():
        return f"the file is empty; {GAMES}"
    if b"\0" in head and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return f"a binary file; {GAMES}"
    return ""


def refuse_as_output(path: Path) -> None:
    """A `Complaint` where standard output goes to this file, which something else than `open_input` reads."""
    try:
        with path.open("rb") as file:
            if not _is_standard_output(file):
                return
    except OSError:
        return  # whoever reads it says so
    raise Complaint(f"{path}: standard output goes to the same file; write to another one")


def _is_standard_output(file: BinaryIO) -> bool:
    try:
        here, there = os.fstat(file.fileno()), os.fstat(1)
    except OSError:
        return False
    return stat.S_ISREG(here.st_mode) and os.path.samestat(here, there)


class OutputFile:
    """A text file that a command writes, opened anew; every refusal is a `Complaint` that names option and file."""

    def __init__(self, path: Path, option: str, inputs: Sequence[Path]) -> None:
        """``inputs`` are the files that the command reads: none of them may be this one."""
        self._name = f"{option} {path}"
        self._refused = False
        try:
            if any(path.exists() and path.samefile(one) for one in inputs):
                raise Complaint(f"{self._name}: is the file that is read; name another one")
            self._file = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise self._complaint(error) from None

    def write(self, text: str) -> None:
        """Add to the file."""
        try:
            self._file.write(text)
        except OSError as error:
            raise self._complaint(error) from None

    def close(self) -> None:
        """Write what waits."""
        try:
            self._file.close()
        except OSError as error:
            if not self._refused:
                raise self._complaint(error) from None

    def _complaint(self, error: OSError) -> Complaint:
        self._refused = True
        return Complaint(f"{self._name}: {error.strerror or error}")

    def __enter__(self) -> OutputFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
