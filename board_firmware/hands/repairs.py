"""What players do when the board asks, or does not see what they did: answers, straightening, playing again.

People answer by the means they have: a promotion by its button or on a lit square, a capture by lifting the captor and
setting it down again, anything else at the page. A move that the board does not show is waited for, then the units are
straightened, set down anew, the clock is pressed again, and at last everything goes back and the move is made once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from board_firmware.core.events import Answered, Chosen, DrawAccepted, Side, TakebackAsked, other_side
from board_firmware.hands.orders import legs
from board_firmware.hands.styles import TIDY, gesture
from board_firmware.hands.table import Table
from hal.motion import Lift, Motion, Nudge, Place, PressButton, PressLever
from rules import Color, Move, PieceType, Position, parse_square

ANSWER_NS = 2_000_000_000
"""How long a player looks at a question before he answers it."""

PATIENCE_NS = 1_500_000_000
"""How long players wait for the board to show a move before they look what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What has been played at the table, as its players know it."""

    positions: Sequence[Position]
    """From the beginning on; the last is how the wood is meant to stand."""
    moves: Sequence[Move]
    """The moves on the board: ``moves[n]`` leads from ``positions[n]``."""
    pressed: bool
    """Whether the clock was pressed after the last move."""

    @property
    def plies(self) -> int:
        """How many moves lie on the board."""
        return len(self.moves)


def put_right(table: Table, played: Played, random: Random, *, by_hand: bool) -> bool:
    """Do what helps until the board shows all that was played; False if nothing did."""
    for step in _REMEDIES:
        for _ in range(4):  # an answer may lead to another question
            if not answer(table, played, random, by_hand=by_hand):
                break
        if table.shows(played.moves):
            _press_if_needed(table, played)
            return True
        if table.over and step not in _SEEING:
            return False
        step(table, played)
    return table.shows(played.moves)


def answer(table: Table, played: Played, random: Random, *, by_hand: bool) -> bool:
    """Answer the open question after two seconds; False if there is none."""
    if not table.asks:
        return False
    table.run_to(max(table.now_ns, table.asked_ns + ANSWER_NS))
    ask = table.asks
    if ask is None:
        return True
    number = min(len(table.recorded), played.plies - 1)
    meant = played.moves[number]
    landing = legs(played.positions[number], meant).landing
    if ask == "promotion_piece" and meant.promotion is not None:
        _promote(table, meant, meant.promotion, on_squares=by_hand and random.random() < 0.5)
        return True
    if ask == "which_capture" and played.positions[-1].occupied >> landing & 1:
        table.act(_anew(landing))
        if table.asks != ask:
            return True
    if ask in ("which_capture", "which_move"):
        if meant.uci() in table.core.view().state["board"].get("candidates", ()):
            table.say(Chosen(choice=meant.uci(), at_ns=table.now_ns))
        else:
            table.act([PressButton(button="back")])
    else:
        table.say(Answered(yes=ask != "confirm_result", at_ns=table.now_ns))
    return True


def _promote(table: Table, move: Move, piece: PieceType, *, on_squares: bool) -> None:
    """Name the piece: by its button, or on the lit square that stands for it (queen, rook, bishop, knight)."""

    def distance(square: int) -> int:
        files, ranks = (square & 7) - (move.to_square & 7), (square >> 3) - (move.to_square >> 3)
        return max(abs(files), abs(ranks))

    lamps = table.core.view().state["lamps"]
    lit = [parse_square(name) for name, why in lamps.items() if why == "promotion"]
    lit = sorted((square for square in lit if square != move.to_square), key=lambda square: (distance(square), square))
    letter = piece.letter
    if on_squares and len(lit) == 4:
        square = lit["qrbn".index(letter)]
        table.act([Place(square=square, of=None), Lift(square=square, at_ms=700)])
    else:
        table.act([PressButton(button=f"promote_{letter}")])


def _wait(table: Table, played: Played) -> None:
    table.wait_until_shown(played.moves, PATIENCE_NS)


def _landings(played: Played, plies: int) -> list[int]:
    """Squares on which the last moves have set units that stand there still."""
    squares: list[int] = []
    for number in range(max(0, played.plies - plies), played.plies):
        one = legs(played.positions[number], played.moves[number])
        squares += [square for square in (one.landing, one.rook_to) if square is not None]
    standing = played.positions[-1].occupied
    return [square for square in dict.fromkeys(squares) if standing >> square & 1]


def _straighten(table: Table, played: Played) -> None:
    """The units that moved last, and those that the board misses."""
    standing = played.positions[-1].occupied
    missed = (table.core.view().state.get("restore") or {}).get("place", ())
    squares = _landings(played, 2)
    squares += [square for square in map(parse_square, missed) if standing >> square & 1 and square not in squares]
    table.act([Nudge(square=square, at_ms=300 * number) for number, square in enumerate(squares)])


def _anew(square: int, at_ms: float = 0.0) -> list[Motion]:
    return [Lift(square=square, at_ms=at_ms), Place(square=square, of=square, at_ms=at_ms + 400)]


def _reseat(table: Table, played: Played) -> None:
    motions: list[Motion] = []
    for number, square in enumerate(_landings(played, 1)):
        motions += _anew(square, 1000 * number)
    table.act(motions)


def _press_again(table: Table, played: Played) -> None:
    if played.pressed:
        mover = side_to_move(played.positions[-2])
        table.act([PressLever(side=other_side(mover)), PressLever(side=mover, at_ms=300)])
    if not table.shows(played.moves) and not table.asks:
        table.act([PressButton(button="ok")])


def _press_if_needed(table: Table, played: Played) -> None:
    """The clock still runs for the player who has moved: his press was refused or withdrawn, and is given again."""
    if table.core.view().state["clock"] == side_to_move(played.positions[-2]):
        _press_again(table, played)


def _play_again(table: Table, played: Played) -> None:
    """Back to where board and players last agreed, by takebacks if need be, and on from there with care."""
    agreed = 0
    while agreed < min(len(table.recorded), played.plies) and table.recorded[agreed] is played.moves[agreed]:
        agreed += 1
    agreed = min(agreed, played.plies - 1)
    if agreed < len(table.recorded) and table.recorded[agreed] is not played.moves[agreed]:
        table.corrected.add(agreed)
    for _ in range(len(table.recorded) - agreed):
        asker = (
            side_to_move(played.positions[0])
            if len(table.recorded) % 2
            else other_side(side_to_move(played.positions[0]))
        )
        table.say(TakebackAsked(side=asker, at_ns=table.now_ns))
        table.say(DrawAccepted(side=other_side(asker), at_ns=table.now_ns))
    for number in range(played.plies - 1, agreed - 1, -1):
        table.act(_back(played.positions[number], played.moves[number]))
    _overrule(table, played.positions[agreed])
    for number in range(agreed, played.plies):
        table.wait_until_shown(played.moves[:number], PATIENCE_NS)
        position = played.positions[number]
        again = gesture(position, played.moves[number], side_to_move(position), TIDY, Random(0), presses=played.pressed)
        table.act(again.motions)


def _overrule(table: Table, position: Position) -> None:
    """The wood stands as it should, and the board does not see it: the players say so with a button."""
    view = table.core.view()
    if view.state.get("restore") or view.occupancy != position.occupied:
        table.act([PressButton(button="ok")])


def _back(position: Position, move: Move) -> list[Motion]:
    """The motions that undo a move on the board."""
    one = legs(position, move)
    motions: list[Motion]
    if one.rook_from is not None and one.rook_to is not None:
        motions = [Lift(square=square, at_ms=at) for square, at in ((one.landing, 0.0), (one.rook_to, 400.0))]
        motions.append(Place(square=one.origin, of=one.landing, at_ms=800))
        motions.append(Place(square=one.rook_from, of=one.rook_to, at_ms=1200))
    else:
        pawn = None if move.promotion is not None else one.landing
        motions = [Lift(square=one.landing), Place(square=one.origin, of=pawn, at_ms=400)]
    if one.victim is not None:
        motions.append(Place(square=one.victim, of=None, at_ms=1600))
    return motions


def side_to_move(position: Position) -> Side:
    """The side that has the move."""
    return "white" if position.turn is Color.WHITE else "black"


_REMEDIES = (
    _wait, _straighten, _reseat, _press_again, _straighten, _play_again, _wait, _play_again, _press_again, _wait,
)  # fmt: skip
"""What is tried, in this order, until the board shows what was played."""

_SEEING = (_wait, _straighten, _reseat, _press_again)
"""What players do also where the board says that the game is over, and they know that it is not."""
