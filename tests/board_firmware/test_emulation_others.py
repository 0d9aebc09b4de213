"""Our board as a ChessLink, a Sentio, a scanner and a Scid engine: what watched clients send, and the answers they need."""

from __future__ import annotations

import os
import threading

from hypothesis import given
from hypothesis import strategies as st

from board_firmware.emulation.chesslink import ChessLinkGuise
from board_firmware.emulation.game_state import standing_of
from board_firmware.emulation.guise import ClockTimes, Standing
from board_firmware.emulation.scanner import ScannerGuise
from board_firmware.emulation.scid import ScidGuise
from board_firmware.emulation.scid_engine import run
from board_firmware.emulation.sentio import SentioGuise
from hal import scanner
from hal.board import Blipped, BoardSnapshot, ButtonPressed, Lamps, LeverMoved, SquareChanged, Text, Tone
from hal.squares import parse_square
from hal.transport import PtyLink
from rules import Game
from tests.board_firmware.serial_games import EVERYTHING, OPERA, played, view_of
from tests.board_firmware.test_emulation_dgt import MS, SECOND, Client

START_TEXT = "srnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR"


def _link(text: str) -> bytes:
    """A ChessLink frame: odd parity and two hex digits of XOR, the long way round."""
    check = 0
    for char in text:
        check ^= ord(char)
    return bytes(ord(char) | (0 if bin(ord(char)).count("1") % 2 else 0x80) for char in f"{text}{check:02X}")


def _lamps(*names: str) -> str:
    """The text of an L command that lights these squares, corner by corner as the table counts them."""
    codes = ["00"] * 81
    for name in names:
        file, down = "abcdefgh".index(name[0]), 8 - int(name[1])
        for corner in (9 * file + down, 9 * file + down + 1, 9 * (file + 1) + down, 9 * (file + 1) + down + 1):
            codes[corner] = "FF"
    return "L32" + "".join(codes)


# ----------------------------------------------------------------------------------------------------------- ChessLink


def test_the_lucas_chess_driver():
    """W0000 V W011E W0203 W030A W040A S X: each answered, the state whole, then changes by themselves."""
    client = Client(ChessLinkGuise())
    for text, answer in (
        ("W0000", "w0000"),
        ("V", "v0104"),
        ("W011E", "w011E"),
        ("W0203", "w0203"),
        ("W030A", "w030A"),
        ("W040A", "w040A"),
        ("S", START_TEXT),
        ("X", "x"),
    ):
        assert client.send(_link(text)) == [_link(answer)]
    assert client.wait(2) == []
    assert client.reed("-e2") == [_link(START_TEXT[:53] + "." + START_TEXT[54:])]
    assert client.reed("-e2") == []
    assert client.send(_link("R02")) == [_link("r0203")]


def test_mchess():
    """V at once, other bytes skipped; then V and S. By default the board then sends its state every scan, 41 ms."""
    client = Client(ChessLinkGuise())
    assert client.wait(2) == []  # nothing before a client has spoken
    assert client.send(_link("V")) == [_link("v0104")]
    assert client.send(_link("V"), _link("S")) == [_link("v0104"), _link(START_TEXT)]
    assert 18 <= len(client.wait(1)) <= 25
    client.send(_link("W0202"), _link("W03F4"))
    assert len(client.wait(2)) == 2  # timed: 244 * 4.096 ms
    client.send(_link("W0201"))
    assert client.wait(2) == []


def test_corner_lamps_are_squares_here():
    """A client lights e2 and e4; e3 between them stays dark; X puts all out."""
    client = Client(ChessLinkGuise())
    assert client.send(_link(_lamps("e2", "e4"))) == [_link("l")]
    assert isinstance(client.wishes[-1], Lamps)
    assert set(client.wishes[-1].squares) == {12, 28}
    assert {lamp.blink_hz for lamp in client.wishes[-1].squares.values()} == {0}
    client.send(_link(_lamps("e2").replace("FF", "AA")))
    assert client.wishes[-1].squares[12].blink_hz > 2
    client.send(_link("X"))
    assert client.wishes[-1] == Lamps()


