"""The lever and the buttons: presses, flight, faults."""

from __future__ import annotations

import pytest

from hal.board import ButtonPressed, Faulted, LeverMoved, Recovered
from hal.panel import Panel
from hal.wiring import default_wiring

MS = 1_000_000
WHITE, BLACK, ADJUST, OK = 1 << 0, 1 << 1, 1 << 2, 1 << 6


def run(script, until_ms=3_000):
    """The events of a panel whose contacts are set at (ms, contacts), scanned every 5 ms."""
    panel = Panel(default_wiring().panel, 15.0)
    events, contacts = [], 0
    script = dict(script)
    for ms in range(0, until_ms, 5):
        contacts = script.get(ms, contacts)
        events += panel.scan(contacts, ms * MS)
    return events


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
    assert Recovered(part="lever", at_ns=1500 * MS) in events
    assert LeverMoved(down="white", at_ns=1500 * MS) in events
    assert len(events) == 3


def test_both_contacts_closed_is_a_wiring_fault():
    """A changeover switch cannot do that."""
    events = run([(0, BLACK), (1000, BLACK | WHITE), (2000, BLACK)])
    assert Faulted(part="lever", reason="both_closed", at_ns=1010 * MS) in events
    assert any(isinstance(event, Recovered) for event in events)


@pytest.mark.parametrize(("contact", "name"), [(ADJUST, "adjust_white"), (OK, "ok")])
def test_buttons_say_their_names(contact, name):
    """Pressed for 25 ms or for a second: one press; for 15 ms: none."""
    for held_ms in (25, 1000):
        events = run([(0, BLACK), (500, BLACK | contact), (500 + held_ms, BLACK)])
        assert events == [ButtonPressed(button=name, at_ns=500 * MS)]
    assert run([(0, BLACK), (500, BLACK | contact), (515, BLACK)]) == []
