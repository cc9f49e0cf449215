"""A project's virtual environment, as it is when it has been activated: where its servers find what it imports.

Above: ``pool.routing``. Below: ``markers``.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from groundwire.registry.markers import directories_up

_IS_WINDOWS = os.name == "nt"
SCRIPTS = "Scripts" if _IS_WINDOWS else "bin"
_PYTHON = "python.exe" if _IS_WINDOWS else "python"
NAMES = (".venv", "venv")


def activated(root: Path, workspace: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that activating sets: for the project's own environment, else for the active one; else none."""
    found = _own(root, workspace) or _active(environment)
    if found is None:
        return {}
    path = os.pathsep.join(filter(None, (str(found / SCRIPTS), environment.get("PATH", ""))))
    return {"VIRTUAL_ENV": str(found), "PATH": path}


def _own(root: Path, workspace: Path) -> Path | None:
    candidates = (directory / name for directory in directories_up(root, workspace) for name in NAMES)
    return next(filter(_is_usable, candidates), None)


def _active(environment: Mapping[str, str]) -> Path | None:
    named = environment.get("VIRTUAL_ENV", "")
    return Path(named) if named and _is_usable(Path(named)) else None


def _is_usable(directory: Path) -> bool:
    return (directory / SCRIPTS / _PYTHON).exists()
