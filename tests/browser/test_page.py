"""What else the page promises: keyboard and speech, clocks, the spectators' view, practice, restarts."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_a_move_by_keyboard_is_made_and_said(play, sit) -> None:
    """Arrows and Enter on the board; the move list is announced."""
    seat = sit(play().address)
    seat.cell("e2").focus()
    seat.page.keyboard.press("Enter")
    expect(seat.cell("e2")).to_have_attribute("aria-label", re.compile("White pawn, lifted"))
    seat.page.keyboard.press("ArrowUp")
    seat.page.keyboard.press("ArrowUp")
    seat.page.keyboard.press("Enter")
    seat.moves("e4")
    expect(seat.page.locator("#spoken")).to_have_text("White: pawn e4")
    expect(seat.cell("e4")).to_have_attribute("aria-label", re.compile("^e4, White pawn, last move"))


def test_a_key_pressed_before_the_board_has_said_what_stands_on_it(play, sit) -> None:
    """It waits for the answer: the first news of the board are held back until the key is pressed."""
    seat = sit(play().address)
    held, is_held = [], True
    seat.page.route("**/api/stream/**", lambda route: held.append(route) if is_held else route.continue_())
    with seat.page.expect_request("**/api/stream/**"):
        seat.page.reload()
    seat.cell("e2").focus()
    seat.page.keyboard.press("Enter")
    is_held = False
    for route in held:  # on a slow machine the page may have asked again
        route.continue_()
    expect(seat.cell("e2")).to_have_attribute("aria-label", re.compile("White pawn, lifted"))


def test_escape_puts_the_piece_back(play, sit) -> None:
    """The knight has been touched all the same."""
    seat = sit(play().address)
    seat.cell("g1").focus()
    seat.page.keyboard.press("Enter")
    seat.sees("prompt.place_lifted", side="white", square="g1")
    seat.page.keyboard.press("Escape")
    seat.sees("prompt.must_move", side="white", square="g1")


def test_a_piece_is_dragged(play, sit) -> None:
    """Pressed, moved, let go."""
    seat = sit(play().address)
    start, end = seat.cell("e2").bounding_box(), seat.cell("e4").bounding_box()
    seat.page.mouse.move(start["x"] + 30, start["y"] + 30)
    seat.page.mouse.down()
    seat.page.mouse.move(start["x"] + 30, start["y"] - 20, steps=4)
    seat.page.mouse.move(end["x"] + 30, end["y"] + 30, steps=6)
    seat.page.mouse.up()
    seat.moves("e4")
    seat.click("d7", "d5")
    seat.moves("e4", "d5")


def test_the_clock_is_pressed_and_runs(play, sit) -> None:
    """Begin, move, press: the other clock counts down."""
    board = play("--time", "300+3")
    seat = sit(board.address)
    seat.sees("prompt.begin")
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    seat.click("e2", "e4")
    seat.sees("prompt.press", side="white")
    seat.page.locator(".strip.white .clock").click()
    expect(seat.page.locator(".strip.black.running .time")).to_have_text(re.compile(r"5:0[0-2]"))
    expect(seat.page.locator(".strip.white .time")).to_have_text(re.compile(r"5:0\d"))
    seat.picture("clocks")


def test_a_spectator_sees_the_moves_and_moves_nothing(play, sit) -> None:
    """The same picture without hands."""
    board = play()
    seat, watcher = sit(board.address), sit(board.address + "watch")
    seat.click("e2", "e4")
    watcher.moves("e4")
    watcher.cell("e7").click()
    watcher.page.get_by_role("button", name="New game").wait_for(state="detached")
    seat.sees("prompt.to_move", side="black")
    assert watcher.cell("e7").locator(".piece:not(.ghost)").count() == 1


def test_an_offer_is_made_and_accepted(play, sit) -> None:
    """From one side's menu to the other side's answer."""
    seat = sit(play().address)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.click("e7", "e5")
    seat.moves("e4", "e5")
    seat.click("g1", "f3")
    seat.moves("Nf3")
    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name="Offer a draw").click()
    seat.page.get_by_role("dialog").get_by_role("button", name="Offer a draw").click()
    seat.page.get_by_text("White offers a draw.").wait_for()
    seat.button("ui.accept")
    seat.sees("outcome.1/2-1/2")
    seat.page.locator(".question").get_by_role("button", name="New game").click()
    seat.page.get_by_role("dialog").get_by_role("button", name="Set up").click()
    seat.sees("prompt.to_move", side="white")
    seat.click("d2", "d4")
    seat.moves("d4")


def test_a_drill_forbids_and_names_the_condition(play, sit) -> None:
    """Tried on the board; progress is kept over a reload."""
    seat = sit(play().address + "practice")
    seat.page.get_by_role("button", name="A crossing square attacked").click()
    expect(seat.cell("a6")).to_have_attribute("aria-label", re.compile("Black bishop"))
    seat.sees("prompt.to_move", side="white")
    seat.click("e1", "g1")
    seat.page.locator(".verdict.good").wait_for()
    seat.page.get_by_text("Castling through check (f1 is attacked by Ba6)", exact=False).wait_for()
    seat.picture("practice")
    seat.page.reload()
    seat.page.get_by_text("1 of 13 exercises done").wait_for()


def test_a_drill_of_promotion_wants_the_right_piece(play, sit) -> None:
    """A queen falls into the trap, a rook is right."""
    seat = sit(play().address + "practice")
    seat.page.get_by_role("button", name="Not a queen this time").click()
    expect(seat.cell("f7")).to_have_attribute("aria-label", re.compile("White pawn"))
    seat.sees("prompt.to_move", side="white")
    seat.click("f7", "f8")
    seat.button("piece.r")
    seat.page.locator(".verdict.good").wait_for()
    expect(seat.cell("f8")).to_have_attribute("aria-label", re.compile("White rook"))


def test_legal_squares_light_up_in_practice(play, sit) -> None:
    """Where the lifted piece may go, and nowhere else."""
    seat = sit(play("--profile", "practice").address + "practice")
    seat.click("g1")
    expect(seat.cell("f3")).to_have_attribute("data-marks", "legal")
    expect(seat.cell("h3")).to_have_attribute("data-marks", "legal")
    assert seat.page.locator('[data-marks~="legal"]').count() == 2


def test_a_page_left_open_recovers_from_a_restart(play, sit) -> None:
    """It says that the board is gone, comes back by itself with the game, and plays on."""
    board = play()
    seat = sit(board.address)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.click("e7", "e5")
    seat.moves("e4", "e5")
    board.stop()
    seat.page.locator(".link").wait_for(state="visible")
    board.start()
    seat.page.locator(".link").wait_for(state="hidden", timeout=20_000)
    seat.click("g1", "f3")
    seat.moves("e5", "Nf3")


def test_an_illegal_move_in_a_tournament_is_ruled_on_at_the_desk(play, sit) -> None:
    """The player's screen tells no duty; the clock is paused at the press; the arbiter applies the penalty and resumes."""
    board = play("--profile", "tournament", "--time", "5400+30")
    seat, desk = sit(board.address), sit(board.address + "desk")
    desk.page.get_by_label("Token").fill(board.token)
    desk.button("join.enter")
    seat.sees("prompt.begin")
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    seat.click("g1")
    expect(desk.page.locator(".facts")).to_contain_text("must move g1")
    seat.sees("prompt.to_move", side="white")
    seat.click("g3")
    seat.page.locator(".strip.white .clock").click()
    seat.sees("prompt.restore_both", clear=["g3"], place=["g1"])
    needs = desk.page.locator(".needs")
    expect(needs).to_contain_text("120 seconds more for one side (Black)")
    needs.get_by_role("button", name="Apply the penalty").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Rule", exact=True).click()
    expect(desk.page.locator(".log")).to_contain_text("Ruled: Apply the penalty")
    needs.get_by_role("button", name="Apply the penalty").wait_for(state="detached")
    desk.picture("desk-tournament")
    seat.button("ui.tidy")
    seat.sees("prompt.arbiter")
    needs.get_by_role("button", name="Resume the clocks").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Rule", exact=True).click()
    seat.sees("prompt.to_move", side="white")
    seat.click("g1", "f3")
    seat.moves("Nf3")


