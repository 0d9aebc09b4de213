"""A desk for the page's tests: steps as the tests make them, commands as the page posts them, an archive of one game."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import aiohttp

from board_firmware.core.events import Decision, Tick, View
from board_firmware.peers import GameSummary, Published
from board_firmware.web import Page
from hal.board import Lamps
from hal.simulated import SimulatedBoard

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STATE = {
    "status": "thinking", "turn": "white", "clock": None, "moves": [], "move": None, "made": False,
    "completed": False, "legal": None, "obligation": "none", "allowed": "all", "violations": [],
    "illegal": {"white": 0, "black": 0}, "penalties": [], "result": "*", "termination": None, "fen": START,
    "restore": None, "lamps": {}, "board": {"confidence": "certain", "ask": None, "report": []},
}  # fmt: skip
PGN = '[White "Hill"]\n[Black "Dale"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:05:01]} e5 {[%clk 0:04:58]} 2. Nf3 1-0\n'


def view(profile="friendly", game_id="g1", san=(), **state):
    """A view of the contract's form, changed where the test says so."""
    return View(
        state={**STATE, **state}, occupancy=0xFFFF_0000_0000_FFFF, profile=profile, game_id=game_id,
        started_fen=START, san=tuple(san),
    )  # fmt: skip


def step(number, *decisions, shown=None, event=None):
    """A published step with these decisions."""
    return Published(
        number=number, event=event or Tick(at_ns=number * 1_000_000), decisions=tuple(decisions),
        view=shown or view(), lamps=Lamps(),
    )  # fmt: skip


def decision(kind, article=None, final=True, **details):
    """A decision of the core."""
    return Decision(kind=kind, at_ns=0, article=article, final=final, details=details)


class FakeArchive:
    """One finished game."""

    def games(self, *, limit=100, offset=0):
        """A list of one, or of none beyond it."""
        one = GameSummary(
            game_id="g0", white="Hill", black="Dale", event="?", round="?", date="2026-11-29", result="1-0",
            termination="resignation", plies=3, running=False, exported=False,
        )  # fmt: skip
        running = replace(one, game_id="g1", white="Ann", black="?", result="*", termination=None, running=True)
        return (running, one)[offset : offset + limit]

    def _text(self, game_id, text):
        if game_id not in ("g0", "g1"):
            raise KeyError(game_id)
        return text

    def pgn(self, game_id):
        """The game's PGN."""
        return self._text(game_id, PGN)

    def trace(self, game_id):
        """The game's trace."""
        return self._text(game_id, "lift e2\n")

    def journal(self, game_id):
        """The game's rows."""
        return self._text(game_id, "{}\n")

    def report(self, game_id, lang="en"):
        """The arbiter's page."""
        return self._text(game_id, f"<!doctype html><p>report in {lang}</p>")


class FakeDesk:
    """Records what the page posts; `publish` is what the loop would do."""

    def __init__(self, board=None, settings=None, first=None):
        self.board = board or SimulatedBoard(seed=1)
        self.archive = FakeArchive()
        self.settings = settings or {}
        self.posted = []
        self.begun = []
        self.page = None
        self._latest = first or step(1)

    def now_ns(self):
        """The board's clock stands still."""
        return 5_000_000_000

    def latest(self):
        """The newest step."""
        return self._latest

    def post(self, command):
        """Remember a command."""
        self.posted.append(command)

    def new_game(self, request):
        """Remember a request for a game; one FEN cannot be set up."""
        if request.fen == "nonsense":
            raise ValueError("FEN 'nonsense', column 1: not a position")
        self.begun.append(request)

    def end_of_life(self):
        """The board goes on."""
        return False

    def publish(self, one):
        """Tell the page a step."""
        self._latest = one
        self.page.published(one)


class Browser:
    """A browser without a screen: a session's cookies and its token."""

    def __init__(self, page, http):
        self.page = page
        self.http = http
        self.csrf = ""

    def at(self, path):
        """A path of the page as an address."""
        return self.page.address.rstrip("/") + path

    async def open(self):
        """Get a session and its token."""
        async with self.http.get(self.at("/api/session")) as answer:
            found = await answer.json()
            self.csrf = found["csrf"]
            return found

    async def get(self, path, **headers):
        """Status and text of a GET."""
        async with self.http.get(self.at(path), headers=headers) as answer:
            return answer.status, await answer.text()

    async def post(self, path, body, **headers):
        """Status and JSON of a POST with the token."""
        async with self.http.post(self.at(path), json=body, headers={"X-CSRF-Token": self.csrf, **headers}) as answer:
            return answer.status, await answer.json(content_type=None)

    async def events(self, audience, count, after=None):
        """The first ``count`` server-sent events of a stream as (id, name, text)."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        async with self.http.get(self.at(f"/api/stream/{audience}"), headers=headers) as answer:
            assert answer.status == 200, answer.status
            found = []
            block = {}
            async for raw in answer.content:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    block[name] = value
                elif "event" in block:
                    found.append((block.get("id"), block["event"], block["data"]))
                    block = {}
                    if len(found) == count:
                        return found
                else:
                    block = {}
            return found


def with_page(test: Callable[[FakeDesk, Browser], Awaitable[None]], desk: FakeDesk | None = None, **options) -> None:
    """Run an asynchronous test against a page served on a free port."""

    async def body() -> None:
        used = desk or FakeDesk()
        page = Page(port=0, **options)
        used.page = page
        await page.start(used)
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
                await asyncio.wait_for(test(used, Browser(page, http)), 30)
        finally:
            await page.stop()

    asyncio.run(body())
