"""Games between simulated hands through the whole stack: what is played is what is recorded."""

from __future__ import annotations

import pytest

from board_firmware.core.session import Session
from board_firmware.hands.game import Circumstances, Outcome, Score, SimulatedGame
from board_firmware.hands.styles import STYLES, TIDY, Style
from hal.simulated import SimulatedBoard
from rules import Move
from rules.pgn import read_pgn

OPERA = """[White "Morphy, Paul"] [Black "Duke Karl / Count Isouard"] [Result "1-0"]
1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
"""Paris 1858: captures, castling, mate."""

EVERYTHING = """[FEN "r3k3/6P1/8/3pP3/8/8/1p6/2R1K2R w Kq d6 0 1"] [SetUp "1"] [Result "1/2-1/2"]
1. exd6 bxc1=N 2. O-O O-O-O 3. g8=R Rxg8+ 4. Kf2 Nd3+ 1/2-1/2
"""
"""En passant, both promotions, both castlings, a result agreed on."""


def score(text: str) -> Score:
    """The first game of a PGN text."""
    [game] = read_pgn(text)
    assert not game.faults, game.faults
    return Score(start=game.start, moves=game.moves, result=game.result, tags=dict(game.tags))


def played(one: Score, how: Circumstances, seed: int = 1) -> Outcome:
    """One game on a board of its own."""
    board = SimulatedBoard(seed=seed, occupancy=one.start.occupied)
    return SimulatedGame(one, how, board=board, new_core=Session, seed=f"test:{seed}").play()


@pytest.mark.parametrize("hands", STYLES)
@pytest.mark.parametrize("text", [OPERA, EVERYTHING])
def test_what_is_played_is_recorded(hands: str, text: str) -> None:
    """Every style, with a clock: nothing wrong, nothing lost, the result as it was."""
    one = score(text)
    for seed in range(5):
        outcome = played(one, Circumstances(style=STYLES[hands]), seed)
        assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())
        assert outcome.right + outcome.inferred + outcome.asked == outcome.plies == len(one.moves)


@pytest.mark.parametrize("presses", [0.0, 0.7, 1.0])
def test_without_a_clock_the_reply_completes(presses: float) -> None:
    """No clock, and none, some or all moves pressed: the record is the same."""
    outcome = played(score(OPERA), Circumstances(style=STYLES["human"], control="none", presses=presses))
    assert (outcome.wrong, outcome.lost, outcome.notes) == (0, 0, ())


def test_the_pgn_written_is_the_pgn_read() -> None:
    """Tags, moves and result come back out of the scoresheet."""
    outcome = played(score(OPERA), Circumstances())
    [again] = read_pgn(outcome.pgn)
    [game] = read_pgn(OPERA)
    assert again.moves == game.moves
    assert (again.tags["White"], again.tags["Black"], again.result) == (game.tags["White"], game.tags["Black"], "1-0")


@pytest.mark.parametrize("control", ["standard", "none"])
def test_a_game_that_nobody_ended_keeps_its_last_move(control: str) -> None:
    """Made, not pressed upon, not answered: the players stopped there, and it is in the file."""
    one = score(OPERA.replace(" 16. Qb8+ Nxb8 17. Rd8# 1-0", " *").replace("1-0", "*"))
    outcome = played(one, Circumstances(control=control, presses=0.0))
    [again] = read_pgn(outcome.pgn)
    assert (outcome.right, again.moves) == (30, one.moves)


def test_tidy_promotions_are_asked_and_count_as_right() -> None:
    """The piece cannot be seen: it is asked for, answered by its button, and that is no question about the move."""
    outcome = played(score(EVERYTHING), Circumstances())
    assert (outcome.right, outcome.asked, outcome.promotions) == (outcome.plies, 0, 2)


def test_the_same_seed_is_the_same_game() -> None:
    """Outcome and PGN are a function of the seed."""
    how = Circumstances(style=STYLES["rough"])
    assert played(score(OPERA), how, 3) == played(score(OPERA), how, 3)


def test_a_move_that_the_board_reads_otherwise_is_counted_wrong() -> None:
    """The comparison is with what was meant: another move meant, and the ply is wrong and all later ones lost."""
    one = score(OPERA)
    game = SimulatedGame(one, Circumstances(), board=SimulatedBoard(), new_core=Session, seed="x")
    game.play()
    game._score = Score(start=one.start, moves=(*one.moves[:5], Move.from_uci("a7a6"), *one.moves[6:]))
    outcome = game._outcome()
    assert (outcome.right, outcome.wrong, outcome.lost) == (5, 1, len(one.moves) - 6)
    assert "a7a6 was played" in outcome.notes[0]


def test_hands_that_straighten_too_late_still_end_right() -> None:
    """Rough as nobody is: half of all units set down on the edge."""
    style = Style(edge=0.5, push=0.3, slide=0.3, rest=0.5, offset_mm=4, think_ms=(500, 900))
    outcome = played(score(OPERA), Circumstances(style=style))
    assert outcome.plies == outcome.right + outcome.inferred + outcome.asked + outcome.wrong + outcome.lost
    assert outcome.lost == 0


def test_slides_and_shifts_are_no_questions() -> None:
    """What is certain is not asked: slides, second thoughts, straightening."""
    style = Style(slide=0.5, hesitate=0.5, shift=0.5, straighten=0.5, think_ms=(800, 800), press_ms=(500, 500))
    outcome = played(score(OPERA), Circumstances(style=style))
    assert (outcome.right, outcome.asked, outcome.inferred) == (outcome.plies, 0, 0)


def test_tidy_is_the_default() -> None:
    """Nothing chosen is the plainest of games."""
    assert Circumstances().style is TIDY
