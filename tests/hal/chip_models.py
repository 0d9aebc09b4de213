"""Chips as their data sheets have them, register by register: a sequence that the real chip would not obey fails here."""

from __future__ import annotations


class NotAcknowledgedError(OSError):
    """No chip answered at this address."""


class Mcp23x17:
    """Registers of an MCP23S17 or MCP23017 with IOCON.BANK = 0, after power-up; ``closed``: inputs pulled to ground."""

    def __init__(self, address, i2c):
        self.address, self.i2c = address, i2c
        self.closed = 0
        self.may_float = False
        self.power_up()

    def power_up(self):
        """All registers as after a reset: all inputs, nothing pulled up or inverted."""
        self.registers = bytearray(0x16)
        self.registers[0] = self.registers[1] = 0xFF

    @property
    def hears(self):
        """The address to which an MCP23S17 listens: its own with HAEN, else 0, but its A2 counts all the same (DS80311)."""
        return self.address if self.registers[0x0A] & 0x08 else self.address & 0x24

    def _after(self, register):
        """Where the next byte goes: on, or with SEQOP to and fro between the two ports' registers."""
        return register ^ 1 if self.registers[0x0A] & 0x20 else register + 1

    def write(self, register, values):
        """Sequential writes from a register on."""
        for value in values:
            assert register < 0x16, f"no register {register:#x}"
            assert register not in (0x10, 0x11), "INTCAP cannot be written"
            if register in (0x0A, 0x0B):
                assert not value & 0x80, "BANK = 1 would move every register"
                self.registers[0x0A] = self.registers[0x0B] = value
            else:
                self.registers[register] = value
            register = self._after(register)

    def read(self, register, count):
        """Sequential reads."""
        found = bytearray()
        n = register
        for _ in range(count):
            assert n < 0x16, f"no register {n:#x}"
            if n in (0x12, 0x13):
                found.append(self._port(n - 0x12))
            elif n in (0x0E, 0x0F):  # INTF: whatever is enabled and differs from DEFVAL; INTCON is taken as all ones
                port = n - 0x0E
                found.append((self._port(port) ^ self.registers[0x06 + port]) & self.registers[0x04 + port])
            else:
                found.append(self.registers[n])
            n = self._after(n)
        return bytes(found)

    def _port(self, port):
        direction, pull = self.registers[port], self.registers[0x0C + port]
        if self.i2c:
            assert not direction & 0x80, "GPA7 and GPB7 as inputs corrupt SDA on an MCP23017"
        floating = direction & ~pull
        assert not floating or self.may_float, f"inputs {floating:#04x} of port {port} float: no pull-up"
        closed = self.closed >> (8 * port) & 0xFF
        levels = (direction & ~closed) | (~direction & self.registers[0x14 + port])
        return (levels ^ self.registers[0x02 + port]) & 0xFF


class SpiExpanderBus:
    """MCP23S17s on one chip select."""

    def __init__(self, chips):
        self.chips = chips
        self.closed = False
        self.miso = None
        """The level at which the Pi's input is stuck."""

    def transfer(self, sent):
        """One selection: opcode, register, data."""
        back = self._transfer(sent)
        return back if self.miso is None else bytes([0xFF if self.miso else 0x00]) * len(back)

    def _transfer(self, sent):
        assert len(sent) >= 3, "opcode, register and data belong to one selection"
        opcode, register = sent[0], sent[1]
        assert opcode & 0xF0 == 0x40, f"no MCP23S17 opcode: {opcode:#x}"
        reads, address = opcode & 1, 0x20 | opcode >> 1 & 7
        hearing = [chip for chip in self.chips if chip.hears == address]
        if not hearing:
            return bytes(len(sent))
        if not reads:
            for chip in hearing:
                chip.write(register, sent[2:])
            return bytes(len(sent))
        fresh = any(chip.may_float for chip in hearing)
        assert len(hearing) == 1 or fresh, "several chips drive MISO at once"
        answers = [chip.read(register, len(sent) - 2) for chip in hearing]
        return bytes(2) + bytes(min(column) for column in zip(*answers, strict=True))

    def close(self):
        """Released."""
        self.closed = True


