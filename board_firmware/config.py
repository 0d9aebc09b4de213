"""The one configuration file: TOML, strict, every key with its unit and default.

Keys are a table, so that the reader, the reference in hardware_docs and the error messages cannot disagree. An unknown
key, a wrong type or a value out of range is an error that names file, section and key; nothing is corrected quietly.

Source: XDG Base Directory Specification (through platformdirs); systemd.exec(5), ``StateDirectory=``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import platformdirs

from board_firmware.core.control import Control, ControlError
from board_firmware.core.settings import Settings, SettingsError, settle

FILE_NAME = "touchmove.toml"


class ConfigurationError(ValueError):
    """A configuration that is not right: ``path``, ``section``, ``key`` and ``why``."""

    def __init__(self, path: str, section: str, key: str, why: str) -> None:
        where = f"[{section}] {key}".strip() if key else f"[{section}]" if section else ""
        super().__init__(f"{path}: {where}: {why}" if where else f"{path}: {why}")
        self.path = path
        self.section = section
        self.key = key
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key: its section and name, its default (which gives the type), and what it means, unit included."""

    section: str
    name: str
    default: Any
    meaning: str
    low: float | None = None
    """The least; of a text, how many characters it must have."""
    high: float | None = None
    choices: tuple[str, ...] = ()


KEYS: tuple[Key, ...] = (
    Key(section="board", name="url", default="sim:", low=1, meaning="which board; sim: is the simulated one"),
    Key(section="game", name="profile", default="friendly", choices=("friendly", "tournament", "practice"),
        meaning="whose duty the rules are"),
    Key(section="game", name="control", default="none",
        meaning="time control as in PGN, in seconds: 5400+30; none: no clock"),
    Key(section="game", name="lang", default="auto", choices=("auto", "en", "ja", "ko"),
        meaning="language of sentences; auto: what each reader's browser asks for"),
    Key(section="journal", name="file", default="", meaning="the journal; empty: journal.sqlite in the state folder"),
    Key(section="journal", name="keep_games", default=10_000, low=1, high=10_000_000,
        meaning="games; older ones are removed once they are finished and exported"),
    Key(section="journal", name="alive_s", default=5.0, low=0.5, high=60.0,
        meaning="seconds between signs of life while a clock runs: the most a power cut gives back"),
    Key(section="journal", name="record", default="",
        meaning="file for raw sensor frames, or a folder for one file a start; empty: none are kept"),
    Key(section="scoresheet", name="folder", default="",
        meaning="folder of the PGN files; empty: games in the state folder"),
    Key(section="web", name="enabled", default=True, meaning="whether the page is served"),
    Key(section="web", name="host", default="127.0.0.1", low=1,
        meaning="address to listen on; 0.0.0.0 is the whole network"),
    Key(section="web", name="port", default=8064, low=0, high=65_535, meaning="TCP port; 0 takes any free one"),
    Key(section="web", name="arbiter_token", default="",
        meaning="the arbiter's access token; empty: a new one at each start"),
    Key(section="web", name="player_token", default="",
        meaning="what a player's page must know to change anything; empty: a new one at each start"),
    Key(section="web", name="names", default=(), meaning="further host names under which the page may be asked for"),
    Key(section="web", name="delay_s", default=0.0, low=0, high=3_600,
        meaning="seconds by which spectators see the game later"),
    Key(section="emulation", name="url", default="",
        meaning="also be a board that others know: protocol and line, such as sentio:/tmp/board; empty: none"),
    Key(
        section="lamps",
        name="brightness",
        default=1.0,
        low=0.0,
        high=1.0,
        meaning="share of the board's own brightness; what is lit stays lit",
    ),
    Key(section="sound", name="enabled", default=True,
        meaning="whether the buzzer may sound; a tournament board never does"),
)  # fmt: skip
"""All keys but those of [rules] and [tags]."""

_RULES_MEANING: Mapping[str, str] = {
    "settle_ms": "milliseconds of stillness after which a move counts as made",
    "touch_move": "enforce, report or off",
    "castling": "king_first, or either: rook first is tolerated",
    "illegal": "refuse at once, or penalise at the press (7.5)",
    "penalties": "none, propose to the arbiter, or apply",
    "penalty_s": "seconds that a penalty gives the opponent",
    "flag": "call: the clock ends the game; show: to the arbiter alone",
    "stands_if_answered": "whether an illegal move stands once answered (A.5.2)",
    "arbiter_present": "whether an arbiter watches",
    "hints": "none, finish, or teach: legal squares of a lifted unit",
    "takeback": "agreed, free, or arbiter",
    "unwinnable": "apply a proof that nobody can win, or propose it",
    "agreement": "whether draws by agreement are allowed",
    "analysis_nodes": "positions that a proof may look at",
    "pause_on_sensor_loss": "whether lost sensors pause the clock",
}


