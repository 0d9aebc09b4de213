"""The page over HTTP: views, streams, commands, the desk, the games."""

import asyncio
import json
import time

import pytest

from board_firmware.core.events import Answered, GameStarted, Ruled, StartAsked
from board_firmware.web import Page, watching
from tests.board_firmware.web_desk import FakeDesk, decision, step, view, with_page


def test_the_views_are_there_in_the_readers_language() -> None:
    """By header, by choice, else English."""

    async def test(desk, browser):
        for path in ("/", "/watch", "/desk", "/practice", "/games", "/games/g0", "/rules"):
            status, text = await browser.get(path, **{"Accept-Language": "ko-KR,ko;q=0.9"})
            assert status == 200
            assert '<html lang="ko"' in text
        assert '<html lang="en"' in (await browser.get("/", **{"Accept-Language": "fr"}))[1]

    with_page(test)


def test_the_readers_choice_comes_before_the_boards_and_that_before_the_browsers() -> None:
    """Asked for now, chosen before, told to the board, asked by the browser: in this order."""

    async def shown(browser, path="/"):
        text = (await browser.get(path, **{"Accept-Language": "en-GB"}))[1]
        return text.partition('<html lang="')[2][:2]

    async def told(desk, browser):
        assert await shown(browser) == "ja"
        assert await shown(browser, "/rules?lang=ko") == "ko"
        assert await shown(browser) == "ko", "what was asked for once is kept"
        assert await shown(browser, "/?lang=xx") == "ko", "a language we do not have is no choice"

    async def untold(desk, browser):
        assert await shown(browser) == "en"

    with_page(told, language="ja")
    with_page(untold, language="auto")


def test_files_are_served_with_their_type_and_tag() -> None:
    """A browser that has the file is told so."""

    async def test(desk, browser):
        async with browser.http.get(browser.at("/static/app.js")) as answer:
            assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
            tag = answer.headers["ETag"]
        assert (await browser.get("/static/app.js", **{"If-None-Match": tag}))[0] == 304

    with_page(test)


def test_a_watcher_hears_the_state_and_then_each_step() -> None:
    """Hello, the newest step, and what follows."""

    async def test(desk, browser):
        listening = asyncio.create_task(browser.events("players", 4))
        await asyncio.sleep(0.05)
        desk.publish(step(2, decision("touched", square="e2")))
        desk.publish(step(3))
        events = await listening
        assert [number for number, _, _ in events] == [None, "1", "2", "3"]
        assert [name for _, name, _ in events] == ["hello", "step", "step", "step"]
        hello = json.loads(events[0][2])
        assert (hello["now_ms"], hello["table"]["standing"]["e2"]) == (5000, "P")
        assert json.loads(events[2][2])["decisions"][0]["square"] == "e2"

    with_page(test)


def test_the_players_names_are_shown() -> None:
    """Those of the running game, then those of the next; an unknown one is left to the page."""

    async def test(desk, browser):
        tags = {"White": "Hill, A.", "Black": "Dale"}
        desk.publish(step(2, event=GameStarted(at_ns=1, fen="", tags=tags), shown=view(game_id="g2")))
        shown = [json.loads(text)["names"] for _, _, text in (await browser.events("spectators", 3, after=0))[1:]]
        assert shown == [{"white": "Ann"}, {"white": "Hill, A.", "black": "Dale"}]

    with_page(test)


def test_a_watcher_that_comes_back_misses_nothing() -> None:
    """With the id it has heard it gets exactly the rest."""

    async def test(desk, browser):
        for number in range(2, 9):
            desk.publish(step(number))
        events = await browser.events("players", 5, after=4)
        assert [number for number, _, _ in events] == [None, "5", "6", "7", "8"]
        assert json.loads(events[0][2])["resumed"] is True

    with_page(test)


