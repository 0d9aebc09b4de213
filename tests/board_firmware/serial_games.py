"""Three games written down for the serial tests, and the hands that play them on bare reeds."""

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

MORPHY_HART = (
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f1c4 d7d6 c2c3 d4c3 d1b3 d8e7 e1g1 b7b6 b1c3 c6a5 b3b4 a5c4 b4c4 c8b7 f1e1 e8c8 "
    "c1f4 f7f6 a1c1 c8b8 c3d5 b7d5 e4d5 e7d7 f3d4 g8e7 c4a6 c7c5 d5c6 d7c8 c6c7 b8a8 c7d8q c8d8 d4b5 d8b8 c1c7"
)
"""Morphy against Hart, a simultaneous display, New York 1859: castling on either side, en passant, promotion; 1-0."""

STEP_NS = 400_000_000


def view_of(game: Game, moves: tuple[str, ...], san: tuple[str, ...] = ()) -> View:
    """What a session would show after these moves."""
    state = {
        "fen": game.position.fen(), "moves": list(moves), "completed": True, "status": "completed", "result": None,
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
