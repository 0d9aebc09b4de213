"""A careless hand lifts, places, presses and says what it likes: no crash, no invented move, always recoverable."""

from __future__ import annotations

import random

import pytest

from board_firmware.core.events import (
    AdjustPressed,
    Answered,
    Blipped,
    Chosen,
    Claimed,
    DrawAccepted,
    DrawOffered,
    Event,
    GameStarted,
    LeverMoved,
    Noted,
    Objected,
    Ruled,
    SquareChanged,
    TakebackAsked,
    Tick,
)
from board_firmware.core.session import TRANSITIONS, Session
from rules import Game, Move, Position, parse_fen, parse_square

MS = 1_000_000
FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/4P1k1/8/8/8/8/4p3/4K3 w - - 0 1",
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3n2k/PP3P2/8/8/8/8/p4ppp/K2N3R w - - 0 1",
    "bnqrnkrb/pppppp1p/8/6p1/2P5/3N4/PP1PPPPP/BNQR1KRB w GDgd - 0 1",
)
GAPS_MS = (2, 30, 100, 300, 400, 1500)


class Walk:
    """A seeded walk of events that are physically possible."""

    def __init__(self, seed: int, *, people: bool = True) -> None:
        self.rng = rng = random.Random(seed)
        self.people = people
        self.session = Session()
        self.at_ns = 0
        self.log: list[Event] = []
        self.statuses: list[str] = []
        self.give(
            GameStarted(
                at_ns=0,
                fen=rng.choice(FENS),
                chess960=True,
                profile=rng.choice(("friendly", "tournament", "practice")),
                control=rng.choice(("standard", "none", "300+3", "rapid_A5")),
            )
        )

    def give(self, event: Event) -> None:
        """Feed an event and note the status; every step between statuses must stand in the table."""
        self.log.append(event)
        self.session.receive(event)
        status = self.session.view().state["status"]
        if self.statuses and status != self.statuses[-1]:
            assert status in TRANSITIONS[self.statuses[-1]], (self.statuses[-1], status, event)
        self.statuses.append(status)

    def step(self) -> None:
        """One act."""
        rng = self.rng
        self.at_ns += rng.choice(GAPS_MS) * MS
        act = rng.random()
        if act < 0.84 or not self.people:
            self.give(self._reed() if act < 0.92 else LeverMoved(down=self._side(), at_ns=self.at_ns))
        elif act < 0.93:
            self.give(LeverMoved(down=self._side(), at_ns=self.at_ns))
        else:
            self.give(self._said())

    def _side(self) -> str:
        return self.rng.choice(("white", "black"))

    def _reed(self) -> SquareChanged:
        view = self.session.view()
        moves = Position.from_fen(view.state["fen"], chess960=True).legal_moves()
        occupied = self.rng.random() < 0.5
        likely = [move.to_square if occupied else move.from_square for move in moves]
        squares = [square for square in range(64) if bool(view.occupancy >> square & 1) != occupied]
        chosen = [square for square in likely if square in squares]
        square = self.rng.choice(chosen if chosen and self.rng.random() < 0.6 else squares or [0])
        return SquareChanged(square=square, occupied=occupied, at_ns=self.at_ns)

    def _said(self) -> Event:
        rng, at, side = self.rng, self.at_ns, self._side()
        return rng.choice(
            (
                Blipped(square=rng.randrange(64), ms=3, at_ns=at),
                AdjustPressed(side=side, at_ns=at),
                Chosen(choice=self._choice(), at_ns=at),
                DrawOffered(side=side, at_ns=at),
                DrawAccepted(side=side, at_ns=at),
                TakebackAsked(side=side, at_ns=at),
                Claimed(side=side, kind=rng.choice(("threefold", "fifty", "time")), at_ns=at),
                Objected(side=side, about=rng.choice(("touch-move", "illegal")), at_ns=at),
                Noted(what=rng.choice(("two-hands", "other-hand", "unpromoted")), subject=side, at_ns=at),
                Answered(yes=rng.random() < 0.5, at_ns=at),
                Ruled(verb="resume", arguments=(side,), at_ns=at),
                Ruled(verb=rng.choice(("apply", "waive", "undo", "accept", "reject", "uphold", "undo-move")), at_ns=at),
                Ruled(verb="rewind", arguments=("0",), at_ns=at),
                Tick(at_ns=at),
            )
        )

    def _choice(self) -> str:
        candidates = self.session.state()["board"].get("candidates")
        return self.rng.choice([*"qrbn", *(candidates or ())])

    def put_right(self) -> None:
        """Answer what is asked, set the pieces to the position in force, let the arbiter resume."""
        for _ in range(12):
            state = self.session.state()
            if state["status"] == "ended":
                return
            self.at_ns += 6000 * MS
            self.give(Tick(at_ns=self.at_ns))
            state = self.session.state()
            ask = state["board"]["ask"]
            if ask in ("promotion_piece", "which_capture", "which_move"):
                candidate = state["board"]["candidates"][0]
                self.give(Chosen(choice=candidate[4:] if ask == "promotion_piece" else candidate, at_ns=self.at_ns))
            elif ask is not None:
                self.give(Answered(yes=ask != "confirm_result", at_ns=self.at_ns))
            self._set_pieces()
            state = self.session.state()
            if state["board"]["ask"] is not None:
                continue  # the wood is right again; what is asked comes next
            if "paused" in (state["clock"], state["status"]):
                self.give(Ruled(verb="resume", arguments=(state["turn"] or "white",), at_ns=self.at_ns))
            self._set_pieces()
            state = self.session.state()
            calm = state["status"] in ("thinking", "made", "completed") and state["board"]["ask"] is None
            if calm and state["restore"] is None and self._stands(state):
                return
        raise AssertionError(f"not to be put right: {self.session.state()}\n" + "\n".join(map(str, self.log[-60:])))

    def _stands(self, state: dict[str, object]) -> bool:
        return self.session.view().occupancy == Position.from_fen(str(state["fen"]), chess960=True).occupied

    def _set_pieces(self) -> None:
        restoring = False
        for _ in range(70):
            state = self.session.state()
            if state["status"] == "ended":
                return
            restore = state["restore"]
            occupancy = self.session.view().occupancy
            wanted = Position.from_fen(state["fen"], chess960=True).occupied
            if restoring and restore is None:
                break  # it stands as the board asked
            restoring = restore is not None
            if restore is not None:
                wanted = occupancy
                for name in restore["place"]:
                    wanted |= 1 << parse_square(name)
                for name in restore["clear"]:
                    wanted &= ~(1 << parse_square(name))
            differs = [square for square in range(64) if (occupancy ^ wanted) >> square & 1]
            if not differs:
                break
            square = next((one for one in differs if occupancy >> one & 1), differs[0])
            self.at_ns += 300 * MS
            self.give(SquareChanged(square=square, occupied=not occupancy >> square & 1, at_ns=self.at_ns))
        self.at_ns += 400 * MS
        self.give(Tick(at_ns=self.at_ns))


