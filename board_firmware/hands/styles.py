"""Four pairs of hands: the steps of a move given times, and the slips, slides and second thoughts of people.

A style is a table of numbers; `gesture` rolls the dice, from the generator that it is handed, so that a seed is a game.
Everything a style does is allowed to a player: no hand touches a unit it need not move, except after announcing it,
or by shifting it in place, or with the elbow once its own unit is in the air. So whatever comes out, one move was meant
and one move was made.

Source: hand times, landing errors and wobbles as in the reed model's figures: minimum-jerk paths of 150-600 ms,
landing errors of 4 mm (one standard deviation), rough slides of 50-400 mm/s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from board_firmware.core.events import Side
from board_firmware.hands.orders import Legs, Step, legs, orders, path
from hal.motion import Blip, Drag, Lift, Motion, Nudge, Place, Point, PressButton, PressLever, centre, end_ms
from rules import Move, Position, squares_of

Span = tuple[float, float]

SQUARE_MM = 50.0
"""Side of a square of the simulated board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One kind of player. Spans are ms, drawn evenly; shares are 0..1 of moves (or of the moves that allow it)."""

    lift_ms: Span = (250, 250)
    carry_ms: Span = (100, 100)
    place_ms: Span = (250, 250)
    between_ms: Span = (150, 150)
    """From one unit off the board until the hand has hold of the next."""
    offset_mm: float = 0.0
    """Landing error, one standard deviation."""
    offset_limit_mm: float = 12.0
    think_ms: Span = (400, 400)
    """From the opponent's press, or his release without one, until this hand sets out."""
    press_ms: Span = (150, 150)
    """From the last unit at rest until the press; negative: pressed while it comes to rest."""
    usual_order: bool = False
    """Always the first of the orders that the Laws allow."""
    wobble: float = 0.0
    """Share of placements that rock, up to three times 2-35 ms."""
    slide: float = 0.0
    speed_mm_s: Span = (150, 400)
    rest: float = 0.0
    """Share of slides that rest on a square of the way."""
    rest_ms: Span = (100, 800)
    hesitate: float = 0.0
    """Share of moves set down on a square of the way first, the hand staying on."""
    change: float = 0.0
    """Share of moves set down on another square to which the unit could go, the hand staying on."""
    hover: float = 0.0
    """Share of moves carried a few mm above the squares of the way."""
    shift: float = 0.0
    """Share of moves before which a unit is shifted in place, without lifting."""
    announce: float = 0.0
    """Share of moves before which a unit is lifted and straightened, announced by the button."""
    straighten: float = 0.0
    """Share of moves after which the unit that moved is straightened before the press."""
    edge: float = 0.0
    """Share of placements on the edge of the square, put right half a second later."""
    push: float = 0.0
    """Share of captures whose victim is pushed from the board by its captor."""
    together: float = 0.0
    """Share of captures in which two hands are in the air at once."""
    bump: float = 0.0
    """Share of moves that brush against a neighbour of the landing square."""
    early_choice: float = 0.0
    """Share of promotions whose piece is chosen by button before the pawn goes."""
    watches: bool = True
    """Sets out only when the board shows that it has seen the opponent's move; False: plays by eye."""


TIDY = Style(usual_order=True)

HUMAN = Style(
    lift_ms=(150, 400), carry_ms=(50, 500), place_ms=(150, 450), between_ms=(80, 500), offset_mm=4.0,
    think_ms=(300, 3000), press_ms=(100, 900), wobble=0.3, slide=0.10, rest=0.15, hesitate=0.03, change=0.005,
    hover=0.04, shift=0.04, announce=0.01, straighten=0.04, together=0.15, bump=0.02, early_choice=0.2,
)  # fmt: skip

ROUGH = Style(
    lift_ms=(120, 300), carry_ms=(20, 300), place_ms=(100, 300), between_ms=(40, 300), offset_mm=5.0,
    think_ms=(250, 1500), press_ms=(60, 500), wobble=0.5, slide=0.35, speed_mm_s=(50, 400), rest=0.25, hesitate=0.05,
    change=0.01, hover=0.08, shift=0.06, announce=0.005, straighten=0.06, edge=0.06, push=0.10, together=0.3, bump=0.10,
    early_choice=0.1,
)  # fmt: skip

