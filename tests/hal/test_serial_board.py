"""Serial boards as `Board`s: opening, and reading what each make says. Scripted link, scripted clock."""

from __future__ import annotations

import pytest

from hal import chessnut, dgt, sentio
from hal.board import (
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    Lamps,
    LeverMoved,
    Recovered,
    Text,
    Tone,
)
from hal.dialogues.certabo import CertaboDialogue
from hal.dialogues.chesslink import ChessLinkDialogue
from hal.dialogues.chessnut import ChessnutDialogue
from hal.dialogues.dgt import DgtDialogue
from hal.placement import NOTHING, START, START_OCCUPANCY
from hal.serial_board import SerialBoard
from hal.serial_catalog import make_dialogue
from hal.squares import parse_square
from tests.hal.serial_lines import BLUE, MS, DgtSet, Line, drain, short

# ------------------------------------------------------------------------------------------------------------- opening


def test_opening_asks_version_then_board():
    """A DGT board: reset, version, then the update mode and dumps until two agree; the snapshot comes first."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue())
    assert line.written[:2] == [b"\x40", b"\x4d"]
    assert line.written[2:5] == [b"\x4b", b"\x41", b"\x42"]
    (snapshot,) = [event for event in drain(board) if isinstance(event, BoardSnapshot)]
    assert snapshot.occupancy == START_OCCUPANCY == board.snapshot().occupancy
    assert board.state == "ready"


def test_a_port_that_does_not_open_says_why():
    """The transport's own line, unchanged."""
    line = Line()
    line.refuses = PermissionError(13, "no permission for /dev/ttyUSB0: add the user to group dialout")
    with pytest.raises(PermissionError, match="group dialout"):
        line.board(DgtDialogue())


def test_s01_a_port_without_permission_is_tried_again():
    """Field case S01: with search the reason is not fatal; the board is ready once the permission is there."""
    line = Line(DgtSet())
    line.refuses = PermissionError(13, "no permission")
    board = line.board(DgtDialogue(), must_answer=False)
    drain(board)
    line.refuses = None
    assert any(isinstance(event, Recovered) for event in drain(board, 2))


@pytest.mark.parametrize("version", [b"\x01\x02", b"\x03\x01"])
def test_s13_the_version_is_asked_first_and_kept(version):
    """Field case S13: a board of version 1 is used as one of version 1."""
    board_dialogue = DgtDialogue()
    Line(DgtSet(version=version)).board(board_dialogue)
    assert board_dialogue.version == tuple(version)


# ------------------------------------------------------------------------------------------------------------- reading


def test_a_dgt_move_with_pieces():
    """Field updates are confirmed by a dump, then told with their letters."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    line.coming.append(dgt_set.move(("e2", ".")))
    assert short(drain(board)) == ["-e2P"]
    line.coming.append(dgt_set.move(("e4", "P")))
    assert short(drain(board)) == ["+e4P"]


def test_a_corrupt_field_update_is_no_move():
    """A square or a piece that the dump does not confirm is never told."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue())
    drain(board)
    line.coming.append(dgt.encode_update(parse_square("d4"), "Q") + dgt.encode_update(parse_square("e2"), "."))
    assert short(drain(board)) == []


def test_a_lost_field_update_is_found_by_the_watchdog():
    """The dump a second that proves the board alive also shows what was missed."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    dgt_set.move(("e2", "."), ("e4", "P"))
    assert short(drain(board, 2)) == ["-e2P", "+e4P"]


def test_a_dgt_board_turned_round():
    """A start position upside down turns the squares; an explicit setting does not ask."""
    turned = DgtSet(START[::-1])
    line = Line(turned)
    board = line.board(DgtDialogue())
    drain(board)
    line.coming.append(turned.move(("d7", "."), ("d5", "P")))
    assert short(drain(board)) == ["-e2P", "+e4P"]
    line = Line(DgtSet(NOTHING[:3] + "K" + NOTHING[4:]))
    assert line.board(DgtDialogue(flipped=True)).snapshot().occupancy == 1 << 60


def test_the_clock_lever_is_believed_twice():
    """One reading that shows the lever turned may be noise; two are a press, at the first one's time."""
    rest = bytes.fromhex("8D 00 0A 00 05 00 00 05 00 01")
    white_pressed = bytes.fromhex("8D 00 0A 00 05 00 00 05 00 03")
    dgt_set = DgtSet(clock=rest)
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    line.coming.append(white_pressed)  # the clock itself still says rest when asked
    assert [event for event in drain(board) if isinstance(event, LeverMoved)] == []
    dgt_set.clock = white_pressed
    line.coming.append(white_pressed)
    (press,) = [event for event in drain(board) if isinstance(event, LeverMoved)]
    assert press.down == "white"
    line.coming.append(bytes.fromhex("8D 00 0A 0A 10 08 2A 00 35 00"))
    assert ButtonPressed(button="clock_ok", at_ns=line.now + MS) in drain(board)


