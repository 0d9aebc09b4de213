"""The arbiter's desk for one board: rewinding, clocks, a waived penalty, evidence, and the report in his language."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def sit_down(sit, board, lang):
    """The arbiter at his desk."""
    desk = sit(board.address + "desk", lang)
    desk.page.get_by_label(desk.say("join.token")).fill(board.token)
    desk.button("join.enter")
    desk.page.locator("ol.log li").first.wait_for()
    return desk


def ruled(desk):
    """Confirm the dialog that is open."""
    desk.page.get_by_role("dialog").get_by_role("button", name=desk.say("desk.rule"), exact=True).click()
    desk.page.get_by_role("dialog").wait_for(state="detached")


def played(seat, origin, target, *shown):
    """A move, and the press of its clock."""
    seat.click(origin, target)
    seat.moves(*shown)
    seat.page.locator("body").press(" ")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_the_arbiter_sets_a_game_right(play, sit, lang) -> None:
    """A move taken back to, times set, a penalty waived, what was seen written down; all of it in his report."""
    board = play("--profile", "tournament", "--time", "5400+30")
    seat = sit(board.address)
    seat.button("ui.begin")
    seat.sees("prompt.to_move", side="white")
    desk = sit_down(sit, board, lang)
    played(seat, "e2", "e4", "e4")
    expect(seat.page.locator(".strip.black.running")).to_be_visible()
    played(seat, "e7", "e5", "e4", "e5")
    expect(seat.page.locator(".strip.white.running")).to_be_visible()

    desk.page.locator(".move", has_text="e4").click()
    expect(desk.page.get_by_label(desk.say("rule_form.ply"))).to_have_value("1")
    desk.page.get_by_label(desk.say("rule_form.author")).fill("A. Biter")
    ruled(desk)
    seat.sees("prompt.restore_both", clear=["e5"], place=["e7"])
    seat.button("ui.tidy")
    seat.moves("e4")
    needs = desk.page.locator(".needs")
    if needs.get_by_role("button", name=desk.say("ruling.resume"), exact=True).is_visible():
        needs.get_by_role("button", name=desk.say("ruling.resume"), exact=True).click()
        ruled(desk)

    desk.page.get_by_label(desk.say("desk.ruling"), exact=True).select_option("set-clock")
    desk.button("desk.rule")
    desk.page.get_by_label(desk.say("rule_form.clock_white")).fill("1:00:00")
    desk.page.get_by_label(desk.say("rule_form.clock_black")).fill("45:00")
    expect(desk.page.get_by_label(desk.say("rule_form.author"))).to_have_value("A. Biter")
    ruled(desk)
    expect(seat.page.locator(".strip.white .time")).to_have_text(re.compile(r"1:00:\d\d|59:\d\d"))
    expect(seat.page.locator(".strip.black .time")).to_have_text(re.compile(r"4[45]:\d\d"))

    seat.click("g8", "g6")
    seat.page.locator(".strip.black .clock").click()
    needs.get_by_role("button", name=desk.say("ruling.waive"), exact=True).click()
    ruled(desk)
    needs.get_by_role("button", name=desk.say("ruling.waive"), exact=True).wait_for(state="detached")

    desk.button("desk.note")
    desk.page.get_by_label(desk.say("desk.note_subject")).fill("white")
    desk.page.get_by_role("dialog").get_by_role("button", name=desk.say("desk.enter_note"), exact=True).click()
    expect(desk.page.locator("ol.log")).to_contain_text(desk.say("note.two-hands"))

    with desk.page.context.expect_page() as opened:
        desk.page.get_by_role("link", name=desk.say("desk.report"), exact=True).click()
    report = opened.value
    expect(report.locator("h2").last).to_have_text(desk.say("evidence.log"))
    expect(report.locator("html")).to_have_attribute("lang", lang)
    expect(report.locator("body")).to_contain_text(desk.say("evidence.ruling_by", author="A. Biter", ruling="rewind 1"))
