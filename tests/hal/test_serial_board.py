"""Serial boards as `Board`s on a scripted link and a scripted clock: opening, reading, losing the link, finding it
again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from hal import chessnut, dgt, dgt_clock, scanner, sentio
from hal.board import (
    Blipped,
    BoardSnapshot,
    ButtonPressed,
    Faulted,
    Lamp,
    Lamps,
    LeverMoved,
    Recovered,
    SquareChanged,
    Text,
    Tone,
)
from hal.catalog import open_board
from hal.dialogues.certabo import CertaboDialogue
from hal.dialogues.chesslink import ChessLinkDialogue
from hal.dialogues.chessnut import ChessnutDialogue
from hal.dialogues.dgt import DgtDialogue
from hal.dialogues.scanner import ScannerDialogue
from hal.placement import NOTHING, START, START_OCCUPANCY
from hal.serial_board import SerialBoard
from hal.serial_catalog import make_dialogue
from hal.squares import SQUARE_NAMES, parse_square
from hal.transport import LinkLostError

MS = 1_000_000
SECOND = 1_000_000_000
BLUE = Lamp(red=0, green=0, blue=255)


class Line:
    """A link whose far end is a function from what the host writes to what the board answers."""

    def __init__(self, answer: Callable[[bytes], bytes] = lambda message: b"") -> None:
        self.now = 0
        self.answer = answer
        self.coming: deque[bytes] = deque()
        self.written: list[bytes] = []
        self.broken = False
        self.refuses: OSError | None = None
        self.opened = 0
        self.refuses_writes = False

    def open(self) -> Line:
        """Plug the cable in."""
        if self.refuses is not None:
            raise self.refuses
        self.opened += 1
        self.broken = False
        self.coming.clear()
        return self

    def read(self, timeout_s: float) -> bytes:
        """What the far end has said; time goes on."""
        if self.broken:
            raise LinkLostError("device reports readiness to read but returned no data")
        if self.coming:
            self.now += MS
            data = b"".join(self.coming)
            self.coming.clear()
            return data
        self.now += max(MS, round(timeout_s * SECOND))
        return b""

    def write(self, message: bytes) -> bool:
        """One message of the host."""
        if self.broken or self.refuses_writes:
            raise LinkLostError("write failed")
        self.written.append(message)
        if answer := self.answer(message):
            self.coming.append(answer)
        return True

    def close(self) -> None:
        """Give the port back."""
        self.broken = True

    def sleep(self, seconds: float) -> None:
        """Time goes on with no link."""
        self.now += max(MS, round(seconds * SECOND))

    def board(self, dialogue, **settings) -> SerialBoard:
        """A board on this line."""
        settings.setdefault("name", "test:/dev/ttyACM0")
        return SerialBoard(dialogue, self.open, now_ns=lambda: self.now, sleep=self.sleep, **settings)


class DgtSet:
    """The far end of a DGT line: a placement, a clock, and the answers to the commands a host must know."""

    def __init__(self, placement: str = START, *, clock: bytes | None = None, version: bytes = b"\x03\x01") -> None:
        self.placement = placement
        self.clock = clock
        self.version = version
        self.naks = 0

    def __call__(self, message: bytes) -> bytes:
        """What the board answers to one message."""
        if message == b"\x4d":
            return b"\x93\x00\x05" + self.version
        if message == b"\x42":
            return dgt.encode_dump(self.placement)
        if message == b"\x41":
            return self.clock or bytes.fromhex("8D 00 0A 00 00 00 00 00 00 20")
        if message[:1] == b"\x2b" and self.clock:
            good = self.naks == 0
            self.naks = max(0, self.naks - 1)
            return dgt_clock.encode_acknowledgement(dgt_clock.Acknowledged(good=good, command=message[3]))
        return b""

    def move(self, *squares: tuple[str, str]) -> bytes:
        """Contents change; the field updates that report it."""
        placement = list(self.placement)
        for name, content in squares:
            placement[parse_square(name)] = content
        self.placement = "".join(placement)
        return b"".join(dgt.encode_update(parse_square(name), content) for name, content in squares)


def _drain(board: SerialBoard, seconds: float = 1.0) -> list:
    events = []
    for _ in range(round(seconds / 0.05)):
        events += board.wait(0.05)
    return events


def _short(events) -> list[str]:
    return [
        f"{'+' if event.occupied else '-'}{SQUARE_NAMES[event.square]}{event.piece or ''}"
        for event in events
        if isinstance(event, SquareChanged)
    ]


# ------------------------------------------------------------------------------------------------------------- opening


def test_opening_asks_version_then_board():
    """A DGT board: reset, version, then the update mode and dumps until two agree; the snapshot comes first."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue())
    assert line.written[:2] == [b"\x40", b"\x4d"]
    assert line.written[2:5] == [b"\x4b", b"\x41", b"\x42"]
    (snapshot,) = [event for event in _drain(board) if isinstance(event, BoardSnapshot)]
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
    _drain(board)
    line.refuses = None
    assert any(isinstance(event, Recovered) for event in _drain(board, 2))


