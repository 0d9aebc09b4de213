"""Random and mutated text into all readers of notation: no crash, no hang, no memory without end.

The short form is in every run and is the same each time; the long form (``make prove``) goes on for
``TOUCHMOVE_FUZZ_S`` seconds a reader, ten minutes unless set, from a seed that it prints.
"""

from __future__ import annotations

import os
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rules.epd import read_epd, write_epd
from rules.errors import AmbiguousSanError, EpdError, FenError, IllegalSanError, ParseSanError
from rules.pgn.reader import read_pgn
from rules.pgn.writer import exported, write_pgn
from rules.position import Position
from rules.san import parse_san, write_san
from tests.rules.random_walks import random_positions

SECONDS = float(os.environ.get("TOUCHMOVE_FUZZ_S", "600"))
SLOWEST_S = 5.0
"""Processor time one input may take on any machine; the largest inputs take a tenth of it on a slow one."""
MORE_KIB = 64 * 1024
"""Memory that a long run may add, in KiB."""

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
)
SANS = (
    "e4",
    "Nf3",
    "exd6e.p.",
    "O-O-O",
    "0-0",
    "a8=Q+",
    "Qh4xe1#",
    "Ng1-f3",
    "e7e8q",
    "♘f3!?",
    "Кf3",
    "Sf3",
    "R1a3",
    "ed",
)
EPDS = (
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; id "x y"; pv O-O O-O-O; ce -12;',
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25",
)
PGNS = (
    '[Event "x"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:01:00]} e5 (1... c5 2. Nf3 (2. c3 {a}) d6) 2. Nf3 $1 Nc6 ; b\n3. a3 *\n',
    f'[SetUp "1"]\n[FEN "{FENS[2]}"]\n[Variant "Chess960"]\n9. O-O *\n',
    "% escape\n1.e4 e5 2.Sf3 {a {b} c} [pgn] <br> -- Z0 ½-½\n\n1. d4 d5\n",
)
PIECES = (
    *("{", "}", "(", ")", "[", "]", '"', "\\", "$", ";", "%", "<", ">", ".", "*", "1-0", "½", "\n", "\n\n", "\r", "\0"),
    *(
        " ",
        "1.",
        "1...",
        "e4",
        "Nf3",
        "O-O",
        "--",
        "!?",
        "[%clk 0:01:00]",
        '[Event "',
        '"]',
        "$1",
        "e8=Q",
        "\ufeff",
        "é",
    ),
)


def mutated(rng: random.Random, seeds: tuple[str, ...], longest: int) -> str:
    """A text near one of the seeds, or far from all."""
    text = rng.choice(seeds) if rng.random() < 0.9 else ""
    for _ in range(rng.choice((1, 1, 2, 3, 8, 30))):
        at, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        match rng.randrange(7):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x2700), 0xFFFD))) + text[at + 1 :]
            case 3:
                text = text[:at] + text[at:end] * rng.randint(2, 5) + text[end:]
            case 4:
                other = rng.choice(seeds)
                text = text[:at] + other[rng.randint(0, len(other)) :]
            case 5:
                text = text[:at] + "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 12))) + text[at:]
            case 6:
                text = text[:at] + rng.choice(PIECES) * rng.randint(1, longest) + text[at:]
        text = text[:longest]
    return text.replace("\ud800", "")


def try_fen(rng: random.Random) -> None:
    """A position that can be written, or a refusal with its column."""
    text = mutated(rng, FENS, 400)
    chess960 = rng.random() < 0.5
    try:
        position = Position.from_fen(text, chess960=chess960)
    except FenError as error:
        column = error.column
        assert 1 <= column <= len(text) + 1, text
        return
    assert Position.from_fen(position.fen(), chess960=chess960) == position, text
    position.legal_moves()


POSITIONS = tuple(random_positions(40, seed=3))


