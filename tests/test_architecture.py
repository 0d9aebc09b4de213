"""The house's rules, read from the imports: one way only, a pure core, no circle, files that stay readable."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("rules", "hal", "board_firmware")
IMPURE = {"time", "os", "socket", "threading", "random", "logging", "asyncio", "sqlite3", "subprocess", "pathlib"}
LONGEST = 450
"""Lines a source file may have; most have half."""


def module_of(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, type-only and late imports too, as dotted names of files where they are ours."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if whole in FILES else node.module


GRAPH = {module: sorted({name for name in imports(path) if name in FILES}) for module, path in FILES.items()}


@pytest.mark.parametrize("module", [name for name in FILES if name.split(".")[0] in ("rules", "hal")])
def test_the_foundations_import_nothing_of_ours(module: str) -> None:
    """`rules` and `hal` know only themselves."""
    package = module.split(".")[0]
    assert {name.split(".")[0] for name in GRAPH[module]} <= {package}


def test_rules_use_the_standard_library_alone() -> None:
    """Nothing is to be installed for the laws of chess, and nothing of the outer world is asked."""
    import sys

    for module, path in FILES.items():
        if module.startswith("rules"):
            for name in imports(path):
                top = name.split(".")[0]
                assert top == "rules" or top in sys.stdlib_module_names, (module, name)
                assert top not in IMPURE, (module, name)


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("board_firmware.core.")])
def test_the_core_is_pure(module: str) -> None:
    """The core asks no clock, opens no file, throws no dice; it imports the rules, the port's types, and itself."""
    for name in imports(FILES[module]):
        assert name.split(".")[0] not in IMPURE, name
        if name in FILES:
            allowed = name.startswith(("board_firmware.core", "rules")) or name in ("hal.board", "hal.squares")
            assert allowed, name


def test_edges_do_not_know_the_session() -> None:
    """Page, emulation, journal and outputs know events; only what composes or folds a game knows the session."""
    composers = (
        "play",
        "archive",
        "recovery",
        "conform",
        "replay",
        "simulate",
        "export",
        "game",
        "opening",
        "raw_trace",
    )
    for module, used in GRAPH.items():
        if "board_firmware.core.session" in used and not module.startswith("board_firmware.core"):
            assert any(part in composers for part in module.split(".")), module


def test_no_circle() -> None:
    """No file imports, however far round, a file that imports it."""
    state: dict[str, int] = {}

    def visit(module: str, path: tuple[str, ...]) -> None:
        if state.get(module) == 2:
            return
        assert state.get(module) != 1, " -> ".join((*path[path.index(module) :], module))
        state[module] = 1
        for name in GRAPH[module]:
            if name != module and not module.startswith(name + ".") and not name.startswith(module + "."):
                visit(name, (*path, module))
        state[module] = 2

    for module in FILES:
        visit(module, ())


@pytest.mark.parametrize("module", FILES)
def test_files_stay_readable(module: str) -> None:
    """Every file says in its first sentence what it is, and ends before one loses the thread."""
    text = FILES[module].read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), module
    assert text.count("\n") <= LONGEST, module


def test_hardware_packages_are_imported_only_where_they_are_needed() -> None:
    """A package of an extra is imported inside a function of its driver, never at the head of a file."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    heads = {name.split(">")[0].split(".")[0].lower() for names in extras.values() for name in names} | {
        "rplcd",
        "luma",
    }
    for module, path in FILES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not {name.split(".")[0].lower() for name in names} & heads, module


def test_squares_have_the_same_names_everywhere() -> None:
    """Rules and wires number the squares alike, a1 = 0 to h8 = 63."""
    from hal import squares as wires
    from rules import squares as laws

    assert tuple(laws.SQUARE_NAMES) == tuple(wires.SQUARE_NAMES)
