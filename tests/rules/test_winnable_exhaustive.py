"""Verdicts against exhaustion: every position of small sets of units, worked out backwards from the mates.

The small version asks about 2,000 positions of the sets of three units. `make prove` asks about all of them and about
random positions of every set of four: TOUCHMOVE_POSITIONS of each, 3,000 where it does not say. With 100,000 or more it
also asks about all positions of KRKB, KBKB and KNKN, and takes some hours.

Most questions are asked with few nodes. That is the sharper test: a wrong "unwinnable" would come out of a short
search that believes it has seen everything. The walls are asked apart, as questions that a search answers never come
to them. Where no mate exists, no answer can be refuted: such positions are asked for their own sake only.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from rules import BLACK, WHITE, PieceType, Position
from rules.mating_net import could_be_mated
from rules.mobility import Mobility
from rules.pieces import PIECES
from rules.winnable import DEFAULT_NODES, Unwinnable, Winnable, winnable
from tests.rules.helped_mates import ordered, sides, table_of

POSITIONS = int(os.environ.get("TOUCHMOVE_POSITIONS", "3000"))
THREE = ["KQK", "KRK", "KBK", "KNK", "KPK"]
SAME_SIDE = ["K" + "".join(pair) + "K" for pair in itertools.combinations_with_replacement("QRBNP", 2)]
BOTH_SIDES = [f"K{a}K{b}" for a, b in itertools.product("QRBNP", repeat=2)]
FOUR = SAME_SIDE + BOTH_SIDES


def position_of(name: str, side: int, squares: tuple[int, ...], *, swap: bool = False) -> Position:
    """Make the position of a table's entry; `swap` turns the board round and changes the colours."""
    white, black = sides(name)
    pieces = {}
    for letter, square, is_white in zip(name, squares, [True] * len(white) + [False] * len(black), strict=True):
        color = WHITE if is_white is not swap else BLACK
        pieces[square ^ 56 if swap else square] = PIECES[color][PieceType.from_letter(letter)]
    turn = WHITE if (side == 0) is not swap else BLACK
    return Position.of(pieces, turn=turn)


def judge(name: str, side: int, squares: tuple[int, ...], won: np.ndarray, nodes: int, tally: Counter[str]) -> None:
    """Compare one verdict with the table, from White's side of the table; half of them with the colours changed."""
    swap = sum(squares) % 2 == 1
    position = position_of(name, side, squares, swap=swap)
    answer = winnable(position, BLACK if swap else WHITE, nodes=nodes)
    true = bool(won[squares])
    if isinstance(answer, Unwinnable):
        assert not true, f"{position.fen()}: {answer} but a mate exists"
        tally["proved"] += 1
    elif isinstance(answer, Winnable):
        assert true, f"{position.fen()}: {answer} but the table knows no mate"
        for move in answer.line:
            position = position.play(move)
        assert position.is_checkmate()
        tally["won"] += 1
    else:
        tally["unknown, won" if true else "unknown, not won"] += 1


