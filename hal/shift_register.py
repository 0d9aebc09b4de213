"""Reads 72 switches through nine 74HC165 in a chain on SPI: one transfer, no diodes, no ghosts.

The chips load their inputs while SH/LD is low and shift while it is high. A GPIO of its own pulses SH/LD low before each
transfer, so all switches are seen at the same moment; the bus's chip select cannot do it, since kernels from 5.4 on
ignore an active-high select that a program asks for. The select goes to CLK INH instead: what is sent to others on the bus
shifts nothing. Each input is pulled up and its switch closes to ground. The chip nearest the Pi comes first; inputs A to H
of chip n are files a to h of rank n, the ninth chip is the panel.

The ninth chip's SER hangs on its own inverted output: behind its eight contacts come the same eight inverted, and then as
they were. Without that the chain is broken, shorted, unsupplied or not there, whatever level its line then has, and nothing
is read. Chips that shift and are not loaded turn in that loop: each transfer of eleven bytes leaves them inverted, from the
place where SH/LD is broken to the end of the chain. So a ninth chip that sends the inverse of what it sent before is asked
again at once, and if it inverts once more, none of it is believed. A single chip in the middle that is not loaded shows
what was shifted into it, the panel's contacts or their inverse, as if its reeds were stuck: `ShiftRegisters.glance` finds it
by one byte that is shifted in between two readings and turns what such a chip shows, and no other.

Source: TI SN74HC165 (input H leaves first) and SN74ALS165 (CLK INH may rise only while CLK is high) data sheets;
raspberrypi/linux#3745 (SPI_CS_HIGH); Linux ``pisosr-gpio`` binding (a load line of its own).
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from hal.continuity import Flaw
from hal.matrix import PartError, Scan
from hal.pins import pin_errors, words_of
from hal.spi import Bus
from hal.squares import line_name
from hal.wiring import Wiring

CHIPS = 9
LENGTH = CHIPS + 2
"""Bytes of a transfer. Two behind the last chip and not one: its loop has sixteen steps, and ten bytes are a whole number
of rounds, after which a chain that was not loaded would look the same again."""
MODE = 2
"""The clock rests high, bits are read at its falling edges: the chips shift at the rising ones, half a clock away."""


SEE = "see hardware_docs/wiring.md, 74HC165"


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
        self._last = b""
        """What came back last and was right; empty if something was wrong then, so that nothing is known of the chain."""
        self._scan = Scan(0, 0)
        self._deaf: list[int] = []
        """The chips in the middle that were not loaded when they were looked at last: each scan looks again."""
        gpiozero = import_module("gpiozero")
        try:
            self._load = gpiozero.OutputDevice(wiring.bus.load, active_high=False, pin_factory=pin_factory)
        except Exception as error:
            raise OSError(f"GPIO{wiring.bus.load} (SH/LD of the chain) does not open: {words_of(error)}") from error
        try:
            self._loaded_and_read()  # what the chips held is shifted out: from here on they turn if they are not loaded
            self.scan()
            self.glance()
        except BaseException:
            with suppress(Exception):  # what was wrong before is what is told
                self._load.close()
            raise

    def scan(self) -> Scan:
        """All switches at one moment; an ``OSError`` if what came back is not what the chain's end sends."""
        if self._deaf:
            self.glance()
        last, self._last = self._last, b""
        back = self._loaded_and_read()
        if back != last:
            first = b""
            if not last or _panel(back) == _inverse(_panel(last)):
                first, back = back, self._loaded_and_read()
            self._refuse(back, first)
            squares = 0
            for table, value in zip(self._table, back, strict=False):
                squares |= table[value ^ 0xFF]
            self._scan = Scan(squares, back[CHIPS - 1] ^ 0xFF)
        self._last = back
        return self._scan

    def _loaded_and_read(self) -> bytes:
        try:
            self._load.on()
            self._load.off()
        except Exception as error:  # gpiozero's and lgpio's kinds are no OSError
            raise OSError(f"{self._name} is not loaded: {words_of(error)}") from error
        return self._bus.transfer(bytes(LENGTH))

    def _refuse(self, back: bytes, first: bytes) -> None:
        """Raise what is wrong with a chain that sent ``back``, and ``first`` in the same scan if it was asked twice."""
        wrong = _wrong(back)
        if wrong:
            raise OSError(f"{self._name} {wrong}: {SEE}")
        inverted = _inverse(first)
        if _panel(back) == _panel(inverted):
            chip = next(n for n in range(CHIPS) if back[n:] == inverted[n:]) + 1
            if chip == 1:
                raise OSError(f"{self._name} is not loaded, SH/LD does not reach it: {SEE}")
            told = f"{self._name} is not loaded from chip {chip} on, SH/LD does not reach it: {SEE}"
            raise PartError(f"chip {chip}", told)

    def test(self, squares: int, contacts: int) -> tuple[Flaw, ...]:
        """Every switch has its own wire: there is nothing to ask but whether each chip is loaded."""
        self.glance()
        return ()

    glances = 1

    def glance(self) -> bool:
        """Whether each chip is loaded; a `PartError` names the first that is not."""
        last, self._last = self._last, b""
        first = self._loaded_and_read()
        self._bus.transfer(bytes(1))
        second = self._loaded_and_read()
        if second == last:
            self._last = last  # and so the next scan need not look twice
        if first and _panel(first) == _panel(second):  # else what is shifted in has changed meanwhile
            inverted = _inverse(first)
            self._deaf = [chip for chip in range(CHIPS - 1) if second[chip : chip + 1] == inverted[chip : chip + 1]]
        if self._deaf:
            chip = self._deaf[0] + 1
            told = f"{self._name} has a chip that is not loaded, chip {chip}, SH/LD does not reach it: {SEE}"
            raise PartError(f"chip {chip}", told)
        return False

    def unsure(self) -> int:
        """As for `test`."""
        return 0

    def pulled_with(self, contact: int) -> int:
        """As for `test`."""
        return 0

    def close(self) -> None:
        """Release load line and bus; may be called twice."""
        try:
            with pin_errors("the load line is not given back"):
                self._load.close()
        finally:
            self._bus.close()


def _panel(back: bytes) -> bytes:
    """What the ninth chip sent; empty if the answer is too short."""
    return back[CHIPS - 1 : CHIPS]


def _inverse(sent: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in sent)


def _wrong(back: bytes) -> str:
    """What is wrong with a chain that sent ``back``, or nothing."""
    if len(back) != LENGTH:
        return f"gave {len(back)} bytes and not {LENGTH}"
    if len(set(back)) == 1 and back[0] in (0x00, 0xFF):
        return f"does not answer, only {'ones' if back[0] else 'zeros'} came back"
    panel, *loop = back[CHIPS - 1 :]
    if loop != [panel ^ 0xFF, panel]:
        return "is broken, what its end sends did not come back"
    return ""
