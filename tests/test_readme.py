"""The README is kept true: every name of the walk exists, every link leads somewhere, the diagram is the table's."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from board_firmware.core.session import TRANSITIONS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`((?:rules|hal|board_firmware)\.[A-Za-z_.]+)`", TEXT)))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_walk_exists(name: str) -> None:
    """A dotted name is a module, or something in one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return
    raise AssertionError(name)


def test_the_walk_has_names() -> None:
    """The walk is told with real names, not in general words."""
    assert len(NAMES) >= 12


def test_the_diagram_is_drawn_from_the_table() -> None:
    """The README's states are those of `TRANSITIONS`, arrow by arrow."""
    arrows = re.findall(r"^ {4}(\w+) --> (\w+)$", TEXT, flags=re.MULTILINE)
    assert sorted(arrows) == sorted((one, other) for one, others in TRANSITIONS.items() for other in others)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http|#)([^)]+)\)", TEXT))))
def test_links_lead_somewhere(target: str) -> None:
    """A relative link names a file or folder of the project."""
    assert (ROOT / target).exists()
