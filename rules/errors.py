"""What the rules refuse to read or to play.

Chess facts are values (a `Verdict`, an `Outcome`), never exceptions. Only bad text and a move that cannot be played
raise, and both are ``ValueError``, so that a caller can catch them without knowing this package::

    ValueError
      RulesError
        TextError           text that is not what it should be: reason, column (from 1), text
          SquareError       the name of a square
          MoveTextError     a move in UCI
          FenError          a position in FEN
          EpdError          a line in EPD
          ParseSanError     a move in SAN: hint, position (None if none was asked)
        SetupError          a diagram that no game can go on from
        IllegalMoveError    a move that is not legal here: move, reasons, position (unchanged)
        IllegalSanError     text that names no legal move here: text, reasons, position, fen
        AmbiguousSanError   text that names several: text, moves, position, fen
"""

from __future__ import annotations

from typing import Any


class RulesError(ValueError):
    """Any refusal of this package."""


class TextError(RulesError):
    """Text that cannot be read: what is wrong (`reason`), where (`column`, from 1) and in what (`text`)."""

    what = "text"

    def __init__(self, *, reason: str, column: int, text: str) -> None:
        super().__init__(f"{self.what} {text!r}, column {column}: {reason}")
        self.reason = reason
        self.column = column
        self.text = text


class SquareError(TextError):
    """Not the name of a square."""

    what = "square"


class MoveTextError(TextError):
    """Not a move in UCI."""

    what = "move"


class FenError(TextError):
    """Not a position: bad syntax, or a diagram that no game can reach."""

    what = "FEN"


class SetupError(RulesError):
    """A diagram from which no game can go on; `faults` are the reasons."""

    def __init__(self, faults: tuple[Any, ...]) -> None:
        super().__init__("; ".join(fault.why for fault in faults))
        self.faults = faults


class IllegalMoveError(RulesError):
    """A move that is not legal; `reasons` are `rules.legality.Reason`, `position` is the unchanged one."""

    def __init__(self, *, move: Any, reasons: tuple[Any, ...], position: Any) -> None:
        words = ", ".join(str(reason) for reason in reasons)
        super().__init__(f"{move}: {words} in {position.fen()!r}")
        self.move = move
        self.reasons = reasons
        self.position = position


class EpdError(TextError):
    """Not a line in EPD."""

    what = "EPD"


class ParseSanError(TextError):
    """Not a move in algebraic notation; `hint` says what it may have been (empty if nothing comes to mind)."""

    what = "SAN"

    def __init__(self, *, reason: str, column: int, text: str, hint: str = "", position: Any = None) -> None:
        super().__init__(reason=f"{reason}; {hint}" if hint else reason, column=column, text=text)
        self.hint = hint
        self.position = position
        self._said = reason

    def in_position(self, position: Any) -> ParseSanError:
        """The same error with the position the move was to be played in."""
        return ParseSanError(reason=self._said, column=self.column, text=self.text, hint=self.hint, position=position)

    @property
    def fen(self) -> str | None:
        """The position it was to be played in; None if the text was read alone."""
        return None if self.position is None else str(self.position.fen())


class IllegalSanError(RulesError):
    """A move in algebraic notation that is no legal move here; `reasons` as in `IllegalMoveError`, where known."""

    def __init__(self, *, text: str, why: str, reasons: tuple[Any, ...] = (), position: Any) -> None:
        super().__init__(f"{text}: {why} in {position.fen()!r}")
        self.text = text
        self.why = why
        self.reasons = reasons
        self.position = position

    @property
    def fen(self) -> str:
        """The position, unchanged."""
        return str(self.position.fen())


class AmbiguousSanError(RulesError):
    """A move in algebraic notation that fits several legal moves: `moves`."""

    def __init__(self, *, text: str, moves: tuple[Any, ...], position: Any) -> None:
        super().__init__(f"{text}: could be {' or '.join(map(str, moves))} in {position.fen()!r}")
        self.text = text
        self.moves = moves
        self.position = position

    @property
    def fen(self) -> str:
        """The position, unchanged."""
        return str(self.position.fen())
