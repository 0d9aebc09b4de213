"""Which unit is shown on a closed square: every clause of the rule, and that nothing is ever invented."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.events import View
from board_firmware.emulation.game_state import changes, clock_of, standing_of
from board_firmware.emulation.piece_codes import PieceCodes, shown
from hal.placement import EMPTY, START, START_OCCUPANCY, from_fen, occupancy_of
from hal.squares import parse_square
from rules import Game, Move, Position

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _view(fen: str, **state) -> View:
    usual = {"fen": fen, "moves": [], "completed": False, "status": "thinking", "result": "*", "clock": None}
    return View(state=usual | state, started_fen=fen)


def _trace(words: str) -> list[tuple[int, bool]]:
    return [(parse_square(word[1:]), word[0] == "+") for word in words.split()]


def _shown(fen: str, words: str) -> str:
    standing = standing_of(_view(fen))
    return shown(
        standing.placement,
        occupancy_of(standing.placement),
        _trace(words),
        turn=standing.turn,
        reach=standing.reach,
        castlings=standing.castlings,
    )


def _after(fen: str, words: str) -> str:
    """The placement after UCI moves."""
    game = Game.from_fen(fen)
    for word in words.split():
        game = game.play(Move.from_uci(word))
    return from_fen(game.position.fen())


MIDGAME = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3"
PASSED = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
PROMOTES = "1n2k3/P7/8/8/8/8/8/4K2Q w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "words", "moves"),
    [
        (START_FEN, "-e2 +e4", "e2e4"),
        (START_FEN, "-g1 +g1 -b1 +c3", "b1c3"),
        (MIDGAME, "-c4 -f7 +f7", "c4f7"),  # mover first: the taken square opens and closes
        (MIDGAME, "-f7 -c4 +f7", "c4f7"),  # victim first
        (MIDGAME, "-e1 +g1 -h1 +f1", "e1g1"),
        (MIDGAME, "-e1 -h1 +g1 +f1", "e1g1"),
        (MIDGAME, "-e1 -h1 +f1 +g1", "e1g1"),
        (PASSED, "-e5 +d6 -d5", "e5d6"),
        (PASSED, "-d5 -e5 +d6", "e5d6"),
    ],
)
def test_a_whole_move_shows_the_position_after_it(fen, words, moves):
    """In every order of the hand, before the game itself says anything."""
    assert _shown(fen, words) == _after(fen, moves)


@pytest.mark.parametrize(
    ("fen", "words", "square", "letter"),
    [
        (START_FEN, "-e2", "e2", "."),
        (START_FEN, "-e2 +e5", "e5", "P"),  # illegal, but it is the one unit in hand
        (MIDGAME, "-c4 -f7 +f7", "f7", "B"),  # the mover's code, not the victim's
        (MIDGAME, "-e1 +g1", "g1", "K"),  # king first, the rook still at home
        (MIDGAME, "-e1 +g1", "h1", "R"),
        (MIDGAME, "-h1 +f1", "f1", "R"),  # rook first looks like a rook move
        (PROMOTES, "-a7 +a8", "a8", "P"),  # the pawn's code until a piece is chosen
        (MIDGAME, "-c4 -f3 +d4", "d4", "N"),  # of two in hand the one that may land there
        (MIDGAME, "-c4 -b1 +h3", "h3", "."),  # of two in hand none may: not guessed
        (MIDGAME, "+a4", "a4", "."),  # nothing in hand: an invented unit is never shown
        (PROMOTES, "+d5", "d5", "."),
    ],
)
def test_a_move_under_way(fen, words, square, letter):
    """What a host sees in the middle of it."""
    assert _shown(fen, words)[parse_square(square)] == letter


@pytest.mark.parametrize("words", ["-c4 -f7 +f7 -f7 +c4 +f7", "-f7 -c4 +f7 +c4", "-f7 +f7", "-c4 -f7 +c4 +f7"])
def test_thinking_better_of_a_capture(words):
    """Everything put back shows the position again: a capturer that comes home leaves its victim where it stood."""
    assert _shown(MIDGAME, words) == from_fen(MIDGAME)


def test_a_silent_capture_shows_the_mover_missing():
    """The bishop slid into f7 and no reed opened there: reported as gone until the game says what was played."""
    expected = list(from_fen(MIDGAME))
    expected[parse_square("c4")] = EMPTY
    assert _shown(MIDGAME, "-c4") == "".join(expected)
    codes = PieceCodes()
    codes.stands(standing_of(_view(MIDGAME)))
    codes.occupied(occupancy_of(from_fen(MIDGAME)))
    codes.changes(parse_square("c4"), False)
    after = Position.from_fen(MIDGAME).play(Move.from_uci("c4f7")).fen()
    codes.stands(standing_of(_view(after)))
    assert codes.placement == from_fen(after)


def test_a_name_comes_when_only_one_unit_is_left():
    """Two knights up, one set down where neither may go; when the other is down, both are known."""
    words = "-f3 -b1 +h6 +f3"
    expected = list(from_fen(MIDGAME))
    expected[parse_square("b1")], expected[parse_square("h6")] = EMPTY, "N"
    assert _shown(MIDGAME, words) == "".join(expected)


def test_the_starting_array_means_a_new_game():
    """In the middle of a game the 32 squares of the array show the array, and the next move goes on from it."""
    codes = PieceCodes()
    codes.stands(standing_of(_view(MIDGAME)))
    codes.occupied(START_OCCUPANCY)
    assert codes.placement == START
    codes.stands(standing_of(_view(MIDGAME)))  # our own session has not heard of it yet
    assert codes.placement == START
    codes.changes(parse_square("e2"), False)
    codes.changes(parse_square("e4"), True)
    codes.stands(standing_of(_view(MIDGAME)))
    assert codes.placement == _after(START_FEN, "e2e4")
    codes.stands(standing_of(_view(START_FEN)))
    assert codes.placement == _after(START_FEN, "e2e4")


def test_the_same_squares_are_no_new_game_if_the_game_stands_on_them():
    """Knight and rook have changed places: the 32 squares are those of the array, the game is not."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN b Qkq - 6 4"
    codes = PieceCodes()
    codes.stands(standing_of(_view(fen)))
    assert codes.placement == from_fen(fen)


