"""Runs a board: configuration, locks, journal, the game brought back or begun, board, page, loop.

Only composition. What can go wrong before the loop runs ends with one line and exit code 2; after that nothing ends a
game but the people and the power.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from board_firmware import config, crash, streams
from board_firmware.analyst import Analyse
from board_firmware.complaint import Complaint, said
from board_firmware.config import Configuration
from board_firmware.core.events import Analysed, BoardSnapshot, Decision, Event, Faulted, GameStarted, Restarted
from board_firmware.core.session import Session
from board_firmware.instance_lock import InstanceLock, board_lock_path
from board_firmware.journal.archive import JournalArchive, score
from board_firmware.journal.journal import Boot, Journal
from board_firmware.journal.opening import missing_rights, open_game, with_rights
from board_firmware.journal.raw_trace import RawTraceFile, open_record
from board_firmware.journal.reader import JournalGame
from board_firmware.journal.recovery import Core, NewCore, last_unfinished
from board_firmware.peers import NewGame, Peer, Published
from board_firmware.runtime import Runtime
from board_firmware.scoresheet import Scoresheet, ScoresheetFile
from board_firmware.service import Service
from board_firmware.simulated_start import as_it_stood, is_simulated, stand_up
from hal.board import Board
from hal.catalog import open_board

log = logging.getLogger(__name__)

FIRST_LOOK_S = 2.0
"""How long a board may take from opening to its first scan; a serial one needs a second to answer."""

NewPeers = Callable[[Configuration], Sequence[Peer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line may say; None leaves it to the configuration."""

    config: Path | None = None
    board: str | None = None
    profile: str | None = None
    control: str | None = None
    fen: str | None = None
    chess960: int | None = None
    """0..959, or -1 for one by lot."""
    lang: str | None = None
    port: int | None = None
    page: bool | None = None
    record: str | None = None
    emulate: str | None = None
    new: bool = False
    """Begin a new game even if the last one is unfinished."""


def configured(options: Options) -> Configuration:
    """The configuration with the command line's words on top; ``ValueError`` or ``OSError`` says what is wrong."""
    found = config.find(options.config)
    changes = (
        ("board", "url", options.board), ("game", "profile", options.profile), ("game", "control", options.control),
        ("game", "lang", options.lang), ("web", "port", options.port), ("web", "enabled", options.page),
        ("journal", "record", options.record), ("emulation", "url", options.emulate),
    )  # fmt: skip
    for section, key, value in changes:
        if value is not None:
            found = found.replaced(section, **{key: value})
    return found


def peers(configuration: Configuration) -> Sequence[Peer]:
    """What the configuration wants beside the board; imported only then, since each takes a while on a small machine."""
    found: list[Peer] = []
    if configuration["web"]["enabled"]:
        from board_firmware.web import Page

        found.append(Page(language=str(configuration["game"]["lang"])))
    if configuration["emulation"]["url"]:
        from board_firmware.emulation.peer import Emulation

        found.append(Emulation(str(configuration["emulation"]["url"])))
    return found


def prove(decision: Decision) -> Analysed:
    """Answers ``analysis_wanted``: can that side still mate? Runs in the worker thread."""
    from board_firmware.analysis import analyse

    details = decision.details
    return analyse(str(details["fen"]), details["side"], int(details["nodes"]), decision.at_ns)


def run(
    options: Options,
    *,
    new_core: NewCore = Session,
    new_peers: NewPeers = peers,
    analyse: Analyse = prove,
    say: Callable[[str], None] = streams.say,
) -> int:
    """Plays until SIGINT or SIGTERM; returns the exit code. Raises `Complaint` for what keeps or stops it.

    The keywords are the seams of the tests.
    """
    logging.basicConfig(
        level=os.environ.get("TOUCHMOVE_LOG", "WARNING").upper(), stream=sys.stderr,
        format="level=%(levelname)s part=%(name)s %(message)s",
    )  # fmt: skip
    try:
        return _play(options, new_core, new_peers, analyse, say)
    except (OSError, ValueError) as error:
        raise Complaint(said(error)) from None
    except KeyboardInterrupt:
        return 0
    except Complaint:
        raise
    except Exception as error:  # noqa: BLE001 ours: told in full to a file, in one line to the user; the journal has the game
        what = crash.told(error)
        raise Complaint(f"{what}; the game is in the journal and goes on at the next start") from None


