"""The touch rules against a second, independent reading of Articles 4.3 to 4.5, on positions and touches by lot."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest

from board_firmware import conform
from board_firmware.core import touch
from rules import Move, Position
from tests.board_firmware.second_opinion import Answer, opinions

CASTLING = (
    "r3k2r/pppq1ppp/2np1n2/2b1p3/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/4b3/8/2n5/3p1p2/R3K2R w KQkq - 0 1",
    "r3k2r/p2R1R1p/8/8/8/1B6/P6P/4K3 b kq - 0 1",
    "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
    "r3k2r/2P3P1/8/8/8/8/2p3p1/R3K2R b KQkq - 0 1",
    "rn2k2r/8/8/8/8/8/4q3/RN2K1NR w KQkq - 0 1",
)
EN_PASSANT = (
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/2pPp3/8/8/4K3 b - d3 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/8/3pP3/8/3K4/8 b - e3 0 1",
    "8/8/3k4/8/3pP3/8/8/4K2R b K e3 0 1",
)
PROMOTION = (
    "1n2r2k/P1P5/8/8/8/8/p5p1/R1B1K2N w Q - 0 1",
    "1n2r2k/P1P5/8/8/8/8/pp4pp/R2K1B1N b - - 0 1",
    "rnq1k3/PPP5/8/8/8/8/8/4K2R w K - 0 1",
)
TIGHT = (
    "4k3/8/8/8/1b6/8/3N4/R3K2R w KQ - 0 1",
    "6k1/8/8/8/8/8/4qPPP/5NKR w - - 0 1",
    "4k3/8/8/8/8/5n2/8/R3K2R w KQ - 0 1",
    "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1",
    "6k1/8/8/8/8/2b5/3Q4/R3K2R w KQ - 0 1",
    "3rkr2/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
)


def _starts(lot: random.Random) -> chess.Board:
    """Choose a position of one of the kinds that matter, some plies on."""
    kind = lot.randrange(6)
    if kind == 0:
        board = chess.Board()
        plies = lot.randrange(50)
    elif kind == 1:
        board = chess.Board.from_chess960_pos(lot.randrange(960))
        plies = lot.randrange(30)
    elif kind == 2:  # Chess960 with little between king and rooks
        board = chess.Board.from_chess960_pos(lot.randrange(960))
        for square in chess.SQUARES:
            piece = board.piece_at(square)
            if piece and piece.piece_type not in (chess.KING, chess.ROOK) and lot.random() < 0.75:
                board.remove_piece_at(square)
        plies = lot.randrange(4)
        if not board.is_valid():
            board, plies = chess.Board(chess960=True), 0
    else:
        board = chess.Board(lot.choice((CASTLING, EN_PASSANT + PROMOTION, TIGHT)[kind - 3]))
        plies = lot.choice((0, 0, 0, 1, 2, 3, 6))
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        special = [move for move in moves if move.promotion or board.is_en_passant(move) or board.is_castling(move)]
        board.push(lot.choice(special if special and lot.random() < 0.3 else moves))
    return board


def _touches(board: chess.Board, lot: random.Random) -> list[list[int]]:
    """Touch one to five units, often king and rook or what can be taken, some in one scan, some twice."""
    own = list(chess.SquareSet(board.occupied_co[board.turn]))
    enemies = list(chess.SquareSet(board.occupied_co[not board.turn]))
    rooks = list(board.pieces(chess.ROOK, board.turn))
    near = [m.to_square for m in board.legal_moves if board.color_at(m.to_square) == (not board.turn)]
    near += [
        chess.square(chess.square_file(m.to_square), chess.square_rank(m.from_square))
        for m in board.legal_moves
        if board.is_en_passant(m)
    ]
    pools = [own, enemies or own, near or own, [board.king(board.turn)], rooks or own]
    squares = [lot.choice(lot.choice(pools)) for _ in range(lot.choice((1, 1, 2, 2, 3, 3, 3, 4, 5)))]
    groups: list[list[int]] = []
    for square in squares:
        if groups and len(groups[-1]) < 3 and square not in groups[-1] and lot.random() < 0.15:
            groups[-1].append(square)
        else:
            groups.append([square])
    return groups


def _ours(board: chess.Board, groups: list[list[int]], committed: tuple[str, ...], must_castle: bool) -> Answer:
    position = Position.from_fen(board.fen(), chess960=board.chess960)
    moves = tuple(Move.from_uci(uci) for uci in committed)
    found = touch.owed(position, groups, committed=moves, must_castle=must_castle)
    word = found.word
    if word.startswith("exact:"):
        word = "exact:" + ",".join(sorted(word[6:].split(",")))
    return word, "all" if found.moves is None else frozenset(move.uci() for move in found.moves)


def differences(cases: int, seed: int, *, forgiving: bool) -> Iterator[str]:
    """Each case that the two decide differently, as one line; ``forgiving`` takes the second's other reading too."""
    lot = random.Random(seed)
    for number in range(cases):
        if number % 4 == 0:
            board = _starts(lot)
            legal = [board.uci(move) for move in board.legal_moves]
        groups = _touches(board, lot)
        committed: tuple[str, ...] = ()
        if legal and lot.random() < 0.05:
            committed = tuple(lot.sample(legal, min(len(legal), lot.choice((1, 1, 4)))))
        must_castle = lot.random() < 0.85
        got = _ours(board, groups, committed, must_castle)
        wanted = opinions(board, groups, committed, must_castle=must_castle)
        if forgiving:
            wanted |= opinions(board, groups, committed, must_castle=must_castle, forgiving=True)
        if got not in wanted:
            names = " ".join("+".join(map(chess.square_name, group)) for group in groups)
            yield f"{board.fen()} | {names} | {committed} {must_castle=} | second {sorted(map(str, wanted))} | first {got}"


