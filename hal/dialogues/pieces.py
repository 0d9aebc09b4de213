"""Boards that report contents of squares: orientation, agreement and order, the part that four makes share.

The board's own frame is kept raw below and turned here. A start position seen upside down tells that the cable lies on
the other side; nothing else does.
"""

from __future__ import annotations

from hal.agreement import Agreement, Confirmed
from hal.board import BoardEvent, BoardSnapshot
from hal.placement import EMPTY, occupancy_of, turned
from hal.square_reports import SquareReports

LAG_MS = 60
"""The close time of a good debounce. A slow scanning board needs more (``?lag_ms=150``); too much moves a quick reply's
lift before the press it answers."""


class SeenSquares:
    """Raw reports in, events out, in our orientation.

    ``flipped`` True or False fixes the orientation, None learns it from start positions. ``checked`` lines are believed
    at once, others when two reports agree. ``lag_ms`` is how long after the first edge such a board reports a change:
    events are stamped so much earlier, else a press of the clock seems to come before the move it ends.
    """

    def __init__(self, *, flipped: bool | None = None, checked: bool = False, lag_ms: int = LAG_MS) -> None:
        self._lag_ns = lag_ms * 1_000_000
        self._learns = flipped is None
        self._flipped = bool(flipped)
        self._checked = checked
        self._agreement = Agreement()
        self._reports = SquareReports()

    @property
    def flipped(self) -> bool:
        """Whether the board's a1 is our h8."""
        return self._flipped

    @property
    def placement(self) -> str:
        """As told to the firmware."""
        return self._reports.placement

    @property
    def is_known(self) -> bool:
        """Whether all squares are known."""
        return self._agreement.settled is not None

    @property
    def is_unsettled(self) -> bool:
        """Whether another whole report is wanted now."""
        return self._agreement.is_unsettled

    def restart(self) -> None:
        """The link is new."""
        self._agreement.restart()

    def turn(self, square: int) -> int:
        """A raw square as ours, and the other way."""
        return square ^ 63 if self._flipped else square

    def hint(self, square: int, content: str, at_ns: int) -> None:
        """The board says that one raw square has changed."""
        if self.is_known:
            self._agreement.hint(square, content, at_ns - self._lag_ns)

    def doubt(self) -> None:
        """Bytes came that belong to no report: the last one is not to be believed (`Agreement.doubt`)."""
        self._agreement.doubt()

    def whole(self, placement: str, at_ns: int) -> tuple[BoardEvent, ...]:
        """The board says how all raw squares stand."""
        was_known = self.is_known
        edge_ns = at_ns - self._lag_ns
        confirmed = self._agreement.whole(placement, edge_ns)
        if self._checked and self._agreement.is_unsettled:
            confirmed += self._agreement.whole(placement, edge_ns)
        settled = self._agreement.settled
        if settled is None:
            return ()
        if not was_known or (self._learns and self._learn(settled)):
            if not was_known and self._learns:
                self._learn(settled)
            self._reports.reset(turned(settled) if self._flipped else settled)
            return (self.snapshot(at_ns),)
        ours = [
            Confirmed(square=self.turn(change.square), content=change.content, at_ns=change.at_ns)
            for change in confirmed
        ]
        return self._reports.changed(ours, at_ns)

    def tick(self, at_ns: int) -> tuple[BoardEvent, ...]:
        """Time has passed."""
        return self._reports.tick(at_ns)

    def snapshot(self, at_ns: int) -> BoardSnapshot:
        """All squares as told."""
        return BoardSnapshot(occupancy=occupancy_of(self.placement), at_ns=at_ns)

    def _learn(self, settled: str) -> bool:
        upside_down = _is_start(turned(settled))
        if upside_down == self._flipped or not (upside_down or _is_start(settled)):
            return False
        self._flipped = upside_down
        return True


def _is_start(placement: str) -> bool:
    white, black = placement[:8], placement[56:]
    return (
        placement[8:56] == "P" * 8 + EMPTY * 32 + "p" * 8
        and sorted(white) == sorted("RNBQKBNR")
        and sorted(black) == sorted("rnbqkbnr")
    )
