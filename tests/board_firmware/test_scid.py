"""A real client: Scid takes our board for an input engine and writes the game down; needs Debian's scid and xvfb.

Scid runs under a virtual display with its own home. Its hardware settings are Tcl that it reads at its start: they name our
engine, press the connect button and write Scid's own PGN and console to files, which is all this test looks at. Scid has no
driver for the DGT line itself, so it is driven through its input-engine protocol.
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

from board_firmware.emulation.game_state import standing_of
from board_firmware.emulation.scid import ScidGuise
from hal.transport import PtyLink
from rules import Game
from tests.board_firmware.serial_games import EVERYTHING, OPERA, played, view_of

SCID = shutil.which("scid", path=os.environ.get("PATH", "") + ":/usr/games")
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(not (SCID and shutil.which("Xvfb")), reason="needs Scid and Xvfb: apt install scid xvfb"),
]

SETTINGS = """
set ::ExtHardware::engine {{{python} -m board_firmware.emulation.scid_engine}}
set ::ExtHardware::port {{{home}/board}}
set ::ExtHardware::param {{}}
set ::ExtHardware::hardware 2
proc touchmoveDump {{}} {{
  catch {{
    set f [open {home}/game.new w]; puts $f [sc_game pgn]; close $f
    file rename -force {home}/game.new {home}/game.pgn
    set f [open {home}/console.txt w]; puts $f [.inputengineconsole.console get 1.0 end]; close $f
  }}
  after 100 touchmoveDump
}}
after 1000 {{::inputengine::connectdisconnect; touchmoveDump}}
"""


class Scid:
    """Scid in a home of its own on a display of its own, and our board's end of its line."""

    def __init__(self, home: Path) -> None:
        self.home = home
        settings = home / ".scid4.7" / "config"
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
        self.log = (home / "log").open("w")
        env = {**os.environ, "HOME": str(home), "DISPLAY": f":{number}", "PYTHONPATH": str(ROOT)}
        self.program = subprocess.Popen([SCID], env=env, stdout=self.log, stderr=self.log)

    def serve_until(self, condition) -> None:
        """Answer Scid until the condition holds."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            data = self.link.read(0.02)
            if data:
                self.guise.receive(data, 0)
            for message in self.guise.take_outgoing():
                self.link.write(message)
            assert time.monotonic() < end, f"{self.console[-2000:]}\n{(self.home / 'log').read_text()}"

    @property
    def console(self) -> str:
        """What Scid's own console window shows."""
        file = self.home / "console.txt"
        return file.read_text() if file.exists() else ""

    @property
    def moves(self) -> list[str]:
        """The moves in Scid's own PGN."""
        file = self.home / "game.pgn"
        text = file.read_text().partition("\n\n")[2] if file.exists() else ""
        return re.sub(r"\d+\.+|\*|1-0|0-1|1/2-1/2", " ", text).split()

    def close(self) -> None:
        """End Scid, its display and the line."""
        for process in (self.program, self.display):
            process.terminate()
            process.wait(10)
        self.log.close()
        self.link.close()


@pytest.mark.parametrize("words", [EVERYTHING, OPERA], ids=["everything", "opera"])
def test_scid_writes_the_game_down(tmp_path, words):
    """Castling on both sides, en passant, promotion: Scid's own PGN holds each move, its position is always ours."""
    scid = Scid(tmp_path)
    try:
        scid.serve_until(lambda: "> getposition" in scid.console)
        san: tuple[str, ...] = ()
        for _, view, standing in played(words):
            san = view.san
            scid.guise.stands(standing, 0)
            scid.serve_until(lambda: len(scid.moves) == len(san))  # noqa: B023 - asked at once
        assert scid.moves == list(san)
        scid.serve_until(lambda: scid.console.count("> getposition") > len(san))
        assert "Wrong Position" not in scid.console
        assert "Illegal move" not in scid.console
    finally:
        scid.close()


def test_scid_follows_a_takeback(tmp_path):
    """Two plies taken back: Scid is given the position and stands on it."""
    scid = Scid(tmp_path)
    try:
        scid.serve_until(lambda: "> getposition" in scid.console)
        steps = list(played(EVERYTHING))[:3]
        scid.guise.stands(steps[2][2], 0)
        scid.serve_until(lambda: len(scid.moves) == 3)
        scid.guise.stands(steps[0][2], 0)
        scid.serve_until(lambda: scid.moves == [])
        assert f'[FEN "{steps[0][2].fen}"]' in (tmp_path / "game.pgn").read_text()
        scid.guise.stands(steps[1][2], 0)
        scid.serve_until(lambda: scid.moves == ["...", "a6"] or scid.moves == ["a6"])
    finally:
        scid.close()
