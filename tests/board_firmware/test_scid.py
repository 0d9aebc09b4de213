"""A real client: Scid takes our board for an input engine and writes the game down; needs Debian's scid and xvfb.

Scid runs under a virtual display with its own home. Its hardware settings are Tcl that it reads at its start: they name our
engine, press the connect button and write Scid's own PGN and console to files, which is all this test looks at. Scid has no
driver for the DGT line itself, so it is driven through its input-engine protocol, over a pseudo-terminal.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from board_firmware.core.session import Session
from board_firmware.emulation.game_state import standing_of
from board_firmware.emulation.guise import ClockTimes, Standing
from board_firmware.emulation.relayed_board import FollowedCore
from board_firmware.emulation.scid import ScidGuise
from board_firmware.hands.game import Circumstances, Score, SimulatedGame
from hal.simulated import SimulatedBoard
from hal.transport import PtyLink
from rules import Game, Move, Position
from tests.board_firmware.serial_games import EVERYTHING, MORPHY_HART, OPERA, played, view_of

SCID = shutil.which("scid", path=os.environ.get("PATH", "") + ":/usr/games")
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0
"""How long one answer of Scid may take; a machine that has other things to do is no fault of ours."""

pytestmark = pytest.mark.skipif(
    not (SCID and shutil.which("Xvfb")), reason="needs Scid and Xvfb: apt install scid xvfb"
)

SETTINGS = """
set ::ExtHardware::engine {{{python} -m board_firmware.emulation.scid_engine}}
set ::ExtHardware::port {{{home}/board}}
set ::ExtHardware::param {{}}
set ::ExtHardware::hardware 2
proc touchmoveWrite {{name text}} {{
  set f [open {home}/$name.new w]; puts $f $text; close $f
  file rename -force {home}/$name.new {home}/$name
}}
proc touchmoveDump {{}} {{
  catch {{touchmoveWrite game.pgn [sc_game pgn]}}
  catch {{touchmoveWrite console.txt [.inputengineconsole.console get 1.0 end]}}
  after 50 touchmoveDump
}}
proc touchmoveBegin {{}} {{
  if {{[info commands ::inputengine::connectdisconnect] eq "" || ![winfo exists .main] || ![winfo ismapped .]}} {{
    after 50 touchmoveBegin
    return
  }}
  set ::animateDelay 0
  ::inputengine::connectdisconnect
  touchmoveDump
}}
after 50 touchmoveBegin
"""


class Scid:
    """Scid in a home of its own on a display of its own, and our board's end of its line."""

    def __init__(self, home: Path) -> None:
        self.home = home
        version = re.search(r'scidVersionExpected "(\d+\.\d+)', Path(SCID).read_text())
        settings = home / f".scid{version[1]}" / "config"
        settings.mkdir(parents=True)
        (settings / "hardware.dat").write_text(SETTINGS.format(python=sys.executable, home=home))
        self.link = PtyLink(str(home / "board"))
        self.guise = ScidGuise()
        self.guise.stands(standing_of(view_of(Game.start(), ())), 0)
        reading, writing = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as said:
            number = said.readline().strip()  # to the line's end: the server dies if nobody takes it
        assert number, "Xvfb did not start"
        self.log = (home / "log").open("w")
        env = {**os.environ, "HOME": str(home), "DISPLAY": f":{number}", "PYTHONPATH": str(ROOT)}
        self.program = subprocess.Popen([SCID], env=env, stdout=self.log, stderr=self.log)

    def serve_until(self, condition) -> None:
        """Answer Scid until the condition holds."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert self.program.poll() is None, f"Scid has ended\n{self.log_text}"
            data = self.link.read(0.02)
            if data:
                self.guise.receive(data, 0)
            for message in self.guise.take_outgoing():
                self.link.write(message)
            assert time.monotonic() < end, f"{self.console[-2000:]}\n{self.log_text}"

    def connect(self) -> None:
        """Until Scid has asked for the position and stands on it; a game that began before would come as one position."""
        self.serve_until(lambda: "< info FEN" in self.console)

    def follow(self, standing: Standing) -> None:
        """The game stands so: until Scid has written down all its final moves."""
        self.guise.stands(standing, 0)
        self.serve_until(lambda: len(self.moves) == len(standing.san))

    @property
    def log_text(self) -> str:
        """What Scid said on its own streams."""
        return (self.home / "log").read_text()

    @property
    def console(self) -> str:
        """What Scid's own console window shows."""
        file = self.home / "console.txt"
        return file.read_text() if file.exists() else ""

    @property
    def game(self) -> str:
        """Scid's own PGN."""
        file = self.home / "game.pgn"
        return file.read_text() if file.exists() else ""

    @property
    def moves(self) -> list[str]:
        """The moves in it."""
        return re.sub(r"\d+\.+|\*|1-0|0-1|1/2-1/2", " ", self.game.partition("\n\n")[2]).split()

    def close(self) -> None:
        """End Scid, its display and the line."""
        for process in (self.program, self.display):
            process.kill()
            process.wait()
        self.log.close()
        self.link.close()


