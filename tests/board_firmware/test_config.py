"""The configuration: strict, and every refusal names file, section and key."""

from __future__ import annotations

import tomllib

import pytest

from board_firmware import config
from board_firmware.config import KEYS, ConfigurationError


def written(tmp_path, text: str):
    """A configuration file with this text."""
    path = tmp_path / "touchmove.toml"
    path.write_text(text)
    return path


def test_an_empty_file_is_the_defaults(tmp_path):
    """Nothing need be said."""
    assert config.read(written(tmp_path, "")).values == config.defaults().values


@pytest.mark.parametrize(
    ("text", "section", "key", "why"),
    [
        ("[bord]\nurl='sim:'", "bord", "", "unknown section"),
        ("[board]\nulr='sim:'", "board", "ulr", "unknown key; known are url"),
        ("[web]\nport='8064'", "web", "port", "a whole number is wanted, not '8064'"),
        ("[web]\nport=true", "web", "port", "a whole number is wanted, not True"),
        ("[web]\nport=70000", "web", "port", "70000 is not from 0 to 65535"),
        ("[web]\nenabled=1", "web", "enabled", "true or false is wanted, not 1"),
        ("[web]\nnames='a'", "web", "names", "a list of texts"),
        ("[game]\nprofile='casual'", "game", "profile", "'casual' is none of friendly, tournament, practice"),
        ("[rules]\nsettle=3", "rules", "settle", "unknown key"),
        ("[rules]\nprofile='friendly'", "rules", "profile", "unknown key"),
        ("[rules]\ntouch_move='never'", "rules", "touch_move", "'never' is none of enforce, report, off"),
        ("[rules]\nagreement='yes'", "rules", "agreement", "'yes' is neither true nor false"),
        ("[rules]\nsettle_ms=2.5", "rules", "settle_ms", "2.5 is no whole number from 0 to 5000"),
        ("[rules]\nsettle_ms=-5", "rules", "settle_ms", "-5 is no whole number from 0 to 5000"),
        ("[rules]\npenalty_s=99999", "rules", "penalty_s", "from 0 to 3600"),
        ("[rules]\nanalysis_nodes=inf", "rules", "analysis_nodes", "inf is no whole number"),
        ("[rules]\nhints=['teach']", "rules", "hints", "none of none, finish, teach"),
        ("[game]\ncontrol='five minutes'", "game", "control", "'five minutes' is not understood"),
        ("[web]\nhost=' '", "web", "host", "is empty"),
        ("[board]\nurl=''", "board", "url", "is empty"),
        ("[web]\ndelay_s=nan", "web", "delay_s", "nan is not from 0 to 3600"),
        ("[lamps]\nbrightness=inf", "lamps", "brightness", "inf is not from 0.0 to 1.0"),
        ("[lamps]\nbrightness=-0.1", "lamps", "brightness", "-0.1 is not from 0.0 to 1.0"),
        ("[tags]\nRound=3", "tags", "Round", "a PGN tag is text in quotes"),
        ("board='sim:'", "board", "", "is a section, not a key"),
        ("[board", "", "", "is not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path, text, section, key, why):
    """File, section and key, and what is wanted instead."""
    path = written(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        config.read(path)
    assert (caught.value.path, caught.value.section, caught.value.key) == (str(path), section, key)
    assert why in str(caught.value)
    assert str(path) in str(caught.value)


def test_binary_is_no_configuration(tmp_path):
    """A wrong file is said, not decoded somehow."""
    path = tmp_path / "touchmove.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match=r"is not UTF-8 text \(byte 0\)"):
        config.read(path)


def test_the_reference_is_the_defaults(tmp_path):
    """What the documentation shows can be pasted, and is what holds without it."""
    assert config.read(written(tmp_path, config.reference())).values == config.defaults().values


def test_every_key_stands_in_the_reference_with_its_meaning():
    """No key without a word on it; every rule is listed too."""
    text = config.reference()
    document = tomllib.loads(text)
    for key in KEYS:
        assert key.name in document[key.section]
        assert key.meaning in text
    for name in config.rule_names():
        assert f"\n# {name} = " in text
    assert all(config._RULES_MEANING.get(name) for name in config.rule_names())


def test_what_a_rule_may_be_is_read_from_the_settings(tmp_path):
    """[rules] passes on what the settings know, and only what was set."""
    found = config.read(written(tmp_path, "[rules]\ntouch_move='report'\nsettle_ms=300\n[tags]\nEvent='Club'"))
    assert found["rules"] == {"touch_move": "report", "settle_ms": 300}
    assert found["tags"] == {"Event": "Club"}


def test_the_command_line_is_checked_as_well():
    """A flag may say no more than the file."""
    assert config.defaults().replaced("web", port=0)["web"]["port"] == 0
    with pytest.raises(ConfigurationError, match=r"the command line: \[game\] profile"):
        config.defaults().replaced("game", profile="casual")


def test_systemd_says_where_things_lie(tmp_path):
    """The service's directories come before the user's; the first of several is taken."""
    (tmp_path / "touchmove.toml").write_text("[web]\nport=1234")
    found = config.find(None, {"CONFIGURATION_DIRECTORY": f"{tmp_path}:/elsewhere"})
    assert found["web"]["port"] == 1234
    assert config.state_folder({"STATE_DIRECTORY": "/var/lib/touchmove:/x"}).as_posix() == "/var/lib/touchmove"


def test_a_named_file_must_be_there(tmp_path):
    """Without a name the defaults do; a name that is not there is an error."""
    with pytest.raises(FileNotFoundError):
        config.find(tmp_path / "none.toml")
    assert config.find(None, {"CONFIGURATION_DIRECTORY": str(tmp_path)}).path is None
