"""Watches raw scans for what no hand does: chatter, dead lines, bad wires, stuck reeds, late scans.

`Health.scan` stands between the scanner and the debouncer. It names a fault by square or line in `Faulted`, takes it
back in `Recovered`, and hands on the scan with the squares that cannot be believed held as they were, so that a broken
wire does not lift eight pieces. The rules, each with what tells it from a hand:

- chatter: over 8 raw edges of a square in a second, or over 12 in five; that square's debounce becomes 200 ms. What a
  square does within 0.4 s after a piece has come down is not counted, for the piece rocks and the contact bounces; nor
  what it did before it was empty for a while. Over when the square has been still for 5 s.
- dead_line: all closed squares of a line, three or more, open in one scan or in two, for a wire may break in the middle
  of one. Hands do not lift three pieces within 10 ms; an arm that sweeps a line has taken others just before. Two may be
  lifted so, by two hands, but are not held for long: then it takes 4 s. Over when a square of the line closes.
- shorted, shorted_together, diode: what the scanner finds when it tests its wires, as `hal.continuity` does for a matrix;
  one line after the other, all within four seconds, and at once when squares close though no piece is in the air. The
  squares that it hides are held: ghosts among them.
- stuck_closed, stuck_open: against what `expect` says should stand there, by the rules of `hal.stuck`. Such a square then
  shows what is expected, as does any that is held. Over when its reed changes.
- overrun: five scans in a second later than twice the period, or one later than a quarter of a second.

A part that comes and goes, a loose wire, is held on after the third time in ten seconds until it has been sound for five.

Source: thresholds from hobby boards' fault reports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hal.board import Faulted, Recovered
from hal.continuity import Flaw
from hal.squares import square_part, squares_of
from hal.stuck import StuckReeds

S = 1_000_000_000

CHATTER_DEBOUNCE_MS = 200.0
"""For a reed that chatters: slower than any of its bursts, still faster than a player who waits for a lamp."""

AWAY_NS = 250_000_000
"""A square that was open for so long was empty: what it did before belonged to another piece."""

ROCKING_NS = 400_000_000
"""A piece that has come down rocks and its contact bounces: edges so shortly after it has landed do not count."""

TEST_NS = 4 * S
"""In this time each line is tested once, so no flaw goes unseen longer; all at once would make one scan in 800 late."""

RETEST_NS = S
"""Between two whole tests while there is a flaw: somebody may be mending it."""

WIRING = ("shorted", "shorted_together", "diode")
"""What tests of the wires find."""

HANDS_NS = 250_000_000
"""Between two scans that lie so far apart hands can do what otherwise only a wire can: nothing has changed at once."""

LARGEST_SHARE = 3
"""A line with fewer closed squares than this is not called dead at once: two may be lifted at once by two hands."""

SWEPT_NS = 100_000_000
"""Where two or more of a line's squares have opened so shortly before the rest, an arm sweeps over it."""

PAIR_NS = 4 * S
"""How long the only two squares closed on a line must stay open together: longer than a capture by two hands."""


LOOSE = 3, 10 * S
"""So often within this time a fault is told; then it comes and goes no more, but stands until it is over for a while."""

SOUND_NS = 5 * S
"""The while."""


@dataclass(slots=True)
class _Held:
    """A fault that holds squares: what to show for them meanwhile."""

    part: str
    reason: str
    squares: int
    shown: int
    sound_ns: int | None = None
    """Since when it would be over, if it were not for its coming and going."""


