"""Draws the schematics and fills the tables of hardware_docs from the default wiring and the reed model.

Pictures, pin tables and configuration reference come from the same data as the drivers, so they cannot differ from
them; a test draws them again and compares. Run it after changing the wiring:

    python hardware_docs/draw.py            # writes the files
    python hardware_docs/draw.py --check    # exit 1 if one is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from board_firmware.config import reference  # noqa: E402 - the checkout goes first
from hal.reeds import Magnet, ReedSettings, horizontal_field, vertical_field  # noqa: E402
from hal.wiring import Wiring, default_text, default_wiring, parse_wiring  # noqa: E402

# The 40-pin header, pins 1 to 40: a GPIO number or a supply.
HEADER: tuple[int | str, ...] = (
    "3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip

COLOURS = {
    "drive": "#0072b2",
    "sense": "#009e73",
    "panel": "#cc79a7",
    "SPI": "#e69f00",
    "I2C": "#b8a000",
    "buzzer": "#d55e00",
    "supply": "#999999",
}
CHAIN = """[scanner]
kind = "shift_register"

[bus]
spi = "/dev/spidev0.1"
load = 25

[buzzer]
gpio = 22
"""
"""The board of 74HC165 that is drawn, as the file that opens it."""

FONT = 'font-family="DejaVu Sans, Arial, sans-serif"'


def header_pin(gpio: int) -> int:
    """The header pin (1 to 40) of a GPIO."""
    return HEADER.index(gpio) + 1


def uses(wiring: Wiring) -> dict[int, tuple[str, str]]:
    """GPIO -> (kind, what for), buses included."""
    found = {2: ("I2C", "I2C1 SDA: display"), 3: ("I2C", "I2C1 SCL: display")}  # none by default, and most have one
    for claim in wiring.claims():
        kind, use = claim.use.split()[0], claim.use
        if kind.startswith(("spi", "i2c")):
            kind, use = kind[:3].upper(), kind.upper() + use[len(kind) :]
            data = claim.section == "lamps" and use.endswith("MOSI")
            use += ": lamp data" if data else ", held by SPI" if kind == "SPI" else ": display"
        found[claim.gpio] = ("panel" if use.endswith("panel") else kind, use)
    return found


class Picture:
    """An SVG that grows."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._parts = [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
                f' height="{height}" role="img" aria-label="{escape(title)}">'
            ),
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def text(self, x: float, y: float, words: str, size: int = 12, colour: str = "#222", anchor: str = "start") -> None:
        """A line of text."""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size}" fill="{colour}" text-anchor="{anchor}">'
            f"{escape(words)}</text>"
        )

    def line(self, points: str, colour: str = "#222", width: float = 1.5, dash: str = "") -> None:
        """A line through points as SVG writes them."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
        )

    def shape(self, svg: str) -> None:
        """Any element."""
        self._parts.append(svg)

    def svg(self) -> str:
        """The file's text."""
        return "\n".join([*self._parts, "</svg>"]) + "\n"