def _play(
    options: Options, new_core: NewCore, new_peers: NewPeers, analyse: Analyse, say: Callable[[str], None]
) -> int:
    settings = configured(options)
    request = NewGame(
        fen=_with_rights(options.fen) if options.fen else "",
        chess960=options.chess960 is not None,
        chess960_number=options.chess960 if options.chess960 is not None and options.chess960 >= 0 else None,
    )
    open_game(request, settings.values, 0, None)  # says what is wrong with the request before anything is opened
    path = config.journal_path(settings)
    url = str(settings["board"]["url"])
    locks = [InstanceLock(path.with_name(path.name + "-lock"), f"the journal {path}", f"touchmove play on {url}")]
    journal = None
    board = None
    try:
        if not url.startswith("sim:"):
            locks.append(InstanceLock(board_lock_path(url), f"the board {url}", f"touchmove play with {path}"))
        journal = Journal(path)
        for finding in journal.findings:
            say(f"{path}: {finding}")
        anew = options.new or options.fen is not None or options.chess960 is not None
        found = None if anew else _brought_back(journal, new_core, say)
        if found is not None and _is_other(options, found.started):
            say(f"The game {found.game.game_id} is left unfinished: another kind of game is asked for.")
            found = None
        board = open_board(url, **(found.standing if found is not None and is_simulated(url) else {}))
        if found is None and is_simulated(url):
            stand_up(board, open_game(request, settings.values, time.monotonic_ns(), None))
        return _run(settings, journal, board, found, request, new_core, new_peers, analyse, say)
    finally:
        if journal is not None:
            journal.close()
        if board is not None:
            board.close()
        for lock in locks:
            lock.close()


def _is_other(options: Options, started: GameStarted) -> bool:
    """Whether the command line asks for another profile or clock than the unfinished game has."""
    asked = ((options.profile, started.profile), (options.control, started.control))
    return any(wanted is not None and wanted != had for wanted, had in asked)


def _with_rights(fen: str) -> str:
    """The diagram with its castling rights: those it does not state are asked for one by one, where somebody can answer."""
    open_rights = missing_rights(fen)
    if not open_rights or not sys.stdin.isatty():
        return fen
    letters = ""
    for right in open_rights:
        question = f"May {right.side} still castle with king {right.king} and rook {right.rook}? [y/n] "
        answer = ""
        while answer not in ("y", "yes", "n", "no"):
            answer = input(question).strip().lower()
        letters += right.letter if answer.startswith("y") else ""
    return with_rights(fen, letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BroughtBack:
    core: Core
    game: JournalGame
    started: GameStarted
    at_ns: int
    sheet: Scoresheet
    standing: Mapping[str, Any]
    """How a simulated board is to stand."""


def _brought_back(journal: Journal, new_core: NewCore, say: Callable[[str], None]) -> _BroughtBack | None:
    """The unfinished game, folded; a game in which nothing was played yet is not worth it."""
    last = last_unfinished(journal)
    if last is None:
        return None
    game, rows = last
    try:
        folded, sheet = score(game, rows, new_core)
    except ValueError as error:
        say(f"{journal.path}: the last game cannot be brought back: {error}")
        return None
    if not folded.core.view().san and folded.rows < 4:
        return None
    if folded.missing:
        say(
            f"{journal.path}: {len(folded.missing)} rows of the game are lost, the first of them {folded.missing[0]}:"
            " compare position and clocks with the scoresheets before you play on"
        )
    elif folded.differing:
        say(f"{journal.path}: row {folded.differing[0]} is decided otherwise by this version of the program")
    at_ns = folded.at_ns
    alive = journal.last_alive()
    if alive is not None and alive[0] > at_ns:
        at_ns = alive[0]
    standing = as_it_stood(folded.core.view().occupancy, folded.started, rows)
    return _BroughtBack(
        core=folded.core, game=game, started=folded.started, at_ns=at_ns, sheet=sheet, standing=standing
    )


def _run(
    settings: Configuration, journal: Journal, board: Board, found: _BroughtBack | None, request: NewGame,
    new_core: NewCore, new_peers: NewPeers, analyse: Analyse, say: Callable[[str], None],
) -> int:  # fmt: skip
    url = str(settings["board"]["url"])
    pgn_file = ScoresheetFile(config.games_folder(settings))
    offset_ns = found.at_ns + 1_000_000 - time.monotonic_ns() if found is not None else 0

    raw = _recorder(settings, board, offset_ns)

    def begin(request: NewGame, at_ns: int, occupancy: int | None) -> GameStarted:
        return open_game(request, settings.values, at_ns, occupancy, _new_id())

    def watch(step: Published) -> None:
        if isinstance(step.event, GameStarted):
            date = datetime.now().astimezone().date().isoformat() if step.trusted_time else ""
            pgn_file.begin(Scoresheet(step.event, date), step.event.game_id)  # written with its first move, or its end
        elif step.decisions:
            pgn_file.update(step.view, step.event.at_ns)

    archive = JournalArchive(
        journal.path,
        new_core,
        running=lambda: runtime.latest().view.game_id,
        exported=journal.mark_exported,
    )
    runtime = Runtime(
        board=board,
        journal=journal,
        archive=archive,
        new_core=new_core,
        open_game=begin,
        settings=settings.values,
        peers=new_peers(settings),
        watch=watch,
        record=raw.event if raw is not None else None,
        stand_up=partial(stand_up, board) if is_simulated(url) else None,
        analyse=analyse,
        service=Service(),
        offset_ns=offset_ns,
    )
    first: list[Event] = []
    core: Core | None = None
    occupancy, faults = first_look(board)
    if found is not None:
        core = found.core
        first.append(Restarted(occupancy=occupancy, at_ns=found.at_ns + 1))
        pgn_file.begin(found.sheet, found.game.game_id)
        if raw is not None:
            raw.event(_begun_again(found))
        say(f"The game {found.game.game_id} goes on after {len(found.core.view().san)} plies.")
    else:
        first.append(begin(request, runtime.now_ns(), occupancy))
    first += [replace(fault, at_ns=first[-1].at_ns) for fault in faults]
    boot = Boot(machine_boot=_machine_boot(), offset_ns=offset_ns, pid=os.getpid(), program=crash.program(), board=url)

    async def until_stopped() -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, runtime.stop)
        return await runtime.run(boot, first, core, ready=lambda: _announce(runtime, settings, pgn_file, say))

    refusal = None
    try:
        unsaved = asyncio.run(until_stopped())
    finally:
        if raw is not None:
            refusal = raw.close()
        pgn_file.close()
    if unsaved:
        raise Complaint(f"{journal.path}: {unsaved} events could not be written")
    if refusal is not None:
        raise Complaint(refusal)
    return 0