def walked(seed: int, acts: int) -> Walk:
    """A walk of some acts, put right at the end."""
    walk = Walk(seed, people=seed % 3 != 0)
    for _ in range(acts):
        walk.step()
        if walk.statuses[-1] == "ended":
            break
    return walk


def check(walk: Walk) -> None:
    """The moves recorded are legal one after the other, and play can go on."""
    walk.put_right()
    state = walk.session.state()
    if state["status"] != "ended" and state["turn"] is not None:
        position = Position.from_setup(parse_fen(state["fen"])) if _reachable(state["fen"]) else None
        if position is not None:
            assert state["allowed"] == "all" or state["allowed"]


def _reachable(fen: str) -> bool:
    try:
        Position.from_fen(fen)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("seed", range(24))
def test_a_careless_hand_is_survived(seed: int) -> None:
    """90 acts of a careless hand, then everything put right: play can go on."""
    check(walked(seed, 90))


@pytest.mark.prove
def test_200000_careless_acts() -> None:
    """200,000 acts in walks of 100: no crash, always recoverable, the same log twice the same state."""
    acts = 0
    for seed in range(1000, 3200):
        walk = walked(seed, 100)
        check(walk)
        acts += len(walk.log)
        again = Session()
        for event in walk.log:
            again.receive(event)
        assert again.state() == walk.session.state()
    print(f"{acts} acts")
    assert acts >= 200_000


def test_moves_without_people_are_legal() -> None:
    """In a game with no rulings the recorded moves are legal one after the other from the beginning."""
    for seed in range(500, 540):
        walk = Walk(seed, people=False)
        for _ in range(150):
            walk.step()
            if walk.statuses[-1] == "ended":
                break
        started = walk.log[0]
        assert isinstance(started, GameStarted)
        if started.control == "rapid_A5":
            continue
        game = Game.from_fen(started.fen, chess960=started.chess960)
        for text in walk.session.state()["moves"]:
            game = game.play(Move.from_uci(text))