def rule_names() -> tuple[str, ...]:
    """The keys of [rules]: a game's settings but the profile, which stands in [game]."""
    return tuple(one.name for one in fields(Settings) if one.name != "profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What holds for this run: ``values[section][key]``; [rules] holds only what was set, [tags] is free."""

    path: Path | None
    values: Mapping[str, Mapping[str, Any]]

    def __getitem__(self, section: str) -> Mapping[str, Any]:
        return self.values[section]

    def replaced(self, section: str, **keys: Any) -> Configuration:
        """The same with some keys changed, as the command line does; ``ConfigurationError`` for a bad value."""
        for name, value in keys.items():
            _check("the command line", _key(section, name), value)
        return Configuration(path=self.path, values={**self.values, section: {**self.values[section], **keys}})


def defaults() -> Configuration:
    """What holds without a file."""
    return Configuration(path=None, values=_filled({}))


def read(path: Path) -> Configuration:
    """The configuration of a file; `ConfigurationError` says where it is wrong, ``OSError`` why it cannot be read."""
    try:
        content = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(str(path), "", "", f"is not UTF-8 text (byte {error.start})") from None
    try:
        document = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(str(path), "", "", f"is not TOML: {error}") from None
    return Configuration(path=path, values=_filled(_checked(str(path), document)))


def find(explicit: Path | None, environment: Mapping[str, str] | None = None) -> Configuration:
    """The configuration to use: the file named, else the user's or the service's if there is one, else the defaults."""
    if explicit is not None:
        return read(explicit)
    given = os.environ if environment is None else environment
    service = given.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    folder = Path(service) if service else platformdirs.user_config_path("touchmove")
    path = folder / FILE_NAME
    return read(path) if path.is_file() else defaults()


def state_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where journal and games lie: systemd's state directory, else the user's."""
    given = os.environ if environment is None else environment
    service = given.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(service) if service else platformdirs.user_state_path("touchmove")


def journal_path(configuration: Configuration) -> Path:
    """The journal's file."""
    file = configuration["journal"]["file"]
    return Path(file).expanduser().absolute() if file else state_folder().absolute() / "journal.sqlite"


def games_folder(configuration: Configuration) -> Path:
    """The folder of the PGN files."""
    folder = configuration["scoresheet"]["folder"]
    return Path(folder).expanduser().absolute() if folder else state_folder().absolute() / "games"


def reference() -> str:
    """All keys as TOML ready to paste, each with meaning and default; what the documentation shows."""
    lines: list[str] = []
    section = ""
    for key in KEYS:
        if key.section != section:
            section = key.section
            lines += ["", f"[{section}]"] if lines else [f"[{section}]"]
        lines.append(f"{key.name} = {_toml(key.default)}  # {key.meaning}{_range(key)}")
    lines += ["", "[rules]  # what the profile leaves open; unset keys follow the profile and the time control"]
    for name in rule_names():
        hint = get_type_hints(Settings)[name]
        default = next(one.default for one in fields(Settings) if one.name == name)
        words = " | ".join(get_args(hint))
        lines.append(f"# {name} = {_toml(default)}  # {_RULES_MEANING.get(name, '')}{f' ({words})' if words else ''}")
    lines += ["", "[tags]  # PGN tags of every game, such as", '# Event = "Club evening"', ""]
    return "\n".join(lines)


def _range(key: Key) -> str:
    if key.choices:
        return f" ({' | '.join(key.choices)})"
    return f" ({key.low} to {key.high})" if key.low is not None and key.high is not None else ""


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _key(section: str, name: str) -> Key | None:
    return next((key for key in KEYS if (key.section, key.name) == (section, name)), None)


def _checked(path: str, document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    sections = {*(key.section for key in KEYS), "rules", "tags"}
    found: dict[str, dict[str, Any]] = {}
    for section, content in document.items():
        if section not in sections:
            raise ConfigurationError(path, section, "", f"unknown section; known are {', '.join(sorted(sections))}")
        if not isinstance(content, dict):
            raise ConfigurationError(path, section, "", "is a section, not a key")
        found[section] = {}
        for name, value in content.items():
            key = _key(section, name)
            if section == "tags":
                if not isinstance(value, str):
                    raise ConfigurationError(path, section, name, "a PGN tag is text in quotes")
            elif section == "rules":
                _check_rule(path, name, value)
            elif key is None:
                known = ", ".join(key.name for key in KEYS if key.section == section)
                raise ConfigurationError(path, section, name, f"unknown key; known are {known}")
            else:
                value = _check(path, key, value)
                if (section, name) == ("game", "control"):
                    _check_control(path, value)
            found[section][name] = value
    return found


def _check(path: str, key: Key | None, value: Any) -> Any:
    if key is None:
        raise KeyError("no such key")
    wanted = type(key.default)
    if wanted is tuple:
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise ConfigurationError(path, key.section, key.name, "a list of texts in quotes is wanted")
        return tuple(value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted:
        kind = {str: "text in quotes", bool: "true or false", int: "a whole number", float: "a number"}[wanted]
        raise ConfigurationError(path, key.section, key.name, f"{kind} is wanted, not {value!r}")
    if wanted is str and key.low is not None and len(value.strip()) < key.low:
        raise ConfigurationError(path, key.section, key.name, "is empty")
    if key.choices and value not in key.choices:
        raise ConfigurationError(path, key.section, key.name, f"{value!r} is none of {', '.join(key.choices)}")
    if key.low is not None and key.high is not None and not key.low <= value <= key.high:
        raise ConfigurationError(path, key.section, key.name, f"{value!r} is not from {key.low} to {key.high}")
    return value


def _check_control(path: str, value: str) -> None:
    try:
        Control.parse(value)
    except ControlError as error:
        raise ConfigurationError(path, "game", "control", str(error)) from None


def _check_rule(path: str, name: str, value: Any) -> None:
    if name not in rule_names():
        raise ConfigurationError(path, "rules", name, f"unknown key; known are {', '.join(rule_names())}")
    try:
        settle("friendly", Control(), {name: value})
    except SettingsError as error:
        raise ConfigurationError(path, "rules", name, error.why) from None


def _filled(found: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    values: dict[str, dict[str, Any]] = {"rules": dict(found.get("rules", {})), "tags": dict(found.get("tags", {}))}
    for key in KEYS:
        values.setdefault(key.section, {})[key.name] = found.get(key.section, {}).get(key.name, key.default)
    return values
