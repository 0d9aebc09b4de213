"""One game between two pairs of simulated hands, through the whole stack, in virtual time.

Hands move chessmen on a board of simulated reeds; what the reeds say goes through the debouncer, the order in time and
the core, exactly as on a board in a room. The players see what players see: the wood, and that the board asks or
refuses something. What the board has recorded in the end is compared, ply by ply, with what was meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from board_firmware.core.events import DrawAccepted, DrawOffered, GameStarted, Resigned
from board_firmware.hands.repairs import Played, put_right, side_to_move
from board_firmware.hands.styles import TAKEN_HOLD_MS, TIDY, Gesture, Style, gesture
from board_firmware.hands.table import AFTER_NS, MS_NS, HandBoard, Table
from board_firmware.journal.recovery import NewCore
from board_firmware.scoresheet import Scoresheet
from hal.motion import PressButton
from rules import Move, Position
from rules.pgn import PgnGame, PgnLine, PgnMove, write_game
from rules.san import write_san

FIRST_NS = 1_000_000_000
"""When the first player sets out, after the game has begun."""

LAST_NS = 3_000_000_000
"""How long the board has to show the last move before the players end the game."""

BY_LAW = frozenset({"fivefold", "seventyfive_moves", "dead_position"})
"""Ends that come by themselves; players of old and composed games did not always know, and went on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A game to be played: where it begins, its moves and result, and its tags."""

    start: Position
    moves: tuple[Move, ...]
    result: str = "*"
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """How a game is played: by whom, with which clock, under which rules."""

    style: Style = TIDY
    control: str = "standard"
    presses: float = 1.0
    """Share of moves after which the clock is pressed."""
    profile: str = "friendly"
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The event's settings, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one game's plies; ``right + inferred + asked + wrong + lost == plies``.

    A ply counts as wrong also where the players saw it and took it back, so that the game could go on as it was.
    """

    plies: int
    right: int
    inferred: int
    asked: int
    wrong: int
    lost: int
    beyond: int = 0
    """Plies after the Laws had ended the game (5.2.2, 9.6): the players began anew from the position and went on."""
    promotions: int = 0
    """Plies of which the board asked the promotion piece alone; they count as right."""
    repaired: int = 0
    """Plies after which the players had to wait, straighten or replace a unit; they count as what they then were."""
    pgn: str = ""
    notes: tuple[str, ...] = ()
    """What went wrong, a line each."""


