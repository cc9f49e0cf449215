"""Which installation of Python is meant where a project has no environment, found out without running any."""

import os
import sys
from pathlib import Path

import pytest

from groundwire.registry.path_python import python_on_path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and shims of other systems")


def installation(prefix: Path, version: str = "3.12") -> Path:
    (prefix / f"lib/python{version}/site-packages").mkdir(parents=True)
    executable(prefix / f"bin/python{version}")
    (prefix / "bin/python3").symlink_to(f"python{version}")
    return prefix


def executable(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n", "utf-8")
    file.chmod(0o755)
    return file


def path(*directories: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join(map(str, directories))}


def test_the_first_on_the_path_counts(tmp_path: Path) -> None:
    first, second = installation(tmp_path / "first"), installation(tmp_path / "second")
    assert python_on_path(tmp_path, path(tmp_path / "empty", first / "bin", second / "bin")) == first


def test_a_link_elsewhere_leads_to_the_installation(tmp_path: Path) -> None:
    installed = installation(tmp_path / "opt/python")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(installed / "bin/python3")
    assert python_on_path(tmp_path, path(tmp_path / "bin")) == installed


def test_that_of_a_virtual_environment_does_not_lead_out_of_it(tmp_path: Path) -> None:
    base, virtual = installation(tmp_path / "base"), tmp_path / "virtual"
    (virtual / "lib/python3.12/site-packages").mkdir(parents=True)
    (virtual / "bin").mkdir()
    (virtual / "bin/python").symlink_to(base / "bin/python3")
    (virtual / "pyvenv.cfg").touch()
    assert python_on_path(tmp_path, path(virtual / "bin", base / "bin")) == virtual


def test_one_that_keeps_no_packages_tells_nothing(tmp_path: Path) -> None:
    executable(tmp_path / "usr/bin/python3")
    assert python_on_path(tmp_path, path(tmp_path / "usr/bin")) is None
    assert python_on_path(tmp_path, {}) is None
    assert python_on_path(tmp_path, {"PATH": ""}) is None


@pytest.fixture
def pyenv(tmp_path: Path) -> Path:
    home = tmp_path / "pyenv"
    executable(home / "shims/python3")
    for version in ("3.11.7", "3.12.2", "3.12.10"):
        installation(home / "versions" / version)
    (home / "version").write_text("3.11.7\n", "utf-8")
    return home


def test_a_stand_in_runs_the_version_that_its_user_has_chosen(tmp_path: Path, pyenv: Path) -> None:
    assert python_on_path(tmp_path, path(pyenv / "shims")) == pyenv / "versions/3.11.7"


def test_the_nearest_file_of_a_project_goes_before_it_and_a_variable_before_that(tmp_path: Path, pyenv: Path) -> None:
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    (project / ".python-version").write_text("3.12.2\n3.11.7\n", "utf-8")
    assert python_on_path(project / "sub", path(pyenv / "shims")) == pyenv / "versions/3.12.2"
    named = {**path(pyenv / "shims"), "PYENV_VERSION": "3.12.10:3.11.7"}
    assert python_on_path(project / "sub", named) == pyenv / "versions/3.12.10"


def test_a_version_without_its_last_number_is_the_newest_of_those(tmp_path: Path, pyenv: Path) -> None:
    assert python_on_path(tmp_path, {**path(pyenv / "shims"), "PYENV_VERSION": "3.12"}) == pyenv / "versions/3.12.10"


def test_a_version_that_is_not_installed_is_none(tmp_path: Path, pyenv: Path) -> None:
    assert python_on_path(tmp_path, {**path(pyenv / "shims"), "PYENV_VERSION": "2.7"}) is None


def test_that_of_the_system_is_what_comes_after_the_stand_ins(tmp_path: Path, pyenv: Path) -> None:
    system = installation(tmp_path / "usr")
    named = {**path(pyenv / "shims", system / "bin"), "PYENV_VERSION": "system"}
    assert python_on_path(tmp_path, named) == system
    (pyenv / "version").unlink()
    assert python_on_path(tmp_path, path(pyenv / "shims", system / "bin")) == system


def test_a_stand_in_of_another_manager_runs_what_that_has_installed_if_it_is_one(tmp_path: Path) -> None:
    executable(tmp_path / "asdf/shims/python3")
    only = installation(tmp_path / "asdf/installs/python/3.12.1")
    assert python_on_path(tmp_path, path(tmp_path / "asdf/shims")) == only
    installation(tmp_path / "asdf/installs/python/3.13.0")
    assert python_on_path(tmp_path, path(tmp_path / "asdf/shims")) is None
