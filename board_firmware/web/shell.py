"""The page's files: read once from the package, served by name alone, so that no path can lead out of it.

One HTML shell serves every view; which one it is stands in an attribute and decides which module is loaded. Nothing is
built or fetched from elsewhere: the files are served as they lie here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files

from aiohttp import web

TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "html": "text/html",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "txt": "text/plain",
    "woff2": "font/woff2",
}
VIEWS: Mapping[str, str] = {
    "/": "play", "/watch": "watch", "/desk": "desk", "/practice": "practice", "/games": "games", "/rules": "rules",
}  # fmt: skip


class Shell:
    """The static files by name, with their tags, and the shell as a view needs it."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        for one in (files("board_firmware.web") / "static").iterdir():
            if one.name.rpartition(".")[2] in TYPES:
                self._files[one.name] = one.read_bytes()
        digest = hashlib.sha256()
        for name in sorted(self._files):
            digest.update(self._files[name])
        self.version = digest.hexdigest()[:12]
        """Changes with any file: a page of another version loads itself again."""

    def page(self, view: str, lang: str) -> web.Response:
        """The shell for a view, in a language."""
        html = self._files["shell.html"].decode()
        for name, value in (("view", view), ("lang", lang), ("version", self.version)):
            html = html.replace(f"%{name}%", value)
        return web.Response(text=html, content_type="text/html", headers={"Cache-Control": "no-store"})

    def file(self, request: web.Request) -> web.Response:
        """A static file; 404 for a name that is none of ours, 304 for one that the browser has."""
        name = request.match_info["name"]
        content = self._files.get(name)
        if content is None or name.endswith(".html"):
            raise web.HTTPNotFound(text="there is no such file")
        tag = f'"{self.version}"'
        kind = name.rpartition(".")[2]
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        charset = None if kind == "woff2" else "utf-8"
        return web.Response(body=content, content_type=TYPES[kind], charset=charset, headers=headers)
