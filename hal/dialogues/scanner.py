"""The host's conversation with our own scanner: numbered events, asked for again when one is missing.

Events are told in the order of their numbers. When one is missing the later ones wait for it, at most `_GAP_NS`; then
the whole state that every event carries fills the hole. After the cable was out the scanner's own list of events is
read first, so that a move made meanwhile keeps its order and its times.
"""

from __future__ import annotations

from hal import scanner
from hal.board import (
    Blipped,
    BoardEvent,
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    Lamps,
    LeverMoved,
    Recovered,
    Side,
    SquareChanged,
    Text,
    Tone,
)
from hal.dialogues.dialogue import SECOND_NS
from hal.lamps import dimmed
from hal.squares import parse_square

_ANSWER_NS = SECOND_NS * 3 // 10
_TRIES = 3
_GAP_NS = SECOND_NS // 2
_SILENT_NS = 3 * SECOND_NS
_HALF_FRAME_NS = SECOND_NS // 5
_GREET_AGAIN_NS = SECOND_NS
_PAUSE_NS = SECOND_NS // 10
_KEPT = 64
_OFFSETS = 64
_PARTS = {"L": "lamps", "T": "buzzer", "W": "display", "D": "debounce"}
"""What does not work when a command of this letter is refused for good; the others are the link itself."""


SCAN_MS = 5
"""A scan of the slowest scanner, and its frame on the line."""