def test_text_and_tone_go_to_the_dgt_clock():
    """Eight letters, one command at a time, each acknowledged."""
    line = Line(DgtSet(clock=bytes.fromhex("8D 00 0A 00 05 00 00 05 00 01")))
    board = line.board(DgtDialogue())
    drain(board)
    line.written.clear()
    board.write(Text(lines=("Your move, please",)))
    board.sound(Tone(hz=1000, ms=130))
    board.write(Text(lines=()))
    drain(board)
    assert [message for message in line.written if message[:1] == b"\x2b"] == [
        bytes.fromhex("2B 0C 03 0C 59 6F 75 72 20 6D 6F 76 00 00"),
        bytes.fromhex("2B 04 03 0B 02 00"),
        bytes.fromhex("2B 03 03 03 00"),
    ]


@pytest.mark.parametrize(("naks", "sent", "refused"), [(2, 3, 0), (5, 3, 1)])
def test_s11_a_refused_command_is_tried_three_times(naks, sent, refused):
    """Field case S11: NAK, NAK, ACK is three sendings and all is well; then it is counted and left."""
    dgt_set = DgtSet(clock=bytes.fromhex("8D 00 0A 00 05 00 00 05 00 01"))
    dgt_set.naks = naks
    line = Line(dgt_set)
    dialogue = DgtDialogue()
    board = line.board(dialogue)
    drain(board)
    board.write(Text(lines=("e4",)))
    drain(board)
    assert sum(message[:1] == b"\x2b" for message in line.written) == sent
    assert dialogue.clock_refused == refused
    assert board.state == "ready"


def test_revelation_lamps():
    """Only a board said to have lamps is told; blinking is done from here."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    drain(board)
    line.written.clear()
    board.show(Lamps(squares={12: BLUE, 28: BLUE}))
    assert line.written == [bytes.fromhex("60 04 00 40 40 00"), bytes.fromhex("60 04 01 34 24 00")]
    plain = Line(DgtSet())
    board = plain.board(DgtDialogue())
    board.show(Lamps(squares={12: BLUE}))
    drain(board)
    assert not [message for message in plain.written if message[:1] == b"\x60"]


def test_a_byte_too_many_in_every_dump_moves_nothing():
    """The same byte doubled in dump after dump shifts the rest of the board alike: none is believed."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    dgt_set.move(("e2", "."), ("e4", "P"))

    def doubled(message: bytes) -> bytes:
        said = dgt_set(message)
        return said[:40] + said[39:] if message == b"\x42" else said

    line.answer = doubled
    assert drain(board, 4) == []
    line.answer = dgt_set
    assert short(drain(board, 4)) == ["-e2P", "+e4P"]


