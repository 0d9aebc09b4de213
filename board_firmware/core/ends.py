"""How a game ends on the board: by the position, by the clock's flag, by the kings' sign; and the proofs that this needs.

Material is judged here and at once. What needs a search is asked for (`analysis_wanted`) and comes back as an event, so
that the fold stays the same on any machine.

Source: FIDE Laws of Chess 2023, 5.1-5.2, 6.8, 6.9, 9.6; for the sign of the kings the makers' custom, which is no Law.
"""

from __future__ import annotations

from typing import Any

from board_firmware.core.events import Analysed, Side, other_side
from board_firmware.core.standing import Made, Question, Standing, name_of
from board_firmware.core.turn import Turn, side_of
from hal.squares import squares_of
from rules import (
    Color,
    Game,
    Illegal,
    Move,
    Outcome,
    PieceType,
    Position,
    Termination,
)
from rules.material import can_mate_on_material, insufficient_material

SIGN_NS = 5_000_000_000
"""How long the kings must stand in the centre: the custom's own figure."""

FINAL_NS = 5_000_000_000
"""How long a move that ended the game may still be revised: a unit lifted later is cleared away, not moved on."""

_DARK_CENTRE = (27, 36)
_LIGHT_CENTRE = (28, 35)
CENTRE = (1 << 27) | (1 << 28) | (1 << 35) | (1 << 36)


def color_of(side: Side) -> Color:
    """The rules' colour of a side."""
    return Color.WHITE if side == "white" else Color.BLACK


def by_position(position: Position) -> Outcome | None:
    """Mate, stalemate or a dead position on material."""
    if position.is_checkmate():
        return Outcome(position.turn.other, Termination.CHECKMATE)
    if position.is_stalemate():
        return Outcome(None, Termination.STALEMATE)
    if insufficient_material(position):
        return Outcome(None, Termination.DEAD_POSITION)
    return None


def by_move(game: Game) -> Outcome | None:
    """What the move just made has brought about without anybody's word."""
    return game.outcome()


def finish(s: Standing, result: str, termination: str, article: str | None = None) -> None:
    """The game is over: clocks stand, questions and offers lapse, penalties not carried out are void."""
    s.result, s.termination = result, str(termination)
    s.clock = s.clock.stop(s.now_ns)
    s.paused = None
    s.question = s.trouble = s.press = s.adjusting = None
    s.settle_at_ns = s.sign_since_ns = s.array_since_ns = None
    s.draw_offer = s.takeback = None
    if s.ended_by_move and s.turn.mover in s.flags:
        s.turn.report("flag_indicated_before_mate")
    s.say("game_over", article=article, result=result, termination=s.termination)


def may_reopen(s: Standing) -> bool:
    """Whether the game was ended by a move that may still turn out to be another one."""
    made = _made_the_end(s)
    return made is not None and not made.named


def final_at_ns(s: Standing) -> int | None:
    """When it no longer may, ns; a unit that is in the air then may still come down."""
    made = _made_the_end(s)
    return None if made is None else (s.last_change_ns if s.landing_open else made.at_ns) + FINAL_NS


def _made_the_end(s: Standing) -> Made | None:
    """The move that ended the game, while it is not final."""
    made = s.made
    return made if s.ended and s.ended_by_move and made is not None and made.move is not None else None


# ---- flags


def flag_down(s: Standing, side: Side) -> None:
    """A side's time has come to zero: the clock calls it, or shows it to the arbiter (6.8)."""
    if s.ended or side in s.flags:
        return
    s.flags.append(side)
    s.say("flag_fell", article="6.8", side=side)
    if s.settings.flag == "call":
        call_flag(s, side)


def call_flag(s: Standing, side: Side) -> None:
    """The flag is called: completed moves, mating material and the proof decide (6.3, 6.4, 6.9)."""
    if s.ended:
        return
    if s.recording_excused:
        s.pause(s.now_ns, "flag")
        s.report("move_count_for_arbiter")
        s.recording_excused = False
        return
    if s.clock.is_fulfilled(side):
        return
    opponent = other_side(side)
    if not can_mate_on_material(s.position, color_of(opponent)):
        finish(s, "1/2-1/2", Termination.TIME_NO_MATING_MATERIAL, "6.9")
        return
    want_proof(s, opponent)
    finish(s, win(opponent), Termination.TIME, "6.9")


def call_both_flags(s: Standing) -> None:
    """Both flags are down and nobody can say which fell first (Guidelines III.3.1.2)."""
    if s.ended:
        return
    if s.flags:
        s.report(f"flag_order:{s.flags[0]}")
    finish(s, "1/2-1/2", Termination.BOTH_FLAGS, "III.3.1.2")


def win(side: Side) -> str:
    """The result that is a win for a side."""
    return "1-0" if side == "white" else "0-1"


def no_mate_possible(s: Standing, side: Side) -> bool:
    """Whether a side cannot mate on material by any series of legal moves, in the position in force."""
    return not can_mate_on_material(s.position, color_of(side))


# ---- proofs


def want_proof(s: Standing, side: Side) -> None:
    """Ask whether a side can still mate at all."""
    fen = s.position.fen()
    if (fen, side) in s.wanted or s.settings.analysis_nodes == 0:
        return
    s.wanted.append((fen, side))
    s.say("analysis_wanted", final=False, fen=fen, side=side, nodes=s.settings.analysis_nodes)


