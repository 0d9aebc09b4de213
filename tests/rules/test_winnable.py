"""Can a side still win? Cases from the laws, from the field and from real games, and what every answer must hold."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import chess
import chess.pgn
import pytest

from rules import BLACK, WHITE, Color, Piece, Position, Setup
from rules.material import can_mate_on_material
from rules.winnable import DEFAULT_NODES, Proof, Unknown, Unwinnable, Winnable, is_dead, winnable

CANNOT_WIN = Path(__file__).parents[1] / "data" / "cannot_win.tsv"


def real_games() -> list[str]:
    """Positions of real games in which the side not to move cannot win."""
    lines = CANNOT_WIN.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] + " 0 1" for line in lines if not line.startswith("#")]


def check_line(fen: str, answer: Winnable, color: Color) -> None:
    """Play the line with an independent library."""
    board = chess.Board(fen)
    for move in answer.line:
        board.push_uci(move.uci())
    assert board.is_checkmate(), fen
    assert board.turn == (color is BLACK), fen


def sides(fen: str, nodes: int = DEFAULT_NODES) -> str:
    """Who can win: ``WB``, ``W-``, ``-B``, ``--``, and ``?`` for what is not known."""
    text = ""
    for color, letter in ((WHITE, "W"), (BLACK, "B")):
        answer = winnable(Position.from_fen(fen), color, nodes=nodes)
        if isinstance(answer, Winnable):
            check_line(fen, answer, color)
            text += letter
        else:
            text += "?" if isinstance(answer, Unknown) else "-"
    return text


@pytest.mark.parametrize("fen", real_games())
def test_unjust_losses_are_seen(fen: str) -> None:
    """Games lost on time that were draws by 6.9: each is proved within what takes a second on a PC."""
    position = Position.from_fen(fen)
    answer = winnable(position, position.turn.other)
    assert isinstance(answer, Unwinnable)
    assert answer.nodes < 3_000
    other = winnable(position, position.turn)
    if isinstance(other, Winnable):
        check_line(fen, other, position.turn)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # mate, stalemate and forced ends
        ("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1", "W-"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 1 1", "--"),
        ("8/1kr5/8/K7/8/8/8/8 w - - 0 1", "-B"),
        ("1kr5/8/K7/8/8/8/8/8 w - - 0 1", "-B"),
        ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", "--"),
        ("7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", "WB"),
        ("7k/1q4Q1/p4PPK/6PP/8/5P2/8/8 b - - 0 1", "W-"),
        ("kb6/2N5/1K6/8/8/8/8/8 b - - 0 50", "--"),
        ("6Rk/8/7K/8/8/8/8/8 b - - 0 1", "--"),
        # minor pieces
        ("8/4k3/3b4/8/3KB3/8/8/8 w - - 0 1", "WB"),
        ("7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", "WB"),
        ("8/8/4k3/4n3/8/3NK3/8/8 w - - 0 1", "WB"),
        ("8/4k3/8/3K2n1/2R5/8/8/8 w - - 0 1", "WB"),
        ("8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", "W-"),
        ("8/4k3/8/3K2n1/2Q5/8/8/8 w - - 0 1", "W-"),
        ("8/8/4k3/8/8/3NK3/8/5N2 w - - 0 1", "W-"),
        # walls
        ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "--"),
        ("k7/8/1p1p1p1p/1P1P1P1P/8/8/8/K7 b - - 0 1", "--"),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "--"),
        ("8/1p3k2/pPp3p1/P1Pp1pPp/2bP1P1P/4BK2/7B/8 b - - 0 1", "-B"),
        ("5bk1/4p1p1/4P1P1/7K/8/8/8/8 w - - 0 1", "--"),
        ("8/3k4/1B6/8/8/1p6/pP6/K7 w - - 0 1", "--"),
    ],
)
def test_known_positions(fen: str, expected: str) -> None:
    """Known verdicts, every win with a line that an independent library plays to mate."""
    assert sides(fen) == expected


def test_the_start_can_be_won_by_both() -> None:
    """A whole game is ahead."""
    assert sides("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == "WB"


def test_en_passant_counts() -> None:
    """The wall stands, but for one capture that is possible now and never again."""
    wall = "4k3/8/8/p2pP1p1/P2P2P1/8/8/4K3 w - {} 0 1"
    assert "W" in sides(wall.format("d6"))


def test_castling_counts() -> None:
    """Positions with rights, also of Chess960, have lines that an independent library accepts."""
    fen = "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w KQkq - 0 1"
    position = Position.from_fen(fen, chess960=True)
    for color in (WHITE, BLACK):
        answer = winnable(position, color)
        assert isinstance(answer, Winnable)
        board = chess.Board(fen, chess960=True)
        for move in answer.line:
            board.push_uci(move.uci())
        assert board.is_checkmate()


def test_a_mate_on_the_board_needs_no_line() -> None:
    """The question has been answered already."""
    mated = Position.from_fen("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1")
    assert winnable(mated, WHITE) == Winnable(line=())
    assert winnable(mated, BLACK) == Unwinnable(reason=Proof.LINES)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", Proof.MATERIAL),
        ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Proof.WALLS),
        ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", Proof.LINES),
    ],
)
def test_reasons(fen: str, reason: Proof) -> None:
    """Each proof says what kind it is."""
    answer = winnable(Position.from_fen(fen), BLACK)
    assert isinstance(answer, Unwinnable)
    assert answer.reason is reason


def test_the_budget_holds() -> None:
    """A question that needs more nodes than given is left open, and the nodes are counted."""
    start = Position.start()
    for nodes in (1, 50, 700):
        answer = winnable(start, BLACK, nodes=nodes)
        if isinstance(answer, Unknown):
            assert answer.nodes == nodes
    assert winnable(start, WHITE, nodes=1) == Unknown(nodes=1)
    assert winnable(start, WHITE, nodes=0) == Unknown(nodes=0)


def test_the_same_question_gets_the_same_answer() -> None:
    """Replay must be byte-equal: answers depend on the question alone."""
    position = Position.from_fen("8/8/5k2/8/8/2K5/3n1B2/8 w - - 0 1")
    assert winnable(position, BLACK) == winnable(position, BLACK)


def test_dead_or_not() -> None:
    """Dead is what neither side can win."""
    assert is_dead(Position.from_fen("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1"))
    assert is_dead(Position.from_fen("5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39"))
    assert not is_dead(Position.from_fen("8/4kb2/8/1p1p1p1p/1P1P1P1P/1bB5/3B1K2/8 b - - 0 1"))
    assert not is_dead(Position.start())


def test_any_playable_diagram_may_be_asked_about() -> None:
    """Diagrams no game leads to (pawns on the edge, the wrong side in check, a board full of queens) get an answer."""
    diagrams = (
        ({4: "K", 60: "k", 0: "P", 63: "p", 56: "P", 7: "p"}, WHITE),
        ({4: "K", 60: "k", 59: "Q"}, WHITE),
        ({4: "K", 60: "k", **dict.fromkeys(range(8, 40), "Q")}, BLACK),
    )
    for units, turn in diagrams:
        pieces = {square: Piece.from_symbol(symbol) for square, symbol in units.items()}
        position = Position.from_setup(Setup(pieces=pieces, turn=turn))
        for color in (WHITE, BLACK):
            answer = winnable(position, color, nodes=3_000)
            if isinstance(answer, Winnable):
                end = position
                for move in answer.line:
                    end = end.play(move)
                assert end.is_checkmate()
            elif isinstance(answer, Unwinnable):
                assert not can_mate_on_material(position, color), "only bare kings cannot win here"


def test_field_cases_of_dead_positions(shared: Path) -> None:
    """The field cases of layer rules on dead positions."""
    cases = {case["id"]: case for case in json.loads((shared / "cases" / "field.json").read_text())}
    for name in ("R47", "R48"):
        case = cases[name]
        assert [is_dead(Position.from_fen(fen)) for fen in case["input"]] == case["expected"]["dead"], name
    for name in ("R50", "C33"):
        assert is_dead(Position.from_fen(cases[name]["setup"])), name


def test_cases_of_the_laws(shared: Path) -> None:
    """What laws.json says of material and dead positions: facts of every case, and terminations of 5.2.2 and 6.9."""
    colors = {"white": WHITE, "black": BLACK}
    seen = 0
    for case in json.loads((shared / "cases" / "laws.json").read_text()):
        facts = case.get("facts") or {}
        expected = case["expected"]
        if case.get("chess960") or "fen" not in case:
            continue
        if expected.get("termination") == "dead_position":
            seen += 1
            assert is_dead(Position.from_fen(expected["fen"])), case["id"]
        if facts.get("not_insufficient"):
            seen += 1
            assert not is_dead(Position.from_fen(case["fen"])), case["id"]
        for side in facts.get("insufficient", []):
            seen += 1
            assert isinstance(winnable(Position.from_fen(case["fen"]), colors[side]), Unwinnable), case["id"]
        for side in facts.get("not_insufficient_for", []):
            seen += 1
            assert isinstance(winnable(Position.from_fen(case["fen"]), colors[side]), Winnable), case["id"]
    assert seen >= 8


def last_positions(shared: Path, every: int = 1) -> list[str]:
    """Last positions of the tournament games in the data folder, or of each so-manieth, by an independent reader."""
    fens = []
    for name in ("worldcup2025_livechess_a.pgn", "ecc2018_clk.pgn"):
        with (shared / "data" / "pgn" / name).open(encoding="utf-8") as file:
            for number in itertools.count():
                if number % every:
                    if not chess.pgn.skip_game(file):
                        break
                    continue
                game = chess.pgn.read_game(file)
                if game is None:
                    break
                board = game.end().board()
                if not game.errors and not board.is_game_over():
                    fens.append(board.fen())
    return fens


def share_unknown(fens: list[str]) -> float:
    """Ask for both sides; check every line; give the share left open."""
    return sum(sides(fen).count("?") for fen in fens) / (2 * len(fens))


def test_last_positions_of_real_games(shared: Path) -> None:
    """A few dozen real positions: nearly all questions are answered with the nodes of a board."""
    assert share_unknown(last_positions(shared, every=40)) <= 0.05


@pytest.mark.prove
def test_last_positions_of_all_real_games(shared: Path) -> None:
    """All of them: at most one question in a hundred is left open."""
    assert share_unknown(last_positions(shared)) <= 0.01
