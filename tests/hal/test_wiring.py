"""Wiring as data: defaults, orientation, every kind of mistake named by file, section and key."""

from __future__ import annotations

import pytest

from hal.squares import parse_square
from hal.wiring import WiringError, default_text, default_wiring, parse_wiring, read_wiring


def test_the_default_is_the_documented_board():
    """Seventeen GPIOs for squares and panel, one for the buzzer, none twice."""
    wiring = default_wiring()
    assert len(wiring.gpios()) == 18
    assert wiring.matrix.panel == (21,)
    assert (wiring.debounce.close_ms, wiring.debounce.open_ms) == (60, 30)
    assert wiring.period_ns == 5_000_000
    assert parse_wiring(default_text(), "copy") == wiring


def test_drive_files_sense_ranks():
    """Drive line a and sense line 1 meet at a1, e and 4 at e4; with drives = ranks they change places."""
    wiring = default_wiring()
    assert wiring.square(0, 0) == parse_square("a1")
    assert wiring.square(4, 3) == parse_square("e4")
    assert parse_wiring('[matrix]\ndrives = "ranks"', "f").square(3, 4) == parse_square("e4")


MCP23017 = '[scanner]\nkind = "mcp23017"\n'
MCP23S17 = '[scanner]\nkind = "mcp23s17"\n'


@pytest.mark.parametrize(
    ("turn_deg", "mirror", "a1", "h1"),
    [
        (0, "false", "a1", "h1"),
        (90, "false", "a8", "a1"),
        (180, "false", "h8", "a8"),
        (270, "false", "h1", "h8"),
        (0, "true", "h1", "a1"),
    ],
)
def test_orientation(turn_deg, mirror, a1, h1):
    """A board turned or mirrored under the squares still names them right, each square once."""
    wiring = parse_wiring(f"[orientation]\nturn_deg = {turn_deg}\nmirror = {mirror}", "f")
    assert wiring.square(0, 0) == parse_square(a1)
    assert wiring.square(7, 0) == parse_square(h1)
    assert {wiring.square(drive, sense) for drive in range(8) for sense in range(8)} == set(range(64))


@pytest.mark.parametrize(
    ("text", "section", "key", "word"),
    [
        ("[matrixx]", "matrixx", "", "no section"),
        ("matrix = 3", "matrix", "", "section"),
        ("[matrix]\nsettel_us = 30", "matrix", "settel_us", "settle_us"),
        ("[matrix]\ndrive = [1, 2]", "matrix", "drive", "must name 8"),
        ('[matrix]\ndrive = "a"', "matrix", "drive", "list"),
        ("[matrix]\npanel = [5]", "matrix", "panel", "twice"),
        ("[matrix]\npanel = []", "matrix", "panel", "1 or 2"),
        ("[matrix]\npanel = [40]", "matrix", "panel", "header"),
        ("[buzzer]\ngpio = 21", "buzzer", "gpio", "twice"),
        ("[scanner]\nperiod_ms = 500", "scanner", "period_ms", "1 to 50"),
        ('[scanner]\nperiod_ms = "fast"', "scanner", "period_ms", "number"),
        ('[scanner]\nkind = "hall"', "scanner", "kind", "matrix"),
        ("[debounce]\nclose_ms = 1000", "debounce", "close_ms", "250"),
        ("[debounce]\nopen_ms = -1", "debounce", "open_ms", "0 or more"),
        ("[panel]\nlever_white = 2", "panel", "lever_black", "twice"),
        ("[panel]\nlever_white = 9", "panel", "lever_white", "1 to 8"),
        ("[panel]\nlever_white = 0", "panel", "lever_black", "both or neither"),
        ("[panel]\nlever_ms = 900", "panel", "lever_ms", "250"),
        ("[panel.buttons]\nok = 17", "panel", "buttons", "1 to 16"),
        ("[panel.buttons]\nok = 12", "panel", "ok", "1 to 8"),
        ("[orientation]\nturn_deg = 45", "orientation", "turn_deg", "one of"),
        ("[orientation]\nmirror = 1", "orientation", "mirror", "true or false"),
        ("[lamps]\nbrightness_percent = 0", "lamps", "brightness_percent", "1 to 100"),
        ("[lamps]\nrefresh_hz = 0", "lamps", "refresh_hz", "over 0"),
        ('[lamps]\ndevice = ""', "lamps", "device", "text"),
        ("[bus]\ni2c = 1.5", "bus", "i2c", "whole"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "bus", "addresses", "5 chips"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x20]", "bus", "addresses", "0x20 is named twice"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x3C]", "bus", "addresses", "0x3c is no address"),
        (MCP23S17 + "[bus]\naddresses = [0, 1, 2, 3, 4]", "bus", "addresses", "0x00 is no address"),
        (MCP23S17 + "[bus]\naddresses = [0x20, 0x21, 0x22]", "bus", "addresses", "4 chips"),
        (MCP23017, "panel", "ok", "1 to 6"),
        (MCP23S17 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "panel", "lever_white", "squares alone"),
        (MCP23S17 + "[panel.buttons]\nok = 16\nback = 17", "panel", "buttons", "1 to 16"),
        (
            '[scanner]\nkind = "shift_register"\n[matrix]\npanel = [21, 15]\n[panel.buttons]\nok = 9',
            "panel",
            "ok",
            "1 to 8",
        ),
        ("= nonsense", "file", "", "TOML"),
    ],
)
def test_mistakes_are_named(text, section, key, word):
    """File, section and key are in the error and in its sentence."""
    with pytest.raises(WiringError) as caught:
        parse_wiring(text, "my.toml")
    error = caught.value
    assert (error.file, error.section, error.key) == ("my.toml", section, key)
    assert "my.toml" in str(error)
    assert word in str(error)


def test_contacts_that_chips_do_read():
    """Six MCP23017 and five MCP23S17 have room for a whole panel; without one four MCP23S17 do."""
    six = parse_wiring(f"{MCP23017}[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]", "f")
    assert six.panel.buttons["back"] == 8
    assert parse_wiring(MCP23S17 + "[panel.buttons]\nok = 16", "f").panel.buttons == {"ok": 16}
    bare = "[panel]\nlever_white = 0\nlever_black = 0\nbuttons = {}\n"
    parse_wiring(f"{MCP23S17}{bare}[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "f")


def test_files_are_read_over_the_defaults(tmp_path):
    """A file says only what differs; what is no text is an error, what is missing an OSError."""
    path = tmp_path / "board.toml"
    path.write_text("[scanner]\nperiod_ms = 10\n")
    assert read_wiring(path).period_ns == 10_000_000
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(WiringError, match="UTF-8"):
        read_wiring(path)
    with pytest.raises(FileNotFoundError):
        read_wiring(tmp_path / "none.toml")
