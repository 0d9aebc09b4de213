"""Nothing an unchecked line says is believed once: a square changes when two reports agree on what stands there.

Pure. Lines without a check (DGT, Sentio) now and then deliver a wrong byte that looks right. A *hint* (one square) or a
*whole* report (64 squares) opens a claim about a square; the next whole report confirms it, refutes it or opens
another. Whoever drives the line asks for whole reports as long as `is_unsettled`. A byte too many shifts all that follows
it in a report, the same way each time; it shows in what is left over behind the report, and `doubt` takes that report back.
"""

from __future__ import annotations

from dataclasses import dataclass

from hal.placement import NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What stands on a square since ``at_ns``, the time of the first report that said so."""

    square: int
    content: str
    at_ns: int


@dataclass(slots=True)
class _Claim:
    content: str
    at_ns: int
    order: int
    from_whole: bool = False


class Agreement:
    """Confirmed contents of 64 squares, from reports that may each be wrong."""

    def __init__(self) -> None:
        self._settled: str | None = None
        self._first: str | None = None
        self._claims: dict[int, list[_Claim]] = {}
        self._count = 0
        self._doubted = False

    @property
    def settled(self) -> str | None:
        """The placement believed now; None before two whole reports have agreed."""
        return self._settled

    @property
    def is_unsettled(self) -> bool:
        """Whether another whole report is wanted."""
        return self._settled is None or self._doubted or bool(self._claims)

    def restart(self) -> None:
        """The link was gone: believe nothing until two whole reports agree again."""
        self._settled = self._first = None
        self._doubted = False
        self._claims.clear()

    def hint(self, square: int, content: str, at_ns: int) -> None:
        """One square is said to hold ``content``; several hints on a square are kept in order (at most eight)."""
        claims = self._claims.setdefault(square, [])
        if not claims or claims[-1].content != content:
            self._count += 1
            claims.append(_Claim(content, at_ns, self._count))
            del claims[:-8]

    def doubt(self) -> None:
        """The last whole report cannot have been right: what it alone has claimed is forgotten, another is wanted."""
        self._doubted = True
        self._first = None
        for square, claims in list(self._claims.items()):
            claims[:] = [claim for claim in claims if not claim.from_whole]
            if not claims:
                del self._claims[square]

    def whole(self, placement: str, at_ns: int) -> tuple[Confirmed, ...]:
        """All squares are said to stand so: what this confirms, in the order in which it happened.

        The first two equal reports only set the state and confirm nothing: read `settled`.
        """
        self._doubted = False
        if self._settled is None:
            if self._first == placement:
                self._settled, self._first = placement, None
                self._claims.clear()
            else:
                self._first = placement
            return ()
        believed: list[tuple[int, int, Confirmed]] = []
        for square in {*self._claims, *_different(self._settled, placement)}:
            content = placement[square]
            claims = self._claims.pop(square, [])
            if claims and claims[-1].content == content:
                for claim in claims:
                    confirmed = Confirmed(square=square, content=claim.content, at_ns=claim.at_ns)
                    believed.append((claim.at_ns, claim.order, confirmed))
            elif content != self._settled[square]:
                self._count += 1
                self._claims[square] = [_Claim(content, at_ns, self._count, from_whole=True)]
        believed.sort(key=lambda entry: entry[:2])
        squares = list(self._settled)
        changes = []
        for _, _, confirmed in believed:
            if squares[confirmed.square] != confirmed.content:
                squares[confirmed.square] = confirmed.content
                changes.append(confirmed)
        self._settled = "".join(squares)
        return tuple(changes)


def _different(one: str, other: str) -> list[int]:
    return [square for square in range(len(NOTHING)) if one[square] != other[square]]
