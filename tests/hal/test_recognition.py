"""What is said when a board does not open: nobody there, another device, another make, another speed; one line each."""

from __future__ import annotations

import pytest

from hal import chesslink, chessnut, dgt, scanner, sentio
from hal.dialogues.certabo import CertaboDialogue
from hal.dialogues.chesslink import ChessLinkDialogue
from hal.dialogues.chessnut import ChessnutDialogue
from hal.dialogues.dgt import DgtDialogue
from hal.dialogues.scanner import ScannerDialogue
from hal.placement import START, START_OCCUPANCY
from hal.serial_catalog import make_dialogue
from tests.hal.serial_lines import MS, Line


def test_a_silent_port_is_one_clear_line(caplog):
    """Switched off, another port, a board that does not understand the question: the port is released."""
    line = Line()
    words = r"dgt:/dev/ttyACM0: its version did not come at 9600 baud; nothing came at all: is it switched on"
    with pytest.raises(OSError, match=words):
        line.board(DgtDialogue(), name="dgt:/dev/ttyACM0")
    assert line.broken
    assert caplog.records == []


def test_a_wrong_device_is_no_board():
    """Something that talks, but not this language."""
    line = Line(lambda message: b"AT+OK\r\n" * 5)
    dialogues = DgtDialogue(), ChessLinkDialogue(), ChessnutDialogue(), ScannerDialogue()
    for dialogue in dialogues:
        with pytest.raises(OSError, match="did not come") as caught:
            line.board(dialogue)
        assert f"what came is no board's line at {dialogue.baud} baud" in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(OSError, match="a line of 8 or 320 numbers did not come"):
        line.board(CertaboDialogue())


def _talker(message: bytes) -> Line:
    """A board that says the same thing twenty times a second, whatever it is told."""

    class Talking(Line):
        """Never silent."""

        def read(self, timeout_s: float) -> bytes:
            """As a link."""
            self.now += 50 * MS
            return message

    return Talking()


@pytest.mark.parametrize(
    ("said", "make"),
    [
        (b":255 255 0 0 0 0 255 255\r\n", "sentio"),
        (b":" + b" ".join([b"1 2 3 4 5"] * 64) + b"\r\n", "certabo"),
        (chesslink.encode_status(START), "chesslink"),
        (chessnut.encode_position(START), "chessnut"),
        (scanner.encode(scanner.State(number=0, ms=16, occupancy=START_OCCUPANCY)), "scanner"),
        (dgt.encode_dump(START), "dgt"),
    ],
)
def test_another_make_is_named(said, make):
    """Whoever took the wrong scheme is told the right one."""
    other = ChessLinkDialogue() if make == "dgt" else DgtDialogue()
    scheme = "chesslink" if make == "dgt" else "dgt"
    with pytest.raises(OSError, match=f"what came is another make's line: open it as {make}:/dev/ttyUSB0$"):
        _talker(said).board(other, name=f"{scheme}:/dev/ttyUSB0")


def misread(sent: bytes, sent_baud: int, read_baud: int) -> bytes:
    """What a port hears that is set to another speed: bits of 8N1 sampled in the middle of its own bit times."""
    bits = [1] * 20
    for byte in sent:
        bits += [0, *(byte >> n & 1 for n in range(8)), 1]
    bits += [1] * 20
    ratio = sent_baud / read_baud
    level = lambda at: bits[int(at)] if at < len(bits) else 1  # noqa: E731
    heard, at = bytearray(), 0.0
    while at < len(bits):
        if level(at):
            at += 0.1
            continue
        heard.append(sum(level(at + (n + 1.5) * ratio) << n for n in range(8)))
        at += 9.5 * ratio
    return bytes(heard)


@pytest.mark.parametrize(("sent_baud", "read_baud"), [(38400, 9600), (38400, 115200), (9600, 38400), (115200, 38400)])
@pytest.mark.parametrize("make", ["sentio", "chesslink", "dgt", "scanner"])
def test_a_wrong_speed_is_told_as_one(sent_baud, read_baud, make):
    """What comes then is nobody's line, of whatever make the board is, and no move is made of it."""
    said = {
        "sentio": sentio.encode_occupancy(START_OCCUPANCY) * 8,
        "chesslink": chesslink.encode_status(START) * 4,
        "dgt": dgt.encode_dump(START) * 4,
        "scanner": scanner.encode(scanner.State(number=0, ms=16, occupancy=START_OCCUPANCY)) * 4,
    }[make]
    assert misread(said, sent_baud, sent_baud) == said
    garbage = misread(said, sent_baud, read_baud)
    assert garbage
    line = _talker(garbage)
    dialogue = make_dialogue(make)
    dialogue.baud = read_baud
    with pytest.raises(OSError, match=rf"what came is no board's line at {read_baud} baud: .*speed \(\?baud=N\)\?$"):
        line.board(dialogue, name=f"{make}:/dev/ttyUSB0")