def test_promotion_by_setting_a_piece_on_a_lit_square(play, sit) -> None:
    """Each lit square carries its letter; a piece set there and lifted again answers."""
    board = play("--fen", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    seat = sit(board.address)
    seat.sees("prompt.to_move", side="white")
    seat.click("a7", "a8")
    seat.sees("ask.promotion_piece")
    lit = seat.page.locator(".cell[data-marks~=promotion] .mark")
    assert sorted(lit.evaluate_all("all => all.map(one => one.dataset.letter)")) == ["B", "N", "Q", "R"]
    seat.picture("promotion-squares")
    square = seat.page.locator(".cell:has(.mark[data-letter=R])").get_attribute("data-square")
    seat.click(square)
    seat.moves("a8=R")
    expect(seat.cell("a8")).to_have_attribute("aria-label", re.compile("White rook"))


def test_the_reeds_are_shown_as_they_are(play, sit) -> None:
    """Under the board: closed where a piece stands, open where it was lifted, and a fault where one was switched on."""
    seat = sit(play().address)
    seat.page.get_by_text("Under the board").click()
    seat.page.get_by_label("Show the switches").check()
    expect(seat.cell("e2")).to_have_attribute("data-reed", "closed")
    seat.click("e2")
    expect(seat.cell("e2")).to_have_attribute("data-reed", "open")
    seat.page.get_by_label("Square", exact=True).fill("e5")
    seat.page.get_by_label("Fault", exact=True).select_option("stuck_closed")
    seat.button("bench.break")
    expect(seat.cell("e5")).to_have_attribute("data-fault", "stuck_closed")
    expect(seat.cell("e5")).to_have_attribute("data-reed", "closed")
    seat.picture("bench")
