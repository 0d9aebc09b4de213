"""``touchmove simulate GAMES.pgn``: simulated hands play games through the whole stack, and what was recorded is counted.

Each game is a world of its own, made of the seed and its number alone, so that games can be spread over processes and
any one of them repeated. They are read as they are played; an archive needs the memory of a few games.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import connection, parent_process
from pathlib import Path
from random import Random
from typing import BinaryIO, TextIO

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from board_firmware import stopping
from board_firmware.complaint import Complaint
from board_firmware.core.session import Session
from board_firmware.files import NO_GAME, OutputFile, open_pgn
from board_firmware.hands.boards import BOARDS, core_on, new_board
from board_firmware.hands.game import Circumstances, Outcome, Score, SimulatedGame
from board_firmware.hands.styles import STYLES
from board_firmware.plain import plain_console
from rules import Move, Position
from rules.pgn import PgnGame, read_pgn

AHEAD = 4
"""Games read ahead a process: enough that none waits, few enough to forget about."""

NOTES_SHOWN = 40
"""Lines about what went wrong that are printed; ``--json`` has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One game to be played, in plain values that cross a process border cheaply."""

    number: int
    fen: str
    chess960: bool
    moves: tuple[str, ...]
    result: str
    tags: dict[str, str]
    hands: str
    seed: int
    board: str = "sim"
    faults: str | None = None


@dataclass(slots=True, kw_only=True)
class Totals:
    """The sums over all games."""

    games: int = 0
    plies: int = 0
    right: int = 0
    inferred: int = 0
    asked: int = 0
    wrong: int = 0
    lost: int = 0
    beyond: int = 0
    promotions: int = 0
    repaired: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def add(self, number: int, outcome: Outcome) -> None:
        """Take in the outcome of game ``number`` (from 1)."""
        self.games += 1
        for name in ("plies", "right", "inferred", "asked", "wrong", "lost", "beyond", "promotions", "repaired"):
            setattr(self, name, getattr(self, name) + getattr(outcome, name))
        self.notes += [f"game {number}, {note}" for note in outcome.notes]

    @property
    def plies_per_second(self) -> float:
        """How fast it went, reading and all."""
        return self.plies / self.seconds if self.seconds else 0.0

    @property
    def is_clean(self) -> bool:
        """Whether every ply was recorded as it was played."""
        return not self.wrong and not self.lost


def circumstances(hands: str, seed: int, number: int) -> Circumstances:
    """How a game is played: with a clock; but for tidy hands every fifth without, and half of those without a press."""
    style = STYLES[hands]
    if hands == "tidy":
        return Circumstances(style=style)
    random = Random(f"{seed}:{number}:circumstances")
    control, settings = ("blitz_B3", {"settle_ms": 150}) if hands == "blitz" else ("standard", {})
    if random.random() < 0.2:
        return Circumstances(style=style, control="none", presses=random.choice((0.0, 0.7)), settings=settings)
    return Circumstances(style=style, control=control, settings=settings)


def play_game(task: Task) -> Outcome:
    """Play one game; the same task always ends in the same outcome."""
    start = Position.from_fen(task.fen, chess960=task.chess960)
    score = Score(start=start, moves=tuple(map(Move.from_uci, task.moves)), result=task.result, tags=task.tags)
    board = new_board(
        task.board, seed=task.seed * 1_000_003 + task.number, occupancy=start.occupied, faults=task.faults
    )
    how = circumstances(task.hands, task.seed, task.number)
    return SimulatedGame(
        score, how, board=board, new_core=lambda: core_on(board, Session()), seed=f"{task.seed}:{task.number}"
    ).play()


def outcomes(tasks: Iterator[Task], jobs: int) -> Generator[tuple[Task, Outcome], None, None]:
    """Play games in their order, here or in ``jobs`` processes; `Complaint` where one of those has died."""
    if jobs <= 1:
        for task in tasks:
            yield task, play_game(task)
        return
    pool = ProcessPoolExecutor(max_workers=jobs, initializer=_follow_the_parent)
    try:
        waiting: deque[tuple[Task, Future[Outcome]]] = deque()
        for task in tasks:
            waiting.append((task, pool.submit(play_game, task)))
            if len(waiting) >= AHEAD * jobs:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    except BrokenProcessPool:
        raise Complaint("a process that played games has died, perhaps for want of memory; try fewer --jobs") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _follow_the_parent() -> None:
    """In a worker: end with the process that started it, however that ends; Ctrl-C at a terminal is the parent's to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent.sentinel,), daemon=True).start()


