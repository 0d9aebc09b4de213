"""``touchmove pgn FILE``: reads a PGN file, names each fault with its line and column, and writes the games anew.

The games, in export format, go to standard output and the faults to standard error, so that
``touchmove pgn old.pgn > new.pgn`` mends a file and shows what was mended. With ``--json`` there is one object on standard
output and no games. Games stream through one at a time: an archive of any size needs little memory.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from board_firmware.complaint import Complaint
from board_firmware.files import NO_GAME, open_pgn
from board_firmware.plain import plain_console
from rules.pgn import PgnFault, PgnGame, read_pgn, write_game

DONE, FOUND_ERRORS = 0, 1
"""Exit codes: all was read as meant; some was not."""


def run(file: str | Path, *, as_json: bool, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Check and rewrite a PGN file; the exit code. `out` and `err` stand in for the standard streams.

    On a terminal a bar shows how far the reading is. Raises `Complaint` where there is nothing to read.
    """
    path, out, err = Path(file), out or sys.stdout, err or sys.stderr
    report = _JsonReport(path, out) if as_json else _TextReport(path, out, err)
    try:
        with open_pgn(path) as source, _bar(path, source, err) as progress:
            for game in read_pgn(source, progress=progress):
                report.add(game)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror or error}") from None
    if not report.games:
        raise Complaint(NO_GAME.format(path))
    report.finish()
    return FOUND_ERRORS if report.errors else DONE


@contextmanager
def _bar(path: Path, file: BinaryIO, err: TextIO) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on a terminal, in bytes of the file; nothing elsewhere."""
    if not err.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=plain_console(err), transient=True) as bar:
        task = bar.add_task(path.name, total=os.fstat(file.fileno()).st_size)
        yield lambda done: bar.update(task, completed=done)


class _Report:
    """Counts games, plies and faults; the kinds of report say them in their way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.games = self.plies = self.errors = self.notes = 0
        self._early: list[PgnFault] = []

    def add(self, game: PgnGame) -> None:
        """Take in the next game of the file."""
        if not game.tags and not game.line.moves and game.result == "*" and not self.games:
            self._early += game.faults[: max(0, 200 - len(self._early))]  # no game yet: it may not be PGN at all
            return
        self.games += 1
        self.plies += len(game.line.moves)
        for fault in (*self._early, *game.faults):
            if fault.is_error:
                self.errors += 1
            else:
                self.notes += 1
            self._show_fault(fault)
        self._early = []
        self._show_game(game)

    def _show_fault(self, fault: PgnFault) -> None:
        raise NotImplementedError

    def _show_game(self, game: PgnGame) -> None:
        raise NotImplementedError

    def finish(self) -> None:
        """Say the sums."""
        raise NotImplementedError


class _TextReport(_Report):
    """Games on standard output, faults and sums on standard error."""

    def __init__(self, path: Path, out: TextIO, err: TextIO) -> None:
        super().__init__(path)
        self._out, self._err = out, err

    def _show_fault(self, fault: PgnFault) -> None:
        grade = "error" if fault.is_error else "note"
        print(f"{self._path}:{fault.line}:{fault.column}: {grade}: {fault.why}", file=self._err)

    def _show_game(self, game: PgnGame) -> None:
        self._out.write(("\n" if self.games > 1 else "") + write_game(game))

    def finish(self) -> None:
        games, plies = _count(self.games, "game"), _count(self.plies, "ply", "plies")
        faults = f"{_count(self.errors, 'error')}, {_count(self.notes, 'note')}"
        print(f"{self._path}: {games}, {plies}, {faults}", file=self._err)


class _JsonReport(_Report):
    """One JSON object on standard output, written as it grows."""

    def __init__(self, path: Path, out: TextIO) -> None:
        super().__init__(path)
        self._out = out
        self._faults = 0

    def _show_fault(self, fault: PgnFault) -> None:
        row = {
            "game": self.games,
            "line": fault.line,
            "column": fault.column,
            "word": fault.word.value,
            "grade": "error" if fault.is_error else "note",
            "text": fault.text,
            "why": fault.why,
        }
        opening = f'{{"file": {json.dumps(str(self._path))}, "faults": [' if not self._faults else ","
        self._out.write(f"{opening}\n  {json.dumps(row, ensure_ascii=False)}")
        self._faults += 1

    def _show_game(self, game: PgnGame) -> None:
        pass

    def finish(self) -> None:
        opening = "\n]" if self._faults else f'{{"file": {json.dumps(str(self._path))}, "faults": []'
        sums = {"games": self.games, "plies": self.plies, "errors": self.errors, "notes": self.notes}
        self._out.write(f"{opening}, {json.dumps(sums)[1:]}\n")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
