"""``touchmove doctor``: guides the self-test of a board and names what is wrong by square, line, lamp or button.

On a simulated board the hands are simulated too and time is virtual; at a terminal a person is told what to do and the
board goes on by itself when it has seen it. Instructions go to stderr when the result is wanted as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from board_firmware import config as configuration
from board_firmware.complaint import Complaint, said
from board_firmware.examination.board import Examined, open_examined
from board_firmware.examination.hands import Examiner, Hands, Person
from board_firmware.examination.opening import hearing, pin_conflicts
from board_firmware.examination.steps import (
    HEALTH_PARTS,
    STAIRCASE,
    STAIRCASE_PAWNS,
    START,
    Diagram,
    Lit,
    Placed,
    Pressed,
    Step,
    Tour,
)
from board_firmware.instance_lock import InstanceLock, board_lock_path
from board_firmware.journal.raw_trace import RawTraceFile, open_record
from hal.board import Faulted, Lamps
from hal.selftest import ALL, Finding, check_lines
from hal.simulated import SimulatedBoard
from hal.squares import SQUARE_NAMES
from hal.wires import WiredBoard

_ADVICE = {
    "not_opened": "its driver did not open: wiring file, bus enabled in config.txt, extra installed?",
    "overrun": "scans come late: another program takes the processor, or a longer period_ms is needed",
    "both_closed": "both contacts of the lever are closed: wiring, or a contact that sticks",
    "driver_failed": "a scan failed in a way that no driver should: the log has the cause",
    "shorted_together": "two lines act as one: wires or solder that touch, or a diode that conducts both ways",
    "both_open": "neither contact of the lever is closed: a broken wire, or the lever rests in the middle",
}


class Examination:
    """One board, one examiner, one step after the other."""

    def __init__(
        self,
        subject: Examined,
        examiner: Examiner,
        record: RawTraceFile | None = None,
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        """``reasons``: part -> why it did not open, as far as its driver has said so."""
        self._subject, self._examiner, self._record = subject, examiner, record
        self._reasons = reasons or {}
        self.findings: list[Finding] = []
        self.steps: list[tuple[str, int]] = []
        """The steps that were taken, with how much each found."""
        self._recorded = -1
        self._at_ns = 0

    def run(self) -> None:
        """All steps that the board has something for."""
        subject = self._subject
        self._look(None)
        self._found(pin_conflicts(subject.board))
        before = len(self.findings)
        self._found(check_lines(subject.flaws()))
        if subject.groups:
            self.steps.append(("lines", len(self.findings) - before))
        empty = Diagram("empty board", "Take every piece off the board.", 0, self._known(0))
        self._take(empty)
        if empty.closed != ALL:  # with all of them closed nothing can be seen of a piece
            stuck = empty.closed
            self._take(Tour(subject.groups, stuck))
            self._set_up("starting array", "Set up the pieces for a game.", START, stuck)
            pawns = " ".join(STAIRCASE_PAWNS)
            wanted = f"Leave the pieces and move White's pawns to {pawns}: this shows diodes that are shorted."
            self._set_up("diodes", wanted, STAIRCASE, stuck)
        if subject.has_lamps:
            self._take(Placed())
            self._take(Lit())
        if subject.buttons or subject.has_lever:
            self._take(Pressed(subject.buttons, has_lever=subject.has_lever))
        subject.board.show(Lamps())

    def _set_up(self, name: str, wanted: str, standing: int, stuck: int) -> None:
        self._take(Diagram(name, wanted, standing, self._known(stuck), ranks_sense=self._subject.ranks_sense))

    def _known(self, stuck: int) -> int:
        """The squares that are known to be wrong already, so that they are not named once more."""
        named = {finding.part for finding in self.findings}
        for part, squares in self._subject.groups.items():
            if part in named:
                stuck |= squares
        for square in range(64):
            if f"square {SQUARE_NAMES[square]}" in named:
                stuck |= 1 << square
        return stuck

    def _take(self, step: Step) -> None:
        shown = Lamps()
        self._examiner.begin(step, self._at_ns)
        while not step.is_over:
            self._look(step)
            lamps = step.lamps
            if lamps != shown:
                shown = lamps
                self._subject.board.show(lamps)
            said = self._examiner.says(step, self._at_ns)
            if said is not None:
                step.told(said, self._at_ns)
        self._examiner.end(step)
        before = len(self.findings)
        self._found(step.findings())
        self.steps.append((step.name, len(self.findings) - before))

    def _look(self, step: Step | None) -> None:
        squares, self._at_ns, events = self._subject.look()
        if self._record is not None and squares != self._recorded:
            self._recorded = squares
            self._record.frame(squares, self._at_ns)
        for event in events:
            if isinstance(event, Faulted) and (event.part in HEALTH_PARTS or event.reason == "chatter"):
                advice = _ADVICE.get(event.reason, "reported by the board's driver")
                if event.reason == "not_opened":
                    advice = self._reasons.get(event.part, advice)
                self._found([Finding(part=event.part, reason=event.reason, advice=advice)])
        if step is not None:
            step.scan(squares, self._at_ns, events)

    def _found(self, found: list[Finding]) -> None:
        known = {finding.part for finding in self.findings}
        self.findings += [finding for finding in found if finding.part not in known]


def run(
    board_url: str | None,
    *,
    config: Path | None,
    record: Path | None,
    as_json: bool,
) -> int:
    """Examine the board at ``board_url`` (None: the configuration's); 1 if something is wrong with it."""
    locks: list[InstanceLock] = []
    raw: RawTraceFile | None = None
    subject: Examined | None = None
    try:
        url = board_url or str(configuration.find(config)["board"]["url"])
        if not url.startswith(("sim:", "wires:")):
            locks.append(InstanceLock(board_lock_path(url), f"the board {url}", f"touchmove doctor on {url}"))
        with hearing() as reasons:
            subject = open_examined(url)
        raw = None if record is None else open_record(record)
        console = Console(stderr=as_json)
        examination = Examination(subject, _examiner(subject, console), raw, reasons)
        examination.run()
    except (OSError, ValueError) as error:
        raise Complaint(said(error)) from None
    finally:
        if subject is not None:
            subject.board.close()
        refusal = None if raw is None else raw.close()
        for lock in locks:
            lock.close()
    if as_json:
        print(json.dumps(_as_json(url, examination), ensure_ascii=False))
    else:
        _print(url, examination, console)
    if refusal is not None:
        raise Complaint(refusal)
    return 1 if examination.findings else 0


def _examiner(subject: Examined, console: Console) -> Examiner:
    board = subject.board
    if isinstance(board, SimulatedBoard | WiredBoard):
        return Hands(board, subject.buttons)
    return Person(console, sys.stdin)


def _as_json(url: str, examination: Examination) -> dict[str, object]:
    return {
        "board": url,
        "ok": not examination.findings,
        "steps": [{"name": name, "found": found} for name, found in examination.steps],
        "findings": [asdict(finding) for finding in examination.findings],
    }


def _print(url: str, examination: Examination, console: Console) -> None:
    table = Table(title=f"self-test of {url}", title_justify="left")
    for name in ("step", "result"):
        table.add_column(name)
    for name, found in examination.steps:
        table.add_row(name, "good" if not found else f"{found} found")
    console.print(table)
    if not examination.findings:
        console.print("Nothing wrong was found.")
        return
    table = Table(title="what is wrong", title_justify="left")
    for name in ("part", "reason", "what to do"):
        table.add_column(name)
    for finding in examination.findings:
        table.add_row(finding.part, finding.reason, finding.advice)
    console.print(table)
