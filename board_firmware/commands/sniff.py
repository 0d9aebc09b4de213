"""``touchmove sniff URL``: a link's bytes in both directions, decoded and time-stamped, for bug reports.

With a second line the two are joined and everything that passes is written down: a program talks to the second as to
the board itself. Without one this program is the host: it opens the board by its usual conversation and writes down
that. Lines are meant to be read and diffed: seconds, direction (``<`` from the board, ``>`` to it), bytes in hex, what
they mean.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, TextIO

from board_firmware.complaint import Complaint
from board_firmware.complaint import said as said_of
from hal import chesslink, chessnut, dgt, dgt_clock, scanner, sentio
from hal.board import BoardEvent
from hal.dialogues.dialogue import Dialogue
from hal.placement import to_fen
from hal.serial_catalog import SCHEMES, make_dialogue, split
from hal.squares import SQUARE_NAMES, squares_of
from hal.transport import Link, LinkLostError, open_board_link, open_host_link

_TURN_S = 0.01
_QUIET_NS = 200_000_000
_HEX_SHOWN = 32

_FROM_BOARD: dict[str, Callable[[], Any]] = {
    "dgt": dgt.MessageDecoder,
    "chesslink": lambda: chesslink.FrameDecoder("host"),
    "chessnut": chessnut.ReportDecoder,
    "certabo": sentio.LineDecoder,
    "sentio": sentio.LineDecoder,
    "scanner": scanner.FrameDecoder,
}
_TO_BOARD: dict[str, Callable[[], Any]] = {
    "dgt": dgt.CommandDecoder,
    "chesslink": lambda: chesslink.FrameDecoder("board"),
    "chessnut": chessnut.CommandDecoder,
    "certabo": sentio.LampDecoder,
    "sentio": sentio.LampDecoder,
    "scanner": scanner.FrameDecoder,
}


class LinkLog:
    """Writes down the two directions of one protocol's link; times count from the first line."""

    def __init__(self, protocol: str, out: TextIO) -> None:
        """``protocol`` is one of `hal.serial_catalog.SCHEMES`; ``ValueError`` for another."""
        if protocol not in SCHEMES:
            raise ValueError(f"{protocol!r} is no protocol of a serial board: one of {', '.join(SCHEMES)}")
        self._out = out
        self._decoders = {"<": _FROM_BOARD[protocol](), ">": _TO_BOARD[protocol]()}
        self._first_ns: int | None = None
        self._last_ns = {"<": 0, ">": 0}

    def passed(self, direction: str, data: bytes, at_ns: int) -> None:
        """Bytes went ``<`` from or ``>`` to the board."""
        decoder = self._decoders[direction]
        if at_ns - self._last_ns[direction] >= _QUIET_NS:
            # A lamp command that could have been the head of a longer one is known for what it was after a silence.
            late = decoder.give_up()
            for meaning in late if isinstance(late, tuple) else ():
                self._write(direction, at_ns, f"  {said(meaning)}")
        self._last_ns[direction] = at_ns
        shown = data[:_HEX_SHOWN].hex(" ") + (f" ... {len(data)} bytes" if len(data) > _HEX_SHOWN else "")
        self._write(direction, at_ns, shown)
        for meaning in decoder.feed(data):
            self._write(direction, at_ns, f"  {said(meaning)}")

    def note(self, text: str, at_ns: int) -> None:
        """Something that is not bytes, such as a lost link."""
        self._write("!", at_ns, text)

    def _write(self, direction: str, at_ns: int, text: str) -> None:
        if self._first_ns is None:
            self._first_ns = at_ns
        print(f"{(at_ns - self._first_ns) / 1e9:10.4f} {direction} {text}", file=self._out, flush=True)