@pytest.mark.parametrize("version", [b"\x01\x02", b"\x03\x01"])
def test_s13_the_version_is_asked_first_and_kept(version):
    """Field case S13: a board of version 1 is used as one of version 1."""
    board_dialogue = DgtDialogue()
    Line(DgtSet(version=version)).board(board_dialogue)
    assert board_dialogue.version == tuple(version)


def test_s13_a_scanner_of_another_version_is_refused():
    """Field case S13: version 1 is spoken to as version 1; a version nobody knows is not guessed at."""
    one = Line(_scanner_answers(scanner.Hello(version=1, squares=64, lamps=0, boot=1, last=0, name="x")))
    dialogue = ScannerDialogue()
    one.board(dialogue)
    assert dialogue.hello is not None
    assert dialogue.hello.version == 1
    two = Line(_scanner_answers(scanner.Hello(version=2, squares=64, lamps=0, boot=1, last=0, name="x")))
    with pytest.raises(OSError, match="it speaks a version of its protocol that is not known here"):
        two.board(ScannerDialogue())


# ------------------------------------------------------------------------------------------------------------- reading


def test_a_dgt_move_with_pieces():
    """Field updates are confirmed by a dump, then told with their letters."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    line.coming.append(dgt_set.move(("e2", ".")))
    assert _short(_drain(board)) == ["-e2P"]
    line.coming.append(dgt_set.move(("e4", "P")))
    assert _short(_drain(board)) == ["+e4P"]


def test_a_corrupt_field_update_is_no_move():
    """A square or a piece that the dump does not confirm is never told."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue())
    _drain(board)
    line.coming.append(dgt.encode_update(parse_square("d4"), "Q") + dgt.encode_update(parse_square("e2"), "."))
    assert _short(_drain(board)) == []


def test_a_lost_field_update_is_found_by_the_watchdog():
    """The dump a second that proves the board alive also shows what was missed."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    dgt_set.move(("e2", "."), ("e4", "P"))
    assert _short(_drain(board, 2)) == ["-e2P", "+e4P"]


def test_a_dgt_board_turned_round():
    """A start position upside down turns the squares; an explicit setting does not ask."""
    turned = DgtSet(START[::-1])
    line = Line(turned)
    board = line.board(DgtDialogue())
    _drain(board)
    line.coming.append(turned.move(("d7", "."), ("d5", "P")))
    assert _short(_drain(board)) == ["-e2P", "+e4P"]
    line = Line(DgtSet(NOTHING[:3] + "K" + NOTHING[4:]))
    assert line.board(DgtDialogue(flipped=True)).snapshot().occupancy == 1 << 60


def test_the_clock_lever_is_believed_twice():
    """One reading that shows the lever turned may be noise; two are a press, at the first one's time."""
    rest = bytes.fromhex("8D 00 0A 00 05 00 00 05 00 01")
    white_pressed = bytes.fromhex("8D 00 0A 00 05 00 00 05 00 03")
    dgt_set = DgtSet(clock=rest)
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    line.coming.append(white_pressed)  # the clock itself still says rest when asked
    assert [event for event in _drain(board) if isinstance(event, LeverMoved)] == []
    dgt_set.clock = white_pressed
    line.coming.append(white_pressed)
    (press,) = [event for event in _drain(board) if isinstance(event, LeverMoved)]
    assert press.down == "white"
    line.coming.append(bytes.fromhex("8D 00 0A 0A 10 08 2A 00 35 00"))
    assert ButtonPressed(button="clock_ok", at_ns=line.now + MS) in _drain(board)


