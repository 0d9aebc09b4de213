"""How one game stands: everything the session holds true, in one record that can be copied and put back.

The record decides nothing. Takebacks, rewinds and undone rulings are older copies put back; what must not be wound back
(the wood, the time, the log) lives outside the copy or is carried over by whoever restores it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from board_firmware.core.chain import Chain
from board_firmware.core.clock import Clock
from board_firmware.core.events import Decision, Side, SquareChanged
from board_firmware.core.footprint import Footprint
from board_firmware.core.settings import Settings
from board_firmware.core.turn import Turn
from hal.squares import SQUARE_NAMES
from rules import Game, Move, Position

AskWord = Literal[
    "promotion_piece", "which_capture", "which_move", "confirm_setup", "confirm_position", "actual_position",
    "confirm_result", "board_turned",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A move that the squares show and stillness, a press or another unit's lift has sealed; it can be revised."""

    footprint: Footprint
    move: Move | None
    """None while the promotion piece is open."""
    at_ns: int
    inferred: bool = False
    breach: tuple[str, ...] = ()
    """The violations that this move is."""
    pressed: bool = False
    """A tournament press came before the promotion piece was chosen."""
    named: bool = False
    """A person has said that it was this move."""
    irregular: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """A move that no later reed can revise."""

    move: Move
    side: Side
    before: Standing
    """How the game stood when this turn began, nothing touched."""
    touched: tuple[tuple[int, tuple[int, ...]], ...]
    words: tuple[str, ...]
    breach: tuple[str, ...]
    completed: bool = False
    pressed: bool = False
    at_ns: int = 0
    clock_s: float | None = None
    """What the mover's clock showed after the press, or when the move was made."""
    used_s: float | None = None
    inferred: bool = False
    irregular: bool = False
    """An illegal move that stands (A.5.2), or one from a diagram an arbiter set: not for the public PGN."""


