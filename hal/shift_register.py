"""Reads 72 switches through nine 74HC165 in a chain on SPI: one transfer, no diodes, no ghosts.

The chips load their inputs while SH/LD is low and shift while it is high. A GPIO of its own pulses SH/LD low before each
transfer, so all switches are seen at the same moment; the bus's chip select cannot do it, since kernels from 5.4 on
ignore an active-high select that a program asks for. The select goes to CLK INH instead: what is sent to others on the bus
shifts nothing. Each input is pulled up and its switch closes to ground. The chip nearest the Pi comes first; inputs A to H
of chip n are files a to h of rank n, the ninth chip is the panel.

The ninth chip's SER hangs on its own inverted output: behind its eight contacts come the same eight inverted, and then as
they were. Without that the chain is broken, shorted, unsupplied or not there, whatever level its line then has, and nothing
is read. A chain that shifts and is never loaded turns in that loop: each transfer of eleven bytes leaves it inverted.

Source: TI SN74HC165 (input H leaves first) and SN74ALS165 (CLK INH may rise only while CLK is high) data sheets;
raspberrypi/linux#3745 (SPI_CS_HIGH); Linux ``pisosr-gpio`` binding (a load line of its own).
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from hal.matrix import Scan
from hal.pins import pin_errors
from hal.spi import Bus
from hal.squares import line_name
from hal.wiring import Wiring

CHIPS = 9
LENGTH = CHIPS + 2
"""Bytes of a transfer. Two behind the last chip and not one: its loop has sixteen steps, and ten bytes are a whole number
of rounds, after which a chain that was not loaded would look the same again."""
MODE = 2
"""The clock rests high, bits are read at its falling edges: the chips shift at the rising ones, half a clock away."""


class ShiftRegisters:
    """A scanner."""

    def __init__(self, wiring: Wiring, bus: Bus, pin_factory: Any) -> None:
        """Takes the chain into use; an ``OSError`` kin if its load line does not open or the chain does not answer."""
        self._bus, self._name = bus, f"the chain of 74HC165 on {wiring.bus.spi}, load line GPIO{wiring.bus.load},"
        self._table = []
        for rank in range(8):
            bits = [1 << wiring.turned(file, rank) for file in range(8)]
            self._table.append([sum(bit for n, bit in enumerate(bits) if value >> n & 1) for value in range(256)])
        self.groups = {line_name(table[255]): table[255] for table in self._table}
        self.panel_groups: dict[str, int] = {}
        self._last = b""
        self._scan = Scan(0, 0)
        self._inverted = b""
        gpiozero = import_module("gpiozero")
        try:
            self._load = gpiozero.OutputDevice(wiring.bus.load, active_high=False, pin_factory=pin_factory)
        except Exception as error:
            raise OSError(f"GPIO{wiring.bus.load} (SH/LD of the chain) does not open: {error}") from error
        try:
            for _ in range(3):  # without a load: what the chips held, then what the loop holds, then that inverted
                self.scan()
        except BaseException:
            with suppress(Exception):  # what was wrong before is what is told
                self._load.close()
            raise

    def scan(self) -> Scan:
        """All switches at one moment; an ``OSError`` if what came back is not what the chain's end sends."""
        try:
            self._load.on()
            self._load.off()
        except Exception as error:  # gpiozero's and lgpio's kinds are no OSError
            raise OSError(f"{self._name} is not loaded: {error}") from error
        back = self._bus.transfer(bytes(LENGTH))
        if back != self._last:
            inverted, self._inverted = self._inverted, bytes(byte ^ 0xFF for byte in back)
            self._last = back
            wrong = _wrong(back, inverted)
            if wrong:
                self._last = b""  # to be looked at again should it stay so
                raise OSError(f"{self._name} {wrong}: see hardware_docs/wiring.md, 74HC165")
            squares = 0
            for table, value in zip(self._table, back, strict=False):
                squares |= table[value ^ 0xFF]
            self._scan = Scan(squares, back[CHIPS - 1] ^ 0xFF)
        return self._scan

    def shorted(self) -> tuple[str, ...]:
        """Every switch has its own wire: nothing can pull a group."""
        return ()

    def close(self) -> None:
        """Release load line and bus; may be called twice."""
        try:
            with pin_errors("the load line is not given back"):
                self._load.close()
        finally:
            self._bus.close()


def _wrong(back: bytes, inverted: bytes) -> str:
    """What is wrong with a chain that sent ``back``, and before that what ``inverted`` is the inverse of; or nothing."""
    if len(back) != LENGTH:
        return f"gave {len(back)} bytes and not {LENGTH}"
    if len(set(back)) == 1 and back[0] in (0x00, 0xFF):
        return f"does not answer, only {'ones' if back[0] else 'zeros'} came back"
    panel, *loop = back[CHIPS - 1 :]
    if loop != [panel ^ 0xFF, panel]:
        return "is broken, what its end sends did not come back"
    if back == inverted:
        return "is not loaded, SH/LD does not reach it"
    return ""