def test_text_and_tone_go_to_the_dgt_clock():
    """Eight letters, one command at a time, each acknowledged."""
    line = Line(DgtSet(clock=bytes.fromhex("8D 00 0A 00 05 00 00 05 00 01")))
    board = line.board(DgtDialogue())
    _drain(board)
    line.written.clear()
    board.write(Text(lines=("Your move, please",)))
    board.sound(Tone(hz=1000, ms=130))
    board.write(Text(lines=()))
    _drain(board)
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
    _drain(board)
    board.write(Text(lines=("e4",)))
    _drain(board)
    assert sum(message[:1] == b"\x2b" for message in line.written) == sent
    assert dialogue.clock_refused == refused
    assert board.state == "ready"


def test_revelation_lamps():
    """Only a board said to have lamps is told; blinking is done from here."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    _drain(board)
    line.written.clear()
    board.show(Lamps(squares={12: BLUE, 28: BLUE}))
    assert line.written == [bytes.fromhex("60 04 00 40 40 00"), bytes.fromhex("60 04 01 34 24 00")]
    plain = Line(DgtSet())
    board = plain.board(DgtDialogue())
    board.show(Lamps(squares={12: BLUE}))
    _drain(board)
    assert not [message for message in plain.written if message[:1] == b"\x60"]


def test_a_byte_too_many_in_every_dump_moves_nothing():
    """The same byte doubled in dump after dump shifts the rest of the board alike: none is believed."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    dgt_set.move(("e2", "."), ("e4", "P"))

    def doubled(message: bytes) -> bytes:
        said = dgt_set(message)
        return said[:40] + said[39:] if message == b"\x42" else said

    line.answer = doubled
    assert _drain(board, 4) == []
    line.answer = dgt_set
    assert _short(_drain(board, 4)) == ["-e2P", "+e4P"]


