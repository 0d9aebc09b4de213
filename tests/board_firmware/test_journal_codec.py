"""Events and decisions as text: the same bytes each time, and back to the same values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core import events
from board_firmware.core.event_json import CLASSES
from board_firmware.core.events import Decision
from board_firmware.journal.codec import decisions_of, decisions_text, event_of, event_text, line_of
from board_firmware.journal.schema import Row

TEXT = st.text(max_size=8)
PLAIN = st.dictionaries(TEXT, st.one_of(st.integers(-(2**53), 2**53), TEXT, st.booleans()), max_size=3)
BY_FIELD = {
    "square": st.integers(0, 63), "occupied": st.booleans(), "piece": st.none() | st.sampled_from("PNBRQKpnbrqk"),
    "ms": st.floats(0, 1000, allow_nan=False), "occupancy": st.integers(0, 2**64 - 1), "yes": st.booleans(),
    "seconds": st.floats(0, 1e5, allow_nan=False), "history": st.lists(TEXT, max_size=3).map(tuple),
    "arguments": st.lists(TEXT, max_size=3).map(tuple), "line": st.lists(TEXT, max_size=3).map(tuple), "prior": PLAIN,
    "settings": PLAIN, "tags": st.dictionaries(TEXT, TEXT, max_size=3), "chess960": st.booleans(),
    "nodes": st.integers(0, 10**6), "scan_ns": st.integers(0, 10**9), "at_ns": st.integers(0, 2**62),
    "move": st.none() | TEXT,
}  # fmt: skip


@st.composite
def any_event(draw):
    """An event of any class, with any values."""
    from dataclasses import fields

    cls = draw(st.sampled_from(list(CLASSES.values())))
    return cls(**{one.name: draw(BY_FIELD.get(one.name, TEXT)) for one in fields(cls)})


def row_of(event, decisions=()):
    """A row that holds them."""
    return Row(
        seq=3, boot=1, game=1, at_ns=event.at_ns, wall_ms=5, trusted=True, event=event_text(event),
        decisions=decisions_text(decisions), chain=bytes(32),
    )  # fmt: skip


@given(any_event())
def test_an_event_comes_back_the_same(event):
    """Every class, every field; the time is the row's own."""
    assert event_of(row_of(event)) == event
    assert event_text(event_of(row_of(event))) == event_text(event)
    assert "at_ns" not in json.loads(event_text(event))


def test_every_event_of_the_core_can_be_kept():
    """A new class is in the journal's words as soon as it exists."""
    assert set(CLASSES) >= {"GameStarted", "SquareChanged", "Ruled", "Restarted", "Analysed", "Tick"}
    assert all(name in events.__all__ for name in CLASSES)


def test_decisions_are_kept_in_the_contracts_form():
    """One list; nothing for none."""
    decisions = (
        Decision(kind="touched", at_ns=1_234_567_890, final=False, article="4.3", details={"square": "e2"}),
        Decision(kind="board_restored", at_ns=0),
    )
    assert decisions_text(decisions) == (
        '[{"at_s":1.235,"kind":"touched","square":"e2","final":false,"article":"4.3"},{"at_s":0.0,"kind":"board_restored"}]'
    )
    assert decisions_text(()) == ""
    event = events.Tick(at_ns=1)
    assert decisions_of(row_of(event, decisions)) == [decision.as_json() for decision in decisions]
    assert decisions_of(row_of(event)) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"event":"Nothing"}', '{"event":"Tick","x":1}', '{"event":"Tick"', '{"event":7}']
)
def test_what_cannot_be_read_names_its_row(text):
    """Damaged or from another version: a ``ValueError`` with the row's number."""
    row = Row(seq=17, boot=1, game=1, at_ns=0, wall_ms=0, trusted=False, event=text, decisions="", chain=bytes(32))
    with pytest.raises(ValueError, match="row 17"):
        event_of(row)


def test_a_row_is_a_line_of_json():
    """For export: times, event, decisions, hash."""
    line = json.loads(line_of(row_of(events.Tick(at_ns=9))))
    assert line == {
        "seq": 3, "boot": 1, "at_ns": 9, "wall_ms": 5, "trusted": True, "event": {"event": "Tick"}, "decisions": [],
        "chain": "00" * 32,
    }  # fmt: skip
