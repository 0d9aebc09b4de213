"""Wiring as data: defaults, orientation, every kind of mistake named by file, section and key."""

from __future__ import annotations

import pytest

from hal.squares import parse_square
from hal.wiring import BUTTONS, default_text, default_wiring, parse_wiring, read_wiring
from hal.wiring_values import BOUNDS, WiringError

MCP23S17 = '[scanner]\nkind = "mcp23s17"\n[lamps]\ndriver = "none"\n[buzzer]\ngpio = 0\n'
MCP23017 = '[scanner]\nkind = "mcp23017"\n'
SIX = "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]\n"
CHAIN = '[scanner]\nkind = "shift_register"\n[buzzer]\ngpio = 22\n'


def test_the_default_is_the_documented_board():
    """Seventeen GPIOs for squares and panel, one for the buzzer, three for the lamps' bus, none twice."""
    wiring = default_wiring()
    assert len(wiring.gpios()) == len(wiring.claims()) == 21
    assert wiring.gpios()[10] == "spi0 MOSI"
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
        ("[matrix]\npanel = [2, 3, 9]", "matrix", "panel", "2 at most"),
        ("[matrix]\npanel = []\n[panel]\nlever_white = 1\nlever_black = 2", "panel", "lever_white", "no panel line"),
        ("[matrix]\npanel = []\n[panel.buttons]\nok = 7", "panel.buttons", "ok", "no panel line"),
        ("[matrix]\nsense = [2, 17, 27, 22, 18, 23, 24, 25]", "matrix", "sense", "GPIO2 can be no sense line"),
        ("[matrix]\nsense = [4, 17, 27, 22, 18, 23, 24, 3]", "matrix", "sense", "0.9 V"),
        ("[matrix]\npanel = [40]", "matrix", "panel", "header"),
        ("[buzzer]\ngpio = 21", "buzzer", "gpio", "twice"),
        ("[scanner]\nperiod_ms = 500", "scanner", "period_ms", "1 to 50"),
        ('[scanner]\nperiod_ms = "fast"', "scanner", "period_ms", "number"),
        ('[scanner]\nkind = "hall"', "scanner", "kind", "matrix"),
        ("[debounce]\nclose_ms = 1000", "debounce", "close_ms", "250"),
        ("[debounce]\nopen_ms = -1", "debounce", "open_ms", "1 to 250"),
        ("[panel]\nlever_white = 2", "panel", "lever_black", "twice"),
        ("[panel]\nlever_white = 9", "panel", "lever_white", "1 to 8"),
        ("[panel]\nlever_white = 0", "panel", "lever_black", "both or neither"),
        ("[panel]\nlever_ms = 900", "panel", "lever_ms", "250"),
        ("[panel.buttons]\nok = 17", "panel.buttons", "ok", "1 to 16"),
        ("[panel.buttons]\nok = true", "panel.buttons", "ok", "1 to 16"),
        ("[panel.buttons]\nok = 12", "panel.buttons", "ok", "1 to 8"),
        ("[panel.buttons]\nokay = 7", "panel.buttons", "okay", "no button; there are ok, back"),
        ("[panel.buttons]\nadjust_wite = 3", "panel.buttons", "adjust_wite", "adjust_white"),
        ("[panel.buttons]\nstart = 3", "panel.buttons", "start", "twice: for adjust_white too"),
        ("[panel]\nbuttons = 3", "panel", "buttons", "table"),
        ("[orientation]\nturn_deg = 45", "orientation", "turn_deg", "one of"),
        ("[orientation]\nmirror = 1", "orientation", "mirror", "true or false"),
        ("[lamps]\nbrightness_percent = 0", "lamps", "brightness_percent", "1 to 100"),
        ("[lamps]\nrefresh_hz = 0", "lamps", "refresh_hz", "1 to 100"),
        ('[lamps]\ndevice = ""', "lamps", "device", "text"),
        ("[bus]\ni2c = 1.5", "bus", "i2c", "whole"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "bus", "addresses", "5 chips"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x20]", "bus", "addresses", "0x20 is named twice"),
        (MCP23017 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x3C]", "bus", "addresses", "0x3c is no address"),
        (MCP23S17 + "[bus]\naddresses = [0, 1, 2, 3, 4]", "bus", "addresses", "0x00 is no address"),
        (MCP23S17 + "[bus]\naddresses = [0x20, 0x21, 0x22]", "bus", "addresses", "4 chips"),
        (MCP23S17 + "[bus]\naddresses = [32.5, 33, 34, 35]", "bus", "addresses", "a list of whole numbers"),
        (MCP23S17 + "[bus]\naddresses = [320.0, 33, 34, 35]", "bus", "addresses", "0x140 is no address"),
        (MCP23S17 + "[bus]\naddresses = [nan]", "bus", "addresses", "a list of whole numbers"),
        (MCP23017, "panel.buttons", "ok", "1 to 6"),
        (MCP23S17 + "[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "panel", "lever_white", "squares alone"),
        (CHAIN + "[matrix]\npanel = [21, 15]\n[panel.buttons]\nok = 9", "panel.buttons", "ok", "1 to 8"),
        ("[bus]\nload = 40", "bus", "load", "2 to 27"),
        (
            '[lamps]\ndriver = "ht16k33"\n[display]\ndriver = "ssd1306"\naddress = 0x70',
            "display",
            "address",
            "0x70 is used twice: by [lamps] driver too",
        ),
        ("[display]\naddress = false", "display", "address", "8 to 119"),
        ("[display]\naddress = 3", "display", "address", "8 to 119"),
        ("[scanner]\nperiod_ms = 10\n[panel]\nlever_ms = 10", "panel", "lever_ms", "period_ms = 10"),
        ("[panel]\nlever_ms = 9", "panel", "lever_ms", "at least 10"),
        ("[scanner]\nperiod_ms = 11", "panel", "button_ms", "at least 22"),
        ("[scanner]\nperiod_ms = 20\n[panel]\nbutton_ms = 40", "debounce", "open_ms", "at least 40"),
        ("[debounce]\nclose_ms = 9", "debounce", "close_ms", "at least 10"),
        ("[scanner]\nperiod_ms = 2\n[matrix]\nsettle_us = 250", "matrix", "settle_us", "9 lines"),
        ("[matrix]\nsettle_us = 4", "matrix", "settle_us", "5 to 1000"),
        ("[matrix]\nsettle_us = 500\npanel = [21, 15]", "matrix", "settle_us", "10 lines"),
        (CHAIN + "[bus]\nspeed_khz = 17", "bus", "speed_khz", "88 bits"),
        (MCP23S17 + "[bus]\nspeed_khz = 80", "bus", "speed_khz", "400 bits"),
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


@pytest.mark.parametrize(
    ("text", "latency_ms"),
    [
        ("", 65),
        ("[scanner]\nperiod_ms = 10", 70),
        ("[debounce]\nclose_ms = 61", 70),
        ("[debounce]\nopen_ms = 250", 255),
        ("[panel]\nlever_ms = 100", 105),
        ("[panel]\nbutton_ms = 80", 85),
        ("[matrix]\npanel = []\n[panel]\nlever_ms = 100\nbutton_ms = 80", 65),
    ],
)
def test_what_happened_is_told_within_the_longest_debounce_and_a_scan(text, latency_ms):
    """Of those that are used, in whole scans."""
    assert parse_wiring(text, "t").latency_ns == latency_ms * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "[scanner]\nperiod_ms = 20\n[matrix]\npanel = []\n[debounce]\nopen_ms = 40",
        CHAIN + "[bus]\nspeed_khz = 18",
        CHAIN + "[matrix]\nsettle_us = 1000",
        MCP23S17 + "[bus]\nspeed_khz = 81",
        "[bus]\nspeed_khz = 10",
    ],
)
def test_what_a_board_has_not_needs_no_time(text):
    """Neither a panel without contacts, nor lines without a matrix, nor a bus on which nothing is read."""
    parse_wiring(text, "my.toml")