def test_s12_a_flood_of_updates_is_one_fault():
    """Field case S12 on the wire: d4 toggles 200 times a second for 10 s; few events, nothing grows, play goes on."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    events = []
    for turn in range(2000):
        line.coming.append(dgt_set.move(("d4", "P" if turn % 2 == 0 else ".")))
        if turn == 1000:
            line.coming.append(dgt_set.move(("e2", ".")))
        line.now += 4 * MS
        events += board.wait(0.001)
        assert len(line.coming) < 10
    events += _drain(board, 2)
    assert [event.part for event in events if isinstance(event, Faulted)] == ["square d4"]
    assert len(events) <= 25
    assert "-e2P" in _short(events)


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
    _drain(board)
    placement[0] = START[:12] + "." + START[13:]
    line.coming.append(answer(_link("S")))
    assert _short(_drain(board)) == ["-e2P"]
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
    _drain(board)
    line.coming += [lifted, start, start]
    assert _short(_drain(board)) == []
    line.coming += [lifted, lifted]
    assert _short(_drain(board)) == ["-e2"]
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
    _drain(board)
    assert len(dialogue.names) == 32
    moved = list(tags)
    moved[28], moved[12] = moved[12], sentio.NO_TAG
    line.coming += [sentio.encode_tags(tuple(moved))] * 3
    assert _short(_drain(board)) == ["-e2P", "+e4P"]


def test_chessnut_on_packets_and_on_a_stream():
    """A packet is believed at once, a stream when two reports agree; lamps are set 200 ms apart."""
    moved = START[:12] + "." + START[13:28] + "P" + START[29:]
    for packets, copies in ((True, 1), (False, 2)):
        line = Line(lambda message: chessnut.encode_position(START) * 2 if message == chessnut.REAL_TIME else b"")
        board = line.board(ChessnutDialogue(packets=packets))
        _drain(board)
        line.coming += [chessnut.encode_position(moved)] * copies
        assert _short(_drain(board)) == ["-e2P", "+e4P"]
        board.show(Lamps(squares={12: BLUE, 28: BLUE}))
        board.sound(Tone(hz=1000, ms=200))
        _drain(board)
        said = [message for message in line.written if message != chessnut.ASK_BATTERY]
        assert said[-2:] == [bytes.fromhex("0A 08 00 00 00 00 08 00 08 00"), bytes.fromhex("0B 04 03 E8 00 C8")]


# ------------------------------------------------------------------------------------------------------------- scanner


def _scanner_answers(hello: scanner.Hello, occupancy: int = START_OCCUPANCY):
    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        if ask.letter == "V":
            return scanner.encode(hello)
        done = scanner.encode(scanner.Done(tag=ask.tag))
        if ask.letter == "Q":
            return scanner.encode(scanner.State(number=hello.last, ms=1000, occupancy=occupancy)) + done
        return done

    return answer


def _event(number: int, ms: int, what: str, occupancy: int) -> bytes:
    return scanner.encode(scanner.Happened(number=number, ms=ms, occupancy=occupancy, what=what))


LIFTED = START_OCCUPANCY & ~(1 << 12)
MOVED = LIFTED | 1 << 28


def _scanner_line(**settings) -> tuple[Line, SerialBoard]:
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=100, name="x")
    line = Line(_scanner_answers(hello))
    board = line.board(ScannerDialogue(**settings))
    _drain(board)
    return line, board


def test_the_scanner_keeps_its_own_times():
    """Two events 400 ms apart on the scanner are 400 ms apart here, though they came together."""
    line, board = _scanner_line()
    base = line.now // MS
    line.coming.append(_event(101, base, "-e2", LIFTED) + _event(102, base + 1, "+e4", MOVED))
    line.now += 500 * MS
    events = _drain(board)
    assert _short(events) == ["-e2", "+e4"]
    assert events[1].at_ns - events[0].at_ns == MS


def test_every_kind_of_event():
    """Blips, lever and buttons come as they are."""
    line, board = _scanner_line()
    for number, what in enumerate(("~b2:7", "Lw", "Lb", "Bpromote_q"), 101):
        line.coming.append(_event(number, 1000, what, START_OCCUPANCY))
    events = _drain(board)
    assert [(event.square, event.ms) for event in events if isinstance(event, Blipped)] == [(9, 7.0)]
    assert [event.down for event in events if isinstance(event, LeverMoved)] == ["white", "black"]
    assert [event.button for event in events if isinstance(event, ButtonPressed)] == ["promote_q"]


def test_a_missing_event_is_asked_for_and_told_in_order():
    """102 came without 101: it waits, the host asks from 101 on, and both are told once."""
    line, board = _scanner_line()
    line.written.clear()
    line.coming.append(_event(102, 1400, "+e4", MOVED))
    assert _short(_drain(board, 0.1)) == []
    (ask,) = scanner.FrameDecoder().feed(line.written[0])
    assert (ask.letter, ask.arguments) == ("R", ("101",))
    line.coming.append(_event(101, 1000, "-e2", LIFTED) + _event(102, 1400, "+e4", MOVED) * 2)
    assert _short(_drain(board)) == ["-e2", "+e4"]


def test_an_event_gone_for_good_is_filled_from_the_state():
    """Half a second later the state that every event carries tells what was missed."""
    line, board = _scanner_line()
    line.coming.append(_event(103, 1400, "Lw", MOVED))
    events = _drain(board)
    assert _short(events) == ["-e2", "+e4"]
    assert isinstance(events[-1], LeverMoved)


def test_a_doubled_event_is_told_once():
    """Numbers make doubles harmless."""
    line, board = _scanner_line()
    line.coming.append(_event(101, 1000, "-e2", LIFTED) * 3)
    assert _short(_drain(board)) == ["-e2"]


def test_s21_what_happened_while_the_cable_was_out_is_told_once_in_order():
    """Field case S21: move, cut, press, cable in: the lift, the place, then the press, each once, then the state."""
    line, board = _scanner_line()
    line.coming.append(_event(101, 5000, "-e2", LIFTED) + _event(102, 5400, "+e4", MOVED))
    events = _drain(board)
    line.broken = True
    kept = [_event(102, 5400, "+e4", MOVED), _event(103, 6500, "Lw", MOVED)]
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=103, name="x")

    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        done = scanner.encode(scanner.Done(tag=ask.tag))
        if ask.letter == "V":
            return scanner.encode(hello)
        if ask.letter == "R":
            return b"".join(kept) + done
        if ask.letter == "Q":
            return scanner.encode(scanner.State(number=103, ms=9000, occupancy=MOVED)) + done
        return done

    line.answer = answer
    events += _drain(board, 3)
    kinds = [
        event.reason if isinstance(event, Faulted) else type(event).__name__ if not isinstance(event, SquareChanged) else
        _short([event])[0]
        for event in events
    ]  # fmt: skip
    assert kinds == ["-e2", "+e4", "lost", "LeverMoved", "Recovered", "BoardSnapshot"] or kinds == [
        "-e2", "+e4", "lost", "Recovered", "LeverMoved", "BoardSnapshot",
    ]  # fmt: skip
    assert events[-1].occupancy == MOVED


def test_a_scanner_that_was_switched_off_starts_anew():
    """Another boot number: its old events are gone, its state is the truth."""
    line, board = _scanner_line()
    line.broken = True
    line.answer = _scanner_answers(scanner.Hello(version=1, squares=64, lamps=64, boot=8, last=0, name="x"), MOVED)
    events = _drain(board, 3)
    assert [type(event).__name__ for event in events] == ["Faulted", "Recovered", "BoardSnapshot"]
    assert events[-1].occupancy == MOVED


def test_s11_a_scanner_without_lamps_is_not_told_for_ever():
    """Field case S11: refused three times, one fault on that part, the link goes on."""
    hello = scanner.Hello(version=1, squares=64, lamps=64, boot=7, last=0, name="x")
    usual = _scanner_answers(hello)

    def answer(message: bytes) -> bytes:
        (ask,) = scanner.FrameDecoder().feed(message)
        return scanner.encode(scanner.Done(tag=ask.tag, reason="busy")) if ask.letter == "L" else usual(message)

    line = Line(answer)
    board = line.board(ScannerDialogue())
    events = _drain(board)
    line.written.clear()
    board.show(Lamps(squares={12: BLUE}))
    events += _drain(board, 2)
    faults = [(event.part, event.reason) for event in events if isinstance(event, Faulted)]
    assert faults == [("lamps", "refused")]
    assert sum(b"$L" in message for message in line.written) == 3
    line.answer = usual
    board.show(Lamps())
    assert [event.part for event in _drain(board) if isinstance(event, Recovered)] == ["lamps"]
    assert board.state == "ready"


def test_a_scanner_turned_round():
    """flip: its a1 is our h8, for squares and lamps."""
    line, board = _scanner_line(flipped=True)
    line.coming.append(_event(101, 1000, "-e2", LIFTED))
    assert _short(_drain(board)) == ["-d7"]
    line.written.clear()
    board.show(Lamps(squares={51: BLUE}))
    assert b",0C0000FF0*" in line.written[0]


# ---------------------------------------------------------------------------------------------------- losing the link


def test_s02_unplugged_and_plugged_in_again():
    """Field case S02: lost, searching, ready; the whole board is read again; nothing else is told."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    states = [board.state]
    line.broken = True
    line.refuses = FileNotFoundError(2, "gone")
    events = _drain(board, 4)
    states.append(board.state)
    dgt_set.move(("e2", "."), ("e4", "P"))
    line.refuses = None
    back_ns = line.now
    while board.state != "ready":
        events += board.wait(0.05)
    assert line.now - back_ns < 2 * SECOND
    events += board.wait(0)
    states.append(board.state)
    assert states == ["ready", "searching", "ready"]
    assert [type(event).__name__ for event in events] == ["Faulted", "Recovered", "BoardSnapshot"]
    assert (events[0].part, events[0].reason) == ("link", "lost")
    assert events[2].occupancy == MOVED


