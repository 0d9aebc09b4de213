"""The reader's language: what he chose, else what the board was told, else what his browser asks for."""

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def shown(seat):
    """The language that the page is in, by its markup and its words."""
    word = {"Play": "en", "対局": "ja", "대국": "ko"}[seat.page.locator(".bar nav a").first.inner_text()]
    assert seat.page.locator("html").get_attribute("lang") == word
    return word


def test_a_choice_is_kept_and_stronger_than_all_else(play, sit) -> None:
    """An address that names a language chooses it; the chooser chooses anew; both outlast the visit."""
    board = play("--lang", "ko")
    seat = sit(board.address, "en")
    assert shown(seat) == "ko", "the board was told; the browser is English"
    seat.page.goto(board.address + "rules?lang=ja")
    assert shown(seat) == "ja"
    seat.page.goto(board.address)
    assert shown(seat) == "ja"
    seat.page.goto(board.address + "rules?lang=ja#castling")
    with seat.page.expect_navigation():
        seat.page.get_by_label("言語").select_option("en")
    expect(seat.page.locator(".bar nav a").first).to_have_text("Play")
    assert seat.page.url == board.address + "rules#castling"
    seat.page.goto(board.address)
    assert shown(seat) == "en"


def test_without_a_word_the_browser_decides(play, sit) -> None:
    """And what it asked for is not taken for a choice."""
    board = play()
    seat = sit(board.address, "ja")
    assert shown(seat) == "ja"
    assert not [one for one in seat.page.context.cookies() if one["name"] == "touchmove_lang"]
