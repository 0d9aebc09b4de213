"""The scanner on the simulated circuit: one contract for both backends, costs counted, ghosts, settling, busy lines."""

from __future__ import annotations

import errno
import time
import types
from dataclasses import replace
from random import Random

import pytest

from hal.lines import GroupLines, PinLines
from hal.matrix import Matrix, Scan, spin
from hal.net import Net, make_pins
from hal.squares import parse_square
from hal.wiring import default_wiring, parse_wiring
from tests.hal.gpiod_model import Bias, Direction, GpiodModel

WIRING = default_wiring()
HIGH = parse_wiring('[matrix]\nidle = "high"', "high")
START = 0xFFFF_0000_0000_FFFF
CHIP = "/dev/gpiochip0"


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


class Rig:
    """A scanner on a circuit, whichever the backend."""

    def __init__(self, backend, wiring=WIRING):
        self.net = Net(wiring, seed=1)
        self.wiring = wiring
        if backend == "pins":
            self.lines = PinLines(wiring.matrix, make_pins(self.net, wiring))
        else:
            self.gpiod = GpiodModel(self.net, wiring.matrix)
            self.lines = GroupLines(wiring.matrix, CHIP, self.gpiod)
        self.matrix = Matrix(wiring, self.lines, self.net.wait)

    def scan(self, squares, panel=0):
        """What a scan reads of these contacts."""
        self.net.set_switches(squares, panel)
        self.net.now_ns += 5_000_000
        return self.matrix.scan()


@pytest.fixture(params=["pins", "lines"])
def backend(request):
    """Both backends."""
    return request.param


@pytest.mark.parametrize("wiring", [WIRING, HIGH], ids=["open", "high"])
def test_a_scan_reads_what_is_closed(backend, wiring):
    """A thousand random positions with good diodes: exactly the closed squares and contacts, no ghost, no contention."""
    rig, random = Rig(backend, wiring), Random(7)
    for _ in range(1_000):
        squares, panel = random.getrandbits(64), random.getrandbits(8)
        assert rig.scan(squares, panel) == Scan(squares, panel)
    assert rig.net.contentions == 0


@pytest.mark.parametrize(
    "text", ['[matrix]\ndrives = "ranks"', "[orientation]\nturn_deg = 90", "[orientation]\nmirror = true"]
)
def test_orientation_holds_through_the_wires(backend, text):
    """Whatever way the board is wired, a square is read as itself."""
    rig = Rig(backend, parse_wiring(text, "t"))
    for square in range(64):
        assert rig.scan(1 << square).squares == 1 << square
    assert rig.matrix.groups["line file e"] == 0x0101_0101_0101_0101 << 4
    assert rig.matrix.groups["line rank 4"] == 0xFF << 24


def test_without_diodes_a_rank_fills(backend):
    """All diodes bridged: after 1.e4 all of rank 4 reads closed, and e2 still does."""
    rig = Rig(backend)
    rig.net.diodes = dict.fromkeys(range(64), "shorted")
    read = rig.scan(START ^ bits("e2", "e4")).squares
    rank_4 = 0xFF << 24
    assert read & rank_4 == rank_4
    assert read & bits("e2")
    assert rig.net.contentions == 0


def test_one_shorted_diode_ghosts_its_rank(backend):
    """A shorted diode on a2 makes ghosts once a3 is occupied too, and none before."""
    rig = Rig(backend)
    rig.net.diodes[parse_square("a2")] = "shorted"
    assert rig.scan(START).squares == START
    ghosts = rig.scan(START | bits("a3")).squares & ~(START | bits("a3"))
    assert ghosts
    assert ghosts & ~(0xFF << 16) == 0


def test_driven_idle_lines_fight_a_shorted_diode():
    """With idle = high the same fault is a current between two outputs; with open lines it cannot be."""
    for wiring, contentions in ((WIRING, False), (HIGH, True)):
        rig = Rig("pins", wiring)
        rig.net.diodes[parse_square("a2")] = "shorted"
        rig.scan(START)
        assert bool(rig.net.contentions) is contentions


@pytest.mark.parametrize(("fault", "read"), [("open", False), ("reversed", False), ("shorted", True)])
def test_a_bad_diode_alone(backend, fault, read):
    """Broken or turned round the square is blind; shorted it still reads while it is alone."""
    rig = Rig(backend)
    rig.net.diodes[parse_square("e4")] = fault
    assert bool(rig.scan(bits("e4")).squares) is read


def test_forgetting_the_settle_time_fails(backend):
    """A scanner that reads at once sees the levels of the line before: the wait is not decoration."""
    wiring = replace(WIRING, matrix=replace(WIRING.matrix, settle_us=0))
    assert Rig(backend, wiring).scan(bits("e4")).squares != bits("e4")
    slow = Rig(backend)
    slow.net.settle_us = 60.0
    assert slow.scan(bits("e4")).squares != bits("e4")