@pytest.fixture
def scid(tmp_path):
    """A Scid that is connected to our board."""
    one = Scid(tmp_path)
    try:
        one.connect()
        yield one
    finally:
        one.close()


class Followed:
    """Keeps how the game stood after each decision of the core."""

    def __init__(self) -> None:
        self.standings: list[Standing] = []

    def stands(self, standing: Standing, clock: ClockTimes | None = None) -> None:
        """As a board that is told the game."""
        self.standings.append(standing)


def test_scid_writes_a_whole_game_down(scid):
    """Simulated hands play on simulated reeds; each final move of the session is in Scid's PGN, and the result."""
    followed = Followed()
    moves = tuple(map(Move.from_uci, MORPHY_HART.split()))
    game = SimulatedGame(
        Score(start=Position.start(), moves=moves, result="1-0"),
        Circumstances(),
        board=SimulatedBoard(seed=1),
        new_core=lambda: FollowedCore(Session(), followed),
        seed="a",
    )
    assert game.play().right == len(moves)
    for standing in followed.standings:
        scid.follow(standing)
    last = followed.standings[-1]
    assert last.moves == tuple(MORPHY_HART.split())
    assert scid.moves == list(last.san)
    assert {"O-O", "O-O-O", "dxc6", "cxd8=Q"} <= set(scid.moves)
    scid.serve_until(lambda: "info End Game" in scid.console and '[Result "1-0"]' in scid.game)
    scid.serve_until(lambda: scid.console.count("Board and internal position match") == len(moves))
    assert "Wrong Position" not in scid.console
    assert "Illegal move" not in scid.console


@pytest.mark.prove
@pytest.mark.parametrize("words", [EVERYTHING, OPERA], ids=["everything", "opera"])
def test_scid_writes_each_move_down(scid, words):
    """Castling on both sides, en passant, promotion: Scid's own PGN holds each move, its position is always ours."""
    san: tuple[str, ...] = ()
    for _, view, standing in played(words):
        san = view.san
        scid.follow(standing)
    assert scid.moves == list(san)
    scid.serve_until(lambda: scid.console.count("Board and internal position match") == len(san))
    assert "Wrong Position" not in scid.console
    assert "Illegal move" not in scid.console


def test_scid_follows_a_takeback(scid):
    """Two plies taken back: Scid is given the position and stands on it."""
    steps = [standing for _, _, standing in list(played(EVERYTHING))[:3]]
    scid.follow(steps[2])
    scid.guise.stands(steps[0], 0)
    scid.serve_until(lambda: f'[FEN "{steps[0].fen}"]' in scid.game and scid.moves == [])
    scid.guise.stands(steps[1], 0)
    scid.serve_until(lambda: scid.moves in (["...", "a6"], ["a6"]))
