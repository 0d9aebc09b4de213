"""Links: pseudo-terminals, TCP on this machine, pyserial URLs; every way of failing is one kind of error and one line."""

from __future__ import annotations

import contextlib
import errno
import os
import socket

import pytest
import serial

from hal.transport import (
    LinkLostError,
    PacketLink,
    PtyLink,
    SerialLink,
    TcpLink,
    holder_of,
    open_board_link,
    open_failure,
    open_host_link,
)

EVERY_BYTE = bytes(range(256))


@pytest.fixture
def pty(tmp_path):
    """A pseudo-terminal under a stable name."""
    link = PtyLink(str(tmp_path / "board"))
    yield link
    link.close()


def _read(link, count: int) -> bytes:
    data = b""
    for _ in range(200):
        data += link.read(0.05)
        if len(data) >= count:
            break
    return data


def _write(link, times: int) -> None:
    for _ in range(times):
        link.write(b"\x42")


def test_eight_bits_both_ways_through_a_pty(pty, tmp_path):
    """All 256 values, no echo, the client opening by the stable name."""
    client = SerialLink(str(tmp_path / "board"), 9600)
    assert pty.write(EVERY_BYTE)
    assert _read(client, 256) == EVERY_BYTE
    assert client.write(EVERY_BYTE)
    assert _read(pty, 256) == EVERY_BYTE
    assert client.read(0.02) == b""
    client.close()


def test_a_client_may_come_and_go(pty, tmp_path):
    """Between two clients there is silence, not an error."""
    for _ in range(3):
        client = SerialLink(str(tmp_path / "board"), 38400)
        client.write(b"\x42")
        assert _read(pty, 1) == b"\x42"
        client.close()
        assert pty.read(0.01) == b""


