"""Faults that boards in the field had, case by case: every one of the layer `gpio`, run as its input says."""

from __future__ import annotations

import json

import pytest

from hal.board import Faulted, Lamp, Lamps, SquareChanged
from hal.debounce import Debounce, EdgeDebouncer, ScanDebouncer
from hal.health import Health
from hal.lamps import DARK, LampThread, frame
from hal.matrix import Scan
from hal.motion import Place
from hal.overlays import conflicts
from hal.reed_board import ReedBoard
from hal.selftest import check_empty, check_known
from hal.squares import SQUARE_NAMES, parse_square
from hal.wires import WiredBoard
from hal.wiring import default_wiring, parse_wiring

MS = 1_000_000
RANKS = {f"line rank {n + 1}": 0xFF << 8 * n for n in range(8)}


@pytest.fixture(scope="module")
def cases(shared):
    """The cases of the layer by their id."""
    listed = json.loads((shared / "cases" / "field.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in listed if case["layer"] == "gpio"}


def debounced(given):
    """The changes of one square as the case writes them: ms at which they settle, and 'place e4' or 'lift e4'."""
    square = parse_square(given["square"])
    times = Debounce(close_ms=given["debounce_ms"], open_ms=given["debounce_ms"])
    debouncer = EdgeDebouncer(times, given.get("initial", 0) << square)
    found = []
    for ms, level in [*given["raw"], (10_000, None)]:
        while (due := debouncer.deadline_ns()) is not None and due <= ms * MS:
            for event in debouncer.advance(due):
                if isinstance(event, SquareChanged):
                    word = "place" if event.occupied else "lift"
                    found.append({"ms": due // MS, "event": f"{word} {SQUARE_NAMES[event.square]}"})
        if level is not None:
            debouncer.edge(square, bool(level), ms * MS)
    return found


def toggling_every_7_ms(given, expected):
    """H08: scanned every millisecond for five seconds; no event, the square named."""
    square = parse_square(given["square"])
    debouncer = ScanDebouncer(Debounce(close_ms=20, open_ms=20))
    health, told, events = Health(RANKS, MS), [], []
    for ms in range(5_000):
        raw = (ms // 7 % 2) << square
        told += health.scan(raw, ms * MS)[1]
        events += debouncer.scan(raw, ms * MS)
    assert [event for event in events if isinstance(event, SquareChanged)] == expected["events"]
    assert [(event.part, event.reason) for event in told] == [("square h8", "chatter")]


def empty_board_reads_full(given, expected):
    """H09."""
    (finding,) = check_empty((1 << 64) - 1)
    assert finding.advice.startswith(expected["message"])


def third_corner_brings_a_fourth(given, expected):
    """H10: on a board without diodes; in play held and hidden by a fault that is named, in the self-test named."""
    squares = {name: parse_square(name) for name in given["raw_scan_shows"]}
    board = WiredBoard(occupancy=1 << squares["a1"] | 1 << squares["a8"])
    for name in ("a1", "a8", "h1"):
        board.set_fault(f"square {name}", "shorted")
    board.advance(1_000 * MS)
    board.act([Place(square=squares["h1"], of=None)])
    events = board.advance(8_000 * MS)
    shows = sum(1 << square for square in squares.values())
    assert board.board.scanned.squares == shows
    ghost = expected["ghost_suspect"]
    assert sum(getattr(event, "square", None) == squares[ghost] for event in events) == expected["events_for_h8"]
    hidden = [event.hidden for event in events if isinstance(event, Faulted) and event.reason == "diode"]
    assert any(bits >> squares[ghost] & 1 for bits in hidden)
    findings = check_known(sum(1 << squares[name] for name in given["closed"]), shows)
    assert [(one.part, one.reason) for one in findings] == [(f"square {ghost}", "ghost")]


def phantom_in_every_second_scan(given, expected):
    """H11."""
    debouncer = ScanDebouncer(occupancy=1 << parse_square("e2"))
    events = []
    for scan in range(1_000):
        text = given["scan"][scan % len(given["scan"])]
        raw = 1 << parse_square("e2") | ("e3" in text) << parse_square("e3")
        events += debouncer.scan(raw, scan * 5 * MS)
    assert sum(event.square == parse_square("e3") for event in events) == expected["events_for_e3"]


def gpio_8_and_4(given, expected):
    """H13."""
    wiring = parse_wiring('[matrix]\nsense = [4, 17, 27, 22, 18, 23, 24, 8]\n[lamps]\ndriver = "none"', "case")
    found = conflicts(wiring, "dtparam=spi=on\ndtoverlay=w1-gpio\n")
    assert set(expected["config_check"]) <= {told.partition(",")[0] for told in found.values()}


class Still:
    """A scanner of a board at rest."""

    groups = RANKS

    def scan(self):
        """Nothing moves."""
        return Scan(0xFFFF, 2)

    def test(self, squares, contacts):
        """Nothing is wrong."""
        return ()

    glances = 1

    def glance(self):
        """Whether a test would find anything."""
        return bool(self.test(0, 0))

    def unsure(self):
        """No contact is closed by a wire."""
        return 0

    def pulled_with(self, contact):
        """Nor by another's."""
        return 0

    def close(self):
        """Nothing is held."""


def a_board_at_rest(given, expected):
    """H14: no thread before start, one after it; the load itself is measured in tests/bench."""
    import threading

    before = threading.active_count()
    board = ReedBoard(Still(), default_wiring())
    assert threading.active_count() == before
    board.start()
    assert threading.active_count() == before + 1
    board.close()
    assert expected["threads"] == "not one per square"


class DeadLamps:
    """A lamp driver that does not know this Pi."""

    def __init__(self):
        self.calls = 0

    def write(self, colours, share):
        """Fails."""
        self.calls += 1
        raise OSError("Hardware revision is not supported")

    def close(self):
        """Nothing to release."""


def a_lamp_driver_that_fails(given, expected):
    """H16: reported, not called again before a pause is over, the board scans on."""
    driver, reports = DeadLamps(), []
    lamps = LampThread(lambda: driver, brightness_percent=20, limit_ma=1000, refresh_hz=30, report=reports.append)
    board = ReedBoard(Still(), default_wiring(), lamps=lamps, reports=reports)
    for number in range(3):
        board.show(Lamps(squares={number: Lamp(red=9, green=9, blue=9)}))
        lamps.refresh()
    assert driver.calls == 1
    assert [event.part for event in board.tick(0) if isinstance(event, Faulted)] == ["lamps"]
    assert board.snapshot().occupancy == 0xFFFF
    board.close()
    assert driver.calls == 1
    assert expected["board_works_without_leds"]
    assert expected["no_call_after_failure"]


def lamps_without_the_gpu_clock(given, expected):
    """H17."""
    assert "spi" in default_wiring().lamps.device
    assert expected["driver"] == "SPI"


def castling_lamps(given, expected):
    """H18: the picture is computed whole, whatever changes meanwhile."""
    lamp = Lamp(red=0, green=100, blue=100)
    squares = {parse_square(name): lamp for name in expected["leds_exact"]}
    lit = {SQUARE_NAMES[square] for square, colour in enumerate(frame(Lamps(squares=squares), 0)) if colour != DARK}
    assert lit == set(expected["leds_exact"])


def a_change_between_interrupt_and_read(given, expected):
    """H19: the steady loop reads the pin again, so its last state is known within one period."""

    class Pin(Still):
        level = 0

        def scan(self):
            return Scan(self.level << 3, 0)

    pin = Pin()
    board = ReedBoard(pin, default_wiring())
    board.tick(0)
    pin.level = 1
    board.tick(5 * MS)
    pin.level = 0
    for ms in range(10, expected["within_ms"], 5):
        board.tick(ms * MS)
    assert board.snapshot().occupancy >> 3 & 1 == expected["final_state"]


def a_bus_that_fails(given, expected):
    """H20: once and twice no event; for three seconds lost, and the occupancy stays what it was."""

    class Bus(Still):
        failures = 0

        def scan(self):
            if self.failures:
                self.failures -= 1
                raise OSError(121, "Remote I/O error")
            return Scan(0xFFFF, 2)

    bus = Bus()
    board = ReedBoard(bus, default_wiring())
    events = [event for ms in range(0, 200, 5) for event in board.tick(ms * MS)]
    for failures in (1, 2):
        bus.failures = failures
        events += [event for ms in range(200 * failures, 200 * failures + 200, 5) for event in board.tick(ms * MS)]
    assert len(events) == 1
    bus.failures = 600
    events = [event for ms in range(600, 3600, 5) for event in board.tick(ms * MS)]
    assert [(event.part, event.reason) for event in events] == [("board", "lost")]
    assert board.snapshot().occupancy == 0xFFFF


RUNNERS = {
    "H08": toggling_every_7_ms,
    "H09": empty_board_reads_full,
    "H10": third_corner_brings_a_fourth,
    "H11": phantom_in_every_second_scan,
    "H13": gpio_8_and_4,
    "H14": a_board_at_rest,
    "H16": a_lamp_driver_that_fails,
    "H17": lamps_without_the_gpu_clock,
    "H18": castling_lamps,
    "H19": a_change_between_interrupt_and_read,
    "H20": a_bus_that_fails,
}


@pytest.mark.parametrize("case_id", ["H01", "H03", "H04"])
def test_debounce_cases(cases, case_id):
    """Edges in, settled changes out, at the millisecond the case names."""
    case = cases[case_id]
    assert debounced(case["input"]) == case["expected"]["events"]


def test_a_debounce_too_long_is_refused(cases):
    """H06: over 250 ms."""
    with pytest.raises(ValueError, match="250"):
        debounced(cases["H06"]["input"])


@pytest.mark.parametrize("case_id", sorted(RUNNERS))
def test_gpio_cases(cases, case_id):
    """Each as its runner says."""
    case = cases[case_id]
    RUNNERS[case_id](case["input"], case["expected"])


def test_no_case_is_left_out(cases):
    """Every case of the layer has a test here."""
    assert set(cases) == {"H01", "H03", "H04", "H06", *RUNNERS}
