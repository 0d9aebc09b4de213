"""When a scanner that fails is lost, which part is to blame, and when all is well again.

One scan that fails is nothing, since a bus may take a few retries. What counts is time: a scan that fails adds the time
until the next one, a scan that works takes a third of its own off again. So a bus on which more than a quarter of the scans
fail is lost sooner or later, and one on which all do after `LOST_NS`.

A board that did not answer at all is there again with the first scan that works. One whose failures came and went, or come
back soon, is there again when so much has gone well that nothing is left of them: a loose plug is told once and not twice a
second. The part that fails is told anew when for `LOST_NS` it has been another one.
"""

from __future__ import annotations

from hal.board import Faulted, Recovered

LOST_NS = 500_000_000
"""Failing for this long is reported: an I2C bus may take a few retries, a player no more."""

LONGEST_NS = 2 * LOST_NS
"""The most that failures add up to: three times that without one and all is well."""

FORGIVEN = 3
"""A quarter of the scans may fail: each that works makes up for a third of one."""


class Loss:
    """What is told of one scanner; `failed` or `worked` for each scan."""

    def __init__(self) -> None:
        self._told: list[str] = []  # the parts that are said to be lost, the board first
        self._failed_ns = 0  # failures less what was made up for
        self._is_failing = False
        self._comes_and_goes = False
        self._judged_ns = 0
        self._part: str | None = None  # that failed last, None: nobody knows which
        self._part_ns = 0  # since when

    def failed(self, part: str | None, at_ns: int, over_ns: int) -> list[Faulted | Recovered]:
        """A scan of these times failed, because of ``part`` if that is known; what is to be told."""
        self._pass(at_ns)
        self._is_failing, self._judged_ns = True, over_ns
        self._failed_ns = min(LONGEST_NS, self._failed_ns + over_ns - at_ns)
        if part != self._part:
            self._part, self._part_ns = part, at_ns
        if not self._told and self._failed_ns < LOST_NS:
            return []
        before, wanted = self._told, ["board", *self._told[1:]]
        if over_ns - self._part_ns >= LOST_NS:
            wanted = ["board"] if part is None else ["board", part]
        self._told = wanted
        gone = [Recovered(part=one, at_ns=over_ns) for one in before if one not in wanted]
        return [*gone, *(Faulted(part=one, reason="lost", at_ns=over_ns) for one in wanted if one not in before)]

    def worked(self, at_ns: int) -> list[Faulted | Recovered]:
        """A scan worked; what is to be told."""
        self._pass(at_ns)
        self._is_failing, self._judged_ns = False, at_ns
        if self._failed_ns and self._comes_and_goes:
            return []
        back, self._told = self._told, []
        self._comes_and_goes = self._failed_ns > 0
        self._failed_ns = min(self._failed_ns, LOST_NS // 2)
        return [Recovered(part=part, at_ns=at_ns) for part in back]

    def _pass(self, at_ns: int) -> None:
        elapsed_ns = at_ns - self._judged_ns
        if self._is_failing:
            self._failed_ns = min(LONGEST_NS, self._failed_ns + elapsed_ns)
        else:
            self._failed_ns = max(0, self._failed_ns - elapsed_ns // FORGIVEN)
