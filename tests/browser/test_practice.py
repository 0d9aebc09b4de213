"""Every exercise is really played on the board, in each language and at phone size, and the progress is kept."""

import re
from importlib.resources import files

import pytest

from board_firmware.messages import reason_sentence
from hal.squares import SQUARE_NAMES
from rules import Position
from rules.move import Move

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

LINE = re.compile(
    r'id: "(\w+)", group: "(\w+)", fen: "([^"]+)", history: \[([^\]]*)\], move: "(\w+)"(?:, reason: "(\w+)")?'
)
DRILLS = LINE.findall((files("board_firmware.web") / "static" / "drills.js").read_text(encoding="utf-8"))
ROOKS = {"e1g1": ("h1", "f1"), "e1c1": ("a1", "d1")}


def begin(seat, name):
    """Choose an exercise and wait until its board stands."""
    button = seat.page.locator(".drill", has=seat.page.get_by_text(seat.say(f"drill.{name}.name"), exact=True))
    with seat.page.expect_response(lambda answer: answer.url.endswith("/api/game")):
        button.click()
    expect(seat.page.locator(".task h2")).to_have_text(seat.say(f"drill.{name}.name"))
    expect(seat.page.locator(".verdict")).to_have_count(0)


def stands(seat, fen, history):
    """Wait for the pieces of the exercise's position."""
    position = Position.from_fen(fen)
    for move in re.findall(r'"(\w+)"', history):
        position = position.play(Move.from_uci(move))
    seat.page.wait_for_function(
        "wanted => [...document.querySelectorAll('.cell:has(.piece:not(.ghost))')]"
        ".map(one => one.dataset.square).sort().join() === wanted",
        arg=",".join(sorted(SQUARE_NAMES[square] for square in range(64) if position.occupied >> square & 1)),
    )
    seat.sees("prompt.to_move", side="white" if position.fen().split()[1] == "w" else "black")


def play_out(seat, group, move):
    """Make the move with the hand, to its end."""
    seat.click(move[:2], move[2:4])
    if group == "castling":
        rook = ROOKS[move]
        seat.sees("prompt.castling_rook", origin=rook[0], target=rook[1])
        seat.click(*rook)
    elif group == "en_passant":
        victim = move[2] + move[1]
        seat.sees("prompt.en_passant_victim", square=victim)
        seat.click(victim)
        seat.button("ui.lay_aside")
    else:
        seat.sees("ask.promotion_piece")
        seat.button(f"piece.{move[4]}")


@pytest.mark.parametrize(("lang", "phone"), [("en", False), ("ja", True), ("ko", True)])
def test_all_exercises_are_played(play, sit, lang, phone) -> None:
    """Each forbids or allows, and names the one condition; the progress outlives the page."""
    assert len(DRILLS) == 13
    board = play("--profile", "practice")
    seat = sit(board.address + "practice", lang, phone)
    for number, (name, group, fen, history, move, reason) in enumerate(DRILLS, 1):
        begin(seat, name)
        stands(seat, fen, history)
        if reason:
            seat.click(move[:2], move[2:4])
        else:
            play_out(seat, group, move)
        expect(seat.page.locator(".verdict.good")).to_have_text(seat.say("drill.right"))
        fact = reason_sentence({"word": reason}, lang) if reason else seat.say("drill.allowed")
        if group != "promotion":
            expect(seat.page.locator(".fact")).to_have_text(fact)
        seat.page.get_by_text(seat.say(f"drill.{name}.lesson"), exact=True).wait_for()
        seat.page.get_by_text(seat.say("drill.progress", done=number, all=13), exact=True).wait_for()
        if name in ("castle_through", "promote_rook", "ep_pinned"):
            seat.picture(f"drill-{name}-{lang}")
    seat.page.reload()
    seat.page.get_by_text(seat.say("drill.progress", done=13, all=13), exact=True).wait_for()


def test_the_stalemate_trap_says_what_it_was(play, sit) -> None:
    """A queen draws; the exercise is set up once more and won."""
    seat = sit(play("--profile", "practice").address + "practice")
    begin(seat, "promote_rook")
    _, group, fen, history, move, _ = next(one for one in DRILLS if one[0] == "promote_rook")
    stands(seat, fen, history)
    play_out(seat, group, move[:4] + "q")
    expect(seat.page.locator(".verdict.bad")).to_have_text(seat.say("drill.stalemate"))
    seat.button("drill.again")
    stands(seat, fen, history)
    play_out(seat, group, move)
    expect(seat.page.locator(".verdict.good")).to_be_visible()


def test_an_answer_without_a_move_is_judged(play, sit) -> None:
    """Allowed or not: the answer is weighed, and the reason is named either way."""
    seat = sit(play("--profile", "practice").address + "practice")
    begin(seat, "castle_rook_attacked")
    seat.button("drill.say_forbidden")
    expect(seat.page.locator(".verdict.bad")).to_have_text(seat.say("drill.wrong"))
    seat.button("drill.say_allowed")
    expect(seat.page.locator(".verdict.good")).to_have_text(seat.say("drill.right"))


def test_a_hint_shows_squares_and_no_move(play, sit) -> None:
    """The squares of the pieces that can move; a lifted piece lights where it may go; then they are gone."""
    seat = sit(play("--profile", "practice").address + "practice")
    seat.page.locator(".board .piece").first.wait_for()
    seat.button("drill.hint")
    hinted = seat.page.locator('.cell[data-marks~="hint"]')
    expect(hinted).to_have_count(10)
    seat.click("b1")
    expect(seat.page.locator('.cell[data-marks~="legal"]')).to_have_count(2)
    expect(hinted).to_have_count(0)


def test_a_game_on_the_board_is_not_thrown_away(play, sit) -> None:
    """An exercise asks before it takes the place of a game."""
    seat = sit(play().address + "practice")
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.page.locator(".drill").first.click()
    seat.page.get_by_role("dialog").get_by_text(seat.say("game.replace_note")).wait_for()
    seat.button("ui.cancel")
    seat.moves("e4")