def test_a_watcher_of_another_run_begins_anew() -> None:
    """Its id is unknown: it gets the state as it is."""

    async def test(desk, browser):
        desk.publish(step(2))
        for after in ("77", "x", "-1", "9" * 30):
            events = await browser.events("players", 2, after=after)
            assert [number for number, _, _ in events] == [None, "2"]
            assert json.loads(events[0][2])["resumed"] is False

    with_page(test)


def test_a_hundred_watchers_hear_every_step() -> None:
    """In order, each of them."""

    async def test(desk, browser):
        watchers = [asyncio.create_task(browser.events("spectators", 32)) for _ in range(100)]
        await asyncio.sleep(0.5)
        for number in range(2, 32):
            desk.publish(step(number))
            await asyncio.sleep(0)
        for events in await asyncio.gather(*watchers):
            assert [number for number, _, _ in events][1:] == [str(number) for number in range(1, 32)]

    with_page(test)


@pytest.mark.prove
def test_an_event_reaches_a_hundred_watchers_within_a_tenth_of_a_second() -> None:
    """At the 99th percentile of all deliveries on this machine."""
    late = []

    async def watch(browser, sent):
        async with browser.http.get(browser.at("/api/stream/players")) as answer:
            async for raw in answer.content:
                line = raw.decode()
                if line.startswith("id: ") and (number := int(line[4:])) in sent:
                    late.append(time.perf_counter() - sent[number])
                    if number == 201:
                        return

    async def test(desk, browser):
        sent: dict[int, float] = {}
        watchers = [asyncio.create_task(watch(browser, sent)) for _ in range(100)]
        await asyncio.sleep(1)
        for number in range(2, 202):
            sent[number] = time.perf_counter()
            desk.publish(step(number, decision("touched", square="e2")))
            await asyncio.sleep(0.05)
        await asyncio.gather(*watchers)

    with_page(test)
    late.sort()
    assert len(late) == 100 * 200
    p99 = late[int(len(late) * 0.99)]
    print(f"100 watchers, 200 steps: p50 {1000 * late[len(late) // 2]:.1f} ms, p99 {1000 * p99:.1f} ms")
    assert p99 < 0.1


def test_a_watcher_that_leaves_is_forgotten() -> None:
    """And the board goes on telling the others."""

    async def test(desk, browser):
        await browser.events("players", 1)
        desk.publish(step(2))
        assert (await browser.events("players", 2))[1][0] == "2"

    with_page(test)


def test_too_many_watchers_are_sent_away(monkeypatch) -> None:
    """A small board keeps its memory; a place that is left is free again."""
    monkeypatch.setattr(watching, "WATCHERS", 1)

    async def test(desk, browser):
        async with browser.http.get(browser.at("/api/stream/players")) as first:
            await first.content.readline()
            assert (await browser.get("/api/stream/players"))[0] == 503
        desk.publish(step(2))
        for number in range(3, 50):
            async with browser.http.get(browser.at("/api/stream/players")) as answer:
                if answer.status == 200:
                    return
            desk.publish(step(number))
        raise AssertionError("the place was never free again")

    with_page(test)


def test_spectators_are_delayed_and_desk_and_players_are_not() -> None:
    """A delay of an hour shows them nothing new."""

    async def test(desk, browser):
        desk.publish(step(2))
        assert [name for _, name, _ in await browser.events("spectators", 1)] == ["hello"]
        assert (await browser.events("players", 2))[1][0] == "2"
        assert "table" not in json.loads((await browser.events("spectators", 1))[0][2])

    with_page(test, delay_s=3600.0)


def test_a_command_reaches_the_board() -> None:
    """And a malformed one is refused with a sentence."""

    async def test(desk, browser):
        await browser.open()
        assert await browser.post("/api/command", {"command": "Answered", "yes": True}) == (200, {})
        assert desk.posted == [Answered(yes=True, at_ns=0)]
        status, body = await browser.post("/api/command", {"command": "Ruled", "verb": "undo"})
        assert (status, body["error"]) == (400, "'Ruled' cannot be entered here")
        async with browser.http.post(
            browser.at("/api/command"),
            data="{",
            headers={"X-CSRF-Token": browser.csrf, "Content-Type": "application/json"},
        ) as answer:
            assert answer.status == 400

    with_page(test)


