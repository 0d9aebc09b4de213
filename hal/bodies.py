"""Chessmen as bodies over 64 reeds: from how they move to when each reed's contact opens and closes, without stepping.

Bodies at rest are summed into one background field a reed. While a body moves, each reed near its path first gets a
bound: if the most that the body can add or take cannot reach the reed's threshold, the reed is left alone. Only for the
others the way is sampled a few mm apart and each crossing of pull-in or drop-out is halved down to microseconds. Bodies
that move at once are summed; a reed whose crossings were computed ahead is computed anew when another body sets out.
A body reaches the reeds of its own square and the eight around it.

All that is to happen stands in one heap of ``(at_ns, order, what, ...)`` that the board empties in order of time.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappush
from random import Random
from typing import Any

from hal.motion import CLEAR_MM, SHARE_OF_TIME, STEPS, Drag, Leg, Lift, Motion, Nudge, Place, legs_of, progress
from hal.reeds import ReedSettings, bounces, bounds_of, field_of, thresholds

SAMPLE_MM = {"vertical": 3.0, "horizontal": 1.0}
"""Between two samples of a way: an eighth of the closing disc; the null above a lying reed is but a millimetre wide."""

NEAR_MM = 45.0
"""Beyond this a magnet's field changes too little between two samples to cross a threshold twice."""

STRAIGHT_MM = 4.0
"""A magnet that rises this near to an upright reed's axis weakens steadily: its one crossing needs no samples."""

EXACT_NS = 20_000
"""How exactly a crossing is found: a tenth of the least delay of a reed."""

FOREVER_NS = 1 << 62


class Body:
    """One chessman: where it is in mm, and its magnet's strength relative to the nominal one."""

    __slots__ = ("strength", "x", "y", "z")

    def __init__(self, x: float, y: float, strength: float) -> None:
        self.x, self.y, self.z = x, y, 0.0
        self.strength = strength


class Way:
    """A body under way on a straight line, from ``t0`` to ``t1``, with the smooth start and stop of a hand."""

    __slots__ = ("body", "dx", "dy", "dz", "t0", "t1", "x", "y", "z")

    def __init__(self, body: Body, t0: int, leg: Leg) -> None:
        self.body = body
        self.t0, self.t1 = t0, t0 + max(1, round(leg.ms * 1e6))
        self.x, self.y, self.z = body.x, body.y, body.z
        self.dx, self.dy, self.dz = leg.x - body.x, leg.y - body.y, leg.z - body.z

    @property
    def mm_per_ns(self) -> float:
        """The speed in the middle of the way, its highest."""
        return float(1.875 * (self.dx**2 + self.dy**2 + self.dz**2) ** 0.5 / (self.t1 - self.t0))

    def share(self, at_ns: int) -> float:
        """How much of the way lies behind at a time, 0..1."""
        if at_ns >= self.t1:
            return 1.0
        return progress((at_ns - self.t0) / (self.t1 - self.t0)) if at_ns > self.t0 else 0.0


