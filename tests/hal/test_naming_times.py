"""How long each fault takes to be named, from the first scan in which it can be seen, while hands play on.

Chessmen go to and fro at the pace of people, and whoever knows the position tells the board a moment after each move, as
the firmware does. The fault comes at a random time, on a random square or line. Named means `Faulted` with the right
part and reason: within five seconds, or before more than one move has been begun. Whatever breaks, nobody has pressed who
has not: the lever moves only where and when a hand moved it, and no button is pressed.
"""

from __future__ import annotations

from random import Random

import pytest

from hal.board import ButtonPressed, Faulted, LeverMoved
from hal.motion import Lift, Place, PressLever
from hal.simulated import STARTING_ARRAY
from hal.squares import SQUARE_NAMES, squares_of, squares_of_part
from hal.wires import FLIGHT_NS, WiredBoard

S = 1_000_000_000
MS = 1_000_000
TOLD_NS = 320 * MS
"""The firmware knows a move some time after the unit has come down: settle time and order in time."""


class PlayedBoard:
    """A wired board on which a move is made every one or two seconds."""

    def __init__(self, seed, occupancy=STARTING_ARRAY):
        self.random = Random(seed)
        self.board = WiredBoard(seed=seed, occupancy=occupancy)
        self.standing = occupancy
        self.moves = []
        self.faults = []
        self.seen_ns = None
        self.is_seen = None
        self.avoided = 0
        self.wanted = None
        self.side = "black"
        self.pressed = []  # (side, time) of the lever, by hands
        self.false = []  # presses that no hand made
        self.hidden = 0  # presses that were told when the wires let them be seen
        self.run_to(S)
        self.board.expect(self.standing)

    def run_to(self, at_ns):
        """Scan by scan; the first in which the fault can be seen is kept."""
        while self.board.now_ns < at_ns:
            scan_ns = min(at_ns, self.board.now_ns + 5 * MS)
            for event in self.board.advance(scan_ns):
                if isinstance(event, Faulted):
                    self.faults.append(event)
                elif isinstance(event, ButtonPressed) or (isinstance(event, LeverMoved) and not self.is_true(event)):
                    self.false.append(event)
            if self.seen_ns is None and self.is_seen is not None and self.is_seen(self.board.board.scanned.squares):
                self.seen_ns = scan_ns

    def is_true(self, press):
        """Whether the last hand at the lever moved it there: just then, or before if wires hid it. Each counts once."""
        before = [one for one in self.pressed if one[1] - FLIGHT_NS - 5 * MS <= press.at_ns]
        if not before or before[-1][0] != press.down:
            return False
        self.hidden += press.at_ns - before[-1][1] > 15 * MS
        del self.pressed[: len(before)]
        return True

    def squares(self, occupied):
        """The squares that are occupied or empty, in random order, but for those that no hand should touch."""
        bits = (self.standing if occupied else ~self.standing) & (1 << 64) - 1 & ~self.avoided
        found = list(squares_of(bits))
        self.random.shuffle(found)
        return found

    def move(self):
        """Think, lift, place, press; the position is told a moment after the unit has come down."""
        think_ns = round(self.random.uniform(0.2, 1.5) * S)
        self.run_to(self.board.now_ns + think_ns)
        origin = self.squares(True)[0]
        landing = self.wanted if self.wanted is not None else self.squares(False)[0]
        self.wanted = None
        self.moves.append(self.board.now_ns)
        self.side = "white" if self.side == "black" else "black"
        placed_ms = self.random.uniform(300, 900)
        self.pressed.append((self.side, self.board.now_ns + round((placed_ms + 400) * MS)))
        gesture = [Lift(square=origin), Place(square=landing, of=origin, at_ms=placed_ms)]
        end_ns = self.board.act([*gesture, PressLever(side=self.side, at_ms=placed_ms + 400)])
        known_ns = self.board.now_ns + round((placed_ms + 250) * MS)
        self.standing = self.standing & ~(1 << origin) | 1 << landing
        self.run_to(known_ns + TOLD_NS)
        self.board.expect(self.standing, known_ns)
        self.run_to(end_ns + 100 * MS)

    def delay(self, part, reason, begin, is_seen, moves=8):
        """Play, break something, play on; seconds until it was named, and the moves begun meanwhile."""
        for _ in range(self.random.randrange(2, 5)):
            self.move()
        self.run_to(self.board.now_ns + round(self.random.random() * S))
        self.is_seen = is_seen
        begin()
        for _ in range(moves):
            self.move()
            named = [event.at_ns for event in self.faults if (event.part, event.reason) == (part, reason)]
            if named:
                assert self.seen_ns is not None
                return (named[0] - self.seen_ns) / S, sum(self.seen_ns < at_ns <= named[0] for at_ns in self.moves)
        raise AssertionError(f"{part}: {reason} was not named; told: {[(one.part, one.reason) for one in self.faults]}")


