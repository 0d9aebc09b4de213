"""One game from its first event to its result: the only place where reeds, Article 4, clock and referee meet.

Two rules. `receive` is a fold: what it answers follows from the events so far and nothing else, so replay, recovery and
test are the same act. And whatever was due before an event happens before it: timers are processed in their own order,
so that a `Tick` more or less changes nothing.

The states of a turn and every step between them stand in `TRANSITIONS`, one table; the diagram in the README is drawn
from it and a test walks the session to see that it takes no step that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

from board_firmware.core import (
    adjusting,
    answers,
    arbiter,
    claims,
    draws,
    ends,
    lost_sensors,
    making,
    moving,
    objections,
    press,
    takebacks,
)
from board_firmware.core import state as states
from board_firmware.core.clock import Clock
from board_firmware.core.control import Control
from board_firmware.core.disorder import close_if_right, close_trouble
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
    Side,
    SquareChanged,
    StartAsked,
    TakebackAsked,
    Tick,
    View,
    other_side,
)
from board_firmware.core.settings import settle
from board_firmware.core.splitting import over_early_lifts, split_early
from board_firmware.core.standing import Question, Standing, Trouble, name_of
from board_firmware.core.turn import Turn
from hal.squares import parse_square, squares_of, squares_of_part
from rules import Game, Move, parse_fen
from rules.san import write_san

TRANSITIONS: Mapping[str, frozenset[str]] = {
    "not_started": frozenset({"thinking", "ended"}),
    "thinking": frozenset({"made", "completed", "identification", "irregularity", "paused", "ended"}),
    "made": frozenset({"thinking", "completed", "identification", "irregularity", "paused", "ended"}),
    "completed": frozenset({"thinking", "made", "identification", "irregularity", "paused", "ended"}),
    "identification": frozenset({"thinking", "made", "completed", "irregularity", "paused", "ended"}),
    "irregularity": frozenset({"thinking", "made", "completed", "identification", "paused", "ended"}),
    "paused": frozenset({"thinking", "made", "completed", "identification", "irregularity", "ended"}),
    "ended": frozenset({"thinking", "made", "completed", "irregularity", "paused"}),
}
"""From each status of the contract to those that may follow it; a game that ended by a move or a ruling may be reopened."""


class Session:
    """One game at a board. Feed it events in order of ``at_ns``; the first is `GameStarted`."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._started = GameStarted(at_ns=0, fen="")
        self._san: tuple[Game | None, tuple[str, ...]] = (None, ())

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
        self._standing = s = _standing_for(event)
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
        raise RuntimeError("a timer does not come to rest")

    def _moves_in_san(self, s: Standing) -> tuple[str, ...]:
        game = s.moving.game
        if self._san[0] is not game:
            position = game.start_position
            out = []
            for move in game.moves:
                out.append(write_san(position, move))
                position = position.play(move)
            self._san = (game, tuple(out))
        return self._san[1]


# ---- beginnings


def _standing_for(event: GameStarted) -> Standing:
    """The standing with which a game, a rewound one or a conformance case begins (contract section 8, rule 12)."""
    prior = event.prior
    control = Control.parse(event.control)
    if "increment" in prior and control.periods:
        control = control.with_increment(round(float(prior["increment"]) * 1e9))
    settings = settle(event.profile, control, event.settings, bool(prior.get("arbiter_present", True)))
    game = Game.from_setup(parse_fen(event.fen, chess960=event.chess960))
    for text in event.history:
        game = game.play(Move.from_uci(text))
    clock = Clock.fresh(control)
    s = Standing(settings=settings, clock=clock, game=game, turn=Turn.fresh(game), now_ns=event.at_ns)
    s.occupancy = game.position.occupied if event.occupancy is None else event.occupancy
    s.trunk = len(game.moves)
    s.illegal.update(prior.get("illegal", {}))
    s.completed.update(prior.get("moves_completed", {}))
    if "clock" in prior:
        times = {side: round(float(seconds) * 1e9) for side, seconds in prior["clock"].items()}
        s.clock = s.clock.set(event.at_ns, white_ns=times.get("white"), black_ns=times.get("black"))
    if "moves_completed" in prior:
        s.clock = s.clock.set(event.at_ns, moves=dict(s.completed))
    excused = prior.get("recording_excused", {})
    s.recording_excused = bool(excused.get("white")) and bool(excused.get("black"))
    s.external = "assistant" in prior
    if prior.get("started", True):
        s.lever = s.turn.mover
        s.clock = s.clock.start(s.turn.mover, event.at_ns)
    else:
        s.started = False
    for square in prior.get("touched", ()):
        s.turn.touch(square if isinstance(square, int) else parse_square(square), event.at_ns)
    _ask_setup(s)
    return s


