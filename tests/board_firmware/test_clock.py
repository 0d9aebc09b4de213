"""The clock: every mode, every act, every case from the field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from board_firmware.core.clock import Clock, face
from board_firmware.core.control import S_NS, Control
from board_firmware.core.events import Side, other_side

MS_NS = 1_000_000


def s(seconds: float) -> int:
    """Seconds as nanoseconds."""
    return round(seconds * 1000) * MS_NS


def started(control: str, side: Side = "white") -> Clock:
    """A clock of the control whose ``side`` runs since instant 0."""
    return Clock.fresh(Control.parse(control)).start(side, 0)


def left(clock: Clock, at_s: float) -> tuple[float, float]:
    """White's and Black's seconds left."""
    return clock.remaining_ns("white", s(at_s)) / S_NS, clock.remaining_ns("black", s(at_s)) / S_NS


# ---- cases from the field


def test_c01_the_increment_comes_before_the_first_move() -> None:
    """3 min + 2 s shows 3:02, and after five seconds and a press 2:59."""
    clock = started("180+2")
    assert [face(clock.remaining_ns(side, 0)) for side in ("white", "black")] == ["3:02", "3:02"]
    clock = clock.press("white", s(5))
    assert [face(clock.remaining_ns(side, s(5))) for side in ("white", "black")] == ["2:59", "3:02"]


def test_c02_both_sides_start_alike() -> None:
    """30 min + 20 s shows 30:20 on both sides."""
    clock = started("1800+20")
    assert [face(clock.remaining_ns(side, 0)) for side in ("white", "black")] == ["30:20", "30:20"]


def test_c03_no_increment_after_the_flag() -> None:
    """One second left, pressed after 1.2 s: the flag fell at 1.000 s and nothing is added."""
    clock = started("60+5").set(0, white_ns=s(1))
    assert clock.flag_ns() == s(1)
    clock = clock.press("white", s(1.2))
    assert left(clock, 1.2)[0] == 0.0
    assert clock.flagged_ns("white", s(1.2)) == s(1)
    assert clock.flag_down("white", s(1.2))


def test_c05_a_pause_stops_the_delay_too() -> None:
    """0:00 with a delay of 5 s: two seconds, a pause of a minute and 2.9 s more do not drop the flag."""
    clock = started("0d5").pause(s(2))
    assert clock.white.delay_left_ns == s(3)
    clock = clock.resume("white", s(62)).press("white", s(64.9))
    assert clock.flagged_ns("white", s(64.9)) is None
    assert clock.running == "black"
    late = started("0d5").pause(s(2)).resume("white", s(62))
    assert late.flag_ns() == s(65)


def test_c06_zero_base_with_an_increment() -> None:
    """0 min + 6 s starts at 0:06; after four seconds and a press there are eight."""
    clock = started("0+6")
    assert face(clock.remaining_ns("white", 0)) == "0:06"
    clock = clock.press("white", s(4))
    assert face(clock.remaining_ns("white", s(4))) == "0:08"
    assert clock.flagged_ns("white", s(4)) is None


def test_c08_fast_moves_keep_their_increment() -> None:
    """61 s, pressed after 50 ms: 61.950 s."""
    clock = started("60+1", "black").press("black", s(0.05))
    assert clock.remaining_ns("black", s(0.05)) == s(61.95)


def test_c11_time_is_taken_from_presses_not_from_ticks() -> None:
    """Fifty presses a side of 40 ms each are two seconds, whatever a display does every 100 ms."""
    clock, at_ns = started("300"), 0
    for number in range(100):
        at_ns += 40 * MS_NS
        clock = clock.settled(at_ns // (100 * MS_NS) * 100 * MS_NS)  # the display's own look, often in the past
        clock = clock.press("white" if number % 2 == 0 else "black", at_ns)
    assert clock.used_ns("white") == clock.used_ns("black") == s(2)


def test_c12_a_clock_is_never_negative() -> None:
    """One minute, looked at after 61 s: zero, flag down since 60 s."""
    clock = started("60")
    assert face(clock.remaining_ns("white", s(61))) == "0:00"
    assert clock.remaining_ns("white", s(61)) == 0
    assert clock.flagged_ns("white", s(61)) == s(60)


def test_c13_only_the_running_side_falls() -> None:
    """Black runs with a minute, White stands with half: after 61 s it is Black's flag."""
    clock = started("60", "black").set(0, white_ns=s(30))
    assert clock.flag_down("black", s(61))
    assert not clock.flag_down("white", s(61))


