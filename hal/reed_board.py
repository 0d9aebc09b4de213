"""A wired board behind the port: scanner, health, debouncers and panel in one scan, lamps and buzzer beside it.

One thread scans at absolute deadlines, so that a late scan delays no other, and posts what settles; everything that
is said of a contact bears the time of the scan that first saw it. `tick` is that one scan and knows no clock and no
thread: tests and the board in wires call it themselves. A scanner that fails is tried again with the next scan, and
`hal.loss` says when it is lost; what could not be read is never taken for empty squares. The thread outlives
whatever else goes wrong in a scan; `wait` raises if it has ended or hangs, so that nobody takes silence for a still board.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from hal.board import BoardEvent, BoardSnapshot, Faulted, Lamps, Recovered, SquareChanged, Text, Tone
from hal.continuity import Flaw
from hal.debounce import ScanDebouncer
from hal.health import Health
from hal.loss import Loss
from hal.matrix import PartError, Scan
from hal.panel import Panel
from hal.wiring import Wiring

log = logging.getLogger(__name__)

PAUSE_S = (0.1, 1.0)
"""Before the next scan after one that failed in itself: at first, and at most after doubling again and again."""

HUNG_S = 10.0
"""A thread that has begun no scan while others waited for so long hangs in a driver: kernels give up a bus far earlier."""


class Scanner(Protocol):
    """What reads the contacts: a matrix, a chain of shift registers, port expanders."""

    @property
    def groups(self) -> Mapping[str, int]:
        """The squares on each wire or chip, by its name."""
        ...

    def scan(self) -> Scan:
        """All contacts now; an ``OSError`` kin if they cannot be read, a `PartError` if one part is to blame."""
        ...

    def test(self, squares: int, contacts: int) -> tuple[Flaw, ...]:
        """What is wrong with the wires, given the last scan; an ``OSError`` kin if they cannot be asked."""
        ...

    @property
    def glances(self) -> int:
        """How many calls of `glance` test everything once."""
        ...

    def glance(self) -> bool:
        """Whether the next part of the test finds anything; an ``OSError`` kin as well."""
        ...

    def unsure(self) -> int:
        """The panel's contacts (bit n = contact n + 1) that the wires may close; an ``OSError`` kin as well."""
        ...

    def pulled_with(self, contact: int) -> int:
        """The panel's contacts that read closed because contact n + 1 is; an ``OSError`` kin as well."""
        ...

    def close(self) -> None:
        """Let go of pins and buses."""
        ...


class Output(Protocol):
    """What shows lamps, or sounds, or writes: each driver one of the port's three calls and close."""

    def close(self) -> None:
        """Dark, silent, released."""
        ...


class LampOutput(Output, Protocol):
    """Lamps."""

    def show(self, lamps: Lamps) -> None:
        """These and no others; returns at once."""
        ...


class ToneOutput(Output, Protocol):
    """A buzzer."""

    def sound(self, tone: Tone) -> None:
        """One tone; returns at once."""
        ...


class TextOutput(Output, Protocol):
    """A display."""

    def write(self, text: Text) -> None:
        """These lines; returns at once."""
        ...


