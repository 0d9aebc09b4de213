"""What each audience may see of a step."""

import json

from board_firmware.web.audience import Memory, for_desk, for_players, for_spectators
from tests.board_firmware.web_desk import decision, step, view

TOUCHED = decision("touched", "4.3.1", square="g1", side="white", obligation="move:g1")
MADE = decision("move_made", "4.7", move="g1f3")


def test_everything_shown_is_json() -> None:
    """Each form goes over the wire as it is."""
    for form in (for_desk, for_players, for_spectators):
        assert json.loads(json.dumps(form(step(3, TOUCHED)))) == form(step(3, TOUCHED))


def test_the_desk_sees_all() -> None:
    """Duties, reports, decisions and what caused them."""
    shown = for_desk(step(3, TOUCHED, shown=view("tournament", obligation="move:g1")))
    assert shown["state"]["obligation"] == "move:g1"
    assert [one["kind"] for one in shown["decisions"]] == ["touched"]
    assert shown["cause"] == "Tick"


def test_a_friendly_player_sees_the_duty() -> None:
    """The page teaches it."""
    assert for_players(step(3, TOUCHED, shown=view(obligation="move:g1")))["state"]["obligation"] == "move:g1"


def test_a_tournament_player_sees_no_duty_no_report_no_legal_move() -> None:
    """Only the game itself (12.6)."""
    report = ["touch_move_violation:g1"]
    board = {"ask": "which_capture", "confidence": "ambiguous", "report": report, "candidates": ["e4d5"]}
    one = view("tournament", obligation="move:g1", violations=["touch_move:g1"], board=board, allowed=["g1f3"])
    shown = for_players(step(3, TOUCHED, MADE, shown=one))
    text = json.dumps(shown)
    assert "move:g1" not in text
    assert "touch_move" not in text
    assert "e4d5" not in text
    assert shown["state"]["board"] == {"ask": None, "report": [], "confidence": "certain"}
    assert [one["kind"] for one in shown["decisions"]] == ["move_made"]


def test_a_tournament_player_is_asked_what_is_his_to_answer() -> None:
    """The promotion piece is his choice; which capture it was is the arbiter's question."""
    board = {"ask": "promotion_piece", "confidence": "ambiguous", "report": []}
    assert for_players(step(3, shown=view("tournament", board=board)))["state"]["board"]["ask"] == "promotion_piece"


def test_spectators_see_moves_clocks_and_the_result() -> None:
    """None of the board's cares, in any profile."""
    restore = {"place": ["e2"], "clear": ["e5"]}
    one = view("friendly", status="irregularity", restore=restore, obligation="move:e2", san=("e4",))
    shown = for_spectators(step(3, TOUCHED, shown=one))
    assert shown["san"] == ["e4"]
    assert shown["prompt"]["key"] == "prompt.to_move"
    assert "restore" not in shown["state"]
    assert "occupancy" not in shown
    assert (shown["decisions"], shown["lamps"]) == ([], {})


def test_adjusting_shows_until_it_ends() -> None:
    """Announced by one side, over when the board says so."""
    memory = Memory()
    memory.take(step(1, decision("adjusting_announced", "4.2.1", side="black")))
    memory.take(step(2))
    assert memory.as_json()["adjusting"] == "black"
    memory.take(step(3, decision("adjusting_ended", side="black")))
    assert memory.as_json()["adjusting"] is None


def test_a_questions_moves_are_named() -> None:
    """In SAN where the position knows them, else as they are."""
    board = {"ask": "which_capture", "confidence": "ambiguous", "report": [], "candidates": ["e4d5", "e4f5"]}
    fen = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
    assert for_players(step(3, shown=view(board=board, fen=fen)))["candidates"] == {"e4d5": "exd5", "e4f5": "exf5"}
    assert for_players(step(3, shown=view(board=board)))["candidates"] == {"e4d5": "e4d5", "e4f5": "e4f5"}


def test_a_refusal_is_remembered_until_the_board_is_right() -> None:
    """It stays over later steps of the same trouble and goes with it."""
    memory = Memory()
    wrong = view(status="irregularity", restore={"place": ["e2"], "clear": ["e5"]})
    refused = decision("move_illegal", "3.10", move="e2e5", reasons=[{"word": "not_its_way", "squares": [], "by": []}])
    memory.take(step(1, refused, shown=wrong))
    memory.take(step(2, shown=wrong))
    assert memory.as_json()["trouble"]["move"] == "e2e5"
    memory.take(step(3, decision("board_restored"), shown=view()))
    assert memory.as_json()["trouble"] is None


def test_a_takeback_is_open_until_answered_or_overtaken() -> None:
    """The other player sees the request as long as it can be answered."""
    memory = Memory()
    memory.take(step(1, decision("takeback_asked", side="white")))
    memory.take(step(2))
    assert memory.as_json()["takeback"] == "white"
    memory.take(step(3, decision("takeback_declined", side="black")))
    assert memory.as_json()["takeback"] is None
