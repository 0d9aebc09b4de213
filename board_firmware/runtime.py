"""THE LOOP: the only code that waits, reads the time or owns the board.

One asyncio loop. A thread waits for the board and only hands events over; a thread of the journal's writes; a thread
proves what takes long. The loop puts events in order of time (`release`), lets the core decide, gives event and
decisions to the journal, and when the row is durable it shows them: lamps, tone, text, peers, scoresheet. Hints light
lamps at once and decide nothing.

While the disk refuses, the game goes on from memory, and says so as a fault of the part ``journal``: a board that
stands still helps nobody, and the rows are written when the disk takes them again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from board_firmware import outputs
from board_firmware.analyst import Analyse, Analyst
from board_firmware.board_reader import BoardReader
from board_firmware.core.events import (
    Blipped,
    BoardEvent,
    BoardSnapshot,
    Command,
    Event,
    Faulted,
    GameStarted,
    LeverMoved,
    LiftHinted,
    Recovered,
    Tick,
    View,
)
from board_firmware.expectation import Expectation
from board_firmware.journal.codec import decisions_text, event_text
from board_firmware.journal.journal import Boot, Journal
from board_firmware.journal.recovery import Core, NewCore
from board_firmware.journal.schema import JournalError
from board_firmware.peers import Archive, NewGame, Peer, Published
from board_firmware.release import Release, latency_of
from board_firmware.service import Service
from board_firmware.wall_clock import WallClock
from hal.board import Board, Lamps

log = logging.getLogger(__name__)

FOREVER_NS = 2**63
"""Later than any stamp."""

Open = Callable[[NewGame, int, int | None], GameStarted]
"""Makes a game's first event of a request, the time and the occupancy now (None: as the game begins).

