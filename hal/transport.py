"""Where the bytes go: pyserial URLs as a host, and as a board also a pseudo-terminal with a stable name or TCP on this
machine.

A link reads with a time limit, writes whole messages and fails in one way: `LinkLostError`. pyserial, termios and the
kernel say the same thing in five ways; they are told apart here and nowhere else. Opening fails with an ``OSError`` kin
whose text is one line that names the cause and what to do.

Source: behaviour of pyserial 3.5 on Linux as measured; hardware_docs/serial_protocols.md lists it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import socket
import stat
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

READ_AT_MOST = 4096
_POLL_S = 0.02


class LinkLostError(ConnectionError):
    """The other end, or the device under it, is gone."""


class Link(Protocol):
    """A two-way line of bytes."""

    def read(self, timeout_s: float) -> bytes:
        """What has come, waiting up to ``timeout_s`` seconds for a first byte; empty when nothing came."""
        ...

    def write(self, message: bytes) -> bool:
        """Write one whole message; False when it was dropped because nobody takes it."""
        ...

    def close(self) -> None:
        """Release the port; may be called twice."""
        ...


# ------------------------------------------------------------------------------------------------------- serial ports


class SerialLink:
    """A port or URL opened by pyserial."""

    def __init__(self, url: str, baud: int) -> None:
        import serial

        self._url = url
        try:
            self._port: Any = serial.serial_for_url(
                url, baudrate=baud, timeout=_POLL_S, write_timeout=1.0, exclusive=True
            )
        except ValueError as error:
            raise OSError(errno.EINVAL, f"{url} is no serial port or URL that pyserial knows: {error}") from None
        except (serial.SerialException, OSError) as error:
            raise open_failure(url, error) from None

    def read(self, timeout_s: float) -> bytes:
        """As `Link`."""
        try:
            data = bytearray()
            if timeout_s <= 0 and not self._port.in_waiting:
                return b""
            for _ in range(max(1, round(timeout_s / _POLL_S))):
                data += self._port.read(1)
                while data and len(data) < READ_AT_MOST and (waiting := self._port.in_waiting):
                    data += self._port.read(waiting)
                if data:
                    break
            return bytes(data)
        except _lost_errors() as error:
            raise LinkLostError(f"{self._url}: {error}") from None

    def write(self, message: bytes) -> bool:
        """As `Link`; a port that takes nothing for a second is lost."""
        try:
            self._port.write(message)
        except _lost_errors() as error:
            raise LinkLostError(f"{self._url}: {error}") from None
        return True

    def close(self) -> None:
        """As `Link`."""
        behind = getattr(self._port, "_socket", None)
        with contextlib.suppress(*_lost_errors()):
            self._port.close()
        # pyserial forgets a socket whose other end is gone without closing it.
        if isinstance(behind, socket.socket):
            behind.close()


def _lost_errors() -> tuple[type[Exception], ...]:
    """All that pyserial raises when a port is gone: termios.error is no OSError, and a port closed by another thread
    gives a TypeError, a ValueError or an AttributeError."""
    import termios

    import serial

    return (serial.SerialException, OSError, termios.error, TypeError, ValueError, AttributeError)


def open_failure(url: str, error: Exception, holder: Callable[[str], int | None] | None = None) -> OSError:
    """The one-line reason why a port did not open: permission, missing, busy (with the holder's process id), other."""
    number = getattr(error, "errno", None)
    text = str(error)
    if isinstance(error, PermissionError) or number == errno.EACCES or "Permission denied" in text:
        return PermissionError(errno.EACCES, f"no permission for {url}: add the user to group dialout")
    if isinstance(error, FileNotFoundError) or number == errno.ENOENT or "No such file" in text:
        return FileNotFoundError(errno.ENOENT, f"{url} is not there: is the board plugged in and switched on?")
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text or "busy" in text.lower():
        pid = (holder or holder_of)(url)
        by = f"by pid {pid}" if pid is not None else "by another program"
        return OSError(errno.EBUSY, f"{url}: port in use {by}: end that program first")
    if "connection" in text.lower() or isinstance(error, ConnectionError):
        return ConnectionRefusedError(errno.ECONNREFUSED, f"{url}: nobody answers there: {text}")
    return OSError(number or errno.EIO, f"{url} does not open: {text}")


def holder_of(path: str, proc: Path = Path("/proc")) -> int | None:
    """The process that holds a device open, other than this one, as far as this user may see."""
    try:
        device = os.stat(path)
    except OSError:
        return None
    for entry in sorted(proc.iterdir(), key=lambda found: found.name):
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            for descriptor in (entry / "fd").iterdir():
                with contextlib.suppress(OSError):
                    seen = os.stat(descriptor)
                    if (seen.st_dev, seen.st_ino) == (device.st_dev, device.st_ino):
                        return int(entry.name)
    return None


# ---------------------------------------------------------------------------------------------------- pseudo-terminal


class PtyLink:
    """A pseudo-terminal for a client on this machine, under a name that stays: a symlink to the pts of the day.

    Raw from birth, so that nothing is echoed; our own slave descriptor stays open, so that a client may come and go.
    Bytes that nobody reads are dropped by whole messages; what the kernel took in part is finished first.
    """

    def __init__(self, name: str | None = None) -> None:
        if name is not None and os.path.lexists(name) and not os.path.islink(name):
            raise FileExistsError(errno.EEXIST, f"{name} exists and is no link: choose another name for the port")
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)
        self._name = name
        self._rest = b""
        self.dropped_messages = 0
        self._closed = False
        if name is not None:
            try:
                _link(self.device, name)
            except OSError as error:
                self.close()
                raise OSError(error.errno, f"{name}: cannot name the port so: {error.strerror}") from None

    def read(self, timeout_s: float) -> bytes:
        """As `Link`; no client is the same as silence."""
        if self._closed:
            raise LinkLostError("closed")
        self._flush()
        readable, _, _ = select.select([self._master], [], [], timeout_s)
        if not readable:
            return b""
        try:
            return os.read(self._master, READ_AT_MOST)
        except OSError as error:
            if error.errno in (errno.EIO, errno.EAGAIN):
                return b""
            raise LinkLostError(str(error)) from None

    def write(self, message: bytes) -> bool:
        """As `Link`."""
        if self._closed:
            raise LinkLostError("closed")
        self._flush()
        if self._rest:
            self.dropped_messages += 1
            return False
        try:
            taken = os.write(self._master, message)
        except BlockingIOError:
            self.dropped_messages += 1
            return False
        except OSError as error:
            raise LinkLostError(str(error)) from None
        self._rest = message[taken:]
        return True

    def _flush(self) -> None:
        if self._rest:
            with contextlib.suppress(BlockingIOError):
                self._rest = self._rest[os.write(self._master, self._rest) :]

    def close(self) -> None:
        """As `Link`; the name goes too, if it is still ours."""
        if self._closed:
            return
        self._closed = True
        if self._name is not None:
            with contextlib.suppress(OSError):
                if os.readlink(self._name) == self.device:
                    os.unlink(self._name)
        os.close(self._master)
        os.close(self._slave)


