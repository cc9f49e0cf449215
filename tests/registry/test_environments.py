"""The virtual environment of a project, as if it had been activated."""

import os
from pathlib import Path

from groundwire.registry.environments import activated


def virtual_environment(directory: Path) -> Path:
    (directory / "bin").mkdir(parents=True)
    (directory / "bin/python").touch()
    return directory


def test_the_projects_own_environment_is_activated(tmp_path: Path) -> None:
    own = virtual_environment(tmp_path / ".venv")
    assert activated(tmp_path, tmp_path, {"PATH": "/bin"}) == {
        "VIRTUAL_ENV": str(own),
        "PATH": f"{own / 'bin'}{os.pathsep}/bin",
    }


def test_the_nearest_environment_up_to_the_workspace_is_taken(tmp_path: Path) -> None:
    virtual_environment(tmp_path / ".venv")
    upper = virtual_environment(tmp_path / "p/venv")
    (tmp_path / "p/svc").mkdir()
    assert activated(tmp_path / "p/svc", tmp_path / "p", {})["VIRTUAL_ENV"] == str(upper)
    assert activated(tmp_path / "p/svc", tmp_path / "p/svc", {}) == {}


def test_the_active_environment_is_kept_where_the_project_has_none_of_its_own(tmp_path: Path) -> None:
    active = virtual_environment(tmp_path / "active")
    (tmp_path / "p").mkdir()
    environment = {"VIRTUAL_ENV": str(active)}
    assert activated(tmp_path / "p", tmp_path / "p", environment)["PATH"] == str(active / "bin")
    own = virtual_environment(tmp_path / "p/.venv")
    assert activated(tmp_path / "p", tmp_path / "p", environment)["VIRTUAL_ENV"] == str(own)


def test_a_directory_without_an_interpreter_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    assert activated(tmp_path, tmp_path, {"VIRTUAL_ENV": str(tmp_path / "gone")}) == {}
