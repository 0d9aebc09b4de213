"""What players say to end a game or to stop it: offers, acceptance, resignation, a call for the arbiter.

Source: FIDE Laws of Chess 2023, 5.1.2, 5.2.3, 6.11, 9.1.
"""

from __future__ import annotations

from board_firmware.core import ends, played_on
from board_firmware.core.events import Side, other_side
from board_firmware.core.standing import Standing
from board_firmware.core.takebacks import take_back
from rules import Termination


def offer_draw(s: Standing, side: Side) -> None:
    """A draw is offered (9.1.2): valid at any time, best after the move and before the press."""
    if s.ended or not s.started or not s.settings.agreement:
        return
    own_move_made = s.made is not None and s.turn.mover == side
    just_moved = own_move_made or not s.has_clock
    if not just_moved:
        s.moving.report("offer_irregular_time")
    s.draw_offer = side
    s.newest_request = "draw"
    s.say("draw_offered", article="9.1.2", side=side)


def refuse_by_touch(s: Standing) -> None:
    """The player who has the move has touched a unit: an offer made to him is refused (9.1.2.1)."""
    turn = s.moving
    toucher = s.lever if played_on.is_asked(s) and not s.settings.refuses else turn.mover
    if s.draw_offer is None or s.draw_offer == toucher:
        return
    s.refused_offer = (s.draw_offer, turn.game.ply)
    s.draw_offer = None
    turn.report("offer_refused_by_touch")
    s.say("draw_declined", article="9.1.2.1", by="touch", side=toucher)


def stand_again(s: Standing) -> None:
    """An offer that a touch had refused stands again if nobody has touched anything: it was a knock, or a line that died."""
    if s.refused_offer is None or s.ended or s.unread:
        return
    side, ply = s.refused_offer
    turn = s.moving
    if s.draw_offer is not None or turn.game.ply > ply:
        s.refused_offer = None
    elif turn.game.ply == ply and not turn.touched:
        s.refused_offer, s.draw_offer, s.newest_request = None, side, "draw"
        turn.unreport("offer_refused_by_touch")
        s.say("draw_offered", article="9.1.2", side=side)


def accept(s: Standing, side: Side) -> None:
    """A side accepts the newest request put to it."""
    if s.ended:
        return
    if s.newest_request == "takeback" and s.takeback is not None and s.takeback != side:
        take_back(s)
        return
    if s.draw_offer is None or s.draw_offer == side:
        return
    if min(_moves_made(s, "white"), _moves_made(s, "black")) < 1:
        s.moving.report("agreement_too_early")
        s.draw_offer = None
        s.say("agreement_refused", article="5.2.3", reason="agreement_too_early")
        return
    ends.finish(s, "1/2-1/2", Termination.AGREEMENT, "5.2.3")


def _moves_made(s: Standing, side: Side) -> int:
    plies = len(s.moving.game.moves)
    first = "white" if s.turn.game.start_position.turn.name == "WHITE" else "black"
    made = (plies + 1) // 2 if side == first else plies // 2
    return max(made, s.completed[side])


def decline(s: Standing, side: Side) -> None:
    """A side declines the newest request put to it."""
    if s.newest_request == "takeback" and s.takeback is not None and s.takeback != side:
        s.takeback = None
        s.say("takeback_declined", side=side)
    elif s.draw_offer is not None and s.draw_offer != side:
        s.draw_offer = None
        s.say("draw_declined", article="9.1.2", by="word", side=side)


def withdraw(s: Standing, side: Side) -> None:
    """Offers and claims cannot be withdrawn (9.1.2.1, 9.5.1)."""
    if s.draw_offer == side:
        s.moving.report("withdraw_ignored")
        s.say("withdraw_refused", article="9.1.2.1", side=side)
    elif s.takeback == side:
        s.takeback = None


def resign(s: Standing, side: Side) -> None:
    """A side resigns (5.1.2): a loss, unless the opponent cannot mate by any series of legal moves."""
    if s.ended:
        return
    opponent = other_side(side)
    if ends.no_mate_possible(s, opponent):
        ends.finish(s, "1/2-1/2", Termination.RESIGNATION_NO_MATING_MATERIAL, "5.1.2")
    else:
        ends.finish(s, ends.win(opponent), Termination.RESIGNATION, "5.1.2")


def stop_clocks(s: Standing, side: Side) -> None:
    """A player stops the clocks to call the arbiter (6.11.2)."""
    if s.ended or not s.started or s.paused:
        return
    s.external = True
    s.pause(s.now_ns, "player")
    s.moving.report(f"arbiter_called:{side}")
    s.say("paused", article="6.11.2", side=side)
