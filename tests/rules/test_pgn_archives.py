"""Real files: archives, and the nasty ones that other readers collected."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import tracemalloc
from itertools import islice
from pathlib import Path

import pytest

from rules.pgn.game import PgnGame, PgnLine
from rules.pgn.reader import read_pgn
from rules.pgn.writer import LINE_WIDTH, exported, write_pgn
from rules.san import write_san

BETTER_THAN_THE_INDEX = {
    "nasty/capicue_comments.pgn": (1, 7),  # a comment before the moves is no game of its own
    "nasty/chessjs_0.pgn": (1, 77),  # HTML between the tags
    "nasty/chesslib_err.pgn": (1, 91),  # what follows an illegal move is no second game
    "nasty/chesslib_z0.pgn": (1, 57),  # a null move is no move
    "nasty/scalachess_blackAbsentResult.pgn": (1, 0),  # +-- is a forfeit, not a null move
    "nasty/scalachess_fromPositionEmptyFen.pgn": (1, 164),  # faults in variations only
    "nasty/scalachess_gameWithComments.pgn": (1, 106),  # escape lines between the moves
    "nasty/scalachess_weirdDashes.pgn": (1, 74),  # castling with non-breaking hyphens
    "nasty/scalachess_withDelimiters.pgn": (1, 33),  # [pgn] ... [/pgn]
    "special/ep.pgn": (1, 164),  # a blank line before the result
}
"""Games and plies where the index, made with another reader, counts otherwise, and why."""


@pytest.fixture(scope="session")
def pgn(shared: Path) -> Path:
    """The folder of PGN files."""
    return shared / "data/pgn"


@pytest.fixture(scope="session")
def index(pgn: Path) -> dict[str, tuple[int, int]]:
    """Games and plies of each file, as they should be."""
    with (pgn / "INDEX.tsv").open(encoding="utf-8", newline="") as table:
        rows = {row["file"]: (int(row["games"]), int(row["plies"])) for row in csv.DictReader(table, delimiter="\t")}
    return rows | BETTER_THAN_THE_INDEX


def lines_of(line: PgnLine) -> list[PgnLine]:
    """A line and all variations below it."""
    return [line, *(sub for ply in line.moves for variation in ply.variations for sub in lines_of(variation))]


def assert_round_trip(games: list[PgnGame]) -> None:
    """Games come back when written, in lines of fewer than 80 characters, with nothing left to mend."""
    text = "".join(write_pgn(games))
    back = list(read_pgn(text))
    assert back == [exported(game) for game in games]
    assert "".join(write_pgn(back)) == text
    harmless = {"variant_unknown", "fen_unreachable", "possible_result_sign"}
    assert not {fault.word.value for game in back for fault in game.faults} - harmless
    assert all(len(line) <= LINE_WIDTH or line.startswith("[") for line in text.splitlines())


def test_nasty_and_special_files(pgn: Path, index: dict[str, tuple[int, int]]) -> None:
    """Each is read to the end, each fault has a place in the file, and what was read comes back when written."""
    names = sorted(name for name in index if name.startswith(("nasty/", "special/")))
    assert len(names) > 100
    for name in names:
        raw = (pgn / name).read_bytes()
        games = list(read_pgn(raw))
        assert (len(games), sum(len(game.moves) for game in games)) == index[name], name
        rows = raw.decode("latin-1").replace("\r\n", "\n").split("\n")
        for fault in (fault for game in games for fault in game.faults):
            assert 1 <= fault.line <= len(rows), name
            assert 1 <= fault.column <= len(rows[fault.line - 1]) + 2, name
        if name != "special/longest.pgn":
            assert_round_trip(games)


def test_nasty_faults(pgn: Path) -> None:
    """What is wrong in some of them, to the column."""
    for name, word, line, column in (
        ("chesslib_err", "illegal_move", 14, 551),
        ("chesslib_z0", "null_move", 12, 329),
        ("capicue_nested_comments", "comment_nested", 4, 17),
        ("chesslibrary_black2move", "illegal_move", 4, 5),
        ("scalachess_festivalFigueira", "illegal_move", 45, 31),
        ("scalachess_unclosedQuote", "tag_malformed", 1, 1),
        ("scalachess_invalidVariant", "variant_unknown", 8, 1),
        ("scalachess_caissa", "fen_invalid", 11, 1),
        ("chesslibrary_no_moves_but_game_termination_2", "result_mismatch", 9, 2),
    ):
        [game] = read_pgn((pgn / f"nasty/{name}.pgn").read_bytes())
        assert (word, line, column) in [(fault.word.value, fault.line, fault.column) for fault in game.faults], name


def test_archives(pgn: Path, index: dict[str, tuple[int, int]]) -> None:
    """Morphy with a byte order mark, Latin-1 names, and the start of the others."""
    games = list(read_pgn((pgn / "morphy_utf8bom.pgn").read_bytes()))
    assert (len(games), sum(len(game.moves) for game in games)) == index["morphy_utf8bom.pgn"]
    assert not any(game.errors for game in games)
    assert_round_trip(games)
    first = next(read_pgn((pgn / "special/latin1_names.pgn").read_bytes()))
    assert first.tags["Black"] == "Van Nüss, Alfred"
    for name in ("ecc2018_clk.pgn", "polgar.pgn"):
        with (pgn / name).open("rb") as file:
            games = list(islice(read_pgn(file), 60))
        assert {fault.word.value for game in games for fault in game.faults} <= {"possible_result_sign"}
        assert_round_trip(games)


def test_a_real_live_feed(pgn: Path) -> None:
    """Clocks and move times of a World Cup, and the three games whose kings went to the centre as a sign of the result."""
    games = list(read_pgn((pgn / "worldcup2025_livechess_a.pgn").read_bytes()))
    assert len(games) == 80
    first, second, *_ = games[0].line.moves
    assert (first.clk_s, first.emt_s, second.clk_s) == (5456.0, 4.0, 5454.0)
    with (pgn / "worldcup2025_livechess_a_tails.tsv").open(encoding="utf-8", newline="") as table:
        tails = {row["round"]: row for row in csv.DictReader(table, delimiter="\t")}
    assert len([game for game in games if game.errors]) == 3
    for game in games:
        row = tails.get(game.tags["Round"])
        if row is None:
            assert game.errors == ()
            continue
        played = game.play()
        assert len(game.moves) == int(row["legal_plies"])
        assert played.position.fen() == row["fen_after_last_legal"]
        last = played.takeback()
        assert row["last_two_legal"].split()[-1] == write_san(last.position, game.moves[-1])
        tail = game.line.tail.split()
        assert (tail[-1] if tail else "-") == row["illegal_rest"]


@pytest.mark.prove
def test_all_archives_whole(pgn: Path, index: dict[str, tuple[int, int]]) -> None:
    """Every file: the right count of games and plies, and the round trip."""
    for name, counts in index.items():
        games = list(read_pgn((pgn / name).read_bytes()))
        assert (len(games), sum(len(game.moves) for game in games)) == counts, name
        assert_round_trip(games)


def test_the_longest_game(pgn: Path) -> None:
    """17,697 plies, more than any counter of 8 or 14 bits: read, played through, and written."""
    with (pgn / "special/longest.pgn").open("rb") as file:
        [game] = read_pgn(file)
    assert len(game.moves) == 17_697
    assert game.faults == ()
    played = game.play()
    assert played.ply == 17_697
    assert played.position.fullmove_number == 8_849
    text = "".join(write_pgn([game]))
    assert next(read_pgn(text)).moves == game.moves


class Repeated(io.RawIOBase):
    """A file of any size: one text again and again."""

    def __init__(self, text: bytes, size: int) -> None:
        super().__init__()
        self._text, self._left, self._at = text, size, 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, to the end of a repetition at most."""
        part = self._text[self._at : self._at + min(size, self._left)]
        self._at = (self._at + len(part)) % len(self._text)
        self._left -= len(part)
        return part


