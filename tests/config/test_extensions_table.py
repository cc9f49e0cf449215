"""What the configuration says of extensions: the user's is checked like everything else, a project's has no effect."""

from pathlib import Path

from groundwire.config.load import load_config


def load(tmp_path: Path, project: str = "", **variables: str):
    root = tmp_path / "project"
    root.mkdir()
    (root / "groundwire.toml").write_text(project, "utf-8")
    return load_config(root, environment={"HOME": str(tmp_path), **variables})


def test_a_project_that_names_extensions_is_told_that_it_has_no_say(tmp_path: Path):
    loaded = load(tmp_path, "[extensions]\nenabled = false\n")
    (problem,) = loaded.problems
    assert (problem.message, problem.is_error) == ("has no effect in a project", False)
    loaded.require_valid()


def test_the_switch_of_the_environment_is_no_unknown_setting(tmp_path: Path):
    assert load(tmp_path, GROUNDWIRE_EXTENSIONS="off").problems == ()


def test_the_table_can_be_set_key_by_key_in_the_environment(tmp_path: Path):
    loaded = load(tmp_path, GROUNDWIRE_EXTENSIONS__DISABLED="a,b", GROUNDWIRE_EXTENSIONS__ENABLED="true")
    assert loaded.problems == ()
    assert loaded.settings.extensions.disabled == ("a", "b")
