"""The chessmen of a simulated board as eyes see them, and the hands that move them.

The simulated board knows magnets; which of them is a knight only eyes can tell. This is that memory: what stands where,
what hangs in whose hand, what lies beside the board. Every act goes through the board's own hands (`hal.simulated`), in
real time, so the page sees exactly what the reeds make of it: there is no second path into the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hal.board import Side
from hal.motion import Drag, Lift, Motion, Nudge, Place
from hal.squares import SQUARE_NAMES, parse_square

LIFT_MS = 120.0
PLACE_MS = 120.0
GAP_MS = 40.0
"""Between two acts of one hand: they never share a scan, which would leave their order unknown."""

SHOWN_MS = 400.0
"""How long a piece stands on a lit square: longer than any debouncing, shorter than anyone's patience."""

HANDS = 2
FAULTS = ("stuck_open", "stuck_closed", "intermittent", "chatter")


class Hands(Protocol):
    """What a simulated board offers beyond the port (`hal.simulated.SimulatedBoard`)."""

    @property
    def contacts(self) -> int:
        """The reeds closed now."""
        ...

    @property
    def faults(self) -> Mapping[int, Any]:
        """The broken reeds."""
        ...

    lever_down: Side

    def act(self, motions: Iterable[Motion], at_ns: int | None = None) -> int:
        """Let hands do this; returns when it is over."""
        ...

    def set_up(self, occupancy: int, *, lever_down: Side | None = None) -> None:
        """Stand chessmen there at once, the lever as named."""
        ...

    def press_lever(self, side: Side) -> None:
        """Press a side's end of the lever."""
        ...

    def set_fault(self, square: int, fault: Any) -> None:
        """Break or mend a reed."""
        ...


def has_hands(board: object) -> bool:
    """Whether a board is a simulated one."""
    return all(hasattr(board, name) for name in ("act", "set_up", "press_lever", "set_fault", "contacts"))