def test_bytes_nobody_reads_are_dropped_by_whole_messages(pty, tmp_path):
    """The board never blocks, and what a late reader finds are whole messages."""
    message = b"\x86" + b"\x01" * 66
    client = serial.Serial(str(tmp_path / "board"))
    while pty.write(message):
        pass
    assert pty.dropped_messages
    client.timeout = 0.05
    taken = b""
    while True:
        chunk = client.read(4096)
        pty.read(0)  # finishes what the kernel took in part
        if not chunk:
            break
        taken += chunk
    client.close()
    assert len(taken) % 67 == 0
    assert taken == message * (len(taken) // 67)


def test_the_name_goes_with_the_link_and_a_stale_one_is_replaced(tmp_path):
    """A symlink left by a crash is taken over; a file of somebody else's is not."""
    name = tmp_path / "board"
    os.symlink("/dev/pts/999999", name)
    link = PtyLink(str(name))
    assert os.path.realpath(name) == link.device
    link.close()
    link.close()
    assert not os.path.lexists(name)
    name.write_text("mine")
    with pytest.raises(FileExistsError, match="choose another name"):
        PtyLink(str(name))
    with pytest.raises(OSError, match="cannot name the port so"):
        PtyLink(str(tmp_path / "nowhere" / "board"))


def test_a_closed_link_is_lost(pty):
    """Reading and writing say so."""
    pty.close()
    with pytest.raises(LinkLostError):
        pty.read(0)
    with pytest.raises(LinkLostError):
        pty.write(b"x")


def test_s03_a_second_reader_is_refused_by_name(pty, tmp_path):
    """Field case S03: the port is locked; the second one says so, the first goes on."""
    name = str(tmp_path / "board")
    first = SerialLink(name, 9600)
    with pytest.raises(OSError, match="port in use by") as caught:
        SerialLink(name, 9600)
    assert caught.value.errno == errno.EBUSY
    pty.write(b"\x42")
    assert _read(first, 1) == b"\x42"
    first.close()


def test_s03_the_holder_is_named(tmp_path):
    """Field case S03: "port in use by pid N" from the list of open files."""
    device = tmp_path / "ttyUSB0"
    device.touch()
    descriptors = tmp_path / "proc" / "4711" / "fd"
    descriptors.mkdir(parents=True)
    (tmp_path / "proc" / "self").mkdir()
    os.symlink(device, descriptors / "3")
    assert holder_of(str(device), tmp_path / "proc") == 4711
    assert holder_of(str(tmp_path / "ttyUSB1"), tmp_path / "proc") is None
    busy = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
    assert "port in use by pid 4711" in str(open_failure("/dev/ttyUSB0", busy, lambda path: 4711))


def test_s01_no_permission_is_not_no_board():
    """Field case S01: EACCES names the group."""
    failure = open_failure(
        "/dev/ttyUSB0", serial.SerialException(errno.EACCES, "could not open port: Permission denied")
    )
    assert isinstance(failure, PermissionError)
    assert failure.strerror == "no permission for /dev/ttyUSB0: add the user to group dialout"
    missing = open_failure("/dev/ttyUSB0", serial.SerialException(errno.ENOENT, "No such file or directory"))
    assert isinstance(missing, FileNotFoundError)
    assert "plugged in" in str(missing)


def test_a_missing_port_and_an_unknown_scheme_are_one_line_each():
    """What, where, what to do; no traceback of another library."""
    with pytest.raises(FileNotFoundError, match="is not there"):
        open_host_link("/dev/ttyNOTTHERE", 9600)
    with pytest.raises(OSError, match="no serial port or URL"):
        open_host_link("nonsense://x", 9600)
    with pytest.raises(OSError, match="nobody answers there"):
        open_host_link("socket://127.0.0.1:1", 9600)
    with pytest.raises(FileNotFoundError):
        open_host_link("/dev/hidraw999", 0)


def test_tcp_carries_bytes_to_one_client_at_a_time():
    """A second client is turned away while the first is there; after it has left, the next may come."""
    board = TcpLink(0)
    assert board.write(b"nobody") is False
    client = SerialLink(f"socket://127.0.0.1:{board.port}", 9600)
    assert board.read(1) == b""
    assert board.write(EVERY_BYTE)
    assert _read(client, 256) == EVERY_BYTE
    client.write(EVERY_BYTE)
    assert _read(board, 256) == EVERY_BYTE
    with socket.create_connection(("127.0.0.1", board.port)) as second:
        assert board.read(1) == b""
        assert second.recv(1) == b""
    client.close()
    assert board.read(1) == b""
    third = SerialLink(f"socket://127.0.0.1:{board.port}", 9600)
    board.read(1)
    assert board.write(b"\x42")
    assert _read(third, 1) == b"\x42"
    board.close()
    with pytest.raises(LinkLostError):
        _read(third, 1)
    third.close()


def test_a_client_that_takes_half_a_message_is_cut_off():
    """Rather than ever sending the second half alone."""
    board = TcpLink(0)
    with socket.create_connection(("127.0.0.1", board.port)) as client:
        board.read(1)
        while board.write(b"\x86" * 100_000):
            pass
        board.write(b"\x42")
        taken = 0
        with contextlib.suppress(ConnectionError):
            while chunk := client.recv(1 << 16):
                taken += len(chunk)
                if taken > 50_000_000:
                    break
        assert taken <= 50_000_000
    board.close()
    board.close()


def test_a_port_in_use_is_one_line():
    """TCP: the address is taken."""
    board = TcpLink(0)
    with pytest.raises(OSError, match=f"tcp:{board.port}: .*choose another port"):
        TcpLink(board.port)
    board.close()


def test_board_lines_by_url(tmp_path):
    """tcp: stays on this machine; pty: and a plain path make a pseudo-terminal."""
    for bad in ("tcp:0.0.0.0:5000", "tcp:192.168.1.5:5000", "tcp:", "tcp:five"):
        with pytest.raises(ValueError, match=r"127\.0\.0\.1"):
            open_board_link(bad, 9600)
    with contextlib.closing(open_board_link("tcp:0", 9600)) as tcp:
        assert isinstance(tcp, TcpLink)
    name = tmp_path / "board"
    for url in (f"pty:{name}", str(name)):
        with contextlib.closing(open_board_link(url, 9600)) as link:
            assert isinstance(link, PtyLink)
            assert os.path.islink(name)
            # a second emulation takes the name over rather than talking to the first one's terminal
            with contextlib.closing(open_board_link(str(name), 9600)) as second:
                assert isinstance(second, PtyLink)
    for device in ("/dev/ttyNOTTHERE", "/dev/rfcommNOTTHERE"):  # a gadget or Bluetooth port that is gone may come back
        with pytest.raises(FileNotFoundError, match="is not there"):
            open_board_link(device, 9600)
        assert not os.path.lexists(device)
    loop = open_board_link("loop://", 9600)
    loop.write(b"\x42")
    assert loop.read(0.1) == b"\x42"
    loop.close()


def test_a_client_sees_the_board_end_go_away(tmp_path):
    """Whatever pyserial raises then is one kind of error here."""
    board = PtyLink(str(tmp_path / "board"))
    client = SerialLink(str(tmp_path / "board"), 9600)
    board.close()
    with pytest.raises(LinkLostError):
        _read(client, 1)
    with pytest.raises(LinkLostError):
        _write(client, 3)
    client.close()
    client.close()


def test_a_packet_device_gives_one_packet_a_read():
    """A terminal stands in for /dev/hidraw0."""
    master, slave = os.openpty()
    link = PacketLink(os.ttyname(slave))
    assert link.read(0) == b""
    os.write(master, b"abc\n")
    assert link.read(1) == b"abc\n"
    assert link.write(b"\x21\x01\x00")
    link.close()
    link.close()
    with pytest.raises(LinkLostError):
        link.read(0)
    os.close(master)
    os.close(slave)
