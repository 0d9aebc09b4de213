"""Finished games: the list, the moves with their clock times for replay, and the files to take away.

The journal's own files (trace, rows, report) are evidence and need the arbiter's token. A game that is still running is
shown to those who play or rule it, never to a spectator, whose view is delayed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from aiohttp import web

from board_firmware.peers import Archive, Desk, GameSummary
from board_firmware.web.guard import refusal
from rules.fen import START_FEN
from rules.pgn import read_pgn
from rules.san import write_san

Allowed = Callable[[web.Request], bool]
Language = Callable[[web.Request], str]
PAGE = 50
_GAME_ID = re.compile(r"[\w.\-]{1,80}")
EVIDENCE = {"report": "text/html", "trace": "text/plain", "journal": "application/x-ndjson"}


def add_routes(app: web.Application, desk: Desk, may_rule: Allowed, may_play: Allowed, lang: Language) -> None:
    """Add the routes of the archive to the page's application; ``lang`` is the reader's language."""
    routes = _Routes(desk, may_rule, may_play, lang)
    app.router.add_get("/api/games", routes.list)
    app.router.add_get("/api/games/{game_id}", routes.replay)
    app.router.add_get("/api/games/{game_id}/pgn", routes.pgn)
    app.router.add_get("/api/desk/games/{game_id}/{kind}", routes.evidence)


class _Routes:
    def __init__(self, desk: Desk, may_rule: Allowed, may_play: Allowed, lang: Language) -> None:
        self._lang = lang
        self._desk = desk
        self._may_rule = may_rule
        self._may_play = may_play

    def _open(self, request: web.Request, game_id: str) -> bool:
        """Whether a request may see this game: a running tournament game is the arbiter's alone."""
        view = self._desk.latest().view
        if game_id != view.game_id or view.state.get("status") == "ended":
            return True
        return self._may_rule(request) or (view.profile != "tournament" and self._may_play(request))

    async def list(self, request: web.Request) -> web.Response:
        text = request.query.get("offset", "0")
        offset = int(text) if text.isdecimal() and len(text) < 9 else 0
        found = await asyncio.to_thread(self._desk.archive.games, limit=PAGE + 1, offset=offset)
        worth = (game for game in found[:PAGE] if game.plies or game.termination or game.running)
        shown = [_line(game) for game in worth if not game.running or self._open(request, game.game_id)]
        return web.json_response({"games": shown, "more": len(found) > PAGE}, headers={"Cache-Control": "no-store"})

    async def replay(self, request: web.Request) -> web.Response:
        text = await self._text(request, "pgn")
        if isinstance(text, web.Response):
            return text
        return web.json_response(await asyncio.to_thread(moves_of, text), headers={"Cache-Control": "no-store"})

    async def pgn(self, request: web.Request) -> web.Response:
        text = await self._text(request, "pgn")
        if isinstance(text, web.Response):
            return text
        name = f"{request.match_info['game_id']}.pgn"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return web.Response(text=text, content_type="application/x-chess-pgn", charset="utf-8", headers=headers)

    async def evidence(self, request: web.Request) -> web.Response:
        kind = request.match_info["kind"]
        if not self._may_rule(request):
            return refusal(403, "the evidence needs the arbiter's token")
        if kind not in EVIDENCE:
            return refusal(404, f"there is no {kind!r} of a game")
        text = await self._text(request, kind)
        if isinstance(text, web.Response):
            return text
        headers = {"Cache-Control": "no-store"}
        if kind == "report":  # it carries its own style and runs nothing
            headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return web.Response(text=text, content_type=EVIDENCE[kind], charset="utf-8", headers=headers)

    async def _text(self, request: web.Request, kind: str) -> str | web.Response:
        game_id = request.match_info["game_id"]
        if not _GAME_ID.fullmatch(game_id) or not self._open(request, game_id):
            return refusal(404, f"there is no game {game_id[:80]!r} to show")
        archive: Archive = self._desk.archive
        try:
            more = (self._lang(request),) if kind == "report" else ()
            return str(await asyncio.to_thread(getattr(archive, kind), game_id, *more))
        except KeyError:
            return refusal(404, f"there is no game {game_id!r} to show")


def _line(game: GameSummary) -> dict[str, Any]:
    return asdict(game)


def moves_of(pgn: str) -> dict[str, Any]:
    """A PGN's first game as the replay shows it: tags, and each position with the move that led there and its clock."""
    game = next(read_pgn(pgn), None)
    if game is None:
        return {"tags": {}, "fen": START_FEN, "plies": [], "result": "*"}
    position = game.start
    plies: list[dict[str, Any]] = []
    for ply in game:
        said = write_san(position, ply.move)
        position = position.play(ply.move)
        one: dict[str, Any] = {"san": said, "uci": ply.move.uci(), "fen": position.fen()}
        if ply.clk_s is not None:
            one["clk_s"] = ply.clk_s
        if ply.emt_s is not None:
            one["emt_s"] = ply.emt_s
        plies.append(one)
    return {"tags": dict(game.tags), "fen": game.start.fen(), "plies": plies, "result": game.result}