class Health:
    """One board's watch.

    ``test`` has the wires tested, with a scan's squares and contacts, and gives None if no answer came; ``glance`` does a
    little of it, one of ``glances`` parts in turn, and says whether that found anything.
    """

    def __init__(
        self,
        groups: Mapping[str, int],
        period_ns: int,
        *,
        test: Callable[[int, int], tuple[Flaw, ...] | None] = lambda *_: (),
        glance: Callable[[], bool] = bool,
        glances: int = 1,
        set_times: Callable[[int, float, float], None] = lambda *_: None,
        normal_ms: tuple[float, float] = (60.0, 30.0),
    ) -> None:
        self._groups = dict(groups)
        self._period_ns = period_ns
        self._test, self._glance, self._glance_ns = test, glance, TEST_NS // glances
        self._set_times = set_times
        self._normal_ms = normal_ms
        self._raw: int | None = None
        self._at_ns = 0
        self._read_ns = 0  # the last scan that could be read
        self._edges: dict[int, list[int]] = {}
        self._landed_ns = [-ROCKING_NS] * 64
        self._opened_ns = [-SWEPT_NS] * 64
        self._chattering: dict[int, int] = {}  # square -> last edge
        self._held: dict[str, _Held] = {}
        self._told_ns: dict[str, list[int]] = {}  # part -> when it began the last times
        self._tested_ns: int | None = None
        self._contacts = 0
        self._late: list[int] = []
        self._overrun = False
        self._pairs: dict[str, tuple[int, int]] = {}  # line -> when its only two squares opened, squares before
        self._in_air = 0
        self._earlier: int | None = None  # the scan before the last
        self._stuck = StuckReeds(groups)
        self._shown = 0
        self._found_open: list[int] = []  # by the newest expectation, told with the next scan
        self._expected = 0

    def expect(self, occupancy: int | None, at_ns: int, known_ns: int | None = None) -> None:
        """The caller knows what stands on the board now: used for finding stuck reeds and nothing else. None: nobody knows.

        The caller saw the board a little while ago, at ``known_ns`` or within the last second: what has changed since is in
        a hand by now.
        """
        if occupancy is not None:
            self._expected = occupancy
            for held in self._held.values():
                held.shown = occupancy
            if self._raw is not None:
                self._shown = self._masked(self._raw)
                self._in_air = (occupancy & ~self._shown).bit_count()
        self._found_open += self._stuck.expect(occupancy, at_ns, known_ns, self._shown, self._is_blind)

    def is_restless(self, square: int) -> bool:
        """Whether a square chatters just now: its hints and blips mean nothing."""
        return square in self._chattering

    @property
    def faults(self) -> dict[str, str]:
        """What is wrong now: part -> reason."""
        found = {held.part: held.reason for held in self._held.values()}
        found |= {square_part(square): "chatter" for square in self._chattering}
        if self._overrun:
            found["scanner"] = "overrun"
        return found

    def scan(self, raw: int, at_ns: int, contacts: int = 0) -> tuple[int, list[Faulted | Recovered]]:
        """One scan: ``raw`` with what cannot be believed held, and what is to be told; ``contacts`` are the panel's."""
        self._contacts = contacts
        out: list[Faulted | Recovered] = []
        before, self._raw = self._raw, raw
        elapsed = at_ns - self._at_ns
        self._at_ns = at_ns
        unwatched_ns, self._read_ns = at_ns - self._read_ns, at_ns
        if before is None:
            self._test_wires(raw, raw, at_ns, out)
            self._shown = self._masked(raw)
            return self._shown, out
        if elapsed > 2 * self._period_ns or self._late:
            self._watch_period(elapsed, at_ns, out)
        if raw != before:
            self._watch_change(before, raw, at_ns, out, unwatched_ns < HANDS_NS)
        elif self._tested_ns is None or at_ns - self._tested_ns >= (RETEST_NS if self._is_flawed else self._glance_ns):
            is_due = self._tested_ns is None or self._is_flawed
            self._tested_ns = at_ns
            if is_due or self._glance():
                self._test_wires(before, raw, at_ns, out)
        for held in [held for held in self._held.values() if held.sound_ns is not None]:
            self._release(held, at_ns, out)
        self._earlier = before if unwatched_ns < HANDS_NS else raw
        if self._pairs:
            self._watch_pairs(raw, at_ns, out)
        if self._chattering:
            self._calm(at_ns, out)
        shown = self._masked(raw) if self._held else raw
        if shown != self._shown:
            self._stuck.change(self._shown, shown, at_ns, self._is_blind)
            self._shown = shown
        if self._stuck.is_doubting or self._found_open:
            self._watch_stuck(at_ns, out)
            self._shown = shown = self._masked(raw)
            self._stuck.believe(shown)
        return shown, out

    def missed(self, at_ns: int) -> None:
        """A scan came in time and could not be read: the next one is not late because of that."""
        self._at_ns = at_ns

    @property
    def _is_blind(self) -> bool:
        """Whether a square is shown as occupied that cannot be seen: a piece may leave it."""
        return any(held.shown & held.squares for held in self._held.values())

    @property
    def _is_flawed(self) -> bool:
        return any(held.reason in WIRING for held in self._held.values())

    def _masked(self, raw: int) -> int:
        for held in self._held.values():
            raw = raw & ~held.squares | held.shown & held.squares
        return raw

    def _hold(self, held: _Held, at_ns: int, out: list[Faulted | Recovered]) -> None:
        known = self._held.get(held.part)
        if known is None:
            self._held[held.part] = held
            begun = self._told_ns.setdefault(held.part, [])
            begun[:] = [*begun[1 - LOOSE[0] :], at_ns]
            self._tell(held, at_ns, out)
        elif known.reason == held.reason:
            known.sound_ns = None

    def _tell(self, held: _Held, at_ns: int, out: list[Faulted | Recovered]) -> None:
        hidden = held.squares if held.reason in WIRING else None
        out.append(Faulted(part=held.part, reason=held.reason, at_ns=at_ns, hidden=hidden))

    def _release(self, held: _Held, at_ns: int, out: list[Faulted | Recovered]) -> bool:
        """It is over, as far as can be seen; whether it is believed."""
        begun, (times, within_ns) = self._told_ns[held.part], LOOSE
        if held.sound_ns is None:
            held.sound_ns = at_ns
        if len(begun) == times and held.sound_ns - begun[0] < within_ns and at_ns - held.sound_ns < SOUND_NS:
            return False
        del self._held[held.part]
        out.append(Recovered(part=held.part, at_ns=at_ns))
        return True

    def _watch_change(self, before: int, raw: int, at_ns: int, out: list[Faulted | Recovered], at_once: bool) -> None:
        opened, closed = before & ~raw, raw & ~before
        mended = hidden = 0
        for held in list(self._held.values()):
            moved = {"dead_line": raw, "stuck_open": closed, "stuck_closed": opened}.get(held.reason, 0)
            if held.reason not in WIRING and (opened | closed) & held.squares:
                held.sound_ns = None
            if moved & held.squares and self._release(held, at_ns, out):
                mended |= held.squares  # a line that comes back closes its squares together
            else:
                hidden |= held.squares
        for square in squares_of(opened):
            self._opened_ns[square] = at_ns
        for square in squares_of((opened | closed) & ~hidden):
            self._count_edge(square, bool(closed >> square & 1), at_ns, out)
        if at_once and opened and closed.bit_count() <= 1:
            self._look_for_dead_lines(before, raw, opened, at_ns, out)
        fresh = (closed & ~mended).bit_count()
        if fresh >= 2 or fresh > self._in_air or self._is_flawed:
            self._test_wires(before, raw, at_ns, out)
        self._in_air = min(32, max(0, self._in_air + opened.bit_count() - closed.bit_count()))

    def _look_for_dead_lines(
        self, before: int, raw: int, opened: int, at_ns: int, out: list[Faulted | Recovered]
    ) -> None:
        hidden = 0  # what a flaw made to read as closed was no chessman
        for held in self._held.values():
            hidden |= held.squares if held.reason in WIRING else 0
        opened &= ~hidden
        earlier = (before if self._earlier is None else self._earlier) & ~hidden
        lately = opened | earlier & ~raw
        for part, squares in self._groups.items():
            had = earlier & squares
            if not opened & squares or had & ~lately:
                continue
            gone = [square for square in squares_of(squares & ~lately) if at_ns - self._opened_ns[square] < SWEPT_NS]
            if had.bit_count() >= LARGEST_SHARE and len(gone) < 2:
                self._hold(_Held(part, "dead_line", squares, earlier), at_ns, out)
            elif had.bit_count() == 2 and not before & squares & ~opened and opened == had:
                self._pairs[part] = at_ns, before

    def _watch_pairs(self, raw: int, at_ns: int, out: list[Faulted | Recovered]) -> None:
        for part, (since_ns, before) in list(self._pairs.items()):
            squares = self._groups[part]
            if raw & squares:
                del self._pairs[part]
            elif at_ns - since_ns >= PAIR_NS:
                del self._pairs[part]
                self._hold(_Held(part, "dead_line", squares, before), at_ns, out)

    def _count_edge(self, square: int, closes: bool, at_ns: int, out: list[Faulted | Recovered]) -> None:
        edges = self._edges.setdefault(square, [])
        if square not in self._chattering:
            if closes and (not edges or at_ns - edges[-1] >= AWAY_NS):
                edges.clear()
                self._landed_ns[square] = at_ns
            if at_ns - self._landed_ns[square] < ROCKING_NS:
                edges[:] = [at_ns]
                return
        edges.append(at_ns)
        if len(edges) > 13:
            del edges[0]
        if square in self._chattering:
            self._chattering[square] = at_ns
        elif (len(edges) >= 9 and at_ns - edges[-9] <= S) or (len(edges) == 13 and at_ns - edges[0] <= 5 * S):
            self._chattering[square] = at_ns
            self._set_times(square, CHATTER_DEBOUNCE_MS, CHATTER_DEBOUNCE_MS)
            out.append(Faulted(part=square_part(square), reason="chatter", at_ns=at_ns))

    def _calm(self, at_ns: int, out: list[Faulted | Recovered]) -> None:
        for square, last_ns in list(self._chattering.items()):
            if at_ns - last_ns >= 5 * S:
                del self._chattering[square]
                self._edges.pop(square, None)
                self._set_times(square, *self._normal_ms)
                out.append(Recovered(part=square_part(square), at_ns=at_ns))

    def _test_wires(self, before: int, raw: int, at_ns: int, out: list[Faulted | Recovered]) -> None:
        flaws = self._test(raw, self._contacts)
        self._tested_ns = at_ns if flaws is not None else None  # without an answer the next scan asks again
        if flaws is None:
            return
        shown = self._masked(before)
        named = {flaw.part: flaw.reason for flaw in flaws}
        for held in list(self._held.values()):
            if named.get(held.part, held.reason) != held.reason:
                del self._held[held.part]  # what it seemed to be has a cause that is known better
                out.append(Recovered(part=held.part, at_ns=at_ns))
            elif held.reason in WIRING and held.part not in named:
                self._release(held, at_ns, out)
        for part, reason, hidden in flaws:
            self._hold(_Held(part, reason, hidden, shown), at_ns, out)
            held = self._held[part]
            if held.squares != hidden:
                held.squares, held.shown = hidden, shown
                self._tell(held, at_ns, out)

    def _watch_stuck(self, at_ns: int, out: list[Faulted | Recovered]) -> None:
        closed, opened, line = self._stuck.found(at_ns)
        for square in closed:
            self._hold_stuck(square, "stuck_closed", at_ns, out)
        for square in (*self._found_open, *opened):
            self._hold_stuck(square, "stuck_open", at_ns, out)
        self._found_open.clear()
        if line is not None:
            self._hold(_Held(line, "dead_line", self._groups[line], self._expected), at_ns, out)

    def _hold_stuck(self, square: int, reason: str, at_ns: int, out: list[Faulted | Recovered]) -> None:
        self._hold(_Held(square_part(square), reason, 1 << square, self._expected), at_ns, out)

    def _watch_period(self, elapsed: int, at_ns: int, out: list[Faulted | Recovered]) -> None:
        self._late = [one for one in self._late if at_ns - one < S]
        if elapsed > 2 * self._period_ns:
            self._late.append(at_ns)
        bad = len(self._late) >= 5 or elapsed >= S // 4
        if bad and not self._overrun:
            self._overrun = True
            out.append(Faulted(part="scanner", reason="overrun", at_ns=at_ns))
        elif self._overrun and not self._late:
            self._overrun = False
            out.append(Recovered(part="scanner", at_ns=at_ns))