def look_deeper(s: Standing) -> None:
    """Where every pawn is blocked by a pawn the position may be dead though the material is not: ask for the proof."""
    if _rammed(s.position):
        want_proof(s, "white")
        want_proof(s, "black")


def _rammed(position: Position) -> bool:
    white = position.pieces(Color.WHITE, PieceType.PAWN)
    black = position.pieces(Color.BLACK, PieceType.PAWN)
    if not white or not black:
        return False
    return not (white & ~(black >> 8) or black & ~(white << 8))


def analysed(s: Standing, answer: Analysed) -> None:
    """A proof has come in; it may have been overtaken by the game."""
    if (answer.fen, answer.side) not in s.wanted:
        return
    s.wanted.remove((answer.fen, answer.side))
    s.say("analysed", final=False, fen=answer.fen, side=answer.side, verdict=answer.verdict, nodes=answer.nodes)
    if answer.verdict != "unwinnable":
        return
    if s.termination == Termination.TIME and s.result == win(answer.side) and answer.fen == s.position.fen():
        if s.settings.unwinnable == "apply":
            finish(s, "1/2-1/2", Termination.TIME_NO_MATING_LINE, "6.9")
        else:
            s.report("unwinnable_candidate")
        return
    if s.ended or answer.fen != s.position.fen():
        return
    if ("dead", answer.side) not in s.wanted:
        s.wanted.append(("dead", answer.side))
    if all(("dead", side) in s.wanted for side in ("white", "black")):
        s.wanted = [one for one in s.wanted if one[0] != "dead"]
        if s.settings.unwinnable == "apply":
            s.ended_by_move = True
            finish(s, "1/2-1/2", Termination.DEAD_POSITION, "5.2.2")
        else:
            s.turn.report("dead_position_candidate")


# ---- the kings' sign


def _kings(position: Position) -> int:
    return (1 << position.king(Color.WHITE)) | (1 << position.king(Color.BLACK))


def _sign(s: Standing) -> tuple[int, ...] | None:
    """The two centre squares on which the kings stand, by the custom; None: no sign, or one not to be told from play."""
    position = s.position
    kings, before = _kings(position), position.occupied
    filled = s.occupancy & ~before & ~s.masked
    away = kings & ~s.occupancy
    standing = kings & s.occupancy & CENTRE
    if filled & ~CENTRE or (before & CENTRE & ~kings & s.occupancy):
        return None
    if away == kings and filled.bit_count() == 2:
        return tuple(squares_of(filled))
    if away.bit_count() == 1 and standing.bit_count() == 1 and filled.bit_count() == 1:
        return tuple(sorted((*squares_of(filled), *squares_of(standing))))
    return None


def may_be_result_sign(s: Standing) -> bool:
    """Whether a king may be on its way to the centre: then a refusal waits, and the five seconds begin."""
    position = s.position
    filled = s.occupancy & ~position.occupied & ~s.masked
    if not filled & CENTRE or not _kings(position) & ~s.occupancy:
        return False
    s.sign_since_ns = s.last_change_ns
    return True


def watch_sign(s: Standing) -> None:
    """After a reed's change: start or drop the five seconds of a sign."""
    s.sign_since_ns = s.last_change_ns if not s.ended and s.started and _sign(s) is not None else None


def sign_due(s: Standing) -> bool:
    """The five seconds are over; whether the sign stands. If so it is proposed, and king moves that were it are undone."""
    s.sign_since_ns = None
    squares = _sign(s)
    if squares is None or s.ended:
        return False
    if s.made is not None and s.turn.position.kind_at(s.made.footprint.legs[0][0]) is PieceType.KING:
        s.retract(s.made.breach)
        s.say("move_revised", was=s.made.move, now=None)
    if s.made is not None and s.made.footprint.landings & CENTRE:
        s.made = s.reply = None
        s.turn = Turn.fresh(s.turn.game, s.masked)
        s.legal = None
    s.trouble = None
    if set(squares) == set(_LIGHT_CENTRE):
        result = "1-0"
    elif set(squares) == set(_DARK_CENTRE):
        result = "0-1"
    else:
        result = "1/2-1/2"
    s.sign_squares = squares
    if not s.settings.refuses:
        s.moving.report("possible_result_sign")
    s.say("result_proposed", final=False, result=result, squares=[name_of(one) for one in squares])
    s.ask(Question(word="confirm_result", proposal=result))
    return True


def reasons(game: Game, attempt: Move | None) -> list[dict[str, Any]] | None:
    """Why an attempt is illegal, in the contract's form; None where the wood does not name a move."""
    if attempt is None:
        return None
    verdict = game.judge(attempt.from_square, attempt.to_square, attempt.promotion)
    if not isinstance(verdict, Illegal):
        return None
    return [
        {
            "word": str(reason.word),
            "squares": [name_of(square) for square in reason.squares],
            "by": [name_of(square) for square in reason.by],
            "article": reason.article,
        }
        for reason in verdict.reasons
    ]


def turn_side(position: Position) -> Side:
    """Who has the move in a position."""
    return side_of(position)
