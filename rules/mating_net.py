"""Whether a king could be mated on any square he could ever stand on, given where everything else could ever stand.

On each of his squares a mate needs a unit that checks, and for every flight square either a unit of the winner that
attacks it or a unit of his own that takes it up. A unit is in one place only, so this is a puzzle of placing: give each
unit at most one of its possible squares, no two the same, until check and flights are covered. Defences are left out
(a mate has to rule them out as well), so a puzzle that has no solution proves that the king cannot be mated there; one
that has a solution proves nothing.

Source: FIDE Laws 2023, 5.1.1; the counting of blockers and guards is Ambrona's (FUN 2022).
"""

from __future__ import annotations

from rules.attacks import KING
from rules.mobility import Mobility, attacks_from, officer_attacks
from rules.pieces import Color, PieceType
from rules.squares import squares_of

_PLACINGS = 2_000
"""Placings tried for one king before giving up, which is the safe side: nine proofs in ten need less than twenty, and
2,000 take about 30 ms on a PC."""

_Post = tuple[int, int]
"""A square for a unit, as a bit, and what it covers from there: flights, and the king's own square."""


def could_be_mated(mobility: Mobility, loser: Color) -> bool:
    """Whether mate of this side's king is not ruled out on every square he could stand on."""
    king = next(i for i, unit in enumerate(mobility.units) if unit.kind == PieceType.KING and unit.color is loser)
    placings = 0
    for square in squares_of(mobility.reach[king]):
        net = _Net(mobility, king, square, _PLACINGS - placings)
        if net.closes():
            return True
        placings += net.placings
    return False


class _Net:
    """The puzzle for one square of the king, with a limit on the placings tried."""

    def __init__(self, mobility: Mobility, king: int, square: int, limit: int) -> None:
        loser, bit, flights = mobility.units[king].color, 1 << square, KING[square]
        self.check = bit
        self.open = flights
        """Flights that nothing covers in any case."""
        self.hunters: list[tuple[_Post, ...]] = []
        self.blockers: list[int] = []
        self.placings = 0
        self.limit = limit
        lines = mobility.blocked & ~bit
        for index, (kind, color, _) in enumerate(mobility.units):
            if index == king:
                continue
            if color is loser:
                self._own(mobility.may_stand(index) & flights, mobility.stays(index))
                continue
            posts: list[_Post] = []
            for post in squares_of(mobility.reach[index] & ~bit):
                covers = attacks_from(kind, color, post, lines)
                if kind == PieceType.KING and covers & bit:
                    continue
                if covers & (flights | bit):
                    posts.append((1 << post, covers & (flights | bit)))
            for post in squares_of(mobility.promoted[index] & ~bit):
                covers = officer_attacks(post, lines) & (flights | bit)
                if covers:
                    posts.append((1 << post, covers))
            self._enemy(tuple(posts), mobility.stays(index))

    def _own(self, takes_up: int, stays: bool) -> None:
        if stays:
            self.open &= ~takes_up
        elif takes_up:
            self.blockers.append(takes_up)

    def _enemy(self, posts: tuple[_Post, ...], stays: bool) -> None:
        if stays and posts and not posts[0][1] & self.check:
            self.open &= ~posts[0][1]
        elif posts:
            self.hunters.append(posts)

    def closes(self) -> bool:
        """Whether the puzzle has a solution, or is too large to say."""
        hunters, blockers = tuple(range(len(self.hunters))), tuple(sorted(self.blockers))
        for checker in hunters:
            rest = tuple(hunter for hunter in hunters if hunter != checker)
            for post, covers in self.hunters[checker]:
                if covers & self.check and self._covered(self.open & ~covers, post, rest, blockers):
                    return True
        return False

    def _covered(self, flights: int, used: int, hunters: tuple[int, ...], blockers: tuple[int, ...]) -> bool:
        self.placings += 1
        if not flights or self.placings > self.limit:
            return True
        fewest = 1 << 30
        for square in squares_of(flights):
            bit = 1 << square
            posts = [
                (hunter, post, covers)
                for hunter in hunters
                for post, covers in self.hunters[hunter]
                if covers & bit and not post & used
            ]
            takers = [b for b in blockers if b & bit] if not used & bit else []
            if len(posts) + len(takers) < fewest:
                fewest, flight, ways, own = len(posts) + len(takers), bit, posts, takers
                if not fewest:
                    return False
        for taker in dict.fromkeys(own):
            rest = list(blockers)
            rest.remove(taker)
            if self._covered(flights & ~flight, used | flight, hunters, tuple(rest)):
                return True
        for hunter, post, covers in ways:
            if self._covered(flights & ~covers, used | post, tuple(h for h in hunters if h != hunter), blockers):
                return True
        return False
