"""The chess facts that the conformance cases state for their reader."""

from __future__ import annotations

import json

from rules.fen import parse_fen
from rules.game import Game
from rules.material import can_mate_on_material, insufficient_material
from rules.move import Move
from rules.pieces import Color
from rules.squares import parse_square


def fact_holds(game, name, value):
    """Check one fact of a case against the position after its history."""
    position = game.position
    moves = {move.uci() for move in position.legal_moves()}
    match name:
        case "legal":
            return set(value) <= moves
        case "illegal":
            return not set(value) & moves
        case "no_moves_from":
            return not any(move.startswith(square) for move in moves for square in value)
        case "from_capture":
            takes = [move for move in position.legal_moves() if position.is_capture(move)]
            return all(
                sorted(move.uci() for move in takes if move.from_square == parse_square(square)) == sorted(listed)
                for square, listed in value.items()
            )
        case "capturers":
            return all(
                sorted(m.uci() for m in position.legal_moves() if position.captured_square(m) == parse_square(square))
                == sorted(listed)
                for square, listed in value.items()
            )
        case "in_check":
            return position.is_check() == value
        case "not_insufficient":
            return not insufficient_material(position)
        case "insufficient":
            return not any(can_mate_on_material(position, Color(side)) for side in value)
        case "not_insufficient_for":
            return all(can_mate_on_material(position, Color(side)) for side in value)
        case "rep3":
            return game.can_claim_threefold() == value
        case "rep3_after":
            return game.can_claim_threefold(Move.from_uci(value)) and not game.can_claim_threefold()
        case "rep5_after":
            return game.play(Move.from_uci(value)).repetitions() == 5
        case "mate_example":
            return Game.from_fen(value).position.is_checkmate()
    raise AssertionError(f"a fact nobody can check: {name}")


def test_facts(shared):
    """Every fact of every case is true here; a case may begin with any diagram."""
    cases = json.loads((shared / "cases" / "laws.json").read_text(encoding="utf-8"))
    checked, wrong = 0, []
    for case in cases:
        if not case.get("fen"):
            continue
        game = Game.from_setup(parse_fen(case["fen"], chess960=bool(case.get("chess960"))))
        for uci in case.get("history") or ():
            game = game.play(Move.from_uci(uci))
        for name, value in (case.get("facts") or {}).items():
            checked += 1
            if not fact_holds(game, name, value):
                wrong.append((case["id"], name, value))
    assert wrong == []
    assert checked > 60
