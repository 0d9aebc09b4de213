"""A link written down: both directions, decoded, with times; as a third between two, and as the host itself."""

from __future__ import annotations

import io
import threading

import pytest

from board_firmware.commands.sniff import LinkLog, run, said, sniff
from board_firmware.complaint import Complaint
from board_firmware.emulation.peer import GUISES
from board_firmware.emulation.relay import PROTOCOLS
from hal import chesslink, dgt, scanner, sentio
from hal.placement import START
from hal.transport import PtyLink, SerialLink

MS = 1_000_000


def test_a_log_line_has_time_direction_bytes_and_meaning():
    """A small conversation, to the letter."""
    out = io.StringIO()
    log = LinkLog("dgt", out)
    log.passed(">", b"\x4d", 1000 * MS)
    log.passed("<", bytes.fromhex("93 00 05"), 1001 * MS)
    log.passed("<", bytes.fromhex("03 01"), 1002 * MS)
    log.passed(">", bytes.fromhex("2B 03 03 09 00"), 1500 * MS)
    log.passed("<", bytes.fromhex("8E 00 05 34 00"), 2000 * MS)
    log.note("link lost", 2500 * MS)
    assert out.getvalue().splitlines() == [
        "    0.0000 > 4d",
        "    0.0000 >   Command code=77",
        "    0.0010 < 93 00 05",
        "    0.0020 < 03 01",
        "    0.0020 <   BoardVersion major=3 minor=1",
        "    0.5000 > 2b 03 03 09 00",
        "    0.5000 >   ClockCommand version ",
        "    1.0000 < 8e 00 05 34 00",
        "    1.0000 <   FieldUpdate square=e2 piece=.",
        "    1.5000 ! link lost",
    ]


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        (dgt.BoardDump(placement=START), "BoardDump board=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
        (chesslink.Frame(letter="v", text="0104"), "Frame letter=v text=0104"),
        (sentio.OccupancyLine(occupancy=0xFFFF00000000FFFF), "OccupancyLine occupancy=FFFF00000000FFFF"),
        (sentio.LampBits(squares=1 << 12 | 1 << 28), "LampBits squares=e2+e4"),
        (sentio.LampBits(squares=0), "LampBits squares=none"),
        (sentio.TagLine(tags=(sentio.NO_TAG,) * 64), "TagLine tags=0 men"),
        (scanner.Done(tag=3), "Done tag=3 reason=None"),
        (dgt.Other(message=0x10, payload=b"\x08\x01"), "Other message=16 payload=08 01"),
        (dgt.ClockReport(payload=b"\0\0\0\0\0\0\x20"), "ClockReport NoClock()"),
        ("plain", "plain"),
    ],
)
def test_meanings_in_words(meaning, words):
    """Squares by name, boards as FEN."""
    assert said(meaning) == words
    status = chesslink.FrameDecoder("host").feed(chesslink.encode_status(START))
    assert said(status[0]) == "Frame s rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_bad_urls_are_value_errors():
    """A make nobody knows; no port."""
    with pytest.raises(ValueError, match="no protocol of a serial board"):
        sniff("chess:/dev/ttyACM0", io.StringIO())
    with pytest.raises(ValueError, match="write a make and a port"):
        sniff("dgt:", io.StringIO())
    with pytest.raises(FileNotFoundError, match="is not there"):
        sniff("dgt:/dev/ttyNOTTHERE", io.StringIO())
    for bad, line in (("dgt:", "write a make"), ("dgt:/dev/ttyNOTTHERE", "/dev/ttyNOTTHERE is not there")):
        with pytest.raises(Complaint, match=line):
            run(bad)


def test_settings_of_a_url_hold_here_too(tmp_path):
    """The speed, a board turned round; nonsense is refused as everywhere."""
    board = Emulated("sentio", str(tmp_path / "board"))
    out = io.StringIO()
    try:
        sniff(f"sentio:{tmp_path / 'board'}?baud=115200&flip=1", out, seconds=0.9)
    finally:
        board.close()
    assert "! BoardSnapshot" in out.getvalue()
    with pytest.raises(ValueError, match=r"baud=fast: write a whole number"):
        sniff("dgt:/dev/ttyACM0?baud=fast", out)
    with pytest.raises(ValueError, match="write settings as"):
        sniff("dgt:/dev/ttyACM0?flip", out)


def test_a_lamp_command_that_only_a_silence_ends_is_written_down():
    """Eight bytes that begin like a coloured frame are a plain command when nothing follows."""
    out = io.StringIO()
    log = LinkLog("sentio", out)
    log.passed(">", bytes.fromhex("FF 55 00 00 00 00 00 00"), 0)
    log.passed(">", bytes(8), 500 * MS)
    meanings = [line.split(">   ")[1] for line in out.getvalue().splitlines() if ">   " in line]
    assert [meaning.split(" ")[0] for meaning in meanings] == ["LampBits", "LampBits"]


class Emulated:
    """A guise on a pseudo-terminal, served by a thread until the test is over."""

    def __init__(self, protocol: str, name: str) -> None:
        self.link = PtyLink(name)
        self.guise = GUISES[protocol]()
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        at_ns = 0
        while not self.ending.is_set():
            at_ns += 5 * MS
            data = self.link.read(0.005)
            if data:
                self.guise.receive(data, at_ns)
            self.guise.tick(at_ns)
            for message in self.guise.take_outgoing():
                self.link.write(message)

    def close(self) -> None:
        """End the thread, give the terminal back."""
        self.ending.set()
        self.thread.join()
        self.link.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_as_the_host_itself(tmp_path, protocol):
    """The usual opening of the conversation, written down, ends with the snapshot."""
    board = Emulated(protocol, str(tmp_path / "board"))
    out = io.StringIO()
    try:
        sniff(f"{protocol}:{tmp_path / 'board'}", out, seconds=0.9)
    finally:
        board.close()
    assert "! BoardSnapshot occupancy=FFFF00000000FFFF" in out.getvalue()
    assert " < " in out.getvalue()


def test_between_a_program_and_its_board(tmp_path):
    """What the program asks and what the board answers pass unchanged and are written down."""
    board = Emulated("dgt", str(tmp_path / "board"))
    out = io.StringIO()
    watcher = threading.Thread(
        target=sniff, args=(f"dgt:{tmp_path / 'board'}", out), kwargs={"join": str(tmp_path / "seen"), "seconds": 1.5}
    )
    watcher.start()
    try:
        for _ in range(100):
            if (tmp_path / "seen").is_symlink():
                break
            watcher.join(0.01)
        program = SerialLink(str(tmp_path / "seen"), 9600)
        program.write(b"\x4d")
        answer = b""
        for _ in range(50):
            answer += program.read(0.02)
            if len(answer) >= 5:
                break
        program.close()
    finally:
        watcher.join()
        board.close()
    assert answer == bytes.fromhex("93 00 05 03 01")
    assert "> 4d" in out.getvalue()
    assert "BoardVersion major=3 minor=1" in out.getvalue()


def test_a_lost_link_ends_the_log(tmp_path):
    """The board is unplugged while it is watched."""
    link = PtyLink(str(tmp_path / "board"))
    out = io.StringIO()
    watcher = threading.Thread(target=sniff, args=(f"sentio:{tmp_path / 'board'}", out))
    watcher.start()
    watcher.join(0.2)
    link.close()
    watcher.join(10)
    assert not watcher.is_alive()
    assert "! link lost" in out.getvalue()
