"""One process for a journal, one for a board: the second is refused and told who is there.

A lock of the kernel's, so that a killed process leaves none behind; the file beside it only says who holds it.

Source: flock(2).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import tempfile
from pathlib import Path


class HeldError(OSError):
    """Another process holds it. ``holder`` is how that process describes itself."""

    def __init__(self, what: str, holder: str) -> None:
        super().__init__(f"{what} is in use by {holder}")
        self.what = what
        self.holder = holder


class InstanceLock:
    """A lock held until it is closed or the process ends."""

    def __init__(self, path: Path, what: str, holder: str) -> None:
        """Takes the lock; `HeldError` names who has it, another ``OSError`` where the file cannot be made.

        ``what`` names the thing in the refusal, ``holder`` is what others will be told of this process.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = _opened(path)
        except OSError as error:
            raise OSError(f"{what} cannot be locked: {path}: {error.strerror}; its folder must be writable") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = _told(self._descriptor)
            os.close(self._descriptor)
            raise HeldError(what, told) from None
        with contextlib.suppress(OSError):  # a full disk holds the lock all the same, only without a name
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps({"holder": holder, "pid": os.getpid()}).encode(), 0)

    def close(self) -> None:
        """Let others have it; may be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _opened(path: Path) -> int:
    """The lock's file, made if need be; one that another user left is taken as it is, without a name written into it."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except PermissionError:
        if not path.is_file():
            raise
        return os.open(path, os.O_RDONLY)


def _told(descriptor: int) -> str:
    try:
        content = json.loads(os.pread(descriptor, 4096, 0))
        return f"{content['holder']} (process {content['pid']})"
    except (OSError, ValueError, TypeError, KeyError):
        return "another process"


def board_lock_path(url: str) -> Path:
    """Where the lock of a real board lies: the same for every user of the machine, however its URL is written.

    A machine has one header, so all boards of wires are one, whatever their wiring files; a device is one by all its names.
    """
    scheme, _, rest = url.partition(":")
    device = rest.partition("?")[0]
    url = scheme if scheme == "reed" else f"{scheme}:{os.path.realpath(device) if device.startswith('/') else device}"
    folder = Path("/run/lock") if os.access("/run/lock", os.W_OK) else Path(tempfile.gettempdir())
    return folder / f"touchmove-{re.sub(r'[^A-Za-z0-9]+', '-', url).strip('-')}.lock"
