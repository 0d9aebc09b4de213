"""Whatever happens in a game, there is something to show: lamps, tone, display, page, sheet, other makes' placements.

Every case of the published set is played, and after each of its events everything that is shown on any board is made
of the view, as the runtime would. A diagram that no game can lead to, an illegal move that stands, a game begun anew:
none of them may keep the board from showing what it knows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from board_firmware import outputs
from board_firmware.conform import play
from board_firmware.core.events import GameStarted
from board_firmware.emulation.game_state import clock_of, standing_of
from board_firmware.emulation.piece_codes import PieceCodes
from board_firmware.expectation import Expectation
from board_firmware.peers import Published
from board_firmware.scoresheet import Scoresheet
from board_firmware.trace import from_case
from board_firmware.web.audience import for_desk, for_players, for_spectators
from hal.display import wrapped

FILES = sorted((Path(__file__).resolve().parents[1] / "conformance").glob("*.json"))

WIDTH = 120
"""Characters of a line that a display may have to scroll, at the most."""


ACTS = ("?", "Place", "Clear", "Replace", "Set the")
"""What is in a row that asks somebody to do something."""


class Supervised:
    """A board that wants to know what stands on it."""

    def expect(self, occupied: int | None, *_: Any) -> None:
        """Check what it is told."""
        assert occupied is None or 0 <= occupied < 1 << 64


def show_all(case: dict[str, Any]) -> int:
    """Play a case and make everything after each event; how many steps there were."""
    board = Supervised()
    expectation, codes, sheet, steps = Expectation(board), PieceCodes(), None, 0
    for event, decisions, session in play(from_case(case)):
        view = session.view()
        if isinstance(event, GameStarted):
            sheet = Scoresheet(event)
        lamps = outputs.lamps_for(view)
        step = Published(number=steps, event=event, decisions=decisions, view=view, lamps=lamps)
        for audience in (for_desk, for_players, for_spectators):
            json.dumps(audience(step))
        for square in range(64):
            outputs.hint_lamps(view, square, lamps)
        outputs.tone_for(decisions, view)
        lines = outputs.text_for(view).lines
        assert all(line.isascii() and len(line) <= WIDTH for line in lines), case["id"]
        restore = view.state.get("restore") or {}
        if (view.state.get("board") or {}).get("ask") or any(restore.values()):
            assert any(word in wrapped(lines, 16, 2)[0] for word in ACTS), case["id"]
        standing = standing_of(view)
        codes.stands(standing)
        assert len(codes.placement) == 64
        clock_of(view)
        expectation.follow(view, event.at_ns)
        assert sheet is not None
        sheet.update(view, event.at_ns)
        assert sheet.pgn()
        steps += 1
    return steps


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_moment_of_every_case(path: Path):
    """Nothing raises, and nothing is too long to be read."""
    for case in json.loads(path.read_text(encoding="utf-8")):
        assert show_all(case) > 1, case["id"]


@pytest.mark.parametrize(
    "fen",
    [
        "k7/1Q6/K7/8/8/8/8/8 w - - 0 1",
        "PPPPPPPP/8/8/4k3/8/8/4K3/pppppppp w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
    ],
)
def test_diagrams_that_no_game_leads_to(fen: str):
    """Any diagram with one king a side can stand on a board, and an arbiter can set any other."""
    actions = [
        "lift e1",
        "place e1",
        "wait 1",
        "lift a8",
        "place a6",
        "press white",
        f"arbiter position {fen}",
        "lift a6",
    ]
    assert show_all({"id": fen, "fen": fen, "control": "standard", "actions": actions, "expected": {}}) > len(actions)
