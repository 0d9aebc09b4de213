"""The simulated board as a hand uses it: sliding, two hands, pieces laid aside and fetched again."""

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def centre(seat, square):
    """The middle of a square on the screen."""
    box = seat.cell(square).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_piece_slides_over_the_squares_between(play, sit) -> None:
    """Dragged with Shift it stays on the board; the reeds on the way close and open, and the move is read all the same."""
    seat = sit(play("--fen", CASTLING).address)
    seat.sees("prompt.to_move", side="white")
    seat.page.keyboard.down("Shift")
    seat.page.mouse.move(*centre(seat, "a1"))
    seat.page.mouse.down()
    for rank in "23456":
        seat.page.mouse.move(*centre(seat, f"a{rank}"), steps=5)
    with seat.page.expect_response(lambda answer: answer.url.endswith("/api/hand")) as said:
        seat.page.mouse.up()
    seat.page.keyboard.up("Shift")
    assert said.value.request.post_data_json == {"do": "drag", "square": "a1", "path": ["a2", "a3", "a4", "a5", "a6"]}
    seat.moves("Ra6")


def test_two_hands_hold_king_and_rook(play, sit) -> None:
    """Both in the air at once, each set down by its own hand."""
    seat = sit(play("--fen", CASTLING).address)
    seat.sees("prompt.to_move", side="white")
    seat.click("e1", "h1")
    hands = seat.page.locator(".held .token")
    expect(hands).to_have_count(2)
    hands.first.click()
    expect(hands.first).to_have_attribute("aria-pressed", "true")
    seat.click("g1", "f1")
    seat.moves("O-O")


def test_a_victim_is_laid_aside_and_comes_back(play, sit) -> None:
    """Off the board, into the hand again, and home: touched, and therefore to be taken."""
    seat = sit(play("--fen", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").address)
    seat.sees("prompt.to_move", side="white")
    seat.click("d5")
    seat.button("ui.lay_aside")
    beside = seat.page.get_by_role("button", name=seat.say("ui.beside", piece="Black pawn"))
    with seat.page.expect_response(lambda answer: answer.url.endswith("/api/hand")):
        beside.click()
    seat.click("d5")
    expect(seat.cell("d5").locator(".piece:not(.ghost)")).to_have_count(1)
    seat.click("e4", "d5")
    seat.moves("exd5")
