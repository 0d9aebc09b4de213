"""Order inside a scan, a piece on two squares, and squares that chatter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hal.agreement import Confirmed
from hal.board import Faulted, Recovered, SquareChanged
from hal.placement import START, START_OCCUPANCY, unnamed
from hal.square_reports import HOLD_NS, SquareReports
from hal.squares import SQUARE_NAMES, parse_square

MS = 1_000_000


def _reports(placement: str = START) -> SquareReports:
    reports = SquareReports()
    reports.reset(placement)
    return reports


def _change(name: str, content: str, at_ms: int) -> Confirmed:
    return Confirmed(square=parse_square(name), content=content, at_ns=at_ms * MS)


def _short(events) -> list[str]:
    return [
        f"{'+' if event.occupied else '-'}{SQUARE_NAMES[event.square]}{event.piece or ''}@{event.at_ns // MS}"
        for event in events
        if isinstance(event, SquareChanged)
    ]


def test_a_plain_move():
    """Lift and place with the piece's letter."""
    reports = _reports()
    events = reports.changed([_change("e2", ".", 10)], 90 * MS) + reports.changed([_change("e4", "P", 400)], 480 * MS)
    assert _short(events) == ["-e2P@10", "+e4P@400"]


def test_one_scan_lifts_first():
    """Equal times: the lift is told first, whatever the order of the squares."""
    reports = _reports(unnamed(START_OCCUPANCY))
    assert _short(reports.changed([_change("e4", "?", 10), _change("e2", ".", 10)], 10 * MS)) == ["-e2@10", "+e4@10"]


def test_a_piece_on_two_squares_waits_for_its_lift():
    """A slow scan reports e4 before e2 is cleared: the place is told after the lift, not before it."""
    reports = _reports()
    assert reports.changed([_change("e4", "P", 10)], 20 * MS) == ()
    assert reports.is_holding
    assert _short(reports.changed([_change("e2", ".", 210)], 220 * MS)) == ["-e2P@210", "+e4P@210"]
    assert not reports.is_holding


def test_a_capture_without_an_empty_phase():
    """c4 turns from a pawn into a bishop while b3 is not cleared yet: victim off, mover off, mover on."""
    before = START[:17] + "B" + START[18:26] + "p" + START[27:]
    reports = _reports(before)
    assert _short(reports.changed([_change("c4", "B", 10)], 20 * MS)) == ["-c4p@10"]
    # one more bishop stands on c1 and f1; none of them is in a hand
    assert _short(reports.changed([_change("b3", ".", 200)], 210 * MS)) == ["-b3B@200", "+c4B@200"]


def test_a_piece_from_the_box_is_told_after_the_hold():
    """Promotion: the queen stands elsewhere too, but this one comes from nowhere."""
    reports = _reports(START)
    assert reports.changed([_change("e8", ".", 1)], 1 * MS) != ()
    assert reports.changed([_change("e8", "Q", 10)], 20 * MS) == ()
    assert reports.tick(10 * MS + HOLD_NS - 1) == ()
    assert _short(reports.tick(10 * MS + HOLD_NS)) == ["+e8Q@10"]


def test_a_captured_piece_vouches_for_nobody():
    """After a capture is done, the victim in the box does not explain a pawn of its colour that stands on two squares."""
    reports = _reports()
    reports.changed([_change("d7", ".", 1), _change("e2", ".", 2)], 2 * MS)
    reports.changed([_change("d7", "P", 3)], 3 * MS)
    assert reports.changed([_change("a6", "p", 1000)], 1000 * MS) == ()
    assert _short(reports.changed([_change("a7", ".", 1200)], 1200 * MS)) == ["-a7p@1200", "+a6p@1200"]


def test_s12_a_flood_on_one_square_is_one_fault():
    """Field case S12: d4 toggles 200 times a second for 10 s: one fault, few events, play goes on elsewhere."""
    reports = _reports(unnamed(START_OCCUPANCY))
    events = []
    elsewhere = []
    for turn in range(2000):
        at_ms = turn * 5
        content = "?" if turn % 2 == 0 else "."
        events += reports.changed([_change("d4", content, at_ms)], at_ms * MS)
        events += reports.tick(at_ms * MS)
        if at_ms == 5000:
            elsewhere += reports.changed([_change("e2", ".", at_ms)], at_ms * MS)
        if at_ms == 5500:
            elsewhere += reports.changed([_change("e4", "?", at_ms)], at_ms * MS)
    assert [event for event in events if isinstance(event, Faulted)] == [
        Faulted(part="square d4", reason="chatter", at_ns=80 * MS)
    ]
    assert len(events) <= 20
    assert _short(elsewhere) == ["-e2@5000", "+e4@5500"]
    quiet = reports.tick(12_500 * MS)
    assert quiet[0] == Recovered(part="square d4", at_ns=12_500 * MS)
    assert reports.placement[parse_square("d4")] == "."


def test_after_the_noise_the_square_is_told_as_it_stands():
    """A square that ends the noise differently from what was told is told then."""
    reports = _reports(unnamed(START_OCCUPANCY))
    for turn in range(101):
        reports.changed([_change("d4", "?" if turn % 2 == 0 else ".", turn)], turn * MS)
    told = reports.placement[parse_square("d4")]
    events = reports.tick(3000 * MS)
    assert reports.placement[parse_square("d4")] == "?"
    assert _short(events) == ([] if told == "?" else ["+d4@3000"])


_STEP = st.tuples(st.integers(0, 9), st.sampled_from(list(".Pp?N")), st.integers(0, 200))


@given(st.lists(st.lists(_STEP, min_size=1, max_size=4), max_size=30))
def test_what_is_told_adds_up(batches):
    """Each square is told alternately lifted and placed, and after a silence what was told is the truth."""
    reports = _reports("." * 64)
    truth = ["."] * 64
    told = ["."] * 64
    now = 0
    events = []
    for batch in batches:
        changes = []
        for square, content, gap_ms in batch:
            now += gap_ms * MS
            truth[square] = content
            changes.append(Confirmed(square=square, content=content, at_ns=now))
        events += reports.changed(changes, now)
        events += reports.tick(now)
    for _ in range(3):
        now += 3_000 * MS
        events += reports.tick(now)
    for event in events:
        if isinstance(event, SquareChanged):
            assert event.occupied == (told[event.square] == ".")
            told[event.square] = (event.piece or "?") if event.occupied else "."
    assert told == truth == list(reports.placement)
    assert not reports.is_holding
