"""The lever and the buttons: presses, flight, faults."""

from __future__ import annotations

import pytest

from hal.board import ButtonPressed, Faulted, LeverMoved, Recovered
from hal.panel import Panel
from hal.wiring import default_wiring

MS = 1_000_000
WHITE, BLACK, ADJUST, DRAW_WHITE, DRAW_BLACK, OK = (1 << n for n in (0, 1, 2, 4, 5, 6))


def run(script, until_ms=3_000, low=(), pulls=(), *, has_wires=True):
    """The events of a panel whose contacts are set at (ms, contacts), scanned every 5 ms.

    ``low`` sets in the same way which contacts' lines are low by themselves, and thus closed; ``pulls`` sets which
    contacts' lines a contact pulls besides its own, by its bit, and they read closed with it. Without ``has_wires`` that
    cannot be asked.
    """
    script, low, pulls = dict(script), dict(low), dict(pulls)
    events, contacts, pulled, pulling = [], 0, [0], [{}]
    asked = (lambda contact: pulling[0].get(1 << contact, 0)) if has_wires else None
    panel = Panel(default_wiring().panel, 15.0, lambda: pulled[0], asked)
    for ms in range(0, until_ms, 5):
        contacts, pulled[0] = script.get(ms, contacts), low.get(ms, pulled[0])
        pulling[0] = pulls.get(ms, pulling[0])
        drawn = sum({others for contact, others in pulling[0].items() if contact & contacts})
        events += panel.scan(contacts | pulled[0] | drawn, ms * MS)
    return events


def presses(events):
    """Levers and buttons alone."""
    return [event for event in events if isinstance(event, LeverMoved | ButtonPressed)]


def test_a_press_bears_its_first_edge():
    """The contact that closes is the press; the state at the start is none."""
    assert run([(0, BLACK), (1000, 0), (1010, WHITE)]) == [LeverMoved(down="white", at_ns=1010 * MS)]
    assert run([(0, BLACK), (1000, WHITE), (1500, BLACK)]) == [
        LeverMoved(down="white", at_ns=1000 * MS),
        LeverMoved(down="black", at_ns=1500 * MS),
    ]


def test_a_lever_that_falls_back_has_not_been_pressed():
    """Half way and back is no press, and no fault within the flight time."""
    assert run([(0, BLACK), (1000, 0), (1040, BLACK)]) == []


def test_a_lever_that_stays_in_the_air_is_a_fault():
    """Both contacts open for more than 50 ms."""
    events = run([(0, BLACK), (1000, 0), (1500, WHITE)])
    assert sorted(events, key=lambda event: event.at_ns)[0] == Faulted(
        part="lever", reason="both_open", at_ns=1055 * MS
    )
    assert Recovered(part="lever", at_ns=2500 * MS) in events
    assert LeverMoved(down="white", at_ns=1500 * MS) in events
    assert len(events) == 3


def test_both_contacts_closed_is_a_wiring_fault():
    """A changeover switch cannot do that."""
    events = run([(0, BLACK), (1000, BLACK | WHITE), (1500, BLACK)])
    assert Faulted(part="lever", reason="both_closed", at_ns=1010 * MS) in events
    assert any(isinstance(event, Recovered) for event in events)


@pytest.mark.parametrize(("contact", "name"), [(ADJUST, "adjust_white"), (OK, "ok")])
def test_buttons_say_their_names(contact, name):
    """Pressed for 25 ms or for a second: one press; for 15 ms: none."""
    for held_ms in (25, 1000):
        events = run([(0, BLACK), (500, BLACK | contact), (500 + held_ms, BLACK)])
        assert events == [ButtonPressed(button=name, at_ns=500 * MS)]
    assert run([(0, BLACK), (500, BLACK | contact), (515, BLACK)]) == []


@pytest.mark.parametrize("held", [ADJUST, ADJUST | OK])
def test_what_is_held_at_power_up_is_no_press(held):
    """A button that sticks, or somebody leans on: open first, then closed is a press. The lever stands where it stands."""
    assert run([(0, BLACK | held)]) == []
    events = run([(0, BLACK | held), (500, BLACK), (1000, BLACK | ADJUST)])
    assert events == [ButtonPressed(button="adjust_white", at_ns=1000 * MS)]
    assert run([(0, WHITE | held), (100, BLACK | held)], 1000) == [LeverMoved(down="black", at_ns=100 * MS)]


@pytest.mark.parametrize("contact", [WHITE, ADJUST, OK, ADJUST | OK])
def test_a_line_that_is_low_presses_nothing(contact):
    """From the start, for a moment, again and again or for good; afterwards the same contact presses again."""
    for pulled in (
        [(0, contact)],
        [(500, contact), (600, 0)],
        [(500, contact)],
        [(ms, contact if ms % 10 else 0) for ms in range(500, 1500, 5)],
        [(ms, contact if ms % 40 else 0) for ms in range(500, 1500, 5)],
    ):
        assert presses(run([(0, BLACK)], low=pulled)) == []
    mended = run([(0, BLACK), (2000, BLACK | OK)], low=[(500, contact), (1000, 0)])
    assert presses(mended) == [ButtonPressed(button="ok", at_ns=2000 * MS)]