def test_bad_frames_are_ignored_and_a_restart_takes_three_seconds():
    """No answer to a wrong check or parity; after T nothing is answered for a while and the registers are as new."""
    client = Client(ChessLinkGuise())
    assert client.send(_link("V")[:2] + b"\x37") == []
    client.wait(0.3)
    assert client.send(bytes(byte & 0x7F for byte in _link("V"))) == []
    client.wait(0.3)
    client.send(_link("W0203"))
    assert client.send(_link("T")) == []
    assert client.send(_link("V")) == []
    client.wait(3)
    assert client.send(_link("R02"))[0] == _link("r0200")


@given(st.binary(max_size=200))
def test_chesslink_any_bytes(data):
    """Whatever comes, the board still answers V after a silence."""
    client = Client(ChessLinkGuise())
    client.send(data)
    client.wait(3.5)
    assert _link("v0104") in client.send(_link("V"))


# -------------------------------------------------------------------------------------------------------------- Sentio


def test_sentio_lines_come_unasked():
    """About three a second, more than 15 bytes, CR LF; a change comes at once and twice."""
    client = Client(SentioGuise())
    lines = client.wait(2)
    assert 5 <= len(lines) <= 8
    assert set(lines) == {b":255 255 0 0 0 0 255 255\r\n"}
    assert len(lines[0]) > 15
    assert client.reed("-e2") == [b":255 255 0 0 0 0 247 255\r\n"] * 2
    assert client.reed("+e4") == [b":255 255 0 0 8 0 247 255\r\n"] * 2


def test_sentio_lamps_and_greetings():
    """e2 and e4; one client greets with two patterns a second apart; another sends every command in both forms."""
    client = Client(SentioGuise())
    client.send("55 AA 55 AA 55 AA 55 AA")
    client.wait(1)
    client.send("AA 55 AA 55 AA 55 AA 55")
    client.wait(1)
    client.send("00 00 00 00 10 00 10 00")
    assert isinstance(client.wishes[-1], Lamps)
    assert set(client.wishes[-1].squares) == {12, 28}
    client.wait(1)
    colours = bytearray(243)
    for corner in (9 * 6 + 4, 9 * 6 + 5, 9 * 7 + 4, 9 * 7 + 5):  # e2, row by row from a8's corner
        colours[3 * corner + 2] = 200
    client.send(b"\xff\x55" + bytes(colours) + b"\r\n")
    assert {square: lamp.blue for square, lamp in client.wishes[-1].squares.items()} == {12: 200}
    client.wait(1)
    client.send(bytes(8))
    assert client.wishes[-1] == Lamps()


def test_half_a_lamp_command_does_not_shift_the_next():
    """Five bytes, a silence, then eight."""
    client = Client(SentioGuise())
    client.send("00 00 00 00 10")
    client.wait(0.3)
    client.send("00 00 00 00 00 00 10 00")
    assert set(client.wishes[-1].squares) == {12}


# ------------------------------------------------------------------------------------------------------------- scanner


def _frames(messages: list[bytes]) -> list[scanner.Frame]:
    decoder = scanner.FrameDecoder()
    return [frame for message in messages for frame in decoder.feed(message)]


def test_a_scanner_says_hello_and_keeps_its_events():
    """Hello, state, events by number; asked again, it repeats them; what is too old is gone."""
    guise = ScannerGuise(boot=9)
    client = Client(guise)
    (hello,) = _frames(client.send(scanner.encode(scanner.Ask(letter="V", tag=1))))
    assert isinstance(hello, scanner.Hello)
    assert (hello.version, hello.boot, hello.last) == (1, 9, 0)
    first = client.reed("-e2") + client.reed("+e4")
    guise.sees(LeverMoved(down="white", at_ns=client.now), client.now)
    guise.sees(Blipped(square=9, ms=7.4, at_ns=client.now), client.now)
    guise.sees(ButtonPressed(button="ok", at_ns=client.now), client.now)
    first += guise.take_outgoing()
    assert [frame.what for frame in _frames(first)] == ["-e2", "+e4", "Lw", "~b2:7", "Bok"]
    again = client.send(scanner.encode(scanner.Ask(letter="R", tag=2, arguments=("2",))))
    assert _frames(again) == [*_frames(first)[1:], scanner.Done(tag=2)]
    gone = client.send(scanner.encode(scanner.Ask(letter="R", tag=3, arguments=("60000",))))
    assert _frames(gone) == [scanner.Done(tag=3, reason="gone")]
    assert any(isinstance(frame, scanner.State) for frame in _frames(client.wait(1)))


