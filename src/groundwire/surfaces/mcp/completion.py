"""Endings for what a person begins to type as an argument of a resource: files as a shell completes them, and symbols.

Above: ``server``. Below: ``operations.search``, the file system.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.pool.watcher import DEFAULT_SKIP

_MOST = 100
_WAIT_S = 5.0
"""A person is typing."""


class Endings(NamedTuple):
    """At most a hundred, and how many there are."""

    values: Sequence[str]
    total: int


async def complete(pool: Pool, argument: str, value: str) -> Endings:
    """What the argument may be, given its beginning."""
    if argument == "file_path":
        found = _files(pool.workspace, value)
    elif argument == "symbol" and value.strip():
        found = await _symbols(pool, value)
    else:
        found = []
    return Endings(found[:_MOST], len(found))


def _files(workspace: Path, value: str) -> list[str]:
    above, _, beginning = value.rpartition("/")
    try:
        directory = (workspace / above).resolve()
    except (OSError, ValueError, RuntimeError):  # no path that could be completed
        return []
    if not directory.is_relative_to(workspace):
        return []
    prefix = f"{above}/" if above else ""
    found = (_ending(entry) for entry in _entries(directory) if entry.name.startswith(beginning))
    return sorted(f"{prefix}{name}" for name in found if name)


def _ending(entry: os.DirEntry[str]) -> str:
    """Directories end with a slash; those of tools are left out."""
    if not entry.is_dir():
        return entry.name
    is_skipped = entry.name in DEFAULT_SKIP or entry.name.startswith(".")
    return "" if is_skipped else f"{entry.name}/"


def _entries(directory: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return list(entries)
    except (OSError, ValueError):  # not there, or not ours to read: then nothing in it can be meant
        return []


async def _symbols(pool: Pool, value: str) -> list[str]:
    wanted = find_symbol.parse({"query": value, "limit": _MOST})
    answer = await perform(pool, find_symbol, wanted, wait_s=_WAIT_S)
    return list(dict.fromkeys(symbol.path for symbol in answer.value.symbols))
