"""One game from its first event to its result: the only place where reeds, Article 4, clock and referee meet.

Two rules. `receive` is a fold: what it answers follows from the events so far and nothing else, so replay, recovery and
test are the same act. And whatever was due before an event happens before it: timers are processed in their own order,
so that a `Tick` more or less changes nothing.

The states of a turn and every step between them stand in `TRANSITIONS`, one table; the diagram in the README is drawn
from it and a test walks the session to see that it takes no step that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from board_firmware.core import (
    adjusting,
    answers,
    arbiter,
    claims,
    draws,
    ends,
    from_board,
    making,
    moving,
    objections,
    played_on,
    press,
    set_back,
    takebacks,
)
from board_firmware.core import state as states
from board_firmware.core.beginning import standing_for
from board_firmware.core.disorder import close_if_right
from board_firmware.core.events import (
    AdjustPressed,
    Analysed,
    Answered,
    Blipped,
    BoardSnapshot,
    ButtonPressed,
    Chosen,
    Claimed,
    ClockShown,
    Decision,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Event,
    Faulted,
    GameStarted,
    LeverMoved,
    LiftHinted,
    Noted,
    Objected,
    PauseAsked,
    Recovered,
    Resigned,
    Restarted,
    Ruled,
    SquareChanged,
    StartAsked,
    TakebackAsked,
    Tick,
    View,
)
from board_firmware.core.splitting import over_early_lifts, split_early
from board_firmware.core.standing import Standing
from rules import Game
from rules.san import write_san

TRANSITIONS: Mapping[str, frozenset[str]] = {
    "not_started": frozenset({"thinking", "ended"}),
    "thinking": frozenset({"made", "completed", "identification", "irregularity", "paused", "ended"}),
    "made": frozenset({"thinking", "completed", "identification", "irregularity", "paused", "ended"}),
    "completed": frozenset({"thinking", "made", "identification", "irregularity", "paused", "ended"}),
    "identification": frozenset({"thinking", "made", "completed", "irregularity", "paused", "ended"}),
    "irregularity": frozenset({"thinking", "made", "completed", "identification", "paused", "ended"}),
    "paused": frozenset({"thinking", "made", "completed", "identification", "irregularity", "ended"}),
    "ended": frozenset({"thinking", "made", "completed", "identification", "irregularity", "paused"}),
}
"""From each status of the contract to those that may follow it; a game that ended by a move or a ruling may be reopened."""


class Session:
    """One game at a board. Feed it events in order of ``at_ns``; the first is `GameStarted`."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._started = GameStarted(at_ns=0, fen="")
        self._san: list[tuple[Game, str]] = []

    @property
    def standing(self) -> Standing:
        """The record of the game; for reading."""
        if self._standing is None:
            raise RuntimeError("a session begins with GameStarted")
        return self._standing

    def receive(self, event: Event) -> tuple[Decision, ...]:
        """Take one event and answer with what it decides, in order."""
        if isinstance(event, GameStarted):
            return self._begin(event)
        s = self.standing
        self._pass_time(s, event.at_ns)
        s.now_ns = max(s.now_ns, event.at_ns)
        act = _ACTS.get(type(event))
        if act is not None:
            act(s, event)
        _afterwards(s)
        self._read_on(s)
        decisions, s.outbox = tuple(s.outbox), []
        return decisions

    def view(self) -> View:
        """What holds now."""
        s = self.standing
        return states.view(s, self._moves_in_san(s), self._started.game_id, self._started.fen)

    def state(self) -> dict[str, Any]:
        """The contract's state alone."""
        return states.state(self.standing)

    def deadline_ns(self) -> int | None:
        """When the session wants a `Tick` if nothing else happens; None: never."""
        return None if self._standing is None else _next_due(self._standing)

    # ---- inside

    def _begin(self, event: GameStarted) -> tuple[Decision, ...]:
        self._started = event
        self._standing = s = standing_for(event)
        s.say(
            "game_started",
            fen=s.turn.position.fen(),
            profile=event.profile,
            control=event.control,
            moves=list(event.history) or None,
        )
        decisions, s.outbox = tuple(s.outbox), []
        return decisions

    def _pass_time(self, s: Standing, at_ns: int) -> None:
        for _ in range(64):
            due_ns = _next_due(s)
            if due_ns is None or due_ns > at_ns:
                return
            s.now_ns = max(s.now_ns, due_ns)
            _due(s, due_ns)
            _afterwards(s)
            self._read_on(s)
        raise RuntimeError("a timer does not come to rest")

    def _read_on(self, s: Standing) -> None:
        """What was played while it was asked what had been played, read as if it came only now."""
        later, s.unread = s.unread, ()
        if not later:
            return
        answered, said = s.copy(), len(s.outbox)
        s.draw_offer = None  # whoever touches a unit now has touched it before
        for one in later:
            self._pass_time(s, one.at_ns)
            if isinstance(one, SquareChanged):
                from_board.read(s, one)
            else:
                press.noted(s, one)
            _afterwards(s)
            self._read_on(s)
        if played_on.asks_again(s, answered):
            played_on.leave_unread(s, answered, later)
            del s.outbox[said:]
        if not s.ended:
            s.draw_offer, s.newest_request = answered.draw_offer, answered.newest_request

    def _moves_in_san(self, s: Standing) -> tuple[str, ...]:
        """The game's moves in SAN; only those that are new since the last look are written."""
        game, known = s.moving.game, self._san
        new: list[Game] = []
        while game.ply and not (game.ply <= len(known) and known[game.ply - 1][0] is game):
            new.append(game)
            game = game.takeback()
        del known[game.ply :]
        for game in reversed(new):
            assert game.move is not None
            known.append((game, write_san(game.takeback().position, game.move)))
        return tuple(san for _, san in known)


