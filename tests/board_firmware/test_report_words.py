"""The arbiter's page in three languages: labels and sentences in his, the machine's words in its own."""

import re

import pytest

from board_firmware.core.events import (
    AdjustPressed,
    Blipped,
    BoardSnapshot,
    Claimed,
    Decision,
    GameStarted,
    LeverMoved,
    Ruled,
    SquareChanged,
    Tick,
)
from board_firmware.core.session import Session
from board_firmware.journal.archive import JournalArchive
from board_firmware.journal.report_words import Words
from tests.board_firmware.test_archive import Journalled, opened

EVENTS = (
    SquareChanged(square=12, occupied=False, at_ns=0), SquareChanged(square=12, occupied=True, at_ns=0),
    Blipped(square=9, ms=7.4, at_ns=0), LeverMoved(down="black", at_ns=0), BoardSnapshot(occupancy=7, at_ns=0),
    Ruled(verb="resume", arguments=("white",), author="Kim", reason="light", at_ns=0), Ruled(verb="undo", at_ns=0),
    AdjustPressed(side="white", at_ns=0), Claimed(side="white", kind="fifty", at_ns=0),
)  # fmt: skip
DECISIONS = (
    Decision(kind="claim_judged", at_ns=0, details={"claim": "fifty", "side": "white", "correct": False}),
    Decision(kind="fault", at_ns=0, details={"part": "square e4", "reason": "stuck_open"}),
    Decision(kind="violation_recorded", at_ns=0, details={"violation": "touch_move:g1"}),
    Decision(kind="game_over", at_ns=0, details={"result": "1-0", "termination": "checkmate"}),
    Decision(
        kind="move_illegal", at_ns=0, details={"move": "b1b3", "reasons": [{"word": "not_its_way", "squares": ["b1"]}]}
    ),
)  # fmt: skip
SCRIPTS = {"ja": re.compile(r"[぀-ヿ一-鿿]"), "ko": re.compile(r"[가-힣]")}


@pytest.mark.parametrize("lang", ["ja", "ko"])
def test_everything_is_told_in_the_readers_language(lang) -> None:
    """Events and decisions alike; none reads as in English."""
    here, english = Words(lang), Words("en")
    said = [(here.told(one), english.told(one)) for one in EVENTS]
    said += [(here.decided(one), english.decided(one)) for one in DECISIONS]
    for ours, theirs in said:
        assert SCRIPTS[lang].search(ours), ours
        assert ours != theirs
        assert "…" not in ours, "no placeholder is left open"


def test_english_says_what_happened() -> None:
    """One of each."""
    words = Words("en")
    assert words.told(EVENTS[2]) == "b2 open for 7 ms"
    assert words.told(EVENTS[5]) == "ruling by Kim: resume white (light)"
    assert words.told(EVENTS[6]) == "ruling: undo"
    assert words.told(EVENTS[8]) == "entered: Claimed white fifty"
    assert [words.decided(one) for one in DECISIONS] == [
        "Claim judged: Fifty moves (White, not upheld)", "Fault: switch under e4",
        "Breach: Touched and did not play it (g1)", "Game over: 1-0 (Checkmate)",
        "Illegal move (b1b3): this piece does not move like that (b1)",
    ]  # fmt: skip
    assert words.decided(Decision(kind="something_new", at_ns=0)) == "something new"
    assert words.penalty({"kind": "add_time", "to": "black", "seconds": 120}).startswith("120 seconds")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_the_page_is_marked_with_its_language_and_keeps_the_machines_words(tmp_path, lang) -> None:
    """Headings of the language, the decisions' names of the contract."""
    path = tmp_path / "journal.sqlite"
    journal = opened(path)
    core = Journalled(journal)
    core.receive(GameStarted(at_ns=0, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", control="300"))
    core.receive(SquareChanged(square=12, occupied=False, at_ns=10**9))
    core.receive(SquareChanged(square=28, occupied=True, at_ns=2 * 10**9))
    core.receive(Tick(at_ns=3 * 10**9))
    core.receive(LeverMoved(down="white", at_ns=4 * 10**9))
    assert journal.close() == 0
    page = JournalArchive(path, Session).report("g1", lang)
    words = Words(lang)
    assert f'<html lang="{lang}">' in page
    for key in ("evidence.moves", "evidence.end", "evidence.log", "evidence.unbroken"):
        assert words.say(key) in page
    assert "move_completed move=e2e4 side=white" in page
    assert words.decided(Decision(kind="clock_pressed", at_ns=0, details={"side": "white"})) in page
