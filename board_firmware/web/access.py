"""Who may do what: a session for each browser, a token against forged requests, and the arbiter's own token.

Everything is derived with HMAC from a secret of this run, so nothing is stored. The arbiter's pass is derived from his
token alone: with a configured token he stays at his desk over a restart of the board.

Source: OWASP, "Cross-Site Request Forgery Prevention": signed double submit.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import deque

TRIES = 10
TRIES_S = 60.0
"""At most so many wrong tokens in so many seconds, from all sides together: 72 bits then stay out of reach."""


def _sign(key: bytes, *texts: str) -> str:
    return hmac.new(key, "\0".join(texts).encode(), hashlib.sha256).hexdigest()


class Access:
    """The tokens of one run. ``arbiter_token`` is made up unless the configuration gives one."""

    def __init__(self, *, arbiter_token: str | None = None, player_token: str | None = None) -> None:
        self.arbiter_token = arbiter_token or secrets.token_urlsafe(9)
        self.player_token = player_token
        self._secret = secrets.token_bytes(32)
        self._desk_key = hashlib.sha256(self.arbiter_token.encode()).digest()
        self._wrong: deque[float] = deque(maxlen=TRIES)

    def new_session(self) -> str:
        """A name for a browser that has none."""
        return secrets.token_urlsafe(18)

    def csrf(self, session: str) -> str:
        """The token that a browser's requests must carry to change anything."""
        return _sign(self._secret, "csrf", session)

    def is_csrf(self, session: str, token: str) -> bool:
        """Whether a request's token belongs to its session."""
        return bool(session) and hmac.compare_digest(self.csrf(session).encode(), token.encode())

    def desk_pass(self) -> str:
        """What the arbiter's browser holds after he has shown his token."""
        return _sign(self._desk_key, "desk")

    def is_desk_pass(self, shown: str) -> bool:
        """Whether a browser may rule."""
        return hmac.compare_digest(self.desk_pass().encode(), shown.encode())

    def player_pass(self) -> str:
        """What a player's browser holds where the players have a token."""
        return _sign(hashlib.sha256((self.player_token or "").encode()).digest(), "player")

    def is_player_pass(self, shown: str) -> bool:
        """Whether a browser may play; anyone may where no token is set."""
        return self.player_token is None or hmac.compare_digest(self.player_pass().encode(), shown.encode())

    def is_token(self, expected: str | None, token: str, now_s: float) -> bool:
        """Whether a shown token is the expected one; always False for a while after too many wrong ones."""
        if len(self._wrong) == TRIES and now_s - self._wrong[0] < TRIES_S:
            return False
        right = expected is not None and hmac.compare_digest(expected.encode(), token.encode())
        if not right:
            self._wrong.append(now_s)
        return right