class ReedBoard:
    """A board of wires; implements `hal.board.Board`."""

    def __init__(
        self,
        scanner: Scanner,
        wiring: Wiring,
        *,
        lamps: LampOutput | None = None,
        buzzer: ToneOutput | None = None,
        display: TextOutput | None = None,
        reports: list[Faulted | Recovered] | None = None,
        release: Callable[[], None] | None = None,
    ) -> None:
        """``reports`` is what the outputs' threads have to tell; ``release`` is called when all parts are closed."""
        self._scanner = scanner
        self.wiring = wiring
        """What is wired to what."""
        self._period_ns = wiring.period_ns
        times = wiring.times
        self._times = times
        self._debouncer: ScanDebouncer | None = None
        panel_stall_ms = wiring.stall_ms(wiring.panel.lever_ms, wiring.panel.button_ms)
        asked = self._pulled_with if wiring.scanner.kind == "matrix" else None
        self._panel = Panel(wiring.panel, panel_stall_ms, self._unsure, asked)
        self._health = Health(
            scanner.groups,
            wiring.period_ns,
            test=self._test,
            glance=self._glance,
            glances=scanner.glances,
            set_times=self._set_times,
            normal_ms=(times.close_ms, times.open_ms),
        )
        self._lamps, self._buzzer, self._display = lamps, buzzer, display
        self._release = release
        self._clock: Callable[[], int] | None = None  # the thread's
        self._loss = Loss()
        self._failure: OSError | None = None
        self._at_ns = 0
        self._scanned = Scan(0, 0)
        # told by another thread, taken up by the next scan
        self._expectations: list[tuple[int | None, int | None]] = []
        self._reports = reports if reports is not None else []  # what other threads find, taken up by the next scan
        self._posted: list[BoardEvent] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._rounds = 0  # of the thread
        self._seen_rounds = 0
        self._silent_s = 0.0
        self.tap: Callable[[int, int], None] | None = None
        """Is told the raw contacts (bit n = square n closed) and the time in ns of each scan that differs."""
        self._tapped = -1

    # --- one scan ---

    def tick(self, at_ns: int) -> list[BoardEvent]:
        """Scan once at ``at_ns``; what it settles, in the order in which it was found."""
        self._at_ns = at_ns
        out: list[BoardEvent] = []
        while self._reports:
            out.append(replace(self._reports.pop(0), at_ns=at_ns))
        while self._expectations:
            occupancy, known_ns = self._expectations.pop(0)
            self._health.expect(occupancy, at_ns, known_ns)
        self._failure = None
        try:
            self._scanned = squares, contacts = self._scanner.scan()
        except Exception as error:
            over_ns = max(at_ns, self._clock()) if self._clock is not None else at_ns  # a driver may hang for seconds
            for watch in (self._health, self._debouncer, self._panel):
                if watch is not None:
                    watch.missed(over_ns)
            if not isinstance(error, OSError):
                raise
            return out + self._failed(error, at_ns, over_ns)
        found = self._settle(squares, contacts, at_ns)
        if self._failure is not None:
            return out + found + self._failed(self._failure, at_ns, at_ns)
        return out + self._loss.worked(at_ns) + found

    def _settle(self, squares: int, contacts: int, at_ns: int) -> list[BoardEvent]:
        """What these contacts mean."""
        out: list[BoardEvent] = []
        shown, troubles = self._health.scan(squares, at_ns, contacts)
        if self.tap is not None and shown != self._tapped:
            self._tapped = shown
            self.tap(shown, at_ns)
        out += troubles
        if self._debouncer is None:
            self._debouncer = ScanDebouncer(self._times, shown, at_ns)
            out.append(BoardSnapshot(occupancy=shown, at_ns=at_ns))
        for event in self._debouncer.scan(shown, at_ns):
            if isinstance(event, SquareChanged) or not self._health.is_restless(event.square):
                out.append(event)
        return out + self._panel.scan(contacts, at_ns)

    def _test(self, squares: int, contacts: int) -> tuple[Flaw, ...] | None:
        """What is wrong with the wires; None if no answer comes."""
        try:
            return self._scanner.test(squares, contacts)
        except OSError as error:
            self._failure = error
            return None

    def _glance(self) -> bool:
        """Whether a part of the test finds anything, no answer among it: then the whole test fails as well."""
        try:
            return self._scanner.glance()
        except OSError as error:
            self._failure = error
            return True

    def _unsure(self) -> int:
        """The panel's contacts that the wires may close; all of them if nobody knows."""
        try:
            return self._scanner.unsure()
        except OSError as error:
            self._failure = error
            return -1

    def _pulled_with(self, contact: int) -> int:
        """The panel's contacts whose lines this one's pulls low; all of them if nobody knows."""
        try:
            return self._scanner.pulled_with(contact)
        except OSError as error:
            self._failure = error
            return -1

    def _failed(self, error: OSError, at_ns: int, over_ns: int) -> list[Faulted | Recovered]:
        """What is to be told of a scan that failed, from its beginning to its end."""
        told = self._loss.failed(error.part if isinstance(error, PartError) else None, at_ns, over_ns)
        if told:
            log.warning("the board does not answer: %s", error)
        return told

    def _set_times(self, square: int, close_ms: float, open_ms: float) -> None:
        if self._debouncer is not None:
            self._debouncer.set_times(square, close_ms, open_ms)

    def expect(self, occupancy: int | None, known_ns: int | None = None) -> None:
        """What should stand on the board, None if nobody knows: a reed that says otherwise is found to be stuck."""
        self._expectations.append((occupancy, known_ns))

    @property
    def latency_ns(self) -> int:
        """As `hal.board.Delayed`."""
        return self.wiring.latency_ns

    @property
    def scanner(self) -> Scanner:
        """What reads the contacts; whoever uses it besides must not do so while the thread scans."""
        return self._scanner

    @property
    def scanned(self) -> Scan:
        """The contacts as the last scan read them, before health and debouncing: for the self-test."""
        return self._scanned

    @property
    def faults(self) -> dict[str, str]:
        """What is wrong now: part -> reason."""
        return self._health.faults

    # --- the thread ---

    def start(
        self,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        priority: int = 0,
    ) -> None:
        """Scan from now on in a thread of its own, with a real-time ``priority`` (1 to 99) if one is given and granted.

        On a busy machine that is the difference between a jitter of 6 ms and of 0.1 ms (p99, measured).
        """
        self._clock = clock
        self._thread = threading.Thread(target=self._run, args=(clock, sleep, priority), name="scan", daemon=True)
        self._thread.start()

    def _run(self, clock: Callable[[], int], sleep: Callable[[float], None], priority: int) -> None:
        if priority:
            with contextlib.suppress(OSError, AttributeError):  # not allowed here, or no such thing on this system
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        due = clock()
        pause_s = 0.0
        while not self._closing:
            self._rounds += 1
            at_ns = clock()
            try:
                events = self.tick(at_ns)
            except Exception:
                # whatever it was, a board that no longer looks at its squares is worse: it is told once and tried again
                events = []
                if not pause_s:
                    log.exception("a scan failed")
                    events = [Faulted(part="board", reason="driver_failed", at_ns=at_ns)]
                pause_s = min(PAUSE_S[1], 2 * pause_s or PAUSE_S[0])
            else:
                if pause_s:
                    pause_s = 0.0
                    events.insert(0, Recovered(part="board", at_ns=at_ns))
            if events:
                with self._changed:
                    self._posted += events
                    self._changed.notify_all()
            due += self._period_ns
            ahead = due - clock()
            if pause_s:
                sleep(pause_s)
                due = clock()
            elif ahead > 0:
                sleep(ahead / 1e9)
            elif ahead < -self._period_ns:
                due = clock()  # scans that were missed are not made up for

    # --- the port ---

    def wait(self, timeout_s: float) -> tuple[BoardEvent, ...]:
        """The events since the last call; empty when ``timeout_s`` seconds passed without one.

        ``OSError`` if nothing scans any more: the thread has ended, or hangs.
        """
        with self._changed:
            if not self._posted and not self._closing:
                self._changed.wait(timeout_s)
            events, self._posted = tuple(self._posted), []
        if not events and self._thread is not None and not self._closing:
            self._watch_thread(self._thread, timeout_s)
        return events

    def _watch_thread(self, thread: threading.Thread, waited_s: float) -> None:
        """Counts what was waited for in vain, and not the time: a process that was stopped has not hung."""
        if not thread.is_alive():
            raise OSError("the thread that scans the board has ended")
        self._silent_s = self._silent_s + waited_s if self._rounds == self._seen_rounds else 0.0
        self._seen_rounds = self._rounds
        if self._silent_s >= HUNG_S:
            raise OSError(f"the thread that scans the board has hung for {self._silent_s:.0f} s")

    def snapshot(self) -> BoardSnapshot:
        """The debounced state of all squares now."""
        occupancy = self._debouncer.occupancy if self._debouncer is not None else 0
        return BoardSnapshot(occupancy=occupancy, at_ns=self._at_ns)

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and no others."""
        if self._lamps is not None:
            self._lamps.show(lamps)

    def sound(self, tone: Tone) -> None:
        """Sound a tone."""
        if self._buzzer is not None:
            self._buzzer.sound(tone)

    def write(self, text: Text) -> None:
        """Write lines."""
        if self._display is not None:
            self._display.write(text)

    def close(self) -> None:
        """Lamps off, lines released; may be called twice."""
        self._closing = True
        with self._changed:
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)
            self._thread = None
        for part in (self._lamps, self._buzzer, self._display, self._scanner):
            if part is not None:
                _attempt(part.close)
        if self._release is not None:
            _attempt(self._release)


def _attempt(close: Callable[[], None]) -> None:
    try:
        close()
    except Exception as error:  # noqa: BLE001 - each driver package has kinds of its own, and the rest must be closed too
        log.warning("closing the board: %s", error)