def test_a_hand_moves_the_simulated_pieces() -> None:
    """The answer is the table as it then stands; every page is told."""

    async def test(desk, browser):
        await browser.open()
        status, table = await browser.post("/api/hand", {"do": "lift", "square": "e2"})
        assert (status, table["held"]) == (200, [{"piece": "P", "origin": "e2"}])
        status, body = await browser.post("/api/hand", {"do": "place", "square": "e1"})
        assert (status, body["error"]) == (400, "e1 is occupied: take its piece off first")
        status, table = await browser.post("/api/hand", {"do": "tidy"})
        assert (status, table["held"], table["standing"]["e2"]) == (200, [], "P")

    with_page(test)


def test_a_real_board_has_no_hands_here() -> None:
    """Its pieces are moved by people."""

    async def test(desk, browser):
        assert (await browser.open())["simulated"] is False
        assert (await browser.post("/api/hand", {"do": "lift", "square": "e2"}))[0] == 409

    with_page(test, FakeDesk(board=object()))


def test_a_new_game_is_set_up_or_refused() -> None:
    """With simulated pieces and no clock it begins by itself; a bad request names its fault."""

    async def test(desk, browser):
        await browser.open()
        assert (await browser.post("/api/game", {"control": "none", "profile": "practice"}))[0] == 200
        assert (desk.begun[0].control, desk.begun[0].profile) == ("none", "practice")
        board = {"ask": "confirm_setup", "confidence": "certain", "report": []}
        desk.publish(step(2, shown=view(game_id="g2", status="not_started", board=board)))
        assert desk.posted == [StartAsked(at_ns=0)]
        status, body = await browser.post("/api/game", {"fen": "nonsense"})
        assert (status, body["error"]) == (400, "FEN 'nonsense', column 1: not a position")
        assert (await browser.post("/api/game", {"profile": "tournament"}))[0] == 400

    with_page(test)


def test_a_running_tournament_game_is_not_replaced_by_a_player() -> None:
    """Only the arbiter may."""

    async def test(desk, browser):
        await browser.open()
        assert (await browser.post("/api/game", {}))[0] == 403
        assert desk.begun == []

    with_page(test, FakeDesk(first=step(1, shown=view("tournament"))))


def test_no_ruling_without_the_arbiters_token() -> None:
    """The desk's stream, rulings, evidence and delay are shut until it is shown, and shut again afterwards."""

    async def test(desk, browser):
        await browser.open()
        ruling = {"command": "Ruled", "verb": "rewind", "arguments": ["3"], "author": "A", "reason": "r"}
        assert (await browser.get("/api/stream/desk"))[0] == 403
        assert (await browser.post("/api/desk/command", ruling))[0] == 403
        assert (await browser.post("/api/desk/delay", {"seconds": 5}))[0] == 403
        assert (await browser.get("/api/desk/games/g0/report"))[0] == 403
        assert (await browser.post("/api/desk/enter", {"token": "wrong"}))[0] == 403
        assert (await browser.post("/api/desk/enter", {"token": "s3cret"}))[0] == 200
        assert (await browser.open())["may_rule"] is True
        assert (await browser.post("/api/desk/command", ruling))[0] == 200
        assert desk.posted == [Ruled(verb="rewind", arguments=("3",), author="A", reason="r", at_ns=0)]
        assert (await browser.events("desk", 2))[1][1] == "step"
        assert (await browser.post("/api/desk/delay", {"seconds": 5}))[0] == 200
        assert (await browser.open())["delay_s"] == 5
        for wrong in (-1, "5", True, 1e9, None):
            assert (await browser.post("/api/desk/delay", {"seconds": wrong}))[0] == 400
        assert (await browser.post("/api/desk/leave", {}))[0] == 200
        assert (await browser.post("/api/desk/command", ruling))[0] == 403

    with_page(test, arbiter_token="s3cret")


