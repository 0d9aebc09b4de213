"""A wire format in memory: what a board reports goes through it and comes out as a host would hear it, in any time.

The inner board's events are encoded as the guise would for a client, cut into bytes, and decoded by the host's dialogue
as from a real board; lamps, tones and text go the other way. What a protocol cannot carry (the lever on most, the
panel) goes beside the wire. Pieces that the guise has inferred from the game are taken off again, since they would only
tell the reader what it believes already; and where only the inferred name of a unit changes, no reed has moved and none
is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from board_firmware.emulation.chesslink import ChessLinkGuise
from board_firmware.emulation.dgt import DgtGuise
from board_firmware.emulation.guise import ClockTimes, Guise, Standing, Wish
from board_firmware.emulation.scanner import ScannerGuise
from board_firmware.emulation.sentio import SentioGuise
from hal.board import (
    Blipped,
    BoardEvent,
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    LeverMoved,
    LiftHinted,
    Recovered,
    SquareChanged,
)
from hal.dialogues.dialogue import Dialogue
from hal.placement import START_OCCUPANCY
from hal.serial_catalog import make_dialogue

PROTOCOLS = ("dgt", "sentio", "chesslink", "scanner")

_GUISES: dict[str, Callable[[], Guise]] = {
    "dgt": lambda: DgtGuise(nameless="P"),
    "sentio": SentioGuise,
    "chesslink": lambda: ChessLinkGuise(nameless="P"),
    "scanner": ScannerGuise,
}
_BESIDE: dict[str, tuple[type, ...]] = {
    "dgt": (LiftHinted, Blipped, ButtonPressed, Faulted, Recovered),
    "sentio": (LiftHinted, Blipped, ButtonPressed, Faulted, Recovered, LeverMoved),
    "chesslink": (LiftHinted, Blipped, ButtonPressed, Faulted, Recovered, LeverMoved),
    "scanner": (LiftHinted, Faulted, Recovered),
}
STEP_NS = 50_000_000
"""How finely time passes while the host is behind."""
_IDLE_STEP_NS = 250_000_000
_SECOND_NS = 1_000_000_000
_OPENING_TURNS = 8
_EXCHANGES = 64
"""Most turns of question and answer at one moment; more would be a conversation that never ends."""


class Relay:
    """Guise and dialogue, joined by two queues of bytes. ``garble`` may change the bytes of either way (tests).

    ``protocol`` is one of `PROTOCOLS`; ``ValueError`` for another.
    """

    def __init__(
        self,
        protocol: str,
        *,
        at_ns: int = 0,
        occupancy: int | None = None,
        garble: Callable[[bytes], bytes] = bytes,
        guise: Guise | None = None,
        dialogue: Dialogue | None = None,
    ) -> None:
        if protocol not in PROTOCOLS:
            raise ValueError(f"{protocol!r} is no wire format to simulate: one of {', '.join(PROTOCOLS)}")
        self.guise = guise or _GUISES[protocol]()
        self.dialogue = dialogue or make_dialogue(protocol, {"flip": "0"})
        self._beside = _BESIDE[protocol]
        self._garble = garble
        self._at_ns = at_ns
        self._renaming: set[int] = set()
        self.wishes: list[Wish] = []
        self.bytes_carried = 0
        self._occupancy = START_OCCUPANCY if occupancy is None else occupancy
        if occupancy is not None:
            self.guise.sees(BoardSnapshot(occupancy=occupancy, at_ns=at_ns), at_ns)
        self.dialogue.begin(at_ns)
        self._heard = self._exchange(at_ns)
        for turn in range(_OPENING_TURNS):
            if not self.dialogue.is_ready:
                # The guise is ticked once for each line a board sends unasked; time itself has not moved.
                self.guise.tick(at_ns + turn * _SECOND_NS)
                self._heard += self._exchange(at_ns)

    def carry(self, events: Iterable[BoardEvent], at_ns: int) -> tuple[BoardEvent, ...]:
        """Events that the inner board reported at ``at_ns``, as the host hears them."""
        out, self._heard = self._heard, []
        out += self.advance(at_ns)
        for event in events:
            if isinstance(event, self._beside):
                out.append(event)
                continue
            if isinstance(event, SquareChanged):
                bit = 1 << event.square
                self._occupancy = self._occupancy | bit if event.occupied else self._occupancy & ~bit
            elif isinstance(event, BoardSnapshot):
                self._occupancy = event.occupancy
            self.guise.sees(event, self._at_ns)
            out += self._exchange(self._at_ns)
        return tuple(_without_piece(event) for event in out if not self._is_renaming(event))

    def _is_renaming(self, event: BoardEvent) -> bool:
        """A unit that stands where it stood under another name: told by the wire as a lift and a place of its square."""
        if not isinstance(event, SquareChanged):
            return False
        if event.square in self._renaming:
            self._renaming.discard(event.square)
            return event.occupied
        if not event.occupied and self._occupancy >> event.square & 1:
            self._renaming.add(event.square)
            return True
        return False

    def stands(self, standing: Standing, clock: ClockTimes | None = None) -> None:
        """The game stands so: boards that send pieces or times need to know."""
        self.guise.stands(standing, self._at_ns)
        self.guise.shows(clock, self._at_ns)
        self.exchange()

    def advance(self, at_ns: int) -> list[BoardEvent]:
        """Let time pass on both sides; what the host hears meanwhile."""
        out: list[BoardEvent] = []
        while self._at_ns < at_ns:
            step_ns = STEP_NS if self.holds else _IDLE_STEP_NS
            self._at_ns = min(at_ns, self._at_ns + step_ns)
            self.wishes += self.guise.tick(self._at_ns)
            out += self._exchange(self._at_ns)
        return out

    @property
    def holds(self) -> bool:
        """Whether the host is behind: time alone, or the next report, will bring something."""
        return bool(self._heard) or self._occupancy != self.dialogue.occupancy()

    def exchange(self) -> None:
        """Let both sides say what they have to say now; what the host hears is kept for the next `carry`."""
        self._heard += self._exchange(self._at_ns)

    def _exchange(self, at_ns: int) -> list[BoardEvent]:
        out: list[BoardEvent] = []
        for _ in range(_EXCHANGES):
            said = self.guise.take_outgoing()
            for message in said:
                self.bytes_carried += len(message)
                out += self.dialogue.receive(self._garble(message), at_ns)
            out += self.dialogue.tick(at_ns)
            asked = self.dialogue.take_outgoing()
            for message in asked:
                self.bytes_carried += len(message)
                self.wishes += self.guise.receive(self._garble(message), at_ns)
            if not said and not asked:
                break
        return out


def _without_piece(event: BoardEvent) -> BoardEvent:
    return replace(event, piece=None) if isinstance(event, SquareChanged) and event.piece is not None else event
