"""The board in wires: simulated hands over a simulated circuit, read by the real scanner on gpiozero's mock pins.

Where `sim:` computes edges and feeds a debouncer, this board steps every scan: reeds close contacts, contacts close
switches of a circuit (`hal.net`), and `hal.reed_board` with its matrix, health and debouncers reads that circuit as it
would read a Pi's pins. Gestures and time are those of `hal.simulated`: `act`, `advance`, `step`, `set_up`. Faults go
further: `set_fault` takes squares and lines, and `damage` breaks one thing of a kind. Slow on purpose: it proves, and
`sim:` plays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from heapq import heappop, heappush
from random import Random
from typing import Any

from hal.board import BoardEvent, BoardSnapshot, Lamps, Side, Text, Tone
from hal.lines import PinLines
from hal.matrix import Matrix
from hal.motion import Motion, PressButton, PressLever, end_ms
from hal.net import Net, make_pins
from hal.reed_board import ReedBoard
from hal.reeds import ReedSettings
from hal.simulated import STARTING_ARRAY, SimulatedBoard
from hal.wire_faults import WireFaults
from hal.wiring import Wiring, parse_wiring

FULL_PANEL = """
[matrix]
panel = [21, 15]

[panel.buttons]
adjust_white = 3
adjust_black = 4
draw_white = 5
draw_black = 6
ok = 7
back = 8
promote_q = 9
promote_r = 10
promote_b = 11
promote_n = 12
resign_white = 13
resign_black = 14
claim_white = 15
claim_black = 16
"""
"""The default wiring with a second panel line, so that hands find every button there is."""

PROFILES = ("healthy", "aged", "broken")

DAMAGES = ("stuck", "chatter", "dead_line")
"""What breaks on a board of the profile ``broken``, in turn, beginning with another one for each seed."""

BROKEN_NS = 40_000_000_000
"""How long each damage lasts before it is mended."""

SOUND_NS = 10_000_000_000
"""How long the board is sound before and between damages."""

FLIGHT_NS = 8_000_000
"""How long the lever's changeover contact is between its two ends."""


def reeds_of(profile: str) -> ReedSettings:
    """The reeds of a fault profile: chosen ones, or worn ones with a wider spread and longer bounce."""
    if profile not in PROFILES:
        raise ValueError(f"{profile!r} is no fault profile: one of {', '.join(PROFILES)}")
    if profile == "aged":
        return ReedSettings(pull_in_mt=1.8, pull_in_spread=0.15, bounce_cap_ms=1.0)
    return ReedSettings(pull_in_mt=1.6, pull_in_spread=0.08, drop_out_low=0.5, drop_out_high=0.6)


