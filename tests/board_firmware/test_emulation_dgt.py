"""Our board as a DGT board: what each known client sends at connect and after, with the answers it needs, byte for byte.

The sequences are those of clients that were watched; the answers are typed from the byte tables.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.emulation.dgt import DgtGuise
from board_firmware.emulation.guise import ClockTimes, Guise
from hal.board import BoardSnapshot, ButtonPressed, Lamps, LeverMoved, SquareChanged, Text, Tone
from hal.placement import START_OCCUPANCY
from hal.squares import parse_square
from tests.board_firmware.serial_games import EVERYTHING, played

MS = 1_000_000
SECOND = 1_000_000_000

DUMP = bytes.fromhex(
    "86 00 43"
    "08 09 0A 0C 0B 0A 09 08 07 07 07 07 07 07 07 07"
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
    "01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02"
)
VERSION = bytes.fromhex("93 00 05 03 01")
SERIAL = bytes.fromhex("91 00 08 30 30 30 36 34")
LONG_SERIAL = bytes.fromhex("A2 00 0D 30 30 30 30 30 30 30 30 36 34")
BUS_ADDRESS = bytes.fromhex("90 00 05 00 40")
TRADEMARK = b"\x92\x00\x2a" + b"touchmove, a free electronic chessboard"
BATTERY = bytes.fromhex("A0 00 0C 64 7F 7F 00 00 00 00 00 00")
CLOCK_VERSION = bytes.fromhex("2B 03 03 09 00")
CLOCK_VERSION_ACK = bytes.fromhex("8D 00 0A 0A 10 09 0A 22 00 00")
CLOCK_END = bytes.fromhex("2B 03 03 03 00")
CLOCK_END_ACK = bytes.fromhex("8D 00 0A 0A 10 03 0A 00 00 00")
SET_AND_RUN = bytes.fromhex("2B 0A 03 0A 00 05 00 00 05 00 01 00")
SET_AND_RUN_ACK = bytes.fromhex("8D 00 0A 0A 10 0A 0A 00 00 00")
BEEP = bytes.fromhex("2B 04 03 0B 02 00")
BEEP_ACK = bytes.fromhex("8D 00 0A 0A 10 0B 0A 00 00 00")
NO_CLOCK = bytes.fromhex("8D 00 0A 00 00 00 00 00 00 20")


class Client:
    """Sends bytes to a guise and takes what comes back, message by message, on a clock of its own."""

    def __init__(self, guise: Guise) -> None:
        self.guise = guise
        self.now = SECOND
        self.wishes: list = []

    def send(self, *commands: bytes | str) -> list[bytes]:
        """All commands in one write; every message answered to it."""
        data = b"".join(bytes.fromhex(one) if isinstance(one, str) else one for one in commands)
        self.wishes += self.guise.receive(data, self.now)
        return list(self.guise.take_outgoing())

    def wait(self, seconds: float) -> list[bytes]:
        """Nothing is said for so long; what came unasked."""
        came: list[bytes] = []
        for _ in range(round(seconds * 20)):
            self.now += 50 * MS
            self.wishes += self.guise.tick(self.now)
            came += self.guise.take_outgoing()
        return came

    def reed(self, word: str) -> list[bytes]:
        """A reed closes or opens."""
        event = SquareChanged(square=parse_square(word[1:]), occupied=word[0] == "+", at_ns=self.now)
        self.guise.sees(event, self.now)
        return list(self.guise.take_outgoing())


# ------------------------------------------------------------------------------------------------ clients, at connect


def test_picochess():
    """4B, 4D; on VERSION: 42 and the clock's version; then 45 every second; after quiet 42."""
    client = Client(DgtGuise())
    assert client.send("4B", "4D") == [VERSION]
    assert client.send("42", CLOCK_VERSION) == [DUMP, CLOCK_VERSION_ACK]
    for _ in range(5):
        assert client.send("45") == [SERIAL]
        client.wait(1)
    assert client.send("4B 4D") == [VERSION]  # it repeats both until the version has come
    assert client.reed("-e2") == [bytes.fromhex("8E 00 05 34 00")]
    assert client.reed("+e4") == [bytes.fromhex("8E 00 05 24 01")]
    assert client.send("42")[0][:3] == DUMP[:3]
    # the set-up of its clock: END follows SETNRUN at once, each is acknowledged, in order
    assert client.send(SET_AND_RUN, CLOCK_END) == [SET_AND_RUN_ACK, CLOCK_END_ACK]
    text = client.send("2B 0C 03 0C 50 69 63 6F 34 2E 33 2E 00 00")
    assert text == [bytes.fromhex("8D 00 0A 0A 10 0C 0A 00 00 00")]
    assert Text(lines=("Pico4.3.",)) in client.wishes


