"""A whole game through the page, in each language once and at phone size: every kind of move, refusal, claim and ruling."""

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


@pytest.mark.parametrize(("lang", "phone"), [("en", False), ("ja", True), ("ko", False)])
def test_a_whole_game(play, sit, lang, phone) -> None:
    """Castling, en passant, promotion, a touch-move refusal, an illegal move, a claim, and the arbiter's result."""
    board = play()
    seat = sit(board.address, lang, phone)
    seat.sees("prompt.to_move", side="white")
    seat.click("e2", "e4")
    seat.moves("e4")

    seat.click("b8", "b6")  # a knight does not go there
    seat.sees("prompt.restore_both", clear=["b6"], place=["b8"])
    seat.page.get_by_text(seat.say("reason.not_its_way").split("{")[0].strip("("), exact=False).first.wait_for()
    seat.picture(f"illegal-{lang}")
    seat.button("ui.tidy")
    seat.sees("prompt.must_move", side="black", square="b8")
    seat.click("e7", "e5")  # the knight was touched
    seat.sees("prompt.restore_both", clear=["e5"], place=["e7"])
    seat.picture(f"touch-{lang}")
    seat.button("ui.tidy")
    seat.sees("prompt.must_move", side="black", square="b8")
    seat.click("b8", "c6")
    seat.moves("e4", "Nc6")

    seat.click("e4", "e5")
    seat.moves("Nc6", "e5")
    seat.click("d7", "d5")
    seat.moves("e5", "d5")
    seat.click("e5", "d6")
    seat.sees("prompt.en_passant_victim", square="d5")
    seat.picture(f"en-passant-{lang}")
    seat.click("d5")
    seat.button("ui.lay_aside")
    seat.moves("d5", "exd6")

    for origin, target, *shown in (
        ("g8", "f6", "exd6", "Nf6"),
        ("d6", "c7", "Nf6", "dxc7"),
        ("c8", "d7", "dxc7", "Bd7"),
    ):
        seat.click(origin, target)
        seat.moves(*shown)
    seat.click("c7", "d8")
    seat.sees("ask.promotion_piece")
    seat.picture(f"promotion-{lang}")
    seat.button("piece.q")
    seat.moves("Bd7", "cxd8=Q+")
    seat.click("a8", "d8")
    seat.moves("cxd8=Q+", "Rxd8")
    for origin, target, san in (("g1", "f3", "Nf3"), ("g7", "g6", "g6"), ("f1", "c4", "Bc4"), ("f8", "g7", "Bg7")):
        seat.click(origin, target)
        seat.moves(san)
    seat.click("e1", "g1")
    seat.sees("prompt.castling_rook", origin="h1", target="f1")
    seat.picture(f"castling-{lang}")
    seat.click("h1", "f1")
    seat.moves("O-O")
    seat.click("e8", "g8", "h8", "f8")
    seat.moves("O-O", "O-O")

    seat.button("ui.actions_of", side="white")
    seat.page.get_by_role("menuitem", name=seat.say("act.claim"), exact=True).click()
    seat.button("act.claim_do")

    desk = sit(board.address + "desk", lang, phone)
    desk.page.get_by_label(desk.say("join.token")).fill(board.token)
    desk.button("join.enter")
    said = {"claim": desk.say("claim.threefold"), "side": "white", "correct": desk.say("desk.incorrect")}
    claim = desk.say("decision.claim_judged", **said)
    desk.page.locator(".log").get_by_text(claim).wait_for()
    desk.picture(f"desk-{lang}")
    desk.page.get_by_label(desk.say("desk.ruling")).select_option("result")
    desk.button("desk.rule")
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_label(desk.say("rule_form.result")).select_option("1/2-1/2")
    dialog.get_by_label(desk.say("rule_form.author")).fill("A. Biter")
    dialog.get_by_role("button", name=desk.say("desk.rule"), exact=True).click()
    for one in (desk, seat):
        one.sees("outcome.1/2-1/2")
    seat.page.get_by_text(seat.say("termination.arbiter"), exact=True).wait_for()
    seat.picture(f"ended-{lang}")

    seat.page.goto(board.address + "games")
    expect(seat.page.locator(".games .result")).to_have_text(f"½-½{seat.say('termination.arbiter')}")
    seat.page.get_by_role("link", name=seat.say("games.open")).first.click()
    seat.moves("O-O", "O-O")
    with seat.page.expect_download() as download:
        seat.page.get_by_role("link", name=seat.say("games.pgn")).click()
    pgn = download.value.path().read_text()
    wanted = "1. e4 Nc6 2. e5 d5 3. exd6 Nf6 4. dxc7 Bd7 5. cxd8=Q+ Rxd8 6. Nf3 g6 7. Bc4 Bg7 8. O-O O-O 1/2-1/2"
    assert wanted in " ".join(pgn.split())
    seat.picture(f"replay-{lang}")
