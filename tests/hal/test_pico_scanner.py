"""The reference scanner for a microcontroller, run here: its frames are our line, its debounce is right, games pass."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal import scanner as line
from hal.board import Blipped, BoardSnapshot, LeverMoved, SquareChanged
from hal.dialogues.scanner import ScannerDialogue
from hal.placement import START_OCCUPANCY
from hal.squares import SQUARE_NAMES, parse_square

SKETCH = Path(__file__).resolve().parents[2] / "hardware_docs" / "pico_scanner"
MS = 1_000_000


@pytest.fixture(scope="module")
def sketch():
    """The sketch's two modules that need no pins, imported as they are on the microcontroller: beside each other."""
    names = ("line", "scanner")
    before = {name: sys.modules.pop(name, None) for name in names}
    sys.path.insert(0, str(SKETCH))
    try:
        yield importlib.import_module("line"), importlib.import_module("scanner")
    finally:
        sys.path.remove(str(SKETCH))
        for name in names:
            sys.modules.pop(name, None)
            if before[name] is not None:
                sys.modules[name] = before[name]


def _events(said: bytes) -> list[line.Happened]:
    return [frame for frame in line.FrameDecoder().feed(said) if isinstance(frame, line.Happened)]


def test_the_frames_are_those_of_the_host(sketch):
    """The check digits of both sides agree, and each reads the other."""
    pico_line, pico = sketch
    assert pico_line.crc_of(b"123456789") == 0x29B1
    assert pico_line.frame("A,3") == line.encode(line.Done(tag=3))
    assert pico_line.Hearer().feed(line.encode(line.Ask(letter="R", tag=2, arguments=("12",)))) == [["R", "2", "12"]]
    assert pico.VERSION == line.VERSION
    assert pico.NUMBERS == line.NUMBERS
    assert tuple(pico.NAMES) == SQUARE_NAMES


@given(data=st.lists(st.one_of(st.sampled_from(list(b"$*,VQRLTD0123456789ABCDEF\n")), st.integers(0, 255))).map(bytes))
def test_any_bytes_of_a_host_are_survived(sketch, data):
    """Whatever comes, the next whole frame is answered, and nothing grows."""
    _, pico = sketch
    scanner = pico.Scanner(boot=1, occupancy=START_OCCUPANCY)
    scanner.hear(data, 0)
    scanner.hear(b"", 300)
    said = scanner.hear(line.encode(line.Ask(letter="V", tag=7)), 600)
    assert any(isinstance(frame, line.Hello) for frame in line.FrameDecoder().feed(said))


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        # (ms, e2 closed) ... -> events; close 60 ms, open 30 ms, stamped at the first edge
        ([(5, 0), (10, 0), (20, 0), (34, 0), (35, 0)], ["-e2@5"]),
        ([(5, 0), (10, 0), (15, 1), (20, 1), (25, 1)], ["~e2:10@5"]),  # open from 5 to 15
        ([(5, 0), (40, 0), (45, 1), (100, 1), (106, 1)], ["-e2@5", "+e2@45"]),
        ([(5, 0), (10, 1), (15, 0), (30, 0), (46, 0)], ["~e2:5@5", "-e2@15"]),  # bounce on opening
    ],
)
def test_debounce(sketch, samples, expected):
    """Closing, opening, a blip, bounce."""
    _, pico = sketch
    scanner = pico.Scanner(boot=1, occupancy=1 << 12)
    said = b"".join(scanner.step(closed << 12, ms) for ms, closed in samples)
    assert [f"{event.what}@{event.ms}" for event in _events(said)] == expected


def test_lever_and_buttons(sketch):
    """The first position is no press; in flight is none; a button is told once."""
    _, pico = sketch
    scanner = pico.Scanner(boot=1)
    said = b"".join(
        scanner.step(0, ms, lever, buttons)
        for ms, lever, buttons in ((5, "w", ()), (10, None, ()), (15, "b", ("ok",)), (20, "b", ("ok",)), (25, "b", ()))
    )
    assert [event.what for event in _events(said)] == ["Lb", "Bok"]


