"""Texts in tables and bars stand there as they are, brackets and all."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

from board_firmware.commands import conform, pgn, simulate
from board_firmware.plain import plain_console

NAME = "[red]a[b] :smile:.pgn"


class Terminal(io.StringIO):
    """A terminal that remembers."""

    def isatty(self):
        """It says so."""
        return True


def test_no_text_is_markup():
    """Neither a style nor a picture."""
    shown = io.StringIO()
    plain_console(shown).print(NAME)
    assert shown.getvalue() == NAME + "\n"


def test_articles_and_file_names_in_tables(capsys):
    """The articles of a case file, and a PGN file's name."""
    conform._print(Counter({"[4.3]": 1}), Counter(), [])
    assert "[4.3]" in capsys.readouterr().out
    shown = io.StringIO()
    simulate._print(simulate.Totals(), Path(NAME), "sure", shown)
    assert NAME in shown.getvalue()


def test_file_names_beside_bars(tmp_path):
    """Of both commands that read a long file."""
    path = tmp_path / "[x]"
    path.mkdir()
    path = path / "[red]a[b].pgn"
    path.write_text("*")
    for bar in (pgn._bar, simulate._bar):
        shown = Terminal()
        with path.open("rb") as file, bar(path, file, shown):
            pass
        assert path.name in shown.getvalue()
