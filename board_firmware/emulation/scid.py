"""Our board as an external input engine of Scid: text lines on a stream, moves as moves.

Scid starts such a program itself and talks to it on its standard streams; `board_firmware.emulation.scid_engine` is
that program and joins them to the board's line. It says ``begin`` first, since Scid waits for the engine to speak. Only
moves that can no longer be revised are sent, each once and in order; what was played while nobody listened comes as a
position. Whatever is not exactly a known word is counted and not answered.

Source: Scid 4.7.4's behaviour as observed; it takes the first ``info FEN`` after an ``info string FEN`` as the position
to stand on, and later ones only to compare.
"""

from __future__ import annotations

from board_firmware.emulation.guise import ClockTimes, Standing, Wish
from hal.board import BoardEvent

_LONGEST_LINE = 256
_PIECES = frozenset("NBRQK")


class ScidGuise:
    """Lines in, lines out."""

    baud = 115200

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._out: list[bytes] = []
        self._standing = Standing()
        self._told: tuple[str, ...] = ()
        self._fen = ""
        self._met = False
        self._ended = False
        self._clock: ClockTimes | None = None
        self._clock_ns = 0
        self.unknown_lines = 0

    def _say(self, line: str) -> None:
        self._out.append(line.encode("ascii", "replace") + b"\n")

    def stands(self, standing: Standing, at_ns: int) -> None:
        """As `Guise`."""
        self._standing = standing
        if standing.is_final or not self._fen:
            self._fen = standing.fen
        if self._met:
            self._catch_up()

    def _catch_up(self) -> None:
        moves = self._standing.moves
        same = self._told == moves[: len(self._told)]
        if not same:
            # Moves were taken back, or a new game has begun: Scid is given the position as it is now.
            if not moves:
                self._say("info !new game!")
            self._say_position()
            self._told = moves
            self._ended = False
            return
        for number in range(len(self._told), len(moves)):
            san = self._standing.san[number] if number < len(self._standing.san) else ""
            self._say(f"move {_written(moves[number], san)}")
        self._told = moves
        ended = self._standing.result != "*"
        if ended and not self._ended:
            self._say(f"info !end game {self._standing.result}!")
        self._ended = ended

    def _say_position(self) -> None:
        self._say(f"info string FEN {self._fen}")
        self._say(f"info FEN {self._fen}")

    def shows(self, clock: ClockTimes | None, at_ns: int) -> None:
        """As `Guise`."""
        self._clock, self._clock_ns = clock, at_ns

    def sees(self, event: BoardEvent, at_ns: int) -> None:
        """As `Guise`: single reeds are nothing to Scid."""

    def receive(self, data: bytes, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        self._buffer += data
        while b"\n" in self._buffer:
            line, _, rest = bytes(self._buffer).partition(b"\n")
            self._buffer[:] = rest
            self._hear(line.strip(), at_ns)
        if len(self._buffer) > _LONGEST_LINE:
            self._buffer.clear()
        return ()

    def _hear(self, line: bytes, at_ns: int) -> None:
        if line == b"begin":
            self._say("info string Chessboard found and initialised")
            self._say(f"info string FEN {self._fen}")
        elif line == b"xboard":
            self._say("info Engine mode    : xboard")
        elif line == b"getposition":
            self._met = True
            self._told = self._standing.moves
            self._say(f"info FEN {self._fen}")
            self._say(f"info !{'black' if ' b ' in self._fen else 'white'} to move!")
        elif line == b"getclock":
            self._say_clock(at_ns)
        elif line == b"sysinfo":
            self._say("info string touchmove electronic chessboard")
        elif line in (b"quit", b"stop"):
            self._met = False
        elif line not in (b"", b"announce", b"rotateboard", b"sendboth", b"sendwhite", b"sendblack"):
            self.unknown_lines += 1

    def _say_clock(self, at_ns: int) -> None:
        if self._clock is None:
            self._say("info No Clock detected")
            return
        clock = self._clock.later((at_ns - self._clock_ns) / 1e9)
        self._say(f"info Time White: {int(clock.white_s)}")
        self._say(f"info Time Black: {int(clock.black_s)}")

    def tick(self, at_ns: int) -> tuple[Wish, ...]:
        """As `Guise`."""
        return ()

    def take_outgoing(self) -> tuple[bytes, ...]:
        """As `Guise`."""
        taken = tuple(self._out)
        self._out.clear()
        return taken


def _written(uci: str, san: str) -> str:
    """A move in Scid's words: the piece's letter and both squares, a pawn's without, castling with noughts."""
    if san.startswith("O-O"):
        return san.rstrip("+#").replace("O", "0")
    return (san[0] if san[:1] in _PIECES else "") + uci