@pytest.mark.parametrize(("pressed_s", "falls"), [(59.999, False), (60.0, True), (60.001, True)])
def test_c14_either_the_press_or_the_flag(pressed_s: float, falls: bool) -> None:
    """A press one millisecond early counts; at exactly zero the time has expired."""
    clock = started("60+2").set(0, white_ns=s(60)).press("white", s(pressed_s))
    assert (clock.flagged_ns("white", s(100)) is not None) is falls
    assert clock.remaining_ns("white", s(100)) == (0 if falls else s(2) + MS_NS)


def test_c22_the_next_period_joins_what_is_left() -> None:
    """Move 40 with three minutes left brings fifty more; move 60 another fifteen."""
    clock = started("40/6000:20/3000:900").set(0, white_ns=s(180), moves={"white": 39, "black": 39})
    clock = clock.press("white", 0)
    assert face(clock.remaining_ns("white", 0)) == "53:00"
    clock = clock.press("black", 0).set(0, moves={"white": 59})
    before = clock.remaining_ns("white", 0)
    assert clock.press("white", 0).remaining_ns("white", 0) - before == s(900)


def test_c24_the_time_is_that_of_the_down_edge() -> None:
    """Button down at 10.000 s, up at 10.180 s: ten seconds used, though the act arrives later."""
    clock = started("300")
    assert clock.remaining_ns("white", s(10.18)) == s(289.82)
    assert clock.press("white", s(10)).used_ns("white") == s(10)


def test_c26_zero_keeps_the_form_of_a_clock() -> None:
    """Nothing left is 0:00, and only nothing left is."""
    assert face(0) == "0:00"
    assert face(1) == "0:01"


def test_c27_looking_does_not_drift() -> None:
    """A display that asks 250 ms late for sixty moves changes nothing: the values are computed, not counted."""
    asked = plain = started("5400+30")
    for move in range(120):
        side: Side = "white" if move % 2 == 0 else "black"
        at_ns = s(7.3 * (move + 1))
        asked.remaining_ns(side, at_ns + s(0.25))
        asked, plain = asked.settled(at_ns - s(0.25)).press(side, at_ns), plain.press(side, at_ns)
    assert asked == plain


def test_c28_no_wall_clock_can_matter() -> None:
    """Time comes in with the acts alone: the file imports no clock to step."""
    source = Path(__file__).resolve().parents[2].joinpath("board_firmware/core/clock.py").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from)\s+(time|datetime)\b", source, re.MULTILINE)
    assert started("300").press("white", s(3)).used_ns("white") == s(3)


@pytest.mark.parametrize("side", ["white", "black"])
def test_c30_to_c34_the_flag_names_side_and_instant(side: Side) -> None:
    """A minute and one millisecond: the flag that fell, and when, is what the referee then judges by 6.9."""
    clock = started("60", side)
    assert clock.flag_ns() == s(60)
    assert clock.flag_down(side, s(60.001))
    assert not clock.flag_down(other_side(side), s(60.001))


def test_c36_the_press_switches_and_nothing_else() -> None:
    """White's clock runs from the start until the press, then Black's."""
    clock = started("300")
    assert [clock.running, clock.settled(s(2)).running] == ["white", "white"]
    assert clock.press("white", s(3)).running == "black"


