"""Nothing of the hardware is imported on a machine that has none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HAL = Path(__file__).resolve().parents[2] / "hal"
HARDWARE = ("gpiozero", "lgpio", "gpiod", "smbus2", "spidev", "luma", "RPLCD")


def test_every_module_imports_without_hardware_packages():
    """All of hal, `sim:` opened, in a Python that cannot find a single hardware package."""
    modules = [f"hal.{path.stem}" for path in sorted(HAL.glob("*.py")) if path.stem != "__init__"]
    assert len(modules) > 30
    script = f"""
import importlib, sys
for name in {HARDWARE!r}:
    sys.modules[name] = None
for name in {modules!r}:
    importlib.import_module(name)
from hal.catalog import open_board
board = open_board("sim:", clock=None)
assert board.snapshot().occupancy == 0xFFFF00000000FFFF
print("ok")
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, cwd=HAL.parent)
    assert result.stdout == "ok\n", result.stderr