def test_a_chess960_game_has_its_own_array():
    """The array of the game that was set up, not the usual one."""
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    later = "bqnbnrkr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/BQNBNRKR w HFhf - 0 2"
    codes = PieceCodes()
    view = _view(later)
    codes.stands(standing_of(View(state=view.state, started_fen=fen)))
    codes.occupied(START_OCCUPANCY)
    assert codes.placement == from_fen(fen)


def test_kings_that_came_to_the_centre_are_not_shown_alone():
    """Sweeping the board: a king set down on e4 while all others are in the air ends no host's game."""
    fen = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"
    placement = _shown(fen, "-d2 -e1 +e4")
    assert placement[parse_square("e4")] == EMPTY
    lawful = "8/8/8/3k4/8/4K3/7P/8 w - - 0 1"
    assert _shown(lawful, "-h2")[parse_square("d5")] == "k"


def test_moves_that_can_still_be_revised_are_not_final():
    """The last move counts when it is completed or the game has ended."""
    fen = Position.from_fen(START_FEN).play(Move.from_uci("e2e4")).fen()
    assert standing_of(_view(fen, moves=["e2e4"])).moves == ()
    assert standing_of(_view(fen, moves=["e2e4"], completed=True)).moves == ("e2e4",)
    assert standing_of(_view(fen, moves=["e2e4"], status="ended")).moves == ("e2e4",)


def test_the_clock_as_a_guise_needs_it():
    """Seconds and whose runs; no clock is None."""
    assert clock_of(_view(START_FEN)) is None
    clock = clock_of(_view(START_FEN, clock="black", clock_s={"white": 300.0, "black": 12.5}))
    assert clock is not None
    assert (clock.white_s, clock.black_s, clock.running) == (300.0, 12.5, "black")
    paused = clock_of(_view(START_FEN, clock="paused", clock_s={"white": 1.0, "black": 1.0}))
    assert paused is not None
    assert paused.running is None


def test_s22_a_takeback_is_seen_in_the_whole_list():
    """Field case S22: one ply taken back, then another move: the lists are compared, not the tails."""
    assert changes(("e2e4", "e7e5"), ("e2e4",)) == (1, ())
    assert changes(("e2e4", "e7e5"), ("e2e4", "c7c5", "g1f3")) == (1, ("c7c5", "g1f3"))
    assert changes((), ("e2e4",)) == (0, ("e2e4",))


_FENS = st.sampled_from([START_FEN, MIDGAME, PASSED, PROMOTES, "8/8/3k4/8/4K3/8/8/8 w - - 0 1"])


@given(_FENS, st.lists(st.integers(0, 63), max_size=60), st.lists(st.booleans(), max_size=10))
def test_whatever_the_reeds_do_nothing_is_invented(fen, toggles, again):
    """Shown squares are closed ones; no unit is shown more often than the game has it; a silence keeps the picture."""
    codes = PieceCodes()
    standing = standing_of(_view(fen))
    codes.stands(standing)
    codes.occupied(occupancy_of(standing.placement))
    assert codes.placement == standing.placement
    occupancy = occupancy_of(standing.placement)
    allowed = [Counter(standing.placement), Counter(START)]
    for square in toggles:
        occupancy ^= 1 << square
        codes.changes(square, bool(occupancy >> square & 1))
        placement = codes.placement
        for at, letter in enumerate(placement):
            assert letter == EMPTY or occupancy >> at & 1
        units = Counter(placement.replace(EMPTY, ""))
        assert any(all(units[letter] <= most[letter] for letter in units) for most in allowed)
        for _ in again:
            codes.changes(square, bool(occupancy >> square & 1))
            codes.stands(standing)
        assert codes.placement == placement
