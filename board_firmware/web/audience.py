"""What each audience may see of a step: the desk everything, players what their profile tells them, spectators the game.

In the tournament profile a player's screen shows the position, the clocks and what must be put right, and nothing that
would tell him his rights or duties. Spectators get the moves and clocks alone, and later (`delay`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from board_firmware.core.events import View
from board_firmware.peers import Published
from board_firmware.web.prompt import prompt
from hal.squares import SQUARE_NAMES
from rules.move import Move
from rules.position import Position
from rules.san import write_san

SPECTATED = ("status", "turn", "clock", "clock_s", "moves", "move", "made", "completed", "result", "termination", "fen")
SECRET = ("obligation", "allowed", "violations", "legal", "illegal", "claim_open")
"""What a tournament player's screen keeps from him."""

TOLD = frozenset(
    {
        "board_disarranged", "board_restored", "clock_set", "completed", "draw_accepted",
        "draw_declined", "draw_offered", "game_over", "game_reopened", "game_started", "move_completed",
        "move_illegal", "move_made", "move_revised", "paused", "resumed",
    }
)  # fmt: skip
"""Decisions that a tournament player may hear."""


def for_desk(step: Published) -> dict[str, Any]:
    """All there is, with the event that led to it."""
    out = _step(step)
    out["wall_ms"] = step.wall_ms
    out["trusted_time"] = step.trusted_time
    out["cause"] = type(step.event).__name__
    return out


def for_players(step: Published) -> dict[str, Any]:
    """What stands on the players' screen."""
    out = _step(step)
    if step.view.profile == "tournament":
        state = {key: value for key, value in out["state"].items() if key not in SECRET}
        state["board"] = {"ask": _shared_ask(state.get("board", {}).get("ask")), "report": [], "confidence": "certain"}
        out["state"] = state
        out["decisions"] = [one for one in out["decisions"] if one["kind"] in TOLD]
        out["legal_by_origin"] = {}
        out["candidates"] = {}
        out["can_take_back"] = False
    return out


def for_spectators(step: Published) -> dict[str, Any]:
    """The game and nothing of the board's cares."""
    state = {key: value for key, value in step.view.state.items() if key in SPECTATED}
    ended = state.get("status") == "ended"
    said = prompt({**state, "status": "ended" if ended else "thinking"}, "tournament", step.view.occupancy)
    return {
        "number": step.number,
        "at_ms": round(step.event.at_ns / 1e6),
        "game_id": step.view.game_id,
        "started_fen": step.view.started_fen,
        "profile": step.view.profile,
        "state": state,
        "san": list(step.view.san),
        "prompt": said.as_json(),
        "lamps": {},
        "decisions": [],
    }


def _step(step: Published) -> dict[str, Any]:
    view = step.view
    return {
        "number": step.number,
        "at_ms": round(step.event.at_ns / 1e6),
        "game_id": view.game_id,
        "started_fen": view.started_fen,
        "profile": view.profile,
        "state": dict(view.state),
        "san": list(view.san),
        "occupancy": f"{view.occupancy:016x}",
        "outstanding": list(view.outstanding),
        "can_take_back": view.can_take_back,
        "candidates": _candidates(view),
        "legal_by_origin": {square: list(targets) for square, targets in view.legal_by_origin.items()},
        "prompt": prompt(view.state, view.profile, view.occupancy).as_json(),
        "lamps": {
            SQUARE_NAMES[square]: [lamp.red, lamp.green, lamp.blue, lamp.blink_hz]
            for square, lamp in step.lamps.squares.items()
        },
        "decisions": [decision.as_json() for decision in step.decisions],
    }


def _candidates(view: View) -> dict[str, str]:
    """The moves among which a question asks, each with its SAN; as UCI where the position does not know it."""
    asked = view.state.get("board", {}).get("candidates") or ()
    named = dict(view.candidates_san)
    missing = [one for one in asked if one not in named]
    if missing:
        try:
            position = Position.from_fen(str(view.state.get("fen")))
            named.update({one: write_san(position, Move.from_uci(one)) for one in missing})
        except ValueError:
            named.update({one: one for one in missing})
    return named


def _shared_ask(ask: Any) -> Any:
    return ask if ask in ("promotion_piece", "confirm_setup", "confirm_result") else None


class Memory:
    """What a page must remember between steps: the newest refusal that still matters, requests and proposals."""

    def __init__(self) -> None:
        self.trouble: Mapping[str, Any] | None = None
        self.takeback: str | None = None
        self.proposed: str | None = None
        self.adjusting: str | None = None

    def take(self, step: Published) -> None:
        """Take in a step. A refusal stays until the board is put right; a request until it is answered or overtaken."""
        state = step.view.state
        if step.decisions and not state.get("restore") and state.get("status") not in TROUBLED:
            self.trouble = None
        for decision in step.decisions:
            if decision.kind in REFUSALS:
                self.trouble = decision.as_json()
            if decision.kind == "adjusting_announced":
                self.adjusting = decision.details.get("side")
            elif decision.kind in ("adjusting_ended", "game_started", "game_over"):
                self.adjusting = None
            if decision.kind == "result_proposed":
                self.proposed = decision.details.get("result")
            if decision.kind == "takeback_asked":
                self.takeback = decision.details.get("side")
            elif decision.kind in ANSWERED:
                self.takeback = None

    def as_json(self) -> dict[str, Any]:
        """All of it, for the page."""
        return {
            "trouble": self.trouble, "takeback": self.takeback, "proposed": self.proposed, "adjusting": self.adjusting,
        }  # fmt: skip


REFUSALS = frozenset({"move_illegal", "touch_broken", "board_disarranged", "move_taken_back"})
TROUBLED = frozenset({"irregularity", "identification", "paused"})
ANSWERED = frozenset(
    {
        "draw_offered", "game_over", "game_started", "move_made", "move_taken_back", "takeback_declined",
        "takeback_refused", "touched",
    }
)  # fmt: skip
"""Decisions after which an asked takeback is no longer open."""
