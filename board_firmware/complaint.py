"""What a command says when the user's input or machine does not let it do its work: one line, and the exit code."""

from __future__ import annotations


class Complaint(Exception):  # noqa: N818 it is what it is called: the user is told, nothing broke
    """One line that says what, where and what to do. ``code`` is 2 (input, machine) or 1 (a chess-level "no")."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(" ".join(text.split()))
        self.code = code


def said(error: Exception, name: object = "") -> str:
    """An error of the machine or of the input in words: the file and what is wrong, without the error's number.

    ``name`` is the file where the error does not know it itself, as of a read that fails.
    """
    if isinstance(error, OSError) and error.errno is not None and error.strerror:
        where = error.filename or name
        return f"{where}: {error.strerror}" if where else error.strerror
    return str(error)
