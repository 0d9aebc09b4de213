"""The array set up again in the middle of a game: asks whether the game is over, and never begins anew by itself.

Players who have agreed on a result at the board, or given up, set the pieces up and say nothing. Some of what they do
then looks like moves, and the board cannot know better; so it waits until the array rests, and asks. If the game is
over, the last moves that only put pieces back were none: a move in doubt is not recorded.
"""

from __future__ import annotations

from board_firmware.core import ends
from board_firmware.core.standing import Question, Standing
from board_firmware.core.takebacks import take_back_to
from rules import Move, Position, Termination

REST_NS = 5_000_000_000
"""How long the array must stand: as long as the kings' sign."""

LEAST_SQUARES = 4
"""Squares in which the array must differ from the position in force: fewer may be a move or two taken back by hand."""

UNFINISHED = "*"
"""The result that is proposed: none."""


def watch(s: Standing, at_ns: int) -> None:
    """After a reed's change: start or drop the five seconds, and the question once the array is gone again."""
    shown = _is_shown(s)
    s.array_since_ns = at_ns if shown else None
    if not shown and s.question is not None and s.question.proposal == UNFINISHED:
        s.question = None


def due(s: Standing) -> None:
    """The five seconds are over: ask, if nothing else is asked."""
    s.array_since_ns = None
    if s.question is None and _is_shown(s):
        s.say("result_proposed", final=False, result=UNFINISHED)
        s.ask(Question(word="confirm_result", proposal=UNFINISHED))


def give_up(s: Standing) -> None:
    """The players or the arbiter confirm that the game is over; what only put pieces back is taken out of it."""
    array, before = s.game.start_position, None
    made = [] if s.made is None or s.made.move is None else [(s.made.move, s.at_turn_start(), s.made.pressed)]
    plies = [(ply.move, ply.before, ply.pressed) for ply in s.plies]
    for move, then, pressed in reversed(plies + made):
        if pressed or not _puts_back(array, then.position, move):
            break
        before = then
        s.say("move_taken_back", move=move)
    if before is not None:
        take_back_to(s, before)
    ends.finish(s, UNFINISHED, Termination.ABANDONED)


def _puts_back(array: Position, position: Position, move: Move) -> bool:
    """Whether a move sets a unit on a square on which such a unit stands in the array."""
    return move.promotion is None and array.piece_at(move.to_square) == position.piece_at(move.from_square)


def _is_shown(s: Standing) -> bool:
    if not s.started or s.ended:
        return False
    array = s.game.start_position.occupied
    differs = array ^ s.position.occupied
    return not (array ^ s.occupancy) & ~s.masked and (differs & ~s.masked).bit_count() >= LEAST_SQUARES
