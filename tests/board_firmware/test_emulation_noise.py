"""Guise and dialogue on a line that damages one message in ten, in memory and without waiting: many games, many lines.

What the host tells was so; it always finds back; and a conversation with any bytes at all ends in one that works.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.emulation.peer import GUISES
from board_firmware.emulation.relay import PROTOCOLS, Relay
from hal.board import BoardSnapshot, Faulted, SquareChanged
from hal.placement import START_OCCUPANCY
from hal.serial_catalog import SCHEMES, make_dialogue
from tests.board_firmware.serial_games import EVERYTHING, MORPHY_HART, OPERA, played

MS = 1_000_000
SECOND = 1_000_000_000
DAMAGED = 0.1


class Noise:
    """Loses, doubles or flips a byte, cuts a message short, or puts a few bytes before it.

    Never the same twice: on a line without a check a repeated error is what two agreeing reports are.
    """

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.damaged = 0
        self.last = b""

    def __call__(self, message: bytes) -> bytes:
        """One message as it arrives."""
        if not message or self.random.random() >= DAMAGED:
            return message
        arrives = self._hurt(message)
        if arrives == self.last:
            return message
        self.damaged += 1
        self.last = arrives
        return arrives

    def _hurt(self, message: bytes) -> bytes:
        random = self.random
        at = random.randrange(len(message))
        match random.randrange(5):
            case 0:
                return message[:at] + message[at + 1 :]
            case 1:
                return message[: at + 1] + message[at:]
            case 2:
                return message[:at] + bytes((message[at] ^ 1 << random.randrange(8),)) + message[at + 1 :]
            case 3:
                return message[:at]
            case _:
                return random.randbytes(random.randrange(1, 8)) + message


def _play(protocol: str, words: str, seed: str) -> int:
    """One game; the number of messages that were damaged."""
    noise = Noise(seed)
    relay = Relay(protocol, occupancy=START_OCCUPANCY, garble=noise)
    now = 0
    occupancy = START_OCCUPANCY
    promoted: set[tuple[int, bool]] = set()
    for reeds, view, standing in played(words):
        for change in reeds:
            occupancy ^= 1 << change.square
            told = list(relay.carry((change,), now))
            waited = 0
            while relay.dialogue.occupancy() != occupancy or relay.dialogue.complaint:
                if relay.dialogue.complaint:  # asked in vain three times: the link is renewed, as `SerialBoard` does
                    relay.dialogue.begin(now)
                now += 50 * MS
                told += relay.carry((), now)
                waited += 1
                assert waited < 200, f"{seed}: {change} is not known after ten seconds"
            now += 50 * MS
            told += relay.carry((), now)
            assert not [one for one in told if isinstance(one, Faulted)], seed
            changes = {(one.square, one.occupied) for one in told if isinstance(one, SquareChanged)}
            # A pawn that becomes a queen is told as a lift and a place of its square, on a bad line a little later.
            assert changes <= {(change.square, change.occupied)} | promoted, seed
            for one in told:
                assert not isinstance(one, BoardSnapshot) or one.occupancy in (
                    occupancy,
                    occupancy ^ 1 << change.square,
                )
        relay.stands(standing)
        if view.state["moves"][-1][4:] and protocol in ("dgt", "chesslink"):
            promoted = {(change.square, occupied) for occupied in (False, True)}
    return noise.damaged


@pytest.mark.parametrize("words", [EVERYTHING, OPERA, MORPHY_HART], ids=["everything", "opera", "hart"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_on_a_bad_line(protocol, words):
    """Whatever the line does to single messages, nothing is told that was not so, and all is known soon."""
    assert sum(_play(protocol, words, f"{protocol} {number}") for number in range(3)) > 5


@pytest.mark.prove
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_hundred_games_on_bad_lines(protocol):
    """The same, a hundred times three."""
    for number in range(100):
        for words in (EVERYTHING, OPERA, MORPHY_HART):
            _play(protocol, words, f"{protocol} prove {number}")


@pytest.mark.parametrize("scheme", SCHEMES)
@given(chunks=st.lists(st.binary(max_size=80), max_size=12), waits=st.lists(st.integers(1, 400), max_size=12))
def test_a_dialogue_survives_any_bytes(scheme, chunks, waits):
    """No crash, never more to say than a board can hear, squares of a board; begun again it greets as ever."""
    dialogue = make_dialogue(scheme)
    dialogue.begin(0)
    greeting = dialogue.take_outgoing()
    now = 0
    for number, chunk in enumerate(chunks):
        for event in dialogue.receive(chunk, now):
            assert not isinstance(event, SquareChanged), "nothing is known yet"
        now += (waits[number] if number < len(waits) else 50) * MS
        dialogue.tick(now)
        assert sum(map(len, dialogue.take_outgoing())) < 2000
        assert 0 <= dialogue.occupancy() < 1 << 64
    dialogue.begin(now + SECOND)  # some makes must not be written to too often
    again = dialogue.take_outgoing()
    assert [len(message) for message in again] == [len(message) for message in greeting]


@pytest.mark.parametrize("protocol", sorted(GUISES))
@given(chunks=st.lists(st.binary(max_size=80), max_size=12), waits=st.lists(st.integers(1, 400), max_size=12))
def test_a_guise_survives_any_bytes(protocol, chunks, waits):
    """No crash, and it goes on seeing its squares."""
    guise = GUISES[protocol]()
    now = SECOND
    for number, chunk in enumerate(chunks):
        guise.receive(chunk, now)
        now += (waits[number] if number < len(waits) else 50) * MS
        guise.tick(now)
        guise.sees(SquareChanged(square=number, occupied=False, at_ns=now), now)
        assert all(message for message in guise.take_outgoing())
