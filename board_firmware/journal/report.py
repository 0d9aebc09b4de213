"""The arbiter's page: what happened in a game, to the second, as HTML that prints and needs nothing else.

Moves with times, every touch in its order, breaches, questions, rulings, restarts, and a diagram at each dispute as the
board stood then. It is a watcher of the fold, so it shows what the rows give and no memory of its own; whether the
rows' chain holds stands at its head.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from board_firmware.core.events import Command, Decision, Event, GameStarted, Ruled, View
from board_firmware.journal.reader import JournalGame
from board_firmware.journal.recovery import Core, Folded
from board_firmware.journal.report_words import Words
from board_firmware.journal.schema import Row
from board_firmware.scoresheet import Ply, Scoresheet
from hal.squares import SQUARE_NAMES, parse_square
from rules.pgn.comment import format_time

DISPUTES = frozenset(
    {
        "touch_broken", "move_illegal", "violation_recorded", "unclear", "board_disarranged", "penalty_proposed",
        "penalty_applied", "claim_judged", "flag_fell", "result_proposed", "objection_judged", "illegal_move_stands",
        "game_reopened", "game_over",
    }
)  # fmt: skip
"""Decisions at which the page shows a diagram."""

_QUIET = frozenset({"touched", "move_seen", "move_made", "analysis_wanted", "clock_started"})
"""Decisions that the move list and the touches tell already."""

_GLYPHS: Mapping[str, str] = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    at_ns: int
    wall_ms: int
    kind: str
    """``touch``, ``decision``, ``ruling``, ``command`` or ``restart``: the style of the line."""
    text: str
    machine: str = ""
    """The decision in the machine's own words."""
    article: str = ""
    fen: str = ""
    marked: tuple[str, ...] = ()


class Report:
    """Watches a fold (`watch`), then writes the page (`html`)."""

    def __init__(
        self, game: JournalGame, rows: tuple[Row, ...], *, date: str, broken: tuple[int, ...] = (), lang: str = "en"
    ) -> None:
        """``broken`` are numbers of rows at which the chain does not hold; ``lang`` is the arbiter's language."""
        self._words = Words(lang)
        self._game = game
        self._rows = rows
        self._broken = broken
        self._date = date
        self._place = 0
        self._entries: list[_Entry] = []
        self._sheet: Scoresheet | None = None
        self._started: GameStarted | None = None
        self._view: View | None = None
        self._boot: int | None = None

    def watch(self, event: Event, decisions: tuple[Decision, ...], core: Core) -> None:
        """One step of the fold, in order."""
        row = self._rows[self._place]
        self._place += 1
        if isinstance(event, GameStarted) and self._sheet is None:
            self._sheet = Scoresheet(event, self._date, self._game.game_id)
            self._started = event
        if self._boot is not None and row.boot != self._boot:
            self._add(row, "restart", self._words.say("evidence.restarted"))
        self._boot = row.boot
        told = self._words.told(event)
        if told:
            self._add(row, _style(event), told)
        if decisions or self._view is None:
            self._view = core.view()
            if self._sheet is not None:
                self._sheet.update(self._view, event.at_ns)
        for decision in decisions:
            if decision.kind not in _QUIET:
                self._decided(row, decision, self._view)

    def _decided(self, row: Row, decision: Decision, view: View) -> None:
        details = {name: value for name, value in decision.details.items() if value not in (None, (), [], "")}
        machine = " ".join((decision.kind, *(f"{name}={_plain(value)}" for name, value in details.items())))
        shown = any(entry.fen for entry in self._entries if entry.at_ns == row.at_ns)
        disputed = decision.kind in DISPUTES and not shown
        self._entries.append(
            _Entry(
                at_ns=row.at_ns,
                wall_ms=row.wall_ms if row.trusted else 0,
                kind="decision",
                text=self._words.decided(decision),
                machine=machine,
                article=decision.article or "",
                fen=str(view.state.get("fen") or "") if disputed else "",
                marked=_marked(details, view) if disputed else (),
            )
        )

    def _add(self, row: Row, kind: str, text: str) -> None:
        self._entries.append(_Entry(at_ns=row.at_ns, wall_ms=row.wall_ms if row.trusted else 0, kind=kind, text=text))

    def html(self, folded: Folded) -> str:
        """The page, complete in itself."""
        game, sheet = self._game, self._sheet
        say, word = self._words.say, self._words.word
        title = f"{game.white or say('side.white')} – {game.black or say('side.black')}"
        state = folded.core.view().state
        result, none = state.get("result") or "*", say("evidence.none")
        parts = [
            f"<h1>{escape(title)}</h1>",
            _facts(
                {
                    say("evidence.event"): game.event,
                    say("evidence.round"): game.round,
                    say("evidence.date"): self._date or say("evidence.no_date"),
                    say("evidence.game"): game.game_id,
                    say("evidence.control"): self._started.control if self._started else "",
                    say("evidence.profile"): say(f"profile.{self._started.profile}") if self._started else "",
                    say(
                        "evidence.result"
                    ): f"{result} {word(str(state.get('termination') or ''), 'termination')}".strip(),
                    say("evidence.violations"): ", ".join(map(word, state.get("violations") or ())) or none,
                    say("evidence.penalties"): ", ".join(map(self._words.penalty, state.get("penalties") or ()))
                    or none,
                    say("evidence.rows"): f"{folded.rows}, {self._integrity(folded)}",
                }
            ),
            f"<h2>{escape(say('evidence.moves'))}</h2>",
            self._moves(sheet) if sheet else "",
            f"<h2>{escape(say('evidence.end'))}</h2>",
            _diagram(str(state.get("fen") or game.fen), ()),
            f"<h2>{escape(say('evidence.log'))}</h2>",
            self._log(),
        ]
        return (
            f'<!doctype html><html lang="{self._words.lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
        )

    def _integrity(self, folded: Folded) -> str:
        say = self._words.say
        said = []
        if self._broken:
            said.append(say("evidence.broken", row=self._broken[0]))
        if folded.missing:
            said.append(say("evidence.lost", count=len(folded.missing), row=folded.missing[0]))
        if folded.differing:
            said.append(say("evidence.differing", row=folded.differing[0], count=len(folded.differing)))
        return "; ".join(said) or say("evidence.unbroken")

    def _heads(self, *keys: str) -> str:
        return "".join(f"<th>{escape(self._words.say(key)) if key else ''}</th>" for key in keys)

    def _moves(self, sheet: Scoresheet) -> str:
        rows = []
        for number, white, black in sheet.pairs():
            rows.append(f"<tr><td>{number}</td>{_ply(white)}{_ply(black)}</tr>")
        times = ("evidence.left", "evidence.used")
        head = self._heads("", "side.white", *times, "side.black", *times)
        return f"<table class=moves><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _log(self) -> str:
        start_ns = self._started.at_ns if self._started else 0
        lines = []
        for entry in self._entries:
            wall = _time_of_day(entry.wall_ms) if entry.wall_ms else ""
            article = self._words.say("desk.article", article=entry.article) if entry.article else ""
            machine = f"<small>{escape(entry.machine)}</small>" if entry.machine else ""
            picture = _diagram(entry.fen, entry.marked) if entry.fen else ""
            lines.append(
                f'<tr class="{entry.kind}"><td>{(entry.at_ns - start_ns) / 1e9:.3f}</td><td>{wall}</td>'
                f"<td>{escape(entry.text)}{machine}{picture}</td><td>{escape(article)}</td></tr>"
            )
        heads = self._heads("evidence.seconds", "evidence.time", "evidence.what", "evidence.law")
        return f"<table class=log><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _time_of_day(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone().strftime("%H:%M:%S")


