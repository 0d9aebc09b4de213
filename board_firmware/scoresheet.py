"""The scoresheet: final moves with their clock times as PGN, the file replaced whole after each of them.

A fold over views: a move counts once it is completed, or when the game has ended with it on the board; one that is
taken back goes again. What no PGN reader could play, an illegal move that stands, ends the public line before it and
stays in the journal. A file is written beside the old one, synchronised and renamed, so that a reader or a power cut
finds the old text or the new one, never half of either.

Source: PGN Specification, 8 (export format) and supplement 2001 (``clk``, ``emt``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from board_firmware.events import GameStarted, View
from rules.pgn.comment import clk, emt
from rules.pgn.tags import in_export_order, write_tag

LINE_WIDTH = 79
"""Characters in a line of moves; the standard wants fewer than 80."""

_TERMINATION: Mapping[str, str] = {
    "time": "time forfeit",
    "time_no_mating_material": "time forfeit",
    "time_no_mating_line": "time forfeit",
    "both_flags": "time forfeit",
    "second_illegal_move": "rules infraction",
    "second_illegal_move_no_mating_material": "rules infraction",
    "arbiter": "adjudication",
    "abandoned": "abandoned",
    "game_cancelled_new_game": "abandoned",
}
"""Our words in the standard's; all others are ``normal``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """A final move: SAN, and in seconds what its player had left and took; None without a clock."""

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
        self.plies: list[Ply] = []
        """The final moves since the set-up, those of the history that the game began with included, without times."""
        self.result = "*"
        self.termination: str | None = None
        self._since_ns = started.at_ns

    def update(self, view: View, at_ns: int) -> bool:
        """Follow the view that holds at ``at_ns``; whether the score has changed."""
        before = (len(self.plies), self.result, self.termination, self.plies[-1:])
        state = view.state
        ended = state.get("status") == "ended"
        final = view.san if state.get("completed") or ended or not view.san else view.san[:-1]
        same = 0
        while same < min(len(final), len(self.plies)) and self.plies[same].san == final[same]:
            same += 1
        del self.plies[same:]
        clocks = state.get("clock_s") or {}
        for number in range(same, len(final)):
            newest = number == len(final) - 1 and number >= len(self._started.history)
            left = clocks.get(self._mover(number)) if newest else None
            used = (at_ns - self._since_ns) / 1e9 if clocks and newest else None
            self.plies.append(Ply(san=final[number], clk_s=left, emt_s=used))
            self._since_ns = at_ns
        self.result = str(state.get("result") or "*")
        self.termination = state.get("termination")
        return before != (len(self.plies), self.result, self.termination, self.plies[-1:])

    def _mover(self, number: int) -> str:
        return "white" if (number + self._begins_late) % 2 == 0 else "black"

    @property
    def _begins_late(self) -> int:
        return 1 if self._started.fen.split()[1:2] == ["b"] else 0

    def pairs(self) -> Iterator[tuple[int, Ply | None, Ply | None]]:
        """The score in lines as people write it: move number, White's ply, Black's; None where there is none."""
        plies: list[Ply | None] = [*[None] * self._begins_late, *self.plies]
        first = self._first_number()
        for place in range(0, len(plies), 2):
            yield first + place // 2, plies[place], plies[place + 1] if place + 1 < len(plies) else None

    def pgn(self) -> str:
        """The game in export format, with a line end after its last line."""
        return "\n".join([*self._tags(), "", *self._movetext(), ""])

    def _tags(self) -> list[str]:
        started = self._started
        tags = {"Date": self._date.replace("-", ".") if self._date else "????.??.??", **started.tags}
        tags["Result"] = self.result
        tags["GameId"] = self._game_id
        if started.control:
            tags.setdefault("TimeControl", _time_control(started.control))
        if started.chess960:
            tags["Variant"] = "Chess960"
        if started.chess960 or not started.fen.startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"):
            tags["SetUp"], tags["FEN"] = "1", started.fen
        if self.result != "*" or self.termination:
            tags["Termination"] = _TERMINATION.get(self.termination or "", "normal")
        else:
            tags["Termination"] = "unterminated"
        return [write_tag(name, value) for name, value in in_export_order(tags)]

    def _movetext(self) -> list[str]:
        words: list[str] = []
        first = self._begins_late
        number = self._first_number()
        commented = False
        for place, ply in enumerate(self.plies):
            turn = place + first
            if turn % 2 == 0:
                words.append(f"{number + turn // 2}.")
            elif place == 0 or commented:
                words.append(f"{number + turn // 2}...")
            words.append(ply.san)
            times = [clk(ply.clk_s)] if ply.clk_s is not None else []
            times += [emt(ply.emt_s)] if ply.emt_s is not None else []
            commented = bool(times)
            if times:
                inside = " ".join(times).split(" ")
                words += [f"{{{inside[0]}", *inside[1:-1], f"{inside[-1]}}}"]
        return _wrapped([*words, self.result])

    def _first_number(self) -> int:
        parts = self._started.fen.split()
        return int(parts[5]) if len(parts) > 5 and parts[5].isdigit() else 1


def _time_control(control: str) -> str:
    return "-" if control == "none" else control


def _wrapped(words: Sequence[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_WIDTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


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
        self._waiting: dict[Path, str] = {}
        self._last: Future[None] | None = None
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
            self._waiting[self._path] = self.sheet.pgn()
            self._last = self._writer.submit(self._write)

    def _write(self) -> None:
        while self._waiting:
            path = next(iter(self._waiting))
            replace_file(path, self._waiting.pop(path))

    def close(self) -> None:
        """Wait for the last write; ``OSError`` if the disk refused it."""
        self._writer.shutdown(wait=True)
        if self._last is not None:
            self._last.result()
