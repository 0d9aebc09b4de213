"""What the board and its panel say, beside the squares' own changes: snapshots, blips, faults, buttons, a restart.

Each function takes the standing and one event of the port.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from board_firmware.core import (
    adjusting,
    answers,
    claims,
    draws,
    ends,
    lost_sensors,
    moving,
    played_on,
    press,
    set_back,
)
from board_firmware.core.after_release import revise
from board_firmware.core.beginning import ask_setup
from board_firmware.core.broken_reeds import shows
from board_firmware.core.disorder import close_trouble
from board_firmware.core.events import (
    AdjustPressed,
    Answered,
    Blipped,
    BoardSnapshot,
    ButtonPressed,
    Chosen,
    Claimed,
    ClockShown,
    Faulted,
    Recovered,
    Restarted,
    Side,
    SquareChanged,
    other_side,
)  # fmt: skip
from board_firmware.core.insistence import insisted, none_was_made
from board_firmware.core.standing import Fault, Standing, Trouble, name_of
from board_firmware.core.withdrawn import withdraw_inference
from hal.squares import squares_of, squares_of_part
from rules import Move


def square_changed(s: Standing, event: SquareChanged) -> None:
    """A square's reed has settled on a new state."""
    if s.rotated:
        event = replace(event, square=63 - event.square)
    read(s, event)


def read(s: Standing, event: SquareChanged) -> None:
    """A square's change, named as the board lies."""
    lost = (s.masked | s.recovering) >> event.square & 1
    if event.occupied and not lost and withdraw_inference(s, event):
        return
    choice = press.reseated(s, event.square) if event.occupied else None
    moving.square_changed(s, event)
    if choice is not None:
        press.choose_move(s, Move.from_uci(choice), event.at_ns)
    ask_setup(s)
    ends.watch_sign(s)
    set_back.watch(s, s.last_change_ns)


def snapshot(s: Standing, event: BoardSnapshot) -> None:
    """Squares that differ from what was believed are changes of this moment, all in one scan."""
    for square in range(64):
        occupied = bool(event.occupancy >> square & 1)
        if occupied != bool(s.occupancy >> square & 1):
            square_changed(s, SquareChanged(square=square, occupied=occupied, at_ns=event.at_ns))


def restarted(s: Standing, event: Restarted) -> None:
    """The game was brought back: the clock waits for somebody, and wood that differs is to be put right first."""
    moved, stood = event.occupancy != s.occupancy, s.occupancy
    s.occupancy = event.occupancy
    s.say("restarted", squares=[name_of(q) for q in squares_of(s.occupancy ^ s.position.occupied)] or None)
    if not s.started:
        ask_setup(s)
        return
    if s.ended:
        return
    s.press = s.adjusting = None
    if s.has_clock and s.paused is None:
        s.pause(event.at_ns, "sensors")
    if moved:
        s.knock = None
        if s.trouble is None:
            expected = stood if played_on.is_asked(s) else s.position.occupied
            s.trouble = Trouble(kind="position", side=s.moving.mover, expected=expected, turn=s.moving.mover)
        if s.occupancy & ~s.masked == s.trouble.expected & ~s.masked and not s.trouble.needs_resume:
            close_trouble(s)
    set_back.watch(s, event.at_ns)


def blipped(s: Standing, event: Blipped) -> None:
    """An opening too short to be a lift: reported, never a touch."""
    if s.started and not s.ended:
        s.turn.report(f"blip:{name_of(event.square)}")


def chosen(s: Standing, event: Chosen) -> None:
    """A piece or a move is named; the board is read anew with it."""
    answers.chosen(s, event)
    moving.reread(s)


def clock_shown(s: Standing, event: ClockShown) -> None:
    """An outer clock's display is believed."""
    s.clock = s.clock.shown(event.side, round(event.seconds * 1e9), event.at_ns)
    if s.clock.flag_down(event.side, event.at_ns):
        ends.flag_down(s, event.side)


def faulted(s: Standing, event: Faulted) -> None:
    """A part does not work: its squares are not trusted, the game goes on."""
    lost = squares_of_part(event.part) if event.hidden is None else event.hidden
    before, s.faults[event.part] = s.faults.get(event.part), Fault(event.reason, lost)
    if before is None or before.reason != event.reason:
        s.say("fault", part=event.part, reason=event.reason)
    s.doubted &= ~lost  # the board has found it out by itself, and will say when it recovers
    if event.reason != "chatter":
        if before is not None:
            lost_sensors.unmask(s, before.squares & ~lost)
        if s.made is not None and s.made.footprint.landings & lost & ~s.occupancy and press.is_in_doubt(s):
            revise(s, None)  # the unit had gone on, and nobody will see where to
        elif event.hidden is not None and lost_sensors.is_ghostly(s, lost):
            revise(s, None)
        lost_sensors.mask(s, lost)
    else:  # slower, but still to be believed; only what it called touches were none
        s.moving.forget(squares_of(lost))
    if s.settings.pause_on_sensor_loss and s.started and not s.ended and event.part in ("link", "board"):
        s.pause(event.at_ns, "sensors")


def recovered(s: Standing, event: Recovered) -> None:
    """A part works again."""
    fault = s.faults.pop(event.part, None)
    s.say("recovered", part=event.part)
    squares = squares_of_part(event.part) if fault is None else fault.squares
    lost_sensors.unmask(s, squares)
    lost_sensors.make_contact(s, squares)


def answered(s: Standing, event: Answered) -> None:
    """Yes or no; yes to nothing insists that what the board does not see lies there, no to "which move?" that none was."""
    if s.question is None and event.yes and insisted(s):
        return
    question = s.question
    if question is not None and question.word == "which_move" and not event.yes:
        s.question = s.press = None
        s.say("answered", ask="which_move", choice="no")
        none_was_made(s, question)
        return
    only = None if question is None or question.word != "which_move" else question.candidates[0]
    if question is not None and only is not None and len(question.candidates) == 1 and shows(s, only):
        chosen(s, Chosen(choice=only.uci(), at_ns=event.at_ns))
        return
    answers.answered(s, event)


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


def button(s: Standing, event: ButtonPressed) -> None:
    """A panel button: ``adjust_white``, ``draw_black``, ``claim_white``, ``promote_q``, ``ok``, ``back``, ``start``."""
    name, _, rest = event.button.partition("_")
    if name == "promote":
        answers.chosen(s, Chosen(choice=rest, at_ns=event.at_ns))
    elif name in ("ok", "back") and s.question is not None:
        answered(s, Answered(yes=name == "ok", at_ns=event.at_ns))
    elif name == "ok" and insisted(s):
        return
    elif name in ("ok", "start"):
        answers.start(s)
    elif name in _BUTTONS and rest in ("white", "black"):
        _BUTTONS[name](s, "white" if rest == "white" else "black", event.at_ns)
