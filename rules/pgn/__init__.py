"""Portable Game Notation: games in and out, at the size of archives.

Reading: `lines` (bytes to text) <- `lexer` (tokens) <- `reader` (games). Writing: `writer`. Both speak of `game`.
"""

from rules.pgn.fault import FaultWord, PgnFault
from rules.pgn.game import PgnGame, PgnLine, PgnMove
from rules.pgn.reader import read_pgn
from rules.pgn.results import RESULTS, termination_tag
from rules.pgn.writer import exported, write_game, write_pgn

__all__ = [
    "RESULTS",
    "FaultWord",
    "PgnFault",
    "PgnGame",
    "PgnLine",
    "PgnMove",
    "exported",
    "read_pgn",
    "termination_tag",
    "write_game",
    "write_pgn",
]
