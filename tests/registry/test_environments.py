"""The virtual environment of a project, as if it had been activated."""

import os
from pathlib import Path

from groundwire.registry.environments import activated, find_environment


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


def test_the_active_conda_environment_counts_unless_it_is_the_base_one(tmp_path: Path) -> None:
    conda = virtual_environment(tmp_path / "conda/envs/demo")
    environment = {"CONDA_PREFIX": str(conda), "CONDA_DEFAULT_ENV": "demo", "PATH": "/bin"}
    assert activated(tmp_path, tmp_path, environment) == {
        "CONDA_PREFIX": str(conda),
        "PATH": f"{conda / 'bin'}{os.pathsep}/bin",
    }
    assert activated(tmp_path, tmp_path, {**environment, "CONDA_DEFAULT_ENV": "base"}) == {}


def test_a_conda_environment_in_the_project_is_its_own(tmp_path: Path) -> None:
    own = virtual_environment(tmp_path / ".conda")
    assert activated(tmp_path, tmp_path, {})["CONDA_PREFIX"] == str(own)


def test_the_environment_that_uv_was_told_to_use_is_meant_from_its_lock_file(tmp_path: Path) -> None:
    own = virtual_environment(tmp_path / "environments/dev")
    (tmp_path / "packages/a").mkdir(parents=True)
    environment = {"UV_PROJECT_ENVIRONMENT": "environments/dev"}
    assert activated(tmp_path / "packages/a", tmp_path, environment) == {}
    (tmp_path / "uv.lock").touch()
    assert activated(tmp_path / "packages/a", tmp_path, environment)["VIRTUAL_ENV"] == str(own)


def test_an_environment_tells_where_it_is_and_why(tmp_path: Path) -> None:
    own = virtual_environment(tmp_path / "venv")
    found = find_environment(tmp_path, tmp_path, {})
    assert found is not None
    assert (found.directory, found.python, found.why) == (own, own / "bin/python", "the project's venv")


def test_an_interpreter_that_must_not_be_run_is_not_handed_over(tmp_path: Path) -> None:
    virtual_environment(tmp_path / ".venv")
    asked: list[Path] = []

    def forbid(program: Path) -> str:
        asked.append(program)
        return "is not trusted"

    assert activated(tmp_path, tmp_path, {"PATH": "/bin"}, forbid) == {}
    assert asked == [tmp_path / ".venv/bin/python"]
