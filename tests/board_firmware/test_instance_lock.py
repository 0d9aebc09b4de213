"""One process for a journal: the second is told who is there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from board_firmware.instance_lock import HeldError, InstanceLock, board_lock_path


def test_the_second_is_refused_by_name(tmp_path):
    """The refusal names the thing, what holds it and its process."""
    path = tmp_path / "journal.sqlite-lock"
    lock = InstanceLock(path, "the journal", "touchmove play on sim:")
    with pytest.raises(HeldError, match=rf"the journal is in use by touchmove play on sim: \(process {os.getpid()}\)"):
        InstanceLock(path, "the journal", "another")
    lock.close()
    InstanceLock(path, "the journal", "another").close()


def test_a_killed_process_leaves_no_lock(tmp_path):
    """The kernel gives the lock back however the process ended."""
    path = tmp_path / "lock"
    code = (
        "import os, sys, pathlib; from board_firmware.instance_lock import InstanceLock;"
        "InstanceLock(pathlib.Path(sys.argv[1]), 'x', 'the first'); print('held', flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert done.stdout == "held\n"
    assert done.returncode == -9
    InstanceLock(path, "x", "the second").close()


def test_an_unreadable_note_still_refuses(tmp_path):
    """The note is for people; without it the lock holds as well."""
    path = tmp_path / "lock"
    lock = InstanceLock(path, "it", "me")
    path.write_bytes(b"\xff not json")
    with pytest.raises(HeldError, match="it is in use by another process"):
        InstanceLock(path, "it", "you")
    lock.close()


def test_a_board_has_one_lock_for_all_users():
    """The same URL gives the same file, without characters that a path could stumble over."""
    name = board_lock_path("dgt:/dev/serial/by-id/usb-0:1").name
    assert name == "touchmove-dgt-dev-serial-by-id-usb-0-1.lock"


def test_one_board_by_any_name_has_one_lock(tmp_path):
    """Wiring files, links to a device, options behind it: the second program is refused all the same."""
    assert board_lock_path("reed:").name == "touchmove-reed.lock"
    assert board_lock_path("reed:nolamp.toml") == board_lock_path("reed:/abs/nolamp.toml") == board_lock_path("reed:")
    device, link = tmp_path / "ttyACM0", tmp_path / "by-id"
    device.touch()
    link.symlink_to(device)
    assert board_lock_path(f"scanner:{link}?close_ms=90") == board_lock_path(f"scanner:{device}")
    assert board_lock_path(f"scanner:{device}") != board_lock_path("scanner:/dev/ttyACM1")
    assert board_lock_path("dgt:tcp://one:1") != board_lock_path("dgt:tcp://two:1")


def test_a_file_that_cannot_be_written_locks_all_the_same(tmp_path, monkeypatch):
    """Another user's run left it, or the disk is full: only the name of the holder is missing."""
    path = tmp_path / "lock"
    path.touch()
    opened = os.open

    def only_for_reading(name, flags, *mode):
        if flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(name))
        return opened(name, flags, *mode)

    monkeypatch.setattr(os, "open", only_for_reading)
    lock = InstanceLock(path, "it", "me")
    with pytest.raises(HeldError, match="it is in use by another process"):
        InstanceLock(path, "it", "you")
    lock.close()
    path.unlink()
    with pytest.raises(OSError, match=f"it cannot be locked: {path}: Permission denied; its folder must be writable"):
        InstanceLock(path, "it", "me")
