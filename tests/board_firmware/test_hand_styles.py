"""Every style of hands does what it means: the wood stands as after the move, and the reeds mostly say so."""

from __future__ import annotations

import random

import pytest

from board_firmware.core.events import SquareChanged
from board_firmware.core.footprint import Footprints
from board_firmware.core.gesture import Reading, Trace, read
from board_firmware.hands.styles import BLITZ, HUMAN, ROUGH, STYLES, TIDY, Gesture, Style, gesture
from hal.motion import Drag, Lift, Nudge, Place, PressButton, PressLever, end_ms
from hal.simulated import SimulatedBoard
from rules import Move, Position

CROWDED = "r3k2r/pPp1qpb1/bn3np1/3pP3/1p2P3/2N2Q1p/pPPBBPPP/1R2K2R w Kkq d6 0 1"


def positions(seed: int, games: int = 3) -> list[tuple[Position, Move]]:
    """A chain of random games: each position with the move played from it."""
    rng = random.Random(seed)
    found: list[tuple[Position, Move]] = []
    for number in range(games):
        position = Position.from_fen(CROWDED) if number % 2 else Position.start()
        for _ in range(80):
            moves = position.legal_moves()
            if not moves:
                break
            move = rng.choice(moves)
            found.append((position, move))
            position = position.play(move)
    return found


def played(position: Position, move: Move, one: Gesture, seed: int) -> tuple[SimulatedBoard, Reading]:
    """A gesture on a board that stands as the position says, and what the reader makes of it."""
    board = SimulatedBoard(seed=seed, occupancy=position.occupied)
    events = board.advance(board.act(one.motions) + 200_000_000)
    changes = sorted((event for event in events if isinstance(event, SquareChanged)), key=lambda event: event.at_ns)
    return board, read(Footprints(position), Trace(position.occupied, changes))


@pytest.mark.parametrize("name", STYLES)
def test_the_wood_stands_as_after_the_move(name: str) -> None:
    """Whatever slips on the way: nothing is taken hold of that is not there, and all ends where it belongs."""
    rng = random.Random(1)
    for number, (position, move) in enumerate(positions(2)):
        one = gesture(position, move, "white", STYLES[name], rng)
        board, _ = played(position, move, one, number)
        assert board.slips == 0, (position, move, one)
        assert board.standing == position.play(move).occupied, (position, move, one)


@pytest.mark.parametrize(("name", "share"), [("tidy", 1.0), ("human", 0.99), ("rough", 0.97), ("blitz", 0.98)])
def test_what_is_read_is_the_move_and_never_another(name: str, share: float) -> None:
    """The reader may need a unit straightened first; it never reads a move that was not made."""
    rng = random.Random(3)
    right = total = 0
    for number, (position, move) in enumerate(positions(4)):
        _, reading = played(position, move, gesture(position, move, "white", STYLES[name], rng), number)
        total += 1
        if reading.complete is not None:
            assert move in reading.complete.moves, (position, move)
            right += 1
    assert right >= share * total


def test_the_same_dice_make_the_same_gesture() -> None:
    """A seed is a game: no other chance comes in."""
    for style in (HUMAN, ROUGH, BLITZ):
        first, second = ([gesture(p, m, "white", style, random.Random(5)) for p, m in positions(6, 1)] for _ in "12")
        assert first == second


def test_tidy_hands_have_no_surprises() -> None:
    """Lift, place, press, in the usual order, on the centre."""
    position, move = Position.start(), Move.from_uci("g1f3")
    one = gesture(position, move, "white", TIDY, random.Random(0))
    lifted, placed, pressed = one.motions
    assert (lifted, placed) == (Lift(square=6, at_ms=0, ms=250), Place(square=21, of=6, at_ms=350, ms=250))
    assert pressed == PressLever(side="white", at_ms=750)
    assert (one.rest_ms, one.press_ms) == (600, 750)


def test_without_a_press() -> None:
    """Where players do not press, no lever moves."""
    one = gesture(Position.start(), Move.from_uci("e2e4"), "white", HUMAN, random.Random(1), presses=False)
    assert one.press_ms is None
    assert not any(isinstance(motion, PressLever) for motion in one.motions)


def test_blitz_takes_less_than_400_ms() -> None:
    """From the first touch until the unit is down, for plain moves."""
    rng = random.Random(8)
    found = [gesture(Position.start(), Move.from_uci("g1f3"), "white", BLITZ, rng) for _ in range(200)]
    ends = [max(end_ms(motion) for motion in one.motions if isinstance(motion, Place | Drag)) for one in found]
    assert max(end - one.touches[6] for end, one in zip(ends, found, strict=True)) < 400


def test_the_king_is_lifted_first_in_castling() -> None:
    """No style of hands touches the rook first (4.4.2)."""
    position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    rng = random.Random(9)
    for style in STYLES.values():
        for uci in ("e1g1", "e1c1"):
            for _ in range(50):
                motions = gesture(position, Move.from_uci(uci), "white", style, rng).motions
                king, rook = [one for one in motions if isinstance(one, Lift)][-2:]
                assert king.square == 4
                assert end_ms(king) <= rook.at_ms


def test_only_the_announced_units_are_lifted_besides_the_moves() -> None:
    """Touch-move: a hand lifts what the move needs, and others between two presses of the adjust button."""
    announcing = Style(announce=1.0, shift=1.0, bump=1.0)
    for position, move in positions(11, 1):
        one = gesture(position, move, "black", announcing, random.Random(12))
        buttons = [motion.at_ms for motion in one.motions if isinstance(motion, PressButton)]
        after = position.play(move).occupied
        for motion in one.motions:
            if isinstance(motion, Lift) and position.occupied & after & (1 << motion.square):
                captured = position.captured_square(move) == motion.square
                assert captured or buttons[0] < motion.at_ms < buttons[1]


def test_styles_do_what_their_numbers_say() -> None:
    """Each share, set to one, shows: sliding, resting, second thoughts, pushing, shifting, straightening."""
    position = Position.from_fen("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1")
    quiet, capture = Move.from_uci("d1d4"), Move.from_uci("d1d5")

    def motions(move: Move, style: Style) -> list[object]:
        return list(gesture(position, move, "white", style, random.Random(1)).motions)

    assert isinstance(motions(quiet, Style(slide=1))[0], Drag)
    assert len([one for one in motions(quiet, Style(hesitate=1)) if isinstance(one, Place)]) == 2
    assert len([one for one in motions(quiet, Style(change=1)) if isinstance(one, Place)]) == 2
    hovering = motions(quiet, Style(hover=1))[0]
    assert isinstance(hovering, Drag)
    assert hovering.height_mm > 0
    assert [one.off for one in motions(capture, Style(push=1)) if isinstance(one, Drag)] == [False, True]
    assert isinstance(motions(quiet, Style(shift=1))[0], Nudge)
    assert isinstance(motions(quiet, Style(straighten=1))[-2], Nudge)
    assert isinstance(motions(quiet, Style(edge=1))[-2], Nudge)
