"""Stand-ins for the tests of the edges: a core that knows just enough chess, and a board that a test scripts."""

from __future__ import annotations

import queue
import time
from dataclasses import replace

from board_firmware.core.events import (
    ButtonPressed,
    Decision,
    Faulted,
    GameStarted,
    Resigned,
    SquareChanged,
    Tick,
    View,
)
from hal.board import BoardSnapshot, Lamps
from rules import Game, Move
from rules.san import write_san

SETTLE_NS = 20_000_000


class StandInCore:
    """Plays a move when the squares show it and 20 ms have passed: no touch, no clock, no questions."""

    def __init__(self) -> None:
        self.game = Game.start()
        self.occupancy = self.game.position.occupied
        self.san: list[str] = []
        self.game_id = ""
        self.started_fen = ""
        self.due_ns: int | None = None
        self.result = "*"

    def receive(self, event) -> tuple[Decision, ...]:
        """The next event."""
        say = lambda kind, **details: Decision(kind=kind, at_ns=event.at_ns, details=details)  # noqa: E731
        match event:
            case GameStarted():
                self.game = Game.from_fen(event.fen, chess960=event.chess960)
                self.occupancy = self.game.position.occupied
                self.game_id, self.started_fen = event.game_id, event.fen
                return (say("game_started"),)
            case SquareChanged():
                bit = 1 << event.square
                self.occupancy = self.occupancy | bit if event.occupied else self.occupancy & ~bit
                self.due_ns = event.at_ns + SETTLE_NS if self._shown() else None
                return ()
            case Tick() if self.due_ns is not None and event.at_ns >= self.due_ns:
                self.due_ns = None
                move = self._shown()
                if move is None:
                    return ()
                self.san.append(write_san(self.game.position, move))
                self.game = self.game.play(move)
                return (say("move_completed", move=move.uci()),)
            case Resigned():
                self.result = "0-1" if event.side == "white" else "1-0"
                return (say("game_over", result=self.result, termination="resignation"),)
            case Faulted():
                return (say("fault", part=event.part, reason=event.reason),)
            case ButtonPressed():
                return (say("analysis_wanted", fen=self.game.position.fen(), side="white", nodes=10),)
        return ()

    def _shown(self) -> Move | None:
        for move in self.game.position.legal_moves():
            if self.game.position.play(move).occupied == self.occupancy:
                return move
        return None

    def view(self) -> View:
        """What holds now."""
        ended = self.result != "*"
        state = {
            "status": "ended" if ended else "completed",
            "completed": True,
            "clock": None,
            "fen": self.game.position.fen(),
            "lamps": {"e4": "last_move"} if self.san else {},
            "result": self.result,
            "termination": "resignation" if ended else None,
        }
        return View(
            state=state,
            san=tuple(self.san),
            occupancy=self.occupancy,
            game_id=self.game_id,
            started_fen=self.started_fen,
        )

    def deadline_ns(self) -> int | None:
        """When a tick is wanted."""
        return self.due_ns


class ScriptedBoard:
    """A board whose events a test puts; everything it is told is kept."""

    def __init__(self, occupancy: int = 0xFFFF_0000_0000_FFFF) -> None:
        self.occupancy = occupancy
        self.events: queue.Queue = queue.Queue()
        self.lamps: list[Lamps] = []
        self.tones: list = []
        self.texts: list = []
        self.closed = False
        self.broken = False

    def put(self, *events, stamp: bool = True) -> None:
        """Events from the switches, now or with the stamps they have."""
        now = time.monotonic_ns()
        self.events.put([replace(event, at_ns=now + number) if stamp else event for number, event in enumerate(events)])

    def play(self, *moves: str) -> None:
        """Lifts and places of plain moves."""
        squares = {
            f"{file}{rank}": 8 * (rank - 1) + "abcdefgh".index(file) for rank in range(1, 9) for file in "abcdefgh"
        }
        for uci in moves:
            self.put(
                SquareChanged(square=squares[uci[:2]], occupied=False, at_ns=0),
                SquareChanged(square=squares[uci[2:4]], occupied=True, at_ns=0),
            )

    def wait(self, timeout_s: float):
        """The port."""
        if self.broken:
            raise RuntimeError("the driver is broken")
        try:
            events = self.events.get(timeout=timeout_s)
        except queue.Empty:
            return ()
        return tuple(events)

    def snapshot(self) -> BoardSnapshot:
        """The port."""
        return BoardSnapshot(occupancy=self.occupancy, at_ns=time.monotonic_ns())

    def show(self, lamps: Lamps) -> None:
        """The port."""
        self.lamps.append(lamps)

    def sound(self, tone) -> None:
        """The port."""
        self.tones.append(tone)

    def write(self, text) -> None:
        """The port."""
        self.texts.append(text)

    def close(self) -> None:
        """The port."""
        self.closed = True
