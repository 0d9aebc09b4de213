"""The simulated board: what hands do, what the port reports, faults, real time."""

from __future__ import annotations

import threading
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.board import (
    Blipped,
    BoardSnapshot,
    ButtonPressed,
    Lamp,
    Lamps,
    LeverMoved,
    LiftHinted,
    SquareChanged,
    Text,
    Tone,
)
from hal.motion import Blip, Drag, Lift, Nudge, Place, PressButton, PressLever
from hal.reeds import ReedSettings
from hal.simulated import STARTING_ARRAY, SimulatedBoard
from hal.squares import SQUARE_NAMES, parse_square, squares_of

S = 1_000_000_000
MS = 1_000_000
E2, E3, E4, D5, F3, G1 = (parse_square(name) for name in ("e2", "e3", "e4", "d5", "f3", "g1"))


def changes(events):
    """The settled changes as '-e2 +e4', in order of their first edges."""
    settled = sorted((event for event in events if isinstance(event, SquareChanged)), key=lambda event: event.at_ns)
    return " ".join(("+" if event.occupied else "-") + SQUARE_NAMES[event.square] for event in settled)


def played(board, motions):
    """All events of a gesture and the quarter second after it."""
    return board.advance(board.act(motions) + 250 * MS)


def test_a_move_is_a_lift_a_place_and_a_press():
    """The whole of 1.e4 as the port reports it."""
    board = SimulatedBoard(seed=1)
    events = played(board, [Lift(square=E2), Place(square=E4, of=E2, at_ms=400), PressLever(side="white", at_ms=900)])
    kinds = [type(event) for event in events]
    assert kinds == [LiftHinted, SquareChanged, SquareChanged, LeverMoved]
    assert changes(events) == "-e2 +e4"
    assert events[-1] == LeverMoved(down="white", at_ns=900 * MS)
    assert board.snapshot().occupancy == board.standing == board.contacts == STARTING_ARRAY ^ 1 << E2 ^ 1 << E4
    assert board.slips == 0


def test_the_same_seed_is_the_same_board():
    """Two boards of one seed report the same to the nanosecond; another seed differs."""
    gesture = [Lift(square=G1), Place(square=F3, of=G1, at_ms=300, offset_mm=(4, 4))]
    first, second, other = (played(SimulatedBoard(seed=seed), gesture) for seed in (3, 3, 4))
    assert first == second
    assert first != other


def test_a_slow_slide_shows_the_squares_between():
    """A pawn pushed e2-e3-e4 with a rest on e3 closes and opens e3."""
    board = SimulatedBoard(seed=1)
    assert changes(played(board, [Drag(square=E2, path=(E3, E4), pauses_ms=(400,))])) == "-e2 +e3 -e3 +e4"


def test_a_quick_slide_passes_unseen():
    """At 1 m/s no reed between is closed for 60 ms."""
    board = SimulatedBoard(seed=1)
    assert changes(played(board, [Drag(square=E2, path=(E4,), speed_mm_s=1000)])) == "-e2 +e4"


def test_a_piece_carried_low_reads_as_sliding():
    """8 mm above the board a magnet still holds the reeds below it."""
    board = SimulatedBoard(seed=1)
    text = changes(played(board, [Drag(square=E2, path=(E3, E4), pauses_ms=(400,), height_mm=8)]))
    assert text == "-e2 +e3 -e3 +e4"


def test_an_off_centre_piece_is_not_seen():
    """Put down 20 mm off the centre a piece closes nothing until it is adjusted."""
    board = SimulatedBoard(seed=1)
    assert changes(played(board, [Lift(square=E2), Place(square=E4, of=E2, at_ms=400, offset_mm=(20, 0))])) == "-e2"
    assert board.standing >> E4 & 1
    assert changes(played(board, [Nudge(square=E4)])) == "+e4"


