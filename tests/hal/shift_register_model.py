"""Nine 74HC165 and the bus they hang on, edge by edge: load, clock, inhibit, the chain and its end.

Levels are True for high. The chips shift at a rising edge of "CLK or CLK INH", so CLK INH must not rise while CLK is low.
The master reads MISO at the edges its mode says; at an edge at which the chips shift it reads either level, and that fails.

Source: TI SN74HC165 data sheet (function table; QH is stage H, its inverse on pin 7) and SN74ALS165 (CLK INH).
"""

from __future__ import annotations

from gpiozero.pins import mock


class ShiftRegisterModel:
    """Implements `hal.spi.Bus`; ``closed[chip]`` bit n = input n (A = 0) is at ground.

    Faults: ``cut`` = the wire into the SER of this chip is broken and reads ``cut_level`` (8 is the ninth chip's own loop);
    ``miso`` = the level at which the Pi's input is stuck; ``gated`` False = CLK INH is at ground instead of the select;
    ``loose`` = the chips whose SH/LD is broken off and pulled up.
    """

    def __init__(self, mode):
        self.mode = mode
        self.closed = [0] * 9
        self.cut, self.cut_level, self.miso, self.gated = None, True, None, True
        self.loose = ()
        self.released = False
        self.loads = 0
        self._stages = [0] * 9  # bit n = stage n, A = 0; what they hold at power-up is anything
        self._clock = self._inhibit = self._loading = False
        self._before_transfer = lambda: None
        self.factory = mock.MockFactory()

    def pins(self, load=25):
        """A pin factory whose GPIO ``load`` is SH/LD of all chips."""
        model = self

        class LoadPin(mock.MockPin):
            """The pin at SH/LD."""

            def _change_state(self, value):
                changed = super()._change_state(value)
                model.shift_or_load(bool(value))
                return changed

        self.factory.pin(load, pin_class=LoadPin)
        return self.factory

    def between(self, action):
        """Do something between the next load and its transfer."""
        self._before_transfer = action

    # --- the chips ---

    def shift_or_load(self, level):
        """SH/LD changes: low loads, whatever the clock does."""
        self.loads += self._loading and level
        self._loading = not level
        self._settle()

    def _settle(self):
        """While SH/LD is low the stages follow the inputs."""
        if self._loading:
            for chip, closed in enumerate(self.closed):
                if chip not in self.loose:
                    self._stages[chip] = 0xFF ^ closed

    def _edge(self, clock=None, inhibit=None):
        before = self._clock or self._inhibit
        if inhibit and not self._inhibit:
            assert self._clock, "CLK INH rises while CLK is low: that is a clock"
        self._clock = self._clock if clock is None else clock
        self._inhibit = self._inhibit if inhibit is None else inhibit
        if not self.gated:
            self._inhibit = False
        rises = (self._clock or self._inhibit) and not before
        if rises and not self._loading:
            serial = [stages >> 7 & 1 for stages in self._stages[1:]] + [1 - (self._stages[8] >> 7)]
            if self.cut is not None:
                serial[self.cut] = int(self.cut_level)
            self._stages = [(stages << 1 | bit) & 0xFF for stages, bit in zip(self._stages, serial, strict=True)]
        return rises

    # --- the bus ---

    def transfer(self, sent):
        """The kernel's transfer: polarity, select, bits with the highest first, select away."""
        assert not any(sent), "lamps on the same bus would show it"
        self._before_transfer()
        self._settle()
        rests, second = bool(self.mode & 2), bool(self.mode & 1)
        self._inhibit = self.gated
        self._edge(clock=rests)
        self._edge(inhibit=False)
        back = bytearray()
        for _ in sent:
            byte = 0
            for _ in range(8):
                for edge in (False, True):
                    level = (self._stages[0] >> 7 & 1) if self.miso is None else int(self.miso)
                    shifts = self._edge(clock=rests if edge else not rests)
                    if edge == second:
                        assert not shifts, "the master reads at the edge at which the chips shift"
                        byte = byte << 1 | level
            back.append(byte)
        self._edge(inhibit=True)
        return bytes(back)

    def foreign(self, count):
        """``count`` bytes to another chip on the same bus, in mode 0: its clock is ours, its select is not."""
        self._edge(clock=False)
        for _ in range(8 * count):
            self._edge(clock=True)
            self._edge(clock=False)

    def close(self):
        """Released."""
        self.released = True