def test_a_board_that_falls_silent_is_lost_too():
    """The port is there and nothing answers: after five seconds the link is renewed, with its whole opening."""
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    line.answer = lambda message: b""
    (fault,) = [event for event in _drain(board, 6) if isinstance(event, Faulted)]
    assert (fault.part, fault.reason) == ("link", "silent")
    line.answer = dgt_set
    line.written.clear()
    assert any(isinstance(event, Recovered) for event in _drain(board, 10))
    assert b"\x4d" in line.written


def test_s15_a_link_that_drops_again_and_again_is_backed_off(caplog):
    """Field case S15: five drops in 30 s: the fault says unstable and the pauses grow; nothing spins, nothing is
    forgotten.
    """
    dgt_set = DgtSet()
    line = Line(dgt_set)
    board = line.board(DgtDialogue())
    _drain(board)
    faults, pauses = [], []
    for _ in range(5):
        line.broken = True
        lost_ns = line.now
        events = list(board.wait(0.05))
        while board.state != "ready":
            events += board.wait(0.05)
        pauses.append((line.now - lost_ns) / SECOND)
        faults += [event.reason for event in events if isinstance(event, Faulted)]
    assert faults == ["lost", "lost", "unstable", "unstable", "unstable"]
    assert pauses == sorted(pauses)
    assert pauses[0] < 2 < pauses[-1] < 11
    assert "weak or blocked Bluetooth" in caplog.records[2].getMessage()
    assert len(caplog.records) <= 5
    assert board.snapshot().occupancy == START_OCCUPANCY