def read_placement(fen: str) -> dict[int, str]:
    """The chessmen of a FEN's first field by square.

    >>> read_placement("8/8/8/8/8/8/P7/K7 w - - 0 1")
    {8: 'P', 0: 'K'}
    """
    found = {}
    for row, text in enumerate(fen.split(" ")[0].split("/")):
        square = 56 - 8 * row
        for letter in text:
            if letter.isdecimal():
                square += int(letter)
            else:
                found[square] = letter
                square += 1
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A chessman in a hand: its FEN letter and the square it was lifted from, None if it came from beside the board."""

    piece: str
    origin: int | None


class Table:
    """What stands, hangs and lies where. Raises ``ValueError`` with a sentence for an act no hand can do."""

    def __init__(self, board: Hands) -> None:
        self._board = board
        self._busy_until_ns = 0
        self._version = 0
        self.standing: dict[int, str] = {}
        self.held: list[Held] = []
        self.box: list[str] = []

    def reset(self, fen: str, lever_down: Side | None = None) -> None:
        """Stand the chessmen as a FEN says, the hands empty; reeds that disagree are set up anew."""
        self._version += 1
        self.standing = read_placement(fen)
        self.held, self.box = [], []
        occupancy = sum(1 << square for square in self.standing)
        if self._board.contacts != occupancy or lever_down not in (None, self._board.lever_down):
            self._board.set_up(occupancy, lever_down=lever_down)

    def as_json(self) -> dict[str, Any]:
        """What the page draws; of two the one with the higher version is the newer."""
        return {
            "version": self._version,
            "standing": {SQUARE_NAMES[square]: piece for square, piece in self.standing.items()},
            "held": [
                {"piece": one.piece, "origin": None if one.origin is None else SQUARE_NAMES[one.origin]}
                for one in self.held
            ],
            "box": list(self.box),
            "lever": self._board.lever_down,
            "faults": {SQUARE_NAMES[square]: fault for square, fault in self._board.faults.items()},
        }

    def act(self, record: Any) -> None:
        """Do what ``{"do": "lift", "square": "e2"}`` says."""
        if not isinstance(record, Mapping):
            raise ValueError("an act is a JSON object")
        acts: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "lift": self._lift, "place": self._place, "capture": self._capture, "drag": self._drag,
            "drop": self._drop, "fetch": self._fetch, "adjust": self._adjust, "knock": self._knock,
            "press": self._press, "fault": self._fault, "show": self._show,
        }  # fmt: skip
        name = record.get("do")
        if not isinstance(name, str) or name not in acts:
            raise ValueError(f"{name!r} is nothing that a hand does")
        acts[name](record)
        self._version += 1

    def tidy(self, fen: str) -> None:
        """Set every chessman where the position in force has it, one after the other, as a patient hand would."""
        wanted = read_placement(fen)
        motions: list[tuple[str, int, int | None]] = []
        spare = [(one.piece, one.origin) for one in self.held]
        for square, piece in sorted(self.standing.items()):
            if wanted.get(square) != piece:
                motions.append(("lift", square, None))
                spare.append((piece, square))
        for square, piece in sorted(wanted.items()):
            if self.standing.get(square) != piece:
                found = next((one for one in spare if one[0] == piece and one[1] == square), None) or next(
                    (one for one in spare if one[0] == piece), None
                )
                if found is not None:
                    spare.remove(found)
                elif piece in self.box:
                    self.box.remove(piece)
                motions.append(("place", square, found[1] if found else None))
        done: list[Motion] = []
        at_ms = 0.0
        for what, square, origin in motions:
            if what == "lift":
                done.append(Lift(square=square, at_ms=at_ms, ms=LIFT_MS))
            else:
                done.append(Place(square=square, of=origin, at_ms=at_ms, ms=PLACE_MS))
            at_ms += LIFT_MS + GAP_MS
        self._do(done)
        self._version += 1
        self.box += [piece for piece, _ in spare]
        self.held = []
        self.standing = wanted

    def promoted(self, fen: str) -> bool:
        """A pawn on its last rank is now another chessman, as the position says; True if one was exchanged."""
        believed = read_placement(fen)
        changed = False
        for square, piece in list(self.standing.items()):
            now = believed.get(square, "")
            pawn_there = piece in "Pp" and square // 8 in (0, 7)
            if pawn_there and now and now not in "Pp" and now.isupper() == piece.isupper():
                self.standing[square] = now
                if now in self.box:
                    self.box.remove(now)
                self.box.append(piece)
                self._version += 1
                changed = True
        return changed

    def put_lever(self, clock: object) -> None:
        """After a ruling or a takeback, put the lever back where the side whose clock runs can press it: a dead press."""
        other: Side | None = "black" if clock == "white" else "white" if clock == "black" else None
        if other is not None and self._board.lever_down == clock:
            self._board.press_lever(other)
            self._version += 1

    # --- acts ---

    def _lift(self, record: Mapping[str, Any]) -> None:
        square = self._occupied(record)
        if len(self.held) == HANDS:
            raise ValueError("both hands are full: set a piece down first")
        self._do([Lift(square=square, ms=LIFT_MS)])
        self.held.append(Held(piece=self.standing.pop(square), origin=square))

    def _place(self, record: Mapping[str, Any]) -> None:
        square = self._square(record)
        if square in self.standing:
            raise ValueError(f"{SQUARE_NAMES[square]} is occupied: take its piece off first")
        held = self._from_hand(record)
        self._do([Place(square=square, of=held.origin, ms=PLACE_MS)])
        self.standing[square] = held.piece

    def _capture(self, record: Mapping[str, Any]) -> None:
        """Take the chessman on a square off the board and set down there the one in hand."""
        square = self._occupied(record)
        held = self._from_hand(record)
        self._do(
            [
                Lift(square=square, ms=LIFT_MS),
                Place(square=square, of=held.origin, at_ms=LIFT_MS + GAP_MS, ms=PLACE_MS),
            ]
        )
        self.box.append(self.standing[square])
        self.standing[square] = held.piece

    def _drag(self, record: Mapping[str, Any]) -> None:
        square = self._occupied(record)
        path = record.get("path")
        if not isinstance(path, Sequence) or isinstance(path, str) or not 1 <= len(path) <= 16:
            raise ValueError("a path is a list of 1 to 16 squares")
        spots = tuple(parse_square(str(one)) for one in path)
        if spots[-1] != square and spots[-1] in self.standing:
            raise ValueError(f"{SQUARE_NAMES[spots[-1]]} is occupied: take its piece off first")
        self._do([Drag(square=square, path=spots)])
        self.standing[spots[-1]] = self.standing.pop(square)

    def _drop(self, record: Mapping[str, Any]) -> None:
        """Lay the chessman in hand beside the board; with a square, the one standing there."""
        if "square" in record:
            square = self._occupied(record)
            self._do([Lift(square=square, ms=LIFT_MS)])
            self.box.append(self.standing.pop(square))
        else:
            self.box.append(self._from_hand(record).piece)

    def _fetch(self, record: Mapping[str, Any]) -> None:
        """Take a chessman from beside the board into a hand."""
        piece = record.get("piece")
        if piece not in self.box:
            raise ValueError(f"no {piece!r} lies beside the board")
        if len(self.held) == HANDS:
            raise ValueError("both hands are full: set a piece down first")
        self.box.remove(piece)
        self.held.append(Held(piece=piece, origin=None))

    def _show(self, record: Mapping[str, Any]) -> None:
        """Set a piece from the stock on an empty square and lift it again: the answer to a promotion question."""
        square = self._square(record)
        if square in self.standing:
            raise ValueError(f"{SQUARE_NAMES[square]} is occupied: take its piece off first")
        lift_ms = PLACE_MS + SHOWN_MS
        self._do([Place(square=square, of=None, ms=PLACE_MS), Lift(square=square, at_ms=lift_ms, ms=LIFT_MS)])

    def _adjust(self, record: Mapping[str, Any]) -> None:
        self._do([Nudge(square=self._occupied(record))])

    def _knock(self, record: Mapping[str, Any]) -> None:
        """Sweep a sleeve over the chessmen around a square: up to four of them change places with empty squares."""
        square = self._square(record)
        around = sorted(self.standing, key=lambda one: (_distance(one, square), one))[:4]
        free = sorted(set(range(64)) - set(self.standing), key=lambda one: (_distance(one, square), one))
        if len(around) < 3 or len(free) < len(around):
            raise ValueError("there are too few pieces to knock over")
        motions: list[Motion] = [Lift(square=one, ms=LIFT_MS) for one in around]
        for number, (one, target) in enumerate(zip(around, free, strict=False)):
            motions.append(Place(square=target, of=one, at_ms=LIFT_MS + (number + 1) * GAP_MS, ms=PLACE_MS))
            self.standing[target] = self.standing.pop(one)
        self._do(motions)

    def _press(self, record: Mapping[str, Any]) -> None:
        side: Side | None = record.get("side")
        if side not in ("white", "black"):
            raise ValueError("side is one of white, black")
        self._board.press_lever(side)

    def _fault(self, record: Mapping[str, Any]) -> None:
        fault = record.get("fault")
        if fault is not None and fault not in FAULTS:
            raise ValueError(f"fault is null or one of {', '.join(FAULTS)}")
        self._board.set_fault(self._square(record), fault)

    # --- inside ---

    def _do(self, motions: list[Motion]) -> None:
        """Begin when the hand is free: what is in the air must have arrived there before it is set down."""
        if motions:
            busy_ms = max(
                0.0, (self._busy_until_ns - self._board.act(())) / 1e6
            )  # nothing is done "now": tells the time
            later = [replace(motion, at_ms=motion.at_ms + busy_ms) for motion in motions]
            self._busy_until_ns = self._board.act(later) + round(GAP_MS * 1e6)

    def _square(self, record: Mapping[str, Any]) -> int:
        return parse_square(str(record.get("square", "")))

    def _occupied(self, record: Mapping[str, Any]) -> int:
        square = self._square(record)
        if square not in self.standing:
            raise ValueError(f"nothing stands on {SQUARE_NAMES[square]}")
        return square

    def _from_hand(self, record: Mapping[str, Any]) -> Held:
        hand = record.get("hand", len(self.held) - 1)
        if not isinstance(hand, int) or isinstance(hand, bool) or not 0 <= hand < len(self.held):
            raise ValueError("there is no piece in the hand")
        return self.held.pop(hand)


def _distance(one: int, other: int) -> int:
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))
