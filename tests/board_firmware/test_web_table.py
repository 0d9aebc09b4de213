"""The chessmen as eyes see them agree with the reeds of the simulated board, act by act."""

import pytest

from board_firmware.web.table import Table, has_hands, read_placement
from hal.board import SquareChanged
from hal.simulated import STARTING_ARRAY, SimulatedBoard
from hal.squares import parse_square

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SECOND_NS = 1_000_000_000


class Rig:
    """A table over a simulated board in virtual time."""

    def __init__(self, fen=START):
        self.board = SimulatedBoard(seed=3)
        self.table = Table(self.board)
        self.table.reset(fen)
        self.settle()

    def settle(self):
        """Let five seconds pass; the events of that time."""
        return self.board.advance(self.board.now_ns + 5 * SECOND_NS)

    def act(self, do, **fields):
        """One act, settled."""
        self.table.act({"do": do, **fields})
        return self.settle()

    def seen(self, do, **fields):
        """The changes of squares that one act makes."""
        return [(one.square, one.occupied) for one in self.act(do, **fields) if isinstance(one, SquareChanged)]

    def agrees(self):
        """Whether the reeds are closed exactly where chessmen stand."""
        return self.board.snapshot().occupancy == sum(1 << square for square in self.table.standing)

    def at(self, square):
        """The chessman on a square."""
        return self.table.standing.get(parse_square(square))


def test_a_simulated_board_has_hands() -> None:
    """A wired one has not."""
    assert has_hands(SimulatedBoard(seed=1))
    assert not has_hands(object())


def test_lift_and_place_go_through_the_reeds() -> None:
    """Each act is seen by the switch below it and by nothing else."""
    rig = Rig()
    assert rig.seen("lift", square="e2") == [(12, False)]
    assert [(one.piece, one.origin) for one in rig.table.held] == [("P", 12)]
    assert rig.seen("place", square="e4") == [(28, True)]
    assert (rig.at("e2"), rig.at("e4"), rig.table.held) == (None, "P", [])
    assert rig.agrees()


def test_a_quick_hand_is_not_faster_than_its_piece() -> None:
    """Acts asked for at once follow one another; none of them misses its chessman."""
    rig = Rig()
    for do, square in (
        ("lift", "g1"),
        ("place", "f3"),
        ("lift", "f3"),
        ("place", "g5"),
        ("lift", "d7"),
        ("place", "d5"),
    ):
        rig.table.act({"do": do, "square": square})
    rig.settle()
    assert (rig.board.slips, rig.at("g5"), rig.at("d5")) == (0, "N", "p")
    assert rig.agrees()


