"""Lines that other functions of the Pi hold."""

from __future__ import annotations

import pytest

from hal.overlays import claimed, conflicts
from hal.wiring import default_wiring, parse_wiring

OURS = "dtparam=spi=on\ndtoverlay=spi0-1cs,no_miso\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"


def test_a_busy_line_names_its_holder():
    """H13: GPIO 8 is SPI's and GPIO 4 is 1-Wire's."""
    wiring = parse_wiring('[matrix]\nsense = [4, 17, 27, 22, 18, 23, 24, 8]\n[lamps]\ndriver = "none"', "h13")
    config = "dtparam=spi=on\ndtoverlay=w1-gpio\n"
    found = " ".join(conflicts(wiring, config).values())
    assert "GPIO8 belongs to spi0 CE0, and [matrix] sense wants it for sense rank 8" in found
    assert "GPIO4 belongs to w1-gpio, and [matrix] sense wants it for sense rank 1" in found


def test_the_documented_config_is_free_of_conflicts():
    """The config.txt lines of the assembly guide and the default wiring go together."""
    assert conflicts(default_wiring(), OURS) == {}
    (told,) = conflicts(default_wiring(), "dtparam=spi=on").values()
    assert told.startswith("GPIO7 belongs to spi0 CE1, and [buzzer] gpio wants it for buzzer")


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
        ("dtparam=spi=on\ndtparam=spi=off", set()),
        ("dtoverlay=spi1-1cs", {18, 19, 20, 21}),
        ("dtoverlay=spi1-3cs", {16, 17, 18, 19, 20, 21}),
        ("[pi4]\ndtparam=i2s=on", {18, 19, 20, 21}),
        ("[none]\ndtparam=i2s=on", set()),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off", set()),
        ("dtparam=i2c1=off\ndtparam=i2c_arm", {2, 3}),
        ("dtparam=i2s=on\ndtparam=i2s=off", set()),
        ("enable_uart=1\nenable_uart=0", set()),
        ("dtparam=uart0=on", {14, 15}),
        ("dtparam=uart0_console", {14, 15}),
        ("dtoverlay=w1-gpio\ndtparam=gpiopin=14", {14}),
        ("dtoverlay=w1-gpio\ndtoverlay=\ndtparam=gpiopin=14", {4}),
        ("dtoverlay=w1-gpio\ndtparam=i2s=on", {4, 18, 19, 20, 21}),
        ("dtoverlay=w1-gpio\ndtoverlay=w1-gpio,gpiopin=22", {4, 22}),
        ("dtoverlay=spi0-1cs\ndtparam=no_miso", {8, 10, 11}),
        ("dtoverlay=spi0-1cs,cs0_pin=7", {7, 9, 10, 11}),
        ("dtoverlay=spi0-0cs,no_miso", {10, 11}),
        ("dtoverlay=spi1-1cs,cs0_pin=16", {16, 19, 20, 21}),
        ("dtoverlay=hifiberry-dac", {18, 19, 20, 21}),
        ("dtoverlay=googlevoicehat-soundcard", {18, 19, 20, 21}),
        ("dtoverlay=i2s-mmap", set()),
        ("dtoverlay=gpio-ir,gpio_pin=17", {17}),
        ("dtoverlay=gpio-shutdown", {3}),
        ("dtoverlay=pwm-2chan", {18, 19}),
        ("dtoverlay=pwm-2chan,pin=12,pin2=13", {12, 13}),
        ("dtoverlay=vc4-kms-v3d\ndtparam=audio=on", set()),
        (OURS, {2, 3, 8, 10, 11}),
    ],
)
def test_what_each_line_claims(config, gpios):
    """Overlay by overlay."""
    assert set(claimed(config)) == gpios


def test_what_holds_for_some_models_is_not_sure():
    """Under a filter a line may hold here or not; after ``[all]`` it does."""
    config = "[cm4]\ndtparam=i2s=on\n[all]\nenable_uart=1\n"
    assert set(claimed(config, everywhere=False)) == {14, 15}
    assert set(claimed(config)) == {14, 15, 18, 19, 20, 21}


def test_a_bus_is_no_conflict_with_itself():
    """The lamps' pins are SPI's, and that is what config.txt gives them to; I2S on the same pins is another matter."""
    wiring = parse_wiring('[scanner]\nkind = "mcp23s17"\n[lamps]\ndevice = "/dev/spidev1.0"\n[buzzer]\ngpio = 0', "t")
    assert conflicts(wiring, "dtparam=spi=on\ndtoverlay=spi1-1cs\n") == {}
    assert {claim.gpio for claim in conflicts(wiring, "dtparam=spi=on\ndtparam=i2s=on\n")} == {18, 20, 21}