def test_line_faults(backend):
    """A broken drive line silences its file, a broken sense line its rank; a grounded one fills it, and is found."""
    rig = Rig(backend)
    rig.net.open_drives.add(4)
    assert rig.scan(START).squares == START & ~(0x0101_0101_0101_0101 << 4)
    rig.net.open_drives.clear()
    rig.net.open_senses.add(0)
    rig.net.touched()
    assert rig.scan(START).squares == START & ~0xFF
    rig.net.open_senses.clear()
    rig.net.low_senses.add(3)
    rig.net.touched()
    assert rig.scan(START).squares == START | 0xFF << 24
    assert [flaw.part for flaw in rig.matrix.test(START, 0)] == ["line rank 4"]
    rig.net.low_senses.clear()
    rig.net.shorted_senses.add((3, 4))
    rig.net.touched()
    assert rig.scan(bits("e4")).squares == bits("e4", "e5")
    assert [flaw.part for flaw in rig.matrix.test(START, 0)] == ["line rank 4 + line rank 5"]


def test_contact_resistance_and_spikes():
    """A resistive contact reads open when its line is full; a spike flips a single read."""
    rig = Rig("pins")
    rig.net.resistive[parse_square("a1")] = 3
    assert rig.scan(bits("a1", "a2")).squares == bits("a1", "a2")
    assert rig.scan(bits("a1", "a2", "a7", "a8")).squares == bits("a2", "a7", "a8")
    rig = Rig("pins")
    rig.net.spike_rate = 0.01
    wrong = sum((rig.scan(START).squares ^ START).bit_count() for _ in range(100))
    assert 20 < wrong < 150


@pytest.mark.parametrize("failing", range(1, 28))
def test_a_scan_that_fails_half_way_loses_no_change(backend, failing):
    """Whichever call fails while pieces move: the next scan reads what is there, and no line stays selected besides."""
    rig, random = Rig(backend), Random(failing)
    left = [0]

    def failing_now_and_then(call):
        def tried(*arguments):
            left[0] -= 1
            if left[0] == 0:
                raise OSError(5, "Input/output error")
            return call(*arguments)

        return tried

    if backend == "lines":
        rig.lines._out.set_values = failing_now_and_then(rig.lines._out.set_values)
        rig.lines._in.get_values = failing_now_and_then(rig.lines._in.get_values)
    else:
        kind = type(rig.lines._drives[0].pin)
        pins = type("Pins", (kind,), {"_set_function": failing_now_and_then(kind._set_function)})
        for device in rig.lines._drives:
            device.pin.__class__ = pins
    squares = START
    for n in range(60):
        squares = random.getrandbits(64) if n % 4 == 0 else squares ^ 1 << random.randrange(64)
        panel = random.getrandbits(8)
        left[0] = failing
        try:
            rig.scan(squares, panel)
        except OSError:
            pass
        else:
            assert failing > 17
        left[0] = 0
        assert rig.matrix.scan() == Scan(squares, panel)
        assert rig.matrix.test(squares, panel) == ()


def test_a_scan_costs_what_it_may():
    """Ninety pin operations through gpiozero, panel line included; eighteen calls through libgpiod."""
    rig = Rig("pins")
    rig.scan(START)
    before = rig.net.operations
    rig.scan(START)
    assert rig.net.operations - before == 90
    rig = Rig("lines")
    rig.scan(START)
    before = rig.gpiod.calls
    rig.scan(START)
    assert rig.gpiod.calls - before == 18


def test_a_second_panel_line(backend):
    """Sixteen contacts, for ten pin operations or two calls more."""
    rig, random = Rig(backend, parse_wiring("[matrix]\npanel = [21, 15]", "two")), Random(3)
    for _ in range(200):
        squares, panel = random.getrandbits(64), random.getrandbits(16)
        assert rig.scan(squares, panel) == Scan(squares, panel)


def test_lines_are_given_back(backend):
    """After close another board may open; closing twice does no harm."""
    rig = Rig(backend)
    rig.matrix.close()
    rig.matrix.close()
    if backend == "lines":
        assert not rig.gpiod.held


def test_a_pin_in_use_is_named():
    """A GPIO that is taken is an OSError with its number, and nothing stays claimed."""
    factory = make_pins(Net(WIRING), WIRING)
    first = PinLines(WIRING.matrix, factory)
    with pytest.raises(OSError, match="GPIO5"):
        PinLines(WIRING.matrix, factory)
    first.close()
    PinLines(WIRING.matrix, factory).close()


