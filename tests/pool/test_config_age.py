"""Whether the configuration, or the trust in it, is still what it was."""

import os
from pathlib import Path

import pytest

from groundwire.pool.config_age import ConfigAge
from groundwire.pool.trust_store import TrustRecord, user_trust_store


class Project:
    """A workspace and the home of its user."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "project"
        self.root.mkdir()
        self.environment = {"HOME": str(directory), "XDG_CONFIG_HOME": str(directory / "config")}
        self.environment["XDG_STATE_HOME"] = str(directory / "state")
        self.user_file = directory / "config/groundwire/config.toml"
        self.user_file.parent.mkdir(parents=True)
        self.user_file.write_text("mode = 'all'\n")

    def age(self) -> ConfigAge:
        return ConfigAge(self.root, self.environment)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_nothing_is_outdated_while_nothing_changes(project: Project) -> None:
    age = project.age()
    assert not age.is_outdated()
    assert not age.is_outdated()
    assert age.settings.mode == "all"


def test_another_value_is_noticed_and_taking_it_back_is_noticed_too(project: Project) -> None:
    age = project.age()
    project.user_file.write_text("mode = 'errors'\n")
    assert age.is_outdated()
    assert age.is_outdated()
    project.user_file.write_text("mode = 'all'\n")
    assert not age.is_outdated()


def test_a_comment_or_a_touch_means_nothing(project: Project) -> None:
    age = project.age()
    project.user_file.write_text("# as it should be\nmode = 'all'\n")
    assert not age.is_outdated()
    os.utime(project.user_file, (1, 1))
    assert not age.is_outdated()


def test_a_file_that_appears_or_goes_is_noticed(project: Project) -> None:
    age = project.age()
    own = project.root / "groundwire.toml"
    own.write_text("severity = 'warning'\n")
    assert age.is_outdated()
    own.unlink()
    assert not age.is_outdated()
    project.user_file.unlink()
    assert age.is_outdated()


def test_a_file_that_is_broken_is_noticed_and_raises_nothing(project: Project) -> None:
    age = project.age()
    project.user_file.write_text("mode = 'all'\n[servers.nope\n")
    assert age.is_outdated()
    project.user_file.write_bytes(b"\xff\xfe")
    assert age.is_outdated()


def test_trust_that_is_given_or_taken_back_is_noticed(project: Project) -> None:
    age, store = project.age(), user_trust_store(project.environment)
    store.trust(project.root, TrustRecord(values="digest"))
    assert age.is_outdated()
    store.revoke(project.root)
    assert not age.is_outdated()


def test_trust_in_another_workspace_means_nothing(project: Project) -> None:
    age = project.age()
    user_trust_store(project.environment).trust(project.root.parent / "other", TrustRecord(values="digest"))
    assert not age.is_outdated()


def test_files_that_are_read_only_where_another_is_missing_are_looked_at_once_they_are(project: Project) -> None:
    dispatch = project.root / ".dispatch/lsp.json"
    dispatch.parent.mkdir()
    dispatch.write_text("{}")
    age = project.age()
    dispatch.unlink()
    assert not age.is_outdated()
    (project.root / "opencode.json").write_text('{"lsp": {"ty": {"disabled": true}}}')
    assert age.is_outdated()
