"""Another rules library answers the same questions, position by position.

It is an independent one and a development dependency only. Where it and these rules differ the difference stands here,
with its reason. There are two: it takes a halfmove clock that no game can have reached, and in diagrams that no game
can lead to it lets a pawn on its own *first* rank go two squares, which 3.7.2 gives to the square it starts from only.
"""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement

import pytest

from rules.board import Board
from rules.errors import FenError
from rules.fen import parse_fen
from rules.game import Game
from rules.legal_moves import legal_moves
from rules.material import can_mate_on_material, insufficient_material
from rules.move import Move
from rules.pieces import BLACK, KING, PIECES, WHITE, Color, Piece
from rules.position import Position
from tests.rules.random_walks import random_games

chess = pytest.importorskip("chess", reason="the oracle is not installed")
pgn = pytest.importorskip("chess.pgn")


def differences(game, board):
    """Compare all that both can say about a position; give what differs."""
    position = game.position
    pairs = {
        "legal moves": (
            sorted(move.uci() for move in position.legal_moves()),
            sorted(board.uci(move) for move in board.legal_moves),
        ),
        "check": (position.is_check(), board.is_check()),
        "mate": (position.is_checkmate(), board.is_checkmate()),
        "stalemate": (position.is_stalemate(), board.is_stalemate()),
        "FEN": (position.fen(), board.fen(en_passant="legal")),
        "threefold": (game.repetitions() >= 3, board.is_repetition(3)),
        "fivefold": (game.repetitions() >= 5, board.is_fivefold_repetition()),
        "fifty moves": (game.can_claim_fifty(), board.is_fifty_moves()),
        "75 moves": (
            position.halfmove_clock >= 150 and bool(position.legal_moves()),
            board.is_seventyfive_moves(),
        ),
        "material of White": (can_mate_on_material(position, WHITE), not board.has_insufficient_material(chess.WHITE)),
        "material of Black": (can_mate_on_material(position, BLACK), not board.has_insufficient_material(chess.BLACK)),
        "dead on material": (insufficient_material(position), board.is_insufficient_material()),
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def check_walks(task):
    """Compare all positions of some random games; gives how many there were and what differed."""
    count, seed = task
    found = []
    board = chess.Board()
    for game in random_games(count, seed):
        if game.move is None:
            board = chess.Board(game.position.fen(), chess960=game.position.chess960)
        else:
            board.push_uci(game.move.uci())
        different = differences(game, board)
        if different:
            found.append((game.start_position.fen(), [move.uci() for move in game.moves], different))
    return count, found


def test_random_positions():
    """The normal suite's share of random games, standard and Chess960."""
    assert check_walks((1_500, 1)) == (1_500, [])


@pytest.mark.prove
def test_20000_random_positions():
    """20,000 positions of random games: nothing differs."""
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(check_walks, [(2_000, seed) for seed in range(10)]))
    assert [difference for _, found in results for difference in found] == []
    print(f"\nrandom games: {sum(count for count, _ in results):,} positions, no difference")


def check_game(text):
    """Compare every position of one real game; gives how many there were and what differed."""
    moves, found = text.split(), []
    game, board = Game.start(), chess.Board()
    for uci in ["", *moves]:
        if uci:
            game = game.play(Move.from_uci(uci))
            board.push_uci(uci)
        different = differences(game, board)
        if different:
            found.append((uci, board.fen(), different))
    return len(moves) + 1, found


@pytest.mark.prove
def test_every_position_of_900_games(shared):
    """A whole team tournament over the board, read by the other library's own reader."""
    texts = []
    with (shared / "data" / "pgn" / "ecc2018_clk.pgn").open(encoding="utf-8") as file:
        while (read := pgn.read_game(file)) is not None:
            texts.append(" ".join(move.uci() for move in read.mainline_moves()))
    assert len(texts) == 900
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(check_game, texts, chunksize=20))
    assert [difference for _, found in results for difference in found] == []
    positions = sum(count for count, _ in results)
    print(f"\n900 games: {positions:,} positions, no difference")
    assert positions == 78_541 + 900


