"""The wires asked by their own pins, on the circuit and on both backends: each cause named, and all that it hides."""

from __future__ import annotations

from random import Random

import pytest

from hal.squares import SQUARE_NAMES, squares_of, squares_of_part
from hal.wires import FULL_PANEL
from hal.wiring import parse_wiring
from tests.hal.test_matrix import HIGH, START, Rig

FILES = [f"line file {name}" for name in "abcdefgh"]
RANKS = [f"line rank {n}" for n in range(1, 9)]
TWO_PANELS = parse_wiring(FULL_PANEL, "two panel lines")


@pytest.fixture(params=["pins", "lines"])
def rig(request):
    """A scanner on a circuit, whichever the backend."""
    return Rig(request.param)


def examined(rig, standing, contacts=0):
    """The flaws by part and reason, once it is seen that they hide whatever is read wrongly."""
    scan = rig.scan(standing, contacts)
    flaws = rig.matrix.test(*scan)
    hidden = 0
    for flaw in flaws:
        hidden |= flaw.hidden
    assert (scan.squares ^ standing) & ~hidden == 0
    assert rig.net.contentions == 0
    assert len({flaw.part for flaw in flaws}) == len(flaws)
    return {flaw.part: flaw.reason for flaw in flaws}


def positions(seed, count=12):
    """The starting array, and boards of every density."""
    random = Random(seed)
    yield START
    for n in range(count):
        yield sum(1 << square for square in random.sample(range(64), 2 + n * 3))


def test_sound_wires(rig):
    """Nothing is found in any position, whatever is pressed, and the next scan is as before."""
    random = Random(1)
    for standing in positions(1, 20):
        contacts = random.getrandbits(8)
        assert examined(rig, standing, contacts) == {}
        assert rig.matrix.unsure() == 0
        assert rig.matrix.scan() == (standing, contacts)


@pytest.mark.parametrize("line", range(9))
def test_a_drive_line_at_ground(rig, line):
    """Named alone, in the starting array too; its own squares are seen all the same."""
    rig.net.low_drives.add(line)
    for standing in positions(line):
        own = squares_of_part(FILES[line]) if line < 8 else 0
        assert examined(rig, standing, 0b10) == {(*FILES, "panel")[line]: "shorted"}
        (flaw,) = rig.matrix.test(*rig.matrix.scan())
        assert not flaw.hidden & own
        pulls = 0b10 if line == 8 else sum(1 << (square >> 3) for square in squares_of(standing & own))
        assert rig.matrix.unsure() == (0 if line == 8 else pulls)


@pytest.mark.parametrize("line", range(8))
def test_a_sense_line_at_ground(rig, line):
    """Named, and its contacts are not believed."""
    rig.net.low_senses.add(line)
    for standing in positions(line):
        assert examined(rig, standing, 0b10) == {RANKS[line]: "shorted"}
        assert rig.matrix.unsure() == 1 << line


@pytest.mark.parametrize("line", range(8))
def test_two_drive_lines_touch(rig, line):
    """Both named as one fault, before a chessman shows it; the panel's contacts are not believed if its line is one."""
    rig.net.shorted_drives.add((line, line + 1))
    for standing in positions(line):
        assert examined(rig, standing, 0b10) == {f"{FILES[line]} + {(*FILES, 'panel')[line + 1]}": "shorted_together"}
        assert rig.matrix.unsure() == (0xFF if line == 7 else 0)


@pytest.mark.parametrize("line", range(7))
def test_two_sense_lines_touch(rig, line):
    """The same of ranks."""
    rig.net.shorted_senses.add((line, line + 1))
    for standing in positions(line):
        assert examined(rig, standing, 0b10) == {f"{RANKS[line]} + {RANKS[line + 1]}": "shorted_together"}
        assert rig.matrix.unsure() == 0
        assert rig.matrix.pulled_with(line) == 1 << line + 1


@pytest.mark.parametrize("fault", ["shorted", "reversed"])
def test_a_bad_diode(rig, fault):
    """Every square's: named by its square while a chessman stands there, and harmless while none does."""
    for square in range(64):
        rig.net.diodes[square] = fault
        for standing in positions(square, 5):
            assert examined(rig, standing | 1 << square, 0b10) == {f"square {SQUARE_NAMES[square]}": "diode"}
            assert examined(rig, standing & ~(1 << square), 0b10) == {}
        del rig.net.diodes[square]


