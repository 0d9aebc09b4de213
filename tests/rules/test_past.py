"""What the moves played tell about lost rights."""

from __future__ import annotations

from rules.game import Game
from rules.move import Move
from rules.past import CastlingPast, castling_past, double_step_past
from rules.pieces import BLACK, WHITE
from rules.squares import parse_square

BOTH = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def played(fen, moves, *, chess960=False):
    """Play a game from a position."""
    game = Game.from_fen(fen, chess960=chess960)
    for move in moves.split():
        game = game.play(Move.from_uci(move))
    return game


def past(game, color, rook):
    """Follow one castling; the answer as a dict of what happened."""
    return castling_past(game, color, parse_square(rook))


def test_nothing_happened():
    """Both units stand where they stood."""
    assert past(played(BOTH, ""), WHITE, "h1") == CastlingPast(
        right_at_start=True, king_moved=False, rook_moved=False, rook_captured=False, rook_now=parse_square("h1")
    )


def test_castling_moves_king_and_rook():
    """The rook is followed to its new square and on from there; the other rook stays."""
    game = played(BOTH, "e1g1 e8c8 f1f7")
    assert past(game, WHITE, "h1").rook_now == parse_square("f7")
    assert past(game, WHITE, "h1").king_moved
    assert past(game, WHITE, "a1").rook_now == parse_square("a1")
    assert not past(game, WHITE, "a1").rook_moved
    assert past(game, BLACK, "a8").rook_now == parse_square("d8")


def test_chess960_castling_is_not_a_capture_of_the_rook():
    """The king's move onto his rook's square moves the rook."""
    found = past(played("1k6/8/8/8/8/8/8/1K1R4 w D - 0 1", "b1d1", chess960=True), WHITE, "d1")
    assert (found.king_moved, found.rook_moved, found.rook_captured) == (True, True, False)
    assert found.rook_now == parse_square("f1")


def test_a_king_that_never_could_castle():
    """A king's step from f4 to g4 does not look like castling."""
    found = past(played("4k3/8/8/8/5K2/8/8/7R w - - 0 1", "f4g4"), WHITE, "h1")
    assert found.king_moved
    assert found.rook_now == parse_square("h1")


def test_captured_at_home_or_elsewhere():
    """Only a rook taken before it moved counts as captured."""
    home = past(played("4k3/8/8/8/8/6n1/8/4K2R b K - 0 1", "g3h1"), WHITE, "h1")
    assert (home.rook_captured, home.rook_moved, home.rook_now) == (True, False, None)
    elsewhere = past(played("1k5r/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 h8h2"), WHITE, "h1")
    assert (elsewhere.rook_captured, elsewhere.rook_moved, elsewhere.rook_now) == (False, True, None)


def test_double_steps():
    """The last arrival on the square decides; the move after it let the right lapse."""
    d5 = parse_square("d5")
    lapsed = played("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1d1 e8e7")
    assert double_step_past(lapsed, d5) == (True, Move.from_uci("e1d1"))
    single = played("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d6 e1d1 d6d5 d1e1")
    assert double_step_past(single, d5) == (False, None)
    given = played("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1d1")
    assert double_step_past(given, d5) == (True, Move.from_uci("e1d1"))
    unknown = played("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e1d1")
    assert double_step_past(unknown, d5) == (True, None)
    just_now = played("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5")
    assert double_step_past(just_now, d5) == (True, None)
