"""Two games written down for the serial tests, and the hands that play them on bare reeds."""

from __future__ import annotations

from collections.abc import Iterator

from board_firmware.core.events import SquareChanged, View
from board_firmware.emulation.game_state import standing_of
from board_firmware.emulation.guise import Standing
from board_firmware.hands.orders import changes, orders
from rules import Game, Move
from rules.san import write_san

OPERA = (
    "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 "
    "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8"
)
"""Morphy against the Duke of Brunswick and Count Isouard, Paris 1858."""

EVERYTHING = "e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 d6c7 g7g6 c7b8q f8g7 g1f3 e8g8 f1e2 a8b8 e1g1"
"""Made up: en passant, promotion with capture, both castlings on the king's side."""

STEP_NS = 400_000_000


def view_of(game: Game, moves: tuple[str, ...], san: tuple[str, ...] = ()) -> View:
    """What a session would show after these moves."""
    state = {
        "fen": game.position.fen(), "moves": list(moves), "completed": True, "status": "completed", "result": "*",
        "clock": "white", "clock_s": {"white": 300.0, "black": 300.0},
    }  # fmt: skip
    return View(state=state, san=san, occupancy=game.position.occupied, started_fen=Game.start().position.fen())


def played(words: str) -> Iterator[tuple[tuple[SquareChanged, ...], View, Standing]]:
    """Ply by ply: what the reeds say, and the game after it."""
    game = Game.start()
    moves: tuple[str, ...] = ()
    san: tuple[str, ...] = ()
    for word in words.split():
        move = Move.from_uci(word)
        steps = orders(game.position, move)[0]
        reeds = tuple(changes(steps, step_ns=STEP_NS))
        san = (*san, write_san(game.position, move))
        game = game.play(move)
        moves = (*moves, word)
        view = view_of(game, moves, san)
        yield reeds, view, standing_of(view)