def _ask_setup(s: Standing) -> None:
    """Before the start: ask to confirm the set-up while the occupancy is right, and nothing while it is not."""
    if s.started:
        return
    right = s.occupancy & ~s.masked == s.position.occupied & ~s.masked
    if right and s.question is None:
        s.ask(Question(word="confirm_setup"))
    elif not right and s.question is not None and s.question.word == "confirm_setup":
        s.question = None


# ---- time


def _next_due(s: Standing) -> int | None:
    times = [s.settle_at_ns, s.clock.flag_ns() if not s.ended else None]
    if s.press is not None:
        times.append(s.press.until_ns)
    if s.sign_since_ns is not None:
        times.append(s.sign_since_ns + ends.SIGN_NS)
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
    elif s.adjusting is not None:
        s.say("adjusting_ended", side=s.adjusting.side)
        s.adjusting = None


def _afterwards(s: Standing) -> None:
    """A press that waits or stands completes the move as soon as the rest is done."""
    close_if_right(s)
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


def _square_changed(s: Standing, event: SquareChanged) -> None:
    if s.rotated:
        event = replace(event, square=63 - event.square)
    lost = (s.masked | s.recovering) >> event.square & 1
    if event.occupied and not lost and press.withdraw_inference(s, event):
        return
    choice = press.reseated(s, event.square) if event.occupied else None
    moving.square_changed(s, event)
    if choice is not None:
        press.choose_move(s, Move.from_uci(choice), event.at_ns)
    _ask_setup(s)
    ends.watch_sign(s)


def _snapshot(s: Standing, event: BoardSnapshot) -> None:
    """Squares that differ from what was believed are changes of this moment, all in one scan."""
    for square in range(64):
        occupied = bool(event.occupancy >> square & 1)
        if occupied != bool(s.occupancy >> square & 1):
            _square_changed(s, SquareChanged(square=square, occupied=occupied, at_ns=event.at_ns))


def _restarted(s: Standing, event: Restarted) -> None:
    """The game was brought back: the clock waits for somebody, and wood that differs is to be put right first."""
    moved = event.occupancy != s.occupancy
    s.occupancy = event.occupancy
    s.say("restarted", squares=[name_of(q) for q in squares_of(s.occupancy ^ s.position.occupied)] or None)
    if not s.started:
        _ask_setup(s)
        return
    if s.ended:
        return
    s.press = s.adjusting = None
    if s.has_clock and s.paused is None:
        s.pause(event.at_ns, "sensors")
    if moved:
        s.knock = None
        if s.trouble is None:
            s.trouble = Trouble(
                kind="position", side=s.moving.mover, expected=s.position.occupied, turn=s.moving.mover
            )
        if s.occupancy & ~s.masked == s.trouble.expected & ~s.masked and not s.trouble.needs_resume:
            close_trouble(s)


def _blipped(s: Standing, event: Blipped) -> None:
    if s.started and not s.ended:
        s.turn.report(f"blip:{name_of(event.square)}")


def _chosen(s: Standing, event: Chosen) -> None:
    answers.chosen(s, event)
    moving.reread(s)


def _clock_shown(s: Standing, event: ClockShown) -> None:
    s.clock = s.clock.shown(event.side, round(event.seconds * 1e9), event.at_ns)
    if s.clock.flag_down(event.side, event.at_ns):
        ends.flag_down(s, event.side)


def _faulted(s: Standing, event: Faulted) -> None:
    s.faults[event.part] = event.reason
    s.say("fault", part=event.part, reason=event.reason)
    s.doubted &= ~squares_of_part(event.part)  # the board has found it out by itself, and will say when it recovers
    if event.reason != "chatter":
        lost_sensors.mask(s, squares_of_part(event.part))
    else:  # slower, but still to be believed; only what it called touches were none
        s.moving.forget(squares_of(squares_of_part(event.part)))
    if s.settings.pause_on_sensor_loss and s.started and not s.ended and event.part in ("link", "board"):
        s.pause(event.at_ns, "sensors")


