"""WS2812 over SPI: the bits on the wire read back with the data sheet's times."""

from __future__ import annotations

from random import Random

import pytest

from hal.board import Lamp, Lamps
from hal.lamps import frame
from hal.wiring import default_wiring
from hal.ws2812 import SPEED_HZ, Ws2812, chain, encode


def read_back(wire):
    """The colours that lamps with the data sheet's tolerances see on a wire of SPI bytes."""
    bits = "".join(f"{byte:08b}" for byte in wire)
    bit_us = 1e6 / SPEED_HZ
    colours, values, number, at = [], [], "", 0
    while "1" in bits[at:]:
        rise = bits.index("1", at)
        assert rise == at or not number, "a gap inside a colour"
        fall = bits.index("0", rise)
        after = bits.find("1", fall)
        high_us = (fall - rise) * bit_us
        low_us = ((after if after >= 0 else len(bits)) - fall) * bit_us
        if 0.2 <= high_us <= 0.5:
            number += "0"
        elif 0.55 <= high_us <= 0.85:
            number += "1"
        else:
            raise AssertionError(f"{high_us:.2f} us is neither 0 nor 1")
        at = after if after >= 0 else len(bits)
        if len(number) == 8:
            values.append(int(number, 2))
            number = ""
        if after < 0:
            assert low_us > 280, f"{low_us:.0f} us is no reset"
    assert number == ""
    for n in range(0, len(values), 3):
        green, red, blue = values[n : n + 3]
        colours.append((red, green, blue))
    return colours


def test_what_is_sent_is_what_lamps_see():
    """Random pictures survive the wire; the line starts low and ends with a reset."""
    random = Random(1)
    for _ in range(20):
        colours = [tuple(random.randrange(256) for _ in range(3)) for _ in range(64)]
        wire = encode(colours)
        assert wire.startswith(b"\0\0")
        assert read_back(wire) == colours
    assert len(wire) == 2 + 576 + 90
    assert len(wire) < 4096


def test_a_bit_takes_its_time():
    """Each lamp bit takes 1.25 us on the wire."""
    assert pytest.approx(1.25) == 3e6 / SPEED_HZ


@pytest.mark.parametrize(("order", "second"), [("serpentine", list(range(15, 7, -1))), ("rows", list(range(8, 16)))])
def test_the_chain_is_mapped(order, second):
    """The eighth lamp stands on h1, the ninth on h2 or a2."""
    wiring = default_wiring()
    squares = chain(order, wiring.turned)
    assert squares[:8] == list(range(8))
    assert squares[8:16] == second
    assert sorted(squares) == list(range(64))


class Device:
    """An SPI device that keeps what it was sent."""

    def __init__(self):
        self.sent = []
        self.closed = False

    def write(self, sent):
        """One transfer."""
        self.sent.append(sent)

    def close(self):
        """Released."""
        self.closed = True


def test_a_square_lights_its_own_lamp():
    """On a serpentine h2 is the ninth lamp."""
    device = Device()
    writer = Ws2812(device, chain("serpentine", default_wiring().turned))
    writer.write(frame(Lamps(squares={15: Lamp(red=1, green=2, blue=3)}), 0.0), 1.0)
    assert read_back(device.sent[0])[8] == (1, 2, 3)
    assert sum(map(sum, read_back(device.sent[0]))) == 6
    writer.close()
    assert device.closed
