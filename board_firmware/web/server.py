"""The page beside the board: hears every step, shows it to each audience, and posts what people enter.

Routes stand in one table below. The board is never asked to wait: a step is put into rings (`stream`) and each watcher
reads on from where it stands. Without an arbiter's token the desk stays shut; without a page's own token nothing can be
changed at all (`guard`).
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from board_firmware.core.events import Blipped, GameStarted, LiftHinted, Ruled, StartAsked
from board_firmware.messages import LANGUAGES, catalogue, choose_language
from board_firmware.peers import Desk, Published
from board_firmware.web import audience, entries, games
from board_firmware.web.access import Access
from board_firmware.web.delay import Delay
from board_firmware.web.guard import BODY_BYTES, DESK, LANGUAGE, PLAYER, SESSION, guard, refusal
from board_firmware.web.lever import PageLever
from board_firmware.web.shell import VIEWS, Shell
from board_firmware.web.stream import Stream
from board_firmware.web.table import Table, has_hands
from board_firmware.web.watching import Watching
from hal.squares import SQUARE_NAMES

HOST = "127.0.0.1"
PORT = 8064
YEAR_S = 31_536_000
AUDIENCES = ("players", "desk", "spectators")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Page:
    """The web peer. Settings are those of the configuration's section ``web``; see `Page.__init__`."""

    def __init__(
        self,
        *,
        host: str | None = None,
        port: int | None = None,
        arbiter_token: str | None = None,
        player_token: str | None = None,
        delay_s: float | None = None,
        names: tuple[str, ...] | None = None,
        language: str | None = None,
    ) -> None:
        """What is None is taken from the configuration at `start`, else: loopback, 8064, a made-up token, no delay."""
        self._given = {
            "host": host, "port": port, "arbiter_token": arbiter_token, "player_token": player_token,
            "delay_s": delay_s, "names": names, "language": language,
        }  # fmt: skip
        self.access = Access(arbiter_token=arbiter_token, player_token=player_token)
        self.host, self.port = host or HOST, PORT if port is None else port
        self.run = secrets.token_hex(4)
        """Names this run of the board: a page that meets another one asks for new tokens."""
        self._language = language
        self._shell = Shell()
        self._runner: web.AppRunner | None = None
        self._started = False
        self.streams = {name: Stream() for name in AUDIENCES}
        self._delay = Delay(self._spectate, time.monotonic)
        self._table: Table | None = None
        self._lever: PageLever | None = None
        self._memory = audience.Memory()
        self._game_id = ""
        self._begin_at_once = False
        self._names: dict[str, str] = {}

    # --- the peer ---

    async def start(self, desk: Desk) -> None:
        """Serve; an ``OSError`` that says which port is in use, if it is."""
        configured = dict(desk.settings.get("web", {}))
        settings = {**configured, **{name: value for name, value in self._given.items() if value is not None}}
        self.host, self.port = str(settings.get("host", HOST)), int(settings.get("port", PORT))
        player_token = settings.get("player_token") or None
        if player_token is None and self.host not in LOOPBACK:
            player_token = secrets.token_urlsafe(6)  # the venue's network is not this machine's own user
        self.access = Access(arbiter_token=settings.get("arbiter_token") or None, player_token=player_token)
        self._language = settings.get("language")
        self._desk = desk
        self._delay.delay_s = float(settings.get("delay_s", 0.0))
        self._started = True
        if has_hands(desk.board):
            self._table = Table(desk.board)  # type: ignore[arg-type]  # has_hands has looked
        else:
            self._lever = PageLever(desk.board)
        self._names = await asyncio.to_thread(_names_of, desk)
        self.published(desk.latest())
        app = self._app(frozenset(name.lower() for name in settings.get("names", ())))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self.host, self.port).start()
        except OSError as error:
            await self._runner.cleanup()
            why = f"port {self.port} at {self.host} cannot be had ({error.strerror}): end what uses it or take another"
            raise OSError(error.errno, why) from None
        address = self._runner.addresses[0]
        self.port = int(address[1])

    @property
    def address(self) -> str:
        """Where the page is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    @property
    def url(self) -> str:
        """The line for the terminal: where the page is, and the tokens that open its guarded views."""
        tokens = [f"arbiter's token {self.access.arbiter_token}"]
        if self.access.player_token is not None:
            tokens.append(f"players' token {self.access.player_token}")
        return f"{self.address} ({', '.join(tokens)})"

    def published(self, step: Published) -> None:
        """A durable step: into the rings with it. Steps before `start` are summed up in the desk's latest."""
        if not self._started:
            return
        if self._table is not None:
            self._follow(self._table, step)
        if self._lever is not None:
            self._lever.follow(step)
        self._memory.take(step)
        if isinstance(step.event, GameStarted):
            self._names = {side: step.event.tags.get(side.capitalize(), "") for side in ("white", "black")}
        self.streams["desk"].append(
            "step", {**self._named(audience.for_desk(step)), **self._memory.as_json()}, step.number
        )
        shown = self._named(audience.for_players(step))
        if step.view.profile != "tournament" or step.view.state.get("status") == "irregularity":
            shown.update(self._memory.as_json())
        self.streams["players"].append("step", shown, step.number)
        self._delay.put(self._named(audience.for_spectators(step)))

    def hinted(self, hint: LiftHinted | Blipped) -> None:
        """A reed opened: the page may show the piece as lifted at once."""
        self._tell("hint", {"square": SQUARE_NAMES[hint.square]})

    async def stop(self) -> None:
        """Let the watchers go and close the port."""
        for stream in self.streams.values():
            stream.close()
        self._delay.close()
        if self._runner is not None:
            await self._runner.cleanup()

    # --- inside ---

    def _named(self, payload: dict[str, Any]) -> dict[str, Any]:
        payload["presses_here"] = self._lever is not None and self._lever.is_needed
        payload["names"] = {side: name for side, name in self._names.items() if name not in ("", "?")}
        return payload

    def _spectate(self, payload: dict[str, Any]) -> None:
        payload["at_ms"] += round(self._delay.delay_s * 1000)
        self.streams["spectators"].append("step", payload, payload["number"])

    def _tell(self, event: str, payload: Mapping[str, Any]) -> None:
        for name in ("players", "desk"):
            self.streams[name].append(event, payload)

    def _follow(self, table: Table, step: Published) -> None:
        fen = step.view.state.get("fen") or step.view.started_fen
        if step.view.game_id != self._game_id or not table.standing:
            self._game_id = step.view.game_id
            clock = step.view.state.get("clock")
            table.reset(fen, {"white": "black", "black": "white"}.get(clock))  # type: ignore[arg-type]
            self._tell("table", table.as_json())
        elif table.promoted(fen):
            self._tell("table", table.as_json())
        if isinstance(step.event, Ruled) or any(one.kind == "move_taken_back" for one in step.decisions):
            table.put_lever(step.view.state.get("clock"))
        if self._begin_at_once and step.view.state.get("board", {}).get("ask") == "confirm_setup":
            self._begin_at_once = False
            self._desk.post(StartAsked(at_ns=0))

    def _app(self, names: frozenset[str]) -> web.Application:
        loopback = self.host in LOOPBACK
        app = web.Application(
            client_max_size=BODY_BYTES, middlewares=[guard(self.access, loopback=loopback, names=names)]
        )
        for path in (*VIEWS, "/games/{game_id}"):
            app.router.add_get(path, self._view)
        get, post = app.router.add_get, app.router.add_post
        get("/static/{name}", self._static)
        get("/favicon.ico", self._icon)
        get("/api/session", self._session)
        get("/api/catalogue/{lang}", self._catalogue)
        watching = Watching(self.streams, self._may_hear, self._greeting)
        get("/api/stream/{audience}", watching.stream, allow_head=False)
        post("/api/command", self._command)
        post("/api/hand", self._hand)
        post("/api/press", self._press)
        post("/api/game", self._new_game)
        post("/api/join", self._join)
        post("/api/desk/enter", self._enter)
        post("/api/desk/leave", self._leave)
        post("/api/desk/command", self._desk_command)
        post("/api/desk/delay", self._set_delay)
        games.add_routes(app, self._desk, self._may_rule, self._may_play, self._lang)
        return app

    # --- who is there ---

    def _may_rule(self, request: web.Request) -> bool:
        return self.access.is_desk_pass(request.cookies.get(DESK, ""))

    def _may_play(self, request: web.Request) -> bool:
        return self.access.is_player_pass(request.cookies.get(PLAYER, "")) or self._may_rule(request)

    def _may_hear(self, request: web.Request, audience: str) -> bool:
        if audience == "desk":
            return self._may_rule(request)
        return audience == "spectators" or self._may_play(request)

    def _greeting(self, audience: str) -> dict[str, Any]:
        """What a watcher is told first: the board's clock, which run and version this is, where the pieces stand."""
        now_ms = round(self._desk.now_ns() / 1e6)
        greeting: dict[str, Any] = {"now_ms": now_ms, "run": self.run, "version": self._shell.version}
        if self._table is not None and audience != "spectators":
            greeting["table"] = self._table.as_json()
        return greeting

    def _tournament(self) -> bool:
        return self._desk.latest().view.profile == "tournament"

    async def _session(self, request: web.Request) -> web.Response:
        """The browser's token and what it may do; a browser without a session gets one."""
        session = request.cookies.get(SESSION) or self.access.new_session()
        response = web.json_response(
            {
                "csrf": self.access.csrf(session),
                "run": self.run,
                "version": self._shell.version,
                "simulated": self._table is not None,
                "may_play": self._may_play(request),
                "may_rule": self._may_rule(request),
                "delay_s": self._delay.delay_s,
                "languages": list(LANGUAGES),
            },
            headers={"Cache-Control": "no-store"},
        )
        _remember(response, SESSION, session)
        return response

    async def _join(self, request: web.Request) -> web.Response:
        """A player shows the players' token."""
        body = await _body(request)
        if not self.access.is_token(self.access.player_token, str(body.get("token", "")), time.monotonic()):
            return refusal(403, "that is not the players' token", "token")
        response = web.json_response({})
        _remember(response, PLAYER, self.access.player_pass())
        return response

    async def _enter(self, request: web.Request) -> web.Response:
        """The arbiter shows his token."""
        body = await _body(request)
        if not self.access.is_token(self.access.arbiter_token, str(body.get("token", "")), time.monotonic()):
            return refusal(403, "that is not the arbiter's token", "token")
        response = web.json_response({})
        _remember(response, DESK, self.access.desk_pass())
        return response

    async def _leave(self, request: web.Request) -> web.Response:
        response = web.json_response({})
        response.del_cookie(DESK)
        return response

    # --- what is shown ---

    def _lang(self, request: web.Request) -> str:
        """The reader's own choice, now or stored; else what the board was told; else what the browser asks for."""
        for chosen in (request.query.get("lang"), request.cookies.get(LANGUAGE), self._language):
            if chosen in LANGUAGES:
                return str(chosen)
        return choose_language(request.headers.get("Accept-Language", ""))

    async def _view(self, request: web.Request) -> web.Response:
        response = self._shell.page(VIEWS.get(request.path, "replay"), self._lang(request))
        asked = request.query.get("lang")
        if asked in LANGUAGES:
            response.set_cookie(LANGUAGE, str(asked), max_age=YEAR_S, samesite="Strict", path="/")
        return response

    async def _static(self, request: web.Request) -> web.Response:
        return self._shell.file(request)

    async def _icon(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/static/icon.svg")

    async def _catalogue(self, request: web.Request) -> web.Response:
        lang = request.match_info["lang"]
        if lang not in LANGUAGES:
            return refusal(404, f"no language {lang!r}")
        sentences = {key: forms[0] if len(forms) == 1 else list(forms) for key, forms in catalogue(lang).items()}
        return web.json_response(sentences, headers={"Cache-Control": "no-cache"})

    # --- what is entered ---

    async def _command(self, request: web.Request) -> web.Response:
        if not self._may_play(request):
            return refusal(403, "playing needs the players' token", "players")
        return await self._post(request, entries.PLAYERS)

    async def _desk_command(self, request: web.Request) -> web.Response:
        if not self._may_rule(request):
            return refusal(403, "a ruling needs the arbiter's token", "arbiter")
        return await self._post(request, entries.DESK)

    async def _post(self, request: web.Request, allowed: Any) -> web.Response:
        try:
            self._desk.post(entries.read_command(await _body(request), allowed))
        except ValueError as error:
            return refusal(400, str(error), "entry")
        return web.json_response({})

    async def _hand(self, request: web.Request) -> web.Response:
        """An act of a hand on the simulated board; the answer is the table as it then stands."""
        if self._table is None:
            return refusal(409, "the pieces of a real board are moved by hand")
        if not self._may_play(request):
            return refusal(403, "playing needs the players' token", "players")
        body = await _body(request)
        try:
            if isinstance(body, dict) and body.get("do") == "tidy":
                self._table.tidy(str(self._desk.latest().view.state["fen"]))
            else:
                self._table.act(body)
        except ValueError as error:
            return refusal(400, str(error), "hand")
        table = self._table.as_json()
        self._tell("table", table)
        return web.json_response(table)

    async def _press(self, request: web.Request) -> web.Response:
        """A press of the clock, where the board has no lever for it."""
        if self._lever is None:
            return refusal(409, "the simulated board has a lever: press that")
        if not self._may_play(request):
            return refusal(403, "playing needs the players' token", "players")
        body = await _body(request)
        try:
            self._desk.post(self._lever.press(body.get("side"), self._desk.latest().view.state))
        except ValueError as error:
            return refusal(409, str(error), "press")
        return web.json_response({})

    async def _new_game(self, request: web.Request) -> web.Response:
        """Set up another game: anyone in a friendly one, the arbiter alone in a tournament."""
        if not (self._may_rule(request) or (self._may_play(request) and not self._tournament())):
            return refusal(403, "a new game needs the arbiter's token", "arbiter")
        body = await _body(request)
        try:
            wanted = entries.read_new_game(body, may_rule=self._may_rule(request))
            self._desk.new_game(wanted)
        except ValueError as error:
            return refusal(400, str(error), "game")
        # Simulated pieces stand at once; only a clock is worth waiting for. Real ones are set up and confirmed by hand.
        self._begin_at_once = self._table is not None and wanted.control in (None, "none")
        return web.json_response({})

    async def _set_delay(self, request: web.Request) -> web.Response:
        if not self._may_rule(request):
            return refusal(403, "the delay is the arbiter's to set", "arbiter")
        seconds = (await _body(request)).get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 7200:
            return refusal(400, "seconds is a number from 0 to 7200")
        self._delay.delay_s = float(seconds)
        return web.json_response({})


def _names_of(desk: Desk) -> dict[str, str]:
    """The players of the game on the board, where its archive knows them."""
    running = next((game for game in desk.archive.games(limit=1) if game.running), None)
    return {} if running is None else {"white": running.white, "black": running.black}


async def _body(request: web.Request) -> Any:
    try:
        body = await request.json()
    except ValueError:
        raise web.HTTPBadRequest(text="the body is not JSON") from None
    return body if isinstance(body, dict) else {}


def _remember(response: web.Response, name: str, value: str) -> None:
    response.set_cookie(name, value, httponly=True, samesite="Strict", path="/")