class I2cModel:
    """Chips on an I2C bus; ``failures`` transfers fail first."""

    def __init__(self, chips):
        self._chips = {chip.address: chip for chip in chips}
        self.failures = 0
        self.transfers = 0
        self.closed = False

    def _chip(self, address):
        assert not self.closed, "the bus is closed"
        self.transfers += 1
        if self.failures:
            self.failures -= 1
            raise OSError(121, "Remote I/O error")
        if address not in self._chips:
            raise NotAcknowledgedError(121, "Remote I/O error")
        return self._chips[address]

    def read_byte_data(self, address, register):
        """One register."""
        return self._chip(address).read(register, 1)[0]

    def write_byte_data(self, address, register, value):
        """One register."""
        self._chip(address).write(register, [value])

    def write_byte(self, address, value):
        """A bare command."""
        self._chip(address).command(value)

    def write_i2c_block_data(self, address, register, values):
        """At most 32 bytes in a block."""
        assert len(values) <= 32
        self._chip(address).write(register, values)

    def read_i2c_block_data(self, address, register, length):
        """At most 32 bytes in a block."""
        assert length <= 32
        return list(self._chip(address).read(register, length))

    def close(self):
        """Released."""
        self.closed = True


class Ht16k33Model:
    """An HT16K33 after power-up: oscillator off, display off, memory random."""

    address = 0x70

    def __init__(self):
        self.power_up()

    def power_up(self):
        """As after its supply has come back."""
        self.oscillator = self.on = False
        self.dim = 15
        self.memory = bytearray(b"\xa5" * 16)
        self.cleared = False

    def command(self, value):
        """A one-byte command."""
        high, low = value & 0xF0, value & 0x0F
        if high == 0x20:
            assert low in (0, 1)
            self.oscillator = low == 1
        elif high == 0x80:
            assert low & 0b1001 == 1 or low == 0
            assert self.oscillator, "the display is switched on before its clock runs"
            assert self.cleared, "the display would show what memory held at power-up"
            assert low >> 1 == 0, "the chip must not blink by itself"
            self.on = low == 1
        elif high == 0xE0:
            self.dim = low
        else:
            raise AssertionError(f"no HT16K33 command: {value:#x}")

    def write(self, register, values):
        """Display memory."""
        assert self.oscillator, "memory is written before the clock runs"
        assert register < 0x10
        assert register + len(values) <= 0x10, "past the end of display memory"
        self.memory[register : register + len(values)] = bytes(values)
        self.cleared = True

    def lit(self):
        """(row, column) of every lamp that is lit, eight columns a row."""
        assert self.on
        return {(row, bit) for row in range(8) for bit in range(8) if self.memory[2 * row] >> bit & 1}


class Max7219Model:
    """A MAX7219 after power-up: in shutdown, everything else undefined."""

    def __init__(self):
        self.closed = False
        self.power_up()

    def power_up(self):
        """As after its supply has come back."""
        self.registers = {}
        self.awake = False

    def transfer(self, sent):
        """One selection shifts in sixteen bits."""
        assert len(sent) == 2, "a word has sixteen bits; what is shifted further falls out of DOUT"
        register, value = sent[0] & 0x0F, sent[1]
        assert register <= 0x0C or register == 0x0F, f"no register {register:#x}"
        if register == 0x0C:
            if value & 1:
                missing = {0x09, 0x0A, 0x0B, 0x0F, *range(1, 9)} - self.registers.keys()
                assert not missing, f"woken with undefined registers {missing}"
            self.awake = bool(value & 1)
        self.registers[register] = value
        return bytes(2)

    def lit(self):
        """(digit, segment) of every lamp that is lit."""
        assert self.awake
        assert self.registers[0x09] == 0, "digits would be decoded"
        assert self.registers[0x0B] == 7, "not all digits are scanned"
        assert self.registers[0x0F] == 0, "all lamps are lit by the display test"
        return {(digit, bit) for digit in range(8) for bit in range(8) if self.registers[1 + digit] >> bit & 1}

    def close(self):
        """Released."""
        self.closed = True