def try_san(rng: random.Random) -> None:
    """A legal move, or one of the three errors."""
    position = rng.choice(POSITIONS)
    moves = position.legal_moves()
    seeds = (*SANS, *(write_san(position, rng.choice(moves)) for _ in range(3) if moves))
    text = mutated(rng, seeds, 200)
    try:
        move = parse_san(position, text)
    except (ParseSanError, IllegalSanError, AmbiguousSanError) as error:
        kept = error.text
        assert kept == text
        return
    assert move in moves, text


def try_epd(rng: random.Random) -> None:
    """A position with operations that can be written, or a refusal with its column."""
    text = mutated(rng, EPDS, 400)
    try:
        epd = read_epd(text)
    except EpdError as error:
        column = error.column
        assert 1 <= column <= len(text) + 1, text
        return
    try:
        line = write_epd(epd)
    except ValueError:
        return  # control characters, which EPD does not hold
    assert read_epd(line).position == epd.position, text


def try_pgn(rng: random.Random) -> None:
    """Games, whatever the text, that come back when they are written."""
    text = mutated(rng, PGNS, 20_000)
    raw = text.encode(rng.choice(("utf-8", "latin-1", "utf-16")), errors="replace")
    for source in (text, raw):
        games = list(read_pgn(source))
        rows = text.count("\n") + text.count("\r") + 2
        for fault in (fault for game in games for fault in game.faults):
            assert 1 <= fault.line <= rows or source is raw, text
            assert fault.column >= 1, text
        back = list(read_pgn("".join(write_pgn(games))))
        assert back == [exported(game) for game in games], text


READERS = (try_fen, try_san, try_epd, try_pgn)


@pytest.mark.parametrize("attempt", READERS, ids=lambda attempt: attempt.__name__)
def test_a_little(attempt: Callable[[random.Random], None]) -> None:
    """Some hundreds of inputs, the same each time."""
    rng = random.Random(64)
    for _ in range(150 if attempt is try_pgn else 1000):
        attempt(rng)


def timed(attempt: Callable[[random.Random], None], rng: random.Random) -> Iterator[float]:
    """The processor time of one input after the other, in seconds, until the time is over."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        before = time.process_time()
        attempt(rng)
        yield time.process_time() - before


@pytest.mark.prove
@pytest.mark.parametrize("attempt", READERS, ids=lambda attempt: attempt.__name__)
def test_at_length(attempt: Callable[[random.Random], None]) -> None:
    """No input crashes, none takes long, and memory stays where it is."""
    seed = int(os.environ.get("TOUCHMOVE_FUZZ_SEED", time.time_ns() % 2**32))
    print(f"{attempt.__name__}: TOUCHMOVE_FUZZ_SEED={seed}")
    rng = random.Random(seed)
    for _ in range(200):
        attempt(rng)  # what is remembered (texts, attacks) is remembered now
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = 0
    for seconds in timed(attempt, rng):
        assert seconds < SLOWEST_S
        count += 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    print(f"{attempt.__name__}: {count} inputs, {grown} KiB more")
    assert grown < MORE_KIB


@pytest.mark.prove
def test_real_files_in_pieces(shared: Path) -> None:
    """The nasty files, cut, glued and turned round byte by byte."""
    files = [path.read_bytes()[:20_000] for path in sorted((shared / "data/pgn/nasty").glob("*.pgn"))]
    rng = random.Random(int(os.environ.get("TOUCHMOVE_FUZZ_SEED", time.time_ns() % 2**32)))

    def attempt(rng: random.Random) -> None:
        raw = bytearray(rng.choice(files))
        for _ in range(rng.choice((0, 1, 5, 50))):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        other = rng.choice(files)
        raw[rng.randrange(len(raw)) :] = other[rng.randrange(len(other)) :]
        games = list(read_pgn(bytes(raw)))
        assert list(read_pgn("".join(write_pgn(games)))) == [exported(game) for game in games]

    for seconds in timed(attempt, rng):
        assert seconds < SLOWEST_S