def test_a_pushed_victim():
    """The attacker pushes the victim from its square and off the board: both reeds tell what there is to see."""
    board = SimulatedBoard(seed=1, occupancy=1 << E4 | 1 << D5)
    events = played(
        board,
        [
            Drag(square=D5, path=((110.0, 230.0), (-60.0, 230.0)), off=True, at_ms=120),
            Drag(square=E4, path=(D5,)),
        ],
    )
    text = changes(events)
    assert text.startswith("-e4")
    assert text.endswith("-a5") or "+d5" in text or "-d5" not in text
    assert board.contacts == board.standing == 1 << D5


def test_two_hands_at_once():
    """Castling with both hands: four changes, and the rook may come down before the king is up."""
    board = SimulatedBoard(seed=1, occupancy=1 << 4 | 1 << 7)
    text = changes(
        played(
            board,
            [
                Lift(square=4),
                Lift(square=7, at_ms=30),
                Place(square=6, of=4, at_ms=500),
                Place(square=5, of=7, at_ms=480),
            ],
        )
    )
    assert sorted(text.split()) == ["+f1", "+g1", "-e1", "-h1"]


def test_off_the_board_and_back_from_the_stock():
    """A lifted piece that is not placed lies beside the board; a new one comes from there."""
    board = SimulatedBoard(seed=1)
    assert changes(played(board, [Lift(square=48)])) == "-a7"
    assert changes(played(board, [Place(square=56, of=None)])) == ""
    assert changes(played(board, [Lift(square=56), Lift(square=56, at_ms=400)])) == "-a8"


def test_a_hand_that_finds_nothing_slips():
    """Lifting an empty square or placing a piece nobody lifted is counted, nothing else."""
    board = SimulatedBoard(seed=1)
    nothing = [Lift(square=E4), Place(square=E4, of=D5), Nudge(square=D5), Drag(square=E3, path=(E4,))]
    assert played(board, nothing) == ()
    assert board.slips == 4


def test_a_blip_is_hinted_and_named():
    """A rocked piece opens its reed for less than a lift takes."""
    board = SimulatedBoard(seed=1)
    hint, blip = played(board, [Blip(square=E2, ms=15)])
    assert hint == LiftHinted(square=E2, at_ns=0)
    assert isinstance(blip, Blipped)
    assert blip.ms == pytest.approx(15, abs=0.6)
    assert played(board, [Blip(square=E4, ms=15)]) == ()


def test_a_lift_during_a_blip_is_a_lift():
    """A rocking piece that is then taken away leaves its reed open."""
    board = SimulatedBoard(seed=1)
    assert changes(played(board, [Blip(square=E2, ms=100), Lift(square=E2, at_ms=20)])) == "-e2"
    assert board.contacts == board.standing


def test_lever_and_buttons():
    """The lever moves only to its other side; a button says its name; both bear the time of the press."""
    board = SimulatedBoard(seed=1)
    events = played(
        board,
        [
            PressLever(side="black"),
            PressLever(side="white", at_ms=5),
            PressLever(side="white", at_ms=50),
            PressButton(button="adjust_white", at_ms=100),
        ],
    )
    assert events == (
        LeverMoved(down="white", at_ns=5 * MS),
        ButtonPressed(button="adjust_white", at_ns=100 * MS),
    )


def test_step_gives_one_moment_at_a_time():
    """`step` stops at the first event, `next_event_ns` never promises later than what comes."""
    board = SimulatedBoard(seed=1)
    assert board.next_event_ns() is None
    board.act([Lift(square=E2), Place(square=E4, of=E2, at_ms=400)])
    seen = []
    while (bound := board.next_event_ns()) is not None:
        events = board.step(10 * S)
        assert board.now_ns >= bound
        seen += events
    assert changes(seen) == "-e2 +e4"
    with pytest.raises(ValueError, match="past"):
        board.act([Lift(square=E4)], at_ns=0)


def test_set_up_is_silent_but_for_a_snapshot():
    """Another position at once: pending motions are forgotten, one snapshot is reported."""
    board = SimulatedBoard(seed=1)
    board.act([Lift(square=E2)])
    board.set_up(1 << E4 | 1 << D5, lever_down="white")
    assert board.advance(5 * S) == (BoardSnapshot(occupancy=1 << E4 | 1 << D5, at_ns=0),)
    assert board.lever_down == "white"


