"""Takebacks: no Law but the players' own. The whole state goes back with the move: rights, counters, clocks, duties."""

from __future__ import annotations

from dataclasses import replace

from board_firmware.core.disorder import set_up_again
from board_firmware.core.events import Side
from board_firmware.core.standing import Standing
from board_firmware.core.turn import Turn


def ask_takeback(s: Standing, side: Side) -> None:
    """A side asks that the last made ply be taken back."""
    if s.settings.takeback == "arbiter" or _last_turn(s) is None:
        s.say("takeback_refused", side=side)
        return
    s.takeback = side
    s.newest_request = "takeback"
    s.say("takeback_asked", side=side)
    if s.settings.takeback == "free":
        take_back(s)


def take_back(s: Standing) -> None:
    """The last made ply is undone with its whole state; play goes on when the wood is back."""
    before = _last_turn(s)
    if before is None:
        return
    taken = s.made.footprint.move if s.made is not None and s.made.move is None else s.moving.game.moves[-1]
    victim = before.turn.position.captured_square(taken)
    last = s.last_ply()
    inferred = s.made.inferred if s.made is not None else last is not None and last.inferred
    # a capture that no reed has seen: the victim may never have left
    exchanged = 1 << taken.to_square if victim == taken.to_square and not inferred else 0
    take_back_to(s, before)
    if s.clock.phase != "not_started":
        s.clock = replace(s.clock, phase="running", running=s.turn.mover, since_ns=s.now_ns)
    s.paused = None
    s.say("move_taken_back", move=taken)
    set_up_again(s)
    if s.trouble is not None:
        s.trouble = replace(s.trouble, kind="takeback", exchanged=exchanged)


def _last_turn(s: Standing) -> Standing | None:
    """How the game stood when the last made move's turn began; None if no move was ever made."""
    if s.made is not None:
        return s.at_turn_start()
    if not s.turn.game.moves:
        return None  # none yet, or none since an arbiter set the position
    last = s.last_ply()
    if last is not None:
        return last.before
    before = s.at_turn_start()
    before.game = before.turn.game.takeback()
    before.turn = Turn.fresh(before.game, s.masked)
    return before


def take_back_to(s: Standing, before: Standing) -> None:
    """Stand as at the beginning of an earlier turn: nothing touched, nothing asked, that turn's player to move."""
    s.put_back(before)
    s.lever = s.turn.mover
    s.takeback = s.newest_request = s.undo = s.rejected = s.withdrawable = None
    s.touched_since = False
    s.legal = True if s.plies else None
