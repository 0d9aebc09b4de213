"""The builder's self-test: every wiring fault by its face, on the simulated circuit with the real scanner."""

from __future__ import annotations

import pytest

from hal.lines import PinLines
from hal.matrix import Matrix
from hal.net import Net, make_pins
from hal.selftest import ALL, PATH, SelfTest, check_empty, check_known, check_lines
from hal.squares import parse_square
from hal.wiring import default_wiring, parse_wiring

WIRING = default_wiring()


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


def rig(wired=WIRING, believed=WIRING):
    """A circuit wired one way and a scanner that believes another."""
    net = Net(wired)
    pins = make_pins(net, wired)
    return net, Matrix(believed, PinLines(believed.matrix, pins), net.wait)


def guided(net, matrix, prepare=lambda net: None):
    """One piece over all squares, at each edge over two of them; the findings as (part, reason)."""
    prepare(net)
    net.touched()
    test = SelfTest(matrix.groups)
    at_ns = 0
    for square in PATH:
        for standing in (1 << square, 1 << square | (1 << square + 1 if square & 7 < 7 else 0)):
            net.set_switches(standing, 0)
            at_ns += 5_000_000
            net.now_ns += 5_000_000
            test.receive(matrix.scan().squares, at_ns)
    return test


def found(test):
    """The findings as (part, reason)."""
    return [(finding.part, finding.reason) for finding in test.findings()]


def test_a_good_board_has_no_findings():
    """All 64 seen, in order, nothing wanted any more; the trace is kept."""
    test = guided(*rig())
    assert found(test) == []
    assert test.seen == ALL
    assert test.wanted is None
    assert len(test.recorded) > 100


def test_the_next_square_is_asked_for():
    """The first square in order that has not closed yet."""
    test = SelfTest({})
    assert test.wanted == 0
    test.receive(1, 0)
    assert test.wanted == 1


@pytest.mark.parametrize(
    ("prepare", "expected"),
    [
        (lambda net: net.open_drives.add(2), [("line file c", "dead_line")]),
        (lambda net: net.open_senses.add(6), [("line rank 7", "dead_line")]),
        (lambda net: net.diodes.update({28: "open"}), [("square e4", "stuck_open")]),
        (lambda net: net.diodes.update({28: "reversed"}), [("square e4", "stuck_open")]),
        (lambda net: net.shorted_senses.add((3, 4)), [("line rank 4 + line rank 5", "shorted_together")]),
        (lambda net: net.shorted_senses.add((0, 7)), [("line rank 1 + line rank 8", "shorted_together")]),
        (lambda net: net.shorted_drives.add((1, 6)), [("line file b + line file g", "shorted_together")]),
    ],
)
def test_a_wiring_fault_is_named(prepare, expected):
    """A dead line by its name and not as eight squares; two lines that touch as a pair."""
    assert found(guided(*rig(), prepare)) == expected


@pytest.mark.parametrize(
    ("text", "part", "reason"),
    [
        ("[matrix]\ndrive = [5, 19, 13, 6, 26, 12, 16, 20]", "line file b + line file d", "swapped"),
        ("[matrix]\nsense = [17, 4, 27, 22, 18, 23, 24, 25]", "line rank 1 + line rank 2", "swapped"),
        ("[orientation]\nturn_deg = 180", "board", "turned"),
        ("[orientation]\nturn_deg = 90", "board", "turned"),
        ("[orientation]\nmirror = true", "board", "turned"),
    ],
)
def test_lines_in_each_others_place_and_turned_boards(text, part, reason):
    """The order in which squares close tells."""
    test = guided(*rig(parse_wiring(text, "w"), WIRING)) if "orientation" not in text else None
    if test is None:
        net, matrix = rig(WIRING, parse_wiring(text, "w"))
        test = guided(net, matrix)
    assert found(test) == [(part, reason)]


def settings():
    """The eight orientations as wirings."""
    for turn_deg in (0, 90, 180, 270):
        for mirror in ("false", "true"):
            yield parse_wiring(f"[orientation]\nturn_deg = {turn_deg}\nmirror = {mirror}", "w")


