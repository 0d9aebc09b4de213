"""Simulated hands on a board that is seen through each wire format: whole games come out as they were played."""

from __future__ import annotations

from itertools import islice

import pytest

from board_firmware.core.session import Session
from board_firmware.emulation.relay import PROTOCOLS, Relay
from board_firmware.emulation.relayed_board import FollowedCore, RelayedBoard
from board_firmware.hands.game import Circumstances, Score, SimulatedGame
from board_firmware.hands.styles import STYLES
from hal.board import ButtonPressed, Lamp, Lamps, LeverMoved, LiftHinted, SquareChanged, Text, Tone
from hal.motion import Lift, Place
from hal.placement import START_OCCUPANCY
from hal.simulated import SimulatedBoard
from rules import Move, Position
from rules.pgn import read_pgn
from tests.board_firmware.serial_games import EVERYTHING, OPERA

MS = 1_000_000
SECOND = 1_000_000_000


def _play(protocol: str, start: Position, moves: tuple[Move, ...], result: str, hands: str, seed: str):
    inner = SimulatedBoard(seed=sum(map(ord, seed)), occupancy=start.occupied)
    board = RelayedBoard(inner, protocol)
    score = Score(start=start, moves=moves, result=result)
    how = Circumstances(style=STYLES[hands])
    game = SimulatedGame(score, how, board=board, new_core=lambda: FollowedCore(Session(), board), seed=seed)
    return game.play(), board


@pytest.mark.parametrize("hands", ["tidy", "human"])
@pytest.mark.parametrize("words", [OPERA, EVERYTHING], ids=["opera", "everything"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_through_the_wire(protocol, words, hands):
    """No ply wrong, none lost, and the bytes really went over."""
    moves = tuple(map(Move.from_uci, words.split()))
    outcome, board = _play(protocol, Position.start(), moves, "*", hands, "a")
    assert (outcome.wrong, outcome.lost) == (0, 0), outcome.notes
    assert outcome.plies == len(moves)
    assert board.relay.bytes_carried > 20 * len(moves)


@pytest.mark.prove
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_hundred_real_games_through_the_wire(shared, protocol):
    """Over-the-board games with human hands: none wrong, none lost."""
    wrong = lost = plies = 0
    notes: list[str] = []
    with (shared / "data" / "pgn" / "ecc2018_clk.pgn").open("rb") as source:
        for number, game in enumerate(islice(read_pgn(source), 100), 1):
            outcome, _ = _play(protocol, game.start, game.moves, game.result, "human", f"1:{number}")
            plies += outcome.plies
            wrong += outcome.wrong
            lost += outcome.lost
            notes += outcome.notes
    assert (wrong, lost) == (0, 0), notes
    assert plies > 8000


def _moved(board: RelayedBoard) -> list:
    board.act([Lift(square=12), Place(square=28, of=12, at_ms=400)], SECOND)
    events: list = []
    while (board.next_event_ns() or 0) > 0 and board.now_ns < 3 * SECOND:
        events += board.step(3 * SECOND)
    return events


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_move_comes_with_its_times(protocol):
    """The opening ends with a snapshot; the lift and the place bear the reeds' own times, within the debounce."""
    board = RelayedBoard(SimulatedBoard(seed=1), protocol)
    assert board.snapshot().occupancy == START_OCCUPANCY
    bare = SimulatedBoard(seed=1)
    bare.advance(0)
    bare.act([Lift(square=12), Place(square=28, of=12, at_ms=400)], SECOND)
    expected = [event for event in bare.advance(3 * SECOND) if isinstance(event, SquareChanged)]
    told = [event for event in _moved(board) if isinstance(event, SquareChanged)]
    assert [(event.square, event.occupied, event.piece) for event in told] == [(12, False, None), (28, True, None)]
    for event, true in zip(told, expected, strict=True):
        assert abs(event.at_ns - true.at_ns) <= 31 * MS
    assert board.snapshot().occupancy == START_OCCUPANCY ^ 1 << 12 ^ 1 << 28


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_the_wire_cannot_carry_goes_beside_it(protocol):
    """Lever, hints and buttons are never lost."""
    relay = Relay(protocol)
    relay.carry((), 0)
    events = (
        LiftHinted(square=12, at_ns=SECOND),
        LeverMoved(down="white", at_ns=SECOND),
        ButtonPressed(button="ok", at_ns=SECOND),
    )
    told = relay.carry(events, SECOND)
    told += relay.carry((), 3 * SECOND)
    assert [type(event) for event in told if not isinstance(event, SquareChanged)] == [
        LiftHinted, LeverMoved, ButtonPressed,
    ]  # fmt: skip
    (press,) = [event for event in told if isinstance(event, LeverMoved)]
    assert press.down == "white"


@pytest.mark.parametrize("protocol", ["sentio", "chesslink", "scanner"])
def test_lamps_go_through_the_wire(protocol):
    """Squares survive every format; colours only our own."""
    inner = SimulatedBoard(seed=1)
    board = RelayedBoard(inner, protocol)
    lamp = Lamp(red=255, green=0, blue=0, blink_hz=0)
    board.show(Lamps(squares={12: lamp, 28: lamp}))
    assert set(inner.lamps.squares) == {12, 28}
    board.show(Lamps())
    board.advance(5 * SECOND)
    board.show(Lamps())
    assert set(inner.lamps.squares) == set()
    if protocol == "scanner":
        board.show(Lamps(squares={12: lamp}))
        board.sound(Tone(hz=440, ms=100))
        board.write(Text(lines=("Hello",)))
        assert inner.lamps == Lamps(squares={12: lamp})
        assert inner.tones == [Tone(hz=440, ms=100)]
        assert inner.text == Text(lines=("Hello",))
    board.close()
    assert inner.closed


def test_text_and_tone_through_the_dgt_clock():
    """Eight characters and a beep; what the clock cannot say is cut."""
    inner = SimulatedBoard(seed=1)
    board = RelayedBoard(inner, "dgt")
    board.relay.guise.sees(LeverMoved(down="white", at_ns=0), 0)
    board.advance(2 * SECOND)
    board.write(Text(lines=("Your move",)))
    board.advance(3 * SECOND)
    board.sound(Tone(hz=440, ms=128))
    board.advance(4 * SECOND)
    board.write(Text(lines=()))
    board.advance(5 * SECOND)
    board.show(Lamps())
    assert inner.tones == [Tone(hz=2000, ms=128)]
    assert inner.text == Text(lines=())


def test_a_protocol_nobody_knows():
    """A ValueError that lists those there are."""
    with pytest.raises(ValueError, match="one of dgt, sentio, chesslink, scanner"):
        Relay("morse")
