"""A game's first event from what was asked for: array or diagram, control, profile, rules and tags, all checked.

Rights that a diagram does not state are never guessed from where the pieces stand: `missing_rights` names the
questions, and whoever set up the diagram answers them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from board_firmware.core.control import Control
from board_firmware.core.events import GameStarted
from board_firmware.core.settings import settle
from board_firmware.peers import NewGame
from rules import START_FEN, Color, Game, Move, Position, square_name

CHESS960_COUNT = 960


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """One castling right that a diagram leaves open: the letter that states it, and the units it is about."""

    letter: str
    side: str
    king: str
    rook: str


def chess960_fen(number: int) -> str:
    """The FEN of a Chess960 array by its customary number, 0 to 959 (518 is the usual one); ``ValueError`` beyond.

    Source: R. Scharnagl's numbering, as in the Laws' Guidelines II.
    """
    if not 0 <= number < CHESS960_COUNT:
        raise ValueError(f"Chess960 array {number}: there are 960, numbered from 0")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "b"
    free = [file for file in range(8) if not rank[file]]
    rank[free.pop(queen)] = "q"
    pairs = [(first, second) for first in range(5) for second in range(first + 1, 5)]
    first, second = pairs[knights]
    rank[free[first]] = rank[free[second]] = "n"
    for file, piece in zip((file for file in range(8) if not rank[file]), "rkr", strict=True):
        rank[file] = piece
    line = "".join(rank)
    return f"{line}/pppppppp/8/8/8/8/PPPPPPPP/{line.upper()} w KQkq - 0 1"


def missing_rights(fen: str) -> tuple[Right, ...]:
    """The castling rights that a FEN of one or two fields leaves open: each is to be asked, none is inferred.

    A FEN that has its third field states its rights, ``-`` included. ``ValueError`` if the placement makes no sense.
    """
    parts = fen.split()
    if len(parts) >= 3 or not parts:
        return ()
    position = Position.from_fen(f"{parts[0]} {parts[1] if parts[1:] else 'w'} - - 0 1")
    found = []
    for color, back, letters in ((Color.WHITE, 0, "KQ"), (Color.BLACK, 56, "kq")):
        pieces = [position.piece_at(back + file) for file in range(8)]
        own = [str(piece) if piece is not None and piece.color is color else "" for piece in pieces]
        if own[4].upper() != "K":
            continue
        for letter, file in zip(letters, (7, 0), strict=True):
            if own[file].upper() == "R":
                found.append(
                    Right(
                        letter=letter,
                        side="white" if color is Color.WHITE else "black",
                        king=square_name(back + 4),
                        rook=square_name(back + file),
                    )
                )
    return tuple(found)


def with_rights(fen: str, letters: str) -> str:
    """The FEN of one or two fields completed with the rights that were stated, such as ``Kq`` or the empty string."""
    parts = fen.split()
    return f"{parts[0]} {parts[1] if parts[1:] else 'w'} {letters or '-'} - 0 1"


def open_game(
    request: NewGame, settings: Mapping[str, Mapping[str, Any]], at_ns: int, occupancy: int | None, game_id: str = ""
) -> GameStarted:
    """The event that begins the game asked for, empty fields filled from the configuration.

    ``occupancy`` is what the reeds show now; None takes it that the pieces stand. A game with a clock, and one whose
    pieces do not stand yet, waits to be started. ``ValueError`` with a sentence for what cannot be set up.
    """
    chess960 = request.chess960 or request.chess960_number is not None
    fen = request.fen
    if not fen:
        number = request.chess960_number
        if chess960 and number is None:
            number = secrets.randbelow(CHESS960_COUNT)
        fen = START_FEN if number is None else chess960_fen(number)
    if missing_rights(fen):
        raise ValueError(f"{fen!r} does not state the castling rights: write them as its third field, as KQkq or -")
    parts = fen.split()
    if 0 < len(parts) <= 3:
        fen = with_rights(fen, parts[2] if parts[2:] else "")
    game = Game.from_fen(fen, chess960=chess960)
    for ply, uci in enumerate(request.history, start=1):
        move = Move.from_uci(uci)
        if not game.position.is_legal(move):
            raise ValueError(f"move {ply} of the history, {uci}, is not legal there")
        game = game.play(move)
    over = game.outcome()
    if over is not None:
        where = game.position.fen()
        raise ValueError(f"{where!r}: the game is over as it stands ({over.termination}), nothing is left to play")
    control = request.control if request.control is not None else str(settings["game"]["control"])
    profile = request.profile if request.profile is not None else str(settings["game"]["profile"])
    parsed = Control.parse(control)
    rules = {**settings["rules"], **request.settings}
    settle(profile, parsed, rules)  # says what is wrong with them
    stands = occupancy is None or occupancy == game.position.occupied
    prior: dict[str, Any] = {} if stands and not parsed.timed else {"started": False}
    return GameStarted(
        at_ns=at_ns,
        fen=fen,
        chess960=chess960,
        history=request.history,
        control=control,
        profile=profile,
        prior=prior,
        settings=rules,
        occupancy=game.position.occupied if occupancy is None else occupancy,
        game_id=game_id,
        tags={**settings["tags"], **request.tags},
    )