class ScannerDialogue:
    """``close_ms`` and ``open_ms`` are sent to the scanner as its debounce times. ``flipped``: a1 lies at our h8."""

    baud = scanner.BAUD
    wanted = "its hello"

    def __init__(self, *, flipped: bool = False, close_ms: int = 60, open_ms: int = 30) -> None:
        self.is_ready = False
        self.complaint: str | None = None
        self.hello: scanner.Hello | None = None
        self._flipped = flipped
        self._debounce = str(close_ms), str(open_ms)
        self.latency_ns = (max(close_ms, open_ms) + SCAN_MS) * 1_000_000
        """As `hal.board.Delayed`."""
        self._decoder = scanner.FrameDecoder()
        self._out: list[bytes] = []
        self._boot: int | None = None
        self._next = 0
        self._late: dict[int, scanner.Happened] = {}
        self._gap_ns: int | None = None
        self._gap_state: scanner.State | None = None
        self._replaying = False
        self._occupancy = 0
        self._is_known = False
        self._offsets: list[int] = []
        self._tag = 0
        self._waiting: dict[int, tuple[scanner.Ask, int, int]] = {}  # by tag: what, when to ask again, times asked
        self._troubled: set[str] = set()
        self._heard_ns = self._byte_ns = self._greeted_ns = 0

    # ------------------------------------------------------------------------------------------------------- the link

    def begin(self, at_ns: int) -> None:
        """As `Dialogue`."""
        self._decoder.give_up()
        self.is_ready, self.complaint, self.hello = False, None, None
        self._late.clear()
        self._gap_ns = None
        self._replaying = False
        self._waiting.clear()
        self._out.clear()
        self._heard_ns = self._byte_ns = at_ns
        self._greet(at_ns)

    def _greet(self, at_ns: int) -> None:
        self._greeted_ns = at_ns
        self._tag = (self._tag + 1) % scanner.NUMBERS
        self._out.append(scanner.encode(scanner.Ask(letter="V", tag=self._tag)))

    def _ask(self, letter: str, at_ns: int, *arguments: str) -> None:
        self._tag = (self._tag + 1) % scanner.NUMBERS
        ask = scanner.Ask(letter=letter, tag=self._tag, arguments=arguments)
        # A newer command of a kind replaces an older one that was not answered: only the last lamps matter.
        for tag in [tag for tag, (old, _, _) in self._waiting.items() if old.letter == letter]:
            del self._waiting[tag]
        self._waiting[self._tag] = ask, at_ns + _ANSWER_NS, 1
        self._out.append(scanner.encode(ask))

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Dialogue`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken

    def receive(self, data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        self._byte_ns = at_ns
        events: list[BoardEvent] = []
        for frame in self._decoder.feed(data):
            self._heard_ns = at_ns
            if isinstance(frame, scanner.Hello):
                self._meet(frame, at_ns)
            elif self.hello is None:
                continue
            elif isinstance(frame, scanner.Done):
                events += self._answered(frame, at_ns)
            elif isinstance(frame, scanner.State):
                events += self._see_state(frame, at_ns)
            elif isinstance(frame, scanner.Happened):
                events += self._see_event(frame, at_ns)
        return tuple(events)

    def _meet(self, hello: scanner.Hello, at_ns: int) -> None:
        if hello.version != scanner.VERSION or hello.squares != 64:
            self.complaint = "version"
            return
        restarted = self.hello is not None and hello.boot != self._boot
        if self.hello is not None and not restarted:
            return
        self.hello = hello
        self._offsets.clear()
        self._ask("D", at_ns, *self._debounce)
        if hello.boot == self._boot and self._is_known:
            # The same scanner after a cut: what happened meanwhile, in order, then the state.
            self._replaying = True
            self._ask("R", at_ns, str(self._next))
            return
        self._boot = hello.boot
        self._is_known = False
        self._next = (hello.last + 1) % scanner.NUMBERS
        self._late.clear()
        self._ask("Q", at_ns)

    def _answered(self, done: scanner.Done, at_ns: int) -> list[BoardEvent]:
        ask, _, tries = self._waiting.pop(done.tag, (None, 0, 0))
        if ask is None:
            return []
        if ask.letter == "R":
            self._replaying = False
            if done.reason is not None and not self.is_ready:
                self._is_known = False  # what happened while the cable was out is gone: begin from the state
            self._ask("Q", at_ns)
            return []
        if done.reason is not None:
            self._waiting[done.tag] = ask, at_ns + _PAUSE_NS, tries
        elif ask.letter in self._troubled:
            self._troubled.discard(ask.letter)
            return [Recovered(part=_PARTS[ask.letter], at_ns=at_ns)]
        return []

    def _ask_again(self, at_ns: int) -> list[BoardEvent]:
        events: list[BoardEvent] = []
        for tag, (ask, due_ns, tries) in list(self._waiting.items()):
            if at_ns < due_ns:
                continue
            if tries < _TRIES:
                self._waiting[tag] = ask, at_ns + _ANSWER_NS, tries + 1
                self._out.append(scanner.encode(ask))
                continue
            del self._waiting[tag]
            if ask.letter not in _PARTS:
                self.complaint = "silent"
            elif ask.letter not in self._troubled:
                self._troubled.add(ask.letter)
                events.append(Faulted(part=_PARTS[ask.letter], reason="refused", at_ns=at_ns))
        return events

    # ------------------------------------------------------------------------------------------------------ the events

    def _see_event(self, event: scanner.Happened, at_ns: int) -> list[BoardEvent]:
        if not self._is_known:
            return []
        ahead = (event.number - self._next) % scanner.NUMBERS
        if ahead >= scanner.NUMBERS // 2:
            return []  # told already
        if ahead and len(self._late) < _KEPT:
            self._late[event.number] = event
            if self._gap_ns is None:
                self._gap_ns = at_ns
                self._ask("R", at_ns, str(self._next))
            return []
        events = self._tell(event, at_ns)
        return events + self._tell_late(at_ns)

    def _tell_late(self, at_ns: int) -> list[BoardEvent]:
        events: list[BoardEvent] = []
        while self._next in self._late:
            events += self._tell(self._late.pop(self._next), at_ns)
        if not self._late:
            self._gap_ns = None
        return events

    def _tell(self, event: scanner.Happened, at_ns: int) -> list[BoardEvent]:
        """One event, after whatever its state shows to have been missed before it."""
        self._next = (event.number + 1) % scanner.NUMBERS
        when_ns = self._when(event.ms, at_ns)
        what = event.what
        before = event.occupancy
        if what[0] in "+-":
            before ^= 1 << parse_square(what[1:])
        events = self._differences(before, when_ns)
        if what[0] in "+-":
            events += self._differences(event.occupancy, when_ns)
        elif what[0] == "~":
            name, _, ms = what[1:].partition(":")
            events.append(Blipped(square=self._ours(parse_square(name)), ms=float(ms), at_ns=when_ns))
        elif what[0] == "L":
            down: Side = "white" if what == "Lw" else "black"
            events.append(LeverMoved(down=down, at_ns=when_ns))
        else:
            events.append(ButtonPressed(button=what[1:], at_ns=when_ns))
        return events

    def _see_state(self, state: scanner.State, at_ns: int) -> list[BoardEvent]:
        when_ns = self._when(state.ms, at_ns)
        if not self._is_known:
            self._is_known = self.is_ready = True
            self._waiting = {tag: waiting for tag, waiting in self._waiting.items() if waiting[0].letter != "Q"}
            self._next = (state.number + 1) % scanner.NUMBERS
            self._occupancy = state.occupancy
            self._late.clear()
            return [self._snapshot(when_ns)]
        missing = (state.number + 1 - self._next) % scanner.NUMBERS
        if missing >= scanner.NUMBERS // 2:
            return []  # older than what is known
        if missing:
            self._gap_state = state
            if self._gap_ns is None and not self._replaying:
                self._gap_ns = at_ns
                self._ask("R", at_ns, str(self._next))
            return []
        if not self.is_ready and not self._replaying:
            self.is_ready = True
            return [*self._differences(state.occupancy, when_ns), self._snapshot(when_ns)]
        return self._differences(state.occupancy, when_ns)

    def _differences(self, occupancy: int, at_ns: int) -> list[BoardEvent]:
        changed = self._occupancy ^ occupancy
        self._occupancy = occupancy
        return [
            SquareChanged(square=self._ours(square), occupied=bool(occupancy >> square & 1), at_ns=at_ns)
            for wanted in (0, 1)
            for square in range(64)
            if changed >> square & 1 and occupancy >> square & 1 == wanted
        ]

    def _snapshot(self, at_ns: int) -> BoardSnapshot:
        return BoardSnapshot(occupancy=self.occupancy(), at_ns=at_ns)

    def _ours(self, square: int) -> int:
        return square ^ 63 if self._flipped else square

    def _when(self, ms: int, at_ns: int) -> int:
        """The scanner's milliseconds in our time: the shortest way seen lately tells the offset."""
        offset = at_ns - ms * 1_000_000
        if self._offsets and abs(offset - self._offsets[-1]) > scanner.MILLISECONDS * 500_000:
            self._offsets.clear()  # its counter went round
        self._offsets.append(offset)
        del self._offsets[:-_OFFSETS]
        return min(at_ns, ms * 1_000_000 + min(self._offsets))

    # ------------------------------------------------------------------------------------------------------------ time

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """As `Dialogue`."""
        if at_ns - self._byte_ns >= _HALF_FRAME_NS:
            self._decoder.give_up()
        if at_ns - self._heard_ns >= _SILENT_NS:
            self.complaint = "silent"
            return ()
        if self.hello is None:
            if at_ns - self._greeted_ns >= _GREET_AGAIN_NS:
                self._greet(at_ns)
            return ()
        events = self._ask_again(at_ns)
        if self._gap_ns is None or at_ns - self._gap_ns < _GAP_NS:
            return tuple(events)
        # What is missing is gone: go on with what came after it.
        self._gap_ns = None
        late = sorted(self._late, key=lambda number: (number - self._next) % scanner.NUMBERS)
        for number in late:
            events += self._tell(self._late.pop(number), at_ns)
        state = self._gap_state
        if state is not None and (state.number + 1 - self._next) % scanner.NUMBERS < scanner.NUMBERS // 2:
            self._next = (state.number + 1) % scanner.NUMBERS
            events += self._differences(state.occupancy, self._when(state.ms, at_ns))
        self._gap_state = None
        return tuple(events)

    # ------------------------------------------------------------------------------------------------------- the board

    def occupancy(self) -> int:
        """As `Dialogue`."""
        return int(f"{self._occupancy:064b}"[::-1], 2) if self._flipped else self._occupancy

    def show(self, lamps: Lamps, at_ns: int) -> None:
        """As `Dialogue`: the scanner blinks by itself."""
        if self.hello is None or not self.hello.lamps:
            return
        lit = []
        for square, lamp in sorted(lamps.squares.items()):
            red, green, blue = (dimmed(level, lamps.share) for level in (lamp.red, lamp.green, lamp.blue))
            lit.append((self._ours(square), red, green, blue, round(lamp.blink_hz)))
        self._ask("L", at_ns, scanner.lamps_argument(tuple(lit)))

    def sound(self, tone: Tone) -> None:
        """As `Dialogue`."""
        if self.hello is not None:
            self._ask("T", self._heard_ns, str(tone.hz), str(tone.ms))

    def write(self, text: Text) -> None:
        """As `Dialogue`: at most 64 bytes of UTF-8, in hex."""
        if self.hello is not None:
            self._ask("W", self._heard_ns, "\n".join(text.lines).encode()[:64].hex())
