"""A board in virtual time that is seen through a wire format: for `simulate --board dgt` and its like.

It is the simulated board in all that hands and tests do with it, and another make in all that the firmware sees of it.
Boards that send pieces must know the game, so the core that plays on one is wrapped (`FollowedCore`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from board_firmware.core.events import Decision, Event, View
from board_firmware.emulation.game_state import clock_of, standing_of
from board_firmware.emulation.guise import ClockTimes, Standing
from board_firmware.emulation.relay import STEP_NS, Relay
from board_firmware.journal.recovery import Core
from hal.board import BoardEvent, BoardSnapshot, Lamps, Text, Tone
from hal.motion import Motion


class FollowedCore:
    """A core whose game is told to a board: give it to whatever plays, in place of the core itself."""

    def __init__(self, core: Core, board: RelayedBoard) -> None:
        self._core = core
        self._board = board

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def receive(self, event: Event) -> tuple[Decision, ...]:
        """As the core; a decision may have changed the position in force."""
        decisions = self._core.receive(event)
        if decisions:
            view = self._core.view()
            self._board.stands(standing_of(view), clock_of(view))
        return decisions

    def view(self) -> View:
        """As the core."""
        return self._core.view()

    def deadline_ns(self) -> int | None:
        """As the core."""
        return self._core.deadline_ns()


class RelayedBoard:
    """A board that lives in virtual time (`hal.simulated`), with a wire format between it and the firmware.

    It is the inner board in everything but its events and its lamps: unknown names go to it.
    """

    def __init__(self, inner: Any, protocol: str) -> None:
        self._inner = inner
        self.relay = Relay(protocol, at_ns=inner.now_ns, occupancy=inner.snapshot().occupancy)

    @property
    def now_ns(self) -> int:
        """As the inner board."""
        return int(self._inner.now_ns)

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """As the inner board."""
        return int(self._inner.act(motions, at_ns))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def stands(self, standing: Standing, clock: ClockTimes | None = None) -> None:
        """As `Relay.stands`: call it after each decision."""
        self.relay.stands(standing, clock)

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """As `Board`."""
        return self.step(self._inner.now_ns + round(timeout_s * 1e9))

    def advance(self, to_ns: int) -> tuple[BoardEvent, ...]:
        """As the inner board."""
        out: list[BoardEvent] = []
        while True:
            events = self._inner.step(to_ns)
            out += self.relay.carry(events, self._inner.now_ns)
            if not events and self._inner.now_ns >= to_ns:
                return tuple(out)

    def step(self, limit_ns: int) -> tuple[BoardEvent, ...]:
        """As the inner board: up to the first moment at which the host hears something."""
        while True:
            due_ns = min(limit_ns, self._inner.now_ns + STEP_NS) if self.relay.holds else limit_ns
            heard = self.relay.carry(self._inner.step(due_ns), self._inner.now_ns)
            if heard or self._inner.now_ns >= limit_ns:
                return heard

    def next_event_ns(self) -> int | None:
        """No event comes out before this; None while nothing moves and nothing settles."""
        soon: int | None = self._inner.next_event_ns()
        if not self.relay.holds:
            return soon
        held: int = self._inner.now_ns + STEP_NS
        return held if soon is None else min(soon, held)

    def snapshot(self) -> BoardSnapshot:
        """As `Board`: as the host knows it."""
        return BoardSnapshot(occupancy=self.relay.dialogue.occupancy(), at_ns=self._inner.now_ns)

    def show(self, lamps: Lamps) -> None:
        """As `Board`: through the wire and out at the inner board, in the colours the protocol leaves."""
        self.relay.dialogue.show(lamps, self._inner.now_ns)
        self._out()

    def sound(self, tone: Tone) -> None:
        """As `Board`."""
        self.relay.dialogue.sound(tone)
        self._out()

    def write(self, text: Text) -> None:
        """As `Board`."""
        self.relay.dialogue.write(text)
        self._out()

    def _out(self) -> None:
        self.relay.exchange()
        wishes, self.relay.wishes = self.relay.wishes, []
        for wish in wishes:
            if isinstance(wish, Lamps):
                self._inner.show(wish)
            elif isinstance(wish, Tone):
                self._inner.sound(wish)
            else:
                self._inner.write(wish)

    def close(self) -> None:
        """As `Board`."""
        self._inner.close()