def entries(name: str, side: int, count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Give random legal positions of a set."""
    legal = table_of(name).legal[side]
    rng = random.Random(f"{name}{side}{seed}")
    while count:
        squares = tuple(rng.randrange(64) for _ in range(legal.ndim))
        if legal[squares]:
            count -= 1
            yield squares


def not_won(name: str, side: int) -> np.ndarray:
    """List the legal positions from which White cannot mate."""
    table = table_of(name)
    return np.argwhere(table.legal[side] & ~table.won[side])


def test_the_tables_know_what_everybody_knows() -> None:
    """Totals that can be worked out by hand or are known from the literature of endings."""
    assert [int(array.sum()) for array in table_of("KK").legal] == [3_612, 3_612]
    assert not any(array.any() for array in table_of("KBK").won)
    assert not any(array.any() for array in table_of("KNK").won)
    queen = table_of("KQK")
    assert int(queen.legal[1].sum()) == 223_944
    assert int(queen.legal[0].sum()) == 144_508
    assert len(not_won("KQK", 0)) == 0
    shut_in = {"Ka8 Pa7 Kc7", "Ka8 Pa7 Kc8", "Kh8 Ph7 Kf7", "Kh8 Ph7 Kf8"}
    names = {
        f"K{chess.square_name(king)} P{chess.square_name(pawn)} K{chess.square_name(other)}"
        for king, pawn, other in not_won("KPK", 0).tolist()
    }
    assert names == shut_in


@pytest.mark.parametrize("name", THREE)
def test_sets_of_three(name: str) -> None:
    """A few hundred random positions of each set of three units, all unwinnable ones of both sides among them."""
    tally: Counter[str] = Counter()
    for side in (0, 1):
        won = table_of(name).won[side]
        for squares in entries(name, side, 120, seed=1):
            judge(name, side, squares, won, 4_000, tally)
        for squares in not_won(name, side)[:: max(1, len(not_won(name, side)) // 40)]:
            judge(name, side, tuple(int(square) for square in squares), won, 4_000, tally)
    assert tally["unknown, won"] + tally["unknown, not won"] == 0, tally


def all_but_mirror_images(name: str, among: np.ndarray, every: int = 1) -> Iterator[tuple[int, ...]]:
    """Give these positions of a set, or each so-manieth, with White's king where mirrors would take him."""
    for king in range(64):
        file, rank = king & 7, king >> 3
        if file > 3 or ("P" not in name and (rank > 3 or rank > file)):
            continue
        for flat in np.flatnonzero(among[king])[::every].tolist():
            rest = tuple(int(square) for square in np.unravel_index(flat, among.shape[1:]))
            yield (king, *rest)


def check_walls(name: str, side: int, squares: tuple[int, ...]) -> bool:
    """Whether walls keep Black's king from being mated; they must not where a mate exists."""
    position = position_of(name, side, squares)
    walled = not could_be_mated(Mobility(position), BLACK)
    assert not (walled and table_of(name).won[side][squares]), f"{position.fen()}: walls, but a mate exists"
    return walled


@pytest.mark.prove
@pytest.mark.parametrize("name", ["KQK", "KRK", "KPK"])
def test_all_positions_of_three(name: str) -> None:
    """Every position of the sets of three that material does not decide, mirror images left out."""
    tally: Counter[str] = Counter()
    for side in (0, 1):
        won = table_of(name).won[side]
        for squares in all_but_mirror_images(name, table_of(name).legal[side]):
            judge(name, side, squares, won, 4_000, tally)
    print(name, dict(tally))
    assert tally["unknown, won"] + tally["unknown, not won"] == 0, tally


@pytest.mark.prove
@pytest.mark.parametrize("name", ["KRKB", "KBKB", "KNKN"])
def test_all_positions_of_some_sets_of_four(name: str) -> None:
    """One in 600 positions of three sets of four with many nodes, and on request all with few; no mirror images."""
    tally: Counter[str] = Counter()
    full: Counter[str] = Counter()
    for side in (0, 1):
        won = table_of(name).won[side]
        for squares in all_but_mirror_images(name, table_of(name).legal[side], 600):
            judge(name, side, squares, won, 4_000, full)
        if POSITIONS >= 100_000:
            for number, squares in enumerate(all_but_mirror_images(name, won)):
                judge(name, side, squares, won, 12 if number % 10 else 30, tally)
    print(name, "all:", dict(tally), "some, with more nodes:", dict(full))
    assert full["unknown, not won"] + full["unknown, won"] <= 0.02 * full.total(), full


@pytest.mark.prove
@pytest.mark.parametrize("name", FOUR)
def test_random_positions_of_four(name: str) -> None:
    """Random positions of every set of four: with few nodes, some with many, and of those that cannot be won."""
    assert name == ordered(*sides(name))
    tally: Counter[str] = Counter()
    full: Counter[str] = Counter()
    for side in (0, 1):
        won = table_of(name).won[side]
        for number, squares in enumerate(entries(name, side, POSITIONS // 2, seed=2)):
            if number < POSITIONS // 100:
                tally["walled"] += check_walls(name, side, squares)
            if won[squares]:
                judge(name, side, squares, won, 12 if number % 4 else 30, tally)
            if number < 300:
                judge(name, side, squares, won, DEFAULT_NODES, full)
        lost = not_won(name, side)
        for squares in lost[:: max(1, len(lost) // 300)].tolist():
            judge(name, side, tuple(squares), won, DEFAULT_NODES, full)
    print(name, dict(tally), "with more nodes", dict(full))
    assert full["unknown, not won"] + full["unknown, won"] <= 0.02 * full.total(), full


def locked_pawns(side: int, every: int) -> Iterator[tuple[int, ...]]:
    """Give the legal positions of KPKP, or each so-manieth, in which the two pawns stop each other."""
    legal = table_of("KPKP").legal[side]
    for pawn in (square for square in range(8, 48) if square & 7 < 4):
        for flat in np.flatnonzero(legal[:, pawn, :, pawn + 8])[::every].tolist():
            king, other = divmod(flat, 64)
            yield (king, pawn, other, pawn + 8)


@pytest.mark.prove
def test_walls_of_two_pawns() -> None:
    """Two pawns that stop each other: every position, mirror images left out."""
    walled = {side: sum(check_walls("KPKP", side, squares) for squares in locked_pawns(side, 1)) for side in (0, 1)}
    print("KPKP walled", walled)


def test_colors_are_alike() -> None:
    """The same position with the colours changed gets the same kind of answer."""
    for name in THREE:
        for squares in entries(name, 1, 10, seed=3):
            answers = [
                winnable(position_of(name, 1, squares, swap=swap), color, nodes=4_000)
                for swap, color in ((False, WHITE), (True, BLACK))
            ]
            assert type(answers[0]) is type(answers[1]), (name, squares)
