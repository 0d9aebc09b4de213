"""The text of a move in algebraic notation, read without a position: people write more than the standard knows.

Real files hold ``0-0``, ``Ng1f3``, ``e2-e4``, ``e7e8q``, ``exd6e.p.``, ``ed5``, figurines, marks of praise, and lack an
``x``, ``+`` or ``=``; all of it is read. What is refused is notation in another language, where a letter may mean
another piece: the error says which language it looks like. Every text is read once and remembered, since an archive
of a million plies holds a few thousand different ones.

Source: FIDE Laws of Chess, Appendix C; PGN Specification, 8.2.3 (SAN).
"""

from __future__ import annotations

import re
from typing import Final

from rules.errors import ParseSanError
from rules.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, PieceType
from rules.squares import FILES, FULL, RANKS

LIMIT: Final = 1 << 14
"""Texts remembered (some 300 bytes each) before all are forgotten: an archive needs about half as many."""

H_SIDE, A_SIDE = 1, 2

NAG_OF_MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Numeric annotation glyphs of the marks that follow a move."""

_PLAIN = str.maketrans(
    {
        **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True)),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "×": "x",
        "†": "+",
        "‡": "#",
        "\ufe0e": "",  # "show as text", which follows figurines
    }
)
_ENDING = r"(?:[+#]|=?\s*e\.?p\.?|ch\.?|mate|dbl\.?)*"
_MOVE = re.compile(
    r"(?P<piece>[KQRBNP]|[kqrn](?=[a-h1-8x-]))?"
    r"(?P<file>[a-h])?(?P<rank>[1-8])?(?:-|(?P<takes>[x:]))?(?P<to>[a-h][1-8])"
    r"(?:[=/]?(?P<promotion>[KQRBNPkqrbnp])|\((?P<in_brackets>[QRBNqrbn])\))?" + _ENDING
)
_FILES_ONLY = re.compile(r"(?P<file>[a-h])[x:]?(?P<to>[a-h])(?:=?(?P<promotion>[QRBN]))?" + _ENDING)
_CASTLING = re.compile(r"([O0o])-?\1(-?\1)?" + _ENDING)
_MARKS = re.compile(r"[!?]+$")
_KINDS = {"P": PAWN, "N": KNIGHT, "B": BISHOP, "R": ROOK, "Q": QUEEN, "K": KING}
_FOREIGN_START = re.compile(r"([^\W\d_a-h]{1,2})[a-h]?[1-8]?x?[a-h][1-8]")
_DESCRIPTIVE = re.compile(r"(?:Kt|[KQ]?[PRBNKQ])[-x](?:[KQ]?(?:Kt|[RBNPKQ])[1-8]?)")
_FOREIGN = {
    "S": "looks like German, Dutch or Nordic notation (S = Springer): the knight is N here",
    "L": "looks like German, Dutch or Nordic notation (L = Läufer): the bishop is B here",
    "T": "looks like German, French, Spanish or Italian notation (T = Turm, tour, torre): the rook is R here",
    "D": "looks like German, French, Spanish or Italian notation (D = Dame, dama, donna): the queen is Q here",
    "F": "looks like French notation (F = fou): the bishop is B here",
    "C": "looks like French, Spanish or Italian notation (C = cavalier, caballo, cavallo): the knight is N here",
    "A": "looks like Spanish or Italian notation (A = alfil, alfiere): the bishop is B here",
    "J": "looks like Czech notation (J = jezdec): the knight is N here",
    "V": "looks like Czech or Hungarian notation (V = věž, vezér): rook and queen are R and Q here",
    "H": "looks like Polish or Hungarian notation (H = hetman, huszár): queen and knight are Q and N here",
    "G": "looks like Polish notation (G = goniec): the bishop is B here",
    "W": "looks like Polish notation (W = wieża): the rook is R here",
    "Кр": "looks like Russian notation (Кр = король): the king is K here",
    "Ф": "looks like Russian notation (Ф = ферзь): the queen is Q here",
    "Л": "looks like Russian notation (Л = ладья): the rook is R here",
    "С": "looks like Russian notation (С = слон): the bishop is B here",
    "К": "looks like Russian notation (К = конь): the knight is N here",
}


class SanText:
    """What a move's text says. Two texts that say the same need not be equal; positions are not known here."""

    __slots__ = (
        "castling",
        "from_mask",
        "kind",
        "marks",
        "promotion",
        "to_mask",
        "to_square",
    )

    def __init__(
        self,
        *,
        kind: PieceType | None = None,
        from_mask: int = FULL,
        to_square: int = -1,
        to_mask: int = 0,
        promotion: PieceType | None = None,
        castling: int = 0,
        marks: str = "",
    ) -> None:
        self.kind = kind
        """The piece; None where the text only names two squares."""
        self.from_mask = from_mask
        """The squares it may come from."""
        self.to_square = to_square
        """Where it goes; -1 for castling, and for a pawn capture that names files only."""
        self.to_mask = to_mask or (1 << to_square if to_square >= 0 else 0)
        """The squares it may go to."""
        self.promotion = promotion
        self.castling = castling
        """0, `H_SIDE` or `A_SIDE`."""
        self.marks = marks
        """``!``, ``?`` and their pairs."""