def first_look(board: Board, patience_s: float = FIRST_LOOK_S) -> tuple[int, list[Faulted]]:
    """What the reeds show once they have been read, and the faults reported on the way.

    A board that shows no piece at all may not have scanned yet: it is given some time before it is believed.
    """
    faults: list[Faulted] = []
    until_s = time.monotonic() + patience_s
    while not (occupancy := board.snapshot().occupancy) and time.monotonic() < until_s:
        events = board.wait(0.05)
        faults += [event for event in events if isinstance(event, Faulted)]
        if any(isinstance(event, BoardSnapshot) for event in events):
            return board.snapshot().occupancy, faults
    return occupancy, faults


def _begun_again(found: _BroughtBack) -> GameStarted:
    """The start of a recording that begins in the middle of a game: the moves so far are its history."""
    view = found.core.view()
    history = (*found.started.history, *view.state.get("moves", ()))
    return replace(found.started, at_ns=found.at_ns, history=history, occupancy=view.occupancy)


def _recorder(settings: Configuration, board: Board, offset_ns: int) -> RawTraceFile | None:
    """The file of raw frames, if one is wanted; ``ValueError`` for a board that has no contacts to show."""
    wanted = str(settings["journal"]["record"])
    if not wanted:
        return None
    if not hasattr(board, "tap"):
        raise ValueError(f"{settings['board']['url']} shows no raw contacts: there is nothing to record")
    path = Path(wanted).expanduser()
    raw = open_record(path / f"{_new_id()}.raw" if path.is_dir() else path, offset_ns, log.error)
    raw.frame(board.snapshot().occupancy, time.monotonic_ns())
    board.tap = raw.frame
    return raw


def _announce(runtime: Runtime, settings: Configuration, pgn_file: ScoresheetFile, say: Callable[[str], None]) -> None:
    """What the terminal shows once the board plays."""
    view = runtime.latest().view
    say(
        f"Playing on {settings['board']['url']} ({view.profile}); its moves are kept in {pgn_file.path_of(view.game_id)}"
    )
    for line in runtime.addresses():
        say(line)
    say("Ctrl-C ends; the game goes on at the next start.")


def _new_id() -> str:
    """A game's id: the date for people, a lot for uniqueness."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def _machine_boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
