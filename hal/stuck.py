"""Finds reeds that are stuck: what stands on the board is known from the game, and a reed says otherwise for too long.

Nothing but chessmen closes a healthy reed, and a chessman that comes down was in the air before: while all that should
stand is there, a square that is closed beyond it has no chessman that could have closed it.

- stuck_closed: closed for 2 s where nothing should stand, and for a tenth of a second of it nothing was missing. What
  hands do after that does not matter, unless a neighbouring square opens within a second: a chessman that is pushed over
  the edge of two squares closes both reeds.
  A square that was closed too much, opened and closed again is moved by a hand: it is left alone until the next position.
- stuck_open: a chessman is said to stand there though the square is open, and has been for a second, so that whoever says
  so has known it. Named when all else agrees for 5 s, or at the next position, with the square open all the time. A line
  of which all such squares are missing, three or more, is a dead line.

Squares that are held already, because of another fault, count neither way; while one of them is shown as occupied a
chessman may leave it unseen, and then nothing is suspected of being closed.

Source: thresholds from hobby boards' fault reports.
"""

from __future__ import annotations

from collections.abc import Mapping

from hal.squares import squares_of

S = 1_000_000_000

CLOSED_NS = 2 * S
"""How long a square is closed too much before its reed is called stuck: longer than a hand rests where it should not."""

OPEN_NS = 5 * S
"""How long a square that should be occupied is open: people straighten a chessman that the board does not see, first."""

EDGE_NS = S
"""A chessman that is pushed over the edge of two squares closes both reeds, at most for so long."""

STEADY_NS = S // 10
"""Nothing is missing only if it is so for as long: a single wrong read may show a chessman that is in a hand."""

RECENT_NS = S
"""What changed so shortly before an expectation may not have been known to whoever told it."""

LARGEST_SHARE = 3
"""Fewer squares of a line than this may be missing one by one."""

_NEIGHBOURS = tuple(
    sum(
        1 << row * 8 + column
        for row in range(max(0, (square >> 3) - 1), min(8, (square >> 3) + 2))
        for column in range(max(0, (square & 7) - 1), min(8, (square & 7) + 2))
    )
    for square in range(64)
)


class StuckReeds:
    """The watch over one board; `expect` says what stands there, `scan` what the reeds show."""

    def __init__(self, groups: Mapping[str, int]) -> None:
        self._groups = dict(groups)
        self._expected = 0
        self._since_ns: int | None = None  # None: nobody knows what stands on the board
        self._shown = 0
        self._changed_ns = 0
        self._edge_ns = [-RECENT_NS] * 64
        self._closed_ns = [0] * 64
        self._lifted = 0  # squares that were closed too much and have opened since
        self._alive = 0  # those of them that have closed again
        self._suspects: dict[int, int] = {}  # square -> closed too much with nothing missing since then
        self._unseen: dict[int, int] = {}  # square -> missing at every expectation since then, and never closed

    @property
    def is_doubting(self) -> bool:
        """Whether any reed is suspected."""
        return self._since_ns is not None and bool(self._suspects or self._unseen)

    def change(self, before: int, shown: int, at_ns: int, blind: bool) -> None:
        """Reeds have changed; ``blind``: a chessman may leave the board unseen."""
        for square in squares_of((before ^ shown) & ~self._expected):
            if at_ns - self._edge_ns[square] >= STEADY_NS:  # no bounce and no wrong read
                self._lifted |= before & 1 << square
                self._alive |= shown & self._lifted & 1 << square
        for square in squares_of(before ^ shown):
            self._edge_ns[square] = at_ns
            if shown >> square & 1:
                self._closed_ns[square] = at_ns
            self._suspects.pop(square, None)
            self._unseen.pop(square, None)
        self._shown, self._changed_ns = shown, at_ns
        if self._since_ns is None:
            return
        lifted = before & ~shown & self._expected
        if lifted:
            self._suspects = {
                one: since
                for one, since in self._suspects.items()
                if at_ns - since >= (EDGE_NS if lifted & _NEIGHBOURS[one] else STEADY_NS)
            }
        self._suspect(at_ns, blind)

    def believe(self, shown: int) -> None:
        """What is shown now because of what was found: no reed has changed."""
        self._shown = shown
        differs = shown ^ self._expected
        self._suspects = {one: since for one, since in self._suspects.items() if differs >> one & 1}
        self._unseen = {one: since for one, since in self._unseen.items() if differs >> one & 1}

    def _suspect(self, at_ns: int, blind: bool) -> None:
        if not blind and not self._expected & ~self._shown:
            for square in squares_of(self._shown & ~self._expected & ~self._alive):
                self._suspects.setdefault(square, at_ns)

    def expect(self, occupancy: int | None, at_ns: int, known_ns: int | None, shown: int, blind: bool) -> list[int]:
        """What stands on the board as of ``known_ns``, None: nobody knows; the squares that are found stuck open by it."""
        position = self._expected
        self._shown = shown
        self._since_ns = None if occupancy is None else at_ns
        if occupancy is None:
            self._suspects.clear()
            self._unseen.clear()
            return []
        self._expected = occupancy
        if occupancy != position:
            self._lifted = self._alive = 0
        missing, extra = occupancy & ~shown, shown & ~occupancy
        known_ns = (at_ns if known_ns is None else known_ns) - RECENT_NS
        stuck = [
            square
            for square, since_ns in self._unseen.items()
            if missing >> square & 1 and occupancy != position and at_ns - since_ns >= CLOSED_NS
        ]
        self._unseen = {
            square: self._unseen.get(square, at_ns)
            for square in squares_of(missing)
            if self._edge_ns[square] <= known_ns
        }
        self._suspects = {square: since for square, since in self._suspects.items() if extra >> square & 1}
        self._suspect(at_ns, blind)
        return stuck

    def found(self, at_ns: int) -> tuple[list[int], list[int], str | None]:
        """The squares stuck closed and stuck open by now, and the line that is dead instead of the latter."""
        closed = [
            square
            for square, since_ns in self._suspects.items()
            if at_ns - since_ns >= EDGE_NS and at_ns - self._closed_ns[square] >= CLOSED_NS
        ]
        since_ns = max(self._since_ns or 0, self._changed_ns)
        if not self._unseen or at_ns - since_ns < OPEN_NS:
            return closed, [], None
        missing = sum(1 << square for square in self._unseen)
        if self._shown ^ self._expected != missing:
            return closed, [], None
        for part, squares in self._groups.items():
            if missing == self._expected & squares and missing.bit_count() >= LARGEST_SHARE:
                return closed, [], part
        return closed, list(self._unseen) if missing.bit_count() <= 2 else [], None