def random_diagram(rng):
    """Put both kings and some units anywhere, on both boards."""
    squares = rng.sample(range(64), rng.randint(2, 16))
    units = {squares[0]: PIECES[WHITE][KING], squares[1]: PIECES[BLACK][KING]}
    for square in squares[2:]:
        first_rank = "P" if square < 8 else "p" if square >= 56 else ""
        units[square] = Piece.from_symbol(rng.choice([unit for unit in "PNBRQpnbrq" if unit != first_rank]))
    turn = rng.choice(list(Color))
    board = chess.Board(None)
    for square, piece in units.items():
        board.set_piece_at(square, chess.Piece.from_symbol(piece.symbol))
    board.turn = turn is WHITE
    return Board.of(units, turn=turn), board


def test_any_diagram():
    """Also where no game leads, the moves are the same, but for those that take a king."""
    rng = random.Random(5)
    for _ in range(1_000):
        ours, theirs = random_diagram(rng)
        expected = {move.uci() for move in theirs.legal_moves if theirs.piece_type_at(move.to_square) != chess.KING}
        assert {move.uci() for move in legal_moves(ours)} == expected, theirs.fen()


def test_which_diagrams_are_positions():
    """Any diagram is taken or refused as the other library judges it."""
    rng = random.Random(6)
    for _ in range(1_500):
        _, theirs = random_diagram(rng)
        if rng.random() < 0.3:
            theirs.ep_square = rng.choice([*range(16, 24), *range(40, 48)])
        if rng.random() < 0.3:
            theirs.castling_rights = rng.choice([chess.BB_A1, chess.BB_H1 | chess.BB_A8, chess.BB_CORNERS])
        fields = theirs.fen(en_passant="fen").split()
        fields[2:4] = [
            theirs.castling_xfen(),
            chess.square_name(theirs.ep_square) if theirs.ep_square is not None else "-",
        ]
        fen = " ".join(fields)
        try:
            valid = chess.Board(fen).status() == chess.STATUS_VALID
        except ValueError:
            valid = False
        try:
            Position.from_fen(fen)
            taken = True
        except FenError:
            taken = False
        assert taken == valid, fen


def test_a_pawn_on_its_first_rank_goes_one_square():
    """The second known difference: a8 is not where a black pawn starts, so there is no double step from it."""
    fen = "p3k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert chess.Move.from_uci("a8a6") in chess.Board(fen).legal_moves
    moves = {move.uci() for move in Position.from_setup(parse_fen(fen)).legal_moves()}
    assert "a8a7" in moves
    assert "a8a6" not in moves


def test_an_impossible_halfmove_clock_is_refused():
    """The first known difference: 500 quiet plies cannot have been played by move 50; the other library takes it."""
    fen = "4k3/8/8/8/8/8/8/4KR2 w - - 500 50"
    assert chess.Board(fen).status() == chess.STATUS_VALID
    with pytest.raises(FenError, match="only 98 were played"):
        Position.from_fen(fen)


def test_material_of_all_small_sets():
    """Up to three units a side, on random squares: who can still mate is the same."""
    rng = random.Random(7)
    sides = [set_ for size in range(4) for set_ in combinations_with_replacement("PNBRQ", size)]
    for ours in sides:
        for theirs in rng.sample(sides, 8):
            symbols = ["K", "k", *ours, *(unit.lower() for unit in theirs)]
            squares = rng.sample(range(8, 56), len(symbols))
            units = {square: Piece.from_symbol(symbol) for square, symbol in zip(squares, symbols, strict=True)}
            board = chess.Board(None)
            for square, piece in units.items():
                board.set_piece_at(square, chess.Piece.from_symbol(piece.symbol))
            position = Position.of(units, turn=WHITE)
            for color, other in ((WHITE, chess.WHITE), (BLACK, chess.BLACK)):
                assert can_mate_on_material(position, color) != board.has_insufficient_material(other), board.fen()
