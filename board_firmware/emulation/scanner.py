"""A scanner of our own line, as the reference sketch behaves: for tests and for a second machine that shows this board.

It keeps its newest events so that a host can ask for them again, and says hello to whoever asks.
"""

from __future__ import annotations

from collections import deque

from board_firmware.emulation.guise import ClockTimes, Standing, Wish
from hal import scanner
from hal.board import (
    Blipped,
    BoardEvent,
    BoardSnapshot,
    ButtonPressed,
    Lamp,
    Lamps,
    LeverMoved,
    SquareChanged,
    Text,
    Tone,
)
from hal.placement import START_OCCUPANCY
from hal.squares import SQUARE_NAMES

_KEPT = 256
_STATE_NS = 1_000_000_000
_HALF_FRAME_NS = 200_000_000


class ScannerGuise:
    """``boot`` tells one power-up from the next."""

    baud = scanner.BAUD

    def __init__(self, *, boot: int = 1, name: str = "touchmove") -> None:
        self._boot = boot
        self._name = name
        self._decoder = scanner.FrameDecoder()
        self._occupancy = START_OCCUPANCY
        self._last = 0
        self._kept: deque[scanner.Happened] = deque(maxlen=_KEPT)
        self._out: list[bytes] = []
        self._byte_ns = self._state_ns = 0

    def stands(self, standing: Standing, at_ns: int) -> None:
        """As `Guise`: reeds know no game."""

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """As `Guise`: reeds know no clock."""

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """As `Guise`."""
        if isinstance(event, SquareChanged):
            bit = 1 << event.square
            if bool(self._occupancy & bit) == event.occupied:
                return
            self._occupancy ^= bit
            self._happen(f"{'+' if event.occupied else '-'}{SQUARE_NAMES[event.square]}", event.at_ns)
        elif isinstance(event, Blipped):
            self._happen(f"~{SQUARE_NAMES[event.square]}:{min(round(event.ms), 9999)}", event.at_ns)
        elif isinstance(event, LeverMoved):
            self._happen(f"L{event.down[0]}", event.at_ns)
        elif isinstance(event, ButtonPressed):
            self._happen(f"B{event.button}", event.at_ns)
        elif isinstance(event, BoardSnapshot) and event.occupancy != self._occupancy:
            self._occupancy = event.occupancy
            self._say_state(at_ns)

    def _happen(self, what: str, at_ns: int) -> None:
        self._last = (self._last + 1) % scanner.NUMBERS
        happened = scanner.Happened(number=self._last, ms=_ms(at_ns), occupancy=self._occupancy, what=what)
        self._kept.append(happened)
        self._out.append(scanner.encode(happened))

    def _say_state(self, at_ns: int) -> None:
        self._state_ns = at_ns
        state = scanner.State(number=self._last, ms=_ms(at_ns), occupancy=self._occupancy)
        self._out.append(scanner.encode(state))

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._byte_ns >= _HALF_FRAME_NS:
            self._decoder.give_up()
        self._byte_ns = at_ns
        wishes: list[Wish] = []
        for frame in self._decoder.feed(data):
            if isinstance(frame, scanner.Ask):
                try:
                    wishes += self._obey(frame, at_ns)
                except ValueError:
                    self._out.append(scanner.encode(scanner.Done(tag=frame.tag, reason="bad")))
        return tuple(wishes)

    def _obey(self, ask: scanner.Ask, at_ns: int) -> list[Wish]:
        wishes: list[Wish] = []
        if ask.letter == "V":
            hello = scanner.Hello(
                version=scanner.VERSION, squares=64, lamps=64, boot=self._boot, last=self._last, name=self._name
            )
            self._out.append(scanner.encode(hello))
            return []
        if ask.letter == "Q":
            self._say_state(at_ns)
        elif ask.letter == "R":
            (word,) = ask.arguments
            if not self._resend(int(word)):
                self._out.append(scanner.encode(scanner.Done(tag=ask.tag, reason="gone")))
                return []
        elif ask.letter == "L":
            (word,) = ask.arguments
            wishes.append(
                Lamps(
                    squares={
                        square: Lamp(red=red, green=green, blue=blue, blink_hz=float(hz))
                        for square, red, green, blue, hz in scanner.read_lamps_argument(word)
                    }
                )
            )
        elif ask.letter == "T":
            hz, ms = ask.arguments
            wishes.append(Tone(hz=int(hz), ms=int(ms)))
        elif ask.letter == "W":
            (word,) = ask.arguments
            text = bytes.fromhex(word).decode("utf-8", "ignore")
            wishes.append(Text(lines=tuple(text.split("\n")) if text else ()))
        self._out.append(scanner.encode(scanner.Done(tag=ask.tag)))
        return wishes

    def _resend(self, first: int) -> bool:
        wanted = (self._last + 1 - first) % scanner.NUMBERS
        if wanted > len(self._kept):
            return False
        self._out += [scanner.encode(event) for event in list(self._kept)[len(self._kept) - wanted :]]
        return True

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        if at_ns - self._state_ns >= _STATE_NS:
            self._say_state(at_ns)
        return ()

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Guise`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken


def _ms(at_ns: int) -> int:
    return at_ns // 1_000_000 % scanner.MILLISECONDS