def test_s17_a_board_that_is_off_at_the_start_is_waited_for():
    """Field case S17: no board, and the first lamp write fails: searching, no crash; ready when it is switched on."""
    line = Line(DgtSet())
    line.refuses_writes = True
    board = line.board(DgtDialogue(lamps=True), must_answer=False)
    board.show(Lamps(squares={12: BLUE}))
    board.sound(Tone(hz=440, ms=100))
    board.write(Text(lines=("hello",)))
    _drain(board, 3)
    assert board.state == "searching"
    line.refuses_writes = False
    _drain(board, 12)
    assert board.state == "ready"
    assert bytes.fromhex("60 04 01 34 34 00") in line.written


def test_a_write_that_fails_is_a_lost_link():
    """Whoever notices first says so, once."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    _drain(board)
    line.refuses_writes = True
    board.show(Lamps(squares={12: BLUE}))
    assert board.state == "searching"
    (fault,) = board.wait(0.05)
    assert fault == Faulted(part="link", reason="lost", at_ns=fault.at_ns)


def test_closing_puts_the_lamps_out_and_may_be_done_twice():
    """And afterwards nothing is read or written."""
    line = Line(DgtSet())
    board = line.board(DgtDialogue(lamps=True))
    board.show(Lamps(squares={12: BLUE}))
    board.close()
    board.close()
    assert line.written[-1] == bytes.fromhex("60 04 00 40 40 00")
    assert board.wait(0.1) == ()
    board.show(Lamps(squares={12: BLUE}))
    assert line.written[-1] == bytes.fromhex("60 04 00 40 40 00")


# ------------------------------------------------------------------------------------------------------------- by URL


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("dgt:", "names no port"),
        ("dgt:/dev/x?colour=1", "takes baud, flip, lag_ms, lamps, search, white"),
        ("dgt:/dev/x?flip=maybe", "write 1 for yes, 0 for no"),
        ("dgt:/dev/x?white=up", "left or the right"),
        ("scanner:/dev/x?close_ms=0", "whole number above 0"),
        ("sentio:/dev/x?flip", "write settings as"),
    ],
)
def test_a_url_that_makes_no_sense_says_why(url, message):
    """Bad text is a ValueError with what to write instead."""
    with pytest.raises(ValueError, match=message):
        open_board(url)


@pytest.mark.parametrize("scheme", ["dgt", "chesslink", "chessnut", "certabo", "sentio", "scanner"])
def test_every_make_opens_by_url(scheme):
    """A missing port is the transport's line; with search the board is there and looks for it."""
    with pytest.raises(FileNotFoundError, match="is not there"):
        open_board(f"{scheme}:/dev/ttyNOTTHERE")
    board = open_board(f"{scheme}:/dev/ttyNOTTHERE?search=1&baud=9600")
    (fault,) = board.wait(0)
    assert (fault.part, fault.reason) == ("link", "missing")
    board.close()
    assert make_dialogue(scheme).is_ready is False