class SimulatedGame:
    """Plays one game; use once."""

    def __init__(
        self, score: Score, circumstances: Circumstances, *, board: HandBoard, new_core: NewCore, seed: str
    ) -> None:
        """``board`` stands as the game begins; ``seed`` is all the chance there is."""
        self._score = score
        self._how = circumstances
        self._style = circumstances.style
        self._random = Random(seed)
        self._table = Table(board, new_core())
        self._positions: list[Position] = [score.start]
        self._repaired: set[int] = set()
        self._notes: list[str] = []
        self._recorded: list[str] = []
        """Moves of the record's earlier parts, where the Laws ended the game and the players went on."""
        self._written: list[str] = []
        """The same in SAN, from the scoresheet."""
        self._beyond: int | None = None
        """Plies played when the Laws ended the game for the first time."""
        self._went_on = -1
        """Plies that were known when the players last went on after an end by law."""
        self._last: Gesture | None = None
        self._last_at_ns = 0

    def play(self) -> Outcome:
        """The whole game, and what was recorded of it."""
        self._begin(self._score.start.fen())
        self._last_at_ns = self._table.now_ns
        for move in self._score.moves:
            if not self._play_ply(move):
                break
        self._finish()
        return self._outcome()

    def _begin(self, fen: str) -> None:
        table, tags = self._table, dict(self._score.tags)
        self._started = GameStarted(
            at_ns=table.now_ns, fen=fen, chess960=self._score.start.chess960, control=self._how.control,
            profile=self._how.profile, settings=self._how.settings, tags=tags, game_id="simulated",
            occupancy=table.core.view().occupancy if self._recorded else self._score.start.occupied,
        )  # fmt: skip
        table.over = False
        table.receive(self._started)

    def _go_on(self) -> bool:
        """The Laws have ended the game and the players do not mind: they begin anew from the position; False: no."""
        if self._table.core.view().state["termination"] not in BY_LAW:
            return False
        self._table.wait(AFTER_NS)
        known = self._went_on = len(self._table.recorded)
        if self._beyond is None:
            self._beyond = known
        self._keep_record()
        fields = self._positions[known].fen().split()
        self._begin(" ".join([*fields[:4], "0", fields[5]]))
        return known == len(self._positions) - 1 or self._put_right()  # in blitz an answer may be on the board already

    def _keep_record(self) -> None:
        view = self._table.core.view()
        if self._score.result == "*":  # the players stop here, and what has been made was their last move
            view = replace(view, state={**view.state, "completed": True})
        sheet = Scoresheet(self._started)
        sheet.update(view, self._table.now_ns)
        self._recorded += view.state["moves"]
        self._written += [ply.san for ply in sheet.plies]
        self._sheet = sheet

    def _play_ply(self, move: Move) -> bool:
        """Wait until the player sets out, look at the board, move; False: the game cannot go on."""
        table, position = self._table, self._positions[-1]
        presses = self._random.random() < self._how.presses
        one = gesture(position, move, side_to_move(position), self._style, self._random, presses=presses)
        table.run_to(max(table.now_ns, self._sets_out_ns(one)))
        if not self._is_ready():
            if not self._put_right():
                return False
            table.wait(300 * MS_NS)
        if table.over and not self._go_on():
            return False
        heard = self._is_heard
        motions = [
            one for one in one.motions if heard or not isinstance(one, PressButton) or "promote" not in one.button
        ]
        table.board.act(motions, table.now_ns)
        self._last, self._last_at_ns = one, table.now_ns
        self._positions.append(position.play(move))
        return True

    def _sets_out_ns(self, one: Gesture) -> int:
        """When the player sets out: after his thought, but with no hand on a unit that has not come to rest."""
        before = self._last
        if before is None:
            return self._last_at_ns + FIRST_NS
        low, high = self._style.think_ms
        at_ms = before.rest_ms if before.press_ms is None else before.press_ms
        at_ms += low if low == high else self._random.uniform(low, high)
        for square, reach_ms in one.touches.items():
            if square in before.touches:
                at_ms = max(at_ms, before.rest_ms + TAKEN_HOLD_MS - reach_ms)
        if one.press_ms is not None and before.press_ms is not None:
            at_ms = max(at_ms, before.press_ms + 50 - one.press_ms)
        return self._last_at_ns + round(max(at_ms, 0.0) * MS_NS)

    @property
    def _is_heard(self) -> bool:
        """Whether a button pressed now would speak for him who presses it: not while the other's piece is to be named."""
        number = len(self._positions) - 2
        return number < 0 or self._score.moves[number].promotion is None or number < len(self._table.recorded)

    def _is_ready(self) -> bool:
        """Whether the next player sees nothing that keeps him from moving."""
        played = self._score.moves[: len(self._positions) - 1]
        shown = not self._style.watches or self._table.shows(played)
        return shown and self._table.is_calm()

    def _put_right(self) -> bool:
        played = Played(
            positions=self._positions,
            moves=self._score.moves[: len(self._positions) - 1],
            pressed=self._last is not None and self._last.press_ms is not None,
        )
        self._repaired.add(played.plies)
        if put_right(self._table, played, self._random, by_hand=not self._style.usual_order):
            return True
        if self._table.over and len(self._table.recorded) > self._went_on and self._go_on():
            return True  # the last move to be seen was one that ends the game by law
        state = self._table.core.view().state
        self._notes.append(
            f"ply {played.plies}: {self._score.moves[played.plies - 1]} is on the board, {len(self._table.recorded)} plies "
            f"are recorded; status {state['status']}, ask {state['board'].get('ask')}, restore {state.get('restore')}, "
            f"report {state['board'].get('report')}"
        )
        return False

    # ---- the end

    def _finish(self) -> None:
        """The last move is shown; then the players end the game as they did."""
        table = self._table
        played = len(self._positions) - 1
        rest_ms = 0.0 if self._last is None else self._last.rest_ms
        table.run_to(max(table.now_ns, self._last_at_ns + round(rest_ms * MS_NS) + LAST_NS))
        if played and not self._notes and not table.over and not table.shows(self._score.moves[:played]):
            self._put_right()
        if table.over and not self._notes and len(table.recorded) < played:
            self._go_on()
        if table.over or self._score.result == "*" or self._notes:
            return
        if self._score.result == "1/2-1/2":
            table.say(DrawOffered(side="white", at_ns=table.now_ns))
            for _ in range(2):  # a line that dies between looks like a touch, and a touch refuses
                table.say(DrawAccepted(side="black", at_ns=table.now_ns))
                if table.over:
                    break
                table.wait(LAST_NS * 2)
        else:
            table.say(Resigned(side="black" if self._score.result == "1-0" else "white", at_ns=table.now_ns))

    def _outcome(self) -> Outcome:
        self._keep_record()
        moves, result = self._score.moves, self._sheet.result
        counts = dict.fromkeys(("right", "inferred", "asked", "wrong", "lost"), 0)
        lost = False
        for number, move in enumerate(moves):
            word = "lost" if lost else self._became(number, move)
            lost = lost or word in ("wrong", "lost")
            counts["wrong" if word == "corrected" else word] += 1
        if not lost and self._beyond is None and self._score.result not in ("*", result):
            self._notes.append(f"result {self._score.result}, recorded {result}")
        return Outcome(
            plies=len(moves),
            beyond=0 if self._beyond is None else len(moves) - self._beyond,
            right=counts["right"],
            inferred=counts["inferred"],
            asked=counts["asked"],
            wrong=counts["wrong"],
            lost=counts["lost"],
            promotions=len(self._table.promotions),
            repaired=len(self._repaired),
            pgn=self._sheet.pgn() if self._beyond is None or lost else self._joined(),
            notes=tuple(self._notes),
        )

    def _joined(self) -> str:
        """The parts of the record as one game."""
        line = PgnLine(moves=tuple(PgnMove(Move.from_uci(uci)) for uci in self._recorded))
        result = self._sheet.result
        return write_game(PgnGame(tags=self._score.tags, start=self._score.start, line=line, result=result))

    def _became(self, number: int, move: Move) -> str:
        """What one ply became: the core's move and the scoresheet's are compared with what was meant."""
        if number >= len(self._recorded):
            return "lost"
        if self._recorded[number] != move.uci():
            self._notes.append(f"ply {number + 1}: {move.uci()} was played, {self._recorded[number]} recorded")
            return "wrong"
        if self._written[number : number + 1] != [write_san(self._positions[number], move)]:
            self._notes.append(f"ply {number + 1}: {move.uci()} is not on the scoresheet")
            return "lost"
        if number in self._table.corrected:
            self._notes.append(f"ply {number + 1}: {move.uci()} was recorded as another move, and taken back")
            return "corrected"
        if number in self._table.asked:
            return "asked"
        return "inferred" if number in self._table.inferred else "right"
