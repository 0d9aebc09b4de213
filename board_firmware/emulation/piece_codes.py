"""Which unit stands on a closed square: piece codes for hosts that want them, from the game and the order of the reeds.

Pure. The rule: a closed square shows what the position in force has there. A square that closes where it has nothing
shows the unit in hand: the one that was lifted, or of several the one of the side to move that may legally land there;
when castling, king and rook each on its own square. A captured unit's square that closes again shows the mover. What
cannot be told so is shown empty, never guessed, until the game or the reeds tell it. Each unit of the position is shown
at most once, so no queen is ever invented, and kings are never shown alone on the centre squares while the game has
more men. The closed squares of the starting array always show the starting array, unless the game itself has just those
squares occupied. A capture by sliding shows nothing but the mover gone, until the game says what was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from board_firmware.emulation.guise import Standing
from hal.board import Side
from hal.placement import EMPTY, START, occupancy_of

_CENTRE = frozenset({27, 28, 35, 36})


def shown(
    reference: str,
    occupancy: int,
    trace: Iterable[tuple[int, bool]],
    *,
    turn: Side | None = "white",
    reach: Mapping[int, frozenset[int]] | None = None,
    castlings: tuple[tuple[int, int, int, int], ...] = (),
    start: str = START,
) -> str:
    """The placement to report.

    ``reference`` is the position in force, ``occupancy`` the closed squares when the ``trace`` began, ``trace`` the
    reeds since then as (square, closed). The rest is as in `Standing`.
    """
    codes = PieceCodes(occupancy)
    codes.stands(Standing(placement=reference, turn=turn, reach=reach or {}, castlings=castlings, start=start))
    for square, closed in trace:
        codes.changes(square, closed)
    return codes.placement


class PieceCodes:
    """The rule, step by step: the reeds and the game come in, `placement` is what to report.

    ``nameless`` is shown on a closed square whose unit cannot be told: empty for other people's programs.
    """

    def __init__(self, occupancy: int = occupancy_of(START), *, nameless: str = EMPTY) -> None:
        self._shown_nameless = nameless
        self._occupancy = occupancy
        self._standing = Standing()
        self._contents: dict[int, str] = {}
        self._home: dict[int, int] = {}  # a unit set down on a new square -> where the position has it
        self._hand: dict[int, str] = {}  # home -> unit, in the order of lifting
        self._nameless: list[int] = []
        self._lifted: list[int] = []  # open squares, the last lifted last
        self._box: dict[int, str] = {}  # home -> unit, captured in this trace
        self._snapped = False
        self._outdated: str | None = None  # the position that the client has left behind
        self._rebuild()

    @property
    def placement(self) -> str:
        """What to report of all 64 squares."""
        if self._snapped:
            return self._standing.start
        letters = [self._contents.get(square, EMPTY) for square in range(64)]
        for square in self._nameless:
            letters[square] = self._shown_nameless
        units = {letter for letter in letters if letter != EMPTY}
        if units and units <= {"K", "k"} and set(self._standing.placement) - {"K", "k", EMPTY}:
            for square in _CENTRE.intersection(self._home):
                letters[square] = EMPTY
        return "".join(letters)

    def stands(self, standing: Standing) -> None:
        """The position in force; nothing is rebuilt while it stays the same."""
        if standing.placement == self._outdated:
            return
        self._outdated = None
        same = standing.placement == self._standing.placement and standing.start == self._standing.start
        self._standing = standing
        if not same:
            self._snapped = False
            self._rebuild()
            self._snap()

    def occupied(self, occupancy: int) -> None:
        """All squares at once, after the order of the reeds was lost."""
        if occupancy != self._occupancy:
            self._occupancy = occupancy
            self._snapped = False
            self._rebuild()
            self._snap()

    def changes(self, square: int, closed: bool) -> None:
        """One reed has closed or opened."""
        if closed == bool(self._occupancy >> square & 1):
            return
        self._occupancy ^= 1 << square
        if self._snapped:
            # The client has a new game before our own session has: go on from the array it was shown.
            self._snapped = False
            self._outdated = self._standing.placement
            self._standing = Standing(start=self._standing.start, placement=self._standing.start, turn="white")
            self._rebuild()
            if not closed:
                self._hand = {square: self._standing.start[square]}
            return
        if closed:
            self._place(square)
        else:
            self._lift(square)
        self._snap()

    def _rebuild(self) -> None:
        """Read the occupancy against the position: what is missing is in hand, what is too much has come down."""
        reference = self._standing.placement
        self._contents, self._home, self._nameless, self._box = {}, {}, [], {}
        missing = []
        extra = []
        for square in range(64):
            closed = self._occupancy >> square & 1
            if closed and reference[square] != EMPTY:
                self._contents[square] = reference[square]
            elif closed:
                extra.append(square)
            elif reference[square] != EMPTY:
                missing.append(square)
        missing.sort(key=lambda square: self._lifted.index(square) if square in self._lifted else -1)
        self._hand = {square: reference[square] for square in missing}
        for square in extra:
            self._place(square)

    def _snap(self) -> None:
        array = occupancy_of(self._standing.start)
        if self._occupancy == array and occupancy_of(self._standing.placement) != array:
            self._snapped = True

    def _lift(self, square: int) -> None:
        if square in self._lifted:
            self._lifted.remove(square)
        self._lifted.append(square)
        if square in self._nameless:
            self._nameless.remove(square)
            return
        letter = self._contents.pop(square, EMPTY)
        if letter != EMPTY:
            self._hand[self._home.pop(square, square)] = letter

    def _place(self, square: int) -> None:
        home = self._choose(square)
        if home is None:
            self._nameless.append(square)
        else:
            self._set_down(home, square)
        if len(self._nameless) == 1 and len(self._hand) == 1:
            self._set_down(next(iter(self._hand)), self._nameless.pop())

    def _set_down(self, home: int, square: int) -> None:
        self._contents[square] = self._hand.pop(home)
        if home != square:
            self._home[square] = home
            # The unit whose square this was has been captured: it is in the box, not in a hand.
            if square in self._hand and self._is_mover(self._contents[square]):
                self._box[square] = self._hand.pop(square)

    def _choose(self, square: int) -> int | None:
        """The home of the unit that has come down here, None when it cannot be told."""
        self._put_back(square)
        if square in self._hand and len(self._hand) == 1:
            return square
        own = {home: letter for home, letter in self._hand.items() if self._is_mover(letter)}
        for king_from, king_to, rook_from, rook_to in self._standing.castlings:
            king_up = king_from in own or self._home.get(king_to) == king_from
            if square == king_to and king_from in own:
                return king_from
            if square == rook_to and rook_from in own and king_up and king_from not in self._contents:
                return rook_from
        able = [home for home in own if home != square and square in self._standing.reach.get(home, ())]
        if len(able) == 1:
            return able[0]
        if square in self._hand:
            return square
        if len(self._hand) == 1:
            return next(iter(self._hand))
        if len(own) == 1 and not able:
            return next(iter(own))
        return None

    def _put_back(self, square: int) -> None:
        """A capturer comes home, or a captured unit: what is in the box and what is in a hand is told anew."""
        for victim_home, victim in list(self._box.items()):
            if self._home.get(victim_home) == square:
                # The capturer cannot be in two places: what stands on its victim's square is the victim after all.
                self._hand[square] = self._contents[victim_home]
                self._contents[victim_home] = victim
                del self._home[victim_home], self._box[victim_home]
        if square in self._box and not self._hand:
            self._hand[square] = self._box.pop(square)

    def _is_mover(self, letter: str) -> bool:
        return self._standing.turn is not None and letter.isupper() == (self._standing.turn == "white")
