"""Where things are for this user and this project."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import places


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home directory of whoever runs this."""
    home = tmp_path / "user"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def test_the_places_of_a_user_follow_the_variables_that_are_absolute(user: Path) -> None:
    named = {"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"}
    assert places.state_directory(named) == "/s/groundwire"
    assert places.config_directory(named) == "/c/groundwire"
    relative = {"HOME": "/h", "XDG_STATE_HOME": "s", "XDG_CONFIG_HOME": ""}
    assert places.state_directory(relative) == "/h/.local/state/groundwire"
    assert places.config_directory(relative) == "/h/.config/groundwire"
    assert places.home({"HOME": "relative"}) == str(user)
    assert places.home({}) == str(user)


@given(st.dictionaries(st.sampled_from(["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]), st.text()))
def test_whatever_the_variables_say_the_places_are_absolute(environment: dict[str, str]) -> None:
    assert os.path.isabs(places.state_directory(environment))  # noqa: PTH117  what is made of text is meant
    assert os.path.isabs(places.config_directory(environment))  # noqa: PTH117


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a directory")
def test_the_runtime_directory_must_be_there(tmp_path: Path) -> None:
    assert places.runtime_directory({"XDG_RUNTIME_DIR": str(tmp_path)}) == str(tmp_path)
    for wrong in (str(tmp_path / "missing"), "relative", ""):
        assert places.runtime_directory({"XDG_RUNTIME_DIR": wrong}) == ""
    assert places.runtime_directory({}) == ""


def test_the_workspace_is_the_repository_round_it_without_links(tmp_path: Path) -> None:
    inner = tmp_path / "repository/src/deep"
    inner.mkdir(parents=True)
    (tmp_path / "repository/.git").write_text("gitdir: elsewhere")  # as worktrees have it
    (tmp_path / "link").symlink_to(inner)
    assert places.workspace_round(str(tmp_path / "link")) == str(tmp_path / "repository")
    assert places.repository_of(str(inner)) == str(tmp_path / "repository")


def test_a_directory_outside_of_any_repository_is_its_own_workspace(tmp_path: Path) -> None:
    assert places.workspace_round(str(tmp_path)) == str(tmp_path.resolve())


def test_a_home_directory_that_is_a_repository_is_no_workspace(user: Path) -> None:
    (user / ".git").mkdir()
    (user / "notes").mkdir()
    assert places.workspace_round(str(user / "notes")) == str(user / "notes")
    assert places.is_too_wide(str(user))
    assert places.is_too_wide("/")
    assert not places.is_too_wide(str(user / "notes"))