def test_stuck_and_mended_reeds():
    """A stuck reed says the same whatever stands on it; mended, it tells the truth again."""
    board = SimulatedBoard(seed=1)
    board.set_fault(E4, "stuck_closed")
    board.set_fault(E2, "stuck_open")
    assert changes(board.advance(S)) in ("-e2 +e4", "+e4 -e2")
    assert board.faults == {E4: "stuck_closed", E2: "stuck_open"}
    assert changes(played(board, [Lift(square=E2)])) == ""
    board.set_fault(E4, None)
    assert changes(board.advance(board.now_ns + S)) == "-e4"
    with pytest.raises(ValueError, match="stuck_open"):
        board.set_fault(E4, "melted")


def test_a_reed_that_lets_go_late():
    """Magnetised blades: the lift is told five seconds late, or never if the piece comes back before."""
    board = SimulatedBoard(seed=1)
    board.set_fault(E2, "slow_release")
    events = board.advance(board.act([Lift(square=E2)]) + 4 * S)
    assert events == ()
    assert changes(board.advance(board.now_ns + 2 * S)) == "-e2"
    assert changes(played(board, [Place(square=E2, of=E2)])) == "+e2"
    assert board.advance(board.act([Lift(square=E2), Place(square=E2, of=E2, at_ms=1000)]) + 10 * S) == ()


@pytest.mark.parametrize("fault", ["intermittent", "chatter"])
def test_a_restless_reed_opens_now_and_then(fault):
    """It opens under a standing piece, again and again, and rests when it is mended."""
    board = SimulatedBoard(seed=1)
    board.set_fault(E2, fault)
    events = board.advance(20 * S)
    assert sum(isinstance(event, LiftHinted) and event.square == E2 for event in events) > 10
    assert {event.square for event in events} == {E2}
    board.set_fault(E2, None)
    board.advance(board.now_ns + S)
    assert board.advance(board.now_ns + 20 * S) == ()
    assert board.contacts == board.standing


def test_a_knock_moves_every_piece_and_adjusting_mends_it():
    """After a bump each piece still stands on its square; adjusted, every reed is closed."""
    board = SimulatedBoard(seed=1)
    board.knock(8.0)
    board.advance(S)
    assert board.standing == STARTING_ARRAY
    for square in range(64):
        if STARTING_ARRAY >> square & 1:
            board.adjust(square)
            board.advance(board.now_ns + S)
    assert board.contacts == STARTING_ARRAY


@pytest.mark.parametrize("orientation", ["vertical", "horizontal"])
@pytest.mark.parametrize("seed", range(6))
def test_computed_edges_are_those_of_stepping(seed, orientation):
    """Slides, lifts and two hands: every reed's contact follows the field as a fine step through time shows it."""
    random = Random(seed)
    reeds = ReedSettings(bounce=False, orientation=orientation, offset_mm=5.5)
    occupied = sorted(random.sample(range(64), 24))
    board = SimulatedBoard(seed=seed, occupancy=sum(1 << square for square in occupied), reeds=reeds)
    free = [square for square in range(64) if square not in occupied]
    mover, other = random.sample(occupied, 2)
    target, stop, landing = random.sample(free, 3)
    board.act(
        [
            Drag(square=mover, path=(stop, target), speed_mm_s=300, pauses_ms=(60,), offset_mm=(5, -6)),
            Lift(square=other, at_ms=150, ms=200),
            Place(square=landing, of=other, at_ms=420, ms=200, offset_mm=(-8, 3)),
        ]
    )
    bodies = board._bodies
    magnetic = {square: bool(board.contacts >> square & 1) for square in range(64)}
    since = dict.fromkeys(range(64), 0)
    wrong = 0
    for tick in range(0, 2_600_000_000, 2_000_000):
        board.advance(tick)
        for square in range(64):
            felt = abs(board.field_mt(square))
            was = magnetic[square]
            now = felt >= bodies.drop_out[square] if was else felt >= bodies.pull_in[square]
            if now != was:
                magnetic[square], since[square] = now, tick
            if bool(board.contacts >> square & 1) != now and tick - since[square] > 4_000_000:
                wrong += 1
    assert wrong == 0


