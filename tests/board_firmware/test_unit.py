"""The systemd unit and the guide against each other: every path, user and directory of the one is made by the other."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from board_firmware import config

DOCS = Path(__file__).resolve().parents[2] / "hardware_docs"
GUIDE = (DOCS / "deployment.md").read_text(encoding="utf-8")
UNIT = dict(
    line.partition("=")[::2]
    for line in (DOCS / "touchmove.service").read_text(encoding="utf-8").splitlines()
    if re.match(r"\w+=", line)
)
(COMMANDS,) = re.findall(r"```\n(sudo useradd.*?)```", GUIDE, re.DOTALL)


def test_what_is_started_is_what_the_guide_installs():
    """The program of the guide's environment, with a command that there is and options that it knows."""
    program, *arguments = shlex.split(UNIT["ExecStart"])
    (environment,) = re.findall(r"python3 -m venv --system-site-packages (\S+)", COMMANDS)
    assert program == f"{environment}/bin/touchmove"
    assert f"{environment}/bin/pip install" in COMMANDS
    command = [sys.executable, "-m", "board_firmware", *arguments, "--help"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=DOCS.parent)
    assert result.returncode == 0, result.stderr


def test_the_configuration_is_where_it_is_looked_for(tmp_path):
    """The guide writes the file that the unit asserts, in the unit's directory; it is a configuration for a wired board."""
    path, text = re.search(r"sudo tee (\S+) <<'END'\n(.*?)END\n", COMMANDS, re.DOTALL).groups()
    assert path == UNIT["AssertPathExists"] == f"/etc/{UNIT['ConfigurationDirectory']}/{config.FILE_NAME}"
    assert f"mkdir -p /etc/{UNIT['ConfigurationDirectory']}\n" in COMMANDS
    assert "--config" not in UNIT["ExecStart"]
    (tmp_path / config.FILE_NAME).write_text(text)
    found = config.find(None, {"CONFIGURATION_DIRECTORY": str(tmp_path)})
    assert found["board"]["url"] == "reed:"
    assert found["web"]["host"] == "0.0.0.0"


def test_user_groups_and_folders_are_made():
    """By the guide or by systemd itself."""
    groups, user = re.search(r"useradd --system --groups (\S+) (\S+)", COMMANDS).groups()
    assert user == UNIT["User"]
    assert groups.split(",") == UNIT["SupplementaryGroups"].split()
    assert UNIT["WorkingDirectory"] == f"/run/{UNIT['RuntimeDirectory']}"
    assert f"/var/lib/{UNIT['StateDirectory']}" in GUIDE
    assert "cp hardware_docs/touchmove.service /etc/systemd/system/" in COMMANDS
    assert (DOCS / "touchmove.service").read_text().startswith("# /etc/systemd/system/touchmove.service\n")


def test_the_lock_of_a_board_is_one_for_the_machine():
    """Behind ProtectSystem=strict and PrivateTmp the service would have a lock that nobody else sees."""
    assert UNIT["ProtectSystem"] == "strict"
    assert UNIT["ReadWritePaths"] == "-/run/lock"


def test_what_the_guide_says_of_the_unit_stands_there():
    """Each ``Key=value`` that a bullet explains."""
    told = re.findall(r"^- `(\w+)=(\S+)`", GUIDE, re.MULTILINE)
    assert len(told) >= 7
    for key, value in told:
        assert UNIT[key] == value, key
    assert "PrivateDevices" not in UNIT
