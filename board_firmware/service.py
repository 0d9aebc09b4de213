"""Talking to systemd: ready, alive, stopping; silent where there is no systemd.

Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Service:
    """The notification socket named by the environment, if any."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        given = os.environ if environment is None else environment
        self._address = given.get("NOTIFY_SOCKET", "")
        watched = given.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit_us = given.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(limit_us) / 2e6 if watched and limit_us.isdigit() and self._address else None
        """How often `alive` is due, half of what systemd allows; None where nobody watches."""

    def ready(self, status: str) -> None:
        """The board plays; ``status`` is the line that ``systemctl status`` shows."""
        self._say(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """A new status line."""
        self._say(f"STATUS={status}")

    def alive(self) -> None:
        """Feeds the watchdog: call it only while scan and loop get on."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """The board is shutting down."""
        self._say("STOPPING=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as talk:
            try:
                talk.sendto(words.encode(), address)
            except OSError:
                self._address = ""  # systemd is gone: nobody listens any more
