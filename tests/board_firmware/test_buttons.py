"""The names that a wiring may give to a button are those that the game knows."""

from __future__ import annotations

from board_firmware.core import from_board
from hal.wiring import BUTTONS


def test_every_button_of_a_wiring_does_something():
    """And every act of the game that has a button may be wired."""
    sided = {f"{act}_{side}" for act in from_board._BUTTONS for side in ("white", "black")}
    promotions = {f"promote_{piece}" for piece in "qrbn"}
    assert set(BUTTONS) == sided | promotions | {"ok", "back", "start"}