class Bodies:
    """All chessmen and the magnetic state of all reeds; ``agenda`` is the heap that the board empties."""

    def __init__(self, settings: ReedSettings, random: Random, agenda: list[Any]) -> None:
        self.settings = settings
        self.agenda = agenda
        self.slips = 0  # hands that found nothing to lift
        self.resting: dict[int, list[Body]] = {}
        self.in_air: dict[int, Body] = {}
        self._random = random
        self._field = field_of(settings)
        self._bounds = bounds_of(self._field)
        self.pull_in, self.drop_out = thresholds(settings, random)
        size = settings.square_mm
        self._reach_mm = 1.5 * size
        self._sample_mm = SAMPLE_MM[settings.orientation]
        self._centres = [((square & 7) * size, (square >> 3) * size) for square in range(64)]
        self._ring = [
            tuple(
                (row * 8 + column, column * size, row * size)
                for row in range(max(0, (square >> 3) - 1), min(8, (square >> 3) + 2))
                for column in range(max(0, (square & 7) - 1), min(8, (square & 7) + 2))
            )
            for square in range(64)
        ]
        self._order = 0
        self._clear()

    def _clear(self) -> None:
        self.background = [0.0] * 64  # mT of all bodies at rest
        self.pulled = [False] * 64  # magnetic state of each reed, as of the last look
        self._ahead: list[list[tuple[int, bool]]] = [[] for _ in range(64)]  # crossings computed, not yet passed
        self._token: list[list[int]] = [[FOREVER_NS] for _ in range(64)]  # crossings later than this are void
        self._last_edge = [0] * 64
        self._moving: list[Way] = []

    def set_up(self, occupancy: int, spread_mm: float = 0.0) -> None:
        """Stand chessmen on the squares of ``occupancy`` at once, all else off the board; reeds follow silently."""
        self._clear()
        self.in_air = {}
        self.resting = {}
        gauss = self._random.gauss
        for square in range(64):
            if occupancy >> square & 1:
                x, y = self._centres[square]
                body = Body(x + gauss(0, spread_mm), y + gauss(0, spread_mm), self._strength())
                self.resting[square] = [body]
                self._rest(body)
        for square in range(64):
            self.pulled[square] = abs(self.background[square]) >= self.pull_in[square]

    def field_mt(self, square: int, at_ns: int) -> float:
        """The field at a reed now, all bodies together."""
        return self._felt(square, self._moving, at_ns)

    def begin(self, motion: Motion, at_ns: int) -> None:
        """A hand sets out on a `Lift`, `Place`, `Drag` or `Nudge`; nothing to take hold of is a slip, and counted."""
        square_mm = self.settings.square_mm
        if isinstance(motion, Lift):
            lifted = self._take(motion.square)
            if lifted is not None:
                leg = Leg(x=lifted.x, y=lifted.y, z=CLEAR_MM, ms=motion.ms)
                self._start(lifted, at_ns, leg, True, self._raising(lifted, motion.square))
        elif isinstance(motion, Place):
            x, y = self._centres[motion.square]
            x, y = x + motion.offset_mm[0], y + motion.offset_mm[1]
            if motion.of is None:
                raised = Body(x, y, self._strength())
            elif motion.of in self.in_air:
                raised = self.in_air.pop(motion.of)
            else:
                self.slips += 1
                return
            raised.x, raised.y, raised.z = x, y, CLEAR_MM
            self._start(raised, at_ns, Leg(x=x, y=y, z=0.0, ms=motion.ms), False, self._landing(raised, motion.square))
        elif isinstance(motion, Drag):
            body = self._take(motion.square)
            if body is not None:
                self._follow(body, at_ns, legs_of(motion, square_mm), motion)
        elif isinstance(motion, Nudge):
            body = self._take(motion.square)
            if body is not None:
                x, y = self._centres[motion.square]
                leg = Leg(x=x + motion.offset_mm[0], y=y + motion.offset_mm[1], z=0.0, ms=motion.ms)
                self._start(body, at_ns, leg, True, self._landing(body, motion.square))

    def arrive(self, way: Way, then: Callable[[int], None]) -> None:
        """A body has come to the end of its way."""
        self._moving.remove(way)
        body = way.body
        body.x, body.y, body.z = way.x + way.dx, way.y + way.dy, way.z + way.dz
        then(way.t1)

    def _strength(self) -> float:
        return max(0.5, self._random.gauss(1.0, self.settings.magnet_spread))

    def _take(self, square: int) -> Body | None:
        standing = self.resting.get(square)
        if not standing:
            self.slips += 1
            return None
        body = standing.pop(0)
        if not standing:
            del self.resting[square]
        return body

    def _raising(self, body: Body, square: int) -> Callable[[int], None]:
        def hold(_: int) -> None:
            self.in_air[square] = body

        return hold

    def _landing(self, body: Body, square: int) -> Callable[[int], None]:
        def land(_: int) -> None:
            self.resting.setdefault(square, []).append(body)
            self._rest(body)

        return land

    def _follow(self, body: Body, at_ns: int, legs: list[Leg], drag: Drag, was_resting: bool = True) -> None:
        leg, rest = legs[0], legs[1:]
        last = drag.path[-1]
        square = last if isinstance(last, int) else self._square_at(*last)

        def then(end_ns: int) -> None:
            if rest and not leg.rest_ms:
                self._follow(body, end_ns, rest, drag, False)
            elif rest:
                self._rest(body)
                resume_ns = end_ns + round(leg.rest_ms * 1e6)
                self.push(resume_ns, "call", lambda ns: self._follow(body, ns, rest, drag))
            elif not drag.off:
                self.resting.setdefault(square, []).append(body)
                self._rest(body)

        self._start(body, at_ns, leg, was_resting, then)

    def push(self, at_ns: int, *what: Any) -> None:
        """Put something on the agenda; of equal times the first put comes first."""
        self._order += 1
        heappush(self.agenda, (at_ns, self._order, *what))

    def _square_at(self, x: float, y: float) -> int:
        size = self.settings.square_mm
        column = min(7, max(0, round(x / size)))
        return min(7, max(0, round(y / size))) * 8 + column

    def _rest(self, body: Body, sign: float = 1.0) -> None:
        """Add a body at rest to the background of the reeds it reaches, or with -1 take it away."""
        field, background = self._field, self.background
        x, y, z, strength = body.x, body.y, body.z, body.strength * sign
        for reed, rx, ry in self._ring[self._square_at(x, y)]:
            background[reed] += strength * field(x - rx, y - ry, z)

    def _start(self, body: Body, at_ns: int, leg: Leg, was_resting: bool, then: Callable[[int], None]) -> None:
        way = Way(body, at_ns, leg)
        self.push(way.t1, "arrive", way, then)
        if was_resting:
            self._rest(body, -1.0)
        self._moving.append(way)
        together = len(self._moving) > 1
        farthest = len(self._bounds) - 1
        for reed, distance in self._concerned(way):
            ahead = self._ahead[reed]
            while ahead and ahead[0][0] <= at_ns:
                self.pulled[reed] = ahead.pop(0)[1]
            bound = 2 * body.strength * self._bounds[min(farthest, int(distance))]
            if together:
                for other in self._moving[:-1]:
                    bound += 2 * other.body.strength * self._bounds[self._apart(other, reed)]
            now = abs(self._felt(reed, self._moving, at_ns))
            still = now - bound > self.drop_out[reed] if self.pulled[reed] else now + bound < self.pull_in[reed]
            if still and not ahead:
                continue
            self._solve(reed, at_ns, way, together)

    def _concerned(self, way: Way) -> list[tuple[int, float]]:
        """The reeds that a way may concern, each with its distance from it in mm, seen from above."""
        if not way.dx and not way.dy:
            return [
                (reed, ((way.x - rx) ** 2 + (way.y - ry) ** 2) ** 0.5)
                for reed, rx, ry in self._ring[self._square_at(way.x, way.y)]
            ]
        first, last = self._square_at(way.x, way.y), self._square_at(way.x + way.dx, way.y + way.dy)
        columns = sorted((first & 7, last & 7))
        rows = sorted((first >> 3, last >> 3))
        found = []
        for row in range(max(0, rows[0] - 1), min(7, rows[1] + 1) + 1):
            for column in range(max(0, columns[0] - 1), min(7, columns[1] + 1) + 1):
                reed = row * 8 + column
                _, distance = self._closest(way, reed)
                if distance < self._reach_mm:
                    found.append((reed, distance))
        return found

    def _closest(self, way: Way, reed: int) -> tuple[float, float]:
        """Where along a way (0..1) it comes nearest to a reed, and how near in mm, seen from above."""
        rx, ry = self._centres[reed]
        x, y = way.x - rx, way.y - ry
        length2 = way.dx * way.dx + way.dy * way.dy
        share = min(1.0, max(0.0, -(x * way.dx + y * way.dy) / length2)) if length2 else 0.0
        x, y = x + share * way.dx, y + share * way.dy
        return share, float((x * x + y * y) ** 0.5)

    def _apart(self, way: Way, reed: int) -> int:
        return min(len(self._bounds) - 1, int(self._closest(way, reed)[1]))

    def _felt(self, reed: int, ways: list[Way], at_ns: int) -> float:
        rx, ry = self._centres[reed]
        total = self.background[reed]
        for way in ways:
            share = way.share(at_ns)
            x, y, z = way.x + share * way.dx, way.y + share * way.dy, way.z + share * way.dz
            total += way.body.strength * self._field(x - rx, y - ry, z)
        return total

    def _solve(self, reed: int, from_ns: int, way: Way, together: bool) -> None:
        """Compute a reed's crossings from now on and put the edges of its contact on the agenda."""
        self._token[reed][0] = from_ns
        token = self._token[reed] = [FOREVER_NS]
        settle_ns = from_ns + 1_500_000 + round(self.settings.bounce_cap_ms * 1e6)
        self._last_edge[reed] = min(self._last_edge[reed], settle_ns)
        crossings = self._crossings_together(reed, from_ns) if together else self._crossings(reed, way)
        self._ahead[reed] = crossings
        random = self._random
        for crossing_ns, closed in crossings:
            delay_ns = int((100_000 + 400_000 * random.random()) if closed else (20_000 + 180_000 * random.random()))
            at_ns = max(crossing_ns + delay_ns, self._last_edge[reed] + 1)
            if self.settings.bounce:
                for edge_ns, contact in bounces(closed, at_ns, self.settings.bounce_cap_ms, random):
                    self.push(edge_ns, "edge", reed, contact, crossing_ns, token)
                    at_ns = edge_ns
            else:
                self.push(at_ns, "edge", reed, closed, crossing_ns, token)
            self._last_edge[reed] = at_ns

    def _crossings(self, reed: int, way: Way) -> list[tuple[int, bool]]:
        """The crossings along one way while nothing else moves: ``(at_ns, closed)`` in order."""
        rx, ry = self._centres[reed]
        x, y, z, dx, dy, dz = way.x - rx, way.y - ry, way.z, way.dx, way.dy, way.dz
        background, strength, field = self.background[reed], way.body.strength, self._field
        pull_in, drop_out = self.pull_in[reed], self.drop_out[reed]
        found: list[tuple[int, bool]] = []
        closed = self.pulled[reed]
        before = 0.0
        exact = EXACT_NS / (way.t1 - way.t0)
        for u in self._samples(way, reed):
            share = progress(u)
            felt = abs(background + strength * field(x + share * dx, y + share * dy, z + share * dz))
            if (felt < drop_out) if closed else (felt >= pull_in):
                low, high = before, u
                while high - low > exact:
                    middle = (low + high) / 2
                    share = progress(middle)
                    felt = abs(background + strength * field(x + share * dx, y + share * dy, z + share * dz))
                    if (felt < drop_out) if closed else (felt >= pull_in):
                        high = middle
                    else:
                        low = middle
                closed = not closed
                found.append((way.t0 + int(high * (way.t1 - way.t0)), closed))
            before = u
        return found

    def _samples(self, way: Way, reed: int) -> list[float]:
        """The shares of time at which to look at a reed: a few mm apart where the way is near it, and both ends."""
        share, distance = self._closest(way, reed)
        flat2 = way.dx * way.dx + way.dy * way.dy
        length = (flat2 + way.dz * way.dz) ** 0.5
        if length == 0:
            return [0.0, 1.0]
        low, high = 0.0, 1.0
        if flat2 and distance < NEAR_MM:
            half = ((NEAR_MM * NEAR_MM - distance * distance) / flat2) ** 0.5
            low, high = max(0.0, share - half), min(1.0, share + half)
        elif distance < STRAIGHT_MM and not flat2 and self.settings.orientation == "vertical":
            return [0.0, 1.0]
        elif way.dz:
            inside = sorted(((NEAR_MM - way.z) / way.dz, -way.z / way.dz))
            low, high = max(0.0, inside[0]), min(1.0, inside[1])
        step = max(1, int(self._sample_mm * STEPS / length))
        return [0.0, *SHARE_OF_TIME[int(low * STEPS) : int(high * STEPS) + 1 : step], SHARE_OF_TIME[-1]]

    def _crossings_together(self, reed: int, from_ns: int) -> list[tuple[int, bool]]:
        """The crossings from now until all bodies that move now have arrived."""
        near = [way for way in self._moving if self._closest(way, reed)[1] < self._reach_mm]
        end_ns = max(way.t1 for way in near)
        closed = self.pulled[reed]
        pull_in, drop_out = self.pull_in[reed], self.drop_out[reed]
        found: list[tuple[int, bool]] = []
        before = from_ns
        fastest = max(way.mm_per_ns for way in near)
        step_ns = max(1_000_000, int(self._sample_mm / fastest)) if fastest else end_ns - from_ns + 1
        times = [*range(from_ns, end_ns, step_ns), end_ns]
        for at_ns in times:
            felt = abs(self._felt(reed, near, at_ns))
            if (felt < drop_out) if closed else (felt >= pull_in):
                low, high = before, at_ns
                while high - low > EXACT_NS:
                    middle = (low + high) // 2
                    felt = abs(self._felt(reed, near, middle))
                    if (felt < drop_out) if closed else (felt >= pull_in):
                        high = middle
                    else:
                        low = middle
                closed = not closed
                found.append((high, closed))
            before = at_ns
        return found
