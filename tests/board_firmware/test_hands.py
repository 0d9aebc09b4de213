"""A move taken apart reads as that move again, in every order the Laws allow."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprints
from board_firmware.core.gesture import Trace, read
from board_firmware.hands.orders import Legs, Step, changes, legs, orders, path
from rules import Move, Position, parse_square, square_name

POSITIONS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "captures": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "en passant": "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "promotion": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "two victims": "4k3/8/8/2p1p3/3B4/2p1p3/8/4K3 w - - 0 1",
}
CHESS960 = {
    "king steps onto the rook": "1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1",
    "king stays": "rk4r1/8/8/8/8/8/8/R5KR w HAga - 0 1",
    "rook stays": "4k3/8/8/8/8/8/8/R3KR2 w FA - 0 1",
    "rook goes where the king was": "5rk1/8/8/8/8/8/8/1RK4R w HB - 0 1",
}


def position_of(name: str) -> Position:
    """A position of the two tables."""
    return Position.from_fen(CHESS960[name], chess960=True) if name in CHESS960 else Position.from_fen(POSITIONS[name])


def read_back(position: Position, trace: list[SquareChanged]) -> tuple[Move, ...]:
    """The moves that a trace reads as: one, or the four promotions of one pawn."""
    complete = read(Footprints(position), Trace(position.occupied, trace)).complete
    return () if complete is None else complete.moves


@pytest.mark.parametrize("name", [*POSITIONS, *CHESS960])
def test_every_order_of_every_move_reads_as_the_move(name: str) -> None:
    """``read(hands(move)) == {move}``, promotions up to the piece, which no reed sees."""
    position = position_of(name)
    for move in position.legal_moves():
        for steps in orders(position, move):
            moves = read_back(position, list(changes(steps)))
            assert move in moves, (name, move, steps)
            assert len({(one.from_square, one.to_square) for one in moves}) <= 1


def test_steps_in_one_scan_read_alike() -> None:
    """Where the stamps of neighbouring lifts fall together the reading is the same."""
    position = position_of("captures")
    for move in position.legal_moves():
        for steps in orders(position, move):
            same = [
                SquareChanged(square=step.square, occupied=not step.lifts, at_ns=10 if step.lifts else 20)
                for step in steps
            ]
            if legs(position, move).kind != "castling":
                assert move in read_back(position, same), (move, steps)


def test_the_legs_of_each_kind() -> None:
    """Plain, capture, en passant, castling and both promotions are told apart."""

    def kinds(name: str) -> set[str]:
        position = position_of(name)
        return {legs(position, move).kind for move in position.legal_moves()}

    assert kinds("start") == {"plain"}
    assert kinds("captures") == {"plain", "capture", "castling"}
    assert kinds("en passant") == {"plain", "en_passant"}
    assert kinds("promotion") == {"plain", "capture", "promotion", "promotion_capture"}


def test_en_passant_names_the_victims_square() -> None:
    """The pawn that leaves stands beside the landing square."""
    squares = [parse_square(name) for name in ("e5", "f6", "f5")]
    assert legs(position_of("en passant"), Move(squares[0], squares[1])) == Legs(
        kind="en_passant", origin=squares[0], landing=squares[1], victim=squares[2]
    )


def test_castling_lifts_the_king_first() -> None:
    """Rook first would be a rook's move (4.4.2); the rook may still come down before the king."""
    position = position_of("captures")
    found = orders(position, Move.from_uci("e1g1"))
    assert all(steps[0] == Step(True, parse_square("e1")) for steps in found)
    assert len(found) == 3


def test_no_unit_comes_down_on_another() -> None:
    """Every order is possible for wood: a landing is empty when a unit comes down on it."""
    for name in (*POSITIONS, *CHESS960):
        position = position_of(name)
        for move in position.legal_moves():
            for steps in orders(position, move):
                standing = position.occupied
                for step in steps:
                    assert bool(standing >> step.square & 1) is step.lifts, (name, move, steps)
                    standing ^= 1 << step.square
                assert standing == position.play(move).occupied


@pytest.mark.parametrize(
    ("origin", "landing", "between"),
    [("a1", "a4", "a2 a3"), ("h8", "e5", "g7 f6"), ("e2", "e3", ""), ("g1", "f3", "g2 g3"), ("b1", "d2", "c1 d1"),
     ("h4", "d4", "g4 f4 e4"), ("a1", "c4", "")],
)  # fmt: skip
def test_the_squares_between(origin: str, landing: str, between: str) -> None:
    """A slide goes along its line, a knight's along the longer arm of its corner."""
    found = path(parse_square(origin), parse_square(landing))
    assert " ".join(square_name(square) for square in found) == between


@given(st.integers(0, 2**32), st.integers(0, 60))
@settings(deadline=None, max_examples=60)
def test_slides_rests_and_adjusting_vanish(seed: int, plies: int) -> None:
    """In random positions a move with stops on its way, and pieces straightened on their squares, reads as the move.

    Only squares that no other unit stands on can be stopped at; straightening lifts a unit and puts it back.
    """
    rng = random.Random(seed)
    position = Position.start()
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    moves = position.legal_moves()
    if not moves:
        return
    move = rng.choice(moves)
    steps: list[Step] = []
    for step in rng.choice(orders(position, move)):
        standing = [square for square in range(64) if position.occupied >> square & 1 and square != move.from_square]
        if rng.random() < 0.3 and not steps:
            square = rng.choice(standing)
            steps += [Step(True, square), Step(False, square, square)]
        if not step.lifts and step.of is not None and rng.random() < 0.6:
            for square in path(step.of, step.square):
                if not position.occupied >> square & 1:
                    steps += [Step(False, square, step.of), Step(True, square)]
        steps.append(step)
        if not step.lifts and rng.random() < 0.5:
            steps += [Step(True, step.square), Step(False, step.square, step.of)]
    if legs(position, move).kind == "castling":
        return  # a rook straightened first is another story (4.4.2), and has its own cases
    assert move in read_back(position, list(changes(steps))), (position, move, steps)
