"""Reasons: all that hold, the decisive one first."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import parse_fen
from rules.game import Game
from rules.legal_moves import legal_moves
from rules.legality import Illegal, Legal, PromotionNeeded, judge, why_illegal
from rules.move import Move
from rules.pieces import KING, PAWN, QUEEN, PieceType
from rules.position import Position
from rules.squares import parse_square
from tests.rules.random_walks import diagrams, positions, random_positions

TRIPLES = [(a, b, kind) for a in range(64) for b in range(64) for kind in (None, *PieceType)]


def disagreements(position):
    """Find the moves on which the list of legal moves and the reasons do not agree; there must be none."""
    legal = set(position.legal_moves())
    return [
        (position.fen(), Move(*triple), why_illegal(position, *triple))
        for triple in TRIPLES
        if (Move(*triple) in legal) is bool(why_illegal(position, *triple))
    ]


def test_list_and_reasons_agree():
    """A move is legal exactly if nothing is wrong with it: every from, to and promotion of some positions."""
    for position in random_positions(6, seed=11):
        assert disagreements(position) == []


@given(diagrams(), st.integers(0, 2**32))
def test_list_and_reasons_agree_on_any_diagram(board, seed):
    """Also where no game leads: kings in check that should not be, pawns on the edge."""
    legal = set(legal_moves(board))
    for triple in random.Random(seed).sample(TRIPLES, 150) + [(m.from_square, m.to_square, m.promotion) for m in legal]:
        assert (Move(*triple) in legal) is not bool(why_illegal(board, *triple))


@pytest.mark.prove
def test_list_and_reasons_agree_in_2000_positions():
    """The same for 2,000 positions: 57 million moves."""
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(disagreements, random_positions(2000, seed=12), chunksize=50))
    assert [disagreement for some in found for disagreement in some] == []
    print(f"\nlegal_moves and why_illegal agree on {len(found) * len(TRIPLES):,} moves of {len(found):,} positions")


@given(positions, st.lists(st.sampled_from(TRIPLES), min_size=30, max_size=30))
def test_verdicts(position, triples):
    """`judge` says legal, asks for the piece exactly where that alone is missing, or gives reasons."""
    for from_square, to_square, promotion in triples:
        verdict = judge(position, from_square, to_square, promotion)
        queen = Move(from_square, to_square, QUEEN)
        match verdict:
            case Legal(move):
                assert move in position.legal_moves()
                assert move is Move(from_square, to_square, promotion)
            case PromotionNeeded(choices):
                assert promotion is None
                assert choices[0] is queen
                assert set(choices) <= set(position.legal_moves())
                assert [choice.promotion.letter for choice in choices] == list("qrbn")
            case Illegal(reasons):
                assert reasons
                assert not (promotion is None and queen in position.legal_moves())
                assert Move(from_square, to_square, promotion) not in position.legal_moves()


def said(position, move, game=None):
    """Judge a move given as text; write the reasons as text."""
    uci = Move.from_uci(move)
    verdict = judge(position, uci.from_square, uci.to_square, uci.promotion, game=game)
    return [f"{reason} {reason.article}" for reason in verdict.reasons] if isinstance(verdict, Illegal) else verdict


@pytest.mark.parametrize(
    ("fen", "move", "reasons"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1a2", ["no_piece a1 3.10.2"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", ["wrong_color e8 1.2"]),
        # Each kind has its own article.
        ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "a1a2", ["not_its_way a1 a2 3.2"]),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b2", ["not_its_way a1 b2 3.3"]),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1b3", ["not_its_way a1 b3 3.4"]),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a2", ["not_its_way a1 a2 3.6"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", ["not_its_way e1 e3 3.8.1"]),
        ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a5", ["not_its_way a3 a5 3.7.2"]),
        ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a2", ["not_its_way a3 a2 3.7.1"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1", ["not_its_way e1 e1 3.8.1"]),
        # In the way.
        ("4k3/8/8/8/p7/P7/8/R3K3 w - - 0 1", "a1a5", ["blocked a3 a4 3.5"]),
        ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2a4", ["blocked a3 3.7.2"]),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1a2", ["own_piece_there a2 3.1"]),
        ("4k3/8/8/8/P7/P7/8/R3K3 w - - 0 1", "a1a4", ["blocked a3 3.5", "own_piece_there a4 3.1"]),
        ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "a1b1", ["own_piece_there b1 3.1"]),
        # Pawns.
        ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2a3", ["pawn_cannot_capture_forward a3 3.7.1"]),
        ("4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", "a2a4", ["pawn_cannot_capture_forward a4 3.7.2"]),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2b3", ["nothing_to_capture b3 3.7.3"]),
        ("4k3/8/8/8/8/1N6/P7/4K3 w - - 0 1", "a2b3", ["own_piece_there b3 3.1"]),
        # The king.
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", ["leaves_king_in_check e1 by e8 3.9.2"]),
        ("4k3/8/8/8/4r3/8/8/R3K3 w - - 0 1", "a1a2", ["leaves_king_in_check e1 by e4 3.9.2"]),
        ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", ["leaves_king_in_check d1 by d8 3.9.2"]),
        ("r3k3/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", ["leaves_king_in_check a2 by a8 3.9.2"]),
        ("4k3/8/8/8/8/3n1b2/8/4K3 w - - 0 1", "e1d1", ["leaves_king_in_check d1 by f3 3.9.2"]),
        # Two things wrong at once.
        ("4r1k1/8/8/8/8/8/PP2N3/R3K3 w - - 0 1", "e2e4", ["not_its_way e2 e4 3.6"]),
        ("4k3/8/8/8/4r3/8/P7/R3K3 w - - 0 1", "a1a3", ["blocked a2 3.5", "leaves_king_in_check e1 by e4 3.9.2"]),
        # A pinned unit still gives check (3.9.1).
        ("4k3/4r3/8/8/8/8/4R3/3K4 b - - 0 1", "e7d7", ["leaves_king_in_check e8 by e2 3.9.2"]),
        ("3k4/3b4/8/8/3R4/8/2K5/8 w - - 0 1", "c2b3", []),
        ("3k4/3b4/8/8/3R4/8/2K5/8 w - - 0 1", "d4d7", []),
        ("3k4/3b4/8/8/K2R4/8/8/8 w - - 0 1", "d4d1", ["leaves_king_in_check a4 by d7 3.9.2"]),
        # Promotion.
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8k", ["promotion_piece_not_allowed e8 3.7.3.3"]),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8p", ["promotion_piece_not_allowed e8 3.7.3.3"]),
        ("6k1/8/4P3/8/8/8/8/4K3 w - - 0 1", "e6e7q", ["promotion_too_early e7 3.7.3.3"]),
        ("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8q", ["promotion_too_early a8 3.7.3.3"]),
        ("4n3/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", ["pawn_cannot_capture_forward e8 3.7.1"]),
    ],
)
def test_reasons(fen, move, reasons):
    """One position for each reason, with squares, who is to blame, and the article."""
    expected = reasons or Legal(Move.from_uci(move))
    assert said(Position.from_fen(fen), move) == expected


def test_promotion_needed():
    """A pawn on the last rank without a choice: the four moves are offered, also after a capture."""
    position = Position.from_fen("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1")
    for move in ("e7e8", "e7d8"):
        verdict = said(position, move)
        assert verdict == PromotionNeeded(tuple(Move.from_uci(move + letter) for letter in "qrbn"))
    assert [str(r) for r in why_illegal(position, *map(parse_square, ("e7", "e8")))] == ["promotion_missing e8"]


@pytest.mark.parametrize(
    ("fen", "move", "reasons"),
    [
        # Two pawns leave the rank at once.
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "e5d6", ["en_passant_exposes_king a5 by h5 3.9.2"]),
        # The captured pawn itself was the shield.
        ("4k3/7b/8/4Pp2/8/3K4/8/8 w - f6 0 1", "e5f6", ["en_passant_exposes_king d3 by h7 3.9.2"]),
        # The capturing pawn is pinned: an ordinary pin.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", ["leaves_king_in_check e1 by e8 3.9.2"]),
        # Only a pawn captures in passing: the knight lands on d6 and leaves the check.
        ("4k3/8/8/3pP3/2N1K3/8/8/8 w - d6 0 1", "c4d6", ["leaves_king_in_check e4 by d5 3.9.2"]),
        ("4k3/8/8/3pP3/2N1K3/8/8/8 w - d6 0 1", "e5d6", []),
        # No game to ask: the field says that the double step was not the last move.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", ["en_passant_too_late d5 3.7.3.2"]),
        # On another rank, or beside another unit, nobody means en passant.
        ("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "e5f6", ["nothing_to_capture f6 3.7.3"]),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1", "e5d6", ["nothing_to_capture d6 3.7.3"]),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1", "e4d5", ["nothing_to_capture d5 3.7.3"]),
    ],
)
def test_en_passant(fen, move, reasons):
    """Each way an en passant capture can fail."""
    assert said(Position.from_fen(fen), move) == (reasons or Legal(Move.from_uci(move)))


def played(fen, *moves):
    """Play a game from a position."""
    game = Game.from_fen(fen)
    for move in moves:
        game = game.play(Move.from_uci(move))
    return game


@pytest.mark.parametrize(
    ("fen", "moves", "move", "reasons"),
    [
        # The double step was two plies ago; e1d1 was played instead of capturing.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1d1 e8e7", "e5d6", ["en_passant_too_late d5 by e1 d1 3.7.3.2"]),
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1d1 e8e7", "e5d6", ["en_passant_too_late d5 by e1 d1 3.7.3.2"]),
        # Two single steps are not a double step.
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d6 e1d1 d6d5 d1e1 e8e7", "e5d6", ["en_passant_never d5 3.7.3.1"]),
        # The pawn came by a capture.
        ("4k3/2p5/8/3BP3/8/8/8/4K3 b - - 0 1", "c7c6 e1d1 c6d5", "e5d6", ["en_passant_never d5 3.7.3.1"]),
        # It stood there when the game began.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e1d1 e8e7", "e5d6", ["en_passant_too_late d5 3.7.3.2"]),
    ],
)
def test_en_passant_that_lapsed(fen, moves, move, reasons):
    """The game tells too late from never, and which move took the right away."""
    game = played(fen, *moves.split())
    assert said(game.position, move, game) == reasons


def test_a_game_that_is_over():
    """After an automatic end no move is legal, and that is the reason; with others it comes last."""
    game = played("4k3/8/8/8/8/8/4r3/3K4 w - - 0 1", "d1e2")
    assert said(game.position, "e8e7") == Legal(Move.from_uci("e8e7"))
    assert said(game.position, "e8e7", game) == ["game_over 5.2.2"]
    assert said(game.position, "e8e6", game) == ["not_its_way e8 e6 3.8.1", "game_over 5.2.2"]
    mate = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f2f3", "e7e5", "g2g4", "d8h4")
    assert said(mate.position, "a2a3", mate) == ["leaves_king_in_check e1 by h4 3.9.2", "game_over 5.1.1"]


def test_nobody_takes_a_king():
    """Where an illegal move stood, the king may stand in check, but is not taken."""
    position = Position.from_setup(parse_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"))
    assert said(position, "e2e8") == ["king_cannot_be_captured e8 1.4.1"]
    assert said(position, "e2e7") == Legal(Move.from_uci("e2e7"))


def test_castling_may_not_be_done_by_the_rook():
    """The king's square as a target of the rook is just an own piece there."""
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert said(position, "h1e1") == ["own_piece_there e1 3.1"]
    assert (PieceType(1), PieceType(6)) == (PAWN, KING)
