"""What a GPIO pin factory raises becomes an ``OSError`` that names the pin, for gpiozero's kinds and lgpio's alike.

lgpio raises a class of its own that is no ``OSError``, and it cannot be named here: the package is not there on a machine
without pins. So whatever comes out of a call on a pin counts as the pin's failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def words_of(error: Exception) -> str:
    """What an error says; its kind's name if it says nothing."""
    return str(error) or type(error).__name__


@contextmanager
def pin_errors(what: str) -> Iterator[None]:
    """Any exception inside becomes an ``OSError``: ``what``, such as ``GPIO5 does not open``, and the cause's words."""
    try:
        yield
    except Exception as error:
        raise OSError(f"{what}: {words_of(error)}") from error