def test_a_bad_diode_of_the_panel(rig):
    """Named by its contact while that is closed."""
    for contact in range(8):
        rig.net.diodes[64 + contact] = "shorted"
        for standing in positions(contact, 5):
            assert examined(rig, standing, 1 << contact | 0b10) == {f"contact {contact + 1}": "diode"}
        del rig.net.diodes[64 + contact]


def test_a_second_panel_line():
    """It is one drive line more, that touches its neighbour or ground as others do."""
    rig = Rig("pins", TWO_PANELS)
    for pair, part in (((7, 8), "line file h + panel"), ((8, 9), "panel + panel 2"), ((7, 9), "line file h + panel 2")):
        rig.net.shorted_drives.add(pair)
        assert examined(rig, START, 0b10) == {part: "shorted_together"}
        assert rig.matrix.unsure() == {(7, 8): 0xFF, (7, 9): 0xFF00}.get(pair, 0xFFFF)
        rig.net.shorted_drives.clear()
    rig.net.low_drives.add(9)
    assert examined(rig, START, 0b10) == {"panel 2": "shorted"}


@pytest.mark.parametrize("seed", range(60))
def test_two_things_at_once(seed):
    """Something is named, and nothing is driven against anything else."""
    rig, random = Rig("pins"), Random(seed)
    net = rig.net
    for _ in range(2):
        n, square = random.randrange(7), random.randrange(64)
        what, where = random.choice(
            [
                (net.low_drives, n),
                (net.low_senses, n),
                (net.shorted_drives, (n, n + 1)),
                (net.shorted_senses, (n, n + 1)),
                (net.diodes, square),
            ]
        )
        if what is net.diodes:
            what[where] = random.choice(["shorted", "reversed"])
        else:
            what.add(where)
    for standing in positions(seed, 6):
        scan = rig.scan(standing | sum(1 << square for square in net.diodes), 0b10)
        assert rig.matrix.test(*scan)
        assert net.contentions == 0


def test_glances_see_what_the_test_sees(rig):
    """All of them together, whatever is wrong; each costs less than half a scan, and on sound wires none sees anything."""
    net = rig.net
    rig.scan(START, 0b10)
    for broken, what in (
        (net.low_drives, 3), (net.low_senses, 3), (net.shorted_drives, (7, 8)), (net.shorted_senses, (0, 1)), (None, None)
    ):  # fmt: skip
        if broken is not None:
            broken.add(what)
        net.touched()
        assert any(rig.matrix.glance() for _ in range(rig.matrix.glances)) is (broken is not None)
        if broken is not None:
            broken.discard(what)
    net.diodes[0] = "shorted"
    net.touched()
    assert any(rig.matrix.glance() for _ in range(rig.matrix.glances))
    net.diodes.clear()
    net.touched()
    for _ in range(rig.matrix.glances):
        before = net.operations
        rig.matrix.glance()
        assert net.operations - before <= 30


def test_lines_that_are_driven_high_show_what_they_can():
    """A sense line at ground is found; drive lines cannot be heard."""
    rig = Rig("pins", HIGH)
    assert examined(rig, START) == {}
    rig.net.low_senses.add(3)
    rig.net.touched()
    assert examined(rig, START) == {"line rank 4": "shorted"}


def test_a_wrong_level_is_no_flaw():
    """One read in a hundred is wrong: what is not found twice is not there."""
    rig, told = Rig("pins"), 0
    rig.net.spike_rate = 0.01
    for _ in range(200):
        told += bool(rig.matrix.test(START, 0b10))
    assert told <= 10


def test_a_pull_up_that_was_lost(rig):
    """Some pins forget it when they have been outputs: it is set again before anything is believed."""
    if not hasattr(rig, "gpiod"):
        for device in rig.lines._drives:
            device.pin.pull = "floating"
        assert examined(rig, START) == {}
        assert {device.pin.pull for device in rig.lines._drives} == {"up"}


@pytest.mark.parametrize("failing", range(1, 17))
def test_a_test_that_fails_half_way(failing):
    """No sense line stays pulled: the next scan reads what is there."""
    rig = Rig("pins")
    rig.scan(START)
    left, kind = [failing], type(rig.lines._sense[0][0])

    def tried(pin, value):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(5, "Input/output error")
        kind._set_function(pin, value)

    pins = type("Pins", (kind,), {"_set_function": tried})
    for pin, _ in rig.lines._sense:
        pin.__class__ = pins
    with pytest.raises(OSError, match="Input/output error"):
        rig.matrix.test(START, 0)
    assert rig.matrix.scan() == (START, 0)
    assert rig.matrix.test(START, 0) == ()
