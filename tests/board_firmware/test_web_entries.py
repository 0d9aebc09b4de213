"""What people enter becomes a command, or a refusal that names the field."""

import pytest

from board_firmware.core.events import Answered, Chosen, Claimed, Resigned, Ruled
from board_firmware.web.entries import DESK, PLAYERS, VERBS, read_command, read_new_game


@pytest.mark.parametrize(
    ("record", "command"),
    [
        ({"command": "Chosen", "choice": "q"}, Chosen(choice="q", at_ns=0)),
        ({"command": "Answered", "yes": False}, Answered(yes=False, at_ns=0)),
        ({"command": "Resigned", "side": "white"}, Resigned(side="white", at_ns=0)),
        ({"command": "Claimed", "side": "black", "kind": "fifty"}, Claimed(side="black", kind="fifty", at_ns=0)),
        (
            {"command": "Claimed", "side": "black", "kind": "threefold", "move": "e2e4"},
            Claimed(side="black", kind="threefold", move="e2e4", at_ns=0),
        ),
        (
            {"command": "Ruled", "verb": "set-clock", "arguments": ["white", "90"], "author": "Å", "reason": ""},
            Ruled(verb="set-clock", arguments=("white", "90"), author="Å", at_ns=0),
        ),
        ({"command": "Resigned", "side": "white", "at_ns": 99}, Resigned(side="white", at_ns=0)),
    ],
)
def test_reads_commands(record, command) -> None:
    """Each field comes through; the time is the board's, never the page's."""
    assert read_command(record, DESK) == command


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (None, "a command is a JSON object"),
        ([], "a command is a JSON object"),
        ({}, "None cannot be entered here"),
        ({"command": "Tick"}, "'Tick' cannot be entered here"),
        ({"command": "GameStarted", "fen": "8/8"}, "'GameStarted' cannot be entered here"),
        ({"command": ["Chosen"]}, "cannot be entered here"),
        ({"command": "Chosen"}, "Chosen needs 'choice'"),
        ({"command": "Chosen", "choice": 5}, "Chosen.choice does not take '5'"),
        ({"command": "Chosen", "choice": "q" * 501}, "Chosen.choice does not take"),
        ({"command": "Chosen", "choice": "q\n"}, "Chosen.choice does not take"),
        ({"command": "Chosen", "choice": "q", "more": 1}, "Chosen has no field 'more'"),
        ({"command": "Answered", "yes": 1}, "Answered.yes does not take"),
        ({"command": "Resigned", "side": "red"}, "Resigned.side is one of white, black"),
        ({"command": "Resigned", "side": ["white"]}, "Resigned.side is one of"),
        ({"command": "Ruled", "verb": "explode"}, "'explode' is no ruling"),
        ({"command": "Ruled", "verb": "undo", "arguments": "x"}, "Ruled.arguments is a list"),
        ({"command": "Ruled", "verb": "undo", "arguments": ["x"] * 17}, "Ruled.arguments is a list"),
    ],
)
def test_refuses_with_a_sentence(record, fault) -> None:
    """Nothing malformed reaches the board."""
    with pytest.raises(ValueError, match=fault):
        read_command(record, DESK)


def test_players_enter_no_rulings_and_no_evidence() -> None:
    """Those are the desk's."""
    assert set(DESK) - set(PLAYERS) == {"Ruled", "Noted"}
    with pytest.raises(ValueError, match="cannot be entered here"):
        read_command({"command": "Ruled", "verb": "undo"}, PLAYERS)


def test_every_ruling_of_the_contract_is_known() -> None:
    """The verbs as the board understands them."""
    from board_firmware.core.arbiter import _VERBS

    assert frozenset(_VERBS) == VERBS


def test_reads_a_new_game() -> None:
    """Form fields become a request."""
    request = read_new_game({"control": "300+3", "profile": "practice", "tags": {"White": "Hill"}}, may_rule=False)
    assert (request.control, request.profile, dict(request.tags)) == ("300+3", "practice", {"White": "Hill"})


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"colour": "red"}, "no 'colour'"),
        ({"profile": "blitz"}, "profile is one of"),
        ({"profile": "tournament"}, "arbiter's desk"),
        ({"chess960_number": 960}, "0 to 959"),
        ({"tags": []}, "tags are"),
        ({"history": "e2e4"}, "history is a list"),
        ({"history": [1]}, "history does not take"),
        ({"fen": 1}, "fen does not take"),
        ({"control": {}}, "control does not take"),
    ],
)
def test_refuses_a_game_that_is_none(record, fault) -> None:
    """Each with a sentence; a tournament game is the arbiter's to begin."""
    with pytest.raises(ValueError, match=fault):
        read_new_game(record, may_rule=False)
