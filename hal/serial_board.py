"""A commercial or home-made board on a serial line as a `Board`, with reconnection.

The dialogue knows the make, the link knows the wire, and this file only runs the one on the other: it reads, writes,
and when either fails it says `Faulted("link", reason)`, looks for the port again under its old name, and says
`Recovered("link")` and a `BoardSnapshot` when all squares are known again. No thread: `wait` does the reading, the
other calls only write. Looking costs little, so it is done every half second; opening is put off longer and longer only
while the link breaks again and again, as with a bad Bluetooth connection.
"""

from __future__ import annotations

import errno
import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from hal.board import BoardEvent, BoardSnapshot, Faulted, Lamps, Recovered, Text, Tone
from hal.dialogues.dialogue import SECOND_NS, Dialogue
from hal.recognition import HEARD_AT_MOST, why_unheard
from hal.transport import Link, LinkLostError

log = logging.getLogger(__name__)

_TURN_S = 0.05
_LOOK_AGAIN_NS = SECOND_NS // 2
_LONGEST_PAUSE_NS = 10 * SECOND_NS
_DROPS_WINDOW_NS = 30 * SECOND_NS
_DROPS_UNSTABLE = 3
_OPENING_S = 8.0
_SENTENCES = {
    "lost": "the link is lost; it is looked for",
    "missing": "not there yet; it is looked for",
    "silent": "nothing is heard; the link is opened again",
    "unstable": "lost again and again: weak or blocked Bluetooth, or a bad cable; looked for less often",
    "version": "it speaks a version of its protocol that is not known here",
}
"""The reasons of a fault of the link, in words for whoever reads the log."""