def test_s12_a_flood_of_updates_is_one_fault():
    """Field case S12 on the wire: d4 toggles 200 times a second for 10 s; few events, nothing grows, play goes on."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    drain(board)
    events = []
    for turn in range(2000):
        line.coming.append(dgt_set.move(("d4", "P" if turn % 2 == 0 else ".")))
        if turn == 1000:
            line.coming.append(dgt_set.move(("e2", ".")))
        line.now += 4 * MS
        events += board.wait(0.001)
        assert len(line.coming) < 10
    events += drain(board, 2)
    assert [event.part for event in events if isinstance(event, Faulted)] == ["square d4"]
    assert len(events) <= 25
    assert "-e2P" in short(events)


def test_chesslink_moves_and_lamps():
    """Changes come by themselves and are asked for once more; lamps are corners."""
    placement = [START]

    def answer(message: bytes) -> bytes:
        plain = bytes(byte & 0x7F for byte in message).decode()
        if plain[0] == "V":
            return _link("v0104")
        if plain[0] == "S":
            return _link("s" + "".join(placement[0][at : at + 8] for at in range(56, -8, -8)))
        return _link(plain[0].lower() + plain[1:5]) if plain[0] == "W" else _link(plain[0].lower())

    line = Line(answer)
    board = line.board(ChessLinkDialogue())
    drain(board)
    placement[0] = START[:12] + "." + START[13:]
    line.coming.append(answer(_link("S")))
    assert short(drain(board)) == ["-e2P"]
    line.written.clear()
    board.show(Lamps(squares={12: BLUE}))
    text = bytes(byte & 0x7F for byte in line.written[0]).decode()
    lit = [at for at in range(81) if text[3 + 2 * at : 5 + 2 * at] != "00"]
    assert lit == [42, 43, 51, 52]  # e: 9 * 4, rank 2: edges 6 and 7


def _link(text: str) -> bytes:
    check = 0
    for char in text:
        check ^= ord(char)
    return bytes(ord(char) | (0 if bin(ord(char)).count("1") % 2 else 0x80) for char in f"{text}{check:02X}")


def test_a_sentio_board_is_believed_on_its_second_line():
    """One line with a flipped digit is not a move; two equal ones are."""
    line = Line()
    start, lifted = b":255 255 0 0 0 0 255 255\r\n", b":255 255 0 0 0 0 247 255\r\n"
    line.open()
    line.coming += [start, start]
    board = SerialBoard(CertaboDialogue(), lambda: line, name="sentio:x", now_ns=lambda: line.now, sleep=line.sleep)
    drain(board)
    line.coming += [lifted, start, start]
    assert short(drain(board)) == []
    line.coming += [lifted, lifted]
    assert short(drain(board)) == ["-e2"]
    board.show(Lamps(squares={12: BLUE}))
    assert line.written[-1] == bytes.fromhex("00 00 00 00 00 00 10 00")


def test_certabo_tags_get_their_names_from_the_start_position():
    """Seven equal lines of the array name the tags; then a move carries its piece."""
    tags = [sentio.NO_TAG] * 64
    for square, letter in enumerate(START):
        if letter != ".":
            tags[square] = (square, ord(letter), 1, 2, 3)
    line = Line()
    line.coming += [sentio.encode_tags(tuple(tags))] * 12
    dialogue = CertaboDialogue()
    board = SerialBoard(dialogue, lambda: line, name="certabo:x", now_ns=lambda: line.now, sleep=line.sleep)
    drain(board)
    assert len(dialogue.names) == 32
    moved = list(tags)
    moved[28], moved[12] = moved[12], sentio.NO_TAG
    line.coming += [sentio.encode_tags(tuple(moved))] * 3
    assert short(drain(board)) == ["-e2P", "+e4P"]


def test_chessnut_on_packets_and_on_a_stream():
    """A packet is believed at once, a stream when two reports agree; lamps are set 200 ms apart."""
    moved = START[:12] + "." + START[13:28] + "P" + START[29:]
    for packets, copies in ((True, 1), (False, 2)):
        line = Line(lambda message: chessnut.encode_position(START) * 2 if message == chessnut.REAL_TIME else b"")
        board = line.board(ChessnutDialogue(packets=packets))
        drain(board)
        line.coming += [chessnut.encode_position(moved)] * copies
        assert short(drain(board)) == ["-e2P", "+e4P"]
        board.show(Lamps(squares={12: BLUE, 28: BLUE}))
        board.sound(Tone(hz=1000, ms=200))
        drain(board)
        said = [message for message in line.written if message != chessnut.ASK_BATTERY]
        assert said[-2:] == [bytes.fromhex("0A 08 00 00 00 00 08 00 08 00"), bytes.fromhex("0B 04 03 E8 00 C8")]


def test_a_setting_that_no_board_of_the_make_has_is_refused_for_listening_too():
    """Whoever listens to a line names the same settings as whoever plays on it."""
    with pytest.raises(ValueError, match=r"dgt:\?colour: this board takes"):
        make_dialogue("dgt", {"colour": "1"})
