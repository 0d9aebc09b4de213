"""Nine 74HC165 in a chain: every switch where it belongs, and a chain that is not there never an empty board."""

from __future__ import annotations

from random import Random

import pytest

from hal.matrix import Scan
from hal.reed_board import ReedBoard
from hal.shift_register import MODE, ShiftRegisters
from hal.wiring import parse_wiring
from tests.hal.shift_register_model import ShiftRegisterModel

CHAIN = '[scanner]\nkind = "shift_register"\n[buzzer]\ngpio = 0\n'
WIRING = parse_wiring(CHAIN, "chain")


def rig(mode=MODE, wiring=WIRING):
    """A chain and what reads it."""
    model = ShiftRegisterModel(mode)
    return model, ShiftRegisters(wiring, model, model.pins(wiring.bus.load))


def test_every_switch_is_its_square():
    """Random contacts on eight chips and the panel's ninth, loaded once a scan after five at the start; nothing can ghost.

    Once more only where chance turns all of the panel over, which no panel does.
    """
    model, scanner = rig()
    random, turned = Random(2), 0
    for _ in range(500):
        squares, panel = random.getrandbits(64), random.getrandbits(8)
        turned += panel == model.closed[8] ^ 0xFF
        model.closed = [squares >> 8 * chip & 0xFF for chip in range(8)] + [panel]
        assert scanner.scan() == Scan(squares, panel)
        assert scanner.scan() == Scan(squares, panel)
    assert model.loads == 5 + 1000 + turned
    assert turned < 5
    assert scanner.test(0, 0) == ()
    assert scanner.groups["line rank 4"] == 0xFF << 24
    scanner.close()
    scanner.close()
    assert model.released


def test_the_bus_is_released_whatever_the_load_line_says():
    """A line that fails when it is given back, of its own kind, becomes an OSError, and the bus is closed."""
    model, scanner = rig()

    class Stuck:
        def close(self):
            raise RuntimeError("I/O error")

    scanner._load.close()
    scanner._load = Stuck()
    with pytest.raises(OSError, match="load line is not given back: I/O error"):
        scanner.close()
    assert model.released


def test_orientation_applies():
    """A turned board reads its own squares."""
    model, scanner = rig(wiring=parse_wiring(CHAIN + "[orientation]\nturn_deg = 180", "t"))
    model.closed[0] = 1
    assert scanner.scan().squares == 1 << 63


@pytest.mark.parametrize("mode", [0, 1, 3])
def test_no_other_mode_will_do(mode):
    """Read at the edge at which the chips shift, or selected with the clock low: the model refuses both."""
    with pytest.raises(AssertionError, match=r"the chips shift|CLK INH rises"):
        rig(mode)


def test_all_switches_are_seen_at_the_moment_of_the_load():
    """A switch that opens between load and transfer is closed in this scan, and open in the next."""
    model, scanner = rig()
    model.closed[3] = 0x10
    model.between(lambda: model.closed.__setitem__(3, 0))
    assert scanner.scan().squares == 1 << 28
    assert scanner.scan().squares == 0


def test_what_others_on_the_bus_are_sent_shifts_nothing():
    """Lamps get their picture between load and transfer: with CLK INH at the select the chain does not move."""
    model, scanner = rig()
    model.closed[3] = 0x10
    model.between(lambda: model.foreign(3))
    assert scanner.scan().squares == 1 << 28
    model.gated = False
    model.closed[3] = 0x20  # a change, so that what was read is looked at
    assert scanner.scan().squares != 1 << 29


@pytest.mark.parametrize(("level", "word"), [(True, "ones"), (False, "zeros")])
def test_a_dead_chain_is_no_board(level, word):
    """MISO broken or shorted, at one level or the other: no empty and no full board, and none opens; the chain is named."""
    model, scanner = rig()
    model.miso = level
    with pytest.raises(OSError, match=rf"chain of 74HC165 on /dev/spidev0\.1, .*only {word} came back"):
        scanner.scan()
    with pytest.raises(OSError, match="load line GPIO25"):
        scanner.scan()
    model.miso = None
    assert scanner.scan() == Scan(0, 0)
    model = ShiftRegisterModel(MODE)
    model.miso = level
    pins = model.pins(25)
    for _ in range(2):  # the load line was given back
        with pytest.raises(OSError, match=f"only {word} came back"):
            ShiftRegisters(WIRING, model, pins)


