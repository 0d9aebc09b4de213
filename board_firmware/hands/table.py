"""The table at which simulated games are played: a board, what orders its events in time, and the core, in virtual time.

It stands where the runtime stands on a real board, without threads, disk or waiting: time goes on when somebody says so.
It also keeps what a player can see of the core's decisions, so that nobody has to draw up a view after each move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from board_firmware.core.events import Decision, Event
from board_firmware.expectation import Expectation
from board_firmware.journal.recovery import Core
from board_firmware.release import Release, latency_of
from hal.board import BoardEvent
from hal.motion import Motion
from rules import Move

MS_NS = 1_000_000

AFTER_NS = 800 * MS_NS
"""How long the board is given to see what was done: the settle time, the debounce and a good margin."""

LOOK_NS = 50 * MS_NS
"""How often a waiting player looks."""

ROUTINE = frozenset(
    {
        "touched", "move_seen", "move_made", "move_completed", "clock_pressed", "clock_started", "game_started",
        "analysis_wanted", "answered",
    }
)  # fmt: skip
"""Decisions that ask nothing of the players."""


class HandBoard(Protocol):
    """A board that simulated hands can play on: `hal.simulated.SimulatedBoard`, or another that wraps it."""

    @property
    def now_ns(self) -> int:
        """How far its time has come."""
        ...

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """Let hands do these from ``at_ns``; when the last is over, in ns."""
        ...

    def advance(self, to_ns: int) -> tuple[BoardEvent, ...]:
        """What the port reports until then."""
        ...


class Table:
    """One board and one core, and what has been recorded so far."""

    def __init__(self, board: HandBoard, core: Core) -> None:
        self.board = board
        self.core = core
        self.recorded: list[Move] = []
        """The moves made, as the decisions tell them; revised ones are taken back."""
        self.inferred: set[int] = set()
        """Plies (from 0) that were inferred."""
        self.asked: set[int] = set()
        """Plies during which the board asked something other than the promotion piece."""
        self.promotions: set[int] = set()
        """Plies of which the board asked the promotion piece."""
        self.corrected: set[int] = set()
        """Plies that the board had recorded as another move until the players took it back."""
        self.asked_ns = 0
        """When the newest question came up."""
        self.over = False
        self.alarm = False
        """Whether something other than routine was decided since the board was last seen calm."""
        self._release = Release(latency_of(board))
        self._expectation = Expectation(board) if hasattr(board, "expect") else None

    @property
    def now_ns(self) -> int:
        """The table's time."""
        return self.board.now_ns

    def run_to(self, at_ns: int) -> None:
        """Let time come to ``at_ns``: the board reports, the core decides.

        In small steps if the board is told what to expect: else it would hear of a move after the next one is made.
        """
        if self._expectation is not None:
            while self.now_ns + LOOK_NS < at_ns:
                self._run_to(self.now_ns + LOOK_NS)
        self._run_to(at_ns)

    def _run_to(self, at_ns: int) -> None:
        release, core = self._release, self.core
        for told in self.board.advance(at_ns):
            release.push(told)
        while (event := release.pop(at_ns, core.deadline_ns())) is not None:
            self.receive(event)

    def wait(self, ns: int) -> None:
        """Let time go on."""
        self.run_to(self.now_ns + ns)

    def act(self, motions: Sequence[Motion]) -> None:
        """Let hands act now, and give the board time to see it."""
        self.run_to(self.board.act(motions, self.now_ns) + AFTER_NS)

    def say(self, event: Event) -> None:
        """A player says something that no reed sees: at the page."""
        self._release.push(event)
        self.wait(AFTER_NS)

    def receive(self, event: Event) -> None:
        """Give an event to the core at once."""
        decisions = self.core.receive(event)
        for decision in decisions:
            self._decided(decision)
        if self._expectation is not None and any(
            decision.kind not in ("touched", "move_seen") for decision in decisions
        ):
            self._expectation.follow(self.core.view(), event.at_ns)

    @property
    def asks(self) -> str | None:
        """What the board asks now, in the contract's word."""
        if not self.alarm:
            return None
        ask = self.core.view().state["board"].get("ask")
        return ask if isinstance(ask, str) else None

    def is_calm(self) -> bool:
        """Look at the board: nothing asked, nothing to restore."""
        if self.alarm:
            state = self.core.view().state
            wrong = state["board"].get("ask") or state.get("restore") or state["status"] == "irregularity"
            self.alarm = bool(wrong)
        return not self.alarm

    def shows(self, played: Sequence[Move]) -> bool:
        """Whether the board shows the last of these moves as the last move, and is calm."""
        if len(self.recorded) < len(played) or (played and self.recorded[len(played) - 1] is not played[-1]):
            return False
        return self.is_calm()

    def wait_until_shown(self, played: Sequence[Move], patience_ns: int) -> None:
        """Wait until it does, a question comes up, or patience ends."""
        until = self.now_ns + patience_ns
        while self.now_ns < until and not self.shows(played) and not self.asks:
            self.wait(LOOK_NS)

    def _decided(self, decision: Decision) -> None:
        kind = decision.kind
        if kind == "move_made":
            if decision.details.get("inferred"):
                self.inferred.add(len(self.recorded))
            self.recorded.append(Move.from_uci(decision.details["move"]))
        elif kind in ("move_revised", "move_taken_back"):
            if self.recorded:
                self.recorded.pop()
            self.inferred.discard(len(self.recorded))
        elif kind == "asked":
            self.asked_ns = decision.at_ns
            promotion = decision.details.get("ask") == "promotion_piece"
            (self.promotions if promotion else self.asked).add(len(self.recorded))
        elif kind == "game_over":
            self.over = True
        elif kind == "game_reopened":
            self.over = False
        if kind not in ROUTINE:
            self.alarm = True
