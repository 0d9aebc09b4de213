"""Faults found from play: each named by square or line, each told from what hands do, each taken back."""

from __future__ import annotations

import pytest

from hal.board import Faulted, Recovered
from hal.continuity import Flaw
from hal.health import Health
from hal.squares import parse_square

MS = 1_000_000
S = 1_000_000_000
START = 0xFFFF_0000_0000_FFFF
FILES = {f"line file {name}": 0x0101_0101_0101_0101 << n for n, name in enumerate("abcdefgh")}
RANKS = {f"line rank {n + 1}": 0xFF << 8 * n for n in range(8)}
GROUPS = FILES | RANKS


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


class Watch:
    """A health watch scanned every 5 ms."""

    def __init__(self, raw=START):
        self.low = ()
        self.times = {}
        self.health = Health(
            GROUPS,
            5 * MS,
            test=lambda raw, contacts: tuple(Flaw(part, "shorted", GROUPS[part]) for part in self.low),
            glance=lambda: bool(self.low),
            set_times=lambda square, *ms: self.times.__setitem__(square, ms),
        )
        self.raw, self.ns = raw, 0
        self.events = []
        self.shown = raw
        self.scans(1)

    def scans(self, count):
        """That many scans of what is closed now."""
        for _ in range(count):
            self.shown, events = self.health.scan(self.raw, self.ns)
            self.events += events
            self.ns += 5 * MS

    def toggle(self, *names, then=1):
        """These squares change in one scan."""
        self.raw ^= bits(*names)
        self.scans(then)

    def told(self):
        """The faults told so far as (part, reason); a recovery as (part, None)."""
        return [(event.part, event.reason if isinstance(event, Faulted) else None) for event in self.events]


def test_a_board_at_rest_and_a_game_are_healthy():
    """A wobbling place, a capture, castling with both hands in one scan: nothing is told, nothing is held."""
    watch = Watch()
    watch.toggle("e2", then=100)
    for _ in range(7):
        watch.toggle("e4", then=4)
    watch.toggle("e1", "h1", then=60)
    watch.toggle("f1", "g1", then=200)
    watch.toggle("d7", then=60)
    watch.toggle("e4", then=60)
    watch.toggle("e4", then=400)
    assert watch.told() == []
    assert watch.shown == watch.raw


def test_chatter_is_named_slowed_and_taken_back():
    """Toggling every 7 ms: named within a second, its debounce 200 ms, normal again after 5 s of rest."""
    watch = Watch()
    for _ in range(60):
        watch.toggle("h8")
    assert watch.told() == [("square h8", "chatter")]
    assert watch.ns < S
    assert watch.times[63] == (200, 200)
    assert watch.health.is_restless(63)
    watch.scans(1001)
    assert watch.told()[-1] == ("square h8", None)
    assert watch.times[63] == (60, 30)


def test_slow_chatter_too():
    """Five edges a second for three seconds."""
    watch = Watch()
    for _ in range(20):
        watch.toggle("a1", then=40)
    assert ("square a1", "chatter") in watch.told()


def test_a_piece_that_rocks_and_bounces_is_no_chatter():
    """Three wobbles and a bounce at each of their closings, a quarter of a second long."""
    watch = Watch()
    watch.toggle("e2", then=100)
    watch.toggle("e4", then=5)
    for _ in range(4):
        watch.toggle("e4", then=3)
        watch.toggle("e4")
        watch.toggle("e4")
        watch.toggle("e4", then=6)
    watch.scans(200)
    assert watch.told() == []
    for _ in range(10):
        watch.toggle("e4", then=3)
    assert watch.told() == [("square e4", "chatter")]


def test_a_dead_line_lifts_nothing():
    """All of a file opens at once: named in that scan, its squares held, and back when one closes."""
    watch = Watch()
    watch.toggle("e1", "e2", "e7", "e8")
    assert watch.told() == [("line file e", "dead_line")]
    assert watch.shown == START
    assert watch.health.faults == {"line file e": "dead_line"}
    watch.scans(500)
    watch.toggle("e1", "e2", "e7", "e8")
    assert watch.told()[1:] == [("line file e", None)]


def test_a_line_that_breaks_in_the_middle_of_a_scan():
    """Half of its squares open in one scan and half in the next; a lift on another line does not hide it."""
    watch = Watch()
    watch.toggle("e1", "e2", "b1")
    watch.toggle("e7", "e8")
    assert watch.told() == [("line file e", "dead_line")]
    assert watch.shown == START ^ bits("b1")


def test_what_is_held_follows_the_game():
    """A move from and to a dead line: its squares show the position, and nothing on them is called stuck."""
    watch = Watch()
    watch.health.expect(START, watch.ns)
    watch.toggle("e1", "e2", "e7", "e8", then=400)
    moved = START ^ bits("e2", "e4")
    watch.health.expect(moved, watch.ns)
    watch.scans(1)
    assert watch.shown == moved
    watch.toggle("d5", then=1000)  # from e7, which nobody sees
    assert watch.told() == [("line file e", "dead_line")]


