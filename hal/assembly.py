"""Puts a wired board together on this machine from its wiring: pins, scanner, lamps, buzzer, display.

The only place that knows all drivers; each is imported when its wiring asks for it. What reads the squares must open
or the board does not; lamps, buzzer and display are helps, so one that does not open is reported as `Faulted`, the board
plays without it, and it is tried again.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hal.attempts import Report
from hal.board import Board, Faulted, Recovered
from hal.gpio_chips import chips_here, header_chip
from hal.lamps import FrameWriter
from hal.overlays import CONFIG_FILES, conflicts
from hal.pins import words_of
from hal.reed_board import ReedBoard, Scanner
from hal.wiring import Claim, Wiring, default_wiring, read_wiring

log = logging.getLogger(__name__)

SCAN_PRIORITY = 10
"""Real-time priority of the scan, where the system grants one: above all ordinary work, below the kernel's threads."""

T = TypeVar("T")


class _Bus(Protocol):
    def close(self) -> None: ...


B = TypeVar("B", bound=_Bus)


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
            "this machine has no lgpio: on a Raspberry Pi sudo apt install python3-lgpio, and make the venv with"
            ' --system-site-packages (or pip install "touchmove[gpio]", which finds no build for Python 3.13 and later);'
            " elsewhere play on sim:"
        ) from error
    except AttributeError as error:  # gpiozero looks at its constants as soon as it is imported
        raise OSError(
            "the lgpio that is installed is an empty stub, as pip has for a Python it has no build for: pip uninstall"
            " lgpio, then install python3-lgpio with apt and make the venv with --system-site-packages"
        ) from error
    except OSError as error:  # it makes a pipe there, .lgd-nfy and a number, when it is imported
        raise OSError(
            f"lgpio does not start ({error}): it keeps a file in the folder from which this was started, which must"
            " be writable: start in another folder, or name one in the variable LG_WD"
        ) from error
    except Exception as error:  # lgpio raises its own kinds, which cannot be named without it
        raise OSError(f"lgpio does not start: {words_of(error)}") from error
    try:
        return lgpio.LGPIOFactory(chip=_chip_number())
    except Exception as error:
        raise OSError(f"GPIO does not open: {words_of(error)}; {chips_here()}") from error


def _chip_number() -> int | None:
    """Of the chip at the header; None lets gpiozero guess."""
    try:
        return int(header_chip().rpartition("gpiochip")[2])
    except OSError:
        return None


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
    if kind == "mcp23017":
        from hal.expanders import i2c_expanders
        from hal.i2c import open_i2c

        return _on(open_i2c(wiring.bus.i2c), lambda bus: i2c_expanders(wiring, bus))
    from hal.spi import SpiDevice

    if kind == "shift_register":
        from hal.shift_register import MODE, ShiftRegisters

        device = SpiDevice(wiring.bus.spi, wiring.bus.speed_khz * 1000, MODE)
        return _on(device, lambda bus: ShiftRegisters(wiring, bus, factory()))
    from hal.expanders import spi_expanders

    return _on(SpiDevice(wiring.bus.spi, wiring.bus.speed_khz * 1000), lambda bus: spi_expanders(wiring, bus))


def _on(bus: B, made: Callable[[B], T]) -> T:
    """What is made on an open bus; the bus does not stay open if it is not."""
    try:
        return made(bus)
    except BaseException:
        bus.close()
        raise


def _lamps(wiring: Wiring, report: Report) -> Any:
    from hal.lamps import LampThread

    lamps = wiring.lamps
    if lamps.driver == "none":
        return None
    thread = LampThread(
        lambda: _lamp_writer(wiring),
        brightness_percent=lamps.brightness_percent,
        limit_ma=lamps.limit_ma
        if lamps.driver == "ws2812"
        else math.inf,  # the others have a resistor that limits them
        refresh_hz=lamps.refresh_hz,
        report=report,
    )
    thread.start()
    return thread


def _lamp_writer(wiring: Wiring) -> FrameWriter:
    lamps = wiring.lamps
    if lamps.driver == "ws2812":
        from hal.spi import SpiDevice
        from hal.ws2812 import SPEED_HZ, Ws2812, chain

        return Ws2812(SpiDevice(lamps.device, SPEED_HZ), chain(lamps.order, wiring.turned))
    if lamps.driver == "max7219":
        from hal.max7219 import Max7219
        from hal.spi import SpiDevice

        device = SpiDevice(lamps.device, 1_000_000)
        return _on(device, lambda bus: Max7219(bus, wiring.turned))
    from hal.ht16k33 import Ht16k33
    from hal.i2c import open_i2c

    return _on(open_i2c(wiring.bus.i2c), lambda bus: Ht16k33(bus, wiring.turned))


def _buzzer(wiring: Wiring, factory: Callable[[], Any], report: Report) -> Any:
    if not wiring.buzzer.gpio:
        return None
    from hal.buzzer import Buzzer

    return Buzzer(wiring.buzzer.gpio, factory, report)


def _display(wiring: Wiring, report: Report) -> Any:
    from hal.display import DisplayThread, Hd44780, Ssd1306

    display = wiring.display
    if display.driver == "none":
        return None
    screen = (Ssd1306 if display.driver == "ssd1306" else Hd44780)(display.i2c, display.address)
    thread = DisplayThread(screen, report)
    thread.start()
    return thread


def conflicts_here(wiring: Wiring, *, everywhere: bool = True) -> dict[Claim, str]:
    """What this Pi's config.txt gives to others of the lines a wiring wants; empty where none can be read."""
    for name in CONFIG_FILES:
        with suppress(OSError):
            config = Path(name).read_text(encoding="utf-8", errors="replace")
            return conflicts(wiring, config, everywhere=everywhere)
    return {}