@pytest.mark.parametrize("low", [BLACK, WHITE])
@pytest.mark.parametrize("begun_ms", [0, 500])
def test_a_lever_with_one_contact_on_a_line_that_is_low(low, begun_ms):
    """The other contact alone says where it is: each press is one, and nothing is wrong with the lever."""
    script = [(0, BLACK), (1000, 0), (1010, WHITE), (1500, 0), (1510, BLACK), (2000, 0), (2010, WHITE)]
    events = run(script, low=[(begun_ms, low)])
    assert [event.down for event in presses(events)] == ["white", "black", "white"]
    for event, at_ms in zip(presses(events), (1000, 1500, 2000), strict=True):
        assert at_ms <= event.at_ns / MS <= at_ms + 10
    assert len(events) == 3


def test_a_lever_with_both_contacts_on_bad_wires():
    """Nobody knows, and the lever says so; mended, it is where it is."""
    both = WHITE | BLACK
    events = run([(0, BLACK), (1000, WHITE), (2500, BLACK)], 4_000, low=[(500, both), (2000, 0)])
    assert [(type(event), event.at_ns) for event in events] == [
        (Faulted, 500 * MS),
        (LeverMoved, 2000 * MS),
        (LeverMoved, 2500 * MS),
        (Recovered, 3000 * MS),
    ]


def test_a_lever_on_a_loose_wire_is_told_once():
    """Both contacts closed now and then: one fault, over when it has been sound for a second."""
    script = [(0, BLACK)]
    for ms in range(500, 2000, 60):
        script += [(ms, BLACK | WHITE), (ms + 30, BLACK)]
    assert [(type(event), event.part) for event in run(script, 4_000)] == [(Faulted, "lever"), (Recovered, "lever")]


def test_a_lever_that_closes_before_it_opens():
    """A changeover contact whose first end lets go late: the press is when it does."""
    events = run([(0, BLACK), (1000, BLACK | WHITE), (1015, WHITE)])
    assert presses(events) == [LeverMoved(down="white", at_ns=1015 * MS)]


def test_a_lever_in_flight_at_power_up():
    """Where it comes down is where it stands; one that had rested in the middle is pressed."""
    assert presses(run([(0, 0), (30, WHITE), (1000, BLACK)])) == [LeverMoved(down="black", at_ns=1000 * MS)]
    assert presses(run([(0, 0), (300, WHITE)])) == [LeverMoved(down="white", at_ns=300 * MS)]


@pytest.mark.parametrize("late_ms", [0, 5])
def test_buttons_that_close_together_press_nothing(late_ms):
    """Two wires that touch: a draw is not agreed by one finger. Told once, and over when one of them closes alone."""
    joined = DRAW_WHITE | DRAW_BLACK
    for first in (DRAW_WHITE, DRAW_BLACK):
        script = [
            (0, BLACK),
            (500, BLACK | (first if late_ms else joined)),
            (500 + late_ms, BLACK | joined),
            (800, BLACK),
        ]
        events = run([*script, (900, BLACK | joined), (1100, BLACK)], has_wires=False)
        assert presses(events) == []
        assert [(event.part, event.reason) for event in events] == [("panel", "shorted_together")]
    events = run([*script, (1500, BLACK | DRAW_WHITE)], has_wires=False)
    assert events[1:] == [
        Recovered(part="panel", at_ns=1520 * MS),
        ButtonPressed(button="draw_white", at_ns=1500 * MS),
    ]


def test_two_players_who_press_apart():
    """Fifteen milliseconds are enough."""
    events = run([(0, BLACK), (500, BLACK | DRAW_WHITE), (515, BLACK | DRAW_WHITE | DRAW_BLACK), (900, BLACK)])
    assert [event.button for event in events] == ["draw_white", "draw_black"]


def test_a_lever_that_moves_with_a_button():
    """The lever has two contacts to be believed by; the button has one, and a wire that touches the lever's."""
    both = [(0, BLACK), (500, WHITE | ADJUST)]
    assert presses(run(both, has_wires=False)) == [LeverMoved(down="white", at_ns=500 * MS)]
    assert {type(event) for event in run(both)} == {LeverMoved, ButtonPressed}  # the wires were asked


TOUCHING = {BLACK: ADJUST, ADJUST: BLACK}
"""The lines of the lever's contact and a button's touch each other."""