def _link(target: str, name: str) -> None:
    fresh = f"{name}.{os.getpid()}"
    os.symlink(target, fresh)
    os.replace(fresh, name)


# ---------------------------------------------------------------------------------------------------------------- TCP


class TcpLink:
    """A port of this machine (127.0.0.1) for one client at a time; a second one is turned away while the first is
    there.
    """

    def __init__(self, port: int) -> None:
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind(("127.0.0.1", port))
        except OSError as error:
            self._listener.close()
            raise OSError(error.errno, f"tcp:{port}: {error.strerror}: choose another port") from None
        self._listener.listen(2)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._client: socket.socket | None = None

    def read(self, timeout_s: float) -> bytes:
        """As `Link`; no client is the same as silence."""
        watched = [self._listener] + ([self._client] if self._client else [])
        try:
            readable, _, _ = select.select(watched, [], [], timeout_s)
        except (ValueError, OSError):
            raise LinkLostError("closed") from None
        if self._client in readable and self._client is not None:
            try:
                data = self._client.recv(READ_AT_MOST)
            except BlockingIOError:
                data = b""
            except OSError:
                data = b""
                self._leave()
            else:
                if not data:
                    self._leave()
            if data:
                return data
        if self._listener in readable:
            self._welcome()
        return b""

    def _welcome(self) -> None:
        with contextlib.suppress(BlockingIOError):
            newcomer, _ = self._listener.accept()
            if self._client is not None:
                newcomer.close()
                return
            newcomer.setblocking(False)
            newcomer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._client = newcomer

    def _leave(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def write(self, message: bytes) -> bool:
        """As `Link`; a client that takes half a message is cut off, so that none ever sees the rest of one."""
        if self._client is None:
            return False
        try:
            if self._client.send(message) == len(message):
                return True
        except BlockingIOError:
            return False
        except OSError:
            pass
        self._leave()
        return False

    def close(self) -> None:
        """As `Link`."""
        self._leave()
        self._listener.close()


# ------------------------------------------------------------------------------------------------------ HID raw device


class PacketLink:
    """A device that gives one packet a read, such as /dev/hidraw0."""

    def __init__(self, path: str) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            raise open_failure(path, error) from None
        self._path = path
        self._closed = False

    def read(self, timeout_s: float) -> bytes:
        """As `Link`: one packet."""
        try:
            readable, _, _ = select.select([self._fd], [], [], timeout_s)
            return os.read(self._fd, READ_AT_MOST) if readable else b""
        except BlockingIOError:
            return b""
        except (OSError, ValueError) as error:
            raise LinkLostError(f"{self._path}: {error}") from None

    def write(self, message: bytes) -> bool:
        """As `Link`: one packet."""
        try:
            os.write(self._fd, message)
        except OSError as error:
            raise LinkLostError(f"{self._path}: {error}") from None
        return True

    def close(self) -> None:
        """As `Link`."""
        if not self._closed:
            self._closed = True
            os.close(self._fd)


# -------------------------------------------------------------------------------------------------------------- opening


def open_host_link(url: str, baud: int) -> Link:
    """The line to a board: a serial port, any pyserial URL (``socket://host:port``, ``spy://``) or a hidraw device."""
    return PacketLink(url) if Path(url).name.startswith("hidraw") else SerialLink(url, baud)


def open_board_link(url: str, baud: int) -> Link:
    """The line on which we are the board.

    ``tcp:PORT`` listens on 127.0.0.1; ``pty:/path`` makes a pseudo-terminal of that name, and so does a plain path
    where no device is; a path of a device (USB gadget, rfcomm) or a pyserial URL is opened as it is. A path in /dev is
    always a device's: one that is not there now is waited for, not replaced.
    """
    scheme, _, rest = url.partition(":")
    if scheme == "tcp":
        host, _, port = rest.rpartition(":")
        if host not in ("", "127.0.0.1", "localhost") or not port.isdigit():
            raise ValueError(f"{url}: write tcp:PORT; the port is open to this machine only (127.0.0.1)")
        return TcpLink(int(port))
    if scheme == "pty":
        return PtyLink(rest or None)
    if "://" not in url and not url.startswith("/dev/") and not _is_device(url):
        return PtyLink(url)
    return SerialLink(url, baud)


def _is_device(path: str) -> bool:
    try:
        target = os.path.realpath(path)
        return stat.S_ISCHR(os.stat(target).st_mode) and not target.startswith("/dev/pts/")
    except OSError:
        return False
