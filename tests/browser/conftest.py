"""A real browser against a real board: the whole program runs, in its own folders, on a free port."""

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from board_firmware.messages import sentence

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
ARTEFACTS = Path(__file__).resolve().parents[2] / "test-artefacts" / "screenshots"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items):
    """Everything here needs a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, driven by Playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (group browser)")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


class RunningBoard:
    """``touchmove play`` in folders of its own; restarted on the same port it goes on with its game."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.options = options
        self.port = 0
        self.start()

    def start(self):
        """Start it and wait for the line that says where the page is."""
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "board_firmware", "play", "--port", str(self.port), *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
        )  # fmt: skip
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"(http://127\.0\.0\.1:(\d+)/) \(arbiter's token ([\w-]+)\)", line)
            if found:
                self.address, self.port, self.token = found[1], int(found[2]), found[3]
                self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)
                self.reader.start()
                return
        raise AssertionError(f"the board did not start: {''.join(said)}")

    def stop(self):
        """End it as a service is ended."""
        self.process.terminate()
        assert self.process.wait(20) == 0
        self.reader.join(5)
        self.process.stdout.close()


@pytest.fixture
def play(tmp_path):
    """Start boards; all are stopped at the end."""
    boards = []

    def start(*options, folder=tmp_path):
        board = RunningBoard(folder, *options)
        boards.append(board)
        return board

    yield start
    for board in boards:
        if board.process.poll() is None:
            board.stop()


class Seat:
    """Someone before the page."""

    def __init__(self, page, lang="en"):
        self.page = page
        self.lang = lang
        self.expect = pytest.importorskip("playwright.sync_api").expect

    def say(self, key, **fields):
        """A sentence of the catalogue in the reader's language."""
        return sentence(key, self.lang, **fields)

    def cell(self, square):
        """A square of the board."""
        return self.page.locator(f'[data-square="{square}"]')

    def click(self, *squares):
        """Click squares one after the other: the hand has what the board answers before it goes on."""
        self.page.locator(".board .piece").first.wait_for()
        for square in squares:
            with self.page.expect_response(lambda answer: answer.url.endswith("/api/hand")):
                self.cell(square).click()

    def button(self, key, **fields):
        """Press the button with this sentence."""
        self.page.get_by_role("button", name=self.say(key, **fields), exact=True).click()

    def sees(self, key, **fields):
        """Wait until the board's sentence is this one."""
        self.expect(self.page.locator(".sentence")).to_have_text(self.say(key, **fields), timeout=8000)

    def moves(self, *san):
        """Wait until the move list ends with these moves."""
        self.page.wait_for_function(
            "wanted => [...document.querySelectorAll('.move')].map(one => one.textContent).slice(-wanted.length).join(' ')"
            " === wanted.join(' ')",
            arg=list(san), timeout=8000,
        )  # fmt: skip

    def picture(self, name):
        """Keep a picture of the page."""
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(ARTEFACTS / f"{name}.png"), full_page=True)


@pytest.fixture
def sit(chromium):
    """Open a page as somebody; errors in its console fail the test."""
    contexts = []
    wrong = []

    def open_page(address, lang="en", phone=False, **more):
        size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 900}
        locale = {"en": "en-GB", "ja": "ja-JP", "ko": "ko-KR"}[lang]
        context = chromium.new_context(locale=locale, viewport=size, has_touch=phone, is_mobile=phone, **more)
        context.add_init_script("try { localStorage.setItem('figurines', 'false') } catch {}")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on(
            "response", lambda answer: wrong.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None
        )
        page.goto(address)
        page.locator(".bar a").first.wait_for()
        seat = Seat(page, lang)
        seat.wrong = wrong
        return seat

    yield open_page
    for context in contexts:
        context.close()
    assert [one for one in wrong if "ERR_CONNECTION_REFUSED" not in one and "ERR_INCOMPLETE" not in one] == []
