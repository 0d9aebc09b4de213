"""Which squares are lit now and why, in the contract's words: repairs first, then what is to be finished, then hints.

The tournament profile lights only what must be put right, and after a ruling: a hint there would be a breach of 11.3.1
and 12.6. How a word looks, its colour and blinking, is `outputs`' affair.
"""

from __future__ import annotations

from board_firmware.core.footprint import OFF_BOARD
from board_firmware.core.gesture import castling_begun, committed
from board_firmware.core.standing import Standing
from hal.squares import squares_of


def lamps(s: Standing) -> dict[int, str]:
    """Lamp words by square."""
    if not s.started:
        return _repairs(s, s.position.occupied)
    lit: dict[int, str] = {}
    if s.knock is not None or s.trouble is not None:
        finish = _finishing(s) if s.settings.hints != "none" else {}
        expected = s.knock.before if s.knock is not None else s.trouble.expected if s.trouble is not None else 0
        return finish or _repairs(s, _nearest(s, expected) if s.settings.hints != "none" else expected)
    if s.question is not None and s.question.squares:
        word = "promotion" if s.question.word == "promotion_piece" else "question"
        return {square: word for square, _ in s.question.squares}
    if s.settings.hints == "none":
        return {}
    lit = _finishing(s)
    if lit:
        return lit
    if s.settings.hints == "teach":
        lit = _legal_squares(s)
        if lit:
            return lit
    if s.ended or s.moving.touched:
        return {}
    return _last_move(s)


def _repairs(s: Standing, expected: int) -> dict[int, str]:
    differs = (expected ^ s.occupancy) & ~s.masked
    return {square: "place" if expected >> square & 1 else "clear" for square in squares_of(differs)}


def _finishing(s: Standing) -> dict[int, str]:
    """The squares that finish a castling or an en passant capture that a unit's place has begun (4.7)."""
    turn = s.moving  # without a press the reply is under way while the move before it is only made
    if s.ended or (s.made is not None and s.reply is None):
        return {}
    footprints, trace = turn.footprints, turn.trace
    for one in footprints.castlings:
        if castling_begun(one, footprints, trace) and turn.obligation().permits(one.move):
            (king_from, king_to), (rook_from, rook_to) = one.legs
            wrong = turn.filled & ~(1 << king_to)
            if not turn.opened >> rook_from & 1:
                wrong |= 1 << rook_from
            elif not turn.opened >> king_from & 1:
                wrong |= 1 << king_from
            return dict.fromkeys((*squares_of(wrong), rook_to), "castling_rook")
    for move in committed(footprints, trace):
        if turn.position.is_en_passant(move):
            victim = turn.position.captured_square(move)
            return {} if victim is None else {victim: "en_passant_victim"}
    return {}


def _nearest(s: Standing, expected: int) -> int:
    """The occupancy to which the least must be changed: that of the position in force, or after a move under way."""
    best, fewest = expected, ((expected ^ s.occupancy) & ~s.masked).bit_count()
    turn = s.turn
    if s.made is not None or s.knock is not None or s.trouble is None or s.trouble.kind != "refused":
        return best
    duty = turn.obligation()
    for one in turn.footprints.all:
        origin, landing = one.legs[0]
        began = turn.opened >> origin & 1 and turn.filled >> landing & 1
        differs = ((one.after ^ s.occupancy) & ~s.masked).bit_count()
        if began and 0 < differs < fewest and duty.permits(one.move):
            best, fewest = one.after, differs
    return best


def _legal_squares(s: Standing) -> dict[int, str]:
    """The squares of a lifted unit: its own, those it may go to, and those it may capture on."""
    turn = s.moving
    air = turn.own_in_air()
    if len(air) != 1 or turn.filled:
        return {}
    lit = {air[0]: "origin"}
    duty = turn.obligation()
    for one in turn.footprints.all:
        if one.move.from_square != air[0] or not any(duty.permits(move) for move in one.moves):
            continue
        captures = any(landing == OFF_BOARD for _, landing in one.legs)
        lit[one.legs[0][1]] = "capture" if captures else "legal"
    return lit


def _last_move(s: Standing) -> dict[int, str]:
    move = s.made.move if s.made is not None else s.plies[-1].move if s.plies else None
    if move is None:
        return {}
    return {move.from_square: "last_move", move.to_square: "last_move"}
