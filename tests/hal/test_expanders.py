"""MCP23S17 and MCP23017 against a model of their registers: set up legally, read steadily, never as an empty board."""

from __future__ import annotations

from random import Random

import pytest

from hal.board import Recovered, SquareChanged
from hal.expanders import Expanders, i2c_expanders, spi_expanders
from hal.matrix import PartError, Scan
from hal.reed_board import ReedBoard
from hal.wiring import parse_wiring
from tests.hal.chip_models import I2cModel, Mcp23x17, SpiExpanderBus

SPI = parse_wiring('[scanner]\nkind = "mcp23s17"\n[lamps]\ndriver = "none"\n[buzzer]\ngpio = 0', "spi")
I2C = parse_wiring('[scanner]\nkind = "mcp23017"\n[bus]\naddresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]', "i2c")
MS = 1_000_000


def spi_rig(count=5):
    """Chips, bus, scanner."""
    chips = [Mcp23x17(0x20 + n, i2c=False) for n in range(count)]
    bus = SpiExpanderBus(chips)
    return chips, bus, spi_expanders(SPI, bus)


def i2c_rig():
    """Six chips with fourteen inputs each."""
    chips = [Mcp23x17(0x20 + n, i2c=True) for n in range(6)]
    bus = I2cModel(chips)
    return chips, bus, i2c_expanders(I2C, bus)


def close_switches(chips, squares, panel, usable):
    """Close contacts as they are wired: switch after switch through the chips' usable inputs."""
    for chip in chips:
        chip.closed = 0
    for switch in range(72):
        if (squares | panel << 64) >> switch & 1:
            chip, n = divmod(switch, len(usable))
            if chip < len(chips):
                chips[chip].closed |= 1 << usable[n]


SIXTEEN = list(range(16))
FOURTEEN = [*range(7), *range(8, 15)]


@pytest.mark.parametrize(("rig", "usable"), [(spi_rig, SIXTEEN), (i2c_rig, FOURTEEN)])
def test_every_switch_is_its_square(rig, usable):
    """Random contacts through all chips, panel included."""
    chips, bus, scanner = rig()
    random = Random(4)
    for _ in range(200):
        squares, panel = random.getrandbits(64), random.getrandbits(8)
        close_switches(chips, squares, panel, usable)
        assert scanner.scan() == Scan(squares, panel)
    assert scanner.test(0, 0) == ()
    assert scanner.groups["chip 1"] == (1 << len(usable)) - 1
    scanner.close()
    assert bus.closed


def test_a_chip_that_does_not_answer_is_named():
    """Opening and in play: its number, its address; in play the board says which chip is lost besides itself."""
    chips, bus, scanner = i2c_rig()
    board = ReedBoard(scanner, I2C)
    board.tick(0)
    del bus._chips[0x22]
    events = [event for ms in range(5, 1000, 5) for event in board.tick(ms * MS)]
    assert [(event.part, event.reason) for event in events if event.part != "lever"] == [
        ("board", "lost"),
        ("chip 3", "lost"),
    ]
    with pytest.raises(OSError, match=r"chip 3 \(address 0x22\): .*Remote I/O"):
        scanner.scan()
    with pytest.raises(OSError, match=r"chip 3 \(address 0x22\)"):
        i2c_expanders(I2C, bus)
    bus._chips[0x22] = chips[2]
    assert [event.part for event in board.tick(1000 * MS)][:2] == ["board", "chip 3"]


def test_a_chip_that_fails_is_blamed_where_others_answer():
    """Any of them; a bus that none answers on is not the first chip's fault, and one that is held is asked but once."""
    _, bus, scanner = i2c_rig()
    for address in (0x20, 0x23, 0x25):
        chip = bus._chips.pop(address)
        with pytest.raises(PartError, match=rf"^chip {address - 0x1F} ") as caught:
            scanner.scan()
        assert caught.value.part == f"chip {address - 0x1F}"
        bus._chips[address] = chip
    bus._chips.clear()
    with pytest.raises(OSError, match=r"^no chip answers: chip 1 \(address 0x20\)") as caught:
        scanner.scan()
    assert not isinstance(caught.value, PartError)
    asked = []

    def held(*arguments):
        asked.append(arguments)
        raise TimeoutError(110, "Connection timed out")

    bus.read_i2c_block_data = held
    with pytest.raises(OSError, match="the bus is held") as caught:
        scanner.scan()
    assert not isinstance(caught.value, PartError)
    assert len(asked) == 1