def test_a_scanner_obeys_and_refuses():
    """Lamps, tone, text, debounce; nonsense is refused, not crashed on."""
    client = Client(ScannerGuise())
    for letter, arguments in (
        ("L", ("0CFF800041C0000FF0",)),
        ("T", ("440", "100")),
        ("W", ("486921",)),
        ("D", ("60", "30")),
    ):
        ask = scanner.Ask(letter=letter, tag=5, arguments=arguments)
        assert _frames(client.send(scanner.encode(ask))) == [scanner.Done(tag=5)]
    lamps, tone, text = client.wishes
    assert set(lamps.squares) == {12, 28}
    assert lamps.squares[12].blink_hz == 4
    assert (tone, text) == (Tone(hz=440, ms=100), Text(lines=("Hi!",)))
    for letter, arguments in (("L", ("XX",)), ("L", ()), ("T", ("440",)), ("W", ("4",)), ("R", ("x",))):
        ask = scanner.Ask(letter=letter, tag=6, arguments=arguments)
        assert _frames(client.send(scanner.encode(ask))) == [scanner.Done(tag=6, reason="bad")]


# ---------------------------------------------------------------------------------------------------------------- Scid


START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _scid() -> Client:
    client = Client(ScidGuise())
    client.guise.stands(Standing(fen=START_FEN), client.now)
    client.send(b"begin\nxboard\nannounce\ngetposition\n")
    return client


def test_scid_at_connect():
    """The engine speaks first; Scid switches the mode and asks for the position; no answer provokes the same question."""
    client = Client(ScidGuise())
    client.guise.stands(Standing(fen=START_FEN), client.now)
    found = b"info string Chessboard found and initialised\n"
    assert client.send(b"begin\n") == [found, b"info string FEN %b\n" % START_FEN.encode()]
    assert client.send(b"xboard\nannounce\n") == [b"info Engine mode    : xboard\n"]
    assert client.send(b"getposition\n") == [b"info FEN %b\n" % START_FEN.encode(), b"info !white to move!\n"]
    assert client.send(b"getclock\n") == [b"info No Clock detected\n"]
    client.guise.shows(ClockTimes(white_s=300, black_s=299.5), client.now)
    assert client.send(b"getclock\n") == [b"info Time White: 300\n", b"info Time Black: 299\n"]
    client.guise.shows(ClockTimes(white_s=300, black_s=299.5, running="black"), client.now)
    client.now += 3 * SECOND
    assert client.send(b"getclock\n") == [b"info Time White: 300\n", b"info Time Black: 296\n"]
    assert client.send(b"sysinfo\n") == [b"info string touchmove electronic chessboard\n"]
    assert client.send(b"sendboth\nrotateboard\n\nstop\nquit\n") == []


def test_s18_words_must_match_exactly():
    """Field case S18: stray bytes before a word make it another word, which is counted and not answered."""
    client = Client(ScidGuise())
    assert client.send(b"0getposition\n", b"37212getposition\n") == []
    assert client.guise.unknown_lines == 2
    assert len(client.send(b"getposition\r\n")) == 2
    assert client.send(b"x" * 1000) == []
    assert client.send(b"\ngetclock\n") == [b"info No Clock detected\n"]


def test_moves_in_scids_words():
    """The piece's letter and both squares, castling with noughts; moves that need no letter have none."""
    client = _scid()
    san = ("e4", "e5", "Nf3", "O-O", "exd6", "b8=Q+", "O-O-O#")
    uci = ("e2e4", "e7e5", "g1f3", "e1g1", "e5d6", "a7b8q", "e8c8")
    client.guise.stands(Standing(moves=uci, san=san), client.now)
    assert client.guise.take_outgoing() == (
        b"move e2e4\n", b"move e7e5\n", b"move Ng1f3\n", b"move 0-0\n", b"move e5d6\n", b"move a7b8q\n", b"move 0-0-0\n",
    )  # fmt: skip


def test_s21_each_move_is_sent_once_and_in_order():
    """Field case S21: moves made while nobody listened come with the position, later ones each once."""
    client = _scid()
    client.send(b"stop\n")
    client.guise.stands(Standing(moves=("e2e4",), san=("e4",), fen="after e4"), client.now)
    assert client.guise.take_outgoing() == ()
    assert client.send(b"getposition\n")[0] == b"info FEN after e4\n"
    for _ in range(3):
        client.guise.stands(Standing(moves=("e2e4", "e7e5"), san=("e4", "e5"), fen="after e5"), client.now)
    assert client.guise.take_outgoing() == (b"move e7e5\n",)


