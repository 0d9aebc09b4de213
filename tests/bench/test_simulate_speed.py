"""How fast simulated games go through the whole stack, and what the clock costs in it."""

from __future__ import annotations

import pytest

from board_firmware.core.clock import Clock
from board_firmware.core.control import Control
from board_firmware.core.session import Session
from board_firmware.hands.game import Circumstances, Score, SimulatedGame
from board_firmware.hands.styles import STYLES
from hal.simulated import SimulatedBoard
from rules.pgn import read_pgn

IMMORTAL = """1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6
11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2
Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0"""
"""London 1851, 45 plies."""


@pytest.mark.parametrize("hands", STYLES)
def test_a_game_through_the_whole_stack(benchmark, hands):
    """45 plies: hands, reeds, debouncer, order in time, session, scoresheet."""
    [game] = read_pgn(IMMORTAL)
    score = Score(start=game.start, moves=game.moves, result=game.result)

    def play():
        how = Circumstances(style=STYLES[hands])
        return SimulatedGame(score, how, board=SimulatedBoard(seed=1), new_core=Session, seed="bench").play()

    outcome = benchmark(play)
    assert outcome.right + outcome.inferred + outcome.asked == 45


def test_a_press(benchmark):
    """One press of a running clock with two periods and an increment."""
    clock = Clock.fresh(Control.parse("40/5400+30:1800+30")).start("white", 0)
    assert benchmark(clock.press, "white", 5_000_000_000).running == "black"