def test_two_hands_are_no_dead_line():
    """King and rook alone on their rank may leave it together."""
    watch = Watch(bits("e1", "h1", "e8"))
    watch.toggle("e1", "h1", then=300)
    assert watch.told() == []


def test_a_grounded_rank_is_found_and_held():
    """A sense line low with nothing selected: the rank fills in one scan and is held as it was."""
    watch = Watch()
    watch.low = ("line rank 4",)
    watch.raw |= 0xFF << 24
    watch.scans(3)
    assert watch.told() == [("line rank 4", "shorted")]
    assert watch.shown == START
    watch.low = ()
    watch.raw = START
    watch.scans(300)
    assert watch.told()[-1] == ("line rank 4", None)


def test_a_short_is_looked_for_every_four_seconds():
    """Also when nothing moves, for on a full rank it changes nothing."""
    watch = Watch()
    watch.scans(3)
    watch.low = ("line rank 1",)
    watch.scans(801)
    assert watch.told() == [("line rank 1", "shorted")]


def test_a_short_on_a_rank_with_one_square_free():
    """One square closes with nothing in the air: the line is looked at before the reed is blamed."""
    watch = Watch(START ^ bits("c1"))
    watch.scans(3)
    watch.low = ("line rank 1",)
    watch.toggle("c1")
    assert watch.told() == [("line rank 1", "shorted")]
    assert watch.shown == START ^ bits("c1")


def test_what_a_flaw_hides_may_change():
    """A file at ground hides the ranks of its chessmen: told again when one moves, and what was hidden is believed again."""
    watch = Watch(bits("e4", "a4", "a5"))
    file_e = FILES["line file e"]
    hidden = [RANKS["line rank 4"] & ~file_e, RANKS["line rank 5"] & ~file_e]
    flaws = [(Flaw("line file e", "shorted", squares),) for squares in hidden]
    watch.health._test = lambda raw, contacts: flaws[bool(raw & bits("e5"))]
    watch.raw = bits("e4", "a5") | hidden[0]
    watch.scans(10)
    assert watch.shown == bits("e4", "a4", "a5")
    watch.toggle("e4")
    watch.raw = bits("e5", "a4") | hidden[1]  # the queen's rook has gone from a5 unseen
    watch.scans(10)
    assert watch.shown == bits("e5", "a4", "a5")
    told = [(event.part, event.reason, event.hidden) for event in watch.events]
    assert told == [("line file e", "shorted", squares) for squares in hidden]


def test_what_hands_put_down_together_is_believed():
    """From the air or out of the box, also where it completes a rectangle: the wires have been asked."""
    watch = Watch(bits("a1", "a2"))
    watch.toggle("b1", "b2", then=30)
    assert watch.told() == []
    assert watch.shown == watch.raw


def test_a_line_that_was_held_square_by_square_comes_back_at_once():
    """Two men of a dead line were named as stuck open, others have come to stand on it unseen: all close in one scan."""
    stood = bits("c3", "c6", "d3", "d5", "d6", "d8", "e1", "e8")
    watch = Watch(stood ^ bits("c3", "c6"))
    watch.health.expect(stood, watch.ns)
    watch.scans(1001)
    assert {("square c3", "stuck_open"), ("square c6", "stuck_open")} <= set(watch.told())
    watch.health.expect(stood | bits("c5", "c8"), watch.ns)
    watch.toggle("c3", "c5", "c6", "c8", then=10)
    assert {("square c3", None), ("square c6", None)} <= set(watch.told())


def test_a_reed_stuck_closed():
    """Closed for two seconds where nothing stands while all else agrees; then it shows what is expected."""
    watch = Watch()
    watch.health.expect(START, watch.ns)
    watch.toggle("e4", then=399)
    assert watch.told() == []
    watch.scans(5)
    assert watch.told() == [("square e4", "stuck_closed")]
    assert watch.shown == START
    watch.health.expect(START | bits("e4"), watch.ns)
    watch.scans(1)
    assert watch.shown == START | bits("e4")
    watch.toggle("e4")
    assert watch.told()[-1] == ("square e4", None)


def test_a_reed_stuck_open():
    """Open ever since a piece is known to stand there."""
    watch = Watch(START ^ bits("e2"))
    watch.health.expect(START ^ bits("e2", "e4"), watch.ns)
    watch.scans(1001)
    assert watch.told() == [("square e4", "stuck_open")]
    assert watch.shown == START ^ bits("e2", "e4")
    watch.toggle("e4")
    assert watch.told()[-1] == ("square e4", None)


def test_a_piece_in_a_hand_is_not_stuck():
    """Lifted and held for a minute."""
    watch = Watch()
    watch.health.expect(START, watch.ns)
    watch.toggle("e2", then=12_000)
    assert watch.told() == []


def test_a_line_dead_from_the_start():
    """All squares of a file missing when the set-up is known."""
    watch = Watch(START & ~FILES["line file c"])
    watch.health.expect(START, watch.ns)
    watch.scans(1001)
    assert watch.told() == [("line file c", "dead_line")]
    assert watch.shown == START


