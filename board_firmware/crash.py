"""A fault of our own: told in full to a file and in one line to the user, for no traceback helps him."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from board_firmware import config

FILE_NAME = "crash.txt"


def told(error: BaseException) -> str:
    """Keeps the traceback in the state folder, else among the temporary files; what happened and where it is told."""
    text = f"{datetime.now().astimezone().isoformat()} {program()}\n{''.join(traceback.format_exception(error))}"
    name = type(error).__name__
    for path in (
        config.state_folder() / FILE_NAME,
        Path(tempfile.gettempdir()) / f"touchmove-{os.getpid()}-{FILE_NAME}",
    ):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return f"stopped by a fault of its own ({name}), told in {path}"
    return (
        f"stopped by a fault of its own ({name}: {' '.join(str(error).split())}); no file could be written to tell more"
    )


def program() -> str:
    """This program and its Python, with their versions."""
    try:
        release = version("touchmove")
    except PackageNotFoundError:
        release = "not installed"
    return f"touchmove {release}, Python {sys.version.split()[0]}"
