"""Raw sensor frames: what the contacts did comes back to the nanosecond, and can be debounced anew."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.cli import main
from board_firmware.commands import doctor
from board_firmware.complaint import Complaint
from board_firmware.core.events import DrawOffered, GameStarted, LeverMoved, SquareChanged, Tick
from board_firmware.core.session import Session
from board_firmware.hands.game import Circumstances, Score, SimulatedGame
from board_firmware.hands.styles import HUMAN
from board_firmware.journal.raw_trace import MAGIC, RawTraceFile, _Encoder, open_record, read, steps
from hal.debounce import Debounce
from hal.simulated import SimulatedBoard
from hal.squares import SQUARE_NAMES
from rules import START_FEN, Position
from rules.pgn import read_pgn

FAMOUS = Path(__file__).parents[1] / "data" / "famous.pgn"


class Recorded:
    """A session whose events go into the file as the loop's do."""

    def __init__(self, raw) -> None:
        self.session = Session()
        self.told = []
        self._raw = raw

    def receive(self, event):
        """One step."""
        self._raw.event(event)
        decisions = self.session.receive(event)
        self.told += [decision.as_json() for decision in decisions]
        return decisions

    def view(self):
        """What holds."""
        return self.session.view()

    def deadline_ns(self):
        """When a tick is wanted."""
        return self.session.deadline_ns()


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A famous game by human hands: the file, and what was decided while it was recorded."""
    path = tmp_path_factory.mktemp("raw") / "game.raw"
    raw = RawTraceFile(path)
    board = SimulatedBoard(seed=3)
    board.tap = raw.frame
    raw.frame(board.contacts, 0)
    core = Recorded(raw)
    game = next(iter(read_pgn(FAMOUS.read_bytes())))
    SimulatedGame(
        Score(start=Position.start(), moves=game.moves, result=game.result), Circumstances(style=HUMAN, control="5400"),
        board=board, new_core=lambda: core, seed="raw",
    ).play()  # fmt: skip
    raw.close()
    return path, core.told, [move.uci() for move in game.moves]


def test_the_same_debounce_decides_the_same(recording):
    """All decisions again, to the byte, from the contacts alone."""
    path, told, _ = recording
    again = [decision.as_json() for _, decisions, _ in steps(path) for decision in decisions]
    assert again == told


@pytest.mark.parametrize(("close_ms", "open_ms"), [(40, 20), (100, 50), (60, 60)])
def test_other_debounce_times_can_be_tried(recording, close_ms, open_ms):
    """The events differ, the game is the same: these hands suit other times too."""
    path, told, moves = recording
    again = list(steps(path, Debounce(close_ms=close_ms, open_ms=open_ms)))
    assert again[-1][2].state()["moves"] == moves
    assert [decision.as_json() for _, decisions, _ in again for decision in decisions] != told


@pytest.mark.parametrize("times", [[], ["--debounce", "40/20"]])
def test_the_command_replays_frames(recording, capsys, times):
    """``replay --raw`` ends with the state of the game, at other debounce times too."""
    path, _, moves = recording
    assert main(["replay", str(path), "--raw", "--json", *times]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["moves"] == moves


def test_until_ends_frames_too(recording, capsys):
    """No later decision, and fewer moves."""
    path, told, moves = recording
    assert main(["replay", str(path), "--json", "--until", "20"]) == 0
    *decisions, state = map(json.loads, capsys.readouterr().out.splitlines())
    assert decisions == [one for one in told if one["at_s"] <= 20]
    assert state["moves"] == moves[: len(state["moves"])]
    assert 0 < len(state["moves"]) < len(moves)


@pytest.fixture(scope="module")
def tested(tmp_path_factory):
    """What the self-test of a board in wires keeps: contacts, no game."""
    path = tmp_path_factory.mktemp("tested") / "test.raw"
    assert doctor.run("wires:?seed=5", config=None, record=path, as_json=True) == 0
    return path


def test_a_self_tests_frames_are_listed(tested, capsys):
    """One piece over all squares: each is placed on and lifted from, in words and as JSON, up to any second."""
    capsys.readouterr()
    assert main(["replay", str(tested), "--raw"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("@0.000 ")
    acts = {line.partition(" ")[2] for line in lines}
    assert acts >= {f"{act} {name}" for act in ("place", "lift") for name in SQUARE_NAMES}
    assert re.fullmatch(r"# \d+ lifts, \d+ places, 0 blips", lines[-1])
    assert main(["replay", str(tested), "--json", "--until", "1"]) == 0
    *acts, counts = map(json.loads, capsys.readouterr().out.splitlines())
    assert all(act["at_s"] <= 1 for act in acts)
    assert sum(counts["acts"].values()) == len(acts) < len(lines)


def test_a_self_tests_frames_can_be_debounced_anew(tmp_path, capsys):
    """A contact that opens for 20 ms: a blip at 30, a lift and a place at 10."""
    path = tmp_path / "one.raw"
    raw = RawTraceFile(path)
    for contacts, at_ms in ((1, 0), (3, 1000), (1, 1100), (3, 1120)):
        raw.frame(contacts, at_ms * 1_000_000)
    raw.close()
    found = {}
    for times in ("60/30", "10/10"):
        assert main(["replay", str(path), "--debounce", times, "--json"]) == 0
        found[times] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found["60/30"] == [
        {"at_s": 0.0, "act": "place", "square": "b1"}, {"at_s": 0.1, "act": "blip", "square": "b1", "ms": 20.0},
        {"acts": {"lift": 0, "place": 1, "blip": 1}},
    ]  # fmt: skip
    assert [one.get("act") for one in found["10/10"]] == ["place", "lift", "place", None]


@pytest.mark.parametrize(
    "wrong", [["--raw", "--debounce", "60"], ["--raw", "--debounce", "0/30"], ["--debounce", "60/nan"]]
)
def test_what_cannot_be_debounced_is_said(recording, capsys, wrong):
    """Times that are none."""
    path, _, _ = recording
    assert main(["replay", str(path), *wrong]) != 0
    assert "--debounce" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"not frames"])
def test_a_file_that_holds_no_frames_is_named(tmp_path, capsys, content):
    """Missing, empty, or something else: the file is named, in a sentence."""
    path = tmp_path / "none.raw"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path), "--raw"]) != 0
    assert "none.raw" in capsys.readouterr().err


def test_a_debounce_that_is_none_shows_the_bounce(recording):
    """With a tenth of a millisecond each rocking of a piece is a lift and a place."""
    path, _, _ = recording
    changes = sum(isinstance(event, SquareChanged) for event, _, _ in steps(path))
    bouncing = sum(isinstance(event, SquareChanged) for event, _, _ in steps(path, Debounce(close_ms=0.1, open_ms=0.1)))
    assert bouncing > changes * 1.1


def test_frames_are_compact(recording):
    """Far less than the journal: a game of 33 plies in some kilobytes."""
    path, _, _ = recording
    records = list(read(path.read_bytes()))
    frames = sum(isinstance(content, int) for _, content in records)
    assert frames > 300
    assert path.stat().st_size < 20 * frames


RECORDS = st.lists(
    st.tuples(
        st.integers(0, 2**50),
        st.one_of(
            st.integers(0, 2**64 - 1),
            st.just(LeverMoved(down="white", at_ns=1)),
            st.just(DrawOffered(side="black", at_ns=2)),
            st.just(GameStarted(at_ns=3, fen=START_FEN, tags={"White": "Å"})),
        ),
    ),
    max_size=20,
)


@given(RECORDS)
def test_what_is_written_is_read(records):
    """Any contacts, any order of times, events among them; nanoseconds exact."""
    encoder = _Encoder()
    content = MAGIC + b"".join(encoder.encode(at_ns, one) for at_ns, one in records)
    assert list(read(content)) == records


@given(RECORDS, st.integers(0, 400))
def test_a_cut_file_gives_what_was_whole(records, cut):
    """The power went while it was written: all records before the cut."""
    encoder = _Encoder()
    content = MAGIC + b"".join(encoder.encode(at_ns, one) for at_ns, one in records)
    back = list(read(content[: max(len(MAGIC), len(content) - cut)]))
    assert back == records[: len(back)]


def test_what_is_no_recording_is_said(tmp_path):
    """Another file, and nonsense after the right beginning."""
    path = tmp_path / "x.raw"
    path.write_bytes(b"PK\3\4")
    with pytest.raises(ValueError, match="not a file of raw sensor frames"):
        list(steps(path))
    with pytest.raises(ValueError, match="9 is no tag"):
        list(read(MAGIC + b"\x09\x00"))


def test_an_existing_file_is_not_overwritten(tmp_path):
    """A recording is evidence."""
    path = tmp_path / "x.raw"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError):
        RawTraceFile(path)
    assert path.read_bytes() == b"old"


def test_events_of_the_reeds_are_left_to_the_frames(tmp_path):
    """They come out of the debouncer again; an offset is the loop's, added to the frames alone."""
    path = tmp_path / "x.raw"
    raw = RawTraceFile(path, offset_ns=1000)
    raw.frame(5, 10)
    raw.event(SquareChanged(square=1, occupied=True, at_ns=1))
    raw.event(Tick(at_ns=1))
    raw.event(LeverMoved(down="white", at_ns=2))
    raw.close()
    assert list(read(path.read_bytes())) == [(1010, 5), (2, LeverMoved(down="white", at_ns=2))]


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path, monkeypatch):
    """It is told once with option and file, what still comes is let go, and closing says it again."""
    path, told = tmp_path / "x.raw", []
    monkeypatch.setattr(type(path), "open", lambda self, mode: open("/dev/full", "wb"))  # noqa: SIM115 closed as that file
    raw = open_record(path, told=told.append)
    for at_ns in range(20_000):
        raw.frame(at_ns % 7, at_ns)
    sentence = f"--record {path}: No space left on device; the recording ends before that"
    assert raw.close() == sentence
    assert told == [sentence]


def test_a_recording_that_cannot_be_begun_is_said(tmp_path):
    """The same words for every command that records."""
    path = tmp_path / "x.raw"
    path.write_bytes(b"old")
    with pytest.raises(Complaint, match="the file exists; name a new one"):
        open_record(path)
    with pytest.raises(Complaint, match="No such file"):
        open_record(tmp_path / "none" / "x.raw")


@pytest.mark.parametrize("text", ["[]", "{}", '{"event": "Tick", "x": 1}', "[" * 50_000, '{"event": []}'])
def test_an_event_that_is_none_is_said(tmp_path, capsys, text):
    """Whatever stands in its place."""
    path = tmp_path / "x.raw"
    length = len(text)
    varint = bytes([length & 0x7F | 0x80, length >> 7 & 0x7F | 0x80, length >> 14]) if length > 127 else bytes([length])
    path.write_bytes(MAGIC + b"\1\0" + varint + text.encode())
    assert main(["replay", str(path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"touchmove replay: {path}: an event in it cannot be read")
