"""The building instructions: pictures and tables are those of the data, links lead somewhere, words are explained."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hal.overlays import conflicts
from hal.wiring import default_text, default_wiring, parse_wiring

DOCS = Path(__file__).resolve().parents[2] / "hardware_docs"
PAGES = sorted(DOCS.glob("*.md"))


@pytest.fixture(scope="module")
def draw():
    """The script that draws."""
    spec = importlib.util.spec_from_file_location("draw", DOCS / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_and_tables_are_up_to_date(draw):
    """Drawn again from wiring, reed model and configuration they are the files that lie here, to the byte."""
    for path, text in draw.drawn().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python hardware_docs/draw.py"
    assert draw.main(["--check"]) == 0


def test_pictures_are_svg(draw):
    """Well-formed, titled, with something in them."""
    for path in draw.drawn():
        if path.suffix == ".svg":
            root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
            assert root.tag.endswith("svg")
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            assert len(list(root.iter())) > 15


def test_pin_tables_and_default_toml_are_one():
    """Every GPIO of the default TOML stands in the table of wiring.md with its signal, and no other is a line of ours."""
    text = (DOCS / "wiring.md").read_text(encoding="utf-8")
    rows = {
        int(gpio): signal
        for _, gpio, signal in re.findall(r"^\| (\d+) \| (\d+) \| ((?:drive|sense|buzzer).*?) \|$", text, re.MULTILINE)
    }
    wires = {gpio: use for gpio, use in default_wiring().gpios().items() if not use.startswith("spi")}
    assert rows == wires
    given = tomllib.loads(default_text())["matrix"]
    assert [rows[gpio] for gpio in given["drive"]] == [f"drive file {name}" for name in "abcdefgh"]
    assert [rows[gpio] for gpio in given["sense"]] == [f"sense rank {name}" for name in "12345678"]


def test_header_pins(draw):
    """The header's own map: 28 GPIOs, each once, and a few that everybody knows."""
    gpios = [what for what in draw.HEADER if isinstance(what, int)]
    assert sorted(gpios) == list(range(28))
    assert len(draw.HEADER) == 40
    assert [draw.header_pin(gpio) for gpio in (2, 4, 14, 21, 10, 7)] == [3, 7, 8, 40, 19, 26]


def test_every_key_has_its_meaning():
    """Each line of the default TOML says what it is; the page shows the whole file."""
    for line in default_text().splitlines():
        if re.match(r"\w+ = ", line):
            assert "#" in line, line
    assert default_text().rstrip() in (DOCS / "configuration.md").read_text(encoding="utf-8")


def test_the_config_txt_of_the_guide_frees_our_lines():
    """What the assembly guide writes into config.txt conflicts with nothing in the wiring."""
    text = (DOCS / "assembly.md").read_text(encoding="utf-8")
    (config,) = re.findall(r"```\n(dtparam=.*?)```", text, re.DOTALL)
    assert conflicts(default_wiring(), config) == {}
    assert re.findall(r"^\[.*\]$", config, re.MULTILINE)[-1] == "[all]", "what is added below would be for one model"


def test_the_readme_sets_the_pi_up_as_the_guide_does():
    """The same commands: lgpio from apt, and a venv that sees it."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    guide = (DOCS / "assembly.md").read_text(encoding="utf-8")
    for line in (
        "sudo apt install git python3-venv python3-lgpio",
        "python3 -m venv --system-site-packages ~/touchmove-venv",
        "~/touchmove-venv/bin/pip install . ",
    ):
        assert f"\n{line}" in readme
        assert f"\n{line}" in guide


def test_the_chain_of_the_guide_opens_beside_the_lamps(draw):
    """Its file is a wiring, its config.txt line gives it all its pins, and its picture and tables are drawn from it."""
    text = (DOCS / "wiring.md").read_text(encoding="utf-8")
    (file,) = re.findall(r"<!-- chain file -->\n```toml\n(.*?)```", text, re.DOTALL)
    chain = parse_wiring(file, "wiring.md")
    assert (chain.scanner.kind, chain.lamps.driver) == ("shift_register", "ws2812")
    assert conflicts(chain, "dtoverlay=spi0-2cs") == {}
    for claim in chain.claims():
        if claim.section == "bus" and not claim.use.endswith(("MOSI", "CE0")):
            assert f"GPIO{claim.gpio} (header pin {draw.header_pin(claim.gpio)})" in text, claim


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Every relative link and picture is a file of the repository."""
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (DOCS / target).exists(), f"{page.name} links to {target}"


def test_every_fault_word_is_explained():
    """Each reason that the wired board reports stands in the guide's table."""
    text = (DOCS / "assembly.md").read_text(encoding="utf-8")
    source = DOCS.parent / "hal"
    words = set()
    for name in ("health.py", "continuity.py", "panel.py", "reed_board.py", "attempts.py", "assembly.py"):
        written = (source / name).read_text(encoding="utf-8")
        words |= set(re.findall(r'reason="(\w+)"', written))
        words |= set(
            re.findall(
                r'"(dead_line|shorted|shorted_together|diode|stuck_open|stuck_closed|both_open|both_closed)"', written
            )
        )
    assert len(words) >= 9
    for word in words:
        assert f"`{word}`" in text, word