def test_busy_lines_of_the_kernel_are_told():
    """Of libgpiod too: which are wanted, by which keys, and who has which; what was taken before is given back."""
    model = GpiodModel(Net(WIRING), WIRING.matrix, busy={4: "onewire@0", 18: ""})
    with pytest.raises(
        OSError, match=r"GPIO 4, 17, .*\[matrix\] sense.*busy \(GPIO4 by onewire@0, GPIO18 by the kernel\)"
    ):
        GroupLines(WIRING.matrix, CHIP, model)
    assert not model.held
    model = GpiodModel(Net(WIRING), WIRING.matrix, busy={21: "spi0"})
    with pytest.raises(OSError, match=r"GPIO 5, 6, .* 21 \(\[matrix\] drive and panel\).*\(GPIO21 by spi0\)"):
        GroupLines(WIRING.matrix, CHIP, model)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "Permission denied: join group gpio"),
        (errno.EINVAL, "Invalid argument"),
        (errno.ENOENT, "No such"),
    ],
)
def test_lines_that_are_not_given_are_named_with_the_cure(number, words):
    """Not only busy ones."""
    model = GpiodModel(Net(WIRING), WIRING.matrix)
    model.error = number
    with pytest.raises(OSError, match=rf"/dev/gpiochip0 does not give GPIO 5, .*\[matrix\] drive and panel\): {words}"):
        GroupLines(WIRING.matrix, CHIP, model)


def test_a_missing_package_names_its_extra(monkeypatch):
    """Without gpiod the error says what to install."""

    def without_gpiod(name):
        raise ImportError(name)

    monkeypatch.setattr("hal.lines.import_module", without_gpiod)
    with pytest.raises(OSError, match=r"touchmove\[lines\]"):
        GroupLines(WIRING.matrix, CHIP)


def test_an_old_gpiod_is_told_with_the_version_that_is_wanted():
    """The package of the same name before 2.0 has chips and lines, but nothing of what is used here."""
    old = types.SimpleNamespace(__version__="1.6.3", Chip=object, LINE_REQ_DIR_OUT=3)
    with pytest.raises(OSError, match=r"gpiod 2\.2 or later, and 1\.6\.3 is installed"):
        GroupLines(WIRING.matrix, CHIP, old)


def test_after_a_call_that_failed_all_lines_are_set():
    """Which lines it had set nobody knows: one that stayed low would show its pieces on every other line."""
    rig = Rig("lines")
    rig.net.set_switches(bits("a2", "h7"), 0)
    rig.lines.select(0)
    rig.gpiod.interrupted = True
    with pytest.raises(OSError, match="Input/output error"):
        rig.lines.select(7)  # h is low by now, and a still
    rig.lines.select(2)
    assert rig.gpiod.lines_set == 9
    rig.net.now_ns += 1_000_000
    assert rig.lines.read() == 0
    rig.lines.select(3)
    assert rig.gpiod.lines_set == 2
    rig.lines.select(None)
    rig.net.now_ns += 1_000_000
    assert rig.lines.heard() == 0


@pytest.mark.parametrize("bias", [Bias.AS_IS, Bias.PULL_DOWN])
def test_drive_lines_that_keep_their_pull_down_fill_the_ranks(bias):
    """What the model is for: requested without a bias, free drive lines make every rank with a piece on it read full."""

    class Careless(GpiodModel):
        def request_lines(self, chip, config, consumer):
            for settings in config.values():
                if settings.direction is Direction.OUTPUT:
                    settings.bias = bias
            return super().request_lines(chip, config, consumer)

    net = Net(WIRING)
    matrix = Matrix(WIRING, GroupLines(WIRING.matrix, CHIP, Careless(net, WIRING.matrix)), net.wait)
    net.set_switches(bits("a2", "h2"), 0)
    assert matrix.scan().squares == 0xFF << 8


def test_a_sense_line_that_was_held_has_its_pull_up_again():
    """Also where a pin that becomes an input loses it, as with some of gpiozero's factories."""

    class Forgetful:
        info = types.SimpleNamespace(name="GPIO4")
        pull, state = "up", 1

        @property
        def function(self):
            return self._function

        @function.setter
        def function(self, value):
            self._function, self.pull = value, "floating"

    lines = Rig("pins").lines
    lines._sense[0] = (Forgetful(), 1)
    lines.hold(0)
    pin = lines._sense[0][0]
    assert (pin.function, pin.state) == ("output", 0)
    lines.hold(None)
    assert (pin.function, pin.pull) == ("input", "up")


def test_spin_waits_at_least_as_long():
    """The wait of a real board never returns early."""
    start = time.perf_counter_ns()
    spin(30)
    assert time.perf_counter_ns() - start >= 30_000


def test_what_a_line_pulls_with_it(backend):
    """Nothing on a sound board, whatever stands on it; the other of two lines that touch; through a bad diode one way."""
    rig, random = Rig(backend), Random(3)
    for _ in range(30):
        rig.scan(random.getrandbits(64), random.getrandbits(8))
        assert [rig.matrix.pulled_with(contact) for contact in range(8)] == [0] * 8
    rig.net.shorted_senses.add((1, 2))
    rig.net.touched()
    assert [rig.matrix.pulled_with(contact) for contact in range(4)] == [0, 0b100, 0b10, 0]
    rig.net.shorted_senses.clear()
    rig.net.diodes[parse_square("e1")] = "shorted"
    rig.net.touched()
    rig.scan(START)
    assert [rig.matrix.pulled_with(contact) for contact in (0, 1)] == [0b1100_0010, 0]
    assert rig.scan(START, 0b10) == Scan(START, 0b10)
    assert rig.net.contentions == 0
