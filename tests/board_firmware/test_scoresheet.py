"""The scoresheet: final moves only, with their times, in files that are never half written."""

from __future__ import annotations

import os

import pytest

from board_firmware import scoresheet
from board_firmware.core.events import GameStarted, View
from board_firmware.scoresheet import Scoresheet, ScoresheetFile, replace_file
from rules import START_FEN
from rules.pgn import read_pgn

S_NS = 1_000_000_000


def started(**fields) -> GameStarted:
    """A game's first event."""
    return GameStarted(at_ns=0, **{"fen": START_FEN, "game_id": "g1", **fields})


def view(*moves: str, completed: bool = True, san: int | None = None, **state) -> View:
    """A view with these moves made."""
    return View(
        state={"moves": list(moves), "completed": completed, **state},
        san=("?",) * (len(moves) if san is None else san),
    )


def movetext(sheet: Scoresheet) -> str:
    """The last lines of the PGN, as one."""
    return " ".join(sheet.pgn().split("\n\n")[1].split())


def test_only_completed_moves_stand_in_it():
    """A made move can still be revised; it comes with its completion."""
    sheet = Scoresheet(started())
    assert not sheet.update(view("e2e4", completed=False), 1)
    assert movetext(sheet) == "*"
    assert sheet.update(view("e2e4"), 2)
    assert movetext(sheet) == "1. e4 *"
    assert not sheet.update(view("e2e4", "e7e5", completed=False), 3)


def test_what_is_taken_back_goes_again():
    """Takebacks and rewinds shorten the line; what is played instead stands there."""
    sheet = Scoresheet(started())
    sheet.update(view("e2e4", "e7e5", "g1f3"), 1)
    assert sheet.update(view("e2e4"), 2)
    sheet.update(view("e2e4", "c7c5"), 3)
    assert movetext(sheet) == "1. e4 c5 *"


def test_the_move_on_the_board_at_the_end_counts():
    """A resignation leaves the last made move unpressed; it was played all the same."""
    sheet = Scoresheet(started())
    sheet.update(view("e2e4", completed=False, status="ended", result="0-1", termination="resignation"), 1)
    assert movetext(sheet) == "1. e4 0-1"
    assert '[Termination "normal"]' in sheet.pgn()


def test_times_stand_with_each_move():
    """What the mover has left after his press, and what he took."""
    sheet = Scoresheet(started(control="300+3"))
    sheet.update(view("e2e4", clock_s={"white": 299.5, "black": 300.0}), 5 * S_NS)
    sheet.update(view("e2e4", "e7e5", clock_s={"white": 299.5, "black": 291.0}), 17 * S_NS)
    assert movetext(sheet) == "1. e4 {[%clk 0:04:59] [%emt 0:00:05]} 1... e5 {[%clk 0:04:51] [%emt 0:00:12]} *"
    assert '[TimeControl "300+3"]' in sheet.pgn()


def test_a_history_comes_first_without_times():
    """The moves with which a game is set up belong to its score."""
    sheet = Scoresheet(started(control="300", history=("e2e4", "e7e5")))
    sheet.update(view("g1f3", san=3, clock_s={"white": 290.0, "black": 300.0}), 10 * S_NS)
    assert movetext(sheet) == "1. e4 e5 2. Nf3 {[%clk 0:04:50] [%emt 0:00:10]} *"


def test_a_diagram_stands_in_its_tags():
    """Set-up, side and number to move."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"
    sheet = Scoresheet(started(fen=fen))
    sheet.update(view("e8d7", "e2e4"), 1)
    assert f'[FEN "{fen}"]\n[GameId "g1"]\n[SetUp "1"]' in sheet.pgn()
    assert movetext(sheet) == "7... Kd7 8. e4 *"
    assert [(number, white and white.san, black and black.san) for number, white, black in sheet.pairs()] == [
        (7, None, "Kd7"),
        (8, "e4", None),
    ]


def test_an_illegal_move_that_stands_ends_the_public_line():
    """No reader could play it: it stays in the journal, with all that follows."""
    sheet = Scoresheet(started())
    sheet.update(view("e2e4", "e7e4", "g1f3"), 1)
    assert movetext(sheet) == "1. e4 *"
    assert next(read_pgn(sheet.pgn().encode())).faults == ()


def test_a_position_set_by_the_arbiter_ends_the_public_line():
    """Moves from another diagram would be nonsense after the old ones."""
    sheet = Scoresheet(started())
    sheet.update(view("e2e4", "e7e5"), 1)
    sheet.update(view("e2e4", "e7e5", "g1f3", san=1), 2)
    assert movetext(sheet) == "1. e4 e5 *"


@pytest.mark.parametrize(
    ("termination", "tag"),
    [
        (None, "unterminated"), ("checkmate", "normal"), ("time", "time forfeit"), ("abandoned", "abandoned"),
        ("second_illegal_move", "rules infraction"), ("arbiter", "adjudication"), ("a_word_of_tomorrow", "unterminated"),
    ],
)  # fmt: skip
def test_the_termination_is_told_in_the_standards_words(termination, tag):
    """Every word has one; an unknown one is no crash."""
    sheet = Scoresheet(started())
    sheet.update(view(termination=termination), 1)
    assert f'[Termination "{tag}"]' in sheet.pgn()


def test_players_and_event_are_the_games_tags():
    """As they were given, with the date that the board knows."""
    sheet = Scoresheet(started(tags={"White": "Müller, Åke", "Event": 'The "Open"'}), date="2026-11-29")
    text = sheet.pgn()
    assert '[White "Müller, Åke"]' in text
    assert '[Event "The \\"Open\\""]' in text
    assert '[Date "2026.11.29"]' in text
    assert '[Date "????.??.??"]' in Scoresheet(started()).pgn()


def test_a_file_is_old_or_new_at_every_instant(tmp_path, monkeypatch):
    """Whatever step fails, the old text is still there whole."""
    path = tmp_path / "games" / "g1.pgn"
    replace_file(path, "old\n")
    for step in ("fsync", "replace"):
        with monkeypatch.context() as patched:

            def fail(*_):
                raise OSError(28, "No space left on device")

            patched.setattr(scoresheet.os, step, fail)
            with pytest.raises(OSError, match="No space left"):
                replace_file(path, "new\n")
        assert path.read_text() == "old\n"
    replace_file(path, "new\n")
    assert path.read_text() == "new\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["g1.pgn"]


def test_the_file_follows_the_game(tmp_path, caplog):
    """Written by a thread of its own, after each final move; a refused write is told when it happens and at the end."""
    file = ScoresheetFile(tmp_path)
    file.begin(Scoresheet(started()), "g1")
    file.write()
    file.update(view("e2e4"), 1)
    file.update(view("e2e4", "e7e5"), 2)
    file.close()
    assert file.path_of("g1").read_text().endswith("\n1. e4 e5 *\n")
    assert sorted(os.listdir(tmp_path)) == ["g1.pgn"]
    (tmp_path / "blocked").write_text("")
    blocked = ScoresheetFile(tmp_path / "blocked")
    blocked.begin(Scoresheet(started()), "g1")
    blocked.write()
    blocked.update(view("e2e4"), 1)
    with pytest.raises(OSError, match="exists|directory"):  # noqa: RUF043
        blocked.close()
    (said,) = caplog.messages
    assert "the PGN file cannot be written" in said
