"""Marker files: what tells where a project begins and what it is set up for.

A marker is a file name (``go.mod``), a path (``build/compile_commands.json``), a glob (``*.sln``), or a TOML or JSON
file that must hold a key (``pyproject.toml:tool.ruff``, ``package.json:devDependencies.oxlint``). Above: ``roots``,
``fitness`` and ``pool.routing``. Below: nothing.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast

_GLOB_SIGNS = frozenset("*?[")


def directories_up(start: Path, top: Path) -> Iterator[Path]:
    """``start`` and what is above it, up to and including ``top``; none when ``start`` is not inside ``top``."""
    if not start.is_relative_to(top):
        return
    for directory in (start, *start.parents):
        yield directory
        if directory == top:
            return


def first_marker(directory: Path, markers: Iterable[str]) -> str | None:
    """The first of the markers that is in the directory."""
    return next((marker for marker in markers if _is_in(directory, marker)), None)


def marker_between(file: Path, workspace: Path, markers: Iterable[str]) -> str | None:
    """The nearest of the markers, from the file's directory up to the workspace; in one directory the first of them."""
    wanted = tuple(markers)
    found = (first_marker(directory, wanted) for directory in directories_up(file.parent, workspace))
    return next((marker for marker in found if marker is not None), None)


def shown(marker: str) -> str:
    """A marker as a reader would write it: ``[tool.ruff] in pyproject.toml``, ``eslintConfig in package.json``."""
    name, _, key = marker.partition(":")
    if not key:
        return name
    return f"[{key}] in {name}" if name.endswith(".toml") else f"{key} in {name}"


def _is_in(directory: Path, marker: str) -> bool:
    name, _, key = marker.partition(":")
    if _GLOB_SIGNS.intersection(name):
        return any(directory.glob(name))
    file = directory / name
    return _holds_key(file, key) if key else file.exists()


@lru_cache(maxsize=64)
def _parsed(text: str, is_json: bool) -> object:
    """By content, so it is never out of date: every route looks into the same few files, and parsing takes longest."""
    return json.loads(text) if is_json else tomllib.loads(text)


def _holds_key(file: Path, key: str) -> bool:
    try:
        value = _parsed(file.read_text("utf-8"), file.suffix == ".json")
    except (OSError, ValueError, RecursionError):  # absent or unreadable: its own tools will say so, it is no marker
        return False
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return False
        value = cast("dict[str, object]", value)[part]
    return True
