"""What stands before every request: the host it names, where it comes from, its token, its size.

A page on the venue's network is within reach of any site open in the same browser. So a request must name this machine
(against rebinding of names), one that changes anything must come from our own page and carry its token, and every
answer forbids other sites to frame it, scripts from elsewhere to run in it, and guesses about its type.

Source: OWASP cheat sheets on CSRF, DNS rebinding and HTTP headers; Fetch standard, "Origin" header.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from board_firmware.web.access import Access

BODY_BYTES = 16 * 1024
"""The largest request: a command is 200 bytes, a ruling with a long reason 2,000."""

SESSION = "touchmove"
DESK = "touchmove_desk"
PLAYER = "touchmove_player"
LANGUAGE = "touchmove_lang"

HEADERS = {
    "Server": "touchmove",
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def refusal(status: int, why: str, word: str = "") -> web.Response:
    """An answer that says no: one sentence, as JSON, and the word under which the page has it in its language."""
    return web.json_response({"error": why, **({"word": word} if word else {})}, status=status, headers=HEADERS)


def host_of(value: str) -> str:
    """The host of a ``Host`` header or of an origin's authority, without its port; empty if it is neither.

    >>> host_of("localhost:8064"), host_of("[::1]:8064"), host_of("a@b"), host_of("board.local")
    ('localhost', '::1', '', 'board.local')
    """
    host, port = value, ""
    if value.startswith("["):
        host, _, port = value[1:].partition("]")
        port = port.removeprefix(":")
    elif value.count(":") == 1:
        host, _, port = value.partition(":")
    if (port and not port.isdecimal()) or not host or any(one in host for one in "@/\\?#% "):
        return ""
    return host.lower().rstrip(".")


def is_known_host(value: str, *, loopback: bool, names: Iterable[str] = ()) -> bool:
    """Whether a request names this machine: a loopback address, any literal address where the server listens to the
    network (a name can be rebound, an address cannot), or one of the configured ``names``."""
    host = host_of(value)
    if host == "localhost" or host in names:
        return bool(host)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or not loopback


def guard(access: Access, *, loopback: bool, names: frozenset[str]) -> Middleware:
    """The middleware: refuses, or lets through and adds the headers."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        why = _refused(request, access, loopback, names)
        if why is not None:
            return refusal(*why)
        try:
            response = await handler(request)
        except web.HTTPRequestEntityTooLarge:
            return refusal(413, f"a request holds at most {BODY_BYTES} bytes")
        except web.HTTPException as answer:
            _add(answer)
            raise
        if not response.prepared:
            _add(response)
        return response

    return middleware


def _add(response: web.StreamResponse) -> None:
    """Add the headers that an answer does not set itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _refused(request: web.Request, access: Access, loopback: bool, names: frozenset[str]) -> tuple[int, str] | None:
    if not is_known_host(request.headers.get("Host", ""), loopback=loopback, names=names):
        return 403, "this is not the host that the request names; use the address that the board prints"
    if request.method in ("GET", "HEAD"):
        return None
    if request.method != "POST":
        return 405, "only GET and POST are understood"
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2].lower() != request.headers["Host"].lower():
        return 403, "a request that changes anything must come from the board's own page"
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return 403, "a request that changes anything must come from the board's own page"
    if request.content_type != "application/json":
        return 415, "the request's body must be application/json"
    if request.content_length is not None and request.content_length > BODY_BYTES:
        return 413, f"a request holds at most {BODY_BYTES} bytes"
    token = request.headers.get("X-CSRF-Token", "")
    if not access.is_csrf(request.cookies.get(SESSION, ""), token):
        return 403, "the page's token is missing or old: load the page again"
    return None
