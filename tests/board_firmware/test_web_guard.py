"""Hosts, origins, tokens and sizes: what is no request of our own page changes nothing."""

import asyncio

import pytest

from board_firmware.web.access import TRIES, Access
from board_firmware.web.guard import host_of, is_known_host
from tests.board_firmware.web_desk import with_page


@pytest.mark.parametrize(
    ("host", "loopback", "known"),
    [
        ("127.0.0.1:8064", True, True), ("localhost:8064", True, True), ("LOCALHOST", True, True),
        ("[::1]:8064", True, True), ("localhost.:8064", True, True), ("evil.example:8064", True, False),
        ("127.0.0.1.evil.example", True, False),
        ("192.168.1.5:8064", True, False), ("192.168.1.5:8064", False, True), ("evil.example", False, False),
        ("board.local:8064", False, True), ("", True, False), ("a@127.0.0.1", True, False), ("127.0.0.1:80:80", True, False),
        ("[::1", True, True), ("127.0.0.1:x", True, False), ("[fe80::1]:8064", False, True),
    ],
)  # fmt: skip
def test_only_this_machine_may_be_named(host, loopback, known) -> None:
    """A name can be rebound to this machine's address; an address cannot."""
    assert is_known_host(host, loopback=loopback, names={"board.local"}) is known


def test_a_host_is_read_without_its_port() -> None:
    """Nothing else is taken for a host."""
    assert host_of("a/b") == host_of("a b") == host_of("a:b") == ""


def test_a_token_belongs_to_one_session_of_one_run() -> None:
    """Another session's, another run's and an empty one are refused."""
    access, other = Access(), Access()
    session = access.new_session()
    assert access.is_csrf(session, access.csrf(session))
    assert not access.is_csrf(session, access.csrf(access.new_session()))
    assert not access.is_csrf(session, other.csrf(session))
    assert not access.is_csrf("", access.csrf(""))
    assert not access.is_csrf(session, "é")


def test_the_arbiters_pass_outlives_a_restart_with_the_same_token() -> None:
    """It depends on his token alone; a made-up token is another in each run."""
    assert Access(arbiter_token="a").desk_pass() == Access(arbiter_token="a").desk_pass()
    assert not Access(arbiter_token="a").is_desk_pass(Access(arbiter_token="b").desk_pass())
    assert Access().arbiter_token != Access().arbiter_token


def test_guessing_a_token_is_slow() -> None:
    """After too many wrong ones even the right one must wait."""
    access = Access(arbiter_token="right")
    for _ in range(TRIES):
        assert not access.is_token("right", "wrong", 0.0)
    assert not access.is_token("right", "right", 1.0)
    assert access.is_token("right", "right", 61.0)
    assert not access.is_token(None, "", 61.0)


RESIGN = {"command": "Resigned", "side": "white"}


def test_a_foreign_host_gets_nothing() -> None:
    """Not even the page."""

    async def test(desk, browser):
        for path in ("/", "/api/session", "/api/stream/players", "/static/base.css"):
            assert (await browser.get(path, Host="evil.example"))[0] == 403

    with_page(test)


def test_nothing_is_changed_without_the_token() -> None:
    """No token, a wrong one, or one without its cookie."""

    async def test(desk, browser):
        token = (await browser.open())["csrf"]
        for path in (
            "/api/command",
            "/api/hand",
            "/api/game",
            "/api/desk/enter",
            "/api/desk/command",
            "/api/desk/delay",
        ):
            for csrf in ("", "0" * 64):
                browser.csrf = csrf
                assert (await browser.post(path, RESIGN))[0] == 403
        browser.http.cookie_jar.clear()
        browser.csrf = token
        assert (await browser.post("/api/command", RESIGN))[0] == 403
        assert desk.posted == []

    with_page(test)


def test_another_sites_page_changes_nothing() -> None:
    """Even with cookie and token: the origin must be ours."""

    async def test(desk, browser):
        await browser.open()
        assert (await browser.post("/api/command", RESIGN, Origin="http://evil.example"))[0] == 403
        assert (await browser.post("/api/command", RESIGN, Origin="null"))[0] == 403
        assert (await browser.post("/api/command", RESIGN, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
        assert desk.posted == []
        own = browser.page.address.rstrip("/")
        assert (await browser.post("/api/command", RESIGN, Origin=own))[0] == 200
        assert len(desk.posted) == 1

    with_page(test)


def test_other_methods_types_and_sizes_are_refused() -> None:
    """405, 415 and 413, each with a sentence."""

    async def test(desk, browser):
        await browser.open()
        headers = {"X-CSRF-Token": browser.csrf}
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
            async with browser.http.request(method, browser.at("/api/command"), headers=headers) as answer:
                assert answer.status == 405
        async with browser.http.post(
            browser.at("/api/command"), data={"command": "Resigned"}, headers=headers
        ) as answer:
            assert answer.status == 415
        status, body = await browser.post("/api/command", {**RESIGN, "x": "y" * 20_000})
        assert (status, "16384" in body["error"]) == (413, True)
        assert desk.posted == []

    with_page(test)


def test_a_body_of_unknown_length_is_bounded() -> None:
    """Sent in pieces without a length it is cut off all the same."""

    async def pieces():
        yield b'{"command": "'
        for _ in range(64):
            yield b"x" * 1024
        yield b'"}'

    async def test(desk, browser):
        await browser.open()
        headers = {"X-CSRF-Token": browser.csrf, "Content-Type": "application/json"}
        async with browser.http.post(browser.at("/api/command"), data=pieces(), headers=headers) as answer:
            assert answer.status == 413

    with_page(test)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/%2e%2e/events.py",
        "/static/shell.html", "/static/none.js", "/static//etc/passwd", "/games/../../etc/passwd",
        "/api/games/..%2f..%2fetc%2fpasswd", "/api/catalogue/..%2fen",
    ],
)  # fmt: skip
def test_no_path_leads_out(path) -> None:
    """Files are served by name from a list; everything else is not there."""

    async def test(desk, browser):
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.page.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        assert b" 404 " in answer.split(b"\r\n")[0]
        assert b"root:" not in answer

    with_page(test)


def test_every_answer_forbids_foreign_scripts_and_frames() -> None:
    """The page, a refusal, and one that is not there."""

    async def test(desk, browser):
        for path in ("/", "/static/none.js", "/api/stream/desk", "/api/games"):
            async with browser.http.get(browser.at(path)) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "script-src 'self'" in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert "aiohttp" not in answer.headers["Server"]

    with_page(test)


def test_listens_to_this_machine_alone_unless_told_otherwise() -> None:
    """And to the network only with a players' token."""

    async def test(desk, browser):
        assert browser.page.host == "127.0.0.1"
        assert browser.page.access.player_token is None

    async def network(desk, browser):
        assert browser.page.access.player_token
        status, _ = await browser.get("/api/stream/players", Host="127.0.0.1")
        assert status == 403

    with_page(test)
    with_page(network, host="0.0.0.0")
