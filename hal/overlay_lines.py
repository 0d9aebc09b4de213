"""Which GPIOs the overlays of config.txt take, as data: for each the parameters that move a line, with their defaults.

Only what the overlays README, or the overlay itself, says is here, and of screens and sound cards only what they have in
common: a line that is listed keeps a board from opening. What loads on some models only, or on other lines there, is marked.

Source: ``arch/arm/boot/dts/overlays/README`` of raspberrypi/linux, the same file as ``/boot/firmware/overlays/README``;
``pwm-gpio-overlay.dts`` and ``pwm-pio-overlay.dts`` beside it; BCM2711 ARM Peripherals, table 5-5 (data lines of SPI6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_SCREEN = {"dc_pin": 24, "reset_pin": 25}
_SCREEN_WITH_LED = {**_SCREEN, "led_pin": 18}

MOVABLE: Mapping[str, Mapping[str, int]] = {
    "adafruit-st7735r": _SCREEN_WITH_LED,
    "adafruit18": _SCREEN_WITH_LED,
    "apds9960": {"gpiopin": 4},
    "at86rf233": {"interrupt": 23, "reset": 24, "sleep": 25},
    "cap1106": {"int_pin": 23},
    "dht11": {"gpiopin": 4},
    "enc28j60": {"int_pin": 25},
    "exc3000": {"interrupt": 4},
    "goodix": {"interrupt": 4, "reset": 17},
    "gpio-charger": {"gpio": 4},
    "gpio-fan": {"gpiopin": 12},
    "gpio-hog": {"gpio": 26},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 19},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-shutdown": {"gpio_pin": 3},
    "hd44780-lcd": {"pin_d4": 6, "pin_d5": 13, "pin_d6": 19, "pin_d7": 26, "pin_en": 21, "pin_rs": 20},
    "hdmi-backlight-hwhack-gpio": {"gpio_pin": 17},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "i2c-rtc-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "ilitek251x": {"interrupt": 4},
    "iqs550": {"interrupt": 4},
    "max98357a": {"sdmode-pin": 4},
    "mcp23017": {"gpiopin": 4},
    "pps-gpio": {"gpiopin": 18},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "pwm-gpio": {"gpio": 4},
    "pwm-gpio-fan": {"fan_gpio": 18},
    "pwm-ir-tx": {"gpio_pin": 18},
    "pwm-pio": {"gpio": 4},
    "qca7000": {"int_pin": 23},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "rpi-fw-uart": {"txd0_pin": 20, "rxd0_pin": 21},
    "sainsmart18": _SCREEN,
    "sc16is750-i2c": {"int_pin": 24},
    "sc16is752-i2c": {"int_pin": 24},
    "sc16is752-spi0": {"int_pin": 24},
    "sc16is752-spi1": {"int_pin": 24},
    "sh1106-spi": _SCREEN,
    "si446x-spi0": {"int_pin": 17, "reset_pin": 27},
    "ssd1306-spi": _SCREEN,
    "ssd1327-spi": _SCREEN,
    "ssd1331-spi": _SCREEN,
    "ssd1351-spi": _SCREEN,
    "uart0": {"txd0_pin": 14, "rxd0_pin": 15},
    "uart1": {"txd1_pin": 14, "rxd1_pin": 15},
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
    "w5500": {"int_pin": 25},
    "wittypi": {"led_gpio": 17},
    "ws2812-pio": {"gpio": 4},
}
"""Parameter -> the line that it names, without it."""

WITHOUT: Mapping[str, str] = {"apds9960": "noints", "max98357a": "no-sdmode", "mcp23017": "noints"}
"""The parameter with which an overlay takes none of the lines above."""

_PADHI = (*range(10), *range(12, 18), *range(20, 26))

CHOICES: Mapping[str, Mapping[str, Sequence[int]]] = {
    "audremap": {"": (12, 13), "pins_18_19": (18, 19), "pins_40_41": (), "pins_40_45": ()},
    "dpi18": {"": range(22)},
    "dpi18cpadhi": {"": _PADHI},
    "dpi24": {"": range(28)},
    "fsm-demo": {"": (7, 8, 25)},
    "gc9a01": {"": (18, 25, 27)},
    "i2c0-pi5": {"": (0, 1), "pins_8_9": (8, 9)},
    "i2c1-pi5": {"": (2, 3), "pins_10_11": (10, 11)},
    "i2c2-pi5": {"": (4, 5), "pins_12_13": (12, 13)},
    "i2c3": {"": (4, 5), "pins_2_3": (2, 3)},
    "i2c3-pi5": {"": (6, 7), "pins_14_15": (14, 15), "pins_22_23": (22, 23)},
    "i2c4": {"": (8, 9), "pins_6_7": (6, 7)},
    "i2c5": {"": (12, 13), "pins_10_11": (10, 11)},
    "i2c6": {"": (22, 23), "pins_0_1": (0, 1)},
    "qca7000-uart0": {"": (14, 15)},
    "sdio": {"": range(22, 28), "gpios_22_25": range(22, 26), "gpios_34_37": (), "gpios_34_39": ()},
    "sdio-pi5": {"": range(22, 28)},
    "smi": {"": range(2, 26)},
    "tc358743-audio": {"": (18, 19, 20)},
    "uart0-pi5": {"": (14, 15), "ctsrts": range(14, 18)},
    "uart1-pi5": {"": (0, 1), "ctsrts": range(4)},
    "uart2": {"": (0, 1), "ctsrts": range(4)},
    "uart2-pi5": {"": (4, 5), "ctsrts": range(4, 8)},
    "uart3": {"": (4, 5), "ctsrts": range(4, 8)},
    "uart3-pi5": {"": (8, 9), "ctsrts": range(8, 12)},
    "uart4": {"": (8, 9), "ctsrts": range(8, 12)},
    "uart4-pi5": {"": (12, 13), "ctsrts": range(12, 16)},
    "uart5": {"": (12, 13), "ctsrts": range(12, 16)},
    "vc4-kms-dpi-generic": {
        "": range(22),
        "rgb565": range(20),
        "rgb565-padhi": (*range(9), *range(12, 18), *range(20, 25)),
        "bgr666-padhi": _PADHI,
        "rgb666-padhi": _PADHI,
        "bgr888": range(28),
        "rgb888": range(28),
    },
    "vc4-kms-vga666": {"": range(2, 22), "ddc": range(22)},
    "vga666": {"": range(2, 22)},
}
"""Parameter -> all lines with it; the empty one: without any of them."""

SPI: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "spi2-pi5": (range(1, 4), (0, 24)),
    "spi3": (range(1, 4), (0, 24)),
    "spi3-pi5": (range(5, 8), (4, 25)),
    "spi4": (range(5, 8), (4, 25)),
    "spi5": (range(13, 16), (12, 26)),
    "spi6": (range(19, 22), (18, 27)),
}
"""The further buses of a Pi 4 and a Pi 5, ``spi3-2cs`` and the like: data and clock, and the selects."""

SOME_MODELS = re.compile(r"i2c[2-6]|pwm-pio|spi[2-6]-[123]cs|uart[2-5]|ws2812-pio|.*-pi5")
"""Overlays that load on some models only, or take other lines on a Pi 5."""

_SOUND_OF = (
    "allo-", "audioinjector-", "dionaudio-", "hifiberry-", "interludeaudio-", "iqaudio-", "justboom-", "pifi-",
)  # fmt: skip
_SOUND = {
    "adau1977-adc", "adau7002-simple", "akkordion-iqdacplus", "applepi-dac", "audiosense-pi", "chipdip-dac", "cirrus-wm5102",
    "dacberry400", "draws", "fe-pi-audio", "ghost-amp", "googlevoicehat-soundcard", "i-sabre-q2m", "i2s-dac",
    "i2s-master-dac", "max98357a", "mbed-dac", "merus-amp", "pibell", "pisound", "proto-codec", "rpi-cirrus-wm5102",
    "rpi-codeczero", "rpi-dac", "rpi-dacplus", "rpi-dacpro", "rpi-digiampplus", "rpi-proto", "rra-digidac1-wm8741-audio",
    "superaudioboard", "udrc", "ugreen-dabboard", "wm8960-soundcard",
}  # fmt: skip


def is_sound(overlay: str) -> bool:
    """Whether it is that of a sound card on I2S."""
    return overlay.removesuffix("-pi5") in _SOUND or overlay.startswith(_SOUND_OF)
