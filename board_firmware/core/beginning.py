"""How a game begins: afresh, resumed, rewound or as a conformance case; all are one event (contract section 8, rule 12)."""

from __future__ import annotations

from board_firmware.core import lost_sensors
from board_firmware.core.clock import Clock
from board_firmware.core.control import Control
from board_firmware.core.events import GameStarted
from board_firmware.core.settings import settle
from board_firmware.core.standing import Question, Standing
from board_firmware.core.turn import Turn
from hal.squares import parse_square
from rules import Game, Move, parse_fen

LOOK_NS = 2_000_000_000
"""How long players look at what the board misses before they say that it stands there, ns: a button bounces, and a man that
is still to be set down comes."""


def standing_for(event: GameStarted) -> Standing:
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
    ask_setup(s)
    return s


def ask_setup(s: Standing) -> None:
    """Before the start: ask to confirm the set-up while the occupancy is right, and nothing while it is not."""
    if s.started:
        return
    right = s.occupancy & ~s.masked == s.position.occupied & ~s.masked
    if right and s.question is None:
        s.ask(Question(word="confirm_setup"))
    elif not right and s.question is not None and s.question.word == "confirm_setup":
        s.question = None


def insisted_on_array(s: Standing) -> bool:
    """Whether players have asked twice for the start over the same wood: the reeds that differ are lost, if they are few.

    The first time the board says what it misses. Who then looks, changes nothing and asks again says that the pieces stand
    as they should: a reed that was broken when the board was switched on must not keep them from playing.
    """
    differs = (s.occupancy ^ s.position.occupied) & ~s.masked
    if s.start_asked is None or s.start_asked[0] != differs:
        s.start_asked = (differs, s.now_ns)
        return False
    if s.now_ns - max(s.start_asked[1], s.last_change_ns) < LOOK_NS:
        return False
    missing = differs & ~s.occupancy
    if missing == differs:
        return lost_sensors.lose_missing(s, missing)
    if differs.bit_count() > lost_sensors.MOST_LOST:
        return False
    lost_sensors.lose(s, differs)
    return True
