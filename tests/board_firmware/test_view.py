"""What a session shows of its game: the moves in SAN follow it wherever it goes."""

from __future__ import annotations

from tests.board_firmware.test_lost_sensors import Game

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _san(game):
    assert game.state["made"]
    return game.session.view().san


def test_moves_in_san_follow_revisions_and_takebacks():
    """A pawn that goes on, a move taken back, another one in its place."""
    game = Game(ARRAY, control="none")
    game.does("-e2", "+e3")
    assert _san(game) == ("e3",)
    game.does("-e3", "+e4")
    assert _san(game) == ("e4",)
    game.does("-e7", "+e5", "-g1", "+f3")
    assert _san(game) == ("e4", "e5", "Nf3")
    game.takes_back("white")
    game.does("-f3", "+g1", "-f1", "+c4")
    assert _san(game) == ("e4", "e5", "Bc4")
    assert game.state["moves"] == ["e2e4", "e7e5", "f1c4"]
