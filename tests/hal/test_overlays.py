"""Lines that other functions of the Pi hold."""

from __future__ import annotations

import pytest

from hal.overlays import claimed, conflicts
from hal.wiring import default_wiring, parse_wiring

OURS = "dtparam=spi=on\ndtoverlay=spi0-1cs,no_miso\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"


def test_a_busy_line_names_its_holder():
    """H13: GPIO 8 is SPI's and GPIO 4 is 1-Wire's."""
    wiring = parse_wiring("[matrix]\nsense = [4, 17, 27, 22, 18, 23, 24, 8]", "h13")
    config = "dtparam=spi=on\ndtoverlay=w1-gpio\n"
    found = conflicts(wiring, config)
    assert "GPIO8 belongs to spi0 CE0" in found
    assert "GPIO4 belongs to w1-gpio" in found


def test_the_documented_config_is_free_of_conflicts():
    """The config.txt lines of the assembly guide and the default wiring go together."""
    assert conflicts(default_wiring(), OURS) == []
    assert conflicts(default_wiring(), "dtparam=spi=on") == ["GPIO7 belongs to spi0 CE1"]


@pytest.mark.parametrize(
    ("config", "gpios"),
    [
        ("", set()),
        ("#dtparam=spi=on", set()),
        ("dtparam=i2s=on", {18, 19, 20, 21}),
        ("dtparam=i2c_arm=on", {2, 3}),
        ("dtoverlay=w1-gpio,gpiopin=22", {22}),
        ("enable_uart=1", {14, 15}),
        ("dtoverlay=spi0-1cs", {8, 9, 10, 11}),
        (OURS, {2, 3, 8, 10, 11}),
    ],
)
def test_what_each_line_claims(config, gpios):
    """Overlay by overlay."""
    assert set(claimed(config)) == gpios