BLITZ = Style(
    lift_ms=(80, 140), carry_ms=(10, 60), place_ms=(70, 130), between_ms=(20, 100), offset_mm=3.5, offset_limit_mm=9.0,
    think_ms=(-40, 250), press_ms=(-30, 120), wobble=0.2, slide=0.15, speed_mm_s=(400, 900), hover=0.05, shift=0.01,
    together=0.4, bump=0.02, early_choice=0.3, watches=False,
)  # fmt: skip

"""Lands where every reed sees it: nobody looks at lamps in blitz, and a unit that no reed sees is lost to the board."""

STYLES: Mapping[str, Style] = {"tidy": TIDY, "human": HUMAN, "rough": ROUGH, "blitz": BLITZ}

SHIFTED_MM = 8.0
"""A unit shifted in place ends no further from the centre: even the dullest reed holds there, so nobody has touched it."""

TAKEN_HOLD_MS = 120.0
"""The least from one unit's coming to rest until another hand has hold of it: nobody takes what is not there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """A hand's motions for one move, in ms from its beginning."""

    motions: tuple[Motion, ...]
    rest_ms: float
    """When the last unit is at rest."""
    press_ms: float | None
    """When the clock is pressed; None: it is not."""
    touches: Mapping[int, float] = field(default_factory=dict)
    """When the hand first reaches for each square."""


def gesture(
    position: Position, move: Move, side: Side, style: Style, random: Random, *, presses: bool = True
) -> Gesture:
    """One move by one pair of hands."""
    script = _Script(position, move, style, random)
    script.prepare(side)
    script.play()
    return script.finished(side, presses)


