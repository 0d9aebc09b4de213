"""Which line is shorted to ground, if these sense lines are low with nothing selected.

A sense line at ground is low by itself. A drive line at ground pulls every sense line low on which it has a chessman, and
then these read full; so a drive line is the one where the low lines are exactly those of its chessmen and no other drive
line's. In the starting array that is so for all eight, and the sense lines are named. What happens later tells more:

- On a line that is not low, reeds are read as they are. A drive line with a chessman there is not the one.
- When the low lines change and a single drive line is left that can explain it, it is named. It stays named, with whatever
  lines its chessmen pull low, until it is contradicted.

Squares are only held against the lines that are low if they were read between two equal answers, for a reed may change
between a scan and the probe after it. The squares of the drive line itself are always read right: closed where it pulls.

The panel's drive line at ground pulls the line of each closed contact, and with nothing pressed that is one of the lever's:
one line is low, and after the lever has moved the other. `PanelShort` waits for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Shorts:
    """The judgement on one board's lines, from one probe to the next."""

    def __init__(self, groups: Mapping[str, int]) -> None:
        self._groups = groups
        self._low: tuple[str, ...] = ()
        self._settled = True
        self._first: tuple[str, ...] = ()  # what was low when it began
        self._cleared: set[str] = set()  # drive lines that are not the one
        self._culprit: str | None = None

    @property
    def is_low(self) -> bool:
        """Whether any line was low when last asked."""
        return bool(self._low)

    @property
    def is_settled(self) -> bool:
        """Whether the last two answers were the same; ask again with the next scan if not."""
        return self._settled

    def judge(self, low: tuple[str, ...], shown: int, raw: int) -> dict[str, int]:
        """The lines that are shorted, with the squares that nobody can see because of each.

        ``low``: the sense lines that a probe found low just now. ``shown``: what stood on the board before, as far as it
        was known; ``raw``: the newest scan.
        """
        groups = self._groups
        self._settled, began = low == self._low, bool(low) and not self._low
        self._low = low
        if not low:
            return {}
        reached = 0
        for part in low:
            reached |= groups[part]
        drives = {
            part: squares
            for part, squares in groups.items()
            if all((squares & groups[one]).bit_count() == 1 for one in low)
        }
        if began:
            self._first = low
            self._cleared.clear()
            if self._culprit is not None and shown & groups[self._culprit]:
                self._culprit = None  # it had chessmen, and pulled nothing
        elif self._settled:
            self._cleared |= {part for part, squares in drives.items() if raw & squares & ~reached}
        if self._culprit not in drives or self._culprit in self._cleared:
            self._culprit = self._found(
                low, [part for part in drives if part not in self._cleared], reached, shown, began
            )
        if self._culprit is not None:
            return {self._culprit: reached & ~groups[self._culprit]}
        return {part: groups[part] for part in low}

    def _found(
        self, low: tuple[str, ...], possible: Sequence[str], reached: int, shown: int, began: bool
    ) -> str | None:
        groups = self._groups
        if began or self._settled:
            fitting = [part for part in possible if shown & groups[part] == reached & groups[part]]
            if len(low) > 1 and len(fitting) == 1:
                return fitting[0]
        if self._settled and len({*low, *self._first}) > 1 and low != self._first and len(possible) == 1:
            return possible[0]
        return None


class PanelShort:
    """Whether the panel's drive line is at ground: the one with both contacts of the lever, 1 to 16, 0: none."""

    def __init__(self, panel_groups: Mapping[str, int], lever_white: int, lever_black: int) -> None:
        self._panel_groups = panel_groups
        self._lever = 1 << lever_white - 1 | 1 << lever_black - 1 if lever_white and lever_black else 0
        self._line = next((line for line in (0xFF, 0xFF00) if self._lever and not self._lever & ~line), 0)
        self._seen = 0  # the lever's contacts whose lines were the only low ones
        self._is_found = False

    def judge(self, low: tuple[str, ...], contacts: int) -> bool:
        """Whether it is, by the sense lines that are low, twice the same, and the contacts of the scan before."""
        pulled = 0
        for part in low:
            pulled |= self._panel_groups.get(part, 0) & self._line
        if contacts & self._line & ~pulled:  # closed, and pulls nothing
            self._seen, self._is_found = 0, False
        elif pulled and not pulled & ~self._lever and pulled.bit_count() == 1:
            self._seen |= pulled
            self._is_found |= self._seen == self._lever
        return self._is_found