def test_asyncdgt():
    """4B, 42, then on demand 4D 45 55 4C and the clock's version; it waits for ever for the beep's acknowledgement."""
    client = Client(DgtGuise())
    assert client.send("4B") == []
    assert client.send("42") == [DUMP]
    assert client.send("4D") == [VERSION]
    assert client.send("45") == [SERIAL]
    assert client.send("55") == [LONG_SERIAL]
    assert client.send("4C") == [BATTERY]
    assert client.send(CLOCK_VERSION) == [CLOCK_VERSION_ACK]
    assert client.send(BEEP) == [BEEP_ACK]
    assert client.wishes == [Tone(hz=2000, ms=128)]


def test_dgtnix():
    """40, 42, 45, 46, 4D, 47, 43 in one burst: all answers, in order, each within its buffers."""
    client = Client(DgtGuise())
    answers = client.send("40 42 45 46 4D 47 43")
    assert answers == [DUMP, SERIAL, BUS_ADDRESS, VERSION, TRADEMARK]
    assert len(SERIAL) <= 12
    assert len(TRADEMARK) < 64
    assert client.reed("-e2") == [bytes.fromhex("8E 00 05 34 00")]


def test_dgtchess_js():
    """40, 45, 4D, 42, 44: exact lengths 8, 5, 67, then 5-byte messages only, whole messages a chunk."""
    client = Client(DgtGuise())
    answers = [client.send(command) for command in ("40", "45", "4D", "42", "44")]
    assert [[len(message) for message in answer] for answer in answers] == [[], [8], [5], [67], []]
    client.guise.shows(ClockTimes(white_s=300, black_s=300, running="white"), client.now)
    assert client.wait(3) == []
    assert [len(message) for word in ("-g1", "+f3", "-g8", "+f6") for message in client.reed(word)] == [5] * 4
    assert client.send(BEEP) == []  # no acknowledgement in this mode


def test_dgt_board_js():
    """40, then 100 ms of silence, 45, 4D, 42, 44: one message it did not ask for and it is lost for good."""
    client = Client(DgtGuise())
    client.send("4B")
    client.guise.shows(ClockTimes(white_s=300, black_s=300, running="white"), client.now)
    client.reed("-e2")
    client.reed("+e2")
    assert client.send("40") == []
    client.guise.sees(LeverMoved(down="white", at_ns=client.now), client.now)
    client.guise.shows(ClockTimes(white_s=299, black_s=300, running="black"), client.now)
    assert client.reed("-e2") == []
    assert client.reed("+e2") == []
    assert client.wait(0.1) == []
    assert b"".join(client.send("45", "4D", "42", "44")) == SERIAL + VERSION + DUMP
    assert client.wait(5) == []


def test_lucas_chess():
    """46 twice, 4B, 45, 4D, 47, 41, 42, then the clock; with "no clock" it sends 44 and goes on without."""
    with_clock = Client(DgtGuise())
    assert with_clock.send("46") == with_clock.send("46") == [BUS_ADDRESS]
    answers = [with_clock.send(command) for command in ("4B", "45", "4D", "47")]
    assert answers == [[], [SERIAL], [VERSION], [TRADEMARK]]
    (times,) = with_clock.send("41")
    assert len(times) == 10
    assert not times[9] & 0x20
    assert with_clock.send("42") == [DUMP]
    clock = with_clock.send(CLOCK_END, CLOCK_VERSION, SET_AND_RUN)
    assert clock == [CLOCK_END_ACK, CLOCK_VERSION_ACK, SET_AND_RUN_ACK]
    assert with_clock.send("42") == [DUMP]
    without = Client(DgtGuise(has_clock=False))
    without.send("4B")
    assert without.send("41") == [NO_CLOCK]
    assert without.send(CLOCK_END, CLOCK_VERSION, SET_AND_RUN) == []
    assert without.send("44") == []
    assert without.reed("-e2") == [bytes.fromhex("8E 00 05 34 00")]


