"""The installation of Python that ``python`` runs where a project has no environment of its own.

Nothing is run to find out: the place of the program tells, for a stand-in of pyenv the files in which it looks, and for
that of another manager what it has installed, if that is one.
Above: ``project_values``. Below: ``package_places``.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from groundwire.registry.outside_sources import text_of
from groundwire.registry.package_places import python_prefixes, python_sites, version_files

_NAMES = ("python3", "python")
_STAND_INS = "shims"
_OF_PYENV = "versions"
_OF_THE_SYSTEM = "system"


def python_on_path(root: Path, environment: Mapping[str, str]) -> Path | None:
    """The prefix of the first that keeps packages; None where there is none, or nobody can tell which it is."""
    for python in _pythons(environment.get("PATH", "")):
        if python.parent.name != _STAND_INS:
            prefix = _prefix_of(python)
            return prefix if python_sites(prefix) else None
        if not (python.parent.parent / _OF_PYENV).is_dir():  # of another manager, that looks elsewhere
            installed = python_prefixes(python)
            return installed[0] if len(installed) == 1 else None
        version = next(_named_versions(root, python, environment), _OF_THE_SYSTEM)
        if version != _OF_THE_SYSTEM:
            return _installed(python.parent.parent, version)
    return None


def _pythons(path: str) -> Iterator[Path]:
    """One a directory, in the order in which a shell finds them."""
    for directory in filter(None, path.split(os.pathsep)):
        found = next(filter(None, (shutil.which(name, path=directory) for name in _NAMES)), None)
        if found is not None:
            yield Path(found)


def _prefix_of(python: Path) -> Path:
    """That of a virtual environment is where its link is, that of any other where it leads."""
    if (python.parent.parent / "pyvenv.cfg").is_file():
        return python.parent.parent
    program = Path(os.path.realpath(python))
    return program.parent if os.name == "nt" else program.parent.parent


def _named_versions(root: Path, python: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Of several that are named at once the first is run."""
    if named := environment.get("PYENV_VERSION", ""):
        yield named.split(":")[0]
    for file in version_files(root, python):
        yield from text_of(file).split()[:1]


def _installed(home: Path, version: str) -> Path | None:
    """The version of just this name, else the newest that it begins: ``3.12`` is any 3.12."""
    exact = home / _OF_PYENV / version
    if exact.is_dir():
        return exact
    later = [each for each in home.glob(f"{_OF_PYENV}/{version}.*") if each.is_dir()]
    return max(later, key=lambda each: _as_numbers(each.name), default=None)


def _as_numbers(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else -1 for part in version.split(".")]
