"""One player's turn as the board sees it: the position it began with, the reeds' trace, the touches and their words.

A turn knows nothing of clocks or verdicts. It begins when the opponent's move is made and ends when its own is; until
that is final both turns stand side by side, and a new reading may hand the younger one's lifts back to the older.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from board_firmware.core.events import Side
from board_firmware.core.footprint import Footprint, Footprints
from board_firmware.core.gesture import Trace, committed
from board_firmware.core.touch import Obligation, exact, owed
from hal.squares import SQUARE_NAMES, squares_of
from rules import Color, Game, Move, Position

EARLY_CHOICE = "4.4.4"
"""The article of a duty made by naming the promotion piece before the pawn is off its square."""

LONG_REST_NS = 1_000_000_000
"""A unit that rests this long on a square may have been released there (4.7); shorter rests on its path are no news."""


def side_of(position: Position) -> Side:
    """The side that has the move in a position."""
    return "white" if position.turn is Color.WHITE else "black"


@dataclass(slots=True)
class Turn:
    """The turn of the side to move in ``game.position``."""

    game: Game
    trace: Trace
    masked: int = 0
    touched: list[tuple[int, list[int]]] = field(default_factory=list)
    """Groups of touched squares with the time of their scan, in order."""
    words: list[str] = field(default_factory=list)
    """What is reported of this turn."""
    bound: Obligation | None = None
    """A duty that does not rest on touches: a claim's intended move, a promotion piece chosen early."""
    must_castle: bool = True
    """False for the replacement of a completed illegal move (7.5.1)."""
    may_release: bool = True
    """False once a rook-first castling was refused or objected to: any rook move is open again."""
    kept: tuple[Move, ...] = ()
    """Moves to which a release before a reinstated position still commits (7.5.1 with 4.7)."""
    stops: list[tuple[int, Footprint]] = field(default_factory=list)
    """(index of the change after it, move) of every complete reading that was followed by a lift of its own landing: a stop
    on a slide, or a move whose unit the opponent is about to capture."""
    landed: int = 0
    """Squares that had filled in this turn when their reeds were called lost: a man may have come to stand there."""
    _footprints: Footprints | None = None
    _obligation: tuple[object, Obligation] | None = None

    @classmethod
    def fresh(cls, game: Game, masked: int = 0) -> Turn:
        """A turn that begins with the board standing as the position says."""
        return cls(game=game, trace=Trace(game.position.occupied), masked=masked)

    @property
    def position(self) -> Position:
        """The position at the turn's start."""
        return self.game.position

    @property
    def mover(self) -> Side:
        """The side whose turn it is."""
        return side_of(self.position)

    @property
    def footprints(self) -> Footprints:
        """The legal moves' footprints, compiled when first asked for."""
        if self._footprints is None:
            self._footprints = Footprints(self.position, self.masked)
        return self._footprints

    def remask(self, masked: int) -> None:
        """Trust other squares than before; what they did meanwhile is taken as it was expected."""
        for square in squares_of(self.filled & masked):
            self.landed |= 1 << square if square in self.trace.last_place else 0
        kept = [change for change in self.trace.changes if not masked >> change.square & 1]
        self.masked = masked
        self._footprints = self._obligation = None
        self.trace = Trace(self.position.occupied, kept)

    def adjusted(self, square: int, lifted_ns: int) -> None:
        """An announced unit, lifted at that time, stands again at home: neither a touch nor part of a move (4.2.1)."""
        changes = self.trace.changes
        gone = {index for index, one in enumerate(changes) if one.square == square and one.at_ns >= lifted_ns}
        self.stops = [(index - sum(one < index for one in gone), stop) for index, stop in self.stops]
        self.trace = Trace(self.footprints.before, (one for index, one in enumerate(changes) if index not in gone))

    def trace_without(self, squares: int) -> Trace:
        """The trace as if these squares had not changed."""
        return Trace(self.footprints.before, (one for one in self.trace.changes if not squares >> one.square & 1))

    def copy(self) -> Turn:
        """An independent copy; the compiled footprints are shared."""
        twin = Turn(self.game, self.trace.copy(), self.masked)
        twin.touched = [(at_ns, list(group)) for at_ns, group in self.touched]
        twin.words = list(self.words)
        twin.bound, twin.must_castle, twin.may_release = self.bound, self.must_castle, self.may_release
        twin.stops, twin.landed = list(self.stops), self.landed
        twin.kept, twin._footprints = self.kept, self._footprints
        return twin

    # ---- units

    def is_own(self, square: int) -> bool:
        """Whether a unit of the side to move stood on a square when the turn began."""
        piece = self.position.piece_at(square)
        return piece is not None and piece.color is self.position.turn

    def is_enemy(self, square: int) -> bool:
        """Whether a unit of the other side stood on a square when the turn began."""
        piece = self.position.piece_at(square)
        return piece is not None and piece.color is not self.position.turn

    @property
    def opened(self) -> int:
        """Squares that a unit has left and nothing fills now."""
        return self.footprints.before & ~self.trace.occupancy & ~self.masked

    @property
    def filled(self) -> int:
        """Squares that were empty at the start and are not now."""
        return self.trace.occupancy & ~self.footprints.before & ~self.masked

    def own_in_air(self) -> list[int]:
        """Own units off their squares, those perhaps set down elsewhere included."""
        return [square for square in self.trace.last_lift if self.opened >> square & 1 and self.is_own(square)]

    def captures_in_hand(self) -> list[Move]:
        """The captures whose unit and victim are off their squares, and nothing else; what is filled is not looked at."""
        opened = self.opened
        if opened.bit_count() != 2:
            return []
        return [
            move
            for move in self.position.legal_moves()
            if (victim := self.position.captured_square(move)) is not None and 1 << victim | move.from_bit == opened
        ]

    def captures_under_way(self) -> bool:
        """Whether the mover may be carrying a capture out.

        Should his unit have been set down already, it must be between the two, or on one square where it may stand.
        """
        filled = self.filled
        return any(
            all(_between(move.from_square, square, move.to_square) for square in squares_of(filled))
            or (filled.bit_count() == 1 and self.can_stand(move.from_square, filled.bit_length() - 1))
            for move in self.captures_in_hand()
        )

    # ---- touches

    def touch(self, square: int, at_ns: int) -> None:
        """Record a touch; lifts with one time stamp are one scan, their order unknown."""
        if any(square in group for _, group in self.touched):
            return
        if self.touched and self.touched[-1][0] == at_ns:
            self.touched[-1][1].append(square)
        else:
            self.touched.append((at_ns, [square]))

    def forget(self, squares: Iterable[int]) -> None:
        """Take back touches: a knock, an accident, the mover straightening his own unit."""
        gone = set(squares)
        self.touched = [
            (at_ns, kept)
            for at_ns, group in self.touched
            if (kept := [square for square in group if square not in gone])
        ]
        if not any(len(group) > 1 for _, group in self.touched):
            self.unreport("simultaneous_lifts")

    def touched_squares(self) -> list[int]:
        """The units touched, in order of their scans."""
        return [square for _, group in self.touched for square in group]

    def obligation(self, *, verified: bool = False, released: bool = True) -> Obligation:
        """What Article 4 asks of the side to move now.

        ``verified`` leaves out enemy units that were lifted and put back, since nobody knows whose hand it was.
        ``released`` False asks what was owed by the touches alone, before a unit's place committed to anything: that is
        what a move breaks or keeps.
        """
        groups: Sequence[Sequence[int]] = [group for _, group in self.touched]
        if verified:
            back = set(self.unverified())
            groups = [kept for group in groups if (kept := [square for square in group if square not in back])]
        release = committed(self.footprints, self.trace) if self.may_release and released else ()
        if not release and self.kept and not self.filled:
            release = self.kept
        state = (tuple(map(tuple, groups)), release, self.must_castle, self.bound)
        if self._obligation is not None and self._obligation[0] == state:
            return self._obligation[1]
        duty = self._bound_to(release, groups) or owed(self.position, groups, release, must_castle=self.must_castle)
        self._obligation = (state, duty)
        return duty

    def _bound_to(self, release: tuple[Move, ...], groups: Sequence[Sequence[int]]) -> Obligation | None:
        """The duty that a claim or an early choice of piece has made, unless touches owe something else already."""
        bound = self.bound
        if bound is None:
            return None
        if bound.article == EARLY_CHOICE:
            touched = owed(self.position, groups, must_castle=self.must_castle)
            if bound.moves is not None and not any(touched.permits(move) for move in bound.moves):
                return touched
        both = [move for move in release if bound.permits(move)]
        return exact(both, "4.7", own=both[0].from_square) if both else bound

    def unverified(self) -> list[int]:
        """Enemy units lifted and put back with no own unit in the air: whose hand it was is unknown."""
        return [
            square
            for square in self.touched_squares()
            if self.is_enemy(square) and f"toucher_unverified:{SQUARE_NAMES[square]}" in self.words
        ]

    # ---- words

    def report(self, word: str) -> None:
        """Report a word of the contract, once."""
        if word not in self.words:
            self.words.append(word)

    def unreport(self, *stems: str) -> None:
        """Take back every word of these stems, or whole words."""
        self.words = [word for word in self.words if word not in stems and word.split(":")[0] not in stems]

    # ---- rests (4.7)

    def rests(self) -> list[tuple[int, int, int]]:
        """(origin, square, ns) of each stop of an own unit on a square to which it had a legal move, and went on from."""
        stops: list[tuple[int, int, int]] = []
        air: list[int] = []
        standing: dict[int, tuple[int, int]] = {}
        for change in self.trace.changes:
            square = change.square
            if change.occupied:
                origin = next((one for one in reversed(air) if self.can_stand(one, square)), None)
                if square in air:
                    air.remove(square)
                elif origin is not None:
                    standing[square] = (origin, change.at_ns)
            elif square in standing:
                origin, since_ns = standing.pop(square)
                stops.append((origin, square, change.at_ns - since_ns))
            elif self.is_own(square) and square not in air:
                air.append(square)
        return stops

    def can_stand(self, origin: int, square: int) -> bool:
        """Whether a legal move puts the unit of one square on another."""
        if any(move.from_square == origin and move.to_square == square for move in self.position.legal_moves()):
            return True
        return any((origin, square) in one.legs for one in self.footprints.castlings)

    def release_words(self, origin: int | None = None, landing: int | None = None) -> list[str]:
        """The reports that Article 4.7 asks for: long rests, and stops beside the way of the unit that now stands."""
        words = []
        for start, square, ns in self.rests():
            to = landing if start == origin and landing != square else None
            if ns >= LONG_REST_NS or (to is not None and not on_the_way(start, square, to)):
                tail = "" if to is None else f">{SQUARE_NAMES[to]}"
                words.append(f"possible_release_change:{SQUARE_NAMES[square]}{tail}")
        return words


def _between(origin: int, square: int, target: int) -> bool:
    """Whether a square lies in the rectangle that two others span: on their way, or beside it for a knight."""
    files = sorted((origin & 7, target & 7))
    ranks = sorted((origin >> 3, target >> 3))
    return files[0] <= square & 7 <= files[1] and ranks[0] <= square >> 3 <= ranks[1]


def on_the_way(origin: int, square: int, landing: int) -> bool:
    """Whether a square lies between two others on a rank, file or diagonal."""
    way = (landing & 7) - (origin & 7), (landing >> 3) - (origin >> 3)
    part = (square & 7) - (origin & 7), (square >> 3) - (origin >> 3)
    if way[0] * part[1] != way[1] * part[0]:
        return False
    return all(min(0, w) <= p <= max(0, w) for w, p in zip(way, part, strict=True))