def test_players_with_a_token_show_it_once() -> None:
    """Without it they may watch and nothing else."""

    async def test(desk, browser):
        assert (await browser.open())["may_play"] is False
        assert (await browser.post("/api/command", {"command": "Answered", "yes": True}))[0] == 403
        assert (await browser.post("/api/hand", {"do": "lift", "square": "e2"}))[0] == 403
        assert (await browser.events("spectators", 1))[0][1] == "hello"
        assert (await browser.post("/api/join", {"token": "table7"}))[0] == 200
        assert (await browser.post("/api/command", {"command": "Answered", "yes": True}))[0] == 200

    with_page(test, player_token="table7")


def test_finished_games_are_listed_replayed_and_taken_away() -> None:
    """With positions, moves and clock times."""

    async def test(desk, browser):
        listed = json.loads((await browser.get("/api/games"))[1])
        assert [game["game_id"] for game in listed["games"]] == ["g1", "g0"]
        game = json.loads((await browser.get("/api/games/g0"))[1])
        assert [(ply["san"], ply["uci"], ply.get("clk_s")) for ply in game["plies"]] == [
            ("e4", "e2e4", 301.0), ("e5", "e7e5", 298.0), ("Nf3", "g1f3", None),
        ]  # fmt: skip
        assert game["plies"][2]["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")
        async with browser.http.get(browser.at("/api/games/g0/pgn")) as answer:
            assert answer.headers["Content-Disposition"] == 'attachment; filename="g0.pgn"'
            assert answer.headers["Content-Type"] == "application/x-chess-pgn; charset=utf-8"
            assert "1. e4" in await answer.text()
        assert (await browser.get("/api/games/none"))[0] == 404

    with_page(test)


def test_a_running_tournament_game_is_nobodys_to_replay() -> None:
    """Its spectators are delayed; the list does not betray it either."""

    async def test(desk, browser):
        assert (await browser.get("/api/games/g1"))[0] == 404
        assert (await browser.get("/api/games/g1/pgn"))[0] == 404
        listed = json.loads((await browser.get("/api/games"))[1])
        assert [game["game_id"] for game in listed["games"]] == ["g0"]
        await browser.open()
        await browser.post("/api/desk/enter", {"token": "s3cret"})
        assert (await browser.get("/api/games/g1"))[0] == 200
        for kind in ("report", "trace", "journal"):
            assert (await browser.get(f"/api/desk/games/g1/{kind}"))[0] == 200
        assert (await browser.get("/api/desk/games/g1/secrets"))[0] == 404
        async with browser.http.get(browser.at("/api/desk/games/g1/report")) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    with_page(test, FakeDesk(first=step(1, shown=view("tournament"))), arbiter_token="s3cret")


def test_a_port_in_use_is_said_clearly() -> None:
    """An OSError that names port and address."""

    async def test(desk, browser):
        with pytest.raises(OSError, match=rf"port {browser.page.port} at 127.0.0.1 cannot be had"):
            await Page(port=browser.page.port).start(FakeDesk())

    with_page(test)


def test_the_terminals_line_names_address_and_tokens() -> None:
    """What the arbiter needs to find his desk."""

    async def test(desk, browser):
        assert browser.page.url == f"{browser.page.address} (arbiter's token s3cret)"

    with_page(test, arbiter_token="s3cret")


def test_settings_come_from_the_configuration() -> None:
    """Unless the page was made with its own; empty texts mean unset."""

    async def test(desk, browser):
        assert browser.page.access.arbiter_token == "from-the-file"
        assert (await browser.open())["delay_s"] == 90

    given = {"host": "127.0.0.1", "arbiter_token": "from-the-file", "player_token": "", "delay_s": 90.0, "names": ()}
    with_page(test, FakeDesk(settings={"web": given}))