def test_c37_a_penalty_is_booked_as_given() -> None:
    """Two minutes more for Black are two minutes given, not less used."""
    clock = started("300").press("white", s(10)).pause(s(15))
    after = clock.add("black", s(120), s(20))
    assert after.black.left_ns - clock.black.left_ns == s(120)
    assert after.black.given_ns - clock.black.given_ns == s(120)
    assert after.black.used_ns == clock.black.used_ns == s(5)


# ---- the modes


def test_sudden_death() -> None:
    """Five minutes, nothing added."""
    clock = started("300").press("white", s(10)).press("black", s(30))
    assert left(clock, 30) == (290.0, 280.0)


def test_simple_delay_runs_down_after_the_delay_only() -> None:
    """5 s of delay: three seconds cost nothing, eight cost three; a new turn has a new delay."""
    clock = started("300d5").press("white", s(3))
    assert left(clock, 3) == (300.0, 300.0)
    clock = clock.press("black", s(11))
    assert left(clock, 11) == (300.0, 297.0)
    assert left(clock, 15) == (300.0, 297.0)
    assert left(clock, 17) == (299.0, 297.0)
    assert clock.flag_ns() == s(11 + 5 + 300)


def test_bronstein_gives_back_what_was_used_up_to_its_limit() -> None:
    """3 s of Bronstein time: two seconds come back whole, ten cost seven."""
    clock = started("300b3")
    assert left(clock, 2) == (298.0, 300.0)
    clock = clock.press("white", s(2)).press("black", s(12))
    assert left(clock, 12) == (300.0, 293.0)


def test_an_hourglass_runs_across() -> None:
    """What White uses Black gains; the sum never changes; the flag falls when a glass is empty."""
    clock = started("*180")
    assert left(clock, 60) == (120.0, 240.0)
    clock = clock.press("white", s(60))
    assert left(clock, 70) == (130.0, 230.0)
    assert clock.flag_ns() == s(60 + 240)
    assert left(clock, 1000) == (360.0, 0.0)


def test_a_period_counts_completed_moves_alone() -> None:
    """A press that completes no move passes the clock but fills no period."""
    clock = started("2/100:50").press("white", 0).press("black", 0)
    assert clock.press("white", 0, completed_move=False).remaining_ns("white", 0) == s(100)
    assert clock.press("white", 0).remaining_ns("white", 0) == s(150)


def test_a_move_completed_without_a_press_counts_but_earns_nothing() -> None:
    """6.2.1.2: the second move fills the period; no press, no increment."""
    clock = started("2/100+5:50+5").press("white", 0).press("black", 0)
    done = clock.completed("white", s(1))
    assert done.white.moves == 2
    assert done.remaining_ns("white", s(1)) == clock.remaining_ns("white", s(1)) + s(50)
    assert done.running == "white"


def test_the_last_period_with_a_count_brings_no_other() -> None:
    """40/5400 ends: with the moves done it says so, and adds nothing."""
    clock = started("40/5400").set(0, moves={"white": 39})
    assert (clock.moves_required("white"), clock.is_fulfilled("white")) == (40, False)
    clock = clock.press("white", 0)
    assert clock.is_fulfilled("white")
    assert clock.remaining_ns("white", 0) == s(5400)


def test_a_fallen_flag_is_not_raised_by_move_40() -> None:
    """The fortieth press after zero counts the move and brings no second period."""
    clock = started("40/100:50").set(0, moves={"white": 39}).press("white", s(100))
    assert clock.white.moves == 40
    assert clock.remaining_ns("white", s(100)) == 0


# ---- acts


def test_time_until_the_press_is_the_pressers_even_after_a_reply() -> None:
    """Black's reply lies on the board; White presses at 8 s; eight seconds are White's."""
    clock = started("300").press("white", s(8))
    assert left(clock, 8) == (292.0, 300.0)


def test_a_dead_press_changes_nothing() -> None:
    """The side whose clock does not run presses: same clock."""
    clock = started("300")
    assert clock.press("black", s(3)) is clock
    assert clock.pause(s(4)).press("white", s(5)).phase == "paused"


