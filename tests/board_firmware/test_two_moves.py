"""Two moves without a press between them: the trace splits at the lift between, at any speed."""

from __future__ import annotations

import random

import pytest

from board_firmware.core.events import Chosen, GameStarted, SquareChanged, Tick
from board_firmware.core.session import Session
from board_firmware.hands.orders import orders
from rules import Move, Position

MS = 1_000_000


def split(position: Position, moves: tuple[Move, Move], gap_ms: int, control: str, rng: random.Random) -> str:
    """``right``, ``asked``, ``open`` (nothing wrong is recorded; the next act tells) or what the board holds instead."""
    session = Session()
    session.receive(
        GameStarted(at_ns=0, fen=position.fen(), profile=rng.choice(("friendly", "tournament")), control=control)
    )
    at = 0
    now = position
    for move in moves:
        for step in rng.choice(orders(now, move)):
            at += gap_ms * MS
            session.receive(SquareChanged(square=step.square, occupied=not step.lifts, at_ns=at))
        if move.promotion is not None:
            at += 400 * MS
            session.receive(Tick(at_ns=at))
            session.receive(Chosen(choice=move.promotion.letter, at_ns=at))
        now = now.play(move)
    session.receive(Tick(at_ns=at + 1000 * MS))
    state = session.state()
    if state["moves"] == [move.uci() for move in moves]:
        return "right"
    if state["board"]["ask"]:
        return "asked"
    open_still = state["moves"] == [move.uci() for move in moves][: len(state["moves"])]
    return "open" if open_still else f"{state['status']} {state['moves']} {state['board']}"


def count(positions: int, seed: int) -> tuple[int, int, list[str]]:
    """(pairs, not split right, descriptions of wrong ones) over random pairs of moves."""
    rng = random.Random(seed)
    pairs = unsplit = 0
    faults: list[str] = []
    while pairs < positions:
        position = Position.start()
        for _ in range(rng.randrange(100)):
            legal = position.legal_moves()
            if not legal:
                break
            position = position.play(rng.choice(legal))
        legal = position.legal_moves()
        if not legal:
            continue
        first = rng.choice(legal)
        replies = position.play(first).legal_moves()
        if not replies or position.play(first).is_stalemate():
            continue
        second = rng.choice(replies)
        pairs += 1
        verdict = split(position, (first, second), rng.choice((20, 60, 90, 300)), rng.choice(("none", "standard")), rng)
        if verdict != "right":
            unsplit += 1
        if verdict not in ("right", "asked", "open"):
            faults.append(f"{position.fen()} {first.uci()} {second.uci()}: {verdict}")
    return pairs, unsplit, faults


def test_two_moves_split() -> None:
    """Of 600 pairs none is read wrong, and all but one in a thousand are split right."""
    pairs, unsplit, faults = count(600, 5)
    assert faults == []
    assert unsplit <= pairs // 1000 + 1


@pytest.mark.prove
def test_two_moves_split_20000() -> None:
    """The same for 20,000 pairs."""
    pairs, unsplit, faults = count(20_000, 6)
    print(f"{pairs} pairs, {unsplit} not split right, {len(faults)} wrong")
    assert faults == []
    assert unsplit <= pairs // 1000
