"""Moves that no reed has shown whole: found for a press, or for a player who insists, and asked about.

Never taken for played: a reed that fails says nothing about the move, so the board asks which of them it was.
"""

from __future__ import annotations

from board_firmware.core.events import Side
from board_firmware.core.footprint import Footprint
from board_firmware.core.standing import Press, Question, Standing
from board_firmware.core.turn import Turn, on_the_way
from hal.squares import squares_of
from rules import Move


def landed_without_lift(turn: Turn) -> tuple[Move, ...]:
    """The moves to the one square that filled while no reed opened: the unit's own reed may be stuck closed."""
    if turn.opened or turn.filled.bit_count() != 1:
        return ()
    moves = [move for move in turn.position.legal_moves() if move.to_bit == turn.filled and move.promotion is None]
    return tuple(sorted(moves, key=Move.uci))


def stuck_behind(s: Standing) -> tuple[Move, ...]:
    """The castlings that lie on the board but for a square left whose reed is stuck closed."""
    turn = s.turn
    wood = s.occupancy & ~turn.masked
    moves = [
        one.move
        for one in turn.footprints.castlings
        if turn.filled and turn.opened and wood & ~one.origins == one.after & ~one.origins & ~turn.masked != wood
    ]
    return tuple(moves)


def unseen(turn: Turn, landings: int = 0) -> tuple[Move, ...]:
    """The moves of which some reed may have missed a part.

    Those of a unit in the air; else captures of a unit that was lifted while its square is filled; else moves from a
    square whose reed is lost, or to one of ``landings``: what was named as stuck closed may be a unit that stands there.
    """
    own = sum(1 << square for square in turn.own_in_air())
    refilled = 0
    for square in turn.trace.last_place:
        if turn.is_enemy(square) and square in turn.trace.last_lift and turn.trace.occupancy >> square & 1:
            refilled |= 1 << square
    moves = [
        move
        for one in turn.footprints.all
        if not turn.opened & ~one.origins and not turn.filled & ~one.landings
        for move in one.moves
        if (
            own >> one.own_origin & 1
            if own
            else move.to_bit & (refilled | landings) or turn.masked >> one.own_origin & 1
        )
    ]
    return tuple(sorted(moves, key=Move.uci))


def ask_which_move(s: Standing, candidates: tuple[Move, ...], since: int | None = None, lost: int = 0) -> None:
    """Ask which of these moves the mover has made; changes from index ``since`` on may be the answer (None: none yet).

    ``lost`` squares show no man, and should if it was one of them: they are lit.
    """
    index = len(s.turn.trace.changes) if since is None else since
    lit = tuple((square, candidates[0].uci()) for square in squares_of(lost))
    s.ask(Question(word="which_move", candidates=candidates, side=s.turn.mover, since=index, lost=lost, squares=lit))


def ask_unseen(s: Standing, candidates: tuple[Move, ...], side: Side, at_ns: int, lost: int = 0) -> None:
    """Ask which of these moves lies on the board; the press stands until it is answered."""
    s.press = Press(side=side, at_ns=at_ns, until_ns=None)
    s.trouble = None
    ask_which_move(s, candidates, lost=lost)


def strays(turn: Turn, one: Footprint) -> bool:
    """Whether the unit was last seen on its way to somewhere else than the square on which a capture was inferred."""
    origin, landing = one.legs[0]
    return any(
        not on_the_way(origin, square, landing)
        for square in turn.trace.first_place
        if not (one.origins | one.landings | turn.trace.occupancy) >> square & 1
    )
