"""A project's Python environment, as it is when it has been activated: where its servers find what it imports.

Above: ``pool.routing``, ``placeholders``, ``package_places`` and ``binaries``. Below: ``markers`` and ``poetry``.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from groundwire.registry.markers import directories_up, first_marker
from groundwire.registry.poetry import poetry_environments

_IS_WINDOWS = os.name == "nt"
SCRIPTS = "Scripts" if _IS_WINDOWS else "bin"
_PYTHON = "python.exe" if _IS_WINDOWS else "python"
NAMES = (".venv", "venv")
_CONDA_NAME = ".conda"

Gate = Callable[[Path], str]
"""Why a program or a library must not be run; empty when it may."""


def let_pass(_program: Path, /) -> str:
    """The gate for who has asked already, and for what nobody will run."""
    return ""


class PythonEnvironment(msgspec.Struct, frozen=True):
    """One that has an interpreter."""

    directory: Path
    why: str
    is_conda: bool = False

    @property
    def scripts(self) -> Path:
        """Where its programs are."""
        return self.directory / SCRIPTS

    @property
    def python(self) -> Path:
        """Its interpreter. Not resolved: that of a virtual environment is a link that leads out of it."""
        in_prefix = _IS_WINDOWS and self.is_conda
        return (self.directory if in_prefix else self.scripts) / _PYTHON


def find_environment(root: Path, workspace: Path, environment: Mapping[str, str]) -> PythonEnvironment | None:
    """The project's own, else the one that a tool keeps for it elsewhere, else the active one."""
    candidates = environments_to_consider(root, workspace, environment)
    return next((candidate for candidate in candidates if candidate.python.exists()), None)


def activated(root: Path, workspace: Path, environment: Mapping[str, str], gate: Gate = let_pass) -> dict[str, str]:
    """The variables that activating sets; none where there is no environment, or its interpreter must not be run."""
    found = find_environment(root, workspace, environment)
    if found is None or gate(found.python):
        return {}
    path = os.pathsep.join(filter(None, (str(found.scripts), environment.get("PATH", ""))))
    return {"CONDA_PREFIX" if found.is_conda else "VIRTUAL_ENV": str(found.directory), "PATH": path}


def environments_to_consider(
    root: Path, workspace: Path, environment: Mapping[str, str]
) -> Iterator[PythonEnvironment]:
    """There or not, the first that is there being the one that counts."""
    for directory in directories_up(root, workspace):
        for name in NAMES:
            yield PythonEnvironment(directory / name, f"the project's {name}")
        yield PythonEnvironment(directory / _CONDA_NAME, f"the project's {_CONDA_NAME}", is_conda=True)
    yield from _kept_by_uv(root, workspace, environment.get("UV_PROJECT_ENVIRONMENT", ""))
    for directory in poetry_environments(root, workspace, environment):
        yield PythonEnvironment(directory, "the one that Poetry keeps for the project")
    yield from _active(environment)


def _active(environment: Mapping[str, str]) -> Iterator[PythonEnvironment]:
    if active := environment.get("VIRTUAL_ENV", ""):
        yield PythonEnvironment(Path(active), "the active virtual environment")
    # The base environment is active in every shell of its user: it says nothing of the project.
    if (prefix := environment.get("CONDA_PREFIX", "")) and environment.get("CONDA_DEFAULT_ENV") != "base":
        yield PythonEnvironment(Path(prefix), "the active conda environment", is_conda=True)


def _kept_by_uv(root: Path, workspace: Path, named: str) -> Iterator[PythonEnvironment]:
    """A relative name is meant from where the lock file lies."""
    if not named:
        return
    for directory in directories_up(root, workspace):
        if first_marker(directory, ("uv.lock",)):
            yield PythonEnvironment(directory / named, "the one that UV_PROJECT_ENVIRONMENT names")