GAME = b'[Event "x"]\n\n' + b"1. Nf3 {[%clk 1:00:00]} Nf6 (1... d5 2. d4) 2. Ng1 $1 Ng8\n" * 40 + b"1-0\n\n"


def test_memory_is_bounded() -> None:
    """A quarter of a megabyte of games needs no more memory than a third of that, but for the block it is read in."""
    peaks = []
    for size in (80_000, 240_000):
        tracemalloc.start()
        count = sum(1 for _ in read_pgn(Repeated(GAME, size)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert count >= size // len(GAME)
    assert peaks[1] < 1.2 * peaks[0] + 200_000
    assert peaks[1] < 2_000_000


HUNDRED_MEGABYTES = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.rules.test_pgn_archives import Repeated
from rules.pgn import read_pgn
text = Path(sys.argv[2]).read_bytes()
seen = []
next(read_pgn(text))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
games = sum(1 for game in read_pgn(Repeated(text, 100_000_000), progress=seen.append))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(games, seen[-1], after - before)
"""


@pytest.mark.prove
def test_a_hundred_megabytes(pgn: Path) -> None:
    """An archive of 100 MB, some 41,000 games, is read with no more than 16 MB on top."""
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", HUNDRED_MEGABYTES, root, str(pgn / "ecc2018_clk.pgn")]
    out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    games, seen, kilobytes = map(int, out.split())
    assert games > 41_000
    assert seen == 100_000_000
    assert kilobytes < 16_000
