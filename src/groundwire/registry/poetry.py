"""The virtual environment that Poetry keeps for a project outside of it.

Poetry names it after the project and a hash of the project's path, so it is found without running anything.
Above: ``environments``. Below: ``markers``.
"""

import base64
import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from groundwire.registry.markers import directories_up, first_marker
from groundwire.registry.versions import numbers

_MARKERS = ("poetry.lock", "pyproject.toml:tool.poetry")


def poetry_environments(root: Path, workspace: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Directories of the environments of the nearest Poetry project, the one in use first, else the newest Python."""
    kept = _virtual_environments(environment)
    projects = (directory for directory in directories_up(root, workspace) if first_marker(directory, _MARKERS))
    project = next(projects, None)
    if kept is None or project is None or not kept.is_dir():
        return
    found = {entry.name: entry for entry in kept.glob(f"*-{_path_hash(project)}-py*") if entry.is_dir()}
    in_use = _in_use(kept)
    yield from (found[name] for name in found if name in in_use)
    by_version = sorted(found, key=lambda name: numbers(name.rpartition("-py")[2]), reverse=True)
    yield from (found[name] for name in by_version if name not in in_use)


def _path_hash(project: Path) -> str:
    path = os.path.normcase(os.path.realpath(project))
    return base64.urlsafe_b64encode(hashlib.sha256(path.encode()).digest()).decode()[:8]


def _in_use(kept: Path) -> frozenset[str]:
    """The environments that ``poetry env use`` has chosen."""
    try:
        chosen = tomllib.loads((kept / "envs.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return frozenset()
    tables = {name: cast("dict[str, object]", row) for name, row in chosen.items() if isinstance(row, dict)}
    return frozenset(f"{name}-py{row.get('minor')}" for name, row in tables.items())


def _virtual_environments(environment: Mapping[str, str]) -> Path | None:
    named = environment.get("POETRY_VIRTUALENVS_PATH", "")
    if named:
        return Path(named)
    cache = environment.get("POETRY_CACHE_DIR", "")
    place = Path(cache) if cache else _cache_directory(environment)
    return place / "virtualenvs" if place is not None else None


def _cache_directory(environment: Mapping[str, str]) -> Path | None:
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        return Path(local, "pypoetry", "Cache") if local else None
    home = environment.get("HOME", "")
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "pypoetry") if home else None
    cache = environment.get("XDG_CACHE_HOME", "") or (f"{home}/.cache" if home else "")
    return Path(cache, "pypoetry") if cache else None
