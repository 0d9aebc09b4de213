"""A capture inferred at the press is withdrawn when the mover's unit comes down after all.

Source: FIDE Laws of Chess 2023, 6.2.1, 7.5.3.
"""

from __future__ import annotations

from board_firmware.core import offences
from board_firmware.core.events import SquareChanged
from board_firmware.core.gesture import read
from board_firmware.core.standing import Press, Standing
from hal.squares import squares_of


def withdraw_inference(s: Standing, change: SquareChanged) -> bool:
    """A unit comes down after a capture was inferred and before it is answered: the reading is withdrawn.

    The place may also be the reply's; it is the mover's only if no unit of the opponent can have made it.
    """
    if s.withdrawable is None or (s.ended and not s.ended_by_move):
        return False
    before, side, at_ns = s.withdrawable
    turn = s.moving
    if turn.game.ply != before.turn.game.ply + 1:
        s.withdrawable = None  # answered since
        return False
    if turn.footprints.before >> change.square & 1:
        return False
    answering = turn.own_in_air()
    if any(turn.can_stand(origin, change.square) for origin in (*answering, *squares_of(turn.masked))):
        return False
    if answering and not any(before.turn.can_stand(origin, change.square) for origin in before.turn.own_in_air()):
        return False  # no place for the mover's unit either: the opponent's hand hesitates
    later, ended = list(turn.trace.changes), s.ended
    announced = s.made is None or s.made.move is not None
    s.put_back(before)
    s.withdrawable = None
    if ended:
        s.say("game_reopened")
    if announced:  # else the promotion piece was still asked for
        s.say("move_revised", was=None, side=side)
    s.turn.unreport("silent_capture", "capture_or_putback")
    ends_in_time = change.at_ns <= at_ns + s.settings.settle_ns
    if not ends_in_time and not s.settings.refuses:
        offences.press_in_the_air(s, at_ns)
    s.occupancy |= 1 << change.square
    s.last_change_ns = change.at_ns
    for earlier in (*later, change):
        s.turn.trace.add(earlier)
    s.seen = read(s.turn.footprints, s.turn.trace).complete if s.trouble is None else None
    if ends_in_time:
        s.press = Press(side=side, at_ns=at_ns, until_ns=at_ns + s.settings.settle_ns)
    elif s.trouble is None:
        s.settle_at_ns = change.at_ns + s.settings.settle_ns
    return True
