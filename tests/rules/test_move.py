"""Moves: one object each, in and out of UCI."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import MoveTextError
from rules.move import Move
from rules.pieces import QUEEN, PieceType

moves = st.builds(Move, st.integers(0, 63), st.integers(0, 63), st.sampled_from([None, *PieceType]))


@given(moves)
def test_uci_goes_both_ways(move):
    """Writing and reading gives the very same object."""
    assert Move.from_uci(move.uci()) is move
    assert str(move) == move.uci()


@given(moves)
def test_a_move_is_one_object(move):
    """Made again, copied or pickled, it is the same, so comparing moves is comparing identities."""
    assert Move(move.from_square, move.to_square, move.promotion) is move
    assert copy.copy(move) is copy.deepcopy(move) is pickle.loads(pickle.dumps(move)) is move
    assert (move.from_bit, move.to_bit) == (1 << move.from_square, 1 << move.to_square)


def test_a_move_is_one_object_among_threads():
    """Threads that make the same moves at once get the same objects."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: Move(n % 64, n * 7 % 64, PieceType(n % 6 + 1)), list(range(64)) * 8))
    assert all(move is Move(move.from_square, move.to_square, move.promotion) for move in made)


def test_a_move_cannot_be_changed():
    """Neither set nor deleted."""
    move = Move.from_uci("e7e8q")
    with pytest.raises(AttributeError, match="cannot be changed"):
        move.promotion = None
    with pytest.raises(AttributeError, match="cannot be changed"):
        del move.promotion
    assert move.promotion is QUEEN


@pytest.mark.parametrize(
    ("text", "column"),
    [("", 1), ("e2", 1), ("e2e", 1), ("e2e4e6", 1), ("z2e4", 1), ("e2e9", 3), ("e7e8x", 5), ("e7e8Q", 5), ("0000", 1)],
)
def test_bad_text_names_its_column(text, column):
    """A refusal says where."""
    with pytest.raises(MoveTextError) as caught:
        Move.from_uci(text)
    assert caught.value.column == column
    assert caught.value.text == text


def test_numbers_that_are_no_squares():
    """A move must lie on the board, whatever moves have been made before."""
    Move(4, 0, PieceType.PAWN)
    for squares in ((-1, 4), (4, 64), (64, 0)):
        with pytest.raises(ValueError, match="not squares"):
            Move(*squares)


def test_repr_can_be_read():
    """The repr is an expression."""
    assert repr(Move.from_uci("a7a8n")) == "Move.from_uci('a7a8n')"
