"""Streams of server-sent events over HTTP: each watcher hears from where it left off, or from the state as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from board_firmware.web.guard import HEADERS, refusal
from board_firmware.web.stream import Stream, encode

WATCHERS = 500
"""Most streams open at once; each costs some 50 kB, and a small board has 512 MB."""

HEARTBEAT_S = 15.0
"""A comment is sent so often, so that a dead watcher is noticed and a proxy does not hang up."""

RETRY_MS = 1000
"""How soon a browser comes back after the board has gone."""


class Watching:
    """The streams by audience; ``may_hear`` guards them, ``greeting`` is what a watcher is told first."""

    def __init__(
        self,
        streams: Mapping[str, Stream],
        may_hear: Callable[[web.Request, str], bool],
        greeting: Callable[[str], dict[str, Any]],
    ) -> None:
        self._streams = streams
        self._may_hear = may_hear
        self._greeting = greeting
        self._watchers = 0

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """The events of an audience, until the watcher leaves or the board ends."""
        audience = request.match_info["audience"]
        if audience not in self._streams:
            return refusal(404, f"no audience {audience!r}")
        if not self._may_hear(request, audience):
            return refusal(403, "this view needs its token")
        if self._watchers >= WATCHERS:
            return refusal(503, f"{WATCHERS} are watching already: come back later")
        headers = {**HEADERS, "Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        response = web.StreamResponse(headers=headers)
        self._watchers += 1
        try:
            await response.prepare(request)
            heard = request.headers.get("Last-Event-ID") or request.query.get("after", "")
            with contextlib.suppress(ConnectionError):
                await self._tell(response, audience, int(heard) if heard.isdecimal() and len(heard) < 16 else None)
        finally:
            self._watchers -= 1
        return response

    async def _tell(self, response: web.StreamResponse, audience: str, heard: int | None) -> None:
        stream = self._streams[audience]
        known = None if heard is None else stream.resume(heard)
        place = stream.serial if known is None else known  # fixed before the first write: what comes meanwhile follows
        await response.write(f"retry: {RETRY_MS}\n\n".encode() + self._hello(audience, resumed=known is not None))
        while not stream.closed:
            items = stream.after(place)
            if items is None:
                place = stream.serial
                await response.write(self._hello(audience, resumed=False))
            elif items:
                place = items[-1].serial
                await response.write(b"".join(item.chunk for item in items))
            elif not await stream.changed(place, HEARTBEAT_S):
                await response.write(b": still here\n\n")

    def _hello(self, audience: str, *, resumed: bool) -> bytes:
        hello = encode("hello", {**self._greeting(audience), "resumed": resumed})
        newest = None if resumed else self._streams[audience].newest()
        return hello + (newest or b"")