def test_the_model_knows_the_erratum():
    """GPA7 as an input fails the test that tries it."""
    chip = Mcp23x17(0x20, i2c=True)
    chip.write(0x0C, [0xFF, 0xFF])
    with pytest.raises(AssertionError, match="GPA7"):
        chip.read(0x12, 1)


def test_a_chip_that_forgot_its_settings_is_set_up_again():
    """After a dip of the supply a read is an error, no guess; all chips are asked, and those that forgot set up again."""
    chips, _, scanner = spi_rig()
    close_switches(chips, 1 << 28, 0, SIXTEEN)
    assert scanner.scan().squares == 1 << 28
    chips[1].power_up()
    chips[1].may_float = True
    with pytest.raises(OSError, match="lost its settings"):
        scanner.scan()
    assert scanner.scan().squares == 1 << 28


@pytest.mark.parametrize("level", [True, False])
def test_a_line_that_is_stuck_is_no_full_board(level):
    """MISO broken or shorted, at one level or the other: lost and not 64 pieces, and from the start no board opens."""
    chips, bus, scanner = spi_rig()
    for chip in chips:
        chip.may_float = True
    close_switches(chips, 0xFFFF_0000_0000_FFFF, 0b10, SIXTEEN)
    board = ReedBoard(scanner, SPI)
    events = [event for ms in range(0, 1000, 5) for event in board.tick(ms * MS)]
    bus.miso = level
    events += [event for ms in range(1000, 3000, 5) for event in board.tick(ms * MS)]
    told = [(event.part, event.reason) for event in events[1:]]
    assert told == [("board", "lost")]
    assert board.snapshot().occupancy == 0xFFFF_0000_0000_FFFF
    came = f"only {'ones' if level else 'zeros'} came back"
    with pytest.raises(OSError, match=rf"no chip answers: chip 1 \(address 0x20\): .*{came}"):
        spi_expanders(SPI, bus)
    bus.miso = None
    events = [event for ms in range(3000, 4000, 5) for event in board.tick(ms * MS)]
    assert events == [Recovered(part="board", at_ns=events[0].at_ns)]


@pytest.mark.parametrize("rig", [spi_rig, i2c_rig])
@pytest.mark.parametrize("register", [0x04, 0x05])
def test_interrupts_that_come_on_in_use_are_put_out(rig, register):
    """A flag that should be zero is no dead chip for ever: it is set up again, and one scan later all is read."""
    chips, _, scanner = rig()
    close_switches(chips, 1 << 32 | 1 << 40, 0, SIXTEEN if rig is spi_rig else FOURTEEN)
    chips[2].registers[register] = 0x7F
    with pytest.raises(OSError, match=r"chip 3 .*had lost its settings"):
        scanner.scan()
    assert scanner.scan().squares == 1 << 32 | 1 << 40


@pytest.mark.parametrize("rig", [spi_rig, i2c_rig])
@pytest.mark.parametrize("register", range(0x0A))
def test_what_another_program_has_set_is_put_right(rig, register):
    """Interrupts that were enabled, inputs that were turned: a board that opens sets them."""
    chips, _, scanner = rig()
    chips[2].registers[register] = 0x7F
    fresh = Expanders(SPI if rig is spi_rig else I2C, scanner._chips, scanner._inputs, scanner._bus)
    close_switches(chips, 1 << 40, 0, SIXTEEN if rig is spi_rig else FOURTEEN)
    assert fresh.scan().squares == 1 << 40


