"""What a board of reeds is told to expect: the position while all agrees, one move further when that alone explains it."""

from __future__ import annotations

import pytest

from board_firmware.core.events import View
from board_firmware.expectation import Expectation, explained
from hal.squares import parse_square, squares_of_part
from rules import Move, Position

START = Position.start()


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


def after(*moves):
    """The position after moves from the start."""
    position = START
    for move in moves:
        position = position.play(Move.from_uci(move))
    return position


class Told:
    """A board that keeps what it is told."""

    def __init__(self):
        self.expected = []

    def expect(self, occupancy, known_ns=None):
        """Kept."""
        self.expected.append(occupancy)


class Following:
    """An expectation, and what the board was told by it."""

    def __init__(self):
        self.board = Told()
        self.expectation = Expectation(self.board)

    def see(self, position, occupancy, status="thinking", move=None, faults=(), ask=None):
        """The core holds this to be true; the last thing told so far."""
        state = {"fen": position.fen(), "status": status, "move": move, "board": {"ask": ask}}
        faulty = sum(squares_of_part(part) for part in faults)
        self.expectation.follow(View(state=state, occupancy=occupancy, outstanding=faults, faulty=faulty), 1)
        return self.board.expected[-1] if self.board.expected else "nothing"


def test_agreement_is_told_once():
    """The position, and two squares closed too much; not again while it stays."""
    following = Following()
    assert following.see(START, START.occupied) == START.occupied
    assert following.see(START, START.occupied | bits("e5", "a4"), "irregularity") == START.occupied
    assert len(following.board.expected) == 1


def test_a_unit_in_the_air_changes_nothing():
    """A lift is no agreement, and the old expectation holds."""
    following = Following()
    following.see(START, START.occupied)
    following.see(START, START.occupied ^ bits("e2"))
    assert following.board.expected == [START.occupied]


@pytest.mark.parametrize("status", ["ended", "not_started"])
def test_nobody_knows_before_and_after(status):
    """And while a pawn may promote."""
    following = Following()
    following.see(START, START.occupied)
    assert following.see(START, START.occupied, status) is None
    promoting = Position.from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert Following().see(promoting, promoting.occupied) == "nothing"


def test_the_move_that_leaves_one_square_too_many():
    """b8 went to c6 while c5 closed by itself: no other move explains it, so c5 is found to be stuck."""
    position = after("g1f3")
    occupancy = position.occupied ^ bits("b8", "c6") | bits("c5")
    expected = after("g1f3", "b8c6").occupied
    assert explained(position.fen(), occupancy, 0) == {expected}
    assert Following().see(position, occupancy, "irregularity") == expected


def test_two_moves_that_do_so_are_not_chosen_from():
    """e3 and e4 are closed: either may be the pawn; also when the core has chosen one of them."""
    occupancy = START.occupied ^ bits("e2") | bits("e3", "e4")
    following = Following()
    following.see(START, START.occupied)
    following.see(START, occupancy, "irregularity")
    assert following.board.expected == [START.occupied]
    assert following.see(after("e2e3"), occupancy, "made", "e2e3") is None


def test_a_move_that_was_seen_whole_is_not_doubted():
    """At the press e3 was reached and all agreed; e4, which closes afterwards, is the reed that is stuck.

    Before the press it may be e3, which closed while the pawn was in the air, and the pawn comes down on e4.
    """
    following, moved = Following(), after("e2e3")
    following.see(START, START.occupied)
    following.see(moved, moved.occupied, "made", "e2e3")
    assert following.see(moved, moved.occupied | bits("e4"), "irregularity", "e2e3") is None
    following.see(moved, moved.occupied, "completed", "e2e3")
    assert following.see(moved, moved.occupied | bits("e4"), "irregularity", "e2e3") == moved.occupied


def test_while_the_players_are_asked_nobody_knows():
    """e4 is closed and e2 too, the clock is pressed: either reed may be the one that is stuck."""
    following = Following()
    following.see(START, START.occupied)
    assert following.see(START, START.occupied | bits("e4"), "identification", ask="which_move") is None


def test_a_unit_on_a_wrong_square_is_no_stuck_reed():
    """As many squares closed as units stand: nothing is explained away, castling and captures included."""
    position = after("e2e4", "d7d5")
    assert explained(position.fen(), position.occupied ^ bits("e4", "e6"), 0) == set()
    assert explained("", 0, 0) == set()
    castling = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    castled = castling.occupied ^ bits("e1", "g1", "h1", "f1") | bits("a5")
    assert len(explained(castling.fen(), castled, 0)) == 1


def test_a_landing_that_no_reed_has_seen():
    """After the press the board may look for it; any other missing unit is in a hand."""
    position = after("g1f3")
    assert Following().see(position, position.occupied ^ bits("f3"), "completed", "g1f3") == position.occupied
    assert Following().see(position, position.occupied ^ bits("f3"), "thinking", "g1f3") == "nothing"
    assert Following().see(position, position.occupied ^ bits("e7"), "completed", "g1f3") == "nothing"


def test_squares_known_to_be_lost_do_not_count():
    """A dead file is neither missing nor too much."""
    lost = bits(*(f"e{rank}" for rank in range(1, 9)))
    assert Following().see(START, START.occupied & ~lost, faults=("line file e",)) == START.occupied


def test_a_board_that_watches_nothing_is_told_nothing():
    """Boards without `expect`."""
    Expectation(object()).follow(View(state={"fen": START.fen(), "status": "thinking"}), 1)
