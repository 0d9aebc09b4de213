"""The search for a helped mate: honest lines, a budget that holds, the same answer every time."""

from __future__ import annotations

import chess
import pytest

from rules import BLACK, WHITE, Color, Position
from rules.helpmate import Leaning, Search, search
from rules.nearness import Nearness

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def look(fen: str, color: Color, nodes: int, leaning: Leaning | None = None) -> Search:
    """Search with no knowledge of hopeless positions."""
    return search(
        Position.from_fen(fen),
        color,
        nodes=nodes,
        nearness=Nearness(color),
        hopeless=lambda after, before: False,
        leaning=leaning or Leaning(),
    )


def mates(fen: str, found: Search, winner: Color) -> bool:
    """Whether a line is legal and ends in mate by the winner, says an independent library."""
    board = chess.Board(fen)
    assert found.line is not None
    for move in found.line:
        board.push_uci(move.uci())
    return board.is_checkmate() and board.turn == (winner is BLACK)


@pytest.mark.parametrize("color", [WHITE, BLACK])
@pytest.mark.parametrize(
    "leaning",
    [
        Leaning(),
        Leaning(newest=(True, False)),
        Leaning(newest=(False, True), backwards=True),
        Leaning(newest=(False, False)),
        Leaning(backwards=True),
    ],
)
def test_the_first_position_has_a_mate_for_both(color: Color, leaning: Leaning) -> None:
    """From the initial position both sides find a mate, whichever way the search leans."""
    assert mates(START, look(START, color, 12_000, leaning), color)


def test_mate_in_one_is_found_at_once() -> None:
    """One move, few nodes."""
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    found = look(fen, WHITE, 100)
    assert mates(fen, found, WHITE)


def test_only_the_winner_mates() -> None:
    """A mate by the other side is no answer: Black is mated by every move here, so White's question has none."""
    found = look("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", BLACK, 100)
    assert found.line is None
    assert found.exhausted


def test_the_budget_holds() -> None:
    """No more nodes than allowed are looked at."""
    for nodes in (0, 1, 17, 300):
        found = look("8/8/4k3/8/8/4K3/8/8 w - - 0 1", WHITE, nodes)
        assert found == Search(line=None, exhausted=False, nodes=nodes)


def test_a_closed_world_is_walked_to_its_end() -> None:
    """Bare kings: 3612 placements, twice; one has been there before the search began."""
    found = look("8/8/4k3/8/8/4K3/8/8 w - - 0 1", WHITE, 10_000)
    assert found == Search(line=None, exhausted=True, nodes=2 * 3_612 - 1)


def test_the_same_question_gets_the_same_answer() -> None:
    """Nothing but the position decides what is looked at."""
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    assert look(fen, BLACK, 8_000) == look(fen, BLACK, 8_000)


def test_hopeless_positions_are_left_alone() -> None:
    """What `hopeless` rejects is counted and not played on from."""
    position = Position.from_fen("8/8/4k3/8/8/4K3/8/8 w - - 0 1")
    asked = []

    def hopeless(after: Position, before: Position) -> bool:
        asked.append((after, before))
        return True

    found = search(position, WHITE, nodes=100, nearness=Nearness(WHITE), hopeless=hopeless)
    assert found == Search(line=None, exhausted=True, nodes=len(position.legal_moves()))
    assert all(before is position for _, before in asked)


def test_a_stalemate_has_no_lines() -> None:
    """Where the side to move has no move there is nothing to look at."""
    found = look("k7/P7/1K6/8/8/8/8/8 b - - 0 1", WHITE, 100)
    assert found == Search(line=None, exhausted=True, nodes=0)