class _Script:
    """The motions of a gesture being written, with the time the hand has reached."""

    def __init__(self, position: Position, move: Move, style: Style, random: Random) -> None:
        self.position = position
        self.move = move
        self.legs: Legs = legs(position, move)
        self.style = style
        self.random = random
        self.now = 0.0
        self.motions: list[Motion] = []
        self.let_go = 0.0
        """When the unit set down last has done rocking in the hand."""
        self.renamed: int | None = None
        """The square that the moving unit rested on; in the air again it is named by that."""

    def span(self, span: Span) -> float:
        return span[0] if span[0] == span[1] else self.random.uniform(*span)

    def happens(self, share: float) -> bool:
        return share > 0 and self.random.random() < share

    def offset(self, sigma_mm: float | None = None) -> Point:
        """Where a unit comes to stand off the centre; of one that is only shifted, never so far that a reed opens."""
        sigma = self.style.offset_mm if sigma_mm is None else sigma_mm
        if sigma == 0:
            return 0.0, 0.0
        x, y = self.random.gauss(0, sigma), self.random.gauss(0, sigma)
        length, limit = (x * x + y * y) ** 0.5, self.style.offset_limit_mm if sigma_mm is None else SHIFTED_MM
        return (x, y) if length <= limit else (x * limit / length, y * limit / length)

    def others(self) -> list[int]:
        """The units that the move has nothing to do with."""
        one = self.legs
        mine = {one.origin, one.landing, one.victim, one.rook_from, one.rook_to}
        return [square for square in squares_of(self.position.occupied) if square not in mine]

    # ---- before

    def prepare(self, side: Side) -> None:
        """What may come before the move: shifting in place, announced adjusting, an early choice."""
        others = self.others()
        if others and self.happens(self.style.shift):
            self.nudge(self.random.choice(others), self.offset(3.0))
            self.now += 150
        if others and self.happens(self.style.announce):
            self.motions.append(PressButton(button=f"adjust_{side}", at_ms=self.now))
            self.now += self.span((300, 600))
            for square in self.random.sample(others, min(len(others), self.random.choice((1, 1, 2)))):
                self.raise_unit(square)
                self.now += self.span((50, 200))
                self.set_down(square, square, self.offset(1.5))
                self.now += self.span((150, 400))
            self.now += 150
            self.motions.append(PressButton(button=f"adjust_{side}", at_ms=self.now))
            self.now += self.span((200, 500))
        if self.move.promotion is not None and self.happens(self.style.early_choice):
            self.motions.append(PressButton(button=f"promote_{'nbrq'[self.move.promotion - 2]}", at_ms=self.now))
            self.now += self.span((200, 500))

    # ---- the move

    def play(self) -> None:
        """The move itself, slid, pushed, carried low or step by step."""
        one, style = self.legs, self.style
        if one.kind == "capture" and self.happens(style.push) and self.is_clear():
            self.push_victim()
            return
        if one.kind in ("plain", "capture") and self.happens(style.slide) and self.is_clear():
            if one.victim is not None:
                self.raise_unit(one.victim)
                self.now += self.span(style.between_ms)
            self.slide()
            return
        steps = orders(self.position, self.move)
        self.steps(steps[0] if style.usual_order else self.random.choice(steps))

    def is_clear(self) -> bool:
        """Whether the unit can slide to its landing: every square of the way empty, and there is one."""
        return not any(self.position.occupied >> square & 1 for square in path(self.legs.origin, self.legs.landing))

    def steps(self, steps: tuple[Step, ...]) -> None:
        style = self.style
        previous: Step | None = None
        for step in steps:
            if step.lifts:
                both = previous is not None and previous.lifts and self.legs.kind != "castling"  # there the king leads
                if both and self.happens(style.together):
                    self.now = max(0.0, self.now - self.span((60, 250)))
                elif previous is not None:
                    self.now += self.span(style.between_ms)
                self.raise_unit(step.square)
            elif step.of == self.legs.origin and step.square == self.legs.landing:
                self.on_the_way()
                self.carry(step)
            else:
                self.carry(step)
            previous = step

    def on_the_way(self) -> None:
        """Second thoughts: the unit rests on a square of its way, or on another it could go to, hand on."""
        style, origin = self.style, self.legs.origin
        stops = [square for square in path(origin, self.legs.landing) if not self.position.occupied >> square & 1]
        if self.legs.kind not in ("plain", "capture"):
            return
        if stops and self.happens(style.hesitate):
            self.rest_on(self.random.choice(stops))
        elif self.happens(style.change):
            could = [
                move.to_square
                for move in self.position.legal_moves()
                if move.from_square == origin and not self.position.occupied >> move.to_square & 1
                and not self.position.is_castling(move) and move.promotion is None
                and move.to_square != self.legs.landing
            ]  # fmt: skip
            if could:
                self.rest_on(self.random.choice(could))

    def rest_on(self, square: int) -> None:
        origin = self.legs.origin
        self.now = max([self.now, *(end_ms(motion) for motion in self.motions if isinstance(motion, Lift))])
        self.now += self.span(self.style.carry_ms)
        self.set_down(square, origin)
        self.now += self.span(self.style.rest_ms)
        self.raise_unit(square)
        self.renamed = square

    def carry(self, step: Step) -> None:
        style = self.style
        lifted = [end_ms(motion) for motion in self.motions if isinstance(motion, Lift)]
        self.now = max([self.now, *lifted]) + self.span(style.carry_ms)
        of = step.of
        if of == self.legs.origin and self.renamed is not None:
            of, self.renamed = self.renamed, None
        elif of == self.legs.origin and self.happens(style.hover) and self.is_low_way_clear():
            self.carry_low()
            return
        self.set_down(step.square, of)

    def is_low_way_clear(self) -> bool:
        return self.legs.kind == "plain" and self.is_clear()

    def carry_low(self) -> None:
        """Instead of high through the air: a few mm above the squares of the way."""
        origin = self.legs.origin
        self.motions = [motion for motion in self.motions if not (isinstance(motion, Lift) and motion.square == origin)]
        self.drag(height_mm=self.random.uniform(5, 25))

    def slide(self) -> None:
        rests: tuple[float, ...] = ()
        way = path(self.legs.origin, self.legs.landing)
        if way and self.happens(self.style.rest):
            rests = tuple(self.span(self.style.rest_ms) if self.random.random() < 0.5 else 0.0 for _ in way)
        self.drag(rests)

    def drag(self, rests: tuple[float, ...] = (), height_mm: float = 0.0) -> None:
        one = self.legs
        motion = Drag(
            square=one.origin,
            path=(*path(one.origin, one.landing), one.landing),
            at_ms=self.now,
            speed_mm_s=self.span(self.style.speed_mm_s),
            pauses_ms=rests,
            height_mm=height_mm,
            offset_mm=self.offset(),
        )
        self.motions.append(motion)
        self.now = end_ms(motion)
        self.wobble(one.landing)

    def push_victim(self) -> None:
        """The captor pushes the victim from its square; a hand sweeps it along a line between squares off the board."""
        one = self.legs
        assert one.victim is not None
        self.slide()
        x, y = centre(one.victim, SQUARE_MM)
        half = SQUARE_MM / 2
        aside = y + (half if y < 3.5 * SQUARE_MM else -half)
        to_left = x < 3.5 * SQUARE_MM
        corner = (x - half if to_left else x + half, aside)
        beside = (-1.5 * SQUARE_MM if to_left else 8.5 * SQUARE_MM, aside)
        starts = max(0.0, self.now - self.span((150, 350)))
        sweep = Drag(square=one.victim, path=(corner, beside), at_ms=starts, speed_mm_s=self.span((250, 600)), off=True)
        self.motions.append(sweep)
        self.now = max(self.now, end_ms(sweep))

    # ---- motions

    def raise_unit(self, square: int) -> None:
        motion = Lift(square=square, at_ms=self.now, ms=self.span(self.style.lift_ms))
        self.motions.append(motion)
        self.now = end_ms(motion)

    def set_down(self, square: int, of: int | None, offset: Point | None = None) -> None:
        on_edge = offset is None and self.happens(self.style.edge)
        if offset is None:
            offset = self._edge() if on_edge else self.offset()
        motion = Place(square=square, of=of, at_ms=self.now, ms=self.span(self.style.place_ms), offset_mm=offset)
        self.motions.append(motion)
        self.now = end_ms(motion)
        if on_edge:
            self.now += self.span((200, 600))
            self.nudge(square, self.offset(2.0))
        else:
            self.wobble(square)

    def _edge(self) -> Point:
        far = self.random.uniform(14, 22)
        return self.random.choice(((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far)))

    def nudge(self, square: int, offset_mm: Point) -> None:
        motion = Nudge(square=square, offset_mm=offset_mm, at_ms=self.now, ms=self.span((100, 250)))
        self.motions.append(motion)
        self.now = end_ms(motion)

    def wobble(self, square: int) -> None:
        if self.happens(self.style.wobble):
            at_ms = self.now
            for _ in range(self.random.randint(1, 3)):
                at_ms += self.span((5, 30))
                ms = self.span((2, 35))
                self.motions.append(Blip(square=square, at_ms=at_ms, ms=ms))
                at_ms += ms
            self.let_go = at_ms

    # ---- after

    def finished(self, side: Side, presses: bool) -> Gesture:
        """What may come after the move, the press, and the gesture as a value."""
        others = [square for square in self.others() if _is_near(square, self.legs.landing)]
        if others and self.happens(self.style.bump):
            square = self.random.choice(others)
            at_ms = self.now - self.span((0, 80))
            if self.random.random() < 0.5:
                self.motions.append(Blip(square=square, at_ms=at_ms, ms=self.span((3, 25))))
            else:
                self.motions.append(Nudge(square=square, offset_mm=self.offset(4.0), at_ms=at_ms, ms=120))
        if self.legs.kind in ("plain", "capture") and self.happens(self.style.straighten):
            self.now += self.span((200, 500))
            self.nudge(self.legs.landing, self.offset(1.5))
        rest = max(end_ms(motion) for motion in self.motions if not isinstance(motion, Blip | PressButton))
        rest = max(rest, self.let_go)
        press: float | None = None
        if presses:
            press = max(0.0, self.let_go, self.now + self.span(self.style.press_ms))  # the hand that moved presses
            self.motions.append(PressLever(side=side, at_ms=press))
        touches: dict[int, float] = {}
        for motion in self.motions:
            if isinstance(motion, PressLever | PressButton):
                continue
            way = [one for one in motion.path if isinstance(one, int)] if isinstance(motion, Drag) else []
            for square in (motion.square, *way):
                touches[square] = min(motion.at_ms, touches.get(square, motion.at_ms))
        return Gesture(motions=tuple(self.motions), rest_ms=rest, press_ms=press, touches=touches)


def _is_near(square: int, other: int) -> bool:
    return abs((square & 7) - (other & 7)) <= 1 and abs((square >> 3) - (other >> 3)) <= 1
