"""Puts a wired board together on this machine from its wiring: pins, scanner, lamps, buzzer, display.

The only place that knows all drivers; each is imported when its wiring asks for it. What reads the squares must open
or the board does not; lamps, buzzer and display are helps, so one that does not open is reported as `Faulted` and the
board plays without it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from hal.attempts import Report
from hal.board import Board, Faulted, Recovered
from hal.overlays import CONFIG_FILES, conflicts
from hal.reed_board import ReedBoard, Scanner
from hal.wiring import Claim, Wiring, default_wiring, read_wiring

log = logging.getLogger(__name__)

SCAN_PRIORITY = 10
"""Real-time priority of the scan, where the system grants one: above all ordinary work, below the kernel's threads."""

CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")


def open_reed(rest: str, *, pin_factory: Any = None, start: bool = True) -> Board:
    """``reed:`` with the default wiring, ``reed:FILE`` with that one; scanning from now on unless told otherwise."""
    wiring = read_wiring(rest) if rest else default_wiring()
    board = assemble(wiring, pin_factory)
    if start:
        board.start(priority=SCAN_PRIORITY)
    return board


def assemble(wiring: Wiring, pin_factory: Any = None) -> ReedBoard:
    """The board of a wiring, not yet scanning; ``OSError`` kin if what reads its squares does not open.

    A ``pin_factory`` that is handed in stays open; one made here is closed with the board.
    """
    made: list[Any] = []

    def factory() -> Any:
        if pin_factory is not None:
            return pin_factory
        if not made:
            made.append(_gpio_factory())
        return made[0]

    def release() -> None:
        while made:
            _close_factory(made.pop())

    try:
        scanner = _scanner(wiring, factory)
    except BaseException:
        release()
        raise
    reports: list[Faulted | Recovered] = []
    report = reports.append
    lamps = _optional("lamps", lambda: _lamps(wiring, report), report)
    buzzer = _optional("buzzer", lambda: _buzzer(wiring, factory, report), report)
    display = _optional("display", lambda: _display(wiring, report), report)
    return ReedBoard(scanner, wiring, lamps=lamps, buzzer=buzzer, display=display, reports=reports, release=release)


def _close_factory(factory: Any) -> None:
    """Free all lines: a pin that gpiozero closes stays claimed as an input, until its factory closes the chip."""
    factory.pins.clear()  # one that fails once more must not keep the chip open
    factory.close()


def _optional(part: str, opening: Callable[[], Any], report: Report) -> Any:
    try:
        return opening()
    except Exception as error:  # noqa: BLE001 - each driver package has kinds of its own, and the board plays without it
        log.warning("%s: %s", part, error)
        report(Faulted(part=part, reason="not_opened", at_ns=time.monotonic_ns()))
        return None


def _gpio_factory() -> Any:
    """gpiozero on lgpio, made by name: its own search ends in a misleading fallback where there is no GPIO."""
    try:
        lgpio = import_module("gpiozero.pins.lgpio")
    except ImportError as error:
        raise OSError(
            "this machine has no lgpio: on a Raspberry Pi install python3-lgpio with apt, or pip install"
            ' "touchmove[gpio]"; elsewhere play on sim:'
        ) from error
    try:
        return lgpio.LGPIOFactory()
    except Exception as error:  # lgpio raises its own kinds, which cannot be named without it
        raise OSError(f"GPIO does not open: {error}; {_chips_here()}") from error


def _chips_here() -> str:
    found = []
    for folder in sorted(Path("/sys/bus/gpio/devices").glob("gpiochip*")):
        label = folder / "label"
        if label.exists():
            found.append(f"{folder.name} {label.read_text().strip()}")
    return "chips here: " + (", ".join(found) or "none") + f"; a Pi's is one of {', '.join(CHIP_LABELS)}"


def _scanner(wiring: Wiring, factory: Callable[[], Any]) -> Scanner:
    kind = wiring.scanner.kind
    for claim, told in conflicts_here(wiring, everywhere=False).items():
        if claim.section in ("matrix", "bus"):  # the buzzer and the lamps are helps: without them the board plays
            raise OSError(told)
    if kind == "matrix":
        from hal.lines import GroupLines, PinLines
        from hal.matrix import Matrix

        try:
            if wiring.scanner.backend == "lines":
                return Matrix(wiring, GroupLines(wiring.matrix))
            return Matrix(wiring, PinLines(wiring.matrix, factory()))
        except OSError as error:
            raise OSError("; ".join([str(error), *conflicts_here(wiring).values()])) from error
    bus = _bus(wiring)
    try:
        if kind == "shift_register":
            from hal.shift_register import ShiftRegisters

            return ShiftRegisters(wiring, bus, factory())
        from hal.expanders import i2c_expanders, spi_expanders

        return (i2c_expanders if kind == "mcp23017" else spi_expanders)(wiring, bus)
    except OSError:
        bus.close()
        raise


def _bus(wiring: Wiring) -> Any:
    """The bus that the scanner's chips hang on."""
    if wiring.scanner.kind == "mcp23017":
        from hal.i2c import open_i2c

        return open_i2c(wiring.bus.i2c)
    from hal.shift_register import MODE
    from hal.spi import SpiDevice

    mode = MODE if wiring.scanner.kind == "shift_register" else 0
    return SpiDevice(wiring.bus.spi, wiring.bus.speed_khz * 1000, mode)


def _lamps(wiring: Wiring, report: Report) -> Any:
    from hal.lamps import FrameWriter, LampThread

    lamps = wiring.lamps
    writer: FrameWriter
    percent = lamps.brightness_percent
    if lamps.driver == "none":
        return None
    if lamps.driver == "ws2812":
        from hal.spi import SpiDevice
        from hal.ws2812 import SPEED_HZ, Ws2812, chain

        writer = Ws2812(SpiDevice(lamps.device, SPEED_HZ), chain(lamps.order, wiring.turned))
    elif lamps.driver == "max7219":
        from hal.max7219 import Max7219
        from hal.spi import SpiDevice

        writer = Max7219(SpiDevice(lamps.device, 1_000_000), wiring.turned, percent)
    else:
        from hal.ht16k33 import Ht16k33
        from hal.i2c import open_i2c

        writer = Ht16k33(open_i2c(wiring.bus.i2c), wiring.turned, percent)
    thread = LampThread(
        writer,
        brightness_percent=percent if lamps.driver == "ws2812" else 100,
        limit_ma=lamps.limit_ma,
        refresh_hz=lamps.refresh_hz,
        report=report,
    )
    thread.start()
    return thread


def _buzzer(wiring: Wiring, factory: Callable[[], Any], report: Report) -> Any:
    if not wiring.buzzer.gpio:
        return None
    from hal.buzzer import Buzzer

    return Buzzer(wiring.buzzer.gpio, factory(), report)


def _display(wiring: Wiring, report: Report) -> Any:
    from hal.display import DisplayThread, Hd44780, Ssd1306

    display = wiring.display
    if display.driver == "none":
        return None
    screen = (Ssd1306 if display.driver == "ssd1306" else Hd44780)(display.i2c, display.address)
    return DisplayThread(screen, report)


def conflicts_here(wiring: Wiring, *, everywhere: bool = True) -> dict[Claim, str]:
    """What this Pi's config.txt gives to others of the lines a wiring wants; empty where none can be read."""
    for name in CONFIG_FILES:
        with suppress(OSError):
            config = Path(name).read_text(encoding="utf-8", errors="replace")
            return conflicts(wiring, config, everywhere=everywhere)
    return {}
