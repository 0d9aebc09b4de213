"""The edge that runs a guise beside the game: a thread on a link, fed by what is published, posting what the client
asks.

Nothing here can hold up the game: `published` only puts the step into a queue, the link drops what nobody reads, and a
link that breaks is opened again. A client's lamps are laid over ours as long as it keeps them lit. In a tournament
nothing that a program suggests is shown or sounded.

Source: FIDE Laws of Chess 2023, 11.3.1 and 12.6 (nothing may help a player).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from board_firmware.core.events import Blipped, LiftHinted, View
from board_firmware.emulation.chesslink import ChessLinkGuise
from board_firmware.emulation.dgt import DgtGuise
from board_firmware.emulation.game_state import clock_of, standing_of
from board_firmware.emulation.guise import Guise, Wish
from board_firmware.emulation.scanner import ScannerGuise
from board_firmware.emulation.scid import ScidGuise
from board_firmware.emulation.sentio import SentioGuise
from board_firmware.outputs import text_for
from board_firmware.peers import Desk, Published
from hal.board import BoardSnapshot, Lamps, Tone
from hal.transport import Link, LinkLostError, open_board_link

log = logging.getLogger(__name__)

GUISES: dict[str, Callable[[], Guise]] = {
    "chesslink": ChessLinkGuise,
    "dgt": DgtGuise,
    "dgt-noclock": lambda: DgtGuise(has_clock=False),
    "scanner": ScannerGuise,
    "scid": ScidGuise,
    "sentio": SentioGuise,
}
_TURN_S = 0.02
_REOPEN_S = 0.5


class Emulation:
    """A `Peer`. ``url`` is a protocol and a line: ``sentio:/tmp/board``, ``dgt:tcp:5000``, ``chesslink:/dev/ttyGS0``.

    Raises ``ValueError`` for a protocol that the board cannot take.
    """

    def __init__(self, url: str, *, open_link: Callable[[str, int], Link] = open_board_link) -> None:
        protocol, colon, self._line = url.partition(":")
        if protocol not in GUISES or not colon or not self._line:
            known = ", ".join(GUISES)
            raise ValueError(f"{url!r}: write a protocol ({known}), a colon and a line, such as sentio:/tmp/board")
        self._guise = GUISES[protocol]()
        self._open_link = open_link
        self._link: Link | None = None
        self._steps: SimpleQueue[Published] = SimpleQueue()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._lamps = Lamps()
        self._own_lamps = Lamps()
        self._view: View

    async def start(self, desk: Desk) -> None:
        """As `Peer`."""
        self._desk = desk
        self._link = self._open_link(self._line, self._guise.baud)
        latest = desk.latest()
        self._view = latest.view
        at_ns = desk.now_ns()
        self._guise.sees(BoardSnapshot(occupancy=latest.view.occupancy, at_ns=at_ns), at_ns)
        self._take(latest, sees=False)
        self._thread = threading.Thread(target=self._run, name="emulation", daemon=True)
        self._thread.start()

    def published(self, step: Published) -> None:
        """As `Peer`."""
        self._steps.put(step)

    def hinted(self, hint: LiftHinted | Blipped) -> None:
        """As `Peer`: a client hears of settled reeds only."""

    async def stop(self) -> None:
        """As `Peer`."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(timeout=1.5)
        if self._link is not None:
            self._link.close()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._turn()
            except LinkLostError as lost:
                log.warning("emulation: the link is lost (%s), opening it again", lost)
                self._reopen()

    def _turn(self) -> None:
        if self._link is None:
            return
        data = self._link.read(_TURN_S)
        at_ns = self._desk.now_ns()
        wishes: list[Wish] = list(self._guise.receive(data, at_ns)) if data else []
        while True:
            try:
                step = self._steps.get_nowait()
            except Empty:
                break
            self._take(step)
        wishes += self._guise.tick(at_ns)
        for message in self._guise.take_outgoing():
            self._link.write(message)
        for wish in wishes:
            self._grant(wish)

    def _take(self, step: Published, *, sees: bool = True) -> None:
        at_ns = self._desk.now_ns()
        if sees and step.event.__class__.__module__ == BoardSnapshot.__module__:
            self._guise.sees(step.event, at_ns)  # type: ignore[arg-type]
        self._guise.stands(standing_of(step.view), at_ns)
        self._guise.shows(clock_of(step.view), at_ns)
        self._view, self._own_lamps = step.view, step.lamps
        if self._lamps.squares:
            if not self._may_suggest:
                self._lamps = Lamps()
            self._light()

    @property
    def _may_suggest(self) -> bool:
        return self._view.profile != "tournament"

    def _grant(self, wish: Wish) -> None:
        board = self._desk.board
        if not self._may_suggest:
            return
        if isinstance(wish, Lamps):
            self._lamps = wish
            self._light()
        elif isinstance(wish, Tone):
            if self._desk.settings["sound"]["enabled"]:
                board.sound(wish)
        else:
            # A client that gives the display back gets no blank one: our own words stand there again.
            board.write(wish if wish.lines else text_for(self._view))

    def _light(self) -> None:
        # Ours go on top: what must be restored is more urgent than what a program suggests.
        squares = {**self._lamps.squares, **self._own_lamps.squares}
        self._desk.board.show(Lamps(squares=squares, share=self._desk.settings["lamps"]["brightness"]))

    def _reopen(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        while not self._ending.is_set():
            try:
                self._link = self._open_link(self._line, self._guise.baud)
            except OSError:
                time.sleep(_REOPEN_S)
            else:
                return