def header_svg(wiring: Wiring) -> str:
    """The 40-pin header with every pin's use."""
    picture = Picture(760, 640, "The 40-pin header: what goes where")
    picture.text(380, 30, "Raspberry Pi header, seen from above, pin 1 at the SD card's end", 15, anchor="middle")
    used = uses(wiring)
    picture.shape('<rect x="330" y="46" width="100" height="532" rx="6" fill="#1d2b24"/>')
    for number, what in enumerate(HEADER, start=1):
        row, right = (number - 1) // 2, number % 2 == 0
        y = 66 + row * 26
        x = 400 if right else 360
        if isinstance(what, int):
            kind, words = used.get(what, ("", "EEPROM of a HAT" if what in (0, 1) else "free"))
            label = f"GPIO{what}"
            colour = COLOURS.get(kind, "#dddddd")
        else:
            kind, words, label, colour = "supply", "", what, COLOURS["supply"]
        shape = "rect" if number == 1 else "circle"
        if shape == "rect":
            picture.shape(f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" fill="{colour}"/>')
        else:
            picture.shape(f'<circle cx="{x}" cy="{y}" r="9" fill="{colour}"/>')
        ink = "#222" if colour in ("#dddddd",) else "#fff"
        picture.text(x, y + 4, str(number), 9, ink, "middle")
        sentence = f"{label} · {words}" if words else label
        shade = "#999" if words in ("free", "EEPROM of a HAT") or kind == "supply" else "#222"
        if right:
            picture.text(442, y + 4, sentence, 12, shade)
        else:
            picture.text(318, y + 4, f"{words} · {label}" if words else label, 12, shade, "end")
    for n, (kind, colour) in enumerate(COLOURS.items()):
        x = 60 + n * 95
        picture.shape(f'<circle cx="{x}" cy="606" r="7" fill="{colour}"/>')
        picture.text(x + 12, 610, kind, 12)
    return picture.svg()


def matrix_svg(wiring: Wiring) -> str:
    """The whole matrix: nine drive lines, eight sense lines, a switch and a diode at each crossing."""
    step, left, top = 78, 150, 110
    picture = Picture(left + 9 * step + 60, top + 8 * step + 70, "The diode matrix and the panel line")
    picture.text(20, 28, "Each crossing: switch (reed) from the sense line, diode into the drive line", 15)
    picture.text(
        20, 48, "220 ohm in series with each line. Drive: low = selected, else open. Sense: pull-up, low = closed.", 12
    )
    files, ranks = ("abcdefgh", "12345678") if wiring.matrix.drives == "files" else ("12345678", "abcdefgh")
    columns = [(gpio, files[n]) for n, gpio in enumerate(wiring.matrix.drive)]
    columns += [(gpio, "panel") for gpio in wiring.matrix.panel]
    panel = {line: name for name, line in wiring.panel.buttons.items()}
    panel |= {wiring.panel.lever_white: "lever W", wiring.panel.lever_black: "lever B"}
    for n, (gpio, name) in enumerate(columns):
        x = left + n * step + 50
        kind = "panel" if name == "panel" else "drive"
        colour = COLOURS[kind]
        picture.line(f"{x},{top - 10} {x},{top + 8 * step - 20}", colour, 2)
        picture.shape(f'<rect x="{x - 6}" y="{top - 36}" width="12" height="26" fill="#fff" stroke="{colour}"/>')
        picture.text(x + 10, top - 20, "220", 9, "#666")
        picture.text(x, top - 42, f"GPIO{gpio} ({header_pin(gpio)})", 9, colour, "middle")
        picture.text(x, top + 8 * step + 6, name, 14, colour, "middle")
    for m, gpio in enumerate(wiring.matrix.sense):
        y = top + (7 - m) * step + 20
        picture.line(f"{left - 26},{y} {left + 9 * step - 10},{y}", COLOURS["sense"], 2)
        picture.shape(f'<rect x="{left - 20}" y="{y - 5}" width="14" height="10" fill="#fff" stroke="{COLOURS["sense"]}"/>')
        picture.text(left - 28, y - 2, f"GPIO{gpio}", 11, COLOURS["sense"], "end")
        picture.text(left - 28, y + 12, f"pin {header_pin(gpio)}", 9, "#666", "end")
        picture.text(30, y + 5, ranks[m], 14, COLOURS["sense"])
        for n in range(9):
            crossing(picture, left + n * step, y)
            if n == 8:
                picture.text(left + n * step + 58, y + 30, panel.get(m + 1, "free"), 10, COLOURS["panel"])
    picture.text(20, top + 8 * step + 50, "Diode: BAT85 (or 1N4148), its ring (cathode) to the drive line.", 12)
    return picture.svg()


def crossing(picture: Picture, x: float, y: float) -> None:
    """A switch from the sense line at ``y`` down to a diode that leads right into the drive line at ``x + 50``."""
    picture.shape(f'<circle cx="{x}" cy="{y}" r="2.5" fill="#222"/>')
    picture.line(f"{x},{y} {x},{y + 8}", "#222", 1.2)
    picture.line(f"{x},{y + 8} {x + 6},{y + 22}", "#222", 1.2)
    picture.shape(f'<circle cx="{x}" cy="{y + 24}" r="1.8" fill="#222"/>')
    picture.line(f"{x},{y + 24} {x},{y + 34} {x + 18},{y + 34}", "#222", 1.2)
    picture.shape(f'<polygon points="{x + 18},{y + 28} {x + 18},{y + 40} {x + 29},{y + 34}" fill="#222"/>')
    picture.line(f"{x + 29},{y + 28} {x + 29},{y + 40}", "#222", 1.6)
    picture.line(f"{x + 29},{y + 34} {x + 50},{y + 34}", "#222", 1.2)
    picture.shape(f'<circle cx="{x + 50}" cy="{y + 34}" r="2.5" fill="#222"/>')


def chain_svg(wiring: Wiring) -> str:
    """Nine 74HC165: what all share, what leads from one to the next, the loop at the end, and one switch."""
    picture = Picture(900, 430, "The chain of 74HC165")
    picture.text(20, 28, "Nine 74HC165 at 3.3 V, 100 nF each; the numbers are their pins", 15)
    gpio = {use: number for number, use in wiring.gpios().items()}
    select = max(use for use in gpio if " CE" in use)
    shared = [("SH/LD", 1, "load chain", COLOURS["drive"]), ("CLK", 2, "spi0 SCLK", COLOURS["SPI"])]
    shared.append(("CLK INH", 15, select, COLOURS["panel"]))
    for n, (name, _, use, colour) in enumerate(shared):
        y = 70 + n * 24
        what = use if use == "load chain" else use.upper()
        picture.text(20, y - 4, f"{what}, GPIO{gpio[use]} (pin {header_pin(gpio[use])})", 11, colour)
        picture.line(f"20,{y} 840,{y}", colour, 2)
        picture.text(846, y + 4, name, 11, colour)
    miso = gpio["spi0 MISO"]
    for n, (label, x) in enumerate((("chip 1: rank 1", 210), ("chip 2: rank 2", 400), ("chip 9: panel", 650))):
        picture.shape(f'<rect x="{x}" y="190" width="120" height="90" fill="#f6f6f6" stroke="#222"/>')
        picture.text(x + 60, 240, label, 12, anchor="middle")
        for m, (_, pin, _, colour) in enumerate(shared):
            picture.line(f"{x + 25 + m * 35},{70 + m * 24} {x + 25 + m * 35},190", colour, 1.5)
            picture.text(x + 28 + m * 35, 186, str(pin), 9, "#666")
        picture.text(x + 4, 222, "QH 9", 9, "#666")
        picture.text(x + 116, 222, "SER 10", 9, "#666", "end")
        end = (20, 330, 590)[n]
        picture.line(f"{end},230 {x},230", COLOURS["sense"], 2, "" if n < 2 else "6 4")
    picture.line("520,230 560,230", COLOURS["sense"], 2, "6 4")
    picture.text(20, 222, f"SPI0 MISO, GPIO{miso} (pin {header_pin(miso)})", 11, COLOURS["sense"])
    picture.text(575, 222, "3 to 8", 11, "#666", "middle")
    picture.text(654, 270, "inverted QH 7", 9, "#666")
    picture.line("650,266 630,266 630,300 800,300 800,230 770,230", COLOURS["buzzer"], 2)
    picture.text(700, 318, "the loop by which a dead chain is known", 11, COLOURS["buzzer"], "middle")
    picture.line("270,280 270,330 270,350", "#222", 1.5)
    picture.text(276, 296, "A to H: 11 12 13 14 3 4 5 6 = files a to h", 10, "#444")
    picture.line("270,330 180,330", "#222", 1.5)
    picture.shape('<rect x="120" y="324" width="60" height="12" fill="#fff" stroke="#222"/>')
    picture.line("120,330 90,330", "#222", 1.5)
    picture.text(150, 320, "10 k", 10, "#444", "middle")
    picture.text(60, 334, "3.3 V", 11, "#444")
    picture.line("270,350 282,372", "#222", 1.5)
    picture.line("270,376 270,396", "#222", 1.5)
    picture.text(290, 366, "reed or contact", 11, "#444")
    picture.text(270, 412, "GND", 11, "#444", "middle")
    return picture.svg()


def field_svg() -> str:
    """What a reed feels as a piece stands off its centre: upright and lying."""
    picture = Picture(760, 420, "The field at a reed against how far off centre the piece stands")
    left, bottom, wide, high, most_mm, most_mt = 70, 360, 640, 300, 30.0, 12.0
    picture.text(20, 28, "Field along the reed, 8 mm board, N42 disc, as the piece stands off centre", 15)
    for mt in range(0, 13, 2):
        y = bottom - mt / most_mt * high
        picture.line(f"{left},{y:g} {left + wide},{y:g}", "#dddddd", 1)
        picture.text(left - 8, y + 4, f"{mt}", 11, "#666", "end")
    for mm in range(0, 31, 5):
        x = left + mm / most_mm * wide
        picture.line(f"{x:g},{bottom} {x:g},{bottom + 5}", "#666", 1)
        picture.text(x, bottom + 20, f"{mm}", 11, "#666", "middle")
    picture.text(left + wide / 2, bottom + 42, "mm from the reed's centre", 12, "#444", "middle")
    picture.text(20, 52, "mT", 12, "#444")
    low = ReedSettings().drop_out_low * ReedSettings().pull_in_mt
    high_mt = ReedSettings().drop_out_high * ReedSettings().pull_in_mt
    y_low, y_high = bottom - low / most_mt * high, bottom - high_mt / most_mt * high
    picture.shape(f'<rect x="{left}" y="{y_high:g}" width="{wide}" height="{y_low - y_high:g}" fill="#f6e3c5"/>')
    picture.text(left + wide - 6, y_low - 4, "lets go", 11, "#a06000", "end")
    y = bottom - ReedSettings().pull_in_mt / most_mt * high
    picture.line(f"{left},{y:g} {left + wide},{y:g}", "#d55e00", 1.5, "6 4")
    picture.text(left + wide - 6, y - 5, "closes (2 mT, a typical reed)", 11, "#d55e00", "end")
    disc_8, disc_10 = Magnet(diameter_mm=8), Magnet(diameter_mm=10)
    curves: list[tuple[str, str, Callable[[float, float, float], float]]] = [
        ("8 x 3 mm, reed upright", COLOURS["sense"], vertical_field(ReedSettings(magnet=disc_8))),
        ("10 x 3 mm, reed upright", COLOURS["drive"], vertical_field(ReedSettings(magnet=disc_10))),
        ("10 x 3 mm, reed lying: the centre null", COLOURS["panel"], horizontal_field(ReedSettings(magnet=disc_10))),
    ]
    for n, (name, colour, field) in enumerate(curves):
        points = []
        for step in range(121):
            mm = step / 4
            felt = abs(field(mm, 0, 0))
            if felt > most_mt:
                if points:
                    picture.line(" ".join(points), colour, 2.5)
                points = []
                continue
            points.append(f"{left + mm / most_mm * wide:.1f},{bottom - felt / most_mt * high:.1f}")
        picture.line(" ".join(points), colour, 2.5)
        picture.line(f"430,{76 + n * 20} 460,{76 + n * 20}", colour, 2.5)
        picture.text(468, 80 + n * 20, name, 12)
    picture.line(f"{left},{bottom - high} {left},{bottom} {left + wide},{bottom}", "#222", 1.5)
    return picture.svg()


def section_svg() -> str:
    """A square cut through, to scale: piece, magnet, board, reed, lamp."""
    scale = 9.0
    picture = Picture(620, 420, "A square cut through")
    middle, surface = 310.0, 150.0
    board = ReedSettings().board_mm * scale
    magnet = ReedSettings().magnet
    picture.text(20, 28, "A square of 50 mm cut through, to scale", 15)
    picture.shape(
        f'<rect x="{middle - 25 * scale:g}" y="{surface}" width="{50 * scale:g}" height="{board}" fill="#e8d3ae"/>'
    )
    picture.line(f"{middle - 25 * scale:g},{surface - 6} {middle - 25 * scale:g},{surface + board}", "#8a6d3b", 1)
    picture.line(f"{middle + 25 * scale:g},{surface - 6} {middle + 25 * scale:g},{surface + board}", "#8a6d3b", 1)
    picture.text(middle + 25 * scale + 8, surface + board / 2 + 4, "board 8 mm", 12)
    base = 14 * scale
    picture.shape(
        f'<path d="M {middle - base:g} {surface} v -34 h {base - 22:g} v -60 h 44 v 60 h {base - 22:g} v 34 z"'
        ' fill="#f4f0e6" stroke="#888"/>'
    )
    width, height = magnet.diameter_mm * scale, magnet.height_mm * scale
    picture.shape(
        f'<rect x="{middle - width / 2:g}" y="{surface - height:g}" width="{width:g}" height="{height:g}" fill="#666"/>'
    )
    picture.text(middle, surface - height / 2 + 4, "magnet 10 x 3", 11, "#fff", "middle")
    reed_top = surface + board
    picture.shape(
        f'<rect x="{middle - 10}" y="{reed_top}" width="20" height="{14 * scale:g}" rx="9" fill="#d8efe6" stroke="#009e73"/>'
    )
    picture.line(f"{middle},{reed_top - 0:g} {middle},{reed_top + 14 * scale:g}", "#009e73", 2)
    picture.text(middle + 22, reed_top + 60, "reed switch, upright, top against the board", 12)
    picture.shape(f'<rect x="{middle - 150}" y="{reed_top}" width="46" height="14" fill="#e69f00"/>')
    picture.text(middle - 128, reed_top + 32, "lamp", 12, anchor="middle")
    picture.text(20, 400, "All magnets the same pole down. Steel screws and plates stay 30 mm away.", 12)
    return picture.svg()


def pin_table(wiring: Wiring) -> str:
    """The pin map as a Markdown table, by header pin."""
    used = uses(wiring)
    rows = ["| header pin | GPIO | signal |", "|---|---|---|"]
    for gpio in sorted(used, key=header_pin):
        rows.append(f"| {header_pin(gpio)} | {gpio} | {used[gpio][1]} |")
    return "\n".join(rows)


def panel_table(wiring: Wiring) -> str:
    """The contacts of the panel line."""
    names = {line: f"button `{name}`" for name, line in wiring.panel.buttons.items()}
    names[wiring.panel.lever_white] = "lever, contact closed when White has pressed"
    names[wiring.panel.lever_black] = "lever, contact closed when Black has pressed"
    rows = ["| sense line | GPIO | header pin | contact |", "|---|---|---|---|"]
    for line in range(1, 9):
        gpio = wiring.matrix.sense[line - 1]
        rows.append(f"| {line} | {gpio} | {header_pin(gpio)} | {names.get(line, 'free')} |")
    return "\n".join(rows)


def chain_table(wiring: Wiring) -> str:
    """What goes where on each 74HC165."""
    gpio = {use: f"GPIO{number} (header pin {header_pin(number)})" for number, use in wiring.gpios().items()}
    select = max(use for use in gpio if " CE" in use)
    rows = [
        ("1", "SH/LD", f"all together: {gpio['load chain']}"),
        ("2", "CLK", f"all together: SCLK, {gpio['spi0 SCLK']}"),
        ("15", "CLK INH", f"all together: {select.split()[1]}, {gpio[select]}"),
        ("9", "QH", f"of the first: MISO, {gpio['spi0 MISO']}; of each other: SER of the chip before it"),
        ("10", "SER", "QH of the chip behind it; of the ninth: its own pin 7"),
        ("7", "QH inverted", "open; of the ninth: its own pin 10"),
        ("11 12 13 14 3 4 5 6", "A to H", "each 10 k to 3.3 V, and its switch to ground"),
        ("16, 8", "VCC, GND", "3.3 V (5 V would reach MISO), ground, 100 nF between them"),
    ]
    return "\n".join(["| pin | name | goes to |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def wiring_keys() -> str:
    """Every key of a wiring file: the default file itself."""
    return f"```toml\n{default_text().rstrip()}\n```"


def game_keys() -> str:
    """Every key of touchmove.toml, out of the reader's own table."""
    return f"```toml\n{reference().rstrip()}\n```"


def filled(text: str, tables: dict[str, Callable[[], str]]) -> str:
    """A Markdown text with what stands between its ``<!-- name -->`` and ``<!-- end -->`` lines made anew."""
    for name, table in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if pattern.search(text):
            made = table()
            text = pattern.sub(lambda found, made=made: f"{found[1]}{made}\n{found[2]}", text)
    return text


def drawn() -> dict[Path, str]:
    """Every file that comes from data, with the text it should have."""
    wiring, chain = default_wiring(), parse_wiring(CHAIN, "the chain")
    tables: dict[str, Callable[[], str]] = {
        "pins": lambda: pin_table(wiring),
        "panel": lambda: panel_table(wiring),
        "chain": lambda: chain_table(chain),
        "chain file": lambda: f"```toml\n{CHAIN.rstrip()}\n```",
        "wiring keys": wiring_keys,
        "game keys": game_keys,
    }
    files = {
        HERE / "header.svg": header_svg(wiring),
        HERE / "matrix.svg": matrix_svg(wiring),
        HERE / "chain.svg": chain_svg(chain),
        HERE / "field.svg": field_svg(),
        HERE / "section.svg": section_svg(),
    }
    for path in sorted(HERE.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if filled(text, tables) != text or any(f"<!-- {name} -->" in text for name in tables):
            files[path] = filled(text, tables)
    return files


def main(arguments: list[str]) -> int:
    """Write what is out of date, or with ``--check`` only say so."""
    stale = [
        (path, text) for path, text in drawn().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        if "--check" in arguments:
            print(f"{path.name} is out of date: run python hardware_docs/draw.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
