"""A board of 64 simulated reeds behind the same door as a wired one: `sim:`, moved by simulated hands, seeded.

Time is virtual unless a ``clock`` is given. A gesture is a list of `hal.motion` values:

    board = SimulatedBoard(seed=1)                        # stands in the starting array
    end_ns = board.act([Lift(square=12), Place(square=28, of=12, at_ms=400, offset_mm=(3, -2)),
                        PressLever(side="white", at_ms=900)], at_ns=0)
    events = board.advance(end_ns + 100_000_000)          # what the port reports up to then, in order
    events = board.step(limit_ns)                         # or: up to the next event and no further

`act` may be called ahead of time and for overlapping gestures, but not for the past. `next_event_ns` bounds when
something can come out next: None means nothing will until the next act. `set_up` stands other chessmen on the board at
once and starts the debouncer anew. Faults are set and cleared by square while it runs (`set_fault`); `contacts`,
`lamps`, `tones`, `text` and `field_mt` look inside.

With a ``clock`` (a callable giving monotonic ns) the board lives in that time: `wait` blocks until something is due,
and `lift`, `place`, `drag`, `adjust`, `knock`, `press_lever` and `press_button` act now, from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop
from random import Random
from threading import Condition
from typing import Any, Literal, get_args

from hal.board import BoardEvent, BoardSnapshot, ButtonPressed, Lamps, LeverMoved, Side, Text, Tone
from hal.bodies import Bodies
from hal.debounce import DEFAULT, Debounce, EdgeDebouncer
from hal.motion import Blip, Drag, Lift, Motion, Nudge, Place, Point, PressButton, PressLever, Spot, end_ms
from hal.reeds import ReedSettings, bounces

STARTING_ARRAY = 0xFFFF_0000_0000_FFFF

LEVER_NS = 10_000_000
"""Debounce of the lever: time matters there, and a microswitch is quick."""

BUTTON_NS = 20_000_000

SLOW_RELEASE_NS = 5_000_000_000
"""How long a reed with magnetised blades stays closed after its magnet has left."""

Fault = Literal["stuck_open", "stuck_closed", "intermittent", "chatter", "slow_release"]


class SimulatedBoard:
    """64 reeds, a lever, buttons and lamps; implements `hal.board.Board`."""

    def __init__(
        self,
        *,
        seed: int = 0,
        occupancy: int = STARTING_ARRAY,
        reeds: ReedSettings | None = None,
        debounce: Debounce = DEFAULT,
        lever_down: Side = "black",
        clock: Callable[[], int] | None = None,
    ) -> None:
        self._clock = clock
        self._now = clock() if clock else 0
        self._random = Random(seed)
        self._settings = debounce
        self._agenda: list[Any] = []
        self._bodies = Bodies(reeds or ReedSettings(), self._random, self._agenda)
        self._contact = [False] * 64
        self._rocked = [0] * 64
        self._faults: dict[int, Fault] = {}
        self._latched = [False] * 64  # closed by magnetised blades, if it has that fault
        self._dropped = [False] * 64  # held open by its fault just now
        self._armed: dict[int, int] = {}  # square -> number of its fault
        self._fault_number = 0
        self._out: list[BoardEvent] = []
        self._changed = Condition()
        self.lever_down: Side = lever_down
        self.lamps = Lamps()
        self.text = Text(lines=())
        self.tap: Callable[[int, int], None] | None = None
        """Is told the raw contacts (bit n = square n closed) and the time in ns at each edge, before the debouncer."""
        self.tones: list[Tone] = []
        self.closed = False
        self.set_up(occupancy)
        self._out.clear()

    # --- the port ---

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """What is due. Virtual time moves on to the next event, at most by ``timeout_s``; a clock is waited for."""
        with self._changed:
            if self._clock is None:
                return self.step(self._now + round(timeout_s * 1e9))
            end = self._clock() + round(timeout_s * 1e9)
            while True:
                now = self._clock()
                events = self.advance(now)
                if events or now >= end or self.closed:
                    return events
                due = self.next_event_ns()
                self._changed.wait(max(0, min(end, due if due is not None else end) - now) / 1e9)

    def snapshot(self) -> BoardSnapshot:
        """The debounced state of all squares now; what settles on the way is kept for `wait` or `advance`."""
        with self._changed:
            if self._clock is not None:
                self._run(self._clock(), False)
            return BoardSnapshot(occupancy=self._debouncer.occupancy, at_ns=self._now)

    def show(self, lamps: Lamps) -> None:
        """Remember the lamps for whoever looks."""
        self.lamps = lamps

    def sound(self, tone: Tone) -> None:
        """Remember the tone; the newest hundred are kept."""
        self.tones.append(tone)
        del self.tones[:-100]

    def write(self, text: Text) -> None:
        """Remember the text for whoever looks."""
        self.text = text

    def close(self) -> None:
        """Lamps off; whoever waits is let go."""
        with self._changed:
            self.lamps = Lamps()
            self.closed = True
            self._changed.notify_all()

    # --- time ---

    @property
    def now_ns(self) -> int:
        """The board's time: how far it has been advanced."""
        return self._now

    def advance(self, to_ns: int) -> tuple[BoardEvent, ...]:
        """Everything that comes out up to and including ``to_ns``."""
        with self._changed:
            self._run(to_ns, False)
            return self._taken()

    def step(self, limit_ns: int) -> tuple[BoardEvent, ...]:
        """Advance to the first moment at which something comes out, or to ``limit_ns``; the events of that moment."""
        with self._changed:
            if not self._out:
                self._run(limit_ns, True)
            return self._taken()

    def next_event_ns(self) -> int | None:
        """No event comes out before this; None while nothing moves and nothing settles."""
        with self._changed:
            if self._out:
                return self._now
            settles = self._debouncer.deadline_ns()
            if self._agenda:
                first: int = self._agenda[0][0]
                return first if settles is None else min(first, settles)
            return settles

    # --- hands ---

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """Let hands do ``motions``, counted from ``at_ns`` (None: now); returns when the last one is over, in ns."""
        with self._changed:
            now = self._clock() if self._clock else self._now
            start = now if at_ns is None else at_ns
            if start < self._now:
                raise ValueError(f"at_ns = {start}: the board is at {self._now} already, hands cannot act in the past")
            end = start
            push, size = self._bodies.push, self._bodies.settings.square_mm
            for motion in motions:
                push(start + round(motion.at_ms * 1e6), "act", motion)
                end = max(end, start + round(end_ms(motion, size) * 1e6))
            self._changed.notify_all()
            return end

    def set_up(self, occupancy: int, *, spread_mm: float = 0.0, lever_down: Side | None = None) -> None:
        """Stand chessmen on these squares at once, forget all that moved or was settling; reports a `BoardSnapshot`."""
        with self._changed:
            self._agenda.clear()
            self._bodies.set_up(occupancy, spread_mm)
            if lever_down is not None:
                self.lever_down = lever_down
            shown = 0
            self._rocked = [0] * 64
            for square in range(64):
                self._contact[square] = self._latched[square] = self._bodies.pulled[square]
                shown |= self._closed(square) << square
            self._shown = shown
            self._debouncer = EdgeDebouncer(self._settings, shown)
            self._out = [BoardSnapshot(occupancy=shown, at_ns=self._now)]
            for square, fault in self._faults.items():
                self._arm(square, fault, self._now)
            self._changed.notify_all()

    def lift(self, square: int) -> None:
        """Raise a chessman now."""
        self.act([Lift(square=square)])

    def place(self, square: int, of: int | None, offset_mm: Point = (0.0, 0.0)) -> None:
        """Set down now the chessman that was lifted from ``of``, or one from the stock."""
        self.act([Place(square=square, of=of, offset_mm=offset_mm)])

    def drag(self, square: int, path: Sequence[Spot], speed_mm_s: float = 250.0) -> None:
        """Slide a chessman now."""
        self.act([Drag(square=square, path=tuple(path), speed_mm_s=speed_mm_s)])

    def adjust(self, square: int) -> None:
        """Push a chessman to the middle of its square now."""
        self.act([Nudge(square=square)])

    def knock(self, spread_mm: float = 4.0) -> None:
        """Bump the table now: every chessman jumps aside by a few mm."""
        with self._changed:
            gauss = self._random.gauss
            self.act(
                Nudge(square=square, offset_mm=(gauss(0, spread_mm), gauss(0, spread_mm)), ms=60.0)
                for square in sorted(self._bodies.resting)
            )

    def press_lever(self, side: Side) -> None:
        """Press a side's end of the lever now."""
        self.act([PressLever(side=side)])

    def press_button(self, button: str) -> None:
        """Press a panel button now."""
        self.act([PressButton(button=button)])

    # --- faults and looking inside ---

    def set_fault(self, square: int, fault: Fault | None) -> None:
        """Break a reed now, or mend it with None.

        Stuck; open now and then for 1-40 ms; chattering at 10-200 Hz; or letting go five seconds late.
        """
        if fault is not None and fault not in get_args(Fault):
            raise ValueError(f"{fault!r} is no fault of a reed: one of {', '.join(get_args(Fault))}")
        with self._changed:
            now = self._clock() if self._clock else self._now
            self._run(now, False)
            self._faults.pop(square, None)
            self._dropped[square] = False
            if fault is not None:
                self._faults[square] = fault
                self._arm(square, fault, now)
            self._look(square, now)
            self._changed.notify_all()

    @property
    def contacts(self) -> int:
        """The contacts as the wires show them now: bit n set = reed n closed, before any debouncing."""
        return self._shown

    @property
    def standing(self) -> int:
        """The squares on which a chessman rests, whatever its reed says."""
        return sum(1 << square for square in self._bodies.resting)

    @property
    def faults(self) -> dict[int, Fault]:
        """The reeds that are broken, by square."""
        return dict(self._faults)

    @property
    def slips(self) -> int:
        """How often a hand found nothing where it meant to take hold: a fault of the script."""
        return self._bodies.slips

    def field_mt(self, square: int) -> float:
        """The field at a reed now, in mT."""
        return self._bodies.field_mt(square, self._now)

    # --- inside ---

    def _taken(self) -> tuple[BoardEvent, ...]:
        if not self._out:
            return ()
        out = tuple(self._out)
        self._out.clear()
        return out

    def _run(self, to_ns: int, until_event: bool) -> None:
        agenda, debouncer, out = self._agenda, self._debouncer, self._out
        while True:
            settles = debouncer.deadline_ns()
            at_ns = agenda[0][0] if agenda else to_ns + 1
            if settles is not None and settles <= at_ns:
                if settles > to_ns:
                    break
                at_ns = settles
                out += debouncer.advance(settles)
            elif at_ns > to_ns:
                break
            else:
                self._do(heappop(agenda))
                out += debouncer.advance(at_ns)
            self._now = at_ns
            if out and until_event:
                return
        self._now = max(self._now, to_ns)

    def _do(self, item: tuple[Any, ...]) -> None:
        at_ns, what = item[0], item[2]
        if what == "edge":
            _, _, _, square, contact, crossing_ns, token = item
            if crossing_ns <= token[0]:
                self._latched[square] = contact or self._contact[square]
                self._contact[square] = contact
                if not contact and self._faults.get(square) == "slow_release":
                    self._bodies.push(at_ns + SLOW_RELEASE_NS, "release", square)
                self._look(square, at_ns)
        elif what == "arrive":
            self._bodies.arrive(item[3], item[4])
        elif what == "call":
            item[3](at_ns)
        elif what == "act":
            self._act(item[3], at_ns)
        elif what == "event":
            self._out.append(item[3])
        elif what == "rock":
            self._rocked[item[3]] += item[4]
            self._look(item[3], at_ns)
        elif what == "release":
            self._latched[item[3]] = self._contact[item[3]]
            self._look(item[3], at_ns)
        else:
            self._break(at_ns, *item[3:])

    def _act(self, motion: Motion, at_ns: int) -> None:
        if isinstance(motion, PressLever):
            if motion.side != self.lever_down:
                self.lever_down = motion.side
                self._bodies.push(at_ns + LEVER_NS, "event", LeverMoved(down=motion.side, at_ns=at_ns))
        elif isinstance(motion, PressButton):
            self._bodies.push(at_ns + BUTTON_NS, "event", ButtonPressed(button=motion.button, at_ns=at_ns))
        elif isinstance(motion, Blip):
            self._bodies.push(at_ns, "rock", motion.square, 1)
            end_ns = at_ns + round(motion.ms * 1e6)
            for edge_ns, closed in bounces(True, end_ns, self._bodies.settings.bounce_cap_ms, self._random):
                self._bodies.push(edge_ns, "rock", motion.square, -1 if closed else 1)
        else:
            self._bodies.begin(motion, at_ns)

    def _closed(self, square: int) -> bool:
        """What the wires show of a reed, its fault taken in."""
        fault = self._faults.get(square)
        if fault == "stuck_closed" or (fault == "slow_release" and self._latched[square]):
            return True
        held_open = fault == "stuck_open" or self._rocked[square] or self._dropped[square]
        return self._contact[square] and not held_open

    def _look(self, square: int, at_ns: int) -> None:
        closed = self._closed(square)
        if closed != bool(self._shown >> square & 1):
            self._shown ^= 1 << square
            if self.tap is not None:
                self.tap(self._shown, at_ns)
            self._debouncer.edge(square, closed, at_ns)

    def _arm(self, square: int, fault: Fault, at_ns: int) -> None:
        if fault in ("intermittent", "chatter"):
            self._fault_number += 1
            self._armed[square] = self._fault_number
            self._bodies.push(at_ns + self._pause_ns(fault), "break", square, self._fault_number, True)

    def _pause_ns(self, fault: Fault) -> int:
        mean_s = 0.5 if fault == "intermittent" else 0.02
        return 1_000_000 + int(self._random.expovariate(1 / mean_s) * 1e9)

    def _break(self, at_ns: int, square: int, number: int, opens: bool) -> None:
        fault = self._faults.get(square)
        if fault not in ("intermittent", "chatter") or self._armed.get(square) != number:
            return  # of a fault that has been mended since
        self._dropped[square] = opens
        self._look(square, at_ns)
        if opens:
            ms = self._random.uniform(1, 40) if fault == "intermittent" else self._random.uniform(2, 20)
            self._bodies.push(at_ns + round(ms * 1e6), "break", square, number, False)
        else:
            self._bodies.push(at_ns + self._pause_ns(fault), "break", square, number, True)