def test_two_thousand_touches_are_judged_alike():
    """2,000 touches by lot in 500 positions: word and allowed moves agree with one of the second's readings."""
    assert list(differences(2_000, seed=45, forgiving=True)) == []


@pytest.mark.prove
def test_a_hundred_thousand_touches_are_judged_alike():
    """The same for 100,000."""
    assert list(differences(100_000, seed=4, forgiving=True)) == []


@pytest.mark.parametrize(
    ("fen", "touched", "must_castle", "word"),
    [
        # rook that cannot move, enemy unit, king: 4.3.3 bound the player to take f5 before he touched the king
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "h1 f5 e1", True, "capture:f5"),
        # king that cannot move, pawn, rook: 4.3.1 bound him to the pawn, 4.4.3 does not free him again
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e1 b2 h1", True, "move:b2"),
        # king that cannot move, enemy unit, rook: likewise
        ("rnbqkbnr/ppp1pppp/8/3p4/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2", "e1 d5 h1", True, "capture:d5"),
        # after an illegal move 7.5.1 asks for 4.3 and 4.7, not for 4.4: king and rook, the king cannot move, the rook can
        ("6k1/8/8/8/8/8/4qPPP/5NKR w - - 0 1", "g1 h1 h2", False, "move:h2"),
        # and king, rook, enemy unit: 4.3.3 pairs the king with the unit
        ("4k3/8/8/8/8/8/3r4/4K2R w K - 0 1", "e1 h1 d2", False, "exact:e1d2"),
    ],
)
def test_where_4_3_and_4_4_meet(fen: str, touched: str, must_castle: bool, word: str):
    """A duty once incurred is narrowed by a later touch, never lifted."""
    board = chess.Board(fen)
    groups = [[chess.parse_square(name)] for name in touched.split()]
    assert {answer for answer, _ in opinions(board, groups, must_castle=must_castle)} == {word}
    found = _ours(board, groups, (), must_castle)[0]
    if found != word:
        pytest.xfail(f"the reader takes the other reading: {found}")


@pytest.mark.parametrize(
    ("touched", "word"),
    [
        ("e1 d2 h1", "exact:e1d2"),  # 4.3.3 came first
        ("e1 h1 d2", "exact:e1g1"),  # 4.4.1 came first
        ("e1 a5 h1", "exact:e1g1"),  # he owes a king move; castling is one
        ("a5 e1 h1", "exact:e1g1"),  # nothing can take a5
        ("d2 e1 h1", "exact:e1d2"),  # both colours, before the rook
    ],
)
def test_an_enemy_unit_between_king_and_rook(touched: str, word: str):
    """King, enemy unit, rook: the capture if the king can make it, else castling."""
    board = chess.Board("4k3/8/8/p7/8/8/3r4/4K2R w K - 0 1")
    groups = [[chess.parse_square(name)] for name in touched.split()]
    assert {answer for answer, _ in opinions(board, groups)} == {word}
    assert _ours(board, groups, (), True)[0] == word


def test_the_board_holds_the_same_duty():
    """200 hands that lift units and put them back, on a whole board: the state names the duty of the second reading."""
    lot = random.Random(44)
    wrong, seen = [], 0
    while seen < 200:
        board = _starts(lot)
        if board.is_game_over() or board.is_insufficient_material() or any(m.promotion for m in board.legal_moves):
            continue
        seen += 1
        groups = [group[:1] for group in _touches(board, lot)]
        names = [chess.square_name(group[0]) for group in groups]
        actions = [action for name in names for action in (f"lift {name}", f"place {name}")]
        case = {"fen": board.fen(), "control": "standard", "chess960": board.chess960, "actions": actions}
        state = conform.last_state(case)
        word, allowed = state["obligation"], state["allowed"]
        if word.startswith("exact:"):
            word = "exact:" + ",".join(sorted(word[6:].split(",")))
        wanted = opinions(board, groups) | opinions(board, groups, forgiving=True)
        if state["moves"] or (word, allowed if allowed == "all" else frozenset(allowed)) not in wanted:
            wrong.append(f"{board.fen()} | {' '.join(names)} | {word} {state['moves']}, not {sorted(map(str, wanted))}")
    assert wrong == []
