"""Every legal move, in every order of its lifts and places, with what hands do on the way: read right or asked."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from board_firmware.core.events import Chosen, GameStarted, LeverMoved, SquareChanged, Tick
from board_firmware.core.session import Session
from board_firmware.hands.orders import Step, orders, path
from rules import Move, Position

MS = 1_000_000


def walked(rng: random.Random) -> Position:
    """A position some random moves into a game."""
    position = Position.start()
    for _ in range(rng.randrange(90)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


def acted(steps: tuple[Step, ...], position: Position, how: str, rng: random.Random) -> Iterator[tuple[int, bool, int]]:
    """(square, occupied, gap in ms) of a hand that plays these steps in one of several ways."""
    first = True
    wood = position.occupied
    for step in steps:
        if step.lifts:
            wood &= ~(1 << step.square)
            if how == "put_back" and first:
                yield step.square, False, 300
                yield step.square, True, 300
            yield step.square, False, 300 if how != "hasty" else 40
        else:
            way = path(step.of, step.square) if step.of is not None and how in ("slide", "rest") else ()
            for square in way:
                if not wood >> square & 1:
                    yield square, True, 60 if how == "slide" else rng.choice((100, 900))
                    yield square, False, 60
            wood |= 1 << step.square
            yield step.square, True, 300 if how != "hasty" else 40
            if how == "bump":
                yield step.square, False, 80
                yield step.square, True, 80
        first = False


def play(position: Position, move: Move, steps: tuple[Step, ...], how: str, profile: str, rng: random.Random) -> str:
    """What the board made of it: ``right``, ``asked`` or what it holds instead."""
    session = Session()
    at = 0
    session.receive(
        GameStarted(at_ns=at, fen=position.fen(), chess960=position.chess960, profile=profile, control="standard")
    )
    for square, occupied, gap in acted(steps, position, how, rng):
        at += gap * MS
        session.receive(SquareChanged(square=square, occupied=occupied, at_ns=at))
    side = str(position.turn)
    if move.promotion is not None:
        at += 400 * MS
        session.receive(Tick(at_ns=at))
        if session.state()["board"]["ask"] == "promotion_piece":
            session.receive(Chosen(choice=move.promotion.letter, at_ns=at))
    at += (20 if how == "hasty" else 200) * MS
    session.receive(LeverMoved(down="white" if side == "white" else "black", at_ns=at))
    if move.promotion is not None and session.state()["board"]["ask"] == "promotion_piece":
        at += 400 * MS
        session.receive(Chosen(choice=move.promotion.letter, at_ns=at))
    session.receive(Tick(at_ns=at + 1000 * MS))
    state = session.state()
    if state["moves"] == [move.uci()] and (state["completed"] or state["status"] == "ended"):
        return "right"
    if state["board"]["ask"] in ("which_capture", "which_move") and move.uci() in state["board"]["candidates"]:
        return "asked"
    return f"{state['status']} {state['moves']} {state['board']}"


HOWS = ("plain", "put_back", "slide", "rest", "bump", "hasty")


def wrong(positions: int, seed: int) -> tuple[int, int, list[str]]:
    """(plays, asked, descriptions of those read wrong) over all legal moves of random positions."""
    rng = random.Random(seed)
    count = asked = 0
    faults: list[str] = []
    for _ in range(positions):
        position = walked(rng)
        for move in position.legal_moves():
            for steps in orders(position, move):
                how = rng.choice(HOWS)
                profile = rng.choice(("friendly", "tournament", "practice"))
                verdict = play(position, move, steps, how, profile, rng)
                count += 1
                asked += verdict == "asked"
                if verdict not in ("right", "asked"):
                    faults.append(f"{position.fen()} {move.uci()} {steps} {how} {profile}: {verdict}")
    return count, asked, faults


def test_every_move_is_read_right_or_asked() -> None:
    """Over 25 random positions no order of lifts and places, slide, rest, bump or haste makes a wrong move."""
    count, asked, faults = wrong(25, 11)
    assert count > 500
    assert asked <= count * 0.01
    assert faults == []


@pytest.mark.prove
def test_every_move_of_3000_positions() -> None:
    """The same over 3,000 positions."""
    count, asked, faults = wrong(3000, 12)
    print(f"{count} plays, asked {asked}, wrong {len(faults)}")
    assert faults == []