def _recovered(s: Standing, event: Recovered) -> None:
    s.faults.pop(event.part, None)
    s.say("recovered", part=event.part)
    lost_sensors.unmask(s, squares_of_part(event.part))


def _answered(s: Standing, event: Answered) -> None:
    """Yes or no; yes to nothing insists that what the board does not see lies there, no to "which move?" that none was."""
    if s.question is None and event.yes and _insisted(s):
        return
    if s.question is not None and s.question.word == "which_move" and not event.yes:
        s.question = s.press = None
        s.say("answered", ask="which_move", choice="no")
        lost_sensors.overruled(s)
        return
    answers.answered(s, event)


def _insisted(s: Standing) -> bool:
    if s.trouble is not None:
        return lost_sensors.overruled(s)
    return press.insisted(s) or lost_sensors.overruled(s)


_BUTTONS: Mapping[str, Callable[[Standing, Side, int], None]] = {
    "adjust": lambda s, side, at: adjusting.adjust(s, AdjustPressed(side=side, at_ns=at)),
    "draw": lambda s, side, at: _draw_button(s, side),
    "resign": lambda s, side, at: draws.resign(s, side),
    "pause": lambda s, side, at: draws.stop_clocks(s, side),
    "claim": lambda s, side, at: claims.claim(s, Claimed(side=side, kind=_claimable(s, side), at_ns=at)),
}


def _claimable(s: Standing, side: Side) -> Literal["threefold", "fifty", "time"]:
    """What one button claims: the opponent's flag if it is down, a repetition if there is one, else fifty moves."""
    if other_side(side) in s.flags:
        return "time"
    return "threefold" if s.moving.game.can_claim_threefold(None) else "fifty"


def _draw_button(s: Standing, side: Side) -> None:
    """One button: it accepts the other's offer, or makes one."""
    if s.draw_offer is not None and s.draw_offer != side:
        draws.accept(s, side)
    else:
        draws.offer_draw(s, side)


def _button(s: Standing, event: ButtonPressed) -> None:
    """A panel button: ``adjust_white``, ``draw_black``, ``claim_white``, ``promote_q``, ``ok``, ``back``, ``start``."""
    name, _, rest = event.button.partition("_")
    if name == "promote":
        answers.chosen(s, Chosen(choice=rest, at_ns=event.at_ns))
    elif name in ("ok", "back") and s.question is not None:
        _answered(s, Answered(yes=name == "ok", at_ns=event.at_ns))
    elif name == "ok" and _insisted(s):
        return
    elif name in ("ok", "start"):
        answers.start(s)
    elif name in _BUTTONS and rest in ("white", "black"):
        _BUTTONS[name](s, "white" if rest == "white" else "black", event.at_ns)


_ACTS: Mapping[type, Callable[[Standing, Any], None]] = {
    SquareChanged: _square_changed,
    BoardSnapshot: _snapshot,
    Restarted: _restarted,
    Blipped: _blipped,
    LiftHinted: lambda s, event: None,
    LeverMoved: lambda s, event: press.pressed(s, event.down, event.at_ns),
    ButtonPressed: _button,
    Faulted: _faulted,
    Recovered: _recovered,
    Tick: lambda s, event: None,
    AdjustPressed: adjusting.adjust,
    Chosen: _chosen,
    Answered: _answered,
    Claimed: claims.claim,
    DrawOffered: lambda s, event: draws.offer_draw(s, event.side),
    DrawAccepted: lambda s, event: draws.accept(s, event.side),
    DrawDeclined: lambda s, event: draws.decline(s, event.side),
    DrawWithdrawn: lambda s, event: draws.withdraw(s, event.side),
    Resigned: lambda s, event: draws.resign(s, event.side),
    PauseAsked: lambda s, event: draws.stop_clocks(s, event.side),
    StartAsked: lambda s, event: answers.start(s),
    TakebackAsked: lambda s, event: takebacks.ask_takeback(s, event.side),
    ClockShown: _clock_shown,
    Noted: objections.noted,
    Objected: objections.objected,
    Ruled: arbiter.ruled,
    Analysed: ends.analysed,
}
