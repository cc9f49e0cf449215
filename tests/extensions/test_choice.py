"""Which extensions the user wants."""

from pathlib import Path

import pytest

from groundwire.extensions.choice import read_choice


def choose(tmp_path: Path, config: str = "", **variables: str) -> str:
    """Why the extension ``shapes`` is not loaded; empty when it is."""
    file = tmp_path / "groundwire/config.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(config, "utf-8")
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path), **variables}
    return read_choice(environment).refusal("shapes").replace(str(file), "config.toml")


def test_every_extension_is_wanted_where_nothing_is_said(tmp_path: Path):
    assert choose(tmp_path) == ""
    assert read_choice({"HOME": str(tmp_path)}).refusal("shapes") == ""


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ("[extensions]\nenabled = false\n", "extensions.enabled is false in config.toml"),
        ("[extensions]\ndisabled = ['shapes', 'other']\n", "extensions.disabled names it in config.toml"),
        ("[extensions]\ndisabled = ['other']\n", ""),
        ("[extensions]\nenabled = true\n", ""),
        ("extensions = 3\n", ""),
        ("this is not TOML", ""),
        ("[extensions]\nenabled = 'no'\ndisabled = 'shapes'\n", ""),
    ],
)
def test_the_users_configuration_switches_them_off_by_name_or_all_of_them(tmp_path: Path, config: str, why: str):
    assert choose(tmp_path, config) == why


@pytest.mark.parametrize("value", ["off", "OFF", "0", "false", "no"])
def test_one_variable_switches_all_of_them_off(tmp_path: Path, value: str):
    assert choose(tmp_path, GROUNDWIRE_EXTENSIONS=value) == f"GROUNDWIRE_EXTENSIONS is {value}"


def test_the_environment_has_the_last_word(tmp_path: Path):
    off = "[extensions]\nenabled = false\ndisabled = ['shapes']\n"
    assert choose(tmp_path, off, GROUNDWIRE_EXTENSIONS="on", GROUNDWIRE_EXTENSIONS__DISABLED="other") == ""
    assert choose(tmp_path, "", GROUNDWIRE_EXTENSIONS__DISABLED="a, shapes") == (
        "GROUNDWIRE_EXTENSIONS__DISABLED names it"
    )
    assert choose(tmp_path, "", GROUNDWIRE_EXTENSIONS__DISABLED='["shapes"]') != ""
    assert choose(tmp_path, "", GROUNDWIRE_EXTENSIONS__ENABLED="false") == "GROUNDWIRE_EXTENSIONS__ENABLED is false"


def test_a_file_that_the_environment_names_goes_before_the_users_own(tmp_path: Path):
    named = tmp_path / "named.toml"
    named.write_text("[extensions]\nenabled = true\n", "utf-8")
    assert choose(tmp_path, "[extensions]\nenabled = false\n", GROUNDWIRE_CONFIG=str(named)) == ""
