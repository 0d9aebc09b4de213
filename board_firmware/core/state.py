"""The contract's state, written from the standing: one plain JSON object that says what the board holds true now.

Nothing is decided here and nothing remembered; each field is a question to the record.
"""

from __future__ import annotations

from typing import Any

from board_firmware.core.events import Side, View
from board_firmware.core.lit import lamps
from board_firmware.core.standing import Standing, name_of
from board_firmware.core.touch import Obligation
from hal.squares import squares_of
from rules import Move
from rules.san import write_san


def status(s: Standing) -> str:
    """The contract's word for how the turn stands."""
    if s.ended:
        return "ended"
    if not s.started:
        return "not_started"
    if s.trouble is not None or (s.knock is not None):
        return "irregularity"
    if s.paused in ("player", "flag", "sensors"):
        return "paused"
    if s.question is not None and s.question.word in ("promotion_piece", "which_capture", "which_move"):
        return "identification"
    if s.moving.touched or s.unpromoted:
        only_straightened = s.made is not None and all(
            s.made.footprint.landings >> square & 1 for square in s.moving.touched_squares()
        )
        if not only_straightened:
            return "thinking"
    if s.made is not None:
        return "made"
    last = s.last_ply()
    if last is None or s.turn.filled:
        return "thinking"
    return "completed" if last.completed else "made"


def clock_word(s: Standing) -> str | None:
    """Whose clock should run."""
    if s.ended:
        return "stopped"
    if not s.started or not s.has_clock:
        return None
    return "paused" if s.paused is not None else s.lever


def who_moves(s: Standing, now: str) -> Side | None:
    """Who has the move: nobody while it must be asked what was played, or when the game is over."""
    if now in ("identification", "ended"):
        return None
    if s.trouble is not None:
        return s.trouble.turn
    return s.to_move.mover


def state(s: Standing) -> dict[str, Any]:
    """Section 3 of the contract as plain JSON values."""
    now = status(s)
    turn = who_moves(s, now)
    last = s.last_ply()
    cancelled = s.result == "*"
    made_move = s.made.move if s.made is not None else None
    move = made_move or (last.move if last is not None else None)
    made = move is not None
    completed = made and ((s.ended_by_move and s.ended) or (made_move is None and last is not None and last.completed))
    if cancelled:
        move, made, completed = None, False, False
    out: dict[str, Any] = {
        "status": now,
        "turn": turn,
        "clock": clock_word(s),
        "moves": moves(s),
        "move": move.uci() if move is not None else None,
        "made": made,
        "completed": completed,
        "legal": s.legal,
        **_duty(s, now, turn),
        "violations": list(s.violations),
        "illegal": dict(s.illegal),
        "penalties": [] if s.ended else [_penalty(one) for one in s.penalties],
        "result": s.result,
        "termination": s.termination,
        "fen": s.position.fen(),
        "draw_offer": s.draw_offer,
        "completed_moves": dict(s.completed),
        "restore": restore(s),
        "lamps": {name_of(square): word for square, word in sorted(lamps(s).items())},
        "board": {"confidence": confidence(s), "ask": s.question.word if s.question else None, "report": report(s)},
    }
    if s.claim_open is not None:
        out["claim_open"] = s.claim_open
    if s.question is not None and s.question.candidates:
        out["board"]["candidates"] = [one.uci() for one in s.question.candidates]
    if s.question is not None and s.question.proposal is not None:
        out["board"]["proposal"] = s.question.proposal
    if s.clock.timed:
        out["clock_s"] = {
            side: round(s.clock.remaining_ns(side, s.now_ns) / 1e9, 3) for side in ("white", "black")
        }  # fmt: skip
    return out


def _penalty(one: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in one.items() if key != "state" or value == "applied"}


def moves(s: Standing) -> list[str]:
    """All moves made since the record began, UCI."""
    played = [ply.move.uci() for ply in s.plies]
    if s.made is not None and s.made.move is not None:
        played.append(s.made.move.uci())
    return played