@pytest.mark.parametrize(("period_ms", "lever_ms"), [(1, 10), (5, 10), (6, 12), (10, 20)])
def test_the_lever_takes_two_scans_unless_told_otherwise(period_ms, lever_ms):
    """A slower board needs no second key: the press bears the time of its first edge all the same."""
    assert parse_wiring(f"[scanner]\nperiod_ms = {period_ms}", "my.toml").panel.lever_ms == lever_ms
    assert parse_wiring(f"[scanner]\nperiod_ms = {period_ms}\n[panel]\nlever_ms = 25", "my.toml").panel.lever_ms == 25


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


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1e300", "10000000"])
@pytest.mark.parametrize(("section", "key"), BOUNDS, ids=".".join)
def test_no_number_is_absurd(section, key, value):
    """Whatever the key: what is no number, below nothing or beyond all measure is refused where it stands."""
    if key == "buttons":
        section, key = "panel.buttons", "ok"
    with pytest.raises(WiringError) as caught:
        parse_wiring(f"[{section}]\n{key} = {value}", "my.toml")
    assert str(caught.value).startswith(f"my.toml: [{section}] {key}: ")


def test_a_number_with_a_point_is_the_same_number():
    """``90.0`` turns the board as 90 does."""
    assert parse_wiring("[orientation]\nturn_deg = 90.0\n[display]\ni2c = 1.0", "t").square(0, 0) == parse_square("a8")
    lines = "[matrix]\ndrive = [5.0, 6, 13, 19, 26, 12, 16, 20]\npanel = [21.0]\n[panel.buttons]\nok = 7.0\nback = 0.0"
    wiring = parse_wiring(lines, "t")
    numbers = [*wiring.matrix.drive, *wiring.matrix.panel, *wiring.panel.buttons.values()]
    assert {type(number) for number in numbers} == {int}
    assert "back" not in wiring.panel.buttons
    wiring = parse_wiring(MCP23S17 + "[bus]\naddresses = [32.0, 33.0, 34.0, 35.0, 36.0]", "t")
    assert [f"{address:#x}" for address in wiring.bus.addresses] == ["0x20", "0x21", "0x22", "0x23", "0x24"]