class WiredBoard:
    """64 reeds, a lever and buttons in a circuit; implements `hal.board.Board` and the hands of `SimulatedBoard`."""

    def __init__(
        self,
        *,
        seed: int = 0,
        occupancy: int = STARTING_ARRAY,
        profile: str = "healthy",
        wiring: Wiring | None = None,
        lever_down: Side = "black",
        clock: Callable[[], int] | None = None,
    ) -> None:
        self._wiring = wiring or parse_wiring(FULL_PANEL, "the full panel")
        self._random = Random(seed)
        self._clock = clock
        self._reeds = reeds_of(profile)
        self.wood = SimulatedBoard(seed=seed, occupancy=occupancy, reeds=self._reeds, lever_down=lever_down)
        self.net = Net(self._wiring, seed)
        if profile == "aged":
            self.net.settle_us = 25.0
            self.net.spike_rate = 1e-6
        self.breakage = WireFaults(self.wood, self.net, self._wiring, self._random)
        """What is broken now."""
        self._factory = make_pins(self.net, self._wiring)
        self._panel_agenda: list[tuple[int, int, int, bool]] = []  # (ns, order, contact, closed)
        self._order = 0
        self._contacts = 0
        self._damages = seed % len(DAMAGES)
        self._next_damage = SOUND_NS if profile == "broken" else None
        self._origin = clock() if clock else 0
        self._next_scan = 0
        self._out: list[BoardEvent] = []
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self.lamps, self.text = Lamps(), Text(lines=())
        self.tones: list[Tone] = []
        self._close_lever(lever_down)
        self._open_pins()

    def _open_pins(self) -> None:
        matrix = Matrix(self._wiring, PinLines(self._wiring.matrix, self._factory), self.net.wait)
        self.board = ReedBoard(matrix, self._wiring)

    # --- time ---

    @property
    def now_ns(self) -> int:
        """The board's time: how far it has been advanced."""
        return self.wood.now_ns

    def advance(self, to_ns: int) -> tuple[BoardEvent, ...]:
        """Everything that comes out up to and including ``to_ns``, every scan stepped."""
        with self._lock:
            while self._next_scan <= to_ns:
                self._out += self._scan()
            self.wood.advance(max(to_ns, self.wood.now_ns))
            return self._taken()

    def step(self, limit_ns: int) -> tuple[BoardEvent, ...]:
        """Scan until something comes out, or up to ``limit_ns``."""
        with self._lock:
            while not self._out and self._next_scan <= limit_ns:
                self._out += self._scan()
            if not self._out:
                self.wood.advance(max(limit_ns, self.wood.now_ns))
            return self._taken()

    def next_event_ns(self) -> int | None:
        """Something may come out with any scan, so: the next one."""
        return self.now_ns if self._out else self._next_scan

    def _taken(self) -> tuple[BoardEvent, ...]:
        out, self._out = tuple(self._out), []
        return out

    def _scan(self) -> list[BoardEvent]:
        at_ns = self._next_scan
        self._next_scan += self._wiring.period_ns
        self.wood.advance(at_ns)
        if self._next_damage is not None and at_ns >= self._next_damage:
            self._wear()
        while self._panel_agenda and self._panel_agenda[0][0] <= at_ns:
            _, _, contact, closed = heappop(self._panel_agenda)
            self._contacts = self._contacts | 1 << contact if closed else self._contacts & ~(1 << contact)
        self.net.now_ns = max(self.net.now_ns, at_ns)
        self.net.set_switches(self.wood.contacts, self._contacts)
        return self.board.tick(at_ns)

    # --- hands ---

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """Let hands do ``motions``, counted from ``at_ns`` (None: now); returns when the last one is over, in ns."""
        with self._lock:
            if self._clock is not None:
                self._out = list(self.advance(self._clock() - self._origin))
            start = self.now_ns if at_ns is None else at_ns
            on_wood: list[Motion] = []
            end = start
            for motion in motions:
                moment = start + round(motion.at_ms * 1e6)
                end = max(end, start + round(end_ms(motion, self._reeds.square_mm) * 1e6))
                if isinstance(motion, PressLever):
                    self._press_lever(motion.side, moment)
                elif isinstance(motion, PressButton):
                    self._press_button(motion.button, moment)
                else:
                    on_wood.append(motion)
            self.wood.act(on_wood, start)
            return end

    def set_up(self, occupancy: int, *, spread_mm: float = 0.0, lever_down: Side | None = None) -> None:
        """Stand chessmen on these squares at once; the scanner starts anew with a `BoardSnapshot`."""
        with self._lock:
            self.wood.set_up(occupancy, spread_mm=spread_mm)
            self._panel_agenda.clear()
            if lever_down is not None:
                self._close_lever(lever_down)
            self._out = []
            self.board.close()
            self._open_pins()

    def press_lever(self, side: Side) -> None:
        """Press a side's end of the lever now."""
        self.act([PressLever(side=side)])

    def press_button(self, button: str) -> None:
        """Press a panel button now."""
        self.act([PressButton(button=button)])

    @property
    def lever_down(self) -> Side:
        """The side that pressed last, as the hands left it."""
        return self._lever

    def _close_lever(self, side: Side) -> None:
        self._lever: Side = side
        panel = self._wiring.panel
        line = panel.lever_white if side == "white" else panel.lever_black
        other = panel.lever_black if side == "white" else panel.lever_white
        if line:
            self._contacts = self._contacts & ~(1 << (other - 1)) | 1 << (line - 1)

    def _contact(self, at_ns: int, line: int, closed: bool) -> None:
        self._order += 1
        heappush(self._panel_agenda, (at_ns, self._order, line - 1, closed))

    def _press_lever(self, side: Side, at_ns: int) -> None:
        panel = self._wiring.panel
        if side == self._lever or not panel.lever_white:
            return
        self._lever = side
        to, of = (panel.lever_white, panel.lever_black) if side == "white" else (panel.lever_black, panel.lever_white)
        self._contact(at_ns - FLIGHT_NS, of, False)
        for n in range(3):  # the changeover contact bounces for a millisecond
            self._contact(at_ns + n * 400_000, to, True)
            if n < 2:
                self._contact(at_ns + n * 400_000 + 200_000, to, False)

    def _press_button(self, button: str, at_ns: int) -> None:
        line = self._wiring.panel.buttons.get(button)
        if line is None:
            known = ", ".join(self._wiring.panel.buttons)
            raise ValueError(f"{button!r} is no button of this board: {known}")
        self._contact(at_ns, line, True)
        self._contact(at_ns + 120_000_000, line, False)

    # --- faults ---

    def set_fault(self, part: str, fault: str | None) -> None:
        """Break a square, a line, two lines or the whole board; None mends. See `hal.wire_faults.WireFaults.set`."""
        with self._lock:
            self.breakage.set(part, fault)

    def damage(self, kind: str) -> tuple[str, str]:
        """Break one thing of a kind, as `hal.wire_faults.WireFaults.damage` does."""
        with self._lock:
            return self.breakage.damage(kind)

    def stall(self, ms: float) -> None:
        """The scanner is kept from its work for so long, as by a slow disk; hands and time go on."""
        with self._lock:
            self._next_scan += round(ms * 1e6)

    def _wear(self) -> None:
        """Break the next thing of the profile ``broken``, or mend what is broken."""
        if self.breakage.broken:
            self.breakage.mend_all()
            self._next_damage = self._next_scan + SOUND_NS
        else:
            self.damage(DAMAGES[self._damages % len(DAMAGES)])
            self._damages += 1
            self._next_damage = self._next_scan + BROKEN_NS

    @property
    def faults(self) -> dict[str, str]:
        """What the board itself says is wrong now: part -> reason."""
        return self.board.faults

    def expect(self, occupancy: int | None, known_ns: int | None = None) -> None:
        """What the caller knows to stand on the board; None: nothing."""
        self.board.expect(occupancy, known_ns)

    # --- looking inside ---

    @property
    def contacts(self) -> int:
        """The reeds' contacts now, before wires and debouncing."""
        return self.wood.contacts

    @property
    def standing(self) -> int:
        """The squares on which a chessman rests."""
        return self.wood.standing

    @property
    def slips(self) -> int:
        """How often a hand found nothing to take hold of."""
        return self.wood.slips

    # --- the port ---

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """What is due; virtual time moves on to the next event, at most by ``timeout_s``; a clock is waited for."""
        if self._clock is None:
            return self.step(self.now_ns + round(timeout_s * 1e9))
        end = self._clock() + round(timeout_s * 1e9)
        while True:
            events = self.advance(self._clock() - self._origin)
            left = end - self._clock()
            if events or left <= 0 or self._closed.wait(min(left, self._wiring.period_ns) / 1e9):
                return tuple(_shifted(event, self._origin) for event in events) if self._origin else events

    def snapshot(self) -> BoardSnapshot:
        """The debounced state of all squares now."""
        return self.board.snapshot()

    @property
    def latency_ns(self) -> int:
        """As `hal.board.Delayed`."""
        return self._wiring.latency_ns

    def show(self, lamps: Lamps) -> None:
        """Remember the lamps for whoever looks."""
        self.lamps = lamps

    def sound(self, tone: Tone) -> None:
        """Remember the tone; the newest hundred are kept."""
        self.tones.append(tone)
        del self.tones[:-100]

    def write(self, text: Text) -> None:
        """Remember the text."""
        self.text = text

    def close(self) -> None:
        """Pins released; may be called twice."""
        self._closed.set()
        self.lamps = Lamps()
        self.board.close()


def _shifted(event: BoardEvent, by_ns: int) -> BoardEvent:
    changed: Any = replace(event, at_ns=event.at_ns + by_ns)
    return changed  # type: ignore[no-any-return]
