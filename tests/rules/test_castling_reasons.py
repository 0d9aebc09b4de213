"""Why a side may not castle: each condition apart, with and without the game."""

from __future__ import annotations

import pytest

from rules.fen import parse_fen
from rules.game import Game
from rules.legality import Illegal, Legal, judge
from rules.move import Move
from rules.position import Position


def said(position, move, game=None):
    """Judge a castling given as text; write the reasons as text."""
    uci = Move.from_uci(move)
    verdict = judge(position, uci.from_square, uci.to_square, game=game)
    return [f"{reason} {reason.article}" for reason in verdict.reasons] if isinstance(verdict, Illegal) else verdict


@pytest.mark.parametrize(
    ("fen", "move", "reasons"),
    [
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", ["castling_blocked b1 3.8.2.2.2"]),
        ("r1bqk2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", ["castling_blocked c8 d8 3.8.2.2.2"]),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1g1", ["castling_in_check e1 by e4 3.8.2.2.1"]),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", ["castling_through_attack f1 by f8 3.8.2.2.1"]),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", ["castling_into_attack g1 by g8 3.8.2.2.1"]),
        # The rook may be attacked, and may cross an attacked square.
        ("1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", []),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", []),
        # A pinned unit still attacks.
        ("4k3/4r3/8/8/1b6/8/4B3/R3K2R w KQ - 0 1", "e1g1", ["castling_in_check e1 by b4 3.8.2.2.1"]),
        ("8/3B4/8/1b6/k7/8/8/4K2R w K - 0 1", "e1g1", ["castling_through_attack f1 by b5 3.8.2.2.1"]),
        # All that hold.
        (
            "4k1r1/8/8/8/1b6/8/8/R3KB1R w KQ - 0 1",
            "e1g1",
            [
                "castling_blocked f1 3.8.2.2.2",
                "castling_in_check e1 by b4 3.8.2.2.1",
                "castling_into_attack g1 by g8 3.8.2.2.1",
            ],
        ),
        # Without the game nobody knows how the right was lost, but one sees whether a rook is there.
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", ["castling_right_lost e1 h1 3.8.2.1"]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1g1", ["castling_no_rook h1 3.8.2.1.2"]),
        ("4k3/8/8/8/8/8/8/R3K2b w Q - 0 1", "e1g1", ["castling_no_rook h1 3.8.2.1.2"]),
        (
            "4k3/8/8/8/8/8/8/R3K1NR w Q - 0 1",
            "e1g1",
            ["castling_right_lost e1 h1 3.8.2.1", "castling_blocked g1 3.8.2.2.2"],
        ),
        # A king elsewhere does not castle.
        ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "d1f1", ["not_its_way d1 f1 3.8.1"]),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "e2g2", ["not_its_way e2 g2 3.8.1"]),
    ],
)
def test_conditions(fen, move, reasons):
    """Each condition of 3.8.2 with the squares and units to blame."""
    assert said(Position.from_fen(fen), move) == (reasons or Legal(Move.from_uci(move)))


BOTH = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
KING_MOVED, ROOK_MOVED = "castling_king_moved e1 3.8.2.1.1", "castling_rook_moved h1 3.8.2.1.2"
NO_ROOK, CAPTURED = "castling_no_rook h1 3.8.2.1.2", "castling_rook_captured h1 3.8.2.1.2"


@pytest.mark.parametrize(
    ("fen", "moves", "reasons"),
    [
        (BOTH, "e1e2 e8e7 e2e1 e7e8", [KING_MOVED]),
        (BOTH, "h1g1 e8e7 g1h1 e7e8", [ROOK_MOVED]),
        (BOTH, "h1h2 e8e7", [ROOK_MOVED, NO_ROOK]),
        (BOTH, "h1g1 e8e7 g1h1 e7e8 e1d1 e8e7 d1e1 e7e8", [KING_MOVED, ROOK_MOVED]),
        # Captured at home, and another rook put there.
        ("4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1", "g3h1 e1e2 e8e7 e2e1 h1g3 a1a2 e7e8", [KING_MOVED, CAPTURED, NO_ROOK]),
        ("4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1", "g3h1 a1a2 h1g3 a2h2 g3f5 h2h1 e8e7", [CAPTURED, NO_ROOK]),
        # A promoted rook on h1 is not the one.
        (
            "4k3/6P1/8/8/8/8/8/4K2R w K - 0 1",
            "h1h5 e8d7 g7g8r d7c7 g8g2 c7c6 g2h2 c6b6 h2h1 b6c6",
            [ROOK_MOVED, NO_ROOK],
        ),
        # The rook moved away and was taken elsewhere.
        ("1k5r/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 h8h2 e1f1 h2h8 f1e1 h8g8", [KING_MOVED, ROOK_MOVED, NO_ROOK]),
        # The right was gone before the game began; what happened since is known.
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1e2 e8e7 e2e1 e7e8", [KING_MOVED, "castling_right_lost e1 h1 3.8.2.1"]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h2 e8e7 h2h1 e7e8", [ROOK_MOVED, "castling_right_lost e1 h1 3.8.2.1"]),
        ("4k3/8/8/8/8/8/7P/4K3 w - - 0 1", "h2h3 e8e7", [NO_ROOK]),
    ],
)
def test_how_the_right_was_lost(fen, moves, reasons):
    """The game tells whether the king or the rook moved, or was captured, or is another one."""
    game = Game.from_fen(fen)
    for move in moves.split():
        game = game.play(Move.from_uci(move))
    lasting = ("castling_king", "castling_rook", "castling_no", "castling_right")
    assert [reason for reason in said(game.position, "e1g1", game) if reason.startswith(lasting)] == reasons


@pytest.mark.parametrize(
    ("fen", "move", "reasons"),
    [
        ("1k6/8/8/8/8/8/8/1K1R4 w D - 0 1", "b1d1", []),
        ("1k4r1/8/8/8/8/8/8/1K1R4 w D - 0 1", "b1d1", ["castling_into_attack g1 by g8 3.8.2.2.1"]),
        ("1k2r3/8/8/8/8/8/8/1K1R4 w D - 0 1", "b1d1", ["castling_through_attack e1 by e8 3.8.2.2.1"]),
        ("1k6/8/8/8/8/8/8/1K1R1N2 w D - 0 1", "b1d1", ["castling_blocked f1 3.8.2.2.2"]),
        # The rook shielded the king.
        ("7k/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1", ["castling_into_attack c1 by a1 3.8.2.2.1"]),
        ("1k6/8/8/8/8/8/8/1K1R4 w - - 0 1", "b1d1", ["castling_right_lost b1 d1 3.8.2.1"]),
        ("1k6/8/8/8/8/8/8/1K1N4 w - - 0 1", "b1d1", ["not_its_way b1 d1 3.8.1", "own_piece_there d1 3.1"]),
    ],
)
def test_chess960(fen, move, reasons):
    """The king takes his own rook; the conditions are the same."""
    position = Position.from_setup(parse_fen(fen, chess960=True))
    assert said(position, move) == (reasons or Legal(Move.from_uci(move)))


def test_chess960_castled_already():
    """The rook that castled stands on its new square and is no longer one to castle with."""
    game = Game.from_fen("1k6/8/8/8/8/8/8/1K1R4 w D - 0 1", chess960=True)
    for move in ("b1d1", "b8a8", "f1d1", "a8b8", "g1f1", "b8a8", "f1e1", "a8b8"):
        game = game.play(Move.from_uci(move))
    assert said(game.position, "e1d1", game) == [
        "castling_king_moved e1 3.8.2.1.1",
        "castling_rook_moved d1 3.8.2.1.2",
    ]
