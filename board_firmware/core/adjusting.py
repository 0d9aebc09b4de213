"""The announcement "I adjust": who may give it, what it covers, when it lapses.

Source: FIDE Laws of Chess 2023, 4.2.1, 4.2.2, 6.2.5.
"""

from __future__ import annotations

from board_firmware.core.events import AdjustPressed
from board_firmware.core.lost_sensors import is_restless
from board_firmware.core.standing import Adjusting, Standing
from hal.squares import squares_of

ADJUSTING_NS = 10_000_000_000
"""An announcement lapses this long after the last unit was put back."""


def adjust(s: Standing, event: AdjustPressed) -> None:
    """The "I adjust" button: opens an announcement, or closes the one that is open."""
    if not s.started or s.ended:
        return
    if s.adjusting is not None and s.adjusting.side == event.side:
        s.adjusting = None
        s.say("adjusting_ended", side=event.side)
        return
    turn = s.moving
    between = s.made is not None and s.has_clock
    lifted = any(not is_restless(s, square) for square in squares_of(turn.opened))
    if not between and turn.trace.occupancy != turn.footprints.before and lifted:
        turn.report("adjust_late")
        s.say("adjust_refused", article="4.2.1", side=event.side, reason="adjust_late")
        return
    if between:
        s.violate("adjust_not_entitled", article="6.2.5")
        turn.report(f"adjust_not_entitled:{event.side}")
    elif event.side != turn.mover:
        turn.report(f"adjust_out_of_turn:{event.side}")
    s.adjusting = Adjusting(event.side, not between and event.side == turn.mover, event.at_ns)
    s.say("adjusting_announced", article="4.2.1", side=event.side)
