"""The standard streams as a command finds them, and how its run ends when nobody takes what it writes.

A refused write shows when a buffer is flushed, perhaps after the program's last line, and Python then says so in words
of its own. So standard output is put on a raw file whose refusal is no ``OSError``: no command can take it for trouble
with a file that it reads, and `cli.main` ends the run in one place. What standard error does not take is dropped, for
there is nobody left to tell.

Standard output is UTF-8 wherever it is no terminal, since what commands write are files (PGN, traces, JSON); a terminal
keeps its encoding, and what that lacks is written as ``\\uXXXX``, which JSON reads back.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import Any, TextIO

READER_GONE = 141
"""Exit code when the reader of a pipe has left, as ``head`` does: 128 + SIGPIPE, what a shell shows of other programs."""

ESCAPE = "touchmove.escape"


class OutputLost(Exception):  # noqa: N818 an end of the run, and deliberately no OSError
    """Standard output takes nothing more; ``code`` is the exit code, ``sentence`` empty where nothing is to be said."""

    def __init__(self, error: OSError) -> None:
        gone = isinstance(error, BrokenPipeError)
        why = "is closed" if error.errno == errno.EBADF else error.strerror or str(error)
        super().__init__(f"standard output: {why}")
        self.code = READER_GONE if gone else 2
        self.sentence = "" if gone else f"standard output: {why}; what was written is not complete"


class _Output(io.FileIO):
    def write(self, content: Any) -> int:
        try:
            return super().write(content)
        except OSError as error:
            raise OutputLost(error) from None


class _Remarks(io.FileIO):
    def write(self, content: Any) -> int:
        try:
            return super().write(content)
        except OSError:
            return memoryview(content).nbytes


def settle() -> None:
    """Put the process's own streams in order; those that a caller has replaced are left alone.

    A stream that is closed from the start gets its number back, so that no file opened later takes it: an output then
    says at the first line that it is closed.
    """
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
    codecs.register_error(ESCAPE, _escaped)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 for the whole run
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(1, "wb", closefd=False), sys.stdout, ESCAPE)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Remarks(2, "wb", closefd=False), sys.stderr, "backslashreplace", line_buffering=True)


def _text(raw: io.FileIO, before: TextIO | None, errors: str, line_buffering: bool = False) -> io.TextIOWrapper:
    terminal = raw.isatty()
    unbuffered = bool(getattr(before, "write_through", False)) and not line_buffering
    return io.TextIOWrapper(
        raw if unbuffered else io.BufferedWriter(raw),  # as Python itself does with -u
        encoding=before.encoding if before is not None and (terminal or line_buffering) else "utf-8",
        errors=errors,
        line_buffering=terminal or line_buffering,
        write_through=unbuffered,
    )


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{lost[at]:02x}{lost[at + 1]:02x}" for at in range(0, len(lost), 2)), error.end


def flush() -> None:
    """Write what is still in the buffer; `OutputLost` if it is not taken."""
    sys.stdout.flush()


def abandon() -> None:
    """Forget what is still in the buffer, so that the interpreter's own end says nothing more about it."""
    buffer = getattr(sys.stdout, "buffer", None)
    if isinstance(getattr(buffer, "raw", buffer), _Output):
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.close(sink)


def say(line: str) -> None:
    """A line at once, for whoever watches a board; a board plays on where nobody takes it any more."""
    try:
        print(line, flush=True)
    except OutputLost:
        abandon()
