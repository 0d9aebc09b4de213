"""``touchmove judge`` and ``touchmove perft``: the rules' verdicts, printed."""

from __future__ import annotations

import json
from typing import Any

from board_firmware.complaint import Complaint
from board_firmware.messages import reason_sentence
from hal.squares import SQUARE_NAMES
from rules import (
    FenError,
    Game,
    IllegalMoveError,
    Legal,
    Move,
    MoveTextError,
    Position,
    PromotionNeeded,
    Reason,
    divide,
    perft,
)
from rules.san import write_san


def judge_command(fen: str, move: str, *, after: str, chess960: bool, lang: str, as_json: bool) -> int:
    """Print a verdict on a move; exit 0 where it is legal or asks for its piece, 1 where it is not."""
    game = _game(fen, after, chess960)
    verdict = judged(game, _move(move), lang)
    if as_json:
        print(json.dumps(verdict, ensure_ascii=False))
    else:
        print("\n".join(_lines(verdict)))
    return 1 if verdict["verdict"] == "illegal" else 0


def _game(fen: str, after: str, chess960: bool) -> Game:
    try:
        game = Game.from_fen(fen, chess960=chess960 or _needs_chess960(fen))
    except FenError as error:
        raise Complaint(str(error)) from None
    for number, text in enumerate(after.split(), start=1):
        try:
            game = game.play(_move(text))
        except IllegalMoveError as error:
            raise Complaint(f"--after, move {number}: {error}") from None
    return game


def _needs_chess960(fen: str) -> bool:
    """Shredder letters, or a king or rook from home with a right, exist in Chess960 only."""
    try:
        Position.from_fen(fen)
    except FenError as error:
        return "Chess960" in str(error)
    return False


def _move(text: str) -> Move:
    try:
        return Move.from_uci(text)
    except MoveTextError as error:
        raise Complaint(str(error)) from None


def judged(game: Game, move: Move, lang: str) -> dict[str, Any]:
    """The contract's JSON object for a verdict (section 1)."""
    verdict = game.judge(move.from_square, move.to_square, move.promotion)
    out: dict[str, Any] = {"verdict": "legal", "move": move.uci(), "san": None, "choices": [], "reasons": []}
    if isinstance(verdict, Legal):
        out["san"] = write_san(game.position, verdict.move)
    elif isinstance(verdict, PromotionNeeded):
        out["verdict"] = "promotion_needed"
        out["choices"] = [choice.uci() for choice in verdict.choices]
    else:
        out["verdict"] = "illegal"
        out["reasons"] = [_reason(game.position, reason, lang) for reason in verdict.reasons]
    return out


def _reason(position: Position, reason: Reason, lang: str) -> dict[str, Any]:
    units = [_unit(position, square) for square in reason.by]
    squares = [SQUARE_NAMES[square] for square in reason.squares]
    return {
        "word": str(reason.word),
        "squares": squares,
        "by": [SQUARE_NAMES[square] for square in reason.by],
        "article": reason.article,
        "why": reason_sentence({"word": str(reason.word), "squares": squares, "by": units}, lang),
    }


def _unit(position: Position, square: int) -> str:
    """A unit as people write it: ``Bc4``, a pawn by its square alone."""
    piece = position.piece_at(square)
    letter = "" if piece is None or piece.symbol.upper() == "P" else piece.symbol.upper()
    return letter + SQUARE_NAMES[square]


def _lines(verdict: dict[str, Any]) -> list[str]:
    if verdict["verdict"] == "legal":
        return [f"{verdict['move']}: legal, {verdict['san']}"]
    if verdict["verdict"] == "promotion_needed":
        return [f"{verdict['move']}: promotion needed, choose {', '.join(verdict['choices'])}"]
    return [
        f"{verdict['move']}: {reason['why']} [{reason['word']}, article {reason['article']}]"
        for reason in verdict["reasons"]
    ]


def perft_command(fen: str, depth: int, *, divided: bool, chess960: bool) -> int:
    """Print how many sequences of ``depth`` legal moves a position has."""
    if not 0 <= depth <= 20:
        raise Complaint(f"depth {depth} is out of range: 0 to 20")
    position = _game(fen, "", chess960).position
    if not divided or depth == 0:
        print(perft(position, depth))
        return 0
    counts = divide(position, depth)
    for move in sorted(counts, key=Move.uci):
        print(f"{move.uci()}: {counts[move]}")
    print(f"\n{sum(counts.values())}")
    return 0
