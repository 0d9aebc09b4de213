"""Reads the switches through port expanders: MCP23S17 on SPI, or MCP23017 on I2C with fourteen inputs a chip.

Both chips have the same registers. Since its 2022 data sheet the MCP23017's GPA7 and GPB7 are outputs only (as inputs
they can corrupt the bus), so five chips are needed for 64 squares and four are refused. Ports are read in a steady
loop, never by interrupt: a change between an interrupt and its read would be lost for good. Each read takes with it the
pull-up registers, which must be ones, and the interrupt flags, which must be zeros: a line that is stuck cannot say both,
and a chip that has forgotten its settings, after a dip of its supply, is set up again.

Switch n of a chip is input n (A0 to A7, B0 to B7; without A7 and B7 on the MCP23017); squares follow each other rank by
rank through the chips, the panel's contacts come after them.

Source: Microchip DS20001952 (registers with IOCON.BANK = 0; HAEN; GPA7/GPB7 note of revision D), DS80311 (A2 counts without
HAEN).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from hal.continuity import Flaw
from hal.i2c import I2cBus, with_retries
from hal.matrix import PartError, Scan
from hal.spi import Bus
from hal.wiring import Wiring

IODIR_A, IPOL_A, GPINTEN_A, IOCON, GPPU_A = 0x00, 0x02, 0x04, 0x0A, 0x0C
HAEN = 0x08
ALL = 0xFFFF
WITHOUT_7 = 0x7F7F


class Chip(Protocol):
    """One expander: registers of two ports, A in the low byte."""

    def wake(self) -> None:
        """Make the chip listen to its address, if after power-up it does not."""
        ...

    def set(self, register: int, value: int) -> None:
        """Set a register of port A and the same of port B."""
        ...

    def get(self, register: int, count: int) -> bytes:
        """``count`` registers from one on."""
        ...


class SpiChip:
    """An MCP23S17 at a hardware address on a shared chip select."""

    def __init__(self, bus: Bus, address: int) -> None:
        self._bus = bus
        self._opcode = 0x40 | (address & 0x07) << 1

    def wake(self) -> None:
        """Switch hardware addresses on: a chip fresh from power-up hears address 0, or 4 if its A2 is high."""
        for opcode in (0x40, 0x48):
            self._bus.transfer(bytes((opcode, IOCON, HAEN, HAEN)))

    def set(self, register: int, value: int) -> None:
        """Set a register of both ports."""
        self._bus.transfer(bytes((self._opcode, register, value & 0xFF, value >> 8)))

    def get(self, register: int, count: int) -> bytes:
        """Several registers."""
        return self._bus.transfer(bytes((self._opcode | 1, register)) + bytes(count))[2:]


class I2cChip:
    """An MCP23017."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus, self._address = bus, address

    def wake(self) -> None:
        """It listens from the start."""

    def set(self, register: int, value: int) -> None:
        """Set a register of both ports."""
        pair = (value & 0xFF, value >> 8)
        with_retries(lambda: self._bus.write_i2c_block_data(self._address, register, pair))

    def get(self, register: int, count: int) -> bytes:
        """Several registers, retried."""
        return bytes(with_retries(lambda: self._bus.read_i2c_block_data(self._address, register, count)))


