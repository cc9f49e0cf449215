"""The environment that Poetry keeps for a project: found by the hash of its path."""

import base64
import hashlib
from pathlib import Path

import pytest

from groundwire.registry.environments import find_environment
from groundwire.registry.poetry import poetry_environments


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "p/src").mkdir(parents=True)
    (tmp_path / "p/poetry.lock").touch()
    return tmp_path / "p"


def kept(project: Path, python: str, name: str = "demo") -> Path:
    digest = hashlib.sha256(str(project.resolve()).encode()).digest()
    suffix = base64.urlsafe_b64encode(digest).decode()[:8]
    directory = project.parent / "cache/virtualenvs" / f"{name}-{suffix}-py{python}"
    (directory / "bin").mkdir(parents=True)
    (directory / "bin/python").touch()
    return directory


def variables(project: Path) -> dict[str, str]:
    return {"POETRY_CACHE_DIR": str(project.parent / "cache")}


def test_it_is_found_by_the_path_of_the_project(project: Path) -> None:
    own = kept(project, "3.11")
    kept(project / "src", "3.12", name="of-another-path")
    found = find_environment(project / "src", project, variables(project))
    assert found is not None
    assert (found.directory, found.why) == (own, "the one that Poetry keeps for the project")


def test_the_newest_python_is_taken_unless_another_is_in_use(project: Path) -> None:
    old, new = kept(project, "3.9"), kept(project, "3.12")
    assert list(poetry_environments(project, project, variables(project))) == [new, old]
    (old.parent / "envs.toml").write_text(f'[{old.name.removesuffix("-py3.9")}]\nminor = "3.9"\n', "utf-8")
    assert list(poetry_environments(project, project, variables(project))) == [old, new]


def test_the_projects_own_environment_goes_before_it_and_it_before_the_active_one(project: Path) -> None:
    elsewhere = kept(project, "3.11")
    active = project.parent / "active"
    (active / "bin").mkdir(parents=True)
    (active / "bin/python").touch()
    environment = {**variables(project), "VIRTUAL_ENV": str(active)}
    found = find_environment(project, project, environment)
    assert found is not None
    assert found.directory == elsewhere
    (project / ".venv/bin").mkdir(parents=True)
    (project / ".venv/bin/python").touch()
    found = find_environment(project, project, environment)
    assert found is not None
    assert found.directory == project / ".venv"


def test_a_project_that_is_not_poetrys_has_none(project: Path) -> None:
    kept(project, "3.11")
    (project / "poetry.lock").unlink()
    assert list(poetry_environments(project, project, variables(project))) == []
    (project / "pyproject.toml").write_text("[tool.poetry]\n", "utf-8")
    assert len(list(poetry_environments(project, project, variables(project)))) == 1


def test_without_a_place_for_environments_there_is_none(project: Path) -> None:
    assert list(poetry_environments(project, project, {})) == []
    assert list(poetry_environments(project, project, {"POETRY_VIRTUALENVS_PATH": str(project / "gone")})) == []


def test_a_list_of_environments_that_cannot_be_read_is_passed_over(project: Path) -> None:
    own = kept(project, "3.11")
    (own.parent / "envs.toml").write_text("not toml [", "utf-8")
    assert list(poetry_environments(project, project, variables(project))) == [own]