def _duty(s: Standing, now: str, turn: Side | None) -> dict[str, Any]:
    """``obligation`` and ``allowed``: null exactly when nobody has the move, except while a promotion piece is open."""
    if now != "ended" and s.made is not None and s.made.move is None:
        options = s.made.footprint.moves
        return {
            "obligation": "exact:" + ",".join(move.uci() for move in options),
            "allowed": sorted(move.uci() for move in options),
        }
    if turn is None or not s.started:
        return {"obligation": None, "allowed": None}
    if s.trouble is not None and s.trouble.turn != s.to_move.mover:
        return {"obligation": "none", "allowed": "all"}
    return _written(s.to_move.obligation())


def _written(duty: Obligation) -> dict[str, Any]:
    if duty.moves is None:
        return {"obligation": duty.word, "allowed": "all"}
    return {"obligation": duty.word, "allowed": sorted(move.uci() for move in duty.moves)}


def restore(s: Standing) -> dict[str, list[str]] | None:
    """After trouble: where the wood differs from the position in force; null when nothing is to be put right."""
    if s.knock is not None:
        expected = s.knock.before
    elif s.trouble is not None:
        expected = s.trouble.expected
    else:
        return None
    place = [name_of(square) for square in squares_of(expected & ~s.occupancy & ~s.masked)]
    clear = [name_of(square) for square in squares_of(s.occupancy & ~expected & ~s.masked)]
    exchanged = [name_of(square) for square in squares_of(s.trouble.exchanged)] if s.trouble is not None else []
    if not place and not clear and not exchanged:
        return None
    out = {"place": sorted(place), "clear": sorted(clear)}
    if exchanged:
        out["replace"] = sorted(exchanged)
    return out


def report(s: Standing) -> list[str]:
    """The words that apply to the last move and the present turn, the older first."""
    words = list(s.last_words)
    for turn in (s.turn, s.reply):
        if turn is not None:
            words += [word for word in turn.words if word not in words]
    if not s.started:
        missing = s.position.occupied & ~s.occupancy & ~s.masked
        if missing:
            words.append("setup_incomplete:" + ",".join(name_of(square) for square in squares_of(missing)))
    return words


_AMBIGUOUS = ("possible_release", "possible_release_change", "capture_or_putback", "identity_unverified",
              "adjust_out_of_turn")  # fmt: skip
_INFERRED = ("toucher_unverified", "silent_capture", "transposition_castling", "touch_move_violation",
             "reply_to_illegal", "pressed_with_piece_in_air", "pressed_while_displaced", "offer_refused_by_touch",
             "castling_or_king_move")  # fmt: skip


def confidence(s: Standing) -> str:
    """How sure the board is (contract section 8, rule 18)."""
    if s.external:
        return "external"
    stems = {word.split(":")[0] for word in report(s)}
    undecided = "castling_or_king_move" in stems and s.made is None and not s.plies
    if _open_question(s) or undecided or stems & set(_AMBIGUOUS):
        return "ambiguous"
    return "inferred" if stems & set(_INFERRED) else "certain"


def _open_question(s: Standing) -> bool:
    """Whether what was played is in question; what the players themselves can answer at once is not."""
    if s.question is None or s.question.word == "confirm_result":
        return False
    if s.question.word == "promotion_piece":
        return not s.settings.refuses
    return s.trouble is None


def view(s: Standing, san: tuple[str, ...], game_id: str, started_fen: str) -> View:
    """The state with what peers need to show it."""
    asked = s.question.candidates if s.question is not None else ()
    named = {move.uci(): write_san(s.turn.position, move) for move in asked}
    legal: dict[str, list[str]] = {}
    if not s.ended and s.started:
        duty = s.moving.obligation()
        for one in s.moving.footprints.all:
            if any(duty.permits(move) for move in one.moves):
                legal.setdefault(name_of(one.move.from_square), []).append(name_of(one.move.to_square))
    return View(
        state=state(s),
        san=san,
        occupancy=s.occupancy,
        profile=s.settings.profile,
        game_id=game_id,
        started_fen=started_fen,
        can_take_back=s.settings.takeback != "arbiter" and bool(s.plies or s.made),
        outstanding=tuple(sorted(s.faults)),
        faulty=s.faulty,
        candidates_san=named,
        legal_by_origin={origin: tuple(to) for origin, to in legal.items()},
    )


def last_move(s: Standing) -> Move | None:
    """The last move made."""
    if s.made is not None and s.made.move is not None:
        return s.made.move
    last = s.last_ply()
    return last.move if last is not None else None