def test_every_number_has_its_bounds():
    """A key with a number that nobody bounded would take anything."""
    wiring = default_wiring()
    for name in type(wiring).__dataclass_fields__:
        section = getattr(wiring, name)
        for key in type(section).__dataclass_fields__:
            if isinstance(getattr(section, key), int | float) and key not in ("mirror", "turn_deg"):
                low, high = BOUNDS[name, key]
                assert low <= getattr(section, key) <= high


def test_a_line_with_a_pull_up_may_be_driven():
    """GPIO 2 and 3 as drive, panel and load lines: what drives them is stronger than 1.8 k."""
    assert (
        parse_wiring("[matrix]\ndrive = [2, 6, 13, 19, 26, 12, 16, 20]\npanel = [3]", "t").gpios()[2] == "drive file a"
    )
    assert parse_wiring(CHAIN + "[bus]\nload = 2", "t").bus.load == 2


def test_buttons_of_a_file_go_over_the_defaults():
    """As with every other key: what is not named stays, 0 takes one away."""
    buttons = parse_wiring("[panel.buttons]\nok = 0\nstart = 7\n", "t").panel.buttons
    assert buttons == {"adjust_white": 3, "adjust_black": 4, "draw_white": 5, "draw_black": 6, "back": 8, "start": 7}
    assert len(set(BUTTONS)) == len(BUTTONS) == 17


def test_contacts_that_chips_do_read():
    """Six MCP23017 and five MCP23S17 have room for a whole panel; without one four MCP23S17 do."""
    assert parse_wiring(MCP23017 + SIX, "f").panel.buttons["back"] == 8
    assert parse_wiring(MCP23S17 + "[panel.buttons]\nok = 16", "f").panel.buttons["ok"] == 16
    parse_wiring(MCP23S17 + "[matrix]\npanel = []\n[bus]\naddresses = [0x20, 0x21, 0x22, 0x23]", "f")


def test_a_board_without_a_panel():
    """No panel line: no lever and no button are left over from the defaults, and nothing is asked of them."""
    wiring = parse_wiring("[matrix]\npanel = []", "t")
    assert (wiring.panel.lever_white, wiring.panel.lever_black, wiring.panel.buttons) == (0, 0, {})