def expect_in_time(played, part, reason, begin, is_seen):
    """Named within five seconds or one move, and no other square or line is called broken."""
    seconds, moves = played.delay(part, reason, begin, is_seen)
    print(f"{part}: {reason} after {seconds:.2f} s and {moves} moves")
    assert seconds <= 5.0 or moves <= 1
    # the lever's contacts hang on the wires of two ranks, and say so
    told = {(event.part, event.reason) for event in played.faults if event.part != "lever"}
    assert told == {(part, reason)}
    assert (played.false, played.hidden) == ([], 0)


def square_part(square):
    """The name of a square as a part."""
    return f"square {SQUARE_NAMES[square]}"


@pytest.mark.parametrize("seed", range(8))
def test_chatter(seed):
    """A reed that chatters under a chessman."""
    played = PlayedBoard(seed)
    square = played.squares(True)[0]
    part = square_part(square)
    played.avoided = 1 << square
    expect_in_time(
        played, part, "chatter", lambda: played.board.set_fault(part, "chatter"), lambda raw: not raw >> square & 1
    )


@pytest.mark.parametrize("seed", range(8))
def test_intermittent(seed):
    """A reed that opens twice in a second, for a moment: too seldom to be named at once."""
    played = PlayedBoard(seed)
    square = played.squares(True)[0]
    part = square_part(square)
    played.avoided = 1 << square
    played.board.set_fault(part, "intermittent")
    played.run_to(played.board.now_ns + 10 * S)
    assert [(event.part, event.reason) for event in played.faults] == [(part, "chatter")]
    assert played.false == []


@pytest.mark.parametrize("seed", range(12))
def test_stuck_closed(seed):
    """A reed that closes by itself, at any moment of a move, and stays."""
    played = PlayedBoard(seed)
    square = played.squares(False)[0]
    part = square_part(square)
    played.avoided = 1 << square
    expect_in_time(
        played,
        part,
        "stuck_closed",
        lambda: played.board.set_fault(part, "stuck_closed"),
        lambda raw: raw >> square & 1,
    )


@pytest.mark.parametrize("seed", range(8))
def test_stuck_open(seed):
    """A reed that does not close under the chessman that comes to stand there."""
    played = PlayedBoard(seed)
    square = played.squares(False)[0]
    part = square_part(square)
    played.avoided = 1 << square

    def begin():
        played.board.set_fault(part, "stuck_open")
        played.wanted = square

    expect_in_time(played, part, "stuck_open", begin, lambda raw: played.board.standing >> square & 1)


@pytest.mark.parametrize("seed", range(12))
def test_dead_line(seed):
    """A file or a rank that goes blind, with two chessmen on it or more."""
    played = PlayedBoard(seed)
    random = Random(seed)
    part = f"line file {random.choice('abcdefgh')}" if seed % 2 else f"line rank {random.choice('1278')}"
    squares = squares_of_part(part)
    played.avoided = squares
    expect_in_time(
        played,
        part,
        "dead_line",
        lambda: played.board.set_fault(part, "open"),
        lambda raw: not raw & squares & played.board.standing,
    )


@pytest.mark.parametrize("seed", range(8))
def test_shorted_line(seed):
    """A rank's wire that touches ground, empty or full."""
    played = PlayedBoard(seed)
    part = f"line rank {seed + 1}"
    squares = squares_of_part(part)
    played.avoided = squares
    expect_in_time(
        played, part, "shorted", lambda: played.board.set_fault(part, "low"), lambda raw: raw & squares == squares
    )


