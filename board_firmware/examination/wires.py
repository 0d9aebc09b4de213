"""What the wires say during an examination: asked again and again, since a bad diode shows only under a piece.

One that is reversed does not even read closed then, so it is not enough to ask when a square closes.
"""

from __future__ import annotations

from collections.abc import Mapping

from board_firmware.examination.board import Examined
from hal.continuity import Continuity, Flaw
from hal.wiring import Wiring

ASK_NS = 40_000_000
"""How often, while no contact changes: a piece that slides with 300 mm/s keeps a reed closed for twice as long."""


class Wires:
    """One board's wires."""

    def __init__(self, subject: Examined) -> None:
        self._subject = subject
        self._sure: set[str] = set()  # the parts that have been found twice
        self._squares: int | None = None
        self._asked_ns = 0
        self.flaws: tuple[Flaw, ...] = ()
        """What is wrong now."""

    def ask(self, squares: int, at_ns: int) -> None:
        """If it is time to ask after a scan with these ``squares``."""
        if squares == self._squares and at_ns - self._asked_ns < ASK_NS:
            return
        self._squares, self._asked_ns = squares, at_ns
        flaws = self._subject.flaws()
        if any(flaw.part not in self._sure for flaw in flaws):
            self._sure |= {flaw.part for flaw in self._subject.flaws()}  # so often asked, a wrong level would come up
        self.flaws = tuple(flaw for flaw in flaws if flaw.part in self._sure)

    @property
    def hidden(self) -> int:
        """The squares that cannot be seen now."""
        hidden = 0
        for flaw in self.flaws:
            hidden |= flaw.hidden
        return hidden


def panel_wires(wiring: Wiring | None) -> Mapping[str, frozenset[str]]:
    """``button ok``, ``lever white`` and so on -> the parts that it needs to be heard: lines and diodes.

    The lever needs those of both its contacts: what comes back to the one that was closed has moved only if it has left.
    """
    if wiring is None or wiring.scanner.kind != "matrix":
        return {}
    continuity, panel = Continuity(wiring), wiring.panel

    def of(*contacts: int) -> frozenset[str]:
        return frozenset(
            part
            for contact in contacts
            for part in (
                continuity.senses[(contact - 1) % 8],
                continuity.drives[8 + (contact - 1) // 8],
                f"contact {contact}",
            )
        )

    needed = {f"button {name}": of(contact) for name, contact in panel.buttons.items()}
    if panel.lever_white:
        needed |= dict.fromkeys(("lever white", "lever black"), of(panel.lever_white, panel.lever_black))
    return needed
