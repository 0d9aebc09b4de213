"""Two display chips as their data sheets have them: what the real chip would not obey, or not yet, fails here."""

from __future__ import annotations

ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
    0x2E: 0, 0xA4: 0, 0xA5: 0, 0xA6: 0, 0xA7: 0, 0xAE: 0, 0xAF: 0, 0xC0: 0, 0xC8: 0, 0xA0: 0, 0xA1: 0, 0xE3: 0,
}  # fmt: skip
"""Commands of an SSD1306 with the number of their arguments."""


class Ssd1306Chip:
    """An SSD1306 on I2C: commands with their arguments, the memory's window and pointers, the charge pump.

    Source: Solomon Systech SSD1306 data sheet rev 1.1, sections 8.1.5, 9 and 10; application note on the charge pump.
    """

    def __init__(self, address=0x3C):
        self.address = address
        self.memory = bytearray(128 * 8)
        self.is_on = self.is_pumped = False
        self.mode = 0b10  # page addressing after a reset
        self.columns, self.pages = (0, 127), (0, 7)
        self.column = self.page = 0
        self.multiplex = 0x3F
        self.settings = {}
        self.dark = 0  # transfers at whose end a panel that was lit is off

    def write(self, address, control, payload):
        """One transfer: the control byte and what follows it."""
        if address != self.address:
            raise OSError(121, "no chip answers here")
        assert control in (0x00, 0x40), f"control byte {control:#x}: Co = 0 and D/C# only"
        if control == 0x40:
            for byte in payload:
                self._store(byte)
            return
        commands, was_on = list(payload), self.is_on
        while commands:
            command = commands.pop(0)
            if 0x40 <= command <= 0x7F or 0xB0 <= command <= 0xB7 or command <= 0x1F:
                assert not (command >= 0xB0 or command <= 0x1F) or self.mode == 0b10, "for page addressing only"
                continue
            assert command in ARGUMENTS, f"{command:#x} is no command"
            count = ARGUMENTS[command]
            assert len(commands) >= count, f"{command:#x} wants {count} arguments in its transfer"
            arguments, commands = commands[:count], commands[count:]
            self._obey(command, arguments)
        self.dark += was_on and not self.is_on

    def _obey(self, command, arguments):
        self.settings[command] = arguments
        if command == 0x20:
            assert arguments[0] in (0, 1, 2)
            self.mode = arguments[0]
        elif command == 0x21:
            assert 0 <= arguments[0] <= arguments[1] <= 127, f"columns {arguments}"
            self.columns, self.column = tuple(arguments), arguments[0]
        elif command == 0x22:
            assert 0 <= arguments[0] <= arguments[1] <= 7, f"pages {arguments}"
            self.pages, self.page = tuple(arguments), arguments[0]
        elif command == 0x8D:
            assert arguments[0] in (0x10, 0x14)
            assert not self.is_on, "the charge pump is set while the display is off"
            self.is_pumped = arguments[0] == 0x14
        elif command == 0xA8:
            assert 15 <= arguments[0] <= 63
            self.multiplex = arguments[0]
        elif command == 0xDA:
            assert not arguments[0] & ~0x32
            assert arguments[0] & 0x02
        elif command == 0xAF:
            assert self.is_pumped, "with the pump off the panel has no supply of its own"
            self.is_on = True
        elif command == 0xAE:
            self.is_on = False

    def _store(self, byte):
        assert self.mode == 0b00, "the picture is written with horizontal addressing"
        self.memory[self.page * 128 + self.column] = byte
        self.column += 1
        if self.column > self.columns[1]:
            self.column = self.columns[0]
            self.page = self.page + 1 if self.page < self.pages[1] else self.pages[0]

    def lit(self, left, top, right, bottom):
        """How many pixels are lit in a box, right and bottom not counted."""
        return sum(self.memory[y // 8 * 128 + x] >> y % 8 & 1 for x in range(left, right) for y in range(top, bottom))


class Hd44780Chip:
    """An HD44780U behind a PCF8574 in the usual wiring: nibbles on E's falling edge, busy times, the address counter.

    Source: Hitachi HD44780U data sheet, tables 4 and 6, figure 24 (4-bit interface, initialising by instruction).
    """

    RS, RW, E, LIGHT = 0x01, 0x02, 0x04, 0x08

    def __init__(self, address=0x27, bus_us=45):
        self.address = address
        self.now_us = 0.0
        self._bus_us = bus_us  # a byte to the expander at 400 kHz
        self._port = 0xFF
        self._busy_until = 40_000.0  # from power-up
        self._eight_bits = True
        self._sets_of_eight = 0
        self._high = None
        self.two_lines = self.is_on = self.is_lit = False
        self._increments = True
        self.counter = 0
        self._in_font = False
        self.memory = bytearray(b" " * 128)
        self.clears = 0
        self.blinks = 0
        self._is_disturbed = False

    def disturb(self):
        """A byte did not arrive: until the interface is set up again nothing is sure of what comes."""
        self._is_disturbed = True

    def sleep(self, seconds):
        """Time passes."""
        self.now_us += seconds * 1e6

    def write(self, address, byte):
        """A byte to the expander's port."""
        if address != self.address:
            raise OSError(121, "no chip answers here")
        before, self._port = self._port, byte
        self.now_us += self._bus_us
        self.is_lit = bool(byte & self.LIGHT)
        if byte & self.E:
            assert not byte & self.RW, "a read would let the chip drive the expander's outputs"
            stands = before & self.E or before & 0xF3 == byte & 0xF3
            assert stands or self._is_disturbed, "RS and data stand before E rises"
        elif before & self.E and not before & self.RW:  # from power-up the port is high: that is the end of a read
            assert before & 0xF3 == byte & 0xF3 or self._is_disturbed, "RS and data stand until E has fallen"
            self._latch(byte >> 4, bool(byte & self.RS))

    def _latch(self, nibble, is_data):
        if self._is_disturbed and self.now_us < self._busy_until:
            return  # it does not look while it is busy
        if self._eight_bits:
            self._take(nibble << 4, is_data)
        elif self._high is None:
            assert self.now_us >= self._busy_until, f"busy for {self._busy_until - self.now_us:.0f} us more"
            self._high = nibble, is_data
        else:
            (high, was_data), self._high = self._high, None
            assert was_data == is_data or self._is_disturbed, "RS changes within a byte"
            self._take(high << 4 | nibble, is_data)

    def _take(self, byte, is_data):
        assert self.now_us >= self._busy_until, f"busy for {self._busy_until - self.now_us:.0f} us more"
        us = 41 if is_data else 37
        if is_data:
            assert not self._eight_bits, "data before the interface is set up"
            assert not self._in_font or self._is_disturbed
            self.memory[self.counter % 128] = byte
            self._step(1 if self._increments else -1)
        elif byte & 0x80:
            address = byte & 0x7F
            is_place = address <= 0x27 or 0x40 <= address <= 0x67
            assert is_place or self._is_disturbed, f"{address:#x} is no place of two lines"
            self.counter, self._in_font = address, False
        elif byte & 0x40:
            self._in_font = True
        elif byte & 0x20:
            us = self._function(byte)
        elif byte & 0x10:
            assert not self._eight_bits
        elif byte & 0x08:
            assert self.two_lines, "the function is set before anything else"
            self.blinks += self.is_on and not byte & 0x04
            self.is_on = bool(byte & 0x04)
        elif byte & 0x04:
            self._increments = bool(byte & 0x02)
        elif byte & 0x03:
            us = 1520
            if byte == 0x01:  # 000000001 is a clear, 00000001- is home
                self.memory[:] = b" " * 128
                self._increments = True
                self.clears += 1
            self.counter, self._in_font = 0, False
        self._busy_until = self.now_us + us

    def _function(self, byte):
        if self._eight_bits and byte & 0x10:
            self._sets_of_eight += 1
            return {1: 4100, 2: 100}.get(self._sets_of_eight, 37)
        if self._eight_bits:
            assert self._sets_of_eight >= 3, "8 bits are set three times before 4 bits"
            self._eight_bits = self._is_disturbed = False
            return 37
        if byte & 0x10:
            self._eight_bits = True  # three times before, or it would not be in 4 bits
            self.blinks += self.two_lines
            self.two_lines = bool(byte & 0x08)
            return 37
        if not byte & 0x08:
            self.blinks += self.two_lines
        self.two_lines = bool(byte & 0x08)
        return 37

    def _step(self, by):
        self.counter += by
        if self.counter == 0x28:
            self.counter = 0x40
        elif self.counter == 0x68:
            self.counter = 0

    @property
    def lines(self):
        """What stands on both lines of 16."""
        return self.memory[:16].decode("ascii"), self.memory[0x40:0x50].decode("ascii")
