"""A board on a cable that has no lever: its clock is pressed on the page, by the button or the space bar."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_the_page_presses_where_the_board_cannot(play, sit, tmp_path) -> None:
    """One board plays a real one at the end of a serial line; the other has nothing but its squares."""
    line = tmp_path / "board"
    wood = sit(play("--emulate", f"sentio:{line}", folder=tmp_path / "wood").address)
    wood.page.locator(".board .piece").first.wait_for()
    board = play("--board", f"sentio:{line}", "--time", "300+3", folder=tmp_path / "table")
    seat = sit(board.address)
    seat.sees("prompt.begin")
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    expect(seat.page.locator(".detail")).to_have_text(seat.say("ui.first_board"))
    seat.page.locator("body").press(" ")
    wood.click("e2", "e4")
    seat.sees("prompt.press", side="white")
    expect(seat.page.locator(".detail")).to_have_text(seat.say("ui.press_hint"))
    seat.picture("no-lever")
    expect(seat.page.locator(".strip.white.running .clock")).to_have_attribute("aria-disabled", "false")
    expect(seat.page.locator(".strip.black .clock")).to_have_attribute("aria-disabled", "true")
    seat.page.locator("body").press(" ")
    expect(seat.page.locator(".strip.black.running .time")).to_have_text(re.compile(r"(5:0|4:5)\d"))
    wood.click("e7", "e5")
    seat.sees("prompt.press", side="black")
    seat.page.locator(".strip.black .clock").click()
    expect(seat.page.locator(".strip.white.running")).to_be_visible()
    seat.moves("e4", "e5")


def test_the_space_bar_presses_the_simulated_lever(play, sit) -> None:
    """Also with a square in focus; before anything is played it does nothing."""
    seat = sit(play("--time", "300+3").address)
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    seat.page.locator("body").press(" ")
    seat.click("e2", "e4")
    seat.sees("prompt.press", side="white")
    seat.cell("e4").focus()
    seat.page.keyboard.press(" ")
    expect(seat.page.locator(".strip.black.running")).to_be_visible()
    seat.sees("prompt.to_move", side="black")
    assert seat.page.locator(".ghost").count() == 0, "the pawn was not lifted"


def test_after_a_takeback_the_clock_can_be_pressed_again(play, sit) -> None:
    """The lever is put back with the move."""
    seat = sit(play("--time", "300+3").address)
    seat.button("ui.begin")
    seat.click("e2", "e4")
    seat.sees("prompt.press", side="white")
    seat.page.locator("body").press(" ")
    expect(seat.page.locator(".strip.black.running")).to_be_visible()
    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name=seat.say("act.takeback"), exact=True).click()
    seat.button("ui.accept")
    seat.button("ui.tidy")
    seat.sees("prompt.to_move", side="white")
    seat.click("d2", "d4")
    seat.sees("prompt.press", side="white")
    seat.page.locator(".strip.white .clock").click()
    expect(seat.page.locator(".strip.black.running")).to_be_visible()
    seat.moves("d4")