def said(meaning: Any) -> str:
    """One decoded message in words.

    >>> said(dgt.FieldUpdate(square=12, piece="."))
    'FieldUpdate square=e2 piece=.'
    """
    if isinstance(meaning, dgt.ClockReport):
        return f"ClockReport {dgt_clock.read_report(meaning.payload)}"
    if isinstance(meaning, dgt.ClockCommand):
        return f"ClockCommand {dgt_clock.NAMES.get(meaning.clock_id, hex(meaning.clock_id))} {meaning.payload.hex(' ')}"
    if isinstance(meaning, chesslink.Frame) and meaning.letter == "s":
        return f"Frame s {to_fen(chesslink.read_status(meaning) or '')}"
    if not is_dataclass(meaning) or isinstance(meaning, type):
        return str(meaning)
    words = [type(meaning).__name__]
    for name, value in asdict(meaning).items():
        if name == "placement":
            words.append(f"board={to_fen(value)}")
        elif name == "square":
            words.append(f"square={SQUARE_NAMES[value]}")
        elif name in ("occupancy", "squares") and isinstance(value, int) and not isinstance(meaning, scanner.Hello):
            words.append(f"{name}={value:016X}" if value.bit_count() > 8 else f"{name}={_names(value)}")
        elif name == "tags":
            words.append(f"tags={sum(tag != sentio.NO_TAG for tag in value)} men")
        elif isinstance(value, bytes):
            words.append(f"{name}={value[:_HEX_SHOWN].hex(' ')}")
        else:
            words.append(f"{name}={value}")
    return " ".join(words)


def _names(bits: int) -> str:
    return "+".join(SQUARE_NAMES[square] for square in squares_of(bits)) or "none"


def sniff(
    url: str,
    out: TextIO,
    *,
    join: str | None = None,
    seconds: float | None = None,
    now_ns: Callable[[], int] = time.monotonic_ns,
) -> None:
    """Write down a link until ``seconds`` are over, the link is lost or the user interrupts.

    ``url`` is as for `open_board`: a make, a port, settings, such as ``dgt:/dev/ttyACM0?baud=38400``. ``join`` is a line
    for the program to be watched: ``/tmp/board``, ``tcp:5000`` (`hal.transport.open_board_link`). Raises ``ValueError``
    for a make nobody knows, ``OSError`` for a port that does not open.
    """
    protocol, _, rest = url.partition(":")
    port, settings = split(protocol, rest)
    if not port:
        raise ValueError(f"{url!r}: write a make and a port, such as dgt:/dev/ttyACM0")
    log = LinkLog(protocol, out)
    dialogue = make_dialogue(protocol, settings)
    end_ns = None if seconds is None else now_ns() + int(seconds * 1e9)
    board = open_host_link(port, dialogue.baud)
    try:
        if join is None:
            _converse(board, dialogue, log, end_ns, now_ns)
        else:
            program = open_board_link(join, dialogue.baud)
            try:
                _join(board, program, log, end_ns, now_ns)
            finally:
                program.close()
    except LinkLostError as lost:
        log.note(f"link lost: {lost}", now_ns())
    finally:
        board.close()


def _join(board: Link, program: Link, log: LinkLog, end_ns: int | None, now_ns: Callable[[], int]) -> None:
    while end_ns is None or now_ns() < end_ns:
        for source, target, direction in ((board, program, "<"), (program, board, ">")):
            data = source.read(_TURN_S)
            if data:
                log.passed(direction, data, now_ns())
                target.write(data)


def _converse(board: Link, dialogue: Dialogue, log: LinkLog, end_ns: int | None, now_ns: Callable[[], int]) -> None:
    dialogue.begin(now_ns())
    while end_ns is None or now_ns() < end_ns:
        for message in dialogue.take_outgoing():
            log.passed(">", message, now_ns())
            board.write(message)
        data = board.read(_TURN_S)
        at_ns = now_ns()
        events: list[BoardEvent] = []
        if data:
            log.passed("<", data, at_ns)
            events += dialogue.receive(data, at_ns)
        events += dialogue.tick(at_ns)
        for event in events:
            log.note(said(event), at_ns)
        if dialogue.complaint is not None:
            log.note(f"the board is {dialogue.complaint}; asking again", at_ns)
            dialogue.begin(at_ns)


def run(url: str, *, join: str | None = None, seconds: float | None = None, out: TextIO | None = None) -> int:
    """The command: `sniff` to the standard output until Ctrl-C; raises `Complaint` for what cannot be opened."""
    try:
        sniff(url, out or sys.stdout, join=join, seconds=seconds)
    except ValueError as error:
        raise Complaint(str(error)) from None
    except OSError as error:
        raise Complaint(said_of(error)) from None
    except KeyboardInterrupt:
        pass
    return 0
