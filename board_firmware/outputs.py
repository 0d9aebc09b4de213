"""What people see and hear: the core's view as lamps, its decisions as tones, both as a few words of text.

The lamp grammar for people: steady tells, slow (1 Hz) asks them to act, fast (3 Hz) says something is wrong. What blinks
alike differs in a colour that people who see no red, no green or no blue can tell apart too. In the tournament profile there
is no sound, and no lamp that helps a player: the view names only what must be restored.

Source: after Okabe and Ito, "Color Universal Design" (the palette, moved apart for lamps); IEC 61966-2-1 (sRGB); FIDE Laws
of Chess 2023, 12.6 (nothing may help).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from board_firmware.core.events import Decision, View
from hal.board import Lamp, Lamps, Text, Tone
from hal.squares import parse_square

ACT_HZ = 1.0
"""Blinking that asks somebody to act."""

WRONG_HZ = 3.0
"""Blinking that says something is wrong; more than three flashes a second can harm people (WCAG 2.3.1)."""

_WHITE = (170, 170, 170)
_GREEN = (0, 200, 110)
_BLUE = (40, 30, 255)
_YELLOW = (240, 210, 0)
_RED = (200, 20, 0)
_PURPLE = (140, 0, 160)
"""As a screen has them, in sRGB."""


def _lamp(colour: tuple[int, int, int], blink_hz: float = 0.0) -> Lamp:
    red, green, blue = (_light(level) for level in colour)
    return Lamp(red=red, green=green, blue=blue, blink_hz=blink_hz)


def _light(level: int) -> int:
    """A level of sRGB as a share of light: a lamp that is on for half of the time gives half of its light, a screen not."""
    share = level / 255
    return round(255 * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4))


LAMPS: Mapping[str, Lamp] = {
    "origin": _lamp(_WHITE),
    "legal": _lamp(_GREEN),
    "capture": _lamp(_RED),
    "last_move": _lamp(_BLUE),
    "place": _lamp(_BLUE, ACT_HZ),
    "clear": _lamp(_RED, WRONG_HZ),
    "castling_rook": _lamp(_YELLOW, ACT_HZ),
    "en_passant_victim": _lamp(_RED, ACT_HZ),
    "promotion": _lamp(_PURPLE, ACT_HZ),
    "question": _lamp(_WHITE, ACT_HZ),
    "hint": _lamp(_GREEN, ACT_HZ),
    "fault": _lamp(_PURPLE, WRONG_HZ),
}
"""The contract's lamp words, and how each looks."""

REFUSED = Tone(hz=220, ms=180)
ASKED = Tone(hz=660, ms=80)
ENDED = Tone(hz=880, ms=400)
FLAGGED = Tone(hz=440, ms=600)

_TONES: Mapping[str, Tone] = {
    "move_illegal": REFUSED,
    "touch_broken": REFUSED,
    "board_disarranged": REFUSED,
    "fault": REFUSED,
    "asked": ASKED,
    "unclear": ASKED,
    "flag_fell": FLAGGED,
    "game_over": ENDED,
}
"""What sounds for a decision of that kind; of several the last in this order."""


def lamps_for(view: View) -> Lamps:
    """All lamps as the view wants them; a word without a look of its own asks."""
    words: Mapping[str, str] = view.state.get("lamps") or {}
    return Lamps(squares={parse_square(name): LAMPS.get(word, LAMPS["question"]) for name, word in words.items()})


def hint_lamps(view: View, square: int, shown: Lamps) -> Lamps:
    """The lamps at the first open sample of a reed: in practice the squares that the unit may go to light at once.

    Only the look of lamps follows a hint, and the next view puts it right; in other profiles nothing changes.
    """
    if view.profile != "practice":
        return shown
    name = f"{'abcdefgh'[square % 8]}{square // 8 + 1}"
    goals = [parse_square(goal) for goal in view.legal_by_origin.get(name, ())]
    if not goals:
        return shown
    captures = {goal for goal in goals if view.occupancy >> goal & 1}
    lit = {goal: LAMPS["capture" if goal in captures else "legal"] for goal in goals}
    return Lamps(squares={**shown.squares, square: LAMPS["origin"], **lit})


def tone_for(decisions: Iterable[Decision], view: View) -> Tone | None:
    """What sounds for these decisions, if anything; a tournament board is silent."""
    if view.profile == "tournament":
        return None
    kinds = {decision.kind for decision in decisions}
    sounding = [kind for kind in _TONES if kind in kinds]
    return _TONES[sounding[-1]] if sounding else None


_STATUS_WORDS: Mapping[str, str] = {
    "not_started": "Set up the board",
    "irregularity": "Put right:",
    "paused": "Paused",
    "identification": "Which move?",
}
_ASK_WORDS: Mapping[str, str] = {
    "promotion_piece": "Piece: Q R B N?",
    "which_capture": "Which capture?",
    "which_move": "Which move?",
    "confirm_setup": "Start? OK / Back",
    "confirm_position": "Position right?",
    "actual_position": "Set the position",
    "confirm_result": "Result right?",
    "board_turned": "Board turned?",
}


def text_for(view: View) -> Text:
    """A few lines of plain ASCII for a small display, what somebody must do first: some displays have two lines.

    So: the question, what is to be put right, then whose turn it is, the last move, and what is broken. Clock times are not
    among them: a display that counts would wake the board every second.
    """
    state = view.state
    lines = []
    ask = (state.get("board") or {}).get("ask")
    restore = state.get("restore") or {}
    if ask:
        given_up = ask == "confirm_result" and state["board"].get("proposal") == "*"
        lines.append("Is it over?" if given_up else _ASK_WORDS.get(ask, ask.replace("_", " ")))
    else:
        words = ("place", "clear", "replace")
        lines += [f"{word.capitalize()} {' '.join(restore[word])}" for word in words if restore.get(word)]
    status = _status(state)
    if not lines or status not in ("Put right:", "Which move?"):
        lines.append(status)
    if view.san:
        number = len(view.san)
        first = 1 if _begins_with_black(view.started_fen) else 0
        move = (number + first + 1) // 2
        dots = "..." if (number + first) % 2 == 0 else "."
        lines.append(f"{move}{dots} {view.san[-1]}")
    if view.outstanding:
        lines.append(f"Fault: {view.outstanding[0]}")
    return Text(lines=tuple(line.encode("ascii", "replace").decode() for line in lines if line))


def _status(state: Mapping[str, Any]) -> str:
    if state.get("status") == "ended":
        return f"{state.get('result', '*')} {str(state.get('termination') or '').replace('_', ' ')}".strip()
    if state.get("status") in _STATUS_WORDS:
        return _STATUS_WORDS[state["status"]]
    return f"{str(state['turn']).capitalize()} to move" if state.get("turn") else ""


def _begins_with_black(fen: str) -> bool:
    return fen.split()[1:2] == ["b"]