def test_the_dart_driver():
    """40, 45, 4D: version 1.x would be taken for another board; 63 with its key does no harm."""
    client = Client(DgtGuise())
    assert client.send("40", "45", "4D") == [SERIAL, VERSION]
    assert VERSION[3] == 3
    assert client.send("63 07 BE F5 AE DD A9 5F 00", "47") == [TRADEMARK]


def test_without_a_clock_picochess_asks_in_vain_and_plays_on():
    """Every clock command stays unanswered, however often it comes."""
    client = Client(DgtGuise(has_clock=False))
    client.send("4B 4D 42")
    for _ in range(5):
        assert client.send(CLOCK_VERSION) == []
        assert client.wait(2) == []
    assert client.reed("-e2") == [bytes.fromhex("8E 00 05 34 00")]


# ------------------------------------------------------------------------------------------------------- strict hosts


def test_nothing_is_sent_in_idle_mode():
    """At power-up and after RESET: no update, no time, no acknowledgement."""
    client = Client(DgtGuise())
    client.guise.shows(ClockTimes(white_s=300, black_s=300, running="white"), client.now)
    assert client.reed("-e2") == []
    assert client.send(BEEP) == []
    assert client.wait(5) == []
    assert client.send("42")[0][3 + 52] == 0  # but the dump knows


def test_the_modes_differ_in_their_clock_messages():
    """43: a time each second; 4B: only when it has changed; 44: never."""
    times = ClockTimes(white_s=300, black_s=180, running=None)
    for command, expected in (("43", 3), ("4B", 1), ("44", 0)):
        client = Client(DgtGuise())
        client.send(command)
        client.guise.shows(times, client.now)
        assert [message[0] for message in client.wait(3)] == [0x8D] * expected
    client = Client(DgtGuise())
    client.send("4B")
    for second in range(3):
        client.guise.shows(ClockTimes(white_s=300 - second, black_s=180, running="white"), client.now)
        client.guise.take_outgoing()
        client.wait(1)
    assert client.send("41") == [bytes.fromhex("8D 00 0A 00 03 00 00 04 57 11")]


def test_the_clock_goes_on_while_a_player_thinks():
    """Nothing happens on the board, and the host hears the seconds; the last one stands until the game tells the flag."""
    client = Client(DgtGuise())
    client.send("4B")
    client.guise.shows(ClockTimes(white_s=300, black_s=2, running="black"), client.now)
    assert client.wait(4) == [bytes.fromhex("8D 00 0A 00 00 01 00 05 00 09")]
    client.guise.shows(ClockTimes(white_s=300, black_s=0, running=None), client.now)
    assert client.guise.take_outgoing() == (bytes.fromhex("8D 00 0A 10 00 00 00 05 00 00"),)
    client.guise.shows(ClockTimes(white_s=300, black_s=65, running="black"), client.now)
    assert [message[4:6].hex() for message in client.wait(5)] == ["0104", "0103", "0102", "0101", "0100"]


def test_a_mode_survives_questions():
    """SEND_BRD and SEND_CLK do not end the updates."""
    client = Client(DgtGuise())
    client.send("4B", "42", "41")
    assert client.reed("-e2") == [bytes.fromhex("8E 00 05 34 00")]


def test_the_lever_turns_only_when_it_is_pressed():
    """White's press shows right high at once; moves alone never touch it."""
    client = Client(DgtGuise())
    client.send("4B")
    client.guise.shows(ClockTimes(white_s=300, black_s=300, running="white"), client.now)
    client.wait(2)
    client.reed("-e2")
    client.reed("+e4")
    assert all(not message[9] & 0x02 for message in client.wait(2) if message[0] == 0x8D)
    client.guise.sees(LeverMoved(down="white", at_ns=client.now), client.now)
    (message,) = client.guise.take_outgoing()
    assert message[9] & 0x02


def test_a_flag_and_a_key():
    """A fallen flag shows at zero; a panel button with a clock key's name is that key."""
    client = Client(DgtGuise())
    client.send("4B")
    client.guise.shows(ClockTimes(white_s=0, black_s=7.2, running=None), client.now)
    client.guise.take_outgoing()
    assert client.send("41") == [bytes.fromhex("8D 00 0A 00 00 08 10 00 00 00")]
    client.guise.sees(ButtonPressed(button="ok", at_ns=client.now), client.now)
    client.guise.sees(ButtonPressed(button="adjust_white", at_ns=client.now), client.now)
    assert client.guise.take_outgoing() == (bytes.fromhex("8D 00 0A 0A 10 08 2A 00 35 00"),)