@pytest.mark.parametrize("rig", [spi_rig, i2c_rig])
@pytest.mark.parametrize("register", range(6))
def test_settings_that_change_in_use_are_found_by_the_test_of_the_wires(rig, register):
    """Direction, polarity, interrupts, none of which a scan reads: told once, set again, and then all is well."""
    chips, _, scanner = rig()
    assert scanner.test(0, 0) == ()
    settings = chips[2].registers[register]
    chips[2].registers[register] ^= 0x01
    with pytest.raises(PartError, match=r"chip 3 .*had lost its settings"):
        scanner.test(0, 0)
    assert chips[2].registers[register] == settings
    assert scanner.test(0, 0) == ()


@pytest.mark.parametrize("rig", [spi_rig, i2c_rig])
def test_a_board_tests_its_chips_every_few_seconds(rig):
    """An input that was turned reads as a piece until it is found, and no longer."""
    chips, _, scanner = rig()
    board = ReedBoard(scanner, SPI if rig is spi_rig else I2C)
    for ms in range(0, 1000, 5):
        board.tick(ms * MS)
    chips[2].registers[0x04] = 0x00
    chips[2].registers[0x02] ^= 0x02
    for ms in range(1000, 6000, 5):
        board.tick(ms * MS)
    assert chips[2].registers[0x02] == (0xFF if rig is spi_rig else 0x7F)
    assert board.snapshot().occupancy == 0


def test_every_address_is_woken():
    """Fresh from power-up a chip whose A2 is high listens to another address than the others: both must be spoken to."""
    wiring = parse_wiring(
        '[scanner]\nkind = "mcp23s17"\n[bus]\naddresses = [0x20, 0x23, 0x24, 0x25, 0x27]\n'
        '[lamps]\ndriver = "none"\n[buzzer]\ngpio = 0',
        "spi",
    )
    chips = [Mcp23x17(address, i2c=False) for address in wiring.bus.addresses]
    scanner = spi_expanders(wiring, SpiExpanderBus(chips))
    close_switches(chips, 0x8001_0000_0000_1248, 0b10, SIXTEEN)
    assert scanner.scan() == Scan(0x8001_0000_0000_1248, 0b10)
    assert [chip.registers[0x0A] for chip in chips] == [0x08] * 5


def test_the_model_knows_byte_mode():
    """With SEQOP a read goes to and fro between two ports: what follows is not what comes next."""
    chip = Mcp23x17(0x20, i2c=False)
    chip.write(0x0A, [0x28])
    chip.write(0x0C, [0x12, 0x34, 0x56])
    assert chip.read(0x0C, 4) == bytes((0x56, 0x34, 0x56, 0x34))


def test_the_last_change_is_not_lost():
    """H19: open again 1 ms after the change that an interrupt would have told of: the steady loop sees it."""
    chips, _, scanner = i2c_rig()
    board = ReedBoard(scanner, I2C)
    board.tick(0)
    close_switches(chips, 1 << 3, 0, FOURTEEN)
    board.tick(5 * MS)
    close_switches(chips, 0, 0, FOURTEEN)
    for ms in range(10, 200, 5):
        board.tick(ms * MS)
    assert scanner.scan().squares == 0
    assert board.snapshot().occupancy == 0


def test_bus_errors_are_retried_and_then_reported():
    """H20: one or two failed transfers are no event; a bus that stays away is lost, and nothing is lifted."""
    chips, bus, scanner = i2c_rig()
    close_switches(chips, 0xFFFF, 0, FOURTEEN)
    board = ReedBoard(scanner, I2C)
    events = board.tick(0)
    for failures in (1, 2):
        bus.failures = failures
        events += board.tick(failures * 5 * MS)
    assert len(events) == 1
    bus.failures = 10_000
    for ms in range(20, 3020, 5):
        events += board.tick(ms * MS)
        bus.failures = 10_000
    assert [(event.part, event.reason) for event in events[1:]] == [("board", "lost")]
    bus.failures = 0
    for ms in range(3020, 4000, 5):
        events += board.tick(ms * MS)
    assert not any(isinstance(event, SquareChanged) for event in events)