@pytest.mark.parametrize("level", [True, False])
@pytest.mark.parametrize("cut", range(9))
def test_a_chain_that_is_cut_anywhere_is_no_board(cut, level):
    """Each wire from chip to chip and the loop at the end, floating high or low: never taken for switches."""
    model, scanner = rig()
    model.closed = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0b01]
    assert scanner.scan() == Scan(0xFFFF_0000_0000_FFFF, 0b01)
    model.cut, model.cut_level = cut, level
    with pytest.raises(OSError, match=r"chain of 74HC165 .* (is broken|came back)"):
        scanner.scan()


@pytest.mark.parametrize("seed", range(20))
def test_a_chain_that_is_never_loaded_is_no_board(seed):
    """SH/LD broken off and pulled up, whatever the chips held: none opens, and one in use is not believed once."""
    model, random = ShiftRegisterModel(MODE), Random(seed)
    model._stages = [random.getrandbits(8) for _ in range(9)]
    with pytest.raises(OSError, match="is not loaded, SH/LD"):
        ShiftRegisters(WIRING, model, ShiftRegisterModel(MODE).pins(25))
    model, scanner = rig()
    model.closed = [random.getrandbits(8) for _ in range(9)]
    scanner.scan()
    model.shift_or_load = lambda level: None
    for _ in range(6):
        with pytest.raises(OSError, match="is not loaded, SH/LD"):
            scanner.scan()


@pytest.mark.parametrize("first", range(9))
@pytest.mark.parametrize("panel", [0, 0b10, 0xFF])
def test_a_load_line_that_is_cut_anywhere_is_no_board(first, panel):
    """SH/LD reaches the chips before this one only: not one scan is believed, in use or from the start, and it is named."""
    model, scanner = rig()
    model.closed = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, panel]
    right = scanner.scan()
    model.loose = range(first, 9)
    words = f"not loaded from chip {first + 1} on" if first else "is not loaded, SH/LD"
    for _ in range(6):
        with pytest.raises(OSError, match=words) as told:
            scanner.scan()
    assert getattr(told.value, "part", None) == (f"chip {first + 1}" if first else None)
    with pytest.raises(OSError, match="not loaded"):
        ShiftRegisters(WIRING, model, ShiftRegisterModel(MODE).pins(25))
    model.loose = ()
    assert scanner.scan() == right


@pytest.mark.parametrize(("loose", "panel"), [((0,), 0b10), ((3,), 0), ((7,), 0b10), ((2, 3), 0xFF), ((1, 5), 0b10)])
def test_a_chip_in_the_middle_that_is_not_loaded_is_named(loose, panel):
    """Its rank would show the panel's contacts: lost within seconds, no board from the start; loaded again all is well."""
    model, scanner = rig()
    model.closed = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, panel]
    board = ReedBoard(scanner, WIRING)
    before = [event for ms in range(0, 1000, 5) for event in board.tick(ms * 1_000_000)]
    assert not [event for event in before if getattr(event, "reason", "") == "lost"]
    model.loose = loose
    told = [event for ms in range(1000, 6000, 5) for event in board.tick(ms * 1_000_000)]
    lost = [event for event in told if getattr(event, "reason", "") == "lost"]
    assert [event.part for event in lost] == ["board", f"chip {loose[0] + 1}"]
    assert lost[0].at_ns < 6_000_000_000
    fresh = ShiftRegisterModel(MODE)
    fresh.closed, fresh.loose = model.closed, loose
    with pytest.raises(OSError, match=rf"not loaded, chip {loose[0] + 1},"):
        ShiftRegisters(WIRING, fresh, fresh.pins(25))
    model.loose = ()
    told = [event for ms in range(6000, 7000, 5) for event in board.tick(ms * 1_000_000)]
    assert {event.part for event in told if type(event).__name__ == "Recovered"} >= {"board", f"chip {loose[0] + 1}"}
    assert scanner.scan() == Scan(0xFFFF_0000_0000_FFFF, panel)


