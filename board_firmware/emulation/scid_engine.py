"""The program that Scid starts: its standard streams on one side, the board's line on the other.

In Scid: Tools, External Hardware, Configure: engine ``python3 -m board_firmware.emulation.scid_engine``, port the line
that ``touchmove play --emulate scid:...`` was given, such as ``/tmp/board`` or ``socket://127.0.0.1:5000``, no
parameter.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence

from board_firmware.emulation.scid import ScidGuise
from hal.transport import LinkLostError, open_host_link

_TURN_S = 0.05


def run(arguments: Sequence[str], stdin: int = 0, stdout: int = 1) -> int:
    """Join the streams until Scid says quit or closes them; 0, or 2 with a line that Scid shows for a port that does
    not open.
    """
    if not arguments:
        os.write(stdout, b"info string ERROR no port: give the line of touchmove play --emulate scid:...\n")
        return 2
    try:
        link = open_host_link(arguments[0], ScidGuise.baud)
    except OSError as error:
        os.write(stdout, f"info string ERROR {error.strerror or error}\n".encode())
        return 2
    try:
        link.write(b"begin\n")
        while True:
            data = link.read(_TURN_S)
            if data:
                os.write(stdout, data)
            readable, _, _ = select.select([stdin], [], [], 0)
            if readable:
                asked = os.read(stdin, 4096)
                if not asked:
                    link.write(b"stop\n")
                    return 0
                link.write(asked)
                if b"quit\n" in asked:
                    return 0
    except LinkLostError as lost:
        os.write(stdout, f"info string ERROR the board's line is lost: {lost}\n".encode())
        return 2
    except BrokenPipeError:
        return 0
    finally:
        link.close()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
