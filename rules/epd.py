"""Extended position description: one position a line, with operations such as the best move.

A line is the first four fields of FEN and then operations, each a word, its operands and a semicolon. Operands are
numbers, words, text in quotation marks, or moves in SAN where the operation says so (``bm``, ``am``, ``pv`` and their
kin). The two clocks of FEN are the operations ``hmvc`` and ``fmvn``; the mixed form that has them as a fifth and sixth
field is read too, and so is the list of perft counts that begins each operation with the semicolon. Any diagram that
can be played is taken: suites hold some that no game leads to.

Source: PGN Specification, 16.2 (EPD).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from rules.errors import AmbiguousSanError, EpdError, FenError, IllegalSanError, ParseSanError, SetupError
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from rules.san import parse_san, write_san

Operand: TypeAlias = str | int | float | Move

SETS_OF_MOVES = frozenset({"am", "bm"})
"""Operations whose operands are moves from the position, any of them."""

SINGLE_MOVES = frozenset({"pm", "sm"})
"""Operations with one move: predicted, supplied."""

LINES_OF_MOVES = frozenset({"pv"})
"""Operations whose operands are moves one after the other."""

_FIELD = re.compile(r"\S+")
_OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OPERAND = re.compile(r'\s*(?:"([^"]*)"|([^\s;"]+))')
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,18})?")
_GAP = re.compile(r"[\s;]*")
_DIGITS = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Epd:
    """A position with operations: each opcode with its operands. The clocks are the position's, not operations."""

    position: Position
    operations: Mapping[str, tuple[Operand, ...]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name of the position; empty if it has none."""
        return " ".join(map(str, self.operations.get("id", ())))


def read_epd(line: str, *, chess960: bool = False) -> Epd:
    """Read one line; raises `EpdError` with `reason` and `column`.

    >>> epd = read_epd('4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O Ra8+; id "castle";')
    >>> [str(move) for move in epd.operations["bm"]], epd.id
    (['e1g1', 'a1a8'], 'castle')
    """
    fields = list(_FIELD.finditer(line))[:6]
    at = fields[3].end() if len(fields) > 3 else len(line)
    clocks = ["0", "1"]
    if len(fields) == 6 and all(_DIGITS.fullmatch(clock.group().rstrip(";")) for clock in fields[4:]):
        clocks = [clock.group().rstrip(";") for clock in fields[4:]]
        at = fields[5].start() + len(clocks[1])
    raw = dict(_operations(line, at))
    for code, number in (("hmvc", 0), ("fmvn", 1)):
        if code in raw:
            column, operands = raw[code]
            if len(operands) != 1 or not _DIGITS.fullmatch(str(operands[0][1])):
                raise EpdError(reason=f"{code} takes one number", column=column, text=line)
            clocks[number] = str(operands[0][1])
    if "fmvn" not in raw and clocks[1] == "1":
        clocks[1] = str(int(clocks[0]) // 2 + 1)  # the earliest move at which so many quiet plies can have been played
    fen = line[: fields[3].end()] if len(fields) > 3 else line
    try:
        setup = parse_fen(f"{fen} {' '.join(clocks)}" if len(fields) > 3 else fen, chess960=chess960)
        position = Position.from_setup(setup)
    except FenError as error:
        raise EpdError(reason=error.reason, column=min(error.column, len(line) + 1), text=line) from None
    except SetupError as error:
        raise EpdError(reason=str(error), column=1, text=line) from None
    operations: dict[str, tuple[Operand, ...]] = {}
    raw.pop("hmvc", None)
    raw.pop("fmvn", None)
    for code, (column, operands) in raw.items():
        operations[code] = _read_operands(line, position, code, column, operands)
    return Epd(position=position, operations=operations)


def _operations(line: str, at: int) -> Iterator[tuple[str, tuple[int, list[tuple[int, Operand]]]]]:
    """Each opcode with its column and its operands, each with its own column; quoted ones are told by their quotes."""
    at = _end(_GAP, line, at)
    while at < len(line):
        opcode = _OPCODE.match(line, at)
        if opcode is None:
            raise EpdError(reason="the name of an operation begins with a letter", column=at + 1, text=line)
        operands: list[tuple[int, Operand]] = []
        end = opcode.end()
        while operand := _OPERAND.match(line, end):
            quoted, bare = operand.groups()
            column = operand.start(1 if bare is None else 2) + 1
            operands.append((column, quoted if bare is None else _Bare(bare)))
            end = operand.end()
        rest = line[end:].lstrip()
        if rest.startswith('"'):
            raise EpdError(reason="a quotation mark is not closed", column=len(line) - len(rest) + 1, text=line)
        yield opcode.group(), (at + 1, operands)
        at = _end(_GAP, line, end)


def _end(pattern: re.Pattern[str], line: str, at: int) -> int:
    match = pattern.match(line, at)
    return match.end() if match else at


class _Bare(str):
    """An operand without quotation marks: perhaps a number or a move."""

    __slots__ = ()


def _read_operands(
    line: str, position: Position, code: str, column: int, operands: list[tuple[int, Operand]]
) -> tuple[Operand, ...]:
    if code in SINGLE_MOVES and len(operands) != 1:
        raise EpdError(reason=f"{code} takes one move", column=column, text=line)
    found: list[Operand] = []
    for at, operand in operands:
        if code in SETS_OF_MOVES or code in SINGLE_MOVES or code in LINES_OF_MOVES:
            try:
                move = parse_san(position, str(operand))
            except ParseSanError as error:
                raise EpdError(reason=error.reason, column=at, text=line) from None
            except IllegalSanError as error:
                raise EpdError(reason=f"{operand}: {error.why}", column=at, text=line) from None
            except AmbiguousSanError as error:
                moves = " or ".join(map(str, error.moves))
                raise EpdError(reason=f"{operand} could be {moves}", column=at, text=line) from None
            if code in LINES_OF_MOVES:
                position = position.play_unchecked(move)
            found.append(move)
        elif isinstance(operand, _Bare) and (number := _NUMBER.fullmatch(operand)):
            found.append(float(operand) if number[1] else int(operand))
        else:
            found.append(str(operand))
    return tuple(found)


def write_epd(epd: Epd) -> str:
    """Write one line, without a line end: operations in the order of their names, as the standard has it.

    Raises ``ValueError`` for an opcode or text that EPD cannot hold, `IllegalMoveError` for a move that is not legal.
    """
    parts = [" ".join(epd.position.fen().split()[:4])]
    operations: dict[str, tuple[Operand, ...]] = dict(epd.operations)
    if epd.position.halfmove_clock:
        operations["hmvc"] = (epd.position.halfmove_clock,)
    if epd.position.fullmove_number != 1:
        operations["fmvn"] = (epd.position.fullmove_number,)
    for code, operands in sorted(operations.items()):
        if not _OPCODE.fullmatch(code):
            raise ValueError(f"not the name of an EPD operation: {code!r}")
        position = epd.position
        words = [code]
        for operand in operands:
            if isinstance(operand, Move):
                words.append(write_san(position, operand))
                if code in LINES_OF_MOVES:
                    position = position.play_unchecked(operand)
            elif isinstance(operand, str):
                if '"' in operand or not operand.isprintable():
                    raise ValueError(f"EPD cannot hold quotation marks or control characters: {operand!r}")
                words.append(f'"{operand}"')
            else:
                words.append(str(operand))
        parts.append(" ".join(words) + ";")
    return " ".join(parts)