# ---- time


def _next_due(s: Standing) -> int | None:
    times = [s.settle_at_ns, s.clock.flag_ns() if not s.ended else None, ends.final_at_ns(s)]
    if s.press is not None:
        times.append(s.press.until_ns)
    if s.sign_since_ns is not None:
        times.append(s.sign_since_ns + ends.SIGN_NS)
    if s.array_since_ns is not None:
        times.append(s.array_since_ns + set_back.REST_NS)
    if s.adjusting is not None and not s.adjusting.in_air:
        times.append(s.adjusting.since_ns + adjusting.ADJUSTING_NS)
    due = [at_ns for at_ns in times if at_ns is not None]
    return min(due) if due else None


def _due(s: Standing, at_ns: int) -> None:
    """One timer has come due; ties go to the flag, then to stillness."""
    flag_ns = s.clock.flag_ns() if not s.ended else None
    if flag_ns == at_ns and s.clock.running is not None:
        side = s.clock.running
        s.clock = s.clock.settled(at_ns)
        ends.flag_down(s, side)
    elif s.settle_at_ns == at_ns:
        if not press.answered_by_reply(s):
            moving.settled(s)
    elif s.press is not None and s.press.until_ns == at_ns:
        press.judge(s, s.press.side, s.press.at_ns)
    elif s.sign_since_ns is not None and s.sign_since_ns + ends.SIGN_NS == at_ns:
        if not ends.sign_due(s):
            s.settle_at_ns = None
            moving.refuse_after_sign(s)
    elif s.array_since_ns is not None and s.array_since_ns + set_back.REST_NS == at_ns:
        set_back.due(s)
    elif ends.final_at_ns(s) == at_ns:
        making.fix(s)
    elif s.adjusting is not None:
        s.say("adjusting_ended", side=s.adjusting.side)
        s.adjusting = None


def _afterwards(s: Standing) -> None:
    """A press that waits or stands completes the move as soon as the rest is done."""
    close_if_right(s)
    draws.stand_again(s)
    making.ask_promotion_again(s)
    played_on.let_go(s)
    waiting = s.press
    asked = s.question is not None and s.question.word in ("which_capture", "which_move")
    if waiting is None or s.ended or asked:
        return
    if s.turn.mover == waiting.side and s.made is None:
        if s.seen is not None:
            making.make(s, s.seen, s.now_ns)
        elif (early := over_early_lifts(s.turn)) is not None:
            split_early(s, early)
    mine = s.turn.mover == waiting.side
    if s.ended or (mine and (s.made is None or s.made.move is None or press.is_in_doubt(s))):
        return
    standing = waiting.until_ns is None
    if mine and waiting.passed:
        press.complete_made(s, waiting.side, waiting.at_ns)
        return
    s.press = None
    press.pressed(s, waiting.side, s.now_ns if standing else waiting.at_ns)
    s.answered_press = waiting.side if standing else None


# ---- events


_ACTS: Mapping[type, Callable[[Standing, Any], None]] = {
    SquareChanged: from_board.square_changed,
    BoardSnapshot: from_board.snapshot,
    Restarted: from_board.restarted,
    Blipped: from_board.blipped,
    LiftHinted: lambda s, event: None,
    LeverMoved: lambda s, event: press.pressed(s, event.down, event.at_ns),
    ButtonPressed: from_board.button,
    Faulted: from_board.faulted,
    Recovered: from_board.recovered,
    Tick: lambda s, event: None,
    AdjustPressed: adjusting.adjust,
    Chosen: from_board.chosen,
    Answered: from_board.answered,
    Claimed: claims.claim,
    DrawOffered: lambda s, event: draws.offer_draw(s, event.side),
    DrawAccepted: lambda s, event: draws.accept(s, event.side),
    DrawDeclined: lambda s, event: draws.decline(s, event.side),
    DrawWithdrawn: lambda s, event: draws.withdraw(s, event.side),
    Resigned: lambda s, event: draws.resign(s, event.side),
    PauseAsked: lambda s, event: draws.stop_clocks(s, event.side),
    StartAsked: lambda s, event: answers.start(s),
    TakebackAsked: lambda s, event: takebacks.ask_takeback(s, event.side),
    ClockShown: from_board.clock_shown,
    Noted: objections.noted,
    Objected: objections.objected,
    Ruled: arbiter.ruled,
    Analysed: ends.analysed,
}
