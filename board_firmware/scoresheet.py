"""The scoresheet: final moves with their clock times as PGN, the file replaced whole after each of them.

A fold over views: a move counts once it is completed, or when the game has ended with it on the board; one that is
taken back goes again. What no PGN reader could play, an illegal move that stands or a position set by the arbiter, ends
the public line before it and stays in the journal. A file is written beside the old one, synchronised and renamed, so
that a reader or a power cut finds the old text or the new one, never half of either.

Source: PGN Specification, 8 (export format) and supplement 2001 (``clk``, ``emt``).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from board_firmware.core.events import GameStarted, View
from rules import Color, Game, Move, Position, Termination, parse_fen
from rules.pgn import PgnGame, PgnLine, PgnMove, termination_tag, write_game
from rules.pgn.comment import clk, emt
from rules.san import write_san

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """A final move, and in seconds what its player had left and took; None without a clock."""

    move: Move
    san: str
    clk_s: float | None = None
    emt_s: float | None = None


class Scoresheet:
    """One game's score as it grows."""

    def __init__(self, started: GameStarted, date: str = "", game_id: str = "") -> None:
        """``date`` is ``YYYY-MM-DD`` or empty where nobody knows it."""
        self._started = started
        self._date = date
        self._game_id = game_id or started.game_id
        self._start = Game.from_setup(parse_fen(started.fen, chess960=started.chess960)).position
        self._positions: list[Position] = [self._start]
        self.plies: list[Ply] = []
        """The final moves since the set-up, those of the history that the game began with included, without times."""
        self.result = "*"
        self.termination: str | None = None
        self._since_ns = started.at_ns
        self._follow([Move.from_uci(uci) for uci in started.history], {}, started.at_ns)

    def update(self, view: View, at_ns: int) -> bool:
        """Follow the view that holds at ``at_ns``; whether the score has changed."""
        before = (self.result, self.termination)
        state = view.state
        self.result = str(state.get("result") or "*")
        self.termination = state.get("termination")
        moves = [*self._started.history, *state.get("moves", ())]
        set_anew = len(moves) - len(view.san)
        if set_anew > 0:  # since then the moves go on from a diagram that an arbiter set
            moves = moves[:set_anew]
        elif moves and not state.get("completed") and state.get("status") != "ended":
            moves = moves[:-1]
        changed = self._follow([Move.from_uci(uci) for uci in moves], state.get("clock_s") or {}, at_ns)
        return changed or before != (self.result, self.termination)

    def _follow(self, moves: list[Move], clocks: Mapping[str, float], at_ns: int) -> bool:
        same = 0
        while same < min(len(moves), len(self.plies)) and self.plies[same].move is moves[same]:
            same += 1
        changed = same < len(self.plies)
        del self.plies[same:], self._positions[same + 1 :]
        for number in range(same, len(moves)):
            position, move = self._positions[-1], moves[number]
            if not position.is_legal(move):
                break
            newest = number == len(moves) - 1
            side = "white" if position.turn is Color.WHITE else "black"
            self._positions.append(position.play(move))
            self.plies.append(
                Ply(
                    move=move,
                    san=write_san(position, move, self._positions[-1]),
                    clk_s=clocks.get(side) if newest else None,
                    emt_s=(at_ns - self._since_ns) / 1e9 if newest and clocks else None,
                )
            )
            self._since_ns = at_ns
            changed = True
        return changed

    def pairs(self) -> Iterator[tuple[int, Ply | None, Ply | None]]:
        """The score in lines as people write it: move number, White's ply, Black's; None where there is none."""
        late = self._start.turn is Color.BLACK
        plies: list[Ply | None] = [*[None] * late, *self.plies]
        for place in range(0, len(plies), 2):
            number = self._start.fullmove_number + place // 2
            yield number, plies[place], plies[place + 1] if place + 1 < len(plies) else None

    def game(self) -> PgnGame:
        """The game as it stands, for the PGN writer; it does not change with the sheet."""
        started = self._started
        tags = {"Date": self._date.replace("-", ".") if self._date else "????.??.??", **started.tags}
        tags["GameId"] = self._game_id
        tags.setdefault("TimeControl", "-" if started.control == "none" else started.control)
        if started.chess960:
            tags["Variant"] = "Chess960"
        known = set(Termination)
        ended = Termination(self.termination) if self.termination in known else None
        tags["Termination"] = termination_tag(ended)
        line = PgnLine(moves=tuple(PgnMove(move=ply.move, comments=_times(ply)) for ply in self.plies))
        return PgnGame(tags=tags, start=self._start, line=line, result=self.result)

    def pgn(self) -> str:
        """The game in export format, with a line end after its last line."""
        return write_game(self.game())


def _times(ply: Ply) -> tuple[str, ...]:
    times = [clk(ply.clk_s)] if ply.clk_s is not None else []
    times += [emt(ply.emt_s)] if ply.emt_s is not None else []
    return (" ".join(times),) if times else ()


def replace_file(path: Path, text: str) -> None:
    """Put ``text`` into a file, durably, so that at every instant the old content or the new one is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class ScoresheetFile:
    """The PGN file of the game in play, written by a thread of its own; only the newest text counts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="scoresheet")
        self._waiting: dict[Path, PgnGame] = {}
        self._last: Future[None] | None = None
        self._refusal = ""
        self.sheet: Scoresheet | None = None

    def path_of(self, game_id: str) -> Path:
        """The file of a game."""
        return self._folder / f"{game_id}.pgn"

    def begin(self, sheet: Scoresheet, game_id: str) -> None:
        """A game begins or is resumed: its file follows this sheet from now on."""
        self.sheet = sheet
        self._path = self.path_of(game_id)

    def update(self, view: View, at_ns: int) -> None:
        """Follow the view; writes the file if the score has changed."""
        if self.sheet is not None and self.sheet.update(view, at_ns):
            self.write()

    def write(self) -> None:
        """Write the file as the score stands."""
        if self.sheet is not None:
            self._waiting[self._path] = self.sheet.game()
            self._last = self._writer.submit(self._write)

    def _write(self) -> None:
        while self._waiting:
            path = next(iter(self._waiting))
            text = write_game(self._waiting.pop(path))
            try:
                replace_file(path, text)
            except OSError as error:
                if str(error) != self._refusal:  # once, not after every move; the journal has the game all the same
                    log.error("the PGN file cannot be written: %s", error)
                self._refusal = str(error)
                raise
            self._refusal = ""

    def close(self) -> None:
        """Wait for the last write; ``OSError`` if the disk refused it."""
        self._writer.shutdown(wait=True)
        if self._last is not None:
            self._last.result()