@pytest.mark.parametrize(
    ("text", "section", "key", "words"),
    [
        (
            "[buzzer]\ngpio = 10",
            "buzzer",
            "gpio",
            "GPIO10 is used twice: here for buzzer and by [lamps] device for spi0 MOSI",
        ),
        ("[buzzer]\ngpio = 8", "buzzer", "gpio", "spi0 CE0"),
        ("[matrix]\npanel = [11]", "matrix", "panel", "spi0 SCLK"),
        ('[display]\ndriver = "ssd1306"\n[buzzer]\ngpio = 2', "buzzer", "gpio", "[display] i2c for i2c1 SDA"),
        ('[lamps]\ndriver = "ht16k33"\n[buzzer]\ngpio = 3', "buzzer", "gpio", "[bus] i2c for i2c1 SCL"),
        ('[lamps]\ndevice = "/dev/spidev1.0"', "matrix", "drive", "GPIO20"),
        ('[scanner]\nkind = "shift_register"', "buzzer", "gpio", "[bus] spi for spi0 CE1"),
        (CHAIN + "[bus]\nload = 9", "bus", "load", "spi0 MISO"),
        (CHAIN + "[bus]\nload = 22", "buzzer", "gpio", "load chain"),
    ],
)
def test_a_pin_of_a_bus_is_taken(text, section, key, words):
    """A GPIO that lamps, display or chips need for their bus is no free one; both users are named."""
    with pytest.raises(WiringError) as caught:
        parse_wiring(text, "my.toml")
    assert (caught.value.section, caught.value.key) == (section, key)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '[lamps]\ndevice = "/dev/chess-lamps"',  # nothing is known of it
        '[lamps]\ndriver = "none"\n[buzzer]\ngpio = 10',
        '[display]\ndriver = "ssd1306"\n[lamps]\ndriver = "ht16k33"',
        CHAIN,  # the lamps share its bus: nothing but zeros is sent to the chain
        MCP23S17.replace("none", "max7219"),
        MCP23S17 + '[bus]\nspi = "/dev/spidev0.0"',
        MCP23S17.replace('"none"', '"ws2812"\ndevice = "/dev/spidev1.0"'),
        MCP23017 + SIX,
        "[matrix]\npanel = [9]",
    ],
)
def test_what_goes_together_is_taken(text):
    """Parts on one bus share its pins; pins of a bus that nothing is on are free."""
    wiring = parse_wiring(text, "t")
    assert len(wiring.gpios()) <= len(wiring.claims())


def test_ws2812_do_not_share_a_bus_with_expanders():
    """Every opcode for an MCP23S17 would be a picture for the lamps; file, section, key and a way out are named."""
    with pytest.raises(WiringError) as caught:
        parse_wiring(MCP23S17.replace("none", "ws2812"), "my.toml")
    assert str(caught.value).startswith(
        "my.toml: [lamps] device: /dev/spidev0.0 and [bus] spi /dev/spidev0.1 are one bus"
    )
    assert "spi1-1cs" in str(caught.value)


def test_each_part_on_a_bus_is_selected_by_itself():
    """One chip select for the scanner and another for the lamps; one I2C address for each chip."""
    for kind in ("mcp23s17", "shift_register"):
        text = f'[scanner]\nkind = "{kind}"\n[bus]\nspi = "/dev/spidev0.0"\n[lamps]\ndriver = "max7219"'
        with pytest.raises(WiringError, match=r"\[lamps\] device: /dev/spidev0.0 is the scanner's"):
            parse_wiring(text, "t")
    text = '[scanner]\nkind = "mcp23017"\n[bus]\naddresses = [0x22, 0x23, 0x24, 0x25, 0x26, 0x27]\n'
    with pytest.raises(WiringError, match=r"\[display\] address: address 0x27 is used twice"):
        parse_wiring(text + '[display]\ndriver = "hd44780"', "t")
    parse_wiring(text + '[display]\ndriver = "hd44780"\ni2c = 3', "t")
    parse_wiring(text + '[display]\ndriver = "hd44780"\naddress = 0x3F', "t")


@pytest.mark.parametrize(("driver", "address"), [("ssd1306", 0x3C), ("hd44780", 0x27)])
def test_a_display_is_looked_for_where_it_is_sold(driver, address):
    """Naming the driver is enough; an address that is named holds."""
    assert parse_wiring(f'[display]\ndriver = "{driver}"', "t").display.address == address
    assert parse_wiring(f'[display]\ndriver = "{driver}"\naddress = 0', "t").display.address == address
    assert parse_wiring(f'[display]\ndriver = "{driver}"\naddress = 0x3F', "t").display.address == 0x3F
