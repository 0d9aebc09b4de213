"""The packages of the extras: every error names one that there is, and each extra brings what its driver imports."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from hal.assembly import assemble
from hal.display import Hd44780, Ssd1306
from hal.i2c import open_i2c
from hal.wiring import parse_wiring

ROOT = Path(__file__).resolve().parents[2]
with (ROOT / "pyproject.toml").open("rb") as file:
    EXTRAS = tomllib.load(file)["project"]["optional-dependencies"]

BARE = '[lamps]\ndriver = "none"\n[buzzer]\ngpio = 0\n'


def without(monkeypatch, package):
    """No module of this package can be imported by any driver."""

    def missing(name):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return import_module(name)

    for module in ("assembly", "display", "i2c", "lines"):
        monkeypatch.setattr(f"hal.{module}.import_module", missing)


@pytest.mark.parametrize(
    ("package", "extra", "opening"),
    [
        ("luma", "display", lambda: Ssd1306(1, 0x3C).wake()),
        ("RPLCD", "lcd", lambda: Hd44780(1, 0x27).wake()),
        ("smbus2", "i2c", lambda: open_i2c(1)),
        ("gpiozero", "gpio", lambda: assemble(parse_wiring(BARE, "t"))),
        ("gpiod", "lines", lambda: assemble(parse_wiring(BARE + '[scanner]\nbackend = "lines"\n', "t"))),
    ],
)
def test_a_missing_package_names_the_extra_to_install(package, extra, opening, monkeypatch):
    """An OSError with the words for pip, whatever the part."""
    without(monkeypatch, package)
    with pytest.raises(OSError, match=rf'pip install\s*"touchmove\[{extra}\]"'):
        opening()


def test_the_extras_in_errors_are_those_there_are():
    """Each is named by some driver, and none that pyproject does not have."""
    named = set()
    for path in (ROOT / "hal").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"touchmove\[(\w+)\]", text)) | set(re.findall(r'_extra\("[^"]+", "(\w+)"\)', text))
    assert named == set(EXTRAS)


def test_an_extra_brings_what_its_driver_needs():
    """RPLCD asks for no I2C package, and luma.oled for no end of pillow's versions."""
    assert any(package.startswith("smbus2") for package in EXTRAS["lcd"])
    assert "pillow<14" in EXTRAS["display"]
    assert "gpiod>=2.2" in EXTRAS["lines"]
