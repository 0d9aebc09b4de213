"""Penalties: proposed to the arbiter, or applied at once where the event says so; the last proposal applied or waived.

Source: FIDE Laws of Chess 2023, 12.9; 7.5.5 for two minutes to the opponent.
"""

from __future__ import annotations

from typing import Any

from board_firmware.core.events import Side
from board_firmware.core.standing import Standing


def penalise(s: Standing, kind: str, to: Side, seconds: int | None = None, state: str = "proposed") -> None:
    """Propose or apply a penalty; an applied one changes the clock at once."""
    penalty: dict[str, Any] = {"kind": kind, "to": to}
    if seconds is not None:
        penalty["seconds"] = seconds
    if s.settings.penalties == "apply" and state == "proposed":
        state = "applied"
    s.penalties.append({**penalty, "state": state})
    if state == "applied":
        _carry_out(s, penalty)
    _say(s, f"penalty_{state}", penalty)


def apply_penalty(s: Standing) -> bool:
    """Apply the last proposed penalty; False if none waits."""
    index = _last_proposed(s)
    if index is None:
        return False
    s.penalties[index] = {**s.penalties[index], "state": "applied"}
    _carry_out(s, s.penalties[index])
    _say(s, "penalty_applied", s.penalties[index])
    return True


def waive_penalty(s: Standing) -> bool:
    """Waive the last proposed penalty; False if none waits."""
    index = _last_proposed(s)
    if index is None:
        return False
    _say(s, "penalty_waived", s.penalties.pop(index))
    return True


def _last_proposed(s: Standing) -> int | None:
    return next(
        (index for index in reversed(range(len(s.penalties))) if s.penalties[index]["state"] == "proposed"), None
    )


def _carry_out(s: Standing, penalty: dict[str, Any]) -> None:
    if penalty["kind"] == "add_time" and "seconds" in penalty:
        s.clock = s.clock.add(penalty["to"], int(penalty["seconds"] * 1e9), s.now_ns)


def _say(s: Standing, kind: str, penalty: dict[str, Any]) -> None:
    s.say(kind, penalty=penalty["kind"], to=penalty["to"], seconds=penalty.get("seconds"))