``ValueError`` says what is wrong with the request.
"""


class Runtime:
    """One board in play; is the `Desk` of its peers."""

    def __init__(
        self,
        *,
        board: Board,
        journal: Journal,
        archive: Archive,
        new_core: NewCore,
        open_game: Open,
        settings: Mapping[str, Mapping[str, Any]],
        peers: Sequence[Peer] = (),
        watch: Callable[[Published], None] | None = None,
        record: Callable[[Event], None] | None = None,
        stand_up: Callable[[GameStarted], None] | None = None,
        analyse: Analyse | None = None,
        service: Service | None = None,
        offset_ns: int = 0,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``watch`` is called with each durable step before the peers are (the scoresheet); ``record`` with each event
        as the core receives it; ``stand_up`` sets up a simulated board for a game that begins; ``offset_ns`` is added to
        the machine's clock, so that a resumed game's time runs on.
        """
        self.board = board
        self.archive = archive
        self.settings = settings
        self._journal = journal
        self._new_core = new_core
        self._open_game = open_game
        self._peers = list(peers)
        self._watch = watch
        self._record = record
        self._stand_up = stand_up
        self._analyst = Analyst(analyse, self.post) if analyse is not None else None
        self._service = service or Service({})
        self._offset_ns = offset_ns
        self._monotonic_ns = monotonic_ns
        self._wall = WallClock()
        self._latency_ns = latency_of(board)
        self._release = Release(self._latency_ns)
        self._pending: deque[Published] = deque()
        self._durable_seq = 0
        self._core: Core | None = None
        self._latest: Published | None = None
        self._seen: View | None = None
        self._shown = Lamps()
        self._expectation = Expectation(board)
        self._score: tuple[str, str | None, int] | None = None
        self._stopping = False
        self._ended = False
        self._reader = BoardReader(board, self._take, monotonic_ns)
        self._set_up_ns = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event

    # -- what peers may ask (Desk) -----------------------------------------------------------------------------------

    def now_ns(self) -> int:
        """The board's clock: monotonic nanoseconds, running on over restarts."""
        return self._monotonic_ns() + self._offset_ns

    def latest(self) -> Published:
        """The newest durable step."""
        if self._latest is None:
            raise RuntimeError("no game has begun")
        return self._latest

    def post(self, command: Command | LeverMoved) -> None:
        """Enter what a person did, now. May be called from any thread."""
        self._push(replace(command, at_ns=self.now_ns()))

    def new_game(self, request: NewGame) -> None:
        """Set up another game; ``ValueError`` with a sentence if it cannot be set up."""
        asked = self._open_game(request, self.now_ns(), None)
        if self._stand_up is not None:
            self._set_up_ns = FOREVER_NS  # the game that is left must not take the set-up for touches
            self._stand_up(asked)
        started = self._open_game(request, self.now_ns(), self.board.snapshot().occupancy)
        self._set_up_ns = started.at_ns
        self._push(started)

    def end_of_life(self) -> bool:
        """Whether the board is shutting down."""
        return self._stopping

    def addresses(self) -> tuple[str, ...]:
        """Lines for the terminal on where the peers are to be found."""
        return tuple(str(url) for peer in self._peers if (url := getattr(peer, "url", None)))

    # -- the run -----------------------------------------------------------------------------------------------------

    async def run(
        self, boot: Boot, first: Sequence[Event], core: Core | None = None, ready: Callable[[], None] | None = None
    ) -> int:
        """Plays until `stop`; returns how many rows the disk did not take.

        ``first`` are events to begin with: a `GameStarted`, or with a ``core`` that was brought back, what follows its
        last row. ``ready`` is called when all is served and scanned. A peer that cannot start ends the run at once.
        """
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._core = core
        self._journal.report_to(self._durable, self._disk)
        self._journal.start(boot, self._wall.now())
        started: list[Peer] = []
        beat: asyncio.Task[None] | None = None
        try:
            for event in first:
                while (deadline_ns := self._deadline_ns()) is not None and deadline_ns < event.at_ns:
                    self._receive(Tick(at_ns=deadline_ns))
                self._receive(event)
                self._release.begin(event.at_ns)
                if isinstance(event, GameStarted):
                    self._set_up_ns = event.at_ns
            await self._first_step()
            for peer in self._peers:
                await peer.start(self)
                started.append(peer)
            self._reader.start()
            beat = asyncio.create_task(self._beat())
            if ready is not None:
                ready()
            self._service.ready(self._status())
            await self._flow()
        finally:
            self._stopping = True
            self._service.stopping()
            unsaved = await self._shut_down(started, beat)
        return unsaved

    def stop(self) -> None:
        """Ends the run: what has happened is still decided, written and shown, then the lamps go off."""
        self._stopping = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    async def _first_step(self) -> None:
        """Waits until there is something to show; the disk may refuse, then memory must do."""
        while self._latest is None:
            await asyncio.wait_for(self._wake.wait(), 5)
            self._wake.clear()

    async def _flow(self) -> None:
        while not self._stopping:
            self._decide_due()
            await self._sleep_until(self._release.wake_ns(self._deadline_ns()))
        await asyncio.sleep(self._latency_ns / 1e9)  # what has happened by now becomes due
        self._decide_due()

    async def _sleep_until(self, wake_ns: int | None) -> None:
        timeout_s = None if wake_ns is None else max(0.0, (wake_ns - self.now_ns()) / 1e9)
        try:
            await asyncio.wait_for(self._wake.wait(), timeout_s)
        except TimeoutError:
            return
        self._wake.clear()

    async def _shut_down(self, started: list[Peer], beat: asyncio.Task[None] | None) -> int:
        if beat is not None:
            beat.cancel()
        if self._core is not None:
            self._journal.is_alive(self.now_ns(), self._wall.now())
        unsaved = await asyncio.to_thread(self._journal.close)
        await asyncio.sleep(0)  # let the last durable rows be shown
        self._publish_durable()
        for peer in started:
            try:
                await asyncio.wait_for(peer.stop(), 2)
            except Exception:
                log.exception("a peer did not stop")
        self._ended = True
        self._reader.stop()
        self.board.show(Lamps())
        self.board.close()
        await asyncio.to_thread(self._reader.join)
        if self._analyst is not None:
            self._analyst.close()
        return unsaved

    # -- in: the board's thread --------------------------------------------------------------------------------------

    def _take(self, event: BoardEvent) -> None:
        if self._offset_ns:
            event = replace(event, at_ns=event.at_ns + self._offset_ns)
        if isinstance(event, BoardSnapshot) and event.at_ns <= self._set_up_ns:
            return  # the simulated board was set up for the game that begins with it
        if isinstance(event, LiftHinted):
            self._call(self._hint, event)
            return
        self._push(event)
        if isinstance(event, Blipped):
            self._call(self._hint, event)

    def _push(self, event: Event) -> None:
        self._call(self._arrive, event)

    def _call(self, callback: Callable[[Any], None], event: Any) -> None:
        if self._loop is not None and not self._ended:
            self._loop.call_soon_threadsafe(callback, event)

    def _arrive(self, event: Event) -> None:
        self._release.push(event)
        self._wake.set()

    def _hint(self, hint: LiftHinted | Blipped) -> None:
        if self._latest is not None and isinstance(hint, LiftHinted):
            self._show(outputs.hint_lamps(self._latest.view, hint.square, self._latest.lamps))
        for peer in self._peers:
            self._tell(peer.hinted, hint)

    # -- decide ------------------------------------------------------------------------------------------------------

    def _deadline_ns(self) -> int | None:
        return None if self._core is None else self._core.deadline_ns()

    def _decide_due(self) -> None:
        late = self._release.late
        while (event := self._release.pop(self.now_ns(), self._deadline_ns())) is not None:
            self._receive(event)
        if self._release.late != late:
            log.warning("the board reported %d events too late to be put in order", self._release.late - late)

    def _receive(self, event: Event) -> None:
        wall = self._wall.now()
        if isinstance(event, GameStarted):
            self._core = self._new_core()
            tags = {name: str(event.tags.get(name.capitalize(), "")) for name in ("white", "black", "event", "round")}
            self._journal.begin_game(event.game_id, wall, fen=event.fen, **tags)
            self._journal.keep(self.settings["journal"]["keep_games"])
            self._score = None
        if self._core is None:
            raise RuntimeError(f"{type(event).__name__} before a game has begun")
        if self._record is not None:
            self._record(event)
        decisions = self._core.receive(event)
        view = self._core.view()
        if isinstance(event, Tick) and not decisions and self._seen is not None and _same(view, self._seen):
            return  # time passed and nothing came of it: a fold without this tick is the same fold
        self._seen = view
        if decisions:
            self._expectation.follow(view)
        seq = self._journal.append(event.at_ns, wall, event_text(event), decisions_text(decisions))
        self._keep_score(view)
        lamps = outputs.lamps_for(view)
        self._pending.append(
            Published(
                number=seq,
                event=event,
                decisions=decisions,
                view=view,
                lamps=lamps,
                trusted_time=wall[1],
                wall_ms=wall[0],
            )
        )
        if self._journal.failure is not None:
            self._publish_durable()
        for decision in decisions:
            if decision.kind == "analysis_wanted" and self._analyst is not None:
                self._analyst.ask(decision)

    def _keep_score(self, view: View) -> None:
        state = view.state
        score = (str(state.get("result") or "*"), state.get("termination"), len(view.san))
        if score != self._score:
            self._score = score
            self._journal.score(result=score[0], termination=score[1], plies=score[2])

    # -- out ---------------------------------------------------------------------------------------------------------

    def _durable(self, seq: int) -> None:
        """From the writer's thread: all rows up to this one are safe."""
        self._durable_seq = seq
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._publish_durable)

    def _disk(self, error: JournalError | None) -> None:
        """From the writer's thread: the disk refuses, or takes rows again."""
        if error is not None:
            log.error("%s", error)
            self._push(Faulted(part="journal", reason=error.reason, at_ns=self.now_ns()))
        else:
            log.warning("%s: written again, nothing is lost", self._journal.path)
            self._push(Recovered(part="journal", at_ns=self.now_ns()))
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._publish_durable)

    def _publish_durable(self) -> None:
        refused = self._journal.failure is not None
        while self._pending and (refused or self._pending[0].number <= self._durable_seq):
            self._publish(self._pending.popleft())
        self._wake.set()

    def _publish(self, step: Published) -> None:
        self._latest = step
        self._show(step.lamps)
        tone = outputs.tone_for(step.decisions, step.view)
        if tone is not None and self.settings["sound"]["enabled"]:
            self.board.sound(tone)
        if step.decisions:
            self.board.write(outputs.text_for(step.view))
        if self._watch is not None:
            self._tell(self._watch, step)
        for peer in self._peers:
            self._tell(peer.published, step)

    def _show(self, lamps: Lamps) -> None:
        if lamps != self._shown:
            self._shown = lamps
            self.board.show(replace(lamps, share=self.settings["lamps"]["brightness"]))

    def _tell(self, hear: Callable[[Any], None], news: Any) -> None:
        try:
            hear(news)
        except Exception:
            log.exception("a peer failed")

    # -- signs of life -----------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Feeds the watchdog while the scan gets on (the loop does, or this would not run); notes the clock's stand."""
        alive_s: float = self.settings["journal"]["alive_s"]
        watchdog_s = self._service.watchdog_s
        fed_s = noted_s = time.monotonic()
        while True:
            await asyncio.sleep(min(alive_s, watchdog_s or alive_s))
            now_s = time.monotonic()
            if watchdog_s is not None and now_s - fed_s >= watchdog_s * 0.9 and self._reader.is_scanning():
                self._service.alive()
                fed_s = now_s
            running = self._latest is not None and self._latest.view.state.get("clock") in ("white", "black")
            if running and now_s - noted_s >= alive_s * 0.9:
                self._journal.is_alive(self.now_ns() - self._latency_ns, self._wall.now())
                noted_s = now_s

    def _status(self) -> str:
        view = self.latest().view
        return f"game {view.game_id}, {len(view.san)} plies"


def _same(view: View, before: View) -> bool:
    """Whether two views differ in nothing but what the clocks show."""
    if view.state.get("clock_s") == before.state.get("clock_s"):
        return view == before
    return {**view.state, "clock_s": None} == {**before.state, "clock_s": None} and (
        replace(view, state={}) == replace(before, state={})
    )
