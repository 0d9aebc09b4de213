"""The page's files: every sentence they ask for exists, nothing comes from elsewhere, the drills are what they say."""

import json
import re
from importlib.resources import files

import pytest

from board_firmware.messages import catalogue
from board_firmware.web.shell import TYPES, VIEWS
from rules import Illegal, Legal, Position, PromotionNeeded
from rules.game import Game
from rules.move import Move

STATIC = files("board_firmware.web") / "static"
NAMES = sorted(one.name for one in STATIC.iterdir())
SCRIPTS = [name for name in NAMES if name.endswith(".js")]
TEXTS = {
    name: (STATIC / name).read_text(encoding="utf-8")
    for name in NAMES
    if not name.endswith((".woff2", ".txt"))  # the fonts and their licence
}
KEY = re.compile(r"""\bt\(\s*["']([\w.\-/*+]+)["']""")
FAMILY = re.compile(r"""\b(?:t|has)\(\s*`([\w.]+)\.\$\{""")


def test_every_file_has_a_known_type() -> None:
    """Nothing lies there that would not be served."""
    assert [name for name in NAMES if name.rpartition(".")[2] not in TYPES] == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_sentence_asked_for_exists(name: str) -> None:
    """Literal keys stand in the catalogue; composed ones name a family that does."""
    keys = set(catalogue("en"))
    families = {key.rsplit(".", 1)[0] for key in keys} | {key.split(".")[0] for key in keys}
    assert [key for key in KEY.findall(TEXTS[name]) if key not in keys] == []
    assert [family for family in FAMILY.findall(TEXTS[name]) if family not in families] == []


def test_every_sentence_of_the_interface_is_used() -> None:
    """What no file asks for is left over."""
    everything = "\n".join(TEXTS.values())
    python = "\n".join(
        (files("board_firmware.web") / name).read_text() for name in ("prompt.py", "audience.py", "server.py")
    )
    left = [
        key
        for key in catalogue("en")
        if key.split(".")[0]
        in ("ui", "prompt", "act", "game", "games", "replay", "bench", "join", "say", "desk", "nav")
        and key not in everything
        and key not in python
        and ("_" not in key or f'"{key.rpartition("_")[0]}"' not in everything)
        and f"{key.split('.')[0]}.${{" not in everything
    ]
    assert left == []


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_nothing_comes_from_elsewhere(name: str) -> None:
    """No address of another host but the names of XML's vocabularies: the page works on a network without the Internet."""
    found = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s\"')]*", TEXTS[name])
    assert [one for one in found if not one.startswith("http://www.w3.org/")] == []


def test_no_script_or_style_stands_in_the_shell() -> None:
    """The page's policy would refuse it."""
    html = TEXTS["shell.html"]
    assert re.findall(r"<script(?![^>]*src=)", html) == []
    assert "<style" not in html
    assert not re.search(r"\son\w+=|style=", html)


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_text_can_become_markup(name: str) -> None:
    """Nothing writes HTML; all text goes through textContent."""
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", TEXTS[name])


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_import_exists(name: str) -> None:
    """Each named file is there and exports what is taken from it."""
    for names, source in re.findall(r'import \{([^}]*)\} from "\./([\w.]+)"', TEXTS[name]):
        for one in names.split(","):
            word = one.split(" as ")[0].strip()
            assert re.search(rf"export (?:async )?(?:function|class|const|let) {word}\b", TEXTS[source]), (source, word)


def test_each_view_has_its_module() -> None:
    """What the shell names can be loaded."""
    for view in (*VIEWS.values(), "replay"):
        assert f"{'play' if view == 'watch' else view}.js" in NAMES


def drills():
    """The exercises as data."""
    text = TEXTS["drills.js"]
    body = text[text.index("[") : text.rindex("]") + 1]
    quoted = re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', body)
    return json.loads(re.sub(r",\s*\]$", "]", quoted))


@pytest.mark.parametrize("drill", drills(), ids=lambda drill: drill["id"])
def test_a_drill_is_what_it_says(drill) -> None:
    """Allowed, or forbidden for the one condition it names; each has its sentences."""
    game = Game.from_position(Position.from_fen(drill["fen"]))
    for move in drill["history"]:
        game = game.play(Move.from_uci(move))
    move = Move.from_uci(drill["move"])
    verdict = game.judge(move.from_square, move.to_square, move.promotion)
    if "reason" in drill:
        assert isinstance(verdict, Illegal)
        assert str(verdict.reasons[0].word) == drill["reason"]
    else:
        assert isinstance(verdict, Legal)
        if drill["group"] == "promotion":
            assert isinstance(game.judge(move.from_square, move.to_square), PromotionNeeded)
    for part in ("name", "task", "lesson"):
        assert f"drill.{drill['id']}.{part}" in catalogue("en")


def test_the_drills_cover_what_is_to_be_practised() -> None:
    """Six castlings, four captures in passing, three promotions."""
    groups = [drill["group"] for drill in drills()]
    assert [groups.count(one) for one in ("castling", "en_passant", "promotion")] == [6, 4, 3]


def test_the_stalemate_trap_is_one() -> None:
    """A queen would be stalemate, a rook wins."""
    position = Position.from_fen(next(one["fen"] for one in drills() if one["id"] == "promote_rook"))
    assert position.play(Move.from_uci("f7f8q")).is_stalemate()
    assert not position.play(Move.from_uci("f7f8r")).is_stalemate()
