"""What a command says when the user's input or machine does not let it do its work: one line, and the exit code."""

from __future__ import annotations

from pathlib import Path


class Complaint(Exception):  # noqa: N818 it is what it is called: the user is told, nothing broke
    """One line that says what, where and what to do. ``code`` is 2 (input, machine) or 1 (a chess-level "no")."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(" ".join(text.split()))
        self.code = code


def read_text(path: Path, what: str, limit: int = 64_000_000) -> str:
    """The text of a file as UTF-8; a `Complaint` for one that is missing, no file, too large, binary or empty.

    ``what`` names what is expected (``a trace``); ``limit`` is in bytes.
    """
    raw = read_bytes(path, what, limit)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Complaint(f"{path}: not text (byte {error.start} is no UTF-8); {what} is wanted") from None
    if "\0" in text:
        raise Complaint(f"{path}: a binary file; {what} is wanted")
    if not text.strip():
        raise Complaint(f"{path}: the file is empty; {what} is wanted")
    return text


def read_bytes(path: Path, what: str, limit: int) -> bytes:
    """The bytes of a file that can be read whole."""
    if path.is_dir():
        raise Complaint(f"{path}: is a directory; {what} is wanted")
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except FileNotFoundError:
        raise Complaint(f"{path}: no such file") from None
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror or error}") from None
    if len(raw) > limit:
        raise Complaint(f"{path}: larger than {limit // 1_000_000} MB; {what} is wanted")
    return raw