def test_a_capture_opens_the_victims_square_first() -> None:
    """The victim goes beside the board, then the capturer comes down."""
    rig = Rig("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    rig.act("lift", square="e4")
    assert rig.seen("capture", square="d5") == [(35, False), (35, True)]
    assert (rig.at("d5"), rig.table.box) == ("P", ["p"])
    assert rig.agrees()


def test_two_hands_hold_two_pieces_and_no_more() -> None:
    """Either can be set down first."""
    rig = Rig()
    rig.act("lift", square="e1")
    rig.act("lift", square="h1")
    with pytest.raises(ValueError, match="both hands are full"):
        rig.act("lift", square="a1")
    rig.act("place", square="e4", hand=0)
    rig.act("place", square="e5", hand=0)
    assert (rig.at("e4"), rig.at("e5")) == ("K", "R")
    assert rig.agrees()


def test_a_piece_laid_aside_comes_back() -> None:
    """Off the board, into the hand, on the board again."""
    rig = Rig()
    rig.act("drop", square="d1")
    assert rig.table.box == ["Q"]
    rig.act("fetch", piece="Q")
    rig.act("place", square="d4")
    rig.act("lift", square="a2")
    rig.act("drop")
    assert (rig.at("d4"), rig.table.box, rig.table.held) == ("Q", ["P"], [])
    assert rig.agrees()


def test_dragging_closes_and_opens_each_square_on_the_way() -> None:
    """A rook pushed along the file is felt by every reed it passes."""
    rig = Rig("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    seen = rig.seen("drag", square="a1", path=["a2", "a3", "a4"])
    assert seen[0] == (0, False)
    assert seen[-1] == (24, True)
    assert rig.at("a4") == "R"
    assert rig.agrees()


def test_a_knock_moves_several_pieces_at_once() -> None:
    """Three or more leave their squares in one go, and the table still agrees with the reeds."""
    rig = Rig()
    before = dict(rig.table.standing)
    rig.act("knock", square="e2")
    moved = [square for square, piece in before.items() if rig.table.standing.get(square) != piece]
    assert len(moved) >= 3
    assert sorted(rig.table.standing.values()) == sorted(before.values())
    assert rig.agrees()


def test_tidying_sets_everything_right() -> None:
    """Whatever was done, every chessman stands where the position has it, and the reeds agree."""
    rig = Rig()
    rig.act("knock", square="d4")
    rig.act("drop", square="a8")
    rig.act("lift", square="h8")
    rig.table.tidy(START)
    rig.settle()
    assert rig.table.standing == read_placement(START)
    assert (rig.table.held, rig.table.box) == ([], [])
    assert rig.board.snapshot().occupancy == STARTING_ARRAY
    assert rig.board.slips == 0


def test_tidying_a_taken_back_capture_brings_the_victim_home() -> None:
    """It comes from beside the board."""
    rig = Rig("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    rig.act("lift", square="e4")
    rig.act("capture", square="d5")
    rig.table.tidy("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    rig.settle()
    assert (rig.at("d5"), rig.at("e4"), rig.table.box) == ("p", "P", [])
    assert rig.agrees()


def test_a_promoted_pawn_is_exchanged_in_the_memory_alone() -> None:
    """The reeds cannot tell; nothing is lifted for it."""
    rig = Rig("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    rig.act("lift", square="a7")
    rig.act("place", square="a8")
    assert rig.table.promoted("N7/4k3/8/8/8/8/8/4K3 b - - 0 1")
    assert not rig.table.promoted("N7/4k3/8/8/8/8/8/4K3 b - - 0 1")
    assert (rig.at("a8"), rig.settle()) == ("N", ())


def test_a_new_game_stands_at_once() -> None:
    """Pieces, hands and lever as the new position wants them."""
    rig = Rig()
    rig.act("lift", square="e2")
    rig.table.reset("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "white")
    rig.settle()
    assert (rig.board.lever_down, rig.table.held) == ("white", [])
    assert rig.agrees()


def test_a_piece_is_shown_on_a_square_and_taken_away_again() -> None:
    """The reed closes and opens; nothing has changed afterwards."""
    rig = Rig()
    before = (dict(rig.table.standing), list(rig.table.box))
    assert rig.seen("show", square="d4") == [(27, True), (27, False)]
    assert (dict(rig.table.standing), list(rig.table.box)) == before
    assert rig.agrees()


def test_faults_are_switched_on_and_off() -> None:
    """They show in what the page draws."""
    rig = Rig()
    rig.act("fault", square="e4", fault="stuck_closed")
    assert rig.table.as_json()["faults"] == {"e4": "stuck_closed"}
    rig.act("fault", square="e4", fault=None)
    assert rig.table.as_json()["faults"] == {}


def test_the_lever_is_pressed_through_the_board() -> None:
    """A side that has pressed already presses nothing."""
    rig = Rig()
    assert [event.down for event in rig.act("press", side="white")] == ["white"]
    assert rig.act("press", side="white") == ()


def test_the_lever_is_put_back_for_the_side_whose_clock_runs_again() -> None:
    """After a ruling or a takeback, and only where it lies the other way."""
    rig = Rig()
    rig.act("press", side="white")
    rig.table.put_lever("paused")
    rig.table.put_lever("black")
    assert rig.board.lever_down == "white"
    rig.table.put_lever("white")
    rig.act("adjust", square="e2")
    assert rig.board.lever_down == "black"


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ("lift", "an act is a JSON object"),
        ({"do": "fly"}, "nothing that a hand does"),
        ({"do": ["lift"]}, "nothing that a hand does"),
        ({"do": "lift"}, "is not a square"),
        ({"do": "lift", "square": "e9"}, "is not a square"),
        ({"do": "lift", "square": "e4"}, "nothing stands on e4"),
        ({"do": "place", "square": "e4"}, "no piece in the hand"),
        ({"do": "place", "square": "e2"}, "e2 is occupied"),
        ({"do": "capture", "square": "e2"}, "no piece in the hand"),
        ({"do": "drag", "square": "e2", "path": "e4"}, "a path is a list"),
        ({"do": "drag", "square": "e2", "path": []}, "a path is a list"),
        ({"do": "drag", "square": "e2", "path": ["d2"]}, "d2 is occupied"),
        ({"do": "drop"}, "no piece in the hand"),
        ({"do": "fetch", "piece": "Q"}, "lies beside the board"),
        ({"do": "show", "square": "e2"}, "e2 is occupied"),
        ({"do": "press", "side": "red"}, "side is one of"),
        ({"do": "fault", "square": "e4", "fault": "fire"}, "fault is null or one of"),
    ],
)
def test_what_no_hand_can_do_is_refused(record, fault) -> None:
    """With a sentence; nothing moves."""
    rig = Rig()
    before = rig.table.as_json()
    with pytest.raises(ValueError, match=fault):
        rig.table.act(record)
    assert rig.table.as_json() == before
    assert rig.settle() == ()