def test_a_move_that_can_be_revised_is_not_in_the_position():
    """Scid compares its position with ours after each move: ours is the one after the moves it was told."""
    client = _scid()
    lying = Standing(moves=(), san=(), fen="after e4, not pressed", is_final=False)
    client.guise.stands(lying, client.now)
    assert client.send(b"getposition\n")[0] == b"info FEN %b\n" % START_FEN.encode()


def test_s22_a_takeback_is_told_as_a_position():
    """Field case S22: the whole list is compared; what was taken back is not left standing."""
    client = _scid()
    client.guise.stands(Standing(moves=("e2e4", "e7e5"), san=("e4", "e5"), fen="after e5"), client.now)
    client.guise.take_outgoing()
    client.guise.stands(Standing(moves=("e2e4",), san=("e4",), fen="after e4"), client.now)
    assert client.guise.take_outgoing() == (b"info string FEN after e4\n", b"info FEN after e4\n")
    client.guise.stands(Standing(moves=("e2e4", "c7c5"), san=("e4", "c5"), fen="after c5", result="1-0"), client.now)
    assert client.guise.take_outgoing() == (b"move c7c5\n", b"info !end game 1-0!\n")
    client.guise.stands(Standing(moves=(), san=(), fen="start"), client.now)
    assert client.guise.take_outgoing() == (
        b"info !new game!\n",
        b"info string FEN start\n",
        b"info FEN start\n",
    )


def test_a_game_that_is_played_has_no_end_and_an_end_is_told_once():
    """A game without a result is not ended; resigned before a move and begun anew, it ends a second time."""
    client = _scid()
    client.guise.stands(standing_of(view_of(Game.start(), ())), client.now)
    assert client.guise.take_outgoing() == ()
    for _ in range(2):
        for _ in range(2):
            client.guise.stands(Standing(fen=START_FEN, result="0-1"), client.now)
        assert client.guise.take_outgoing() == (b"info !end game 0-1!\n",)
        client.guise.stands(Standing(fen=START_FEN), client.now)
        assert client.guise.take_outgoing() == ()


def test_the_program_that_scid_starts(tmp_path):
    """Its streams and the board's line are joined; quit and a closed stream end it; a missing port is one line."""
    board = PtyLink(str(tmp_path / "board"))
    to_engine, ask = os.pipe()
    answer, from_engine = os.pipe()
    code: list[int] = []
    engine = threading.Thread(target=lambda: code.append(run([str(tmp_path / "board")], to_engine, from_engine)))
    engine.start()
    heard = b""
    while heard != b"begin\n":
        heard += board.read(1)
    board.write(b"info string Chessboard found and initialised\n")
    assert os.read(answer, 100) == b"info string Chessboard found and initialised\n"
    os.write(ask, b"getposition\nquit\n")
    engine.join(10)
    assert code == [0]
    assert board.read(1) == b"getposition\nquit\n"
    closed = threading.Thread(target=lambda: code.append(run([str(tmp_path / "board")], to_engine, from_engine)))
    os.close(ask)
    closed.start()
    closed.join(10)
    assert code == [0, 0]
    board.close()
    assert run([], to_engine, from_engine) == run(["/dev/ttyNOTTHERE"], to_engine, from_engine) == 2
    said = os.read(answer, 1000).decode().splitlines()
    assert [line[:19] for line in said] == ["info string ERROR n", "info string ERROR /"]
    for descriptor in (to_engine, answer, from_engine):
        os.close(descriptor)


def test_whole_games_for_every_guise():
    """Nothing any guise says is empty or crashes it, whatever is played."""
    for new in (ChessLinkGuise, SentioGuise, ScannerGuise, ScidGuise):
        for words in (EVERYTHING, OPERA):
            client = Client(new())
            for reeds, _, standing in played(words):
                for change in reeds:
                    client.now += 300 * MS
                    client.guise.sees(change, client.now)
                client.guise.stands(standing, client.now)
                assert all(client.wait(0.2)) or new is ScidGuise
            client.guise.sees(BoardSnapshot(occupancy=0, at_ns=client.now), client.now)
            client.guise.sees(SquareChanged(square=parse_square("a1"), occupied=True, at_ns=SECOND), client.now)
            assert all(client.guise.take_outgoing())