_known: dict[str, SanText] = {}


def read_san(text: str) -> SanText:
    """Read a move's text, with or without marks; raises `ParseSanError` with `reason`, `column` and a `hint`."""
    known = _known.get(text)
    if known is None:
        known = _read(text)
        if len(_known) >= LIMIT:
            _known.clear()
        _known[text] = known
    return known


def _read(text: str) -> SanText:
    plain = text.translate(_PLAIN).strip() if not text.isascii() else text.strip()
    marks = ""
    if match := _MARKS.search(plain):
        marks = match.group()[:2]
        plain = plain[: match.start()].rstrip()
    if match := _MOVE.fullmatch(plain):
        return _piece_move(match, marks)
    if match := _CASTLING.fullmatch(plain):
        return SanText(kind=KING, castling=A_SIDE if match[2] else H_SIDE, marks=marks)
    if (match := _FILES_ONLY.fullmatch(plain)) and abs(ord(match["file"]) - ord(match["to"])) == 1:
        return SanText(
            kind=PAWN,
            from_mask=FILES[ord(match["file"]) - 97],
            to_mask=FILES[ord(match["to"]) - 97],
            promotion=_KINDS[match["promotion"]] if match["promotion"] else None,
            marks=marks,
        )
    raise _refusal(text, plain)


def _piece_move(match: re.Match[str], marks: str) -> SanText:
    piece, file, rank, to = match.group("piece", "file", "rank", "to")
    promotion = match["promotion"] or match["in_brackets"]
    to_square = ord(to[0]) - 97 + 8 * (ord(to[1]) - 49)
    mask = FULL
    if file:
        mask &= FILES[ord(file) - 97]
    if rank:
        mask &= RANKS[ord(rank) - 49]
    kind: PieceType | None = _KINDS[piece.upper()] if piece else PAWN
    if not piece:
        if file and rank:
            kind = None
        elif not file:  # a pawn that names no file goes straight on, unless the text says that it takes
            own_file = FILES[to_square & 7]
            mask &= own_file if match["takes"] is None else FULL ^ own_file
    return SanText(
        kind=kind,
        from_mask=mask,
        to_square=to_square,
        promotion=_KINDS[promotion.upper()] if promotion else None,
        marks=marks,
    )


def _refusal(text: str, plain: str) -> ParseSanError:
    """Say what is wrong with a text that is no move, and what it may have been."""
    if not plain:
        return ParseSanError(reason="no move", column=1, text=text)
    if match := _FOREIGN_START.match(plain):
        letters = match[1]
        for letter in (letters, letters[0]):
            if letter in _FOREIGN:
                column = text.find(letter) + 1
                return ParseSanError(reason=f"{letter} is no piece", column=column, text=text, hint=_FOREIGN[letter])
        hint = "the pieces are K Q R B N, a pawn has no letter"
        return ParseSanError(reason=f"{letters} is no piece", column=1, text=text, hint=hint)
    if _DESCRIPTIVE.match(plain):
        hint = "looks like descriptive notation: write the squares, as e4"
        return ParseSanError(reason="not algebraic", column=1, text=text, hint=hint)
    if re.fullmatch("[1-8]{4}[1-4]?", plain):
        hint = "looks like numeric (ICCF) notation: write e2e4 for 5254"
        return ParseSanError(reason="not algebraic", column=1, text=text, hint=hint)
    if re.fullmatch(r"[KQRBNP]?[a-h]?\d?x?[a-h]?[\d=+#]*", plain):
        return ParseSanError(reason="the square is missing or not on the board", column=len(plain), text=text)
    hint = "a move is written as e4, Nf3, exd5, O-O or e8=Q"
    return ParseSanError(reason="not a move", column=1, text=text, hint=hint)
