"""axe-core finds no serious fault of accessibility on any view, by day and by night, on a desk and on a phone."""

from pathlib import Path

import pytest

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ("", "watch", "practice", "games", "rules", "desk")


@pytest.fixture(scope="session")
def axe():
    """The checker's source."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm install in tests/browser)")
    return AXE.read_text()


def faults(seat, axe):
    """Serious and critical findings, each as a short text."""
    found = seat.page.evaluate(axe + "; axe.run({ resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("scheme", "phone"), [("light", False), ("dark", True)])
def test_no_serious_fault_on_any_view(play, sit, axe, scheme, phone) -> None:
    """With a game under way, a refusal shown, menus and dialogs open."""
    board = play()
    seat = sit(board.address, phone=phone, color_scheme=scheme)
    seat.click("e2", "e4")
    seat.moves("e4")
    seat.click("g8", "g6")
    seat.sees("prompt.restore_both", clear=["g6"], place=["g8"])
    found = {"refusal": faults(seat, axe)}
    seat.button("ui.actions_of", side="white")
    found["menu"] = faults(seat, axe)
    seat.page.keyboard.press("Escape")
    seat.page.get_by_text("Under the board").click()
    seat.button("game.new")
    found["dialog"] = faults(seat, axe)
    for view in VIEWS:
        seat.page.goto(board.address + view)
        seat.page.locator("main h1").first.wait_for(state="attached")
        seat.page.wait_for_timeout(400)
        found[view] = faults(seat, axe)
    seat.page.get_by_label("Token").fill(board.token)
    seat.button("join.enter")
    seat.page.locator(".log li").first.wait_for()
    found["desk, entered"] = faults(seat, axe)
    seat.page.goto(board.address + "games")
    seat.page.get_by_role("link", name="Replay").first.click()
    seat.page.locator(".replay").wait_for()
    found["replay"] = faults(seat, axe)
    assert {view: one for view, one in found.items() if one} == {}
