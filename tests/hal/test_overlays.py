"""Lines that other functions of the Pi hold."""

from __future__ import annotations

import pytest

from hal.overlay_lines import MOVABLE
from hal.overlays import claimed, conflicts
from hal.wiring import default_wiring, parse_wiring

SOUND_CARDS = (
    "pisound", "pisound-pi5", "proto-codec", "rpi-proto", "i2s-dac", "i2s-master-dac", "wm8960-soundcard", "rpi-codeczero",
    "rpi-dacpro", "allo-digione", "iqaudio-codec", "cirrus-wm5102", "fe-pi-audio", "audioinjector-ultra", "merus-amp",
)  # fmt: skip
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
        ("dtparam=i2s=on\ndtoverlay=i2s-gpio28-31", set()),
        ("dtoverlay=i2s-gpio28-31\ndtoverlay=hifiberry-dac", set()),
        ("dtparam=spi=on\ndtoverlay=spi-gpio40-45", set()),
        ("dtoverlay=spi0-cs", {7, 8, 9, 10, 11}),
        ("dtoverlay=spi0-cs\ndtparam=no_miso", {7, 8, 10, 11}),
        ("dtoverlay=spi0-1cs-inverted", {8, 9, 10, 11}),
        ("dtoverlay=max98357a", {4, 18, 19, 20, 21}),
        ("dtoverlay=max98357a,sdmode-pin=16", {16, 18, 19, 20, 21}),
        ("dtoverlay=max98357a,no-sdmode", {18, 19, 20, 21}),
        ("dtoverlay=max98357a\ndtparam=no-sdmode", {18, 19, 20, 21}),
        *((f"dtoverlay={card}", {18, 19, 20, 21}) for card in SOUND_CARDS),
        ("dtoverlay=tc358743-audio", {18, 19, 20}),
        ("dtoverlay=audremap", {12, 13}),
        ("dtoverlay=audremap,pins_18_19", {18, 19}),
        ("dtoverlay=audremap,enable_jack\ndtparam=pins_18_19", {18, 19}),
        ("dtoverlay=sdio", set(range(22, 28))),
        ("dtoverlay=sdio,bus_width=1,gpios_22_25", {22, 23, 24, 25}),
        ("dtoverlay=sdio,gpios_34_39", set()),
        ("dtoverlay=hd44780-lcd", {6, 13, 19, 20, 21, 26}),
        ("dtoverlay=hd44780-lcd,pin_en=16", {6, 13, 16, 19, 20, 26}),
        ("dtoverlay=rpi-fw-uart", {20, 21}),
        ("dtoverlay=dpi24", set(range(28))),
        ("dtoverlay=dpi18", set(range(22))),
        ("dtoverlay=dpi18cpadhi", {*range(10), *range(12, 18), *range(20, 26)}),
        ("dtoverlay=vga666", set(range(2, 22))),
        ("dtoverlay=vc4-kms-dpi-generic", set(range(22))),
        ("dtoverlay=vc4-kms-dpi-generic,rgb888", set(range(28))),
        ("dtoverlay=i2c1", {2, 3}),
        ("dtoverlay=i2c1,pins_44_45", set()),
        ("dtoverlay=mcp23017,addr=0x21", {4}),
        ("dtoverlay=mcp23017,noints", set()),
        ("dtoverlay=act-led,activelow=on", set()),
        (OURS, {2, 3, 8, 10, 11}),
    ],
)
def test_what_each_line_claims(config, gpios):
    """Overlay by overlay."""
    assert set(claimed(config)) == gpios


@pytest.mark.parametrize(
    ("overlay", "lines"),
    [
        ("adafruit18", {18, 24, 25}),
        ("dht11", {4}),
        ("enc28j60", {25}),
        ("goodix", {4, 17}),
        ("gpio-charger", {4}),
        ("gpio-fan", {12}),
        ("gpio-hog", {26}),
        ("gpio-ir", {18}),
        ("gpio-ir-tx", {18}),
        ("gpio-key", {3}),
        ("gpio-led", {19}),
        ("gpio-poweroff", {26}),
        ("gpio-shutdown", {3}),
        ("i2c-gpio", {23, 24}),
        ("pps-gpio", {18}),
        ("pwm", {18}),
        ("pwm-2chan", {18, 19}),
        ("pwm-gpio", {4}),
        ("pwm-gpio-fan", {18}),
        ("pwm-ir-tx", {18}),
        ("pwm-pio", {4}),
        ("rotary-encoder", {4, 17}),
        ("ssd1306-spi", {24, 25}),
        ("uart0", {14, 15}),
        ("uart1", {14, 15}),
        ("w1-gpio", {4}),
        ("w1-gpio-pi5", {4}),
        ("w1-gpio-pullup", {4, 5}),
        ("ws2812-pio", {4}),
    ],
)
def test_the_defaults_are_those_of_the_overlays(overlay, lines):
    """As their README has them; each can be moved by its parameter, on the overlay's line or behind it."""
    assert set(claimed(f"dtoverlay={overlay}")) == lines
    for parameter, line in MOVABLE[overlay.removesuffix("-pi5")].items():
        assert set(claimed(f"dtoverlay={overlay},{parameter}=27")) == lines - {line} | {27}
        assert set(claimed(f"dtoverlay={overlay}\ndtparam={parameter}=27")) == lines - {line} | {27}


@pytest.mark.parametrize(
    ("overlay", "lines"),
    [
        ("uart2-pi5", {4, 5}),
        ("uart3", {4, 5, 8, 9}),
        ("uart3-pi5,ctsrts", {8, 9, 10, 11}),
        ("uart4", {8, 9, 12, 13}),
        ("uart5", {12, 13}),
        ("uart5,ctsrts", {12, 13, 14, 15}),
        ("i2c3", {4, 5, 6, 7}),
        ("i2c3-pi5,pins_22_23", {22, 23}),
        ("i2c4,pins_6_7", {6, 7}),
        ("i2c6", {22, 23}),
        ("spi3-1cs", {0, 1, 2, 3, 4, 5, 6, 7}),
        ("spi4-2cs", {4, 5, 6, 7, 25}),
        ("spi5-1cs,cs0_pin=22", {13, 14, 15, 22}),
        ("spi6-2cs", {18, 19, 20, 21, 27}),
        ("spi2-1cs-pi5", {0, 1, 2, 3}),
        ("sdio-pi5", set(range(22, 28))),
    ],
)
def test_buses_of_some_models(overlay, lines):
    """Those that a Pi 4 and a Pi 5 have besides, on other lines each: told of a line that is busy, and refuse nothing."""
    assert set(claimed(f"dtoverlay={overlay}")) == lines
    assert claimed(f"dtoverlay={overlay}", everywhere=False) == {}


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
