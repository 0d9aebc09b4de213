"""Claims, judged at once on the record: a third occurrence, fifty moves, the opponent's flag.

Source: FIDE Laws of Chess 2023, 6.8, 9.2-9.5; A.3 for the minutes.
"""

from __future__ import annotations

from board_firmware.core import ends
from board_firmware.core.events import Claimed, Side, other_side
from board_firmware.core.penalties import penalise
from board_firmware.core.standing import Standing
from board_firmware.core.touch import exact, owed
from rules import Move, Termination


def claim(s: Standing, event: Claimed) -> None:
    """A claim, judged at once on the record."""
    if s.ended or not s.started:
        return
    if event.kind == "time":
        _claim_time(s, event.side)
        return
    turn = s.to_move
    side = event.side
    if not s.settings.refuses:
        s.pause(s.now_ns, "claim")
    s.draw_offer = side
    s.newest_request = "draw"
    if side != turn.mover:
        s.violate("claim_inadmissible", article="9.4")
        turn.report("claim_after_touch")
        _minutes(s, side)
        s.say("claim_judged", article="9.4", side=side, claim=event.kind, correct=False)
        return
    if turn.touched:
        s.draw_offer = None
        s.violate("claim_after_touch", article="9.4")
        turn.report("claim_after_touch")
        s.say("claim_judged", article="9.4", side=side, claim=event.kind, correct=False)
        return
    if s.made is not None and s.has_clock:
        turn.report("claim_before_press")
    intended = _intended(event.move)
    game = turn.game
    legal = intended is not None and game.position.is_legal(intended)
    if event.move is None or legal:
        ask = game.can_claim_threefold if event.kind == "threefold" else game.can_claim_fifty
        if ask(intended):
            termination = Termination.THREEFOLD_CLAIM if event.kind == "threefold" else Termination.FIFTY_CLAIM
            ends.finish(s, "1/2-1/2", termination, "9.2" if event.kind == "threefold" else "9.3")
            return
    turn.report("claim_incorrect")
    _minutes(s, side)
    if event.move is not None and intended is not None:
        if legal:
            turn.bound = exact([intended], "9.5.3", own=intended.from_square)
        elif turn.is_own(intended.from_square):
            duty = owed(turn.position, [[intended.from_square]])
            turn.bound = duty if duty.moves is not None else None
    s.say("claim_judged", article="9.5.3", side=side, claim=event.kind, correct=False, move=event.move)


def _intended(text: str | None) -> Move | None:
    if text is None:
        return None
    try:
        return Move.from_uci(text)
    except ValueError:
        return None


def _minutes(s: Standing, side: Side) -> None:
    if s.settings.penalties != "none":
        penalise(s, "add_time", other_side(side), s.settings.penalty_s)


def _claim_time(s: Standing, side: Side) -> None:
    """A claim that the opponent's flag is down (6.8)."""
    opponent = other_side(side)
    if opponent in s.flags or s.clock.flag_down(opponent, s.now_ns):
        ends.call_flag(s, opponent)
        s.say("claim_judged", article="6.8", side=side, claim="time", correct=s.ended)
    else:
        s.say("claim_judged", article="6.8", side=side, claim="time", correct=False)