@pytest.mark.parametrize("on_ms", [10, 25, 60, 1000])
def test_a_button_whose_line_touches_that_of_the_lever_that_is_down(on_ms):
    """Its contact seems closed while the lines touch, once or again and again: no press. The wires' test names them."""
    pulls = [(ms + late, TOUCHING if not late else {}) for ms in range(500, 2500, 2 * on_ms) for late in (0, on_ms)]
    events = run([(0, BLACK)], pulls=pulls)
    assert events == []


def test_a_lever_presses_while_its_line_touches_a_button():
    """The lever moves off and on to the contact that touches, and only it is believed; mended, the button presses again."""
    script = [(0, BLACK), (800, 0), (810, WHITE), (1200, 0), (1210, BLACK), (2500, BLACK | ADJUST), (2600, BLACK)]
    events = run(script, pulls=[(500, TOUCHING), (2000, {})])
    assert presses(events) == [
        LeverMoved(down="white", at_ns=810 * MS),
        LeverMoved(down="black", at_ns=1210 * MS),
        ButtonPressed(button="adjust_white", at_ns=2500 * MS),
    ]


@pytest.mark.parametrize("flight_ms", [0, 5, 10, 20])
def test_a_lever_whose_one_contact_pulls_the_other(flight_ms):
    """A shorted diode on a square of White's line: with White's contact both seem closed, with Black's only that one."""
    script = [(0, BLACK), (1000, 0), (1000 + flight_ms, WHITE), (2000, 0), (2000 + flight_ms, BLACK)]
    for pulls in ({WHITE: BLACK | OK}, {BLACK: WHITE | OK}):
        events = run(script, pulls=[(500, pulls)])
        assert [event.down for event in presses(events)] == ["white", "black"]
        assert not [event for event in events if isinstance(event, Faulted) and event.part == "lever"]


def test_two_lever_contacts_that_touch():
    """Each pulls the other: nobody knows which is closed, and the fault says so."""
    events = run([(0, BLACK), (1000, 0), (1010, WHITE)], pulls=[(500, {WHITE: BLACK, BLACK: WHITE})])
    assert presses(events) == []
    assert Faulted(part="lever", reason="both_closed", at_ns=510 * MS) in events


def test_buttons_that_touched_are_believed_again():
    """Open for five seconds: it is over, whichever is pressed next."""
    script = [(0, BLACK), (500, BLACK | OK | DRAW_WHITE), (700, BLACK), (6000, BLACK | ADJUST), (6200, BLACK)]
    events = run(script, 7_000, has_wires=False)
    assert [type(event) for event in events] == [Faulted, Recovered, ButtonPressed]
    assert events[1] == Recovered(part="panel", at_ns=5695 * MS)


@pytest.mark.parametrize("since_ms", [0, 1000])
def test_a_button_that_is_jammed(since_ms):
    """One press if it was seen open, named after ten seconds, and a button again once it opens."""
    events = run(
        [(0, BLACK | OK * (since_ms == 0)), (since_ms, BLACK | OK), (14_000, BLACK), (15_000, BLACK | OK)], 16_000
    )
    told = [event for event in events if not isinstance(event, ButtonPressed)]
    assert [(type(event), event.part) for event in told] == [(Faulted, "button ok"), (Recovered, "button ok")]
    assert told[0].reason == "stuck_closed"
    assert 10_000 * MS <= told[0].at_ns - since_ms * MS <= 10_050 * MS
    assert [event.at_ns for event in presses(events)] == [ms * MS for ms in (since_ms, 15_000) if ms]


def test_a_button_that_chatters():
    """Named, and its presses believed no more until it has been quiet for five seconds."""
    script = [(0, BLACK)]
    for ms in range(1000, 6000, 100):
        script += [(ms, BLACK | ADJUST), (ms + 50, BLACK)]
    script += [(12_000, BLACK | ADJUST), (12_100, BLACK)]
    events = run(script, 13_000)
    assert len(presses(events)) == 9
    assert [(event.part, event.reason) for event in events if isinstance(event, Faulted)] == [
        ("button adjust_white", "chatter")
    ]
    assert presses(events)[-1].at_ns == 12_000 * MS


@pytest.mark.parametrize("low", [WHITE, BLACK])
@pytest.mark.parametrize("nudged_ms", [15, 30, 45])
def test_a_nudged_lever_with_one_contact_on_a_line_that_is_low(low, nudged_ms):
    """It has left its end and come back: no press, as with sound wires."""
    end = BLACK if low == WHITE else WHITE
    events = run([(0, end), (1000, 0), (1000 + nudged_ms, end)], low=[(500, low)])
    assert presses(events) == []


def test_wires_at_power_on_jam_no_button():
    """What a bad wire closes from the beginning is no button that is held."""
    assert run([(0, BLACK)], 12_000, low=[(0, OK | DRAW_WHITE)]) == []
    assert run([(0, BLACK)], 12_000, pulls=[(0, {BLACK: ADJUST | OK})]) == []
