"""Faults that hide other squares than their part's own: what is masked is what is hidden, no more and no less."""

from __future__ import annotations

from board_firmware.core.event_json import from_json, to_json
from board_firmware.core.events import Faulted, Recovered
from hal.squares import squares_of_part
from tests.board_firmware.test_lost_sensors import Game

KINGS = "4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1"
FILE_A = squares_of_part("line file a")


def decided(decisions, kind):
    """How many decisions of a kind there are."""
    return sum(one.kind == kind for one in decisions)


def test_what_a_fault_hides_is_masked_and_nothing_else():
    """Its own square shows what stands there; the file that it hides is asked about."""
    game = Game(KINGS)
    decisions = game.give(Faulted, part="square h4", reason="diode", hidden=FILE_A)
    assert decided(decisions, "fault") == 1
    view = game.session.view()
    assert (view.outstanding, view.faulty) == (("square h4",), FILE_A)
    game.press("white")
    assert game.ask == ("which_move", ["a2a3", "a2a4"])


def test_what_is_hidden_may_change():
    """Told once as a fault; what is no longer hidden is believed again at once."""
    game = Game(KINGS)
    game.give(Faulted, part="line rank 4", reason="shorted", hidden=FILE_A)
    changed = game.give(Faulted, part="line rank 4", reason="shorted", hidden=1 << 63)
    assert decided(changed, "fault") == 0
    assert game.session.view().faulty == 1 << 63
    game.does("-a2", "+a4")
    game.press("white")
    assert (game.state["moves"], game.ask) == (["a2a4"], (None, None))


def test_two_faults_hide_the_same_square():
    """It is believed when the last of them is over."""
    game = Game(KINGS)
    game.give(Faulted, part="line file a", reason="dead_line")
    game.give(Faulted, part="square h4", reason="diode", hidden=FILE_A)
    game.give(Recovered, part="line file a")
    assert game.session.view().faulty == FILE_A
    game.give(Recovered, part="square h4")
    assert game.session.view().faulty == 0
    game.does("-a2", "+a4")
    game.press("white")
    assert game.state["moves"] == ["a2a4"]


def test_the_journal_keeps_what_is_hidden():
    """And leaves the field out where the part says it all, as older journals do."""
    for event in (
        Faulted(part="square h4", reason="diode", at_ns=1, hidden=FILE_A),
        Faulted(part="square h4", reason="diode", at_ns=1, hidden=0),
        Faulted(part="line file a", reason="dead_line", at_ns=1),
    ):
        assert from_json(to_json(event)) == event
    assert "hidden" not in to_json(Faulted(part="line file a", reason="dead_line", at_ns=1))