class Expanders:
    """A scanner on chips whose usable inputs are the bits of ``inputs``; `hal.inputs` has seen to it that they suffice."""

    def __init__(self, wiring: Wiring, chips: list[Chip], inputs: int, bus: Bus | I2cBus) -> None:
        self._bus, self._chips, self._inputs = bus, chips, inputs
        self._addresses = wiring.bus.addresses
        self._settings = bytes((*(inputs & 0xFF, inputs >> 8) * 2, 0, 0))  # directions, polarities, interrupts off
        usable = [bit for bit in range(16) if inputs >> bit & 1]
        self._places: list[list[tuple[int, int]]] = []  # per chip: (input bit, square bit, or panel contact << 64)
        switch = 0
        for _ in chips:
            places = []
            for bit in usable:
                if switch < 64:
                    places.append((1 << bit, 1 << wiring.turned(switch & 7, switch >> 3)))
                elif switch < 80:
                    places.append((1 << bit, 1 << switch))
                switch += 1
            self._places.append(places)
        self.groups = {
            f"chip {n + 1}": sum(place for _, place in places) & ((1 << 64) - 1)
            for n, places in enumerate(self._places)
        }
        self.glances, self._glanced = len(chips), 0
        self._last = [0] * len(chips)
        self._contacts = [0] * len(chips)
        for n, chip in enumerate(chips):
            try:
                self._set_up(chip)
                self._ports(chip)
            except OSError as error:
                raise self._blamed(n, error) from error

    def _blamed(self, n: int, error: OSError) -> OSError:
        """What is told of a chip that failed: a `PartError`, unless the others fail too and it is the bus.

        A bus that is held low takes a second for each that is asked, and then none of them can answer.
        """
        told = f"chip {n + 1} (address {self._addresses[n]:#04x}): {error}"
        if isinstance(error, TimeoutError):
            return OSError(f"the bus is held: {told}")
        for other, chip in enumerate(self._chips):
            if other != n:
                with suppress(OSError):
                    self._ports(chip)
                    return PartError(f"chip {n + 1}", told)
        return OSError(f"no chip answers: {told}")

    def _set_up(self, chip: Chip) -> None:
        chip.wake()
        chip.set(IODIR_A, self._inputs)
        chip.set(IPOL_A, self._inputs)
        chip.set(GPINTEN_A, 0)
        chip.set(GPPU_A, self._inputs)

    def _ports(self, chip: Chip) -> int:
        """Both ports of a chip that has its settings; one that has not is set up again, and that is an ``OSError``."""
        registers = chip.get(GPPU_A, 8)  # pull-ups, interrupt flags, captured and present levels of both ports
        if registers[0] | registers[1] << 8 != self._inputs or registers[2] or registers[3]:
            self._set_up(chip)
            if set(registers) == {0xFF}:
                raise OSError("does not answer, only ones came back")
            zeros = "" if any(registers) else " or does not answer, only zeros came back"
            raise OSError(f"had lost its settings{zeros}")
        return registers[6] | registers[7] << 8

    def scan(self) -> Scan:
        """Read every chip once; a `PartError` names the one that failed, if it is not all of them."""
        closed = 0
        for n, chip in enumerate(self._chips):
            try:
                value = self._ports(chip) & self._inputs
            except OSError as error:
                raise self._blamed(n, error) from error
            if value != self._last[n]:
                self._last[n] = value
                self._contacts[n] = sum(place for bit, place in self._places[n] if value & bit)
            closed |= self._contacts[n]
        return Scan(closed & ((1 << 64) - 1), closed >> 64)

    def test(self, squares: int, contacts: int) -> tuple[Flaw, ...]:
        """Every switch has its own input, so no wires; what is looked at is whether the chips still have all settings."""
        for _ in self._chips:
            self.glance()
        return ()

    def glance(self) -> bool:
        """One chip after the other; one that has lost a setting that no scan sees is set up again: a `PartError`."""
        n, self._glanced = self._glanced, (self._glanced + 1) % self.glances
        chip = self._chips[n]
        try:
            if chip.get(IODIR_A, len(self._settings)) != self._settings:
                self._set_up(chip)
                raise OSError("had lost its settings")
        except OSError as error:
            raise self._blamed(n, error) from error
        return False

    def unsure(self) -> int:
        """No contact hangs on a line with others."""
        return 0

    def pulled_with(self, contact: int) -> int:
        """As for `unsure`."""
        return 0

    def close(self) -> None:
        """Release the bus."""
        self._bus.close()


def spi_expanders(wiring: Wiring, bus: Bus) -> Expanders:
    """MCP23S17s on one chip select."""
    return Expanders(wiring, [SpiChip(bus, address) for address in wiring.bus.addresses], ALL, bus)


def i2c_expanders(wiring: Wiring, bus: I2cBus) -> Expanders:
    """MCP23017s: fourteen inputs each."""
    return Expanders(wiring, [I2cChip(bus, address) for address in wiring.bus.addresses], WITHOUT_7, bus)
