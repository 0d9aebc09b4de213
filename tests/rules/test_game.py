"""Games: the course, repetitions, ends and claims."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import IllegalMoveError, RulesError, SetupError
from rules.fen import parse_fen
from rules.game import Game
from rules.legality import Legal
from rules.material import insufficient_material
from rules.move import Move
from rules.outcome import Outcome, Termination
from rules.pieces import BLACK, WHITE
from rules.position import Position
from tests.rules.random_walks import games

SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def played(moves, fen=None, game=None):
    """Play moves from the initial position, a FEN or a game."""
    game = game or (Game.from_fen(fen) if fen else Game.start())
    for move in moves.split():
        game = game.play(Move.from_uci(move))
    return game


@given(games())
def test_the_past_is_all_there(game):
    """Moves, positions and takebacks tell one story."""
    assert game.ply == len(game.moves) == len(game.positions) - 1
    assert game.positions[0] == game.start_position
    assert game.positions[-1] is game.position
    again = Game.from_position(game.start_position)
    for move, position in zip(game.moves, game.positions[1:], strict=True):
        again = again.play(move)
        assert again.position == position
        assert again.move is move
    back = game
    for move in reversed(game.moves):
        assert back.move is move
        back = back.takeback()
    assert back.position is game.start_position
    with pytest.raises(RulesError, match="no move to take back"):
        back.takeback()


@given(games())
def test_repetitions_are_counted_from_the_whole_past(game):
    """However the counting is cut short, it finds what comparing all positions finds."""
    keys = [position.key() for position in game.positions]
    assert game.repetitions() == keys.count(keys[-1])
    assert game.occurrences() == {key: keys.count(key) for key in keys}


@given(games(), st.integers(0, 100))
def test_going_on_elsewhere_keeps_the_count(game, cut):
    """A game that goes on from a given position with prior occurrences counts as if it had never been interrupted."""
    whole = game.moves
    first = whole[: cut % (len(whole) + 1)]
    before = Game.from_position(game.start_position)
    for move in first:
        before = before.play(move)
    prior = before.takeback().occurrences() if first else {}
    after = Game.from_position(before.position, prior=prior)
    for move in whole[len(first) :]:
        after = after.play(move)
    assert after.repetitions() == game.repetitions()
    assert after.outcome() == game.outcome()


def test_a_game_cannot_be_changed_and_branches_share_their_past():
    """Playing makes a new game; the old one is as it was."""
    trunk = played("e2e4 e7e5")
    left, right = trunk.play(Move.from_uci("g1f3")), trunk.play(Move.from_uci("f1c4"))
    assert left.takeback() is right.takeback() is trunk
    assert [move.uci() for move in trunk.moves] == ["e2e4", "e7e5"]
    with pytest.raises(AttributeError, match="cannot be changed"):
        trunk.position = left.position
    with pytest.raises(IllegalMoveError):
        trunk.play(Move.from_uci("e1e3"))
    assert trunk.ply == 2


def test_copies_and_pickles():
    """A game of any length goes through both, with its repetitions."""
    game = played("e2e4 e7e5 " + SHUFFLE * 500)
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again.moves == game.moves
        assert again.position == game.position
        assert again.repetitions() == game.repetitions() == 501
    with pytest.raises(RulesError):
        Game.start().takeback()


def test_a_new_game_begins_anew():
    """Nothing of an old game is left in the next one: turn, rights, counters."""
    played("f2f3 e7e5 g2g4 d8h4")
    assert Game.start().position.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert Game.start().moves == []
    assert "0 plies" in repr(Game.start())


def test_seventeen_thousand_plies():
    """Length costs neither recursion nor limits: knights hop for longer than any game can last."""
    game = Game.start()
    hops = [Move.from_uci(uci) for uci in ("g1f3", "g8f6", "f3g1", "f6g8")]
    for ply in range(17_697):
        game = game.play_unchecked(hops[ply % 4])
    assert len(game.moves) == 17_697
    assert game.position.halfmove_clock == 17_697
    assert game.repetitions() == 4_425
    assert game.outcome() == Outcome(None, Termination.FIVEFOLD)


# Ends.

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


@pytest.mark.parametrize(
    ("fen", "moves", "outcome"),
    [
        (None, "e2e4", None),
        (None, FOOLS_MATE, (BLACK, "checkmate", "0-1")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "b1b7", None),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", (None, "stalemate", "1/2-1/2")),
        ("4k3/8/8/8/8/8/4r3/3K4 w - - 0 1", "d1e2", (None, "dead_position", "1/2-1/2")),
        (None, "g1f3 g8f6 f3g1 f6g8 " * 3, None),
        (None, "g1f3 g8f6 f3g1 f6g8 " * 4, (None, "fivefold", "1/2-1/2")),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 148 90", "a1a2", None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 90", "a1a2", (None, "seventyfive_moves", "1/2-1/2")),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 149 90", "a2a3", None),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90", "a1a8", (WHITE, "checkmate", "1-0")),
    ],
)
def test_automatic_ends(fen, moves, outcome):
    """Five ends come by themselves, mate before all; threefold and fifty are none."""
    found = played(moves, fen).outcome()
    assert (found and (found.winner, found.termination, found.result)) == outcome


def test_a_deeper_judge_of_dead_positions_may_be_asked():
    """Material is the default; a caller may bring more."""
    game = Game.from_fen("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1")
    assert game.outcome() is None
    assert game.outcome(is_dead=lambda position: True) == Outcome(None, Termination.DEAD_POSITION)
    assert game.outcome(is_dead=insufficient_material) is None


def test_a_drawn_game_can_be_played_on():
    """Old scores do so: the end is a fact, not a wall."""
    game = played("g1f3 g8f6 f3g1 f6g8 " * 4)
    assert game.outcome() is not None
    assert game.play(Move.from_uci("e2e4")).outcome() is None


# Claims.


def test_threefold_on_the_board_or_with_a_move():
    """One moment, two questions: what stands there, and what would."""
    nearly = played(SHUFFLE + "g1f3 g8f6 f3g1")
    last = Move.from_uci("f6g8")
    assert (nearly.can_claim_threefold(), nearly.can_claim_threefold(last)) == (False, True)
    assert not nearly.can_claim_threefold(Move.from_uci("f6g4"))
    there = nearly.play(last)
    assert there.can_claim_threefold()
    assert there.outcome() is None
    assert not there.can_claim_threefold(Move.from_uci("e2e4"))
    assert there.can_claim_threefold(Move.from_uci("g1f3"))
    assert not there.play(Move.from_uci("e2e4")).can_claim_threefold()


def test_an_illegal_move_claims_nothing():
    """Neither repetition nor fifty moves."""
    game = Game.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 90")
    assert not game.can_claim_fifty(Move.from_uci("a1b2"))
    assert not game.can_claim_threefold(Move.from_uci("a1b2"))


@pytest.mark.parametrize(
    ("fen", "move", "claim"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", None, False),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a2", True),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 90", "a1a2", False),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", None, True),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 100 90", "a2a3", False),
        ("4k3/8/8/8/8/8/r7/R3K3 w - - 100 90", "a1a2", False),
        # Mated on the hundredth ply: the game is over, nothing can be claimed.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", None, False),
    ],
)
def test_fifty_moves(fen, move, claim):
    """A hundred plies on the board, or with the intended move."""
    assert Game.from_fen(fen).can_claim_fifty(Move.from_uci(move) if move else None) is claim


# Diagrams.


def test_from_setup_plays_what_no_game_leads_to():
    """The side not to move in check, a pawn on its last rank: play goes on, and no move takes the king."""
    game = Game.from_setup(parse_fen("P3k3/8/8/8/8/8/4R3/4K3 w - - 0 1"))
    moves = {move.uci() for move in game.position.legal_moves()}
    assert "e2e7" in moves
    assert not moves & {"e2e8", "a8a9", "a8b8"}
    assert not any(move.startswith("a8") for move in moves)
    game = played("e1d1 e8d7", game=game)
    assert game.position.fen() == "P7/3k4/8/8/8/8/4R3/3K4 w - - 2 2"
    with pytest.raises(SetupError):
        Game.from_setup(parse_fen("8/8/8/8/8/8/4R3/4K3 w - - 0 1"))


def test_judging_with_the_game():
    """The game asks for itself, so that reasons come with their history."""
    game = played("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 g1f3 a7a6 f1e2 a6a5")
    assert [reason.word for reason in game.judge(4, 6).reasons] == ["castling_king_moved"]
    assert game.judge(4, 5) == Legal(Move.from_uci("e1f1"))
    assert Position.start() == game.start_position
