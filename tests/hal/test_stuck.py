"""Stuck reeds: counted against what should stand on the board, whatever hands do meanwhile."""

from __future__ import annotations

from hal.squares import parse_square
from hal.stuck import StuckReeds

MS = 1_000_000
S = 1_000_000_000
START = 0xFFFF_0000_0000_FFFF
GROUPS = {f"line file {name}": 0x0101_0101_0101_0101 << n for n, name in enumerate("abcdefgh")}


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


class Watched:
    """Reeds that start as they should."""

    def __init__(self, shown=START, expected=START):
        self.stuck = StuckReeds(GROUPS)
        self.shown, self.ns = shown, 10 * S
        self.blind = False
        self.stuck.expect(expected, self.ns, None, shown, False)

    def toggle(self, *names, after_ms=0):
        """These reeds change after a while."""
        self.ns += after_ms * MS
        before, self.shown = self.shown, self.shown ^ bits(*names)
        self.stuck.change(before, self.shown, self.ns, self.blind)

    def expect(self, expected, after_ms=0, known_ms=0):
        """Another position, known for so long."""
        self.ns += after_ms * MS
        return self.stuck.expect(expected, self.ns, self.ns - known_ms * MS, self.shown, self.blind)

    def found(self, after_ms):
        """What is found after a while."""
        self.ns += after_ms * MS
        closed, opened, line = self.stuck.found(self.ns)
        assert line is None
        return sum(1 << one for one in closed), sum(1 << one for one in opened)


def test_moves_do_not_delay_it():
    """h5 closes; e2 is lifted at once and comes down on e4: h5 it is, two seconds after it closed."""
    watched = Watched()
    watched.toggle("h5")
    watched.toggle("e2", after_ms=200)
    watched.toggle("e4", after_ms=800)
    assert watched.found(995) == (0, 0)
    assert watched.found(5) == (bits("h5"), 0)


def test_what_comes_out_of_the_air_is_not_suspected():
    """A unit that rests on a wrong square for a minute; nor the square that is closed beside it."""
    watched = Watched()
    watched.toggle("e2")
    watched.toggle("e5", after_ms=500)
    assert watched.found(60_000) == (0, 0)
    watched.toggle("a5")
    assert watched.found(60_000) == (0, 0)
    watched.toggle("e5", after_ms=500)
    watched.toggle("e2", after_ms=500)
    assert watched.found(995) == (0, 0)
    assert watched.found(5) == (bits("a5"), 0)


def test_one_wrong_read_proves_nothing():
    """e2 is in a hand and e4 is reached; e2 reads closed for a single scan."""
    watched = Watched()
    watched.toggle("e2")
    watched.toggle("e4", after_ms=500)
    watched.toggle("e2", after_ms=300)
    watched.toggle("e2", after_ms=5)
    assert watched.found(60_000) == (0, 0)


def test_a_unit_on_an_edge():
    """It closes e3 before it leaves e2, and lies there: nothing is found; on its way back neither."""
    watched = Watched()
    watched.toggle("e3")
    watched.toggle("e2", after_ms=900)
    assert watched.found(60_000) == (0, 0)
    watched.toggle("e2")
    assert watched.found(900) == (0, 0)
    watched.toggle("e3")
    assert watched.found(60_000) == (0, 0)


def test_what_a_hand_lifts_is_not_stuck():
    """d3 is closed too much, opens and closes again: there stands a unit that nobody knows of."""
    watched = Watched()
    watched.toggle("d3")
    watched.toggle("d3", after_ms=1500)
    watched.toggle("d3", after_ms=500)
    assert watched.found(60_000) == (0, 0)
    watched = Watched()
    watched.toggle("d3")
    watched.toggle("d3", after_ms=1500)
    watched.toggle("d3", after_ms=5)
    assert watched.found(2_000) == (bits("d3"), 0)


def test_a_square_that_cannot_be_seen_may_lose_its_unit():
    """While one is shown that nobody sees, whatever closes may have come from there."""
    watched = Watched()
    watched.blind = True
    watched.toggle("e5")
    watched.expect(START, after_ms=3000)
    assert watched.found(60_000) == (0, 0)


def test_closed_in_the_air_and_found_with_the_next_position():
    """a5 closes while e2 is in a hand: with the position after the move it is closed too much."""
    watched = Watched()
    watched.toggle("e2")
    watched.toggle("a5", after_ms=100)
    watched.toggle("e4", after_ms=400)
    assert watched.found(1500) == (0, 0)
    watched.expect(START ^ bits("e2", "e4"))
    assert watched.found(1000) == (bits("a5"), 0)


def test_a_landing_that_stays_open():
    """Found after five seconds, or with the next position; not if it was lifted a moment before."""
    moved = START ^ bits("e2", "e4")
    watched = Watched()
    watched.toggle("e2")
    watched.expect(moved, after_ms=1500)
    assert watched.found(4995) == (0, 0)
    assert watched.found(5) == (0, bits("e4"))
    watched = Watched()
    watched.toggle("e2")
    watched.expect(moved, after_ms=1500)
    watched.toggle("e7", after_ms=1500)
    watched.toggle("e5", after_ms=500)
    assert watched.expect(moved ^ bits("e7", "e5"), after_ms=300) == [parse_square("e4")]
    watched = Watched()
    watched.toggle("e2")
    watched.expect(START, after_ms=500, known_ms=100)
    assert watched.found(60_000) == (0, 0)


def test_one_that_closes_after_all():
    """The unit was in a hand, and comes down."""
    watched = Watched()
    watched.toggle("e2")
    watched.expect(START ^ bits("e2", "e4"), after_ms=1500)
    watched.toggle("e4", after_ms=3000)
    assert watched.found(60_000) == (0, 0)
    assert not watched.stuck.is_doubting


def test_nothing_is_known():
    """Without a position nothing is found."""
    watched = Watched()
    watched.toggle("h5")
    watched.expect(None)
    assert not watched.stuck.is_doubting
    watched.toggle("h6")
    assert watched.found(60_000) == (0, 0)
