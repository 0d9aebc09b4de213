"""What the scanner thinks, for MicroPython: debounce, numbered events, answers. No pins and no clock of its own.

``step`` takes what the wires show and the time; ``hear`` takes bytes of the host; both return the bytes to write.
``main.py`` joins it to the pins of a Raspberry Pi Pico.
"""

from line import Hearer, frame

VERSION = 1
NUMBERS = 65536
KEPT = 256
STATE_MS = 1000
NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]


class Switch:
    """One contact on its way to another state: since when, and how long it has shown it in all."""

    def __init__(self, first_ms):
        self.first_ms = first_ms
        self.shown_ms = 0


class Scanner:
    """64 reeds, a lever, buttons, lamps. ``boot`` is a number that differs from one power-up to the next."""

    def __init__(self, boot, occupancy=0, lamps=64, name="pico"):
        self.boot = boot
        self.name = name
        self.lamps = lamps
        self.occupancy = occupancy
        self.close_ms = 60
        self.open_ms = 30
        self.lever = None
        self.buttons = set()
        self.lit = []  # (square, red, green, blue, blinks a second)
        self.tone = None  # (hz, ms) to be sounded, taken by whoever sounds it
        self._ways = {}
        self._last = 0
        self._kept = []
        self._now_ms = 0
        self._state_ms = 0
        self._heard_ms = 0
        self._hearer = Hearer()

    def step(self, raw, now_ms, lever=None, buttons=()):
        """One scan: ``raw`` are the contacts, bit n = square n closed; ``lever`` is ``w``, ``b`` or None (in flight)."""
        passed_ms = now_ms - self._now_ms
        self._now_ms = now_ms
        out = b""
        different = raw ^ self.occupancy
        for square in list(self._ways):
            if not different >> square & 1:
                out += self._returns(square, passed_ms)
        square = 0
        while different:
            if different & 1:
                out += self._differs(square, passed_ms)
            different >>= 1
            square += 1
        if lever is not None and lever != self.lever:
            if self.lever is not None:
                out += self._happen("L" + lever, now_ms)
            self.lever = lever
        for button in sorted(set(buttons) - self.buttons):
            out += self._happen("B" + button, now_ms)
        self.buttons = set(buttons)
        if now_ms - self._state_ms >= STATE_MS:
            out += self._say_state()
        return out

    def _differs(self, square, passed_ms):
        way = self._ways.get(square)
        if way is None:
            self._ways[square] = Switch(self._now_ms)
            return b""
        way.shown_ms += passed_ms
        closing = not self.occupancy >> square & 1
        if way.shown_ms < (self.close_ms if closing else self.open_ms):
            return b""
        del self._ways[square]
        self.occupancy ^= 1 << square
        return self._happen(("+" if closing else "-") + NAMES[square], way.first_ms)

    def _returns(self, square, passed_ms):
        """The contact shows its old state again: what it has shown of the new one runs down."""
        way = self._ways[square]
        way.shown_ms -= passed_ms
        if way.shown_ms > 0:
            return b""
        del self._ways[square]
        if not self.occupancy >> square & 1:
            return b""
        return self._happen(f"~{NAMES[square]}:{min(self._now_ms - way.first_ms, 9999)}", way.first_ms)

    def _happen(self, what, at_ms):
        self._last = (self._last + 1) % NUMBERS
        said = frame(f"E,{self._last},{at_ms & 0xFFFFFFFF:X},{self._hex()},{what}")
        self._kept.append(said)
        if len(self._kept) > KEPT:
            self._kept.pop(0)
        return said

    def _hex(self):
        # In two halves: not every MicroPython formats an integer of more than 32 bits.
        return f"{self.occupancy >> 32:08X}{self.occupancy & 0xFFFFFFFF:08X}"

    def _say_state(self):
        self._state_ms = self._now_ms
        return frame(f"S,{self._last},{self._now_ms & 0xFFFFFFFF:X},{self._hex()}")

    def hear(self, data, now_ms):
        """Bytes of the host; the answers."""
        if now_ms - self._heard_ms >= 200:
            self._hearer.give_up()
        if data:
            self._heard_ms = now_ms
        self._now_ms = max(self._now_ms, now_ms)
        out = b""
        for words in self._hearer.feed(data):
            out += self._obey(words[0], words[1:])
        return out

    def _obey(self, letter, words):
        tag = words[0] if words else "0"
        try:
            if letter == "V":
                return frame(f"H,{VERSION},64,{self.lamps},{self.boot:X},{self._last},{self.name}")
            if letter == "Q":
                return self._say_state() + frame("A," + tag)
            if letter == "R":
                wanted = (self._last + 1 - int(words[1])) % NUMBERS
                if wanted > len(self._kept):
                    return frame("N," + tag + ",gone")
                return b"".join(self._kept[len(self._kept) - wanted :]) + frame("A," + tag)
            if letter == "L":
                self.lit = _lamps(words[1])
            elif letter == "T":
                self.tone = (int(words[1]), int(words[2]))
            elif letter == "D":
                self.close_ms, self.open_ms = int(words[1]), int(words[2])
            else:
                return frame("N," + tag + ",unknown")
        except (ValueError, IndexError):
            return frame("N," + tag + ",bad")
        return frame("A," + tag)

    def lit_now(self, now_ms):
        """The lamps that are lit at this moment: (square, red, green, blue)."""
        return [lamp[:4] for lamp in self.lit if not lamp[4] or now_ms * 2 * lamp[4] // 1000 % 2 == 0]


def _lamps(text):
    if len(text) % 9:
        raise ValueError(text)
    lamps = []
    for at in range(0, len(text), 9):
        square, red, green, blue = [int(text[place : place + 2], 16) for place in range(at, at + 8, 2)]
        if square > 63:
            raise ValueError(text)
        lamps.append((square, red, green, blue, int(text[at + 8], 16)))
    return lamps
