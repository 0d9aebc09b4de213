"""The questions that a board of reeds has to ask, and their answers through the page."""

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def broken(seat, *squares):
    """Switch on a fault under these squares."""
    seat.page.get_by_text("Under the board").click()
    for square in squares:
        seat.page.get_by_label("Square", exact=True).fill(square)
        seat.page.get_by_label("Fault", exact=True).select_option("stuck_closed")
        seat.button("bench.break")
        expect(seat.cell(square)).to_have_attribute("data-fault", "stuck_closed")


def test_which_capture_is_asked_and_answered(play, sit) -> None:
    """Two victims whose switches stay closed: the pawn took one of them, and only people know which."""
    seat = sit(play("--time", "300+3", "--fen", "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1").address)
    seat.sees("prompt.begin")
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    broken(seat, "d5", "f5")
    seat.click("e4", "d5")
    seat.page.locator(".strip.white .clock").click()
    seat.page.locator(".question button").first.wait_for()
    seat.picture("which-capture")
    seat.page.locator(".question").get_by_role("button", name="exd5", exact=True).click()
    seat.moves("exd5")


def test_a_knock_is_put_right_and_confirmed(play, sit) -> None:
    """Several pieces swept aside; put back by the hand, confirmed by the players."""
    seat = sit(play().address)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.page.get_by_text("Under the board").click()
    seat.page.get_by_label("Square", exact=True).fill("d7")
    seat.button("bench.knock")
    seat.page.locator(".waiting[data-tone=wrong], .waiting[data-tone=ask]").wait_for()
    seat.picture("knock")
    seat.button("ui.tidy_short")
    confirm = seat.page.get_by_role("button", name="Yes", exact=True)
    confirm.or_(seat.page.get_by_text("Black to move", exact=True)).first.wait_for()
    if confirm.is_visible():
        confirm.click()
    seat.sees("prompt.to_move", side="black")
    seat.click("d7", "d5")
    seat.moves("e4", "d5")


def test_a_move_is_taken_back_by_agreement(play, sit) -> None:
    """Asked by one side, accepted by the other, and put back on the board."""
    seat = sit(play().address)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name="Ask to take back").click()
    seat.page.get_by_text("White asks to take the last move back.").wait_for()
    seat.button("ui.accept")
    seat.button("ui.tidy")
    seat.sees("prompt.to_move", side="white")
    seat.page.get_by_text("No moves yet").wait_for()
    seat.click("d2", "d4")
    seat.moves("d4")


def test_pieces_are_adjusted_without_touching(play, sit) -> None:
    """Announced first: the knight goes back and nobody owes a move with it."""
    seat = sit(play().address)
    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name="Adjust pieces").click()
    seat.page.get_by_text("White is adjusting pieces.").wait_for()
    seat.click("g1", "g1")
    seat.page.wait_for_function("document.querySelectorAll('.ghost').length === 0")
    seat.button("ui.adjusted")
    seat.page.get_by_text("White is adjusting pieces.").wait_for(state="detached")
    seat.sees("prompt.to_move", side="white")
    seat.click("e2", "e4")
    seat.moves("e4")


def test_a_takeback_over_a_stuck_switch_has_words(play, sit) -> None:
    """The pieces are put back, one switch says otherwise, and the players are believed."""
    seat = sit(play().address)
    seat.click("e2", "e4")
    seat.moves("e4")
    broken(seat, "e4")
    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name="Ask to take back").click()
    seat.button("ui.accept")
    expect(seat.page.locator(".why")).to_have_text(seat.say("refused.move_taken_back").capitalize(), ignore_case=True)
    seat.button("ui.tidy")
    seat.sees("prompt.restore_clear", clear=["e4"])
    expect(seat.page.locator(".detail")).to_have_text(seat.say("ui.reed_doubt"))
    seat.button("ui.insist")
    seat.sees("prompt.to_move", side="white")
    seat.page.get_by_text("Not working: switch under e4").wait_for()
    seat.click("d2", "d4")
    seat.moves("d4")


def test_a_piece_that_no_switch_sees_has_been_set_down(play, sit) -> None:
    """The player says so, and names his move."""
    seat = sit(play().address)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.page.get_by_text("Under the board").click()
    seat.page.get_by_role("button", name=seat.say("bench.pick")).click()
    seat.cell("d5").click()
    expect(seat.page.get_by_label("Square", exact=True)).to_have_value("d5")
    seat.page.get_by_label("Fault", exact=True).select_option("stuck_open")
    seat.button("bench.break")
    seat.click("d7", "d5")
    seat.page.get_by_role("button", name=seat.say("ui.set_down")).click()
    seat.sees("ask.which_move")
    expect(seat.page.locator(".question").get_by_role("button")).to_have_text(
        ["d5", "d6", seat.say("ui.none_of_these")]
    )
    seat.page.locator(".question").get_by_role("button", name="d5", exact=True).click()
    seat.moves("e4", "d5")
