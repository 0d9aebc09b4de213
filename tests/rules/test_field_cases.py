"""Faults that other programs have had, one by one, and then their whole kind.

The numbers R.. name the case in a collection of real reports; positions and moves are facts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board
from rules.errors import FenError
from rules.fen import START_FEN
from rules.game import Game
from rules.legal_moves import legal_moves
from rules.legality import Illegal, judge
from rules.material import insufficient_material
from rules.move import Move
from rules.outcome import Termination
from rules.pieces import BISHOP, BLACK, KING, KNIGHT, PAWN, PIECES, ROOK, WHITE, Piece
from rules.position import Position
from rules.san import parse_san
from rules.squares import DARK_SQUARES, LIGHT_SQUARES, parse_square, squares_of
from tests.rules.random_walks import games, positions


def played(moves, fen=START_FEN):
    """Play moves in UCI."""
    game = Game.from_fen(fen)
    for move in moves.split():
        game = game.play(Move.from_uci(move))
    return game


def scored(score, fen=START_FEN):
    """Play moves in SAN, move numbers and all."""
    game = Game.from_fen(fen)
    for word in score.split():
        san = word.rsplit(".", 1)[-1]
        if san:
            game = game.play(parse_san(game.position, san))
    return game


# A move is legal or not.

LEGAL = [
    # En passant missing.
    ("R02", "rnk2bnr/8/b4p2/p1p2Pp1/P1P5/7p/3N3P/R1BK1B1R w - g6 0 27", "", "f5g6", True),
    # The en passant mark taken for a piece that stops a check.
    ("R05", "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1", "", "c7c5", False),
    # En passant by a piece that is no pawn.
    ("R06", "4k3/8/8/3pP3/2N1K3/8/8/8 w - d6 0 1", "", "c4d6", False),
    ("R06", "4k3/8/8/3pP3/2N1K3/8/8/8 w - d6 0 1", "", "e5d6", True),
    # The right kept too long.
    ("R08", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1d1 e8e7", "e5d6", False),
    # Castling with a rook from elsewhere: only the history tells.
    ("R20", "4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1", "g3h1 a1a2 h1g3 a2h2 g3f5 h2h1 e8e7", "e1g1", False),
    # A placement carries no rights.
    ("R25", "3r2k1/5p2/4pp1p/1p6/p3P3/3nNPP1/PP5P/3R1K2 b - - 0 1", "", "g8c8", False),
    ("R26", "rnbqkbnr/pp1p2pp/2p2p2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w - - 0 4", "", "e1g1", False),
    ("R26", "rnbqkbnr/pp1p2pp/2p2p2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4", "", "e1g1", True),
    # A new queen without effect.
    ("R34", "8/1P6/8/8/8/8/k7/7K w - - 0 1", "b7b8q", "a2b2", False),
    # Always a queen.
    ("R35", "5r2/6Pk/7p/2pB4/8/q7/8/6RK w - - 0 1", "", "g7f8n", True),
    # Two knights.
    ("R60", "r2qkbnr/pp1n1pp1/2p3bp/3pp3/6P1/2PPB2P/PP1NPPB1/R2QK1NR b KQkq - 1 9", "", "g8f6", True),
    ("R60", "r2qkbnr/pp1n1pp1/2p3bp/3pp3/6P1/2PPB2P/PP1NPPB1/R2QK1NR b KQkq - 1 9", "", "d7f6", True),
]


@pytest.mark.parametrize(("case", "fen", "moves", "move", "legal"), LEGAL)
def test_legal_or_not(case, fen, moves, move, legal):
    """The list and the judge, with and without the game, agree on the right answer."""
    game, uci = played(moves, fen), Move.from_uci(move)
    assert (uci in game.position.legal_moves()) is legal
    for past in (None, game):
        verdict = judge(game.position, uci.from_square, uci.to_square, uci.promotion, game=past)
        assert isinstance(verdict, Illegal) is not legal


def test_r20_says_why():
    """The rook of h1 was captured there, and the one that stands there now came from a1."""
    game = played("g3h1 a1a2 h1g3 a2h2 g3f5 h2h1 e8e7", "4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1")
    assert game.position.fen().split()[2] == "-"
    words = [reason.word for reason in game.judge(parse_square("e1"), parse_square("g1")).reasons]
    assert words == ["castling_rook_captured", "castling_no_rook"]


def test_r35_only_the_knight_gives_check():
    """g7f8 with a queen is no check, with a knight it is."""
    position = Position.from_fen("5r2/6Pk/7p/2pB4/8/q7/8/6RK w - - 0 1")
    assert not position.play(Move.from_uci("g7f8q")).is_check()
    assert position.play(Move.from_uci("g7f8n")).is_check()


# What a move leaves behind.

AFTER = [
    # The captured pawn leaves its own square; the mark is no unit.
    ("R11", "4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1q", "4k3/8/8/8/8/8/8/q3K3 w - - 0 2"),
    # A captured rook takes its right along, by whatever it is captured.
    ("R12", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"),
    (
        "R13",
        "rnbqkbnr/pppppp1p/8/8/1P4p1/8/PBPPPPPP/RN1QKBNR w KQkq - 0 1",
        "b2h8",
        "rnbqkbnB/pppppp1p/8/8/1P4p1/8/P1PPPPPP/RN1QKBNR b KQq - 0 1",
    ),
    (
        "R14",
        "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5",
        "h1h8",
        "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5",
    ),
    (
        "R15",
        "r1bqkbnr/ppp2pp1/2np4/4p3/6P1/2N1P3/PPPP1PB1/R1BQK1NR b KQkq - 0 6",
        "h8h1",
        "r1bqkbn1/ppp2pp1/2np4/4p3/6P1/2N1P3/PPPP1PB1/R1BQK1Nr w Qq - 0 7",
    ),
    (
        "R16",
        "2b1kbnr/rpq1pp1p/2n3p1/8/3Q4/2P5/PP3PPP/RN2KBNR w KQk - 0 9",
        "d4h8",
        "2b1kbnQ/rpq1pp1p/2n3p1/8/8/2P5/PP3PPP/RN2KBNR b KQ - 0 9",
    ),
    (
        "R17",
        "r3k2r/1P4p1/8/8/8/8/1p4P1/R3K2R w KQkq - 0 1",
        "b7a8q",
        "Q3k2r/6p1/8/8/8/8/1p4P1/R3K2R b KQk - 0 1",
    ),
    # The right belongs to the rook of h1, not to the h-file.
    (
        "R18",
        "rnbqkbnr/pp3ppp/2ppp3/8/P7/7R/1PPPPPPP/1NBQKBNR w Kkq - 0 4",
        "h3a3",
        "rnbqkbnr/pp3ppp/2ppp3/8/P7/R7/1PPPPPPP/1NBQKBNR b Kkq - 1 4",
    ),
]


@pytest.mark.parametrize(("case", "fen", "move", "after"), AFTER)
def test_what_a_move_leaves(case, fen, move, after):
    """The whole position after it."""
    assert Position.from_fen(fen).play(Move.from_uci(move)).fen() == after


def test_r09_the_pawn_taken_in_passing_is_gone():
    """After 17...bxc3 nothing stands on c4, so 19.Qc4 can be played."""
    game = scored(
        "1.e4 e6 2.d4 d5 3.Nc3 Nf6 4.Bg5 dxe4 5.Nxe4 Be7 6.Bxf6 gxf6 7.Nf3 f5 8.Nc3 a6 9.Qd2 b5 10.O-O-O b4 11.Na4 Bb7 "
        "12.Bc4 Bd5 13.Qe2 Nc6 14.Rhe1 Na5 15.Bxd5 Qxd5 16.b3 Nc6 17.c4 bxc3"
    )
    assert game.position.piece_at(parse_square("c4")) is None
    game = game.play(Move.from_uci("a4c3")).play(Move.from_uci("d5a5"))
    assert game.position.is_legal(Move.from_uci("e2c4"))


def test_r10_a_right_is_not_a_pawn():
    """After 2...e5 the pawn stands on e5 and nothing on e6, where it can be taken."""
    position = scored("1.d4 a6 2.d5 e5").position
    assert position.piece_at(parse_square("e6")) is None
    assert position.piece_at(parse_square("e5")) == Piece(BLACK, PAWN)
    assert position.ep_square == parse_square("e6")


def test_r36_a_new_game_has_nothing_of_the_old():
    """White is to move again."""
    assert scored("1.f3 e5 2.g4 Qh4").outcome().termination is Termination.CHECKMATE
    assert Game.start().position.fen() == START_FEN


# Texts that are no positions.

REFUSED = [
    ("R04", "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1", "double step"),
    ("R04", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "double step"),
    ("R24", "4k3/8/8/8/8/8/8/4K2N w K - 0 1", "castling right K"),
    ("R24", "4k3/8/8/8/8/8/8/4K2r w K - 0 1", "castling right K"),
    ("R24", "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K"),
    ("R25", "3r2k1/5p2/4pp1p/1p6/p3P3/3nNPP1/PP5P/3R1K2 b KQkq - 0 1", "castling right K"),
    ("R27", "1n6/8/2Q5/1rK5/8/8/8/5k2 b - - 0 1", "the white king c5 is in check, but black has the move"),
    ("R27", "r1bqkbnr/pp1p1ppp/4p3/2p1n3/2K1P3/2N5/PPPP1PPP/R1BQ1BNR b kq - 0 9", "the white king c4 is in check"),
    ("R28", "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1", "white to move captures on rank 6"),
    ("R29", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "w or b"),
    ("R29", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w xQkq - 0 1", "letters as KQkq"),
    ("R29", "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 6 has 7 squares"),
    ("R29", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the black king e8 is in check"),
    ("R29", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "Chess960 only"),
    ("R29", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", "captures on rank 6"),
    ("R29", "4k3/8/8/8/8/8/8/4KR2 w - - 500 50", "only 98 were played"),
    ("R30", "k7/1R1RN3/p3p3/P3P2p/1PP4P/3K1PP1/8/8 b KQkq h3 0 1", "castling right K"),
    ("R32", "k7/1Q6/K7/8/8/8/8/8 w - - 0 1", "the black king a8 is in check, but white has the move"),
]


@pytest.mark.parametrize(("case", "fen", "reason"), REFUSED)
def test_refused(case, fen, reason):
    """Each is refused, for its own reason."""
    with pytest.raises(FenError) as caught:
        Position.from_fen(fen)
    assert reason in caught.value.reason


def test_r30_the_same_board_without_the_bad_fields():
    """It is stalemate."""
    game = Game.from_fen("k7/1R1RN3/p3p3/P3P2p/1PP4P/3K1PP1/8/8 b - - 0 1")
    assert game.outcome().termination is Termination.STALEMATE
    assert game.outcome().result == "1/2-1/2"


# Repetition.

THREEFOLD = [
    # An en passant capture that could never be played makes no difference.
    ("R38", START_FEN, "1.e4 e5 2.Nf3 Nf6 3.Ng1 Ng8 4.Nf3 Nf6 5.Ng1 Ng8", 3),
    ("R38", START_FEN, "1.e4 c5 2.e5 Qb6 3.Nf3 Qe6 4.Ng1 d5 5.Nf3 Nc6 6.Ng1 Nb8 7.Nf3 Nc6 8.Ng1 Nb8", 3),
    (
        "R37",
        "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
        "1...h5 2.Rh6 Rh7 3.Re6 Rg7 4.Rh6 Rh7 5.Re6 Rg7",
        3,
    ),
    # A right that is gone does.
    ("R40", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "Kf1 Rb8 Ke1 Ra8 Kf1 Rb8 Ke1 Ra8", 2),
    # The first position counts.
    ("R44", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "1.Kd2 Kd7 2.Ke1 Ke8 3.Kf2 Kf7 4.Ke1 Ke8", 3),
    ("R43", START_FEN, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8", 3),
    ("R43", START_FEN, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 5.e4", 1),
]


@pytest.mark.parametrize(("case", "fen", "score", "times"), THREEFOLD)
def test_repetitions(case, fen, score, times):
    """How often the last position has been there, and whether that makes a claim."""
    game = scored(score, fen)
    assert game.repetitions() == times
    assert game.can_claim_threefold() == (times >= 3)


def test_r41_a_promoted_rook_is_a_rook():
    """The same squares with another rook on them are the same position."""
    game = played(
        "d7d8r h4g4 f8f1 g4h4 d8f8 h4g4 f1d1 g4h4 d1d8 h4g4 f8f1 g4h4 d8f8 h4g4 f1d1 g4h4 d1d8",
        "5R2/3P4/8/8/7r/7r/7k/K7 w - - 0 1",
    )
    assert game.can_claim_threefold()


# Dead positions and counters.

DEAD = [
    ("R47", "5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39", True),
    ("R47", "8/6k1/8/8/4B3/3B4/8/1K6 w - - 0 1", True),
    ("R47", "B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", True),
    ("R48", "7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", False),
    ("R48", "8/8/4k3/4n3/8/3NK3/8/8 w - - 0 1", False),
    # Dead, but not by its material: that is for a deeper analysis to prove.
    ("R50", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", False),
]


@pytest.mark.parametrize(("case", "fen", "dead"), DEAD)
def test_dead_on_material(case, fen, dead):
    """Any number of bishops on one colour are dead; what can be mated with help is not."""
    game = Game.from_fen(fen)
    assert insufficient_material(game.position) is dead
    assert (game.outcome() is not None) is dead


def test_r48_the_help_mate():
    """1...Bg8 2.Bd4 is mate."""
    assert scored("1...Bg8 2.Bd4", "7k/8/7K/2Bb4/8/8/8/8 b - - 0 1").outcome().termination is Termination.CHECKMATE


def test_r52_mate_goes_before_75_moves():
    """The same move number: one rook move mates, the other draws at once."""
    fen = "8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 149 138"
    mate, draw = scored("Rh3", fen).outcome(), scored("Rg7", fen).outcome()
    assert (mate.result, mate.termination) == ("1-0", "checkmate")
    assert (draw.result, draw.termination) == ("1/2-1/2", "seventyfive_moves")


def test_r53_moves_are_not_plies():
    """Fifty plies are no fifty moves."""
    assert not Game.from_fen("8/8/8/8/4k3/8/3K2p1/5r2 w - - 50 119").can_claim_fifty()


def test_r54_a_claim_with_a_move_that_would_mate():
    """The claim is in order by 9.3.1; the move, if played, mates."""
    game = Game.from_fen("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113")
    assert game.can_claim_fifty(Move.from_uci("g3h3"))
    assert not game.can_claim_fifty()
    assert game.play(Move.from_uci("g3h3")).outcome().termination is Termination.CHECKMATE


def test_every_case_of_the_collection_is_here(shared):
    """No report about the rules is left out."""
    cases = json.loads((shared / "cases" / "field.json").read_text(encoding="utf-8"))
    source = Path(__file__).read_text(encoding="utf-8").lower()
    missing = [case["id"] for case in cases if case["layer"] == "rules" and case["id"].lower() not in source]
    assert missing == []


# The kinds. (Positions after each move, rights on their rooks, FEN in and out: see test_position and test_fen.)


@given(positions)
def test_kind_en_passant(position):
    """For each pawn that has just made a double step and each enemy pawn beside it: legal if the king is safe after."""
    if position.double_step is None:
        return
    forward = 8 if position.turn is WHITE else -8
    victim = position.double_step - forward
    for beside in (victim - 1, victim + 1):
        if beside >> 3 != victim >> 3 or not position.pieces(position.turn, PAWN) >> beside & 1:
            continue
        units = position.pieces_by_square()
        units[position.double_step] = units.pop(beside)
        del units[victim]
        after = Board.of(units, turn=position.turn)
        safe = not after.attackers(position.turn.other, after.king(position.turn))
        move = Move(beside, position.double_step)
        assert position.is_legal(move) == safe
        if safe:
            played = position.play(move)
            assert played.pieces_by_square() == dict(sorted(units.items()))
            assert position.captured_square(move) == victim


@given(games())
def test_kind_en_passant_lasts_one_ply(game):
    """Whatever is played next, the right is gone; and only a pawn ever takes in passing."""
    position = game.position
    for move in position.legal_moves():
        if position.is_en_passant(move):
            assert position.pieces(position.turn, PAWN) & move.from_bit
        after = position.play(move)
        assert after.double_step is None or after.double_step != position.double_step


@given(games())
def test_kind_repetition_needs_the_same_moves(game):
    """9.2.3: two positions of a game are the same exactly if the same side can play the same moves with the same units."""
    now = game.position
    for earlier in game.positions:
        same = (
            earlier.pieces_by_square() == now.pieces_by_square()
            and earlier.turn is now.turn
            and set(earlier.legal_moves()) == set(now.legal_moves())
            and earlier.castling == now.castling
        )
        assert (earlier.key() == now.key()) == same


bishops = st.dictionaries(st.sampled_from(squares_of(LIGHT_SQUARES)), st.sampled_from("Bb"), max_size=6)


@given(bishops, st.lists(st.sampled_from(squares_of(DARK_SQUARES)), min_size=2, max_size=2, unique=True), st.data())
def test_kind_bishops_of_one_colour(light, kings, data):
    """Kings and bishops of one colour, however many: dead. One bishop of the other colour, or a knight: not."""
    units = {square: Piece.from_symbol(symbol) for square, symbol in light.items()}
    units |= {kings[0]: PIECES[WHITE][KING], kings[1]: PIECES[BLACK][KING]}
    assert insufficient_material(Position.of(units, turn=WHITE))
    free = data.draw(st.sampled_from([s for s in squares_of(DARK_SQUARES) if s not in units]))
    if light:
        assert not insufficient_material(Position.of({**units, free: PIECES[WHITE][BISHOP]}, turn=WHITE))
        assert not insufficient_material(Position.of({**units, free: PIECES[BLACK][KNIGHT]}, turn=WHITE))
    assert not insufficient_material(Position.of({**units, free: PIECES[BLACK][ROOK]}, turn=WHITE))


@given(positions, st.integers(90, 160))
def test_kind_counters_end_only_what_goes_on(position, clock):
    """Whatever the clock says, mate stays mate, stalemate stalemate; else 150 plies end the game and 100 allow a claim."""
    setup_fields = position.fen().split()
    setup_fields[4:] = [str(clock), "200"]
    game = Game.from_fen(" ".join(setup_fields), chess960=position.chess960)
    outcome = game.outcome()
    stuck = not position.legal_moves()
    if position.is_checkmate():
        assert outcome.termination is Termination.CHECKMATE
    elif stuck:
        assert outcome.termination is Termination.STALEMATE
    elif insufficient_material(position):
        assert outcome.termination is Termination.DEAD_POSITION
    else:
        assert (outcome is not None) == (clock >= 150)
    assert game.can_claim_fifty() == (clock >= 100 and not stuck)


@given(positions)
def test_kind_no_king_is_captured(position):
    """With the turn passed to the side that has just moved, kings may stand in check; still none is taken."""
    turned = Board.of(position.pieces_by_square(), turn=position.turn.other)
    assert all(not turned.kings & move.to_bit for move in legal_moves(turned))
