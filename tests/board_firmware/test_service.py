"""Words to systemd: sent when somebody listens, and only then."""

from __future__ import annotations

import os
import socket

from board_firmware.service import Service


def listening(tmp_path):
    """A socket as systemd has it."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(str(tmp_path / "notify"))
    listener.settimeout(2)
    return listener


def test_ready_alive_and_stopping_are_told(tmp_path):
    """The words of sd_notify, one datagram each."""
    with listening(tmp_path) as listener:
        service = Service({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"})
        service.ready("game g, 3 plies")
        service.alive()
        service.stopping()
        assert [listener.recv(100) for _ in range(3)] == [
            b"READY=1\nSTATUS=game g, 3 plies",
            b"WATCHDOG=1",
            b"STOPPING=1",
        ]
        assert service.watchdog_s == 5.0


def test_an_abstract_socket_has_a_zero_for_its_at_sign():
    """As systemd names sockets that are no files."""
    name = f"touchmove-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        listener.settimeout(2)
        Service({"NOTIFY_SOCKET": f"@{name}"}).alive()
        assert listener.recv(100) == b"WATCHDOG=1"


def test_without_systemd_nothing_is_said(tmp_path):
    """No socket, no watchdog; a socket that is gone is no trouble."""
    assert Service({}).watchdog_s is None
    Service({}).ready("x")
    Service({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("x")


def test_a_watchdog_of_another_process_is_not_ours(tmp_path):
    """A child inherits the environment but is not watched."""
    service = Service({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "10", "WATCHDOG_PID": str(os.getpid() + 1)})
    assert service.watchdog_s is None