def _style(event: Event) -> str:
    if isinstance(event, Ruled):
        return "ruling"
    return "command" if isinstance(event, Command) else "touch"


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name} {_plain(one)}" for name, one in value.items() if one is not None)
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value))
    return str(value)


def _marked(details: Mapping[str, Any], view: View) -> tuple[str, ...]:
    """The squares that a decision is about: its own, and what must be put right."""
    named: list[str] = []
    for value in details.values():
        words = value if isinstance(value, list | tuple) else [value]
        for word in words:
            if isinstance(word, str) and len(word) in (4, 5) and word[:2] in SQUARE_NAMES and word[2:4] in SQUARE_NAMES:
                named += [word[:2], word[2:4]]
            elif isinstance(word, str) and word.rpartition(":")[2] in SQUARE_NAMES:
                named.append(word.rpartition(":")[2])
    for squares in (view.state.get("restore") or {}).values():
        named += squares
    return tuple(dict.fromkeys(named))


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    return f"<dl>{rows}</dl>"


def _ply(ply: Ply | None) -> str:
    if ply is None:
        return "<td></td>" * 3
    return f"<td>{escape(ply.san)}</td><td>{_time(ply.clk_s)}</td><td>{_time(ply.emt_s)}</td>"


def _time(seconds: float | None) -> str:
    return "" if seconds is None else format_time(seconds)


def _diagram(fen: str, marked: Iterable[str]) -> str:
    """A small board as a table of figurines, with squares marked; empty for what is no FEN."""
    ranks = fen.split()[0].split("/") if fen.split() else []
    if len(ranks) != 8:
        return ""
    lit = {parse_square(name) for name in marked}
    rows = []
    for place, text in enumerate(ranks):
        rank = 7 - place
        line: list[str] = []
        for letter in text:
            line += [""] * int(letter) if letter.isdigit() else [_GLYPHS.get(letter, "")]
        cells = ""
        for file, glyph in enumerate(line):
            shade = "dark" if (rank + file) % 2 == 0 else "light"
            cells += f'<td class="{shade}{" lit" if rank * 8 + file in lit else ""}">{glyph}</td>'
        rows.append(f"<tr><th>{rank + 1}</th>{cells}</tr>")
    files = "".join(f"<th>{letter}</th>" for letter in "abcdefgh")
    return f"<table class=board>{''.join(rows)}<tr><th></th>{files}</tr></table>"


_STYLE = """
body{font:15px/1.4 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111}
h1{font-size:1.5em;margin:0 0 .5em}h2{font-size:1.15em;margin:1.5em 0 .4em;border-bottom:1px solid #999}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1em}dt{color:#555}dd{margin:0}
table{border-collapse:collapse}
.moves td,.log td,.moves th,.log th{padding:.1em .6em;text-align:left;vertical-align:top}
.moves td,.log td{font-variant-numeric:tabular-nums}.log{width:100%}
.log>tbody>tr{border-top:1px solid #ddd;break-inside:avoid}
.log>tbody>tr>td:last-child{white-space:nowrap}
.log small{display:block;color:#555;font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
.touch{color:#555}.ruling td,.restart td{font-weight:600;background:#f3ecd6}
.board{margin:.4em 0;font-size:22px;line-height:1}.board td{width:1.15em;height:1.15em;text-align:center;padding:0}
.board .light{background:#f4f1e8}.board .dark{background:#c9c2ae}
.board .lit{outline:3px solid #b33000;outline-offset:-3px}
.board th{font-size:11px;color:#555;font-weight:400}.board,.board td,.ruling td,.restart td{print-color-adjust:exact}
@media print{body{margin:0;max-width:none;font-size:11px}.board{font-size:16px}}
"""