def test_the_increment_of_a_bad_press_is_taken_back() -> None:
    """Manual: after an illegal move the increment gained by its press is removed."""
    clock = started("180+2").press("white", s(5), completed_move=False).pause(s(6)).without_increment("white", s(6))
    assert left(clock, 6) == (177.0, 181.0)
    assert clock.without_increment("white", s(7)).white == clock.white


def test_pause_and_resume_on_either_side() -> None:
    """A pause stops both; the arbiter says whose clock goes on."""
    clock = started("300").pause(s(10))
    assert (clock.phase, clock.running) == ("paused", None)
    assert left(clock, 99) == (290.0, 300.0)
    clock = clock.resume("black", s(100))
    assert left(clock, 105) == (290.0, 295.0)
    assert left(clock.resume("white", s(105)), 107) == (288.0, 295.0)


def test_a_stopped_clock_stands_until_an_arbiter_resumes_it() -> None:
    """The end of the game stops both; presses and pauses do nothing."""
    clock = started("300").stop(s(10))
    assert clock.phase == "stopped"
    assert clock.press("white", s(11)) is clock
    assert clock.pause(s(11)).phase == "stopped"
    assert left(clock.resume("white", s(20)), 21) == (289.0, 300.0)


def test_a_second_start_is_none() -> None:
    """Only a clock not yet started starts."""
    clock = started("300")
    assert clock.start("black", s(4)) is clock


def test_setting_times_raises_a_flag_again() -> None:
    """6.10: the arbiter corrects the clock; zero drops a flag, more than zero raises it."""
    clock = started("60").pause(s(60))
    assert clock.flagged_ns("white", s(60)) == s(60)
    clock = clock.set(s(70), white_ns=s(30), black_ns=0, period=0)
    assert clock.flagged_ns("white", s(70)) is None
    assert clock.flagged_ns("black", s(70)) == s(70)
    assert clock.add("black", s(5), s(71)).flagged_ns("black", s(71)) is None


def test_a_penalty_cannot_make_a_clock_negative() -> None:
    """Minus two minutes of one minute is zero, and the flag is down."""
    clock = started("60").add("black", -s(120), s(1))
    assert clock.remaining_ns("black", s(1)) == 0
    assert clock.flag_down("black", s(1))


def test_the_order_of_two_flags_is_known() -> None:
    """Both fall; the instants say which was first."""
    clock = started("60").press("white", s(60)).settled(s(200))
    assert (clock.flagged_ns("white", s(200)), clock.flagged_ns("black", s(200))) == (s(60), s(120))


def test_an_outer_clocks_display_is_believed() -> None:
    """299 shown is 299; zero shown is a fallen flag, also for a rule set without times of its own."""
    clock = started("standard")
    assert not clock.timed
    assert clock.flag_ns() is None
    clock = clock.shown("white", s(299), s(5))
    assert clock.timed
    assert clock.remaining_ns("white", s(6)) == s(298)
    assert clock.shown("white", 0, s(7)).flagged_ns("white", s(7)) == s(7)
    assert clock.used_ns("white", s(7)) == s(7)


def test_a_new_deadline_after_every_act() -> None:
    """`flag_ns` is one instant while nothing is pressed: a running clock asks for no wake-ups before it."""
    clock = started("300+2")
    assert [clock.settled(s(t)).flag_ns() for t in (0, 100, 301.999)] == [s(302)] * 3
    assert clock.settled(s(302)).flag_ns() is None
    assert clock.press("white", s(2)).flag_ns() == s(304)
    assert clock.pause(s(3)).flag_ns() is None


def test_an_act_stamped_before_the_last_counts_at_the_last() -> None:
    """Stamps may arrive a few milliseconds out of order: time does not run backwards."""
    clock = started("300").press("white", s(10))
    assert clock.press("black", s(9.99)).black.used_ns == 0
