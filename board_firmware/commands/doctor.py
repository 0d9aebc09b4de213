"""``touchmove doctor``: guides the self-test of a board and names what is wrong by square, line, lamp or button.

On a simulated board the hands are simulated too and time is virtual; at a terminal a person is told what to do and the
board goes on by itself when it has seen it. Instructions go to stderr when the result is wanted as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from board_firmware import config as configuration
from board_firmware.complaint import Complaint, said
from board_firmware.examination.board import Examined, open_examined
from board_firmware.examination.hands import Examiner, Hands, Person
from board_firmware.examination.lamps import Lit, Placed
from board_firmware.examination.opening import hearing, pin_conflicts
from board_firmware.examination.steps import HEALTH_PARTS, START, Diagram, Pressed, Step, Tour
from board_firmware.examination.wires import Wires, panel_wires
from board_firmware.instance_lock import InstanceLock, board_lock_path
from board_firmware.journal.raw_trace import RawTraceFile, open_record
from board_firmware.plain import plain_console
from hal.board import BoardEvent, BoardSnapshot, Faulted, Lamps, Recovered
from hal.selftest import ALL, Finding, advised, check_lines
from hal.simulated import SimulatedBoard
from hal.squares import squares_of_part
from hal.wires import WiredBoard

GOOD, FOUND, NOT_LOOKED_AT = "good", "found", "not looked at"
"""The results of a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A step that is over: how much it found, and how many of its squares could not be looked at."""

    name: str
    found: int = 0
    unseen: int = 0
    is_looked_at: bool = True

    @property
    def result(self) -> str:
        """One of the three words."""
        return FOUND if self.found else GOOD if self.is_looked_at else NOT_LOOKED_AT

    def __str__(self) -> str:
        words = f"{self.found} {FOUND}" if self.found else self.result
        if not self.unseen or not self.is_looked_at:
            return words
        return f"{words}, {self.unseen} {'square' if self.unseen == 1 else 'squares'} {NOT_LOOKED_AT}"


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
        self.steps: list[Taken] = []
        """The steps, in their order."""
        self._wires, self._panel_wires = Wires(subject), panel_wires(subject.wiring)
        self._panel_faults: dict[str, str] = {}  # what the driver says of lever and panel now
        self._recorded = -1
        self._read = self._steady = 0  # the squares as scanned last, and as two scans have agreed on
        self._hidden = 0
        self._at_ns = 0

    def run(self) -> None:
        """All steps that the board has something for."""
        subject, wiring = self._subject, self._subject.wiring
        self._look(None)
        self._found(pin_conflicts(subject.board))
        empty = Diagram("empty board", "Take every piece off the board.", 0)
        self._take(empty)
        lines = Taken(name="lines", found=self._found(check_lines(self._wires.flaws)))
        if wiring is not None and wiring.scanner.kind == "matrix":
            self.steps.append(lines)
            if wiring.matrix.idle == "high":  # such lines cannot be heard
                self.steps.append(Taken(name="diodes", is_looked_at=False))
        polarity = empty.closed == ALL  # nothing can be seen of a piece then
        self._take(Tour(subject.groups, ALL if polarity else empty.closed, wiring))
        if subject.has_lamps:
            if "turned" in {finding.reason for finding in self.findings}:
                self.steps.append(Taken(name=Placed.name, is_looked_at=False))  # they lie as the squares do
            else:
                self._take(Placed())
            self._take(Lit())
        if subject.buttons or subject.has_lever:
            unheard = [part for part in self._panel_wires if self._is_explained(part)]
            self._take(Pressed(subject.buttons, has_lever=subject.has_lever, known=unheard))
        is_matrix = wiring is None or wiring.scanner.kind == "matrix"
        wanted = "Set up the pieces for a game."
        self._take(Diagram("starting array", wanted, START, self._known(), is_matrix=is_matrix))
        subject.board.show(Lamps())

    def _known(self) -> int:
        """The squares that are known to be wrong already; of a board that is wrong as a whole, all."""
        known = 0
        for finding in self.findings:
            known |= ALL if finding.part == "board" else squares_of_part(finding.part)
        return known

    def _is_explained(self, part: str) -> bool:
        """Whether a button, the lever or one on the panel hangs on a line or a diode that is known to be wrong."""
        named = {line for finding in self.findings for line in finding.part.split(" + ")}
        for line, squares in self._subject.groups.items():
            if (squares & ~self._wires.hidden).bit_count() <= 1:  # a drive line at ground hides all but its own square
                named.add(line)
        wires = self._panel_wires.items()
        return any(of & named for name, of in wires if part in (name, "panel") or name.startswith(f"{part} "))

    def _take(self, step: Step) -> None:
        before = len(self.findings)
        is_possible = not step.is_over
        if is_possible:
            self._do(step)
            if isinstance(step, Pressed) and step.is_looked_at:
                self._found(self._dead_panels(step.unheard))
                self._blame_panel(with_open="lever white" in step.unheard or "lever black" in step.unheard)
            self._found(step.findings())
        found, unseen = len(self.findings) - before, step.unseen.bit_count()
        taken = Taken(name=step.name, found=found, unseen=unseen, is_looked_at=step.is_looked_at)
        if is_possible:
            self._examiner.end(str(taken))
        self.steps.append(taken)

    def _do(self, step: Step) -> None:
        shown = Lamps()
        self._examiner.begin(step, self._at_ns)
        while not step.is_over:
            self._look(step)
            lamps = step.lamps
            if lamps != shown:
                shown = lamps
                self._subject.board.show(lamps)
            said = self._examiner.says(step, self._at_ns)
            if said is None:
                continue
            if self._examiner.is_there:
                step.told(said, self._at_ns)
            else:
                step.left()

    def _look(self, step: Step | None) -> None:
        squares, self._at_ns, events = self._subject.look()
        if self._record is not None and squares != self._recorded:
            self._recorded = squares
            self._record.frame(squares, self._at_ns)
        if step is not None:
            self._ask(step, squares)
        for event in events:
            self._hear(event)
        self._steady = squares & self._read | self._steady & (squares | self._read)  # one wrong level closes no square
        self._read = squares
        if step is not None:
            hidden, self._hidden = self._wires.hidden | self._hidden, self._wires.hidden
            step.scan(self._steady, self._at_ns, events, hidden)
        if isinstance(step, Pressed):
            self._blame_panel(with_open=False)

    def _ask(self, step: Step, squares: int) -> None:
        """Have the wires asked. Under many pieces two bad diodes look like more, or like lines that touch: what they have is
        found on the empty board and under the single piece, and in a diagram only what is wrong alone."""
        self._wires.ask(squares, self._at_ns)
        flaws = self._wires.flaws
        if isinstance(step, Diagram) and (not step.standing or len(flaws) > 1):
            flaws = ()
        self._found(check_lines(flaws))

    def _hear(self, event: BoardEvent) -> None:
        """What the driver reports by itself."""
        if isinstance(event, BoardSnapshot):  # the driver has begun anew
            self._panel_faults.clear()
        if isinstance(event, Recovered):
            self._panel_faults.pop(event.part, None)
        if not isinstance(event, Faulted):
            return
        if event.part in ("lever", "panel"):
            self._panel_faults[event.part] = event.reason
        elif event.part in HEALTH_PARTS or event.reason == "chatter":
            finding = advised(event.part, event.reason)
            if event.reason == "not_opened":
                finding = replace(finding, advice=self._reasons.get(event.part, finding.advice))
            self._found([finding])

    def _blame_panel(self, *, with_open: bool) -> None:
        """Only when it is looked at, for pieces on bad wires close its contacts. Whoever moves the lever slowly has both its
        contacts open for a while; that is a fault if it never arrives."""
        for part, reason in self._panel_faults.items():
            if (with_open or reason != "both_open") and not self._is_explained(part):
                self._found([advised(part, reason)])

    def _dead_panels(self, unheard: Collection[str]) -> list[Finding]:
        """The panel's lines of which nothing was heard, if nobody can have forgotten to press: by the rest, or the lever."""
        is_sure = len(unheard) < len(self._panel_wires) or "both_open" in self._panel_faults.values()
        lines = ("panel", "panel 2") if is_sure else ()
        on = {line: {part for part, of in self._panel_wires.items() if line in of} for line in lines}
        return [advised(line, "dead_line") for line, parts in on.items() if len(parts) > 1 and parts <= set(unheard)]

    def _found(self, found: list[Finding]) -> int:
        """Keep what is no consequence of what is known; how many these are."""
        before = len(self.findings)
        for finding in found:
            squares = squares_of_part(finding.part)
            is_known = finding.part in {one.part for one in self.findings}
            if finding.reason == "never_pressed":
                is_known |= self._is_explained(finding.part)
            if not is_known and (not squares or squares & ~self._known()):
                self.findings.append(finding)
        return len(self.findings) - before


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
        console = plain_console(stderr=as_json)
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
        "steps": [{"name": step.name, "found": step.found, "result": step.result} for step in examination.steps],
        "findings": [asdict(finding) for finding in examination.findings],
    }


def _print(url: str, examination: Examination, console: Console) -> None:
    table = Table(title=f"self-test of {url}", title_justify="left")
    for name in ("step", "result"):
        table.add_column(name)
    for step in examination.steps:
        table.add_row(step.name, str(step))
    console.print(table)
    is_whole = all(step.is_looked_at and not step.unseen for step in examination.steps)
    if not examination.findings:
        console.print("Nothing wrong was found" + ("." if is_whole else " in what was looked at."))
        return
    table = Table(title="what is wrong", title_justify="left")
    for name in ("part", "reason", "what to do"):
        table.add_column(name)
    for finding in examination.findings:
        table.add_row(finding.part, finding.reason, finding.advice)
    console.print(table)
    if not is_whole:
        console.print("When this is mended test again: not everything could be looked at.")