def _die_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


@dataclass(slots=True, kw_only=True)
class Reading:
    """What the file of games is found to hold on the way."""

    path: Path
    errors: int = 0
    shown: list[str] = field(default_factory=list)
    """The first of the errors, as lines for people."""

    def games(self, source: BinaryIO, progress: Callable[[int], None]) -> Iterator[PgnGame]:
        """The games that there are; what could not be read as it was meant is noted."""
        try:
            for game in read_pgn(source, progress=progress):
                if not game.tags and not game.moves:
                    continue
                for fault in game.faults:
                    if fault.is_error:
                        self.errors += 1
                        if len(self.shown) < NOTES_SHOWN:
                            self.shown.append(f"{self.path}:{fault.line}:{fault.column}: error: {fault.why}")
                yield game
        except OSError as error:
            raise Complaint(f"{self.path}: {error.strerror or error}") from None

    def say(self, err: TextIO) -> None:
        """The errors, for then the games that were played are not all of those in the file."""
        for line in self.shown:
            print(line, file=err)
        if self.errors:
            what = "it" if self.errors == 1 else "one"
            errors = _count(self.errors, "error")
            print(f"{self.path}: {errors} in the file; what follows {what} in a game is not played", file=err)


def run(
    file: Path,
    *,
    hands: str = "human",
    seed: int = 1,
    games: int | None = None,
    board: str | None = None,
    faults: str | None = None,
    jobs: int = 1,
    pgn_out: Path | None = None,
    as_json: bool = False,
    out: TextIO | None = None,
    err: TextIO | None = None,
) -> int:
    """Play the games of a file, say what became of them; 1 if a ply is wrong or lost. Raises `Complaint` for bad input.

    Errors in the file are said on ``err`` and change nothing of the exit code, which is about the plies that were played.
    Ctrl-C and SIGTERM end the run with the sums so far.
    """
    out, err = out or sys.stdout, err or sys.stderr
    if board is not None and board not in BOARDS:
        raise Complaint(f"--board {board}: no simulated board of that name; one of {', '.join(BOARDS)}")
    if faults is not None:
        try:
            new_board(board or "sim", seed=seed, occupancy=0, faults=faults)
        except ValueError as error:
            raise Complaint(f"--faults {faults}: {error}") from None
    totals = Totals()
    reading = Reading(path=file)
    begun = time.perf_counter()
    with open_pgn(file) as source, _written(pgn_out, file) as written:
        stop = None
        with _bar(file, source, err) as say:
            found = islice(reading.games(source, say.read), games)
            played = outcomes(_tasks(found, hands, seed, board or "sim", faults), jobs)
            try:
                for task, outcome in played:
                    if written is not None:
                        written.write(("\n" if totals.games else "") + outcome.pgn)
                    totals.add(task.number, outcome)
                    say.played(totals)
            except KeyboardInterrupt as interruption:
                stop = interruption
            finally:
                played.close()
        totals.seconds = time.perf_counter() - begun
        reading.say(err)
        if stop is not None:
            played_so_far = _count(totals.games, "game")
            print(f"touchmove simulate: stopped after {played_so_far}; these are the sums so far", file=err)
        elif not totals.games:
            raise Complaint(NO_GAME.format(file))
        if as_json:
            print(json.dumps({**_as_json(totals, hands, seed), "pgn_errors": reading.errors}), file=out)
        else:
            _print(totals, file, hands, out)
    if stop is not None:
        return stopping.code(stop)
    return 0 if totals.is_clean else 1


