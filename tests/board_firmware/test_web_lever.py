"""The page presses where a board has no lever, and nowhere else."""

from types import SimpleNamespace

import pytest

from board_firmware.core.events import LeverMoved, Tick
from board_firmware.web.lever import PageLever
from tests.board_firmware.web_desk import FakeDesk, step, view, with_page

RUNNING = view(clock="white", clock_s={"white": 300.0, "black": 300.0})


def reeds(lever):
    """A board of reeds with this line for White's end of the lever, 0 for none."""
    return SimpleNamespace(wiring=SimpleNamespace(panel=SimpleNamespace(lever_white=lever)))


def moved(side):
    """The lever has gone down on a side."""
    return step(2, event=LeverMoved(down=side, at_ns=2_000_000), shown=RUNNING)


def test_a_wired_lever_is_pressed_at_the_board() -> None:
    """Unless it does not work."""
    lever = PageLever(reeds(9))
    with pytest.raises(ValueError, match="a lever of its own"):
        lever.press("white", RUNNING.state)
    broken = step(2, shown=view(clock="white"))
    object.__setattr__(broken.view, "outstanding", ("lever",))
    lever.follow(broken)
    assert lever.press("white", RUNNING.state) == LeverMoved(down="white", at_ns=0)


def test_a_board_without_a_lever_is_pressed_here() -> None:
    """By the side whose clock runs, once."""
    lever = PageLever(reeds(0))
    assert lever.is_needed
    with pytest.raises(ValueError, match="black's clock is not running"):
        lever.press("black", RUNNING.state)
    with pytest.raises(ValueError, match="one of white, black"):
        lever.press("both", RUNNING.state)
    assert lever.press("white", RUNNING.state) == LeverMoved(down="white", at_ns=0)
    with pytest.raises(ValueError, match="white's clock is not running"):
        lever.press("white", RUNNING.state)
    lever.follow(moved("white"))
    assert lever.is_needed, "the press was ours"
    assert lever.press("white", RUNNING.state).down == "white"


def test_a_lever_that_moves_by_itself_is_the_boards_own() -> None:
    """A serial board does not say that it has one before it is pressed."""
    lever = PageLever(object())
    lever.follow(step(2, event=Tick(at_ns=1)))
    assert lever.is_needed
    lever.follow(moved("black"))
    assert not lever.is_needed


def test_the_press_goes_through_the_page_to_the_board() -> None:
    """With the page's token, and with the players' where there is one."""

    async def test(desk, browser):
        assert (await browser.post("/api/press", {"side": "white"}))[0] == 403
        await browser.open()
        assert (await browser.post("/api/press", {"side": "white"}))[0] == 403
        assert (await browser.post("/api/join", {"token": "pawn"}))[0] == 200
        assert (await browser.post("/api/press", {"side": "black"}))[0] == 409
        assert await browser.post("/api/press", {"side": "white"}) == (200, {})
        assert desk.posted == [LeverMoved(down="white", at_ns=0)]

    with_page(test, FakeDesk(board=reeds(0), first=step(1, shown=RUNNING)), player_token="pawn")


def test_the_simulated_lever_is_pressed_by_hand() -> None:
    """There is no second path into the game."""

    async def test(desk, browser):
        await browser.open()
        assert (await browser.post("/api/press", {"side": "white"}))[0] == 409

    with_page(test)