def shown_in_order(believed, true, squares=PATH):
    """A piece that goes over ``squares`` of a board wired one way and read another."""
    read = {true.turned(n & 7, n >> 3): believed.turned(n & 7, n >> 3) for n in range(64)}
    test = SelfTest({}, believed)
    for at_ns, square in enumerate(squares):
        test.receive(1 << read[square], at_ns)
    return test


def test_the_orientation_that_is_to_be_set():
    """Eight settings, eight truths: what the advice says, taken for the file's, makes the board read as it lies."""
    for believed in settings():
        for true in settings():
            findings = shown_in_order(believed, true).findings()
            if believed == true:
                assert findings == []
                continue
            (finding,) = findings
            assert (finding.part, finding.reason) == ("board", "turned")
            said, _, text = finding.advice.partition("\n")
            assert said == "set in the wiring file:"
            assert parse_wiring(text, "advice").orientation == true.orientation


def test_squares_that_were_gone_back_to():
    """A few that closed late, or never, neither make a board turned nor hide that it is."""
    wirings = list(settings())
    late = (*(square for square in PATH if square not in (9, 20, 50)), 20, 9)
    assert [one.reason for one in shown_in_order(WIRING, WIRING, late).findings()] == ["stuck_open"]
    findings = shown_in_order(WIRING, wirings[3], late).findings()
    assert [one.reason for one in findings] == ["stuck_open", "turned"]
    assert findings[1].advice.endswith("turn_deg = 90\nmirror = true")


def test_a_board_without_a_wiring_file_is_told_how_it_lies():
    """There is no line to set."""
    test = SelfTest({})
    for at_ns, square in enumerate(PATH):
        test.receive(1 << (square ^ 63), at_ns)
    (finding,) = test.findings()
    assert finding.advice == "the board lies turned by 180 degrees"


def test_nothing_at_all():
    """One finding and not sixteen lines."""
    assert [(one.part, one.reason) for one in SelfTest(rig()[1].groups).findings()] == [("board", "dead_line")]


def test_a_square_that_never_closes_alone():
    """A bridge between two squares far apart."""
    test = SelfTest({})
    for square in PATH:
        test.receive(bits("b2", "g7") if square in (9, 54) else 1 << square, square)
    assert found(test) == [("square b2", "doubled"), ("square g7", "doubled")]
    assert "g7" in test.findings()[0].advice


def test_polarity():
    """H09: all 64 closed on an empty board is one fault and not sixty-four."""
    (finding,) = check_empty(ALL)
    assert (finding.part, finding.reason) == ("board", "polarity")
    assert finding.advice.startswith("all 64 squares read occupied with an empty board: polarity?")
    assert [(one.part, one.reason) for one in check_empty(bits("c3"))] == [("square c3", "stuck_closed")]
    assert check_empty(0) == []


def test_ghosts_fail_without_diodes():
    """H10: pieces on a1, a8 and h1 show h8 too: a ghost, named; with diodes nothing is found."""
    net, matrix = rig()
    standing = bits("a1", "a8", "h1")
    net.set_switches(standing, 0)
    assert check_known(standing, matrix.scan().squares) == []
    net.diodes = dict.fromkeys(range(64), "shorted")
    net.touched()
    net.now_ns += 5_000_000
    assert [(one.part, one.reason) for one in check_known(standing, matrix.scan().squares)] == [("square h8", "ghost")]


@pytest.mark.parametrize("extra", [("h8",), ("b8", "h8", "b1")])
def test_without_a_matrix_no_diode_is_to_blame(extra):
    """Chips give every switch a wire: what closes too much is a reed."""
    standing = bits("a1", "a8", "h1")
    findings = check_known(standing, standing | bits(*extra), is_matrix=False)
    assert {one.reason for one in findings} == {"stuck_closed"}
    assert len(findings) == len(extra)


def test_known_pieces_that_are_not_seen():
    """Missing squares and plain stuck ones."""
    findings = check_known(bits("a1", "b2"), bits("a1", "h5"))
    assert [(one.part, one.reason) for one in findings] == [("square b2", "stuck_open"), ("square h5", "stuck_closed")]


def test_shorted_lines():
    """What the scanner finds low with nothing selected."""
    net, matrix = rig()
    net.low_senses.add(3)
    net.touched()
    assert [(one.part, one.reason) for one in check_lines(matrix.test(*matrix.scan()))] == [("line rank 4", "shorted")]