def test_late_scans():
    """One stall is forgiven, five in a second or a long one are told, and taken back."""
    watch = Watch()
    watch.ns += 20 * MS
    watch.scans(300)
    assert watch.told() == []
    for _ in range(6):
        watch.ns += 20 * MS
        watch.scans(1)
    assert watch.told() == [("scanner", "overrun")]
    assert watch.health.faults == {"scanner": "overrun"}
    watch.scans(300)
    assert watch.told()[-1] == ("scanner", None)
    watch.ns += 400 * MS
    watch.scans(1)
    assert isinstance(watch.events[-1], Faulted)
    watch.scans(300)
    assert isinstance(watch.events[-1], Recovered)


def test_the_only_two_pieces_of_a_line():
    """Gone in one scan and back within four seconds: two hands. Gone for longer: the line, and both are shown again."""
    standing = bits("c3", "c5", "e1", "e8")
    watch = Watch(standing)
    watch.toggle("c3", "c5", then=600)
    watch.toggle("c5", then=600)
    assert watch.told() == []
    watch = Watch(standing)
    watch.toggle("c3", "c5", then=900)
    assert watch.told() == [("line file c", "dead_line")]
    assert watch.shown == standing
    watch.toggle("c3", "c5", then=20)
    assert watch.told()[1:] == [("line file c", None)]


def test_a_reed_that_sticks_while_the_game_goes_on():
    """Closed too much at one expectation and still at the next, though pieces are always in the air between."""
    watch = Watch()
    watch.health.expect(START, watch.ns)
    watch.toggle("e5", then=300)
    watch.toggle("g1", then=200)
    watch.toggle("f3", then=300)
    position = START ^ bits("g1", "f3")
    watch.events.clear()
    watch.health.expect(position, watch.ns)
    watch.toggle("b8", then=500)
    watch.toggle("c6", then=1)
    watch.health.expect(position ^ bits("b8", "c6"), watch.ns)
    watch.scans(3)
    assert watch.shown & bits("e5") == 0
    assert "square e5" in watch.health.faults


def test_nothing_is_stuck_where_nothing_is_expected():
    """Units that come from beside the board after the game are no stuck reeds; what was lifted a moment ago neither."""
    watch = Watch(START ^ bits("d7", "d2"))
    watch.health.expect(watch.raw, watch.ns)
    watch.health.expect(None, watch.ns)
    watch.toggle("d7", then=1000)
    assert watch.told() == []
    watch.toggle("e2", then=100)
    watch.health.expect(watch.raw | bits("e2"), watch.ns)
    watch.scans(1500)
    assert watch.told() == []


def test_what_was_done_while_nobody_could_look_is_no_fault():
    """A cable is out for two seconds, and meanwhile pieces are cleared away or set up: hands had time for all of that."""
    for before, after in ((START, 0), (START, START & ~bits("a2", "b2", "c2")), (bits("a1", "h1"), START)):
        for missed in (True, False):  # scans that failed, or none at all: a process that was stopped
            watch = Watch(before)
            watch.scans(400)
            for _ in range(400):
                watch.ns += 5 * MS
                if missed:
                    watch.health.missed(watch.ns)
            watch.raw = after
            watch.scans(400)
            assert [told for told in watch.told() if told[0] != "scanner"] == []
            assert watch.shown == after


def test_a_line_that_breaks_after_a_failed_scan_is_dead_all_the_same():
    """A few scans without an answer are no time for hands."""
    watch = Watch()
    watch.scans(400)
    for _ in range(3):
        watch.ns += 5 * MS
        watch.health.missed(watch.ns)
    watch.toggle("a1", "a2", "a7", "a8")
    assert watch.told() == [("line file a", "dead_line")]


@pytest.mark.parametrize("low", [False, True])
def test_a_loose_wire_is_told_three_times_and_then_stands(low):
    """A line that dies and comes back, or touches ground, twenty times a second: no flood, no unit moves, no chatter."""
    watch = Watch()
    file_e = FILES["line file e"]
    for n in range(200):
        if low:
            watch.low = ("line file e",) if n % 2 else ()
            watch.raw = START | file_e if n % 2 else START
        else:
            watch.raw = START & ~file_e if n % 2 else START
        watch.scans(5)
        assert watch.shown == START
    assert len(watch.told()) == 5
    assert {part for part, _ in watch.told()} == {"line file e"}
    watch.raw, watch.low = START, ()
    watch.scans(900)
    assert len(watch.told()) == 5
    watch.scans(300)
    assert watch.told()[5:] == [("line file e", None)]
    watch.scans(3000)
    watch.raw = START & ~file_e
    watch.scans(5)
    watch.raw = START
    watch.scans(5)
    assert watch.told()[6:] == [("line file e", "dead_line"), ("line file e", None)]


@pytest.mark.parametrize("apart", [1, 2, 4, 6])
def test_an_arm_that_sweeps_a_rank_breaks_no_wire(apart):
    """Eight men within 200 ms: the last three open together, and the others have just done so."""
    watch = Watch()
    for name in ("a2", "b2", "c2", "d2", "e2"):
        watch.toggle(name, then=apart)
    watch.toggle("f2", "g2", "h2", then=200)
    assert watch.told() == []
    assert watch.shown == watch.raw