def _tasks(games: Iterator[PgnGame], hands: str, seed: int, board: str, faults: str | None) -> Iterator[Task]:
    for number, game in enumerate(games, start=1):
        yield Task(
            number=number, fen=game.start.fen(), chess960=game.start.chess960,
            moves=tuple(move.uci() for move in game.moves), result=game.result, tags=dict(game.tags), hands=hands,
            seed=seed, board=board, faults=faults,
        )  # fmt: skip


def _written(path: Path | None, source: Path) -> AbstractContextManager[OutputFile | None]:
    return nullcontext() if path is None else OutputFile(path, "--pgn-out", [source])


class _Bar(AbstractContextManager["_Bar"]):
    """A progress bar on a terminal, silence elsewhere: bytes of the file, and the sums so far."""

    def __init__(self, path: Path, total: int, err: TextIO) -> None:
        self._progress: Progress | None = None
        if err.isatty():
            columns = (
                TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(),
                TextColumn("{task.fields[sums]}"), TimeRemainingColumn(),
            )  # fmt: skip
            self._progress = Progress(*columns, console=plain_console(err), transient=True)
            self._progress.start()
            self._task = self._progress.add_task(path.name, total=total, sums="")

    def read(self, done: int) -> None:
        """So many bytes have been read."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done)

    def played(self, totals: Totals) -> None:
        """These are the sums so far."""
        if self._progress is not None:
            sums = f"{totals.games} games, {totals.plies} plies, {totals.wrong} wrong, {totals.lost} lost"
            self._progress.update(self._task, sums=sums)

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()


def _bar(path: Path, file: BinaryIO, err: TextIO) -> _Bar:
    return _Bar(path, os.fstat(file.fileno()).st_size, err)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _as_json(totals: Totals, hands: str, seed: int) -> dict[str, object]:
    return {
        "games": totals.games, "plies": totals.plies, "right": totals.right, "inferred": totals.inferred,
        "asked": totals.asked, "wrong": totals.wrong, "lost": totals.lost, "beyond": totals.beyond,
        "promotions": totals.promotions, "repaired": totals.repaired, "hands": hands, "seed": seed,
        "seconds": round(totals.seconds, 3),
        "plies_per_second": round(totals.plies_per_second, 1), "notes": totals.notes,
    }  # fmt: skip


def _print(totals: Totals, file: Path, hands: str, out: TextIO) -> None:
    table = Table(title=f"{file.name}, {hands} hands", title_justify="left")
    table.add_column("plies")
    table.add_column("number", justify="right")
    table.add_column("share", justify="right")
    for name in ("right", "inferred", "asked", "wrong", "lost"):
        number = getattr(totals, name)
        share = f"{100 * number / totals.plies:.3f} %" if totals.plies else ""
        table.add_row(name, str(number), share)
    table.add_section()
    table.add_row("all", str(totals.plies), "")
    plain_console(out).print(table)
    said = (
        f"{totals.promotions} promotion questions answered; {totals.repaired} times units were straightened or replaced"
    )
    print(f"{totals.games} games; {said}", file=out)
    if totals.beyond:
        print(f"{totals.beyond} plies were played on after the Laws had ended the game (5.2.2, 9.6)", file=out)
    print(f"{totals.seconds:.1f} s, {totals.plies_per_second:.0f} plies/s", file=out)
    for note in totals.notes[:NOTES_SHOWN]:
        print(note, file=out)
    if len(totals.notes) > NOTES_SHOWN:
        print(f"... and {len(totals.notes) - NOTES_SHOWN} more", file=out)


__all__ = ["Task", "Totals", "circumstances", "outcomes", "play_game", "run"]