def test_lamps_and_tones(sketch):
    """What the host says is what the pins are told; lamps blink by themselves."""
    _, pico = sketch
    scanner = pico.Scanner(boot=1)
    ask = line.Ask(letter="L", tag=1, arguments=(line.lamps_argument(((12, 255, 0, 0, 2), (28, 0, 0, 9, 0))),))
    assert scanner.hear(line.encode(ask), 0) == line.encode(line.Done(tag=1))
    assert scanner.lit_now(0) == [(12, 255, 0, 0), (28, 0, 0, 9)]
    assert scanner.lit_now(300) == [(28, 0, 0, 9)]
    scanner.hear(line.encode(line.Ask(letter="T", tag=2, arguments=("440", "100"))), 0)
    assert scanner.tone == (440, 100)
    for letter, words in (("L", ("0",)), ("L", ("40FF00000",)), ("T", ("440",)), ("R", ()), ("X", ())):
        (done,) = line.FrameDecoder().feed(
            scanner.hear(line.encode(line.Ask(letter="D", tag=9, arguments=("x",))), 0)
            if letter == "X"
            else scanner.hear(line.encode(line.Ask(letter=letter, tag=9, arguments=words)), 0)
        )
        assert done == line.Done(tag=9, reason="bad")


def test_the_host_and_the_sketch_play_together(sketch):
    """Five hundred random lifts and places with bounce, on a line that loses bytes: all told, once, in order, in time."""
    _, pico = sketch
    random = Random(7)
    scanner = pico.Scanner(boot=77, occupancy=START_OCCUPANCY)
    dialogue = ScannerDialogue()
    dialogue.begin(0)
    raw = START_OCCUPANCY
    true: list[tuple[int, bool]] = []
    told: list[tuple[int, bool]] = []
    others: set[type] = set()
    changes = 0
    bouncing: tuple[int, int] | None = None
    for ms in range(5, 200_000, 5):
        if ms % 300 == 0 and 2_000 < ms < 160_000:
            square = random.randrange(64)
            raw ^= 1 << square
            true.append((square, bool(raw >> square & 1)))
            bouncing = square, ms
            changes += 1
        shown = raw
        if bouncing is not None and ms - bouncing[1] == 5 and random.random() < 0.3:
            shown ^= 1 << bouncing[0]
        said = scanner.step(shown, ms, "w" if ms < 100_000 else "b")
        if said and random.random() < 0.05:
            at = random.randrange(len(said))
            said = said[:at] + said[at + 1 :]
        events = dialogue.receive(said, ms * MS) + dialogue.tick(ms * MS) if said else dialogue.tick(ms * MS)
        for message in dialogue.take_outgoing():
            events += dialogue.receive(scanner.hear(message, ms), ms * MS)
        for event in events:
            if isinstance(event, SquareChanged):
                told.append((event.square, event.occupied))
                assert ms * MS - event.at_ns < 1_500 * MS
            else:
                others.add(type(event))
    assert changes > 500
    assert told == true
    assert others == {BoardSnapshot, Blipped, LeverMoved}
    assert dialogue.occupancy() == raw


def test_main_is_python_that_needs_only_the_board(sketch):
    """The pin file is not run here; its wiring is: sixteen lines, each used once, squares counted as everywhere."""
    source = (SKETCH / "main.py").read_text()
    names: dict[str, object] = {}
    for text in source.splitlines():
        if text.startswith(("DRIVE", "SENSE", "LEVER_", "LAMPS", "PIEZO")):
            exec(text, names)
    pins = [
        *names["DRIVE"],
        *names["SENSE"],
        names["LEVER_WHITE"],
        names["LEVER_BLACK"],
        names["LAMPS"],
        names["PIEZO"],
    ]
    assert len(set(pins)) == len(pins) == 20
    assert "8 * rank + file" in source
    assert parse_square("b1") == 1
    compile(source, "main.py", "exec")