def test_a_host_may_run_the_clock_of_a_game_without_one():
    """SETNRUN: the left side runs; two seconds later it shows two less."""
    client = Client(DgtGuise())
    client.send("4B", SET_AND_RUN)
    client.now += 2 * SECOND
    assert client.send("41") == [bytes.fromhex("8D 00 0A 00 05 00 00 04 58 11")]
    assert client.send("2B 0A 03 0A 00 3C 00 00 05 00 01 00") == [bytes.fromhex("8D 00 0A 0A 40 0A 0A 00 00 00")]


def test_lamps_are_parsed_by_their_length():
    """d3 is 43, 0x2B, a clock header to a board that does not look: ours lights g6 and d3 and still answers."""
    client = Client(DgtGuise())
    assert client.send("60 04 01 16 2B 00", "4D") == [VERSION]
    assert isinstance(client.wishes[-1], Lamps)
    assert set(client.wishes[-1].squares) == {parse_square("g6"), parse_square("d3")}
    client.send("60 04 00 16 16 00")
    assert set(client.wishes[-1].squares) == {parse_square("d3")}
    client.send("60 04 00 40 00 00")
    assert client.wishes[-1] == Lamps()


def test_a_modem_probe_does_no_harm():
    """AT+GMR and friends: afterwards the board answers as ever."""
    client = Client(DgtGuise())
    client.send(b"AT\r", b"AT+GMR\r", b"ATI\r", b"AT+CGMI\r")
    client.wait(0.3)
    assert client.send("4D") == [VERSION]


def test_half_a_command_is_dropped_after_a_silence():
    """A clock message whose rest never came."""
    client = Client(DgtGuise())
    client.send("4B", "2B 0C 03")
    client.wait(0.3)
    assert client.send("4D") == [VERSION]


def test_a_whole_game_is_told_as_it_is_played():
    """Every dump between moves is the position; every update is 5 bytes and says what the dump then says."""
    client = Client(DgtGuise())
    client.send("40 4B")
    host = bytearray(DUMP[3:])
    for reeds, _, standing in played(EVERYTHING):
        for change in reeds:
            client.now += 300 * MS
            client.guise.sees(change, client.now)
            for message in client.guise.take_outgoing():
                assert message[:3] == b"\x8e\x00\x05"
                host[message[3]] = message[4]
        client.guise.stands(standing, client.now)
        for message in client.guise.take_outgoing():
            host[message[3]] = message[4]
        (dump,) = client.send("42")
        assert dump[3:] == host
        codes = [".PRNBKQprnbkq"[code] for code in dump[3:]]
        assert "".join(codes) == "".join(standing.placement[at : at + 8] for at in range(56, -8, -8))
        assert max(dump[3:]) <= 12


def test_after_trouble_the_array_is_shown():
    """Pieces swept off and set up again by hand, in any order: no queen too many on the way, the array in the end."""
    client = Client(DgtGuise())
    client.send("4B")
    client.guise.sees(BoardSnapshot(occupancy=0, at_ns=client.now), client.now)
    for square in (*range(48, 64), *range(16)):
        client.guise.sees(SquareChanged(square=square, occupied=True, at_ns=client.now), client.now)
        (dump,) = client.send("42")[-1:]
        assert dump[3:].count(6) <= 1
        assert dump[3:].count(12) <= 1
    assert dump == DUMP
    assert START_OCCUPANCY.bit_count() == 32


@pytest.mark.parametrize("has_clock", [True, False])
@given(data=st.binary(max_size=300), reeds=st.lists(st.integers(0, 63), max_size=20))
def test_any_bytes_are_answered_with_whole_messages(has_clock, data, reeds):
    """No crash; each message has one header byte, its own length, and known piece codes."""
    client = Client(DgtGuise(has_clock=has_clock))
    said = client.send(data)
    for square in reeds:
        closed = bool(START_OCCUPANCY >> square & 1)
        said += client.reed(f"{'-' if closed else '+'}{'abcdefgh'[square & 7]}{(square >> 3) + 1}")
    said += client.wait(1)
    for message in said:
        assert message[0] >= 0x80
        assert message[1] << 7 | message[2] == len(message)
        assert message[1:].isascii()
        if message[0] == 0x86:
            assert max(message[3:]) <= 12
