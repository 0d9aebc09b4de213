"""What the board waits for, in one sentence: pure, from the state to a sentence's key, its fields and its squares.

The newcomer's whole guide is this line. It says one thing, the most urgent; in the tournament profile it says nothing
that could help a player (Article 12.6): no duty, no "press your clock", no check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hal.squares import parse_square


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A sentence of the catalogue (``key``, ``fields``), how urgent it is, a second line, the article behind it."""

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    tone: str = "calm"
    """``calm``, ``ask``, ``wrong`` or ``end``."""
    detail: str | None = None
    detail_fields: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain values for the page."""
        out: dict[str, Any] = {"key": self.key, "fields": dict(self.fields), "tone": self.tone}
        if self.detail is not None:
            out["detail"] = {"key": self.detail, "fields": dict(self.detail_fields)}
        return out


def prompt(state: Mapping[str, Any], profile: str, occupancy: int) -> Prompt:
    """The one sentence for a state of the contract; ``occupancy`` has bit n set where square n is closed."""
    status = state.get("status")
    if status == "ended":
        end = state.get("termination")
        return Prompt(key=f"outcome.{state.get('result', '*')}", tone="end", detail=end and f"termination.{end}")
    quiet = profile == "tournament"
    ask = state.get("board", {}).get("ask")
    if ask == "promotion_piece":
        return Prompt(key="ask.promotion_piece", tone="ask", detail="prompt.promotion_detail")
    if ask == "confirm_setup":
        return Prompt(key="prompt.begin", tone="ask")
    if ask == "confirm_result" and state.get("board", {}).get("proposal") == "*":
        return Prompt(key="ask.given_up", tone="ask")
    if ask:
        return Prompt(key=f"ask.{ask}", tone="ask")
    restore = state.get("restore")
    if status == "not_started":
        missing = restore or _lit(state)
        if not any(missing.values()):
            return Prompt(key="prompt.not_started")
        return Prompt(key="prompt.set_up", detail=_restore_key(missing), detail_fields=_squares(missing))
    if restore:
        return Prompt(key=_restore_key(restore), fields=_squares(restore), tone="wrong")
    if status == "paused":
        return Prompt(key="prompt.paused", tone="ask")
    if status == "irregularity":
        return Prompt(key="prompt.arbiter", tone="wrong")
    return _turn(state, quiet, occupancy)


def _turn(state: Mapping[str, Any], quiet: bool, occupancy: int) -> Prompt:
    side = state.get("turn")
    fields: dict[str, Any] = {"side": side}
    if quiet:
        return Prompt(key="prompt.to_move", fields=fields) if side else Prompt(key="prompt.arbiter", tone="ask")
    lamps = state.get("lamps", {})
    rook = sorted(square for square, why in lamps.items() if why == "castling_rook")
    if len(rook) == 2:
        origin, target = sorted(rook, key=lambda name: not occupancy >> parse_square(name) & 1)
        return Prompt(key="prompt.castling_rook", fields={"origin": origin, "target": target}, tone="ask")
    victim = sorted(square for square, why in lamps.items() if why == "en_passant_victim")
    if victim:
        return Prompt(key="prompt.en_passant_victim", fields={"square": victim[0]}, tone="ask")
    unfinished = _unfinished_castling(state.get("allowed"), occupancy)
    if unfinished is not None:
        return Prompt(key="prompt.castling_rook", fields=unfinished, tone="ask")
    kind, _, square = (state.get("obligation") or "none").partition(":")
    if kind == "move":
        lifted = not occupancy >> parse_square(square) & 1
        key = "prompt.place_lifted" if lifted else "prompt.must_move"
        return Prompt(key=key, fields={"square": square, **fields})
    if kind == "capture":
        return Prompt(key="prompt.must_capture", fields={"square": square, **fields})
    if kind == "exact":
        return Prompt(key="prompt.exact", fields={"moves": square.split(","), **fields})
    if state.get("made") and not state.get("completed") and state.get("clock") not in (None, side, "paused", "stopped"):
        return Prompt(key="prompt.press", fields={"side": state.get("clock")})
    return Prompt(key="prompt.to_move", fields=fields)


_CASTLINGS: Mapping[str, tuple[str, str]] = {
    "e1g1": ("h1", "f1"), "e1c1": ("a1", "d1"), "e8g8": ("h8", "f8"), "e8c8": ("a8", "d8"),
}  # fmt: skip


def _unfinished_castling(allowed: Any, occupancy: int) -> dict[str, str] | None:
    """The rook's way, where castling alone is left and the king already stands on his new square."""
    if not isinstance(allowed, list) or len(allowed) != 1 or allowed[0] not in _CASTLINGS:
        return None
    king, (origin, target) = parse_square(allowed[0][2:]), _CASTLINGS[allowed[0]]
    return {"origin": origin, "target": target} if occupancy >> king & 1 else None


def _lit(state: Mapping[str, Any]) -> dict[str, list[str]]:
    lamps = state.get("lamps", {})
    return {name: sorted(square for square, why in lamps.items() if why == name) for name in ("place", "clear")}


def _squares(restore: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(restore.get(name, ())) for name in ("place", "clear", "replace")}


def _restore_key(restore: Mapping[str, Any]) -> str:
    if restore.get("place") and restore.get("clear"):
        return "prompt.restore_both"
    if restore.get("place"):
        return "prompt.restore_place"
    if restore.get("clear"):
        return "prompt.restore_clear"
    return "prompt.restore_replace"
