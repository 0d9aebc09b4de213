"""Spectators see the game later, in order, whatever happens to the delay meanwhile."""

import heapq
from types import SimpleNamespace

from board_firmware.web.delay import Delay


class Clock:
    """A clock that is set by hand and calls what is due."""

    def __init__(self):
        self.now = 0.0
        self._due = []
        self._order = 0

    def later(self, seconds, act):
        """Call ``act`` when so many seconds have passed."""
        self._order += 1
        entry = [self.now + seconds, self._order, act]
        heapq.heappush(self._due, entry)
        return SimpleNamespace(cancel=lambda: entry.__setitem__(2, lambda: None))

    def go(self, to):
        """Let time come to ``to``."""
        while self._due and self._due[0][0] <= to:
            self.now, _, act = heapq.heappop(self._due)
            act()
        self.now = to


def line():
    """A delay of ten seconds, its clock and what it has released."""
    clock, shown = Clock(), []
    delay = Delay(shown.append, lambda: clock.now, clock.later)
    delay.delay_s = 10.0
    return delay, clock, shown


def test_without_a_delay_everything_passes_at_once() -> None:
    """Nothing waits."""
    delay, _, shown = line()
    delay.delay_s = 0.0
    delay.put("a")
    assert shown == ["a"]


def test_each_event_waits_its_time() -> None:
    """Released in order, each ten seconds after it came."""
    delay, clock, shown = line()
    delay.put("a")
    clock.go(4)
    delay.put("b")
    clock.go(9.9)
    assert shown == []
    clock.go(10)
    assert shown == ["a"]
    clock.go(14)
    assert shown == ["a", "b"]


def test_a_shorter_delay_releases_what_is_due() -> None:
    """At once and in order."""
    delay, clock, shown = line()
    delay.put("a")
    clock.go(2)
    delay.put("b")
    clock.go(5)
    delay.delay_s = 3.0
    assert shown == ["a", "b"]


def test_a_longer_delay_takes_nothing_back() -> None:
    """What was shown stays shown; the rest comes later, still in order."""
    delay, clock, shown = line()
    delay.put("a")
    clock.go(10)
    delay.put("b")
    clock.go(12)
    delay.delay_s = 100.0
    delay.put("c")
    clock.go(109)
    assert shown == ["a"]
    clock.go(112)
    assert shown == ["a", "b", "c"]


def test_closed_it_releases_nothing_more() -> None:
    """The board is shutting down."""
    delay, clock, shown = line()
    delay.put("a")
    delay.close()
    clock.go(1000)
    assert shown == []