def test_chips_that_are_loaded_are_not_doubted():
    """Whatever stands on the board, and whatever is pressed in the middle of the look."""
    model, scanner = rig()
    random = Random(8)
    for _ in range(200):
        model.closed = [random.choice((0, 0xFF, random.getrandbits(8))) for _ in range(9)]
        if random.random() < 0.3:
            model.between(lambda: model.closed.__setitem__(8, random.getrandbits(8)))
        assert scanner.glance() is False
        assert scanner.test(0, 0) == ()
        model.between(lambda: None)
        right = sum(closed << 8 * rank for rank, closed in enumerate(model.closed[:8]))
        assert scanner.scan() == Scan(right, model.closed[8])


@pytest.mark.parametrize("failures", range(1, 4))
def test_a_bus_that_fails_hides_no_load_line_that_is_loose(failures):
    """Nobody knows how far a chain has turned while its transfers failed: the next is not believed unless it is loaded."""
    model, scanner = rig()
    model.closed = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0b10]
    right = scanner.scan()
    transfer, load = model.transfer, model.shift_or_load

    def fails(sent):
        transfer(sent)
        raise OSError(5, "Input/output error")

    model.transfer, model.shift_or_load = fails, lambda level: None
    for _ in range(failures):
        with pytest.raises(OSError, match="Input/output"):
            scanner.scan()
    model.transfer = transfer
    with pytest.raises(OSError, match="is not loaded"):
        scanner.scan()
    model.shift_or_load = load
    assert scanner.scan() == right


def test_all_contacts_of_the_panel_may_change_at_once():
    """What looks like a chain that was not loaded is looked at once more, within the scan."""
    model, scanner = rig()
    scanner.scan()
    for panel in (0xFF, 0, 0b1010_1010, 0b0101_0101):
        model.closed[8] = panel
        loads = model.loads
        assert scanner.scan().panel == panel
        assert model.loads <= loads + 2


SLOW = parse_wiring(CHAIN.replace("\n[buzzer]", "\nperiod_ms = 10\n[panel]\nlever_ms = 20\n[buzzer]"), "slow")


@pytest.mark.parametrize("wiring", [WIRING, SLOW], ids=["5 ms", "10 ms"])
@pytest.mark.parametrize("contacts", [0b10, 0])
@pytest.mark.parametrize("unloaded", [range(9), range(4, 9), (8,)])
def test_a_load_line_with_a_loose_contact_moves_nothing(wiring, contacts, unloaded):
    """One to seven scans without a load, again and again: no square, no lever and no button says anything."""
    model, scanner = rig(wiring=wiring)
    model.closed = [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, contacts]
    board, at_ns = ReedBoard(scanner, wiring), 0
    told = []
    for missed in (0, 1, 2, 3, 4, 5, 6, 7):
        for n in range(60):
            at_ns += wiring.period_ns
            model.loose = unloaded if n < missed else ()
            told += board.tick(at_ns)
    assert [type(event).__name__ for event in told if getattr(event, "part", "") != "lever"] == ["BoardSnapshot"]


def test_a_chain_that_is_always_loaded_is_no_board():
    """SH/LD shorted to ground: one input comes back again and again."""
    model, scanner = rig()
    model.shift_or_load(False)
    model.shift_or_load = lambda level: None
    for model.closed[0] in (0, 0x80):
        with pytest.raises(OSError, match="does not answer"):
            scanner.scan()


def test_a_short_answer_is_an_error():
    """A chain that gives too few bytes is not an empty board."""

    class Short(ShiftRegisterModel):
        def transfer(self, sent):
            return b"\xff" * 3

    model = Short(MODE)
    with pytest.raises(OSError, match="3 bytes"):
        ShiftRegisters(WIRING, model, model.pins(25))


def test_a_load_line_that_is_taken_is_named():
    """The pin's number is in the sentence."""
    model, _ = rig()
    with pytest.raises(OSError, match=r"GPIO25 \(SH/LD of the chain\) does not open"):
        ShiftRegisters(WIRING, model, model.factory)


def test_two_pieces_set_down_at_once_are_no_ghosts():
    """Of a board of chips: every switch has its own wire, whatever rectangle its pieces make."""
    model, scanner = rig()
    board, told = ReedBoard(scanner, WIRING), []
    model.closed = [0b11, 0, 0, 0, 0, 0, 0, 0, 0b10]
    for n in range(200):
        if n == 100:
            model.closed[1] = 0b11
        told += board.tick(n * 5_000_000)
    assert [type(event).__name__ for event in told] == ["BoardSnapshot", "SquareChanged", "SquareChanged"]
    assert board.snapshot().occupancy == 0x0303
