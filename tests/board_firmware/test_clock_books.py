"""The clock's books under random acts: time is conserved, and looking at a clock never changes it."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_firmware.core.clock import Clock
from board_firmware.core.control import S_NS, Control
from board_firmware.core.events import Side

CONTROLS = ("300", "60+2", "3/20+1:2/10:5+1", "20d5", "0d3", "20b3", "*30", "2/30b2:10", "standard", "0+4")


@dataclass(frozen=True)
class Act:
    """One random act, replayable on any clock."""

    name: str
    side: Side
    value: int

    def on(self, clock: Clock, at_ns: int) -> Clock:
        """The clock after the act."""
        match self.name:
            case "start":
                return clock.start(self.side, at_ns)
            case "press":
                return clock.press(self.side, at_ns, completed_move=self.value % 4 != 0)
            case "completed":
                return clock.completed(self.side, at_ns)
            case "pause":
                return clock.pause(at_ns)
            case "resume":
                return clock.resume(self.side, at_ns)
            case "stop":
                return clock.stop(at_ns)
            case "set":
                return clock.set(at_ns, white_ns=self.value % (20 * S_NS), moves={"black": self.value % 6})
            case "add":
                return clock.add(self.side, self.value % (10 * S_NS) - 3 * S_NS, at_ns)
            case "without_increment":
                return clock.without_increment(self.side, at_ns)
            case _:
                return clock.shown(self.side, self.value % (9 * S_NS) // S_NS * S_NS, at_ns)


NAMES = ("press",) * 12 + (
    "completed", "pause", "resume", "resume", "stop", "set", "add", "without_increment", "shown", "start",
)  # fmt: skip


def check_sequence(seed: int) -> None:
    """One random sequence of acts: books balance, time is conserved, ticks in between change nothing."""
    rng = random.Random(seed)
    control = Control.parse(rng.choice(CONTROLS))
    clock = ticked = Clock.fresh(control).start("white", 0)
    at_ns = 0
    ran = {"white": 0, "black": 0}
    for _ in range(rng.randrange(5, 25)):
        step_ns = rng.choice((0, rng.randrange(1, 10**6), rng.randrange(10**8, 8 * 10**9)))
        if clock.running is not None:
            flag_ns = clock.flag_ns()
            if flag_ns is not None and rng.random() < 0.1:
                step_ns = max(0, flag_ns - at_ns)  # the very instant of the flag
            down = clock.flag_down(clock.running, at_ns)
            ran[clock.running] += 0 if down else step_ns if flag_ns is None else min(step_ns, flag_ns - at_ns)
        for _ in range(rng.randrange(4)):
            ticked = ticked.settled(at_ns + rng.randrange(step_ns + 1))
        at_ns += step_ns
        act = Act(rng.choice(NAMES), rng.choice(("white", "black")), rng.randrange(10**11))
        if act.name == "press" and clock.running and rng.random() < 0.9:
            act = Act("press", clock.running, act.value)
        clock, ticked = act.on(clock, at_ns), act.on(ticked, at_ns)
        assert clock.settled(at_ns) == ticked.settled(at_ns), (seed, act)
        for side in ("white", "black"):
            hand = clock.settled(at_ns).hand(side)
            assert hand.given_ns == hand.left_ns + hand.used_ns, (seed, act)
            assert hand.left_ns >= 0, (seed, act)
            assert hand.used_ns == ran[side], (seed, act)
            if hand.flagged_ns is not None:
                assert hand.is_down, (seed, act)
                assert hand.flagged_ns <= at_ns, (seed, act)


def test_time_given_is_time_left_and_time_used() -> None:
    """A few thousand random sequences of acts, with and without ticks in between."""
    for seed in range(3000):
        check_sequence(seed)


@pytest.mark.prove
def test_time_given_is_time_left_and_time_used_at_length() -> None:
    """The same for 100,000 sequences."""
    for seed in range(100_000):
        check_sequence(1_000_000 + seed)


@given(st.sampled_from(CONTROLS), st.lists(st.integers(0, 10**10), max_size=12), st.integers(0, 10**11))
@settings(deadline=None)
def test_cutting_an_interval_changes_nothing(control: str, cuts: list[int], end_ns: int) -> None:
    """One long wait and the same wait in any number of pieces end in the same clock."""
    clock = Clock.fresh(Control.parse(control)).start("white", 0)
    pieces = clock
    for cut in sorted(cuts):
        pieces = pieces.settled(min(cut, end_ns))
    assert pieces.settled(end_ns) == clock.settled(end_ns)