TroubleKind = Literal[
    "refused", "illegal", "press_without_move", "in_the_air", "moved_after_release", "reply_to_illegal", "displaced",
    "objection", "two_hands", "promotion_missing", "promotion_changed", "takeback", "position", "appeared",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """An irregularity that is open: what it is, whose, and what closes it."""

    kind: TroubleKind
    side: Side
    """The offender, or the side that has the move in it."""
    expected: int
    """The occupancy that puts the wood right."""
    needs_resume: bool = False
    """The clocks were paused over it: an arbiter must resume them."""
    turn: Side | None = None
    """Who has the move while it is open; None: nobody."""
    words: tuple[str, ...] = ()
    """Reports that go when it is put right."""
    move: Move | None = None
    """The attempt, where it is one."""
    exchanged: int = 0
    """Squares rightly occupied, but by the wrong unit as long as nobody has lifted it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something the board asks, with the moves among which to choose."""

    word: AskWord
    candidates: tuple[Move, ...] = ()
    words: tuple[str, ...] = ()
    """Reports that go with the answer."""
    squares: tuple[tuple[int, str], ...] = ()
    """Squares on which an answer can be given at the board, with the choice each stands for."""
    side: Side | None = None
    proposal: str | None = None
    """The result proposed, for ``confirm_result``."""
    since: int = 0
    """How many changes the turn's trace held when it was asked: what came later may be the opponent's answer."""
    lost: int = 0
    """Squares from which men have vanished if it was one of the candidates: their reeds are lost then."""
    unjudged: tuple[Standing, int] | None = field(default=None, compare=False)
    """How the game stood before the press over which it is asked, and when that was: judged if the answer is "none"."""
    asked_ns: int = field(default=0, compare=False)
    """When it came up."""


@dataclass(slots=True)
class Knock:
    """Three squares or more opened in two scans: no touches, and the turn is frozen until they are filled."""

    squares: set[int]
    before: int
    """Occupancy before the knock."""
    at_ns: int
    pressed: bool = False


@dataclass(slots=True)
class Adjusting:
    """An announcement "I adjust" that is open."""

    side: Side
    entitled: bool
    """Whether the announcer has the move, so that a unit put elsewhere is his move."""
    since_ns: int
    in_air: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A press that is not judged yet: it waits for a unit in the air, or, friendly, for the move to be finished."""

    side: Side
    at_ns: int
    until_ns: int | None
    """None: it stands until the move is finished."""
    passed: bool = False
    """The clock has passed already; only the move is still in doubt."""


class Fault(NamedTuple):
    """What is wrong with a part of the board: the board's word for it, and the squares that cannot be believed."""

    reason: str
    squares: int


_NOT_WOUND_BACK = (
    "occupancy", "outbox", "now_ns", "recent_lifts", "faults", "masked", "doubted", "recovering", "recovered_ns",
    "has_failed",
)  # fmt: skip
"""What belongs to the wood, the wires and the time, not to the game."""


@dataclass(slots=True)
class Standing:
    """The whole state of one game."""

    settings: Settings
    clock: Clock
    game: Game
    """The game with every move that cannot be revised."""
    turn: Turn
    started: bool = True
    start_asked: tuple[int, int] | None = None
    """The squares that were wrong when the start was asked for and refused, and when that was said first."""
    trunk: int = 0
    """Plies of ``game`` that were played before the record began."""
    setup: Position | None = None
    reply: Turn | None = None
    """The next turn, while the made move can still be revised."""
    seen: Footprint | None = None
    made: Made | None = None
    plies: Chain[Ply] = field(default_factory=Chain)
    last_words: list[str] = field(default_factory=list)
    """What is reported of the last final move."""
    occupancy: int = 0
    recent_lifts: list[tuple[int, int]] = field(default_factory=list)
    last_change_ns: int = 0
    settle_at_ns: int | None = None
    knock: Knock | None = None
    adjusting: Adjusting | None = None
    press: Press | None = None
    withdrawable: tuple[Standing, Side, int] | None = None
    """How the game stood before a press inferred a capture, whose press it was and when."""
    answered_press: Side | None = None
    """A standing press has just completed this side's move: the same press given again means nothing."""
    ignored_press: int | None = None
    """Ply at which a press found no move: given again, the player insists that there is one."""
    trouble: Trouble | None = None
    question: Question | None = None
    later_question: Question | None = None
    noted: tuple[Press, ...] = ()
    """Presses given while it was asked what was played."""
    unread: tuple[SquareChanged | Press, ...] = ()
    """What came while it was asked what was played, to be read now that the answer is there."""
    choice_square: int | None = None
    """A lit square on which a promotion piece has been set as an answer."""
    paused: Literal["player", "flag", "claim", "trouble", "sensors"] | None = None
    """Why the clocks stand in mid-game; None: they do not."""
    lever: Side | None = None
    """The side whose clock runs, or would if there were one: the side whose press counts."""
    touched_since: bool = False
    """Whether the player who has the move has touched a unit since he got it."""
    legal: bool | None = None
    move_void: bool = False
    """The last move is not to be shown: an illegal one was taken back and none went before."""
    draw_offer: Side | None = None
    refused_offer: tuple[Side, int] | None = None
    """Whose offer a touch has refused, and at which ply."""
    takeback: Side | None = None
    newest_request: Literal["draw", "takeback"] | None = None
    violations: list[str] = field(default_factory=list)
    illegal: dict[Side, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    penalties: list[dict[str, Any]] = field(default_factory=list)
    flags: list[Side] = field(default_factory=list)
    """Flags down and not called, in the order in which they fell."""
    claim_open: bool | None = None
    result: str | None = None
    termination: str | None = None
    ended_by_move: bool = False
    completed: dict[Side, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    external: bool = False
    two_hands: Side | None = None
    """Noted and not yet pressed upon (7.5.4)."""
    recording_excused: bool = False
    unpromoted: bool = False
    """A person saw a pawn standing on its last rank: the promotion is not made."""
    masked: int = 0
    has_failed: bool = False
    """Squares have been lost in this game, if only for a while: from a reed's silence nothing is inferred any more."""
    doubted: int = 0
    """Of the masked squares those that an answer has shown to be wrong, not the board itself."""
    recovering: int = 0
    """Squares trusted again whose reeds may still have to catch up with what they were taken to be."""
    recovered_ns: int = 0
    """When squares were trusted again last."""
    faults: dict[str, Fault] = field(default_factory=dict)
    """By part, those that hold now."""
    rotated: bool = False
    sign_since_ns: int | None = None
    array_since_ns: int | None = None
    """Since when the wood shows the array of the beginning in mid-game."""
    sign_squares: tuple[int, ...] = ()
    alternative: Turn | None = None
    """The opponent's turn from the illegal position on the board (A.5.2, or an illegal move he answered)."""
    alternative_seen: Footprint | None = None
    wanted: list[tuple[str, Side]] = field(default_factory=list)
    """Proofs asked for and not yet answered: (FEN, side)."""
    undo: tuple[Standing, str] | None = None
    """How the game stood before the newest ruling, and its verb."""
    rejected: Standing | None = None
    """How the game stands again if the arbiter rejects the objection upheld provisionally."""
    outbox: list[Decision] = field(default_factory=list)
    now_ns: int = 0

    # ---- who

    @property
    def moving(self) -> Turn:
        """The turn of the player who has the move: passes when a move is made (1.3)."""
        return self.reply if self.made is not None and self.reply is not None else self.turn

    @property
    def to_move(self) -> Turn:
        """The turn of the player who has the move by the Laws: a promotion is not made before its piece is known."""
        return self.turn if self.made is not None and self.made.move is None else self.moving

    @property
    def position(self) -> Position:
        """The position in force, a made move included; one whose promotion piece is open is not made yet."""
        return self.to_move.position

    @property
    def landing_open(self) -> int:
        """Landings of the made move that stand open again, as far as their reeds are trusted."""
        return 0 if self.made is None else self.made.footprint.landings & ~self.occupancy & ~self.masked

    @property
    def has_clock(self) -> bool:
        """Whether a clock is in use at all."""
        return self.clock.control.name != "none" and not (
            not self.clock.control.periods and not self.clock.control.name
        )

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self.termination is not None

    @property
    def faulty(self) -> int:
        """All squares of which a fault is known, those that chatter included."""
        squares = 0
        for fault in self.faults.values():
            squares |= fault.squares
        return squares

    # ---- copies

    def copy(self) -> Standing:
        """An independent copy, its history shared."""
        twin = copy.copy(self)
        twin.turn = self.turn.copy()
        twin.reply = None if self.reply is None else self.reply.copy()
        twin.alternative = None if self.alternative is None else self.alternative.copy()
        twin.plies = self.plies.copy()
        for name in ("last_words", "recent_lifts", "violations", "penalties", "flags", "wanted"):
            setattr(twin, name, list(getattr(self, name)))
        twin.illegal, twin.completed = dict(self.illegal), dict(self.completed)
        twin.faults = dict(self.faults)
        twin.outbox = []
        return twin

    def put_back(self, older: Standing) -> None:
        """Stand again as an older copy did; the wood, the time and what was said stay as they are."""
        kept = {name: getattr(self, name) for name in _NOT_WOUND_BACK}
        fresh = older.copy()
        for name in self.__slots__:
            setattr(self, name, kept.get(name, getattr(fresh, name)))

    def at_turn_start(self) -> Standing:
        """A copy as it was when the present turn began: nothing touched, nothing asked."""
        twin = self.copy()
        twin.turn = Turn.fresh(self.turn.game, self.masked)
        twin.turn.must_castle, twin.turn.kept = True, ()
        twin.reply = twin.seen = twin.made = twin.knock = twin.adjusting = twin.press = None
        twin.trouble = twin.question = twin.later_question = twin.alternative = twin.alternative_seen = None
        twin.noted = twin.unread = ()
        twin.settle_at_ns = None
        return twin

    # ---- saying

    def say(self, kind: str, /, *, article: str | None = None, final: bool = True, **details: Any) -> None:
        """Put a decision in the outbox; squares and moves are given by name."""
        named = {key: _named(value) for key, value in details.items() if value is not None}
        self.outbox.append(Decision(kind=kind, at_ns=self.now_ns, final=final, article=article, details=named))

    def violate(self, word: str, article: str | None = None) -> None:
        """Record a breach, once in a row."""
        self.violations.append(word)
        self.say("violation_recorded", article=article, violation=word)

    def report(self, word: str) -> None:
        """Report a word of the turn of the player who has the move."""
        self.moving.report(word)

    def ask(self, question: Question) -> None:
        """Open a question, unless it is open already."""
        if self.question == question:
            return
        self.question, self.choice_square = replace(question, asked_ns=self.now_ns), None
        names = [move.uci() for move in question.candidates]
        self.say("asked", final=False, ask=question.word, candidates=names or None)

    def pause(self, at_ns: int, why: Literal["player", "flag", "claim", "trouble", "sensors"] = "trouble") -> None:
        """Both clocks stand until somebody resumes them; with no clock in use nothing does."""
        if not self.has_clock:
            return
        self.clock = self.clock.pause(at_ns)
        self.paused = why

    def last_ply(self) -> Ply | None:
        """The newest final move of the record."""
        return self.plies[-1] if self.plies else None

    def complete_last(self, side: Side, *, pressed: bool, at_ns: int) -> None:
        """Mark the newest uncompleted final move of a side as completed."""
        ply = next((one for one in reversed(self.plies) if one.side == side), None)
        if ply is None:
            return
        if not ply.completed:
            self.completed[side] += 1
            if not pressed:
                self.clock = self.clock.completed(side, at_ns)
            self.say("move_completed", article="6.2.1", move=ply.move, side=side, pressed=pressed)
        self.plies.replace(ply, replace(ply, completed=True, pressed=ply.pressed or pressed))

    def retract(self, words: tuple[str, ...]) -> None:
        """Take back violations that a revised reading has undone, the newest first."""
        for word in words:
            for index in range(len(self.violations) - 1, -1, -1):
                if self.violations[index] == word:
                    del self.violations[index]
                    break

    def replace_made(self, **changes: Any) -> None:
        """Change fields of the made move."""
        if self.made is not None:
            self.made = replace(self.made, **changes)


def _named(value: Any) -> Any:
    """Moves as UCI, everything else as it is."""
    if isinstance(value, Move):
        return value.uci()
    if isinstance(value, list | tuple):
        return [_named(one) for one in value]
    return value


def name_of(square: int) -> str:
    """A square's name."""
    return SQUARE_NAMES[square]
