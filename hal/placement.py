"""A placement: 64 characters, index = square (a1 = 0 ... h8 = 63), FEN letters, ``.`` empty, ``?`` a unit nobody has
named.

Every board that sees pieces speaks of the same thing in its own order; here are the few turns they share. Most of them
begin at a8 and go down, which is the same list with the ranks reversed.
"""

from __future__ import annotations

EMPTY = "."
UNKNOWN = "?"
LETTERS = frozenset("PNBRQKpnbrqk")
NOTHING = EMPTY * 64
START = "RNBQKBNR" + "P" * 8 + EMPTY * 32 + "p" * 8 + "rnbqkbnr"
START_OCCUPANCY = 0xFFFF00000000FFFF


def ranks_reversed(placement: str) -> str:
    """From a1-first to a8-first and back: the ranks change places, the files stay."""
    return "".join(placement[rank : rank + 8] for rank in range(56, -8, -8))


def turned(placement: str) -> str:
    """The same board seen from the other side: a1 becomes h8."""
    return placement[::-1]


def turned_bits(occupancy: int) -> int:
    """An occupancy seen from the other side."""
    return int(f"{occupancy:064b}"[::-1], 2)


def occupancy_of(placement: str) -> int:
    """Bit n set where square n is not empty."""
    return sum(1 << square for square, content in enumerate(placement) if content != EMPTY)


def unnamed(occupancy: int) -> str:
    """The placement of which only the occupancy is known."""
    return "".join(UNKNOWN if occupancy >> square & 1 else EMPTY for square in range(64))


def from_fen(fen: str) -> str:
    """The placement in the first field of a FEN.

    >>> from_fen("8/8/8/8/8/8/P7/K7")[:16]
    'K.......P.......'

    Raises ``ValueError`` when the field is not eight ranks of eight squares.
    """
    board = fen.split(" ", 1)[0]
    for digit in "12345678":
        board = board.replace(digit, EMPTY * int(digit))
    ranks = board.split("/")
    if [len(rank) for rank in ranks] != [8] * 8 or not set(board) <= LETTERS | {EMPTY, "/"}:
        raise ValueError(f"{fen!r} does not begin with a FEN placement: eight ranks of eight squares, divided by /")
    return "".join(reversed(ranks))


def to_fen(placement: str) -> str:
    """The first field of a FEN."""
    ranks = []
    for rank in range(56, -8, -8):
        text = placement[rank : rank + 8]
        for run in range(8, 0, -1):
            text = text.replace(EMPTY * run, str(run))
        ranks.append(text)
    return "/".join(ranks)