def test_real_time_waits_and_wakes():
    """With a clock `wait` blocks until what another thread did comes due, and no longer."""
    now = [0]
    board = SimulatedBoard(seed=1, clock=lambda: now[0])
    assert board.wait(0) == ()
    board.press_lever("white")
    now[0] = 20 * MS
    assert board.wait(0) == (LeverMoved(down="white", at_ns=0),)
    heard = []
    reader = threading.Thread(target=lambda: heard.extend(board.wait(30.0)))
    reader.start()
    board.press_button("ok")
    now[0] = 60 * MS
    board.press_lever("black")
    reader.join(10)
    assert heard
    board.close()
    assert board.wait(30.0) is not None


def test_page_hands_act_now():
    """The verbs that a page calls: lift, place, drag, adjust."""
    now = [0]
    board = SimulatedBoard(seed=1, clock=lambda: now[0])
    board.lift(E2)
    now[0] = S
    assert changes(board.wait(0)) == "-e2"
    board.place(E3, of=E2, offset_mm=(6, 0))
    now[0] = 2 * S
    assert changes(board.wait(0)) == "+e3"
    board.adjust(E3)
    board.drag(E3, [E4])
    now[0] = 4 * S
    assert board.snapshot().occupancy == board.standing


def test_lamps_tones_and_text_are_kept_for_whoever_looks():
    """What was shown, sounded and written last can be read back; closing darkens the board."""
    board = SimulatedBoard(seed=1)
    lamps = Lamps(squares={E4: Lamp(red=0, green=90, blue=255, blink_hz=1)})
    board.show(lamps)
    board.sound(Tone(hz=440, ms=20))
    board.write(Text(lines=("1. e4",)))
    assert (board.lamps, board.tones, board.text) == (lamps, [Tone(hz=440, ms=20)], Text(lines=("1. e4",)))
    board.close()
    board.close()
    assert board.lamps == Lamps()


spots = st.integers(0, 63)
offsets = st.tuples(st.floats(-9, 9), st.floats(-9, 9))
times = st.floats(0, 1500)
gestures = st.lists(
    st.one_of(
        st.builds(Lift, square=spots, at_ms=times),
        st.builds(Place, square=spots, of=st.one_of(st.none(), spots), at_ms=times, offset_mm=offsets),
        st.builds(
            Drag,
            square=spots,
            path=st.lists(spots, min_size=1, max_size=3).map(tuple),
            at_ms=times,
            speed_mm_s=st.floats(50, 900),
            height_mm=st.sampled_from([0.0, 0.0, 10.0]),
            offset_mm=offsets,
            off=st.booleans(),
        ),
        st.builds(Nudge, square=spots, offset_mm=offsets, at_ms=times),
        st.builds(Blip, square=spots, at_ms=times, ms=st.floats(1, 60)),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(gestures, st.integers(0, 1000))
def test_whatever_hands_do_the_board_comes_to_rest_and_tells_the_truth(gesture, seed):
    """Any overlapping acts: each square's events alternate, and at rest the port says what the contacts are."""
    board = SimulatedBoard(seed=seed)
    events = list(board.advance(board.act(gesture) + S))
    for square in squares_of(board.standing):
        board.adjust(square)
    events += board.advance(board.now_ns + S)
    assert board.next_event_ns() is None
    last = {square: bool(STARTING_ARRAY >> square & 1) for square in range(64)}
    for event in events:
        if isinstance(event, SquareChanged):
            assert event.occupied != last[event.square]
            last[event.square] = event.occupied
    assert sum(1 << square for square, occupied in last.items() if occupied) == board.snapshot().occupancy
    assert board.snapshot().occupancy == board.contacts == board.standing