class SerialBoard:
    """``open_link`` opens the line anew at each call; ``now_ns`` is the clock of all stamps.

    With ``must_answer`` the constructor waits until the board has named itself and raises ``OSError`` when it does not;
    without it a board that is switched off is looked for, and play may begin when it comes.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        open_link: Callable[[], Link],
        *,
        name: str,
        now_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        must_answer: bool = True,
    ) -> None:
        self._dialogue = dialogue
        self._open_link = open_link
        self._name = name
        self._now_ns = now_ns
        self._sleep = sleep
        self._lock = threading.RLock()
        self._link: Link | None = None
        self._lamps = Lamps()
        self._waiting: list[BoardEvent] = []
        self._lost: str | None = None
        self._was_ready = False
        self._drops: deque[int] = deque(maxlen=16)
        self._next_look_ns = 0
        self._closed = False
        self._heard: bytearray | None = bytearray() if must_answer else None  # until it has answered for the first time
        try:
            self._connect()
        except OSError:
            if must_answer:
                raise
            self._waiting += self._lose("missing")
        if must_answer:
            self._await_answer()

    @property
    def state(self) -> str:
        """``ready``, ``searching`` (no link) or ``greeting`` (linked, the board has not answered yet)."""
        if self._link is None:
            return "searching"
        return "ready" if self._dialogue.is_ready else "greeting"

    def _connect(self) -> None:
        link = self._open_link()
        with self._lock:
            self._link = link
            self._dialogue.begin(self._now_ns())
            self._flush()

    def _await_answer(self) -> None:
        deadline = self._now_ns() + int(_OPENING_S * SECOND_NS)
        while not self._dialogue.is_ready:
            self._waiting += self._turn(_TURN_S)
            if self._link is None or self._now_ns() >= deadline:
                self.close()
                raise OSError(errno.ENODEV, f"{self._name}: {self._why_unheard()}")
        self._heard = None

    def _why_unheard(self) -> str:
        if self._lost == "version":
            return _SENTENCES["version"]
        baud = self._dialogue.baud
        scheme, _, port = self._name.partition(":")
        why = why_unheard(bytes(self._heard or b""), scheme=scheme, port=port, baud=baud)
        return f"{self._dialogue.wanted} did not come at {baud} baud; {why}"

    # ---------------------------------------------------------------------------------------------------------- reading

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """As `Board`."""
        deadline = self._now_ns() + int(timeout_s * SECOND_NS)
        while True:
            events, self._waiting = self._waiting, []
            left_s = (deadline - self._now_ns()) / SECOND_NS
            if not events:
                events = self._turn(max(0.0, min(_TURN_S, left_s)))
            if self._closed:
                return ()
            if events or self._now_ns() >= deadline:
                return tuple(events)

    def _turn(self, timeout_s: float) -> list[BoardEvent]:
        """Read once, let the dialogue think, write what it wants to say."""
        link = self._link
        if link is None:
            return self._look(timeout_s)
        events: list[BoardEvent] = []
        try:
            data = link.read(timeout_s)
            with self._lock:
                at_ns = self._now_ns()
                if data:
                    if self._heard is not None:
                        self._heard = (self._heard + data)[-HEARD_AT_MOST:]
                    events += self._dialogue.receive(data, at_ns)
                events += self._dialogue.tick(at_ns)
                self._flush()
        except LinkLostError:
            # Another thread that was writing may have found it out first.
            return [*events, *(self._lose("lost") if self._link is link else [])]
        if self._dialogue.complaint is not None:
            return [*events, *self._lose(self._dialogue.complaint)]
        return self._welcome(events)

    def _welcome(self, events: list[BoardEvent]) -> list[BoardEvent]:
        if not self._dialogue.is_ready or self._was_ready:
            return events
        self._was_ready = True
        with self._lock:
            self._dialogue.show(self._lamps, self._now_ns())
        if self._lost is None:
            return events
        self._lost = None
        return [Recovered(part="link", at_ns=self._now_ns()), *events]

    def _lose(self, reason: str) -> list[BoardEvent]:
        at_ns = self._now_ns()
        with self._lock:
            link, self._link = self._link, None
            if link is not None:
                link.close()
            self._dialogue.take_outgoing()
        self._was_ready = False
        self._drops.append(at_ns)
        while self._drops and at_ns - self._drops[0] > _DROPS_WINDOW_NS:
            self._drops.popleft()
        unstable = len(self._drops) >= _DROPS_UNSTABLE
        pause = _LOOK_AGAIN_NS
        if unstable:
            pause = min(_LOOK_AGAIN_NS << (len(self._drops) - _DROPS_UNSTABLE + 1), _LONGEST_PAUSE_NS)
        self._next_look_ns = at_ns + pause
        told, self._lost = self._lost, "unstable" if unstable else self._lost or reason
        if self._lost == told:
            return []
        if self._heard is None:  # else the constructor says it better
            log.warning("%s: %s", self._name, _SENTENCES.get(self._lost, self._lost))
        return [Faulted(part="link", reason=self._lost, at_ns=at_ns)]

    def _look(self, timeout_s: float) -> list[BoardEvent]:
        if self._now_ns() < self._next_look_ns or self._closed:
            if not self._closed:
                self._sleep(timeout_s)
            return []
        try:
            self._connect()
        except OSError:
            self._next_look_ns = self._now_ns() + _LOOK_AGAIN_NS
        return []

    # ---------------------------------------------------------------------------------------------------------- writing

    def _flush(self) -> None:
        for message in self._dialogue.take_outgoing():
            if self._link is not None:
                self._link.write(message)

    def _say(self, what: Callable[[], None]) -> None:
        with self._lock:
            if self._link is None:
                return
            what()
            try:
                self._flush()
            except LinkLostError:
                self._waiting += self._lose("lost")

    @property
    def latency_ns(self) -> int:
        """As `hal.board.Delayed`; 0 of a board whose times nobody here has set."""
        return getattr(self._dialogue, "latency_ns", 0)

    def snapshot(self) -> BoardSnapshot:
        """As `Board`; while the link is down, the squares as they were last known."""
        with self._lock:
            return BoardSnapshot(occupancy=self._dialogue.occupancy(), at_ns=self._now_ns())

    def show(self, lamps: Lamps) -> None:
        """As `Board`; remembered, and shown again after a reconnection."""
        self._lamps = lamps
        if self._dialogue.is_ready:
            self._say(lambda: self._dialogue.show(lamps, self._now_ns()))

    def sound(self, tone: Tone) -> None:
        """As `Board`."""
        self._say(lambda: self._dialogue.sound(tone))

    def write(self, text: Text) -> None:
        """As `Board`."""
        self._say(lambda: self._dialogue.write(text))

    def close(self) -> None:
        """As `Board`."""
        if self._closed:
            return
        self.show(Lamps())
        self._closed = True
        with self._lock:
            if self._link is not None:
                self._link.close()
                self._link = None
