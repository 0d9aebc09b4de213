"""Whether the panel's drive line touches that of a file: the two then read alike, whatever happens.

Their pins are neighbours on the header. Joined, each chessman of the file closes the contact on its rank, and each contact
the square, so that a lifted rook presses the lever. What tells it from hands: both rows change in the same scan, and are
equal before and after; or they become equal in one scan, each what both had before. Then neither is believed, and both are
held as they were, until they differ again. Hands that do the same by chance are believed with the next scan but one that
tells them apart, and the lever comes down on another contact than it left: from an empty row nothing is concluded.

Where only one of the two changes when they begin to touch, no scan can tell: several contacts that close together are the
panel's own trouble, but a file with chessmen on the rank of the lever's contact and on one more presses that button once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hal.board import BoardEvent, Faulted, Recovered
from hal.squares import squares_of

APART = 2
"""Scans in which two rows must differ: an edge may fall between reading one and the other."""

TELL_NS = 100_000_000
"""How long two rows are held before it is told: a coincidence of hands is over by then."""

SUSPECT_NS = 60_000_000_000
"""How long a file that was found to touch the panel, and came off, is not believed where others are: a loose wire."""


@dataclass(slots=True)
class _Pair:
    """A file and a panel line; rows have bit n for sense line n."""

    part: str
    squares: tuple[int, ...]  # the file's square on each sense line
    shift: int  # of the panel line's contacts
    row: int = 0  # the file's, in the last scan
    panel: int = 0
    equal: int = 0  # what both had when they were equal last
    apart: int = APART
    is_sound: bool = False  # nothing but chessmen and contacts closed these
    suspect_ns: int | None = None  # when it was last held for so long that it was told
    held: tuple[int, int] | None = None  # squares and contacts to show
    since_ns: int = 0


class Mirror:
    """The judgement on one board's drive lines; without panel contacts on sense lines there is nothing to judge."""

    def __init__(
        self,
        groups: Mapping[str, int],
        panel_groups: Mapping[str, int],
        *,
        lever: int = 0,
        low: Callable[[], int] = int,
        pulled_with: Callable[[int], int] = lambda _: 0,
    ) -> None:
        """``lever`` has the lever's contacts; for ``low`` and ``pulled_with`` see `hal.panel.Panel`."""
        self._lever, self._low, self._pulled_with = lever, low, pulled_with
        senses = sorted(panel_groups, key=lambda part: panel_groups[part] & -panel_groups[part])
        lines = max((panel_groups[part].bit_length() + 7) // 8 for part in senses) if len(senses) == 8 else 0
        self._pairs = [
            _Pair(part, tuple(squares & groups[sense] for sense in senses), 8 * line)
            for part, squares in groups.items()
            if part not in panel_groups
            for line in range(lines)
        ]
        self._last: tuple[int, int] | None = None
        self._told: str | None = None
        self._is_calm = False  # nothing is held, and nothing just changed

    def scan(self, squares: int, contacts: int, at_ns: int, out: list[BoardEvent]) -> tuple[int, int]:
        """Squares and contacts of a scan, those that mirror each other as they were before; ``out`` is told of it."""
        last = squares, contacts
        if last == self._last and self._is_calm:
            return last
        began = self._last is None
        changed, self._last = last != self._last, last
        self._is_calm = not changed
        shown_squares, shown_contacts = last
        for pair in self._pairs:
            self._compare(pair, squares, contacts, at_ns, began)
            if pair.held is not None:
                self._is_calm = False
                on_file = sum(pair.squares)
                shown_squares = shown_squares & ~on_file | pair.held[0]
                # the lever's contacts stay as they were, for both is a fault and one a press; a button may only open
                pair.held = pair.held[0], pair.held[1] & (contacts | self._lever)
                shown_contacts = shown_contacts & ~(0xFF << pair.shift) | pair.held[1]
        self._tell(at_ns, out)
        return shown_squares, shown_contacts

    def _tell(self, at_ns: int, out: list[BoardEvent]) -> None:
        """Name the file; the panel while several files have chessmen on the same ranks, as all have at first."""
        held = [pair for pair in self._pairs if pair.held is not None and at_ns - pair.since_ns >= TELL_NS]
        if len(held) == 1:
            held[0].suspect_ns = at_ns
        parts = {pair.part for pair in held}
        part = None if not parts else parts.pop() if len(parts) == 1 else "panel"
        if part != self._told:
            if self._told is not None:
                out.append(Recovered(part=self._told, at_ns=at_ns))
            if part is not None:
                out.append(Faulted(part=part, reason="shorted_together", at_ns=at_ns))
            self._told = part

    def _compare(self, pair: _Pair, squares: int, contacts: int, at_ns: int, began: bool) -> None:
        row = sum(1 << n for n, square in enumerate(pair.squares) if squares & square)
        panel = contacts >> pair.shift & 0xFF
        before, panel_before = pair.row, pair.panel
        pair.row, pair.panel = row, panel
        if row != panel:
            pair.apart += 1
            if pair.apart >= APART:
                pair.held = None
            return
        if pair.held is None and (row != before or panel != panel_before or began):
            was_sound, pair.is_sound = pair.is_sound, self._is_sound(row << pair.shift)
            shown = None
            if not pair.is_sound or began:
                pass
            elif pair.apart < APART:
                if was_sound and pair.equal not in (0, row):
                    shown = pair.equal, pair.equal
            elif panel_before and row == before | panel_before != panel_before:
                is_suspect = pair.suspect_ns is not None and at_ns - pair.suspect_ns < SUSPECT_NS
                if row != before or is_suspect:
                    shown = before, panel_before
            if shown is not None:
                pair.held = sum(s for n, s in enumerate(pair.squares) if shown[0] >> n & 1), shown[1] << pair.shift
                pair.since_ns = at_ns
        pair.equal, pair.apart = row, 0

    def _is_sound(self, contacts: int) -> bool:
        """Whether neither a line at ground nor another contact's line closes any of these: both would look alike too."""
        return not contacts & self._low() and not any(
            self._pulled_with(contact) & contacts for contact in squares_of(contacts)
        )