@pytest.mark.parametrize("seed", range(8))
def test_shorted_drive_line(seed):
    """A file's wire that touches ground, in the starting array too: the file is named, not the ranks that it pulls."""
    played = PlayedBoard(seed)
    part = f"line file {'abcdefgh'[seed]}"
    played.avoided = squares_of_part(part)
    expect_in_time(played, part, "shorted", lambda: played.board.set_fault(part, "low"), lambda raw: True)
    played.board.set_fault(part, None)
    played.run_to(played.board.now_ns + 5 * S)
    assert played.board.faults == {}
    assert played.board.snapshot().occupancy == played.standing


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fault", ["shorted", "reversed"])
def test_a_bad_diode(seed, fault):
    """Named by its square before it makes a ghost, and what it hides is shown as it was; the lever works all the same."""
    played = PlayedBoard(seed)
    square = played.squares(True)[0]
    played.avoided = 1 << square
    is_seen = lambda raw: True  # noqa: E731 - it is there from the moment it breaks, whether a ghost shows it or not
    expect_in_time(
        played, square_part(square), "diode", lambda: played.board.set_fault(square_part(square), fault), is_seen
    )
    for _ in range(4):
        played.move()
    assert played.false == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["files", "ranks", "panel", "file", "rank"])
def test_wires_that_touch_each_other_or_ground(seed, kind):
    """Named by the lines within five seconds, in whatever position; no unit moves and nobody presses; and taken back."""
    played = PlayedBoard(seed)
    for _ in range(seed):
        played.move()
    part, fault, reason = {
        "files": ("line file {a} + line file {b}", "joined", "shorted_together"),
        "ranks": ("line rank {m} + line rank {n}", "joined", "shorted_together"),
        "panel": ("line file h + panel", "joined", "shorted_together"),
        "file": ("line file {b}", "low", "shorted"),
        "rank": ("line rank {n}", "low", "shorted"),
    }[kind]
    n = seed % 7
    part = part.format(a="abcdefgh"[n], b="abcdefgh"[n + 1], m=n + 1, n=n + 2)
    before = played.board.snapshot().occupancy
    played.board.set_fault(part, fault)
    begun_ns = played.board.now_ns
    played.run_to(begun_ns + 5 * S)
    named = [(event.part, event.reason) for event in played.faults if event.part not in ("lever", "panel")]
    assert named == [(part, reason)]
    assert played.board.snapshot().occupancy == before
    played.board.set_fault(part, None)
    played.run_to(played.board.now_ns + 5 * S)
    assert played.board.faults == {}
    assert played.board.snapshot().occupancy == before
    assert played.false == []


@pytest.mark.parametrize("stall_ms", [7, 15, 60, 300, 1500])
def test_scan_overrun(stall_ms):
    """Scans that come late again and again, and one that comes very late."""
    played = PlayedBoard(stall_ms)
    played.move()
    begun_ns = played.board.now_ns
    while not played.faults and played.board.now_ns < begun_ns + 6 * S:
        played.board.stall(stall_ms)
        played.run_to(played.board.now_ns + 5 * MS + stall_ms * MS)
    assert [(event.part, event.reason) for event in played.faults] == [("scanner", "overrun")]
    assert played.faults[0].at_ns - begun_ns <= 5 * S
    assert not any(isinstance(event, ButtonPressed) for event in played.false)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("broken", ["low", "joined", "flickering"])
def test_wires_press_nothing(seed, broken):
    """A rank's wire at ground, now and then or for good, or against its neighbour: the panel is silent."""
    played = PlayedBoard(seed)
    part, fault = f"line rank {seed + 1}", "low"
    if broken == "joined":
        part, fault = f"line rank {max(1, seed)} + line rank {max(1, seed) + 1}", "joined"
    played.avoided = squares_of_part(f"line rank {seed + 1}") | squares_of_part(f"line rank {max(1, seed)}")
    for number in range(6):
        if broken == "flickering":
            for _ in range(10):
                played.board.set_fault(part, fault)
                played.run_to(played.board.now_ns + played.random.randrange(60 * MS))
                played.board.set_fault(part, None)
                played.run_to(played.board.now_ns + played.random.randrange(60 * MS))
        else:
            played.board.set_fault(part, fault if number < 5 else None)
        played.move()
    assert played.false == []


@pytest.mark.parametrize("square", [0, 3, 5, 7, 8, 10, 12, 15])
def test_a_shorted_diode_presses_nothing(square):
    """The lever's closed contact, a bad diode on its rank and a chessman put down anywhere on its file: a closed contact."""
    played = PlayedBoard(square)
    played.board.set_fault(square_part(square), "shorted")
    file = squares_of_part(f"line file {'abcdefgh'[square & 7]}")
    for _ in range(2):
        for other in squares_of(file & 0xFFFF_FFFF_FFFF_FF00):
            if played.standing >> other & 1:  # up and down again
                played.board.act([Lift(square=other), Place(square=other, of=other, at_ms=400)])
            else:
                played.wanted = other
                played.move()
            played.run_to(played.board.now_ns + S)
    assert played.false == []
