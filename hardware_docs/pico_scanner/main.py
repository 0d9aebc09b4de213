"""The scanner on the pins of a Raspberry Pi Pico: an 8x8 diode matrix, a lever, WS2812 lamps, a piezo, USB serial.

Copy ``line.py``, ``scanner.py`` and ``main.py`` onto the board (Thonny, or ``mpremote cp line.py scanner.py main.py :``). It
starts by itself and talks on the USB port; the host opens it as ``scanner:/dev/ttyACM0``.
"""

import select
import sys
import time

import machine
import neopixel
from scanner import Scanner

DRIVE = (0, 1, 2, 3, 4, 5, 6, 7)  # GP numbers, files a..h, 220 ohm each; low = selected, else input
SENSE = (8, 9, 10, 11, 12, 13, 14, 15)  # ranks 1..8, internal pull-up; closed = low
LEVER_WHITE, LEVER_BLACK = 16, 17  # the two contacts of the lever to ground
LAMPS = 18  # data of 64 WS2812 through a level shifter, a1 first, rank by rank
PIEZO = 19
SCAN_MS = 5
SETTLE_US = 30
BRIGHTNESS = 5  # divides the colours: 64 lamps at full white want almost 4 A


class Wires:
    """The pins, read and set."""

    def __init__(self):
        self.drive = [machine.Pin(number, machine.Pin.IN) for number in DRIVE]
        self.sense = [machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP) for number in SENSE]
        self.white = machine.Pin(LEVER_WHITE, machine.Pin.IN, machine.Pin.PULL_UP)
        self.black = machine.Pin(LEVER_BLACK, machine.Pin.IN, machine.Pin.PULL_UP)

    def read(self):
        """All 64 contacts, bit n = square n closed."""
        bits = 0
        for file, line in enumerate(self.drive):
            line.init(machine.Pin.OUT, value=0)
            time.sleep_us(SETTLE_US)
            for rank, pin in enumerate(self.sense):
                if not pin.value():
                    bits |= 1 << (8 * rank + file)
            line.init(machine.Pin.IN)
        return bits

    def lever(self):
        """The side that is down, None while the lever is in flight."""
        white, black = not self.white.value(), not self.black.value()
        if white == black:
            return None
        return "w" if white else "b"


def run():
    """Scan, listen, talk; never returns."""
    wires = Wires()
    lamps = neopixel.NeoPixel(machine.Pin(LAMPS), 64)
    piezo = machine.PWM(machine.Pin(PIEZO))
    scanner = Scanner(boot=int.from_bytes(machine.unique_id()[-2:], "big") ^ time.ticks_us(), occupancy=wires.read())
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    now_ms, ticks, shown, silent_ms = 0, time.ticks_ms(), None, 0
    while True:
        # ticks_ms goes round every 12 days: count on from it.
        now_ms += time.ticks_diff(time.ticks_ms(), ticks)
        ticks = time.ticks_ms()
        said = scanner.step(wires.read(), now_ms, wires.lever())
        heard = b""
        while poll.poll(0) and len(heard) < 512:
            heard += sys.stdin.buffer.read(1)
        said += scanner.hear(heard, now_ms)
        if said:
            sys.stdout.buffer.write(said)
        lit = scanner.lit_now(now_ms)
        if lit != shown:
            shown = lit
            lamps.fill((0, 0, 0))
            for square, red, green, blue in lit:
                lamps[square] = (red // BRIGHTNESS, green // BRIGHTNESS, blue // BRIGHTNESS)
            lamps.write()
        if scanner.tone:
            hz, ms = scanner.tone
            scanner.tone = None
            piezo.freq(max(hz, 20))
            piezo.duty_u16(32768)
            silent_ms = now_ms + ms
        elif silent_ms and now_ms >= silent_ms:
            piezo.duty_u16(0)
            silent_ms = 0
        time.sleep_ms(max(0, SCAN_MS - time.ticks_diff(time.ticks_ms(), ticks)))


if __name__ == "__main__":
    run()
