"""The board in wires: gestures through circuit, scanner and debouncer; what breaks is named and what is healthy is not."""

from __future__ import annotations

from random import Random

import pytest

from hal.board import Blipped, BoardSnapshot, ButtonPressed, Faulted, LeverMoved, LiftHinted, Recovered, SquareChanged
from hal.motion import Blip, Drag, Lift, Place, PressButton, PressLever
from hal.simulated import STARTING_ARRAY
from hal.squares import parse_square
from hal.wires import WiredBoard, reeds_of

S = 1_000_000_000
MS = 1_000_000
E2, E3, E4 = 12, 20, 28


def settled(events):
    """(square, occupied) of the changes, by first edge."""
    changes = [event for event in events if isinstance(event, SquareChanged)]
    return [(event.square, event.occupied) for event in sorted(changes, key=lambda event: event.at_ns)]


def played(board, motions):
    """The events of a gesture and half a second after it."""
    return board.advance(board.act(motions) + S // 2)


def test_a_move_goes_through_the_wires():
    """Lift, place, lever and button as the port reports them, each dated to the scan that first saw it."""
    board = WiredBoard(seed=1)
    assert board.advance(S) == (BoardSnapshot(occupancy=STARTING_ARRAY, at_ns=0),)
    events = played(
        board,
        [
            Lift(square=E2),
            Place(square=E4, of=E2, at_ms=400),
            PressLever(side="white", at_ms=900),
            PressButton(button="ok", at_ms=1000),
        ],
    )
    assert settled(events) == [(E2, False), (E4, True)]
    assert [event for event in events if isinstance(event, LeverMoved | ButtonPressed)] == [
        LeverMoved(down="white", at_ns=1900 * MS),
        ButtonPressed(button="ok", at_ns=2000 * MS),
    ]
    assert board.lever_down == "white"
    assert board.contacts == board.standing == board.snapshot().occupancy
    assert (board.faults, board.slips, board.net.contentions) == ({}, 0, 0)


def test_it_says_what_sim_says():
    """The same seed and gestures on `sim:` and in wires settle the same squares in the same order."""
    random = Random(11)
    wired = WiredBoard(seed=2)
    wired.advance(S)
    squares = [square for square in range(64) if STARTING_ARRAY >> square & 1]
    for _ in range(12):
        origin = random.choice(squares)
        landing = random.choice([square for square in range(16, 48) if square not in squares])
        squares[squares.index(origin)] = landing
        gesture = [Blip(square=origin, ms=12), Lift(square=origin, at_ms=100)]
        gesture.append(Place(square=landing, of=origin, at_ms=500, offset_mm=(random.gauss(0, 3), random.gauss(0, 3))))
        assert settled(played(wired, gesture)) == [(origin, False), (landing, True)]
    assert wired.faults == {}


def test_slides_and_blips():
    """A slow slide shows the square between; a blip is a blip."""
    board = WiredBoard(seed=1)
    board.advance(S)
    slide = played(board, [Drag(square=E2, path=(E3, E4), pauses_ms=(400,))])
    assert settled(slide) == [(E2, False), (E3, True), (E3, False), (E4, True)]
    kinds = [type(event) for event in played(board, [Blip(square=E4, ms=16)])]
    assert kinds == [LiftHinted, Blipped]


@pytest.mark.parametrize(("kind", "seconds"), [("stuck", 5), ("chatter", 5), ("dead_line", 1)])
@pytest.mark.parametrize("seed", range(4))
def test_what_breaks_is_named_in_time(kind, seconds, seed):
    """One stuck reed, one that chatters, one dead line: each named within five seconds, nothing else is."""
    board = WiredBoard(seed=seed)
    board.advance(S)
    board.expect(board.standing)
    part, reason = board.damage(kind)
    events = board.advance(board.now_ns + seconds * S)
    assert [(event.part, event.reason) for event in events if isinstance(event, Faulted)] == [(part, reason)]
    assert board.faults == {part: reason}
    if kind != "chatter":
        assert board.snapshot().occupancy == STARTING_ARRAY
    board.set_fault(part, None)
    events = board.advance(board.now_ns + 10 * S)
    assert [event.part for event in events if isinstance(event, Recovered)] == [part]
    assert board.snapshot().occupancy == STARTING_ARRAY


def test_a_line_shorted_to_ground_is_named():
    """A sense line, and a drive line while only one file fits."""
    board = WiredBoard(seed=1)
    board.advance(S)
    board.set_fault("line rank 4", "low")
    board.advance(board.now_ns + S)
    assert board.faults == {"line rank 4": "shorted"}
    assert board.snapshot().occupancy == STARTING_ARRAY
    board.set_fault("line rank 4", None)
    board.advance(board.now_ns + 2 * S)
    assert board.faults == {}


def test_every_fault_can_be_set_and_mended():
    """Reeds, diodes, lines; what is no part or no fault is refused."""
    board = WiredBoard(seed=1)
    board.advance(S)
    for fault in ("stuck_open", "stuck_closed", "intermittent", "chatter", "shorted", "open", "reversed"):
        board.set_fault("square e2", fault)
        board.advance(board.now_ns + S)
        board.set_fault("square e2", None)
    for part in ("line file a", "line rank 8"):
        for fault in ("open", "low"):
            board.set_fault(part, fault)
            board.advance(board.now_ns + S)
            board.set_fault(part, None)
    for part, fault in (("square a1", "resistive"), ("line rank 4 + line rank 5", "joined"), ("board", "spikes")):
        board.set_fault(part, fault)
        board.advance(board.now_ns + S)
        board.set_fault(part, None)
    board.advance(board.now_ns + 20 * S)
    assert board.breakage.broken == {}
    assert board.snapshot().occupancy == STARTING_ARRAY
    for part, fault in (
        ("square e2", "melted"),
        ("square e9", "open"),
        ("line file z", "open"),
        ("line file a", "hot"),
        ("square e2", "joined"),
        ("line file a + line rank 1", "joined"),
        ("line rank 1 + line rank 2", "open"),
        ("board", "joined"),
    ):
        with pytest.raises(ValueError, match=r"fault|square|part|lines"):
            board.set_fault(part, fault)
    with pytest.raises(ValueError, match="damage"):
        board.damage("fire")
    with pytest.raises(ValueError, match="profile"):
        reeds_of("rusty")
    with pytest.raises(ValueError, match="button"):
        board.press_button("castle")


def test_healthy_and_aged_boards_tell_no_tales():
    """Sixty moves with wobble on each: every lift and place reported, no fault, no contention."""
    for profile in ("healthy", "aged"):
        random = Random(5)
        board = WiredBoard(seed=3, profile=profile)
        board.advance(S)
        squares = [square for square in range(64) if STARTING_ARRAY >> square & 1]
        for _ in range(30):
            origin = random.choice(squares)
            landing = random.choice([square for square in range(64) if square not in squares])
            squares[squares.index(origin)] = landing
            gesture = [Lift(square=origin), Place(square=landing, of=origin, at_ms=500, offset_mm=(2, -2))]
            gesture += [Blip(square=landing, at_ms=840 + 60 * n, ms=random.uniform(2, 25)) for n in range(2)]
            events = played(board, gesture)
            assert settled(events) == [(origin, False), (landing, True)]
            assert not any(isinstance(event, Faulted) for event in events)
        assert board.net.contentions == 0


def test_a_broken_board_breaks_in_turn():
    """The profile ``broken``: sound, a stuck reed, sound, a chattering one, sound, a dead line; each named, each over."""
    board = WiredBoard(seed=0, profile="broken")
    board.expect(board.standing)
    told = [event for event in board.advance(155 * S) if isinstance(event, Faulted | Recovered)]
    assert [event.reason for event in told if isinstance(event, Faulted)] == ["stuck_closed", "chatter", "dead_line"]
    assert [type(event) for event in told] == [Faulted, Recovered] * 3
    assert board.snapshot().occupancy == STARTING_ARRAY


def test_spikes_disturb_nothing():
    """A dozen wrong reads in a second: a move is seen as it was made, and no reed is blamed."""
    board = WiredBoard(seed=3)
    board.set_fault("board", "spikes")
    board.advance(S)
    board.expect(STARTING_ARRAY)
    events = list(board.advance(board.now_ns + 10 * S))
    events += played(board, [Lift(square=E2), Place(square=E4, of=E2, at_ms=400)])
    board.expect(STARTING_ARRAY ^ (1 << E2 | 1 << E4))
    events += board.advance(board.now_ns + 10 * S)
    assert any(isinstance(event, LiftHinted | Blipped) for event in events)
    assert settled(events) == [(E2, False), (E4, True)]
    assert board.faults == {}


def test_a_stalled_scanner_says_so_and_loses_no_settled_move():
    """Kept from scanning for half a second in the middle of a move: an overrun, and the move all the same."""
    board = WiredBoard(seed=1)
    board.advance(S)
    end_ns = board.act([Lift(square=E2), Place(square=E4, of=E2, at_ms=400)])
    events = list(board.advance(board.now_ns + 200 * MS))
    board.stall(500)
    events += board.advance(end_ns + 2 * S)
    assert settled(events) == [(E2, False), (E4, True)]
    told = [(event.part, type(event)) for event in events if isinstance(event, Faulted | Recovered)]
    assert told == [("scanner", Faulted), ("scanner", Recovered)]
    assert board.board.scanned.squares == board.contacts


def test_set_up_starts_anew():
    """Another position at once, on the same pins: one snapshot, pending presses forgotten."""
    board = WiredBoard(seed=1)
    board.advance(S)
    board.act([PressLever(side="white", at_ms=5)])
    board.set_up(1 << E4, lever_down="black")
    assert board.advance(board.now_ns + S) == (BoardSnapshot(occupancy=1 << E4, at_ns=board.now_ns - S + 5 * MS),)


def test_step_and_wait_stop_at_the_first_event():
    """Virtual time runs on to the scan that has something to say."""
    board = WiredBoard(seed=1)
    assert isinstance(board.wait(1.0)[0], BoardSnapshot)
    assert board.wait(1.0) == ()
    board.act([Lift(square=E2)])
    (hint,) = board.step(board.now_ns + S)
    assert hint == LiftHinted(square=E2, at_ns=board.now_ns)
    assert board.next_event_ns() == board.now_ns + 5 * MS


def test_real_time():
    """With a clock events bear that clock's time."""
    now = [77 * S]
    board = WiredBoard(seed=1, clock=lambda: now[0])
    assert board.wait(0) == (BoardSnapshot(occupancy=STARTING_ARRAY, at_ns=77 * S),)
    now[0] += S
    board.press_lever("white")
    now[0] += S
    (moved,) = board.wait(0)
    assert isinstance(moved, LeverMoved)
    assert 78 * S <= moved.at_ns <= 78 * S + 5 * MS
    board.close()
    board.close()


def test_lamps_tones_and_text_are_kept():
    """As on `sim:`."""
    from hal.board import Lamp, Lamps, Text, Tone

    board = WiredBoard(seed=1)
    lamps = Lamps(squares={parse_square("a1"): Lamp(red=1, green=2, blue=3)})
    board.show(lamps)
    board.sound(Tone(hz=1, ms=1))
    board.write(Text(lines=("x",)))
    assert (board.lamps, board.tones, board.text) == (lamps, [Tone(hz=1, ms=1)], Text(lines=("x",)))
