"""Where a game begins, as its tags say: FEN, SetUp and Variant, read with patience.

A FEN that no game can have led to is played all the same where it can be (studies hold such diagrams), and one whose
en passant square or clocks are wrong is played without them; either is said. Only a diagram that no game can go on from
leaves the moves unread.

Source: PGN Specification, 9.7 (SetUp, FEN). Variant: as written by the Internet Chess Club, lichess and LiveChess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from rules.errors import FenError, SetupError
from rules.fen import parse_fen
from rules.pgn.fault import FaultWord
from rules.position import Position

_CHESS960 = frozenset({"chess960", "960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "frc"})
_STANDARD = frozenset({"", "-", "?", "standard", "chess", "normal", "fromposition", "orthodox", "classical", "regular"})

FaultFound = tuple[FaultWord, str, str]
"""A fault's word, the tag it stands in, and a sentence."""


def start_position(tags: Mapping[str, str]) -> tuple[Position | None, tuple[FaultFound, ...]]:
    """The position a game begins from, None if its FEN cannot be played, and what is wrong with the tags."""
    faults: list[FaultFound] = []
    variant = "".join(char for char in tags.get("Variant", "").casefold() if char.isalnum() or char in "-?")
    chess960 = variant in _CHESS960
    if not chess960 and variant not in _STANDARD:
        why = f"a variant that is not known here, read as standard chess: {tags['Variant']!r}"
        faults.append((FaultWord.VARIANT_UNKNOWN, "Variant", why))
    fen = tags.get("FEN", "").strip()
    if not fen:
        if chess960:
            why = "a Chess960 game without a FEN tag, read from the usual start"
            faults.append((FaultWord.FEN_INVALID, "Variant", why))
        return _usual_start(chess960), tuple(faults)
    if tags.get("SetUp", "").strip() != "1":
        faults.append((FaultWord.SETUP_MISSING, "FEN", 'a FEN tag needs [SetUp "1"] beside it'))
    try:
        return Position.from_fen(fen, chess960=chess960), tuple(faults)
    except FenError as error:
        why = f"FEN, column {error.column}: {error.reason}"
    for read, word, remark in _second_readings(fen, chess960):
        try:
            return read(), (*faults, (word, "FEN", f"{why}; {remark}"))
        except (FenError, SetupError):
            continue
    faults.append((FaultWord.FEN_INVALID, "FEN", f"{why}; the moves are not read"))
    return None, tuple(faults)


def _usual_start(chess960: bool) -> Position:
    start = Position.start()
    return Position.from_fen(start.fen(), chess960=True) if chess960 else start


def _second_readings(fen: str, chess960: bool) -> Iterator[tuple[Callable[[], Position], FaultWord, str]]:
    """Other ways to take a FEN, the nearest first, each with what to say about it."""
    if not chess960:
        remark = 'read as Chess960, which needs [Variant "Chess960"]'
        yield partial(Position.from_fen, fen, chess960=True), FaultWord.VARIANT_MISSING, remark
    yield partial(_any_diagram, fen, chess960), FaultWord.FEN_UNREACHABLE, "played all the same"
    fields = fen.split()
    if len(fields) < 4:
        return
    placement, turn, castling, en_passant = fields[:4]
    clocks = " ".join(fields[4:]) or "0 1"
    for without, rest in (
        ("castling rights", ("-", en_passant, clocks)),
        ("en passant square", (castling, "-", clocks)),
        ("clocks", (castling, en_passant, "0 1")),
        ("castling rights and en passant square", ("-", "-", clocks)),
        ("castling rights, en passant square and clocks", ("-", "-", "0 1")),
    ):
        mended = " ".join((placement, turn, *rest))
        yield partial(_any_diagram, mended, chess960), FaultWord.FEN_INVALID, f"read without its {without}"


def _any_diagram(fen: str, chess960: bool) -> Position:
    return Position.from_setup(parse_fen(fen, chess960=chess960))
